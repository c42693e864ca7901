"""Who competes: a pair by its number, by its side and number, or by its players; or each player.

A number means different things in different movements. In a Mitchell NS 5 and EW 5 are two pairs; in a Howell, or where
an arrow is switched, pair 5 sits North-South on some boards and East-West on others. The rows show which, or are asked.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes

SEATS_OF: Mapping[str, tuple[tuple[tuple[str, ...], int], ...]] = MappingProxyType(
    {
        "pairs": ((("ns",), 0), (("ew",), 1)),
        "partnerships": ((("north", "south"), 0), (("east", "west"), 1)),
        "players": ((("north",), 0), (("south",), 0), (("east",), 1), (("west",), 1)),
    }
)
"""The columns that name each contestant of a row, and the side it sits on: 0 North-South, 1 East-West."""

_PLAYERS = ("north", "east", "south", "west")

Codes = NDArray[np.int64]

_FEW_DEALS = 1_000  # mostly tell whether a name stands for two contestants
_DENSE = 32  # bytes a result for a table of deals by contestants


def contestants(results: pd.DataFrame, of: str) -> tuple[list[str], list[Codes], list[int]]:
    """The contestants of every row.

    Parameters
    ----------
    results : DataFrame
        A table of results.
    of : {"pairs", "partnerships", "players"}
        The ids in ``ns`` and ``ew``; two players in any order, as ``"A-B"``; or single players.

    Returns
    -------
    names : list of str
    codes : list of ndarray of int64
        For each contestant of a row the position of its name; -1 where nobody is named.
    sides : list of int
        The side each of these sits on, 0 for North-South and 1 for East-West.

    Raises
    ------
    ValueError
        If nobody is named in the columns asked for.
    """
    if of not in SEATS_OF:
        raise ValueError(f"expected of among {', '.join(SEATS_OF)}, teams, got {of!r}")
    known: dict[str, int] = {}
    seats = {name: _own_codes(results[name], known) for columns, _ in SEATS_OF[of] for name in columns}
    if not known and len(results):
        named = of == "pairs" and results[[*_PLAYERS]].notna().any(axis=None)
        hint = " (players are: of='partnerships' takes two of them for a pair)" if named else ""
        raise ValueError(f"expected {of} named in {', '.join(seats)}, got none{hint}")
    names, sides = list(known), [side for _, side in SEATS_OF[of]]
    if of != "partnerships":
        return names, list(seats.values()), sides
    codes = [_two(seats[one], seats[other], len(names)) for (one, other), _ in SEATS_OF[of]]
    found = pd.unique(np.concatenate(codes))
    found = found[found >= 0]
    place = pd.Series(np.arange(found.size), index=found)
    two = ["-".join(sorted((names[code // len(names)], names[code % len(names)]))) for code in found.tolist()]
    return two, [place.reindex(own, fill_value=-1).to_numpy(np.int64) for own in codes], sides


def _own_codes(column: pd.Series, known: dict[str, int]) -> Codes:
    words, codes = text_codes(column)
    used = np.flatnonzero(np.bincount(codes + 1, minlength=len(words) + 1)[1:]).tolist()
    place = np.full(len(words) + 1, -1, np.int64)
    place[used] = [known.setdefault(words[code], len(known)) for code in used]
    return place[codes]


def _two(one: Codes, other: Codes, many: int) -> Codes:
    both = np.minimum(one, other) * many + np.maximum(one, other)
    return np.where((one < 0) | (other < 0), -1, both)


def winners_of(who: list[Codes], sides: list[int], deals: Codes, names: list[str], of: str, winners: int | None) -> int:
    """How many fields there are: 1, where a contestant is its name, or 2, where it is its side and name.

    Parameters
    ----------
    who, sides
        Numbers of the contestants of every row (section and name; below 0: nobody), and the side each sits on.
    deals : ndarray of int64, shape (n,)
    names : list of str
        The name of contestant ``number`` is ``names[number % len(names)]``.
    of : str
        As for :func:`contestants`: a player on both sides is one player, a number may be two pairs.
    winners : {1, 2} or None
        What the caller says.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If names occur on both sides and ``winners`` is not given; or the rows contradict it: with 1, most of these
        names come to a deal on both sides; with 2, none ever does.
    """
    if winners not in (1, 2, None):
        raise ValueError(f"expected 1 or 2 winners, got {winners!r}")
    most = max((int(own.max(initial=-1)) for own in who), default=-1) + 1
    sat = np.zeros((2, most), np.bool_)
    for own, side in zip(who, sides, strict=True):
        sat[side][own[own >= 0] if own.min(initial=0) < 0 else own] = True
    both = np.flatnonzero(sat[0] & sat[1])
    if not both.size:
        return winners or 2
    if winners is None and of != "pairs":
        return 1
    few = np.flatnonzero(deals < _FEW_DEALS)
    clashing = _on_both_sides([own[few] for own in who], sides, deals[few], both) if few.size else both[:0]
    if few.size < deals.size and not (2 * clashing.size > both.size or (winners == 2 and clashing.size)):
        clashing = _on_both_sides(who, sides, deals, both)  # the first did not tell
    name = names[int((clashing if clashing.size else both)[0]) % len(names)]
    if winners is None:
        raise ValueError(
            f"expected winners, since some names are on both sides, as {name!r} is: 2 where NS {name} and EW {name} "
            "are two contestants (a Mitchell), 1 where they are one (a Howell, an arrow switch)"
        )
    if winners == 1 and 2 * clashing.size > both.size:
        raise ValueError(
            f"expected winners=2, since {clashing.size} of the {both.size} names on both sides come to a deal on both "
            f"sides, as {name!r} does: NS {name} and EW {name} are two contestants, got winners=1"
        )
    if winners == 2 and not clashing.size:
        raise ValueError(
            f"expected winners=1, since {name!r} is on both sides but never on both of a deal, nor is any other: it is "
            "one contestant that changes sides, got winners=2"
        )
    return winners


def _on_both_sides(who: list[Codes], sides: list[int], deals: Codes, both: NDArray[np.intp]) -> Codes:
    """The contestants, among those that occur on both sides, that come to a deal on both sides."""
    place = np.full(max(int(own.max()) for own in who) + 2, -1, np.int64)  # the last is for nobody, -1
    place[both] = np.arange(both.size)
    if both.size * (int(deals.max()) + 1) > _DENSE * deals.size:
        deals = pd.factorize(deals)[0]
    keys: tuple[list[Codes], list[Codes]] = ([], [])
    for own, side in zip(who, sides, strict=True):
        number = place.take(own, mode="wrap")
        here = number >= 0
        keys[side].append((deals * both.size + number)[here] if not here.all() else deals * both.size + number)
    ns, ew = (np.concatenate(part) for part in keys)
    most = both.size * (int(deals.max()) + 1)
    if most > _DENSE * deals.size:
        return both[np.unique(np.intersect1d(ns, ew) % both.size)]
    seen = np.zeros((2, most), np.bool_)
    seen[0][ns] = seen[1][ew] = True
    return both[np.unique(np.flatnonzero(seen[0] & seen[1]) % both.size)]


def count_pairs(scored: pd.DataFrame) -> int:
    """How many pairs sat down: one number in both directions is one pair, unless both directions meet on a deal."""
    who = ["event", "section", "pair"]
    sides = [scored[["deal_id", "event", "section", side]].set_axis(["deal_id", *who], axis=1) for side in ("ns", "ew")]
    sat = pd.concat(sides, keys=("ns", "ew"), names=["side"]).dropna(subset=["pair"]).reset_index("side")
    two_lines = sat.drop_duplicates().duplicated(["deal_id", *who]).any()
    return len(sat[[*who, "side"] if two_lines else who].drop_duplicates())
