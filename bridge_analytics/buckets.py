"""Results by deal, when they are more than memory holds: all rows of a deal come to one bucket and are compared there.

A bucket is chosen by the hash of what tells a deal apart, so that nothing need be known of the other rows. The rows of
one piece of the input go to one temporary Arrow file, a batch for each bucket: its footer says where each batch is, and
does not grow with the number of columns, as the one of Parquet does.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.arrow_tables import completed, from_arrow, pandas_columns, schema_of, to_arrow
from bridge_analytics.checks import no_faults
from bridge_analytics.columns import text_codes
from bridge_analytics.deal_labels import deal_labels
from bridge_analytics.folders import opened, written
from bridge_analytics.identity import boardless, twice
from bridge_analytics.results import score_results
from bridge_analytics.table import COLUMNS, label

By = Sequence[str] | None
Hashes = NDArray[np.uint64]


def deal_hashes(table: Any, by: By) -> Hashes:
    """A number for each row, the same for rows of one deal wherever they are read.

    Parameters
    ----------
    table : pyarrow.Table
        Canonical; columns that say nothing may be left out.
    by : sequence of str, optional
        As for :func:`deal_ids`.

    Raises
    ------
    ValueError
        If ``by`` names no column.
    """
    needed = {"event", "source", "session", "board", "board_label", *(by or ())}
    columns = pandas_columns(table, sorted({*needed, "source_row"}))
    alike = pd.DataFrame({name: _alike(column) for name, column in deal_labels(columns, by).items()})
    hashes: Hashes = np.array(pd.util.hash_pandas_object(alike, index=False), np.uint64)
    if by is None and (alone := boardless(columns)).any():  # each a deal of its own: they would fill one bucket
        hashes[alone] += pd.util.hash_array(columns["source_row"].to_numpy(np.int64, na_value=-1)[alone])
    return hashes


def _alike(column: Any) -> Any:
    """A column so that equal values have equal hashes, whatever type a file gave them."""
    series = pd.Series(column)
    if series.dtype.kind == "M":
        return series
    if series.dtype.kind in "biuf":
        return series.astype("float64")
    return series if isinstance(series.dtype, pd.CategoricalDtype) else pd.Series(label(*text_codes(series)))


def write_buckets(path: str, tables: Sequence[Any], by: By, count: int) -> dict[str, Any]:
    """Write results by bucket.

    Returns
    -------
    dict
        ``rows`` of each bucket that has some, by its number (a text, for JSON), in the order of the batches; and
        ``origins``: the event, or the source where there is none, of the rows, two at most.
    """
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()
    bucket = (deal_hashes(table, by) % np.uint64(count)).astype(np.int64)
    order = np.argsort(bucket, kind="stable")
    table, sizes = table.take(pa.array(order)), np.bincount(bucket, minlength=count)
    used = np.flatnonzero(sizes).tolist()
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with written(path) as file, pa.ipc.new_file(file, table.schema, options=options) as sink:
        for number, stop in zip(used, np.cumsum(sizes[used]).tolist(), strict=True):
            for batch in table.slice(stop - sizes[number], sizes[number]).combine_chunks().to_batches():
                sink.write_batch(batch)
    return {"rows": {str(number): int(sizes[number]) for number in used}, "origins": _origins(table)}


def _origins(table: Any) -> list[str]:
    """Where rows are from, for the check that ``by`` does not pool events: two labels are enough to tell."""
    found = []
    for name in ("event", "source"):
        if name in table.column_names:
            words, codes = text_codes(table[name])
            if name == "source" and "event" in table.column_names:
                codes = codes[table["event"].is_null().to_numpy()]
            found += [f"{name} {words[code]}" for code in np.unique(codes[codes >= 0])[:2]]
    return found[:2]


def read_bucket(files: Mapping[str, tuple[int, int]], bucket: int, by: By, count: int) -> Any:
    """All rows of a bucket, those of a deal together, deals in the order in which they first come.

    Parameters
    ----------
    files : mapping of str to (int, int)
        The path of each temporary file, with the place of the batch in it and its rows.

    Raises
    ------
    ValueError
        If a row is not of this bucket, or rows are lost: the files are not those that were written.
    """
    tables = []
    for path, (place, rows) in files.items():
        with opened(path) as file:
            batch = pa.ipc.open_file(file).get_batch(place)
        if len(batch) != rows:
            raise ValueError(f"expected {rows:,} rows of bucket {bucket} in {path}, got {len(batch):,}")
        tables.append(pa.Table.from_batches([batch]))
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries().combine_chunks()
    hashes = deal_hashes(table, by)
    wrong = hashes % np.uint64(count) != bucket
    if wrong.any():
        raise ValueError(
            f"expected results of bucket {bucket} of {count}, got {int(wrong.sum()):,} of others among them"
        )
    deals = pd.factorize(hashes)[0]
    return table if (np.diff(deals) >= 0).all() else table.take(pa.array(np.argsort(deals, kind="stable")))


def compared(
    table: Any, bucket: int, count: int, by: By, how: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[Any, pd.DataFrame, int]:
    """The rows of a bucket scored and compared, who comes to a deal twice, and how many deals there are.

    ``deal_id`` tells deals apart over all buckets: it counts in steps of their number.
    """
    results = from_arrow(table)
    scored = score_results(results, by=by, **how)
    deals = scored["deal_id"].to_numpy()
    is_alone = by is None and count == 1 and not deals.any()  # one deal in all: a name may stand for a place
    faults = no_faults() if is_alone else twice(results, deals, pool_sections=by is not None)
    scored["deal_id"] = deals * count + bucket
    names = [str(name) for name in scored if name not in COLUMNS and name not in own]
    return completed(to_arrow(scored), schema_of(own, names)), faults, int(deals.max(initial=-1)) + 1
