"""Results against each other: IMPs, matchpoints, board-a-match, Butler and its datum, cross-IMPs, Ascherman.

Compare first, filter after: a comparison needs every result of a deal. Scores may come in any order and groups may be
of any and unequal size. A missing score is not compared and has no result (NaN); it is not a score of zero.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, number_values, shape_of, spans
from bridge_analytics.groups import field_chunks, group_codes, ranked
from bridge_analytics.rules import Edition, load_edition

_LIMIT = 1 << 15
_OFF_GRID = -128
_FEW = 30

Rule = Callable[[NDArray[Any], NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]


def imps(
    difference: ArrayLike, *, edition: str | Edition = "imps-1962", rounding: str | None = None
) -> NDArray[np.int8]:
    """International Match Points for differences in points.

    Parameters
    ----------
    difference : array_like of int or whole float, any shape
        Our points minus theirs on one board. [points]
    edition : str or Edition
        A scale of kind ``imps``.
    rounding : {None, "down", "away", "toward"}
        What to do with a difference that is no multiple of ten, on its size: ``down`` to the ten below (19 -> 10),
        or to the nearest ten with a five going ``away`` from zero (15 -> 20) or ``toward`` it (15 -> 10).

    Returns
    -------
    ndarray of int8, same shape
        Signed like ``difference``, from -24 to 24 on the default scale. [IMPs]

    Raises
    ------
    ValueError
        If a difference is missing or not finite, or is no multiple of ten and ``rounding`` is not given.

    Notes
    -----
    Scores are multiples of ten and the Law says nothing of what lies between them; only averaged and weighted scores
    come there, so it is the caller's choice. Source: Law 78B; text 003.

    Examples
    --------
    >>> imps([0, 10, 20, -430, 4000])
    array([  0,   0,   1, -10,  24], dtype=int8)
    >>> imps(15, rounding="away"), imps(15, rounding="toward")
    (np.int8(1), np.int8(0))
    """
    scale = load_edition(edition, kind="imps")
    table = _imp_table(scale, rounding)
    column = as_column(difference)
    shape = shape_of(column)
    values, missing = number_values(column, name="a difference")
    if missing is not None:
        raise ValueError(f"expected a difference in points, got a missing value at position {int(missing.argmax())}")
    out = np.empty(values.size, np.int8)
    index = np.empty(min(values.size, 1 << 16), np.intp)
    for start, stop in spans(values.size, 1 << 16):
        part = values[start:stop]
        if part.dtype.kind == "f" or part.max() >= _LIMIT or part.min() < -_LIMIT:
            out[start:stop] = _imps_of_any(part, scale, rounding)
        else:
            place = index[: stop - start]
            np.add(part, _LIMIT, out=place, dtype=np.intp, casting="unsafe")
            table.take(place, out=out[start:stop], mode="wrap")
        if out[start:stop].min() == _OFF_GRID:
            bad = start + int((out[start:stop] == _OFF_GRID).argmax())
            raise ValueError(
                f"expected a difference that is a multiple of ten (or a `rounding`), got {values[bad].item()!r} "
                f"at position {bad}"
            )
    return out.reshape(shape)[()]


def _to_tens(size: NDArray[Any], rounding: str | None) -> NDArray[np.int64]:
    """Sizes of differences in tens; -1 where they are no multiple of ten and ``rounding`` is None."""
    if rounding is None:
        return np.where(size % 10 == 0, size // 10, -1).astype(np.int64)
    if rounding == "down":
        return (size // 10).astype(np.int64)
    if rounding == "away":
        return ((size + 5) // 10).astype(np.int64)
    if rounding == "toward":
        return -((5 - size) // 10).astype(np.int64)
    raise ValueError(f"expected rounding 'down', 'away', 'toward' or None, got {rounding!r}")


def _imps_of_any(difference: NDArray[Any], scale: Edition, rounding: str | None) -> NDArray[np.int8]:
    tens = _to_tens(abs(difference.astype(np.float64)), rounding)
    size = np.searchsorted(np.asarray(scale["imps.starts"]), 10 * tens, side="right")
    return np.where(tens < 0, _OFF_GRID, np.sign(difference) * size).astype(np.int8)


@lru_cache(maxsize=32)
def _imp_table(scale: Edition, rounding: str | None) -> NDArray[np.int8]:
    """IMPs of every difference of 16 bits, at difference + 32768."""
    return _imps_of_any(np.arange(-_LIMIT, _LIMIT), scale, rounding)


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
        first, size = _group_rows(starts, groups)
        points: NDArray[np.float64] = (starts[:-1] + starts[1:] - 1 - 2 * first) * (win / 2)
        if in_percent:
            with np.errstate(invalid="ignore"):
                points *= 100 / win / np.where(size > 1, size - 1, np.nan)
        return points

    points = _compared(score, by, rule)
    return points if expected is None else _neuberg(points, by, expected, win, percent)


def _group_rows(starts: NDArray[np.intp], groups: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each run, where its group starts among the rows and how many rows the group has."""
    edges = starts[groups]
    runs = np.diff(groups)
    return np.repeat(edges[:-1], runs), np.repeat(np.diff(edges), runs)


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
    full = (points + win / 2) * wanted / np.maximum(actual, 1) - win / 2
    if not percent:
        return full
    return np.divide(100 * full, win * (wanted - 1), out=np.full(points.shape, np.nan), where=wanted > 1)


def _compared(score: ArrayLike, by: Any, rule: Rule, *, tens: bool = False) -> NDArray[np.float64]:
    """Apply a rule of comparison to the runs of every group and bring its answers back to the rows.

    ``rule(values, run_starts, group_runs)`` gives one number a run; see :func:`groups.field_chunks`. With ``tens``
    a score that is no multiple of ten is refused.
    """
    column = as_column(score)
    shape = shape_of(column)
    values, missing = number_values(column, name="a score")
    if tens and values.size and (values % 10).any():
        bad = int((values % 10 != 0).argmax())
        raise ValueError(
            f"expected scores that are multiples of ten, for the IMP scale, got {values[bad].item()!r} at position {bad}"
        )
    codes, _ = group_codes(by)
    if codes.size != values.size:
        raise ValueError(f"expected a label in `by` for each score, got {codes.size} labels for {values.size} scores")
    there = None if missing is None else np.flatnonzero(~missing)
    if there is not None:
        codes, values = codes[there], values[there]
    ranks, back = ranked(values)
    out = np.full(int(np.prod(shape)), np.nan)
    for rows, run_ranks, starts, groups in field_chunks(codes, ranks):
        run_values = run_ranks + back if isinstance(back, int) else back[run_ranks]
        answers = rule(run_values, starts, groups)
        out[rows if there is None else there[rows]] = np.repeat(answers, np.diff(starts))
    return out.reshape(shape)


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
        first, size = _group_rows(starts, groups)
        return (starts[:-1] + starts[1:] - 2 * first) * 50 / size

    return _compared(score, by, rule)


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

    Examples
    --------
    >>> datum([-650, -170, -1440, 100, -170, -200], by=[3] * 6)
    array([-300., -300., -300., -300., -300., -300.])
    """
    rule = load_edition(edition, kind="datum")

    def level(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total, number = _datum(values, starts, groups, rule)
        return np.repeat(total / number, np.diff(groups))

    return _compared(score, by, level)


def _datum(
    values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp], rule: Edition
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The datum of each group as a fraction, so that whole scores are rounded without error."""
    edges = starts[groups]
    size = np.diff(edges)
    if rule["datum.centre"] == "median":
        first, second = (
            values[np.searchsorted(starts, edges[:-1] + middle, side="right") - 1]
            for middle in ((size - 1) // 2, size // 2)
        )
        total, number = first + second, np.full(size.size, 2)
    else:
        cut = np.floor(size * rule["trim.share"] + 1e-9).astype(np.int64) + rule["trim.count"]
        cut = np.where(size >= rule["trim.from"], np.minimum(cut, (size - 1) // 2), 0)
        low, high = edges[:-1] + cut, edges[1:] - cut
        total, number = _sum_below(values, starts, high) - _sum_below(values, starts, low), high - low
    if not rule["datum.step"]:
        return total, number
    return _rounded(total, number, rule["datum.step"], rule["datum.rounding"]), np.ones_like(number)


def _sum_below(values: NDArray[Any], starts: NDArray[np.intp], place: NDArray[np.intp]) -> NDArray[Any]:
    """The sum of the sorted values before each place among the rows."""
    sums = np.concatenate(([0], np.cumsum(values * np.diff(starts))))
    run = np.minimum(np.searchsorted(starts, place, side="right") - 1, values.size - 1)
    return sums[run] + values[run] * (place - starts[run])


def _rounded(total: NDArray[Any], number: NDArray[np.int64], step: int, rounding: str) -> NDArray[Any]:
    """``total / number`` to a multiple of ``step``: cut, or to the nearest with halves away from zero or to even."""
    size, unit = abs(total), number * step
    if rounding == "cut":
        steps = size // unit
    else:
        steps = (2 * size + unit) // (2 * unit)
        if rounding == "even":
            steps -= ((2 * size + unit) % (2 * unit) == 0) & (steps % 2 == 1)
    return np.sign(total) * steps * step


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

    Examples
    --------
    >>> butler([-650, -170, -1440, 100, -170, -200], by=[3] * 6)
    array([ -8.,   4., -15.,   9.,   4.,   3.])
    """
    rule, scale = load_edition(datum, kind="datum"), load_edition(edition, kind="imps")
    step = rule["difference.step"]

    def against(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total, number = (np.repeat(part, np.diff(groups)) for part in _datum(values, starts, groups, rule))
        difference = values * number - total
        points = _rounded(difference, number, step, rule["difference.rounding"]) if step else difference // number
        return imps(points, edition=scale).astype(np.float64)

    return _compared(score, by, against, tens=not step)


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
        if not average:
            return total
        _, size = _group_rows(starts, groups)
        return total / np.where(size > 1, size - 1, np.nan)

    return _compared(score, by, rule, tens=True)


def _imp_sums(
    values: NDArray[np.int64], counts: NDArray[np.intp], groups: NDArray[np.intp], scale: Edition
) -> NDArray[np.float64]:
    """For each run, the IMPs of its value against all results of its group, added up."""
    total = np.zeros(values.size)
    runs = np.diff(groups)
    many = runs > _FEW
    ends = np.repeat(groups[1:], runs)
    run = np.flatnonzero(~np.repeat(many, runs)) if many.any() else np.arange(values.size)
    for distance in range(1, _FEW):
        run = run[run + distance < ends[run]]
        if not run.size:
            break
        other = run + distance
        won = imps(values[other] - values[run], edition=scale)
        total[other] += counts[run] * won
        total[run] -= counts[other] * won
    if many.any():
        _add_by_histogram(total, values, counts, groups, many, scale)
    return total


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
