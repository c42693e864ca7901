"""A Parquet file of results in pieces of whole row groups, and each piece in blocks of rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.folders import opened
from bridge_analytics.headers import distinct_headers
from bridge_analytics.sources import Cut

PIECE = 1 << 20
"""Rows, at least, that make a piece of work."""

_BLOCK = 1 << 18

Piece = dict[str, Any]
Block = tuple[Any, NDArray[np.int64], Callable[[], Iterator[Cut]]]


def parquet_pieces(source: str) -> list[Piece]:
    """The pieces of a Parquet file: whole row groups."""
    from pyarrow import parquet

    pieces: list[Piece] = []
    with opened(source) as file:
        metadata = parquet.ParquetFile(file).metadata
        first = 1
        for group in range(metadata.num_row_groups):
            rows = metadata.row_group(group).num_rows
            if not pieces or pieces[-1]["rows"] + rows > PIECE:
                pieces.append({"source": source, "format": "parquet", "groups": [], "first": first, "rows": 0})
            pieces[-1]["groups"].append(group)
            pieces[-1]["rows"] += rows
            first += rows
    return pieces or [{"source": source, "format": "parquet", "groups": [], "first": 1, "rows": 0}]


def parquet_blocks(piece: Mapping[str, Any], only: Sequence[str] | None = None) -> Iterator[Block]:
    """The blocks of a piece, each text column as a dictionary; at least one block.

    Parameters
    ----------
    piece : mapping
        One of :func:`parquet_pieces`.
    only : sequence of str, optional
        The headers that are wanted.
    """
    from pyarrow import parquet

    with opened(piece["source"]) as file:
        schema = parquet.ParquetFile(file).schema_arrow
        file.seek(0)
        texts = [field.name for field in schema if field.type in (pa.string(), pa.large_string())]
        whole = parquet.ParquetFile(file, read_dictionary=texts)
        names = distinct_headers(schema.names)
        row = piece["first"]
        for batch in whole.iter_batches(_BLOCK, row_groups=piece["groups"], columns=only, use_threads=False):
            table = pa.Table.from_batches([batch])
            table = table if only else table.rename_columns(names)
            rows = np.arange(row, row + len(table))
            yield table, rows, _cutter(table, rows)
            row += len(table)
        if not piece["rows"]:
            table = schema.empty_table().rename_columns(names)
            yield table, np.empty(0, np.int64), _cutter(table, np.empty(0, np.int64))


def _cutter(table: Any, rows: NDArray[np.int64]) -> Callable[[], Iterator[Cut]]:
    def cut() -> Iterator[Cut]:
        frame: pd.DataFrame = table.to_pandas()
        yield frame, rows, []

    return cut
