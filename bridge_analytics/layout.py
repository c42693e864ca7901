"""How a club writes its files, as data: the keys of a layout, and which column of a file is which of ours.

A layout is a dict or a TOML file; nothing else changes how a file is read. Headers that say for certain what they head
are known without one, in any case and with or without blanks, hyphens and underscores.
"""

import codecs
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bridge_analytics.notation import LOCALES
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS

ROLES = (
    *(name for name in COLUMNS if name not in ("vul_source", "source", "source_row")),
    *("result", "contract_result", "level", "strain", "doubled"),
    *("score_plus_ns", "score_plus_ew", "score_minus_ns", "score_ew_own", "erased", "remarks", "ignore"),
)
"""What a column of a file may hold: a column of ours, or what becomes one.

``result`` relative or absolute tricks · ``contract_result`` contract, declarer and result in one cell · ``level``,
``strain``, ``doubled`` the contract in parts · ``score_plus_ns``, ``score_plus_ew`` scores in two columns, each
positive for its own side · ``score_minus_ns`` North-South's scores below zero · ``score_ew_own`` the score as
East-West see it · ``erased``, ``remarks`` · ``ignore``.
"""

_HEADERS = MappingProxyType(
    {
        "event": "event tournament",
        "session": "session",
        "section": "section sect sec",
        "round": "round rnd rd roundnumber roundno",
        "table": "table tab tbl tablenumber tableno",
        "room": "room",
        "board": "board bd brd boardnumber boardno boardnr",
        "ns": "ns n/s pairns nspair nspairnumber pairnumberns nsno nsnumber",
        "ew": "ew e/w pairew ewpair ewpairnumber pairnumberew ewno ewnumber",
        "north": "north playernorth northplayer",
        "east": "east playereast eastplayer",
        "south": "south playersouth southplayer",
        "west": "west playerwest westplayer",
        "dealer": "dealer dlr",
        "vul": "vul vulnerability vulnerable",
        "contract": "contract cont contr",
        "declarer": "declarer decl dec by playedby",
        "tricks": "tricks tks trks trickstaken trickswon",
        "result": "result res",
        "contract_result": "contractresult",
        "level": "level",
        "strain": "strain denomination denom",
        "doubled": "doubled dbl double",
        "lead": "lead ld leadcard openinglead",
        "auction": "auction bidding",
        "play": "play",
        "deal": "deal",
        "status": "status",
        "published_score_ns": "score scorens nsscore",
        "published_mp_ns": "mp mps matchpoints mpns nsmp mpsns nsmps matchpointsns nsmatchpoints",
        "published_pct_ns": "% pct percent percentage %ns ns% pctns nspct percentns nspercent percentagens",
        "published_imps_ns": "imp imps impns impsns nsimp nsimps",
        "erased": "erased",
        "remarks": "remarks remark",
    }
)


NO_CHARACTER = "\ufffd"
"""Stands for bytes that are no text in the encoding of a file."""

_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def _plain(header: str) -> str:
    return "".join(header.lower().split()).replace("_", "").replace("-", "").replace(".", "")


_KNOWN = MappingProxyType(
    {word: role for role, words in _HEADERS.items() for word in words.split()}
    | {_plain(role): role for role in ROLES if role != "ignore"}
)

_WHOLES = MappingProxyType(
    {"contract_result": {"contract", "level", "strain", "doubled"}, "contract": {"level", "strain"}}
)
"""What holds a contract, and what is not looked for beside it: such columns stay as the file's own."""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_encoding(value: Any) -> bool:
    try:
        return _is_text(value) and bool(codecs.lookup(value))
    except LookupError:
        return False


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_mapping_of_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_text, [*value, *value.values()]))


KEYS: Mapping[str, tuple[Any, str, Callable[[Any], bool]]] = MappingProxyType(
    {
        # key: what holds without it, what it may be, and whether a value is that
        "columns": ({}, "headers of the file with what they hold", _is_mapping_of_texts),
        "locale": ("en", f"one of {', '.join(LOCALES)}", LOCALES.__contains__),
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


def load_layout(layout: Mapping[str, Any] | str | Path | None) -> dict[str, Any]:
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
        If a key, a value or what a column is said to hold is not known; names it.

    Examples
    --------
    >>> load_layout({"sep": ";", "columns": {"Hand": "board"}})["sep"]
    ';'
    """
    given = layout if isinstance(layout, Mapping) else _from_toml(layout) if layout is not None else {}
    for key, value in given.items():
        if key not in KEYS:
            raise ValueError(f"expected layout keys among {', '.join(KEYS)}, got {key!r}")
        if not KEYS[key][2](value):
            raise ValueError(f"expected {KEYS[key][1]} as layout key {key!r}, got {value!r}")
    for header, role in given.get("columns", {}).items():
        if role not in ROLES:
            raise ValueError(f"expected column {header!r} to hold one of {', '.join(ROLES)}, got {role!r}")
    return {key: given.get(key, default) for key, (default, _, _) in KEYS.items()}


def _from_toml(path: str | Path) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"expected a layout in TOML, got {str(path)!r}: {error}") from None


def is_results_table(headers: Sequence[str]) -> bool:
    """Whether headers are those of a table of ours, whose names are then taken as they are."""
    return set(COLUMNS) <= set(headers)


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


def holds_results(roles: Iterable[str]) -> bool:
    """Whether columns make a table of results: with a contract, or with a board and a score."""
    there = set(roles)
    has_score = any(role.startswith("score_") or role == "published_score_ns" for role in there)
    return bool(there & {"contract", "contract_result", "level"}) or ("board" in there and has_score)


def roles_of(headers: Sequence[str], columns: Mapping[str, str]) -> dict[int, str]:
    """What the columns of a file hold, by their position; those not known are left out.

    Parameters
    ----------
    headers : sequence of str
        The headers of the file.
    columns : mapping of str to str
        What the layout says of some of them; it goes before what is known by itself.

    Returns
    -------
    dict of int to str
        Of the :data:`ROLES`, each once; of a table of ours also the columns that scoring added.

    Raises
    ------
    ValueError
        If a header of the layout is not in the file, or two columns hold the same.

    Examples
    --------
    >>> roles_of(["Bd", "Declarer", "Seat", "Weather"], {"Declarer": "ignore", "seat": "declarer"})
    {1: 'ignore', 2: 'declarer', 0: 'board'}
    """
    own = {**COLUMNS, **SCORED_COLUMNS}
    if is_results_table(headers) and not columns:
        return {place: header for place, header in enumerate(headers) if header in own}
    told = {_place_of(header, headers): role for header, role in columns.items()}
    known = {place: _known(header, headers) for place, header in enumerate(headers) if place not in told}
    shut = {*told.values()} - {"ignore"} | {""}
    for whole, parts in _WHOLES.items():
        if whole in {*told.values(), *known.values()}:
            shut |= parts
    roles = told | {place: role for place, role in known.items() if role not in shut}
    _refuse_double(headers, roles)
    return roles


def _known(header: str, headers: Sequence[str]) -> str:
    """What a header says by itself, if only because it is there for the second time; empty where it says nothing."""
    again = re.fullmatch(r"(.+)[_.]\d+", header)
    first = again[1] if again and again[1] in headers else header
    return _KNOWN.get(_plain(header)) or _KNOWN.get(_plain(first), "")


def looks_like_headers(cells: Sequence[str], columns: Mapping[str, str]) -> int:
    """How many cells of a line are headers that are known or that a layout names; 0 where they head no results."""
    told = {_plain(header): role for header, role in columns.items()}
    roles = [columns.get(cell.strip()) or told.get(_plain(cell)) or _KNOWN.get(_plain(cell), "") for cell in cells]
    return sum(map(bool, roles)) if holds_results(roles) else 0


def distinct_headers(headers: Sequence[Any]) -> list[str]:
    """Headers without blanks around them, each once: a second ``MP`` is ``MP_2``, an empty one ``column_5``."""
    names: list[str] = []
    for place, header in enumerate(headers, 1):
        name = str(header).strip() or f"column_{place}"
        count = 1 + [str(other).strip() for other in headers[: place - 1]].count(name)
        names.append(name if count == 1 else f"{name}_{count}")
    return names


def _place_of(header: str, headers: Sequence[str]) -> int:
    """Where a header of the layout is in the file: as it is written, else whatever its case, blanks and hyphens."""
    exact = [place for place, other in enumerate(headers) if other == header.strip()]
    alike = [place for place, other in enumerate(headers) if _plain(header) and _plain(other) == _plain(header)]
    if not exact and not alike:
        raise ValueError(f"expected a column {header!r}, as the layout says, got {', '.join(map(repr, headers))}")
    return (exact or alike)[0]


def _refuse_double(headers: Sequence[str], roles: Mapping[int, str]) -> None:
    first: dict[str, int] = {}
    for place, role in sorted(roles.items()):
        other = first.setdefault(role, place)
        if other != place and role != "ignore":
            raise ValueError(
                f"expected one column for {role!r}, got {headers[other]!r} and {headers[place]!r}: say which in the "
                f"layout, and of the other columns = {{{headers[place]!r}: 'ignore'}}"
            )
