"""The command that makes the report of an event. ``cli.py`` puts it beside the others."""

import time
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from bridge_analytics import pages, report
from bridge_analytics.results import score_results, sift_results
from bridge_analytics.screen import as_typed, check_outputs, console, say, summary, tell_faults
from bridge_analytics.words import words

_IN_IMPS = {"butler", "cross_imps"}


def make_report(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Results of an event, in any format that is read.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="HTML", help="The page to write.")],
    form: Annotated[
        str, typer.Option(help="What ranks: matchpoints, butler, cross_imps. Others behind a comma are shown too.")
    ] = "matchpoints",
    by: Annotated[
        str | None, typer.Option(metavar="COLUMNS", help="The columns that say which rows share cards.")
    ] = None,
    winners: Annotated[
        int | None, typer.Option(min=1, max=2, help="1: a pair is its number; 2: its side and number.")
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(help="Who is ranked: pairs, partnerships, players; by default the first that is named."),
    ] = None,
    edition: Annotated[str, typer.Option(help="The law of scoring.")] = "duplicate-1987",
    datum: Annotated[str, typer.Option(help="How the Butler datum is found.")] = "datum-trimmed",
    imp_scale: Annotated[str, typer.Option(help="The scale of IMPs.")] = "imps-1962",
    adjusted: Annotated[
        str, typer.Option(help="What rulings are worth: adjusted-wbf, -ebu, -acbl, none.")
    ] = "adjusted-wbf",
    solved: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Deals solved double dummy, from the command solve.")
    ] = None,
    cards: Annotated[
        bool | None,
        typer.Option("--cards/--no-cards", help=f"Score cards; by default up to {report.CARDS_UP_TO} results."),
    ] = None,
    title: Annotated[str, typer.Option(help="Of the page; by default the names of the events.")] = "",
    language: Annotated[str, typer.Option(help="Of the page: en or es.")] = "en",
    layout: Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")] = None,
) -> None:
    """Report a whole event on one page: ranking, what decided it, every board, score cards, faults.

    Examples:
    bridge-analytics report club.csv -o report.html
    bridge-analytics report club.csv -o informe.html --form butler --solved solved.parquet --language es
    """
    check_outputs(output, source=file, endings=(".html",))
    forms, columns = form.replace(" ", "").split(","), by.replace(" ", "").split(",") if by else None
    words(language)
    start = time.perf_counter()
    with console(stderr=True).status(f"reading {file} …") as status:
        results, faults = sift_results(file, layout=layout, by=columns)
        status.update(f"scoring {len(results):,} results …")
        scored = score_results(results, by=columns, edition=edition, forms=forms, datum=datum, imp_scale=imp_scale)
        status.update(f"reporting {scored['deal_id'].nunique():,} deals …")
        used = [
            edition,
            *[datum] * ("butler" in forms),
            *[imp_scale] * bool(_IN_IMPS & {*forms}),
            *[adjusted] * (adjusted != "none"),
        ]
        left_out = len(faults.loc[faults["left_out"], ["source", "source_row"]].drop_duplicates())
        made = pages.provenance(
            [file, *filter(None, [solved])],
            rows=len(scored),
            left_out=left_out,
            editions=used,
            command=as_typed(context),
            language=language,
        )
        page = report.event_report(
            scored,
            faults,
            form=forms[0],
            winners=winners,
            of=of,
            adjusted=None if adjusted == "none" else adjusted,
            datum=datum,
            imp_scale=imp_scale,
            solved=None if solved is None else _table(solved),
            cards=cards,
            title=title or ("" if scored["event"].notna().any() else file.stem.removesuffix(".csv")),
            language=language,
            made=made,
        )
        output.write_text(page, encoding="utf-8")
    tell_faults(faults, None)
    seconds = f"{time.perf_counter() - start:.1f}"
    summary(
        {"results": len(scored), "deals": int(scored["deal_id"].nunique()), "faults": len(faults), "seconds": seconds}
    )
    say(f"written to {output}")
    raise typer.Exit(bool(len(faults)))


def _table(path: Path) -> pd.DataFrame:
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
