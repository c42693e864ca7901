"""Printed scores that are not what their row makes, and the one cheapest edit of each row that would agree.

Edits are tried from the likeliest to the least likely; the first that makes the printed score is the one suggested. It
is a suggestion: nothing is changed unless it comes back in a file of corrections.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import Sheet
from bridge_analytics.checks import fault_table
from bridge_analytics.groups import group_codes
from bridge_analytics.notation import CONTRACTS, SEATS, VULS
from bridge_analytics.outcomes import ADJUSTED
from bridge_analytics.published import Row, scores_by_law

_LAW = "duplicate-1987"
_TABLE = ("event", "session", "section", "round", "table", "room", "ns", "ew", "north", "east", "south", "west")
_SEATED = ("table", "ns", "ew", "north", "east", "south", "west")
_RESULT = ("contract", "declarer", "tricks")
_TRICKS = tuple(map(str, range(14)))
_NEAR = 8  # how far apart two faulty rows of one table may be, counted in such rows, to have been exchanged

Edit = tuple[str, NDArray[Any], Sequence[str], str]
"""The column that an edit changes, its codes then, the words of these, and what may have gone wrong."""


def score_faults(row: Row, printed: NDArray[np.float64], sheet: Sheet) -> list[pd.DataFrame]:
    """Printed scores that are not what the row scores: of the other sign, or another number.

    Parameters
    ----------
    row : mapping of str to ndarray
        Codes of contract, declarer, tricks, vulnerability and status; below 0 where they are missing.
    printed : ndarray of float64
        The scores as North-South see them; NaN where none is printed. [points]
    sheet : mapping of str to Column
        The columns of the source, for who sat where.

    Returns
    -------
    list of DataFrame
        Faults, each with the edit that would agree.
    """
    if np.isnan(printed).all():
        return []
    known, _, _, ours = scores_by_law(row, _LAW)
    judged = known & ~np.isnan(printed) & (row["status"] != ADJUSTED)
    wrong = np.flatnonzero(judged & (printed != ours))
    if not len(wrong):
        return []
    mirrored = printed[wrong] == -ours[wrong]
    some = {name: row[name][wrong] for name in (*_RESULT, "vul")}
    seats = {name: sheet[name][1][wrong] for name in _TABLE if name in sheet}
    hints = _suggested(some, printed[wrong], ours[wrong], _partners(some, printed[wrong], seats), row["board"][wrong])
    values = np.array([f"{number:g}" for number in printed[wrong]], object)
    return [
        fault_table(rule, wrong[which], column="published_score_ns", value=values[which], suggestion=hints[which])
        for rule, which in (("score_sign", mirrored), ("score_mismatch", ~mirrored))
    ]


def _suggested(
    row: Row, printed: NDArray[np.float64], ours: NDArray[Any], partner: NDArray[Any], board: NDArray[Any]
) -> NDArray[Any]:
    """The first edit of each row that makes the printed score."""
    hints = np.full(len(printed), None, object)
    for at in np.flatnonzero(printed == -ours):
        hints[at] = f"published_score_ns = {ours[at]}: side swapped"
    for at in np.flatnonzero((partner >= 0) & pd.isna(hints)):
        hints[at] = f"board = {board[partner[at]]}: boards exchanged at the table"
    for column, codes, words, why in _edits(row):
        open_rows = pd.isna(hints)
        if not open_rows.any():
            return hints
        known, _, _, scores = scores_by_law({**row, column: codes}, _LAW)
        for at in np.flatnonzero(open_rows & known & (scores == printed)):
            hints[at] = f"{column} = {words[codes[at]]}: {why}"
    hints[pd.isna(hints)] = "status = adjusted: no one cell explains it, perhaps adjusted without a mark"
    return hints


def _edits(row: Row) -> Iterator[Edit]:
    """Every edit of one cell, the likeliest first: double, vulnerability, declarer's side, tricks."""
    contract, declarer, tricks = (row[name] for name in _RESULT)
    plain = np.where(contract > 0, contract - (contract - 1) % 3, contract)
    for doubled in range(3):
        yield "contract", np.where(contract > 0, plain + doubled, contract), CONTRACTS, "double lost or added"
    for vul in range(len(VULS)):
        yield "vul", np.full_like(row["vul"], vul), VULS, "another vulnerability"
    yield "declarer", np.where(declarer >= 0, (declarer + 1) % 4, declarer), SEATS, "side swapped"
    for step in (1, -1, 2, -2, *range(3, 14), *range(-3, -14, -1)):
        won = tricks + step
        possible = (tricks >= 0) & (won >= 0) & (won <= 13)
        yield "tricks", np.where(possible, won, -1), _TRICKS, "another number of tricks"


def _partners(row: Row, printed: NDArray[np.float64], seats: dict[str, Any]) -> NDArray[np.int64]:
    """For each row another of its table, where each scores as printed at the vulnerability of the other; else -1."""
    partner = np.full(len(printed), -1)
    if not set(_SEATED) & set(seats):
        return partner
    codes, _ = group_codes(pd.DataFrame(seats))
    order = np.argsort(codes, kind="stable")
    for step in range(1, min(_NEAR, len(order))):
        one, other = order[:-step], order[step:]
        there = (codes[one] == codes[other]) & (row["vul"][one] != row["vul"][other])
        there &= _agree(row, printed, one, other) & _agree(row, printed, other, one)
        there &= (partner[one] < 0) & (partner[other] < 0)
        partner[one[there]], partner[other[there]] = other[there], one[there]
    return partner


def _agree(row: Row, printed: NDArray[np.float64], one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether rows score as printed at the vulnerability of others."""
    known, _, _, scores = scores_by_law({**{name: row[name][one] for name in _RESULT}, "vul": row["vul"][other]}, _LAW)
    agree: NDArray[np.bool_] = known & (scores == printed[one])
    return agree
