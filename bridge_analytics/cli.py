"""The toolkit at the shell: one function a command, each a few lines around the functions that do the work.

Exit code 0: all is well; 1: the file has faults (what could be read is written all the same); 2: it cannot run.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from bridge_analytics.breakdown import explain
from bridge_analytics.checks import ResultsError
from bridge_analytics.contestants import count_pairs
from bridge_analytics.deal_commands import deal, solve, value
from bridge_analytics.identity import deal_ids
from bridge_analytics.results import score_results, sift_results
from bridge_analytics.rubber_commands import rubber
from bridge_analytics.rules import diff_editions, editions, show_edition
from bridge_analytics.screen import (
    at_the_shell,
    check_outputs,
    console,
    in_words,
    say,
    show_table,
    summary,
    tell_faults,
    tell_what_is_silent,
    write,
)
from bridge_analytics.selection import CODES
from bridge_analytics.strategy import STUDIES, study

FAULTS_SHOWN = 20

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="rich")
rules = typer.Typer()
app.add_typer(rules, name="rules")

File = Annotated[Path, typer.Argument(metavar="FILE", help="A table of results: CSV, Parquet or a Valet score file.")]
By = Annotated[str | None, typer.Option(metavar="COLUMNS", help="The columns that say which rows share the cards.")]
Layout = Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")]
FaultsFile = Annotated[Path | None, typer.Option("--faults", metavar="CSV", help="Write every fault to this file.")]


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    """End with code 2 and one line on an error that the user can mend; a bug keeps its traceback."""
    try:
        yield
    except (OSError, ValueError, ImportError) as error:
        where = getattr(error, "filename", None)
        lines = [f"{where}: {getattr(error, 'strerror', error)}"] if where else str(error).splitlines()
        if isinstance(error, ResultsError):
            lines.pop()  # it says what to call in Python
        say(f"bridge-analytics: {at_the_shell(' '.join(' '.join(lines).split()))}", stderr=True)
        raise typer.Exit(2) from None


def _names(text: str | None) -> list[str] | None:
    """Split a list typed with commas; nothing typed stays None."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _doubt(results: pd.DataFrame, by: list[str] | None) -> str:
    """Why it is not clear which results share the cards; empty where it is."""
    try:
        deal_ids(results, by)
    except ValueError as error:
        return str(error)
    return ""


def _version(asked: bool) -> None:
    if asked:
        say(version("bridge-analytics"))
        raise typer.Exit


@app.callback()
def _main(
    version_asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Score, check and compare played bridge boards."""


@app.command()
@_errors_in_one_line()
def check(file: File, by: By = None, layout: Layout = None, faults: FaultsFile = None) -> None:
    """Say what is wrong with a file of results, row by row.

    Example:  bridge-analytics check club.csv --faults faults.csv
    """
    check_outputs(faults, source=file)
    with console(stderr=True).status(f"reading {file} …"):
        results, found = sift_results(file, layout=layout, by=_names(by))
    if len(found):
        expected = found["expected"] + (" (" + found["suggestion"] + ")").fillna("")
        value = found["value"].str.replace(r"^(.{40}).+", r"\1…", regex=True)
        shown = pd.DataFrame(
            {"row": found["source_row"], "column": found["column"], "value": value, "expected": expected}
        )
        show_table(shown.head(FAULTS_SHOWN))
    if len(found) > FAULTS_SHOWN:
        say(f"… and {len(found) - FAULTS_SHOWN:,} more: all of them with --faults faults.csv")
    tell_faults(found, faults)
    summary({"results": len(results), "faults": len(found)})
    tell_what_is_silent(results, layout)
    doubt = _doubt(results, _names(by))
    if doubt:
        say(f"cannot be scored: {at_the_shell(doubt)}")
    raise typer.Exit(bool(len(found) or doubt))


@app.command()
@_errors_in_one_line()
def score(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: .csv or .parquet.")],
    form: Annotated[str, typer.Option(help="Forms of scoring: matchpoints, butler, cross_imps.")] = "matchpoints",
    by: By = None,
    edition: Annotated[str, typer.Option(help="The law of scoring.")] = "duplicate-1987",
    datum: Annotated[str, typer.Option(help="How the Butler datum is found.")] = "datum-trimmed",
    imp_scale: Annotated[str, typer.Option(help="The scale of IMPs.")] = "imps-1962",
    layout: Layout = None,
    faults: FaultsFile = None,
) -> None:
    """Score a file of results and compare them on each deal.

    Examples:
    bridge-analytics score club.csv -o scored.csv
    bridge-analytics score match.csv -o scored.parquet --form butler --by round,board
    """
    check_outputs(output, faults, source=file)
    start, forms = time.perf_counter(), tuple(_names(form) or ())
    with console(stderr=True).status(f"reading {file} …") as status:
        results, found = sift_results(file, layout=layout, by=_names(by))
        status.update(f"scoring {len(results):,} results …")
        scored = score_results(results, by=_names(by), edition=edition, forms=forms, datum=datum, imp_scale=imp_scale)
        status.update(f"writing {output} …")
        write(scored, output)
    seconds = time.perf_counter() - start
    used = [edition, *[datum] * ("butler" in forms), *[imp_scale] * bool({"butler", "cross_imps"} & {*forms})]
    tell_faults(found, faults)
    summary(
        {
            "results": len(scored),
            "deals": int(scored["deal_id"].nunique()),
            "pairs": count_pairs(scored),
            "faults": len(found),
            "editions": ", ".join(used),
            "seconds": f"{seconds:.2f}",
            "rows per second": round(len(scored) / seconds),
        }
    )
    tell_what_is_silent(results, layout)
    say(f"written to {output}")
    raise typer.Exit(bool(len(found)))


@rules.callback(invoke_without_command=True)
@_errors_in_one_line()
def list_rules(context: typer.Context) -> None:
    """List the laws and scales as data, each number with its source; show one, or what differs between two.

    Example:  bridge-analytics rules diff duplicate-1987 duplicate-003
    """
    if context.invoked_subcommand is None:
        show_table(editions())


@rules.command()
@_errors_in_one_line()
def show(name: Annotated[str, typer.Argument(help="The name of an edition, or the path of a .toml.")]) -> None:
    """Show every number of an edition with its source.

    Example:  bridge-analytics rules show duplicate-1987
    """
    show_table(show_edition(name))


@rules.command()
@_errors_in_one_line()
def diff(a: str, b: str) -> None:
    """Show the numbers in which two editions differ.

    Example:  bridge-analytics rules diff duplicate-1987 duplicate-003
    """
    show_table(diff_editions(a, b))


@app.command(name="explain")
@_errors_in_one_line()
def explain_score(
    contract_result: Annotated[str, typer.Argument(metavar="CONTRACT_RESULT", help="3HX+1, 4S=, 6NT-2, Pass.")],
    vulnerable: Annotated[bool, typer.Option("--vulnerable", help="Declarer's side is vulnerable.")] = False,
    edition: Annotated[str, typer.Option(help="The law of scoring.")] = "duplicate-1987",
    language: Annotated[str, typer.Option(help="Of the answer: en or es.")] = "en",
    locale: Annotated[str, typer.Option(help="Of the contract's letters: en, es or fr.")] = "en",
) -> None:
    """Break a score down, each line with its law.

    Example:  bridge-analytics explain 3HX+1 --vulnerable --language es
    """
    contract, result = re.split(r"(?=[-+=−]|$)", contract_result, maxsplit=1)
    say(explain(contract, vulnerable, result or None, edition=edition, language=language, locale=locale))


@app.command(name="study")
@_errors_in_one_line()
def answer_study(
    name: Annotated[str, typer.Argument(metavar="STUDY", help=f"One of: {', '.join(STUDIES)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Scored results, or a file of results to score first.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write all answers.")] = None,
    by: By = None,
    layout: Layout = None,
) -> None:
    """Answer one question by every comparison, side by side: estimate, interval, who is compared with whom.

    Examples:
    bridge-analytics study doubled-partscores scored.parquet
    bridge-analytics study doubled-partscores club.csv --by round,board -o answers.csv
    """
    check_outputs(output, source=file)
    with console(stderr=True).status(f"reading {file} …") as status:
        scored, found = sift_results(file, layout=layout, by=_names(by))
        if by is not None or "deal_id" not in scored:
            status.update(f"scoring {len(scored):,} results …")
            scored = score_results(scored, by=_names(by))
        status.update(f"asking {name} of {len(scored):,} results …")
        answers = study(name, scored)
    if output is not None:
        write(answers, output)
    show_table(in_words(answers))
    for code, meaning in CODES.items():
        if answers["warnings"].str.split().map(lambda codes, code=code: code in codes).any():
            say(f"{code:<4}{meaning}")
    if output is not None:
        say(f"{len(answers):,} answers written to {output}")
    tell_faults(found, None)
    raise typer.Exit(bool(len(found)))


for _command in (deal, solve, value, rubber):
    app.command()(_errors_in_one_line()(_command))


def main() -> None:
    """Run the command line."""
    app()
