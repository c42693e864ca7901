"""The kinds of editions: which keys each must and may give, of which shape, and what must hold between them.

A shape is written as the value it describes: a ``range`` is a whole number within it, ``float`` any number, a list is a
list of just these, ``[x, ...]`` one or more x, a tuple any one of these, and anything else is itself. A new kind is a
new entry of ``KINDS``.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, TypeAlias

Relation: TypeAlias = tuple[str, tuple[str, ...], Callable[..., bool]]  # in words, the keys, whether their values hold

_POINTS, _POSITIVE = range(32_768), range(1, 32_768)  # a cell of a score table is an int16
_PAIR = [_POINTS, _POINTS]  # not vulnerable, vulnerable
_BY_TRICK = [[_POINTS, ...], [_POINTS, ...]]  # the same, by trick: the last number repeats

_SCORING = {
    "trick_score.minor": _POSITIVE,
    "trick_score.major": _POSITIVE,
    "trick_score.notrump": [_POSITIVE, _POSITIVE],  # first odd trick, each later one
    "trick_score.doubled": [_POSITIVE, _POSITIVE, _POSITIVE],  # times: undoubled, doubled, redoubled
    "trick_score.game": _POSITIVE,
    "overtrick.doubled": _PAIR,
    "overtrick.redoubled": _PAIR,
    "premium.partscore": _PAIR,
    "premium.game": _PAIR,
    "premium.small_slam": _PAIR,
    "premium.grand_slam": _PAIR,
    "premium.making_doubled": _PAIR,
    "premium.making_redoubled": _PAIR,
    "undertrick.undoubled": _BY_TRICK,
    "undertrick.doubled": _BY_TRICK,
    "undertrick.redoubled": _BY_TRICK,
}
_RUBBER = {  # [] where the text gives none
    "rubber.four_honours": (_POINTS, []),
    "rubber.five_honours": (_POINTS, []),
    "rubber.four_aces": (_POINTS, []),
    "rubber.two_games_to_none": (_POINTS, []),
    "rubber.two_games_to_one": (_POINTS, []),
    "rubber.unfinished_game": (_POINTS, []),
    "rubber.unfinished_partscore": (_POINTS, []),
    "rubber.both_partscores": ("none", "both", []),
    "rubber.chicago_game": (_PAIR, []),
    "rubber.chicago_last_partscore": (_POINTS, []),
    "rubber.chicago_vulnerable": ("dealer", "non_dealer", []),
    "rubber.chicago_passed_out": ("redeal", "counts", []),
}
_DATUM = {
    "trim.count": _POINTS,
    "trim.share": float,
    "trim.from": _POSITIVE,
    "datum.centre": ("mean", "median"),
    "datum.step": (0, 1, 10),
    "datum.rounding": ("none", "away", "even", "cut"),
    "difference.step": (0, 10),
    "difference.rounding": ("none", "away"),
}

_VP = {  # [] where a rule gives every number of boards
    "scale.rule": ("wbf-continuous", "wbf-discrete", "imps-from", "percent-above"),
    "table.boards": ([[_POSITIVE, _POSITIVE], ...], []),  # from, to
    "table.edges": ([[float, ...], ...], []),  # by row of boards: what parts each award from the next
    "table.winner": ([float, ...], []),  # the awards, from a tie up
    "table.loser": ([float, ...], []),
}
_HOWELL = {f"start.pairs_{pairs}": [[_POSITIVE, _POSITIVE, _POSITIVE], ...] for pairs in range(4, 42, 2)}

_ADJUSTED = {
    "artificial.percent": [float, float, float],  # average plus, average, average minus
    "artificial.imps": [float, float, float],
    "artificial.own_percentage": (True, False),
    "small_group.one": (float, []),  # percentage of both sides for a lone result; [] none of its own
    "small_group.two": _POINTS,  # where at most one in so many of a full board's results are there; 0 never
    "small_group.three": _POINTS,
    "small_group.centre": float,
    "small_group.step": float,  # for a matchpoint (2/1/0) above or below the middle of the group
}
_POINTS_OF_CARDS = {f"points.{rank}": float for rank in ("ace", "king", "queen", "jack", "ten")}
_HANDS = {
    "shortage.suit": [float, float, float],  # void, singleton, doubleton
    "shortage.notrump": [float, float, float],
    "length.from": range(1, 14),  # each card from this one on earns
    "length.each": float,
    "honours.singleton": ("both", "larger"),  # a lone K, Q or J: counted twice, or as an honour or a short suit
    "honours.doubleton": ("both", "honours", "unsupported"),  # two cards with Q or J: no short suit; but with A or K
    "tens.held": [float, float, float, float, float],  # for 0, 1, 2, 3, 4 of them, beyond their own points
}


def _rises(numbers: Iterable[float]) -> bool:
    return all(low < high for low, high in pairwise(numbers))


def _rounded(name: str) -> Relation:
    keys = (f"{name}.step", f"{name}.rounding")
    return f"{keys[1]} 'none' just where {keys[0]} is 0", keys, lambda step, how: (step == 0) == (how == "none")


_IMPS_HOLD: tuple[Relation, ...] = (
    ("imps.starts increasing", ("imps.starts",), _rises),
    ("at most 127 imps.starts", ("imps.starts",), lambda starts: len(starts) <= 127),  # IMPs are int8
)
_DATUM_HOLD: tuple[Relation, ...] = (
    ("trim.share from 0 to below 0.5", ("trim.share",), lambda share: 0 <= share < 0.5),
    ("trim.count or trim.share, not both", ("trim.count", "trim.share"), lambda count, share: not (count and share)),
    ("trim.from above twice trim.count", ("trim.from", "trim.count"), lambda start, count: start > 2 * count),
    _rounded("datum"),
    _rounded("difference"),
)
_ADJUSTED_HOLD: tuple[Relation, ...] = (
    (
        "artificial.percent falling, from 100 to 0 at most",
        ("artificial.percent",),
        lambda awards: _rises((-1, *reversed(awards), 101)),
    ),
    ("artificial.imps falling", ("artificial.imps",), lambda awards: _rises(reversed(awards))),
)
_POINTS_HOLD: tuple[Relation, ...] = (
    (
        "points not negative, none below the next lower card",
        tuple(_POINTS_OF_CARDS),
        lambda *worth: list(worth) == sorted(worth, reverse=True) and worth[-1] >= 0,
    ),
    (
        "points of at most 100 and two decimals",
        tuple(_POINTS_OF_CARDS),
        lambda *worth: all(value <= 100 and value == round(value, 2) for value in worth),
    ),
)
_VP_HOLD: tuple[Relation, ...] = (
    (
        "a table just where scale.rule is 'imps-from' or 'percent-above'",
        tuple(_VP),
        lambda rule, *table: all(bool(part) == (not rule.startswith("wbf")) for part in table),
    ),
    (
        "table.boards from fewer to more",
        ("table.boards",),
        lambda rows: all(low <= high for low, high in rows) and all(a[1] < b[0] for a, b in pairwise(rows)),
    ),
    (
        "a row of table.edges for each of table.boards, rising, with one edge less than awards",
        ("table.boards", "table.edges", "table.winner"),
        lambda boards, edges, winner: (
            len(edges) == len(boards) and all(_rises(row) and len(row) == len(winner) - 1 for row in edges)
        ),
    ),
    (
        "table.edges in whole IMPs from 1, or in percentages from 50 to 100",
        ("scale.rule", "table.edges"),
        lambda rule, edges: all(
            50 <= edge <= 100 if rule == "percent-above" else edge >= 1 and edge == int(edge) for edge in sum(edges, ())
        ),
    ),
    (
        "as many awards in table.winner, not falling, as in table.loser, not rising, equal for a tie",
        ("table.winner", "table.loser"),
        lambda winner, loser: (
            len(winner) == len(loser)
            and winner[:1] == loser[:1]
            and winner == tuple(sorted(winner))
            and loser == tuple(sorted(loser, reverse=True))
        ),
    ),
)

KINDS: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[Relation, ...]]] = {  # required, optional, what must hold
    "scoring": (_SCORING, _RUBBER, ()),
    "imps": ({"imps.starts": [_POSITIVE, ...]}, {}, _IMPS_HOLD),
    "datum": (_DATUM, {}, _DATUM_HOLD),
    "vp": (_VP, {"bye.award": float}, _VP_HOLD),  # for a match that was sat out
    "howell": ({}, _HOWELL, ()),
    "adjusted": (_ADJUSTED, {"artificial.own_imps": (True, False)}, _ADJUSTED_HOLD),
    "points": (_POINTS_OF_CARDS, {}, _POINTS_HOLD),
    "hands": (_HANDS, {}, ()),
}


def fits(value: Any, shape: Any) -> bool:
    """Whether a value, as TOML gives it, is of a shape; true and false are not numbers."""
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return False
        shapes = shape[:1] * max(len(value), 1) if ... in shape else shape
        return len(value) == len(shapes) and all(map(fits, value, shapes))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    return type(value) in (int, float) if shape is float else type(value) is type(shape) and value == shape


def in_words(shape: Any) -> str:
    """A shape as an error message says it."""
    if isinstance(shape, tuple):
        return " or ".join(map(in_words, shape))
    if isinstance(shape, list):
        return f"[{', '.join(map(in_words, shape))}]"
    if isinstance(shape, range):
        return f"a whole number {shape[0]} to {shape[-1]}"
    return {float: "a number", ...: "..."}.get(shape) or repr(shape)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like a mistaken one, or all of them."""
    from difflib import get_close_matches

    words = sorted(known)
    near = get_close_matches(word, words, n=1)
    return f"nearest: {near[0]!r}" if near else "known: " + ", ".join(words)
