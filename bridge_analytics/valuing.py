"""Value hands: sets of cards of any shape, checked, in chunks, looked up suit by suit or by the lengths of suits."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import spans
from bridge_analytics.readers import Read, number_reader

Sets: TypeAlias = NDArray[np.uint64]
Lengths: TypeAlias = NDArray[np.int16]

_CHUNK = 1 << 15  # hands at a time: their sets and a few columns beside them stay in the processor's cache
_CARDS = 52
_IN_SUIT = 13


def set_reader(hands: ArrayLike) -> tuple[tuple[int, ...], Read]:
    """Read sets of 52 cards, refusing any other number."""
    return number_reader(hands, name="a set of cards", low=0, high=(1 << _CARDS) - 1)


def value_hands(
    hands: ArrayLike,
    value: Callable[[Sets], NDArray[Any]],
    kind: Any,
    *,
    wide: tuple[int, ...] = (),
    whole: bool = True,
) -> NDArray[Any]:
    """What ``value`` makes of hands, a chunk at a time.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of cards.
    value : function of a chunk of sets
        Gives one row of shape ``wide`` a hand.
    kind : dtype
        Of what it gives.
    wide : tuple of int
        The shape of the answer for one hand.
    whole : bool
        Whether a hand must have 13 cards; else one card is enough. No card at all is a hand that is not known.

    Returns
    -------
    ndarray, shape of ``hands`` + ``wide``

    Raises
    ------
    ValueError
        If a number is not a set of 52 cards, or a hand has too few cards or too many.
    """
    shape, read = set_reader(hands)
    out = np.empty((int(np.prod(shape)), *wide), kind)
    for start, stop in spans(len(out), _CHUNK):
        part = read(start, stop)
        refuse_incomplete(part, start, whole=whole)
        out[start:stop] = value(part)
    return out.reshape(shape + wide)[()]


def refuse_incomplete(part: Sets, start: int, *, whole: bool = True) -> None:
    """Raise for the first hand of a chunk that is not known or, where it should be whole, does not have 13 cards."""
    counts = np.bitwise_count(part) if whole else part
    wrong = counts != _IN_SUIT if whole else counts == 0
    if not wrong.any():
        return
    place = int(wrong.argmax())
    seen = f"{int(np.bitwise_count(part[place]))} cards" if part[place] else "one that is not known"
    raise ValueError(f"expected a hand{' of 13 cards' if whole else ''}, got {seen} at position {start + place}")


def holding_of(part: Sets, suit: int) -> NDArray[np.intp]:
    """The holding of each hand in a suit, 0-3: a number below 8,192."""
    return (part >> np.uint64(_IN_SUIT * suit) & np.uint64(0x1FFF)).astype(np.intp)


def sum_of_suits(part: Sets, table: NDArray[Any]) -> NDArray[Any]:
    """The sum over the four suits of what a table of 8,192 holdings gives."""
    total = table.take(holding_of(part, 0), mode="wrap")
    for suit in range(1, 4):
        total += table.take(holding_of(part, suit), mode="wrap")
    return total


def each_suit(part: Sets, table: NDArray[Any]) -> NDArray[Any]:
    """What a table of 8,192 holdings gives for clubs, diamonds, hearts and spades: shape (n, 4)."""
    return np.stack([table.take(holding_of(part, suit), mode="wrap") for suit in range(4)], axis=1)


def lengths_of(part: Sets) -> list[NDArray[np.uint8]]:
    """The number of cards of each hand in clubs, diamonds, hearts, spades."""
    return [np.bitwise_count(part & np.uint64(0x1FFF << _IN_SUIT * suit)) for suit in range(4)]


def by_lengths(part: Sets, table: NDArray[Any]) -> NDArray[Any]:
    """What a table of all lengths (see :func:`length_table`) gives for hands of 13 cards."""
    clubs, diamonds, hearts, _ = lengths_of(part)
    return table.take((clubs.astype(np.intp) * 14 + diamonds) * 14 + hearts, axis=0, mode="wrap")


@cache
def length_table(rule: Callable[..., NDArray[Any]]) -> NDArray[Any]:
    """A function of the four lengths from the longest down, at 196 clubs + 14 diamonds + hearts; read-only.

    Where the three suits have more than 13 cards there is no hand, and what stands in the table means nothing.
    """
    clubs, diamonds, hearts = (axis.reshape(-1) for axis in np.indices((14, 14, 14), np.int16))
    lengths = np.stack([clubs, diamonds, hearts, np.maximum(13 - clubs - diamonds - hearts, 0)])
    table = np.asarray(rule(*-np.sort(-lengths, axis=0)))
    table.flags.writeable = False
    return table
