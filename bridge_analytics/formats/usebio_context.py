"""What a USEBIO file says apart from its results: who is in each pair, and which cards each board held.

Both may stand behind the results they belong to, so the file is gone through once for them alone. What is said within
a session or a section holds there; what is said outside of them holds in all.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element, ParseError

from bridge_analytics.formats.usebio_elements import Scope, around, elements, text_of

Names = tuple[str | None, str | None]
Pairs = dict[Scope, dict[tuple[str, str], Names]]
"""The players of pairs by number and side (``""`` where the file gives none), of each place of the file."""

Deals = dict[Scope, dict[str, str | None]]
"""Deals as PBN by the number of the board; None where the file gives two."""

_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_SIDE = {"N": "ns", "S": "ns", "E": "ew", "W": "ew"}


def context(file: BinaryIO, encoding: str | None) -> tuple[Pairs, Deals]:
    """The pairs and the deals of a file, as far as it can be read."""
    pairs: Pairs = defaultdict(dict)
    deals: Deals = defaultdict(dict)
    hands: dict[str, str] = {}
    try:
        for within, scope in elements(file, encoding):
            last = within[-1]
            if last.tag == "PAIR" and (number := text_of(last, "PAIR_NUMBER")):
                side = _SIDE.get((text_of(last, "DIRECTION") or "")[:1].upper(), "")
                _once(pairs[scope], (number, side), _names(last), (None, None))
            elif last.tag == "HAND":
                hands[(text_of(last, "DIRECTION") or "")[:1].upper()] = ".".join(_suits(last))
            elif last.tag == "BOARD" and hands:
                deal = "N:" + " ".join(hands.get(seat, "-") for seat in "NESW")
                _once(deals[scope], board_of(last) or "", deal, None)
                hands = {}
    except ParseError:  # where the results are read, it is a fault
        pass
    return pairs, deals


def board_of(board: Element) -> str | None:
    """The number of a board, which some programs write as an attribute."""
    return text_of(board, "BOARD_NUMBER") or board.get("BOARD_NUMBER")


def _once(known: dict[Any, Any], key: Any, value: Any, nothing: Any) -> None:
    """Note what is said; of what is said twice and not the same way, nothing is known."""
    known[key] = value if known.get(key, value) == value else nothing


def _names(pair: Element) -> Names:
    first, second, *_ = *(text_of(player, "PLAYER_NAME") for player in pair.findall("PLAYER")), None, None
    return first, second


def _suits(hand: Element) -> Iterator[str]:
    for suit in _SUITS:
        ranks = "".join((text_of(hand, suit) or "").replace(",", "").split())
        yield "" if ranks in ("-", "—", "–") else ranks


def names_of(pairs: Pairs, scope: Scope, number: str | None, side: str) -> Names:
    """The players of the pair that sits on a side: of the nearest place that knows its number.

    A pair that the file lists on the other side has moved, if no number stands for two pairs.
    """
    for place in around(scope):
        listed = pairs.get(place, {})
        for key in ((number or "", side), (number or "", "")):
            if key in listed:
                return listed[key]
        if len({other for other, _ in listed}) == len(listed):
            moved = (number or "", {"ns": "ew", "ew": "ns"}[side])
            if moved in listed:
                return listed[moved]
    return None, None


def deal_of(deals: Deals, scope: Scope, board: str | None) -> str | None:
    """The deal of a board: of the nearest place that knows its number."""
    named = board or ""
    return next((deals[place][named] for place in around(scope) if named in deals.get(place, {})), None)
