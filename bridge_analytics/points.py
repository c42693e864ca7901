"""High-card points, as an edition counts them."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.laws import AnyEdition
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.valuing import Sets, value_hands

HONOURS = ("ace", "king", "queen", "jack", "ten")
_FOUR_SUITS = sum(1 << 13 * suit for suit in range(4))  # the deuces


def hcp(hands: ArrayLike, *, points: AnyEdition = "points-work") -> NDArray[Any]:
    """High-card points.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of cards; of a deal the four hands, of a side ``north | south``.
    points : str, path or Edition
        An edition of kind ``points``: what an ace, king, queen, jack and ten are worth.

    Returns
    -------
    ndarray, same shape
        int16 where the edition has whole points, else float64. [points]

    Raises
    ------
    ValueError
        If a number is not a set of 52 cards, or a hand is not known.

    Notes
    -----
    Ace 4, king 3, queen 2, jack 1 is the count of Milton Work: 10 a suit, 40 the pack. Tens that count together, as
    in text 000, belong to the edition of :func:`total_points`.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> hcp(parse_hands(["AKQ52.K9.Q84.K76", "8642.753.642.532"]))
    array([17,  0], dtype=int16)
    >>> hcp(parse_hands("AKQ52.K9.Q84.K76"), points="points-bumrap")
    np.float64(16.5)
    """
    planes, unit, kind = _planes(load_edition(points, "points"))

    def count(part: Sets) -> NDArray[Any]:
        total, held, cards = np.zeros(part.size, kind), np.empty(part.size, kind), np.empty_like(part)
        for power, wanted in planes:
            np.bitwise_count(np.bitwise_and(part, wanted, out=cards), out=held, casting="unsafe")
            total += np.left_shift(held, power, out=held) if power else held
        return total if unit == 1 else total / unit

    return value_hands(hands, count, np.int16 if unit == 1 else np.float64, whole=False)


@lru_cache(maxsize=32)
def _planes(points: Edition) -> tuple[list[tuple[int, np.uint64]], int, Any]:
    """The cards whose points have each power of two; the units of a point, 1 if all are whole; a type for the pack."""
    worth = [Fraction(str(points[f"points.{rank}"])) for rank in HONOURS]
    unit = int(np.lcm.reduce([value.denominator for value in worth]))
    units = [int(value * unit) for value in worth]
    planes = []
    for power in range(max(units).bit_length()):
        cards = sum(_FOUR_SUITS << 12 - place for place, value in enumerate(units) if value >> power & 1)
        if cards:
            planes.append((power, np.uint64(cards)))
    return planes, unit, np.uint8 if 4 * sum(units) < 256 else np.uint32


def side_hcp(deals: ArrayLike, *, points: AnyEdition = "points-work") -> NDArray[Any]:
    """High-card points of North-South and of East-West.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.
    points : str, path or Edition
        As in :func:`hcp`.

    Returns
    -------
    ndarray, shape (..., 2)
        As :func:`hcp`: North-South, East-West. [points]

    Raises
    ------
    ValueError
        If the last axis is not four hands, and as :func:`hcp`.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_deals
    >>> side_hcp(parse_deals("N:AKQ2.AKQ.AKQ.543 J3.J2.J2.AKQJT98 T987.T987.T987.7 654.6543.6543.62"))
    array([27, 13], dtype=int16)
    """
    each = hcp(deals, points=points)
    if each.ndim == 0 or each.shape[-1] != 4:
        raise ValueError(f"expected deals of four hands N E S W, got an array of shape {each.shape}")
    sides: NDArray[Any] = each[..., :2] + each[..., 2:]
    return sides


def bergen_points(hands: ArrayLike) -> NDArray[np.int16]:
    """High-card points, adjusted for the honours that are worth more or less than 4-3-2-1 says.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, same shape
        Aces and tens against queens and jacks: 3 to 5 more of the ones than of the others move the high-card points
        by one, 6 and more by two. [points]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Source: Marty Bergen, "Adjust 3", as the American Contract Bridge League reprints it.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> bergen_points(parse_hands("QT4.KJ63.KQJ4.AQ"))
    np.int16(17)
    """
    under = np.uint64(_FOUR_SUITS << 12 | _FOUR_SUITS << 8)
    over = np.uint64(_FOUR_SUITS << 10 | _FOUR_SUITS << 9)
    steps = np.array([0, 0, 0, 1, 1, 1, *[2] * 8])

    def adjust(part: Sets) -> NDArray[Any]:
        more = np.bitwise_count(part & under).astype(np.int16) - np.bitwise_count(part & over)
        return np.asarray(np.sign(more) * steps[np.abs(more)])

    moved: NDArray[np.int16] = value_hands(hands, adjust, np.int16)
    found: NDArray[np.int16] = hcp(hands) + moved
    return found
