"""Results in USEBIO 1.1 and 1.2, the XML that clubs send to their federation.

The number of a row is that of the TRAVELLER_LINE in the file. Ids stay as they are printed; the players of a pair are
seated in the order in which the file lists them.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element, ParseError

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import ResultsError, fault_table
from bridge_analytics.formats.usebio_context import Deals, Pairs, board_of, context, deal_of, names_of
from bridge_analytics.formats.usebio_elements import Scope, elements, text_of

Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]
Row = dict[str, str | None]

_ROWS = 20_000
_HEADERS = (
    *("event", "session", "section", "round", "table", "board", "ns", "ew", "north", "east", "south", "west"),
    *("dealer", "vul", "contract", "declarer", "tricks", "lead", "status", "deal"),
    *("published_score_ns", "published_mp_ns", "published_imps_ns"),
)
_CELLS = MappingProxyType(
    {
        "contract": ("CONTRACT",),
        "declarer": ("PLAYED_BY", "DECLARER"),
        "tricks": ("TRICKS",),
        "lead": ("LEAD",),
        "published_score_ns": ("SCORE",),
        "published_mp_ns": ("NS_MATCH_POINTS",),
        "published_imps_ns": ("NS_BUTLER_POINTS", "NS_CROSS_IMP_POINTS"),
    }
)
_OTHERS = ("EW_MATCH_POINTS", "EW_BUTLER_POINTS", "EW_CROSS_IMP_POINTS")
_SEATED = MappingProxyType({seat: f"{seat[0].upper()}_PLAYER_NUMBER" for seat in ("north", "east", "south", "west")})
_INNER = ("SESSION", "SECTION")
_PHANTOM = re.compile(r"\b(?:phantom|sit[ -]?out|bye)\b", re.IGNORECASE)


def is_usebio(start: bytes) -> bool:
    """Whether a file starts like USEBIO, in any encoding.

    Examples
    --------
    >>> is_usebio(b'<?xml version="1.0"?><USEBIO Version="1.2">')
    True
    """
    plain = start.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return plain.startswith(b"<") and bool(re.search(rb"<USEBIO[\s>]", plain))


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """The results of a USEBIO file as cells, 20,000 at a time.

    Parameters
    ----------
    file : binary file that can seek
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it; only ``encoding`` is looked at.

    Yields
    ------
    frame : DataFrame
        The cells as texts under canonical headers; missing where the file says nothing.
    source_row : ndarray of int64
        The number of the TRAVELLER_LINE.
    faults : list of DataFrame

    Raises
    ------
    ResultsError
        If the file declares an entity, is no USEBIO, or breaks before its first result.
    """
    start = file.tell()
    pairs, deals = context(file, layout["encoding"])
    file.seek(start)
    rows: list[Row] = []
    count = 0
    faults: list[pd.DataFrame] = []
    try:
        for within, scope in elements(file, layout["encoding"]):
            if within[-1].tag == "TRAVELLER_LINE":
                rows.append(_row({element.tag: element for element in within}, scope, pairs, deals))
                count += 1
            if len(rows) == _ROWS:
                yield _cut(rows, count, [])
                rows = []
    except ParseError as error:
        if not count:
            raise ResultsError(fault_table("file_unreadable", None, value=str(error)), 0) from None
        hint = "results from this one on are not read"
        faults.append(fault_table("file_unreadable", [count + 1], value=str(error), suggestion=hint))
    yield _cut(rows, count, faults)


def _cut(rows: list[Row], count: int, faults: list[pd.DataFrame]) -> Cut:
    headers = (*_HEADERS, *(name for name in _OTHERS if any(row.get(name) for row in rows)))
    frame = pd.DataFrame({name: pd.array([row.get(name) for row in rows], "str") for name in headers})
    return frame, np.arange(count - len(rows) + 1, count + 1), faults


def _row(within: Mapping[str, Element], scope: Scope, pairs: Pairs, deals: Deals) -> Row:
    """The cells of a line and of what it stands in."""
    line, board, match = within["TRAVELLER_LINE"], within.get("BOARD"), within.get("MATCH")
    row: Row = {name: text_of(line, *tags) for name, tags in _CELLS.items()}
    row |= {name: text_of(line, name) for name in _OTHERS}
    row |= {"event": text_of(within.get("EVENT"), "EVENT_DESCRIPTION", "EVENT_IDENTIFIER")}
    row |= {name.lower(): _place(within, name, number) for name, number in zip(_INNER, scope[1:], strict=True)}
    row |= {"round": text_of(line, "ROUND_NUMBER") or text_of(match, "ROUND_NUMBER")}
    row |= {"table": text_of(line, "TABLE_NUMBER")}
    if board is not None:
        row |= {"board": board_of(board), "dealer": text_of(board, "DEALER"), "vul": text_of(board, "VULNERABILITY")}
        row |= {"deal": deal_of(deals, scope, row["board"])}
    return row | _contestants(row, line, match, scope, pairs)


def _place(within: Mapping[str, Element], name: str, number: int) -> str | None:
    """The label of a session or a section: its own, else its number."""
    if name not in within:
        return None
    return within[name].get(f"{name}_ID") or text_of(within[name], f"{name}_ID") or str(number)


def _contestants(row: Row, line: Element, match: Element | None, scope: Scope, pairs: Pairs) -> Row:
    """Pairs or teams, and their players, of an individual event their ids; a board against nobody was sat out."""
    found: Row = {}
    for side, seats in (("ns", ("north", "south")), ("ew", ("east", "west"))):
        tag = f"{side.upper()}_PAIR_NUMBER"
        found[side] = text_of(line, tag) or text_of(match, tag)
        found |= dict(zip(seats, names_of(pairs, scope, found[side], side), strict=True))
    found |= {seat: number for seat, tag in _SEATED.items() if (number := text_of(line, tag))}
    somebody = filter(None, found.values())
    if any(_PHANTOM.search(name) for name in somebody) and not row["contract"] and not row["published_score_ns"]:
        found["status"] = "sit_out"
    teams = text_of(match, "TEAM"), text_of(match, "OPPOSING_TEAM")
    direction = (text_of(line, "DIRECTION") or "")[:1].upper()
    if all(teams) and direction in ("N", "S", "E", "W"):  # the direction of the team named first
        found["ns"], found["ew"] = teams if direction in ("N", "S") else teams[::-1]
    return found
