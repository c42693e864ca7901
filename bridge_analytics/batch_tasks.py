"""The steps of a run over files, each by itself: to plan a file, to score a piece, to sort one by deal, to compare.

A step takes and gives what can be sent to another machine. What it writes is whole or is not there, and the same each
time. What is wrong with a file is told (``refusal``); what is wrong with the disk is raised.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import pandas as pd
import pyarrow as pa

from bridge_analytics.arrow_tables import ROW_SCORES, completed, schema_of, with_own, with_scores
from bridge_analytics.buckets import compared, read_bucket, write_buckets
from bridge_analytics.checks import FAULT_COLUMNS, ResultsError, fault_table, join_faults
from bridge_analytics.folders import checksum, size_of, written
from bridge_analytics.manifest import FAULTS, WORK
from bridge_analytics.streams import blocks_of, plan

Task = Mapping[str, Any]
Record = dict[str, Any]

_UNREADABLE = (OSError, ValueError, EOFError, zlib.error, pa.ArrowException)
_COUNTED = ("source_row", "deal_id")  # they ascend: their differences are small
_LOOKED_FOR = ("board", "deal_id", "source_row", "score_ns")  # whose least and greatest value are kept


def plan_source(task: Task) -> Record:
    """How a file is read: its pieces and the columns of its own."""
    source = task["source"]
    try:
        pieces, own = plan(source, task["layout"])
    except _UNREADABLE as error:
        return {"refusal": _refusal(source, error)}
    return {"pieces": pieces, "own": own}


def _refusal(source: str, error: Exception) -> list[dict[str, Any]]:
    """What is wrong with a whole file, as faults."""
    if isinstance(error, ResultsError):
        faults = error.faults.assign(source=source)
    else:
        faults = fault_table("file_unreadable", None, value=str(error), source=source)
    rows = faults.astype(object).where(faults.notna(), None)
    return [dict(zip(FAULT_COLUMNS, row, strict=True)) for row in rows[[*FAULT_COLUMNS]].itertuples(index=False)]


def score_piece(task: Task) -> Record:
    """Score the rows of a piece in their order into a file of their own."""
    piece, name, faults = task["piece"], task["name"], list[pd.DataFrame]()
    schema = schema_of(_types(task["own"]), ROW_SCORES)
    try:
        tables = (completed(with_scores(table, task["edition"]), schema) for table in _read(task, faults))
        rows = _write_parquet(f"{task['target']}/{name}", tables, schema)
    except ResultsError as error:
        return {"refusal": _refusal(piece["source"], error)}
    return _written(task, rows, faults)


def sort_piece(task: Task) -> Record:
    """Put the rows of a piece by bucket into a temporary file."""
    faults: list[pd.DataFrame] = []
    try:
        tables = [with_own(table, _types(task["own"]), task["by"] or ()) for table in _read(task, faults)]
    except ResultsError as error:
        return {"refusal": _refusal(task["piece"]["source"], error)}
    path = f"{task['target']}/{WORK}/{task['name']}"
    record = write_buckets(path, tables, task["by"], task["count"])
    return record | {"bytes": size_of(path)} | _write_faults(task, faults)


def compare_bucket(task: Task) -> Record:
    """Score and compare the deals of a bucket into a file of their own."""
    files = {f"{task['target']}/{WORK}/{name}": batch for name, batch in task["files"].items()}
    table = read_bucket(files, task["bucket"], task["by"], task["count"])
    own = _types(task["own"])
    table, faults, deals = compared(table, task["bucket"], task["count"], task["by"], task["how"], own)
    rows = _write_parquet(f"{task['target']}/{task['name']}", [table], table.schema)
    return _written(task, rows, [faults]) | {"deals": deals}


def _read(task: Task, faults: list[pd.DataFrame]) -> Iterator[Any]:
    """The results of a piece; what is wrong with its rows is added to ``faults``."""
    try:
        for table, found in blocks_of(task["piece"], task["layout"]):
            if len(found):
                faults.append(found)
            yield table
    except ResultsError:
        raise
    except _UNREADABLE as error:
        raise ResultsError(fault_table("file_unreadable", None, value=str(error)), 0) from None


def _types(own: Mapping[str, str]) -> dict[str, Any]:
    return {name: pa.type_for_alias(kind) for name, kind in own.items()}


def _write_parquet(path: str, tables: Any, schema: Any) -> int:
    from pyarrow import parquet

    rows, counted = 0, [name for name in _COUNTED if name in schema.names]
    with (
        written(path) as file,
        parquet.ParquetWriter(
            file,
            schema,
            compression="zstd",
            use_dictionary=[name for name in schema.names if name not in counted],
            column_encoding=dict.fromkeys(counted, "DELTA_BINARY_PACKED"),
            write_statistics=[name for name in _LOOKED_FOR if name in schema.names],
        ) as writer,
    ):
        for table in tables:
            writer.write_table(table)
            rows += len(table)
    return rows


def _written(task: Task, rows: int, faults: Sequence[pd.DataFrame]) -> Record:
    path = f"{task['target']}/{task['name']}"
    return {"rows": rows, "bytes": size_of(path), "sha256": checksum(path)} | _write_faults(task, faults)


def _write_faults(task: Task, faults: Sequence[pd.DataFrame]) -> Record:
    """Write the faults of a step beside, if there are any; how many, and how many rows are left out."""
    together = join_faults(faults)
    if not len(together):
        return {"faults": 0, "left_out": 0}
    with written(f"{task['target']}/{FAULTS}/{PurePosixPath(task['name']).stem}.parquet") as file:
        together.astype(FAULT_COLUMNS).to_parquet(file, index=False)
    return {"faults": len(together), "left_out": together.loc[together["left_out"], "source_row"].nunique()}
