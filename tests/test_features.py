"""The hands behind results, seen from declarer."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.cards import format_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.features import hand_features
from bridge_analytics.points import hcp
from bridge_analytics.results import read_results
from bridge_analytics.shapes import shape, suit_lengths

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def table(rows):
    return read_results(pd.DataFrame(rows, columns=["board", "contract", "declarer", "tricks", "deal"]))


def test_a_deal_seen_from_each_declarer():
    features = hand_features(table([(1, "2S", seat, 8, DEAL) for seat in "NESW"]))
    assert features["declarer_points"].tolist() == [7, 7, 12, 14]
    assert features["dummy_points"].tolist() == [12, 14, 7, 7]
    assert features["side_points"].tolist() == [19, 21, 19, 21]
    assert features["defenders_points"].tolist() == [21, 19, 21, 19]
    assert features["trumps"].tolist() == [5, 8, 5, 8]
    assert features["declarer_shape"].tolist() == ["4-3-3-3", "5-3-3-2", "5-3-3-2", "5-3-3-2"]
    assert features["dummy_shape"].tolist() == ["5-3-3-2", "5-3-3-2", "4-3-3-3", "5-3-3-2"]


def test_there_are_no_trumps_at_no_trump():
    features = hand_features(table([(1, "1NT", "N", 7, DEAL), (1, "1C", "N", 7, DEAL)]))
    assert features["trumps"].isna().tolist() == [True, False]
    assert features["trumps"].tolist()[1] == 8


@pytest.mark.parametrize("deal", [None, "N:QJ6.K652.J85.T98 - - -"])
def test_what_is_not_known_is_missing(deal):
    features = hand_features(table([(1, "2S", "N", 8, deal), (2, "2S", "N", 8, DEAL)]))
    assert features.isna().all(axis=1).tolist() == [True, False]


def test_a_board_that_is_passed_out_has_no_declarer_and_no_features():
    features = hand_features(table([(1, "Pass", None, None, DEAL)]))
    assert features.isna().all(axis=None)


def test_many_results_agree_with_each_hand_valued_alone():
    deals = random_deals(60, seed=1)
    seat = np.arange(60) % 4
    strain = np.arange(60) % 5
    rows = [
        (place + 1, f"3{['C', 'D', 'H', 'S', 'NT'][suit]}", "NESW"[who], 9, text)
        for place, (suit, who, text) in enumerate(zip(strain, seat, format_deals(deals), strict=True))
    ]
    features = hand_features(table(rows))
    own, dummy = deals[np.arange(60), seat], deals[np.arange(60), (seat + 2) % 4]
    np.testing.assert_array_equal(features["side_points"], hcp(own | dummy))
    assert (features["side_points"] + features["defenders_points"] == 40).all()
    assert features["dummy_shape"].tolist() == shape(dummy).tolist()
    fit = suit_lengths(own | dummy)
    expected = [fit[place, suit] if suit < 4 else -1 for place, suit in enumerate(strain)]
    np.testing.assert_array_equal(features["trumps"].fillna(-1), expected)


def test_another_scale_of_points_gives_fractions():
    features = hand_features(table([(1, "2S", "W", 8, DEAL)]), points="points-bumrap")
    assert features["declarer_points"].tolist() == [4.5 * 2 + 3 + 1.5 + 0.75 + 0.25]
    assert features["declarer_points"].dtype == "Float64"


def test_the_index_stays_as_it_was():
    results = table([(1, "2S", "N", 8, DEAL), (2, "2S", "N", 8, DEAL)]).set_axis([7, 3])
    assert hand_features(results).index.tolist() == [7, 3]
