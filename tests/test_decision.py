"""Decisions: the reference tables cell by cell, the odds that players know, plain restatements, and the signs."""

import csv
import math
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.contracts import split_contract, with_doubled
from bridge_analytics.decision import break_even, decision_table
from bridge_analytics.imp_scale import imps
from bridge_analytics.mixes import DOWN, DOWN_DOUBLED, OVERTRICKS_DOUBLED, mix_table, shifted_mixes
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.scoring import doubled_into_game, score, score_parts

FORMS = ("points", "imps", "matchpoints")
FOUR_DECIMALS = 5.1e-5
UNDOUBLED = CONTRACTS[1::3]
QUESTIONS = {  # one of each action, with what it needs
    "double": {"contract": "3S", "vulnerable": True},
    "redouble": {"contract": "2HX", "vulnerable": False},
    "game": {"contract": "3NT", "vulnerable": True},
    "slam": {"contract": "6H", "vulnerable": False},
    "sacrifice": {"contract": "5DX", "vulnerable": False, "base": "4S", "base_vulnerable": True, "other": [-3, -2, 0]},
    "compete": {"contract": "3S", "vulnerable": True, "base": "3H", "base_vulnerable": False, "other": [-1, 0, 1]},
}


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return [SimpleNamespace(**case) for case in csv.DictReader(lines)]


def same_cells(found, expected, tolerance):
    """Compare all columns of a reference table, in its own order."""
    found = pd.DataFrame(found)[list(expected.columns)]
    np.testing.assert_allclose(found.to_numpy(np.float64), expected.to_numpy(np.float64), rtol=0, atol=tolerance)


# The reference tables


def doubles_of(table):
    return {"contract": table["contract"].to_numpy(), "vulnerable": table.filter(regex="vul$").iloc[:, 0].to_numpy()}


@pytest.fixture(scope="module")
def partscores(shared):
    return pd.read_csv(shared / "data" / "tables" / "break_even.csv")


def test_the_reference_partscores_score_as_listed(partscores):
    words = {"made": 0, "made_plus1": 1, "down1": -1, "down2": -2, "down3": -3, "down4": -4}
    table = decision_table(**doubles_of(partscores), results=words.values(), side="declarer")
    base, new = (table[name].to_numpy().reshape(-1, len(words)) for name in ("score_base", "score_new"))
    expected = partscores.loc[:, "made_undoubled":"down4_doubled"]
    assert expected.shape == (32, 12)
    found = {f"{word}_undoubled": base[:, place] for place, word in enumerate(words)}
    same_cells(found | {f"{word}_doubled": new[:, place] for place, word in enumerate(words)}, expected, 0)


def test_the_reference_partscores_are_what_they_say(partscores):
    contract = partscores["contract"].to_numpy()
    level, strain, _ = split_contract(contract)
    assert [word[0] for word in strain] == partscores["strain"].tolist()
    points = score_parts(contract, True, 6 + level)["trick_score"]
    found = {"level": level, "trick_score": points, "doubled_into_game": doubled_into_game(with_doubled(contract, 1))}
    same_cells(found, partscores[["level", "trick_score", "doubled_into_game"]], 0)


@pytest.mark.parametrize("form", ["points", "imps"])
def test_a_double_wins_and_loses_what_the_reference_says(partscores, form):
    words = {"won_down1": -1, "won_down2": -2, "won_down3": -3, "won_down4": -4, "lost_if_made": 0}
    words |= {"lost_if_made_plus1": 1} | ({"lost_if_made_plus2": 2} if form == "imps" else {})
    swing = decision_table(**doubles_of(partscores), form=form, results=words.values())["swing"]
    swing = swing.to_numpy().reshape(-1, len(words)) * np.where(np.array([*words.values()]) < 0, 1, -1)
    found = {f"{form}_{word}": swing[:, place] for place, word in enumerate(words)}
    same_cells(found, partscores.filter(regex=f"^{form}_"), 0)


@pytest.mark.parametrize("form", ["points", "imps"])
def test_a_double_breaks_even_where_the_reference_says(partscores, form):
    down = {"down1": {1: 1}, "down2": {2: 1}, "mix": DOWN}
    made = {"made0": {0: 1}, "madeover": OVERTRICKS_DOUBLED}
    odds = break_even(**doubles_of(partscores), form=form, down=down, made=made)
    assert set(odds["kind"]) == {"interval"}
    assert set(odds["high"]) == {1.0}
    columns = [f"be_{form}_{one}_{other}" for one in down for other in made]
    found = pd.DataFrame(odds["low"].to_numpy().reshape(-1, 6), columns=columns)
    expected = partscores.filter(regex=f"^be_{form}_")
    assert expected.shape == (32, 4)
    same_cells(found, expected, FOUR_DECIMALS)


def test_a_matchpoint_double_breaks_even_where_the_reference_says(partscores):
    doubles, expected = doubles_of(partscores), partscores.filter(regex="^be_mp_")
    found = {"be_mp_same_field": break_even(**doubles, form="matchpoints", down={1: 1})["low"]}
    for points in (110, 140):
        odds = break_even(**doubles, form="matchpoints", down={1: 1}, field_share=0.5, field_score=points)
        found[f"be_mp_f50_S{points}_down1"] = odds["low"]
    same_cells(found, expected, FOUR_DECIMALS)


def test_every_reference_outcome_has_its_scores_and_swings(shared):
    outcomes = pd.read_csv(shared / "data" / "tables" / "break_even_outcomes.csv")
    questions = outcomes.drop_duplicates(["contract", "vul"])
    results = sorted(set(outcomes["result"]))
    theirs = decision_table(**doubles_of(questions), results=results, side="declarer")
    found = {"result": theirs["result"], "undoubled": theirs["score_base"], "doubled": theirs["score_new"]}
    for form in ("points", "imps"):
        found[f"swing_{form}"] = decision_table(**doubles_of(questions), results=results, form=form)["swing"]
    assert len(outcomes) == 320
    same_cells(found, outcomes.drop(columns=["contract", "vul"]), 0)


def test_every_reference_field_gives_its_matchpoint_odds(shared):
    fields = pd.read_csv(shared / "data" / "tables" / "break_even_mp.csv")
    field = {"field_share": fields["field_share_playing"], "field_score": fields["field_score"]}
    down = {"1": {1: 1}, "2": {2: 1}, "3": {3: 1}}
    odds = break_even(**doubles_of(fields), form="matchpoints", down=down, **field)
    own = odds[odds["down"].astype(int).to_numpy() == fields["down"].to_numpy().repeat(3)]
    table = decision_table(**doubles_of(fields), form="matchpoints", results=[-1, -2, -3], **field)
    own_row = table[-table["result"].to_numpy() == fields["down"].to_numpy().repeat(3)]
    assert len(fields) == 1536
    found = {"undoubled": own_row["score_base"].to_numpy(), "doubled": own_row["score_new"].to_numpy()}
    same_cells(found | {"be_mp": own["low"].to_numpy()}, fields[["undoubled", "doubled", "be_mp"]], FOUR_DECIMALS)


# Published numbers


def column(name, *args, **options):
    return decision_table(*args, **options)[name].to_numpy()


def gain_and_loss(contract, vulnerable, action):
    return column("swing", contract, vulnerable=vulnerable, action=action, results=[0, -1]).tolist()


def published_double():
    made, one, two = column("swing", "3S", vulnerable=False, results=[0, -1, -2])
    return [two, one, made, made + 2 * one + two]


def published_two_hearts():
    options = {"results": [0], "side": "declarer"}
    undoubled = column("score_base", "2H", vulnerable=False, **options)
    doubled = column("score_new", "2H", vulnerable=[False, True], **options)
    defending = {"base": "4SX", "base_vulnerable": True, "other": {-2: 1}}  # 500
    five_hearts = break_even("5H", vulnerable=True, action="compete", down={1: 1}, **defending).iloc[0]
    return [*undoubled, *doubled, 0.6 * five_hearts["swing_made"] + 0.4 * five_hearts["swing_down"]]


def published_slams():
    games = [*gain_and_loss("4S", False, "game"), *gain_and_loss("4S", True, "game")]
    slams = [*gain_and_loss("6S", False, "slam"), *gain_and_loss("6S", True, "slam")]
    return [*games, *slams, *gain_and_loss("7S", False, "slam"), gain_and_loss("7S", True, "slam")[0]]


def published_games():
    odds = break_even("4S", vulnerable=[True, False], action="game", down={1: 1})
    return (100 * odds["low"]).tolist()


def published_totals():
    tables = [decision_table("4S", vulnerable=flag, action="game", results=[0, -1]) for flag in (False, True)]
    return [tables[0]["score_base"].mean(), *(table["score_new"].mean() for table in tables)]


PUBLISHED = {
    "P04": published_double,
    "P05": published_two_hearts,
    "P06": published_slams,
    "P07": published_games,
    "P10": published_totals,
}


@pytest.mark.parametrize("group", PUBLISHED)
def test_published_values_that_follow_from_a_formula_are_met(shared, group):
    rows = pd.read_csv(shared / "data" / "tables" / "published_dev.csv", dtype={"tolerance": str})
    rows = rows[(rows["id"] == group) & (rows["inputs"] == "formula")]
    found = np.array([float(value) for value in PUBLISHED[group]()])
    assert len(found) == len(rows) > 0
    assert (abs(found - rows["value"].to_numpy()) <= rows["tolerance"].astype(float).to_numpy()).all(), found


@pytest.mark.parametrize("case", cases("odds.csv"), ids=lambda c: f"{c.action}-{c.contract}-{c.vulnerable}-{c.form}")
def test_the_odds_are_those_that_players_know(case):
    odds = break_even(
        case.contract,
        vulnerable=case.vulnerable == "True",
        action=case.action,
        form=case.form,
        down={int(case.down): 1},
    )
    assert odds["low"].item() == pytest.approx(float(case.percent) / 100, abs=FOUR_DECIMALS), case.source
    assert odds["high"].item() == 1


@pytest.mark.parametrize(
    ("ours", "theirs", "limit"), [(False, True, 3), (False, False, 2), (True, True, 2), (True, False, 1)]
)
@pytest.mark.parametrize("form", ["points", "imps"])
def test_a_sacrifice_against_game_may_go_down_three_two_or_one(ours, theirs, limit, form):
    results = [-limit, -limit - 1]
    options = {"action": "sacrifice", "base": "4S", "base_vulnerable": theirs, "form": form}
    enough, too_many = column("swing", "5DX", vulnerable=ours, results=[0], other=results, **options)
    assert enough > 0 > too_many


# Sets


def test_a_sacrifice_that_costs_more_than_the_game_never_pays():
    options = {"action": "sacrifice", "base": "4S", "base_vulnerable": False, "other": {-3: 1}}
    odds = break_even("5CX", vulnerable=False, **options)
    assert odds["kind"].tolist() == ["none", "none"]
    assert odds[["low", "high", "moved"]].isna().all(axis=None)


def test_a_sacrifice_pays_the_more_the_likelier_they_make():
    options = {"action": "sacrifice", "base": "4S", "base_vulnerable": True, "other": {-2: 1}, "down": {1: 1}}
    odds = break_even("5CX", vulnerable=False, **options).iloc[0]
    assert (odds["p"], odds["kind"], odds["high"]) == ("P(base makes)", "interval", 1)
    assert odds["low"] == pytest.approx(9 / (9 + 8))  # 300 lost for 620: 8 IMPs; 300 lost and 100 not won: 9 IMPs


def test_competing_always_pays_at_love_all_with_seventeen_tricks_between_three_spades_and_three_hearts():
    options = {"action": "compete", "base": "3H", "base_vulnerable": False, "total_tricks": 17}
    odds = break_even("3S", vulnerable=False, down={1: 1}, **options)
    assert odds[["kind", "low", "high"]].to_numpy().tolist() == [["always", 0.0, 1.0]]


def test_with_sixteen_tricks_competing_never_gains_points():
    options = {"action": "compete", "base": "3H", "base_vulnerable": False, "total_tricks": 16, "form": "points"}
    assert column("swing", "3S", vulnerable=False, results=[-1], **options) == [-100]
    assert break_even("3S", vulnerable=False, down={1: 1}, **options)["kind"].tolist() == ["interval"]


def test_two_hundred_beats_a_field_of_partscores_and_one_hundred_does_not():
    odds = break_even("3H", vulnerable=[True, False], form="matchpoints", down={1: 1}, field_share=1.0, field_score=140)
    assert odds["kind"].tolist() == ["always", "none"]


def test_the_share_of_the_field_moves_the_odds_of_a_vulnerable_double_only():
    field = {"field_share": [0.0, 0.25, 0.5, 0.75], "field_score": 110}
    vulnerable = break_even("2D", vulnerable=True, form="matchpoints", down={1: 1}, **field)["low"]
    other = break_even("2D", vulnerable=False, form="matchpoints", down={1: 1}, **field)["low"]
    assert (np.diff(vulnerable) < 0).all()
    np.testing.assert_allclose(other, 0.5, rtol=0, atol=1e-15)


def test_seen_from_the_other_side_the_set_is_the_rest():
    own, theirs = (break_even(UNDOUBLED, vulnerable=True, side=side) for side in ("defenders", "declarer"))
    assert (own["high"] == 1).all()
    assert (theirs["low"] == 0).all()
    assert (own["low"] == theirs["high"]).all()


# Signs, and plain restatements


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("action", QUESTIONS)
def test_swapping_the_sides_negates_every_score_and_swing(action, form):
    field = {"field_share": 0.4, "field_score": 110} if form == "matchpoints" else {}
    swapped = {"field_share": 0.4, "field_score": -110} if field else {}
    question = QUESTIONS[action] | {"action": action, "form": form}
    usual = decision_table(**question, **field)
    sides = ["declarer", "defenders"]
    other = decision_table(**question, **swapped, side=sides[sides.index(usual["side"].iloc[0]) - 1])
    assert (usual["swing"] != 0).any()
    same_cells(-other[["score_base", "score_new", "swing"]], usual[["score_base", "score_new", "swing"]], 1e-12)


def plain_swing(form, base, new):
    """For a field that does as we did."""
    if form == "points":
        return new - base
    return int(imps(new - base)) if form == "imps" else ((new > base) - (new < base)) / 2


def plain_cases(question, action, results, others):
    """Each case of a decision as result, other result, score without the action and with it, one at a time."""
    contract, flag = question["contract"], question["vulnerable"]
    base, base_flag = question.get("base", contract), question.get("base_vulnerable", flag)
    new = {"double": contract + "X", "redouble": contract + "X"}.get(action, contract)
    base = {"game": "2NT", "slam": "4H"}.get(action, base)
    for result in results:
        for other in others if "other" in question else [None]:
            one = 6 + int((base if action == "sacrifice" else contract)[0]) + result
            two = one if other is None else 6 + int((contract if action == "sacrifice" else base)[0]) + other
            ours, theirs = (two, one) if action == "sacrifice" else (one, two)
            with_it, without = int(score(new, flag, ours)), int(score(base, base_flag, theirs))
            we_defend = {"double": (-1, -1), "sacrifice": (-1, 1), "compete": (-1, 1)}.get(action, (1, 1))
            yield result, other, we_defend[0] * without, we_defend[1] * with_it


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("action", QUESTIONS)
def test_a_decision_table_is_what_scoring_one_case_at_a_time_gives(action, form):
    question, results = QUESTIONS[action], [-5, -2, -1, 0, 1]
    table = decision_table(**question, action=action, form=form, results=results)
    expected = [*plain_cases(question, action, results, question.get("other"))]
    assert table["score_base"].tolist() == [base for _, _, base, _ in expected]
    assert table["score_new"].tolist() == [new for _, _, _, new in expected]
    assert table["swing"].tolist() == [plain_swing(form, base, new) for _, _, base, new in expected]
    down = action == "double"
    assert table["event"].tolist() == [(result < 0) == down for result, _, _, _ in expected]


SHARES = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


@settings(deadline=None)
@given(
    action=st.sampled_from([*QUESTIONS]), form=st.sampled_from(FORMS), down=SHARES, made=SHARES, other=SHARES, p=SHARES
)
def test_the_action_gains_on_average_just_where_its_set_says(action, form, down, made, other, p):
    question = dict(QUESTIONS[action])
    listed = question.pop("other", None)
    mixes = {"down": dict(zip((1, 2, 4), down, strict=True)), "made": dict(zip((0, 1), made, strict=False))}
    mixes["made"][0] += 1
    shares = {-n: share / sum(down) for n, share in mixes["down"].items()}
    shares |= {n: share / sum(mixes["made"].values()) for n, share in mixes["made"].items()}
    facing = dict(zip(listed or [None], other if listed else [1], strict=True))
    options = {"other": facing} if listed else {}
    odds = break_even(**question, action=action, form=form, **mixes, **options).iloc[0]
    average = {True: 0.0, False: 0.0}  # by whether the contract is made
    for result, beside, base, new in plain_cases(QUESTIONS[action], action, shares, facing):
        share = shares[result] * facing[beside] / sum(facing.values())
        average[result >= 0] += share * plain_swing(form, base, new)
    assert odds["swing_made"] == pytest.approx(average[True], abs=1e-9)
    assert odds["swing_down"] == pytest.approx(average[False], abs=1e-9)
    chance = (p[0] + 0.5) / (sum(p) + 1)
    happens = action != "double"
    mean = chance * average[happens] + (1 - chance) * average[not happens]
    if abs(mean) > 1e-9:
        inside = odds["kind"] != "none" and odds["low"] < chance < odds["high"]
        assert inside == (mean > 0)


# Mixes and columns


def test_one_down_each_time_and_the_usual_mix_are_both_given_for_a_double():
    odds = break_even("3S", vulnerable=False, form="imps")
    assert odds["down"].tolist() == ["one down", "60/30/10"]
    assert odds["low"].tolist() == pytest.approx([9 / 11, 0.72])
    assert odds["moved"].tolist() == pytest.approx([0, 0.72 - 9 / 11])


def test_the_observed_mix_of_doubled_contracts_asks_for_fewer_defeats():
    odds = break_even(UNDOUBLED[:15], vulnerable=True, down={"usual": DOWN, "observed": DOWN_DOUBLED})
    usual, observed = odds["low"].to_numpy().reshape(-1, 2).T
    assert (observed < usual).all()


def test_a_mix_may_be_counted_and_may_be_a_series():
    counts = pd.Series([-1, -2, -1, -3, -1, -1, -1, -2, -2, -1]).mul(-1).value_counts()
    odds = break_even("3S", vulnerable=False, down=counts)
    assert odds["low"].item() == pytest.approx(0.72)
    assert odds["down"].item() == "1: 60 %, 2: 30 %, 3: 10 %"


def test_every_pair_of_mixes_is_tried_for_every_contract():
    down, made = {"a": {1: 1}, "b": {2: 1}}, {"c": {0: 1}, "d": {1: 1}, "e": {2: 1}}
    options = {"action": "compete", "base": "2H", "base_vulnerable": True, "other": {"f": {0: 1}, "g": {1: 1}}}
    odds = break_even(["2S", "3C"], vulnerable=True, down=down, made=made, **options)
    expected = [(word, *mix) for word in ("2S", "3C") for mix in product("ab", "cde", "fg")]
    assert [*zip(odds["contract"], odds["down"], odds["made"], odds["other"], strict=True)] == expected


def test_a_column_of_contracts_is_answered_row_by_row():
    flags = np.arange(len(UNDOUBLED)) % 2 == 0
    together = break_even(UNDOUBLED, vulnerable=flags)
    alone = [break_even(word, vulnerable=bool(flag)) for word, flag in zip(UNDOUBLED, flags, strict=True)]
    pd.testing.assert_frame_equal(together, pd.concat(alone, ignore_index=True))


def test_every_result_that_a_contract_can_have_is_listed():
    table = decision_table(["1C", "7NT"], vulnerable=True)
    assert table["result"].tolist() == [*range(-7, 7), *range(-13, 1)]


def test_with_total_tricks_one_contract_takes_what_the_other_leaves():
    options = {"action": "sacrifice", "base": "4S", "base_vulnerable": True, "total_tricks": 18}
    table = decision_table("5DX", vulnerable=False, **options)
    assert (table["result"] + 11 + table["base_result"] + 10 == 18).all()
    assert table["base_result"].tolist() == [*range(-5, 4)]


def test_the_break_even_point_moves_toward_that_of_the_result_that_grows():
    odds = break_even("3S", vulnerable=False, down=shifted_mixes(DOWN, share=0.2)).set_index("down")["low"]
    alone = {n: break_even("3S", vulnerable=False, down={n: 1})["low"].item() for n in DOWN}
    for undertricks, limit in alone.items():
        start, end = odds["as given"], odds[f"20 % to {undertricks}"]
        assert min(start, limit) < end < max(start, limit)


@given(mix=st.dictionaries(st.integers(1, 6), st.integers(1, 50), min_size=1))
def test_a_mix_breaks_even_between_its_extremes(mix):
    odds = break_even("4H", vulnerable=True, down={"mix": mix} | {str(n): {n: 1} for n in mix})["low"]
    assert odds[1:].min() - 1e-12 <= odds[0] <= odds[1:].max() + 1e-12


def test_the_slam_is_weighed_against_game_and_the_grand_slam_against_the_small():
    table = decision_table(["6C", "6NT", "7H"], vulnerable=True, action="slam", results=[0])
    assert table["base"].tolist() == ["5C", "3NT", "6H"]


def test_a_game_is_weighed_against_the_highest_partscore_unless_another_is_named():
    table = decision_table(["3NT", "4H", "5S", "5D"], vulnerable=True, action="game", results=[0])
    assert table["base"].tolist() == ["2NT", "3H", "3S", "4D"]
    assert column("base", "4H", vulnerable=True, action="game", results=[0], base="2H") == ["2H"]


def test_an_older_edition_answers_by_its_own_undertricks():
    usual, older = (
        column("swing", "3S", vulnerable=False, results=[-4], form="points", edition=edition)
        for edition in ("duplicate-1987", "duplicate-before-1987")
    )
    assert (usual, older) == ([600], [500])


# Refusals

OVER = {"action": "compete", "base": "3H", "base_vulnerable": True}


@pytest.mark.parametrize(
    ("contract", "options", "message"),
    [
        ("3SX", {}, "expected an undoubled contract to double, got '3SX' at position 0"),
        (["3SX", "3S"], {"action": "redouble"}, "expected a doubled contract to redouble, got '3S' at position 1"),
        (["3S", "Pass"], {}, "expected a contract that is played, got 'Pass' at position 1"),
        (["3S", None], {}, "expected a contract such as '4SX' or 'Pass', got a missing value at position 1"),
        (["4S", "2S"], {"action": "game"}, "expected a game that is bid, got '2S' at position 1"),
        ("5C", {"action": "slam"}, "expected a slam that is bid, got '5C' at position 0"),
        ("4S", {"action": "game", "base": "3H"}, "expected a base lower in the strain, got '3H' at position 0"),
        ("4S", {"action": "game", "base": "5S"}, "expected a base lower in the strain, got '5S' at position 0"),
        ("2S", OVER | {"other": {0: 1}}, "expected a contract higher than the base, got '2S' at position 0"),
        ("3S", {"base": "3H"}, "expected no base for action 'double', got '3H'"),
        ("4S", {"action": "game", "base_vulnerable": True}, "expected no base_vulnerable for action 'game', got True"),
        ("3S", {"action": "compete"}, "expected base for action 'compete', got none"),
        ("3S", OVER, "expected one of other and total_tricks for action 'compete', got None and None"),
        ("3S", {"total_tricks": 17}, "expected neither other nor total_tricks for action 'double', got None and 17"),
        ("3S", OVER | {"total_tricks": 27}, "expected total_tricks that leave either contract 0 to 13, got 27"),
        ("3S", {"action": "bluff"}, "expected an action among double, redouble, game, slam, sacrifice, compete"),
        ("3S", {"form": "butler"}, "expected a form among points, imps, matchpoints, rubber, got 'butler'"),
        ("3S", {"side": "ns"}, "expected a side among declarer, defenders, got 'ns'"),
        ("3S", {"field_share": 0.5}, "expected field_share and field_score together and at matchpoints"),
        ("3S", {"field_share": 0.5, "field_score": 110}, "expected field_share and field_score together and at match"),
        (
            "3S",
            {"form": "matchpoints", "field_share": [0.5, 50], "field_score": 110},
            "expected field_share from 0 to 1, got 50.0 at position 1",
        ),
        (
            "3S",
            {"form": "matchpoints", "field_share": [0.5, 0.5], "field_score": [110, None]},
            "expected field_score as a number, got a missing value at position 1",
        ),
        (
            ["3S", "4S"],
            {"vulnerable": [True] * 3},
            "expected columns of one length, got shapes [(2,), (3,), (2,), (3,)]",
        ),
        ("3S", {"down": {0: 1}}, "expected undertricks as a whole number 1 to 13, got 0"),
        ("3S", {"made": {0.5: 1}}, "expected overtricks as a whole number 0 to 13, got 0.5"),
        ("3S", {"down": {1: 0.5, 2: -0.1}}, "expected shares of undertricks from 0 up with a sum over 0"),
        ("3S", {"down": {1: math.nan}}, "expected shares of undertricks from 0 up with a sum over 0"),
        ("3S", {"down": {}}, "expected shares of undertricks from 0 up with a sum over 0"),
        (["6S", "7S"], {"made": {1: 1}}, "expected a result -13 to +0 for '7SX', got +1 at position 1"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_its_place(contract, options, message):
    with pytest.raises(ValueError, match="expected") as error:
        break_even(contract, **{"vulnerable": True} | options)
    assert message in str(error.value)


def test_shares_to_move_lie_between_none_and_all():
    with pytest.raises(ValueError, match=r"expected a share between 0 and 1, got 1\.5"):
        shifted_mixes(DOWN, share=1.5)


def test_the_shipped_mixes_add_to_one():
    for mix in (DOWN, DOWN_DOUBLED, OVERTRICKS_DOUBLED):
        assert sum(mix.values()) == pytest.approx(1)
        assert mix_table(mix, name="results", low=0).sum().item() == pytest.approx(1)


@pytest.mark.parametrize(
    ("down", "seen"), [({"one": 1}, "a dict or Series of shares for 'one', got 1"), ({1: 1, "two": 1}, ".*got 'two'")]
)
def test_a_mix_of_words_is_refused(down, seen):
    with pytest.raises(ValueError, match=f"expected {seen}"):
        break_even("3S", vulnerable=False, down=down)
