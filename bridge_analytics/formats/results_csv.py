"""Results as CSV, as any club writes them: cells between commas, semicolons, tabs or bars, under a line of headers.

A reader only cuts; what the cells mean is for :mod:`bridge_analytics.rows`. The number of a row is its physical line,
quoted line breaks and blank lines counted.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.columns import as_column, text_codes
from bridge_analytics.csv_lines import Record, blocks, first_records, frame_of, lines_of, plain_rows, records
from bridge_analytics.headers import distinct_headers, looks_like_headers
from bridge_analytics.layout import NO_CHARACTER

_SEPARATORS = ",;\t|"
_HEADERS_WITHIN = 20  # lines: a title and a few words may stand above the headers
_TOP = 1 << 18  # bytes in which they are looked for

Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]


def is_results_csv(start: bytes) -> bool:
    """Whether a file may be a results CSV: any text may, and its headers are looked at when it is read."""
    return b"\0" not in start or start[:2] in (b"\xff\xfe", b"\xfe\xff")


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """Cut a results CSV into cells, a part at a time.

    Parameters
    ----------
    file : binary file
        At its start.
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it.

    Yields
    ------
    frame : DataFrame
        The cells as texts under the headers, each header once; missing where a cell is empty.
    source_row : ndarray of int64
        The line of each row.
    faults : list of DataFrame
        The lines that are no rows.
    """
    following = blocks(file, layout["encoding"])
    block, last = next(following)
    top = _top(block)
    sep, above, headers, line = _headers(top, layout)
    faults = [_line_faults("text_skipped", above, top)]
    block = block[_end_of_line(block, line) :]
    while True:
        frame, rows, found, count, rest = _cut(block, sep, headers, line, last)
        yield _tidied(frame, rows, [*faults, *found], headers, sep)
        if last:
            return
        block, last = next(following)
        block, line, faults = rest + block, line + count, []


def top_of(start: bytes, layout: Mapping[str, Any]) -> tuple[str, list[str], int, int]:
    """The separator, the headers, the line that holds them (the last one), and the byte where rows start."""
    sep, _, headers, line = _headers(_top(start), layout)
    return sep, headers, line, _end_of_line(start, line)


def _top(block: bytes) -> list[str]:
    """The lines among which the headers are looked for."""
    return lines_of(block[: min(_end_of_line(block, _HEADERS_WITHIN), _TOP)])[0]


def _end_of_line(block: bytes, line: int) -> int:
    """Where a line of a block ends, counted from 1."""
    ends = [0, *(end.end() for end in itertools.islice(re.finditer(rb"\r\n?|\n", block), line))]
    return ends[line] if line < len(ends) else len(block)


def _cut(
    block: bytes, sep: str, headers: Sequence[str], line: int, last: bool
) -> tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame], int, bytes]:
    """The rows of a block that begins behind a line, their lines, what is no row, how many lines are cut, the rest."""
    plain = plain_rows(block, sep, len(headers), line + 1)
    if plain:
        return plain[0], plain[1], [], plain[2], b""
    lines, clean = lines_of(block)
    found, broken, count = records(lines, sep, len(headers), last=last)
    frame, rows, faults = _rows([(line + 1 + at, fields) for at, fields in found], len(headers), clean)
    faults.append(_line_faults("quotes_unreadable", [line + 1 + at for at in broken], lines, line))
    return frame, rows, faults, count, block[_end_of_line(block, count) :]


def _tidied(
    frame: pd.DataFrame, rows: NDArray[np.int64], faults: list[pd.DataFrame], headers: Sequence[str], sep: str
) -> Cut:
    """The cells under their headers, without headers that come again and without columns of nothing."""
    again = _headers_again(frame, headers)
    if again:
        faults = [*faults, fault_table("text_skipped", rows[again], value=sep.join(headers))]
        frame, rows = frame.drop(index=frame.index[np.array(again)]), np.delete(rows, again)
    named = frame.set_axis(distinct_headers(headers), axis=1)
    idle = [place for place, header in enumerate(headers) if not header.strip() and not frame[place].notna().any()]
    return (named.drop(columns=named.columns[idle]) if idle else named), rows, faults


def _headers_again(frame: pd.DataFrame, headers: Sequence[str]) -> list[int]:
    """Where the line of headers comes again among the rows."""
    if not headers or as_column(frame[0]).chunk(0).dictionary.index(headers[0]).as_py() < 0:
        return []
    words, codes = text_codes(frame[0])
    alike = np.flatnonzero(codes == words.index(headers[0]))
    return [place for place in alike.tolist() if frame.iloc[place].fillna("").tolist() == [*headers]]


def _headers(lines: Sequence[str], layout: Mapping[str, Any]) -> tuple[str, list[int], list[str], int]:
    """The separator, the lines that say something above the headers, the headers, and the line where rows start.

    The headers are the line, and the separator the character, that give the most headers we know; where none gives
    any, the first line that says something, cut into the most cells.
    """
    told = re.fullmatch(r'"?sep=(.)"?\s*', lines[0]) if lines else None  # a spreadsheet's own first line
    first = 1 if told else 0
    best: tuple[int, int, str, list[int], list[str], int] = (0, 0, ",", [], [], len(lines))
    seps = layout["sep"] or (told[1] if told else _SEPARATORS)
    for sep in (sep for sep in seps if sep == seps[0] or any(sep in line for line in lines)):
        above: list[int] = []
        begin = first
        for fields, count in first_records(lines[first:], sep):
            known = looks_like_headers(fields, layout["columns"])
            size = len(fields) if _says_something(fields) and not above else 0
            if (known, size) > best[:2]:
                best = known, size, sep, list(above), fields, first + count
            above += [begin + 1] if _says_something(fields) else []
            begin = first + count
    return best[2:]


def _says_something(fields: Sequence[str]) -> bool:
    return any(map(str.strip, fields))


def _line_faults(rule: str, at: Sequence[int], lines: Sequence[str], before: int = 0) -> pd.DataFrame:
    return fault_table(rule, at, value=[lines[line - before - 1].strip() for line in at])


def _rows(found: Sequence[Record], width: int, clean: bool) -> Cut:
    """The rows of records that were cut one by one: those with a cell for each header, all of them readable."""
    told = [(line, fields) for line, fields in found if _says_something(fields)]
    full = [(line, fields) for line, fields in told if len(fields) == width]
    unreadable = {line: cell for line, fields in full for cell in fields if not clean and NO_CHARACTER in cell}
    rows = [(line, fields) for line, fields in full if line not in unreadable]
    faults = [
        _miscounted([record for record in told if len(record[1]) != width], width),
        fault_table(
            "bytes_unreadable",
            list(unreadable),
            value=list(unreadable.values()),
            suggestion="in the layout: encoding = 'cp1252', or the one the file was written in",
        ),
    ]
    return frame_of((fields for _, fields in rows), width), np.array([line for line, _ in rows], np.int64), faults


def _miscounted(others: Sequence[Record], width: int) -> pd.DataFrame:
    """The lines with too many or too few cells, and what may have gone wrong."""

    def hint(fields: Sequence[str]) -> str:
        if len(fields) < width:
            return f"there are {width} headers"
        if not _says_something(fields[width:]):
            return f"there are {width} headers: the line ends in a separator too many"
        return f"there are {width} headers: a separator inside a cell needs quotes around the cell"

    return fault_table(
        "cells_miscounted",
        [line for line, _ in others],
        value=[f"{len(fields)} cells" for _, fields in others],
        suggestion=[hint(fields) for _, fields in others],
    )
