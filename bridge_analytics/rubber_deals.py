"""The deals of rubbers and of Chicago as they were played: who belongs together, in what order, and what was scored.

Nothing is guessed: a deal without a side, honours that no player can hold and a vulnerability that is not the one of
the rubber are refused, with the row they stand in.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import as_column, is_text, text_codes
from bridge_analytics.contracts import contract_reader
from bridge_analytics.groups import group_codes
from bridge_analytics.laws import LEVEL, STRAIN
from bridge_analytics.notation import LOCALES, SEATS, STRAINS, VULS, seat_word, vul_word
from bridge_analytics.readers import code_reader, number_reader, read_all
from bridge_analytics.rubber_states import given
from bridge_analytics.rules import Edition

SIDES = ("ns", "ew")

MISSING, _UNREADABLE = 255, 253
_UNSCORED = ("adjusted", "not_played", "sit_out")  # a side without its declarer is unknown, and can be scored
_MOST_HONOURS = 10_000  # points: more than any law gives

Columns = dict[str, NDArray[Any]]


def refuse(results: pd.DataFrame, bad: NDArray[np.bool_], expected: str, *shown: str) -> None:
    """Raise for the first bad row, with what stands in the columns shown and the line of its file."""
    if not bad.any():
        return
    place = int(bad.argmax())
    cells = [results[name].iloc[place] for name in shown if name in results]
    seen = ", ".join(
        "a missing value" if pd.isna(cell) else repr(getattr(cell, "item", lambda c=cell: c)()) for cell in cells
    )
    line, file = (results[name].iloc[place] if name in results else pd.NA for name in ("source_row", "source"))
    where = "" if pd.isna(line) else f" (row {line})" if pd.isna(file) else f" (row {line} of {file})"
    raise ValueError(f"expected {expected}, got {seen or 'none'} at position {place}{where}")


def played_deals(results: pd.DataFrame, laws: Edition) -> Columns:
    """What every deal was: ``contract`` and ``tricks`` (0 for Pass), ``side`` of declarer (0 NS, 1 EW), honours.

    Returns
    -------
    dict of ndarray
        In the order of the rows; ``honours_side`` and ``honours_points`` besides, 0 where there are none. [points]
    """
    if "contract" not in results or "tricks" not in results:
        raise ValueError(f"expected columns contract and tricks, got {', '.join(map(str, results.columns))}")
    _refuse_unscored(results)
    contract = read_all(contract_reader(results["contract"]))
    tricks = read_all(number_reader(results["tricks"], name="tricks", low=0, high=13, null=MISSING))
    bid = contract > 0
    refuse(results, bid & (tricks == MISSING), "the tricks that declarer's side took", "tricks")
    side = np.where(bid, sides_of(results, bid), 0).astype(np.uint8)
    deals = {"contract": contract, "tricks": np.where(bid, tricks, 0).astype(np.uint8), "side": side}
    return deals | _honours(results, contract, laws)


def _refuse_unscored(results: pd.DataFrame) -> None:
    """Refuse deals that came to no score at the table, with the director's ruling, and those without a contract."""
    for word in _UNSCORED if "status" in results else ():
        ruling = ("adjusted_ns", "adjusted_ew") if word == "adjusted" else ()
        unscored = results["status"].isin([word]).to_numpy(dtype=bool)
        refuse(results, unscored, "a deal played or passed out", "status", *ruling)
    refuse(results, results["contract"].isna().to_numpy(), "the contract of each deal, or Pass", "contract")


def word_codes(results: pd.DataFrame, name: str, parse: Any, count: int, expected: str) -> NDArray[np.uint8]:
    """Codes of a column of words, 255 where one is missing or there is no such column."""
    if name not in results or results[name].isna().all():
        return np.full(len(results), MISSING, np.uint8)

    def word(text: str) -> int:  # a file's empty cell says nothing
        try:
            return int(parse(text)) if text.strip() else MISSING
        except ValueError:
            return _UNREADABLE

    codes = read_all(code_reader(results[name], word, name=name, count=count, null=MISSING)).astype(np.uint8)
    refuse(results, codes == _UNREADABLE, expected, name)
    return codes


def _side_word(text: str) -> int:
    word = text.strip().lower().replace("-", "").replace("/", "")
    return SIDES.index({"eo": "ew"}.get(word, word))  # Este-Oeste, Est-Ouest


def _any_seat(text: str) -> int:
    """A seat in any language: none calls two players by one word, and a column of the file's own has no locale."""
    for locale in LOCALES:
        with suppress(ValueError):
            return seat_word(text, locale)
    raise ValueError


def sides_of(results: pd.DataFrame, bid: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Declarer's side of each deal, from the declarer or from the side that a sheet names."""
    declarer = word_codes(results, "declarer", seat_word, len(SEATS), "a declarer N E S W")
    side = word_codes(results, "side", _side_word, len(SIDES), "a side NS or EW")
    named = np.where(declarer == MISSING, side, declarer & 1).astype(np.uint8)
    refuse(results, bid & (named == MISSING), "the declarer, or the side that declared", "declarer", "side")
    refuse(results, bid & (side != MISSING) & (side != named), "declarer and side that agree", "declarer", "side")
    return named


def _honours(results: pd.DataFrame, contract: NDArray[Any], laws: Edition) -> Columns:
    """Who scores honours and how many; only what the law gives in that strain. Source: rubber Law 72."""
    nothing: Columns = {
        "honours_side": np.zeros(len(results), np.uint8),
        "honours_points": np.zeros(len(results), np.int32),
    }
    shown = ("honours_seat", "honours_points")
    sheet = [f"honours_{side}" for side in SIDES if "rubber_id" in results]
    others = [str(name) for name in results if str(name).lower().startswith(("honour", "honor"))]
    if not {*others} <= {*shown, *sheet}:
        raise ValueError(f"expected honours in columns honours_seat and honours_points, got {', '.join(others)}")
    if not {*others} & {*shown}:
        return nothing
    seat = word_codes(
        results, shown[0], _any_seat, len(SEATS), "honours_seat as the one player who holds them, N E S W"
    )
    points = _honours_points(results) if "honours_points" in results else nothing["honours_points"]
    refuse(results, (seat == MISSING) != (points == 0), "both the player and the points of honours, or neither", *shown)
    in_trumps, at_notrump = (_known(laws, *keys) for keys in (("four_honours", "five_honours"), ("four_aces",)))
    notrump = np.equal(STRAIN, STRAINS.index("NT")).reshape(-1)[contract]
    fine = np.where(notrump, np.isin(points, at_notrump), np.isin(points, in_trumps))
    fine &= (LEVEL > 0).reshape(-1)[contract]
    expected = f"honours of {_either(in_trumps)} in trumps or {_either(at_notrump)} at notrump (edition {laws.name!r})"
    refuse(results, (points > 0) & ~fine, expected, "honours_points", "contract")
    return {"honours_side": np.where(seat == MISSING, 0, seat & 1).astype(np.uint8), "honours_points": points}


def _honours_points(results: pd.DataFrame) -> NDArray[np.int32]:
    """Points of honours, 0 where there are none; numbers, or texts as a file has them."""
    column = results["honours_points"]
    if not is_text(as_column(column)):
        return read_all(number_reader(column, name="honours_points", low=0, high=_MOST_HONOURS, null=0)).astype(
            np.int32
        )
    words, codes = text_codes(column)
    whole = [re.fullmatch(r"\s*(\d{0,5})(?:\.0*)?\s*", word) for word in words]
    fine = [found is not None for found in whole]
    refuse(results, ~np.array([*fine, True])[codes], "honours_points as a whole number", "honours_points")
    points = [int(found[1] or 0) if found else 0 for found in whole]
    return np.array([*points, 0], np.int32)[codes]


def _known(laws: Edition, *keys: str) -> list[int]:
    values = [given(laws, key) for key in keys]
    return sorted({int(value) for value in values if value})


def _either(points: list[int]) -> str:
    return " or ".join(map(str, points)) or "none"


def playing_order(
    results: pd.DataFrame, by: str | Sequence[str], contract: NDArray[Any]
) -> tuple[NDArray[np.intp] | None, NDArray[np.intp], NDArray[np.intp]]:
    """Rows in the order of play, rubber after rubber.

    Returns
    -------
    order : ndarray of intp, or None
        The rows, by ``board`` in each rubber, else as they stand; None where that is how they stand already.
    starts, sizes : ndarray of intp
        Where each rubber starts in that order, and its deals.
    """
    names = [by] if isinstance(by, str) else list(by)
    lost = [name for name in names if name not in results]
    if lost or not names:
        raise ValueError(f"expected columns that tell rubbers apart (by), got no {', '.join(lost) or 'names'}")
    unnamed = results[names].isna().any(axis=1).to_numpy()
    refuse(results, unnamed & ~unnamed.all(), "the rubber of each deal", *names)
    codes, count = group_codes(results[names])
    board = board_numbers(results)
    later = codes[1:] > codes[:-1]
    same = codes[1:] == codes[:-1]
    in_order = bool((later | same & (board[1:] >= board[:-1])).all())
    order = None if in_order else _sorted_rows(codes, board, count)
    if order is not None:
        codes, board, contract = codes[order], board[order], contract[order]
        same = codes[1:] == codes[:-1]
    again = same & (board[1:] == board[:-1]) & (board[1:] > 0) & (contract[:-1] > 0)
    if again.any():
        bad = np.zeros(len(results), np.bool_)
        bad[np.flatnonzero(again)[:1] + 1 if order is None else order[np.flatnonzero(again)[:1] + 1]] = True
        refuse(results, bad, "each board once in a rubber (but for redeals of a passed-out one)", "board")
    starts = np.flatnonzero(np.concatenate([np.ones(min(codes.size, 1), np.bool_), ~same]))
    return order, starts, np.diff(starts, append=codes.size)


def board_numbers(results: pd.DataFrame) -> NDArray[np.int64]:
    """The number of each board; 0 for all where the table has none."""
    if "board" not in results or results["board"].isna().all():
        return np.zeros(len(results), np.int64)
    reader = number_reader(results["board"], name="a board number (or none in any row)", low=1, high=2**31 - 1)
    return read_all(reader).astype(np.int64)


def _sorted_rows(codes: NDArray[np.int64], board: NDArray[np.int64], count: int) -> NDArray[np.intp]:
    """Rows by rubber and board, else as they stand: one sort where all three fit 63 bits."""
    row_bits, board_bits = (codes.size - 1).bit_length(), int(board.max()).bit_length()
    if count.bit_length() + board_bits + row_bits > 63:
        return np.lexsort((board, codes))
    key = (codes << board_bits | board) << row_bits | np.arange(codes.size)
    key.sort()
    key &= (1 << row_bits) - 1
    return key.astype(np.intp, copy=False)


def check_vul(results: pd.DataFrame, vul: NDArray[Any]) -> None:
    """Refuse a vulnerability that the file gives and that is not the one of the rubber. ``vul``: codes, by row."""
    given = word_codes(results, "vul", vul_word, len(VULS), "a vulnerability none, ns, ew or both")
    there = given != MISSING
    if "vul_source" in results:
        words, codes = text_codes(results["vul_source"])
        there &= np.array([*(word == "file" for word in words), False], np.bool_)[codes]
    wrong = there & (given != vul)
    if wrong.any():
        refuse(results, wrong, f"vul {VULS[vul[wrong.argmax()]]!r}, by the deals before", "vul")
