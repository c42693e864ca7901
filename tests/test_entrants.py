"""Names, handicaps, boards still to come, unequal numbers of boards: what stands beside the results in a ranking."""

import re

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.movements import howell, mitchell
from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings


def play(movement, seed=0):
    """A movement, or the part of it that is given, with a result at each table; two sections where it has them."""
    draw = np.random.default_rng(seed)
    rows = movement.rename(columns={"ns": "NS", "ew": "EW", "board": "Bd"}).drop(columns=["round", "table"])
    contracts = np.where(rows["EW"].isna(), "Bye", draw.choice(["2H", "3NT", "4S"], len(rows)))
    results = draw.choice(["=", "-1", "+1"], len(rows))
    return score_results(
        read_results(rows.assign(Contract=contracts, By="N", Result=results)),
        forms=("matchpoints", "butler", "cross_imps"),
        by=["section", "board"],
    )


def sections(movement):
    return pd.concat([movement.assign(Section=name) for name in "AB"], ignore_index=True)


def table_of(**columns):
    return pd.DataFrame(columns)


MITCHELL = mitchell(5, boards_per_round=2)


# Names


def test_names_stand_beside_the_contestants_they_belong_to():
    names = table_of(contestant=["1", "1", "3"], side=["ns", "ew", "ew"], name=["Ada - Bo", "Cy - Di", "Eve - Flo"])
    ranked = standings(play(MITCHELL), winners=2, names=names)
    assert ranked.columns[-1] == "name"
    found = ranked.set_index(["side", "contestant"])["name"]
    assert found.dropna().to_dict() == {("ns", "1"): "Ada - Bo", ("ew", "1"): "Cy - Di", ("ew", "3"): "Eve - Flo"}


def test_numbers_of_a_spreadsheet_and_further_columns_of_it_do_no_harm():
    names = table_of(contestant=[1, 2], name=["Ada - Bo", "Cy - Di"], club=["North", "South"])
    found = standings(play(howell(8)), winners=1, names=names).set_index("contestant")["name"]
    assert found[["1", "2"]].tolist() == ["Ada - Bo", "Cy - Di"]
    assert found.drop(["1", "2"]).isna().all()


def test_a_table_kept_by_hand_may_say_3_0_and_ns_in_capitals():
    names = table_of(contestant=[1.0, 3.0], side=["NS", "EW "], name=["Ada - Bo", "Eve - Flo"])
    found = standings(play(MITCHELL), winners=2, names=names).set_index(["side", "contestant"])["name"]
    assert found.dropna().to_dict() == {("ns", "1"): "Ada - Bo", ("ew", "3"): "Eve - Flo"}


def test_a_fine_may_leave_a_label_empty_and_write_its_unit_small():
    table = play(sections(MITCHELL))
    fines = table_of(contestant=[1, 2], side=["ns", "ns"], section=["A", "B"], session=[None, ""], amount=1, unit="mp")
    ranked = standings(table, winners=2, penalties=fines).set_index(["side", "section", "contestant"])["penalty"]
    assert ranked[ranked > 0].to_dict() == {("ns", "A", "1"): 1.0, ("ns", "B", "2"): 1.0}


@pytest.mark.parametrize("name", ["names", "handicaps", "penalties"])
def test_what_is_no_table_is_refused(name):
    with pytest.raises(ValueError, match=f"^expected {name} with contestant.* got a dict$"):
        standings(play(MITCHELL), winners=2, **{name: {"1": "Ada - Bo"}})


def test_a_contestant_of_several_sessions_needs_its_name_once():
    two = pd.concat([MITCHELL.assign(Session="1"), MITCHELL.assign(Session="2")], ignore_index=True)
    rows = two.rename(columns={"ns": "NS", "ew": "EW", "board": "Bd"}).assign(Contract="Pass")
    table = score_results(read_results(rows.drop(columns=["round", "table"])))
    names = table_of(contestant=["1"], side=["ns"], name=["Ada - Bo"])
    assert standings(table, winners=2, within="session", names=names)["name"].count() == 2


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"name": ["Ada"]}, "names with contestant and name, got none of contestant"),
        ({"contestant": ["1"], "called": ["Ada"]}, "names with contestant and name, got none of name"),
        ({"contestant": ["9"], "name": ["Ada"]}, "names of contestants, got contestant '9', which is nobody here"),
        (
            {"contestant": ["1"], "side": ["ns"], "name": ["Ada"]},
            "names that each name one contestant, got side 'ns', contestant '1', which may be several (say side, "
            "section or another label)",
        ),
        (
            {"contestant": ["1"] * 2, "side": ["ns"] * 2, "section": ["A"] * 2, "name": ["Ada", "Bo"]},
            "names with a contestant once, got side 'ns', section 'A', contestant '1' again",
        ),
    ],
)
def test_names_of_nobody_or_of_several_are_refused(columns, message):
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        standings(play(sections(MITCHELL)), winners=2, names=table_of(**columns))


# Handicaps


HANDICAPS = table_of(contestant=["2", "4"], side=["ns", "ew"], handicap=[6.0, -2.5])


@pytest.mark.parametrize("share", [1, 0.5])
def test_a_handicap_is_added_to_the_percentage_and_the_scratch_result_stays_beside(share):
    table = play(MITCHELL)
    scratch = standings(table, winners=2).set_index(["side", "contestant"])
    ranked = standings(table, winners=2, handicaps=HANDICAPS, handicap_share=share).set_index(["side", "contestant"])
    for who, handicap in {("ns", "2"): 6.0, ("ew", "4"): -2.5, ("ns", "1"): 0}.items():
        own, before = ranked.loc[who], scratch.loc[who]
        assert own["handicap"] == share * handicap
        assert np.isclose(own["percent"], before["percent"] + share * handicap, rtol=1e-14)
        assert np.isclose(own["total"] / own["top"], own["percent"] / 100, rtol=1e-14)
        assert own["scratch"] == before["percent"]
        assert own["scratch_place"] == before["place"]
    assert (ranked["place"] != ranked["scratch_place"]).any()


def test_a_handicap_in_imps_is_added_to_the_total():
    table = play(MITCHELL)
    scratch = standings(table, winners=2, form="butler").set_index(["side", "contestant"])
    ranked = standings(table, winners=2, form="butler", handicaps=HANDICAPS).set_index(["side", "contestant"])
    assert ranked.loc[("ns", "2"), "total"] == scratch.loc[("ns", "2"), "total"] + 6
    assert np.isclose(ranked.loc[("ns", "2"), "average"], scratch.loc[("ns", "2"), "average"] + 6 / 10)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"unit": ["IMP", "%"]}, "a handicap in '%', got '6.0 IMP' at position 0"),
        ({"handicap": [None, 1.0]}, "a handicap in '%', got 'nan' at position 0"),
    ],
)
def test_a_handicap_in_another_unit_is_refused(columns, message):
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        standings(play(MITCHELL), winners=2, handicaps=HANDICAPS.assign(**columns))


# Boards still to come


def test_a_provisional_ranking_says_how_many_boards_are_to_come():
    three = MITCHELL[MITCHELL["round"] <= 3]
    ranked = standings(play(three), winners=2, schedule=MITCHELL)
    assert ranked["boards"].tolist() == [6] * 10
    assert ranked["to_come"].tolist() == [4] * 10
    assert (standings(play(MITCHELL), winners=2, schedule=MITCHELL)["to_come"] == 0).all()
    assert standings(play(three), winners=2, schedule=12)["to_come"].tolist() == [6] * 10


def test_who_is_to_play_and_has_no_result_yet_is_listed_without_a_place():
    begun = MITCHELL[(MITCHELL["round"] <= 2) & MITCHELL["table"].isin([2, 3])]
    names = table_of(contestant=["5"], side=["ew"], name=["Cy - Di"])
    ranked = standings(play(begun), winners=2, schedule=MITCHELL, names=names).set_index(["side", "contestant"])
    assert ranked.loc["ns", "to_come"].to_dict() == {"1": 10, "2": 6, "3": 6, "4": 10, "5": 10}
    assert ranked.loc["ns", "place"].notna().to_dict() == {"1": False, "2": True, "3": True, "4": False, "5": False}
    assert ranked.loc[("ew", "5"), ["boards", "total", "name"]].tolist() == [0, 0, "Cy - Di"]


def test_whoever_starts_later_is_listed_once_though_on_both_sides_of_the_movement():
    plan = howell(8)
    first = plan[(plan["round"] == 1) & (plan["table"] <= 2)]
    ranked = standings(play(first), winners=1, schedule=plan)
    assert sorted(ranked["contestant"]) == [*"12345678"]
    assert sorted(ranked["to_come"]) == [6] * 4 + [7] * 4


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("28", "a schedule as a movement, or a whole number of boards, got '28'"),
        (-1, "a schedule as a movement, or a whole number of boards, got -1"),
        (MITCHELL.drop(columns="ew"), "a schedule with ns and ew, got none of ew"),
        (mitchell(4, rounds=2), "a schedule with all who have results, got none with contestant '5', side 'ns'"),
    ],
)
def test_a_schedule_that_cannot_be_that_of_the_event_is_refused(schedule, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}$"):
        standings(play(MITCHELL), winners=2, schedule=schedule)


def test_who_sits_out_the_whole_schedule_has_nothing_to_come():
    plan = mitchell(5, boards_per_round=2, sit_out="ew")
    early = plan[plan["round"] == 1]
    ranked = standings(play(early), winners=2, schedule=early).set_index(["side", "contestant"])
    assert (ranked["to_come"] == 0).all()


def test_a_pair_of_a_howell_has_boards_to_come_on_both_sides():
    plan = howell(8, boards_per_round=2)
    ranked = standings(play(plan[plan["round"] <= 2]), winners=1, schedule=plan)
    assert ranked["to_come"].tolist() == [10] * 8


def test_who_sits_out_has_fewer_boards_to_come():
    plan = mitchell(5, boards_per_round=2, sit_out="ew")
    ranked = standings(play(plan[plan["round"] == 1]), winners=2, schedule=plan)
    assert ranked.groupby("side", observed=True)["to_come"].sum().to_dict() == {"ns": 4 * 4 * 2, "ew": 4 * 4 * 2}


def test_a_late_play_is_to_come_until_it_has_a_result():
    early, late = play(MITCHELL), play(MITCHELL)
    early.loc[7, ["contract", "declarer", "tricks"]] = None
    early.loc[7, "status"] = "unknown"
    early = score_results(early)
    before, after = (standings(table, winners=2, schedule=MITCHELL) for table in (early, late))
    assert before["to_come"].sum() == 2
    assert before["boards"].sum() == after["boards"].sum() - 2
    assert after["to_come"].sum() == 0


def test_a_board_that_is_not_to_be_played_is_not_to_come():
    table = play(MITCHELL)
    table.loc[7, ["contract", "declarer", "tricks"]] = None
    table.loc[7, "status"] = "not_played"
    assert standings(score_results(table), winners=2, schedule=MITCHELL)["to_come"].sum() == 0


# Unequal numbers of boards


def unequal(form):
    """Three rounds of a Mitchell, but for one table of the last round."""
    part = MITCHELL[(MITCHELL["round"] < 3) | (MITCHELL["round"] == 3) & (MITCHELL["table"] > 1)]
    return play(part), {"winners": 2, "form": form}


@pytest.mark.parametrize("form", ["matchpoints", "butler"])
def test_a_total_is_brought_up_to_the_most_boards_but_a_penalty_is_not(form):
    table, options = unequal(form)
    fine = table_of(
        contestant=["1", "2"], side=["ns", "ns"], amount=[2, 2], unit=["MP" if form == "matchpoints" else "IMP"] * 2
    )
    plain = standings(table, **options).set_index(["side", "contestant"])
    ranked = standings(table, rank_by="factor", penalties=fine, **options).set_index(["side", "contestant"])
    counted = "top" if form == "matchpoints" else "boards"
    most = plain.groupby("side", observed=True)[counted].transform("max")
    wanted = plain["total"] * most / plain[counted] - ranked["penalty"]
    np.testing.assert_allclose(ranked["factored"], wanted.loc[ranked.index], rtol=1e-13)
    assert plain.loc[("ns", "1"), counted] < most[("ns", "1")]
    order = ranked["factored"].groupby("side", observed=True).rank(ascending=False, method="min")
    assert ranked["place"].str.rstrip("=").astype(float).tolist() == order.tolist()


def test_average_total_and_factor_rank_unequal_numbers_of_boards_each_in_its_way():
    table, options = unequal("matchpoints")
    found = {
        by: standings(table, rank_by=by, **options).set_index(["side", "contestant"])
        for by in ("average", "total", "factor")
    }
    assert (found["factor"]["place"] == found["average"]["place"].loc[found["factor"].index]).all()
    assert (found["total"]["place"] != found["average"]["place"].loc[found["total"].index]).any()


def test_a_handicap_in_per_cent_is_of_the_total_that_was_brought_up():
    table, options = unequal("matchpoints")
    handicap = table_of(contestant=["1"], side=["ns"], handicap=[4.0])
    before, after = (
        standings(table, rank_by="factor", handicaps=own, **options).set_index(["side", "contestant"])
        for own in (handicap.assign(handicap=0.0), handicap)
    )
    most = before.loc["ns", "top"].max()
    gained = after.loc[("ns", "1"), "factored"] - before.loc[("ns", "1"), "factored"]
    assert np.isclose(gained, 0.04 * most, rtol=1e-12)


def test_in_one_event_of_equal_boards_nothing_is_brought_up():
    ranked = standings(play(MITCHELL), winners=2, rank_by="factor")
    np.testing.assert_array_equal(ranked["factored"], ranked["total"])
