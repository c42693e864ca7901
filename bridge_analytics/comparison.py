"""Results against each other: matchpoints, Ascherman, cross-IMPs, board-a-match.

Compare first, filter after: a comparison needs every result of a deal. Scores may come in any order and groups may be
of any and unequal size. A missing score is not compared and has no result (NaN); it is not a score of zero.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of, spans
from bridge_analytics.field import compared, each_run
from bridge_analytics.groups import group_codes
from bridge_analytics.imp_scale import LIMIT, imp_table_of_tens, imps
from bridge_analytics.readers import number_values
from bridge_analytics.rules import Edition, load_edition

_WIDTHS = (1, 3, 5, 7, 10, 14, 20, 30)
"""Groups of up to so many different scores are compared pair by pair, beyond the last by histogram."""

_APART = 12
"""In groups of up to so many results all are compared with all, sooner than equal scores are found."""

_BLOCK = 1 << 16  # pairs at a time


def matchpoints(
    score: ArrayLike, *, by: Any, win: float = 2, percent: bool = False, expected: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Matchpoints: for each other result of the group, ``win`` for a lower score and half of it for an equal one.

    Parameters
    ----------
    score : array_like, shape (n,)
        Scores seen from the side that is compared. Missing: not compared. [points]
    by : column of labels, or table of label columns, n rows
        What says which results are of the same deal.
    win : float
        2 (2/1/0, the world's) or 1 (1/½/0, North America's). [matchpoints]
    percent : bool
        Give percentages of the top instead of matchpoints.
    expected : int or array_like of int, optional
        Results of a full board, where some are missing or adjusted: Neuberg's formula. [results]

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where the score is missing. A lone result has 0 matchpoints and no percentage (NaN), unless ``expected``
        says how many there should be: then it is average. [matchpoints or %]

    Raises
    ------
    ValueError
        If lengths differ, ``win`` is not positive, or a group has more results than ``expected``.

    Notes
    -----
    Law 78A. Neuberg: M' = (M + win/2) E/A - win/2 with A results of E expected.

    Examples
    --------
    >>> matchpoints([620, 170, 620, -100], by=[1, 1, 1, 1])
    array([5., 2., 5., 0.])
    >>> matchpoints([90, 0, -50, -50], by=[7, 7, 7, 7], win=1, percent=True).round(2)
    array([100.  ,  66.67,  16.67,  16.67])
    """
    if not win > 0:
        raise ValueError(f"expected a positive number of matchpoints for a win, got {win!r}")
    in_percent = percent and expected is None

    def rule(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        edges = starts[groups]
        beaten = starts[:-1] + starts[1:] - 1 - each_run(2 * edges[:-1], groups)
        points: NDArray[np.float64] = beaten.astype(np.float64)
        points *= win / 2
        if in_percent:
            points *= each_run(100 / win / _others(edges), groups)
        return points

    points = compared(score, by, rule)
    return points if expected is None else _neuberg(points, by, expected, win, percent)


def _others(edges: NDArray[np.intp]) -> NDArray[np.float64]:
    """How many others there are in each group to compare with; NaN for a lone result."""
    others = np.diff(edges).astype(np.float64) - 1
    others[others == 0] = np.nan
    return others


def _neuberg(
    points: NDArray[np.float64], by: Any, expected: ArrayLike, win: float, percent: bool
) -> NDArray[np.float64]:
    codes, count = group_codes(by)
    there = ~np.isnan(points)
    actual = np.bincount(codes[there], minlength=count)[codes].reshape(points.shape)
    wanted = np.broadcast_to(np.asarray(expected, dtype=np.float64), points.shape)
    wrong = there & ~(wanted >= actual)
    if wrong.any():
        place = int(wrong.reshape(-1).argmax())
        raise ValueError(
            f"expected no more results than a full board has, got {actual.flat[place]} of "
            f"{wanted.flat[place]:g} at position {place}"
        )
    full: NDArray[np.float64] = (points + win / 2) * wanted / np.maximum(actual, 1) - win / 2
    if not percent:
        return full
    shares: NDArray[np.float64] = np.divide(
        100 * full, win * (wanted - 1), out=np.full(points.shape, np.nan), where=wanted > 1
    )
    return shares


def board_a_match(difference: ArrayLike, *, win: float = 1) -> NDArray[np.float64]:
    """Board-a-match: ``win`` for a board won by any number of points, half for a tie, nothing for a loss.

    Parameters
    ----------
    difference : array_like, any shape
        Our total minus theirs over both tables of one board. Missing where one table has no result. [points]
    win : float
        1 (1/½/0) or 2 (2/1/0).

    Returns
    -------
    ndarray of float64, same shape
        NaN where the difference is missing.

    Notes
    -----
    Source: ACBL handbook, board-a-match; text 001 (whose ``4`` for a tie is read as ½).

    Examples
    --------
    >>> board_a_match([10, 0, -1300])
    array([1. , 0.5, 0. ])
    """
    column = as_column(difference)
    values, missing = number_values(column, name="a difference")
    points = (np.sign(values) + 1) * (win / 2)
    return (points if missing is None else np.where(missing, np.nan, points)).reshape(shape_of(column))[()]


def ascherman(score: ArrayLike, *, by: Any) -> NDArray[np.float64]:
    """Ascherman's percentages: matchpoints in which every result also ties with itself.

    Parameters
    ----------
    score, by
        As in :func:`matchpoints`.

    Returns
    -------
    ndarray of float64, shape (n,)
        A lone top of ten is 95, a lone result 50. NaN where the score is missing. [%]

    Examples
    --------
    >>> ascherman([620, 170, 170, -100], by=[1, 1, 1, 1])
    array([87.5, 50. , 50. , 12.5])
    """

    def rule(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        edges = starts[groups]
        beaten = starts[:-1] + starts[1:] - each_run(2 * edges[:-1], groups)
        share: NDArray[np.float64] = beaten * 50 / each_run(np.diff(edges), groups)
        return share

    return compared(score, by, rule)


def cross_imps(
    score: ArrayLike, *, by: Any, average: bool = True, edition: str | Edition = "imps-1962"
) -> NDArray[np.float64]:
    """Cross-IMPs: the IMPs of each score against every other of its deal; East-West have the negative.

    Parameters
    ----------
    score : array_like, shape (n,)
        North-South scores, multiples of ten. Missing: not compared. [points]
    by : column of labels, or table of label columns, n rows
    average : bool
        IMPs per comparison (the sum over one less than the results); False for the sum.
    edition : str or Edition
        A scale of kind ``imps``.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where the score is missing. A lone result has the sum 0 and no average (NaN). [IMPs]

    Raises
    ------
    ValueError
        If lengths differ or a score is no multiple of ten.

    Examples
    --------
    >>> cross_imps([620, 170, 140, 140, -100], by=[1] * 5)
    array([10.5 , -0.25, -1.25, -1.25, -7.75])
    >>> cross_imps([620, 170, 140, 140, -100], by=[1] * 5, average=False)
    array([ 42.,  -1.,  -5.,  -5., -31.])
    """
    scale = load_edition(edition, kind="imps")

    def rule(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total = _imp_sums(values, np.diff(starts), groups, scale)
        if average:
            total /= each_run(_others(starts[groups]), groups)
        return total

    return compared(score, by, rule, tens=True, apart=_APART)


def _imp_sums(
    values: NDArray[Any], counts: NDArray[np.intp], groups: NDArray[np.intp], scale: Edition
) -> NDArray[np.float64]:
    """For each run, the IMPs of its value against all results of its group, added up."""
    runs = np.diff(groups)
    if counts.max() == 1 and runs.max() <= _APART and values.max() - values.min() < LIMIT:
        return _imps_of_few(values, groups, scale)
    total = np.zeros(values.size)
    widths = np.searchsorted(_WIDTHS, runs)
    for kind in np.flatnonzero(np.bincount(widths)[: len(_WIDTHS)]).tolist():
        chosen = np.flatnonzero(widths == kind)
        for start, stop in spans(chosen.size, _BLOCK // _WIDTHS[kind] ** 2):
            _add_by_pairs(total, values, counts, groups, chosen[start:stop], _WIDTHS[kind], scale)
    if runs.max() > _WIDTHS[-1]:
        _add_by_histogram(total, values, counts, groups, runs > _WIDTHS[-1], scale)
    return total


def _imps_of_few(values: NDArray[Any], groups: NDArray[np.intp], scale: Edition) -> NDArray[np.float64]:
    """The same for single results in small groups: each with the next, with the next but one, and so on.

    Groups are put so far apart that between them nothing is won; groups of one size are columns, and need not meet.
    """
    table, nought = imp_table_of_tens(scale)
    sizes = np.diff(groups)
    tens = (values // 10).astype(np.intp, copy=False)
    tens += each_run(np.arange(sizes.size) * table.size, groups)
    if (sizes == sizes[0]).all():
        tens = np.ascontiguousarray(tens.reshape(-1, sizes[0]).T)
    lower, total = tens - nought, np.zeros(tens.shape, np.int32)
    for step in range(1, int(sizes.max())):
        won = table.take(tens[step:] - lower[:-step], mode="clip")
        total[step:] += won
        total[:-step] -= won
    return total.T.reshape(-1).astype(np.float64)


def _add_by_pairs(
    total: NDArray[np.float64],
    values: NDArray[Any],
    counts: NDArray[np.intp],
    groups: NDArray[np.intp],
    chosen: NDArray[np.intp],
    width: int,
    scale: Edition,
) -> None:
    """The same for chosen groups of at most ``width`` runs: a row a run, a column a group, the last run repeated."""
    last = groups[chosen + 1] - 1
    places = groups[chosen] + np.arange(width)[:, None]
    spare = places > last
    np.minimum(places, last, out=places)
    times, points = counts.take(places).astype(np.int32), values.take(places)
    times[spare] = 0
    total[places] = np.einsum("ijg,jg->ig", _imps_between(points, scale), times)


def _imps_between(points: NDArray[Any], scale: Edition) -> NDArray[np.int32]:
    """IMPs of each row against each row, column by column."""
    if points.size and points.max() - points.min() >= LIMIT:
        return imps(points[:, None] - points, edition=scale).astype(np.int32)
    table, nought = imp_table_of_tens(scale)
    tens = (points // 10).astype(np.intp, copy=False)
    return table.take(tens[:, None] - (tens - nought), mode="wrap")


def _add_by_histogram(
    total: NDArray[np.float64],
    values: NDArray[np.int64],
    counts: NDArray[np.intp],
    groups: NDArray[np.intp],
    many: NDArray[np.bool_],
    scale: Edition,
) -> None:
    """The same for groups of many different scores: their counts times the matrix of IMPs between scores."""
    runs = np.diff(groups)
    run = np.flatnonzero(np.repeat(many, runs))
    group = np.repeat(np.cumsum(many) - 1, runs)[run]
    found, column = np.unique(values[run], return_inverse=True)
    between = imps(found[:, None] - found[None, :], edition=scale).astype(np.float64)
    block = max(1, (1 << 22) // found.size)
    for first in range(0, int(many.sum()), block):
        here = (group >= first) & (group < first + block)
        histogram = np.zeros((min(block, int(many.sum()) - first), found.size))
        histogram[group[here] - first, column[here]] = counts[run[here]]
        total[run[here]] = (histogram @ between.T)[group[here] - first, column[here]]
