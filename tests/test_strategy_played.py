"""Doubled partscores of 48 championships: every estimand, against the numbers that an independent script counted."""

import csv
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from bridge_analytics.audit import selection_audit, selection_balance
from bridge_analytics.contrasts import COLUMNS, compare, compare_with_field
from bridge_analytics.counterfactuals import against_field, what_if
from bridge_analytics.leads import lead_kinds
from bridge_analytics.matching import matched_cells
from bridge_analytics.results import score_results, sift_results
from bridge_analytics.scoring import contract_class
from bridge_analytics.specification import specification_curve
from bridge_analytics.strategy import STUDIES, study

SAME_FORMULA = 1e-9  # relative


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return [SimpleNamespace(**case) for case in csv.DictReader(lines)]


@pytest.fixture(scope="module")
def played(shared):
    """All results of all events, scored; a deal is an event, a round and a board."""
    files = sorted((shared / "data" / "played").glob("*.csv.gz"))
    parts = [pd.read_csv(file, dtype=str, keep_default_na=False).assign(event=file.name[:-7]) for file in files]
    by = ["event", "round", "board"]
    results, _ = sift_results(pd.concat(parts, ignore_index=True), layout={"unknown_player": ["p000"]}, by=by)
    return score_results(results, by=by, forms=())


@pytest.fixture(scope="module")
def answers(played):
    return study("doubled-partscores", played)


@pytest.fixture(scope="module")
def partscores(played):
    return played[contract_class(played["contract"]) == "partscore"]


@pytest.fixture(scope="module")
def doubled(partscores):
    return partscores[partscores["contract"].astype("str").str.fullmatch("[^X]*X")]


def test_the_events_are_all_there(played):
    assert (len(played), played["deal_id"].nunique(), played["event"].nunique()) == (350_980, 15_192, 48)


@pytest.mark.parametrize(
    "case", cases("doubled_partscores.csv"), ids=lambda c: f"{c.estimand}-{c.form}-{c.weights}-{c.within}-{c.column}"
)
def test_doubled_partscores_are_as_counted(case, answers):
    question = answers[["estimand", "action", "form", "weights"]] == [
        *(case.estimand, case.action, case.form, case.weights)
    ]
    rows = answers[question.all(axis=1) & (answers["within"].fillna("") == case.within)]
    assert len(rows) == 1
    found = rows.assign(half=(rows["high"] - rows["low"]) / 2)[case.column].iloc[0]
    assert found == pytest.approx(float(case.expected), abs=float(case.tolerance)), case.source


def test_every_answer_has_the_columns_and_says_what_it_cannot_tell(answers):
    assert list(answers) == list(COLUMNS)
    assert answers["estimate"].notna().all()
    assert answers["warnings"].str.contains("S1 |S3 ").all()


def test_1989_cells_have_the_contract_both_doubled_and_undoubled(partscores):
    cells = matched_cells(partscores, "doubled", forms=("tricks",))
    assert len(cells) == 1989
    assert abs(cells["tricks"].mean()) < 0.02  # no sign that a double tells declarer the layout


def test_the_clustered_error_is_that_of_the_other_library(doubled, answers):
    gain = compare(
        {"pass": what_if(doubled, doubled=0), "double": doubled},
        by="deal_id",
        form="points",
        side="defenders",
        weights="result",
    )
    points = -(doubled["score"] - what_if(doubled, doubled=0)["score"]).to_numpy(np.float64)
    fitted = sm.OLS(points, np.ones(len(points))).fit(
        cov_type="cluster", cov_kwds={"groups": doubled["deal_id"].to_numpy(), "df_correction": True}, use_t=True
    )
    assert gain[["estimate", "se"]].to_numpy()[0] == pytest.approx([*fitted.params, *fitted.bse], rel=SAME_FORMULA)


def test_the_field_as_it_was_gives_every_row_its_own_comparison(played):
    some = played[played["event"].isin(["2018_open_teams", "2018_open_bam_final"])]
    for form in ("matchpoints", "butler", "cross_imps"):
        scored = score_results(some, by=["event", "round", "board"], forms=(form,))
        own = scored[{"matchpoints": "mp_ns", "butler": "butler_ns", "cross_imps": "cross_imps_ns"}[form]]
        np.testing.assert_array_equal(against_field(some, some["score_ns"], form=form), own)


def test_doublers_and_declarers_have_opposite_answers(played, doubled):
    for form in ("matchpoints", "cross_imps"):
        one, other = (
            compare_with_field(doubled, field=played, form=form, side=side, weights="board")
            for side in ("defenders", "declarer")
        )
        assert one["estimate"].iloc[0] == -other["estimate"].iloc[0]


def test_48_percent_of_the_deals_have_a_double(played):
    audit = selection_audit(played, contract_class(played["contract"]) == "partscore")
    share = audit.set_index("measure")["share"]
    assert share["deals with any contract doubled"] == pytest.approx(0.48, abs=0.005)
    assert set(audit["code"]) == {f"S{number}" for number in range(1, 16)}


def test_doubled_partscores_are_higher_and_more_often_in_a_minor(played):
    balance = selection_balance(played, contract_class(played["contract"]) == "partscore").set_index(
        ["column", "label"]
    )
    assert balance.loc[[("level", "4"), ("strain", "C"), ("strain", "D")], "difference"].min() > 0.15
    shares = balance.groupby("column")[["doubled", "undoubled"]].sum()
    np.testing.assert_allclose(shares, 1)


def test_the_sign_of_the_answer_hangs_on_the_comparison_and_the_weights(played):
    curve = specification_curve(played)
    assert curve["estimate"].is_monotonic_increasing
    assert curve.loc[curve["high"] < 0, ["estimand", "weights"]].to_numpy().tolist() == [["matched", "undoubled"]]
    assert (curve.loc[curve["estimand"] != "matched", "low"] > 0).all()


def test_a_curve_holds_the_rows_of_the_study(played, answers):
    curve = specification_curve(played, datums=["datum-trimmed"])
    usual = curve[(curve["redoubled"] == "left out") & (curve["passed_out"] != "left out")]
    imps = answers[answers["form"].isin(["imps", "cross_imps", "butler"]) & answers["within"].isna()]
    asked = imps[imps["action"].isin(["double", "doubled"])]["estimate"]
    np.testing.assert_allclose(usual["estimate"], np.sort(asked))


def test_a_trump_lead_is_one_of_the_trump_suit(played):
    led = played[played["lead"].notna()]
    kinds = lead_kinds(led)
    same = led["lead"].str[0] == led["contract"].astype("str").str[1]
    assert ((kinds["trump"] == "trump") == same).all()


def test_every_shipped_study_answers(played):
    some = played[played["event"] == "2018_open_teams"]
    for name in STUDIES:
        assert list(study(name, some))[: len(COLUMNS)] == list(COLUMNS)
