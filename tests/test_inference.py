import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower

from bridge_analytics import inference
from bridge_analytics.clusters import COLUMNS

SAME_FORMULA = 1e-9  # relative; one formula in another order of sums


def season(seed=7, boards=150, tables=8):
    """Return results of unequal boards: board, pair, IMPs that share the luck of their board, weights."""
    rng = np.random.default_rng(seed)
    board = np.repeat(np.arange(boards), rng.integers(1, 2 * tables, boards))
    pair = rng.integers(0, 40, board.size)
    imps = rng.normal(0, 4, boards)[board] + rng.normal(0, 1, 40)[pair] + rng.normal(1, 5, board.size)
    return pd.DataFrame({"board": board, "pair": pair, "imps": imps, "weight": rng.uniform(0.2, 3, board.size)})


def regression(imps, groups, weights=None):
    """Return the one coefficient of a regression on a constant, clustered, from the other library."""
    model = sm.OLS if weights is None else sm.WLS
    extra = {} if weights is None else {"weights": weights}
    fitted = model(np.asarray(imps), np.ones(len(imps)), **extra)
    return fitted.fit(cov_type="cluster", cov_kwds={"groups": np.asarray(groups), "df_correction": True}, use_t=True)


def interval(table):
    return table[["estimate", "se", "low", "high"]].to_numpy()[0]


def same_as(fitted):
    return pytest.approx([*fitted.params, *fitted.bse, *fitted.conf_int()[0]], rel=SAME_FORMULA)


# -- against an independent library ------------------------------------------------------------------------------------


def test_a_clustered_mean_is_the_regression_on_a_constant():
    played = season()
    table = inference.clustered_mean(played["imps"], cluster=played["board"])
    assert interval(table) == same_as(regression(played["imps"], played["board"]))


def test_a_weighted_mean_is_the_weighted_regression():
    played = season()
    table = inference.clustered_mean(played["imps"], cluster=played["board"], weights=played["weight"])
    assert interval(table) == same_as(regression(played["imps"], played["board"], played["weight"]))


def test_boards_and_pairs_cluster_two_ways():
    played = season()
    table = inference.clustered_mean(played["imps"], cluster=(played["board"], played["pair"]))
    assert interval(table) == same_as(regression(played["imps"], played[["board", "pair"]]))


def test_weights_and_two_ways_go_together():
    played = season()
    table = inference.clustered_mean(
        played["imps"], cluster=(played["board"], played["pair"]), weights=played["weight"]
    )
    assert interval(table) == same_as(regression(played["imps"], played[["board", "pair"]], played["weight"]))


def test_the_standard_error_of_a_proportion_is_that_of_its_regression():
    played = season()
    down = played["imps"] > 3
    table = inference.clustered_proportion(down, cluster=played["board"])
    fitted = regression(down.astype(float), played["board"])
    assert table[["estimate", "se"]].to_numpy()[0] == pytest.approx([*fitted.params, *fitted.bse], rel=SAME_FORMULA)


def test_a_ratio_is_the_mean_weighted_by_its_denominator():
    played = season()
    table = inference.clustered_ratio(played["imps"] * played["weight"], played["weight"], cluster=played["board"])
    assert interval(table) == same_as(regression(played["imps"], played["board"], played["weight"]))


def test_the_design_effect_is_clustered_over_naive_variance():
    played = season()
    naive = sm.OLS(played["imps"].to_numpy(), np.ones(len(played))).fit().bse[0]
    table = inference.clustered_mean(played["imps"], cluster=played["board"])
    assert table["design_effect"].item() == pytest.approx((table["se"].item() / naive) ** 2, rel=SAME_FORMULA)


def test_p_values_are_those_of_the_regression():
    played = season()
    table = inference.clustered_mean(played["imps"], cluster=played["board"])
    assert inference.p_values(table) == pytest.approx(regression(played["imps"], played["board"]).pvalues, rel=1e-6)


@pytest.mark.parametrize(("successes", "trials"), [(0, 12), (7, 10), (40, 41), (5, 5), (1, 3000)])
def test_wilson_is_the_known_interval(successes, trials):
    known = binomtest(successes, trials).proportion_ci(method="wilson")
    table = inference.wilson(successes, trials)
    assert (table["low"].item(), table["high"].item()) == pytest.approx((known.low, known.high), abs=1e-12)


def test_holm_is_the_known_adjustment():
    p = np.random.default_rng(3).uniform(0, 0.08, 25)
    assert inference.holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)


def test_holm_does_not_count_a_question_without_an_answer():
    assert inference.holm([0.03, np.nan, 0.01]) == pytest.approx([0.03, np.nan, 0.02], nan_ok=True)


def test_power_is_the_known_power():
    known = NormalIndPower(ddof=0).power(0.5 / 6.8, 700, alpha=0.05, ratio=0)
    assert inference.power(0.5, sd=6.8, results=700) == pytest.approx(known, rel=1e-9)


# -- what the numbers must be ------------------------------------------------------------------------------------------


def test_the_interval_covers_and_the_naive_one_does_not():
    replications, boards, tables, correlation = 2000, 60, 11, 0.2  # design effect 1 + 10 x 0.2 = 3
    rng = np.random.default_rng(20)
    luck = np.repeat(rng.normal(0, np.sqrt(correlation), replications * boards), tables)
    imps = luck + rng.normal(0, np.sqrt(1 - correlation), luck.size)
    season, board = np.divmod(np.repeat(np.arange(replications * boards), tables), boards)
    clustered = inference.clustered_mean(imps, cluster=board, within=season)
    naive = inference.clustered_mean(imps, cluster=None, within=season)
    covered = [float(((table["low"] < 0) & (table["high"] > 0)).mean()) for table in (clustered, naive)]
    assert 0.93 < covered[0] < 0.97
    assert covered[1] < 0.80
    assert clustered["design_effect"].mean() == pytest.approx(3, abs=0.1)


def test_the_interval_of_a_rare_event_covers():
    replications, boards, tables = 2000, 60, 6
    rng = np.random.default_rng(21)
    rate = np.repeat(rng.beta(0.5, 9.5, replications * boards), tables)  # 5 % of results, and alike on one board
    season, board = np.divmod(np.repeat(np.arange(replications * boards), tables), boards)
    table = inference.clustered_proportion(rng.random(rate.size) < rate, cluster=board, within=season)
    assert 0.93 < ((table["low"] < 0.05) & (table["high"] > 0.05)).mean() < 0.97


def test_swapping_the_sides_negates():
    played = season()
    ours, theirs = played["imps"], np.roll(played["imps"], 1)
    us = inference.paired_difference(ours, theirs, cluster=played["board"], weights=played["weight"])
    them = inference.paired_difference(theirs, ours, cluster=played["board"], weights=played["weight"])
    mirrored = us.assign(
        estimate=-us["estimate"],
        low=-us["high"],
        high=-us["low"],
        share_gained=us["share_lost"],
        share_lost=us["share_gained"],
    )
    pd.testing.assert_frame_equal(them, mirrored)


def test_shares_gained_flat_and_lost_are_weighted_like_the_estimate():
    table = inference.paired_difference([5, 0, -2, 0], cluster=[1, 2, 3, 4], weights=[3, 1, 2, 2])
    assert table[["share_gained", "share_flat", "share_lost"]].to_numpy()[0] == pytest.approx([3 / 8, 3 / 8, 2 / 8])


def test_weights_by_board_give_the_mean_of_the_board_means():
    played = season()
    weights = inference.equal_weights(played["board"])
    table = inference.clustered_mean(played["imps"], cluster=played["board"], weights=weights)
    means = played.groupby("board")["imps"].mean()
    assert table["estimate"].item() == pytest.approx(means.mean(), rel=SAME_FORMULA)
    assert table["se"].item() == pytest.approx(means.std() / np.sqrt(len(means)), rel=SAME_FORMULA)


def test_weights_by_board_leave_out_what_is_not_counted():
    weights = inference.equal_weights(["a", "a", "a", "b"], counted=[True, True, False, False])
    assert weights.tolist() == [0.5, 0.5, 0.0, 0.0]


def test_labels_at_once_are_labels_one_by_one():
    played = season().assign(level=lambda t: t["pair"] % 5 + 1)
    keys = {"weights": "weight", "cluster": "board"}
    together = inference.paired_difference(
        played["imps"], within=played["level"], **{name: played[column] for name, column in keys.items()}
    ).set_index("within")
    for level, rows in played.groupby("level"):
        alone = inference.paired_difference(rows["imps"], **{name: rows[column] for name, column in keys.items()}).drop(
            columns="within"
        )
        pd.testing.assert_frame_equal(together.loc[[level]].reset_index(drop=True), alone)


def test_labels_at_once_go_with_two_ways():
    played = season().assign(half=lambda t: np.where(t["board"] < 75, "first", "second"))
    table = inference.clustered_mean(
        played["imps"], cluster=(played["board"], played["pair"]), within=played["half"]
    ).set_index("within")
    rows = played[played["half"] == "second"]
    fitted = regression(rows["imps"], rows[["board", "pair"]])
    assert table.loc["second", "se"] == pytest.approx(fitted.bse[0], rel=SAME_FORMULA)


def test_many_labels_of_many_boards_need_no_table_of_all_pairs():
    n = 20_000
    label = np.arange(n) // 2
    table = inference.clustered_mean(np.arange(n) % 2, cluster=np.arange(n), within=label)
    assert table["se"].to_numpy() == pytest.approx(np.full(n // 2, 0.5))


def test_several_label_columns_are_named_in_the_label():
    labels = pd.DataFrame({"vul": ["none", "both", None], "level": [2, 3, 3]})
    table = inference.clustered_mean([1.0, 2.0, 3.0], cluster=None, within=labels)
    assert table["within"].tolist() == ["vul=none, level=2", "vul=both, level=3", "vul=missing, level=3"]


def test_a_category_that_no_result_has_is_no_row():
    levels = pd.Categorical(["3", "2", "3"], categories=["1", "2", "3"], ordered=True)
    table = inference.clustered_mean([1.0, 5.0, 3.0], cluster=None, within=levels)
    assert table["within"].tolist() == ["3", "2"]
    assert table["estimate"].tolist() == [2.0, 5.0]


def test_power_numbers_of_a_doubled_partscore():
    # the standard deviation of its effect is 6.8 IMPs and the design effect by board 3.1
    assert inference.sample_size(0.5, sd=6.8) == 1452
    assert inference.sample_size(0.5, sd=6.8, design_effect=3.1) == pytest.approx(4500, abs=5)


def test_power_is_how_often_a_simulated_study_shows_the_effect():
    rng = np.random.default_rng(9)
    replications, results = 2000, 400
    study = np.repeat(np.arange(replications), results)
    table = inference.clustered_mean(rng.normal(0.15, 1, study.size), cluster=None, within=study)
    shown = (inference.p_values(table) < 0.05).mean()
    assert shown == pytest.approx(inference.power(0.15, sd=1, results=results), abs=0.025)


def published_chances(shared):
    """Return edge, boards, percent won, its tolerance and our percent, of each published row."""
    table = pd.read_csv(shared / "data" / "tables" / "published_dev.csv")
    rows = table[table["what"].str.startswith("% P(win) edge") & (table["inputs"] == "formula")]
    inputs = [[float(text) for text in re.findall(r"[\d.]+", what)] for what in rows["what"]]
    rows = pd.DataFrame(inputs, columns=["edge", "boards", "variance"]).join(
        rows[["value", "tolerance"]].astype(float).reset_index(drop=True)
    )
    return rows.assign(
        percent=100 * inference.win_probability(rows["edge"], rows["boards"], variance=rows["variance"])
    ).set_index(["edge", "boards"])


def test_the_published_chances_of_winning_a_match(shared):
    rows = published_chances(shared)
    apart = rows[(rows["percent"] - rows["value"]).abs() > rows["tolerance"]]
    assert len(rows) == 32
    assert apart.index.tolist() == [(3.0, 24.0)]  # see the next test


def test_the_published_chance_that_was_rounded_twice(shared):
    # 99.548 %; a normal table of four figures has 0.9955, as it has for the published 99.77 and 99.87; printed as 99.6
    row = published_chances(shared).loc[(3.0, 24.0)]
    assert row["percent"] == pytest.approx(99.55, abs=0.005)
    assert row["value"] == 99.6


def test_the_chances_of_both_sides_add_to_one():
    ours, theirs = (inference.win_probability(edge, [8, 64], variance=40) for edge in (0.3, -0.3))
    assert ours + theirs == pytest.approx([1, 1])


# -- bootstrap ---------------------------------------------------------------------------------------------------------


def test_a_thousand_draws_of_3500_boards_agree_with_the_formula():
    played = season(seed=11, boards=3500, tables=4)
    drawn = inference.clustered_bootstrap(played["imps"], cluster=played["board"], draws=1000, seed=5)
    formula = inference.clustered_mean(played["imps"], cluster=played["board"])
    assert drawn["clusters"].item() == 3500
    assert drawn["estimate"].item() == formula["estimate"].item()
    assert drawn["se"].item() == pytest.approx(formula["se"].item(), rel=0.06)
    assert interval(drawn)[2:] == pytest.approx(interval(formula)[2:], abs=0.25 * formula["se"].item())


def test_the_bootstrap_of_a_weighted_ratio_agrees_with_the_formula():
    played = season(seed=12, boards=600)
    columns = (played["imps"], played["pair"] + 1)
    options = {"cluster": played["board"], "weights": played["weight"]}
    drawn = inference.clustered_bootstrap(*columns, **options, draws=2000, seed=5)
    formula = inference.clustered_ratio(*columns, **options)
    assert drawn["se"].item() == pytest.approx(formula["se"].item(), rel=0.06)


def test_the_seed_decides_the_bootstrap():
    played = season(boards=40)
    first, again, other = (
        inference.clustered_bootstrap(played["imps"], cluster=played["board"], seed=seed)["low"].item()
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_the_bootstrap_takes_one_cluster_column():
    with pytest.raises(ValueError, match="expected one cluster column for the bootstrap, got a tuple"):
        inference.clustered_bootstrap([1, 2], cluster=([1, 2], [1, 2]), seed=1)


def test_a_bootstrap_without_an_interval_says_so():
    table = inference.clustered_bootstrap([1.0, 0.0], cluster=[1, 2], seed=4, draws=2)  # both draws on one side
    assert np.isnan(table["low"].item())
    assert "no_bca" in table["warnings"].item().split()


# -- little or nothing to go by ----------------------------------------------------------------------------------------

ESTIMATORS = {
    "mean": inference.clustered_mean,
    "proportion": inference.clustered_proportion,
    "difference": inference.paired_difference,
    "ratio": lambda values, **options: inference.clustered_ratio(values, np.ones(len(values)), **options),
    "bootstrap": lambda values, **options: inference.clustered_bootstrap(values, seed=1, **options),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimate_has_the_same_columns(name):
    assert tuple(ESTIMATORS[name]([1, 0, 1], cluster=[1, 2, 3])) == COLUMNS


def test_wilson_has_them_too():
    assert tuple(inference.wilson([1, 2], [3, 3])) == COLUMNS


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_results_is_a_row_of_none_with_its_code(name):
    table = ESTIMATORS[name]([], cluster=[])
    assert table[["results", "clusters", "warnings"]].to_numpy().tolist() == [[0, 0, "no_results"]]
    assert table[["estimate", "se", "low", "high", "design_effect"]].isna().all(axis=None)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_one_board_has_an_estimate_and_no_interval(name):
    table = ESTIMATORS[name]([1, 0, 1, 1], cluster=["a"] * 4)
    assert table[["estimate", "results", "clusters", "warnings"]].to_numpy().tolist() == [[0.75, 4, 1, "one_cluster"]]
    assert table[["se", "low", "high", "design_effect"]].isna().all(axis=None)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_boards_all_alike_are_said_to_be(name):
    table = ESTIMATORS[name]([1, 1, 1], cluster=[1, 2, 3])
    assert "no_variation" in table["warnings"].item().split()


def test_rounding_is_not_taken_for_variation():
    table = inference.clustered_mean([0.1] * 33, cluster=range(33))
    assert table[["se", "warnings"]].to_numpy().tolist() == [[0.0, "no_variation"]]


def test_a_proportion_stays_within_zero_and_one():
    never, always = (inference.clustered_proportion([share] * 7, cluster=range(7)) for share in (0, 1))
    assert (never["low"].item(), always["high"].item()) == (0, 1)


def test_down_on_every_board_is_not_down_for_certain():
    table = inference.clustered_proportion([1] * 40, cluster=np.arange(40) // 2)
    assert 0.7 < table["low"].item() < 0.9


def test_few_boards_are_said_to_be_few():
    nineteen, twenty = (inference.clustered_mean(range(n), cluster=range(n))["warnings"].item() for n in (19, 20))
    assert (nineteen, twenty) == ("few_clusters", "")


def test_a_two_way_variance_below_zero_gives_way_to_that_of_the_intersections():
    values, board, pair = [1, -1, -1, 1], [1, 1, 2, 2], [1, 2, 1, 2]  # both boards and both pairs come to nothing
    table = inference.clustered_mean(values, cluster=(board, pair))
    assert table["se"].item() == pytest.approx(np.sqrt(1 / 3))
    assert "two_way_guarded" in table["warnings"].item().split()


def test_missing_results_are_left_out_and_counted():
    table = inference.clustered_mean(pd.array([4, None, 6, None], dtype="Int64"), cluster=[1, 1, 2, 3])
    assert table[["estimate", "results", "clusters", "warnings"]].to_numpy().tolist() == [
        [5.0, 2, 2, "missing=2 few_clusters"]
    ]


def test_a_label_with_only_missing_results_keeps_its_row():
    table = inference.clustered_mean([1.0, 2.0, np.nan], cluster=[1, 2, 3], within=["a", "a", "b"])
    assert table["results"].tolist() == [2, 0]
    assert table["warnings"].iloc[1] == "missing=1 no_results"


def test_results_of_weight_zero_take_no_part():
    table = inference.clustered_mean([1.0, 2.0, 9.0], cluster=[1, 2, 3], weights=[1, 1, 0])
    assert table[["estimate", "results", "clusters"]].to_numpy().tolist() == [[1.5, 2, 2]]


def test_nothing_at_stake_is_no_ratio():
    table = inference.clustered_ratio([1, 2], [0, 0], cluster=[1, 2])
    assert np.isnan(table["estimate"].item())
    assert "zero_denominator" in table["warnings"].item().split()


def test_nobody_tried_is_no_proportion():
    table = inference.wilson([0, 3], [0, 4])
    assert table["results"].tolist() == [0, 4]
    assert table["warnings"].tolist() == ["no_results", ""]
    assert table["low"].isna().tolist() == [True, False]


def test_input_is_not_changed():
    played = season()
    before = played.copy()
    inference.paired_difference(played["imps"], cluster=played["board"], weights=played["weight"])
    pd.testing.assert_frame_equal(played, before)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: inference.clustered_mean([1, 2], cluster=[1]),
            "expected 2 cluster labels, one for each result",
        ),
        (lambda: inference.clustered_mean([1, 2], cluster=None, within=[1]), "expected 2 within labels"),
        (
            lambda: inference.clustered_mean([1, 2], cluster=None, weights=[1, -2]),
            "expected a weight of 0 or more, got -2.0 at position 1",
        ),
        (
            lambda: inference.clustered_mean([1, 2], cluster=None, weights=[np.nan, 1]),
            "expected a weight of 0 or more, got nan at position 0",
        ),
        (
            lambda: inference.clustered_mean([1, np.inf], cluster=None),
            "expected a value that is finite, got inf at position 1",
        ),
        (lambda: inference.clustered_mean([[1, 2]], cluster=None), "expected a column of values"),
        (lambda: inference.clustered_mean([1, 2], cluster=([1, 2],)), "expected one cluster column or a tuple of two"),
        (lambda: inference.clustered_mean([1, 2], cluster=None, level=95), "level between 0 and 1, got 95"),
        (lambda: inference.paired_difference([1, 2], [1, 2, 3], cluster=None), "for each of 2 results"),
        (
            lambda: inference.clustered_proportion([0, 2], cluster=None),
            "expected 0, 1 or missing, got 2.0 at position 1",
        ),
        (
            lambda: inference.wilson([3, 5], 4),
            "expected whole successes up to the trials, got 5 of 4 at position 1",
        ),
        (lambda: inference.sample_size(0, sd=6), "expected an effect, an sd over 0"),
        (lambda: inference.sample_size(1, sd=6, design_effect=0), "expected a design_effect over 0, got 0"),
        (lambda: inference.power(1, sd=6, results=9, design_effect=-1), "expected a design_effect over 0, got -1"),
        (lambda: inference.power(1, sd=[6, 0], results=9), "expected a sd over 0, got 0"),
        (lambda: inference.power(1, sd=6, results=[9, 0]), "expected results over 0, got 0"),
        (lambda: inference.power(1, sd=np.nan, results=9), "expected a sd over 0, got nan"),
        (lambda: inference.holm([0.2, 1.5]), "expected a p-value from 0 to 1, got 1.5 at position 1"),
        (lambda: inference.holm([-0.1]), "expected a p-value from 0 to 1, got -0.1 at position 0"),
    ],
)
def test_errors_say_what_was_expected_and_seen(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
