"""Printed matchpoints that are not what the scores of their deal make, and the one row that would explain them."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table, no_faults
from bridge_analytics.comparison import matchpoints
from bridge_analytics.published import PRINTED_TO
from bridge_analytics.row_scores import points_of

_PRINTED = ("published_mp_ns", "published_pct_ns")
_AGREE = 0.5  # of the rows, before the others are doubted: else the file counts in another way
_LARGEST = 60  # results of a deal that are left out one by one
_HINT = "status = adjusted: the others of the board agree without it, perhaps adjusted without a mark"

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def field_faults(results: pd.DataFrame, deals: Codes) -> pd.DataFrame:
    """Matchpoints, else percentages, that do not follow from the scores of the deal.

    Parameters
    ----------
    results : DataFrame
        Canonical, all rows of the source.
    deals : ndarray of int64, shape (n,)
        The number of each row's deal.

    Returns
    -------
    DataFrame
        A fault ``mp_mismatch`` for each such row; if all others of a deal agree once one row is not compared, only
        that row, with the suggestion that it was adjusted without a mark. None where most rows of the source do not
        agree, with two matchpoints or one for a win, with or without Neuberg's formula.
    """
    column = next((name for name in _PRINTED if results[name].notna().any()), None)
    if column is None:
        return no_faults()
    printed = results[column].to_numpy(np.float64, na_value=np.nan)
    own = results["published_score_ns"].to_numpy(np.float64, na_value=np.nan)
    scores = points_of(results, "duplicate-1987")[0]
    scores = np.where(np.isnan(own) | np.isnan(scores), scores, own)
    judged = ~np.isnan(printed) & ~np.isnan(scores)
    ways = ({"percent": True},) if column == _PRINTED[1] else ({"win": 2.0}, {"win": 1.0})
    agree, way = max(((_agree(scores, printed, deals, way), way) for way in ways), key=lambda found: found[0].sum())
    wrong = judged & ~agree
    if not wrong.any() or agree[judged].mean() < _AGREE:
        return no_faults()
    alone = _explaining(scores, printed, deals, np.unique(deals[wrong]), way)
    wrong = (wrong & ~np.isin(deals, deals[alone])) | alone
    rows = np.flatnonzero(wrong)
    return fault_table(
        "mp_mismatch",
        results["source_row"].to_numpy(dtype=object)[rows],
        column=column,
        value=[f"{number:g}" for number in printed[rows]],
        suggestion=[_HINT if lone else None for lone in alone[rows]],
        source=results["source"].astype("str").to_numpy()[rows],
    )


def _agree(scores: Floats, printed: Floats, by: Codes, way: dict[str, Any]) -> NDArray[np.bool_]:
    """Whether printed matchpoints are ours, with or without Neuberg's formula for the results that do not count."""
    full = np.bincount(by)[by]
    found = (matchpoints(scores, by=by, expected=expected, **way) for expected in (None, full))
    near: NDArray[np.bool_] = np.any([abs(printed - ours) <= PRINTED_TO for ours in found], axis=0)
    return near


def _explaining(
    scores: Floats, printed: Floats, deals: Codes, doubted: Codes, way: dict[str, Any]
) -> NDArray[np.bool_]:
    """The rows without which all others of their deal agree, where one row alone is such."""
    alone = np.zeros(len(scores), np.bool_)
    sizes = np.bincount(deals)
    rows = np.flatnonzero(np.isin(deals, doubted[sizes[doubted] <= _LARGEST]))
    if not len(rows):
        return alone
    rows = rows[np.argsort(deals[rows], kind="stable")]
    size = sizes[deals[rows]]
    first = np.flatnonzero(np.append(True, np.diff(deals[rows]) != 0))
    begin = np.repeat(first, sizes[deals[rows[first]]])
    group = np.repeat(np.arange(len(rows)), size)
    ends = np.cumsum(size)
    member = rows[np.arange(ends[-1]) - np.repeat(ends - size, size) + begin[group]]
    left = member == rows[group]
    others = np.where(left, np.nan, scores[member])
    fine = _agree(others, printed[member], group, way) | left | np.isnan(printed[member]) | np.isnan(others)
    explains = np.logical_and.reduceat(fine, ends - size) & ~np.isnan(scores[rows])
    single = np.bincount(deals[rows], explains, len(sizes)) == 1
    alone[rows[explains & single[deals[rows]]]] = True
    return alone
