"""The letters of hands and sets of cards, both ways: a stretch of texts at a time, without a step a text.

The bits are those of :mod:`bridge_analytics.cards`: card ``rank`` of ``suit`` is bit ``13 * suit + rank``, clubs first.
In text the suits run spades, hearts, diamonds, clubs, with a full stop between them; each ends at a full stop or at
the end of its hand, so the suit of a letter is the number of ends before it, modulo four.
"""

import numpy as np
from numpy.typing import NDArray

SUITS = "CDHS"
RANKS = "23456789TJQKA"

_DOT, _DASH, _ONE, _ZERO, _COLON, _BLANK = (ord(letter) for letter in ".-10: ")


def _tables() -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """For each of 256 letters: the bit of its rank, and whether it may stand in a hand at all."""
    bit, known = np.zeros(256, np.uint64), np.zeros(256, np.bool_)
    for rank, letter in enumerate(RANKS):
        bit[[ord(letter), ord(letter.lower())]] = 1 << rank
    bit[_ZERO] = 1 << RANKS.index("T")
    known[list(b".-1 \n")] = True
    return bit, known | (bit > 0)


_RANK_BIT, _KNOWN = _tables()
_FIRST_SEAT = np.full(256, -1, np.int8)
for _seat, _letter in enumerate("NESW"):
    _FIRST_SEAT[[ord(_letter), ord(_letter.lower())]] = _seat


def letters_of(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """All texts as one array of letters with a line end before, between and after them; where each text begins.

    Every blank is a space or a line end afterwards; what is not ASCII is a question mark, which no hand has.
    """
    joined = "\n".join(["", *texts, ""]).encode("ascii", "replace")
    letters = np.frombuffer(joined, np.uint8).copy()
    letters[letters < _BLANK] = _BLANK
    sizes = np.fromiter(map(len, texts), np.intp, len(texts))
    return letters, np.cumsum(sizes + 1) - sizes


def take_first_seat(letters: NDArray[np.uint8], begins: NDArray[np.intp]) -> NDArray[np.int8]:
    """Blank out the ``N:`` that begins each deal, and give its seat 0-3, or -1 where it is missing."""
    filled = np.flatnonzero(letters != _BLANK)
    place = np.searchsorted(filled, begins)
    first = filled[np.minimum(place, len(filled) - 1)] if len(filled) else np.zeros(len(begins), np.intp)
    seat = np.where(letters[first + 1] == _COLON, _FIRST_SEAT[letters[first]], np.int8(-1))
    named = first[seat >= 0]
    letters[named] = letters[named + 1] = _BLANK
    return seat


def read_hands(
    letters: NDArray[np.uint8], begins: NDArray[np.intp], each: int
) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """The hands of every text, ``each`` of them, and which texts cannot be read.

    Parameters
    ----------
    letters, begins
        What :func:`letters_of` gave.
    each : int
        Hands in a text: 1 or 4.

    Returns
    -------
    hands : ndarray of uint64, shape (texts, each)
        Sets of cards; of no meaning if any text is bad.
    bad : ndarray of bool
        Which texts do not have ``each`` hands of four suits, or repeat a card in a hand.
    """
    blank = letters == _BLANK
    starts = np.flatnonzero(~blank[1:] & blank[:-1]) + 1
    ends = np.flatnonzero(blank[1:] & ~blank[:-1]) + 1
    text_of = np.searchsorted(begins, starts, side="right") - 1
    bad = np.bincount(text_of, minlength=len(begins)) != each
    if not starts.size:
        return np.zeros((len(begins), each), np.uint64), bad
    suits_ended = (letters == _DOT).astype(np.uint8)
    suits_ended[ends] = 1
    suits_ended[starts[(ends - starts == 1) & (letters[starts] == _DASH)]] = 3  # a hand that is not known
    suit = 3 - (np.cumsum(suits_ended, dtype=np.uint8) & 3)
    bits = _RANK_BIT.take(letters) << (suit * np.uint8(13))
    hands = np.bitwise_or.reduceat(bits, starts)
    wrong = np.add.reduceat(bits > 0, starts, dtype=np.intp) != np.bitwise_count(hands)
    wrong |= np.add.reduceat(suits_ended, starts, dtype=np.intp) != 4
    misplaced = np.flatnonzero(_misplaced(letters))
    wrong[np.searchsorted(starts, misplaced, side="right") - 1] = True
    bad[text_of[wrong]] = True
    return hands.reshape(-1, each) if not bad.any() else np.zeros((len(begins), each), np.uint64), bad


def _misplaced(letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Letters that no hand has, a ten without its other figure, a void's dash beside a card."""
    wrong = ~_KNOWN.take(letters)
    one, zero, dash = letters == _ONE, letters == _ZERO, letters == _DASH
    if one.any() or zero.any():
        wrong[1:] |= zero[1:] & ~one[:-1]
        wrong[:-1] |= one[:-1] & ~zero[1:]
    if dash.any():
        ends_suit = (letters == _DOT) | (letters == _BLANK)
        wrong[1:-1] |= dash[1:-1] & ~(ends_suit[:-2] & ends_suit[2:])
    return wrong


# One line of _LINE spells any hand when the right letters are kept: a dash, the four suits from the ace down with the
# full stops between them, and a blank to end it. _CARD is the card a letter stands for; 52 and 53 mark the rest.
_LINE = np.frombuffer(f"-{'.'.join([RANKS[::-1]] * 4)} ".encode(), np.uint8)
_CARD = np.array(
    [53, *(card for suit in (3, 2, 1, 0) for card in [*range(13 * suit + 12, 13 * suit - 1, -1), 52])], np.uint64
)


def spell(hands: NDArray[np.uint64]) -> list[str]:
    """The text of each row of hands, a space between them, an empty hand as ``-``.

    Parameters
    ----------
    hands : ndarray of uint64, shape (n, hands in a row)

    Returns
    -------
    list of n str
    """
    marked = np.where(hands == 0, np.uint64(1 << 53), hands | np.uint64(1 << 52))
    keep = (marked[..., None] >> _CARD & np.uint64(1)).astype(np.bool_)
    keep[..., -1] = True
    lines = np.broadcast_to(_LINE, keep.shape).copy()
    lines[:, -1, -1] = ord("\n")
    return lines[keep].tobytes().decode("ascii").splitlines()
