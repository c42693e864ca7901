"""The results of PBN games: the rows of their tables of results, or the game itself where it has none."""

import re
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import award_percent
from bridge_analytics.formats.pbn_games import Inherited, Objects, Tags
from bridge_analytics.formats.pbn_tables import rows_of
from bridge_analytics.table import COLUMNS

Records = tuple[NDArray[np.intp], NDArray[np.bool_], dict[str, Objects], dict[int, str]]
"""For each record its game and whether it is a row of a table; the cells of the rows by our headers; and what is wrong
with rows that have not as many cells as there are headers."""

_HEADERS = MappingProxyType(
    {name.lower(): name for name in COLUMNS if name not in ("vul_source", "source", "source_row")}
    | {"pairid_ns": "ns", "pairid_ew": "ew", "result": "tricks", "score_ns": "score_plus_ns"}
    | {"score_ew": "score_plus_ew", "mp_ns": "published_mp_ns", "imp_ns": "published_imps_ns"}
    | {"percentage_ns": "published_pct_ns", "vulnerable": "vul", "boardlabel": "board_label"}
    | {f"playerid_{seat}": seat for seat in ("north", "east", "south", "west")}
    | {name.lower(): name for name in ("Rank", "MP_EW", "IMP_EW", "Percentage_EW", "ButlerDatum", "Multiplicity")}
    | {name.lower(): name for name in ("Names_NS", "Names_EW", "TeamId_Home", "TeamId_Away", "VP_Home", "VP_Away")}
)
"""Headers of tables of results, in small letters, and what they are called here."""

_ALONE = MappingProxyType(
    {"score_north": "score_plus_ns", "score_east": "score_plus_ew", "mp_north": "published_mp_ns"}
    | {"imp_north": "published_imps_ns", "percentage_north": "published_pct_ns"}
)
"""Headers of individual events: what North has, North-South have."""


def records_of(tags: Tags, size: int, before: Inherited) -> Records:
    """The records of some games; ``before`` keeps the headers of the last table for one that has ``#`` for them."""
    groups = _rows(tags, before)
    counts = np.zeros(size, np.intp)
    places = []
    for _, game, _, _ in groups:
        places.append(counts[game] + np.arange(len(game)) - np.searchsorted(game, game))
        counts += np.bincount(game, minlength=size)
    records = np.maximum(counts, 1)
    start = np.cumsum(records) - records
    of_record = np.repeat(np.arange(size), records)
    cells: dict[str, Objects] = {}
    miscounted: dict[int, str] = {}
    for (width, game, own, count), place in zip(groups, places, strict=True):
        at = start[game] + place
        for header, column in own.items():
            cells.setdefault(header, np.full(len(of_record), None, object))[at] = column
        miscounted |= {int(at[row]): f"{count[row]} cells of {width}" for row in np.flatnonzero(count != width)}
    _move_rulings(cells)
    return of_record, counts[of_record] > 0, cells, miscounted


def _rows(tags: Tags, before: Inherited) -> list[tuple[int, NDArray[np.intp], dict[str, Objects], NDArray[np.intp]]]:
    """Of the tables under each header: its width, the game of each row, its cells under our headers, their count."""
    if "scoretable" not in tags:
        return []
    game, values, texts = tags["scoretable"]
    last, headers = before.get("scoretable", (None, False))[0] or "", []
    for value in values:
        last = last if value == "#" else value.removeprefix("##")
        headers.append(last)
    before["scoretable"] = (last, False)
    groups = []
    there = np.flatnonzero(~pd.isna(texts))
    code, known = pd.factorize(np.array(headers, object)[there])
    for number, header in enumerate(known):
        at = there[code == number]
        cells, text, count = rows_of(header, texts[at].tolist())
        groups.append((len(cells), game[at][text], _ours(cells), count))
    return groups


def _ours(cells: dict[str, Objects]) -> dict[str, Objects]:
    """The columns that we know, under our headers."""
    ours = {_HEADERS[name]: column for name, column in cells.items() if name in _HEADERS}
    return {_ALONE[name]: column for name, column in cells.items() if name in _ALONE} | ours


def _move_rulings(cells: dict[str, Objects]) -> None:
    """Move, in place, what is a ruling for one side from the scores of the two sides to the rulings."""
    for side in ("ns", "ew"):
        scores = cells.get(f"score_plus_{side}", np.empty(0, object))
        code, words = pd.factorize(scores)
        ruled = np.array([*(not np.isnan(award_percent(word)) for word in words), False], np.bool_)[code]
        if ruled.any():
            rulings = cells.setdefault(f"adjusted_{side}", np.full(len(scores), None, object))
            rulings[ruled], scores[ruled] = scores[ruled], None


def times(cells: dict[str, Any]) -> NDArray[np.intp] | None:
    """How many equal results each row stands for, where its table says."""
    if "Multiplicity" not in cells:
        return None
    words = [str(word) for word in cells["Multiplicity"]]
    return np.array([max(int(word), 1) if re.fullmatch("[0-9]{1,3}", word) else 1 for word in words])
