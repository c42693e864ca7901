"""The deals of a PBN file, with the tricks and the par score that it gives double dummy.

A double-dummy table that nobody has computed is printed as asterisks, or as twenty zeros, which are true of no deal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.formats.pbn_games import Inherited, Objects, Tags, games_of, inherited, is_silent, told, values_of
from bridge_analytics.formats.pbn_sides import sides
from bridge_analytics.formats.pbn_tables import rows_of
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.table import number_column

TRICK_COLUMNS = tuple(f"tricks_{seat}_{strain}" for strain, seat in product(STRAINS, SEATS))
"""The columns of the tricks of each declarer in each strain."""

_PLACES = {pair: place for place, pair in enumerate(product(SEATS, STRAINS))}
_IN_TEXT = [_PLACES[pair] for pair in product("NSEW", ("NT", "S", "H", "D", "C"))]
_DIGITS = "0123456789abcd"
_BY_CONTRACT = re.compile(r".*;\s*([+-]?\d+)", re.ASCII)
_UNKNOWN = -1
_TAGS = ("board", "dealer", "vulnerable", "deal", "doubledummytricks", "optimumscore")


def deals_of(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
    """The games of a PBN file that have a deal, a few thousand at a time.

    Parameters
    ----------
    file : binary file
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it; ``encoding`` and ``inherit`` are looked at.

    Yields
    ------
    DataFrame
        ``record``, the number of the game in the file; ``board dealer vul deal`` as they stand; the
        :data:`TRICK_COLUMNS` and ``par_score_ns``, missing where they were not computed.

    Raises
    ------
    ValueError
        If a number of tricks or an optimum score cannot be read; names the game.
    """
    before: Inherited = {}
    count = 0
    for size, tags, _ in games_of(file, layout["encoding"]):
        columns = {
            name: told(inherited(values_of(tags, name, size), name, before, left_out=layout["inherit"]))
            for name in _TAGS
        }
        record = np.arange(count + 1, count + size + 1)
        tricks, placeholder = _tricks(tags, columns["doubledummytricks"], record)
        par = _par(columns["optimumscore"], record)
        par[placeholder & (par == 0)] = np.nan
        names = {"vulnerable": "vul"}
        frame = pd.DataFrame(
            {"record": record} | {names.get(name, name): columns[name] for name in _TAGS[:4]}, dtype=object
        )
        order = [_PLACES[seat, strain] for strain, seat in product(STRAINS, SEATS)]
        for name, place in zip(TRICK_COLUMNS, order, strict=True):
            frame[name] = number_column(tricks[:, place], tricks[:, place] < 0, "Int8")
        frame["par_score_ns"] = number_column(par, np.isnan(par), "Int32")
        yield frame[~is_silent(columns["deal"])]
        count += size


def _tricks(tags: Tags, digits: Objects, record: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """The tricks of each game by seat and strain, and where there are placeholders in their stead."""
    tricks = np.full((len(record), 20), _UNKNOWN, np.int8)
    given = np.array([bool(text) for text in digits], np.bool_)
    for row in np.flatnonzero(given).tolist():
        tricks[row, _IN_TEXT] = _digits(digits[row], record[row])
    if "optimumresulttable" in tags:
        game, headers, texts = tags["optimumresulttable"]
        there = np.flatnonzero(~pd.isna(texts))
        given[game[there]] = True
        code, known = pd.factorize(headers[there])
        for number, header in enumerate(known):
            at = there[code == number]
            cells, text, count = rows_of(header or "Declarer;Denomination;Result", texts[at].tolist())
            rows = game[at][text]
            for place, row in enumerate(rows.tolist()):
                seat, strain, won = _row(cells, place, count[place] == len(cells), record[row])
                tricks[row, _PLACES[seat, strain]] = won
    zeros = (tricks == 0).all(axis=1)
    tricks[zeros] = _UNKNOWN
    return tricks, given & (tricks < 0).all(axis=1)


def _digits(text: str, record: int) -> list[int]:
    """Twenty numbers, ten to thirteen as a to d; unknown where all are asterisks."""
    if set(text) == {"*"}:
        return [_UNKNOWN] * 20
    found = [_DIGITS.find(digit) for digit in text.lower()]
    if len(found) != 20 or min(found) < 0:
        raise ValueError(f"expected DoubleDummyTricks as 20 digits 0-9 a-d, got {text!r} in game {record}")
    return found


def _row(cells: Mapping[str, Objects], place: int, whole: bool, record: int) -> tuple[str, str, int]:
    """Declarer, strain and tricks of a row of ``OptimumResultTable``."""
    words = [str(cells[name][place] if name in cells else None) for name in ("declarer", "denomination", "result")]
    seat, strain = words[0].upper(), words[1].upper()
    strain = "NT" if strain == "N" else strain
    if whole and (seat, strain) in _PLACES and words[2] in _COUNTS:
        return seat, strain, _COUNTS.index(words[2])
    raise ValueError(f"expected a row such as 'N NT 9' in OptimumResultTable, got {' '.join(words)!r} in game {record}")


_COUNTS: Sequence[str] = tuple(map(str, range(14)))


def _par(scores: Objects, record: NDArray[np.int64]) -> NDArray[np.float64]:
    """The optimum score of each game as North-South see it, NaN where there is none. [points]"""
    ns, ew, unowned = sides(scores, np.full(len(scores), None, object))
    par = np.full(len(scores), np.nan)
    for row in np.flatnonzero([bool(score) for score in scores]).tolist():
        behind = _BY_CONTRACT.fullmatch(scores[row])  # "NS 6N; +990": contract, then what North-South score
        one, other = (behind[1], None) if behind else (ns[row], ew[row])
        try:
            values = {float(one)} if one is not None else set()
            values |= {-float(other)} if other is not None else set()
            (par[row],) = values
        except ValueError:
            lone = unowned[row] and set(scores[row]) <= set("+-0")
            if not lone:
                wanted = "'NS 620' or 'EW 110'"
                raise ValueError(
                    f"expected OptimumScore such as {wanted}, got {scores[row]!r} in game {record[row]}"
                ) from None
            par[row] = 0
    return par
