"""Small groups: two or three results of a board that the rest of the field played otherwise (Law 87)."""

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.comparison import matchpoints
from bridge_analytics.rules import Edition

Floats = NDArray[np.float64]


def small_group_percent(score: Floats, by: NDArray[np.int64], expected: Floats, rule: Edition) -> tuple[Floats, Floats]:
    """The percentages of results that are too few to be compared by Neuberg's formula.

    Parameters
    ----------
    score : ndarray of float64, shape (n,)
        North-South scores; NaN: not compared. [points]
    by : ndarray of int64, shape (n,)
        Numbers of the groups, from 0: the same deal, played the same way.
    expected : ndarray of float64, shape (n,)
        Results of a full board. [results]
    rule : Edition
        Of kind ``adjusted``: which groups are small.

    Returns
    -------
    ns, ew : ndarray of float64, shape (n,)
        NaN where the group is not small. The two need not add up to 100. [%]

    Notes
    -----
    A group that is all of its board is never small. Otherwise A results earn centre + step (M - (A - 1)) for M
    matchpoints of the group (2/1/0). Source: the editions.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> deals, full = np.array([0, 0, 1, 1, 1]), np.full(5, 9.0)
    >>> ns, ew = small_group_percent(np.array([620.0, -100, 90, 0, 0]), deals, full, load_edition("adjusted-ebu"))
    >>> ns.tolist(), ew.tolist()
    ([65.0, 55.0, 70.0, 55.0, 55.0], [55.0, 65.0, 50.0, 65.0, 65.0])
    """
    there = ~np.isnan(score)
    size = np.bincount(by[there], minlength=int(by.max(initial=-1)) + 1)[by]
    one_in = np.array([0, bool(rule["small_group.one"]), rule["small_group.two"], rule["small_group.three"]])
    limit = one_in[np.minimum(size, 3)] * (size <= 3)
    small = np.flatnonzero(there & (limit > 0) & (size * limit <= expected) & (size < expected))
    ns, ew = np.full(score.size, np.nan), np.full(score.size, np.nan)
    above = (matchpoints(score[small], by=by[small]) - (size[small] - 1)) * rule["small_group.step"]
    centre = np.where(size[small] == 1, rule["small_group.one"] or np.nan, rule["small_group.centre"])
    ns[small], ew[small] = centre + above, centre - above
    return ns, ew
