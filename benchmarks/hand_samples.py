"""Seeded hands, deals and double-dummy tables to measure on."""

from functools import cache

import numpy as np
from samples import Sample

import bridge_analytics as ba


@cache
def hands(rows: int) -> Sample:
    """The hands of random deals."""
    return {"hands": ba.random_deals(-(-rows // 4), seed=5).reshape(-1)[:rows]}


@cache
def deals(rows: int) -> Sample:
    """Random deals."""
    return {"deals": ba.random_deals(rows, seed=6)}


@cache
def tables(rows: int) -> Sample:
    """Tables like those of random deals, with dealers and vulnerabilities.

    The strains of a side go together (.4); what both sides take adds up to 13 in 13 of 20 cases, to 14 in one of 1,000,
    else to less; partners differ in one of 14.
    """
    draw = np.random.default_rng(7)
    ours = np.rint(draw.normal(6.4, 1.75, (rows, 1)) + draw.normal(0, 2.15, (rows, 5))).clip(0, 13)
    fewer = draw.choice([-1, 0, 1, 2], (rows, 5), p=[0.001, 0.65, 0.28, 0.069])
    best = np.stack([ours, (13 - ours - fewer).clip(0, 13)], axis=-1)[:, :, None, :].repeat(2, axis=2)
    best[:, :, 1] -= draw.random((rows, 5, 2)) < 0.07
    tricks = best.clip(0, 13).astype(np.int8).reshape(rows, 5, 4)
    dealer, vul = draw.integers(0, 4, (2, rows), np.uint8)
    return {"tricks": tricks, "dealer": dealer, "vul": vul}
