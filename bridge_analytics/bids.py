"""Bids beside one another: what each of the 35 scores with each number of tricks, as ranks made once for an edition.

Par asks only which of two scores is better, so it compares ranks. A *claim* is a rank with the bid in its low bits,
such that of equal scores the one bid first stays; the claims of the other side are the negatives. A *lane* has the
seven levels of a strain, and an eighth place that never counts.
"""

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.laws import score_table
from bridge_analytics.rules import Edition

Ranks: TypeAlias = NDArray[np.signedinteger[Any]]

BIDS = 35  # levels times strains, from 1C up
WIDE = 128  # claims of one rank to the next
FIRST = 29  # what the claim of the lowest bid is below its rank: bids keep to the middle between two ranks
_LEVELS, _STRAINS, _PAIRS = 7, 5, 256


@lru_cache(maxsize=32)
def ranked_scores(edition: Edition) -> tuple[NDArray[np.int32], Ranks]:
    """All scores of bids and their negatives in order, 0 in the middle; where in it, from there, each bid stands.

    Bids that fail are doubled. Shape of the second: bids, not vulnerable or vulnerable, tricks 0-13.
    """
    table = score_table(edition)[1:].reshape(BIDS, 3, 2, 14).astype(np.int32)
    made = np.arange(14) >= 7 + np.arange(BIDS)[:, None, None] // _STRAINS
    scores = np.where(made, table[:, 0], table[:, 1])
    scale = np.unique([-scores, np.zeros_like(scores), scores])
    ranks = np.searchsorted(scale, scores) - scale.size // 2
    scale.flags.writeable = ranks.flags.writeable = False
    return scale, ranks


@lru_cache(maxsize=32)
def claims(edition: Edition) -> Ranks:
    """The claim of each bid by vulnerability and tricks, of the least type that holds them."""
    scale, ranks = ranked_scores(edition)
    kind = np.min_scalar_type(-WIDE * (scale.size // 2 + 1))
    table: Ranks = (WIDE * ranks - FIRST - np.arange(BIDS)[:, None, None]).astype(kind)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=32)
def lanes(edition: Edition) -> tuple[Ranks, Ranks, Ranks]:
    """Lanes by strain and :func:`pairs` with vulnerability: claims of North-South, of East-West; ranks of each side."""
    scale, ranks = ranked_scores(edition)
    bids = np.stack([_lanes_of(claims(edition), side) for side in range(2)])
    bids[..., _LEVELS] = -np.iinfo(bids.dtype).max
    worth = np.stack([_lanes_of(ranks, side) for side in range(2)])
    worth[..., _LEVELS] = low = -scale.size // 2 - 1
    tables = bids[0], -bids[1], np.concatenate(worth, axis=1).astype(np.min_scalar_type(low))
    for each in tables:
        each.flags.writeable = False
    return tables


def _lanes_of(table: Ranks, side: int) -> Ranks:
    """A table of bids as lanes of one side: shape strains, vulnerabilities times pairs, 8."""
    vul, pair = np.divmod(np.arange(4 * _PAIRS), _PAIRS)
    won = np.minimum(pair >> 4 * side & 15, 13)
    out = np.zeros((_STRAINS, vul.size, _LEVELS + 1), table.dtype)
    out[..., :_LEVELS] = np.moveaxis(table[:, vul >> side & 1, won].reshape(_LEVELS, _STRAINS, -1), 0, -1)
    return out


@lru_cache(maxsize=32)
def partners(edition: Edition) -> NDArray[np.bool_]:
    """Which of two partners score best, the one earlier in the auction first, and always one where there is no bid.

    Shape: levels and one more, eight strains, not vulnerable or vulnerable, N or E before S or W or after, pairs of
    one side, 2.
    """
    _, ranks = ranked_scores(edition)
    won = np.minimum(np.arange(_PAIRS)[:, None] >> np.array([0, 4]) & 15, 13)
    scored = ranks[..., won].reshape(_LEVELS, _STRAINS, 2, _PAIRS, 2)
    best = scored == scored.max(axis=-1, keepdims=True)
    out = np.zeros((_LEVELS + 1, 8, 2, 2, _PAIRS, 2), np.bool_)
    out[:_LEVELS, :_STRAINS] = np.stack([best, best[..., ::-1]], axis=3)
    out[_LEVELS, ..., 0] = True
    out.flags.writeable = False
    return out


@lru_cache(maxsize=32)
def most_in_order(edition: Edition) -> int:
    """The most tricks of two sides in one strain with which, at any bid, not both can better the same score.

    Then it does not matter who could bid first, nor which of two partners, since more tricks never score less.
    """
    _, ranks = ranked_scores(edition)
    both = (ranks[:, :, None, :, None] + ranks[:, None, :, None, :] > 0).any(axis=(0, 1, 2))
    total = np.add.outer(np.arange(14), np.arange(14))
    return int(total[both].min(initial=27)) - 1


@lru_cache(maxsize=1)
def pairs() -> NDArray[np.intp]:
    """The most of N and S, and 16 times that of E and W, by the tricks of N, S, E, W, four bits each."""
    place = np.arange(1 << 16)
    north, south, east, west = (place >> shift & 15 for shift in (0, 4, 8, 12))
    table: NDArray[np.intp] = np.maximum(north, south) + 16 * np.maximum(east, west)
    table.flags.writeable = False
    return table
