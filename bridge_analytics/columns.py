"""Columns of any make, read in chunks: text to codes, numbers checked before they are cast.

A *reader* is a pair ``(shape, read)``: ``read(start, stop)`` gives that stretch of the flattened column as a small
numpy array, and raises when a cell is not what was asked for, with the cell's value and position. Reading in chunks
keeps the memory of a whole column of text or of nullable numbers from being needed twice.

Lists, numpy arrays, pandas objects, Arrow arrays and Polars series all come in through here, and nowhere else.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

CHUNK = 1 << 17
"""Rows read at a time: a few hundred kilobytes, so that a chunk stays in the processor's cache."""

Read = Callable[[int, int], NDArray[Any]]
Reader = tuple[tuple[int, ...], Read]
Words = Callable[[int, int], tuple[list[str | None], NDArray[np.int32]]]


def spans(size: int, step: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Consecutive ``(start, stop)`` that cover ``size`` rows, none longer than ``step``."""
    for start in range(0, size, step):
        yield start, min(start + step, size)


def as_column(column: Any) -> Any:
    """The column as something with a known make: numpy array, pandas array, Arrow chunked array.

    Text that numpy would turn into ``'nan'``, and nullable numbers, keep their missing cells.
    """
    if type(column).__module__.partition(".")[0] == "polars":
        column = column.to_arrow()
    if isinstance(column, pd.Series | pd.Index):
        column = column.array
    if isinstance(column, pd.arrays.NumpyExtensionArray):
        return column.to_numpy()
    if isinstance(column, pd.api.extensions.ExtensionArray):
        arrow_backed = isinstance(column.dtype, pd.StringDtype | pd.ArrowDtype)
        return as_column(pa.array(column)) if arrow_backed else column
    if isinstance(column, pa.Array):
        return pa.chunked_array([column])
    if isinstance(column, pa.ChunkedArray | np.ndarray):
        return column
    if isinstance(column, str) or column is None or column is pd.NA:
        return np.array(column, dtype=object)
    array = np.asarray(column)
    return array if array.dtype.kind in "biuf" else np.asarray(column, dtype=object)


def shape_of(column: Any) -> tuple[int, ...]:
    """The shape of what :func:`as_column` gave."""
    return column.shape if isinstance(column, np.ndarray) else (len(column),)


def is_text(column: Any) -> bool:
    """Whether what :func:`as_column` gave holds words rather than numbers (an empty or all-null column: words)."""
    if isinstance(column, pa.ChunkedArray):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        return any(test(kind) for test in (pa.types.is_string, pa.types.is_large_string, _is_view, pa.types.is_null))
    if isinstance(column, pd.Categorical):
        return column.categories.inferred_type in ("string", "empty")
    if isinstance(column, np.ndarray) and column.dtype.kind == "O":
        return not isinstance(next((cell for cell in column.flat if not _is_null(cell)), ""), int | float | np.number)
    return isinstance(column, np.ndarray) and column.dtype.kind in "UT"


def _is_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(kind))


def _is_null(cell: Any) -> bool:
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and cell != cell)


def _words(column: Any) -> Words:
    """How to read ``[start, stop)`` of a text column as its words and a code a row (-1: null)."""
    if isinstance(column, pd.Categorical):
        listed: list[str | None] = [str(word) for word in column.categories]
        return lambda start, stop: (listed, column.codes[start:stop].astype(np.int32))
    if isinstance(column, pa.ChunkedArray):
        if pa.types.is_dictionary(column.type):
            column = column.unify_dictionaries()
            known = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
            return lambda start, stop: (known, _dictionary_codes(column.slice(start, stop - start)))
        return lambda start, stop: _encode(column.slice(start, stop - start))
    flat = column.reshape(-1)
    return lambda start, stop: _encode(_text_array(flat[start:stop], start))


def _text_array(cells: NDArray[Any], start: int) -> pa.ChunkedArray:
    try:
        return pa.chunked_array([pa.array(cells.astype(object), type=pa.large_string(), from_pandas=True)])
    except (pa.ArrowTypeError, pa.ArrowInvalid):
        bad = next(i for i, cell in enumerate(cells) if not (isinstance(cell, str) or _is_null(cell)))
        raise ValueError(f"expected text, got {cells[bad]!r} at position {start + bad}") from None


def _encode(cells: pa.ChunkedArray) -> tuple[list[str | None], NDArray[np.int32]]:
    if pa.types.is_null(cells.type):
        return [], np.full(len(cells), -1, np.int32)
    encoded = cells.dictionary_encode()
    words = encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    return words, _dictionary_codes(encoded)


def _dictionary_codes(cells: pa.ChunkedArray) -> NDArray[np.int32]:
    parts = [part.indices.cast(pa.int32()).fill_null(-1).to_numpy() for part in cells.chunks]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])


def text_codes(column: Any) -> tuple[list[str], NDArray[np.int32]]:
    """The different words of a text column, and for each row the position of its word.

    Parameters
    ----------
    column : list, ndarray, pandas, Arrow or Polars column of text
        Any shape; it is flattened.

    Returns
    -------
    words : list of str
        Each word once. Words of a category that no row uses may be among them.
    codes : ndarray of int32
        Position in ``words``; -1 where the cell is null.

    Raises
    ------
    ValueError
        If a cell is neither text nor null.

    Examples
    --------
    >>> text_codes(["4S", None, "Pass", "4S"])
    (['4S', 'Pass'], array([ 0, -1,  1,  0], dtype=int32))
    """
    column = as_column(column)
    if not is_text(column):
        column = np.asarray(column, dtype=object)
    read = _words(column)
    places: dict[str | None, int] = {None: -1}
    size = int(np.prod(shape_of(column)))
    codes = np.empty(size, np.int32)
    for start, stop in spans(size):
        words, chunk = read(start, stop)
        place = np.array([places.setdefault(word, len(places) - 1) for word in words] + [-1], np.int32)
        codes[start:stop] = place[chunk]
    return [word for word in places if word is not None], codes


def text_reader(column: Any, parse: Callable[[str], int], *, expected: str, null: int | None = None) -> Reader:
    """Read words as the small codes that ``parse`` gives them, each different word parsed once.

    Parameters
    ----------
    column : text column
        What :func:`as_column` gave, or anything it takes.
    parse : function from text to int
        A code 0-252; raises ``ValueError`` for a word it cannot read.
    expected : str
        What a cell should be, for the message when one is null.
    null : int, optional
        The code of a null cell; without it a null is an error.

    Returns
    -------
    (shape, read)
        ``read(start, stop)`` gives uint8 codes.
    """
    column = as_column(column)
    words_of, known = _words(column), dict[str | None, int]()

    def code_of(word: str | None) -> int:
        if word not in known:
            try:
                known[word] = 255 if word is None else parse(word)
            except ValueError:
                known[word] = 254
        return known[word]

    def read(start: int, stop: int) -> NDArray[np.uint8]:
        words, codes = words_of(start, stop)
        out = np.array([*map(code_of, words), 255], np.uint8)[codes]
        if out.size and out.max() >= 254:
            _refuse_words(out, words, codes, start, parse, f"expected {expected}" if null is None else None)
            out[out == 255] = null
        return out

    return shape_of(column), read


def _refuse_words(
    out: NDArray[np.uint8],
    words: list[str | None],
    codes: NDArray[np.int32],
    start: int,
    parse: Callable[[str], int],
    null_message: str | None,
) -> None:
    bad = np.flatnonzero(out >= 254 if null_message else out == 254)
    if not bad.size:
        return
    place = int(bad[0])
    word = words[codes[place]] if codes[place] >= 0 else None
    if word is None:
        raise ValueError(f"{null_message}, got a missing value at position {start + place}")
    try:
        parse(word)
    except ValueError as error:
        raise ValueError(f"{error} at position {start + place}") from None


def _cells(column: Any, start: int, stop: int) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """``[start, stop)`` of a column of numbers as numpy values, and which of them are missing (None: none is)."""
    if isinstance(column, pa.ChunkedArray):
        cells = column.slice(start, stop - start)
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)
        if not cells.null_count:
            return cells.to_numpy(), None
        missing = cells.is_null().to_numpy()
        if pa.types.is_null(cells.type):
            return np.zeros(stop - start, np.int8), missing
        return cells.fill_null(False if pa.types.is_boolean(cells.type) else 0).to_numpy(), missing
    if not isinstance(column, np.ndarray):
        part = column[start:stop]
        missing = np.asarray(part.isna())
        kind = getattr(part.dtype, "numpy_dtype", np.dtype(object))
        if kind.kind != "O":
            return part.to_numpy(dtype=kind, na_value=kind.type(0)), missing
        column, start, stop = np.asarray(part, dtype=object), 0, len(part)
    values = column.reshape(-1)[start:stop]
    if values.dtype.kind == "f":
        missing = np.isnan(values)
        return (np.where(missing, 0, values), missing) if missing.any() else (values, None)
    if values.dtype.kind != "O":
        return values, None
    missing = np.asarray(pd.isna(values))
    kept = np.where(missing, 0, values)
    if any(isinstance(cell, bool | np.bool_) for cell in kept) and not all(
        isinstance(cell, bool | np.bool_) for cell in values[~missing]
    ):
        return values, missing
    listed = np.array(kept.tolist()) if kept.size else np.zeros(0, np.int8)
    return (listed if listed.dtype.kind in "biuf" and listed.ndim == 1 else values), missing


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
        ``read(start, stop)`` gives integers of the smallest type that holds the range (or the column's own).
    """
    column = as_column(column)
    kind = np.min_scalar_type(low) if low < 0 else np.min_scalar_type(max(high, null or 0))
    if low < 0:
        kind = np.promote_types(kind, np.min_scalar_type(-max(high, null or 0) - 1))

    def read(start: int, stop: int) -> NDArray[Any]:
        values, missing = _cells(column, start, stop)
        if missing is not None and null is None and missing.any():
            place = start + int(missing.argmax())
            raise ValueError(f"expected {name} {low} to {high}, got a missing value at position {place}")
        _refuse_numbers(values, missing, start, name, low, high)
        out = values if values.dtype == kind else values.astype(kind)
        if missing is not None and null is not None and missing.any():
            out = np.where(missing, kind.type(null), out)
        return out

    return shape_of(column), read


def _refuse_numbers(
    values: NDArray[Any], missing: NDArray[np.bool_] | None, start: int, name: str, low: int, high: int
) -> None:
    if not values.size:
        return
    if values.dtype.kind in "iuf":
        unsigned = values.dtype.kind == "u" and low <= 0
        whole = values.dtype.kind != "f" or bool((values == np.floor(values)).all())
        if whole and values.max() <= high and (unsigned or values.min() >= low):
            return
        bad = (values < low) | (values > high) | (values != np.floor(values))
    elif values.dtype.kind == "O":
        bad = np.array([not _is_whole(cell, low, high) for cell in values])
    else:
        bad = np.ones(values.size, np.bool_)
    bad = bad if missing is None else bad & ~missing
    if bad.any():
        place = int(bad.argmax())
        value = values[place].item() if hasattr(values[place], "item") else values[place]
        raise ValueError(
            f"expected {name} as a whole number {low} to {high}, got {value!r} at position {start + place}"
        )


def _is_whole(cell: Any, low: int, high: int) -> bool:
    number = isinstance(cell, int | float | np.number) and not isinstance(cell, bool | np.bool_)
    return number and low <= cell <= high and cell == int(cell)


def _is_bit(cell: Any) -> bool:
    return isinstance(cell, bool | np.bool_ | int | float | np.number) and cell in (0, 1)


def flag_reader(column: Any, *, name: str, null: int | None = None) -> Reader:
    """Read true and false, or 1 and 0, as uint8; anything else is refused.

    Parameters
    ----------
    column : column of booleans, or of the numbers 0 and 1
    name : str
        What is true or false, for messages: ``"vulnerable"``.
    null : int, optional
        What a missing flag becomes; without it a missing flag is an error.

    Returns
    -------
    (shape, read)
    """
    column = as_column(column)

    def read(start: int, stop: int) -> NDArray[np.uint8]:
        values, missing = _cells(column, start, stop)
        if missing is not None and not missing.any():
            missing = None
        if missing is not None and null is None:
            place = start + int(missing.argmax())
            raise ValueError(f"expected {name} as True or False, got a missing value at position {place}")
        bits = values.dtype.kind in "iu" and values.size and values.min() >= 0 and values.max() <= 1
        if values.dtype.kind != "b" and not bits:
            values = values if missing is None else np.where(missing, 0, values)
            good = (
                np.isin(values, (0, 1)) if values.dtype.kind in "iuf" else np.array([_is_bit(cell) for cell in values])
            )
            if not good.all():
                place = int(good.argmin())
                value = values[place].item() if hasattr(values[place], "item") else values[place]
                raise ValueError(f"expected {name} as True or False, got {value!r} at position {start + place}")
        flags = values.view(np.uint8) if values.dtype.kind == "b" else values.astype(np.uint8)
        return flags if missing is None else np.where(missing, np.uint8(null or 0), flags)

    return shape_of(column), read


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
    whole = np.broadcast_to(read(0, int(np.prod(own))).reshape(own), shape)
    if np.prod(own) == 1:
        return lambda start, stop: np.broadcast_to(whole.flat[0] if whole.size else 0, stop - start)
    flat = whole.reshape(-1)
    return lambda start, stop: flat[start:stop]


def read_all(reader: Reader) -> NDArray[Any]:
    """All of a reader, in the column's own shape."""
    shape, read = reader
    size = int(np.prod(shape))
    parts = [read(start, stop) for start, stop in spans(size)]
    return (np.concatenate(parts) if parts else read(0, 0)).reshape(shape)


def number_values(column: Any, *, name: str) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """All of a column of numbers, flattened, and which of them are missing (None: none is; those hold 0).

    Raises
    ------
    ValueError
        If a cell is neither a finite number nor missing; says the value and its position.
    """
    column = as_column(column)
    values, missing = _cells(column, 0, int(np.prod(shape_of(column))))
    missing = missing if missing is not None and missing.any() else None
    if values.dtype.kind in "iuf" and (values.dtype.kind != "f" or np.isfinite(values).all()):
        return values, missing
    real = [
        isinstance(cell, int | float) and not isinstance(cell, bool) and abs(cell) < np.inf for cell in values.tolist()
    ]
    bad = ~np.array(real, np.bool_) if missing is None else ~np.array(real, np.bool_) & ~missing
    if not bad.any():
        return values.astype(np.float64), missing
    place = int(bad.argmax())
    raise ValueError(f"expected {name} as a number, got {values[place]!r} at position {place}")
