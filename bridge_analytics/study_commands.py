"""The commands that answer a study, shipped or sealed, and verify its page. ``cli.py`` puts them beside the others."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from bridge_analytics.checks import ResultsError
from bridge_analytics.results import score_results, sift_results
from bridge_analytics.screen import (
    as_typed,
    check_outputs,
    console,
    in_words,
    say,
    show_table,
    tell_faults,
    write,
)
from bridge_analytics.sealed import SEAL, Study, load_study, seal
from bridge_analytics.sealed_answers import answers
from bridge_analytics.selection import CODES
from bridge_analytics.strategy import STUDIES
from bridge_analytics.strategy import study as shipped
from bridge_analytics.study_page import study_made, study_report
from bridge_analytics.verification import verify

Source = Annotated[str, typer.Argument(metavar="RESULTS", help="A file of results, a folder of them, or a pattern.")]


def study(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="STUDY", help=f"A study of your own, in TOML; or one of: {', '.join(STUDIES)}.")
    ],
    source: Source,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write all answers; .html: the page of a study."),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="COLUMNS", help="The columns that say which rows share cards.")
    ] = None,
    layout: Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")] = None,
    explore: Annotated[
        bool, typer.Option("--explore", help="Answer from the deals for exploring, without a seal.")
    ] = False,
    language: Annotated[str, typer.Option(help="Of the page: en or es.")] = "en",
) -> None:
    """Answer one question by every comparison, side by side: estimate, interval, who is compared with whom.

    A study in a .toml is settled before: its fingerprint is told, and sealed, before a result is read.

    Examples:
    bridge-analytics study doubled-partscores club.csv --by round,board -o answers.csv
    bridge-analytics study study.toml results/ -o study.html
    """
    is_page = output is not None and output.suffix == ".html"
    check_outputs(output, source=Path(source), endings=(".csv", ".parquet", ".html"))
    columns = by.replace(" ", "").split(",") if by else None
    if name.endswith(".toml"):
        if by is not None or layout is not None:
            raise ValueError("expected [score] by and [layout] in the study itself, got --by or --layout")
        found, faults = _sealed(context, Path(name), source, output, explore, language)
    else:
        if is_page or explore:
            raise ValueError("expected a study in a .toml for a page or --explore, got the study " + repr(name))
        found, faults = _shipped(name, source, columns, layout)
    if output is not None and not is_page:
        write(found, output)
    _show(found)
    if output is not None:
        say(f"{len(found):,} answers written to {output}")
    tell_faults(faults, None)
    raise typer.Exit(bool(len(faults)))


def _shipped(name: str, source: str, by: list[str] | None, layout: str | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    with console(stderr=True).status(f"reading {source} …") as status:
        scored, faults = sift_results(source, layout=layout, by=by)
        if by is not None or "deal_id" not in scored:
            status.update(f"scoring {len(scored):,} results …")
            scored = score_results(scored, by=by)
        status.update(f"asking {name} of {len(scored):,} results …")
        return shipped(name, scored), faults


def _sealed(
    context: typer.Context, path: Path, source: str, output: Path | None, explore: bool, language: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The answers to a study of one's own, and its page."""
    settled = load_study(path)
    if explore and "split" not in settled:
        raise ValueError(f"expected [split] in {path.name!r}, to have deals for exploring, got none")
    say(f"sha256 {settled['sha256']}  {path.name}")
    with _seal(settled, path, explore) as day, console(stderr=True).status(f"reading {source} …") as status:
        part = "explore" if explore else "confirm"
        results, faults = sift_results(source, layout=settled.get("layout"), by=settled.get("score", {}).get("by"))
        status.update(f"asking {path.name} of {len(results):,} results …")
        found, _ = answers(settled, results, part=part)
        if output is not None and output.suffix == ".html":
            made = study_made(settled, source, results, faults, command=as_typed(context), language=language)
            page = study_report(settled, results, faults, part=part, sealed=day, language=language, made=made)
            output.write_text(page, encoding="utf-8")
    return found, faults


@contextmanager
def _seal(settled: Study, path: Path, explore: bool) -> Iterator[str | None]:
    """Seal a study, and say the day; a new seal is broken where there is no answer: then nothing was seen."""
    beside = path.with_suffix(SEAL)
    is_new = not explore and not beside.exists()
    try:
        yield None if explore else seal(settled, path, today=date.today().isoformat())["sealed"]
    except BaseException as error:
        if is_new:
            beside.unlink(missing_ok=True)
        if isinstance(error, ValueError) and not isinstance(error, ResultsError):
            told = re.sub(r"\bby=(\[[^]]*\])", r"[score] by = \1", str(error)).replace(
                "expected by,", "expected [score] by,"
            )
            raise ValueError(told) from None
        raise


def _show(found: pd.DataFrame) -> None:
    show_table(in_words(found))
    told = {code for codes in found["warnings"].fillna("") for code in codes.split()}
    for code, meaning in CODES.items():
        if code in told:
            say(f"{code:<4}{meaning}")


def verify_study(
    page: Annotated[Path, typer.Argument(metavar="HTML", help="The page of a sealed study.")],
    source: Source,
) -> None:
    """Make the page of a study again from its results, and say which of its numbers differ.

    Example:  bridge-analytics verify study.html results/
    """
    with console(stderr=True).status(f"making {page} again …"):
        differences = verify(page, source)
    if differences.empty:
        say(f"{page}: every number is found again")
        return
    show_table(differences.fillna(""))
    say(f"{page}: {len(differences):,} of its texts or figures are not what the results say")
    raise typer.Exit(1)
