"""Seeded columns to measure on."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import bridge_analytics as ba

Sample = dict[str, Any]


@cache
def cells(rows: int) -> Sample:
    """Results drawn evenly from the 2,968 cells: a byte each for contract, vulnerability and tricks."""
    draw = np.random.default_rng(1)
    return {
        "contract": draw.integers(0, 106, rows, np.uint8),
        "vulnerable": draw.integers(0, 2, rows, np.uint8).astype(bool),
        "tricks": draw.integers(0, 14, rows, np.int8),
    }


@cache
def words(rows: int, kind: str) -> Sample:
    """The same with contract and result as text: ``4SX`` and ``-2``, in a column of that kind."""
    sample = cells(rows)
    level = (sample["contract"].astype(int) + 14) // 15
    result = np.where(level == 0, 0, sample["tricks"] - 6 - level)
    spelt = np.array([f"{number:+d}" if number else "=" for number in range(-13, 8)], dtype=object)[result + 13]
    texts = {"contract": np.array(ba.CONTRACTS, dtype=object)[sample["contract"]], "result": spelt}
    return sample | {name: column_of(text, kind) for name, text in texts.items()}


def column_of(text: Any, kind: str) -> Any:
    """Text as a pandas column of ``str`` or ``category``, or as an Array of Arrow that is a dictionary."""
    if kind == "dictionary":
        return pa.array(text).dictionary_encode()
    return pd.Series(text, dtype=kind)


@cache
def field(rows: int, size: int, *, shuffled: bool = False) -> Sample:
    """Boards of ``size`` results each. A board has up to 60 scores, few of them frequent: 5.5 different ones among 10
    results, 9 among 22, 17 among 60; a generated club session has 5.4 among 10.
    """
    draw = np.random.default_rng(2)
    board = np.arange(rows) // size
    kinds = min(board[-1] + 1, 10_000)  # of boards: they repeat
    own = draw.choice(np.unique(ba.score_table()), (kinds, 60)) * draw.choice([-1, 1], (kinds, 60))
    score = own[board % kinds, draw.zipf(1.6, rows) % 60].astype(np.int32)
    order = draw.permutation(rows) if shuffled else slice(None)
    return {"score": score[order], "board": board[order]}


@cache
def differences(rows: int) -> Sample:
    """Differences between two scores of any cells."""
    score = ba.score(**cells(2 * rows))
    return {"difference": score[:rows] - score[rows:]}


@cache
def scored(rows: int) -> Sample:
    """Scored results, 13 a board, a fifth of them doubled; `other`: the same results, every one redoubled."""
    draw = np.random.default_rng(4)
    contract = draw.integers(1, 106, rows)
    contract -= np.where(draw.random(rows) < 0.8, (contract - 1) % 3, 0)
    board = np.arange(rows) // 13
    columns = {
        "event": np.char.add("event ", (board // 30).astype(str)),
        "board": board % 30 + 1,
        "contract": np.array(ba.CONTRACTS, dtype=object)[contract],
        "declarer": np.array(list("NESW"), dtype=object)[draw.integers(0, 4, rows)],
        "tricks": np.clip(6 + (contract + 14) // 15 + draw.integers(-3, 2, rows), 0, 13),
    }
    table = ba.score_results(ba.read_results(pd.DataFrame(columns)), by=["event", "board"])
    return {"scored": table, "other": ba.what_if(table, doubled=2)}


@cache
def event(rows: int) -> Sample:
    """A Mitchell of 13 tables, again and again, every session with the same pairs: scored, in matchpoints."""
    plan = ba.mitchell(13, boards_per_round=2)
    columns = {"board": plan["board"], "ns": plan["ns"], "ew": plan["ew"], "contract": "4S", "declarer": "N"}
    one = ba.read_results(pd.DataFrame(columns | {"tricks": 10}))
    sessions = -(-rows // len(one))
    table = one.iloc[np.tile(np.arange(len(one)), sessions)[:rows]].reset_index(drop=True)
    words = pd.Index([f"session {number}" for number in range(sessions)], dtype="str")
    table["session"] = pd.Categorical.from_codes(np.arange(rows) // len(one), words)
    table["tricks"] = pd.array(np.random.default_rng(5).integers(7, 13, rows), dtype="Int8")
    return {"scored": ba.score_results(table, by=["session", "board"])}


def number(rows: int) -> Sample:
    """Nothing but how many."""
    return {"n": rows}


@cache
def rubbers(rows: int, *, long: bool = False) -> Sample:
    """Deals of rubber bridge, nine of ten undoubled, from two down to one over; split when a rubber ends, in one
    sequence or in many of a dozen.
    """
    draw = np.random.default_rng(3)
    contract = draw.integers(1, 106, rows)
    contract -= np.where(draw.random(rows) < 0.9, (contract - 1) % 3, 0)
    tricks = np.clip(6 + (contract + 14) // 15 + draw.integers(-2, 2, rows), 0, 13).astype(np.int8)
    side = pd.Categorical.from_codes(draw.integers(0, 2, rows), ["NS", "EW"])
    words = pd.Categorical.from_codes(contract, list(ba.CONTRACTS))
    rubber = np.zeros(rows, np.int64) if long else np.arange(rows) // 12
    return {"rubber": rubber, "side": side, "contract": words, "tricks": tricks}


def event_rows(start: int, rows: int) -> pa.Table:
    """Results of a large file from a row on: events of 36 boards, 13 results each, nine of ten undoubled, one of a
    hundred passed out.
    """
    draw = np.random.default_rng(start)
    contract = draw.integers(1, 106, rows)
    contract -= np.where(draw.random(rows) < 0.9, (contract - 1) % 3, 0)
    contract[draw.random(rows) < 0.01] = 0
    tricks = np.clip(6 + (contract + 14) // 15 + draw.integers(-3, 2, rows), 0, 13).astype(np.int8)
    row, passed = np.arange(start, start + rows), contract == 0
    deal = row // 13
    event = deal // 36 - deal[0] // 36
    names = [f"event {number}" for number in range(deal[0] // 36, deal[-1] // 36 + 1)]
    seats = pa.array(draw.integers(0, 4, rows, np.int8), mask=passed)
    return pa.table(
        {
            "event": pa.DictionaryArray.from_arrays(event.astype(np.int32), names),
            "board": (deal % 36 + 1).astype(np.int32),
            "ns": (row % 13 + 1).astype(np.int32),
            "ew": ((row + deal) % 13 + 14).astype(np.int32),
            "contract": pa.DictionaryArray.from_arrays(contract.astype(np.int8), list(ba.CONTRACTS)),
            "declarer": pa.DictionaryArray.from_arrays(seats, list("NESW")),
            "tricks": pa.array(tricks, mask=passed),
        }
    )
