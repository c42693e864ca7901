"""The deals of LIN: the hands of South, West, North and East, the last of them mostly left out."""

import re

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.card_text import letters_of, read_hands, take_first_seat
from bridge_analytics.cards import format_deals

_HAND = re.compile(r"\s*S([^SHDC]*)H([^SHDC]*)D([^SHDC]*)C([^SHDC]*)\s*")
_SUIT = re.compile(r"([SHDC])([^SHDC]*)")
_PACK = np.uint64((1 << 52) - 1)


def deal_cell(hands: str) -> str | None:
    """The hands as PBN writes them, South first; None where there is none. What cannot be read stays as it is.

    Examples
    --------
    >>> deal_cell("S37JQKH4579KD36C6,SAHDC,H2S3C4,")
    'S:37JQK.4579K.36.6 A... 3.2..4 -'
    """
    listed = hands.upper().split(",")
    if not any(map(str.strip, listed)):
        return None
    return "S:" + " ".join([*map(_hand, listed), "-", "-", "-"][: max(4, len(listed))])


def _hand(text: str) -> str:
    found = _HAND.fullmatch(text)
    if found:
        return ".".join(found.groups()).replace(" ", "")
    suits = _SUIT.findall(text)
    if len(dict(suits)) < len(suits) or "".join(map("".join, suits)) != text.strip():
        return text.strip().replace(" ", "?")
    return ".".join(dict(suits).get(suit, "") for suit in "SHDC") if suits else "-"


def whole_deals(cells: list[str | None]) -> tuple[NDArray[np.uint64], list[str | None]]:
    """Deals as sets of cards and as text, a hand that is left out made of the cards that the others do not hold.

    Parameters
    ----------
    cells : list of str or None
        As :func:`deal_cell` gives them.

    Returns
    -------
    deals : ndarray of uint64, shape (n, 4)
        The hands of North, East, South, West; empty where they are not known or cannot be read.
    texts : list of str or None
        PBN with North first; what cannot be read as it is.

    Examples
    --------
    >>> whole_deals(["S:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. -"])[1]
    ['N:..AKQJT98765432. ...AKQJT98765432 AKQJT98765432... .AKQJT98765432..']
    """
    told = np.array([place for place, cell in enumerate(cells) if cell], np.intp)
    hands, bad = _read([cells[place] or "" for place in told])
    if bad.any():
        told = told[~bad]
        hands = _read([cells[place] or "" for place in told])[0]
    sizes, union = np.bitwise_count(hands), np.bitwise_or.reduce(hands, axis=1)
    lone = ((sizes == 13).sum(axis=1) == 3) & ((sizes == 0).sum(axis=1) == 1) & (np.bitwise_count(union) == 39)
    hands[lone, (sizes == 0).argmax(axis=1)[lone]] = _PACK ^ union[lone]
    deals, texts = np.zeros((len(cells), 4), np.uint64), list(cells)
    deals[told] = hands[:, [2, 3, 0, 1]]
    for place, text in zip(told.tolist(), format_deals(deals[told]).tolist(), strict=True):
        texts[place] = text
    return deals, texts


def _read(texts: list[str]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    letters, begins = letters_of(texts)
    take_first_seat(letters, begins)
    return read_hands(letters, begins, each=4)
