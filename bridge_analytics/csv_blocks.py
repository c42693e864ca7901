"""A results CSV of any size in blocks of whole lines, which can be read apart: where each starts is known before.

Only a file whose quotes are simple is cut: each of them opens or closes a cell, and no cell goes on in the next line.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.arrow_tables import LABEL
from bridge_analytics.folders import opened
from bridge_analytics.formats.results_csv import parts, top_of
from bridge_analytics.headers import distinct_headers
from bridge_analytics.sources import Cut

BLOCK = 1 << 22
"""Bytes that are read and scored at a time."""

PIECE = 8 * BLOCK
"""Bytes, at least, that make a piece of work."""

_MARK = b"\xef\xbb\xbf"

Piece = dict[str, Any]
Block = tuple[Any, NDArray[np.int64], Callable[[], Iterator[Cut]]]
"""Cells as an Arrow table of words, None where they are not plain; their lines; and the way to cut them one by one."""


def csv_pieces(source: str, layout: Mapping[str, Any]) -> list[Piece]:
    """The pieces of a CSV; none where it cannot be cut."""
    with opened(source) as file:
        top = file.read(BLOCK)
        if layout["encoding"] or top[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return []
        mark = len(_MARK) * top.startswith(_MARK)
        sep, headers, line, start = top_of(top[mark:], layout)
        if len(headers) < 2 or not sep.isascii():
            return []
        head: Piece = {"source": source, "format": "results_csv", "sep": sep, "headers": distinct_headers(headers)}
        head |= {"head": mark + start, "head_line": line}
        pieces: list[Piece] = []
        for begin, data in _blocks(file, mark + start, None):
            if not _is_simple(data, sep.encode()):
                return []
            if not pieces or pieces[-1]["stop"] - pieces[-1]["start"] >= PIECE:
                pieces.append(head | {"start": begin, "stop": begin, "line": line + 1, "rows": 0})
            count = _lines(data)
            line += count
            pieces[-1]["stop"] += len(data)
            pieces[-1]["rows"] += count
    return pieces


def _blocks(file: Any, start: int, stop: int | None) -> Iterator[tuple[int, bytes]]:
    """Whole lines from one byte of a file to another, a block at a time, each with the byte where it starts."""
    file.seek(start)
    while stop is None or start < stop:
        data = file.read(BLOCK if stop is None else min(BLOCK, stop - start))
        if not data:
            return
        data += b"" if data.endswith(b"\n") else file.readline()
        yield start, data
        start += len(data)


def _lines(data: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n"))) + (not data.endswith(b"\n"))


def _is_simple(data: bytes, sep: bytes) -> bool:
    """Whether a line ends where it seems to, and so does a cell."""
    if b"\0" in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n")):
        return False
    if b'"' not in data:
        return True
    quotes = data.count(b'"')
    openings = data.count(sep + b'"') + data.count(b'\n"') + data.startswith(b'"')
    closings = data.count(b'"' + sep) + data.count(b'"\n') + data.count(b'"\r\n') + data.endswith(b'"')
    return 2 * openings == quotes == 2 * closings


def csv_blocks(
    piece: Mapping[str, Any], layout: Mapping[str, Any], only: Sequence[str] | None = None
) -> Iterator[Block]:
    """The blocks of a piece.

    Parameters
    ----------
    piece : mapping
        One of :func:`csv_pieces`.
    layout : mapping
        As :func:`load_layout` gives it.
    only : sequence of str, optional
        The headers that are wanted.
    """
    with opened(piece["source"]) as file:
        head, line = file.read(piece["head"]), piece["line"]
        for start, data in _blocks(file, piece["start"], piece["stop"]):
            words, count = _words(data, piece, only), _lines(data)
            if words is not None and len(words) != count:  # lines of nothing
                words = None
            above = -1 if start == piece["head"] else piece["head_line"]
            cut = _cutter(head + data, line - piece["head_line"] - 1, above, layout)
            yield words, np.arange(line, line + count), cut
            line += count


def _words(data: bytes, piece: Mapping[str, Any], only: Sequence[str] | None) -> Any:
    """The cells of lines that have one for each header, as dictionaries of words; None where not all have."""
    from pyarrow import csv

    names = piece["headers"]
    convert = csv.ConvertOptions(
        column_types=dict.fromkeys(names, LABEL), null_values=[""], strings_can_be_null=True, include_columns=only or []
    )
    try:
        return csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(column_names=names, block_size=2 * len(data) + 1, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=piece["sep"], quote_char='"' if b'"' in data else False),
            convert_options=convert,
        )
    except pa.ArrowInvalid:  # uneven lines, or what is no UTF-8
        return None


def _cutter(data: bytes, before: int, above: int, layout: Mapping[str, Any]) -> Callable[[], Iterator[Cut]]:
    """Cut a block as the file itself is cut, under its own headers, and count its lines on.

    What is wrong with the lines down to ``above`` is told by another block.
    """

    def cut() -> Iterator[Cut]:
        for frame, rows, faults in parts(io.BytesIO(data), layout):
            own = [fault[(fault["source_row"] > above).fillna(True)] for fault in faults]
            yield frame, rows + before, [fault.assign(source_row=fault["source_row"] + before) for fault in own]

    return cut
