"""Auctions and play of PBN games as the calls from the dealer on, and the cards in the order in which they were played.

In a file the cards of a trick stand by seats, from the left of declarer on; who wins a trick leads to the next.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.card_text import RANKS, SUITS
from bridge_analytics.formats.pbn_games import Objects, blanked
from bridge_analytics.formats.pbn_text import MARK

_BETWEEN = "\1"
_REMARK = re.compile(rf"=[^\s=]{{0,9}}=|\$[0-9]+|\^[A-Z](?![A-Z0-9])|[!?^]+|{MARK}")
_CALLS = re.compile(r"(?:(?:P|XX?|[1-7](?:NT|[CDHS]))(?: |$))*")
_PASS_WORDS = re.compile(r"\bPASS?\b")
_CARDS = {suit + rank: 13 * place + height for place, suit in enumerate(SUITS) for height, rank in enumerate(RANKS)}
_CARDS |= {f"{suit}10": _CARDS[f"{suit}T"] for suit in SUITS}
_UNKNOWN, _END, _WRONG = 52, 53, 54
_WORDS = np.frombuffer("".join(f"{word[0]}{word[1]} " for word in _CARDS if len(word) == 2).encode(), np.uint8)


def calls_of(sections: Sequence[str]) -> tuple[Objects, NDArray[np.bool_]]:
    """The calls of auctions, without notes and remarks; None, and true, where something is no call.

    Dashes before the first call stay: who calls first is not for the section alone to say.

    Examples
    --------
    >>> calls_of(["1C =1= Pass 1H ! Pass 1NT\\nAP", "- - 1S Dbl *"])[0].tolist()
    ['1C P 1H P 1NT P P P', None]
    >>> calls_of(["- - 1S X *"])[0].tolist()
    ['- - 1S X']
    """
    plain = _PASS_WORDS.sub("P", _without_remarks(sections)).replace(_BETWEEN, f" {_BETWEEN} ")
    plain = re.sub(r"\b([1-7])N\b", r"\1NT", plain)
    auctions = [" ".join(part.split()).rstrip("*+ ") for part in plain.split(_BETWEEN)]
    auctions = [_to_the_end(calls) if "AP" in calls else calls for calls in auctions]
    wrong = np.array([_CALLS.fullmatch(calls.lstrip("- ")) is None for calls in auctions], np.bool_)
    found = np.array([calls or None for calls in auctions], object)
    return blanked(found, wrong), wrong


def are_calls(text: str) -> bool:
    """Whether a text is nothing but calls, as :func:`calls_of` gives them; none is none.

    Examples
    --------
    >>> are_calls("1NT X P P P"), are_calls("1NT-X"), are_calls("")
    (True, False, False)
    """
    return bool(text) and _CALLS.fullmatch(text) is not None


def _without_remarks(sections: Sequence[str]) -> str:
    return _REMARK.sub(" ", _BETWEEN.join(text.replace(_BETWEEN, " ") for text in sections).upper())


def _to_the_end(calls: str) -> str:
    """Calls that end with ``AP``, all pass, with the passes that end an auction."""
    words = calls.split()
    if words[-1] != "AP":
        return calls
    made = words[:-1]
    passed = next((count for count, call in enumerate(reversed(made)) if call != "P"), len(made))
    needed = 3 if passed < len(made) and made[len(made) - 1 - passed] != "-" else 4
    return " ".join([*made, *["P"] * (needed - passed)])


def cards_of(sections: Sequence[str], trump: NDArray[np.int8]) -> tuple[Objects, Objects, NDArray[np.bool_]]:
    """The opening lead, the cards as they were played, and where something is no card.

    Parameters
    ----------
    sections : sequence of str
        A line a trick, the cards by seats; ``-`` is a card that is not known, ``*`` the end, as where declarer claims.
    trump : ndarray of int8
        The suit of trumps, 4 for no trump, below 0 where it is not known: then the order of play is not, either.

    Returns
    -------
    lead, play : ndarray of object
        None where they are not known. Play ends before the first card that is not.
    wrong : ndarray of bool

    Examples
    --------
    >>> games = ["HK HA H2 H3\\nC5 C2 CK -\\n*", "SA - - -"]
    >>> lead, play, wrong = cards_of(games, np.array([4, 3], np.int8))
    >>> lead.tolist(), play.tolist()
    (['HK', 'SA'], ['HK HA H2 H3 C2 CK', 'SA'])
    """
    table, wrong = _table(sections)
    order, alive = np.full((len(sections), 52), _UNKNOWN), trump >= 0
    leader, rows, places = np.zeros(len(sections), np.intp), np.arange(len(sections)), np.arange(4)
    for trick in range(13):
        played = table[rows[:, None], 4 * trick + (leader[:, None] + places) % 4]
        order[alive, 4 * trick : 4 * trick + 4] = played[alive]
        alive &= (played < _UNKNOWN).all(axis=1)
        suit = played // 13
        height = played % 13 + 13 * (suit == suit[:, :1]) + 26 * (suit == trump[:, None])
        leader = (leader + height.argmax(axis=1)) % 4
    count = np.logical_and.accumulate(order < _UNKNOWN, axis=1).sum(axis=1)
    letters = _WORDS.reshape(-1, 3)[np.minimum(order, 51)].reshape(len(sections), -1)
    texts = [row[: 3 * size - 1] for row, size in zip(_rows(letters), count.tolist(), strict=True)]
    first = _rows(_WORDS.reshape(-1, 3)[np.minimum(table[:, 0], 51)])
    lead = [word[:2] if known else None for word, known in zip(first, table[:, 0] < _UNKNOWN, strict=True)]
    play = np.array([text if size else None for text, size in zip(texts, count.tolist(), strict=True)], object)
    return np.array(lead, object), blanked(play, wrong), wrong


def _rows(letters: NDArray[np.uint8]) -> list[str]:
    text, width = letters.tobytes().decode("ascii"), letters.shape[1] if letters.size else 1
    return [text[start : start + width] for start in range(0, len(text), width)]


def _table(sections: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The cards of each game as they stand, 52 places, and which games have what is no card."""
    known = _CARDS | {"-": _UNKNOWN, "--": _UNKNOWN, "*": _END, "+": _END, _BETWEEN: -1}
    words = _without_remarks(sections).replace(_BETWEEN, f" {_BETWEEN} ").split()
    codes = np.array([known.get(word, _WRONG) for word in [*words, _BETWEEN]], np.intp)
    game = np.cumsum(codes < 0)
    inside = np.flatnonzero(codes >= 0)
    starts = np.concatenate([[0], np.flatnonzero(codes < 0) + 1])
    place = inside - starts[game[inside]]
    table = np.full((len(sections), 53), _END)
    table[game[inside], np.minimum(place, 52)] = codes[inside]
    over = table[:, 52] < _UNKNOWN
    ended = np.logical_or.accumulate(table[:, :52] == _END, axis=1)
    wrong = over | ((table == _WRONG)[:, :52] & ~ended).any(axis=1)
    return np.where(ended | (table[:, :52] > _END), _UNKNOWN, table[:, :52]), wrong
