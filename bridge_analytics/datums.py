"""Butler: results against the datum of their deal, by the rule of an edition."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.field import compared, each_row, each_run
from bridge_analytics.imp_scale import imps
from bridge_analytics.rules import Edition, load_edition


def datum(score: ArrayLike, *, by: Any, edition: str | Edition = "datum-trimmed") -> NDArray[np.float64]:
    """The datum of each row's group: the score that Butler measures results against.

    Parameters
    ----------
    score : array_like, shape (n,)
        North-South scores. Missing: not counted. [points]
    by : column of labels, or table of label columns, n rows
    edition : str or Edition
        A rule of kind ``datum``.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where the score is missing. [points]

    Raises
    ------
    ValueError
        If lengths differ or the edition is not of kind ``datum``.

    Notes
    -----
    What is cut off and how the mean is rounded: the edition, with its source.

    Examples
    --------
    >>> datum([-650, -170, -1440, 100, -170, -200], by=[3] * 6)
    array([-300., -300., -300., -300., -300., -300.])
    """
    rule = load_edition(edition, kind="datum")

    def level(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total, number = _datum(values, starts, groups, rule)
        return each_run(total / number, groups)

    return compared(score, by, level)


def _datum(
    values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp], rule: Edition
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The datum of each group as a fraction, so that whole scores are rounded without error."""
    edges = starts[groups]
    size, sorted_values = np.diff(edges), each_row(values, starts)
    if rule["datum.centre"] == "median":
        first, second = (sorted_values[edges[:-1] + middle] for middle in ((size - 1) // 2, size // 2))
        total, number = first + second, np.full(size.size, 2)
    else:
        cut = np.floor(size * rule["trim.share"] + 1e-9).astype(np.int64) + rule["trim.count"]
        cut = np.where(size >= rule["trim.from"], np.minimum(cut, (size - 1) // 2), 0)
        low, high = edges[:-1] + cut, edges[1:] - cut
        sums = np.concatenate(([0], np.cumsum(sorted_values)))
        total, number = sums[high] - sums[low], high - low
    if not rule["datum.step"]:
        return total, number
    return to_step(total, number, rule["datum.step"], rule["datum.rounding"]), np.ones_like(number)


def to_step(total: NDArray[Any], number: NDArray[np.int64], step: int, rounding: str) -> NDArray[Any]:
    """``total / number`` to a multiple of ``step``: cut, or to the nearest with halves away from zero or to even.

    Examples
    --------
    >>> to_step(np.array([-850, 850, 849]), np.array([2, 2, 2]), 10, "away")
    array([-430,  430,  420])
    """
    size, unit = abs(total), number * step
    if rounding == "cut":
        steps = size // unit
    else:
        steps = (2 * size + unit) // (2 * unit)
        if rounding == "even":
            steps -= ((2 * size + unit) % (2 * unit) == 0) & (steps % 2 == 1)
    rounded: NDArray[Any] = np.sign(total) * steps * step
    return rounded


def butler(
    score: ArrayLike,
    *,
    by: Any,
    datum: str | Edition = "datum-trimmed",
    edition: str | Edition = "imps-1962",
) -> NDArray[np.float64]:
    """Butler: the IMPs of each North-South score against the datum of its deal; East-West have the negative.

    Parameters
    ----------
    score : array_like, shape (n,)
        North-South scores. Missing: not counted. [points]
    by : column of labels, or table of label columns, n rows
    datum : str or Edition
        A rule of kind ``datum``; it also says how the difference is rounded.
    edition : str or Edition
        A scale of kind ``imps``.

    Returns
    -------
    ndarray of float64, shape (n,)
        Whole numbers; NaN where the score is missing. [IMPs]

    Raises
    ------
    ValueError
        If lengths differ, or a score is no multiple of ten under a datum that does not round the difference.

    Notes
    -----
    Every rule of the datum and of the difference: the edition, with its source. IMPs by Law 78B.

    Examples
    --------
    >>> butler([-650, -170, -1440, 100, -170, -200], by=[3] * 6)
    array([ -8.,   4., -15.,   9.,   4.,   3.])
    """
    rule, scale = load_edition(datum, kind="datum"), load_edition(edition, kind="imps")
    step = rule["difference.step"]

    def against(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total, number = (each_run(part, groups) for part in _datum(values, starts, groups, rule))
        points = to_step(values * number - total, number, step, rule["difference.rounding"]) if step else values - total
        return imps(points, edition=scale).astype(np.float64)

    return compared(score, by, against, tens=not step)
