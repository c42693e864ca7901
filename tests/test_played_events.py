"""Whole championships as their organisers scored them: every pair, every line."""

from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.identity import deal_ids, twice_on_a_deal
from bridge_analytics.results import read_results, score_results

BY = ["round", "board"]
CLOSE = 0.0051  # published to two decimals
BAM = ("2018_open_bam_final", "2018_open_bam_qual1", "2018_open_bam_qual2")
TWICE = {  # rows in which a player is at the table of a deal for the second time
    "2004_olympiad": 916,  # one code for two persons
    "2006_euro_men": 440,  # the same line-up in both rooms of a match
    "2018_open_teams": 140,
    "2018_open_bam_final": 6719,  # almost everybody is p000
    "2018_open_bam_qual1": 3168,
    "2018_open_bam_qual2": 3996,
}


@pytest.fixture(scope="module")
def event(shared):
    """Read an event, once."""
    return lru_cache(maxsize=None)(lambda name: read_results(shared / "data" / "played" / f"{name}.csv.gz"))


@pytest.fixture(scope="module")
def index(shared):
    return pd.read_csv(shared / "data" / "played" / "events.csv")


@pytest.fixture(scope="module")
def answers(shared):
    """The files of published answers, by event and kind."""
    folder = shared / "data" / "played" / "answers"
    return {path.stem: pd.read_csv(path) for path in sorted(folder.glob("*.csv"))}


def by_pair(scored):
    """Boards and averages of every pair, North-South and East-West together."""
    parts = []
    for one, other, sign in (("north", "south", 1), ("east", "west", -1)):
        codes = np.sort(scored[[one, other]].astype(object).to_numpy(), axis=1)
        imps = scored[["butler_ns", "cross_imps_ns"]] * sign
        parts.append(imps.assign(pair=codes[:, 0] + "-" + codes[:, 1]))
    return (
        pd.concat(parts)
        .groupby("pair")
        .agg(boards=("butler_ns", "size"), butler=("butler_ns", "mean"), cross_imps=("cross_imps_ns", "mean"))
    )


def test_every_pair_has_its_published_butler_and_cross_imps(event, answers, index):
    checked = 0
    for name in index.loc[index["pairs_with_answers"] > 0, "event"]:
        published = answers[name].set_index("pair")
        scored = score_results(event(name), by=BY, forms=("butler", "cross_imps"), datum="datum-truncated")
        ours = by_pair(scored).reindex(published.index)
        assert (ours["boards"] == published["boards"]).all(), name
        assert ((ours["butler"] - published["butler"]).abs() < CLOSE).all(), name
        assert ((ours["cross_imps"] - published["cross_imps"]).abs() < CLOSE).all(), name
        checked += len(published)
    assert checked == 2841


def by_result(scored, column):
    """A column of North-South per deal and result, from declarer's side (North-South where it was passed out)."""
    rows = scored.assign(
        declarer=scored["declarer"].astype("str").fillna(""),
        contract=scored["contract"].astype("str"),
        tricks=scored["tricks"].fillna(0).astype(int),
        round=scored["round"].astype("str").astype(int),
        board=scored["board"].astype(int),
    )
    return rows.groupby(["round", "board", "contract", "declarer", "tricks"], observed=True)[column].agg(["min", "max"])


def published_lines(table):
    """The published lines in our words: ``3N`` is 3NT, ``P`` is Pass and has no declarer."""
    contract = table["contract"].str.replace("N", "NT").replace("P", "Pass")
    passed = contract == "Pass"
    declarer = table["declarer"].fillna("").where(~passed, "")
    return table.assign(contract=contract, declarer=declarer, tricks=table["tricks"].fillna(0).astype(int))


@pytest.mark.parametrize(("name", "lines"), [*zip(BAM, (6340, 2518, 2968), strict=True)])
def test_every_line_of_a_board_a_match_event_has_its_published_matchpoints(event, answers, name, lines):
    published = published_lines(answers[f"{name}_matchpoints"])
    ours = by_result(score_results(event(name), by=BY), "pct_ns")
    joined = published.join(ours, on=ours.index.names)
    for_declarer = np.where(joined["declarer"].isin(["E", "W"]), 100 - joined["min"], joined["min"])
    percent = np.where(joined["role"] == "declarer", for_declarer, 100 - for_declarer)
    assert len(joined) == lines
    assert (joined["min"] == joined["max"]).all()
    assert (abs(percent - joined["mp_percent"]) < CLOSE).all()


def test_every_line_of_the_open_teams_has_its_published_cross_imps(event, answers):
    published = published_lines(answers["2018_open_teams_cross_imps_by_result"])
    ours = by_result(score_results(event("2018_open_teams"), by=BY, forms="cross_imps"), "cross_imps_ns")
    joined = published.join(ours, on=ours.index.names)
    for_declarer = joined["min"] * np.where(joined["declarer"].isin(["E", "W"]), -1, 1)
    imps = for_declarer * np.where(joined["role"] == "declarer", 1, -1)
    assert len(joined) == 8486
    assert (abs(imps - joined["cross_imps"]) < CLOSE).all()


def test_no_event_is_compared_before_its_rounds_are_told_apart(event, index):
    for name in index["event"]:
        with pytest.raises(ValueError, match=r"with 'round' [\d,]+ times; by=\['round', 'board'\]"):
            deal_ids(event(name))


def test_every_result_of_every_event_loads_and_has_its_deal(event, index):
    for row in index.itertuples():
        results = event(row.event)
        assert (len(results), len(set(deal_ids(results, BY)))) == (row.results, row.deals), row.event
        assert (results["status"] == "passed").sum() == row.passed_out, row.event


def test_the_events_with_players_at_two_tables_of_a_deal_are_known(event, index):
    found = {name: len(twice_on_a_deal(event(name), BY)) for name in index["event"]}
    assert {name: rows for name, rows in found.items() if rows} == TWICE


def test_without_the_unidentified_nobody_is_twice_on_a_deal_of_the_board_a_match_events(shared):
    for name in BAM:
        path = shared / "data" / "played" / f"{name}.csv.gz"
        results = read_results(path, layout={"unknown_player": ["p000"]})
        assert twice_on_a_deal(results, BY).empty
