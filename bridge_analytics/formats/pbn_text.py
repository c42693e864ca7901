"""The text of a PBN file, a piece at a time: decoded, with line feeds alone, without comments and escaped lines.

A line that is not UTF-8 is ISO 8859-1, the character set of the standard. Two carriage returns and a line feed, as a
program writes them that translates line ends twice, are one line end. A comment runs from a semicolon to the end of its
line, or from a brace to the next closing brace; neither begins inside a string. A line that begins with ``%`` is not
for us. Each leaves a :data:`MARK`, so that the line it stood on is not an empty line.
"""

import codecs
import io
import itertools
import re
from collections.abc import Iterator
from typing import BinaryIO

from bridge_analytics.layout import NO_CHARACTER

MARK = "\0"
"""What a comment leaves behind."""

UNREADABLE = "\x1a"
"""What stands for bytes that are no text in the encoding of the file."""

_PIECE = 1 << 22  # bytes read at a time
_LONGEST = 1 << 20  # characters in which a brace has to be closed: otherwise it opens no comment
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_PLAIN = re.compile(r'(?:\n\[\w++ "[^"\\\n]*+"\]|[^"{;\n]++|"(?:[^"\\\n]++|\\.)*+"|"|\n(?!%))*+')
_A_GAME = re.compile(r'\n[ \t]*\[(?:Event|Board|Deal)[ \t]*"[^\n]*')

Piece = tuple[str, list[str]]


def text_pieces(file: BinaryIO, encoding: str | None) -> Iterator[Piece]:
    """The text of a file without its comments, a few megabytes at a time.

    Parameters
    ----------
    file : binary file
    encoding : str, optional
        Without it: by the byte order mark, else UTF-8 line by line, else ISO 8859-1.

    Yields
    ------
    text : str
        It begins with a line feed, and the next piece goes on with one. Bytes that are no text in the encoding named
        are :data:`UNREADABLE`.
    swallowed : list of str
        A line of each comment that holds what looks like a game.
    """
    clean, swallowed, waiting = "", list[str](), "\n"
    for piece in _decoded(file, encoding):
        if clean and piece:
            yield clean, swallowed
            clean, swallowed = "", []
        text = waiting + piece
        line = text.rfind("\n")
        plain, left, found = _without_comments(text[:line], is_last=False)
        waiting = left + text[line:]
        clean, swallowed = clean + plain, swallowed + found
    plain, _, found = _without_comments(waiting, is_last=True)
    yield clean + plain, swallowed + found


def _decoded(file: BinaryIO, encoding: str | None) -> Iterator[str]:
    pieces = _lines(file)
    first = next(pieces, b"")
    name = encoding or next((name for mark, name in _MARKS if first.startswith(mark)), None)
    decode = codecs.getincrementaldecoder(name)(errors="replace").decode if name else _utf8_else_latin
    line_ends = io.IncrementalNewlineDecoder(None, translate=True)
    for data in itertools.chain([first], pieces):
        text = decode(data).replace(MARK, UNREADABLE).replace("\r\r\n", "\n")
        yield line_ends.decode(text.replace(NO_CHARACTER, UNREADABLE) if name else text)
    yield line_ends.decode(decode(b"", True), final=True)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Whole lines of the file, a few megabytes at a time; a line that is longer is no line of PBN and is cut."""
    left = b""
    while block := file.read(_PIECE):
        left += block
        line = left.rfind(b"\n") + 1 or left.rfind(b"\r", 0, -1) + 1
        if line or len(left) >= _PIECE:
            yield left[: line or len(left)]
            left = left[line or len(left) :]
    if left:
        yield left


def _utf8_else_latin(data: bytes, _final: bool = False) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(map(_line, data.splitlines(keepends=True)))


def _line(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


def _without_comments(text: str, *, is_last: bool) -> tuple[str, str, list[str]]:
    """The text without comments; what is left from a brace that the next piece may close; comments with games."""
    kept, place, closing, swallowed = list[str](), 0, text.rfind("}"), list[str]()
    while True:
        plain = _PLAIN.match(text, place)
        kept.append(plain[0] if plain else "")
        place += len(kept[-1])
        if place == len(text):
            return "".join(kept), "", swallowed
        start = place
        if text[start] == "{" and start > closing:
            if not is_last and len(text) - start < _LONGEST:
                return "".join(kept), text[start:], swallowed
            kept.append("{")
            place = start + 1
        elif text[start] == "{":
            place = text.index("}", start) + 1
            kept.append(MARK)
            swallowed += _A_GAME.findall(text, start, place)[:1]
        else:
            place = text.find("\n", start + 1) % (len(text) + 1)  # -1: to the end
            kept.append("\n" * (text[start] == "\n") + MARK)
