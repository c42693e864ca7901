"""What the other tables of a scoring device's database say of its results: sections, players, deals."""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

Tables = Mapping[str, pd.DataFrame]
Seated = dict[str, tuple[str | None, str | None]]

_SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")
_SEATS = ("North", "East", "South", "West")
_SIDES = (("ns", "PairNS", ("north", "south")), ("ew", "PairEW", ("east", "west")))


def listed(table: pd.DataFrame, header: str) -> list[str | None]:
    """The cells of a column as texts, None where one is empty; all None where there is no such column."""
    if header not in table:
        return [None] * len(table)
    return [None if pd.isna(cell) else str(_whole(cell)).strip("\0 \t\r\n") or None for cell in table[header]]


def text(table: pd.DataFrame, header: str) -> pd.Series:
    """The same as a column."""
    return pd.Series(listed(table, header), table.index, dtype="str")


def _whole(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def is_individual(received: pd.DataFrame) -> bool:
    """Whether the results are those of single players: South and West have numbers of their own."""
    return {"South", "West"} <= set(received) and bool((text(received, "South").fillna("0") != "0").any())


def section_letters(tables: Tables, received: pd.DataFrame) -> pd.Series:
    """The letter of each result's section, else its number."""
    sections = tables.get("Section", pd.DataFrame())
    letters = dict(zip(listed(sections, "ID"), listed(sections, "Letter"), strict=True))
    return pd.Series([letters.get(name) or name for name in listed(received, "Section")], received.index, dtype="str")


def deals_of(tables: Tables, received: pd.DataFrame) -> pd.Series:
    """The deal of each result as PBN: that of its section and board; of its board where all are of one section."""
    records = tables.get("HandRecord", pd.DataFrame())
    columns = [text(records, seat + suit).fillna("") for seat in _SEATS for suit in _SUITS]
    places = zip(listed(records, "Section"), listed(records, "Board"), strict=True)
    known = {place: _deal(suits) for place, suits in zip(places, zip(*columns, strict=True), strict=True) if any(suits)}
    if len({section for section, _ in known}) == 1:
        known = {(None, board): deal for (_, board), deal in known.items()}
    asked = zip(listed(received, "Section"), listed(received, "Board"), strict=True)
    deals = [known.get((section, board)) or known.get((None, board)) for section, board in asked]
    return pd.Series(deals, received.index, dtype="str")


def _deal(suits: tuple[str, ...]) -> str:
    hands = [".".join(suits[first : first + 4]) for first in range(0, 16, 4)]
    return "N:" + " ".join("-" if hand == "..." else hand for hand in hands)


def players_of(tables: Tables, received: pd.DataFrame) -> dict[str, pd.Series]:
    """The players of each result: by number in an individual, else those who began as its pairs."""
    if is_individual(received):
        numbers = {"north": "PairNS", "east": "PairEW", "south": "South", "west": "West"}
        return {seat: text(received, header) for seat, header in numbers.items()}
    began = _began(tables, received)
    columns = {}
    section = listed(received, "Section")
    for side, header, seats in _SIDES:
        pairs = [began.get(key, {}) for key in zip(section, listed(received, header), strict=True)]
        names = [pair.get(side) or (*pair.values(), (None, None))[0] for pair in pairs]
        for place, seat in enumerate(seats):
            columns[seat] = pd.Series([pair[place] for pair in names], received.index, dtype="str")
    return columns


def _began(tables: Tables, received: pd.DataFrame) -> dict[tuple[Hashable, Hashable], Seated]:
    """Who sat down as which pair of a section: the players of each table, and the pairs of its first round."""
    seated = _first_seats(tables)
    found: dict[tuple[Hashable, Hashable], Seated] = defaultdict(dict)
    plan = tables.get("RoundData", pd.DataFrame())
    for table, pairs in ((received, ("PairNS", "PairEW")), (plan, ("NSPair", "EWPair"))):
        first = table[text(table, "Round") == "1"]
        columns = [listed(first, header) for header in ("Section", "Table", *pairs)]
        for section, number, *both in zip(*columns, strict=True):
            for pair, (side, _, seats) in zip(both, _SIDES, strict=True):
                players = tuple(seated.get((section, number, seat[0].upper())) for seat in seats)
                if any(players):
                    found[section, pair][side] = players[0], players[1]
    return found


def _first_seats(tables: Tables) -> dict[tuple[Any, ...], str | None]:
    """The name, else the number, of whoever sat down first at each seat of each table."""
    numbers, names = tables.get("PlayerNumbers", pd.DataFrame()), tables.get("PlayerNames", pd.DataFrame())
    known = dict(zip(listed(names, "ID"), listed(names, "Name"), strict=True))
    known |= dict(zip(listed(names, "strID"), listed(names, "Name"), strict=True))
    first = numbers[text(numbers, "Round").fillna("0").isin(["0", "1"])]
    columns = [listed(first, header) for header in ("Section", "Table", "Direction", "Number", "Name")]
    return {
        (section, table, direction): name or known.get(number) or number
        for section, table, direction, number, name in zip(*columns, strict=True)
    }
