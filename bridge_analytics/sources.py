"""The cells of a source of results, whatever it is: files in any of the formats, or a table in memory."""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import FAULT_COLUMNS, ResultsError, fault_table
from bridge_analytics.headers import distinct_headers

Source = str | Path | pd.DataFrame
Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]

FORMATS = ("results_csv", "valet", "pbn", "lin", "usebio", "bws", "parquet")
"""The formats that are read, each but the last a module of :mod:`bridge_analytics.formats`."""

_BY_CONTENT = ("bws", "usebio", "pbn", "lin", "valet")  # whose first bytes tell them, the surest first
_BY_SUFFIX = MappingProxyType({".pbn": "pbn", ".lin": "lin", ".xml": "usebio", ".bws": "bws"})
ENDINGS = (".csv", ".tsv", ".txt", ".parquet", *_BY_SUFFIX)
_START = 1 << 16


def files_of(source: Any) -> list[Path] | None:
    """The files of a folder or of a pattern such as ``club/*.csv``, by name; None where a source is neither.

    Raises
    ------
    ValueError
        If there is no such file. Of a folder only files count whose ending is that of a format, compressed or not.
    """
    if not isinstance(source, str | Path) or source == "":
        return None
    path = Path(source)
    if path.is_dir():
        found = [file for file in path.iterdir() if Path(file.name.removesuffix(".gz")).suffix.lower() in ENDINGS]
        wanted = f"a folder with files {' '.join(f'*{ending}' for ending in ENDINGS)}"
    elif set("*?[") & set(str(source)) and not path.exists():
        found, wanted = list(Path(path.anchor).glob(str(path.relative_to(path.anchor)))), "a pattern that files match"
    else:
        return None
    files = sorted(file for file in found if file.is_file() and not file.name.startswith((".", "_")))
    if not files:
        raise ValueError(f"expected {wanted}, got {str(source)!r}")
    return files


def check_format(format: str | None) -> None:
    """Refuse a format that is not known."""
    if format is not None and format not in FORMATS:
        raise ValueError(f"expected a format among {', '.join(FORMATS)}, got {format!r}")


def name_of(source: Any) -> str:
    """What a source is called in faults: its path, or what kind of table it is."""
    return str(source) if isinstance(source, str | Path) else type(source).__name__


def cells_of(source: Any, format: str | None, layout: Mapping[str, Any]) -> Cut:
    """The cells of a source under its own headers.

    Parameters
    ----------
    source : path of a file, or table of pandas, Polars or Arrow
    format : one of FORMATS, optional
        Found from the first bytes of a file, else from its ending, where it is not given.
    layout : mapping
        As :func:`load_layout` gives it.

    Returns
    -------
    frame : DataFrame
        The cells, each header once.
    source_row : ndarray of int64
        The line, record or row of each row of cells.
    faults : list of DataFrame
        What of the source is no row.

    Raises
    ------
    ResultsError
        If the file is none of its format.
    ValueError
        If the source is neither a path nor a table.
    OSError
        If the file cannot be opened.
    """
    frames, rows, faults = zip(*parts_of(source, format, layout), strict=True)
    if len(frames) == 1:
        return frames[0], rows[0], faults[0]
    return pd.concat(frames, ignore_index=True), np.concatenate(rows), [fault for part in faults for fault in part]


def parts_of(source: Any, format: str | None, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """The cells of a source as :func:`cells_of` gives them, a part at a time; at least one part."""
    if not isinstance(source, str | Path) or source == "":
        yield _cells_of_table(source)
        return
    try:
        with opened(Path(source)) as file:
            start = file.read(_START)
            file.seek(0)
            name = format or format_of(start, Path(source))
            if name == "parquet":
                yield _cells_of_table(_parquet(file))
            else:
                yield from import_module(f"bridge_analytics.formats.{name}").parts(file, layout)
    except ResultsError as error:
        raise ResultsError(error.faults.assign(source=str(source)).astype(FAULT_COLUMNS), error.args[1]) from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read from, as it was before it was compressed."""
    with path.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            file.seek(0)
            yield file
            return
    try:
        with gzip.open(path, "rb") as unpacked:
            yield unpacked  # type: ignore[misc]  # it reads and seeks like a file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ResultsError(fault_table("file_unreadable", None, value=str(error)), 0) from None


def format_of(start: bytes, path: Path) -> str:
    """The format of a file: what its first bytes tell for certain, else what its ending says, else results CSV."""
    if start.startswith(b"PAR1"):
        return "parquet"
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    hinted = _BY_SUFFIX.get(suffix)
    for name in sorted(_BY_CONTENT, key=lambda name: name != hinted):  # its own ending first
        if getattr(import_module(f"bridge_analytics.formats.{name}"), f"is_{name}")(start):
            return name
    return hinted or ("parquet" if suffix == ".parquet" else "results_csv")


def _parquet(file: BinaryIO) -> pd.DataFrame:
    try:
        return pd.read_parquet(file)
    except (ValueError, OSError) as error:  # ArrowInvalid is one of the first
        raise ResultsError(fault_table("file_unreadable", None, value=str(error)), 0) from None


def _cells_of_table(table: Any) -> Cut:
    frame = table if isinstance(table, pd.DataFrame) else table.to_pandas() if hasattr(table, "to_pandas") else None
    if not isinstance(frame, pd.DataFrame):
        shown = repr(table) if table is None or isinstance(table, str) else type(table).__name__
        raise ValueError(f"expected a path or a table of results, got {shown}")
    return frame.set_axis(distinct_headers(list(frame.columns)), axis=1), np.arange(1, len(frame) + 1), []
