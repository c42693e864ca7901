"""The laws of scoring: one short function for each part of a score, on all cells there are.

A cell is a contract (106, ``Pass`` first), declarer's side not vulnerable or vulnerable, and a number of tricks (14):
2,968 in all. Each function takes the numbers of an edition and gives an array that broadcasts to that grid; their sum
is the table in which every score is looked up. All points are those of declarer's side. Source: Law 77, whose headings
name the parts; the source of each number stands beside it in ``editions/``.
"""

import os
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.notation import CONTRACTS, STRAINS
from bridge_analytics.rules import Edition, load_edition

AnyEdition: TypeAlias = str | os.PathLike[str] | Edition
Grid: TypeAlias = NDArray[np.int64]

SHAPE = (len(CONTRACTS), 2, 14)
"""Contract, vulnerable, tricks."""

CONTRACT: Grid
VULNERABLE: Grid
TRICKS: Grid
CONTRACT, VULNERABLE, TRICKS = np.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
BID = CONTRACT > 0  # all but Pass, whose level is 0
LEVEL = (CONTRACT + 14) // 15
STRAIN = (CONTRACT - 1) % 15 // 3
DOUBLED = (CONTRACT - 1) % 3
_NOTRUMP = STRAINS.index("NT")
RESULT = TRICKS - 6 - LEVEL
MADE = BID & (RESULT >= 0)
DOWN = np.where(BID & (RESULT < 0), -RESULT, 0)


def by_side(edition: Edition, key: str) -> Grid:
    """A pair [not vulnerable, vulnerable] of the edition, along the grid."""
    return np.array(edition[key], np.int64)[VULNERABLE]


def odd_trick(edition: Edition) -> Grid:
    """An odd trick of the strain, undoubled; at no trump each one after the first. An undoubled overtrick earns it."""
    minor, major = edition["trick_score.minor"], edition["trick_score.major"]
    _, later = edition["trick_score.notrump"]
    return np.array([minor, minor, major, major, later])[STRAIN]


def points_bid(edition: Edition) -> Grid:
    """Trick points of the contract as bid, before any double: they make it a partscore or a game."""
    first, later = edition["trick_score.notrump"]
    return LEVEL * odd_trick(edition) + np.where(BID & (STRAIN == _NOTRUMP), first - later, 0)


def trick_points(edition: Edition) -> Grid:
    """Trick points of the contract as it is played, doubled or redoubled: they decide which premium it earns."""
    times: Grid = np.array(edition["trick_score.doubled"], np.int64)[DOUBLED]
    return points_bid(edition) * times


def is_game(edition: Edition) -> NDArray[np.bool_]:
    """Whether the contract as it is played is a game."""
    return trick_points(edition) >= int(edition["trick_score.game"])


def trick_score(edition: Edition) -> Grid:
    """Trick points, if the contract is made."""
    return np.where(MADE, trick_points(edition), 0)


def overtricks(edition: Edition) -> Grid:
    """Tricks beyond the contract: the value of the trick, or what a doubled or redoubled one earns by vulnerability."""
    doubled, redoubled = by_side(edition, "overtrick.doubled"), by_side(edition, "overtrick.redoubled")
    each: Grid = np.choose(DOUBLED, [odd_trick(edition), doubled, redoubled])
    return np.where(MADE, RESULT, 0) * each


def partscore(edition: Edition) -> Grid:
    """The premium for making less than a game."""
    return np.where(MADE & ~is_game(edition), by_side(edition, "premium.partscore"), 0)


def game(edition: Edition) -> Grid:
    """The premium for making a game."""
    return np.where(MADE & is_game(edition), by_side(edition, "premium.game"), 0)


def slam(edition: Edition) -> Grid:
    """The premium for making a slam that was bid; a double does not change it."""
    small, grand = by_side(edition, "premium.small_slam"), by_side(edition, "premium.grand_slam")
    return np.where(MADE & (LEVEL == 6), small, 0) + np.where(MADE & (LEVEL == 7), grand, 0)


def insult(edition: Edition) -> Grid:
    """The premium for making a doubled or redoubled contract."""
    doubled, redoubled = by_side(edition, "premium.making_doubled"), by_side(edition, "premium.making_redoubled")
    return np.where(MADE & (DOUBLED == 1), doubled, 0) + np.where(MADE & (DOUBLED == 2), redoubled, 0)


def undertricks(edition: Edition) -> Grid:
    """What each undertrick costs: doubled (0, 1, 2) x vulnerable x the 13 undertricks there can be."""
    scales = [edition[f"undertrick.{doubled}"] for doubled in ("undoubled", "doubled", "redoubled")]
    return np.array([[(*scale, *[scale[-1]] * 13)[:13] for scale in pair] for pair in scales])


def penalty(edition: Edition) -> Grid:
    """The sum of the undertricks, negative."""
    totals = np.pad(undertricks(edition).cumsum(axis=2), ((0, 0), (0, 0), (1, 0)))
    lost: Grid = totals[DOUBLED, VULNERABLE, DOWN]
    return -lost


LAWS: tuple[Callable[[Edition], Grid], ...] = (trick_score, overtricks, partscore, game, slam, insult, penalty)
PARTS = tuple(law.__name__ for law in LAWS)
"""The parts of a score, in the order of Law 77."""


@lru_cache(maxsize=64)
def part_tables(edition: Edition) -> NDArray[np.int32]:
    """All parts of all scores: part x contract x vulnerable x tricks, read-only."""
    tables: NDArray[np.int32] = np.array([np.broadcast_to(law(edition), SHAPE) for law in LAWS], np.int32)
    tables.flags.writeable = False
    return tables


@lru_cache(maxsize=64)
def _table(edition: Edition) -> NDArray[np.int16]:
    scores = part_tables(edition).sum(axis=0)
    contract, vulnerable, tricks = np.unravel_index(np.abs(scores).argmax(), SHAPE)
    largest = int(scores[contract, vulnerable, tricks])
    if not np.iinfo(np.int16).min <= largest <= np.iinfo(np.int16).max:
        side = "vulnerable" if vulnerable else "not vulnerable"
        raise ValueError(
            f"expected scores -32768 to 32767 in edition {edition.name!r}, "
            f"got {largest} for {CONTRACTS[contract]} {side} with {tricks} tricks"
        )
    table: NDArray[np.int16] = scores.astype(np.int16)
    table.flags.writeable = False
    return table


def score_table(edition: AnyEdition = "duplicate-1987") -> NDArray[np.int16]:
    """Every score there is under an edition.

    Parameters
    ----------
    edition : str, path or Edition
        The scoring law; see :func:`editions`.

    Returns
    -------
    ndarray of int16, shape (106, 2, 14)
        By contract code, vulnerable and tricks; read-only. The cells of ``Pass`` are 0. [points]

    Raises
    ------
    ValueError
        If the edition is not one of scoring, or one of its scores does not fit int16.

    Examples
    --------
    >>> score_table("duplicate-1987")[CONTRACTS.index("3NT"), 1, 7:]
    array([-200, -100,  600,  630,  660,  690,  720], dtype=int16)
    """
    return _table(load_edition(edition, "scoring"))
