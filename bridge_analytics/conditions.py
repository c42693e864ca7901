"""Conditions on the points and the shape of one hand: which hands meet them, how many there are, one at random.

How many holdings of a suit have so many cards and so many points is counted once; from that follows how many hands have
each combination of lengths and points, and so the odds of each. A hand is drawn in steps whose odds multiply to those
of the hand: lengths and points in all, the points of two suits and two, of each suit, a holding.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.holdings import HOLDINGS, LENGTH
from bridge_analytics.kinds import nearest
from bridge_analytics.points import hcp
from bridge_analytics.shapes import BALANCED, shape_words
from bridge_analytics.valuing import Sets, by_lengths, length_table

Condition: TypeAlias = tuple[NDArray[np.bool_], int, int]
"""Which lengths are wanted, as in :func:`length_table`; the least and the most points."""
Counts: TypeAlias = NDArray[np.int64]

_MOST = 37  # high-card points of a hand: AKQJ AKQ AKQ AKQ
_KEYS = ("points", "shape")


def read_condition(asked: Mapping[str, Any]) -> Condition:
    """A condition from words: ``points`` as (least, most), ``shape`` as ``"balanced"``, a shape or several."""
    if not isinstance(asked, Mapping):
        raise ValueError(f"expected conditions such as {{'points': (15, 17), 'shape': 'balanced'}}, got {asked!r}")
    if unknown := [key for key in asked if key not in _KEYS]:
        raise ValueError(f"expected conditions on points and shape ({nearest(unknown[0], _KEYS)}), got {unknown[0]!r}")
    low, high = _read_points(asked.get("points", (0, _MOST)))
    return _read_shapes(asked.get("shape")), low, high


def _read_points(points: Any) -> tuple[int, int]:
    try:
        low, high = points
        fine = all(isinstance(one, int | np.integer) and not isinstance(one, bool) for one in (low, high))
    except (TypeError, ValueError):
        fine = False
    if not fine or not 0 <= low <= high:
        raise ValueError(f"expected points as two whole numbers, least and most, got {points!r}")
    return int(low), min(int(high), _MOST)


def _read_shapes(asked: str | Iterable[str] | None) -> NDArray[np.bool_]:
    words = length_table(shape_words)
    if asked is None:
        return np.ones(words.size, np.bool_)
    wanted = [asked] if isinstance(asked, str) else list(asked)
    known = {"balanced": BALANCED, **{word: (word,) for word in sorted(set(words[is_hand()]))}}
    if unknown := [word for word in wanted if word not in known]:
        raise ValueError(f"expected a shape ({nearest(str(unknown[0]), known)}), got {unknown[0]!r}")
    return np.isin(words.astype(str), [shape for word in wanted for shape in known[word]])


@cache
def is_hand() -> NDArray[np.bool_]:
    """Which of all lengths of clubs, diamonds and hearts leave a number of spades."""
    return np.asarray(np.indices((14, 14, 14)).sum(axis=0).reshape(-1) <= 13)


def meets(hands: Sets, condition: Condition) -> NDArray[np.bool_]:
    """Which hands of 13 cards meet a condition."""
    lengths, low, high = condition
    points = hcp(hands)
    return np.asarray((points >= low) & (points <= high) & by_lengths(hands, lengths))


def points_beside(cards: np.uint64, condition: Condition) -> tuple[int, int]:
    """The least and the most points of a hand that meets a condition and holds these cards; least above most: none."""
    lengths, low, high = condition
    clubs, diamonds, hearts = np.unravel_index(np.flatnonzero(lengths & is_hand()), (14, 14, 14))
    four = (clubs, diamonds, hearts, 13 - clubs - diamonds - hearts)
    held = np.bitwise_count(cards >> (13 * np.arange(4, dtype=np.uint64)) & np.uint64(HOLDINGS - 1))
    fits = np.logical_and.reduce([suit >= least for suit, least in zip(four, held, strict=True)]).any()
    worth = int(hcp(cards)) if cards else 0
    return (max(low, worth), high) if fits else (_MOST + 1, 0)


@cache
def _holdings_of() -> tuple[Counts, Counts, Counts]:
    """Holdings by length and points: how many there are, where they begin in the list, the list."""
    points = np.append(0, hcp(np.arange(1, HOLDINGS))).astype(np.int64)
    group = LENGTH.astype(np.int64) * 11 + points
    count = np.bincount(group, minlength=14 * 11)
    return count.reshape(14, 11), (np.cumsum(count) - count).reshape(14, 11), np.argsort(group, kind="stable")


@cache
def _two_suits() -> Counts:
    """How many pairs of holdings have given lengths and so many points together: shape (14, 14, 21)."""
    one, _, _ = _holdings_of()
    pairs = np.zeros((14, 14, 21), np.int64)
    for points in range(11):
        pairs[:, :, points : points + 11] += one[:, None, points, None] * one[None, :, :]
    return pairs


def _all_hands(condition: Condition) -> tuple[NDArray[np.intp], Counts]:
    """The lengths wanted, and how many hands have each with each number of points wanted."""
    lengths, low, high = condition
    clubs, diamonds, hearts = np.unravel_index(np.flatnonzero(lengths & is_hand()), (14, 14, 14))
    four = np.stack([clubs, diamonds, hearts, 13 - clubs - diamonds - hearts])
    minors, majors = _two_suits()[four[0], four[1]], _two_suits()[four[2], four[3]]
    hands = np.zeros((four.shape[1], 41), np.int64)
    for points in range(21):
        hands[:, points : points + 21] += minors[:, points, None] * majors
    return four, hands[:, low : high + 1]


def hands_meeting(condition: Condition) -> int:
    """How many of the 635,013,559,600 hands meet a condition."""
    return int(_all_hands(condition)[1].sum())


def hand_drawer(condition: Condition) -> Callable[[np.random.PCG64, int], Sets]:
    """A function that draws so many hands that meet a condition, each of them equally likely."""
    four, counts = _all_hands(condition)
    up_to = np.cumsum(counts)
    one, begins, listed = _holdings_of()
    two = _two_suits()

    def draw(stream: np.random.PCG64, n: int) -> Sets:
        which = np.searchsorted(up_to, below(stream, np.full(n, up_to[-1])), side="right")
        clubs, diamonds, hearts, spades = four[:, which // counts.shape[1]]
        points = condition[1] + which % counts.shape[1]
        minors = _share(stream, two[clubs, diamonds], two[hearts, spades], points)
        hands = np.zeros(n, np.uint64)
        for suit, length, other, both in ((0, clubs, diamonds, minors), (2, hearts, spades, points - minors)):
            first = _share(stream, one[length], one[other], both)
            for place, cards, worth in ((suit, length, first), (suit + 1, other, both - first)):
                holding = listed[begins[cards, worth] + below(stream, one[cards, worth])]
                hands |= holding.astype(np.uint64) << np.uint64(13 * place)
        return hands

    return draw


def _share(stream: np.random.PCG64, first: Counts, second: Counts, total: Counts) -> Counts:
    """How many of the points in all the first has, by how many ways there are for first and second; row by row."""
    mine = np.arange(first.shape[1])
    theirs = total[:, None] - mine
    possible = (theirs >= 0) & (theirs < second.shape[1])
    ways = first * possible * np.take_along_axis(second, np.where(possible, theirs, 0), axis=1)
    up_to = np.cumsum(ways, axis=1)
    return np.asarray((up_to <= below(stream, up_to[:, -1])[:, None]).sum(axis=1))


def below(stream: np.random.PCG64, high: Counts) -> Counts:
    """Whole numbers from 0 to below each of ``high``, all equally likely: 64 bits, drawn anew where unfair."""
    limit = high.astype(np.uint64)
    number = stream.random_raw(high.size)
    rest = number % limit
    unfair = np.flatnonzero(number - rest > np.uint64(2**64 - 1) - (limit - np.uint64(1)))
    if unfair.size:
        rest[unfair] = below(stream, high[unfair]).astype(np.uint64)
    return rest.astype(np.int64)
