"""From the cells of a file to values, a column at a time; each different text is read once.

A column here is its words and a code for each row: -1 where a cell says nothing. Values are gathered by the codes.
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table, no_faults
from bridge_analytics.columns import as_column, gathered, is_text, text_codes
from bridge_analytics.notation import is_pass

Column = tuple[Any, NDArray[np.int32]]  # words: texts, or an array of numbers that need no reading

Sheet = Mapping[str, Column]
"""The columns of a source by what they hold; see :data:`bridge_analytics.headers.ROLES`."""

Codes = NDArray[np.int16]

MISSING, UNREADABLE = -100, -101
"""Codes of a cell that says nothing and of one that cannot be read."""

_SPREADSHEET = re.compile(r"""="(.*)"|'(?=[0-9=+-])(.*)""", re.DOTALL)
_YES = frozenset(("true", "yes", "y", "1", "x"))
_NO = frozenset(("false", "no", "n", "0", ""))
_AWARDS = MappingProxyType({"+": ("A+", 60.0), "-": ("A-", 40.0), "=": ("A", 50.0)})


def column_of(cells: Any, *, dash: bool = False, decimal: str = ".") -> Column:
    """The words of a column of any make, without blanks around them, and their codes.

    Numbers are written as the source would write them (``3.0`` is ``3``). What a spreadsheet puts around a text to
    keep it one, ``="07"`` or a leading apostrophe, is taken off. A lone dash is an empty cell, unless ``dash`` says
    that it is a word.
    """
    words, codes = _encoded(cells, decimal)
    places: dict[str, int] = {"": -1} if dash else dict.fromkeys(("", "-", "–", "—"), -1)
    empty = len(places)
    cleaned = [_bare(word) if word[:1] in ("=", "'") else word for word in map(str.strip, words)]
    place = np.array([*(places.setdefault(word, len(places) - empty) for word in cleaned), -1], np.int32)
    as_it_is = (place[:-1] == np.arange(len(words))).all()
    return list(places)[empty:], codes if as_it_is else gathered(place, codes)


def number_column_of(cells: pd.Series) -> Column | None:
    """A column of numbers as it is, for :func:`numbers` alone; None where it is one of words."""
    if cells.dtype.kind not in "iuf":
        return None
    return cells.to_numpy(dtype=np.float64, na_value=np.nan), np.arange(len(cells), dtype=np.int32)


def _encoded(cells: Any, decimal: str) -> tuple[list[str], NDArray[np.int32]]:
    series = pd.Series(cells)
    mixed = series.dtype == object and pd.api.types.infer_dtype(series, skipna=True) not in ("string", "empty")
    column = as_column(series)
    if is_text(column) and not mixed:
        return text_codes(series)
    codes, found = pd.factorize(series)
    return [_number_text(value, decimal) for value in found], codes.astype(np.int32)


def _number_text(value: Any, decimal: str) -> str:
    if not isinstance(value, float):  # numpy's float64 is one
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(float(value)).replace(".", decimal)


def _bare(word: str) -> str:
    """A text without what a spreadsheet writes around it: an apostrophe before a number or a formula, ``="..."``."""
    while found := _SPREADSHEET.fullmatch(word):
        word = (found[1] or found[2] or "").strip()
    return word


def without(column: Column, nobody: Sequence[str | None]) -> Column:
    """A column in which some words stand for nothing."""
    words, codes = column
    kept = [word for word in words if word not in nobody]
    if len(kept) == len(words):
        return column
    counted = itertools.count()
    place = np.array([*(-1 if word in nobody else next(counted) for word in words), -1], np.int32)
    return kept, place[codes]


def overlaid(below: Column, above: Column, where: NDArray[np.bool_]) -> Column:
    """A column with the cells of another where that is said."""
    codes = np.where(above[1] < 0, -1, above[1] + len(below[0]))
    return [*below[0], *above[0]], np.where(where, codes, below[1])


def texts(column: Column) -> NDArray[Any]:
    """The text of each row, None where there is none."""
    words, codes = column
    return np.array([*words, None], dtype=object)[codes]


def parsed(column: Column, parse: Callable[[str], int]) -> Codes:
    """The value of each row by a parser of one word: :data:`MISSING`, :data:`UNREADABLE`, or what it gives."""
    words, codes = column

    def value(word: str) -> int:
        try:
            return parse(word)
        except ValueError:
            return UNREADABLE

    return gathered(np.array([*map(value, words), MISSING], np.int16), codes)


def numbers(
    column: Column, *, decimal: str = ".", thousands: str | None = None, percent: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The number of each row, NaN where there is none, and which cells are no number."""
    words, codes = column
    if isinstance(words, np.ndarray):
        return words[codes], np.zeros(len(codes), np.bool_)
    values = _plain_numbers(words, decimal, thousands)
    if values is None:
        pattern = _number_pattern(decimal, thousands, percent)
        values = np.array([_number(word, pattern, decimal, thousands) for word in words], np.float64)
    unreadable = np.zeros(len(words), np.bool_)
    wrong = np.flatnonzero(np.isnan(values))
    unreadable[wrong] = [words[place].upper() not in ("N/A", "NAN") for place in wrong]
    return gathered(np.append(values, np.nan), codes), gathered(np.append(unreadable, False), codes)


def _plain_numbers(words: Sequence[str], decimal: str, thousands: str | None) -> NDArray[np.float64] | None:
    """Numbers written as programs write them, all at once; None where one is not."""
    if decimal != "." or thousands:
        return None
    try:
        values: NDArray[np.float64] = pa.array(words, pa.string()).cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    return values if np.isfinite(values).all() else None


def _number_pattern(decimal: str, thousands: str | None, percent: bool) -> re.Pattern[str]:
    whole = rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+|\d+" if thousands else r"\d+"
    sign, exponent, mark = "[+-]?", r"(?:[eE][+-]?\d{1,3})?", "%?" if percent else ""
    return re.compile(rf"{sign}(?:{whole})(?:{re.escape(decimal)}\d+)?{exponent}{mark}", re.ASCII)


def _number(word: str, pattern: re.Pattern[str], decimal: str, thousands: str | None) -> float:
    word = "".join(word.split()).translate({ord("−"): "-", ord("–"): "-"})
    if not pattern.fullmatch(word):
        return np.nan
    word = word.replace(thousands, "") if thousands else word
    value = float(word.replace(decimal, ".").rstrip("%"))
    return value if np.isfinite(value) else np.nan


def tricks_word(text: str) -> int:
    """The number of tricks won, 0-13."""
    if re.fullmatch(r"\d{1,2}", text, re.ASCII) and int(text) <= 13:
        return int(text)
    raise ValueError(f"expected tricks 0-13, got {text!r}")


def board_word(text: str) -> int:
    """The number of a board, or 0 where its label is no number of one."""
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else 0


def flag_word(text: str) -> int:
    """Yes (1) or no (0)."""
    word = text.lower()
    if word not in _YES | _NO:
        raise ValueError(f"expected yes or no, got {text!r}")
    return int(word in _YES)


def room_word(text: str) -> int:
    """The room of a match: 0 open, 1 closed."""
    word = text.lower().removesuffix("room").strip()
    for code, name in enumerate(("open", "closed")):
        if word in (name, name[0]):
            return code
    raise ValueError(f"expected open or closed, got {text!r}")


def cell_faults(
    rule: str, name: str, where: NDArray[np.bool_], column: Column, hint: Callable[[str], str | None] | None = None
) -> pd.DataFrame:
    """A fault for each row marked in ``where``, with the cell as it stands and what would mend it."""
    if not where.any():
        return no_faults()
    words, codes = column
    rows = np.flatnonzero(where)
    codes = codes[rows]
    hints: list[str | None] = [None] * len(words)
    for code in np.unique(codes[codes >= 0]) if hint else ():
        hints[code] = hint(words[code]) if hint else None
    return fault_table(rule, rows, column=name, value=texts((words, codes)), suggestion=texts((hints, codes)))


def award_percent(text: str) -> float:
    """A director's ruling for one side as a percentage, NaN where it is none.

    Examples
    --------
    >>> award_percent("A+"), award_percent("av-"), award_percent("61.8%"), award_percent("+3 IMP")
    (60.0, 40.0, 61.8, nan)
    """
    word = "".join(text.split()).upper().replace("−", "-")
    if re.fullmatch(r"\d+([.,]\d+)?%", word, re.ASCII):
        return float(word[:-1].replace(",", "."))
    average = re.fullmatch(r"A(?:V|VE|VG|VERAGE)?([+=-]?)", word)
    return _AWARDS[average[1] or "="][1] if average else np.nan


def mark_word(text: str, locale: str = "en") -> tuple[str, str | None, str | None]:
    """What a word in place of a contract or a score says: a status, and the rulings for North-South and East-West.

    ``NP``, ``Not played``, ``---`` · ``Bye`` · ``Pass`` · ``A6040``, ``60%``, ``60%/40%``, ``A+/A-``, ``A+=`` (first
    North-South, then East-West), ``AVE`` (both), ``Adj``.

    Examples
    --------
    >>> mark_word("A+="), mark_word("A6040"), mark_word("n p")
    (('adjusted', 'A+', 'A'), ('adjusted', '60%', '40%'), ('not_played', None, None))
    """
    word = "".join(text.split()).upper().replace("−", "-")
    if is_pass(text, locale):
        return "passed", None, None
    if word[:1].isdecimal() and "%" not in word:  # a contract or a score
        raise ValueError(f"expected a word such as 'NP' or 'A+/A-', got {text!r}")
    if word in ("NP", "NOTPLAYED", "UNPLAYED") or re.fullmatch(r"-{2,}", word):
        return "not_played", None, None
    if word in ("BYE", "SITOUT"):
        return "sit_out", None, None
    if word in ("ADJ", "ADJUSTED", "ADJ.", "TD", "ARB"):
        return "adjusted", text, text
    if numbers := re.fullmatch(r"A(\d\d)/?(\d\d)", word, re.ASCII):
        return "adjusted", f"{numbers[1]}%", f"{numbers[2]}%"
    if signs := re.fullmatch(r"A([+=-])([+=-])", word):
        return "adjusted", _AWARDS[signs[1]][0], _AWARDS[signs[2]][0]
    if word in ("A", "AV", "AVE", "AVG", "AVERAGE"):
        return "adjusted", text, text
    sides = text.split("/")
    if len(sides) in (1, 2) and not any(np.isnan(award_percent(side)) for side in sides):
        return "adjusted", sides[0].strip(), sides[1].strip() if len(sides) == 2 else None
    raise ValueError(f"expected a word such as 'NP' or 'A+/A-', got {text!r}")


def reads(word: Callable[..., Any], *arguments: str) -> bool:
    """Whether a parser of words can read one."""
    try:
        word(*arguments)
    except ValueError:
        return False
    return True
