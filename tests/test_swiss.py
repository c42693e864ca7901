"""Standings in victory points and at board-a-match: matches of pairs, matches of teams, and who sits out."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings
from bridge_analytics.teams import team_match, team_standings
from bridge_analytics.victory_points import percent_to_vp, victory_points


@pytest.fixture(scope="module")
def swiss():
    """Play three rounds of four boards by five pairs a side, who change opponents; of the sixth side one sits out."""
    draw = np.random.default_rng(17)
    rows = []
    for turn in (1, 2, 3):
        for board in range(4 * turn - 3, 4 * turn + 1):
            for table in range(1, 6):
                east_west = 11 + (table + turn) % 6
                rows.append(
                    {"Round": turn, "Bd": board, "NS": table, "EW": east_west, "Contract": "3NT", "By": "N"}
                    | {"Result": str(draw.choice(["-2", "-1", "=", "+1", "+2"]))}
                )
            rows.append({"Round": turn, "Bd": board, "EW": 11 + turn % 6, "Contract": "Bye"})
    return score_results(read_results(pd.DataFrame(rows)), forms=("matchpoints", "butler", "cross_imps"))


def of_matches(table, form):
    """Each pair's matches, one by one: boards, total and top of every round."""
    found = {}
    for (turn, side), rows in [
        ((turn, side), rows) for turn, rows in table.groupby("round", observed=True) for side in ("ns", "ew")
    ]:
        for pair, own in rows.groupby(side, observed=True):
            points = own[f"mp_{side}"] if form == "matchpoints" else own[f"{form}_ns"] * (1 if side == "ns" else -1)
            tops = own["mp_ns"] + own["mp_ew"]
            found.setdefault(pair, []).append((turn, points.notna().sum(), points.sum(), tops.sum()))
    return found


def test_pairs_have_the_victory_points_of_their_percentage_in_each_match(swiss):
    ranked = standings(swiss, form="victory_points").set_index("contestant")
    for pair, matches in of_matches(swiss, "matchpoints").items():
        played = [percent_to_vp(100 * total / top, boards) for _, boards, total, top in matches if boards]
        byes = sum(not boards for _, boards, *_ in matches)
        assert ranked.loc[pair, "total"] == sum(played) + 12 * byes
        assert ranked.loc[pair, "matches"] == len(played) + byes == 3
        assert ranked.loc[pair, "boards"] == 4 * len(played)
        assert math.isclose(ranked.loc[pair, "average"], ranked.loc[pair, "total"] / 3)
    assert ranked["sat_out"].sum() == 12
    assert ranked[["top", "percent"]].isna().all(axis=None)


@pytest.mark.parametrize("form", ["cross_imps", "butler"])
def test_on_a_scale_for_imps_a_match_is_rounded_to_whole_ones(swiss, form):
    table = swiss if form == "cross_imps" else swiss.drop(columns="cross_imps_ns")
    ranked = standings(table, form="victory_points", vp_scale="vp-wbf-2013", bye=0).set_index("contestant")
    for pair, matches in of_matches(swiss, form).items():
        whole = [
            (int(math.copysign(math.floor(abs(round(total, 9)) + 0.5), total)), boards)
            for _, boards, total, _ in matches
            if boards
        ]
        assert math.isclose(ranked.loc[pair, "total"], sum(victory_points(*match)[0] for match in whole))


def test_a_bye_is_worth_what_the_caller_says(swiss):
    usual, none = (standings(swiss, form="victory_points", bye=bye).set_index("contestant") for bye in (None, 0))
    byes = swiss.loc[swiss["status"] == "sit_out", "ew"].astype("str").value_counts() / 4
    lost = usual["total"] - none["total"]
    np.testing.assert_allclose(lost, 12 * byes.reindex(lost.index, fill_value=0))


def test_average_plus_in_a_match_is_of_the_match(swiss):
    table = swiss.copy()
    row = table.index[(table["ns"] == "1") & (table["board"] == 1)]
    table.loc[row, ["contract", "declarer", "tricks"]] = None
    table.loc[row, ["status", "adjusted_ns", "adjusted_ew"]] = ["adjusted", "A+", "A-"]
    table = score_results(table)
    own = table[(table["ns"] == "1") & (table["round"] == "1")]
    rest = own["mp_ns"].sum() / (own["mp_ns"] + own["mp_ew"]).sum()
    other = table[(table["board"] == 1) & table["mp_ns"].notna()]
    top = (other["mp_ns"] + other["mp_ew"]).iloc[0]
    tops = (own["mp_ns"] + own["mp_ew"]).sum() + top
    wanted = percent_to_vp(100 * (own["mp_ns"].sum() + max(0.6, rest) * top) / tops, 4)
    apart = standings(table, form="victory_points", within="round").set_index(["round", "contestant"])
    assert apart.loc[("1", "1"), "total"] == wanted


def test_fines_in_victory_points_come_off_after_conversion(swiss):
    fine = pd.DataFrame({"contestant": ["3"], "amount": [1.5], "unit": ["VP"]})
    before, after = (
        standings(swiss, form="victory_points", penalties=own).set_index("contestant") for own in (None, fine)
    )
    assert after.loc["3", "total"] == before.loc["3", "total"] - 1.5
    with pytest.raises(ValueError, match=r"^expected a penalty in 'VP', got 1\.5 'MP' for contestant '3'$"):
        standings(swiss, form="victory_points", penalties=fine.assign(unit="MP"))


# Teams


def teams(*rows):
    names = ("Round", "Bd", "NS", "EW", "Contract", "By", "Result")
    return score_results(read_results(pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])))


LEAGUE = [  # three teams, one of which sits out in each round
    *((1, 1, "A", "B", "4S", "N", "="), (1, 1, "B", "A", "4S", "N", "-1"), (1, 2, "A", "B", "3NT", "N", "=")),
    *((1, 2, "B", "A", "3NT", "N", "+1"), (1, 1, "C", None, "Bye", "", ""), (1, 2, "C", None, "Bye", "", "")),
    *((2, 3, "A", "C", "2S", "N", "="), (2, 3, "C", "A", "2S", "N", "="), (2, 4, "A", "C", "Pass", "", "")),
    *((2, 4, "C", "A", "1NT", "S", "="), (2, 3, None, "B", "Bye", "", ""), (2, 4, None, "B", "Bye", "", "")),
]


def test_board_a_match_of_the_reference_case(shared):
    folder = next((shared / "cases").glob("e06_*"))
    case = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    ranked = standings(score_results(read_results(folder / "input.csv"), forms=()), form="board_a_match", of="teams")
    found = ranked[["contestant", "total", "boards", "no_result", "top"]].to_numpy().tolist()
    assert found == [[total["team"], total["points"], total["boards"], 1, total["boards"]] for total in case["totals"]]
    np.testing.assert_allclose(ranked["percent"], [350 / 6, 250 / 6])


def test_teams_have_the_victory_points_of_their_matches_and_of_byes():
    table = teams(*LEAGUE)
    ranked = standings(table, form="victory_points", of="teams").set_index("contestant")
    matches = team_match(table, by="round").set_index("round")
    a = matches.loc["1", "home_vp"] + matches.loc["2", "home_vp"]
    expected = {"A": a, "B": matches.loc["1", "away_vp"] + 12, "C": matches.loc["2", "away_vp"] + 12}
    assert {team: math.isclose(ranked.loc[team, "total"], vp) for team, vp in expected.items()} == dict.fromkeys(
        "ABC", True
    )
    assert ranked["matches"].tolist() == [2, 2, 2]
    assert ranked.loc[["A", "B", "C"], ["boards", "sat_out"]].to_numpy().tolist() == [[4, 0], [2, 2], [2, 2]]


def test_teams_without_byes_are_as_in_the_table_of_their_matches():
    table = teams(*LEAGUE)
    for form, by, options in (("victory_points", "vp", {"bye": 0}), ("imps", "total", {})):
        ranked = standings(table, form=form, of="teams", rank_by="total", **options)
        own = team_standings(team_match(table, by="round"), rank_by=by)
        pd.testing.assert_series_equal(
            ranked.set_index("contestant")["total"],
            own.set_index("contestant")[by],
            check_names=False,
            check_index_type=False,
        )


def test_a_round_that_was_half_sat_out_is_no_bye():
    more = (2, 5, "A", None, "Bye", "", "")
    without, beside = (standings(teams(*rows), form="victory_points", of="teams") for rows in (LEAGUE, [*LEAGUE, more]))
    pd.testing.assert_frame_equal(without.drop(columns="sat_out"), beside.drop(columns="sat_out"))


def test_a_ruling_on_a_board_of_teams_is_counted():
    rows = [row if row[:3] != (1, 1, "A") else (1, 1, "A", "B", "A+/A-", "", "") for row in LEAGUE]
    ranked = standings(teams(*rows), form="imps", of="teams").set_index("contestant")
    assert ranked.loc[["A", "B", "C"], "adjusted"].tolist() == [1, 1, 0]
    assert ranked.loc["A", "total"] == 3 - 1 - 3


def test_a_form_that_teams_do_not_have_is_refused():
    message = "^expected form among imps, board_a_match, points, victory_points for teams, got 'matchpoints'$"
    with pytest.raises(ValueError, match=message):
        standings(teams(*LEAGUE), of="teams")
