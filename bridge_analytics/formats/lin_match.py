"""What the head of a LIN file says of all its boards: the match, the results of both rooms, the players."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bridge_analytics.formats.lin_text import Fields
from bridge_analytics.notation import CONTRACTS, SEATS, contract_result_word

Result = dict[str, str | None]
"""Contract, declarer and tricks as cells."""

ROOMS = MappingProxyType({"o": "open", "c": "closed"})
_SEATS_OF_NAMES = ("south", "west", "north", "east")  # in the order in which they are written


def head_of(fields: Fields, before: Mapping[str, Any]) -> dict[str, Any]:
    """What holds for the boards that follow: what is said here, and else what held before.

    Parameters
    ----------
    fields : dict of str to list of str
    before : mapping
        What an earlier head gave; empty at the start of a file.

    Returns
    -------
    dict
        ``match``: its event, session and both teams; ``results`` by room and board; ``players``.

    Notes
    -----
    ``vg`` holds title, segment, form of scoring, first and last board, then each team with what it brings: the first
    team sits North-South in the open room. ``rs`` holds two results a board, of the open and of the closed room.
    """
    head = dict(before)
    if "vg" in fields:
        head = {"match": [*map(_word, fields["vg"][-1].split(",")), *[None] * 8]}
    if "rs" in fields:
        first = head.get("match", [None] * 8)[3] or ""
        head["results"] = _results(fields["rs"][-1].split(","), int(first)) if first.isdecimal() else {}
    for names in (*fields.get("pn", ()), *fields.get("pw", ())):
        head["players"] = names
    return head


def _word(text: str) -> str | None:
    return " ".join(text.split()) or None


def _results(cells: Sequence[str], first: int) -> dict[tuple[str, str], Result]:
    """The results by room and board; a cell that cannot be read says nothing."""
    found: dict[tuple[str, str], Result] = {}
    for place, cell in enumerate(cells):
        try:
            contract, seat, result = contract_result_word(cell)
        except ValueError:
            continue
        won = None if result is None or contract == 0 else str(6 + (contract + 14) // 15 + result)
        row = {"contract": CONTRACTS[contract], "declarer": None if seat is None else SEATS[seat], "tricks": won}
        found[ROOMS["oc"[place % 2]], str(first + place // 2)] = row
    return found


def seated(names: str, room: str | None) -> dict[str, str | None] | None:
    """The players by their seats, from four names or from the eight of two rooms; None for any other number.

    Examples
    --------
    >>> seated("s,w,n,e,S,W,N,E", "closed")
    {'south': 'S', 'west': 'W', 'north': 'N', 'east': 'E'}
    """
    listed = [_word(name) for name in names.split(",")]
    if len(listed) not in (4, 8):
        return None
    return dict(zip(_SEATS_OF_NAMES, listed[4:] if len(listed) == 8 and room == "closed" else listed[:4], strict=True))


def in_match(head: Mapping[str, Any], room: str | None) -> dict[str, str | None]:
    """Match, segment and the teams of a room."""
    if "match" not in head:
        return {}
    event, session, *_, home, _, away = head["match"][:8]
    sides = {"open": (home, away), "closed": (away, home)}.get(room or "", (None, None))
    return {"event": event, "session": session, "ns": sides[0], "ew": sides[1]}


def untold(head: Mapping[str, Any]) -> list[dict[str, str | None]]:
    """A row for each result of a head that no board has taken out of it."""
    rows = []
    for (room, board), told in head.get("results", {}).items():
        players = seated(head.get("players") or "", room) or {}
        rows.append({"room": room, "board": board} | in_match(head, room) | players | told)
    return rows
