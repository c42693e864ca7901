"""Contract, declarer and tricks of each row from the cells of a source.

A contract is written whole, in parts, or glued to declarer and result; tricks as a number, as a result relative to the
contract, or both.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import MISSING, UNREADABLE, Codes, Column, Sheet, cell_faults, parsed, reads, tricks_word
from bridge_analytics.notation import LOCALES, contract_result_word, contract_word, result_word, seat_word


def contracts(sheet: Sheet, locale: str, size: int) -> tuple[Column, Codes, Codes, Codes]:
    """The cell that holds the contract, its code, and declarer and result where they are glued to it."""
    nothing = np.full(size, MISSING, np.int16)
    if "contract_result" in sheet:
        cell = sheet["contract_result"]
        contract, seat, result = (parsed(cell, partial(_glued, locale=locale, part=part)) for part in range(3))
        return cell, contract, seat, result
    if "contract" not in sheet and "level" not in sheet:
        return ([], np.full(size, -1, np.int32)), nothing.copy(), nothing, nothing
    cell = sheet["contract"] if "contract" in sheet else _level_and_strain(sheet)
    return cell, _doubled(parsed(cell, partial(contract_word, locale=locale)), sheet), nothing, nothing


def _glued(text: str, *, locale: str, part: int) -> int:
    found = contract_result_word(text, locale)[part]
    return MISSING if found is None else found


def _level_and_strain(sheet: Sheet) -> Column:
    """The two columns as one: the strain behind the level."""
    levels, strains = sheet["level"], sheet.get("strain", ([], np.full_like(sheet["level"][1], -1)))
    pairs = (levels[1].astype(np.int64) + 1) * (len(strains[0]) + 1) + strains[1] + 1
    used, codes = np.unique(pairs, return_inverse=True)
    first, second = ["", *levels[0]], ["", *strains[0]]
    words = [first[pair // len(second)] + second[pair % len(second)] for pair in used.tolist()]
    empty = np.array([word == "" for word in words], np.bool_)
    return words, np.where(empty[codes], -1, codes).astype(np.int32)


def _double_word(text: str) -> int:
    """Undoubled 0, doubled 1, redoubled 2: as a number or as the mark behind a contract."""
    return int(text) if text in ("0", "1", "2") else (contract_word("1C" + text) - 1) % 3


def _doubled(contract: Codes, sheet: Sheet) -> Codes:
    """The contracts with the double that stands in a column of its own; unreadable where the two contradict."""
    if "doubled" not in sheet:
        return contract
    double = parsed(sheet["doubled"], _double_word)
    own = (contract - 1) % 3
    clash = (double == UNREADABLE) | ((double >= 0) & (own > 0) & (double != own))
    added = np.where((double > 0) & (own == 0), contract + double, contract)
    return np.where(contract > 0, np.where(clash, UNREADABLE, added), contract).astype(np.int16)


def contract_hint(text: str, locale: str) -> str | None:
    """What would make a contract readable: another language, or a layout for a cell that holds more."""
    hint = _other_language(contract_word, text, locale)
    glued = "in the layout: this column holds 'contract_result'" if reads(contract_result_word, text, locale) else None
    return hint or glued


def _other_language(word: Callable[[str, str], Any], text: str, locale: str) -> str | None:
    others = [other for other in LOCALES if other != locale and reads(word, text, other)]
    return f"in the layout: locale = {' or '.join(map(repr, others))}" if others else None


def declarers(sheet: Sheet, locale: str, contract: Codes, glued: Codes) -> tuple[Codes, list[pd.DataFrame]]:
    """The declarer of each row; read only where there was a contract."""
    if "declarer" not in sheet:
        return glued.copy(), []
    cell = sheet["declarer"]
    declarer = np.where(glued >= 0, glued, parsed(cell, partial(seat_word, locale=locale)))
    wrong = _is_bid(contract) & (declarer == UNREADABLE)
    hint = partial(_other_language, seat_word, locale=locale)
    return declarer, [cell_faults("seat_unreadable", "declarer", wrong, cell, hint)]


def _is_bid(contract: Codes) -> NDArray[np.bool_]:
    """Whether there was a contract, if only one that cannot be read."""
    bid: NDArray[np.bool_] = (contract > 0) | (contract == UNREADABLE)
    return bid


def tricks_won(sheet: Sheet, how: str | None, contract: Codes, glued: Codes) -> tuple[Codes, list[pd.DataFrame]]:
    """Tricks of each row, from a column of tricks, one of results, or both, which must say the same."""
    tricks, faults = _tricks_of(sheet, "tricks", contract)
    cell = sheet.get("result") or sheet.get("contract_result")
    if "result" in sheet and not is_relative(sheet["result"], how):
        won, found = _tricks_of(sheet, "result", contract)
        faults += found
    else:
        parse = _unsigned_result if how == "relative" else result_word
        result = parsed(sheet["result"], parse) if "result" in sheet else glued
        won = np.where(result > MISSING, 6 + (np.maximum(contract, 0) + 14) // 15 + result, result)
        won[(result > MISSING) & ((won < 0) | (won > 13))] = UNREADABLE
        wrong = (contract > 0) & (won == UNREADABLE)
        faults += [cell_faults("result_unreadable", "tricks", wrong, cell, _result_hint)] if cell else []
    both = (contract > 0) & (tricks >= 0) & (won >= 0) & (tricks != won)
    faults += [cell_faults("tricks_contradict", "tricks", both, sheet["tricks"])] if both.any() else []
    return np.where(tricks >= 0, tricks, won).astype(np.int16), faults


def _tricks_of(sheet: Sheet, name: str, contract: Codes) -> tuple[Codes, list[pd.DataFrame]]:
    if name not in sheet:
        return np.full(len(contract), MISSING, np.int16), []
    tricks = parsed(sheet[name], tricks_word)
    wrong = _is_bid(contract) & (tricks == UNREADABLE)
    hint = _result_hint if name == "result" else None
    return tricks, [cell_faults("tricks_unreadable", "tricks", wrong, sheet[name], hint)]


def is_relative(column: Column, how: str | None) -> bool:
    """Whether results are relative: as the layout says, else where one of them has a sign (``signed``: elsewhere)."""
    return how in ("relative", "signed") or (how is None and has_sign(column[0]))


def has_sign(words: Iterable[str]) -> bool:
    """Whether one of the results counts from the contract, as its sign says."""
    return any(word[:1] in "+-=−" for word in words)


def _unsigned_result(text: str) -> int:
    return int(text) if re.fullmatch(r"\d{1,2}", text, re.ASCII) else result_word(text)


def _result_hint(text: str) -> str | None:
    if reads(contract_result_word, text):
        return "in the layout: this column holds 'contract_result'"
    if reads(_unsigned_result, text):
        return "in the layout: result = 'relative'"
    return None
