"""From the cells of a file to cards: the lead, and the deal."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.card_text import RANKS, SUITS
from bridge_analytics.cards import format_deals, parse_deals
from bridge_analytics.cells import Column, without
from bridge_analytics.notation import strain_word


def lead_word(text: str) -> str:
    """A card as suit and rank, from suit and rank in any order: ``HQ``, ``qh``, ``♥10``, ``10H``.

    Examples
    --------
    >>> lead_word("10h"), lead_word("♠K")
    ('HT', 'SK')
    """
    plain = "".join(text.split()).upper().replace("10", "T")
    for suit, rank in ((plain[:-1], plain[-1:]), (plain[1:], plain[:1])):
        if rank and suit and rank in RANKS:
            try:
                code = strain_word(suit)
            except ValueError:
                continue
            if code < 4:
                return SUITS[code] + rank
    raise ValueError(f"expected a card such as 'SK', got {text!r}")


def lead_texts(words: Sequence[str]) -> list[str | None]:
    """Each card as suit and rank, None for what is none."""

    def text(word: str) -> str | None:
        try:
            return lead_word(word)
        except ValueError:
            return None

    return [*map(text, words)]


def deal_texts(words: Sequence[str]) -> list[str | None]:
    """Each deal in PBN with North first, whichever seat it starts with; None for what is none or has a card twice.

    Examples
    --------
    >>> deal_texts(["E:A... K... - -", "E:A... A... - -", "?"])
    ['N:- A... K... -', None, None]
    """
    if not words:
        return []
    try:
        deals = parse_deals([*words])
    except ValueError:  # for the first bad one of many
        half = len(words) // 2
        return [*deal_texts(words[:half]), *deal_texts(words[half:])] if half else [None]
    sound = np.bitwise_count(deals).sum(axis=1) == np.bitwise_count(np.bitwise_or.reduce(deals, axis=1))
    return [text if once else None for text, once in zip(format_deals(deals), sound, strict=True)]


def rewritten(column: Column, rewrite: Callable[[Sequence[str]], list[str | None]]) -> tuple[Column, NDArray[np.bool_]]:
    """The column with its words as a writer of words puts them, and which cells, missing then, it cannot read.

    Cells of nothing but dashes say nothing.
    """
    words, codes = without(column, [word for word in column[0] if not word.strip("-–— ")])
    found = rewrite(words)
    unreadable = np.array([*(word is None for word in found), False])
    return without((found, codes), [None]), unreadable[codes]
