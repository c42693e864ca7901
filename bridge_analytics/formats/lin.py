"""Boards in LIN, the format of the online club: one board or many, one table or the two rooms of a match.

The number of a row is that of the board in the file, each room by itself; a result that only the head of a match tells
comes behind them. Contract and declarer follow from the auction; the tricks from a claim, else from the cards if all
were played; both also from the head. Comments are not read, and a play that stops early is no result.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.boards import board_dealer
from bridge_analytics.calls import contract_of, read_calls
from bridge_analytics.checks import fault_table
from bridge_analytics.formats.lin_deals import deal_cell, whole_deals
from bridge_analytics.formats.lin_match import ROOMS, head_of, in_match, seated, untold
from bridge_analytics.formats.lin_text import Fields, boards, cards_of
from bridge_analytics.layout import NO_CHARACTER
from bridge_analytics.notation import SEATS
from bridge_analytics.trick_count import card_codes, count_tricks

Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]
Row = dict[str, Any]
Fault = tuple[str, int | None, str | None, str]  # rule, row, column, value

_HEADERS = (
    *("event", "session", "room", "board", "ns", "ew", "north", "east", "south", "west", "dealer", "vul"),
    *("contract", "declarer", "tricks", "lead", "auction", "play", "deal"),
)
_LABELS = ("event", "session", "board", "ns", "ew", "north", "east", "south", "west")
_TOLD = ("contract", "declarer", "tricks")
_ROWS = 20_000
_WHOLE = 52 * 3 - 1  # letters of a play of all cards, blanks between them
_PLACE = re.compile(r"([oc]?)\s*(\d+)", re.IGNORECASE)
_A_LIN = re.compile(rb"(?:^|[|\s])(?:md\|[0-4]?[SHDC,]|qx\|[oc]?\d+)", re.IGNORECASE)
_SHOWN = 60  # characters of skipped text


def is_lin(start: bytes) -> bool:
    """Whether a file starts like LIN: with pairs of two letters and a value, a deal or the name of a board among them.

    Examples
    --------
    >>> is_lin(b"pn|a,b,c,d|st||md|3SAKQ,,,|"), is_lin(b"bd|contract|by|")
    (True, False)
    """
    return bool(re.match(rb"(?:\xef\xbb\xbf)?\s*[a-z][a-z0-9]\|", start)) and bool(_A_LIN.search(start))


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """The boards of a LIN file as cells, 20,000 at a time.

    Parameters
    ----------
    file : binary file
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it; only ``encoding`` is looked at.

    Yields
    ------
    frame : DataFrame
        The cells as texts under canonical headers; missing where the file says nothing.
    source_row : ndarray of int64
        The number of the board in the file.
    faults : list of DataFrame
    """
    rows: list[Row] = []
    faults: list[Fault] = []
    left: list[Row] = []
    head: dict[str, Any] = {}
    count = 0
    for fields, is_board in boards(file, layout["encoding"]):
        if "vg" in fields or "rs" in fields or not is_board:
            left += untold(head) if "vg" in fields else []
            head = head_of(fields, head)
        if is_board:
            count += 1
            _add(_row(fields, head), count, rows, faults)
        _skip(fields, count if is_board else None, faults)
        if len(rows) >= _ROWS:
            yield _cut(rows, faults)
            rows, faults = [], []
    for number, row in enumerate([*left, *untold(head)], count + 1):
        _add(row, number, rows, faults)
    yield _cut(rows, faults)


def _add(row: Row, number: int, rows: list[Row], faults: list[Fault]) -> None:
    """A row with its number; one that cannot be read as text is a fault, as is what was wrong in it."""
    faults += [(rule, number, column, value) for rule, column, value in row.get("wrong", ())]
    broken = [text for name in _LABELS if (text := row.get(name)) and NO_CHARACTER in text]
    if broken:
        faults.append(("bytes_unreadable", number, None, broken[0]))
    else:
        row["number"] = number
        rows.append(row)


def _skip(fields: Fields, number: int | None, faults: list[Fault]) -> None:
    """What of a board, or of a head, is no pair."""
    text = " ".join(" ".join(fields[""]).replace("|", " ").split()) if "" in fields else ""
    if text:
        faults.append(("text_skipped", number, None, text[:_SHOWN]))


def _row(fields: Fields, head: dict[str, Any]) -> Row:
    """The cells of a board; under ``wrong`` what is wrong with it, under ``told`` what the head says of it."""
    room, label = _place(fields)
    row: Row = {"room": room, "board": label, "wrong": []} | in_match(head, room)
    row |= _players(fields, head, room, row["wrong"])
    hands = fields["md"][0].strip() if "md" in fields else ""
    dealer = "SWNE"[int(hands[0]) - 1] if hands[:1] in ("1", "2", "3", "4") else None
    row |= {"dealer": dealer, "vul": fields["sv"][0] if "sv" in fields else None}
    row["deal"] = deal_cell(hands[1:] if hands[:1].isdigit() else hands)
    if "mb" in fields:
        row |= _auction(fields["mb"], dealer, label, row["wrong"])
    if "pc" in fields:
        cards = cards_of(fields["pc"])
        row |= {"play": " ".join(cards), "lead": cards[0] if cards else None}
    if "mc" in fields:
        row["tricks"] = fields["mc"][-1].strip() or None
    if head.get("results"):
        row["told"] = head["results"].pop((room, label), None)
    return row


def _place(fields: Fields) -> tuple[str | None, str | None]:
    """Room and label of a board: ``o12`` is board 12 in the open room; a name in words goes before that number."""
    at = _PLACE.match(fields["qx"][0].strip()) if "qx" in fields else None
    room = ROOMS.get(at[1].lower()) if at else None
    name = " ".join(fields["ah"][0].split()) if "ah" in fields else ""
    if name[:5].lower() == "board":
        name = name[5:].strip()
    label = name or (at[2] if at else fields["qx"][0].strip() if "qx" in fields else "")
    return room, label or None


def _players(
    fields: Fields, head: dict[str, Any], room: str | None, wrong: list[tuple[str, str | None, str]]
) -> dict[str, str | None]:
    """The players that a board names itself, else those whom the head of the match names for its room."""
    own = fields.get("pn") or fields.get("pw")
    names = own[-1] if own else head.get("players") if "qx" in fields else None
    if not names:
        return {}
    players = seated(names, room)
    if players is None:
        wrong.append(("names_count", None, names))
        if not own:
            head["players"] = None  # once is enough
    return players or {}


def _auction(
    texts: Sequence[str], dealer: str | None, label: str | None, wrong: list[tuple[str, str | None, str]]
) -> dict[str, str | None]:
    """The calls, and contract and declarer where they are an auction from its start to its end."""
    if dealer is None and label and label.isdecimal() and int(label):
        dealer = str(board_dealer(int(label)))
    found: dict[str, str | None] = {}
    try:
        calls = read_calls(texts)
        found["auction"] = " ".join(calls)
        found["contract"], found["declarer"] = contract_of(calls, SEATS.index(dealer) if dealer else None)
    except ValueError:
        wrong.append(("auction_unreadable", "auction", " ".join(texts)))
    return found


def _cut(rows: list[Row], faults: list[Fault]) -> Cut:
    """Rows as columns, with what is known only of all of them together: deals, tricks, what the head tells."""
    deals, texts = whole_deals([row.get("deal") for row in rows])
    for row, text in zip(rows, texts, strict=True):
        row["deal"] = text
    _count(rows, deals, faults)
    kept = [row for row in rows if row.get("told") is None or _agrees(row, faults)]
    kept = [row for row in kept if not row.get("contradicted")]
    frame = pd.DataFrame({name: pd.array([row.get(name) for row in kept], "str") for name in _HEADERS})
    return frame, np.array([row["number"] for row in kept], np.int64), _tables(faults)


def _count(rows: list[Row], deals: NDArray[np.uint64], faults: list[Fault]) -> None:
    """The tricks of plays of all cards, into the rows; of one that was also claimed they must be the same."""
    whole = [place for place, row in enumerate(rows) if len(row.get("play") or "") == _WHOLE and row.get("declarer")]
    if not whole:
        return
    cards = card_codes([rows[place]["play"].replace(" ", "") for place in whole])
    trumps = np.array(["CDHSN".index(rows[place]["contract"][1]) for place in whole])
    declarer = np.array([SEATS.index(rows[place]["declarer"]) for place in whole])
    counted, sound = count_tricks(cards, trumps, declarer, deals[whole])
    for place, tricks, is_sound in zip(whole, counted.tolist(), sound.tolist(), strict=True):
        row = rows[place]
        if not is_sound:
            faults.append(("play_unreadable", row["number"], "play", row["play"]))
        elif row.get("tricks") in (None, str(tricks)):
            row["tricks"] = str(tricks)
        else:
            row["contradicted"] = True
            faults.append(("tricks_contradict", row["number"], "tricks", row["tricks"]))


def _agrees(row: Row, faults: list[Fault]) -> bool:
    """Whether a board and the head say the same of its result; what the board does not say is taken from the head."""
    for name in _TOLD:
        told = row["told"][name]
        if told is not None and row.setdefault(name, told) != told:
            if row[name] is not None:
                faults.append(("head_contradicts", row["number"], name, str(row[name])))
                return False
            row[name] = told
    return True


def _tables(faults: list[Fault]) -> list[pd.DataFrame]:
    rules = dict.fromkeys(rule for rule, *_ in faults)
    found = {rule: [*zip(*(fault[1:] for fault in faults if fault[0] == rule), strict=True)] for rule in rules}
    return [
        fault_table(rule, list(numbers), column=list(columns), value=list(values))
        for rule, (numbers, columns, values) in found.items()
    ]
