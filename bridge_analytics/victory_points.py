"""Victory points: the margin of a match in IMPs, or a percentage, on the scale of an edition.

A scale is a table of awards. The two scales of the World Bridge Federation are formulas, with their constants here;
the others are tables of an edition. Either way the awards of a number of boards are worked out once, for every margin
at once, and looked up.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of
from bridge_analytics.readers import Reader, align, number_reader, number_values
from bridge_analytics.rules import Edition, load_edition

_MOST_BOARDS = 1_000  # beyond, a continuous scale has no hundredth left for each IMP
_NOISE = 1e-9  # a percentage worked out in floating point may miss the edge it lies on by this much [%]

Awards = tuple[NDArray[np.float64], NDArray[np.float64]]
"""What winner and loser get, by the margin in IMPs from 0; the last is of every greater margin too."""


def victory_points(
    margin: ArrayLike, boards: ArrayLike, *, edition: str | Edition = "vp-wbf-2013"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Victory points of matches won by a margin in IMPs.

    Parameters
    ----------
    margin : array_like of int, any shape
        The winner's IMPs minus the loser's. Negative where the match was lost. [IMPs]
    boards : array_like of int, same shape or one value
        The boards of the match, 1 to 1,000.
    edition : str, path or Edition
        A scale of kind ``vp`` for IMPs.

    Returns
    -------
    winner, loser : ndarray of float64, same shape
        The awards of the side whose margin it is, and of the other: after a negative margin the first is the loser's
        share, so ``victory_points(-m, n)`` is ``victory_points(m, n)`` turned round. [VPs]

    Raises
    ------
    ValueError
        If a margin is missing or no whole number (a carry-over may leave one that is none: how to round it is for the
        conditions of contest), or a table has no row for a number of boards.

    Notes
    -----
    ``vp-wbf-2013`` (to hundredths) and ``vp-wbf-2013-discrete`` hold for any number of boards, the others for those
    that were published. Source: WBF, "The New WBF IMP to VP Scales" (2013), and the editions.

    Examples
    --------
    >>> victory_points(14, 16)
    (np.float64(13.75), np.float64(6.25))
    >>> victory_points([0, 14, -14, 90], [8, 16, 16, 32])
    (array([10.  , 13.75,  6.25, 20.  ]), array([10.  ,  6.25, 13.75,  0.  ]))
    >>> victory_points([0, 1, 28], 7, edition="vp-acbl-30")
    (array([15., 18., 30.]), array([15., 12.,  0.]))
    """
    scale = load_edition(edition, kind="vp")
    if scale["scale.rule"] == "percent-above":
        raise ValueError(f"expected an edition for IMPs, got {scale.name!r}, which is for percent_to_vp")
    shape, (margins_in, boards_in) = align(_margin_reader(margin), _boards_reader(boards))
    size = int(np.prod(shape))
    ours = margins_in(0, size).astype(np.int64)
    lengths, match = _lengths(scale, boards_in(0, size))
    awards = [_awards(scale, length) for length in lengths]
    last = np.array([winner.size - 1 for winner, _ in awards], np.int64)
    cell = (np.cumsum(last + 1) - last - 1)[match] + np.minimum(abs(ours), last[match])
    winner, loser = (np.concatenate([np.empty(0), *(award[side] for award in awards)])[cell] for side in (0, 1))
    won = ours >= 0
    return np.where(won, winner, loser).reshape(shape)[()], np.where(won, loser, winner).reshape(shape)[()]


def percent_to_vp(
    percent: ArrayLike, boards: ArrayLike, *, edition: str | Edition = "vp-ebu-percent"
) -> NDArray[np.float64]:
    """Victory points of a pair's matchpoint percentage in a match, as in Swiss pairs.

    Parameters
    ----------
    percent : array_like, any shape
        The pair's percentage of the match, 0 to 100. [%]
    boards : array_like of int, same shape or one value
        The boards of the match.
    edition : str, path or Edition
        A scale of kind ``vp`` for percentages.

    Returns
    -------
    ndarray of float64, same shape
        The pair's own award; its opponents' is that of their own percentage. [VPs]

    Raises
    ------
    ValueError
        If a percentage is missing or outside 0-100, or the table has no row for a number of boards.

    Notes
    -----
    The edges are printed to hundredths. A percentage on an edge earns the award nearer the average, and counts as on it
    within 0.000000001: it is not rounded otherwise.

    Examples
    --------
    >>> percent_to_vp([50, 56.23, 56.24, 43.77, 80], 8)
    array([10., 14., 15.,  6., 20.])
    """
    scale = load_edition(edition, kind="vp")
    if scale["scale.rule"] != "percent-above":
        raise ValueError(f"expected an edition for percentages, got {scale.name!r}, which is for victory_points")
    shape, (percent_in, boards_in) = align(_percent_reader(percent), _boards_reader(boards))
    size = int(np.prod(shape))
    ours = percent_in(0, size).astype(np.float64)
    lengths, match = _lengths(scale, boards_in(0, size))
    row = np.array([_row(scale, length) for length in lengths], np.int64)[match]
    step = np.empty(size, np.int64)
    for number, edges in enumerate(scale["table.edges"]):
        here = row == number
        step[here] = np.searchsorted(np.asarray(edges) + _NOISE, np.maximum(ours[here], 100 - ours[here]))
    winner, loser = np.array(scale["table.winner"], np.float64), np.array(scale["table.loser"], np.float64)
    return np.where(ours >= 50, winner[step], loser[step]).reshape(shape)[()]


def bye_award(scale: Edition, bye: float | None = None) -> float | None:
    """What a match is worth that a contestant sat out: what the caller says, else the scale; None where neither does.

    Examples
    --------
    >>> bye_award(load_edition("vp-acbl-30")), bye_award(load_edition("vp-acbl-30"), 15)
    (18.0, 15.0)
    """
    if bye is not None:
        return float(bye)
    return float(scale["bye.award"]) if "bye.award" in scale else None


def _margin_reader(margin: ArrayLike) -> Reader:
    most = np.iinfo(np.int16).max
    return number_reader(margin, name="a margin in IMPs", low=-most, high=most)


def _boards_reader(boards: ArrayLike) -> Reader:
    return number_reader(boards, name="boards of a match", low=1, high=_MOST_BOARDS)


def _percent_reader(percent: ArrayLike) -> Reader:
    column = as_column(percent)
    values, missing = number_values(column, name="a percentage")
    wrong = (values < 0) | (values > 100) | (False if missing is None else missing)
    if wrong.any():
        place = int(wrong.argmax())
        seen = "a missing value" if missing is not None and missing[place] else repr(values[place].item())
        raise ValueError(f"expected a percentage 0 to 100, got {seen} at position {place}")
    return shape_of(column), lambda start, stop: values[start:stop]


def _lengths(scale: Edition, boards: NDArray[np.integer]) -> tuple[list[int], NDArray[np.intp]]:
    """The different numbers of boards, each with awards on the scale, and which of them each match has."""
    there = np.bincount(boards, minlength=1) > 0
    lengths = np.flatnonzero(there).tolist()
    none = [length for length in lengths if scale["table.boards"] and _row(scale, length) < 0]
    if none:
        rows = ", ".join(f"{low}-{high}" for low, high in scale["table.boards"])
        place = int(np.isin(boards, none).argmax())
        raise ValueError(f"expected boards among {rows} for {scale.name!r}, got {boards[place]} at position {place}")
    return lengths, (np.cumsum(there) - 1)[boards]


def _row(scale: Edition, boards: int) -> int:
    """The row of a table that is for a number of boards; -1 where none is."""
    return next((row for row, (low, high) in enumerate(scale["table.boards"]) if low <= boards <= high), -1)


@lru_cache(maxsize=256)
def _awards(scale: Edition, boards: int) -> Awards:
    if scale["scale.rule"] == "wbf-continuous":
        hundredths = wbf_continuous(boards)
        return hundredths / 100, (2_000 - hundredths) / 100
    if scale["scale.rule"] == "wbf-discrete":
        edges, awards = wbf_discrete(boards), (np.arange(10.0, 21.0), np.arange(10.0, -1.0, -1.0))
    else:
        edges = np.asarray(scale["table.edges"][_row(scale, boards)])
        awards = np.array(scale["table.winner"], np.float64), np.array(scale["table.loser"], np.float64)
    step = np.searchsorted(edges, np.arange(edges[-1] + 1), side="right")
    return awards[0][step], awards[1][step]


_RATIO = ((math.sqrt(5) - 1) / 2) ** 3  # of the WBF curve: the cube of the golden section


def _blitz(boards: int) -> float:
    """The margin, seldom whole, that wins 20-0 by the WBF curve."""
    return 15 * math.sqrt(boards)


def wbf_continuous(boards: int) -> NDArray[np.int64]:
    """The winner's hundredths of a VP on the continuous WBF scale, by margin from 0 to the one that wins 20-0.

    Parameters
    ----------
    boards : int
        The boards of the match.

    Returns
    -------
    ndarray of int64
        From 1000 to 2000. [VP/100]

    Notes
    -----
    The curve is 10 + 10 (1 - R^(margin / blitz)) / (1 - R), rounded to hundredths, half up. Each IMP may then earn no
    more than the one before it: where one does, the award below it is raised by a hundredth, from the smallest margin
    on, until none does. So the whole scale is needed for any of it. Source: WBF, "The New WBF IMP to VP Scales" (2013).

    Examples
    --------
    >>> wbf_continuous(16)[[0, 1, 14, 59, 60]]
    array([1000, 1031, 1375, 1993, 2000])
    """
    blitz = _blitz(boards)
    margin = np.minimum(np.arange(math.ceil(blitz) + 1), blitz)
    awards = np.floor(1000 + 1000 * (1 - _RATIO ** (margin / blitz)) / (1 - _RATIO) + 0.5).astype(np.int64)
    while (rises := np.flatnonzero(np.diff(awards, 2) > 0)).size:
        awards[rises[0] + 1] += 1
    return awards


def wbf_discrete(boards: int) -> NDArray[np.int64]:
    """The smallest margins that earn 11, 12 ... 20 VPs on the whole-number WBF scale.

    Parameters
    ----------
    boards : int
        The boards of the match.

    Returns
    -------
    ndarray of int64, shape (10,)
        [IMPs]

    Notes
    -----
    An award ends where the curve of :func:`wbf_continuous` reaches its half: 10.5, 11.5 ... 19.5. None may cover fewer
    margins than the one nearer the tie, and the tie covers the margins of both sides. Where one is narrower its lower
    edge comes down by one, from the tie outward, until none is. Source: WBF, as above; 20 published tables.

    Examples
    --------
    >>> wbf_discrete(16)
    array([ 2,  5,  9, 13, 18, 23, 29, 36, 44, 54])
    """
    share = (np.arange(10, 20) + 0.5) / 10 - 1
    last = np.floor(_blitz(boards) * np.log(1 - (1 - _RATIO) * share) / math.log(_RATIO)).astype(np.int64)
    while True:
        widths = np.diff(last, prepend=-last[0] - 1)  # of 10, 11 ... 19; 10 covers both sides of zero
        narrow = np.flatnonzero(np.diff(widths) < 0)
        if not narrow.size:
            return last + 1
        last[narrow[0]] -= 1
