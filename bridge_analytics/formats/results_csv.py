"""Results as CSV, as any club writes them: cells between commas, semicolons, tabs or bars, under a line of headers.

A reader only cuts; what the cells mean is for :mod:`bridge_analytics.rows`. The number of a row is its physical line,
quoted line breaks and blank lines counted.
"""

import io
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.csv_lines import Record, first_records, plain_rows, records
from bridge_analytics.headers import distinct_headers, looks_like_headers
from bridge_analytics.layout import NO_CHARACTER, decoded

_SEPARATORS = ",;\t|"
_HEADERS_WITHIN = 20  # lines: a title and a few words may stand above the headers

Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]


def read(data: bytes, layout: Mapping[str, Any]) -> Cut:
    """Cut a results CSV into cells.

    Parameters
    ----------
    data : bytes
        The whole file.
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it.

    Returns
    -------
    frame : DataFrame
        The cells as texts under the headers, each header once; missing where a cell is empty.
    source_row : ndarray of int64
        The line of each row.
    faults : list of DataFrame
        The lines that are no rows.
    """
    text, is_clean = decoded(data, layout["encoding"])
    stream = io.StringIO(text, newline="")
    lines = list(itertools.islice(stream, _HEADERS_WITHIN))
    sep, above, headers, start = _headers(lines, layout)
    faults = [_line_faults("text_skipped", above, lines)]
    plain = plain_rows(text[sum(map(len, lines[:start])) :], sep, len(headers), start + 1) if is_clean else None
    if plain:
        frame, line = plain
    else:
        lines += stream
        frame, line, found = _rows(lines, sep, headers, start)
        faults += found
    again = np.flatnonzero(frame.iloc[:, 0] == headers[0]) if headers else np.empty(0, np.intp)
    again = again[(frame.iloc[again].fillna("") == headers).all(axis=1).to_numpy()]
    faults.append(fault_table("text_skipped", line[again], value=sep.join(headers)))
    frame.columns = pd.Index(distinct_headers(headers))
    heads = [bool(header.strip()) or bool(frame.iloc[:, place].notna().any()) for place, header in enumerate(headers)]
    keep = np.delete(np.arange(len(frame)), again)
    return frame.iloc[keep, np.flatnonzero(heads)], line[keep], faults


def _headers(lines: Sequence[str], layout: Mapping[str, Any]) -> tuple[str, list[int], list[str], int]:
    """The separator, the lines that say something above the headers, the headers, and the line where rows start.

    The headers are the line, and the separator the character, that give the most headers we know; where none gives
    any, the first line that says something, cut into the most cells.
    """
    told = re.fullmatch(r'"?sep=(.)"?\s*', lines[0]) if lines else None  # a spreadsheet's own first line
    first = 1 if told else 0
    best: tuple[int, int, str, list[int], list[str], int] = (0, 0, ",", [], [], len(lines))
    for sep in layout["sep"] or (told[1] if told else _SEPARATORS):
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


def _line_faults(rule: str, at: Sequence[int], lines: Sequence[str]) -> pd.DataFrame:
    return fault_table(rule, at, value=[lines[line - 1].strip() for line in at])


def _rows(lines: Sequence[str], sep: str, headers: Sequence[str], start: int) -> Cut:
    """The rows of lines that are not plain: those with a cell for each header, all of them readable."""
    found, broken = records(lines, sep, len(headers), start)
    told = [(line, fields) for line, fields in found if _says_something(fields)]
    full = [(line, fields) for line, fields in told if len(fields) == len(headers)]
    unreadable = {line: cell for line, fields in full for cell in fields if NO_CHARACTER in cell}
    rows = [(line, fields) for line, fields in full if line not in unreadable]
    frame = pd.DataFrame([fields for _, fields in rows], columns=range(len(headers)), dtype="str")
    faults = [
        _line_faults("quotes_unreadable", broken, lines),
        _miscounted([record for record in told if len(record[1]) != len(headers)], len(headers)),
        fault_table(
            "bytes_unreadable",
            list(unreadable),
            value=list(unreadable.values()),
            suggestion="in the layout: encoding = 'cp1252', or the one the file was written in",
        ),
    ]
    return frame.replace({"": None}), np.array([line for line, _ in rows], np.int64), faults


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
