"""How a club writes its files, as data: a layout is a dict or a TOML file, and nothing else changes how a file is read.

Every key may be left out. Read with :func:`load_layout`, which refuses a key or a value that is not known.

``columns``
    A table of ``"header of the file" = "what it holds"``; what a column may hold is listed in
    :data:`bridge_analytics.headers.ROLES`. Headers that need none are known by themselves, see there.
``locale``
    The language of strains, seats and vulnerabilities: ``"en"`` (without it), ``"es"`` or ``"fr"``.
``sep``
    The character between cells. Found from the headers without it: comma, semicolon, tab or bar.
``decimal``
    The decimal sign, ``"."`` (without it) or ``","``.
``thousands``
    The character between thousands: with ``","``, ``1,100`` is 1100. None without it.
``encoding``
    The name of the encoding, such as ``"cp1252"``. By the byte order mark, else UTF-8, without it.
``result``
    What a column of results counts: ``"relative"`` is tricks above or below the contract (``+1 = -2``; then ``1`` is
    one over), ``"absolute"`` is all the tricks won. Without it: relative if a cell of the column has a sign or ``=``,
    else absolute, so that a column of relative results without any sign is read as total tricks.
``infer_tricks``
    ``true`` to take tricks that are left out from the printed score, where one number of tricks explains it.
``duplicates``
    ``"last"`` where a later row of the same section, table, round and board replaces the earlier; ``"keep"`` without.
``mp_divisor``
    What printed matchpoints are divided by: 10 where they are printed in tenths.
``mp_null``
    The number or text that stands for no matchpoints.
``unknown_player``
    A list of ids that stand for nobody, such as ``["p000"]``.
``inherit``
    For PBN: ``true`` to take a tag that is left out from the game before, but for those of contract, play and score.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bridge_analytics.headers import ROLES
from bridge_analytics.notation import LOCALES

Layout = Mapping[str, Any] | str | Path | None
"""How a layout may be given."""

NO_CHARACTER = "\ufffd"
"""Stands for bytes that are no text in the encoding of a file."""

_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_encoding(value: Any) -> bool:
    try:
        return _is_text(value) and isinstance("".encode(value), bytes)  # a codec such as hex is not one of texts
    except (LookupError, ValueError):
        return False


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_mapping_of_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_text, [*value, *value.values()]))


KEYS: Mapping[str, tuple[Any, str, Callable[[Any], bool]]] = MappingProxyType(
    {
        # key: what holds without it, what it may be, and whether a value is that
        "columns": ({}, "headers of the file with what they hold", _is_mapping_of_texts),
        "locale": ("en", f"one of {', '.join(LOCALES)}", [*LOCALES].__contains__),
        "sep": (None, "one character between cells", lambda value: _is_text(value) and len(value) == 1),
        "decimal": (".", "'.' or ','", (".", ",").__contains__),
        "thousands": (None, "one character between thousands", lambda value: _is_text(value) and len(value) == 1),
        "encoding": (None, "the name of an encoding", _is_encoding),
        "result": (None, "'relative' or 'absolute'", ("relative", "absolute").__contains__),
        "infer_tricks": (False, "true or false", lambda value: isinstance(value, bool)),
        "duplicates": ("keep", "'keep' or 'last'", ("keep", "last").__contains__),
        "mp_divisor": (1, "a positive number", lambda value: _is_number(value) and value > 0),
        "mp_null": (None, "what stands for no matchpoints", lambda value: _is_number(value) or _is_text(value)),
        "unknown_player": ((), "a list of ids that stand for nobody", _is_list_of_texts),
        "inherit": (False, "true or false", lambda value: isinstance(value, bool)),
    }
)
"""Every key of a layout: what holds without it, what it may be, and the check of it."""


def load_layout(layout: Layout) -> dict[str, Any]:
    """A whole layout: the keys given, and for the others what holds without them.

    Parameters
    ----------
    layout : mapping, path of a TOML file, or None

    Returns
    -------
    dict
        A value for each of :data:`KEYS`.

    Raises
    ------
    ValueError
        If it is neither, or a key, a value or what a column is said to hold is not known, or two signs are the same;
        names it.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> load_layout({"sep": ";", "columns": {"Hand": "board"}})["sep"]
    ';'
    """
    if not (layout is None or isinstance(layout, Mapping | str | Path)) or layout == "":
        raise ValueError(f"expected a layout as a mapping or the path of a TOML file, got {layout!r}")
    given = layout if isinstance(layout, Mapping) else _from_toml(layout) if layout is not None else {}
    for key, value in given.items():
        if key not in KEYS:
            raise ValueError(f"expected layout keys among {', '.join(KEYS)}, got {key!r}")
        if not KEYS[key][2](value):
            raise ValueError(f"expected {KEYS[key][1]} as layout key {key!r}, got {value!r}")
    for header, role in given.get("columns", {}).items():
        if role not in ROLES:
            raise ValueError(f"expected column {header!r} to hold one of {', '.join(ROLES)}, got {role!r}")
    whole = {key: given.get(key, default) for key, (default, _, _) in KEYS.items()}
    for other in ("thousands", "sep"):
        if whole[other] == whole["decimal"]:
            raise ValueError(f"expected 'decimal' and {other!r} of a layout to differ, got {whole[other]!r} for both")
    return whole


def _from_toml(path: str | Path) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"expected a layout in TOML, got {str(path)!r}: {error}") from None


def decoded(data: bytes, encoding: str | None) -> tuple[str, bool]:
    """The text of a file: in the encoding given, else by its byte order mark, else UTF-8.

    Returns
    -------
    text : str
        With :data:`NO_CHARACTER` in place of bytes that cannot be read.
    is_clean : bool
        Whether every byte could be read.
    """
    name = encoding or next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(name).removeprefix("\ufeff"), True
    except UnicodeDecodeError:
        return data.decode(name, errors="replace").removeprefix("\ufeff"), False
