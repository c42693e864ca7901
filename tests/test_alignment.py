"""What an answer refuses: deals that are two, rows that are others, labels of other rows, a field that was filtered."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.contrasts import compare, compare_with_field
from bridge_analytics.counterfactuals import against_field, what_if
from bridge_analytics.matching import matched
from bridge_analytics.results import read_results, score_results
from bridge_analytics.scored import check_scored
from bridge_analytics.strategy import study
from bridge_analytics.table import concat_results

ASKED = {"by": "deal_id", "form": "points", "side": "defenders", "weights": "result"}


def scored(source="evening.csv", **columns):
    return score_results(read_results(pd.DataFrame(columns)).assign(source=source))


def two_spades(tricks, **columns):
    size = len(tricks)
    given = {"board": [1] * size, "contract": ["2SX"] + ["2S"] * (size - 1), "declarer": ["S"] * size}
    return scored(**(given | {"tricks": tricks} | columns))


def six_notrump(**columns):
    return scored(board=[4] * 3, contract=["6NT"] * 3, declarer=["N"] * 3, tricks=[12, 12, 11], **columns)


def doubling(rows, field=None, **options):
    return compare({"pass": what_if(rows, doubled=0), "double": rows}, field=field, **(ASKED | options))


# -- deals that are two --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ({"event": ["A"] * 3}, {"event": ["B"] * 3}, "got events 'A' and 'B' on deal_id 0, at position 3"),
        ({"source": ["a.csv"] * 3}, {"source": ["b.csv"] * 3, "board": [1] * 3}, "got sources 'a.csv' and 'b.csv'"),
        ({}, {"vul": ["none"] * 3}, "got boards 1 and 4 on deal_id 0, at position 3"),
        ({"vul": ["ns"] * 3}, {"board": [1] * 3}, "got vuls 'ns' and 'none' on deal_id 0, at position 3"),
    ],
)
def test_tables_scored_apart_and_pooled_by_pandas_are_refused(one, other, message):
    tables = [two_spades([7, 7, 8], **one), two_spades([7, 7, 8], **({"board": [4] * 3} | other))]
    pooled = pd.concat(tables, ignore_index=True)
    with pytest.raises(ValueError, match=f"{message}.*concat_results"):
        against_field(pooled, pooled["score_ns"], form="matchpoints")


def test_tables_scored_apart_and_put_together_by_us_are_compared_apart():
    tables = [two_spades([7, 7, 8], event=["A"] * 3), six_notrump(event=["B"] * 3)]
    both = concat_results(tables)
    found = against_field(both, both["score_ns"], form="matchpoints")
    own = [against_field(table, table["score_ns"], form="matchpoints") for table in tables]
    np.testing.assert_array_equal(found, np.concatenate(own))


def test_results_of_one_board_of_which_some_have_no_number_are_one_deal():
    table = two_spades([7, 7, 8])
    board = table["board"].copy()
    board[1] = pd.NA
    check_scored(table.assign(board=board))


def test_a_result_without_a_deal_is_refused():
    table = two_spades([7, 7, 8])
    with pytest.raises(ValueError, match="expected a deal_id for each result, got a missing value at position 1"):
        check_scored(table.assign(deal_id=pd.array([0, None, 0], dtype="Int64")))


# -- rows that are others ------------------------------------------------------------------------------------------


def test_a_field_whose_rows_changed_places_within_a_deal_is_refused():
    field = two_spades([7, 7, 8])
    moved = field.iloc[[1, 0, 2]].reset_index(drop=True)
    with pytest.raises(ValueError, match="expected the rows of the field, got source_row 1 for 2 at position 0"):
        doubling(field[:1], moved, form="matchpoints")


def test_a_field_with_other_declarers_is_refused():
    field = two_spades([7, 7, 8]).assign(source_row=pd.array([None] * 3, dtype="Int64"))
    other = two_spades([7, 7, 8], declarer=["N", "S", "S"])
    with pytest.raises(ValueError, match="expected the rows of the field, got declarer 'S' for 'N' at position 0"):
        doubling(field[:1], other, form="matchpoints")


def test_rows_that_changed_places_within_a_deal_are_refused():
    table = two_spades([7, 7, 8])
    moved = table.iloc[[1, 0, 2]].reset_index(drop=True)
    with pytest.raises(
        ValueError, match="expected 'double' row by row as 'pass', got source_row 2 for 1 at position 0"
    ):
        compare({"pass": what_if(table, doubled=0), "double": moved}, **ASKED)


def test_another_declarer_of_the_same_side_is_another_row():
    table, other = two_spades([7, 7, 8]), two_spades([7, 7, 8], declarer=["N", "S", "S"])
    with pytest.raises(
        ValueError, match="expected one declarer under each action, got declarer 'N' for 'S' at position 0"
    ):
        compare({"pass": what_if(table, doubled=0), "double": other}, **ASKED)


def test_for_a_fixed_side_somebody_else_may_declare():
    table, other = two_spades([7, 7, 8]), two_spades([7, 7, 8], declarer=["W", "W", "W"])
    answer = compare({"south": table, "west": other}, **(ASKED | {"side": "ns"}))
    assert answer["estimate"].iloc[0] == np.mean([200, 100, -220])


# -- labels of other rows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["by", "within", "cluster"])
def test_labels_with_another_index_are_refused(option):
    rows = two_spades([7, 7, 8])[1:]
    with pytest.raises(ValueError, match=f"expected {option} with the index of the results, got a Series with another"):
        doubling(rows, **{option: pd.Series(["a", "b"])})


def test_labels_with_the_index_of_the_results_are_taken():
    rows = two_spades([7, 7, 8])[1:]
    assert doubling(rows, within=pd.Series(["a", "b"], [1, 2]))["within"].tolist() == ["a", "b"]


def test_labels_of_other_rows_are_refused_against_the_field_too():
    field = two_spades([7, 7, 8])
    asked = {"field": field, "form": "cross_imps", "side": "ns", "weights": "result"}
    with pytest.raises(ValueError, match="expected within with the index of the results"):
        compare_with_field(field[1:], within=pd.Series(["a", "b"]), **asked)


def test_it_must_be_said_which_results_are_of_one_deal():
    with pytest.raises(ValueError, match="expected by to name the deals, got None"):
        doubling(two_spades([7, 7, 8]), by=None)


# -- a field that was filtered -------------------------------------------------------------------------------------


def five_tables(**options):
    lines = {"contract": ["2SX", "2S", "2S", "3S", "Pass"], "declarer": ["S", "S", "N", "S", ""]}
    table = pd.DataFrame({"board": [1] * 5, "tricks": [7, 7, 8, 8, None]} | lines)
    return score_results(read_results(pd.concat([table, table[:2].assign(board=2)], ignore_index=True)), **options)


KEPT = "expected the whole field, with all results of each deal, got "


@pytest.mark.parametrize("options", [{}, {"win": 1}, {"forms": ["matchpoints", "butler"]}])
def test_a_filtered_field_is_refused(options):
    scored = five_tables(**options)
    field = scored[scored["status"] == "played"]
    for form in ("matchpoints", "butler", "cross_imps"):
        with pytest.raises(ValueError, match=f"{KEPT}4 of 5 on deal_id 0: compare first, filter afterwards"):
            against_field(field, field["score_ns"], form=form)
    with pytest.raises(ValueError, match=KEPT):
        doubling(field[:1], field, form="cross_imps")
    with pytest.raises(ValueError, match=KEPT):
        compare_with_field(field[:1], field=field, form="butler", side="ns", weights="result")


def test_a_field_scored_at_cross_imps_alone_tells_that_it_was_filtered():
    scored = five_tables(forms=["cross_imps"])
    against_field(scored, scored["score_ns"], form="matchpoints")
    with pytest.raises(ValueError, match=f"{KEPT}some of them on deal_id 0"):
        against_field(scored[1:], scored["score_ns"][1:], form="matchpoints")


@pytest.mark.parametrize("options", [{"win": 1}, {"win": 3}, {"expected": 6}, {"win": 1, "expected": 5}, {"forms": ()}])
def test_a_whole_field_is_taken_however_it_was_scored(options):
    scored = five_tables(**options)
    assert against_field(scored, scored["score_ns"], form="matchpoints", percent=True)[0] == 0


@pytest.mark.parametrize("name", ["doubled-partscores", "doubled-partscores-specifications"])
def test_no_study_is_made_of_a_filtered_field(name):
    scored = five_tables()
    with pytest.raises(ValueError, match=KEPT):
        study(name, scored[scored["status"] == "played"])


def test_of_a_filtered_table_the_double_alone_may_be_asked():
    scored = five_tables()
    rows = scored[scored["contract"] == "2SX"]
    assert doubling(rows, rows)["estimate"].tolist() == [(50 + 100) / 2]


# -- what cannot be read -------------------------------------------------------------------------------------------


def test_a_field_with_an_index_label_twice_is_refused_as_such():
    field = five_tables().iloc[[0, 1, 2, 3, 4]].set_axis([0, 1, 2, 3, 3])
    with pytest.raises(ValueError, match="expected a field with each label of its index once, got 3 more often"):
        study("doubled-partscores", field)


def test_an_action_that_is_neither_known_nor_a_column_is_named():
    message = "expected an action among doubled, redoubled, or a column of the results, got 'nonsense'"
    with pytest.raises(ValueError, match=message):
        matched(five_tables(), "nonsense", side="ns", weights="taken")


def test_as_many_contracts_as_results_are_expected():
    with pytest.raises(ValueError, match="expected contract for each of 7 results, got 3"):
        what_if(five_tables(), contract=["2S", "3S", "4S"])
