"""Random deals: every one of the 5.4e28 equally likely, the same from the same seed everywhere."""

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 11  # deals at a time: what is in work stays near 1 MB
_CARD = np.uint32(63)  # the low bits of a key name its card, the rest is random


def random_deals(n: int, *, seed: int) -> NDArray[np.uint64]:
    """Deals drawn at random, each as likely as any other.

    Parameters
    ----------
    n : int
        How many. [deals]
    seed : int
        Where the stream of random numbers begins, 0 or more. The same seed gives the same deals on every machine
        and with every version of numpy; a larger ``n`` adds deals behind them.

    Returns
    -------
    ndarray of uint64, shape (n, 4)
        The hands of North, East, South, West, as :mod:`bridge_analytics.cards` lays them out.

    Raises
    ------
    ValueError
        If ``n`` or ``seed`` is not a whole number, or is negative.

    Notes
    -----
    Each card of a pack gets a random key of 26 bits; the 13 lowest keys are North's cards, the next 13 East's, and
    so on. Distinct keys fall in any order equally often, so a pack with two equal keys (2 in 100,000) is thrown away
    whole and the next one taken: no deal is favoured. The bits are those of numpy's PCG64, whose raw stream is
    fixed by numpy's compatibility policy (NEP 19).

    Examples
    --------
    >>> from bridge_analytics.cards import format_deals
    >>> format_deals(random_deals(2, seed=1))[0]
    'N:K953.K964.87.T76 62.JT752.A43.AKJ AJ874.A.QT65.432 QT.Q83.KJ92.Q985'
    """
    for name, number in (("a number of deals", n), ("a seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
            raise ValueError(f"expected {name} as a whole number from 0, got {number!r}")
    stream = np.random.PCG64(int(seed))
    deals = np.empty((int(n), 4), np.uint64)
    dealt = 0
    while dealt < n:
        fresh = _deal(_packs(stream, min(_CHUNK, int(n) - dealt)))
        deals[dealt : dealt + len(fresh)] = fresh
        dealt += len(fresh)
    return deals


def _packs(stream: np.random.PCG64, n: int) -> NDArray[np.uint32]:
    """Keys of 52 cards in rising order, the card in the low bits; packs with equal keys left out."""
    keys = stream.random_raw(26 * n).astype("<u8", copy=False).view("<u4").reshape(n, 52)
    keys &= ~_CARD
    keys |= np.arange(52, dtype=np.uint32)
    keys.sort(axis=1)
    flat = keys.reshape(-1)
    equal = np.flatnonzero((flat[1:] ^ flat[:-1]) <= _CARD)
    equal = equal[equal % 52 != 51]  # the last key of one pack and the first of the next may be equal
    return np.delete(keys, equal // 52, axis=0) if equal.size else keys


def _deal(packs: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """The hands of shuffled packs: 13 cards to each seat."""
    cards = (packs & _CARD).astype(np.uint8).T.reshape(4, 13, len(packs))
    hands: NDArray[np.uint64] = np.bitwise_or.reduce(np.uint64(1) << cards, axis=1)
    return hands.T
