"""Results that are plain, many at a time: every row was played or passed out, and nothing is wrong with any.

A block of such rows becomes the canonical table without a look at what there is not: no rulings, no marks in place of
contracts, no printed scores. Words are read by the same readers as :mod:`bridge_analytics.rows` has; a block that is
not plain is for that module, which alone says what is wrong.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.arrow_tables import LABEL, arrow_type
from bridge_analytics.board_cells import board_columns
from bridge_analytics.cells import Column, Sheet, parsed
from bridge_analytics.contract_cells import contracts, declarers, tricks_won
from bridge_analytics.headers import check_letters, roles_of
from bridge_analytics.outcomes import PASSED, PLAYED
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS, STATUSES, WORDS

_PLAYERS = ("north", "east", "south", "west")
_LABELS = ("event", "session", "section", "round", "table", "ns", "ew", *_PLAYERS)
_READ = ("board", "board_label", "dealer", "vul", "vul_source", "contract", "declarer", "tricks", "result", "status")
_EMPTY = ("", "-", "–", "—")


def plain_results(block: Any, layout: Mapping[str, Any], *, source: str, source_row: NDArray[np.int64]) -> Any:
    """The canonical table of a block of cells, if it is plain.

    Parameters
    ----------
    block : pyarrow.Table
        Cells under the headers of the source, each header once; a text column is quickest as a dictionary.
    layout : mapping
        As :func:`load_layout` gives it.
    source : str
        The name of the source.
    source_row : ndarray of int64, shape (n,)
        The line or row of each row.

    Returns
    -------
    pyarrow.Table or None
        As :func:`rows.results_of` would give it, without the columns that say nothing; None where the block is not
        plain.
    """
    names = block.column_names
    roles = roles_of(names, layout["columns"])
    check_letters(names, layout)
    told = {place for place, role in roles.items() if role not in SCORED_COLUMNS and role != "ignore"}
    told = {place for place in told if block.column(place).null_count < len(block)}
    origin = {roles[place]: block.column(place) for place in told if roles[place] in ("source", "source_row")}
    told = {place for place in told if roles[place] not in origin}
    if not all(pa.types.is_dictionary(cells.type) or pa.types.is_integer(cells.type) for cells in origin.values()):
        return None
    if not {roles[place] for place in told} <= {*_LABELS, *_READ} or layout["duplicates"] != "keep":
        return None
    own = [place for place in range(len(names)) if place not in roles]
    if any(names[place] in COLUMNS or names[place] in SCORED_COLUMNS for place in own):
        return None
    sheet: dict[str, Column] = {}
    for place in told:
        column = _plain_words(block.column(place), layout["unknown_player"] if roles[place] in _PLAYERS else ())
        if column is None:
            return None
        sheet[roles[place]] = column
    row = _row(sheet, layout, len(block))
    if row is None:
        return None
    columns = {name: _arrow(name, row[name] if name in row else sheet[name]) for name in COLUMNS if name in row | sheet}
    columns |= {"source": _label(([source], np.zeros(len(block), np.int32))), "source_row": pa.array(source_row)}
    if len(origin) == 2 and not any(column.null_count for column in origin.values()):  # it brings them with it
        columns |= {"source": origin["source"].cast(LABEL), "source_row": origin["source_row"].cast(pa.int64())}
    return pa.table(columns | {names[place]: block.column(place) for place in own})


def _plain_words(cells: Any, nobody: Any) -> Column | None:
    """The words of a column with their codes, where each is as it should stand; None where it is not."""
    cells = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    cells = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
    kind = cells.type.value_type
    if pa.types.is_integer(kind):
        words = list(map(str, cells.dictionary.to_pylist()))
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        words = cells.dictionary.to_pylist()
    else:
        return None
    if not all(word and word == word.strip() and word[0] not in "='" and word not in _EMPTY for word in words):
        return None
    if len(set(words)) < len(words) or not set(nobody).isdisjoint(words):
        return None
    return words, cells.indices.fill_null(-1).cast(pa.int32()).to_numpy()


def _row(sheet: Sheet, layout: Mapping[str, Any], size: int) -> dict[str, Any] | None:
    """Codes and numbers of the columns that are read; None where a row is not plain."""
    locale = layout["locale"]
    row, faults = board_columns({name: sheet[name] for name in sheet if name in _READ}, locale, size)
    _, contract, seat, result = contracts(sheet, locale, size)
    declarer, found = declarers(sheet, locale, contract, seat)
    tricks, more = tricks_won(sheet, layout["result"], contract, result)
    passed = contract == 0
    if any(map(len, [*faults, *found, *more])) or not ((contract >= 0) & (row["board"] > 0)).all():
        return None
    if not (passed | ((declarer >= 0) & (tricks >= 0))).all():
        return None
    status = np.where(passed, np.int16(PASSED), np.int16(PLAYED))
    if "status" in sheet and not (parsed(sheet["status"], STATUSES.index) == status).all():
        return None
    declarer[passed], tricks[passed] = -1, -1
    return row | {"contract": contract, "declarer": declarer, "tricks": tricks, "status": status}


def _arrow(name: str, column: Any) -> Any:
    """A column in its type: of codes, numbers (below 0: missing) or words with codes."""
    if isinstance(column, tuple):
        return _label(column)
    missing = column < 0
    values = pa.array(column, mask=missing if missing.any() else None)
    if name not in WORDS:
        return values.cast(arrow_type(name))
    kind = arrow_type(name)
    return pa.DictionaryArray.from_arrays(values.cast(pa.int8()), list(WORDS[name]), ordered=kind.ordered)


def _label(column: Column) -> Any:
    words, codes = column
    indices = pa.array(codes, mask=codes < 0 if codes.size and codes.min() < 0 else None)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, LABEL.value_type))
