"""Chicago, or four-deal bridge: a vulnerability for each of four deals, part-scores carried from one to the next."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import SEATS, seat_word
from bridge_analytics.rubber_deals import (
    MISSING,
    SIDES,
    Columns,
    board_numbers,
    played_deals,
    playing_order,
    refuse,
    word_codes,
)
from bridge_analytics.rubber_sheet import STATED, brought, build_sheet, by_row, running, split_at
from bridge_analytics.rubber_states import EW, NS, advance, chicago_laws, chicago_moves, given
from bridge_analytics.rules import Edition

By = str | Sequence[str]

CHICAGO_DEALS = 4


def score_chicago(
    results: pd.DataFrame,
    *,
    by: By = "rubber",
    vulnerable: str | None = None,
    passed_out: str | None = None,
    edition: AnyEdition = "chicago",
    split: bool = False,
) -> pd.DataFrame:
    """Keep the score of Chicago, or four-deal bridge.

    Parameters
    ----------
    results : DataFrame
        As for :func:`score_rubbers`; ``dealer`` where it does not pass N, E, S, W in turn. Where it is
        missing the next player deals; dealers that all go by the number of the board say only who began.
    by : str or sequence of str
        The columns that tell rounds of four deals apart.
    vulnerable : {"dealer", "non_dealer"}, optional
        The side that is vulnerable on deals 2 and 3; by default as the edition says. Nobody is on the first, both are
        on the fourth.
    passed_out : {"redeal", "counts"}, optional
        Whether a passed-out deal is dealt again or is one of the four; by default as the edition says.
    edition : str, path or Edition
    split : bool
        Whether deals after the fourth begin a new round. Else they are refused.

    Returns
    -------
    DataFrame
        As :func:`score_rubbers`; ``deal_number`` is that of the round (that which is dealt again for a passed-out
        deal), ``games_*`` are those made in it, ``premium_*`` those for a game and for a part-score on the last deal,
        and nothing is left unfinished. [points]

    Raises
    ------
    ValueError
        As :func:`score_rubbers`, if the edition is none of Chicago, or if a passed-out deal is dealt again by another
        dealer.

    Notes
    -----
    The game premium is for the side that completes a game, by its vulnerability on that deal; part-scores are carried
    from deal to deal. Source: ACBL, "Chicago".

    Examples
    --------
    >>> evening = pd.DataFrame({"rubber": 1, "declarer": list("NSEW"), "contract": ["4H", "3CX", "3NT", "5D"],
    ...                         "tricks": [10, 7, 9, 8]})
    >>> score_chicago(evening, vulnerable="non_dealer")[["vulnerable_ns", "total_ns", "total_ew"]]
       vulnerable_ns  total_ns  total_ew
    0          False       420         0
    1           True       420       500
    2          False       420      1100
    3           True       720      1100
    """
    laws = chicago_laws(edition)
    whose = _choice(laws, "vulnerable", vulnerable, "dealer", "non_dealer")
    redealt = _choice(laws, "passed_out", passed_out, "redeal", "counts") == "redeal"
    deals = played_deals(results, laws)
    order, starts, sizes = playing_order(results, by, deals["contract"])
    deals = deals if order is None else {name: column[order] for name, column in deals.items()}
    counts = (deals["contract"] > 0) | (not redealt)
    before = running(counts.astype(np.int64), starts, sizes) - counts
    if not split:
        more = by_row(before >= CHICAGO_DEALS, order)
        refuse(results, more, "four deals in a round (split=True begins a new one)", "contract")
    dealer = _dealers(results, order, counts, before, starts, sizes)
    starts, sizes = split_at(starts, counts & (before % CHICAGO_DEALS == CHICAGO_DEALS - 1))
    columns = _wheel(before % CHICAGO_DEALS, dealer, whose)
    tables = chicago_moves(laws)
    moves = advance(brought(deals, laws), starts, sizes, tables["after"])
    columns |= {name: tables[name].reshape(-1).take(moves, mode="wrap") for name in ("part_ns", "part_ew", "game")}
    columns |= _chicago_premiums(laws, columns, deals, counts, starts, sizes)

    def state(rows: slice, sheet: Columns) -> None:
        for name in ("deal_number", *STATED):
            sheet[name][:] = columns[name][rows]

    return build_sheet(results, order, starts, sizes, deals, state, laws)


def _choice(laws: Edition, key: str, value: str | None, *choices: str) -> str:
    """An option of Chicago: as asked, else as the edition says."""
    found = value if value is not None else given(laws, f"chicago_{key}")
    if found not in choices:
        raise ValueError(f"expected {key} {' or '.join(map(repr, choices))}, got {found!r} (edition {laws.name!r})")
    return str(found)


def _dealers(
    results: pd.DataFrame,
    order: NDArray[np.intp] | None,
    counts: NDArray[np.bool_],
    before: NDArray[np.int64],
    starts: NDArray[np.intp],
    sizes: NDArray[np.intp],
) -> NDArray[np.int64]:
    """The dealer of each deal in the order of play: as the table names, else the next in turn.

    Where all are those of the numbers of their boards (Law 2), only the first of a sequence counts: a number does not
    know what was dealt again.
    """
    board = board_numbers(results)
    named = word_codes(results, "dealer", seat_word, len(SEATS), "a dealer N E S W").astype(np.int64)
    told = named != MISSING
    by_number = ~told | (board > 0) & (named == (board - 1) % len(SEATS))
    named, told = (column if order is None else column[order] for column in (named, told))
    place, start = np.arange(named.size), np.repeat(starts, sizes)
    if by_number.all():
        told = told & (place == start)
    last = np.maximum.accumulate(np.where(told, place, -1))
    first = np.repeat(np.minimum.reduceat(np.where(told, place, named.size), starts), sizes) if named.size else place
    anchor = np.where(last >= start, last, first)
    known = anchor < named.size
    anchor = np.where(known, anchor, start)
    dealer = (np.where(known, named[anchor], 0) + before - before[anchor]) % len(SEATS)
    _refuse_other_redealer(results, order, dealer, told & (place > start) & np.roll(~counts, 1))
    return dealer


def _refuse_other_redealer(
    results: pd.DataFrame, order: NDArray[np.intp] | None, dealer: NDArray[np.int64], again: NDArray[np.bool_]
) -> None:
    """Refuse a deal in place of one passed out that somebody else is said to have dealt."""
    before = np.roll(dealer, 1)
    wrong = by_row(again & (dealer != before), order)
    if wrong.any():
        who = SEATS[by_row(before, order)[wrong.argmax()]]
        refuse(results, wrong, f"dealer {who!r}, who dealt the passed-out deal before and deals again", "dealer")


def _wheel(number: NDArray[np.int64], dealer: NDArray[np.int64], whose: str) -> Columns:
    """Deal number and vulnerability: nobody, one side, one side, both."""
    side = (dealer & 1) ^ (whose == "non_dealer")
    middle = (number == 1) | (number == 2)
    ns, ew = ((number == CHICAGO_DEALS - 1) | middle & (side == which) for which in (NS, EW))
    return {"deal_number": (number + 1).astype(np.int32), "vulnerable_ns": ns, "vulnerable_ew": ew}


def _chicago_premiums(
    laws: Edition, columns: Columns, deals: Columns, counts: NDArray[Any], starts: NDArray[Any], sizes: NDArray[Any]
) -> Columns:
    """Games so far, and the premiums for completing one and for a part-score on the last deal."""
    for_game, for_part = given(laws, "chicago_game"), given(laws, "chicago_last_partscore") or 0
    last = counts & (columns["deal_number"] == CHICAGO_DEALS)
    found: Columns = {"rubber_over": last}
    scored = brought(deals, laws) > 0
    for side, name in enumerate(SIDES):
        game = columns["game"] == side
        part = last & scored & (deals["side"] == side) & ~game
        earned = np.where(game, np.array(for_game)[columns[f"vulnerable_{name}"].astype(np.intp)], 0)
        found[f"premium_{name}"] = (earned + part * for_part).astype(np.int32)
        found[f"games_{name}"] = running(game.astype(np.int64), starts, sizes).astype(np.int8)
        found[f"unfinished_{name}"] = np.zeros(game.size, np.int32)
    return found
