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

from bridge_analytics.columns import as_column, is_text, text_codes

CHUNK = 1 << 15
"""Rows sorted and compared at a time, where groups are no larger."""

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
        codes, count = codes * many + more, count * many
        if count > 4 * len(codes):
            codes, count = _factorized(codes)
    return codes, count


def _label_columns(by: Any) -> list[Any]:
    if type(by).__module__.partition(".")[0] == "polars" and hasattr(by, "columns"):
        by = by.to_arrow()
    if isinstance(by, pa.Table):
        columns = list(by.columns)
    elif isinstance(by, pd.DataFrame):
        columns = [by.iloc[:, place] for place in range(by.shape[1])]
    else:
        return [by]
    if not columns:
        raise ValueError("expected at least one label column in `by`, got a table without columns")
    return columns


def _one_column(column: Any) -> tuple[NDArray[np.int64], int]:
    column = as_column(column)
    if is_text(column):
        words, codes = text_codes(column)
        return np.where(codes < 0, len(words), codes).astype(np.int64), len(words) + 1
    if isinstance(column, np.ndarray) and column.dtype.kind in "biu":
        return _whole_numbers(column.reshape(-1))
    if isinstance(column, pa.ChunkedArray):
        column = column.to_pandas().array
    return _factorized(column.reshape(-1) if isinstance(column, np.ndarray) else column)


def _whole_numbers(labels: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    if not labels.size:
        return np.empty(0, np.int64), 0
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * labels.size + 1024:
        return _factorized(labels)
    if labels.dtype == np.int64 and low >= 0 and low <= labels.size:
        return labels, high + 1
    return np.subtract(labels, low, dtype=np.int64) if low < 0 else labels.astype(np.int64) - low, high - low + 1


def _factorized(labels: Any) -> tuple[NDArray[np.int64], int]:
    codes, found = pd.factorize(labels, use_na_sentinel=True)
    codes = np.asarray(codes, np.int64)
    return np.where(codes < 0, len(found), codes), len(found) + 1


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
    if values.dtype.kind in "biu" and (not values.size or int(values.max()) - int(values.min()) < 2**20):
        low = int(values.min()) if values.size else 0
        return values.astype(np.int64) - low, low
    found, ranks = np.unique(values, return_inverse=True)
    return ranks.astype(np.int64), found


def field_chunks(codes: NDArray[np.int64], ranks: NDArray[np.int64]) -> Iterator[Chunk]:
    """Sort rows by group and by value in it, and hand them out in chunks of whole groups.

    Parameters
    ----------
    codes : ndarray of int64, shape (n,)
        Group numbers, as :func:`group_codes` gives them.
    ranks : ndarray of int64, shape (n,)
        Values as small whole numbers, not negative.

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
    rank_bits = int(ranks.max()).bit_length()
    group_bits = int(codes.max()).bit_length()
    row_bits = (codes.size - 1).bit_length()
    order: NDArray[np.intp] | None = None
    if not _ascending(codes):
        if group_bits + rank_bits + row_bits <= 64:
            yield from _packed_chunks(codes, ranks, rank_bits, row_bits)
            return
        order = np.argsort(codes, kind="stable")
        codes, ranks = codes[order], ranks[order]
    start = 0
    while start < codes.size:
        stop = _border(codes, start)
        local = codes[start:stop] - codes[start]
        key = _pack(local, ranks[start:stop], rank_bits, (stop - start - 1).bit_length())
        key.sort()
        rows, run_ranks, run_starts, group_runs = _runs(key, rank_bits, (stop - start - 1).bit_length())
        rows += start
        yield rows if order is None else order[rows], run_ranks, run_starts, group_runs
        start = stop


def _ascending(codes: NDArray[np.int64]) -> bool:
    return all(
        bool((codes[start + 1 : start + CHUNK + 1] >= codes[start : start + CHUNK][: codes.size - start - 1]).all())
        for start in range(0, codes.size - 1, CHUNK)
    )


def _border(codes: NDArray[Any], start: int) -> int:
    """The end of the last whole group within a chunk from ``start``, or of the first group where it is larger."""
    if codes.size - start <= CHUNK:
        return codes.size
    last = codes[start + CHUNK]
    window = codes[start : start + CHUNK + 1]
    stop = start + int(np.searchsorted(window, last, side="left"))
    return stop if stop > start else start + int(np.searchsorted(codes[start:], last, side="right"))


def _pack(codes: NDArray[np.int64], ranks: NDArray[np.int64], rank_bits: int, row_bits: int) -> NDArray[np.uint64]:
    key = codes.astype(np.uint64)
    key <<= np.uint64(rank_bits)
    key |= ranks.view(np.uint64)
    key <<= np.uint64(row_bits)
    key |= np.arange(codes.size, dtype=np.uint64)
    return key


def _packed_chunks(
    codes: NDArray[np.int64], ranks: NDArray[np.int64], rank_bits: int, row_bits: int
) -> Iterator[Chunk]:
    """All rows in one sort, where group, value and row go into 64 bits; then cut at group borders."""
    key = _pack(codes, ranks, rank_bits, row_bits)
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
        yield _runs(key[start:stop], rank_bits, row_bits)
        start = stop


def _runs(key: NDArray[np.uint64], rank_bits: int, row_bits: int) -> Chunk:
    rows = (key & np.uint64((1 << row_bits) - 1)).astype(np.intp)
    values = key >> np.uint64(row_bits)
    run_starts = np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1, [key.size]))
    run_values = values[run_starts[:-1]]
    groups = run_values >> np.uint64(rank_bits)
    group_runs = np.concatenate(([0], np.flatnonzero(groups[1:] != groups[:-1]) + 1, [groups.size]))
    run_ranks = (run_values & np.uint64((1 << rank_bits) - 1)).astype(np.int64)
    return rows, run_ranks, run_starts, group_runs
