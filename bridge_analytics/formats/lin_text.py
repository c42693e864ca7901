"""The text of LIN files: pairs ``key|value|`` without end, cut into the boards they tell of.

A file is read a block at a time, and a pair that is broken costs no more than its own line.
"""

import codecs
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO

Fields = dict[str, list[str]]
"""What a board says: the values of each key in order; under the empty key, text that is no pair.

Cards that follow one another are one value, which :func:`cards_of` takes apart.
"""

_OF_A_BOARD = frozenset(("qx", "md", "mb", "pc", "mc", "ah"))  # one of these is in every board
_LINES = "mb|pc|md|sv|mc|qx|ah|st|pg|rh"  # their values end with the line at the latest
_KEY = rf"(?:{_LINES})(?=\|[^|\n]*\|)|(?!{_LINES})(?:[a-z][a-z0-9^]|[0-9]b)"
_PLAY = r"(?<=pc\|)[^|\n]*(?:\|\s*(?:pg\|\|\s*)?pc\|[^|\n]*)*(?=\|)"  # cards that follow one another, as one value
_PAIR = re.compile(rf"\s*(?:({_KEY})\|({_PLAY}|[^|]*)\||([^|\n]*[|\n]))")
_MAY_BEGIN = frozenset(("qx", "vg", "pn", "pw", "md", "ah"))
_PLAYED = frozenset(("mb", "pc", "mc"))
_BLOCK = 1 << 20  # bytes read at a time
_LONGEST = 1 << 20  # characters of a pair: in a longer one a bar is missing
_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def boards(file: BinaryIO, encoding: str | None) -> Iterator[tuple[Fields, bool]]:
    """The boards of a file in order, and the heads of its matches: what stands before their first board.

    Parameters
    ----------
    file : binary file
    encoding : str, optional
        By the byte order mark, else UTF-8, without it.

    Yields
    ------
    fields : dict of str to list of str
    is_board : bool
        Else it is a head.
    """
    fields: Fields = defaultdict(list)
    for pairs in _pairs(file, encoding):
        for key, value, other in pairs:
            if key in _MAY_BEGIN and _begins(key, fields):
                yield fields, _is_board(fields, key)
                fields = defaultdict(list)
            fields[key].append(value if key else other)
    yield fields, _is_board(fields, "")


def _is_board(fields: Fields, follows: str) -> bool:
    """Whether fields are those of a board, if only of one that is broken off: players who are of no match."""
    broken = (text.strip("| \r\n") for text in fields.get("", ()))
    if not (_OF_A_BOARD.isdisjoint(fields) and _OF_A_BOARD.isdisjoint(broken)):
        return True
    return not {"pn", "pw"}.isdisjoint(fields) and "vg" not in fields and follows != "qx"


def cards_of(runs: list[str]) -> list[str]:
    """The cards of a play.

    Examples
    --------
    >>> cards_of(["c4|pc|CK|pg||pc|h10", "HA"])
    ['C4', 'CK', 'HT', 'HA']
    """
    text = "|".join(runs).replace("pg||", "").replace("pc|", "")
    return text.replace("|", " ").upper().replace("10", "T").split()


def _begins(key: str, board: Fields) -> bool:
    """Whether a key does not belong to the board that is being read, but to the next."""
    if key == "qx":
        return bool(board)
    if key == "vg":
        return not _OF_A_BOARD.isdisjoint(board)
    played = not _PLAYED.isdisjoint(board)
    if key in ("pn", "pw"):
        return key in board or played
    return key in board and (key == "md" or played)


def _pairs(file: BinaryIO, encoding: str | None) -> Iterator[list[tuple[str, str, str]]]:
    """The pairs of each block of a file. The last one of a block may go on in the next: it is read again with that."""
    rest = ""
    for text in _texts(file, encoding):
        text = rest + text
        end = text.rfind("|") + 1
        found = _PAIR.findall(text, 0, end)
        key, value, other = found.pop() if found else ("", "", "")
        rest = text[end - len(f"{key}|{value}|" if key else other) :]
        if len(rest) > _LONGEST:
            found, rest = [*found, ("", "", rest)], ""
        yield found
    found = _PAIR.findall(rest)
    tail = rest[max(rest.rfind("|"), rest.rfind("\n")) + 1 :]
    yield [*found, ("", "", tail)]


def _texts(file: BinaryIO, encoding: str | None) -> Iterator[str]:
    data = file.read(_BLOCK)
    name = encoding or next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    decoder = codecs.getincrementaldecoder(name)(errors="replace")
    first = decoder.decode(data).removeprefix("\ufeff")
    while data:
        yield first
        data = file.read(_BLOCK)
        first = decoder.decode(data, final=not data)
    yield first
