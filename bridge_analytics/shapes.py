"""The shape of hands: how many cards of each suit."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.valuing import by_lengths, length_table, lengths_of, value_hands

BALANCED = ("4-3-3-3", "4-4-3-2", "5-3-3-2")


def suit_lengths(hands: ArrayLike) -> NDArray[np.uint8]:
    """The number of cards in each suit.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of cards, any number of them but none.

    Returns
    -------
    ndarray of uint8, shape of ``hands`` + (4,)
        Clubs, diamonds, hearts, spades, as in ``STRAINS``. [cards]

    Raises
    ------
    ValueError
        If a hand is not known.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> suit_lengths(parse_hands("AKQ52.K9.Q84.K76"))
    array([3, 3, 2, 5], dtype=uint8)
    """
    return value_hands(hands, lambda part: np.stack(lengths_of(part), axis=1), np.uint8, wide=(4,), whole=False)


def shape(hands: ArrayLike) -> NDArray[np.object_]:
    """The lengths of the suits from the longest down, as ``"5-3-3-2"``.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of str objects, same shape; str for one hand
        One of 39 words.

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> shape(parse_hands(["AKQ52.K9.Q84.K76", "A2.6.J97532.AQ85"]))
    array(['5-3-3-2', '6-4-2-1'], dtype=object)
    """
    words = length_table(shape_words)
    return value_hands(hands, lambda part: by_lengths(part, words), object)


def shape_words(*lengths: Any) -> NDArray[np.object_]:
    """The words of lengths from the longest down."""
    rows = np.stack(lengths, axis=1)
    known, which = np.unique(rows, axis=0, return_inverse=True)
    words = np.array(["-".join(map(str, row)) for row in known.tolist()], object)
    return np.asarray(words[which.reshape(-1)])


def is_balanced(hands: ArrayLike) -> NDArray[np.bool_]:
    """Whether the shape is 4-3-3-3, 4-4-3-2 or 5-3-3-2, the long suit any.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.

    Returns
    -------
    ndarray of bool, same shape

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> is_balanced(parse_hands(["AKQ52.K9.Q84.K76", "AT.KT92.AT943.T2"]))
    array([ True, False])
    """
    table = length_table(_balanced)
    return value_hands(hands, lambda part: by_lengths(part, table), np.bool_)


def _balanced(*lengths: Any) -> NDArray[np.bool_]:
    return np.isin(shape_words(*lengths).astype(str), BALANCED)
