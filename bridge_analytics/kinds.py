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


def _rounded(name: str) -> Relation:
    keys = (f"{name}.step", f"{name}.rounding")
    return f"{keys[1]} 'none' just where {keys[0]} is 0", keys, lambda step, how: (step == 0) == (how == "none")


_IMPS_HOLD: tuple[Relation, ...] = (
    ("imps.starts increasing", ("imps.starts",), lambda starts: all(low < high for low, high in pairwise(starts))),
    ("at most 127 imps.starts", ("imps.starts",), lambda starts: len(starts) <= 127),  # IMPs are int8
)
_DATUM_HOLD: tuple[Relation, ...] = (
    ("trim.share from 0 to below 0.5", ("trim.share",), lambda share: 0 <= share < 0.5),
    ("trim.count or trim.share, not both", ("trim.count", "trim.share"), lambda count, share: not (count and share)),
    ("trim.from above twice trim.count", ("trim.from", "trim.count"), lambda start, count: start > 2 * count),
    _rounded("datum"),
    _rounded("difference"),
)

KINDS: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[Relation, ...]]] = {  # required, optional, what must hold
    "scoring": (_SCORING, _RUBBER, ()),
    "imps": ({"imps.starts": [_POSITIVE, ...]}, {}, _IMPS_HOLD),
    "datum": (_DATUM, {}, _DATUM_HOLD),
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
