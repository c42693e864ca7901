"""Text between separators cut into cells, each row with its physical line.

Plain text, without quotes and with the right number of cells on each line, is cut by PyArrow; any other by the ``csv``
module, line by line, so that one bad quote or separator spoils one row only.
"""

import contextlib
import csv
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

Record = tuple[int, list[str]]
Rows = tuple[pd.DataFrame, NDArray[np.int64]]


def first_records(lines: Sequence[str], sep: str) -> list[tuple[list[str], int]]:
    """The cells of the first lines of a file, each record with the number of lines down to its end."""
    found: list[tuple[list[str], int]] = []
    reader = csv.reader(lines, delimiter=sep, skipinitialspace=True)
    with contextlib.suppress(csv.Error):  # it comes again where the rows are cut
        found.extend((fields, reader.line_num) for fields in reader)
    return found


def plain_rows(body: str, sep: str, width: int, first_line: int) -> Rows | None:
    """The cells of plain text and the line of each row; None where the text is not plain.

    Parameters
    ----------
    body : str
        The lines under the headers.
    sep : str
        The separator.
    width : int
        The number of cells of a row.
    first_line : int
        The line on which ``body`` starts.

    Returns
    -------
    frame : DataFrame
        The cells as texts, missing where they are empty.
    line : ndarray of int64
    """
    if not body or width < 2 or not sep.isascii() or '"' in body or "\0" in body:
        return None
    if body.count("\r") != body.count("\r\n"):
        return None
    data = body.encode()
    codes = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    ends = ends if data.endswith(b"\n") else np.append(ends, codes.size)
    starts = np.concatenate([[0], ends[:-1] + 1])
    says = (ends > starts) & (codes[starts] != ord("\r"))  # the other lines are empty
    if not _are_even(np.flatnonzero(codes == ord(sep)), starts[says], ends[says], width - 1):
        return None
    table = _cut(data, sep, width)
    if table is None:
        return None
    says_nothing = _says_nothing(table)
    return table[~says_nothing], (np.flatnonzero(says) + first_line)[~says_nothing]


def _are_even(separators: NDArray[np.intp], starts: NDArray[np.intp], ends: NDArray[np.intp], each: int) -> bool:
    """Whether every line has as many separators."""
    if separators.size != each * starts.size:
        return False
    by_line = separators.reshape(-1, each)
    return bool((by_line[:, 0] >= starts).all() and (by_line[:, -1] < ends).all())


def _says_nothing(table: pd.DataFrame) -> NDArray[np.bool_]:
    """The rows of nothing but blanks."""
    silent = (table["0"].isna() | table["0"].str.isspace()).to_numpy(dtype=np.bool_, na_value=True)
    nothing = silent.copy()
    nothing[silent] = [not any(cell.strip() for cell in cells) for cells in table[silent].fillna("").to_numpy()]
    return nothing


def _cut(data: bytes, sep: str, width: int) -> pd.DataFrame | None:
    from pyarrow import csv as arrow_csv

    names = [str(place) for place in range(width)]
    texts = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
    )
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names),
            parse_options=arrow_csv.ParseOptions(delimiter=sep, quote_char=False),
            convert_options=texts,
        )
    except pa.ArrowInvalid:  # a line too long for it
        return None
    frame: pd.DataFrame = table.to_pandas()
    return frame


def records(lines: Sequence[str], sep: str, width: int, start: int) -> tuple[list[Record], list[int]]:
    """Each record from line ``start`` with the line it starts on, and the lines on which a quote goes wrong.

    A quote that is never closed would swallow what follows. So a record of several lines counts only with the right
    number of cells; else its first line is faulty and reading goes on with the next.
    """
    found: list[Record] = []
    broken: list[int] = []
    while start < len(lines):
        rest = (lines[at] for at in range(start, len(lines)))
        reader = csv.reader(rest, delimiter=sep, skipinitialspace=True, strict=True)
        begin = start
        try:
            for fields in reader:
                stop = start + reader.line_num
                if stop - begin > 1 and len(fields) != width:
                    raise csv.Error
                found.append((begin + 1, fields))
                begin = stop
            return found, broken
        except csv.Error:
            broken.append(begin + 1)
            start = begin + 1
    return found, broken
