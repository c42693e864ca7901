"""What the cells of a source say of the board: number and label, dealer, vulnerability, deal; lead, calls and play."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import board_dealer, board_vul
from bridge_analytics.card_cells import deal_texts, lead_texts, rewritten
from bridge_analytics.cells import (
    MISSING,
    UNREADABLE,
    Codes,
    Column,
    Sheet,
    board_word,
    cell_faults,
    parsed,
    room_word,
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
        codes of ``board_label``, ``lead``, ``auction``, ``play`` and ``deal``.
    faults : list of DataFrame
    """
    number, label = boards(sheet, size)
    columns: dict[str, Any] = {"board": np.where(number > 0, number, MISSING), "board_label": label}
    columns |= {name: sheet[name] for name in ("auction", "play") if name in sheet}
    vuls, faults = _vuls(sheet, locale, label, size)
    dealer, found = _dealers(sheet, locale, label, size)
    kept, more = _kept(sheet)
    return columns | vuls | {"dealer": dealer} | kept, faults + found + more


def boards(sheet: Sheet, size: int) -> tuple[NDArray[np.int64], Column]:
    """The number of each board, 0 where its label is none, and the labels."""
    label = sheet.get("board_label") or sheet.get("board") or _empty(size)
    words, codes = sheet.get("board") or label
    return np.array([*map(board_word, words), 0], np.int64)[codes], label


def _empty(size: int) -> Column:
    return [], np.full(size, -1, np.int32)


def _vuls(sheet: Sheet, locale: str, label: Column, size: int) -> Found:
    """Vulnerability as the source has it, else by the number of the board (Law 2), and which of the two."""
    cell = sheet.get("vul") or _empty(size)
    vul = parsed(cell, partial(vul_word, locale=locale))
    faults = [cell_faults("vul_unreadable", "vul", vul == UNREADABLE, cell)]
    derived = np.where(vul == MISSING, _by_number(sheet.get("board") or label, board_vul, VULS), np.int16(MISSING))
    faults.append(cell_faults("vul_unknown", "vul", (vul == MISSING) & (derived == MISSING), label, _date_hint))
    origin = np.where(vul >= 0, np.int16(0), np.where(derived >= 0, np.int16(1), np.int16(MISSING)))
    vul = np.where(derived >= 0, derived, vul)
    if "vul_source" in sheet:
        told = parsed(sheet["vul_source"], WORDS["vul_source"].index)
        origin = np.where((told >= 0) & (vul >= 0), told, origin)
    return {"vul": vul, "vul_source": origin}, faults


def _date_hint(text: str) -> str | None:
    """For the label of a board that a spreadsheet has taken for a day."""
    is_day = re.fullmatch(r"\d{1,2}[-./ ]\w{3,4}|[A-Za-z]{3,4}[-./ ]\d{1,2}|\d{4}-\d\d-\d\d.*", text)
    return "a spreadsheet may have made a date of the board" if is_day else None


def _dealers(sheet: Sheet, locale: str, label: Column, size: int) -> tuple[Codes, list[pd.DataFrame]]:
    """The dealer as the source has it, else by the number of the board (Law 2)."""
    cell = sheet.get("dealer") or _empty(size)
    dealer = parsed(cell, partial(seat_word, locale=locale))
    faults = [cell_faults("seat_unreadable", "dealer", dealer == UNREADABLE, cell)]
    return np.where(dealer == MISSING, _by_number(sheet.get("board") or label, board_dealer, SEATS), dealer), faults


def _by_number(board: Column, rule: Callable[[Any], NDArray[Any]], words: tuple[str, ...]) -> Codes:
    """Codes of what a rule says of boards by their number, missing where there is none."""
    numbers = np.array([*map(board_word, board[0]), 0])
    codes = np.full(numbers.size, MISSING, np.int16)
    codes[numbers > 0] = [words.index(word) for word in rule(numbers[numbers > 0])]
    return codes[board[1]]


def _kept(sheet: Sheet) -> Found:
    """Lead, deal and room, which stay missing where they cannot be read."""
    columns: dict[str, Any] = {}
    faults = []
    for name, rewrite in (("lead", lead_texts), ("deal", deal_texts)):
        if name in sheet:
            columns[name], wrong = rewritten(sheet[name], rewrite)
            faults.append(cell_faults(f"{name}_unreadable", name, wrong, sheet[name]))
    if "room" in sheet:
        columns["room"] = parsed(sheet["room"], room_word)
        faults.append(cell_faults("room_unreadable", "room", columns["room"] == UNREADABLE, sheet["room"]))
    return columns, faults
