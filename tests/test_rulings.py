"""Assigned, weighted and split scores: what a ruling says, and what it is worth among the other results."""

import re

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.datums import butler
from bridge_analytics.results import read_results, score_results
from bridge_analytics.rooms import team_boards
from bridge_analytics.rules import load_edition
from bridge_analytics.rulings import outcomes
from bridge_analytics.standings import standings
from bridge_analytics.teams import team_match
from bridge_analytics.weighted import entry_butler, entry_cross_imps, entry_matchpoints

RESULTS = {  # on board 1, where nobody is vulnerable
    420: ("4S", "N", "="),
    400: ("3NT", "N", "="),
    170: ("2S", "N", "+2"),
    110: ("2S", "N", "="),
    -50: ("4S", "N", "-1"),
    -100: ("4S", "N", "-2"),
    -110: ("2S", "E", "="),
    -150: ("4S", "N", "-3"),
    -200: ("4S", "N", "-4"),
    -300: ("4SX", "N", "-2"),
    -500: ("4SX", "N", "-3"),
}


def board(*results, ns=None, ew=None, forms=("matchpoints", "butler", "cross_imps"), **options):
    """One board: pairs 1 and 101 have a ruling, pairs 2, 3 ... and 102, 103 ... the results."""
    rows = [{"Bd": 1, "NS": 1, "EW": 101, "status": "adjusted", "adjusted_ns": ns, "adjusted_ew": ew}]
    for pair, points in enumerate(results, 2):
        contract, declarer, result = RESULTS[points]
        rows.append({"Bd": 1, "NS": pair, "EW": pair + 100, "Contract": contract, "By": declarer, "Result": result})
    return score_results(read_results(pd.DataFrame(rows)), forms=forms, **options)


def totals(table, **options):
    ranked = standings(table, **options).set_index("contestant")
    return ranked["total"].where(ranked["boards"] > 0)


# What is written


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("620", [(620, 10_000)]),
        ("-100", [(-100, 10_000)]),
        ("−100", [(-100, 10_000)]),
        ("0", [(0, 10_000)]),
        ("620*.7 -100*.3", [(620, 7_000), (-100, 3_000)]),
        ("620 * 0,7 ; -100 * 0,3", [(620, 7_000), (-100, 3_000)]),
        ("620*.7-100*.3", [(620, 7_000), (-100, 3_000)]),
        ("620*70% + 100*30%", [(620, 7_000), (100, 3_000)]),
        ("620*.3333 50*.3333 0*.3334", [(620, 3_333), (50, 3_333), (0, 3_334)]),
    ],
)
def test_scores_and_their_weights_are_read_as_a_director_writes_them(word, said):
    assert outcomes(word) == said


@pytest.mark.parametrize(
    "word", ["625", "620*.7", "620*.7 -100*.4", "620*.33333 0*.66667", "A+", "61.8%", "+3 IMP", "", "x*1", "620*"]
)
def test_what_is_no_score_or_does_not_add_up_to_one_is_none(word):
    assert outcomes(word) == []


# Among the other results


def test_the_weighted_score_that_the_white_book_works_out():
    """EBU White Book 2025, 4.1.1.4: six tables, 30 % of 9.7 and 70 % of 5.7 are 6.90; the opponents have 3.10."""
    table = board(400, 110, -200, -300, -500, ns="400*.3 -100*.7", ew="-400*.3 100*.7")
    found = totals(table)
    np.testing.assert_allclose(found.loc[["1", "101"]], [6.9, 3.1], rtol=1e-14)
    np.testing.assert_allclose(
        found.loc[["2", "102"]], [9.7, 0.3], rtol=1e-13
    )  # each outcome counts for the others too
    np.testing.assert_allclose(found.loc[["3", "4", "5", "6"]], [8 - 0.6, 4, 2, 0], rtol=1e-13)


@pytest.mark.parametrize(
    ("form", "own"),
    [("matchpoints", [4, 6, 2, 0]), ("cross_imps", [2 / 3, 23 / 3, -5 / 3, -20 / 3]), ("butler", [1, 6, -1, -5])],
)
def test_an_assigned_score_is_compared_with_others_and_they_with_it(form, own):
    found = totals(board(400, 110, -50, ns="170", ew="-170"), form=form)
    np.testing.assert_allclose(found[["1", "2", "3", "4"]], own, rtol=1e-14)


@pytest.mark.parametrize("form", ["matchpoints", "butler", "cross_imps", "points"])
def test_a_ruling_for_one_score_ranks_as_if_it_had_been_made(form):
    ruled = board(400, 110, -50, 110, ns="110", ew="-110")
    rows = [(110, 1), (400, 2), (110, 3), (-50, 4), (110, 5)]
    names = ("Contract", "By", "Result")
    played = [
        {"Bd": 1, "NS": pair, "EW": pair + 100} | dict(zip(names, RESULTS[own], strict=True)) for own, pair in rows
    ]
    made = score_results(read_results(pd.DataFrame(played)), forms=("matchpoints", "butler", "cross_imps"))
    one, other = (standings(table, form=form).drop(columns="adjusted") for table in (ruled, made))
    pd.testing.assert_frame_equal(one, other, rtol=1e-13)


def test_a_split_score_is_compared_by_each_side_in_a_field_of_its_own():
    found = totals(board(400, 110, -50, ns="400", ew="50"))
    assert found[["1", "2", "3", "4"]].tolist() == [5, 5, 2, 0]
    assert found[["101", "102", "103", "104"]].tolist() == [5, 0, 2, 5]


def test_a_side_with_an_average_is_not_in_the_field_of_its_own_side_only():
    table = board(400, 110, -50, ns="A+", ew="-400")
    ranked = standings(table).set_index("contestant")
    assert ranked["top"][["2", "3", "4"]].tolist() == [4, 4, 4]
    assert ranked["top"][["101", "102", "103", "104"]].tolist() == [6, 6, 6, 6]
    assert ranked["total"][["1", "2", "101", "102"]].tolist() == [2.4, 4, 1, 1]


def test_a_lone_result_has_an_assigned_score_to_compare_with():
    found = totals(board(400, ns="-50", ew="50"))
    assert found[["1", "2", "101", "102"]].tolist() == [0, 2, 2, 0]


def test_neuberg_counts_assigned_scores_among_the_results():
    table = board(400, 110, -50, ns="400*.5 -50*.5", ew=None, expected=7)
    found = totals(table, expected=7)
    raw = np.array([(1 + 2 + 2 + 0 + 0 + 1) / 2, 4 + 1.5, 2 + 1, 0.5])
    np.testing.assert_allclose(found[["1", "2", "3", "4"]], (raw + 1) * 7 / 4 - 1, rtol=1e-13)
    others = np.array([0, 2, 4])
    np.testing.assert_allclose(found[["102", "103", "104"]], (others + 1) * 7 / 3 - 1, rtol=1e-13)


def test_more_results_than_a_full_board_has_are_refused():
    table = board(400, 110, -50, ns="400", ew="-400", expected=3)
    with pytest.raises(
        ValueError, match=r"^expected no more results than a full board has, got 4 of 3 with assigned scores$"
    ):
        standings(table, expected=3)


@pytest.mark.parametrize("options", [{"win": 1}, {"expected": 9}])
def test_boards_are_not_compared_anew_under_other_options_than_before(options):
    table = board(400, 110, -50, ns="400", ew="-400", **options)
    message = (
        "expected the options that score_results had (expected, win, datum, imp_scale) to compare boards anew, got "
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}others: mp_ns "):
        standings(table)
    assert standings(table, **options)["total"].notna().all()


# Weights alone


@pytest.mark.parametrize(
    "edition", ["datum-trimmed", "datum-mean", "datum-median", "datum-truncated", "datum-acblscore"]
)
def test_whole_results_in_parts_make_the_same_of_a_field(edition):
    draw = np.random.default_rng(8)
    score, field = draw.choice([*RESULTS], 400), np.sort(draw.integers(0, 40, 400))
    field = np.unique(field, return_inverse=True)[1]
    result = np.arange(400)
    parts = np.repeat(result, 2)
    entries = field[parts], parts, score[parts], np.tile([3, 7], 400)
    whole = field, result, score, np.full(400, 10)
    rule, scale = load_edition(edition), load_edition("imps-1962")
    np.testing.assert_array_equal(entry_matchpoints(entries, win=2), entry_matchpoints(whole, win=2))
    np.testing.assert_allclose(entry_cross_imps(entries, scale=scale), entry_cross_imps(whole, scale=scale), rtol=1e-14)
    ours = entry_butler(entries, rule=rule, scale=scale)
    np.testing.assert_allclose(ours, entry_butler(whole, rule=rule, scale=scale), rtol=1e-14)
    np.testing.assert_array_equal(ours, butler(score, by=field, datum=edition))


# Teams


def match(ns, ew, other="="):
    """One board of one match: a ruling in the open room, 4S by North in the closed."""
    rows = [
        {"Bd": 1, "Room": "open", "NS": "A", "EW": "B", "status": "adjusted", "adjusted_ns": ns, "adjusted_ew": ew},
        {"Bd": 1, "Room": "closed", "NS": "B", "EW": "A", "Contract": "4S", "By": "N", "Result": other},
    ]
    return score_results(read_results(pd.DataFrame(rows)))


@pytest.mark.parametrize(
    ("ns", "ew", "home", "away"),
    [
        ("-50", "50", -10, 10),
        ("420*.5 -50*.5", "-420*.5 50*.5", -5, 5),
        ("980", "-420", 11, 0),  # split
        ("420*.2 980*.8", "A-", 0.8 * 11, -3),
        ("A+", "-450", 3, -1),
    ],
)
def test_an_assigned_score_is_compared_with_the_other_room(ns, ew, home, away):
    boards = team_boards(match(ns, ew))
    np.testing.assert_allclose(boards[["home_won", "away_won"]].to_numpy()[0], [home, away], rtol=1e-14)


def test_two_weighted_scores_of_one_board_meet_in_every_combination():
    table = match("420*.5 -50*.5", "-420*.5 50*.5")
    closed = table.index[table["room"] == "closed"]
    table.loc[closed, ["contract", "declarer", "tricks", "score_ns"]] = None
    table.loc[closed, "status"] = "adjusted"
    table.loc[closed, ["adjusted_ns", "adjusted_ew"]] = ["420*.25 170*.75", "-420*.25 -170*.75"]
    expected = 0.5 * 0.75 * 6 + 0.5 * 0.25 * -10 + 0.5 * 0.75 * -6
    found = team_boards(table)[["home_won", "away_won"]].to_numpy()[0]
    np.testing.assert_allclose(found, [expected, -expected], rtol=1e-14)


@pytest.mark.parametrize(
    ("ns", "ew", "home", "away"),
    [
        ("420", "-420", 0.5, 0.5),
        ("430*.7 -50*.3", "-430*.7 50*.3", 0.7, 0.3),
        ("A+", "A-", 0.6, 0.4),
        ("70%", "30%", 0.7, 0.3),
    ],
)
def test_rulings_at_board_a_match_are_parts_of_a_board(ns, ew, home, away):
    boards = team_boards(match(ns, ew), form="board_a_match")
    np.testing.assert_allclose(boards[["home_won", "away_won"]].to_numpy()[0], [home, away], rtol=1e-14)


def test_split_scores_of_a_match_earn_victory_points_that_do_not_add_up():
    found = team_match(match("980", "-420"), vp_scale="vp-wbf-2013-discrete")
    assert found[["home_vp", "away_vp"]].to_numpy().tolist() == [[19, 10]]


# Averages in IMPs


@pytest.mark.parametrize(
    ("edition", "plus", "minus"), [("adjusted-wbf", 3, -3), ("adjusted-ebu", 5, -5), ("adjusted-acbl", 3, -3)]
)
@pytest.mark.parametrize("form", ["butler", "cross_imps"])
def test_an_average_in_imps_may_be_what_the_side_made_of_its_other_boards(form, edition, plus, minus):
    """Pair 1 wins ten IMPs on one board, none on another, and has a ruling on the third; 101 loses what it wins."""
    rows = [
        {"Bd": 1, "NS": 1, "EW": 101, "Contract": "4S", "By": "N", "Result": "="},
        {"Bd": 1, "NS": 2, "EW": 102, "Contract": "4S", "By": "N", "Result": "-1"},
        {"Bd": 2, "NS": 1, "EW": 101, "Contract": "4S", "By": "N", "Result": "="},
        {"Bd": 2, "NS": 2, "EW": 102, "Contract": "4S", "By": "N", "Result": "="},
        {"Bd": 3, "NS": 1, "EW": 101, "status": "adjusted", "adjusted_ns": "A+", "adjusted_ew": "A-"},
        {"Bd": 3, "NS": 2, "EW": 102, "Contract": "4S", "By": "N", "Result": "="},
    ]
    table = score_results(read_results(pd.DataFrame(rows)), forms=("matchpoints", form))
    first = table[f"{form}_ns"].iloc[0]
    usual = max(3, first / 2) if edition == "adjusted-ebu" else 3
    found = standings(table, form=form, adjusted=edition).set_index("contestant")["total"]
    assert found[["1", "101"]].tolist() == [first + usual, -first - usual]
    if form == "cross_imps":
        assert (usual, -usual) == (plus, minus)
