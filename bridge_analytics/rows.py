"""From the cells of a source to the canonical table: what each row says, and what is wrong with it.

Faults carry the position of their row until the end, where it becomes the line, record or row of the source.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.alike import each_once
from bridge_analytics.board_cells import board_columns, boards
from bridge_analytics.cells import (
    MISSING,
    UNREADABLE,
    Codes,
    Column,
    Sheet,
    cell_faults,
    column_of,
    flag_word,
    number_column_of,
    numbers,
    parsed,
    texts,
    without,
)
from bridge_analytics.checks import ResultsError, fault_table, join_faults
from bridge_analytics.columns import text_codes
from bridge_analytics.edits import score_faults
from bridge_analytics.groups import group_codes
from bridge_analytics.headers import check_letters, holds_results, roles_of
from bridge_analytics.outcomes import NOT_PLAYED, PASSED, PLAYED, SCORE_CELLS, outcomes
from bridge_analytics.published import awards, matchpoint_faults, printed_numbers, printed_scores
from bridge_analytics.table import (
    COLUMNS,
    SCORED_COLUMNS,
    WORDS,
    fixed_label,
    label,
    number_column,
    results_table,
    text_column,
)

_LABELS = tuple(name for name, kind in COLUMNS.items() if kind == "label" and name not in (*WORDS, "source"))
_PLAYERS = ("north", "east", "south", "west")
_PRINTED = ("published_mp_ns", "published_pct_ns", "published_imps_ns")
_PLACE = ("event", "session", "section", "round", "table", "room")

_SUMMED = ("board", "round", "table", "ns")
_SUM_WORDS = frozenset(("total", "totals", "sum", "average", "averages", "mean", "grand total", "subtotal"))
_TOLD = ("contract", "contract_result", "level", "declarer", "tricks", "result", "status", "remarks", "lead")
_OUTCOME = (*_TOLD[:-1], "strain", "doubled", "adjusted_ns", "adjusted_ew")
_BOARD = ("board", "board_label", "dealer", "vul", "vul_source", "room", "lead", "auction", "play", "deal")

Keep = NDArray[np.bool_] | slice
Found = tuple[dict[str, Any], list[pd.DataFrame]]


def results_of(
    frame: pd.DataFrame, source_row: NDArray[np.int64], layout: Mapping[str, Any], *, source: str, whole: bool = False
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The canonical table of the rows of a source, and the faults of all of them.

    Parameters
    ----------
    frame : DataFrame
        The cells as they stand, under the headers of the source, each once.
    source_row : ndarray of int64, shape (n,)
        The line, record or row of the source.
    layout : mapping
        As :func:`load_layout` gives it.
    source : str
        The name of the source.
    whole : bool
        Keep also the rows that would be left out, what cannot be read in them missing.

    Returns
    -------
    results : DataFrame
        The rows that can be read, in order.
    faults : DataFrame

    Raises
    ------
    ResultsError
        If the headers name no contract, nor a board with a score.
    ValueError
        If the layout does not fit the headers.
    """
    headers, size = list(frame.columns), len(frame)
    roles = roles_of(headers, layout["columns"])
    check_letters(headers, layout)
    if not holds_results(roles.values()):
        value = ", ".join(headers)
        hint = "a workbook: save it as CSV" if value.startswith("PK\x03\x04") else None
        raise ResultsError(fault_table("header_missing", None, value=value, suggestion=hint, source=source), size)
    sheet = {
        role: _column(role, frame[headers[place]], layout["decimal"])
        for place, role in roles.items()
        if role != "ignore" and role not in SCORED_COLUMNS
    }
    rows, sources = _origin(sheet, source_row, source)
    columns, faults = _read(sheet, layout, size)
    together = join_faults(_without_withdrawn(faults, *_withdrawn(sheet, layout, rows)))
    places = together["source_row"].to_numpy(np.int64)
    lost = together["left_out"].to_numpy() & (not whole) | (together["rule"] == "text_skipped").to_numpy()
    keep, count = _kept(places[lost], size)
    spoken = {name: column for name, column in columns.items() if not isinstance(column, tuple) or len(column[0])}
    typed = {name: _typed(name, column, keep) for name, column in spoken.items()} | _others(frame, roles, keep)
    typed |= {"source": _typed("source", sources, keep), "source_row": _typed("source_row", rows, keep)}
    together["source"] = text_column(sources[0], sources[1][places])
    together["source_row"] = pd.array(rows[places], dtype="Int64")
    if (rows[1:] == rows[:-1]).any():  # a record that stands for several results has its faults once
        together = together.drop_duplicates(ignore_index=True)
    return results_table(typed, count), together


def _kept(left_out: NDArray[np.int64], size: int) -> tuple[Keep, int]:
    """Which rows are kept, and how many."""
    if not len(left_out):
        return slice(None), size
    keep = np.ones(size, np.bool_)
    keep[left_out] = False
    return keep, int(keep.sum())


def _column(role: str, cells: pd.Series, decimal: str) -> Column:
    only_numbers = number_column_of(cells) if role in (*_PRINTED, "source_row") else None
    return only_numbers or column_of(cells, dash=role == "vul", decimal=decimal)


def _origin(sheet: Sheet, source_row: NDArray[np.int64], source: str) -> tuple[NDArray[np.int64], Column]:
    """Row and file of each row: those that a table of results brings with it, else where it was read."""
    own, names = ([source], np.zeros(len(source_row), np.int32)), sheet.get("source")
    given = numbers(sheet["source_row"])[0] if "source_row" in sheet else np.full(len(source_row), np.nan)
    if names is None or (names[1] < 0).any() or np.isnan(given).any():
        return source_row, own
    return given.astype(np.int64), names


def _withdrawn(
    sheet: Sheet, layout: Mapping[str, Any], rows: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], list[pd.DataFrame]]:
    """The rows that the source takes back: erased, or replaced by a later row."""
    sums = _sums(sheet, len(rows))
    erased, faults = sums, [fault_table("text_skipped", np.flatnonzero(sums), value="a line of sums")]
    if "erased" in sheet:
        flags = parsed(sheet["erased"], flag_word)
        erased = (flags == 1) & ~sums
        faults.append(cell_faults("erased_unreadable", "erased", flags == UNREADABLE, sheet["erased"]))
        faults.append(fault_table("erased_row", np.flatnonzero(erased)))
        erased |= sums
    if layout["duplicates"] != "last" or "table" not in sheet:
        return erased, faults
    board, name = boards(sheet, len(rows))
    keys = {key: sheet[key][1] for key in _PLACE if key in sheet}
    codes, count = group_codes(pd.DataFrame(keys | {"board": board, "label": np.where(board > 0, -1, name[1])}))
    judged = np.flatnonzero((sheet["table"][1] >= 0) & ~erased)
    last = np.full(count, -1)
    np.maximum.at(last, codes[judged], judged)
    replaced = judged[last[codes[judged]] != judged]
    by = [f"row {row} holds" for row in rows[last[codes[replaced]]]]
    if by:
        faults.append(fault_table("duplicate_row", replaced, suggestion=by))
        erased = erased | np.isin(np.arange(len(rows)), replaced)
    return erased, faults


def _sums(sheet: Sheet, size: int) -> NDArray[np.bool_]:
    """Lines that add up others: such a word in place of a board, a pair or a table, and no result."""
    named = np.zeros(size, np.bool_)
    for name in (name for name in _SUMMED if name in sheet):
        words, codes = sheet[name]
        is_sum = [str(word).lower().rstrip(":") in _SUM_WORDS for word in words]
        if any(is_sum):
            own = name == "board" or "board" not in sheet or sheet["board"][1] < 0
            named |= np.array([*is_sum, False])[codes] & own
    for name in _TOLD:
        if named.any() and name in sheet:
            named &= sheet[name][1] < 0
    return named


def _without_withdrawn(
    faults: list[pd.DataFrame], withdrawn: NDArray[np.bool_], taken_back: list[pd.DataFrame]
) -> list[pd.DataFrame]:
    """All faults but those of rows that do not count any more."""
    return taken_back + [found[~withdrawn[found["source_row"].to_numpy(np.int64)]] for found in faults if len(found)]


def _read(sheet: Sheet, layout: Mapping[str, Any], size: int) -> Found:
    """Every canonical column that the source speaks of, as codes, numbers, texts or words with codes."""
    columns: dict[str, Any] = {name: sheet[name] for name in _LABELS if name in sheet}
    for player in _PLAYERS:
        if player in sheet:
            columns[player] = without(sheet[player], layout["unknown_player"])
    cells = {name: sheet[name] for name in _BOARD if name in sheet}
    row, faults = each_once(lambda few, count: board_columns(few, layout["locale"], count), cells, size)
    printed, found = printed_scores(sheet, layout, size)
    happened, more = _happened(sheet, layout, row["vul"], printed)
    row |= happened
    printed[row["status"] == NOT_PLAYED] = np.nan
    percents, lone = awards(sheet, layout, row)
    columns |= row | percents
    faults += more + found + lone
    if any(name in sheet for name in SCORE_CELLS):
        columns["published_score_ns"] = printed
        faults += score_faults(row, printed, sheet)
    faults += _boardless(row)
    for name in (name for name in _PRINTED if name in sheet):
        columns[name], found = printed_numbers(sheet, layout, name)
        faults += found
    if "published_mp_ns" in columns:
        faults += matchpoint_faults(row, columns["published_mp_ns"])
    return columns, faults


def _happened(sheet: Sheet, layout: Mapping[str, Any], vul: Codes, printed: NDArray[np.float64]) -> Found:
    """What became of each row, for which rows that are alike need not be asked twice where no score tells."""
    if layout["infer_tricks"] or any(name in sheet for name in SCORE_CELLS):
        return outcomes(sheet, layout, vul, printed)

    def read(few: Sheet, count: int) -> Found:
        return outcomes(few, layout, np.full(count, MISSING, np.int16), np.full(count, np.nan))

    return each_once(read, {name: sheet[name] for name in _OUTCOME if name in sheet}, len(vul))


def _boardless(row: Mapping[str, Any]) -> list[pd.DataFrame]:
    """Results of which nobody knows the board."""
    scored = (row["status"] == PLAYED) | (row["status"] == PASSED)
    lost = scored & (row["board"] < 0) & (row["board_label"][1] < 0)
    return [fault_table("board_missing", np.flatnonzero(lost), column="board")] if lost.any() else []


def _typed(name: str, column: Any, keep: Keep) -> Any:
    """The kept rows of a column in its type."""
    kind = COLUMNS[name]
    if name in WORDS:
        return fixed_label(name, np.maximum(column[keep], -1))
    if kind in ("label", "str"):
        make = label if kind == "label" else text_column
        return make(column[0], column[1][keep])
    column = column[keep]
    return number_column(column, np.isnan(column) if column.dtype.kind == "f" else column < 0, kind)


def _others(frame: pd.DataFrame, roles: Mapping[int, str], keep: Keep) -> dict[str, Any]:
    """The columns that are not ours, as they stand, and those that scoring added, in their types."""
    others = {}
    for place, header in enumerate(frame.columns):
        if roles.get(place) not in (None, "remarks", *SCORED_COLUMNS):
            continue
        column = frame.iloc[:, place][keep].reset_index(drop=True)
        column = pd.Series(text_column(*text_codes(column))) if isinstance(column.dtype, pd.ArrowDtype) else column
        if place not in roles:
            others[f"file_{header}" if header in COLUMNS or header in SCORED_COLUMNS else header] = column
        elif roles[place] in SCORED_COLUMNS:
            others[header] = _scored(header, column)
        elif roles[place] == "remarks":
            others[header] = column
    return others


def _scored(name: str, column: pd.Series) -> Any:
    """A column that scoring added, read back in its type."""
    kind = SCORED_COLUMNS[name]
    if column.dtype.kind in "biuf":
        return column.astype(kind)
    words, codes = column_of(column)
    flags = {"True": "1", "False": "0"} if kind == "boolean" else {}
    values, wrong = numbers(([flags.get(word, word) for word in words], codes))
    if wrong.any() or (kind == "int64" and np.isnan(values).any()):
        raise ValueError(
            f"expected column {name!r} as scoring left it, got {texts((words, codes))[wrong][:1].tolist()}"
        )
    if kind == "boolean":
        return pd.arrays.BooleanArray(values == 1, np.isnan(values))
    return pd.array(values, dtype=kind) if kind[0].isupper() else values.astype(kind)
