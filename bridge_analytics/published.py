"""What a source prints beside the results, kept as printed, and whether it agrees with them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import is_vulnerable
from bridge_analytics.cells import (
    MISSING,
    Column,
    Sheet,
    award_percent,
    cell_faults,
    mark_word,
    numbers,
    reads,
    without,
)
from bridge_analytics.checks import fault_table
from bridge_analytics.outcomes import ADJUSTED, NOT_PLAYED, SCORE_CELLS, UNKNOWN
from bridge_analytics.rules import Edition
from bridge_analytics.scoring import score

Row = Mapping[str, Any]

_SEEN_BY_EW = ("score_plus_ew", "score_ew_own")
_ONE_SIDED = ("score_plus_ns", "score_plus_ew", "score_minus_ns")
_SIDES = ("ns", "ew")
PRINTED_TO = 0.1  # matchpoints and percentages are printed to a tenth, rounded or cut


def printed_scores(
    sheet: Sheet, layout: Mapping[str, Any], size: int
) -> tuple[NDArray[np.float64], list[pd.DataFrame]]:
    """The scores as North-South see them, from whichever columns hold them; NaN where none is printed."""
    if not any(role in sheet for role in SCORE_CELLS):
        return np.full(size, np.nan), []
    name, decimal, thousands = "published_score_ns", layout["decimal"], layout["thousands"]
    columns, faults = [np.full(size, np.nan)], []
    for role in (role for role in SCORE_CELLS if role in sheet):
        words, codes = sheet[role]
        values, wrong = numbers(sheet[role], decimal=decimal, thousands=thousands)
        marked = np.array([*(reads(mark_word, word, layout["locale"]) for word in words), False])[codes]
        faults.append(cell_faults("number_unreadable", name, wrong & ~marked, sheet[role], _decimal_hint(decimal)))
        columns.append(0.0 - values if role in _SEEN_BY_EW else values)
        if role in _ONE_SIDED:
            columns[-1] = np.where(values == 0, np.inf, columns[-1])  # a zero in one of two columns: see the other
    scores = np.column_stack(columns)
    empty = np.isinf(scores)
    lone = empty.any(axis=1) & ~(np.isfinite(scores).any(axis=1))
    scores[empty] = np.nan
    scores[lone, 0] = 0
    low, high = (pick(scores, axis=1, initial=start, where=~np.isnan(scores)) for pick, start in _EXTREMES)
    first = scores[np.arange(size), np.isnan(scores).argmin(axis=1)]
    if (low < high).any():
        faults.append(fault_table("score_sides", np.flatnonzero(low < high), column=name))
    return first, faults


_EXTREMES = ((np.min, np.inf), (np.max, -np.inf))


def printed_numbers(
    sheet: Sheet, layout: Mapping[str, Any], name: str
) -> tuple[NDArray[np.float64], list[pd.DataFrame]]:
    """A column of printed matchpoints, percentages or IMPs; NaN where nothing is printed."""
    decimal, is_mp, void = layout["decimal"], name == "published_mp_ns", layout["mp_null"]
    column = without(sheet[name], [str(void)]) if is_mp and void is not None else sheet[name]
    values, wrong = numbers(column, decimal=decimal, thousands=layout["thousands"], percent=not is_mp)
    fault = cell_faults("number_unreadable", name, wrong, column, _decimal_hint(decimal))
    if is_mp:
        values = np.where(values == void, np.nan, values) / layout["mp_divisor"]
    return values, [fault]


def _decimal_hint(decimal: str) -> Any:
    other = "," if decimal == "." else "."

    def hint(text: str) -> str | None:
        column: Column = [text], np.zeros(1, np.int32)
        return None if numbers(column, decimal=other)[1][0] else f"in the layout: decimal = {other!r}"

    return hint


def awards(
    sheet: Sheet, layout: Mapping[str, Any], row: Row
) -> tuple[dict[str, NDArray[np.float64]], list[pd.DataFrame]]:
    """The rulings as percentages where they are ones, NaN elsewhere; and the rows that rule for one side only."""
    percents: dict[str, NDArray[np.float64]] = {}
    faults: list[pd.DataFrame] = []
    if not any(len(row[f"adjusted_{side}"][0]) or f"award_{side}_pct" in sheet for side in _SIDES):
        return percents, faults
    for side in _SIDES:
        name = f"award_{side}_pct"
        words, codes = row[f"adjusted_{side}"]
        percents[name] = (
            np.array([*map(award_percent, words), np.nan])[codes] if len(words) else np.full(len(codes), np.nan)
        )
        if name in sheet:
            given, wrong = numbers(sheet[name], decimal=layout["decimal"], percent=True)
            percents[name] = np.where(np.isnan(given), percents[name], given)
            faults.append(cell_faults("number_unreadable", name, wrong, sheet[name]))
    for side, other in (_SIDES, _SIDES[::-1]):
        silent = np.isnan(percents[f"award_{side}_pct"]) & (row[f"adjusted_{side}"][1] < 0)
        lone = (row["status"] == ADJUSTED) & silent & ~np.isnan(percents[f"award_{other}_pct"])
        if lone.any():
            faults.append(fault_table("award_one_sided", np.flatnonzero(lone), column=f"award_{side}_pct"))
    return percents, faults


def scores_by_law(
    row: Row, edition: str | Edition
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int32], NDArray[np.int32]]:
    """The scores of rows from their codes of contract, declarer, tricks and vulnerability (below 0: missing).

    Returns
    -------
    known : ndarray of bool
        Whether a row has a score: passed out, or contract, declarer, tricks and vulnerability are all there.
    vulnerable : ndarray of bool
        Whether declarer's side is; false where that is not known.
    score, score_ns : ndarray of int32
        For declarer's side and for North-South; 0 where not known. [points]
    """
    contract, declarer, tricks, vul = (row[name] for name in ("contract", "declarer", "tricks", "vul"))
    bid = (contract > 0) & (declarer >= 0) & (tricks >= 0) & (vul >= 0)
    known = bid | (contract == 0)
    vulnerable = bid & is_vulnerable(np.maximum(vul, 0), np.maximum(declarer, 0))
    points = score(np.where(bid, contract, 0), vulnerable, np.where(bid, tricks, 0), edition=edition)
    return known, vulnerable, points, np.where(declarer % 2 == 1, -points, points)


def matchpoint_faults(row: Row, matchpoints: NDArray[np.float64]) -> list[pd.DataFrame]:
    """Matchpoints printed where there was no result to compare."""
    silent = (row["status"] == UNKNOWN) & (row["contract"] == MISSING)
    rows = np.flatnonzero(((row["status"] == NOT_PLAYED) | silent) & ~np.isnan(matchpoints))
    values = [f"{number:g}" for number in matchpoints[rows]]
    return [fault_table("mp_without_result", rows, column="published_mp_ns", value=values)] if values else []


def agreement(
    results: pd.DataFrame, scores: NDArray[np.float64], columns: Mapping[str, Any]
) -> dict[str, pd.arrays.BooleanArray]:
    """Whether printed scores and matchpoints agree with ours; missing where one of the two is."""

    def printed(name: str) -> NDArray[np.float64]:
        return results[name].to_numpy(dtype=np.float64, na_value=np.nan)

    nothing = np.full(len(results), np.nan)
    apart = abs(printed("published_mp_ns") - columns.get("mp_ns", nothing))
    apart = np.where(np.isnan(apart), abs(printed("published_pct_ns") - columns.get("pct_ns", nothing)), apart)
    wrong = abs(printed("published_score_ns") - scores)
    return {
        "score_ok": pd.arrays.BooleanArray(wrong == 0, np.isnan(wrong)),
        "mp_ok": pd.arrays.BooleanArray(apart <= PRINTED_TO, np.isnan(apart)),
    }
