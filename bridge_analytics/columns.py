"""Columns of any make as numpy: words with the code of each row, numbers with what is missing.

Lists, numpy arrays, pandas objects, Arrow arrays and Polars series all come in through here, and nowhere else. A column
is read stretch by stretch, so that the memory of a whole column of text or of nullable numbers is not needed twice.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CHUNK = 1 << 16
"""Rows read at a time: a few hundred kilobytes, so that a chunk stays in the processor's cache."""

Words = tuple[list[str | None], NDArray[np.int32]]
"""Words, and for each row the position of its word; -1, or the position of a None, where the row has none."""

Numbers = tuple[NDArray[Any], NDArray[np.bool_] | None]
"""Cells, and which of them are missing and hold 0; None where none is."""

_FEW_WORDS = 4096

_MASKED = (pd.arrays.IntegerArray, pd.arrays.FloatingArray, pd.arrays.BooleanArray)


def spans(size: int, step: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Consecutive ``(start, stop)`` that cover ``size`` rows, none longer than ``step``."""
    for start in range(0, size, step):
        yield start, min(start + step, size)


def gathered(values: NDArray[Any], codes: NDArray[Any]) -> NDArray[Any]:
    """The value of each row by its code, a negative one counted from the end: ``values[codes]``, some times as fast."""
    found = np.empty(len(codes), values.dtype)
    for start, stop in spans(len(codes)):
        values.take(codes[start:stop], out=found[start:stop], mode="wrap")
    return found


def keep_freed_memory(size: int = 1 << 22) -> None:
    """Have GNU's allocator keep what one chunk frees for the next: fetching fresh pages costs as much as the work.

    It keeps as much as the largest piece that was ever given back; this one is not written to, so it takes no memory.
    """
    np.empty(size, np.uint8)


def as_column(column: Any) -> Any:
    """The column as something of a known make: numpy array, pandas array or Arrow chunked array.

    Python objects stay objects, so that nothing is lost to a common type: no ``True`` becomes 1, no missing text
    ``'nan'``, no large number a float.
    """
    if isinstance(column, pd.Series | pd.Index):
        column = column.array
    if isinstance(column, pd.arrays.NumpyExtensionArray):
        column = column.to_numpy()
    if isinstance(column, pd.api.extensions.ExtensionArray):
        if not isinstance(column.dtype, pd.StringDtype | pd.ArrowDtype):
            return column
        column = pa.array(column)
    if isinstance(column, pa.Array):
        return pa.chunked_array([column])
    if isinstance(column, pa.ChunkedArray):
        return column
    if hasattr(column, "__arrow_c_stream__") and not isinstance(column, pd.DataFrame):  # Polars
        return pa.chunked_array(column)
    if isinstance(column, np.ma.MaskedArray):
        cells = np.array(column.data, dtype=object)
        cells[np.ma.getmaskarray(column)] = None
        return cells
    array = np.asarray(column) if hasattr(column, "__array__") else np.asarray(column, dtype=object)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def shape_of(column: Any) -> tuple[int, ...]:
    """The shape of what :func:`as_column` gave."""
    return column.shape if isinstance(column, np.ndarray) else (len(column),)


def is_text(column: Any) -> bool:
    """Whether what :func:`as_column` gave holds words rather than numbers (an empty or all-null column: words)."""
    if isinstance(column, pa.ChunkedArray):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
        return any(test(kind) for test in tests)
    if isinstance(column, pd.Categorical):
        return not len(column.categories) or column.categories.inferred_type == "string"
    if isinstance(column, np.ndarray) and column.dtype.kind == "O":
        return not isinstance(next((cell for cell in column.flat if not _is_null(cell)), ""), int | float | np.number)
    return isinstance(column, np.ndarray) and column.dtype.kind in "UT"


def _is_null(cell: Any) -> bool:
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and cell != cell)


def words_of(column: Any, expected: str = "text") -> Callable[[int, int], Words]:
    """How to read a stretch of the flattened column, which :func:`as_column` gave, as words and codes.

    Words come as they are listed, some of them twice or in no row, where the column itself is a list and codes.
    """
    if isinstance(column, pd.Categorical) and is_text(column):
        listed: list[str | None] = column.categories.tolist()
        return lambda start, stop: (listed, column.codes[start:stop].astype(np.int32))
    if isinstance(column, pa.ChunkedArray) and is_text(column):
        if pa.types.is_dictionary(column.type):
            return _dictionary_words(column)
        return _text_words(column)
    flat = column.reshape(-1) if isinstance(column, np.ndarray) else column
    return lambda start, stop: _object_words(_objects(flat[start:stop]), start, expected)


def _dictionary_words(column: pa.ChunkedArray) -> Callable[[int, int], Words]:
    dictionaries = [chunk.dictionary for chunk in column.chunks]
    if not all(dictionary.equals(dictionaries[0]) for dictionary in dictionaries):
        return lambda start, stop: _many_dictionaries(column.slice(start, stop - start))
    listed = dictionaries[0].to_pylist() if dictionaries else []
    return lambda start, stop: (listed, _arrow_codes(column.slice(start, stop - start)))


def _many_dictionaries(column: pa.ChunkedArray) -> Words:
    words: list[str | None] = []
    codes = [np.empty(0, np.int32)]
    for chunk in column.chunks:
        own = _arrow_codes(pa.chunked_array([chunk]))
        codes.append(np.where(own < 0, -1, own + np.int32(len(words))))
        words += chunk.dictionary.to_pylist()
    return words, np.concatenate(codes)


def _text_words(column: pa.ChunkedArray) -> Callable[[int, int], Words]:
    """Words looked up among those seen so far, which is quicker than to number them anew, while they are few."""
    known, listed = column.slice(0, 0).combine_chunks(), list[str | None]()
    looked_up = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)

    def read(start: int, stop: int) -> Words:
        nonlocal known, listed
        part = column.slice(start, stop - start)
        if not looked_up or len(known) > _FEW_WORDS:
            return _encoded_words(part)
        if not listed:
            listed, first = _encoded_words(part)
            known = pa.array(listed, column.type)
            return listed, first
        codes = pc.index_in(part, value_set=known)
        if codes.null_count > part.null_count:
            known = pa.chunked_array([known, part.unique().drop_null()]).unique()
            listed, codes = known.to_pylist(), pc.index_in(part, value_set=known)
        return listed, codes.combine_chunks().fill_null(-1).to_numpy()

    return read


def _encoded_words(column: pa.ChunkedArray) -> Words:
    if pa.types.is_null(column.type):
        return [], np.full(len(column), -1, np.int32)
    encoded = column.dictionary_encode()  # one dictionary for all chunks
    return encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else [], _arrow_codes(encoded)


def _arrow_codes(column: pa.ChunkedArray) -> NDArray[np.int32]:
    indices = (chunk.indices.cast(pa.int32()) for chunk in column.chunks)
    parts = [(index.fill_null(-1) if index.null_count else index).to_numpy() for index in indices]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])


def _objects(cells: Any) -> NDArray[Any]:
    if isinstance(cells, pa.ChunkedArray):
        return np.fromiter(cells.to_pylist(), dtype=object, count=len(cells))
    return np.asarray(cells, dtype=object)


def _object_words(cells: NDArray[Any], start: int, expected: str) -> Words:
    try:
        codes, words = pd.factorize(cells)
        fine = all(isinstance(word, str) for word in words)
    except TypeError:  # what cannot be hashed is no text either
        fine = False
    if not fine:
        place = next(i for i, cell in enumerate(cells) if not (isinstance(cell, str) or _is_null(cell)))
        raise ValueError(f"expected {expected}, got {cells[place]!r} at position {start + place}")
    return words.tolist(), codes.astype(np.int32)


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
        If a cell is neither text nor null; says the value and its position.

    Examples
    --------
    >>> text_codes(["4S", None, "Pass", "4S"])
    (['4S', 'Pass'], array([ 0, -1,  1,  0], dtype=int32))
    """
    column = as_column(column)
    if isinstance(column, pa.ChunkedArray) and is_text(column) and not pa.types.is_dictionary(column.type):
        words, codes = _encoded_words(column)
        return [word for word in words if word is not None], codes
    places: dict[str | None, int] = {None: -1}
    codes = np.empty(int(np.prod(shape_of(column))), np.int32)
    seen: list[str | None] | None = None
    start = 0
    for words, chunk in _stretches_of(column):
        if words is not seen:
            seen, place = words, np.array([*(places.setdefault(word, len(places) - 1) for word in words), -1], np.int32)
            as_it_is = (place[:-1] == np.arange(len(words))).all()
        stop = start + len(chunk)
        codes[start:stop] = chunk if as_it_is else place.take(chunk, mode="wrap")
        start = stop
    return [word for word in places if word is not None], codes


def _stretches_of(column: Any) -> Iterator[Words]:
    """A column's words and codes, stretch by stretch; of dictionaries chunk by chunk, so that each is read once."""
    if isinstance(column, pa.ChunkedArray) and is_text(column):
        known = None
        for chunk in column.chunks:
            if known is None or not chunk.dictionary.equals(known):
                known, listed = chunk.dictionary, chunk.dictionary.to_pylist()
            yield listed, _arrow_codes(pa.chunked_array([chunk]))
        return
    read = words_of(column)
    for start, stop in spans(int(np.prod(shape_of(column)))):
        yield read(start, stop)


def numbers_of(column: Any) -> Callable[[int, int], Numbers]:
    """How to read a stretch of the flattened column, which :func:`as_column` gave, as numbers.

    What is not a number comes as an array of objects or of another kind than ``b i u f``, to be refused by whoever
    asked. A NaN is missing, a boolean among numbers is not made a number.
    """
    flat = column.reshape(-1) if isinstance(column, np.ndarray) else column

    def read(start: int, stop: int) -> Numbers:
        values, missing = _cells(flat[start:stop])
        if values.dtype in (np.float16, np.float32):  # too coarse to be compared with a large limit
            values = values.astype(np.float64)
        if values.dtype.kind == "f" and (nan := np.isnan(values)).any():
            values, missing = np.where(nan, 0, values), nan if missing is None else missing | nan
        return values, missing if missing is not None and missing.any() else None

    return read


def _cells(cells: Any) -> Numbers:
    if isinstance(cells, _MASKED):
        return cells.to_numpy(dtype=cells.dtype.type, na_value=0), np.asarray(cells.isna())
    if isinstance(cells, pa.ChunkedArray):
        if pa.types.is_dictionary(cells.type) and not is_text(cells):
            cells = cells.cast(cells.type.value_type)
        kind = cells.type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            filled = cells.fill_null(False if pa.types.is_boolean(kind) else 0)
            return filled.to_numpy(), cells.is_null().to_numpy() if cells.null_count else None
    if isinstance(cells, np.ndarray) and cells.dtype.kind != "O":
        return cells, None
    return _object_cells(_objects(cells))


def _object_cells(cells: NDArray[Any]) -> Numbers:
    missing = np.asarray(pd.isna(cells))
    present = cells[~missing].tolist()
    kinds = set(map(type, present))
    truth = all(issubclass(kind, bool | np.bool_) for kind in kinds)
    number = all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds)
    if not kinds:
        return np.zeros(cells.size, np.int8), missing
    values = np.array(present) if truth or number else cells
    rounded = values.dtype.kind == "f" and not any(issubclass(kind, float | np.floating) for kind in kinds)
    if values.dtype.kind not in "biuf" or rounded:  # whole numbers that no type holds become floats
        return np.where(missing, 0, cells), missing
    spread = np.zeros(cells.size, values.dtype)
    spread[~missing] = values
    return spread, missing
