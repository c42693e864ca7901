"""Results against each other: matchpoints, Ascherman, cross-IMPs, board-a-match.

Compare first, filter after: a comparison needs every result of a deal. Scores may come in any order and groups may be
of any and unequal size. A missing score is not compared and has no result (NaN); it is not a score of zero.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of
from bridge_analytics.field import compared, each_run
from bridge_analytics.groups import group_codes
from bridge_analytics.imp_sums import APART, imp_sums
from bridge_analytics.readers import number_reader, number_values, read_all
from bridge_analytics.rules import Edition, load_edition


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
        If lengths differ, ``win`` is not positive, ``expected`` is no whole number, or a group has more results.

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
    _check_win(win)
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


def _check_win(win: float) -> None:
    if not isinstance(win, int | float | np.number) or isinstance(win, bool) or not 0 < win < np.inf:
        raise ValueError(f"expected a positive number of points for a win, got {win!r}")


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
    wanted = read_all(number_reader(expected, name="the results of a full board", low=1, high=2**31)).astype(np.float64)
    if wanted.size not in (1, points.size):
        raise ValueError(f"expected one number of results, or one a row, got {wanted.size} for {points.size} scores")
    wanted = np.broadcast_to(wanted, points.shape)
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
        NaN where the difference is missing. [points]

    Raises
    ------
    ValueError
        If a difference is no number or ``win`` is not positive.

    Notes
    -----
    Source: ACBL handbook, board-a-match; text 001 (whose ``4`` for a tie is read as ½).

    Examples
    --------
    >>> board_a_match([10, 0, -1300])
    array([1. , 0.5, 0. ])
    """
    _check_win(win)
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

    Raises
    ------
    ValueError
        If lengths differ.

    Notes
    -----
    P' = 50 + (P - 50) (n - 1) / n of n results. Source: pjms.nl, on Neuberg's and Ascherman's methods.

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

    Notes
    -----
    Average and sum as ACBLscore's "Average IMPs" and "Total IMPs"; the IMPs by Law 78B.

    Examples
    --------
    >>> cross_imps([620, 170, 140, 140, -100], by=[1] * 5)
    array([10.5 , -0.25, -1.25, -1.25, -7.75])
    >>> cross_imps([620, 170, 140, 140, -100], by=[1] * 5, average=False)
    array([ 42.,  -1.,  -5.,  -5., -31.])
    """
    scale = load_edition(edition, kind="imps")

    def rule(values: NDArray[Any], starts: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
        total = imp_sums(values, np.diff(starts), groups, scale)
        if average:
            total /= each_run(_others(starts[groups]), groups)
        return total

    return compared(score, by, rule, tens=True, apart=APART)
