"""Corrections to single cells of a source, as a table of their own: the source itself stays as it is.

A file of corrections is a CSV with a line for each cell: ``source_row``, ``column`` (a canonical one), ``value`` (what
it should be; empty for nothing) and, where several files are read, ``source``. The row is read again with the new
cell: what follows from it, such as the status, or a vulnerability that came from the number of the board, follows anew.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import board_dealer
from bridge_analytics.checks import fault_table, join_faults
from bridge_analytics.headers import roles_of
from bridge_analytics.layout import load_layout
from bridge_analytics.rows import results_of
from bridge_analytics.table import COLUMNS, concat_results

Corrections = pd.DataFrame | str | Path | None
"""How corrections may be given."""

_NEEDED = ("source_row", "column", "value")
_NOT_CELLS = ("source", "source_row", "vul_source")
_OUTCOME = ("contract", "declarer", "tricks")
_SIGNS = str.maketrans({"C": "♣", "D": "♦", "H": "♥", "S": "♠"})


def load_corrections(corrections: Corrections) -> pd.DataFrame | None:
    """The corrections as a table of texts ``source source_row column value``; None where there are none.

    Raises
    ------
    ValueError
        If a column of it is missing, or a line names no row or no canonical column, or a cell twice.
    OSError
        If the file cannot be opened.
    """
    if corrections is None:
        return None
    if isinstance(corrections, str | Path):
        given = pd.read_csv(corrections, dtype="str", encoding="utf-8-sig")
    else:
        given = corrections
    lost = [name for name in _NEEDED if name not in given]
    if lost:
        raise ValueError(f"expected corrections with columns {', '.join(_NEEDED)}, got none called {lost[0]!r}")
    table = pd.DataFrame({name: given.get(name) for name in ("source", *_NEEDED)}, index=given.index).astype("str")
    rows = table["source_row"].fillna("")
    for place, (row, column) in enumerate(zip(rows, table["column"], strict=True)):
        if not row.isdecimal():
            raise ValueError(f"expected the number of a row as source_row, got {row!r} at position {place}")
        if column not in COLUMNS or column in _NOT_CELLS:
            raise ValueError(f"expected a canonical column to correct, got {column!r} at position {place}")
    if table.duplicated(["source", "source_row", "column"]).any():
        place = int(table.duplicated(["source", "source_row", "column"]).to_numpy().argmax())
        raise ValueError(f"expected one correction of a cell, got another of row {rows.iloc[place]} at {place}")
    return table.assign(source_row=rows.astype("int64"))


def of_source(corrections: pd.DataFrame | None, name: str) -> pd.DataFrame | None:
    """The corrections of one source: those that name it, or its file without the folder, or nothing."""
    if corrections is None:
        return None
    named = corrections["source"].fillna(name).map(lambda told: told in (name, Path(name).name))
    return corrections[named.astype(bool)]


def refuse_unused(corrections: pd.DataFrame | None, faults: pd.DataFrame) -> None:
    """Refuse corrections of rows that no source has: they would be lost in silence."""
    if corrections is None:
        return
    done = set(faults.loc[faults["rule"] == "corrected", "source_row"])
    lost = corrections.loc[~corrections["source_row"].isin(done), "source_row"]
    if len(lost):
        raise ValueError(f"expected corrections of rows that are read, got row {lost.iloc[0]}")


def corrected(
    frame: pd.DataFrame,
    source_row: NDArray[np.int64],
    layout: Mapping[str, Any],
    read: tuple[pd.DataFrame, pd.DataFrame],
    corrections: pd.DataFrame,
    *,
    source: str,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Results and faults of a source with some of its cells corrected.

    Parameters
    ----------
    frame, source_row, layout, source
        As for :func:`bridge_analytics.rows.results_of`.
    read : (DataFrame, DataFrame)
        What it gave of them.
    corrections : DataFrame
        As :func:`load_corrections` gives it, of this source.

    Returns
    -------
    results, faults : DataFrame
        The corrected rows read again, in their places, also where they had been left out; each correction is a fault
        ``corrected`` with what stood there and what stands there now.
    """
    at = np.flatnonzero(np.isin(source_row, corrections["source_row"]))
    if not len(at):
        return read
    old, _ = results_of(frame.iloc[at], source_row[at], layout, source=source, whole=True)
    rebid = _with_contracts(frame.iloc[at], source_row[at], layout, corrections)
    raw, _ = results_of(rebid, source_row[at], layout, source=source, whole=True)
    cells = raw.astype(object).where(raw.notna(), None)
    edits = corrections[corrections["source_row"].isin(source_row[at])]
    for row, column, value in edits[[*_NEEDED]].itertuples(index=False):
        _edit(cells, row, column, value)
    results, faults = results_of(cells, source_row[at], load_layout(None), source=source)
    others, other_faults = (table[~table["source_row"].isin(source_row[at])] for table in read)
    together = concat_results([others, results]) if len(others) else results
    order = together["source_row"].argsort(kind="stable")
    return together.iloc[order].reset_index(drop=True), join_faults([other_faults, _listed(edits, old, source), faults])


def _with_contracts(
    frame: pd.DataFrame, source_row: NDArray[np.int64], layout: Mapping[str, Any], corrections: pd.DataFrame
) -> pd.DataFrame:
    """The cells with the right contracts, from which a result such as ``=`` counts; suit signs are of any language."""
    place = {role: at for at, role in roles_of(list(frame.columns), layout["columns"]).items()}.get("contract")
    edits = corrections[corrections["column"] == "contract"]
    if place is None or not len(edits):
        return frame
    written = dict(zip(edits["source_row"], edits["value"].fillna("").str.translate(_SIGNS), strict=True))
    cells = frame.iloc[:, place].astype(object).tolist()
    texts = [written.get(row, cell) for row, cell in zip(source_row.tolist(), cells, strict=True)]
    return frame.assign(**{str(frame.columns[place]): pd.Series(texts, frame.index, dtype=object)})


def _listed(edits: pd.DataFrame, old: pd.DataFrame, source: str) -> pd.DataFrame:
    """A fault for each correction: what stood there, and what stands there now."""
    was = old.astype(object).where(old.notna(), None).set_index("source_row")
    cells = [was.loc[row, column] for row, column in edits[[*_NEEDED[:2]]].itertuples(index=False)]
    values = [f"{cell:g}" if isinstance(cell, float) else None if cell is None else str(cell) for cell in cells]
    now = [
        f"{column} = {value}" for column, value in zip(edits["column"], edits["value"].fillna("nothing"), strict=True)
    ]
    return fault_table(
        "corrected", edits["source_row"], column=edits["column"].array, value=values, suggestion=now, source=source
    )


def _edit(cells: pd.DataFrame, row: int, column: str, value: Any) -> None:
    """Put a value into a cell, in place, and clear what had followed from the old one."""
    at = cells.index[cells["source_row"] == row]
    if column == "board":
        derived = cells.loc[at[0], "vul_source"] == "board"
        number = cells.loc[at[0], "board"]
        by_rule = number is not None and cells.loc[at[0], "dealer"] == board_dealer([number])[0]
        cleared = [*["vul", "vul_source"] * derived, *["dealer"] * by_rule]
    else:
        cleared = ["vul_source"] * (column == "vul") + ["status"] * (column in _OUTCOME)
    cells.loc[at, cleared] = None
    cells.loc[at, ["board", "board_label"] if column == "board" else column] = None if pd.isna(value) else value
