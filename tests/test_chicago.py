"""Chicago: four deals, their vulnerability, part-scores carried along, passed-out deals dealt again."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.chicago import score_chicago
from bridge_analytics.results import read_results
from bridge_analytics.rubber import rubber_totals
from bridge_analytics.scoring import score


def four_deals(*deals, **columns):
    """A round from rows such as "NS 4S 10"."""
    side, contract, tricks = zip(*(deal.split() for deal in deals), strict=True)
    return pd.DataFrame({"rubber": 1, "side": side, "contract": contract, "tricks": [int(n) for n in tricks]} | columns)


def test_the_published_example_comes_to_720_and_1100():
    # CPAN, Games::Cards::Bridge, chicago.t: the opponents of the dealer are vulnerable on deals 2 and 3
    totals = rubber_totals(
        score_chicago(four_deals("NS 4H 10", "NS 3CX 7", "EW 3NT 9", "EW 5D 8"), vulnerable="non_dealer")
    )
    assert totals[["total_ns", "total_ew"]].values.tolist() == [[720, 1100]]


@pytest.mark.parametrize(
    ("vulnerable", "sides"),
    [("dealer", ["none", "ew", "ns", "both"]), ("non_dealer", ["none", "ns", "ew", "both"])],
)
def test_four_deals_have_four_vulnerabilities(vulnerable, sides):
    sheet = score_chicago(four_deals(*["NS 1C 6"] * 4, vul=sides), vulnerable=vulnerable)
    assert sheet["vulnerable_ew"].tolist() == [side in ("ew", "both") for side in sides]


def test_the_dealers_side_is_vulnerable_by_default_whoever_dealt_first():
    sheet = score_chicago(four_deals(*["NS 1C 6"] * 4, dealer=[*"EWSN"]))
    assert sheet["vulnerable_ew"].tolist() == [False, True, False, True]


def test_a_part_score_is_carried_to_a_game_paid_by_its_own_deal():
    # 60, then 40 vulnerable on deal 3: a game of 500; the part-score of the others is cut off
    sheet = score_chicago(four_deals("NS 2S 8", "EW 2C 8", "NS 2C 8", "EW 2H 8"))
    assert sheet["premium_ns"].tolist() == [0, 0, 500, 0]
    assert sheet["part_ew"].tolist() == [0, 40, 0, 60]


def test_a_part_score_on_the_last_deal_earns_a_hundred_whatever_the_others_have():
    sheet = score_chicago(four_deals("NS 2S 8", "EW Pass 0", "EW 1C 5", "EW 2H 8"), passed_out="counts")
    assert sheet[["premium_ns", "premium_ew"]].values.tolist() == [[0, 0], [0, 0], [0, 0], [0, 100]]


def test_a_part_score_that_was_carried_earns_nothing_on_the_last_deal():
    sheet = score_chicago(four_deals("NS 2S 8", "EW 1C 5", "EW 1C 5", "NS 2H 7"))
    assert sheet["premium_ns"].sum() == 0


def test_a_passed_out_deal_is_dealt_again_with_the_same_vulnerability():
    sheet = score_chicago(four_deals("NS 1C 6", "NS Pass 0", "NS 1C 6", "NS 1C 6", "NS 1C 6"))
    assert sheet["deal_number"].tolist() == [1, 2, 2, 3, 4]
    assert sheet["vulnerable_ew"].tolist() == [False, True, True, False, True]


def test_a_redeal_may_bear_the_number_of_its_board():
    sheet = score_chicago(four_deals("NS 1C 6", "NS Pass 0", "NS 1C 6", board=[1, 2, 2]))
    assert sheet["deal_number"].tolist() == [1, 2, 2]


FIVE = ("NS 1C 6", "NS Pass 0", "NS 1C 6", "NS 1C 6", "NS 1C 6")  # the second is dealt again


@pytest.mark.parametrize("dealer", [[*"NESWN"], [*"NEWSW"]])
def test_a_passed_out_deal_dealt_again_by_another_player_is_refused(dealer):
    deals = four_deals(*FIVE, dealer=dealer, source_row=[2, 3, 4, 5, 6])
    message = rf"expected dealer 'E', who dealt the passed-out deal .*, got '{dealer[2]}' at position 2 \(row 4\)"
    with pytest.raises(ValueError, match=message):
        score_chicago(deals)
    assert score_chicago(deals, passed_out="counts", split=True)["rubber_id"].tolist() == [0, 0, 0, 0, 1]


def test_who_deals_again_is_looked_for_in_the_order_of_play():
    deals = four_deals(*FIVE, dealer=[*"NESSW"], board=[11, 12, 13, 14, 15])
    with pytest.raises(ValueError, match=r"expected dealer 'E', .*, got 'S' at position 4$"):
        score_chicago(deals.iloc[[3, 4, 0, 1, 2]])


@pytest.mark.parametrize("dealer", [[*"NEESW"], ["N", *[None] * 3, "W"], [None, "E", *[None] * 3], [None] * 5])
def test_dealers_that_are_not_named_follow_in_turn(dealer):
    sheet = score_chicago(four_deals(*FIVE, dealer=dealer))
    assert sheet["vulnerable_ew"].tolist() == [False, True, True, False, True]


def test_the_first_dealer_may_be_named_later():
    sheet = score_chicago(four_deals(*FIVE, dealer=[None, None, "S", None, None]))
    assert sheet["vulnerable_ns"].tolist() == [False, True, True, False, True]


@pytest.mark.parametrize("first", [1, 6])
def test_a_dealer_by_the_number_of_the_board_knows_of_no_redeal(first):
    deals = read_results(four_deals(*FIVE, board=range(first, first + 5)))
    assert deals["dealer"].iloc[2] != deals["dealer"].iloc[1]
    side = "vulnerable_ew" if first == 1 else "vulnerable_ns"  # the dealer's: N began, or E
    assert score_chicago(deals)[side].tolist() == [False, True, True, False, True]


def test_a_fifth_deal_is_refused_or_begins_another_round():
    five = four_deals(*["NS 1C 6"] * 5)
    with pytest.raises(ValueError, match=r"expected four deals in a round .*, got '1C' at position 4"):
        score_chicago(five)
    assert score_chicago(five, split=True)["rubber_id"].tolist() == [0, 0, 0, 0, 1]


def test_a_part_score_dies_with_its_round():
    sheet = score_chicago(four_deals("EW 1C 6", "EW 1C 6", "EW 1C 6", "NS 2S 8", "NS 2S 8"), split=True)
    assert sheet["part_ns"].tolist() == [0, 0, 0, 60, 60]
    assert sheet["games_ns"].tolist() == [0] * 5


def test_honours_count():
    sheet = score_chicago(four_deals("NS 1C 6", honours_seat="E", honours_points=100))
    assert sheet["total_ew"].tolist() == [150]


def test_an_edition_without_chicago_is_refused():
    with pytest.raises(ValueError, match=r"expected an edition of Chicago, .*, got 'rubber-1993'"):
        score_chicago(four_deals("NS 1C 6"), edition="rubber-1993")


def test_a_word_that_names_no_side_is_refused():
    with pytest.raises(ValueError, match="expected vulnerable 'dealer' or 'non_dealer', got 'declarer'"):
        score_chicago(four_deals("NS 1C 6"), vulnerable="declarer")


@cache
def points_of(contract, vulnerable, tricks):
    return int(score(contract, vulnerable, tricks, edition="chicago"))


def round_by_hand(deals, redeal):
    """Totals of one round kept on paper: the score of each deal by itself, and the premiums."""
    totals, part, number = [0, 0], [0, 0], 1
    for side, contract, tricks in deals:
        if contract == "Pass":
            number += not redeal
            continue
        vulnerable = {1: (0, 0), 2: (0, 1), 3: (1, 0), 4: (1, 1)}[number]
        points = points_of(contract, bool(vulnerable[side]), tricks)
        totals[side if points > 0 else 1 - side] += abs(points)
        if points > 0:
            level, times = int(contract[0]), 2 ** contract.count("X")
            each = 20 if contract[1] in "CD" else 30
            part[side] += times * (level * each + 10 * ("NT" in contract))
            if part[side] >= 100:
                part = [0, 0]
                totals[side] += (300, 500)[vulnerable[side]]
            elif number == 4:
                totals[side] += 100
        number += 1
    return totals


@pytest.mark.parametrize("passed_out", ["redeal", "counts"])
def test_a_thousand_rounds_stand_as_on_paper(passed_out):
    rng = np.random.default_rng(8)
    words = np.array(["Pass", "1C", "2D", "2H", "1NT", "2NT", "3NT", "4S", "2SX", "1NTXX", "6C"])
    rows, expected = [], []
    for number in range(1_000):
        counted, deals = 0, []
        while counted < 4:
            contract = str(rng.choice(words))
            deals.append((int(rng.integers(0, 2)), contract, int(rng.integers(6, 13))))
            counted += contract != "Pass" or passed_out == "counts"
        rows += [(number, ("NS", "EW")[side], contract, tricks) for side, contract, tricks in deals]
        expected.append(round_by_hand(deals, passed_out == "redeal"))
    table = pd.DataFrame(rows, columns=["rubber", "side", "contract", "tricks"])
    totals = rubber_totals(score_chicago(table, passed_out=passed_out))
    assert totals[["total_ns", "total_ew"]].values.tolist() == expected
