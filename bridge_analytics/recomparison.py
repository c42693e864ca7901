"""Which boards of scored results are compared anew, and what each side earns on them.

Those with an assigned score, which is one result among the others; those that were fouled, where only results of one
version are compared; and those with so few results that an edition has percentages of their own for them.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.groups import group_codes
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.rulings import WHOLE, Outcomes
from bridge_analytics.small_groups import has_small_groups, is_small, small_group_percent
from bridge_analytics.weighted import (
    Entries,
    entry_butler,
    entry_cross_imps,
    entry_matchpoints,
    entry_points,
    entry_sizes,
)

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Compare = Callable[[Entries, Floats], tuple[Floats, Floats]]
"""Award and top of each result, from the entries and the results of a full board (NaN: as many as there are)."""

_ROUNDING = 1e-6  # of sums of matchpoints and IMPs
_PRINTED = {"matchpoints": "mp_ns", "butler": "butler_ns", "cross_imps": "cross_imps_ns", "points": "score_ns"}


def earned_anew(
    scored: pd.DataFrame,
    form: str,
    assigned: Sequence[Outcomes],
    adjusted: Edition | None,
    *,
    expected: ArrayLike | None,
    win: float,
    datum: str | Edition,
    imp_scale: str | Edition,
    sub_field: str | None,
) -> tuple[NDArray[np.intp], Floats]:
    """What each side earns on the boards that are compared anew.

    Parameters
    ----------
    scored, form, adjusted, expected, win, datum, imp_scale, sub_field
        As for :func:`bridge_analytics.awards.side_awards`.
    assigned : sequence of (row, score, weight)
        The assigned scores of North-South and of East-West, each seen from its side; nothing where there are none.

    Returns
    -------
    rows : ndarray of intp, shape (m,)
        The rows of those boards.
    earned : ndarray of float64, shape (2, 2, m)
        Awards and tops, each of the two sides; NaN where there is nothing to compare.

    Raises
    ------
    ValueError
        If the options are not those that the results were scored with, or ``expected`` is missing or too small.
    """
    deals, fields = _fields(scored, sub_field)
    full = np.full(deals.shape, np.nan)
    if expected is not None:
        full[:] = expected
    small = adjusted if form == "matchpoints" and adjusted is not None and has_small_groups(adjusted) else None
    if small is not None and expected is None and sub_field is None:
        raise ValueError(f"expected `expected`, the results of a full board, for the small groups of {small.name!r}")
    rows = _rows_anew(scored, deals, fields, full, assigned, small)
    earned = np.full((2, 2, rows.size), np.nan)
    if not rows.size:
        return rows, earned
    deals, fields, full = deals[rows], fields[rows], full[rows]
    before = _comparison(form, win, datum, imp_scale, None)
    compare = _comparison(form, win, datum, imp_scale, small)
    for side, sign in enumerate((1, -1)):
        results = _scores(scored["score_ns"].iloc[rows], sign)
        if sign == 1:
            _check_options(scored, rows, form, _spread(before, results, deals, full)[0])
        if len(assigned):
            row, score, weight = assigned[side]
            results = _joined(results, (np.searchsorted(rows, row), score, weight))
        earned[:, side] = _spread(compare, results, fields, _whole_board(full, deals, fields, results[0]))
    return rows, earned


def _rows_anew(
    scored: pd.DataFrame,
    deals: Codes,
    fields: Codes,
    full: Floats,
    assigned: Sequence[Outcomes],
    small: Edition | None,
) -> NDArray[np.intp]:
    """The rows of the boards with an assigned score, with several versions, or with a small group."""
    wanted = np.zeros(int(deals.max(initial=-1)) + 1, np.bool_)
    wanted[deals[_fouled(deals, fields)]] = True
    for row, _, _ in assigned:
        wanted[deals[row]] = True
    if small is not None:
        wanted[deals[_in_small_groups(scored, fields, full, small)]] = True
    return np.flatnonzero(wanted[deals]) if wanted.any() else np.empty(0, np.intp)


def _fields(scored: pd.DataFrame, sub_field: str | None) -> tuple[Codes, Codes]:
    """The deal of each row, and the deal and version."""
    deals, _ = group_codes(scored["deal_id"])
    if sub_field is None:
        return deals, deals
    if sub_field not in scored:
        raise ValueError(f"expected sub_field to name a column of the results, got {sub_field!r}")
    return deals, group_codes(pd.DataFrame({"deal": deals, "version": scored[sub_field].array}))[0]


def _fouled(deals: Codes, fields: Codes) -> NDArray[np.bool_]:
    """Rows of another version than some other row of their deal."""
    if fields is deals:
        return np.zeros(deals.size, np.bool_)
    one = np.empty(int(deals.max(initial=-1)) + 1, np.int64)
    one[deals] = fields
    apart: NDArray[np.bool_] = one[deals] != fields
    return apart


def _in_small_groups(scored: pd.DataFrame, fields: Codes, full: Floats, small: Edition) -> NDArray[np.bool_]:
    there = scored["score_ns"].notna().to_numpy()
    size = np.bincount(fields[there], minlength=int(fields.max(initial=-1)) + 1)[fields]
    found: NDArray[np.bool_] = there & is_small(size, full, small)
    return found


def _scores(score_ns: pd.Series, sign: int) -> Outcomes:
    """The scores of the rows that have one, each whole."""
    score = score_ns.to_numpy(np.float64, na_value=np.nan)
    row = np.flatnonzero(~np.isnan(score))
    return row, (sign * score[row]).astype(np.int64), np.full(row.size, WHOLE)


def _joined(one: Outcomes, other: Outcomes) -> Outcomes:
    row, score, weight = (np.concatenate(both) for both in zip(one, other, strict=True))
    return row, score, weight


def _whole_board(full: Floats, deals: Codes, fields: Codes, row: Codes) -> Floats:
    """Results of a full board: as given, else of a fouled board those of all its versions."""
    fouled = np.zeros(int(deals.max()) + 1, np.bool_)
    fouled[deals[_fouled(deals, fields)]] = True
    there = np.zeros(deals.size, np.bool_)
    there[row] = True
    results = np.bincount(deals, there, fouled.size)
    return np.where(np.isnan(full) & fouled[deals], results[deals], full)


def _spread(compare: Compare, results: Outcomes, fields: Codes, full: Floats) -> Floats:
    """Award and top of each row; NaN where it has no result."""
    row, score, weight = results
    found = np.full((2, fields.size), np.nan)
    if row.size:
        rows, result = np.unique(row, return_inverse=True)
        field = np.unique(fields[row], return_inverse=True)[1]
        found[:, rows] = compare((field, result, score, weight // np.gcd.reduce(weight)), full[rows])
    return found


def _comparison(
    form: str, win: float, datum: str | Edition, imp_scale: str | Edition, small: Edition | None
) -> Compare:
    rule, scale = load_edition(datum, kind="datum"), load_edition(imp_scale, kind="imps")

    def compare(entries: Entries, full: Floats) -> tuple[Floats, Floats]:
        if form == "matchpoints":
            return _matchpoints(entries, full, win, small)
        if form == "butler":
            earned = entry_butler(entries, rule=rule, scale=scale)
        else:
            earned = entry_cross_imps(entries, scale=scale) if form == "cross_imps" else entry_points(entries)
        return earned, np.full(earned.size, np.nan)

    return compare


def _matchpoints(entries: Entries, full: Floats, win: float, small: Edition | None) -> tuple[Floats, Floats]:
    """Matchpoints of each result and their top: by Neuberg's formula, or by that for small groups."""
    points = entry_matchpoints(entries, win=win)
    of_result = np.empty(points.size, np.int64)
    of_result[entries[1]] = entries[0]
    size = entry_sizes(entries)[of_result]
    full = np.where(np.isnan(full), size, full)
    if (full < size).any():
        place = int((full < size).argmax())
        raise ValueError(
            f"expected no more results than a full board has, got {size[place]} of {full[place]:g} with assigned scores"
        )
    top = np.where(full > 1, win * (full - 1), np.nan)
    earned = (points + win / 2) * full / size - win / 2
    if small is not None:
        percent = small_group_percent(points * 2 / win, size, small)
        earned = np.where(is_small(size, full, small), percent / 100 * top, earned)
    return np.where(np.isnan(top), np.nan, earned), top


def _check_options(scored: pd.DataFrame, rows: NDArray[np.intp], form: str, again: Floats) -> None:
    """Refuse options with which these boards, as they were before, do not earn what the table says."""
    before = scored[_PRINTED[form]].iloc[rows].to_numpy(np.float64, na_value=np.nan)
    apart = ~np.isnan(again) & ~np.isclose(again, before, rtol=0, atol=_ROUNDING)
    if apart.any():
        place = int(apart.argmax())
        raise ValueError(
            "expected the options that score_results had (expected, win, datum, imp_scale) to compare boards anew, got "
            f"others: {_PRINTED[form]} {before[place]:g} at position {rows[place]} would be {again[place]:g}"
        )
