"""Labels to group numbers, and sorting by group: the one kernel of every comparison.

Results are compared with those of the same group (the same deal). The kernel sorts group, value and row packed into
one integer and hands out chunks of whole groups, small enough for the processor's cache, as *runs*: the equal values
of one group. What a comparison does with a chunk is a few lines on short arrays; nothing steps through groups.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.columns import as_column, is_text, spans, text_codes

CHUNK = 1 << 15
"""Rows sorted and compared at a time, where groups are no larger."""

_RANK_BITS = 32  # whatever the sizes of groups, group and place in the group fit the other 32

Chunk = tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]


def group_codes(by: Any) -> tuple[NDArray[np.int64], int]:
    """Group numbers of rows by their labels.

    Parameters
    ----------
    by : column of labels of any kind, or a table of label columns (pandas, Arrow, Polars)
        Rows with the same labels are one group. A missing label is a label.

    Returns
    -------
    codes : ndarray of int64, flat
        Group number of each row, from 0. Not every number need occur.
    count : int
        One more than the largest number that can occur.

    Examples
    --------
    >>> group_codes(["b", None, "a", "b", None])
    (array([0, 2, 1, 0, 2]), 3)
    """
    columns = _label_columns(by)
    codes, count = _one_column(columns[0])
    for column in columns[1:]:
        more, many = _one_column(column)
        if len(more) != len(codes):
            raise ValueError(f"expected label columns of one length, got {len(codes)} and {len(more)}")
        codes, count = _closed_up(codes * many + more, count * many)
    return codes, count


def first_of(codes: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The row in which each group number comes first; 0 where it does not.

    Examples
    --------
    >>> first_of(np.array([2, 0, 2, 1]), 4)
    array([1, 3, 0, 0])
    """
    first = np.zeros(count, np.int64)
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    return first


def _label_columns(by: Any) -> list[Any]:
    if isinstance(by, pd.DataFrame):
        columns = [by.iloc[:, place] for place in range(by.shape[1])]
    elif hasattr(by, "__arrow_c_stream__") and hasattr(by, "columns"):  # a table of Arrow or Polars
        columns = list(pa.table(by).columns)
    else:
        return [by]
    if not columns:
        raise ValueError("expected at least one label column in `by`, got a table without columns")
    return columns


def _one_column(column: Any) -> tuple[NDArray[np.int64], int]:
    column = as_column(column)
    if isinstance(column, pd.Categorical):
        return _numbered(column.codes, len(column.categories))
    if isinstance(column, np.ndarray) and column.dtype.kind in "biu":
        return _whole_numbers(column.reshape(-1))
    try:
        if isinstance(column, pa.ChunkedArray):
            return _arrow_labels(column)
        return _factorized(column.reshape(-1) if isinstance(column, np.ndarray) else column)
    except (TypeError, pa.ArrowNotImplementedError) as error:  # lists, records
        raise ValueError(f"expected labels that are texts, numbers or dates, got others: {error}") from None


def _arrow_labels(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], int]:
    if pa.types.is_dictionary(column.type):
        if is_text(column):  # a word may be listed twice, a null may be listed
            words, codes = text_codes(column)
            return _numbered(codes, len(words))
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type) or (pa.types.is_integer(column.type) and not column.null_count):
        return _one_column(column.to_numpy())
    column = column.dictionary_encode()
    parts = [chunk.indices.fill_null(-1).to_numpy() for chunk in column.chunks]
    return _numbered(np.concatenate([np.empty(0, np.int32), *parts]), len(column.chunk(0).dictionary) if parts else 0)


def _numbered(codes: NDArray[Any], count: int) -> tuple[NDArray[np.int64], int]:
    """Codes of ``count`` labels, -1 where a label is missing: that is one label more."""
    return _closed_up(np.where(codes < 0, count, codes.astype(np.int64)), count + 1)


def _closed_up(codes: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], int]:
    """The same groups with smaller numbers, where the numbers are many more than the rows."""
    return _factorized(codes) if count > 4 * codes.size + 1024 else (codes, count)


def _whole_numbers(labels: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    if not labels.size:
        return np.empty(0, np.int64), 0
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * labels.size + 1024:
        return _factorized(labels)
    if low >= 0 and high <= 5 * labels.size + 1024:
        return labels.astype(np.int64, copy=False), high + 1
    shifted = np.subtract(labels, labels.min(), dtype=labels.dtype if low >= 0 else np.int64)
    return shifted.astype(np.int64, copy=False), high - low + 1


def _factorized(labels: Any) -> tuple[NDArray[np.int64], int]:
    codes, found = pd.factorize(labels)
    return np.where(codes < 0, len(found), codes).astype(np.int64, copy=False), len(found) + 1


def ranked(values: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any] | int]:
    """Values as small numbers in the same order, and what brings them back.

    Returns
    -------
    ranks : ndarray of int64
        Not negative; in the order of the values, equal where they are equal.
    back : int or ndarray
        The values are ``ranks + back``, or ``back[ranks]`` where it is an array.
    """
    if values.size and values.dtype.kind == "f" and (values == np.floor(values)).all() and abs(values).max() < 2**31:
        values = values.astype(np.int64)
    if values.dtype.kind in "bi" and (not values.size or int(values.max()) - int(values.min()) < 2**20):
        low = int(values.min()) if values.size else 0
        return np.subtract(values, low, dtype=np.int64), low
    found, places = np.unique(values, return_inverse=True)
    return places.astype(np.int64), found


def field_chunks(codes: NDArray[np.int64], ranks: NDArray[np.int64], *, apart: int = 0) -> Iterator[Chunk]:
    """Sort rows by group and by value in it, and hand them out in chunks of whole groups.

    Parameters
    ----------
    codes : ndarray of int64, shape (n,)
        Group numbers, as :func:`group_codes` gives them.
    ranks : ndarray of int64, shape (n,)
        Values as small whole numbers, not negative.
    apart : int
        Where no group of a chunk has more rows, and they stand by group, each row may be a run of its own, unsorted.

    Yields
    ------
    rows : ndarray of intp, shape (m,)
        The rows of the chunk by group, in each group from the lowest value up.
    run_ranks : ndarray of int64, shape (r,)
        The value of each run of equal values of one group.
    run_starts : ndarray of intp, shape (r + 1,)
        Where each run starts in ``rows``, and their number.
    group_runs : ndarray of intp, shape (g + 1,)
        Where each group starts among the runs, and their number.
    """
    if not codes.size:
        return
    rank_bits, row_bits = int(ranks.max()).bit_length(), (codes.size - 1).bit_length()
    if rank_bits > _RANK_BITS:
        found, ranks = np.unique(ranks, return_inverse=True)
        for rows, run_ranks, run_starts, group_runs in field_chunks(codes, ranks, apart=apart):
            yield rows, found[run_ranks], run_starts, group_runs
    elif _ascending(codes):
        yield from _chunks_in_order(codes, ranks, rank_bits, apart)
    elif int(codes.max()).bit_length() + rank_bits + row_bits <= 64:
        yield from _packed_chunks(codes, ranks, rank_bits, row_bits)
    else:
        order = np.argsort(codes, kind="stable")
        for rows, *runs in _chunks_in_order(codes[order], ranks[order], rank_bits, apart):
            yield order[rows], runs[0], runs[1], runs[2]


def _ascending(codes: NDArray[np.int64]) -> bool:
    return all(
        bool((codes[start + 1 : start + CHUNK + 1] >= codes[start : start + CHUNK][: codes.size - start - 1]).all())
        for start in range(0, codes.size - 1, CHUNK)
    )


def _chunks_in_order(codes: NDArray[np.int64], ranks: NDArray[np.int64], rank_bits: int, apart: int) -> Iterator[Chunk]:
    """Chunks of rows that are in the order of their groups, each sorted by itself."""
    start = 0
    while start < codes.size:
        stop = _border(codes, start)
        part, groups = ranks[start:stop], _edges(codes[start:stop])
        if np.diff(groups).max() <= apart:
            each = np.arange(part.size + 1)
            yield each[:-1] + start, part, each, groups
        else:
            rows, *runs = _sorted_chunk(part, groups, rank_bits)
            yield rows + start, runs[0], runs[1], runs[2]
        start = stop


def _border(codes: NDArray[Any], start: int) -> int:
    """The end of the last whole group within a chunk from ``start``, or of the first group where it is larger."""
    if codes.size - start <= CHUNK:
        return codes.size
    last = codes[start + CHUNK]
    window = codes[start : start + CHUNK + 1]
    stop = start + int(np.searchsorted(window, last, side="left"))
    return stop if stop > start else start + int(np.searchsorted(codes[start:], last, side="right"))


def _edges(values: NDArray[Any]) -> NDArray[np.intp]:
    """Where each stretch of equal values starts, and how many values there are."""
    return np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1, [values.size]))


def _sorted_chunk(ranks: NDArray[np.int64], edges: NDArray[np.intp], rank_bits: int) -> Chunk:
    """Rows that stand by group: the key is group, value and place in the group, of 32 bits if they suffice."""
    sizes = np.diff(edges)
    place_bits = (int(sizes.max()) - 1).bit_length()
    kind = np.uint32 if (sizes.size - 1).bit_length() + rank_bits + place_bits <= 32 else np.uint64
    rows = np.repeat(edges[:-1].astype(kind), sizes)
    key = np.repeat(np.arange(sizes.size).astype(kind), sizes)
    key <<= kind(rank_bits)
    key |= ranks.astype(kind)
    key <<= kind(place_bits)
    key |= np.arange(ranks.size, dtype=kind) - rows
    key.sort()
    rows += key & kind((1 << place_bits) - 1)
    key >>= kind(place_bits)
    return rows.astype(np.intp), *_runs(key, rank_bits)


def _packed_chunks(
    codes: NDArray[np.int64], ranks: NDArray[np.int64], rank_bits: int, row_bits: int
) -> Iterator[Chunk]:
    """All rows in one sort, where group, value and row go into 64 bits; then cut at group borders."""
    key = np.empty(codes.size, np.uint64)
    for start, stop in spans(codes.size, CHUNK):
        part = np.left_shift(codes[start:stop].view(np.uint64), np.uint64(rank_bits), out=key[start:stop])
        part |= ranks[start:stop].view(np.uint64)
        part <<= np.uint64(row_bits)
        part |= np.arange(start, stop, dtype=np.uint64)
    key.sort()
    start, shift = 0, np.uint64(rank_bits + row_bits)
    while start < key.size:
        stop = key.size
        if stop - start > CHUNK:
            group = key[start + CHUNK] >> shift
            stop = start + int(np.searchsorted(key[start : start + CHUNK + 1], group << shift, side="left"))
            if stop == start:
                stop = start + int(np.searchsorted(key[start:], (group + np.uint64(1)) << shift, side="left"))
                stop = stop if stop > start else key.size
        part = key[start:stop]
        rows = (part & np.uint64((1 << row_bits) - 1)).view(np.intp)
        yield rows, *_runs(part >> np.uint64(row_bits), rank_bits)
        start = stop


def _runs(key: NDArray[Any], rank_bits: int) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]:
    """The runs of a sorted key of group and value: their values, where they start, where the groups start."""
    starts = _edges(key)
    values, kind = key[starts[:-1]], key.dtype.type
    ranks = (values & kind((1 << rank_bits) - 1)).astype(np.int64)
    return ranks, starts, _edges(values >> kind(rank_bits))
