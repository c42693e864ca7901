"""Results of the table-top scoring devices: the Access database that they write, ``.bws``.

The number of a row is its ID in the table ReceivedData. A result that was entered again replaces the one before; the
seat of declarer stands in the column ``NS/EW``, and the column ``Declarer`` holds the number of a pair. Vulnerability
and dealer are those of the board's number.
"""

import logging
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import ResultsError, fault_table
from bridge_analytics.formats.bws_tables import deals_of, is_individual, players_of, section_letters, text

Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]
Tables = dict[str, pd.DataFrame]

_HEADERS = MappingProxyType(
    {"Round": "round", "Table": "table", "Board": "board", "NS/EW": "declarer", "Contract": "contract"}
    | {"Result": "result", "LeadCard": "lead", "Remarks": "remarks", "Erased": "erased"}
)
_TABLES = ("ReceivedData", "Section", "Session", "RoundData", "PlayerNumbers", "PlayerNames", "HandRecord")
_KEY = ("Section", "Table", "Round", "Board")
_AWARD = re.compile(r"(\d+\s*%)\s*-\s*(\d+\s*%)")  # North-South, then East-West
_START = re.compile(rb"\x00\x01\x00\x00Standard (?:Jet|ACE) DB")


def is_bws(start: bytes) -> bool:
    """Whether a file is an Access database.

    Examples
    --------
    >>> is_bws(bytes([0, 1, 0, 0]) + b"Standard Jet DB")
    True
    """
    return bool(_START.match(start))


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """The results of a scoring device as cells.

    Parameters
    ----------
    file : binary file
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it; nothing of it is looked at.

    Yields
    ------
    frame, source_row, faults
        As :func:`cells` gives them, once: the whole database has to be in memory.

    Raises
    ------
    ResultsError
        If the file is no such database.
    ImportError
        If ``access-parser`` is not installed.
    """
    try:
        from access_parser import AccessParser
    except ImportError as error:
        raise ImportError("expected access-parser, to read .bws files: pip install 'bridge-analytics[bws]'") from error
    with TemporaryDirectory() as folder, _notes() as notes:
        copy = Path(folder) / "results.bws"
        with copy.open("wb") as target:
            shutil.copyfileobj(file, target)
        try:
            database = AccessParser(str(copy))
            tables = {name: _table(database.parse_table(name)) for name in _TABLES if name in database.catalog}
        except Exception as error:  # whatever a broken file makes it stumble over
            raise ResultsError(fault_table("file_unreadable", None, value=f"{error!r}"), 0) from None
        if "ReceivedData" not in tables:
            raise ResultsError(fault_table("file_unreadable", None, value="no table ReceivedData"), 0)
        frame, source_row, faults = cells(tables)
        skipped = fault_table("text_skipped", np.full(len(notes), None), value=notes)
        yield frame, source_row, [skipped, *faults]


def _table(columns: Mapping[str, Any]) -> pd.DataFrame:
    """A table as its reader gives it: of one without rows, each column is an empty text."""
    return pd.DataFrame({name: cells if len(cells) else [] for name, cells in columns.items()})


@contextmanager
def _notes() -> Iterator[list[str]]:
    """What the reader of databases could not read: it tells its log alone."""
    notes: list[str] = []
    logs = [logging.getLogger(name) for name in ("access_parser", "access_parser.utils")]

    def note(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING and "MSysObjects" not in record.getMessage():  # a table of Access itself
            notes.append(record.getMessage())
        return False

    for log in logs:
        log.addFilter(note)
    try:
        yield notes
    finally:
        for log in logs:
            log.removeFilter(note)


def cells(tables: Tables) -> Cut:
    """The results in the tables of a database.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``ReceivedData``, and as far as there are such: ``Section``, ``Session``, ``RoundData``, ``PlayerNumbers``,
        ``PlayerNames``, ``HandRecord``.

    Returns
    -------
    frame : DataFrame
        The cells as texts under canonical headers.
    source_row : ndarray of int64
        The ID of each row, else its place.
    faults : list of DataFrame
        The rows that a later one replaces.
    """
    received = tables["ReceivedData"]
    numbered = "ID" in received and received["ID"].is_unique and pd.api.types.is_integer_dtype(received["ID"])
    received = received.sort_values("ID") if numbered else received
    row = received["ID"].to_numpy(np.int64) if numbered else np.arange(1, len(received) + 1)
    received, row, faults = _last(received.reset_index(drop=True), row)
    columns = {name: text(received, header) for header, name in _HEADERS.items() if header in received}
    if "remarks" in columns:
        columns["remarks"] = columns["remarks"].str.replace(_AWARD, r"\1/\2", regex=True)
    columns["section"] = section_letters(tables, received)
    columns["deal"] = deals_of(tables, received)
    columns |= players_of(tables, received)
    if not is_individual(received):
        columns |= {"ns": text(received, "PairNS"), "ew": text(received, "PairEW")}
    names = text(tables["Session"], "Name").dropna() if "Session" in tables else pd.Series(dtype="str")
    if len(names) == 1:
        columns["event"] = pd.Series(names.iloc[0], received.index, dtype="str")
    return pd.DataFrame(columns), row, faults


def _last(received: pd.DataFrame, row: NDArray[np.int64]) -> tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]:
    """The rows without those that a later one of the same table, round and board replaces."""
    if not set(_KEY) <= set(received):
        return received, row, []
    erased = received["Erased"].astype("bool").to_numpy() if "Erased" in received else np.zeros(len(row), np.bool_)
    counts = received[~erased]
    places = counts.index.to_numpy()
    last = pd.Series(places, counts.index).groupby([counts[key] for key in _KEY], dropna=False).transform("max")
    replaced = places[last.to_numpy() != places]
    held = [f"row {row[place]} holds" for place in last[replaced]]
    faults = [fault_table("duplicate_row", row[replaced], suggestion=held)] if len(replaced) else []
    keep = np.delete(np.arange(len(row)), replaced)
    return received.iloc[keep].reset_index(drop=True), row[keep], faults
