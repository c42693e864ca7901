"""What positions at rubber bridge are worth: closed forms, the dice, and published break-even odds."""

import re

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.boards import board_vul, is_vulnerable
from bridge_analytics.contracts import parse_contract
from bridge_analytics.decision import break_even, decision_table
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.rubber import rubber_totals, score_rubbers
from bridge_analytics.rubber_equity import STATE_COLUMNS, rubber_equity, rubber_value

CLOSE = 1e-9  # points, of sums below a thousand


def games_won(p):
    """Every deal is a game worth its 100 trick points; North-South win it with probability p."""
    return pd.DataFrame({"side": ["NS", "EW"], "contract": "3NT", "tricks": 9, "weight": [p, 1 - p]})


def at(equity, *state):
    """The row of a state: games of both sides, part-scores of both."""
    return equity.set_index([*STATE_COLUMNS]).loc[(*state, *(0, 0))[:4]]


@pytest.fixture(scope="module")
def even():
    return rubber_equity(pd.DataFrame({"contract": ["3NT"], "tricks": [9]}))


def test_between_equals_the_first_game_is_worth_350(even):
    assert at(even, 1, 0)["margin_ns"] == pytest.approx(350, abs=CLOSE)


@pytest.mark.parametrize("games", [(0, 0), (1, 1)])
def test_between_equals_a_level_score_is_worth_nothing(even, games):
    assert at(even, *games)["margin_ns"] == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.62, 0.999])
def test_the_premiums_to_come_have_their_closed_forms(p):
    equity = rubber_equity(games_won(p))
    premiums = equity["margin_ns"] - 100 * (2 * p - 1) * equity["deals"]  # without the trick points of each deal
    worth = {state: at(equity.assign(premiums=premiums), *state)["premiums"] for state in ((1, 1), (1, 0), (0, 1))}
    all_square = 500 * (2 * p - 1)
    assert worth[1, 1] == pytest.approx(all_square, abs=CLOSE)
    assert worth[1, 0] == pytest.approx(700 * p + (1 - p) * all_square, abs=CLOSE)
    assert worth[0, 1] == pytest.approx(-700 * (1 - p) + p * all_square, abs=CLOSE)


@pytest.mark.parametrize("p", [0.3, 0.5])
def test_winning_two_games_of_three_has_its_closed_form(p):
    row = at(rubber_equity(games_won(p)), 0, 0)
    assert row["win_ns"] == pytest.approx(p * p * (3 - 2 * p), abs=CLOSE)
    assert row["deals"] == pytest.approx(2 + 2 * p * (1 - p), abs=CLOSE)


def test_the_spread_of_two_games_of_three_has_its_closed_form(even):
    # 2-0 either way: 700 + 200; 2-1: 500 + 100. Each half of the time, with either sign.
    assert at(even, 0, 0)["sd"] == pytest.approx(np.sqrt((900**2 + 600**2) / 2), abs=1e-6)


def test_who_is_one_deal_from_the_end_has_the_spread_of_that_deal(even):
    assert at(even, 1, 1)["sd"] == pytest.approx(600, abs=1e-6)


def test_swapping_the_sides_turns_the_margin_round():
    mix = pd.DataFrame({"contract": ["3NT", "2H", "4S", "4S"], "tricks": [9, 8, 10, 9]})
    equity = rubber_equity(mix).set_index([*STATE_COLUMNS])
    other = equity.reorder_levels([1, 0, 3, 2]).reindex(equity.index)
    np.testing.assert_allclose(equity["margin_ns"], -other["margin_ns"], atol=CLOSE)
    np.testing.assert_allclose(equity["win_ns"], 1 - other["win_ns"], atol=CLOSE)


MIX = pd.DataFrame(
    [
        ("NS", "3NT", 9, 5, None),
        ("NS", "2H", 8, 6, None),
        ("NS", "4SX", 8, 2, None),
        ("NS", "3D", 8, 3, False),
        ("NS", "6H", 12, 2, True),
        ("EW", "1NT", 7, 5, None),
        ("EW", "4H", 11, 4, None),
        ("EW", "2SX", 8, 1, None),
        ("EW", "3C", 7, 2, True),
        (None, "Pass", None, 1, None),
    ],
    columns=["side", "contract", "tricks", "weight", "vulnerable"],
)


def thrown(rubbers, start, seed):
    """Rubbers of random deals from the mix, after a first deal; their margins from there on, deals, and winners."""
    rng, length = np.random.default_rng(seed), 40
    unlimited = MIX[MIX["vulnerable"].isna()]
    rows = rng.choice(len(unlimited), rubbers * length, p=unlimited["weight"] / unlimited["weight"].sum())
    deals = unlimited[["side", "contract", "tricks"]].iloc[rows].assign(rubber=np.repeat(np.arange(rubbers), length))
    deals.iloc[::length, :3] = start
    sheet = score_rubbers(deals.reset_index(drop=True), split=True)
    first = sheet.groupby("rubber")["rubber_id"].transform("min") == sheet["rubber_id"]
    totals = rubber_totals(sheet[first])
    assert totals["finished"].all()
    opening = sheet.iloc[::length]
    spent = (opening["total_ns"] - opening["total_ew"]).to_numpy()
    return totals["margin_ns"] - spent, totals["deals"] - 1, totals["games_ns"] == 2


@pytest.mark.parametrize(
    ("start", "state"),
    [
        ((None, "Pass", None), (0, 0, 0, 0)),
        (("NS", "2H", 8), (0, 0, 60, 0)),
        (("EW", "4H", 10), (0, 1, 0, 0)),
    ],
)
def test_the_dice_come_out_as_the_equations_say(start, state):
    rubbers = 20_000
    margin, deals, won = thrown(rubbers, start, seed=2026)
    row = at(rubber_equity(MIX[MIX["vulnerable"].isna()]), *state)
    for seen, expected in ((margin, row["margin_ns"]), (deals, row["deals"]), (won.astype(float), row["win_ns"])):
        assert abs(seen.mean() - expected) < 3 * seen.std() / np.sqrt(rubbers)
    squares = (margin - row["margin_ns"]) ** 2
    assert abs(squares.mean() - row["sd"] ** 2) < 3 * squares.std() / np.sqrt(rubbers)


def test_outcomes_of_one_vulnerability_come_only_there():
    # Not vulnerable 4S always makes, vulnerable half of the time: 2 deals at game all; x = 1 + x / 4 + 2 / 2 with one
    # game, which is 8/3; and one deal more from the start.
    mix = pd.DataFrame({"contract": "4S", "tricks": [10, 9], "vulnerable": [None, True]})
    equity = rubber_equity(mix)
    deals = [at(equity, *games)["deals"] for games in ((1, 1), (1, 0), (0, 0))]
    assert deals == pytest.approx([2, 8 / 3, 11 / 3], abs=CLOSE)


def test_counts_and_shares_are_one_model():
    shares = MIX.assign(weight=MIX["weight"] / 7)
    pd.testing.assert_frame_equal(rubber_equity(MIX), rubber_equity(shares))


def test_a_model_that_knows_the_part_score_is_asked_in_every_state():
    def adapt(model, state):
        return games_won(1.0 if state["part_ns"] == 60 else 0.5)

    equity = rubber_equity(games_won(0.5), adapt=adapt)
    assert at(equity, 1, 1, 60)["margin_ns"] == pytest.approx(600, abs=CLOSE)
    assert at(equity, 1, 1, 50)["margin_ns"] == pytest.approx(0, abs=CLOSE)


BAD = {
    "expected outcomes for every vulnerability": pd.DataFrame(
        {"contract": ["3NT"], "tricks": [9], "vulnerable": [True]}
    ),
    "expected weights from 0, got -2 at position 1": pd.DataFrame({"contract": "3NT", "tricks": 9, "weight": [1, -2]}),
    "expected weights from 0, got a missing value at position 0": pd.DataFrame(
        {"contract": "3NT", "tricks": 9, "weight": [None, 1.0]}
    ),
    "expected a model with contract and tricks, got no tricks": pd.DataFrame({"contract": ["3NT"]}),
    "expected a model with contract and tricks, got no outcome": pd.DataFrame({"contract": [], "tricks": []}),
    "expected a model in which every rubber can end": pd.DataFrame({"contract": ["3NT"], "tricks": [8]}),
    "expected tricks as a whole number 0 to 13": pd.DataFrame({"contract": ["3NT"], "tricks": [14]}),
}


@pytest.mark.parametrize("message", BAD)
def test_a_model_that_makes_no_rubber_is_refused(message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rubber_equity(BAD[message])


def test_a_result_is_worth_its_points_and_what_is_left(even):
    # a part-score of 60 leaves the even games even; the second game ends it: 100 + 700
    assert rubber_value(even, "2H", 8, vulnerable=False, other_vulnerable=False) == pytest.approx(60, abs=CLOSE)
    assert rubber_value(even, "3NT", 9, vulnerable=True, other_vulnerable=False) == pytest.approx(800, abs=CLOSE)


def test_a_part_score_completed_to_a_game_is_worth_one(even):
    found = rubber_value(even, "1NT", 7, vulnerable=False, other_vulnerable=False, part=60)
    assert found == pytest.approx(40 + 350, abs=CLOSE)


def test_part_scores_that_nobody_can_have_are_refused(even):
    with pytest.raises(ValueError, match="expected part-scores that are multiples of 10, got 55 and 0"):
        rubber_value(even, "1NT", 7, vulnerable=False, other_vulnerable=False, part=55)


def test_an_equity_under_another_law_is_refused(even):
    seats = {"vulnerable": False, "other_vulnerable": False}
    with pytest.raises(ValueError, match="the equity under edition 'rubber-001', got that under 'rubber-1993'"):
        rubber_value(even, "3NT", 9, **seats, edition="rubber-001")
    older = rubber_equity(games_won(0.5), edition="rubber-before-1993")
    with pytest.raises(ValueError, match="'rubber-1993', got that under 'rubber-before-1993'"):
        decision_table("3S", vulnerable=True, other_vulnerable=True, form="rubber", equity=older, edition="rubber-1993")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda equity: equity.drop(columns="edition"), "equity as rubber_equity gives it, .* without edition"),
        (lambda equity: equity[equity["part_ns"] == 0], "expected the equity of every state in order, got 40 rows"),
        (lambda equity: equity.sort_values("margin_ns"), "got 400 rows, filtered or sorted"),
    ],
)
def test_an_equity_that_is_not_whole_is_refused(even, change, message):
    with pytest.raises(ValueError, match=message):
        rubber_value(change(even), "3NT", 9, vulnerable=False, other_vulnerable=False)


def test_an_equity_of_unequal_sides_values_no_result_of_either():
    with pytest.raises(ValueError, match=r"the same for both sides \(a model without sides\), got a margin of 900\.0"):
        rubber_value(rubber_equity(games_won(1.0)), "3NT", 9, vulnerable=False, other_vulnerable=False)


def test_an_equity_may_be_kept_in_a_file(even, tmp_path):
    even.to_csv(tmp_path / "equity.csv", index=False)
    found = rubber_value(pd.read_csv(tmp_path / "equity.csv"), "3NT", 9, vulnerable=True, other_vulnerable=False)
    assert found == pytest.approx(800, abs=CLOSE)


@pytest.fixture(scope="module")
def played_mix(shared):
    """What was played in real events: contract, tricks and declarer's vulnerability, passed-out boards left aside."""
    files = sorted((shared / "data" / "played").glob("*.csv.gz"))
    columns = ["board", "contract", "declarer", "tricks"]
    rows = pd.concat([pd.read_csv(file, usecols=columns, keep_default_na=False) for file in files])
    rows = rows[rows["contract"] != "P"]
    vulnerable = is_vulnerable(board_vul(rows["board"]), rows["declarer"])
    played = pd.DataFrame({"contract": parse_contract(rows["contract"]), "tricks": rows["tricks"].astype(int)})
    return played.assign(vulnerable=vulnerable).value_counts().rename("weight").reset_index()


def doubling(published, equity):
    """Cost and gain of doubling, in the columns of the published table."""
    sides = {
        "vulnerable": published["declarer_vul"].astype(bool).to_numpy(),
        "other_vulnerable": published["defender_vul"].astype(bool).to_numpy(),
    }
    undoubled = parse_contract(published["contract"])
    made = 6 + (undoubled + 14) // 15
    swing = {
        name: rubber_value(equity, undoubled + 1, tricks, **sides) - rubber_value(equity, undoubled, tricks, **sides)
        for name, tricks in (("made", made), ("down1", made - 1), ("down2", made - 2))
    }
    found = {"cost_if_made": swing["made"]}
    found |= {f"gain_{name}": -swing[name] for name in ("down1", "down2")}
    found |= {f"be_{name}": swing["made"] / (swing["made"] - swing[name]) for name in ("down1", "down2")}
    return pd.DataFrame(found)


def test_the_odds_of_doubling_at_rubber_are_the_published_ones(shared, played_mix):
    published = pd.read_csv(shared / "data" / "tables" / "rubber_break_even_shared_mix.csv")
    found = doubling(published, rubber_equity(played_mix))
    last_digits = dict.fromkeys(found, 0.05) | {"be_down1": 0.00005, "be_down2": 0.00005}
    for name, half in last_digits.items():
        assert (found[name] - published[name]).abs().max() <= half + 1e-9, name


def test_contract_codes_of_a_double_follow_the_undoubled_one():
    assert [CONTRACTS[code + 1] for code in parse_contract(["2H", "1NT"])] == ["2HX", "1NTX"]


def test_break_even_odds_at_rubber_are_the_published_ones(shared, played_mix):
    published = pd.read_csv(shared / "data" / "tables" / "rubber_break_even_shared_mix.csv")
    for undertricks in (1, 2):
        odds = break_even(
            published["contract"],
            vulnerable=published["declarer_vul"],
            other_vulnerable=published["defender_vul"],
            form="rubber",
            equity=rubber_equity(played_mix),
            edition="rubber-1993",
            down={undertricks: 1},
        )
        assert (odds["low"] - published[f"be_down{undertricks}"]).abs().max() <= 0.00005 + 1e-9


def test_a_sacrifice_at_rubber_saves_the_other_sides_game(even):
    # 4H would end it: 120 + 500; 4SX two down costs 500 and leaves it at one game all
    table = decision_table(
        "4SX",
        vulnerable=True,
        action="sacrifice",
        base="4H",
        base_vulnerable=True,
        results=[0],
        other=[-2],
        form="rubber",
        equity=even,
        edition="rubber-1993",
    )
    found = table[["score_base", "score_new", "swing"]].iloc[0].tolist()
    assert found == pytest.approx([-620, -500, 120], abs=CLOSE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "expected equity with form 'rubber', and with no other"),
        ({"equity": "even"}, "expected other_vulnerable with form 'rubber' where one side plays both contracts"),
        (
            {"equity": "even", "other_vulnerable": True},
            "expected an edition of rubber bridge, .*, got 'duplicate-1987'",
        ),
    ],
)
def test_a_decision_at_rubber_says_what_it_needs(even, options, message):
    options = {name: even if value == "even" else value for name, value in options.items()}
    with pytest.raises(ValueError, match=message):
        decision_table("3S", vulnerable=True, form="rubber", **options)
