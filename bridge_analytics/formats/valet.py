"""Score files of the Valet program: no headers, a result on each line, bars between the cells.

A line is ``round|board|north|east|south|west|contract|declarer|tricks|lead``; the lead may be left out. Players are
numbers of a file of names. A board that was passed out stands as ``P|S|0``.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.layout import NO_CHARACTER, decoded

_HEADERS = ("round", "board", "north", "east", "south", "west", "contract", "declarer", "tricks", "lead")
_ROWS = 20_000  # of a part
_A_LINE = re.compile(rb"\s*\d+\|\d+\|(?:[^|\n]*\|){4}[^|\n]+\|[NESW]?\|\d{1,2}(?:\||\s|$)")


Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]


def is_valet(data: bytes) -> bool:
    """Whether a file starts with a result as Valet writes it."""
    return bool(_A_LINE.match(data))


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """Cut a Valet score file into cells, a part at a time.

    Parameters
    ----------
    file : binary file
        At its start.
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it.

    Yields
    ------
    frame : DataFrame
        The cells as texts under canonical headers; missing where a cell is empty.
    source_row : ndarray of int64
        The line of each row.
    faults : list of DataFrame
        The lines that are no rows.
    """
    for first in count(1, _ROWS):
        lines = list(islice(file, _ROWS))
        if lines or first == 1:  # also of an empty file there is a part
            yield _cut(decoded(b"".join(lines), layout["encoding"])[0].split("\n"), first)
        if len(lines) < _ROWS:
            return


def _cut(lines: list[str], first: int) -> Cut:
    full = {at: line.strip().split("|") for at, line in enumerate(lines, first) if line.strip()}
    cut = {
        at: fields for at, fields in full.items() if len(fields) in (9, 10) and NO_CHARACTER not in lines[at - first]
    }
    broken = [at for at in full if NO_CHARACTER in lines[at - first]]
    miscounted = [at for at in full if at not in cut and at not in broken]
    cells = zip(*((*fields, "")[:10] for fields in cut.values()), strict=True)
    columns = dict(zip(_HEADERS, cells, strict=True)) if cut else {}
    frame = pd.DataFrame(columns, columns=list(_HEADERS), dtype="str")
    counts = [f"{len(full[at])} cells" for at in miscounted]
    faults = [
        fault_table("bytes_unreadable", broken, value=[lines[at - first].strip() for at in broken]),
        fault_table("cells_miscounted", miscounted, value=counts, suggestion="a line has 9 or 10 cells"),
    ]
    return frame, np.array(list(cut), np.int64), faults
