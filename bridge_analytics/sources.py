"""The cells of a source of results, whatever it is: a file in one of the formats, or a table in memory."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.formats import results_csv, valet
from bridge_analytics.headers import distinct_headers

Source = str | Path | pd.DataFrame
Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]

_READERS = MappingProxyType({"results_csv": results_csv.read, "valet": valet.read})
_FORMATS = (*_READERS, "parquet")


def cells_of(source: Any, format: str | None, layout: Mapping[str, Any]) -> tuple[str, *Cut]:
    """The cells of a source under its own headers.

    Parameters
    ----------
    source : path, or table of pandas, Polars or Arrow
    format : {"results_csv", "valet", "parquet"}, optional
        Found from the first bytes of a file where it is not given.
    layout : mapping
        As :func:`load_layout` gives it.

    Returns
    -------
    name : str
        What the source is called in faults.
    frame : DataFrame
        The cells, each header once.
    source_row : ndarray of int64
        The line, record or row of each row of cells.
    faults : list of DataFrame
        What of the source is no row.

    Raises
    ------
    ValueError
        If the format is not known, or the source is neither a path nor a table.
    OSError
        If the file cannot be opened.
    """
    if format is not None and format not in _FORMATS:
        raise ValueError(f"expected a format among {', '.join(_FORMATS)}, got {format!r}")
    if isinstance(source, str | Path) and source != "":
        return str(source), *_cells_of_file(Path(source), format, layout)
    return type(source).__name__, *_cells_of_table(source)


def _cells_of_file(path: Path, format: str | None, layout: Mapping[str, Any]) -> Cut:
    with path.open("rb") as file:
        start = file.read(4)
    if format == "parquet" or (format is None and start == b"PAR1"):
        return _cells_of_table(pd.read_parquet(path))
    data = gzip.decompress(path.read_bytes()) if start[:2] == b"\x1f\x8b" else path.read_bytes()
    return _READERS[format or ("valet" if valet.is_valet(data) else "results_csv")](data, layout)


def _cells_of_table(table: Any) -> Cut:
    frame = table if isinstance(table, pd.DataFrame) else table.to_pandas() if hasattr(table, "to_pandas") else None
    if not isinstance(frame, pd.DataFrame):
        shown = repr(table) if table is None or isinstance(table, str) else type(table).__name__
        raise ValueError(f"expected a path or a table of results, got {shown}")
    return frame.set_axis(distinct_headers(list(frame.columns)), axis=1), np.arange(1, len(frame) + 1), []
