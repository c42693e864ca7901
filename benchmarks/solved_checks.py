"""Published figures found anew by dealing and solving; `long_checks.py` runs them. Double dummy takes some minutes.

What is solved is kept beside the cache of the sample data, so that a check that was stopped goes on.
"""

from pathlib import Path

import numpy as np

import bridge_analytics as ba
from bridge_analytics import double_dummy

CACHE = Path(__file__).resolve().parents[1] / "data" / ".cache" / "long_checks.parquet"

# Of deals with so many trumps in the longest suits of both sides: their share; tricks less trumps, the mean and the
# mean without sign. Ginsberg, The Bridge World, May and November 1996 (hp.vector.co.jp/authors/VA051022).
TRUMPS = {
    14: (0.1051, -0.15, 0.63),
    15: (0.1058, -0.14, 0.64),
    16: (0.2698, 0.10, 0.70),
    17: (0.2287, 0.02, 0.75),
    18: (0.1562, -0.01, 0.83),
    19: (0.0841, -0.22, 0.87),
    20: (0.0355, -0.50, 0.99),
    21: (0.0113, -0.89, 1.20),
}
# How often of 100 3NT makes when so many points face so many and the first declares, both hands flat, no eight cards in
# a major. Bower (taigabridge.net/articles/dd/hcpsplit.htm).
NOTRUMP = {(12, 12): 41, (15, 9): 40, (20, 4): 29, (13, 12): 59, (18, 7): 55, (16, 10): 75}
FLAT = ["4-3-3-3", "4-4-3-2", "5-3-3-2", "5-4-2-2", "6-3-2-2"]


def solved(deals, strains, declarers="NESW"):
    CACHE.parent.mkdir(exist_ok=True)
    return double_dummy.tricks(deals, strains=strains, declarers=declarers, cache=CACHE).astype(int)


def total_tricks_are_total_trumps_as_published():
    """2,000 deals; of suits that are equally long the highest; of two partners the one who takes more tricks.

    Shares and means may be four standard errors off.
    """
    deals = ba.random_deals(2_000, seed=29)
    lengths, tricks = ba.suit_lengths(deals).astype(int), solved(deals, "CDHS")
    trumps, over = np.zeros((2, len(deals)), int)
    for side in (0, 1):
        both = lengths[:, side] + lengths[:, side + 2]
        suit = 3 - both[:, ::-1].argmax(axis=1)
        trumps += both.max(axis=1)
        over += tricks[np.arange(len(deals)), suit][:, [side, side + 2]].max(axis=1) - both.max(axis=1)
    off = []
    for total, (share, mean, size) in TRUMPS.items():
        found = over[trumps == total]
        off.append((len(found) / len(deals) - share) / np.sqrt(share * (1 - share) / len(deals)))
        for values, published in ((found, mean), (abs(found), size)):
            off.append((values.mean() - published) / (values.std(ddof=1) / np.sqrt(len(values))))
    worst = max(map(abs, off))
    return bool(worst <= 4), f"{len(off)} figures, the farthest {worst:.1f} standard errors off"


def no_major(deals):
    """Whether North and South have no eight cards in a major."""
    lengths = ba.suit_lengths(deals[:, [0, 2]]).astype(int).sum(axis=1)
    return (lengths[:, 2:] < 8).all(axis=1)


def three_notrump_makes_as_often_as_published():
    """1,000 deals for each of six pairs of points; a figure is whole, and may be three standard errors off besides."""
    holds, seen = True, []
    for (own, other), published in NOTRUMP.items():
        hands = {seat: {"points": (points, points), "shape": FLAT} for seat, points in (("S", own), ("N", other))}
        made = solved(ba.random_deals(1_000, seed=28, hands=hands, where=no_major), ["NT"], "S").reshape(-1) >= 9
        holds &= bool(abs(100 * made.mean() - published) <= 1 + 300 * made.std() / np.sqrt(made.size))
        seen.append(f"{own}+{other}: {100 * made.mean():.1f} ({published})")
    return holds, ", ".join(seen)
