"""Holdings in a suit: each published valuation as one short function, on all 8,192 holdings there are.

A holding is a set of the 13 cards of a suit, the deuce its lowest bit and the ace its highest, as
:mod:`bridge_analytics.cards` lays them out. Each function gives an array with one number for each holding; a hand is
valued by looking up its four suits and adding. What an edition may change (points, distribution) is not here, but in
:mod:`bridge_analytics.points`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Has: TypeAlias = NDArray[np.bool_]
Whole: TypeAlias = NDArray[np.int16]

HOLDINGS = 1 << 13
_HOLDING: Whole = np.arange(HOLDINGS, dtype=np.int16)

ACE, KING, QUEEN, JACK, TEN, NINE, EIGHT = ((_HOLDING >> rank & 1).astype(np.bool_) for rank in range(12, 5, -1))
LENGTH: Whole = np.bitwise_count(_HOLDING).astype(np.int16)
VOID, SINGLETON, DOUBLETON = (np.equal(LENGTH, length) for length in range(3))


def number_of(*cards: Has) -> Whole:
    """How many of the cards a holding has."""
    return np.asarray(np.sum(cards, axis=0, dtype=np.int16))


def controls() -> Whole:
    """Two for the ace, one for the king."""
    return 2 * ACE + number_of(KING)


def quick_tricks() -> NDArray[np.float64]:
    """AK 2, AQ 1½, A 1, KQ 1, Kx ½; a king alone, and anything lower, none."""
    conditions: list[Has] = [ACE & KING, ACE & QUEEN, ACE, KING & QUEEN, KING & (LENGTH >= 2)]
    return np.select(conditions, np.array([2.0, 1.5, 1.0, 1.0, 0.5]), 0.0)


def losers() -> Whole:
    """One for each of ace, king and queen missing among the first three cards."""
    return number_of(~ACE & (LENGTH >= 1), ~KING & (LENGTH >= 2), ~QUEEN & (LENGTH >= 3))


def new_losers() -> NDArray[np.float64]:
    """As the losers, but 1½ for a missing ace, 1 for a missing king, ½ for a missing queen."""
    return np.asarray(1.5 * (~ACE & (LENGTH >= 1)) + 1.0 * (~KING & (LENGTH >= 2)) + 0.5 * (~QUEEN & (LENGTH >= 3)))


def kaplan_rubens() -> Whole:
    """The points of a suit in twentieths: its quality, its honours and its shortness."""
    shortness = 60 * VOID + 40 * SINGLETON + 20 * DOUBLETON
    return np.asarray(_quality_in_twentieths() + _honours_in_twentieths() + shortness, np.int16)


def _quality_in_twentieths() -> Whole:
    """A tenth of the length times what the honours, the body and the length itself are worth; here in halves first."""
    short, medium = (LENGTH >= 2) & (LENGTH <= 6), (LENGTH >= 4) & (LENGTH <= 6)
    honours = number_of(ACE, KING, QUEEN, JACK)
    halves = 8 * ACE + 6 * KING + 4 * QUEEN + 2 * JACK + number_of(TEN)
    halves += short & TEN & (JACK | (honours >= 2))
    halves += short & NINE & (EIGHT | TEN | (honours + TEN == 2))
    halves += medium & NINE & ~(EIGHT | TEN) & (honours == 3)
    halves += 2 * number_of((LENGTH >= 7) & ~(QUEEN & JACK), (LENGTH >= 8) & ~QUEEN, (LENGTH >= 9) & ~QUEEN & ~JACK)
    return np.asarray(halves * LENGTH)  # halves times a tenth are twentieths


def _honours_in_twentieths() -> Whole:
    """What each honour adds for the company it is in."""
    king = np.where(SINGLETON, 10, 40)
    queen = np.select([LENGTH >= 3, LENGTH == 2], [np.where(ACE | KING, 20, 15), np.where(ACE | KING, 10, 5)], 0)
    above_jack = number_of(ACE, KING, QUEEN)
    jack = np.select([above_jack == 2, above_jack == 1], [10, 5], 0)
    above_ten = above_jack + JACK
    ten = np.where((above_ten == 2) | ((above_ten == 1) & NINE), 5, 0)
    return np.asarray(60 * ACE + king * KING + queen * QUEEN + jack * JACK + ten * TEN, np.int16)


def suit_quality() -> Whole:
    """Cards and honours together; the jack and the ten are honours only below a higher one."""
    top = number_of(ACE, KING, QUEEN)
    honours: Whole = top + np.where(top > 0, number_of(JACK, TEN), 0).astype(np.int16)
    return np.asarray(LENGTH + honours)


def stoppers() -> NDArray[np.float64]:
    """One for A, Kx, QJx or JTxx, half of one for Qx or Jxx, else none."""
    whole = ACE | (KING & (LENGTH >= 2)) | (QUEEN & JACK & (LENGTH >= 3)) | (JACK & TEN & (LENGTH >= 4))
    half = (QUEEN & (LENGTH >= 2)) | (JACK & (LENGTH >= 3))
    return np.select([whole, half], np.array([1.0, 0.5]), 0.0)


@cache
def holding_table(valuation: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """One of the valuations above, made once; read-only."""
    table = valuation()
    table.flags.writeable = False
    return table
