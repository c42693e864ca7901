"""Hands valued: controls, tricks, losers, Kaplan-Rubens, suits. Points are in :mod:`bridge_analytics.points`.

All take sets of 13 cards in any shape and refuse a hand that is not known or has another number of cards; a valuation
of four suits looks each of them up in a table of 8,192 holdings.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics import holdings
from bridge_analytics.holdings import holding_table
from bridge_analytics.valuing import by_lengths, each_suit, length_table, sum_of_suits, value_hands


def controls(hands: ArrayLike) -> NDArray[np.int16]:
    """Controls: two for an ace, one for a king.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, same shape

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> controls(parse_hands("AKQ52.K9.Q84.K76"))
    np.int16(5)
    """
    table = holding_table(holdings.controls)
    return value_hands(hands, lambda part: sum_of_suits(part, table), np.int16)


def quick_tricks(hands: ArrayLike) -> NDArray[np.float64]:
    """Quick tricks: AK 2, AQ 1½, A 1, KQ 1, Kx ½ in a suit.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of float64, same shape
        [tricks]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Source: "The rule of 22" (csbnews.org). A lone king counts none; older texts add KJ, which is not done here.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> quick_tricks(parse_hands("KQ632.A.QJ42.QJ6"))
    np.float64(2.0)
    """
    table = holding_table(holdings.quick_tricks)
    return value_hands(hands, lambda part: sum_of_suits(part, table), np.float64)


def losers(hands: ArrayLike) -> NDArray[np.int16]:
    """Losing tricks: each of ace, king and queen missing among the first three cards of a suit.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, same shape
        [tricks]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> losers(parse_hands("AKQ52.K9.Q84.K76"))
    np.int16(5)
    """
    table = holding_table(holdings.losers)
    return value_hands(hands, lambda part: sum_of_suits(part, table), np.int16)


def new_losers(hands: ArrayLike) -> NDArray[np.float64]:
    """Losing tricks weighed: a missing ace 1½, a missing king 1, a missing queen ½.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of float64, same shape
        [tricks]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Source: Johannes Koelman, "New losing trick count" (The Bridge World, 2003).

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> new_losers(parse_hands("A2.6.J97532.AQ85"))
    np.float64(6.5)
    """
    table = holding_table(holdings.new_losers)
    return value_hands(hands, lambda part: sum_of_suits(part, table), np.float64)


def kaplan_rubens(hands: ArrayLike) -> NDArray[np.float64]:
    """The count of Kaplan and Rubens, "four Cs".

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of float64, same shape
        From -0.5 to 35.6, in steps of 0.05. [points]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Counted in whole twentieths, so that equal hands are equal. Source: The Bridge World, October 1982, in Richard
    Pavlicek's reading, which agrees with all values published; four other programs deviate (the nine below three
    honours, a queen among two cards, the length of a seven-card suit).

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> kaplan_rubens(parse_hands(["AKQ52.K9.Q84.K76", "8642.753.642.532"]))
    array([17.35, -0.5 ])
    """
    table, flat = holding_table(holdings.kaplan_rubens), length_table(_kaplan_rubens_shape)
    return value_hands(hands, lambda part: (sum_of_suits(part, table) + by_lengths(part, flat)) / 20, np.float64)


def _kaplan_rubens_shape(first: Any, second: Any, third: Any, fourth: Any) -> NDArray[np.int16]:
    """One point off every hand, but half of one for 4-3-3-3; in twentieths."""
    flat = (first == 4) & (second == 3) & (fourth == 3)
    return np.where(flat, -10, -20).astype(np.int16)


def suit_quality(hands: ArrayLike) -> NDArray[np.int16]:
    """Suit quality: cards and honours together.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of int16, shape of ``hands`` + (4,)
        For clubs, diamonds, hearts, spades; the tricks up to which the suit is good enough to be bid.

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    A jack or a ten counts only below a higher honour. Source: Ron Klinger, "The suit quality test" (csbnews.org, 2009).

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> suit_quality(parse_hands("A3.KQJT64.87.Q32"))
    array([ 4,  2, 10,  3], dtype=int16)
    """
    table = holding_table(holdings.suit_quality)
    return value_hands(hands, lambda part: each_suit(part, table), np.int16, wide=(4,))


def stoppers(hands: ArrayLike) -> NDArray[np.float64]:
    """Stoppers at no trump: one for A, Kx, QJx or JTxx, half of one for Qx or Jxx.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of float64, shape of ``hands`` + (4,)
        For clubs, diamonds, hearts, spades: 0, 0.5 or 1, never more.

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Notes
    -----
    Source: glossary of bernardmageebridge.com, "stopper" (in the closed hand) and "half stopper".

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> stoppers(parse_hands("A3.KQJT64.87.Q32"))
    array([0.5, 0. , 1. , 1. ])
    """
    table = holding_table(holdings.stoppers)
    return value_hands(hands, lambda part: each_suit(part, table), np.float64, wide=(4,))
