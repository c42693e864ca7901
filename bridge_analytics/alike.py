"""Rows whose cells are alike, read once.

Of many thousand results few hundred differ in contract, declarer and tricks, and a few dozen in the board. What is
read from such cells alone is read once for each different row, and handed out to all that are like it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import Column, Sheet
from bridge_analytics.columns import gathered, spans

Found = tuple[dict[str, Any], list[pd.DataFrame]]

_ALIKE = 8  # rows, at least, for each combination of words that there might be: else every row is read


def each_once(read: Callable[[Sheet, int], Found], sheet: Sheet, size: int) -> Found:
    """The columns and faults of rows by a reader of them, which need not see rows that are alike twice.

    Parameters
    ----------
    read : function of a sheet and the number of its rows
        What it finds in a row depends on no other row. A column that it gives is an array, or words and codes.
    sheet : mapping of str to Column
        The columns that it looks at.
    size : int
        The number of rows.

    Returns
    -------
    columns : dict
    faults : list of DataFrame
        At most one of each table for a row.
    """
    radices = [len(words) + 1 for words, _ in sheet.values()]
    if not radices or np.prod(radices, dtype=np.float64) * _ALIKE > size:
        return read(sheet, size)
    key = np.zeros(size, np.int32)
    for radix, (_, codes) in zip(radices, sheet.values(), strict=True):
        key *= radix
        key += codes
        key += 1
    there = np.zeros(int(np.prod(radices)), np.bool_)
    for start, stop in spans(size):
        there[key[start:stop]] = True
    used = np.flatnonzero(there)
    place = np.zeros(len(there), np.int32)
    place[used] = np.arange(len(used))
    which = gathered(place, key)
    digits = np.array(np.unravel_index(used, radices), np.int32) - 1
    few = {role: (words, own) for (role, (words, _)), own in zip(sheet.items(), digits, strict=True)}
    columns, faults = read(few, len(used))
    return {name: _handed_out(column, which) for name, column in columns.items()}, [
        _faults_of_all(found, which, len(used)) for found in faults if len(found)
    ]


def _handed_out(column: NDArray[Any] | Column, which: NDArray[np.int32]) -> NDArray[Any] | Column:
    if isinstance(column, tuple):
        words, codes = column
        return words, gathered(codes, which) if len(words) else np.full(len(which), -1, np.int32)
    return gathered(column, which)


def _faults_of_all(found: pd.DataFrame, which: NDArray[np.int32], count: int) -> pd.DataFrame:
    """The faults of all rows that are like those of a table."""
    place = np.full(count, -1)
    place[found["source_row"].to_numpy(np.int64)] = np.arange(len(found))
    own = gathered(place, which)
    rows = np.flatnonzero(own >= 0)
    return found.take(own[rows]).reset_index(drop=True).assign(source_row=pd.array(rows, dtype="Int64"))
