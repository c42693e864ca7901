"""Tricks counted from the cards, in the order in which they were played."""

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.card_text import RANKS, SUITS

NO_CARD = -1
_CODE = np.full((256, 256), NO_CARD, np.int8)
for _suit, _letter in enumerate(SUITS):
    for _rank, _figure in enumerate(RANKS):
        for _spelling in (_letter, _letter.lower()):
            _CODE[ord(_spelling), [ord(_figure), ord(_figure.lower())]] = 13 * _suit + _rank
_PACK = np.uint64((1 << 52) - 1)


def card_codes(plays: list[str]) -> NDArray[np.int8]:
    """The cards of plays of one length, two letters a card: ``13 * suit + rank``, clubs and twos first.

    Parameters
    ----------
    plays : list of str
        ``"H5H3H9HT"`` ..., all of the same even length.

    Returns
    -------
    ndarray of int8, shape (plays, cards)
        :data:`NO_CARD` where two letters are no card.

    Examples
    --------
    >>> card_codes(["C2sA", "HT??"]).tolist()
    [[0, 51], [34, -1]]
    """
    letters = np.frombuffer("".join(plays).encode("ascii", "replace"), np.uint8).reshape(len(plays), -1, 2)
    return _CODE[letters[..., 0], letters[..., 1]]


def count_tricks(
    cards: NDArray[np.int8], trumps: NDArray[np.integer], declarer: NDArray[np.integer], deals: NDArray[np.uint64]
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Tricks won by declarer's side when all 52 cards were played.

    Parameters
    ----------
    cards : ndarray of int8, shape (n, 52)
        Codes as :func:`card_codes` gives them, in the order of play.
    trumps : ndarray of int, shape (n,)
        The strain of the contract: 0-3 C D H S, 4 no trump.
    declarer : ndarray of int, shape (n,)
        His seat, 0-3.
    deals : ndarray of uint64, shape (n, 4)
        The hands of North, East, South, West; one that is not known is empty.

    Returns
    -------
    tricks : ndarray of int8, shape (n,)
        0-13; of no meaning where the play is not sound. [tricks]
    sound : ndarray of bool, shape (n,)
        Whether every card of the pack was played once and, as far as the hands are known, by who held it, in turn.

    Notes
    -----
    The hand to the left of declarer leads, then who won the trick before. The highest trump wins, without one the
    highest card of the suit led. Source: Laws 41A and 44.
    """
    count = np.zeros(len(cards), np.int8)
    played = np.bitwise_or.reduce(np.uint64(1) << np.maximum(cards, 0).astype(np.uint64), axis=1)
    sound = (cards != NO_CARD).all(axis=1) & (played == _PACK)
    row, leader = np.arange(len(cards)), (declarer + 1) % 4
    for first in range(0, 52, 4):
        trick = cards[:, first : first + 4]
        suit, rank = trick // 13, trick % 13
        winner = (rank + 13 * (suit == suit[:, :1]) + 26 * (suit == trumps[:, None])).argmax(axis=1)
        for place in range(4):
            hand = deals[row, (leader + place) % 4]
            held = hand >> np.maximum(trick[:, place], 0).astype(np.uint64) & np.uint64(1)
            sound &= (hand == 0) | (held == 1)
        leader = (leader + winner) % 4
        count += (leader - declarer) % 2 == 0
    return count, sound
