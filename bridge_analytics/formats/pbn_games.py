"""Games of a PBN file: its tags, each with the game it belongs to, and values inherited from earlier games.

An empty line before a tag ends a game. Where a file leaves such lines out, a game also ends where its own first tag
comes again, or ``Event`` or ``Board``; any other tag that comes again in a game counts for nothing (standard, 3.4).
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.formats.pbn_text import MARK, text_pieces

Objects = NDArray[Any]

Tags = dict[str, tuple[NDArray[np.intp], Objects, Objects]]
"""By the name of a tag in small letters: the games that have it, its value there, the text of the section behind it."""

Skipped = list[tuple[int, str]]
"""Text that belongs to nothing: the game it stands in, or -1, and its first line."""

Games = tuple[int, Tags, Skipped]
"""How many games, counted from 0, and what they hold."""

Inherited = dict[str, tuple[str | None, bool]]
"""By tag, the value in the game before, and whether it holds for later games that leave the tag out."""

_TAG = re.compile(r'\[(?<!\\\[)\s*+(\w++)\s*+"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s*+\]\n?')
_NOTHING = f" \t\n{MARK}"
_EMPTY_LINE = re.compile(r"\n[ \t]*+(?=\n)")
_ESCAPED = re.compile(r'\\(["\\#?\[])')
_BEGINNERS, _REPEATABLE = {"event", "board"}, {"note", "scoretable"}
_LONGEST_GAME = 1 << 26  # characters; a longer one is cut, and its rest is text that belongs to nothing


def games_of(file: BinaryIO, encoding: str | None) -> Iterator[Games]:
    """The games of a file, a few thousand at a time."""
    text, skipped = "", Skipped()
    for piece, swallowed in text_pieces(file, encoding):
        end = _last_end(text)
        if end:
            yield _games(text[:end], skipped)
            text, skipped = text[end:], Skipped()
        text += piece
        skipped += [(-1, line.strip()) for line in swallowed]
    yield _games(text, skipped)


def _last_end(text: str) -> int:
    """Where the last but one game of a text ends for certain; 0 where it may be only one."""
    end = text.rfind("\n\n") + 1
    if not end:
        end = max((match.end() for match in _EMPTY_LINE.finditer(text)), default=0)
    if end <= 1 and (first := _TAG.search(text)):
        opening = text[first.start() : first.start(2)]
        end = text.rfind("\n" + opening, first.end()) + 1
    return end - 1 if end > 1 else text.rfind("\n") if len(text) > _LONGEST_GAME else 0


def _games(text: str, skipped: Skipped) -> Games:
    """The games of a text that ends with one."""
    above, *parts = _TAG.split(text)
    code, names = _names(parts[::3])
    values = np.array(parts[1::3], object)
    texts, loose, ends = _behind_tags(parts[2::3])
    begins = np.concatenate([[True], ends[:-1]])[: len(values)]
    keep = _without_repeats(code, names, values, begins)
    game = np.cumsum(begins) - 1
    lost = [(-1, said) for said in (above, *loose.values()) if _first_line(said)]
    lost += [(int(game[place]), said) for place, said in texts.items() if not is_section(names[code[place]])]
    lost += [(int(game[place]), f'[{parts[3 * place]} "{values[place]}"]') for place in np.flatnonzero(~keep).tolist()]
    sections = np.full(len(values), None, object)
    sections[list(texts)] = list(texts.values())
    tags = _by_name(names, *(column[keep] for column in (code, values, sections, game)))
    return int(begins.sum()), tags, skipped + [(place, _first_line(said)) for place, said in lost]


def _names(written: Sequence[str]) -> tuple[NDArray[np.intp], list[str]]:
    """The code of each name, and the names in small letters."""
    code, spellings = pd.factorize(np.array(written, object))
    small, names = pd.factorize(np.array([*map(str.lower, spellings)], object))
    return small[code], list(names)


def _behind_tags(behind: Sequence[str]) -> tuple[dict[int, str], dict[int, str], NDArray[np.bool_]]:
    """The text behind each tag that has one, and behind the empty line after it; and whether there is such a line."""
    ends = np.zeros(len(behind), np.bool_)
    texts, loose = dict[int, str](), dict[int, str]()
    for place in [place for place, text in enumerate(behind) if text]:
        if behind[place] == "\n":
            ends[place] = True
            continue
        text = "\n" + behind[place]
        line = _EMPTY_LINE.search(text)
        said, after = (text[: line.start()], text[line.end() :]) if line else (text, "")
        ends[place] = bool(line)
        if said.strip(_NOTHING):
            texts[place] = said
        if after.strip(_NOTHING):
            loose[place] = after
    return texts, loose, ends


def _first_line(text: str) -> str:
    """The first line that says something, without what comments leave behind."""
    return text.replace(MARK, "").strip().split("\n", 1)[0].strip()


def is_section(name: str) -> bool:
    """Whether the tag of a name, in small letters, has lines of its own behind it."""
    return name in ("auction", "play") or (name.endswith("table") and name != "table")


def _without_repeats(
    code: NDArray[np.intp], names: Sequence[str], values: Objects, begins: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which tags count; begins a game, in place, where a tag that comes again does."""
    keep, game = np.ones(len(code), np.bool_), np.cumsum(begins)
    beginners, repeatable = ([*map(names.index, set(names) & some)] for some in (_BEGINNERS, _REPEATABLE))
    again = pd.Series(game * len(names) + code).duplicated().to_numpy() & ~np.isin(code, repeatable)
    for number in np.unique(game[again]).tolist():
        start, stop = np.searchsorted(game, [number, number + 1]).tolist()
        seen, first = set[int](), code[start]
        for place in range(start, stop):
            name, doubled = code[place], place > start and code[place - 1] == code[place]
            if name not in seen or name in repeatable:
                seen.add(name)
            elif doubled and values[place - 1] == values[place]:
                keep[place - 1] = False
                begins[place - 1], begins[place] = False, begins[place - 1]
            elif name == first or name in beginners:
                begins[place], seen, first = True, {name}, name
            else:
                keep[place] = False
    return keep


def _by_name(
    names: Sequence[str], code: NDArray[np.intp], values: Objects, texts: Objects, game: NDArray[np.intp]
) -> Tags:
    order = np.argsort(code, kind="stable")
    cuts = np.searchsorted(code[order], np.arange(len(names) + 1))
    places = (order[start:stop] for start, stop in itertools.pairwise(cuts.tolist()))
    return {name: (game[at], values[at], texts[at]) for name, at in zip(names, places, strict=True)}


def values_of(tags: Tags, name: str, size: int) -> Objects:
    """The value of a tag in each game, None where a game does not have it."""
    column = np.full(size, None, object)
    if name in tags:
        game, values, _ = tags[name]
        column[game] = values
    return column


def inherited(column: Objects, name: str, before: Inherited, *, left_out: bool) -> Objects:
    """Values with those that are taken from earlier games.

    Parameters
    ----------
    column : ndarray of object, shape (n,)
        As :func:`values_of` gives them: ``#`` is the value of the game before, ``##value`` holds until the tag comes
        with another.
    name : str
    before : dict
        What the games before had; changed in place.
    left_out : bool
        Whether a tag that is left out is taken from the game before as well.

    Returns
    -------
    ndarray of object, shape (n,)

    Notes
    -----
    Source: PBN 2.1, section 4.8.
    """
    last, holds = before.get(name, (None, False))
    absent = pd.isna(column)
    if "\n#" in "\n".join(("", *filter(None, column))) or (absent.any() and (holds or left_out)):
        signs = np.array([value is not None and value[:1] == "#" for value in column], np.bool_)
        for_all = np.array([value is not None and value[:2] == "##" for value in column], np.bool_)
        column = column.copy()
        column[for_all] = [value[2:] for value in column[for_all]]
        held = np.logical_or.accumulate(for_all) | holds | left_out
        taken = (signs & ~for_all) | (absent & held)
        column[taken] = None
        filled = pd.Series([last, *column], dtype=object).ffill().to_numpy()[1:]
        column = np.where(taken, filled, column)
        holds = holds or bool(for_all.any())
    there = np.flatnonzero(~pd.isna(column))
    before[name] = (column[there[-1]] if there.size else last, holds)
    return column


def told(column: Objects) -> Objects:
    """The values, in place, without escapes; None for ``?``, which says that nobody knows."""
    column[column == "?"] = None
    if "\\" in "".join(filter(None, column)):
        column[:] = [value and unescaped(value) for value in column]
    return column


def is_silent(column: Objects) -> NDArray[np.bool_]:
    """Where a column is empty or missing."""
    return np.array([not cell for cell in column], np.bool_)


def blanked(column: Objects, where: NDArray[np.bool_]) -> Objects:
    """A column with some cells missing."""
    column = column.copy()
    column[where] = None
    return column


def unescaped(text: str) -> str:
    """A text as it was before quotes and backslashes, and signs that would mean something else, were escaped.

    Examples
    --------
    >>> unescaped(r'A \\"B\\" \\\\ C')
    'A "B" \\\\ C'
    """
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
