"""Small groups: two or three results of a board that the rest of the field played otherwise (Law 87)."""

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.rules import Edition

Floats = NDArray[np.float64]


def has_small_groups(rule: Edition) -> bool:
    """Whether an edition knows small groups at all."""
    return bool(rule["small_group.one"] or rule["small_group.two"] or rule["small_group.three"])


def is_small(size: NDArray[np.int64], full: Floats, rule: Edition) -> NDArray[np.bool_]:
    """Whether groups of so many results, of a full board, are too few to be compared by Neuberg's formula.

    A group that is all of its board is never small.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> is_small(np.array([1, 2, 3, 3, 4]), np.array([9.0, 9, 9, 8, 99]), load_edition("adjusted-ebu"))
    array([False,  True,  True, False, False])
    """
    one_in = np.array([0, bool(rule["small_group.one"]), rule["small_group.two"], rule["small_group.three"]])
    limit = one_in[np.minimum(size, 3)] * (size <= 3)
    small: NDArray[np.bool_] = (limit > 0) & (size * limit <= full) & (size < full)
    return small


def small_group_percent(points: Floats, size: NDArray[np.int64], rule: Edition) -> Floats:
    """The percentages of results of small groups, from their matchpoints in the group.

    Parameters
    ----------
    points : ndarray of float64, shape (n,)
        On the scale 2/1/0. [matchpoints]
    size : ndarray of int64, shape (n,)
        Results of the group.
    rule : Edition
        Of kind ``adjusted``.

    Returns
    -------
    ndarray of float64, shape (n,)
        Those of the two sides need not add up to 100. [%]

    Notes
    -----
    A results earn centre + step (M - (A - 1)) for M matchpoints of the group. Source: the editions.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> won, size = np.array([2.0, 0, 4, 1, 1]), np.array([2, 2, 3, 3, 3])
    >>> small_group_percent(won, size, load_edition("adjusted-ebu"))
    array([65., 55., 70., 55., 55.])
    """
    centre = np.where(size == 1, rule["small_group.one"] or np.nan, rule["small_group.centre"])
    percent: Floats = centre + (points - (size - 1)) * rule["small_group.step"]
    return percent
