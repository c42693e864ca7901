"""Which column of a file is which of ours: by what a layout says of its header, else by what the header says.

Headers that say for certain what they head are known without a layout, in any case and with or without blanks, hyphens
and underscores. One that ends in a sign, such as ``NS-``, is not: what the sign means, only the club knows.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

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
        "event": "event tournament torneo",
        "session": "session sesión sesion",
        "section": "section sect sec sección seccion",
        "round": "round rnd rd roundnumber roundno ronda",
        "table": "table tab tbl tablenumber tableno table# mesa",
        "room": "room",
        "board": "board bd brd boardnumber boardno boardnr board# bd# mano estuche",
        "ns": "ns n/s pairns nspair nspairnumber pairnumberns nsno nsnumber ns# nspairno northsouth north/south",
        "ew": "ew e/w pairew ewpair ewpairnumber pairnumberew ewno ewnumber ew# ewpairno eastwest east/west eo e/o",
        "north": "north playernorth northplayer",
        "east": "east playereast eastplayer",
        "south": "south playersouth southplayer",
        "west": "west playerwest westplayer",
        "dealer": "dealer dlr dador",
        "vul": "vul vuln vulnerability vulnerable vulnerabilidad",
        "contract": "contract cont contr finalcontract contrato",
        "declarer": "declarer decl dec by playedby declarante",
        "tricks": "tricks tks trks trickstaken trickswon bazas",
        "result": "result res resultado",
        "contract_result": "contractresult",
        "level": "level",
        "strain": "strain denomination denom",
        "doubled": "doubled dbl double",
        "lead": "lead ld leadcard openinglead salida",
        "auction": "auction bidding",
        "play": "play",
        "deal": "deal",
        "status": "status",
        "published_score_ns": "score scorens nsscore n/sscore score(ns) nspoints puntosns puntuaciónns",
        "published_mp_ns": "mp mps matchpoints mpns nsmp mpsns nsmps matchpointsns nsmatchpoints",
        "published_pct_ns": "% pct percent percentage %ns ns% n/s% pctns nspct percentns nspercent percentagens",
        "published_imps_ns": "imp imps impns impsns nsimp nsimps ximps",
        "erased": "erased",
        "remarks": "remarks remark observaciones",
    }
)


def _plain(header: str) -> str:
    """A header without case, blanks, stops and hyphens; a sign at either end of it stays."""
    word = "".join(header.lower().split()).replace("_", "").replace(".", "")
    return word[:1] + word[1:-1].replace("-", "") + word[1:][-1:]


_KNOWN = MappingProxyType(
    {word: role for role, words in _HEADERS.items() for word in words.split()}
    | {_plain(role): role for role in ROLES if role != "ignore"}
)

_WHOLES = MappingProxyType(
    {"contract_result": {"contract", "level", "strain", "doubled"}, "contract": {"level", "strain"}}
)
"""What holds a contract, and what is not looked for beside it: such columns stay as the file's own."""


_DEVICE = frozenset(("pairns", "pairew", "declarer", "ns/ew"))
_SEAT_OF_DEVICE = MappingProxyType({"declarer": "ignore", "ns/ew": "declarer"})


_SPANISH = frozenset(("contrato", "declarante", "dador"))


def check_letters(headers: Sequence[str], layout: Mapping[str, Any]) -> None:
    """Refuse letters whose language nobody told: under a Spanish heading, known by itself, ``4C`` may be hearts.

    Raises
    ------
    ValueError
        If the layout names no locale but English, nor what such a column holds.
    """
    told = {_place_of(header, headers) for header in layout["columns"]}
    for place, header in enumerate(headers):
        if layout["locale"] == "en" and place not in told and _plain(header) in _SPANISH:
            raise ValueError(
                f"expected locale = 'es' in the layout, since {header!r} is a Spanish heading, got 'en' (where the "
                f"letters are English all the same: columns = {{ {header!r} = {_KNOWN[_plain(header)]!r} }})"
            )


def is_results_table(headers: Sequence[str]) -> bool:
    """Whether headers are those of a table of ours, whose names are then taken as they are."""
    return set(COLUMNS) <= set(headers)


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
    if {*map(_plain, headers)} >= _DEVICE:  # of a scoring device: its Declarer is the number of a pair
        known |= {place: _SEAT_OF_DEVICE.get(_plain(headers[place]), role) for place, role in known.items()}
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


def is_known(header: str) -> bool:
    """Whether a header says by itself what it heads.

    Examples
    --------
    >>> is_known("Bd"), is_known("Made")
    (True, False)
    """
    return bool(_known(header, [header]))


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
