"""Readers: columns in chunks of small codes, every cell checked before it is cast.

A *reader* is a pair ``(shape, read)``: ``read(start, stop)`` gives that stretch of the flattened column as a small
numpy array, and raises when a cell is not what was asked for, with the cell's value and position. What it gives may be
the column's own memory: it is to be read, not written into.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.columns import as_column, is_text, numbers_of, shape_of, spans, words_of

Read = Callable[[int, int], NDArray[Any]]
Reader = tuple[tuple[int, ...], Read]
Wrong = Callable[[NDArray[Any]], NDArray[np.bool_] | None]

_MISSING, _UNREADABLE = 255, 254


def text_reader(column: Any, parse: Callable[[str], int], *, expected: str, null: int | None = None) -> Reader:
    """Read words as the small codes that ``parse`` gives them, each different word parsed once.

    Parameters
    ----------
    column : text column
        What :func:`as_column` gave, or anything it takes.
    parse : function from text to int
        A code 0-253; raises ``ValueError`` for a word it cannot read.
    expected : str
        What a cell should be, for the message when one is null or no text.
    null : int, optional
        The code of a null cell, 0-255; without it a null is an error.

    Returns
    -------
    (shape, read)
        ``read(start, stop)`` gives uint8 codes.
    """
    column = as_column(column)
    words_in = words_of(column, expected)
    known: dict[str | None, int] = {None: _MISSING}
    faults: dict[str | None, str] = {None: f"expected {expected}, got a missing value"}
    last: tuple[list[str | None], NDArray[np.uint8]] = [], np.array([_MISSING], np.uint8)

    def code_of(word: str | None) -> int:
        if word is not None and word not in known:
            try:
                known[word] = parse(word)
            except ValueError as error:
                known[word], faults[word] = _UNREADABLE, str(error)
        return known[word]

    def read(start: int, stop: int) -> NDArray[np.uint8]:
        nonlocal last
        words, codes = words_in(start, stop)
        listed, table = last
        if words is not listed:
            table = np.array([*map(code_of, words), _MISSING], np.uint8)
            last = words, table
        out = table.take(codes, mode="wrap")  # -1, null, is the last
        if out.size and out.max() >= _UNREADABLE:
            bad = out >= _UNREADABLE if null is None else out == _UNREADABLE
            if bad.any():
                place = int(bad.argmax())
                word = words[codes[place]] if codes[place] >= 0 else None
                raise ValueError(f"{faults[word]} at position {start + place}")
            out[out == _MISSING] = _MISSING if null is None else null
        return out

    return shape_of(column), read


def code_reader(
    column: Any,
    parse: Callable[[str], int],
    *,
    name: str,
    count: int,
    expected: str | None = None,
    null: int | None = None,
) -> Reader:
    """Read words by ``parse``, or the numbers 0 to ``count`` - 1 as the codes they are; else as :func:`text_reader`.

    ``name`` is what a cell is, for messages: ``"a seat"``; ``expected`` describes it better where it is a word.
    """
    column = as_column(column)
    if is_text(column):
        return text_reader(column, parse, expected=expected or name, null=null)
    return number_reader(column, name=f"{name} code", low=0, high=count - 1, null=null)


def number_reader(column: Any, *, name: str, low: int, high: int, null: int | None = None) -> Reader:
    """Read whole numbers between ``low`` and ``high``, refused before any cast when they are not.

    Parameters
    ----------
    column : column of integers, or of floats that are whole
    name : str
        What the number is, for messages: ``"tricks"``.
    low, high : int
        The numbers allowed, both included.
    null : int, optional
        What a missing number becomes; without it a missing number is an error.

    Returns
    -------
    (shape, read)
        ``read(start, stop)`` gives integers of the smallest type that holds ``low``, ``high`` and ``null``.
    """
    limits = (low, high) if null is None else (low, high, null)
    least, most = min(limits), max(limits)
    kind = np.min_scalar_type(most if least >= 0 else min(least, -most - 1))

    def wrong(values: NDArray[Any]) -> NDArray[np.bool_] | None:
        if values.dtype.kind == "O":
            return np.array([not (_is_number(cell) and low <= cell <= high and cell % 1 == 0) for cell in values])
        if values.dtype.kind not in "iuf":
            return np.ones(values.size, np.bool_)
        if values.dtype.kind in "iu" and low == 0 and values.view(f"u{values.itemsize}").max() <= high:
            return None  # without its sign a negative number is a large one
        broken = values != np.floor(values) if values.dtype.kind == "f" else None
        if values.min() >= low and values.max() <= high and (broken is None or not broken.any()):
            return None
        outside = (values < low) | (values > high)
        return outside if broken is None else outside | broken

    return _checked(column, wrong, f"{name} as a whole number {low} to {high}", kind, null)


def flag_reader(column: Any, *, name: str, null: int | None = None) -> Reader:
    """Read true and false, or 1 and 0, as uint8; anything else is refused.

    Parameters
    ----------
    column : column of booleans, or of the numbers 0 and 1
    name : str
        What is true or false, for messages: ``"vulnerable"``.
    null : int, optional
        What a missing flag becomes, 0-255; without it a missing flag is an error.

    Returns
    -------
    (shape, read)
    """

    def wrong(values: NDArray[Any]) -> NDArray[np.bool_] | None:
        if values.dtype.kind == "O":
            return np.array(
                [not (_is_number(cell) or isinstance(cell, bool | np.bool_)) or cell not in (0, 1) for cell in values]
            )
        if values.dtype.kind == "b":
            return None
        return (values != 0) & (values != 1) if values.dtype.kind in "iuf" else np.ones(values.size, np.bool_)

    return _checked(column, wrong, f"{name} as True or False", np.dtype(np.uint8), null)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float | np.integer | np.floating) and not isinstance(cell, bool)


def _checked(column: Any, wrong: Wrong, expected: str, kind: np.dtype[Any], null: int | None) -> Reader:
    """Read numbers as ``kind``; ``wrong`` says which of those in a chunk are not ``expected`` (None: all are)."""
    column = as_column(column)
    numbers_in = numbers_of(column)

    def read(start: int, stop: int) -> NDArray[Any]:
        values, missing = numbers_in(start, stop)
        _refuse(values, missing, wrong, expected, start, missing_too=null is None)
        if missing is None:
            same = values.dtype.kind in "bi" and values.itemsize == kind.itemsize  # the same bits, since in range
            return values.view(kind) if same else values.astype(kind, copy=False)
        out = values.astype(kind)
        np.copyto(out, kind.type(null), where=missing)
        return out

    return shape_of(column), read


def _refuse(
    values: NDArray[Any],
    missing: NDArray[np.bool_] | None,
    wrong: Wrong,
    expected: str,
    start: int,
    *,
    missing_too: bool,
) -> None:
    bad = wrong(values) if values.size else None
    if missing is not None:
        rest = np.zeros(values.size, np.bool_) if bad is None else bad & ~missing
        bad = rest | missing if missing_too else rest
    if bad is None or not bad.any():
        return
    place = int(bad.argmax())
    cell = values[place]
    seen = repr(cell.item() if isinstance(cell, np.generic) else cell)
    if missing is not None and missing[place]:
        seen = "a missing value"
    raise ValueError(f"expected {expected}, got {seen} at position {start + place}")


def number_values(column: Any, *, name: str) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """All of a column of numbers, flattened, and which of them are missing (None: none is; those hold 0).

    Raises
    ------
    ValueError
        If a cell is neither a finite number nor missing; says the value and its position.
    """

    def wrong(values: NDArray[Any]) -> NDArray[np.bool_] | None:
        if values.dtype.kind == "O":
            return np.array([not (_is_number(cell) and abs(cell) < np.inf) for cell in values])
        if values.dtype.kind in "iu":
            return None
        return np.asarray(~np.isfinite(values)) if values.dtype.kind == "f" else np.ones(values.size, np.bool_)

    column = as_column(column)
    values, missing = numbers_of(column)(0, int(np.prod(shape_of(column))))
    _refuse(values, missing, wrong, f"{name} as a number", 0, missing_too=False)
    return values.astype(np.float64) if values.dtype.kind == "O" else values, missing


def align(*readers: Reader) -> tuple[tuple[int, ...], list[Read]]:
    """Bring readers to one common shape by numpy's broadcasting.

    Returns
    -------
    shape, reads
        The common shape, and for each reader a ``read(start, stop)`` over its flattened cells.

    Raises
    ------
    ValueError
        If the shapes do not go together.
    """
    try:
        shape = np.broadcast_shapes(*(shape for shape, _ in readers))
    except ValueError:
        raise ValueError(f"expected columns of one length, got shapes {[shape for shape, _ in readers]}") from None
    return shape, [read if own == shape else _stretched(own, read, shape) for own, read in readers]


def _stretched(own: tuple[int, ...], read: Read, shape: tuple[int, ...]) -> Read:
    """Nothing is read before it is asked for: what may not be needed may not be there."""
    if np.prod(own) == 1:
        return lambda start, stop: np.broadcast_to(read(0, 1).reshape(()), stop - start)
    flat = cache(lambda: np.broadcast_to(read_all((own, read)), shape).reshape(-1))
    return lambda start, stop: flat()[start:stop]


def read_all(reader: Reader) -> NDArray[Any]:
    """All of a reader, in the column's own shape; memory of its own."""
    shape, read = reader
    parts = [read(start, stop) for start, stop in spans(int(np.prod(shape)))]
    return np.concatenate(parts or [read(0, 0)]).reshape(shape)


def read_where(read: Read, wanted: NDArray[np.bool_], start: int) -> NDArray[Any]:
    """The cells of a stretch from ``start`` that are wanted, and 0 for any other, which may hold anything."""
    try:
        return np.asarray(read(start, start + wanted.size) * wanted)
    except ValueError:
        values = np.zeros(wanted.size, np.uint8)
        edges = np.flatnonzero(np.diff(wanted, prepend=False, append=False))
        for first, last in edges.reshape(-1, 2).tolist():
            cells = read(start + first, start + last)
            values = values.astype(cells.dtype, copy=False)
            values[first:last] = cells
        return values
