"""IMPs of every score of a field against all others, added up: by pairs in small fields, by histogram in large ones."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.columns import spans
from bridge_analytics.field import each_run
from bridge_analytics.imp_scale import LIMIT, imp_table_of_tens, imps
from bridge_analytics.rules import Edition

_WIDTHS = (1, 3, 5, 7, 10, 14, 20, 30)
"""Groups of up to so many different scores are compared pair by pair, beyond the last by histogram."""

APART = 12
"""In groups of up to so many results all are compared with all, sooner than equal scores are found."""

_BLOCK = 1 << 16  # pairs at a time


def imp_sums(
    values: NDArray[Any], counts: NDArray[Any], groups: NDArray[np.intp], scale: Edition
) -> NDArray[np.float64]:
    """For each run, the IMPs of its value against all results of its group, added up.

    Parameters
    ----------
    values, counts : ndarray, shape (r,)
        The score of each run, a multiple of ten, and how many results have it: whole numbers, or floats. [points,
        results]
    groups : ndarray of intp, shape (g + 1,)
        Where each group starts among the runs; see :func:`groups.field_chunks`.
    scale : Edition
        Of kind ``imps``.

    Returns
    -------
    ndarray of float64, shape (r,)
        [IMPs]
    """
    runs = np.diff(groups)
    if counts.max() == 1 and runs.max() <= APART and values.max() - values.min() < LIMIT:
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
    counts: NDArray[Any],
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
    times, points = counts.take(places), values.take(places)
    times = times if times.dtype.kind == "f" else times.astype(np.int32)
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
