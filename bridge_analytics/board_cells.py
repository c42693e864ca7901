"""What the cells of a source say of the board: number and label, dealer, vulnerability, deal; lead, calls and play."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import board_dealer, board_vul
from bridge_analytics.cells import (
    MISSING,
    UNREADABLE,
    Codes,
    Column,
    Sheet,
    board_word,
    cell_faults,
    deal_text,
    lead_word,
    parsed,
    rewritten,
    room_word,
    texts,
)
from bridge_analytics.notation import SEATS, VULS, seat_word, vul_word
from bridge_analytics.table import WORDS

Found = tuple[dict[str, Any], list[pd.DataFrame]]


def board_columns(sheet: Sheet, locale: str, size: int) -> Found:
    """The columns that tell of the board, and what is wrong with them.

    Parameters
    ----------
    sheet : mapping of str to Column
        The columns of a source by what they hold.
    locale : str
        The language of the source.
    size : int
        The number of rows.

    Returns
    -------
    columns : dict
        Codes of ``vul``, ``vul_source``, ``dealer`` and ``room`` and the number ``board`` (below 0: missing), words and
        codes of ``board_label``, texts of ``lead``, ``auction``, ``play`` and ``deal``.
    faults : list of DataFrame
    """
    number, label = boards(sheet, size)
    columns: dict[str, Any] = {"board": np.where(number > 0, number, MISSING), "board_label": label}
    columns |= {name: texts(sheet[name]) for name in ("auction", "play") if name in sheet}
    vuls, faults = _vuls(sheet, locale, number, label)
    dealer, found = _dealers(sheet, locale, number)
    kept, more = _kept(sheet)
    return columns | vuls | {"dealer": dealer} | kept, faults + found + more


def boards(sheet: Sheet, size: int) -> tuple[NDArray[np.int64], Column]:
    """The number of each board, 0 where its label is none, and the labels."""
    label = sheet.get("board_label") or sheet.get("board") or _empty(size)
    words, codes = sheet.get("board") or label
    return np.array([*map(board_word, words), 0], np.int64)[codes], label


def _empty(size: int) -> Column:
    return [], np.full(size, -1, np.int32)


def _vuls(sheet: Sheet, locale: str, number: NDArray[np.int64], label: Column) -> Found:
    """Vulnerability as the source has it, else by the number of the board (Law 2), and which of the two."""
    cell = sheet.get("vul") or _empty(len(number))
    vul = parsed(cell, partial(vul_word, locale=locale))
    faults = [cell_faults("vul_unreadable", "vul", vul == UNREADABLE, cell)]
    unknown = (vul == MISSING) & (number == 0)
    faults.append(cell_faults("vul_unknown", "vul", unknown, label, _date_hint))
    derived = (vul == MISSING) & (number > 0)
    origin = np.select([vul >= 0, derived], [0, 1], MISSING).astype(np.int16)
    vul[derived] = _by_number(number[derived], board_vul, VULS)
    if "vul_source" in sheet:
        told = parsed(sheet["vul_source"], WORDS["vul_source"].index)
        origin = np.where((told >= 0) & (vul >= 0), told, origin)
    return {"vul": vul, "vul_source": origin}, faults


def _date_hint(text: str) -> str | None:
    """For the label of a board that a spreadsheet has taken for a day."""
    is_day = re.fullmatch(r"\d{1,2}[-./ ]\w{3,4}|[A-Za-z]{3,4}[-./ ]\d{1,2}|\d{4}-\d\d-\d\d.*", text)
    return "a spreadsheet may have made a date of the board" if is_day else None


def _dealers(sheet: Sheet, locale: str, number: NDArray[np.int64]) -> tuple[Codes, list[pd.DataFrame]]:
    """The dealer as the source has it, else by the number of the board (Law 2)."""
    cell = sheet.get("dealer") or _empty(len(number))
    dealer = parsed(cell, partial(seat_word, locale=locale))
    faults = [cell_faults("seat_unreadable", "dealer", dealer == UNREADABLE, cell)]
    derived = (dealer == MISSING) & (number > 0)
    dealer[derived] = _by_number(number[derived], board_dealer, SEATS)
    return dealer, faults


def _by_number(number: NDArray[np.int64], rule: Callable[[Any], NDArray[Any]], words: tuple[str, ...]) -> Codes:
    """Codes of what a rule says of boards by their number."""
    different, codes = np.unique(number, return_inverse=True)
    return np.array([words.index(word) for word in rule(different)], np.int16)[codes]


def _kept(sheet: Sheet) -> Found:
    """Lead, deal and room, which stay missing where they cannot be read."""
    columns: dict[str, Any] = {}
    faults = []
    for name, rewrite in (("lead", lead_word), ("deal", deal_text)):
        if name in sheet:
            columns[name], wrong = rewritten(sheet[name], rewrite)
            faults.append(cell_faults(f"{name}_unreadable", name, wrong, sheet[name]))
    if "room" in sheet:
        columns["room"] = parsed(sheet["room"], room_word)
        faults.append(cell_faults("room_unreadable", "room", columns["room"] == UNREADABLE, sheet["room"]))
    return columns, faults
