"""What the game of a PBN file says of its one result: scores with their sides, the auction, the play."""

import re

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.formats.pbn_calls import calls_of, cards_of
from bridge_analytics.formats.pbn_games import Objects, Tags, blanked, is_silent
from bridge_analytics.formats.pbn_sides import sides

Columns = dict[str, Objects]

_SEATS = "NESW"
_STRAIN = re.compile(r"[1-7]\s*([CDHSN])", re.IGNORECASE)
_SHOWN = 60  # characters of a section that cannot be read
_PRINTED = (("ScoreMP", "published_mp_ns"), ("ScorePercentage", "published_pct_ns"), ("ScoreIMP", "published_imps_ns"))


def scores(columns: Columns, source_row: NDArray[np.int64]) -> list[pd.DataFrame]:
    """Put what the tags of scores say into columns that name the side, in place."""
    faults, declarer = [], columns.get("declarer", np.full(len(source_row), None, object))
    if "Score" in columns:
        score = columns.pop("Score")
        columns["published_score_ns"], columns["score_ew_own"], unowned = sides(score, declarer)
        nothing = unowned & ((score == "0") | (score == "+0"))
        columns["published_score_ns"][nothing] = "0"
        faults.append(_unowned("published_score_ns", score, unowned & ~nothing, source_row))
    for tag, name in _PRINTED:
        if tag in columns:
            said = columns.pop(tag)
            columns[name], other, unowned = sides(said, declarer)
            if name == "published_imps_ns":
                lone = pd.isna(columns[name]) & ~pd.isna(other)
                columns[name][lone] = [f"-{number}".replace("--", "").replace("-+", "-") for number in other[lone]]
            elif not pd.isna(other).all():  # what East-West have does not tell what North-South have
                columns[f"{tag}_EW"] = other
            faults.append(_unowned(name, said, unowned, source_row))
    return faults


def _unowned(name: str, said: Objects, where: NDArray[np.bool_], source_row: NDArray[np.int64]) -> pd.DataFrame:
    hint = "'NS' or 'EW' before the number: there is no declarer to own it"
    return fault_table("number_unreadable", source_row[where], column=name, value=said[where], suggestion=hint)


def auctions(tags: Tags, deal: Columns, own: Columns, source_row: NDArray[np.int64]) -> list[pd.DataFrame]:
    """The auctions as a column, in place, with the dealer where only they tell it; and what cannot be read."""
    if "auction" not in tags:
        return []
    game, first, texts = tags["auction"]
    said = np.array([text or "" for text in texts], object)
    calls, wrong = calls_of(said.tolist())
    dashes = np.array([len(text) - len(text.lstrip("- ")) for text in (text or "" for text in calls)]) + 1
    dashes //= 2
    seat = _seats(first)
    seat = np.where(seat < 0, seat, (seat + dashes) % 4)
    deal.setdefault("dealer", np.full(len(source_row), None, object))
    dealer = _seats(deal["dealer"][game])
    untold = is_silent(deal["dealer"][game]) & (seat >= 0)
    deal["dealer"][game[untold]] = [_SEATS[place] for place in seat[untold]]
    wrong |= (seat >= 0) & (dealer >= 0) & (seat != dealer) & ~pd.isna(calls) | ((seat < 0) & (dashes > 0))
    bare = np.array([(text or "").lstrip("- ") or None for text in calls], object)
    own["auction"] = np.full(len(source_row), None, object)
    own["auction"][game] = blanked(bare, wrong)
    return _marked("auction", said, wrong, source_row[game])


def _seats(words: Objects) -> NDArray[np.int64]:
    return np.array([_SEATS.find((word or "?").strip().upper()[:1] or "?") for word in words], np.int64)


def _marked(name: str, said: Objects, wrong: NDArray[np.bool_], source_row: NDArray[np.int64]) -> list[pd.DataFrame]:
    """Sections that cannot be read, and those that say that something was irregular."""
    value = np.array([" ".join(text.split())[:_SHOWN] for text in said[wrong]], object)
    irregular = np.array(["^" in text for text in said], np.bool_)
    return [
        fault_table(f"{name}_unreadable", source_row[wrong], column=name, value=value),
        fault_table("irregular", source_row[irregular], column=name, value="^"),
    ]


def plays(tags: Tags, own: Columns, source_row: NDArray[np.int64]) -> list[pd.DataFrame]:
    """The opening lead and the play as columns, in place; and what cannot be read."""
    if "play" not in tags:
        return []
    game, _, texts = tags["play"]
    said = np.array([text or "" for text in texts], object)
    contract = own.get("contract", np.full(len(source_row), None, object))
    lead, play, wrong = cards_of(said.tolist(), _trumps(contract[game]))
    own.setdefault("lead", np.full(len(source_row), None, object))
    own["play"] = np.full(len(source_row), None, object)
    own["play"][game] = play
    untold = pd.isna(own["lead"][game])
    own["lead"][game[untold]] = lead[untold]
    return _marked("play", said, wrong, source_row[game])


def _trumps(contract: Objects) -> NDArray[np.int8]:
    code, words = pd.factorize(contract)
    found = (_STRAIN.search(word) for word in words)
    return np.array([*("CDHSN".index(match[1].upper()) if match else -1 for match in found), -1], np.int8)[code]
