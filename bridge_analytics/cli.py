"""The toolkit at the shell: one function a command, each a few lines around the functions that do the work.

Exit code 0: all is well; 1: the file has faults (what could be read is written all the same); 2: it cannot run.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from bridge_analytics.batch_commands import is_folder, score_folder
from bridge_analytics.breakdown import explain
from bridge_analytics.checks import ResultsError
from bridge_analytics.contestants import count_pairs
from bridge_analytics.deal_commands import deal, solve, value
from bridge_analytics.file_commands import Corrections, check_each, columns, convert
from bridge_analytics.identity import deal_ids
from bridge_analytics.report_commands import make_report
from bridge_analytics.results import score_results, sift_results
from bridge_analytics.rubber_commands import rubber
from bridge_analytics.rules import diff_editions, editions, show_edition
from bridge_analytics.screen import (
    at_the_shell,
    check_outputs,
    console,
    say,
    show_table,
    summary,
    tell_faults,
    tell_what_is_silent,
    write,
)
from bridge_analytics.sources import files_of
from bridge_analytics.standings_commands import rank
from bridge_analytics.study_commands import study, verify_study

FAULTS_SHOWN = 20

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="rich")
rules = typer.Typer()
app.add_typer(rules, name="rules")

File = Annotated[Path, typer.Argument(metavar="FILE", help="Results: CSV, PBN, LIN, USEBIO, Parquet …, or a folder.")]
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
def check(
    file: File, by: By = None, layout: Layout = None, corrections: Corrections = None, faults: FaultsFile = None
) -> None:
    """Say what is wrong with a file of results, row by row; of a folder, a line for each file.

    Examples:
    bridge-analytics check club.csv --faults faults.csv
    bridge-analytics check season/ --faults faults.csv
    """
    check_outputs(faults, source=file)
    files = files_of(file)
    if files is not None:
        wrong = check_each(files, by=_names(by), layout=layout, corrections=corrections, faults=faults)
        raise typer.Exit(wrong)
    with console(stderr=True).status(f"reading {file} …"):
        results, found = sift_results(file, layout=layout, by=_names(by), corrections=corrections)
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
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files of results, folders, or patterns.")],
    target: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write: .csv, .parquet, or a folder.")
    ],
    form: Annotated[str, typer.Option(help="Forms of scoring: matchpoints, butler, cross_imps.")] = "matchpoints",
    by: By = None,
    edition: Annotated[str, typer.Option(help="The law of scoring.")] = "duplicate-1987",
    datum: Annotated[str, typer.Option(help="How the Butler datum is found.")] = "datum-trimmed",
    imp_scale: Annotated[str, typer.Option(help="The scale of IMPs.")] = "imps-1962",
    layout: Layout = None,
    corrections: Corrections = None,
    faults: FaultsFile = None,
    memory: Annotated[str, typer.Option(help="Into a folder: about how much to take.")] = "2GB",
) -> None:
    """Score results and compare them on each deal.

    Into a folder any number of them is scored, whatever memory holds; a run that was stopped goes on, and --form ''
    computes scores alone, without bringing the results of a deal together.

    Examples:
    bridge-analytics score club.csv -o scored.csv
    bridge-analytics score match.csv -o scored.parquet --form butler --by round,board
    bridge-analytics score boards/*.parquet -o scored/ --form matchpoints,cross_imps --memory 2GB
    """
    start, forms = time.perf_counter(), tuple(_names(form) or ())
    rules: dict[str, Any] = {"by": _names(by), "forms": forms, "edition": edition, "datum": datum}
    rules["imp_scale"] = imp_scale
    used = [edition, *[datum] * ("butler" in forms), *[imp_scale] * bool({"butler", "cross_imps"} & {*forms})]
    if is_folder(target):
        if corrections is not None:
            raise ValueError("expected --corrections with one file as output, got a folder: correct the files first")
        wrong = score_folder(files, target, faults, ", ".join(used), layout=layout, memory=memory, **rules)
        raise typer.Exit(wrong)
    if len(files) > 1:
        raise ValueError(f"expected a folder as output of {len(files)} files, got {target!r}")
    file, output = Path(files[0]), Path(target)
    check_outputs(output, faults, source=file)
    with console(stderr=True).status(f"reading {file} …") as status:
        results, found = sift_results(file, layout=layout, by=_names(by), corrections=corrections)
        status.update(f"scoring {len(results):,} results …")
        scored = score_results(results, **rules)
        status.update(f"writing {output} …")
        write(scored, output)
    seconds = time.perf_counter() - start
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


for _command in (convert, columns, deal, solve, value, rubber, study):
    app.command()(_errors_in_one_line()(_command))
app.command(name="verify")(_errors_in_one_line()(verify_study))
app.command(name="report")(_errors_in_one_line()(make_report))
app.command(name="standings")(_errors_in_one_line()(rank))


def main() -> None:
    """Run the command line."""
    app()
