"""Matches of teams: the reference match, a league worked out by hand rules, rulings, and who plays whom."""

import json
import math
import re
from collections import defaultdict
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.imp_scale import imps
from bridge_analytics.results import read_results, score_results
from bridge_analytics.rooms import team_boards
from bridge_analytics.teams import team_match, team_standings
from bridge_analytics.victory_points import victory_points


def scored(*rows, by=None, names=("Bd", "Room", "NS", "EW", "Contract", "By", "Result")):
    table = read_results(pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows]))
    return score_results(table, forms=(), by=by)


RESULTS = {"=": "=", "+": "+1", "-": "-1"}


def match(*boards):
    """Play one match, nobody vulnerable: of each board both rooms, as a result of 4S by North or what the cell says."""
    rows = []
    for number, cells in zip((1, 8, 11, 14), boards, strict=False):
        for room, ns, ew, cell in zip(("open", "closed"), "AB", "BA", cells, strict=True):
            played = ("4S", "N", RESULTS[cell]) if cell in RESULTS else (cell, "", "")
            rows.append((number, room, ns, ew, *played))
    return scored(*rows)


# The reference match


@pytest.fixture
def reference(shared):
    folder = next((shared / "cases").glob("e06_*"))
    case = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return score_results(read_results(folder / "input.csv"), forms=()), case


def test_the_boards_of_the_reference_match(reference):
    table, case = reference
    boards = team_boards(table, form="board_a_match").set_index("board_label")
    wanted = pd.DataFrame(case["results"]).set_index("board")
    np.testing.assert_array_equal(boards["home_won"], wanted["bam_A"].astype(float))
    np.testing.assert_array_equal(boards["away_won"], wanted["bam_B"].astype(float))
    np.testing.assert_array_equal(
        boards["difference"], (wanted["score_open_ns"] - wanted["score_closed_ns"]).astype(float)
    )


@pytest.mark.parametrize("rooms", [True, False])
def test_the_totals_of_the_reference_match_with_rooms_or_by_the_teams(reference, rooms):
    table, case = reference
    found = team_match(table if rooms else table.assign(room=None), form="board_a_match")
    totals = (
        found[["home", "home_total", "boards"]].to_numpy().tolist()
        + found[["away", "away_total", "boards"]].to_numpy().tolist()
    )
    assert totals == [list(total.values()) for total in case["totals"]]
    assert found["no_result"].tolist() == [1]
    assert found[["home_vp", "away_vp"]].isna().all(axis=None)


# A league by hand


@pytest.fixture(scope="module")
def league():
    """Play all against all in rounds, with teams as numbers and without rooms."""
    random = np.random.default_rng(11)
    rows = []
    for number, (one, other) in enumerate(combinations(range(1, 13), 2)):
        for board in range(1, 1 + random.integers(4, 9)):
            for ns, ew in ((one, other), (other, one)):
                result = str(random.choice(["=", "-1", "+1", "-3"]))
                rows.append(
                    (number, board, ns, ew, random.choice(["4S", "2H", "3NT"]), random.choice(list("NESW")), result)
                )
    names = ("Round", "Bd", "NS", "EW", "Contract", "By", "Result")
    return scored(*rows, by=["round", "board"], names=names).sample(frac=1, random_state=2)


def test_a_league_is_what_it_is_by_hand(league):
    scores = defaultdict(dict)
    for row in league.to_dict("records"):
        scores[row["round"], row["board"]][int(row["ns"])] = int(row["score_ns"])
    totals = defaultdict(list)
    for (round_, _), own in scores.items():
        home, away = sorted(own)
        totals[round_, str(home), str(away)].append(int(imps(own[home] - own[away])))
    found = team_match(league)
    assert len(found) == 66
    for row in found.itertuples():
        own = totals[row.round, row.home, row.away]
        vp = victory_points(sum(own), len(own))
        assert (row.boards, row.home_total, row.away_total) == (len(own), sum(own), -sum(own))
        assert (row.home_vp, row.away_vp) == vp


def test_home_is_the_team_that_sorts_first_as_a_number(league):
    found = team_match(league)
    assert (found["home"].astype(str).astype(int) < found["away"].astype(str).astype(int)).all()


def test_rooms_put_the_same_league_in_the_same_order(league):
    home_ns = league["ns"].astype(str).astype(int) < league["ew"].astype(str).astype(int)
    rooms = league.assign(room=np.where(home_ns, "open", "closed"), table="1")
    found = team_match(rooms, by="round").sort_values("round", ignore_index=True)
    wanted = team_match(league, by="round").sort_values("round", ignore_index=True)
    pd.testing.assert_frame_equal(found, wanted)


@pytest.mark.parametrize("form", ["imps", "points", "board_a_match"])
def test_seen_from_the_other_room_a_match_is_turned_round(league, form):
    rooms = league.assign(room=np.where(league["ns"].astype(int) < league["ew"].astype(int), "open", "closed"))
    turned = rooms.assign(room=rooms["room"].map({"open": "closed", "closed": "open"}))
    one, other = team_boards(rooms, by="round", form=form), team_boards(turned, by="round", form=form)
    np.testing.assert_array_equal(one["home_won"], other["away_won"])
    np.testing.assert_array_equal(one["difference"], -other["difference"])
    assert one["home"].tolist() == other["away"].tolist()


# One match


def test_the_difference_of_two_rooms_makes_imps_points_and_a_board():
    table = match("=-", "=+", "-=")
    assert team_boards(table)["home_won"].tolist() == [10, -1, -10]
    assert team_boards(table, form="points")["home_won"].tolist() == [470, -30, -470]
    assert team_boards(table, form="board_a_match")["home_won"].tolist() == [1, 0, 0]


def test_a_flat_board_is_nothing_to_either():
    board = team_boards(match("=="))
    assert board[["home_won", "away_won"]].to_numpy().tolist() == [[0, 0]]
    assert not np.signbit(board["away_won"]).any()


@pytest.mark.parametrize(
    ("cells", "home", "away"),
    [
        (("A+/A-", "="), 3, -3),
        (("=", "A+/A-"), -3, 3),
        (("A+/A+", "="), 3, 3),
        (("A-/A-", "="), -3, -3),
        (("A=/A=", "="), 0, 0),
        (("A+/A-", "A-/A+"), 3, -3),
        (("A6040", "-"), 3, -3),
        (("NP", "="), math.nan, math.nan),
    ],
)
def test_a_ruling_in_either_room_is_the_result_of_the_board(cells, home, away):
    board = team_boards(match(cells))
    np.testing.assert_array_equal(board[["home_won", "away_won"]], [[home, away]])
    assert board["difference"].isna().all()


def test_where_rulings_do_not_balance_each_team_has_its_own_victory_points():
    table = match(("A+/A+", "="), ("=", "-"))
    found = team_match(table).iloc[0]
    assert (found["home_total"], found["away_total"]) == (13, -7)
    assert found["home_vp"] == victory_points(13, 2)[0]
    assert found["away_vp"] == victory_points(-7, 2)[0]


def test_in_a_knock_out_what_does_not_balance_is_averaged():
    found = team_match(match(("A+/A=", "="), ("=", "-")), knock_out=True, vp_scale=None).iloc[0]
    assert (found["home_total"], found["away_total"]) == (11.5, -11.5)


def test_rulings_left_out_are_boards_without_a_result():
    found = team_match(match(("A+/A-", "="), ("=", "-")), adjusted=None).iloc[0]
    assert (found["boards"], found["no_result"], found["home_total"]) == (1, 1, 10)


def test_a_match_without_a_board_has_no_victory_points():
    found = team_match(match(("NP", "="))).iloc[0]
    assert (found["boards"], found["no_result"], found["home_total"]) == (0, 1, 0)
    assert found[["home_vp", "away_vp"]].isna().all()


def test_a_team_that_sits_out_plays_no_match():
    rows = [(1, "1", "2", "4S", "N", "="), (1, "2", "1", "4S", "N", "-1"), (1, "3", None, "Bye", "", "")]
    found = team_match(scored(*rows, names=("Bd", "NS", "EW", "Contract", "By", "Result")))
    assert found[["home", "away", "boards"]].to_numpy().tolist() == [["1", "2", 1]]


def test_a_match_of_nobody_named_is_told_by_its_rooms():
    rows = [(1, "open", "4S", "N", "="), (1, "closed", "4S", "N", "-1")]
    found = team_match(scored(*rows, names=("Bd", "Room", "Contract", "By", "Result")))
    assert found[["home", "away"]].isna().all(axis=None)
    assert found["home_total"].tolist() == [10]


def test_the_scale_of_a_match_is_the_callers_choice():
    assert team_match(match("=-"), vp_scale="vp-acbl-20")["home_vp"].tolist() == [14]


# The table of teams


def test_the_table_of_a_league_adds_up_its_matches(league):
    matches = team_match(league)
    table = team_standings(matches).set_index("contestant")
    assert len(table) == 12
    for team, row in table.iterrows():
        home, away = matches[matches["home"] == team], matches[matches["away"] == team]
        totals = [*home["home_total"], *away["away_total"]]
        assert row["matches"] == len(totals) == 11
        assert [row["won"], row["drawn"], row["lost"]] == [
            sum(np.sign(total) == sign for total in totals) for sign in (1, 0, -1)
        ]
        assert row["total"] == sum(totals)
        assert math.isclose(row["vp"], home["home_vp"].sum() + away["away_vp"].sum())
    assert math.isclose(table["vp"].sum(), 66 * 20)
    assert table["vp"].is_monotonic_decreasing
    assert table["place"].iloc[0] == "1"


def test_by_total_the_table_may_be_another():
    matches = pd.DataFrame(
        {"home": ["A", "B"], "away": ["C", "D"], "boards": 8, "home_total": [60.0, 44.0], "away_total": [-60.0, -44.0]}
    ).assign(home_vp=20.0, away_vp=0.0)
    assert team_standings(matches)["place"].tolist() == ["1=", "1=", "3=", "3="]
    assert team_standings(matches, rank_by="total")["contestant"].tolist() == ["A", "B", "D", "C"]


def test_groups_have_tables_of_their_own(league):
    matches = team_match(league)
    groups = matches.assign(group=np.where(matches["home"].astype(int) < 4, "first", "second"))
    apart = team_standings(groups, within="group")
    alone = team_standings(groups[groups["group"] == "second"])
    second = apart[apart["group"] == "second"].drop(columns="group").reset_index(drop=True)
    pd.testing.assert_frame_equal(second, alone)


def test_a_carry_over_and_a_fine_change_the_victory_points(league):
    matches = team_match(league)
    paid = pd.DataFrame({"contestant": [3, 7], "amount": [2.5, -4], "unit": "VP", "reason": ["late", "carry-over"]})
    before, after = team_standings(matches), team_standings(matches, penalties=paid)
    change = before.set_index("contestant")["vp"] - after.set_index("contestant")["vp"].reindex(before["contestant"])
    np.testing.assert_allclose(change.loc[["3", "7"]], [2.5, -4])
    np.testing.assert_allclose(change.drop(["3", "7"]), 0, atol=1e-12)
    assert after.set_index("contestant").loc[["3", "7"], "penalty"].tolist() == [2.5, -4]


def test_a_match_without_a_board_is_not_in_the_table():
    table = team_standings(team_match(match(("NP", "="))))
    assert len(table) == 0


def test_without_victory_points_there_is_a_table_of_totals():
    table = team_standings(team_match(match("=-"), vp_scale=None), rank_by="total")
    assert table[["place", "contestant", "total"]].to_numpy().tolist() == [["1", "A", 10], ["2", "B", -10]]
    assert table["vp"].isna().all()


# What is refused


def refused(table, message, **options):
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        team_match(table, **options)


def test_a_form_that_is_none_is_refused():
    refused(match("=-"), "form among imps, board_a_match, points, got 'matchpoints'", form="matchpoints")


def test_a_ruling_under_another_form_is_refused():
    table = match(("A+/A-", "="))
    refused(
        table,
        "rulings with scores such as '620' or '620*.7 -100*.3' (adjusted=None leaves rulings out), got 'A+' for ns at "
        "position 0",
        form="points",
    )


def test_two_rulings_that_differ_are_refused():
    table = match(("A+/A-", "A=/A="))
    refused(table, "one ruling for a team on a board, got 3 and 0 in the two rooms")


def test_a_result_without_a_room_is_refused():
    table = match("=-", "=-")
    table["room"] = table["room"].where(table.index != 2)
    refused(table, "a room for every result, got none at position 2")


def test_neither_rooms_nor_teams_is_refused():
    table = match("=-").assign(room=None, ns=None)
    refused(table, "rooms, or teams as ns and ew of every result, got none at position 0")


def test_a_board_twice_in_a_room_is_refused():
    refused(match("=-").assign(room="open", ns="A", ew="B"), "a board once in each room, got '1' again at position 1")


def test_other_teams_in_the_other_room_are_refused():
    table = match("=-", "=-")
    table["ew"] = table["ew"].where(table.index != 3, "B")
    refused(table, "home to be one team in both rooms of a match, got 'A' at position 0 and 'B' at position 3")


def test_a_team_against_itself_is_refused():
    table = match("=-").assign(room=None, ns="A", ew="A")
    refused(table, "two teams at a table, got 'A' twice at position 0")


def test_results_that_are_not_scored_are_refused():
    table = match("=-").drop(columns="deal_id")
    refused(table, "results as score_results gives them, got a table without deal_id")


def test_columns_that_are_none_are_refused():
    refused(match("=-"), "by to name columns of the results, got 'stadium'", by="stadium")


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"rank_by": "imps"}, "rank_by as 'vp' or 'total', got 'imps'"),
        ({"home": None}, {}, "the teams of every match that was played, got a match without"),
        ({}, {"within": "group"}, "matches as team_match gives them, got a table without group"),
        (
            {},
            {"penalties": pd.DataFrame({"contestant": ["A"], "amount": [1], "unit": ["MP"]})},
            "a penalty in 'VP', got 1 'MP' for contestant 'A'",
        ),
    ],
)
def test_what_makes_no_table_of_teams_is_refused(change, options, message):
    matches = team_match(match("=-")).assign(**change)
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        team_standings(matches, **options)
