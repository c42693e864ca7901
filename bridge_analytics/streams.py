"""Files of any size as streams of results: cut into pieces that can be read apart, and each piece into blocks.

CSV and Parquet are cut; any other format, and a CSV whose quotes are not simple, is one piece, read from end to end.
What can only be told from a whole file, such as whether its results have signs, is told before any of it is read.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa

from bridge_analytics.arrow_tables import common_types, own_types, to_arrow
from bridge_analytics.checks import FAULT_COLUMNS, join_faults
from bridge_analytics.columns import text_codes
from bridge_analytics.contract_cells import has_sign
from bridge_analytics.csv_blocks import Block, csv_blocks, csv_pieces
from bridge_analytics.folders import opened
from bridge_analytics.headers import roles_of
from bridge_analytics.parquet_blocks import parquet_blocks, parquet_pieces
from bridge_analytics.plain_results import plain_results
from bridge_analytics.rows import results_of
from bridge_analytics.sources import Cut, format_of
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS

_START = 1 << 16

Layout = Mapping[str, Any]
Piece = Mapping[str, Any]


def plan(source: str, layout: Layout) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """How a file is read.

    Parameters
    ----------
    source : str
        A path, here or one of fsspec's.
    layout : mapping
        As :func:`load_layout` gives it.

    Returns
    -------
    pieces : list of dict
        Where each piece is, about how many ``rows`` it has, and for the layout what the ``result`` of all counts.
    own : dict of str
        The columns of the file's own, with the Arrow type that each is kept in.

    Raises
    ------
    ResultsError
        If the file is no table of results.
    ValueError, OSError
        If it cannot be read.
    """
    with opened(source) as file:
        start = file.read(_START)
    is_packed = start[:2] == b"\x1f\x8b"
    kind = format_of(start, Path(source))
    if kind == "parquet":
        pieces = parquet_pieces(source)
    elif kind == "results_csv" and layout["duplicates"] == "keep" and not is_packed:
        pieces = csv_pieces(source, layout)
    else:
        pieces = []
    pieces = pieces or [{"source": source, "format": "whole", "rows": 0}]
    blocks = _cells(pieces[0] | {"stop": pieces[0].get("start", 0) + _START}, layout)
    first = next(blocks)
    seen = [first, *(blocks if pieces[0]["format"] == "whole" else ())]
    own = common_types([_own(block, layout, source) for block in seen])
    result = _result(pieces, first, layout)
    return [piece | {"result": result} for piece in pieces], {name: str(own[name]) for name in own}


def _own(block: Block, layout: Layout, source: str) -> dict[str, Any]:
    """The columns of a block that are not ours: those of Parquet keep their type, others are texts."""
    words, _, cut = block
    frame, rows, _ = next(cut())
    results, _ = results_of(frame.head(1), rows[:1], layout, source=source)
    names = [name for name in map(str, results) if name not in COLUMNS and name not in SCORED_COLUMNS]
    kinds = own_types(words) if words is not None else {}
    return {name: kinds.get(name, kinds.get(name.removeprefix("file_"), pa.large_string())) for name in names}


def _result(pieces: Iterable[Piece], first: Block, layout: Layout) -> str | None:
    """What a column of results counts: as the layout says, else as the whole file shows."""
    names = list(map(str, next(first[2]())[0].columns))
    told: str | None = layout["result"]
    headers = {role: names[place] for place, role in roles_of(names, layout["columns"]).items()}
    if "result" not in headers or told:
        return told
    header = headers["result"]
    for piece in pieces:
        for words, _, cut in _cells(piece, layout, [header]):
            columns = [frame[header] for frame, _, _ in cut()] if words is None else [words[header]]
            if any(has_sign(map(str.strip, map(str, text_codes(column)[0]))) for column in columns):
                return "signed"
    return "absolute"


def _cells(piece: Piece, layout: Layout, only: Sequence[str] | None = None) -> Iterator[Block]:
    if piece["format"] == "parquet":
        return parquet_blocks(piece, only)
    return csv_blocks(piece, layout, only) if piece["format"] == "results_csv" else _whole(piece["source"], layout)


def _whole(source: str, layout: Layout) -> Iterator[Block]:
    """A file that is not cut, in the parts that its format gives; all at once where later rows replace earlier ones."""
    with _unpacked(source) as file:
        start = file.read(_START)
        file.seek(0)
        read = import_module(f"bridge_analytics.formats.{format_of(start, Path(source))}").parts(file, layout)
        cuts = [_joined(list(read))] if layout["duplicates"] == "last" else read
        for cut in cuts:
            yield None, cut[1], partial(iter, [cut])


@contextmanager
def _unpacked(source: str) -> Iterator[BinaryIO]:
    with opened(source) as file:
        is_packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        if not is_packed:
            yield file
            return
        with gzip.open(file) as unpacked:
            yield unpacked  # type: ignore[misc]  # it reads and seeks like a file


def _joined(cuts: list[Cut]) -> Cut:
    frames, rows, faults = zip(*cuts, strict=True)
    return pd.concat(frames, ignore_index=True), np.concatenate(rows), [fault for part in faults for fault in part]


def blocks_of(piece: Piece, layout: Layout) -> Iterator[tuple[Any, pd.DataFrame]]:
    """The results of a piece, block by block, and what is wrong with them.

    Parameters
    ----------
    piece : mapping
        One that :func:`plan` gave.
    layout : mapping
        As :func:`load_layout` gives it.

    Yields
    ------
    results : pyarrow.Table
        Canonical, without the columns that say nothing.
    faults : DataFrame
    """
    how, source = {**layout, "result": piece["result"]}, piece["source"]
    for words, rows, cut in _cells(piece, layout):
        plain = None if words is None else plain_results(words, how, source=source, source_row=rows)
        if plain is not None:
            yield plain, join_faults([])
            continue
        for frame, lines, found in cut():
            results, faults = results_of(frame, lines, how, source=source)
            named = [part.assign(source=source).astype(FAULT_COLUMNS) for part in found]
            bare = results.drop(columns=[name for name in SCORED_COLUMNS if name in results])
            yield to_arrow(bare), join_faults([*named, faults])
