"""The contestants of an event for its page: who they are, their score cards, the strips of their boards."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.awards import SIDES
from bridge_analytics.contestants import contestants
from bridge_analytics.decided import contestant_names
from bridge_analytics.pages import trusted
from bridge_analytics.score_cards import own_results, shown_card
from bridge_analytics.sheets import html_table, numbers
from bridge_analytics.strip_drawings import draw_field, draw_strip
from bridge_analytics.travellers import without_empty

Words = Mapping[str, str]
_LINES = 30  # of a figure
_PLAYERS = 8  # named of one contestant
_SEATS = (("north", "south"), ("east", "west"))


def who_is_named(scored: pd.DataFrame) -> str | None:
    """Who competes, as far as the results say: pairs by their ids, else partnerships by their players, else nobody."""
    for of, columns in (("pairs", ["ns", "ew"]), ("partnerships", ["north", "south", "east", "west"])):
        if scored[columns].notna().any(axis=None):
            return of
    return None


def standing_rows(scored: pd.DataFrame, standing: pd.DataFrame, of: str) -> list[NDArray[np.intp]]:
    """For each contestant of a result its row in the standing; -1 where nobody is named.

    Parameters
    ----------
    scored, standing : DataFrame
        As :func:`score_results` and, of one event without ``within``, :func:`standings` give them.
    of : str
        As for :func:`standings`.
    """
    names, who, sides = contestants(scored, of)
    two = bool(standing["side"].notna().any())
    label = np.array([*names, ""], object)
    known = standing[["side", "section", "contestant"]].astype("str").fillna("")
    rows = pd.MultiIndex.from_frame(known.where(known["contestant"] != "", "\0"))  # nobody is found by no name
    section = scored["section"].astype("str").fillna("").to_numpy(object)
    return [
        rows.get_indexer(pd.MultiIndex.from_arrays([[SIDES[side] if two else ""] * len(own), section, label[own]]))
        for own, side in zip(who, sides, strict=True)
    ]


def with_players(scored: pd.DataFrame, standing: pd.DataFrame, of: str) -> pd.DataFrame:
    """The standing with a column ``players``: who sat there for each pair or team, where the results name them.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> from bridge_analytics.standings import standings
    >>> evening = pd.DataFrame({"Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S", "By": "N",
    ...                         "Result": ["=", "-1"], "North": ["Ann", "Cy"], "South": ["Bo", "Di"]})
    >>> scored = score_results(read_results(evening))
    >>> with_players(scored, standings(scored), "pairs")["players"].tolist()
    ['Ann – Bo', 'Cy – Di', '', '']
    """
    found: list[list[str]] = [[] for _ in range(len(standing))]
    if of == "pairs":
        parts = [
            pd.DataFrame({"row": row, "player": scored[seat].astype("str").to_numpy(object)})
            for row, seats in zip(standing_rows(scored, standing, of), _SEATS, strict=True)
            for seat in seats
        ]
        named = pd.concat(parts).dropna().drop_duplicates()
        for row, players in named[named["row"] >= 0].groupby("row")["player"]:
            more = ["…"] if len(players) > _PLAYERS else []
            found[int(str(row))] = [*players.head(_PLAYERS), *more]
    return standing.assign(players=pd.array([" – ".join(players) for players in found], "str"))


def own_tables(scored: pd.DataFrame, standing: pd.DataFrame, *, every: bool, **asked: Any) -> dict[int, pd.DataFrame]:
    """The results of each contestant by its row in the standing: of every one, or of those that the figures show."""
    several = len(standing["section"].unique()) > 1
    ranked = standing[standing["contestant"].notna()]
    chosen = ranked if every else ranked.groupby(ranked["side"].astype("str").fillna("")).head(_LINES)
    return {
        int(str(place)): own_results(
            scored,
            row["contestant"],
            side=None if pd.isna(row["side"]) else row["side"],
            section=row["section"] if several and not pd.isna(row["section"]) else None,
            **asked,
        )
        for place, row in chosen.iterrows()
    }


def field_figures(
    standing: pd.DataFrame, own: Mapping[int, pd.DataFrame], say: Words, language: str
) -> list[tuple[str, str, Any]]:
    """For each ranking a title, a note and a figure of the boards of its first contestants."""
    names = contestant_names(standing)
    figures = []
    for side, part in standing[standing["contestant"].notna()].groupby(
        standing["side"].astype("str").fillna(""), sort=False
    ):
        first = part.head(_LINES)
        tables = [own[int(str(place))].assign(label=names[place]) for place in first.index]
        note = say["strips_note"].format(shown=len(first), all=len(part))
        title = say.get(str(side), "")
        label = f"{say['strips']} {title}".strip()
        figures.append((title, note, trusted(draw_field(pd.concat(tables), label=label, language=language))))
    return figures


def score_card_of(
    place: int, row: pd.Series, name: str, own: pd.DataFrame, say: Words, language: str
) -> dict[str, Any]:
    """What the page shows of one contestant: its place and result, its strip, its boards with links to them."""
    side = "" if pd.isna(row["side"]) else f" {say[row['side']]}"
    percent = not pd.isna(row["percent"])
    result = numbers([row["percent" if percent else "average"]], decimal=say["decimal"])[0]
    place_word = "" if pd.isna(row["place"]) else f"{say['place']} {row['place']}"
    result = f"{result} %" if percent else f"{say['average']} {result}"
    label = say["strip_label"].format(name + side)
    links = {say["board"]: [f"#b{deal}" for deal in own["deal_id"]]}
    return {
        "id": f"p{place}",
        "title": f"{name}{side}",
        "facts": " · ".join(filter(None, [row["players"], place_word, result])),
        "strip": trusted(draw_strip(own, label=label, language=language)),
        "results": trusted(html_table(without_empty(shown_card(own, language)), links=links)),
    }
