"""Strategy on small evenings: what changes and what does not, whose gain is positive, and what is refused."""

import csv
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.auctions import double_kind
from bridge_analytics.audit import selection_audit, selection_balance
from bridge_analytics.comparison import cross_imps, matchpoints
from bridge_analytics.contrasts import COLUMNS, FORMS, compare, compare_with_field
from bridge_analytics.counterfactuals import against_field, what_if
from bridge_analytics.datums import butler
from bridge_analytics.imp_scale import imps
from bridge_analytics.inference import holm, p_values
from bridge_analytics.leads import lead_kinds, opening_leads
from bridge_analytics.matching import matched, matched_cells
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.policies import POLICIES, policy
from bridge_analytics.replaced import replaced_butler, replaced_cross_imps, replaced_matchpoints
from bridge_analytics.results import read_results, score_results
from bridge_analytics.selection import CODES, ESTIMANDS, selection_codes
from bridge_analytics.specification import specification_curve
from bridge_analytics.strategy import STUDIES, study, study_doubled_partscores

SEATS = ("N", "E", "S", "W")
OF_FIELD = {"matchpoints": matchpoints, "butler": butler, "cross_imps": cross_imps}


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return [SimpleNamespace(**case) for case in csv.DictReader(lines)]


def evening(*lines, **columns):
    """Score lines: '1 S 2SX 8' is board, declarer, contract, tricks; '1 Pass' was passed out, '1 NP' not played."""
    rows = []
    for line in lines:
        board, *rest = line.split()
        declarer, contract, tricks = rest if len(rest) == 3 else ("", rest[0], None)
        rows.append({"board": int(board), "declarer": declarer, "contract": contract, "tricks": tricks})
    return score_results(read_results(pd.DataFrame(rows).assign(**columns)))


@cache
def season(seed=3, boards=40, tables=9):
    """Score random contracts, a third of them doubled or redoubled, on boards of unequal size."""
    rng = np.random.default_rng(seed)
    board = np.repeat(np.arange(1, boards + 1), rng.integers(2, tables, boards))
    contract = rng.choice(["2H", "2HX", "3C", "3CX", "3CXX", "1NT", "1NTX", "4S", "Pass"], board.size)
    frame = {"board": board, "contract": contract, "declarer": rng.choice(SEATS, board.size)}
    players = {seat: [f"{seat}{number}" for number in rng.integers(0, 9, board.size)] for seat in ("north", "south")}
    table = pd.DataFrame(frame | {"tricks": rng.integers(5, 12, board.size)} | players)
    table.loc[table["contract"] == "Pass", ["declarer", "tricks"]] = [None, None]
    return score_results(read_results(table), by=["board"])


def doubled_of(scored):
    return scored[scored["contract"].astype("str").str.fullmatch("[^X]*X")]


def answer(table):
    return table[["estimate", "low", "high", "share_gained", "share_flat", "share_lost"]].to_numpy(np.float64)


def mirrored(table):
    """Return the answer as the other side would give it."""
    estimate, low, high, gained, flat, lost = answer(table).T
    return np.array([-estimate, -high, -low, lost, flat, gained]).T


# -- what if -----------------------------------------------------------------------------------------------------------


def test_two_spades_made_is_110_undoubled_and_470_doubled():
    scored = evening("1 S 2SX 8", "1 W 2S 8")
    assert what_if(scored, doubled=0)["score_ns"].tolist() == [110, -110]
    assert what_if(scored, doubled=1)["score_ns"].tolist() == [470, -470]


def test_doubling_a_redoubled_contract_leaves_it_doubled():
    changed = what_if(evening("1 S 2SXX 8"), doubled=1)
    assert (changed["contract"].iloc[0], changed["score_ns"].iloc[0]) == ("2SX", 470)


def test_each_row_may_be_doubled_as_a_column_says():
    changed = what_if(evening("1 S 2S 8", "1 S 2S 8", "1 S 2SX 8"), doubled=[0, 1, 2])
    assert changed["contract"].tolist() == ["2S", "2SX", "2SXX"]


def test_a_deal_that_was_passed_out_stays_so_whatever_is_doubled():
    changed = what_if(evening("1 Pass", "1 S 1C 7"), doubled=2)
    assert changed.loc[0, "score_ns"] == 0
    assert changed.loc[0, ["declarer", "tricks", "vulnerable"]].isna().all()
    assert changed.loc[0, "status"] == "passed"


def test_a_deal_that_was_passed_out_has_no_declarer_to_play_a_contract():
    message = r"expected a declarer for 1C, got a missing value at position 1 \(a deal that was passed out\)"
    with pytest.raises(ValueError, match=message):
        what_if(evening("1 S 1C 7", "1 Pass"), contract="1C")


def test_a_contract_that_is_passed_instead_scores_nothing_and_has_no_declarer():
    changed = what_if(evening("1 S 7NTXX 0"), contract="Pass")
    assert changed.loc[0, ["score", "score_ns"]].tolist() == [0, 0]
    assert changed.loc[0, "status"] == "passed"
    assert changed.loc[0, ["declarer", "tricks", "vulnerable"]].isna().all()


def test_another_contract_keeps_declarer_tricks_and_vulnerability():
    changed = what_if(evening("2 S 4S 9", "2 W 3NT 9"), contract=["3NT", "5CX"])
    assert changed["score_ns"].tolist() == [600, 300]


def test_another_contract_may_come_with_other_tricks():
    assert what_if(evening("1 S 4S 9"), contract="3NT", tricks=10)["score_ns"].tolist() == [430]


def test_other_tricks_keep_the_contract():
    assert what_if(evening("1 S 4S 9", "1 E 4S 9"), tricks=10)["score_ns"].tolist() == [420, -420]


def test_a_result_without_a_score_has_none_afterwards_either():
    changed = what_if(evening("1 NP", "1 S 2S 8"), doubled=1)
    assert changed["score_ns"].isna().tolist() == [True, False]
    assert changed["status"].tolist() == ["not_played", "played"]


def test_comparisons_of_the_old_scores_are_gone():
    scored = evening("1 S 2S 8", "1 S 2S 9")
    assert {"mp_ns", "pct_ew", "mp_ok"} <= set(scored)
    assert not {"mp_ns", "pct_ew", "mp_ok"} & set(what_if(scored, doubled=1))


@pytest.mark.parametrize("doubled", [0, 1, 2])
def test_every_contract_doubled_as_it_was_scores_as_it_did(doubled):
    words = [word for word in CONTRACTS[1:] if word.count("X") == doubled]
    scored = evening(*(f"1 S {word} {tricks}" for word in words for tricks in (0, 7, 13)))
    pd.testing.assert_frame_equal(what_if(scored, doubled=doubled), scored[what_if(scored, doubled=doubled).columns])


def test_the_index_of_the_results_is_kept_and_another_one_is_refused():
    scored = evening("1 S 2S 8", "1 S 2SX 8").iloc[1:]
    assert what_if(scored, doubled=0).index.tolist() == [1]
    for option in ("doubled", "contract", "tricks"):
        with pytest.raises(ValueError, match=f"expected {option} with the index of the results"):
            what_if(scored, **{option: pd.Series([0])})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "expected doubled, contract or tricks to be changed, got none of them"),
        ({"doubled": 1, "contract": "2SX"}, "expected doubled or contract"),
        ({"doubled": 3}, "expected doubled as a whole number 0 to 2, got 3.0 at position 0"),
        ({"doubled": [1, 1]}, "expected doubled for each of 1 results, got 2"),
        ({"contract": "8S"}, "got '8S' at position 0"),
        ({"contract": [None]}, "got a missing value at position 0"),
        ({"tricks": 14}, "expected tricks as a whole number 0 to 13, got 14.0 at position 0"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        what_if(evening("1 S 2S 8"), **options)


def test_results_that_are_not_scored_are_refused():
    results = read_results(pd.DataFrame({"board": [1], "contract": ["2S"], "declarer": ["S"], "tricks": [8]}))
    with pytest.raises(ValueError, match="expected results as score_results gives them, got a table without deal_id"):
        what_if(results, doubled=1)


# -- against the field -------------------------------------------------------------------------------------------------

SCORES = st.one_of(st.none(), st.integers(-40, 40).map(lambda tens: 10 * tens))
FIELD = st.lists(st.tuples(st.integers(0, 3), SCORES, SCORES), min_size=1, max_size=30)
REPLACED = {"matchpoints": replaced_matchpoints, "butler": replaced_butler, "cross_imps": replaced_cross_imps}


def one_by_one(form, own, new, deals):
    """Replace each score by itself and compare the whole field again."""
    found = np.full(own.size, np.nan)
    for row in np.flatnonzero(~np.isnan(new)):
        field = own.copy()
        field[row] = new[row]
        found[row] = OF_FIELD[form](field, by=deals)[row]
    return found


@pytest.mark.parametrize("form", OF_FIELD)
@given(rows=FIELD)
@settings(max_examples=60, deadline=None)
def test_a_replaced_score_is_worth_what_the_whole_field_compared_again_says(form, rows):
    deals, own, new = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    found = REPLACED[form](own, new, by=deals)
    np.testing.assert_allclose(found, one_by_one(form, own, new, deals), rtol=1e-12)


@pytest.mark.parametrize("form", OF_FIELD)
def test_so_it_is_in_fields_too_large_to_compare_pair_by_pair(form):
    rng = np.random.default_rng(5)
    deals = rng.permutation(np.repeat([0, 1, 2], [300, 150, 9]))
    own, new = rng.choice([-620, -100, 50, 110, 140, 170, 620], (2, deals.size)).astype(np.float64)
    own[rng.random(deals.size) < 0.1] = np.nan
    new[rng.random(deals.size) < 0.6] = np.nan
    np.testing.assert_allclose(REPLACED[form](own, new, by=deals), one_by_one(form, own, new, deals), rtol=1e-12)


@pytest.mark.parametrize("form", OF_FIELD)
def test_a_rows_own_score_gives_its_own_comparison(form):
    scored = season()
    own = OF_FIELD[form](scored["score_ns"], by=scored["deal_id"])
    np.testing.assert_array_equal(against_field(scored, scored["score_ns"], form=form), own)


def test_matchpoints_against_the_field_may_be_percentages():
    scored = evening("1 S 2S 8", "1 S 2S 9", "1 S 2S 7")
    assert against_field(scored, [110, 150, -50], form="matchpoints", percent=True).tolist() == [50, 100, 0]
    assert against_field(scored, [160, 160, 160], form="matchpoints", percent=True).tolist() == [100, 100, 100]


def test_no_new_score_means_no_comparison():
    found = against_field(evening("1 S 2S 8", "1 S 2S 9"), [np.nan, 110], form="cross_imps")
    np.testing.assert_array_equal(found, [np.nan, 0])


def test_a_result_that_was_not_played_meets_all_others():
    found = against_field(evening("1 NP", "1 S 2S 8", "1 S 2S 9"), [150, 110, 140], form="matchpoints")
    assert found.tolist() == [4, 0, 2]


@pytest.mark.parametrize("form", ["butler", "cross_imps"])
def test_a_lone_result_has_nobody_to_be_compared_with(form):
    assert np.isnan(against_field(evening("1 S 2S 8"), [140], form=form)).all()


@pytest.mark.parametrize("form", OF_FIELD)
def test_a_lone_result_is_left_out_and_counted_as_missing(form):
    scored = evening("1 S 2SX 7", "1 S 2S 7", "2 S 2SX 7", "2 NP")
    doubled = doubled_of(scored)
    with_field = compare_with_field(doubled, field=scored, form=form, side="ns", weights="board")
    for table in (doubling(scored, form=form), with_field):
        assert table["results"].tolist() == [1]
        assert "missing=1" in table["warnings"].iloc[0]


@pytest.mark.parametrize(
    ("scores", "form", "message"),
    [
        ([100], "matchpoints", "expected score_ns for each of 2 results, got 1"),
        ([100, 110], "points", "expected a form among matchpoints, butler, cross_imps, got 'points'"),
        ([100, 105], "cross_imps", "multiples of ten, for the IMP scale, got 105 at position 1"),
        (pd.Series([100, 110], [7, 8]), "butler", "expected score_ns with the index of the results"),
    ],
)
def test_scores_that_do_not_fit_the_field_are_refused(scores, form, message):
    with pytest.raises(ValueError, match=message):
        against_field(evening("1 S 2S 8", "1 S 2S 9"), scores, form=form)


# -- compare -----------------------------------------------------------------------------------------------------------


def doubling(scored, **options):
    """Compare doubling with passing, on the contracts that were doubled."""
    rows = doubled_of(scored)
    asked = {"by": "deal_id", "form": "imps", "side": "defenders", "weights": "result"} | options
    return compare({"pass": what_if(rows, doubled=0), "double": rows}, field=scored, **asked)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weights", ["result", "board"])
@pytest.mark.parametrize("sides", [("defenders", "declarer"), ("ns", "ew")])
def test_the_other_side_has_the_opposite_answer(form, weights, sides):
    one, other = (doubling(season(), form=form, weights=weights, side=side) for side in sides)
    np.testing.assert_allclose(answer(one), mirrored(other), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_the_other_action_has_the_opposite_answer(form):
    scored = season()
    rows = doubled_of(scored)
    actions = {"pass": what_if(rows, doubled=0), "double": rows}
    asked = {"by": "deal_id", "form": form, "side": "defenders", "weights": "result", "field": scored}
    one = compare(actions, **asked)
    other = compare(dict(reversed(actions.items())), **asked)
    np.testing.assert_allclose(answer(one), mirrored(other), atol=1e-12)
    assert (other["action"].iloc[0], other["against"].iloc[0]) == ("pass", "double")


def test_doubling_two_spades_wins_2_imps_one_down_and_loses_8_when_it_makes():
    table = doubling(evening("1 S 2SX 7", "2 S 2SX 7", "5 E 2SX 8"))
    assert answer(table)[0, [0, 3, 4, 5]] == pytest.approx([(2 + 3 - 8) / 3, 2 / 3, 0, 1 / 3])


def test_by_board_each_board_counts_the_same():
    scored = evening("1 S 2SX 7", "1 S 2SX 7", "1 S 2SX 7", "5 E 2SX 8")
    assert doubling(scored, weights="result")["estimate"].iloc[0] == (2 + 2 + 2 - 8) / 4
    assert doubling(scored, weights="board")["estimate"].iloc[0] == (2 - 8) / 2


def test_every_answer_has_the_fixed_columns():
    table = doubling(season())
    assert list(table) == list(COLUMNS)
    assert table.loc[0, ["estimand", "action", "against", "form", "weights"]].tolist() == [
        *("same_tricks", "double", "pass", "imps", "result")
    ]


def test_results_without_a_score_are_left_out_and_counted():
    scored = evening("1 NP", "1 S 2SX 7", "2 S 2SX 8")
    table = compare(
        {"pass": what_if(scored, doubled=0), "double": scored},
        by="deal_id",
        form="points",
        side="ns",
        weights="board",
    )
    assert (table["results"].iloc[0], table["boards"].iloc[0]) == (2, 2)
    assert "missing=1" in table["warnings"].iloc[0]
    assert table["estimate"].iloc[0] == (-50 + 560) / 2


def test_a_deal_that_was_passed_out_has_no_defenders():
    scored = evening("1 Pass", "2 S 2SX 7")
    asked = {"by": "deal_id", "form": "points", "weights": "result"}
    actions = {"pass": what_if(scored, doubled=0), "double": scored}
    assert compare(actions, side="defenders", **asked)["results"].iloc[0] == 1
    assert compare(actions, side="ns", **asked)["results"].iloc[0] == 2


def test_passing_a_contract_out_is_compared_for_its_declarer():
    scored = evening("1 S 1C 5", "2 E 1C 7")
    table = compare(
        {"pass out": what_if(scored, contract="Pass"), "open": scored},
        by="deal_id",
        form="points",
        side="declarer",
        weights="result",
    )
    assert (table["estimand"].iloc[0], table["estimate"].iloc[0]) == ("same_deals", (-100 + 70) / 2)


def test_within_gives_a_row_a_label_with_the_p_values_of_holm():
    table = doubling(season(), within="vul")
    assert set(table["within"]) == {"none", "ns", "ew", "both"}
    told = table["warnings"].str.extract(r"S11 holm=(\S+)$")[0].astype(float)
    np.testing.assert_allclose(told, holm(p_values(table)), rtol=0.05)


def test_the_parts_of_a_split_add_up_to_the_whole():
    whole, parts = doubling(season()), doubling(season(), within=["vul", "dealer"])
    assert parts["results"].sum() == whole["results"].iloc[0]
    assert np.average(parts["estimate"], weights=parts["results"]) == pytest.approx(whole["estimate"].iloc[0])


def test_one_question_needs_no_correction_for_several():
    assert "S11" not in doubling(season())["warnings"].iloc[0]


def test_each_further_action_is_compared_with_the_first():
    scored = evening("1 S 2S 7", "2 S 2S 8")
    table = compare(
        {"pass": scored, "double": what_if(scored, doubled=1), "redouble": what_if(scored, doubled=2)},
        by="deal_id",
        form="points",
        side="defenders",
        weights="result",
    )
    assert table["action"].tolist() == ["double", "redouble"]
    assert table["against"].tolist() == ["pass", "pass"]
    assert table["estimate"].tolist() == [(50 - 560) / 2, (150 - 730) / 2]


def test_scores_alone_may_be_compared_for_a_named_side():
    table = compare({"a": [100, 110, 50], "b": [110, 110, 0]}, by=[1, 1, 2], form="points", side="ew", weights="board")
    assert (table["estimate"].iloc[0], table["boards"].iloc[0]) == ((-5 + 50) / 2, 2)


def test_boards_are_deals_whatever_the_cluster():
    scored = season()
    by_pair, two_way = (doubling(scored, cluster=cluster) for cluster in ("north", ("deal_id", "north")))
    assert by_pair["boards"].iloc[0] == two_way["boards"].iloc[0] == doubled_of(scored)["deal_id"].nunique()
    assert by_pair["clusters"].iloc[0] == doubled_of(scored)["north"].nunique()
    assert "two-way" in two_way["method"].iloc[0]


def test_matchpoints_are_compared_in_the_field_as_it_was():
    scored = evening("1 S 2SX 7", "1 S 2S 7", "1 S 2S 8")
    table = doubling(scored, form="matchpoints")
    assert table["estimate"].iloc[0] == 100 - 75  # -100 beats both others for the defenders, -50 ties with one


def test_tables_that_are_not_aligned_are_refused():
    scored = evening("1 S 2SX 7", "2 S 2SX 8", "3 E 2SX 8")
    asked = {"by": "deal_id", "form": "points", "side": "defenders", "weights": "result"}
    with pytest.raises(ValueError, match="expected 'double' row by row as 'pass', got 2 rows for 3"):
        compare({"pass": scored, "double": scored[:2]}, **asked)
    with pytest.raises(ValueError, match="expected 'double' row by row as 'pass', got index 2 for 0 at position 0"):
        compare({"pass": scored, "double": scored[::-1]}, **asked)
    with pytest.raises(ValueError, match="expected the same deals under each action, got another at position 0"):
        compare({"pass": scored, "double": scored[::-1].reset_index(drop=True)}, **asked)
    with pytest.raises(ValueError, match=r"one declaring side .* got declarers 'S' and 'E' at position 0"):
        compare({"pass": scored, "double": evening("1 E 2SX 7", "2 S 2SX 8", "3 E 2SX 8")}, **asked)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "rubber"}, "expected a form among points, imps, .*, got 'rubber'"),
        ({"weights": "deal"}, "expected weights among result, board, got 'deal'"),
        ({"side": "south"}, "expected a side among declarer, defenders, ns, ew, got 'south'"),
        ({"by": "bord"}, "expected labels, or columns of the tables, got 'bord'"),
        ({"within": ["vul", "sex"]}, "expected labels, or columns of the tables, got 'sex'"),
        ({"cluster": [1, 2]}, r"expected a label for each of \d+ results, got 2"),
        ({"estimand": "luck"}, "expected an estimand among same_tricks, .*, got 'luck'"),
    ],
)
def test_options_that_are_not_known_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        doubling(season(), **options)


def test_a_form_that_compares_with_the_field_needs_it():
    rows = evening("1 S 2SX 7", "1 S 2S 7")
    asked = {"by": "deal_id", "form": "matchpoints", "side": "defenders", "weights": "result"}
    with pytest.raises(ValueError, match="expected field, the results that matchpoints compares with, got None"):
        compare({"pass": what_if(rows, doubled=0), "double": rows}, **asked)
    with pytest.raises(ValueError, match="expected rows that the field has"):
        compare({"pass": what_if(rows, doubled=0), "double": rows}, field=rows[:1], **asked)


def test_one_action_alone_is_no_comparison():
    with pytest.raises(ValueError, match="expected a dict of two actions or more"):
        compare({"pass": season()}, by="deal_id", form="imps", side="ns", weights="result")


def test_scores_without_tables_have_no_defenders():
    with pytest.raises(ValueError, match="scores without tables have no declarer, got 'defenders'"):
        compare({"a": [1], "b": [2]}, by=[1], form="points", side="defenders", weights="result")


# -- with the field ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", OF_FIELD)
def test_what_some_results_have_over_the_field_is_the_mean_of_their_comparisons(form):
    scored = season()
    rows = doubled_of(scored)
    options = {"percent": True} if form == "matchpoints" else {}
    own = OF_FIELD[form](scored["score_ns"], by=scored["deal_id"], **options)[rows.index]
    sign = np.where(rows["declarer"].isin(["N", "S"]), -1, 1)
    table = compare_with_field(rows, field=scored, form=form, side="defenders", weights="result")
    assert table["estimate"].iloc[0] == pytest.approx((sign * (own - (50 if options else 0))).mean())


def test_the_whole_field_has_nothing_over_itself():
    table = compare_with_field(season(), field=season(), form="cross_imps", side="ns", weights="board")
    assert table["estimate"].iloc[0] == pytest.approx(0, abs=1e-12)


def test_rows_with_other_scores_than_in_the_field_are_refused():
    scored = evening("1 S 2SX 7", "1 S 2S 7")
    with pytest.raises(ValueError, match="expected results with the scores that they have in the field"):
        compare_with_field(what_if(scored, doubled=0), field=scored, form="butler", side="ns", weights="result")


# -- matched -----------------------------------------------------------------------------------------------------------

CELLS = ("1 S 2SX 7", "1 S 2S 7", "1 S 2S 8", "2 N 3CX 9", "2 N 3CX 9", "2 N 3C 9", "3 S 2S 8", "3 E 2SX 8")


def test_cells_have_the_same_deal_contract_and_declarer():
    cells = matched_cells(evening(*CELLS), "doubled")
    assert cells[["contract", "declarer", "taken", "not_taken"]].to_numpy().tolist() == [
        ["2S", "S", 1, 2],
        ["3C", "N", 2, 1],
    ]
    assert cells["points"].tolist() == [100 - (50 - 110) / 2, -(670 - 110)]
    assert cells["imps"].tolist() == [(2 + 5) / 2, -11]


@pytest.mark.parametrize(
    ("weights", "estimate"),
    [("cell", (130 - 560) / 2), ("doubled", (130 - 2 * 560) / 3), ("undoubled", (2 * 130 - 560) / 3)],
)
def test_the_weights_decide(weights, estimate):
    table = matched(evening(*CELLS), "doubled", side="defenders", weights=weights, forms=("points",))
    assert table["estimate"].iloc[0] == pytest.approx(estimate)
    assert (table["results"].iloc[0], table["boards"].iloc[0]) == (6, 2)
    assert table["method"].iloc[0].startswith("2 cells, ")


def test_imps_of_a_cell_are_the_mean_over_all_its_pairs_of_tables():
    scored = season(tables=30)
    cells = matched_cells(scored, "doubled", side="ns", forms=("imps",))
    assert len(cells) > 20
    for cell in cells.itertuples():
        same = scored[(scored["deal_id"] == cell.deal_id) & (scored["declarer"] == cell.declarer)]
        ours, theirs = (
            same.loc[same["contract"] == f"{cell.contract}{x}", "score_ns"].to_numpy(int) for x in ("X", "")
        )
        assert (ours.size, theirs.size) == (cell.taken, cell.not_taken)
        assert cell.imps == pytest.approx(imps(ours[:, None] - theirs[None, :]).mean())


def test_the_other_side_has_the_opposite_answer_in_matched_cells():
    asked = {"weights": "doubled", "forms": ("points", "imps")}
    one, other = (matched(season(tables=30), "doubled", side=side, **asked) for side in ("defenders", "declarer"))
    np.testing.assert_allclose(answer(one), mirrored(other), atol=1e-12)


def test_no_overlap_gives_0_results_and_says_why():
    table = matched(evening("1 S 2SX 7", "1 E 2S 7", "2 S 2S 7"), "doubled", side="defenders", weights="cell")
    assert table[["results", "boards", "clusters"]].to_numpy().tolist() == [[0, 0, 0]] * 2
    assert table["warnings"].str.contains("no_overlap").all()


def test_redoubled_tables_take_no_part_unless_they_are_the_question():
    scored = evening("1 S 2SX 7", "1 S 2S 7", "1 S 2SXX 7")
    assert matched_cells(scored, "doubled")[["taken", "not_taken"]].to_numpy().tolist() == [[1, 1]]
    assert matched_cells(scored, "redoubled")["points"].tolist() == [200 - 100]


def test_any_action_may_be_matched_on_the_contract_as_it_stands():
    scored = evening("1 S 2SX 7", "1 S 2SX 8", "1 S 2S 7", "1 S 2SX 6")
    cells = matched_cells(scored, [True, False, False, None], side="declarer", forms=("points", "tricks"))
    assert cells[["contract", "taken", "not_taken", "points", "tricks"]].to_numpy().tolist() == [
        ["2SX", 1, 1, -570, -1]
    ]


def test_matched_cells_may_be_split():
    whole, parts = (
        matched(season(tables=30), "doubled", side="ns", weights="cell", within=within) for within in (None, "vul")
    )
    totals = parts.groupby("form")["results"].sum()
    assert totals.tolist() == whole.set_index("form").loc[totals.index, "results"].tolist()
    assert parts["warnings"].str.contains("S11").all()


def test_matched_options_that_are_not_known_are_refused():
    with pytest.raises(ValueError, match="expected weights among cell, doubled, undoubled, got 'result'"):
        matched(season(), "doubled", side="ns", weights="result")
    with pytest.raises(ValueError, match=r"expected forms among imps, points, .*, got 'rubber'"):
        matched_cells(season(), forms=("rubber",))
    with pytest.raises(ValueError, match="expected results scored at butler, got a table without butler_ns"):
        matched_cells(season(), forms=("butler",))


# -- policies ----------------------------------------------------------------------------------------------------------


def test_a_rule_cannot_see_what_nobody_knows_before_the_lead():
    for column in ("tricks", "score", "lead", "deal", "mp_ns"):
        with pytest.raises(KeyError):
            policy(season(), lambda known, name=column: known[name] > 0)


def test_a_policy_is_about_the_undoubled_contracts_that_its_rule_takes():
    scored = evening("1 S 2S 8", "1 S 2SX 8", "1 S 4S 8", "1 S 1C 6", "1 Pass")
    rows = scored.iloc[[0, 3]]
    expected = compare(
        {"pass": rows, "double": what_if(rows, doubled=1)},
        by="deal_id",
        form="imps",
        side="defenders",
        weights="result",
    )
    found = policy(scored, "every partscore")
    assert found["estimand"].iloc[0] == "policy"
    np.testing.assert_array_equal(answer(found), answer(expected))


@pytest.mark.parametrize(
    ("name", "contracts"),
    [
        ("every partscore", ["1NT", "2S", "3C", "4D", "1H", "2NT"]),
        ("partscores that stay partscores", ["1NT", "1H"]),
        ("partscores doubled into game", ["2S", "3C", "4D", "2NT"]),
        ("vulnerable partscores", ["2S", "4D", "2NT"]),
        ("vulnerable partscores that stay partscores", []),
        ("partscores at level 1", ["1NT", "1H"]),
        ("partscores at level 2", ["2S", "2NT"]),
        ("partscores at level 3", ["3C"]),
        ("partscores at level 4", ["4D"]),
        ("every game", ["3NT", "4S"]),
    ],
)
def test_a_rule_by_name_takes_the_contracts_that_its_name_says(name, contracts):
    lines = (
        "1 S 1NT 7",
        "2 S 2S 7",
        "3 S 3C 7",
        "4 S 4D 7",
        "1 S 3NT 7",
        "2 S 4S 7",
        "1 S 6C 7",
        "1 E 1H 7",
        "2 N 2NT 7",
    )
    known = evening(*lines)
    assert known.loc[POLICIES[name](known), "contract"].tolist() == contracts


def test_every_rule_by_name_is_tested():
    assert len(POLICIES) == 10


def test_two_halves_of_a_policy_make_the_whole():
    scored = season()
    whole, into, below = (
        policy(scored, name, form="points").iloc[0]
        for name in ("every partscore", "partscores doubled into game", "partscores that stay partscores")
    )
    assert into["results"] + below["results"] == whole["results"]
    assert into["results"] * into["estimate"] + below["results"] * below["estimate"] == pytest.approx(
        whole["results"] * whole["estimate"]
    )


def test_a_rule_answers_for_every_row():
    with pytest.raises(ValueError, match="expected an answer of the rule for every result, got none at position 0"):
        policy(season(), lambda known: [None] * len(known))
    with pytest.raises(ValueError, match=r"expected an answer of the rule for each of \d+ results, got 1"):
        policy(season(), lambda known: [True])
    with pytest.raises(ValueError, match=r"expected a rule among every partscore, .*, got 'never'"):
        policy(season(), "never")


# -- what a double meant -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("doubles.csv"), ids=lambda c: f"{c.contract}-{c.auction}")
def test_a_double_means_what_the_auction_says(case):
    row = {"board": [1], "contract": [case.contract], "declarer": [case.declarer], "tricks": [7]}
    results = read_results(pd.DataFrame(row | {"dealer": [case.dealer], "auction": [case.auction or None]}))
    assert double_kind(results).tolist() == [case.kind or None], case.why


def test_doubles_of_a_whole_evening_are_told_apart_at_once():
    scored = evening("1 N 1HX 7", "1 N 2H 7", "1 N 1HX 7", auction=["1H X P P P", "2H P P P", None])
    assert double_kind(scored).tolist() == ["take_out", None, "unknown"]


# -- selection ---------------------------------------------------------------------------------------------------------


def test_every_estimand_knows_its_codes():
    scored = season()
    for estimand in ESTIMANDS:
        codes = selection_codes(estimand, scored)
        assert codes == [code for code in CODES if code in codes]
        assert set(ESTIMANDS[estimand]) <= set(codes)


@pytest.mark.parametrize(
    ("code", "with_it", "without"),
    [
        ("S8", evening("1 Pass", "1 S 2SX 7"), evening("1 S 2SX 7")),
        ("S9", evening("1 S 2SX 7"), evening("1 S 2SX 7", vul="none")),
        ("S12", evening("1 S 2SX 7", "1 S 2SX 7", "2 S 2SX 7"), evening("1 S 2SX 7", "2 S 2SX 7")),
        ("S14", evening("1 S 2SXX 7"), evening("1 S 2SX 7")),
        ("S4", evening("1 N 1HX 7", auction="1H X P P P"), evening("1 N 1NTX 7", auction="1NT X P P P")),
    ],
)
def test_a_code_is_given_where_the_data_call_for_it(code, with_it, without):
    assert code in selection_codes("same_tricks", with_it, with_it)
    assert code not in selection_codes("same_tricks", without, without)


def test_the_same_cards_on_two_boards_are_noticed():
    hands = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    other = "N:AKQ2.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 J.5432.5432.5432"
    assert "S10" in selection_codes("matched", evening("1 S 2S 7", "2 S 2S 7", deal=hands))
    assert "S10" not in selection_codes("matched", evening("1 S 2S 7", "2 S 2S 7", deal=[hands, other]))


def test_the_audit_counts_what_it_can_and_leaves_the_rest_missing():
    scored = evening("1 S 2SX 7", "1 S 2S 7", "1 W 3C 8", "2 S 2SX 8", "3 S 2SXX 7", "4 Pass")
    audit = selection_audit(scored).set_index("measure")
    assert audit.loc["deals with any contract doubled", ["count", "of"]].tolist() == [3, 4]
    assert audit.loc["deals with these doubled and undoubled", ["count", "of"]].tolist() == [1, 2]
    assert audit.loc["deals with one doubled table alone", ["count", "of"]].tolist() == [2, 2]
    assert audit.loc["other results in another contract or by another declarer", ["count", "of"]].tolist() == [1, 2]
    assert audit.loc["deals that the doublers' side declared at another table", ["count", "of"]].tolist() == [1, 2]
    assert audit.loc["doubled and down where the doublers' side mostly failed too", ["count", "of"]].tolist() == [1, 1]
    assert audit.loc["redoubled", ["count", "of"]].tolist() == [1, 3]
    assert audit.loc["undoubled, though doubled in the auction", ["count", "share"]].isna().all()
    assert audit.loc["deals whose cards come again", ["count", "share"]].isna().all()


def test_doubles_that_were_taken_out_are_counted_in_the_auctions():
    auctions = ["2S X P P P", "2S X P 3C P P P", "2S P P P"]
    audit = selection_audit(evening("1 N 2SX 7", "1 W 3C 7", "1 N 2S 7", auction=auctions)).set_index("measure")
    assert audit.loc["undoubled, though doubled in the auction", ["count", "of"]].tolist() == [1, 2]


def test_balance_is_the_mix_of_doubled_and_undoubled_contracts():
    balance = selection_balance(evening("1 S 2SX 7", "1 S 2S 7", "2 S 3C 7")).set_index(["column", "label"])
    assert balance.loc[("strain", "S"), ["doubled", "undoubled"]].tolist() == [1, 0.5]
    assert balance.loc[("level", "3"), ["doubled", "undoubled"]].tolist() == [0, 0.5]


# -- leads -------------------------------------------------------------------------------------------------------------


def test_leads_are_sorted_by_suit_trump_and_honour():
    kinds = lead_kinds(evening("1 S 2S 7", "1 S 3NT 7", "1 S 2H 8", "1 Pass", lead=["S2", "DT", "DA", None]))
    assert kinds["suit"].tolist()[:3] == ["spades", "diamonds", "diamonds"]
    assert kinds["trump"].tolist()[:3] == ["trump", "notrump", "side_suit"]
    assert kinds["honour"].tolist()[:3] == ["spot", "honour", "honour"]
    assert kinds.loc[3].isna().all()


def test_a_lead_is_compared_with_the_field_and_with_the_other_leads():
    scored = evening("1 S 2S 8", "1 S 2S 7", "1 S 2SX 7", "1 S 3S 8", lead=["S2", "HK", "HK", "S2"])
    table = opening_leads(scored, of="trump").set_index(["estimand", "action"])["estimate"]
    field = -cross_imps(scored["score_ns"], by=scored["deal_id"])
    assert table["against_field", "trump"] == pytest.approx(field[[0, 3]].mean())
    assert table["matched", "trump"] == -4  # 110 for 2S against -50
    assert table["matched", "side_suit"] == 4


def test_leads_that_are_none_are_refused():
    with pytest.raises(ValueError, match="expected results with leads, got 1 without one"):
        opening_leads(evening("1 S 2S 8"))
    with pytest.raises(ValueError, match="expected a sort of leads among suit, trump, honour, got 'length'"):
        opening_leads(season(), of="length")
    scored = evening("1 S 2S 8").assign(lead="XX")
    with pytest.raises(ValueError, match="expected a lead such as 'SK', got 'XX'"):
        lead_kinds(scored)


# -- studies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines", [("1 S 2S 8", "1 S 3S 8"), ("1 Pass",), ("1 S 2SX 8",), ("1 S 4SX 8", "2 S 4S 10"), ("1 S 2SXX 8",)]
)
def test_an_evening_without_what_is_asked_gives_a_reason_in_every_row(lines):
    for table in (
        study_doubled_partscores(evening(*lines)),
        specification_curve(evening(*lines), datums=["datum-mean"]),
    ):
        unknown = table["estimate"].isna()
        assert table.loc[unknown, "warnings"].str.contains("no_results|no_overlap|missing=|zero_denominator").all()


def test_a_study_is_called_by_its_name():
    scored = evening("1 S 2SX 7", "1 S 2S 7")
    pd.testing.assert_frame_equal(study("doubled-partscores", scored), study_doubled_partscores(scored))
    with pytest.raises(ValueError, match=f"expected a study among {', '.join(STUDIES)}, got 'luck'"):
        study("luck", scored)


def below_game(scored):
    """The one doubled partscore of a season that stays one, vulnerable, with the gain in IMPs and whether it failed."""
    rows = scored[(scored["contract"] == "1NTX") & scored["vulnerable"].astype("boolean").fillna(False)]
    gain = imps(what_if(rows, doubled=0)["score"] - rows["score"]).astype(float)
    return rows["deal_id"].to_numpy(), gain, (rows["score"] < 0).to_numpy(bool)


def odds_of(gain, down):
    won, lost = gain[down].mean(), -gain[~down].mean()
    return lost / (won + lost)


@pytest.fixture(scope="module")
def odds():
    """Break-even of a long season by class."""
    table = study_doubled_partscores(season(boards=200))
    return table[table["estimand"] == "break_even"].set_index("within")


def test_break_even_is_where_the_mean_swing_is_nothing(odds):
    _, gain, down = below_game(season(boards=200))
    assert odds.loc["vulnerable, below game", "estimate"] == pytest.approx(odds_of(gain, down))


def test_the_error_of_break_even_is_that_of_leaving_one_deal_out_in_turn(odds):
    deals, gain, down = below_game(season(boards=200))
    left = [odds_of(gain[deals != deal], down[deals != deal]) for deal in np.unique(deals)]
    jackknife = np.sqrt((len(left) - 1) * np.var(left))
    assert odds.loc["vulnerable, below game", "se"] == pytest.approx(jackknife, rel=0.1)


def test_a_specification_curve_makes_every_choice_once():
    curve = specification_curve(season(), datums=["datum-mean", "datum-trimmed"])
    assert not curve[["estimand", "against", "weights", "redoubled", "datum", "passed_out"]].duplicated().any()
    assert curve.groupby("estimand").size().to_dict() == {"matched": 3, "same_tricks": 4, "against_field": 24}


@pytest.mark.parametrize(
    ("contract", "declarer", "auction"),
    [
        ("3SX", "N", "1D P 1S 2C X P P P"),  # a support double, of two clubs
        ("2CX", "W", "1D P 1S 2C X P P P"),
        ("3HX", "E", "1S 2H 2S 3H X P P P"),  # a maximal double
        ("2CX", "S", "1NT P 2C X P P P"),
        ("2DX", "S", "1NT P 2D X P P P"),
        ("2CX", "N", "2C X P P P"),
        ("2SX", "E", "2S X P P P"),  # North opened it
        ("3HX", "N", "2S X P P P"),
        ("2CX", "N", "2S 2C X P P P"),
        ("1HX", "N", "1H P X P P P"),
        ("1HX", "N", "P P P P 1H X P P P"),
        ("1HX", "S", "1H X P P P"),  # North named hearts first
        ("2SX", "N", "1S P 2S X P P P P"),
        ("4SX", "N", "1S P P P 4S X P P P"),
        ("1HX", "N", "1H X X P P P"),
        ("1HX", "N", "1H X XX X P P P"),
    ],
)
def test_what_depends_on_an_agreement_or_cannot_be_is_unknown(contract, declarer, auction):
    columns = {"board": [1], "contract": [contract], "declarer": [declarer], "tricks": [7], "dealer": ["N"]}
    table = read_results(pd.DataFrame(columns | {"auction": [auction]}))
    assert double_kind(table).tolist() == ["unknown"]


def test_a_class_of_contracts_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"expected contracts among partscore, game, small_slam, .*, got 'partscores'"):
        specification_curve(season(), contracts="partscores")


def test_what_was_left_out_is_warned_of_where_no_field_says_that_nothing_was():
    scored = evening("1 S 2SX 7", "1 S 2S 7")
    rows = doubled_of(scored)
    assert {"S8", "S14"} <= set(selection_codes("same_tricks", rows))
    assert not {"S8", "S14"} & set(selection_codes("same_tricks", rows, scored))
    assert {"S8", "S14"} <= set(doubling_alone(rows)["warnings"].iloc[0].split())


def doubling_alone(rows):
    actions = {"pass": what_if(rows, doubled=0), "double": rows}
    return compare(actions, by="deal_id", form="imps", side="defenders", weights="result")


def test_a_rule_is_not_shown_which_rows_were_doubled_or_are_of_one_deal():
    seen = []
    scored = evening("1 S 2SX 7", "1 S 2S 7", "2 S 2S 8").set_axis([5, 6, 7])
    answer = policy(scored, lambda known: seen.append(known) or known["board"] == 2)
    assert seen[0].index.tolist() == [0, 1]
    assert "deal_id" not in seen[0]
    assert answer["estimate"].tolist() == [-11]  # 670 for 110


SPLITS = ("1 S 2SX 7", "2 W 2HX 7", "3 E 3NTX 8", "4 N 3NTXX 8")


@pytest.mark.parametrize(
    ("within", "labels"),
    [
        ("level", ["2", "3"]),
        ("strain", ["S", "H", "NT"]),
        ("doubled", ["doubled", "redoubled"]),
        ("side", ["NS", "EW"]),
        ("opponents", ["1", "12", "13", "4"]),
        (["level", "vul"], ["level=2, vul=none", "level=2, vul=ns", "level=3, vul=ew", "level=3, vul=both"]),
    ],
)
def test_an_answer_is_split_by_what_the_contract_and_the_declarer_say(within, labels):
    scored = evening(*SPLITS, ns=["1", "2", "3", "4"], ew=["11", "12", "13", "14"])
    actions = {"pass": what_if(scored, doubled=0), "double": scored}
    asked = {"by": "deal_id", "form": "imps", "side": "defenders", "weights": "result"}
    assert compare(actions, within=within, **asked)["within"].tolist() == labels


def test_the_opponents_are_the_other_sides_pair_or_its_players():
    scored = evening("1 S 2SX 7", "1 S 2S 7", "1 S 2S 8").assign(east="Zia", west="Ann")
    asked = {"side": "ns", "weights": "cell", "forms": ("points",), "within": "opponents"}
    assert matched(scored, **asked)["within"].tolist() == ["Ann - Zia"]


def test_pairs_of_two_events_are_not_one_pair_for_their_number():
    scored = evening("1 S 2SX 7", "1 S 2SX 8", event=["A", "B"], ew="7")
    table = compare_with_field(
        scored, field=scored, form="matchpoints", side="ns", weights="result", within="opponents"
    )
    assert table["within"].tolist() == ["A 7", "B 7"]
