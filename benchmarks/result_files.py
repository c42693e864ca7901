"""A results CSV, generated: results of a large file, as a program writes them."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import samples

_FOLDER = TemporaryDirectory(prefix="results")


@cache
def results_csv(rows):
    """Events of 36 boards, 13 results each: event, board, pairs, contract, declarer, tricks."""
    from pyarrow import csv

    path = Path(_FOLDER.name) / f"{rows}.csv"
    table = samples.event_rows(0, rows)
    kinds = [(field.name, getattr(field.type, "value_type", field.type)) for field in table.schema]  # no dictionaries
    plain = table.cast(pa.schema(kinds))
    csv.write_csv(plain, path, csv.WriteOptions(quoting_style="none"))
    return {"path": path}
