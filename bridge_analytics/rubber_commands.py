"""The command that keeps the score of rubbers. ``cli.py`` puts it beside the others."""

from pathlib import Path
from typing import Annotated

import typer

from bridge_analytics.chicago import score_chicago
from bridge_analytics.results import read_results
from bridge_analytics.rubber import rubber_totals, score_rubbers
from bridge_analytics.screen import check_outputs, say, show_table, write


def rubber(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A row a deal: CSV or Parquet.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the sheet.")] = None,
    by: Annotated[str, typer.Option(metavar="COLUMNS", help="The columns that tell rubbers apart.")] = "rubber",
    edition: Annotated[str | None, typer.Option(help="The law: rubber-1993, or chicago, by default.")] = None,
    chicago: Annotated[bool, typer.Option("--chicago", help="Four deals each, instead of rubbers.")] = False,
    vulnerable: Annotated[str | None, typer.Option(help="On deals 2 and 3 of Chicago: dealer, non_dealer.")] = None,
    passed_out: Annotated[str | None, typer.Option(help="Deals passed out at Chicago: redeal, counts.")] = None,
    split: Annotated[bool, typer.Option("--split", help="Deals after the end begin another one.")] = False,
    layout: Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")] = None,
) -> None:
    """Keep the score of rubbers or of Chicago, deal by deal, and the back score of the players.

    Examples:
    bridge-analytics rubber evening.csv -o sheet.csv
    bridge-analytics rubber evening.csv --chicago --vulnerable non_dealer
    """
    check_outputs(output, source=file)
    if vulnerable is not None and not chicago:
        raise ValueError("expected --vulnerable with --chicago: a rubber makes its own vulnerability")
    if passed_out is not None and not chicago:
        raise ValueError("expected --passed-out with --chicago: at rubber the deal passes on")
    results = read_results(file, layout=layout)
    names = [name.strip() for name in by.split(",") if name.strip()]
    if chicago:
        options = {"vulnerable": vulnerable, "passed_out": passed_out}
        sheet = score_chicago(results, by=names, **options, edition=edition or "chicago", split=split)
    else:
        sheet = score_rubbers(results, by=names, edition=edition or "rubber-1993", split=split)
    players = ["north", "east", "south", "west"]
    named = results[players].notna().to_numpy()
    totals = rubber_totals(sheet, by=names, players=players if named.all() else None)
    backs = [name for name in totals if str(name).startswith("back_")]
    show_table(totals[[*names, "deals", "games_ns", "games_ew", "total_ns", "total_ew", "winner", "margin_ns", *backs]])
    if named.any() and not named.all():
        say("no back scores: a player is missing on some deals", stderr=True)
    if output is not None:
        write(sheet, output)
        say(f"{len(sheet):,} deals written to {output}")
