"""What became of the board at each table: contract, declarer and tricks, a status, and the director's rulings.

A word in place of a contract or a score, such as ``NP`` or ``A+/A-``, says more than the cells beside it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import is_vulnerable
from bridge_analytics.cells import (
    MISSING,
    UNREADABLE,
    Codes,
    Column,
    Sheet,
    cell_faults,
    mark_word,
    overlaid,
    parsed,
    without,
)
from bridge_analytics.checks import fault_table
from bridge_analytics.contract_cells import contract_hint, contracts, declarers, tricks_won
from bridge_analytics.scoring import tricks_from_score
from bridge_analytics.table import STATUSES

PLAYED, PASSED, ADJUSTED, NOT_PLAYED, SIT_OUT, UNKNOWN = range(len(STATUSES))
SCORE_CELLS = ("published_score_ns", "score_plus_ns", "score_plus_ew", "score_minus_ns", "score_ew_own")
_CONTRACT_CELLS = ("contract", "contract_result", "level")
_MARKED_CELLS = (*_CONTRACT_CELLS, *SCORE_CELLS, "remarks")
_SIDES = ("ns", "ew")
_CODES = np.arange(len(STATUSES), dtype=np.int16)

Marks = tuple[Codes, Column, Column]


def outcomes(
    sheet: Sheet, layout: Mapping[str, Any], vul: Codes, score_ns: NDArray[np.float64]
) -> tuple[dict[str, Any], list[pd.DataFrame]]:
    """What each row says of the contract, its declarer, the tricks and the status of the board.

    Parameters
    ----------
    sheet : mapping of str to Column
        The columns of a source by what they hold.
    layout : mapping
        As :func:`load_layout` gives it.
    vul : ndarray of int16, shape (n,)
        Codes of the boards' vulnerability; below 0 where it is not known.
    score_ns : ndarray of float64, shape (n,)
        The scores that the source prints, for ``infer_tricks``. [points]

    Returns
    -------
    columns : dict
        Codes of ``contract``, ``declarer``, ``tricks`` and ``status`` (below 0: missing), words and codes of
        ``adjusted_ns`` and ``adjusted_ew``.
    faults : list of DataFrame
    """
    locale, size = layout["locale"], len(vul)
    cell, contract, seat, result = contracts(sheet, locale, size)
    marks = _marks(sheet, locale, size, _MARKED_CELLS)
    unreadable = contract == UNREADABLE
    if unreadable.any():
        contract[unreadable & (_marks(sheet, locale, size, _CONTRACT_CELLS)[0] >= 0)] = MISSING
    contract[(contract == MISSING) & (marks[0] == PASSED)] = 0
    hint = partial(contract_hint, locale=locale)
    faults = [cell_faults("contract_unreadable", "contract", contract == UNREADABLE, cell, hint)]
    declarer, found = declarers(sheet, locale, contract, seat)
    tricks, more = tricks_won(sheet, layout["result"], contract, result)
    faults += found + more
    if layout["infer_tricks"]:
        faults += _infer(contract, declarer, tricks, vul, score_ns)
    said, more = _status_cells(sheet, size)
    silent = (marks[0] == MISSING) & ((said == MISSING) | (said == PLAYED) | (said == PASSED))
    faults += more + _gaps(sheet, contract, declarer, (tricks != MISSING) | ~np.isnan(score_ns), silent)
    legible = (contract != UNREADABLE) & (declarer != UNREADABLE) & (tricks != UNREADABLE)
    for cells in (declarer, tricks):
        cells[(contract <= 0) | (cells < 0)] = MISSING
    rulings = {f"adjusted_{side}": _ruling(sheet, side, mark) for side, mark in zip(_SIDES, marks[1:], strict=True)}
    row = {"contract": contract, "declarer": declarer, "tricks": tricks} | rulings
    status, found = _statuses(row, said, marks[0], legible)
    return row | {"status": status}, faults + found


def _marks(sheet: Sheet, locale: str, size: int, names: tuple[str, ...]) -> Marks:
    """What words in place of a result say: status, rulings for the two sides. The first column that speaks holds."""
    status = np.full(size, MISSING, np.int16)
    ruled: list[Column] = [([], np.full(size, -1, np.int32))] * 2
    for words, codes in (sheet[name] for name in names if name in sheet):
        found = [_mark(word, locale) for word in words]
        if not any(found):
            continue
        said = np.array([*(STATUSES.index(mark[0]) if mark else MISSING for mark in found), MISSING], np.int16)[codes]
        new = (status == MISSING) & (said != MISSING)
        status[new] = said[new]
        sides = ([mark[side] if mark else None for mark in found] for side in (1, 2))
        if not any(mark and (mark[1] or mark[2]) for mark in found):
            continue
        ruled = [overlaid(old, without((side, codes), [None]), new) for old, side in zip(ruled, sides, strict=True)]
    return status, ruled[0], ruled[1]


def _mark(word: str, locale: str) -> tuple[str, str | None, str | None] | None:
    try:
        return mark_word(word, locale)
    except ValueError:
        return None


def _infer(
    contract: Codes, declarer: Codes, tricks: Codes, vul: Codes, score_ns: NDArray[np.float64]
) -> list[pd.DataFrame]:
    """Fill in, in place, the tricks that the printed score tells for certain."""
    whole = score_ns == np.floor(score_ns)
    rows = np.flatnonzero((contract > 0) & (declarer >= 0) & (tricks == MISSING) & (vul >= 0) & whole)
    seats = declarer[rows]
    sign = np.where(seats % 2 == 0, 1, -1)
    vulnerable = is_vulnerable(vul[rows], seats)
    found, _ = tricks_from_score(contract[rows], vulnerable, (sign * score_ns[rows]).astype(np.int64))
    known = ~np.isnan(found)
    tricks[rows[known]] = found[known]
    values = [f"{score:.0f}" for score in score_ns[rows[~known]]]
    return [fault_table("tricks_not_inferred", rows[~known], column="tricks", value=values)] if values else []


def _gaps(
    sheet: Sheet, contract: Codes, declarer: Codes, speaks: NDArray[np.bool_], silent: NDArray[np.bool_]
) -> list[pd.DataFrame]:
    """Rows where a cell is empty that others speak of, and no word says why: the contract, or its declarer."""
    has_contract = any(name in sheet for name in _CONTRACT_CELLS)
    rulings = [sheet[name][1] >= 0 for name in ("adjusted_ns", "adjusted_ew") if name in sheet]
    unruled = ~np.any(rulings, axis=0) if rulings else np.True_
    gaps = {
        "contract": has_contract & (contract == MISSING) & speaks & silent & unruled,
        "declarer": (contract > 0) & (declarer == MISSING) & speaks & silent,
    }
    return [fault_table(f"{name}_missing", np.flatnonzero(gap), column=name) for name, gap in gaps.items() if gap.any()]


def _ruling(sheet: Sheet, side: str, marked: Column) -> Column:
    """The director's ruling for a side as written: in a column of its own, else by a mark."""
    if f"adjusted_{side}" not in sheet:
        return marked
    written = sheet[f"adjusted_{side}"]
    return overlaid(marked, written, written[1] >= 0)


def _status_word(text: str) -> int:
    word = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    return STATUSES.index(word)  # ValueError where it is none of them


def _status_cells(sheet: Sheet, size: int) -> tuple[Codes, list[pd.DataFrame]]:
    if "status" not in sheet:
        return np.full(size, MISSING, np.int16), []
    said = parsed(sheet["status"], _status_word)
    return said, [cell_faults("status_unreadable", "status", said == UNREADABLE, sheet["status"])]


def _statuses(
    row: Mapping[str, Any], said: Codes, marked: Codes, legible: NDArray[np.bool_]
) -> tuple[Codes, list[pd.DataFrame]]:
    """The status of each row: as the source says, else as a ruling or a mark says, else as its cells show."""
    contract, scored = row["contract"], (row["declarer"] >= 0) & (row["tricks"] >= 0)
    ruled = (row["adjusted_ns"][1] >= 0) | (row["adjusted_ew"][1] >= 0)
    shown = np.where(contract == 0, _CODES[PASSED], np.where((contract > 0) & scored, _CODES[PLAYED], _CODES[UNKNOWN]))
    marked = np.where(ruled & ((marked < 0) | (marked == PASSED)), _CODES[ADJUSTED], marked)
    status = np.where(said >= 0, said, np.where(marked >= 0, marked, shown))
    wrong = (status != shown) & ((status == PLAYED) | (status == PASSED)) & legible
    wrong |= (contract >= 0) & ((status == NOT_PLAYED) | (status == SIT_OUT))
    if not wrong.any():
        return status, []
    words = np.array(STATUSES, object)[status[wrong]]
    return status, [fault_table("status_contradicts", np.flatnonzero(wrong), column="status", value=words)]
