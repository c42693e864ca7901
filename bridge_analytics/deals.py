"""Random deals: every one of the 5.4e28 equally likely, or every one that meets conditions; the same from a seed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.cards import Hands, parse_hands
from bridge_analytics.conditions import Condition, hand_drawer, hands_meeting, meets, points_beside, read_condition
from bridge_analytics.notation import SEATS

_CHUNK = 1 << 11  # deals at a time: what is in work stays near 1 MB
_CARD = np.uint32(63)  # the low bits of a key name its card, the rest is random
_FREE = np.uint32(1 << 31)  # the high bit of a key, where some cards are dealt already: these come first
_PACK = 40  # high-card points of a pack
_PATIENCE = 1_000_000  # deals one after the other that do not meet the conditions

Where = Callable[[NDArray[np.uint64]], Any]


def random_deals(
    n: int,
    *,
    seed: int,
    hands: Mapping[str, Mapping[str, Any]] | None = None,
    where: Where | None = None,
    predeal: Mapping[str, str] | None = None,
) -> Hands:
    """Deals drawn at random, each as likely as any other that meets the conditions.

    Parameters
    ----------
    n : int
        How many. [deals]
    seed : int
        Where the stream of random numbers begins, 0 or more. The same seed gives the same deals on every machine
        and with every version of numpy; a larger ``n`` adds deals behind them.
    hands : mapping from seat to conditions, optional
        ``{"N": {"points": (15, 17), "shape": "balanced"}}``: the least and the most high-card points, and a shape such
        as ``"5-3-3-2"``, ``"balanced"``, or a list of these.
    where : function of deals, optional
        Takes deals of shape (m, 4) and gives m booleans: which to keep.
    predeal : mapping from seat to cards, optional
        Cards ``S.H.D.C`` that a seat holds, up to 13; the rest is dealt.

    Returns
    -------
    ndarray of uint64, shape (n, 4)
        The hands of North, East, South, West, as :mod:`bridge_analytics.cards` lays them out.

    Raises
    ------
    ValueError
        If ``n`` or ``seed`` is not a whole number, or is negative; if a condition cannot be read or met, or a million
        deals running do not meet them all; if a card is dealt before to two seats, or more than 13 to one.

    Notes
    -----
    Each card of a pack gets a random key of 26 bits; the 13 lowest keys are North's cards, the next 13 East's, and
    so on. Distinct keys fall in any order equally often, so a pack with two equal keys (2 in 100,000) is thrown away
    whole and the next one taken: no deal is favoured. The bits are those of numpy's PCG64, whose raw stream is
    fixed by numpy's compatibility policy (NEP 19).

    The conditions on one hand, the rarest, are not waited for: a hand that meets them is drawn, each equally likely,
    and the rest dealt. What is asked besides, and all of it where cards are dealt before, is tried until it comes.

    Examples
    --------
    >>> from bridge_analytics.cards import format_deals
    >>> format_deals(random_deals(2, seed=1))[0]
    'N:K953.K964.87.T76 62.JT752.A43.AKJ AJ874.A.QT65.432 QT.Q83.KJ92.Q985'
    >>> notrump = random_deals(3, seed=1, hands={"N": {"points": (15, 17), "shape": "balanced"}})
    >>> format_deals(random_deals(1, seed=1, predeal={"S": "AKQJT98765432..."}))[0].split()[2]
    'AKQJT98765432...'
    """
    for name, number in (("a number of deals", n), ("a seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
            raise ValueError(f"expected {name} as a whole number from 0, got {number!r}")
    stream = np.random.PCG64(int(seed))
    conditions = {_seat(word): read_condition(asked) for word, asked in (hands or {}).items()}
    held = {_seat(word): np.uint64(parse_hands(cards)) for word, cards in (predeal or {}).items()}
    deals = np.empty((int(n), 4), np.uint64)
    dealt = refused = 0
    free = not (conditions or held or where)
    fresh = _any_deals(stream, int(n)) if free else _dealt(stream, conditions, held)
    while dealt < n:
        drawn = next(fresh)
        kept = drawn if free else drawn[_accepted(drawn, conditions, where)][: int(n) - dealt]
        deals[dealt : dealt + len(kept)] = kept
        dealt += len(kept)
        refused = 0 if len(kept) else refused + len(drawn)
        if refused >= _PATIENCE:
            raise ValueError(f"expected deals that meet the conditions, got none among the last {refused:,} dealt")
    return deals


def _seat(word: str) -> int:
    if word not in SEATS:
        raise ValueError(f"expected a seat N E S W, got {word!r}")
    return SEATS.index(word)


def _accepted(deals: Hands, conditions: Mapping[int, Condition], where: Where | None) -> NDArray[np.bool_]:
    """Which deals meet all conditions; ``where`` is asked about those only that meet the others."""
    fine = np.ones(len(deals), np.bool_)
    for seat, condition in conditions.items():
        fine &= meets(deals[:, seat], condition)
    if where is not None:
        kept = np.asarray(where(deals[fine]))
        if kept.shape != (int(fine.sum()),) or kept.dtype != np.bool_:
            raise ValueError(
                f"expected one boolean a deal from where, got {kept.dtype} of shape {kept.shape} for {int(fine.sum())}"
            )
        fine[fine] = kept
    return fine


def _dealt(
    stream: np.random.PCG64, conditions: Mapping[int, Condition], held: Mapping[int, np.uint64]
) -> Iterator[Hands]:
    """Deals in which cards are dealt before, or else the hand with the rarest conditions is drawn to meet them."""
    for seat, condition in conditions.items():
        if not hands_meeting(condition):
            raise ValueError(f"expected conditions on {SEATS[seat]} that a hand can meet, got none that does")
    before = np.zeros((_CHUNK, 4), np.uint64)
    draw = None
    if held:
        _check_held(held)
    _check_points(conditions, held)
    if held:
        before[:, list(held)] = list(held.values())
    elif conditions:
        rarest = min(conditions, key=lambda seat: hands_meeting(conditions[seat]))
        draw = hand_drawer(conditions[rarest])
    while True:
        if draw is not None:
            before[:, rarest] = draw(stream, _CHUNK)
        yield _around(stream, before)


def _check_held(held: Mapping[int, np.uint64]) -> None:
    seen = np.uint64(0)
    for seat, cards in held.items():
        if np.bitwise_count(cards) > 13:
            raise ValueError(f"expected at most 13 cards dealt before to {SEATS[seat]}, got {np.bitwise_count(cards)}")
        if seen & cards:
            raise ValueError(f"expected no card dealt before to two seats, got one of {SEATS[seat]} that another holds")
        seen |= cards


def _check_points(conditions: Mapping[int, Condition], held: Mapping[int, np.uint64]) -> None:
    """Refuse what no deal meets: a hand that cannot hold the cards dealt before, hands without 40 points together."""
    anything, least, most = read_condition({}), 0, 0
    for seat in range(len(SEATS)):
        low, high = points_beside(held.get(seat, np.uint64(0)), conditions.get(seat, anything))
        if low > high:
            raise ValueError(f"expected conditions on {SEATS[seat]} that its cards dealt before allow, got others")
        least, most = least + low, most + high
    if not least <= _PACK <= most:
        raise ValueError(f"expected conditions on points that share out {_PACK}, got {least} at least, {most} at most")


def _any_deals(stream: np.random.PCG64, n: int) -> Iterator[Hands]:
    """Deals without conditions, not many more than are needed."""
    while True:
        keys = _shuffled(stream, min(_CHUNK, n))
        fresh = np.delete(keys, _tied(keys), axis=0)
        n = max(n - len(fresh), 1)
        yield _cards(fresh.reshape(-1, 4, 13))


def _around(stream: np.random.PCG64, before: Hands) -> Hands:
    """Deals in which the seats hold what they held before, in each deal equally many, and the rest at random."""
    keys = _shuffled(stream, len(before), np.bitwise_or.reduce(before, axis=1))
    tied = _tied(keys)
    keys, deals = np.delete(keys, tied, axis=0), np.delete(before, tied, axis=0)
    sizes = np.bitwise_count(before[0]).astype(int)
    ends = sizes.sum() + np.cumsum(13 - sizes)
    for seat, end in enumerate(ends):
        deals[:, seat] |= _cards(keys[:, end - 13 + sizes[seat] : end])
    return deals


def _shuffled(stream: np.random.PCG64, n: int, taken: Hands | None = None) -> NDArray[np.uint32]:
    """Keys of 52 cards in rising order, the card in the low bits; cards taken come before all others."""
    keys = stream.random_raw(26 * n).astype("<u8", copy=False).view("<u4").reshape(n, 52)
    keys &= ~_CARD
    keys |= np.arange(52, dtype=np.uint32)
    if taken is not None:
        keys |= _FREE
        keys ^= (taken[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(np.uint32) << np.uint32(31)
    keys.sort(axis=1)
    return keys


def _tied(keys: NDArray[np.uint32]) -> NDArray[np.intp]:
    """The packs with equal keys."""
    flat = keys.reshape(-1)
    equal = np.flatnonzero((flat[1:] ^ flat[:-1]) <= _CARD)
    return np.asarray(equal[equal % 52 != 51] // 52)  # the last key of one pack and the first of the next may be equal


def _cards(keys: NDArray[np.uint32]) -> Hands:
    """The sets of the cards of keys along the last axis."""
    cards = np.moveaxis((keys & _CARD).astype(np.uint8), 0, -1)  # many short rows as a few long ones
    hands: Hands = np.bitwise_or.reduce(np.uint64(1) << np.ascontiguousarray(cards), axis=-2)
    return np.moveaxis(hands, -1, 0)
