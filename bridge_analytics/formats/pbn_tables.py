"""Sections of a PBN file that are tables: a line of headers in the tag, and a row of cells on each line behind it."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.formats.pbn_games import unescaped
from bridge_analytics.formats.pbn_text import MARK

_CELL = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|[^\s"]++|\n|"')
_HEADER = re.compile(r"[+-]?(\w+)")

Rows = tuple[dict[str, NDArray[Any]], NDArray[np.intp], NDArray[np.intp]]


def rows_of(header: str, texts: Sequence[str]) -> Rows:
    """The rows of tables under one header.

    Parameters
    ----------
    header : str
        The value of the tag: ``"Table\\\\1R;Round\\\\1R;PairId_NS\\\\2R"``; how wide and on which side a column is
        printed does not count.
    texts : sequence of str
        What stands behind each of the tags.

    Returns
    -------
    cells : dict of str to ndarray of object
        By header in small letters, the cells of all rows as they were before quotes were put around them; a row that
        has not as many cells as there are headers has none.
    text : ndarray of int
        For each row the position of its text.
    count : ndarray of int
        For each row how many cells it has.

    Examples
    --------
    >>> cells, text, count = rows_of(r"+Rank;Name\\\\9L", ['1 "J. B."', "2 K"])
    >>> {name: column.tolist() for name, column in cells.items()}
    {'rank': ['1', '2'], 'name': ['J. B.', 'K']}
    """
    names = headers_of(header)
    lines = [(place, line) for place, text in enumerate(texts) for line in text.replace(MARK, " ").split("\n")]
    lines = [(place, line) for place, line in lines if line and not line.isspace()]
    words = np.array(_CELL.findall("".join(f"{line}\n" for _, line in lines)), object)
    ends = np.flatnonzero(words == "\n")
    count = np.diff(ends, prepend=-1) - 1
    full = count == len(names)
    words = words[np.repeat(full, count + 1)].reshape(-1, len(names) + 1) if len(words) else np.empty((0, 1), object)
    cells = np.full((len(lines), len(names)), None, object)
    cells[full] = words[:, :-1]
    columns = {name: _unquoted(cells[:, place]) for place, name in enumerate(names)}
    return columns, np.array([place for place, _ in lines], np.intp), count


def headers_of(header: str) -> list[str]:
    """The names of the columns, in small letters."""
    found = (_HEADER.match(part.strip()) for part in re.split(r"[;\s]+", header.strip()) if part)
    return [match[1].lower() if match else "" for match in found]


def _unquoted(cells: NDArray[Any]) -> NDArray[Any]:
    cells[cells == "?"] = None
    quoted = [place for place, cell in enumerate(cells) if cell is not None and len(cell) > 1 and cell[0] == '"']
    cells[quoted] = [unescaped(cells[place][1:-1]) for place in quoted]
    return cells
