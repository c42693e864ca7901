"""Whether to open the bidding: counts of high cards and of the length of suits together."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.hands import controls
from bridge_analytics.points import hcp
from bridge_analytics.valuing import by_lengths, length_table, value_hands


def zar_points(hands: ArrayLike) -> NDArray[np.int16]:
    """Zar points: high-card points, controls, the two longest suits, and the longest less the shortest.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, same shape
        An opening bid has 26. [points]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Source: Zar Petkov, zarpoints.com; nothing is taken off for honours in short suits.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> zar_points(parse_hands("KJ432.K32.432.A2"))
    np.int16(26)
    """
    table = length_table(_zar_shape)
    shape: NDArray[np.int16] = value_hands(hands, lambda part: by_lengths(part, table), np.int16)
    found: NDArray[np.int16] = hcp(hands) + controls(hands) + shape
    return found


def _zar_shape(first: Any, second: Any, third: Any, fourth: Any) -> NDArray[np.int16]:
    return np.asarray(2 * first + second - fourth)


def rule_of_20(hands: ArrayLike) -> NDArray[np.int16]:
    """High-card points and the lengths of the two longest suits.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, same shape
        The rule opens hands of 20 and more.

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> rule_of_20(parse_hands("AQJ5.T864.KJ94.4"))
    np.int16(19)
    """
    table = length_table(_two_longest)
    longest: NDArray[np.int16] = value_hands(hands, lambda part: by_lengths(part, table), np.int16)
    found: NDArray[np.int16] = hcp(hands) + longest
    return found


def _two_longest(first: Any, second: Any, third: Any, fourth: Any) -> NDArray[np.int16]:
    return np.asarray(first + second)
