"""Portable Bridge Notation, import and export format: games, tables of results, and deals that nobody has played yet.

The number of a row is that of the result in the file: a game, or each row of the table ``ScoreTable`` of a game. A game
without a result is a deal, which makes a row too: a contract that is left empty is not a pass.

Source: Portable Bridge Notation 2.1 (T. Veugen, 2017).
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.formats.pbn_games import (
    Games,
    Inherited,
    Objects,
    Skipped,
    Tags,
    blanked,
    games_of,
    inherited,
    is_silent,
    told,
    values_of,
)
from bridge_analytics.formats.pbn_records import Records, records_of, times
from bridge_analytics.formats.pbn_sections import auctions, plays, scores
from bridge_analytics.formats.pbn_sides import irregular, tricks_of
from bridge_analytics.formats.pbn_text import UNREADABLE
from bridge_analytics.layout import NO_CHARACTER

Columns = dict[str, Objects]
Cut = tuple[pd.DataFrame, NDArray[np.int64], list[pd.DataFrame]]

_A_TAG = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\[\s*(?:Event|Board|Deal|Dealer|Site|Date|West|North)\s*"', re.MULTILINE)
_OF_THE_DEAL = MappingProxyType(
    {
        **{name: name for name in ("event", "session", "section", "round", "room", "board", "dealer", "deal")},
        **{"boardlabel": "board_label", "vulnerable": "vul"},
        **{name.lower(): name for name in ("Site", "Date", "Scoring", "Competition", "Stage", "EventDate")},
        **{name.lower(): name for name in ("HomeTeam", "VisitTeam")},
    }
)
"""The headers under which tags come that hold for every result of a game."""

_OF_THE_RESULT = MappingProxyType(
    {
        **{name: name for name in ("table", "north", "east", "south", "west", "contract", "declarer", "lead")},
        **{"pairns": "ns", "pairew": "ew", "result": "tricks"},
        **{name.lower(): name for name in ("Score", "ScoreMP", "ScoreIMP", "ScorePercentage")},
    }
)
"""Those under which tags come that speak of the one result of a game without a table of results."""

_HAPPENED = frozenset(("contract", "declarer", "result", "lead", "score", "scoremp", "scoreimp", "scorepercentage"))
"""Tags of what happened at a table: a game that leaves them out does not have those of the game before."""


_ALWAYS = ("board", "contract", "deal")
"""The headers of every table: it is one of results although nobody has played yet."""


def is_pbn(start: bytes) -> bool:
    """Whether a file starts like PBN: with the tag of a game at the beginning of a line.

    Examples
    --------
    >>> is_pbn(b'% PBN 2.1\\n[Event "Evening"]\\n'), is_pbn(b"board,contract\\n1,4S\\n")
    (True, False)
    """
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = start.replace(b"\0", b"")[2:]
    return bool(re.match(rb"(?:\xef\xbb\xbf)?%\s*PBN\b", start) or _A_TAG.search(start))


def parts(file: BinaryIO, layout: Mapping[str, Any]) -> Iterator[Cut]:
    """The results of a PBN file as cells, a few thousand at a time.

    Parameters
    ----------
    file : binary file
    layout : mapping
        As :func:`bridge_analytics.layout.load_layout` gives it; ``encoding`` and ``inherit`` are looked at.

    Yields
    ------
    frame : DataFrame
        The cells as texts under canonical headers and roles; missing where the file says nothing.
    source_row : ndarray of int64
        The number of the result in the file.
    faults : list of DataFrame
    """
    before: Inherited = {}
    count = 0
    for games in games_of(file, layout["encoding"]):
        size, tags, skipped = games
        if size or skipped or not count:
            records = records_of(tags, size, before)
            yield _cut(games, records, _tag_columns(tags, size, before, layout["inherit"]), count + 1)
            count += len(records[0])


def _tag_columns(tags: Tags, size: int, before: Inherited, left_out: bool) -> tuple[Columns, Columns]:
    """The values of tags under our headers: what holds for every result of a game, and what speaks of one."""
    deal, own = (
        {
            header: told(
                inherited(values_of(tags, name, size), name, before, left_out=left_out and name not in _HAPPENED)
            )
            for name, header in known.items()
            if name in tags or name in before
        }
        for known in (_OF_THE_DEAL, _OF_THE_RESULT)
    )
    if "board" in deal:  # in all parts of a file or in none: some games may have a label of their own
        label = deal.get("board_label", deal["board"])
        deal["board_label"] = np.where(pd.isna(label), deal["board"], label)
    return deal, own


def _cut(games: Games, records: Records, tags: tuple[Columns, Columns], first: int) -> Cut:
    """The cells of some games and what is wrong with them, the number of their first record given."""
    size, sections, skipped = games
    game, in_table, cells, miscounted = records
    number = np.arange(first, first + len(game))
    of_game = number[np.searchsorted(game, np.arange(size))]
    deal, own = tags
    faults = _skipped(skipped, of_game) + _set_aside(own, cells, in_table, game, of_game)
    faults += irregular(deal, of_game) + irregular(own, of_game) + irregular(cells, number)
    faults += auctions(sections, deal, own, of_game) + plays(sections, own, of_game) + scores(own, of_game)
    columns = {header: values[game] for header, values in deal.items()}
    columns |= {header: blanked(values[game], in_table) for header, values in own.items()}
    if "board" in cells:
        cells.setdefault("board_label", cells["board"])
    for header, values in cells.items():
        columns[header] = np.where(pd.isna(values), columns.get(header, _nothing(len(game))), values)
    columns["tricks"] = tricks_of(*(columns.get(name, _nothing(len(game))) for name in ("tricks", "declarer")))
    columns = {name: columns.get(name, _nothing(len(game))) for name in _ALWAYS} | columns
    return _readable(columns, number, miscounted, faults)


def _nothing(size: int) -> Objects:
    return np.full(size, None, object)


def _skipped(skipped: Skipped, of_game: NDArray[np.int64]) -> list[pd.DataFrame]:
    rows = np.array([of_game[game] if game >= 0 else None for game, _ in skipped], object)
    return [fault_table("text_skipped", rows, value=np.array([line for _, line in skipped], object))]


def _set_aside(
    own: Columns, cells: Columns, in_table: NDArray[np.bool_], game: NDArray[np.intp], of_game: NDArray[np.int64]
) -> list[pd.DataFrame]:
    """Contracts in the tags of games whose results are the rows of a table, none of which is that contract."""
    if not in_table.any() or "contract" not in own:
        return []
    said = own["contract"]
    same = in_table & (said[game] == cells.get("contract", _nothing(len(game))))
    among = np.bincount(game[same], minlength=len(said)) > 0
    aside = (np.bincount(game[in_table], minlength=len(said)) > 0) & ~among & ~is_silent(said) & (said != "-")
    return [fault_table("text_skipped", of_game[aside], column="contract", value=said[aside])]


def _readable(
    columns: Columns, number: NDArray[np.int64], miscounted: Mapping[int, str], faults: list[pd.DataFrame]
) -> Cut:
    """The rows whose bytes and cells can be read, as often as they count, in columns that say something."""
    keep = np.ones(len(number), np.bool_)
    lost = list(miscounted)
    keep[lost] = False
    faults.append(fault_table("cells_miscounted", number[lost], value=list(miscounted.values())))
    frame = {}
    for header, values in columns.items():
        said = "".join(filter(None, values))
        if UNREADABLE in said:
            broken = np.array([value is not None and UNREADABLE in value for value in values], np.bool_) & keep
            shown = [value.replace(UNREADABLE, NO_CHARACTER) for value in values[broken]]
            faults.append(fault_table("bytes_unreadable", number[broken], value=shown))
            keep &= ~broken
        if said.strip() or header in (*_ALWAYS, "board_label"):  # without labels the numbers would be taken for them
            frame[header] = values
    rows = np.flatnonzero(keep)
    if (repeats := times(columns)) is not None:
        rows = np.repeat(rows, repeats[rows])
    texts = {header: pa.array(values[rows], pa.large_string()) for header, values in frame.items()}
    return pd.DataFrame({header: pd.array(text, "str") for header, text in texts.items()}), number[rows], faults
