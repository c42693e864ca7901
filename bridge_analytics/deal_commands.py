"""The commands about deals: deal them, solve them, value their hands. ``cli.py`` puts them beside the others."""

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer

from bridge_analytics import double_dummy
from bridge_analytics.cards import format_deals, format_hands, parse_deals
from bridge_analytics.deal_files import read_deals, write_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.distribution import total_points
from bridge_analytics.hands import controls, kaplan_rubens, losers, quick_tricks
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.openings import zar_points
from bridge_analytics.par import par_score
from bridge_analytics.points import hcp
from bridge_analytics.screen import check_outputs, console, say, show_table, summary, write
from bridge_analytics.shapes import shape

HANDS_SHOWN = 40

Deals = Annotated[Path, typer.Argument(metavar="FILE", help="Deals: PBN, or a table with a column deal.")]


def deal(
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="How many deals.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals everywhere.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: .pbn, .csv, .parquet.")
    ],
    hand: Annotated[
        list[str] | None, typer.Option(metavar="SEAT:POINTS:SHAPE", help="A condition: N:15-17:balanced, S::5-4-3-1.")
    ] = None,
    predeal: Annotated[list[str] | None, typer.Option(metavar="SEAT:CARDS", help="Cards held: S:AKQ...")] = None,
) -> None:
    """Deal boards at random, under conditions where asked.

    Examples:
    bridge-analytics deal 1000 --seed 1 -o deals.pbn
    bridge-analytics deal 100 --seed 1 -o notrump.pbn --hand N:15-17:balanced
    """
    if output.suffix != ".pbn":
        check_outputs(output)
    start = time.perf_counter()
    dealt = random_deals(
        number,
        seed=seed,
        hands=dict(_condition(text) for text in hand or ()),
        predeal=dict(_split(text, "SEAT:CARDS") for text in predeal or ()),
    )
    if output.suffix == ".pbn":
        write_deals(dealt, output)
    else:
        write(pd.DataFrame({"board": np.arange(1, number + 1), "deal": format_deals(dealt)}), output)
    summary({"deals": number, "seed": seed, "seconds": f"{time.perf_counter() - start:.2f}"})
    say(f"written to {output}")


def _split(text: str, form: str) -> tuple[str, str]:
    seat, colon, rest = text.partition(":")
    if not colon:
        raise ValueError(f"expected {form}, got {text!r}")
    return seat, rest


def _condition(text: str) -> tuple[str, dict[str, Any]]:
    """A seat and its conditions from ``N:15-17:balanced``; what is left empty is free."""
    form = "SEAT:POINTS:SHAPE such as 'N:15-17:balanced'"
    seat, rest = _split(text, form)
    points, _, shapes = rest.partition(":")
    asked: dict[str, Any] = {"shape": shapes.split(",")} if shapes else {}
    if points:
        least, dash, most = points.partition("-")
        if not least.isdecimal() or (dash and not most.isdecimal()):
            raise ValueError(f"expected {form}, got {text!r}")
        asked["points"] = (int(least), int(most if dash else least))
    return seat, asked


def solve(
    file: Deals,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: .csv or .parquet.")],
    cache: Annotated[Path | None, typer.Option(metavar="PARQUET", help="What has been solved: kept and read.")] = None,
) -> None:
    """Solve deals double dummy: the tricks of every declarer in every strain, and the par score.

    Example:  bridge-analytics solve deals.pbn -o solved.parquet --cache solved-deals.parquet
    """
    check_outputs(output, cache, source=file)
    if cache is not None and cache.suffix != ".parquet":
        raise ValueError(f"expected a cache that ends in .parquet, got {str(cache)!r}")
    table = read_deals(file)
    start = time.perf_counter()
    with console(stderr=True).status(f"solving {len(table):,} deals …") as status:
        tricks = double_dummy.tricks(
            parse_deals(table["deal"]),
            cache=cache,
            progress=lambda done, todo, left: status.update(f"solved {done:,} of {todo:,}, {left:,.0f} seconds left …"),
        )
    names = [f"tricks_{seat}_{strain}" for strain in STRAINS for seat in SEATS]
    solved = pd.DataFrame(tricks.reshape(len(table), 20), columns=names)
    par = pd.Series(par_score(tricks, table["dealer"], table["vul"]), name="par_score_ns")
    write(pd.concat([table[["board", "dealer", "vul", "deal"]], solved, par], axis=1), output)
    summary({"deals": len(table), "seconds": f"{time.perf_counter() - start:.2f}"})
    say(f"written to {output}")


def value(
    file: Deals,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write all hands.")] = None,
    edition: Annotated[str, typer.Option(help="How distribution is counted.")] = "hands-work",
    points: Annotated[str, typer.Option(help="What the honours are worth.")] = "points-work",
) -> None:
    """Value the hands of deals.

    Examples:
    bridge-analytics value deals.pbn
    bridge-analytics value deals.pbn --edition hands-000 -o values.csv
    """
    check_outputs(output, source=file)
    table = read_deals(file)
    hands = parse_deals(table["deal"]).reshape(-1)
    values = pd.DataFrame(
        {
            "board": np.repeat(table["board"].to_numpy(), 4),
            "seat": list(SEATS) * len(table),
            "hand": format_hands(hands),
            "shape": shape(hands),
            "hcp": hcp(hands, points=points),
            "total": total_points(hands, points=points, edition=edition),
            "controls": controls(hands),
            "quick_tricks": quick_tricks(hands),
            "losers": losers(hands),
            "kaplan_rubens": kaplan_rubens(hands),
            "zar": zar_points(hands),
        }
    )
    if output is not None:
        write(values, output)
        say(f"{len(values):,} hands written to {output}")
        return
    show_table(values.head(HANDS_SHOWN))
    if len(values) > HANDS_SHOWN:
        say(f"… and {len(values) - HANDS_SHOWN:,} hands more: all of them with -o values.csv")
