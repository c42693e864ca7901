"""Rubber bridge: the score sheet of many rubbers at once, what each came to, and the back score of the players.

Points of a deal are those of the law (`laws`); what depends on the deals before, vulnerability, part-scores, games and
premiums, is looked up in the moves of :mod:`rubber_states`. Positive is good for the side named.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from bridge_analytics.laws import AnyEdition
from bridge_analytics.rubber_deals import SIDES, Columns, played_deals, playing_order, refuse
from bridge_analytics.rubber_sheet import (
    SHEET_COLUMNS,
    STATED,
    brought,
    build_sheet,
    by_row,
    check_whole,
    running,
    side_label,
    split_at,
)
from bridge_analytics.rubber_states import EW, NS, advance, rubber_laws, rubber_moves

By = str | Sequence[str]

TOTAL_COLUMNS = (
    *("deals", "finished", "games_ns", "games_ew", "below_ns", "below_ew", "above_ns", "above_ew"),
    *("premium_ns", "premium_ew", "unfinished_ns", "unfinished_ew", "total_ns", "total_ew", "winner", "margin_ns"),
)
"""What :func:`rubber_totals` says of each rubber, in order."""


def score_rubbers(
    results: pd.DataFrame, *, by: By = "rubber", edition: AnyEdition = "rubber-1993", split: bool = False
) -> pd.DataFrame:
    """Keep the score of rubbers, deal by deal.

    Parameters
    ----------
    results : DataFrame
        A row a deal, in any order: ``contract``, ``tricks``, and ``declarer`` or ``side`` (``NS EW``); where they are
        known ``honours_seat`` and ``honours_points`` (any of the four players), ``vul`` to be checked, and ``board``
        for the order in a rubber, else that of the rows.
    by : str or sequence of str
        The columns that tell rubbers apart.
    edition : str, path or Edition
        The law; see :func:`editions`.
    split : bool
        Whether deals after the end of a rubber begin a new one. Else they are refused.

    Returns
    -------
    DataFrame
        The rows and columns of ``results``, and behind them the sheet: ``rubber_id``; ``deal_number`` in it;
        ``vulnerable`` (declarer's side), ``vulnerable_ns``, ``vulnerable_ew`` before the deal; of this deal the points
        ``below_ns below_ew above_ns above_ew``, and of those above ``honours_*`` and ``premium_*`` (for the rubber);
        after it the part-scores ``part_*``, ``games_*``, ``game`` (the side that completed one), ``rubber_over``, the
        running ``sum_below_* sum_above_*`` and ``total_*``, and ``unfinished_*``: what would be added if play stopped
        here. [points]

    Raises
    ------
    ValueError
        If a deal lacks contract, side or tricks, a vulnerability is not that of the rubber, honours are none that a
        player can hold, a board occurs twice, or deals follow the end of a rubber; says in which row. If the edition is
        none of rubber bridge.

    Notes
    -----
    Rubber Laws 72 to 74 and 80; each number of an edition names its source. A passed-out deal scores nothing.

    Examples
    --------
    >>> evening = pd.DataFrame({"rubber": [1, 1, 1], "side": ["NS", "NS", "EW"], "contract": ["2H", "1NT", "3C"],
    ...                         "tricks": [8, 9, 7]})
    >>> score_rubbers(evening)[["part_ns", "games_ns", "above_ns", "total_ns", "unfinished_ns"]]
       part_ns  games_ns  above_ns  total_ns  unfinished_ns
    0       60         0         0        60            100
    1        0         1        60       160            300
    2        0         1       100       260            300
    """
    laws = rubber_laws(edition)
    deals = played_deals(results, laws)
    order, starts, sizes = playing_order(results, by, deals["contract"])
    deals = deals if order is None else {name: column[order] for name, column in deals.items()}
    tables = rubber_moves(laws, split=split)
    moves = advance(brought(deals, laws), starts, sizes, tables["after"])
    look_up = {name: table.reshape(-1) for name, table in tables.items()}
    if not split:
        ended = moves >= (len(tables["after"]) - 1) * tables["after"].shape[1]
        refuse(
            results,
            by_row(ended, order),
            "no deal after the end of a rubber (split=True begins a new one)",
            "contract",
        )
    if split:
        starts, sizes = split_at(starts, look_up["rubber_over"].take(moves, mode="wrap"))

    def state(rows: slice, columns: Columns) -> None:
        for name in STATED:
            look_up[name].take(moves[rows], out=columns[name], mode="wrap")

    return build_sheet(results, order, starts, sizes, deals, state, laws)


def rubber_totals(
    sheet: pd.DataFrame, *, by: By = "rubber", players: Sequence[str] | None = None, step: int = 100
) -> pd.DataFrame:
    """What each rubber came to, and the back score of the players.

    Parameters
    ----------
    sheet : DataFrame
        As :func:`score_rubbers` or :func:`score_chicago` gives it, whole.
    by : str or sequence of str
        Columns to keep beside the numbers, with the value of a rubber's first row.
    players : sequence of str, optional
        The columns that name the four players, North, East, South, West. They may change from rubber to rubber.
    step : int
        What one point of the back score is worth; half of it and more counts as a whole one. [points]

    Returns
    -------
    DataFrame
        A row a rubber, in the order of ``rubber_id``: ``deals``, ``finished``, ``games_*``, ``below_*``, ``above_*``
        (with everything but what is for an unfinished rubber), ``premium_*``, ``unfinished_*``, ``total_ns``,
        ``total_ew`` (with all of it), ``winner`` (on points; missing where they are equal), ``margin_ns``. [points]
        With players also ``back_ns``, the margin in steps, and for each of the columns what that player has won so far:
        ``back_north`` ... [steps]

    Raises
    ------
    ValueError
        If the table is no sheet; if a deal does not follow from the one before in its rubber, since the sheet was
        filtered or is of two evenings that share a ``rubber_id`` (says in which row); if the step is less than a point,
        or a player is missing, sits twice, or changes within a rubber.

    Notes
    -----
    A side wins on points, which need not be the side with two games. How clubs round to hundreds varies.

    Examples
    --------
    >>> evening = pd.DataFrame({"rubber": [1, 1], "side": "NS", "contract": ["4S", "3NT"], "tricks": [10, 10]})
    >>> rubber_totals(score_rubbers(evening))[["rubber", "deals", "premium_ns", "total_ns", "winner", "margin_ns"]]
       rubber  deals  premium_ns  total_ns winner  margin_ns
    0       1      2         700       950     ns        950
    """
    labels = [by] if isinstance(by, str) else list(by)
    lost = [name for name in (*SHEET_COLUMNS, *labels) if name not in sheet]
    if lost:
        raise ValueError(f"expected a sheet as score_rubbers gives it, got a table without {', '.join(lost)}")
    if not isinstance(step, int | np.integer) or step < 1:
        raise ValueError(f"expected a step of at least one point, got {step!r}")
    check_whole(sheet)
    rubbers = sheet.groupby("rubber_id")
    summed = [f"{part}_{name}" for part in ("below", "above", "premium") for name in SIDES]
    totals = rubbers[summed].sum().astype("int64")
    last = sheet["deal_number"] == rubbers["deal_number"].transform("max")
    for name in SIDES:
        totals[f"games_{name}"] = rubbers[f"games_{name}"].max()
        stopped = sheet[f"unfinished_{name}"].where(last, 0)
        totals[f"unfinished_{name}"] = stopped.groupby(sheet["rubber_id"]).sum()
        totals[f"total_{name}"] = totals[[f"{part}_{name}" for part in ("below", "above", "unfinished")]].sum(axis=1)
    totals["deals"], totals["finished"] = rubbers.size(), rubbers["rubber_over"].any()
    totals["margin_ns"] = totals["total_ns"] - totals["total_ew"]
    leader = np.select([totals["margin_ns"] > 0, totals["margin_ns"] < 0], [NS, EW], -1)
    totals["winner"] = side_label(leader)
    heads = rubbers[labels].first()
    found = pd.concat([heads, totals[[*TOTAL_COLUMNS]]], axis=1).reset_index()
    return found if players is None else pd.concat([found, _back_scores(sheet, found, list(players), step)], axis=1)


def _back_scores(sheet: pd.DataFrame, totals: pd.DataFrame, players: list[str], step: int) -> pd.DataFrame:
    """The margin of each rubber in steps, and after it what each of the four players has won so far."""
    if len(players) != 4 or any(name not in sheet for name in players):
        raise ValueError(f"expected the four columns that name North, East, South, West, got {players!r}")
    names = sheet[players].astype("str")
    rubbers = names.groupby(sheet["rubber_id"].to_numpy())
    wrong = names.isna().any(axis=1) | (names != rubbers.transform("first")).any(axis=1)
    refuse(sheet, wrong.to_numpy(), "four players in each rubber, the same on all its deals", *players)
    codes = pd.factorize(rubbers.first().to_numpy().reshape(-1))[0].reshape(-1, 4)
    twice = (np.diff(np.sort(codes, axis=1), axis=1) == 0).any(axis=1)
    refuse(sheet, sheet["rubber_id"].isin(totals["rubber_id"][twice]).to_numpy(), "four different players", *players)
    margin = totals["margin_ns"].to_numpy()
    back = np.sign(margin) * ((abs(margin) + step // 2) // step)
    won, who = (back[:, None] * [1, -1, 1, -1]).reshape(-1), codes.reshape(-1)
    order = np.argsort(who, kind="stable")
    sizes = np.bincount(who)
    so_far = np.empty_like(won)
    so_far[order] = running(won[order], sizes.cumsum() - sizes, sizes)
    columns = dict(zip((f"back_{name}" for name in players), so_far.reshape(-1, 4).T, strict=True))
    return pd.DataFrame({"back_ns": back, **columns}, index=totals.index)
