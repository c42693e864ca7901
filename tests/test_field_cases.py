"""Small fields, each with what every result must earn: all of the reference cases of field scoring."""

import json

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.comparison import cross_imps, matchpoints
from bridge_analytics.imp_scale import imps
from bridge_analytics.places import places
from bridge_analytics.results import read_results, score_results
from bridge_analytics.rooms import team_boards
from bridge_analytics.standings import standings


@pytest.fixture
def case(shared):
    """Give the input file and the expected answers of a case."""

    def load(name):
        folder = next((shared / "cases").glob(f"{name}_*"))
        return folder / "input.csv", json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    return load


def same(found, expected, *columns):
    """Compare a table of one row a result with the rows that are expected, to the case's four decimals."""
    rows = pd.DataFrame(expected["results"])
    for ours, theirs in columns:
        np.testing.assert_allclose(
            np.asarray(found[ours], dtype=float), rows[theirs].astype(float), atol=1e-4, rtol=0, err_msg=theirs
        )


def in_order(ranked, table, value):
    """What a ranking says of each row of one board, as columns `ns` and `ew`."""
    own = ranked.set_index(["side", "contestant"])[value]
    return {side: [own[side, word] for word in table[side].astype("str")] for side in ("ns", "ew")}


def test_matchpoints_with_ties_on_both_scales(case):
    file, expected = case("e01")
    results = read_results(file)
    for win, mark in ((2, "mp"), (1, "mp1")):
        table = score_results(results, win=win)
        same(table, expected, ("score_ns", "score_ns"), ("mp_ns", f"{mark}_ns"), ("mp_ew", f"{mark}_ew"))
        same(table, expected, ("pct_ns", "pct_ns"), ("pct_ew", "pct_ew"))
        ranked = standings(table, win=win)
        same(in_order(ranked, table, "total"), expected, ("ns", f"{mark}_ns"), ("ew", f"{mark}_ew"))
        assert set(ranked["top"]) == {expected["top"][str(win)]}


def test_a_board_that_was_not_played_is_left_out_of_the_total(case):
    file, expected = case("e02")
    ranked = standings(score_results(read_results(file)))
    rows = ranked.assign(direction=ranked["side"].str.upper())
    found = rows[["direction", "contestant", "boards", "total", "top", "percent"]].itertuples(index=False, name=None)
    assert sorted(found) == sorted(tuple(total.values()) for total in expected["totals"])


def test_an_award_beside_six_results_that_are_factored_on_both_scales(case):
    file, expected = case("e03")
    for win, mark in ((2, "mp"), (1, "mp1")):
        table = score_results(read_results(file), expected=7, win=win)
        found = in_order(standings(table, expected=7, win=win), table, "total")
        same(found, expected, ("ns", f"{mark}_ns"), *([("ew", "mp_ew")] if win == 2 else []))


def test_butler_datums_that_are_halves(case):
    file, expected = case("e04")
    table = score_results(read_results(file), forms="butler")
    same(table.assign(butler_ew=-table["butler_ns"]), expected, ("datum_ns", "datum_ns"), ("butler_ns", "imps_ns"))
    same(table.assign(butler_ew=-table["butler_ns"]), expected, ("butler_ew", "imps_ew"))


def test_cross_imps_as_a_sum_and_as_an_average(case):
    file, expected = case("e05")
    table = score_results(read_results(file), forms="cross_imps")
    total = cross_imps(table["score_ns"], by=table["deal_id"], average=False)
    found = in_order(standings(table, form="cross_imps"), table, "total")
    same({"sum": total, "ew": -total}, expected, ("sum", "ximp_sum_ns"), ("ew", "ximp_sum_ew"))
    same(found, expected, ("ns", "ximp_avg_ns"))


def test_board_a_match_of_two_teams(case):
    file, expected = case("e06")
    table = score_results(read_results(file), forms=())
    same(team_boards(table, form="board_a_match"), expected, ("home_won", "bam_A"), ("away_won", "bam_B"))
    ranked = standings(table, form="board_a_match", of="teams")
    totals = {total["team"]: [total["points"], total["boards"]] for total in expected["totals"]}
    assert dict(zip(ranked["contestant"], ranked[["total", "boards"]].to_numpy().tolist(), strict=True)) == totals


def test_both_ends_of_every_step_of_the_imp_scale(case):
    _, expected = case("e07")
    for row in expected["results"]:
        if row["imps"] is None:
            with pytest.raises(ValueError, match=r"multiple.* of ten"):
                imps(row["diff"])
        else:
            assert imps(row["diff"]) == row["imps"]


def test_places_with_ties_of_two_and_three(case):
    file, expected = case("e08")
    found = places(pd.read_csv(file)["pct"])
    wanted = [None if row["rank"] is None else f"{row['rank']}{'=' * row['tied']}" for row in expected["results"]]
    assert [None if pd.isna(word) else word for word in found] == wanted


def test_two_results_of_many_have_percentages_of_their_own(case):
    file, expected = case("e09")
    table = score_results(read_results(file), expected=7)
    ranked = standings(table, within="board", adjusted="adjusted-ebu", expected=7)
    found = ranked.set_index(["board", "side", "contestant"])["percent"]
    percent = {
        side: [found[board, side, word] for board, word in zip(table["board"], table[side].astype("str"), strict=True)]
        for side in ("ns", "ew")
    }
    same(percent, expected, ("ns", "pct_ns"), ("ew", "pct_ew"))


def test_the_comparison_itself_agrees_with_the_ranking(case):
    file, _ = case("e01")
    table = score_results(read_results(file))
    found = in_order(standings(table), table, "total")["ns"]
    np.testing.assert_array_equal(found, matchpoints(table["score_ns"], by=table["deal_id"]))
