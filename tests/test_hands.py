"""Hands valued: the published examples, every holding there is against a plain statement, frequencies of the pack."""

import csv
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bridge_analytics import holdings
from bridge_analytics.cards import parse_deals, parse_hands
from bridge_analytics.deals import random_deals
from bridge_analytics.distribution import distribution_points, length_points, point_parts, total_points
from bridge_analytics.hands import (
    controls,
    kaplan_rubens,
    losers,
    new_losers,
    quick_tricks,
    stoppers,
    suit_quality,
)
from bridge_analytics.openings import rule_of_20, zar_points
from bridge_analytics.points import bergen_points, hcp, side_hcp
from bridge_analytics.shapes import is_balanced, shape, suit_lengths

RANKS = "AKQJT98765432"
WHOLE = [controls, quick_tricks, losers, new_losers, kaplan_rubens, suit_quality, stoppers, zar_points, rule_of_20]
WHOLE += [shape, is_balanced, bergen_points, distribution_points, total_points, length_points]


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def cards(holding):
    """The cards of a holding from the ace down."""
    return "".join(rank for place, rank in enumerate(RANKS) if holding >> 12 - place & 1)


ALL = [cards(holding) for holding in range(8192)]


# The published examples


@pytest.fixture(scope="module")
def published(shared):
    return pd.read_csv(shared / "data" / "tables" / "eval_dev.csv")


COLUMNS = {
    "hcp": hcp,
    "tens_half": lambda hands: point_parts(hands, edition="hands-000")["tens"],
    "pd_raw": distribution_points,
    "seed_ph_counted": lambda hands: point_parts(hands, edition="hands-000")["honours"],
    "seed_pd_counted": lambda hands: point_parts(hands, edition="hands-000")["distribution"],
    "seed_total_suit": lambda hands: total_points(hands, edition="hands-000"),
    "controls": controls,
    "quick_tricks": quick_tricks,
    "ltc": losers,
    "nltc": new_losers,
    "cccc": kaplan_rubens,
    "zar": zar_points,
    "bumrap": lambda hands: hcp(hands, points="points-bumrap"),
    "fifths": lambda hands: hcp(hands, points="points-fifths"),
    "rule_of_20": rule_of_20,
    "adjust3": bergen_points,
}


@pytest.mark.parametrize("column", COLUMNS)
def test_a_sample_of_hands_has_the_published_values(column, published):
    found = COLUMNS[column](parse_hands(published["hand"]))
    np.testing.assert_array_equal(found, published[column])


def test_every_column_of_the_sample_is_checked(published):
    assert set(published.columns) == {*COLUMNS, "hand", "source"}


@pytest.mark.parametrize("case", cases("kaplan_rubens.csv"), ids=lambda case: case["hand"])
def test_kaplan_rubens_as_published(case):
    assert kaplan_rubens(parse_hands(case["hand"])) == float(case["value"]), case["source"]


def test_the_suit_of_the_stig_article_is_worth_8_45():
    assert holdings.kaplan_rubens()[ALL.index("AQT432")] == 8.45 * 20


@pytest.mark.parametrize("case", cases("total_points.csv"), ids=lambda case: f"{case['hand']}-{case['edition']}")
def test_total_points_as_the_text_says(case):
    assert total_points(parse_hands(case["hand"]), edition=case["edition"]) == float(case["total"]), case["source"]


def test_quality_of_suits_as_klinger_counts_it():
    suits = {"Q8742": 6, "KJ954": 7, "J85432": 6, "KJ8432": 8, "KQJT64": 10}
    assert [holdings.suit_quality()[ALL.index(suit)] for suit in suits] == list(suits.values())


# Every holding


def plain_losers(suit):
    return sum(rank not in suit for rank in "AKQ"[: len(suit)])


def plain_quick_tricks(suit):
    pair = suit[:2]
    if pair in ("AK", "AQ"):
        return 2 if pair == "AK" else 1.5
    return 1 if "A" in suit or pair == "KQ" else 0.5 if "K" in suit and len(suit) > 1 else 0


def plain_kaplan_rubens(suit):
    """Pavlicek's steps as a person would do them, in points."""
    n, count = len(suit), lambda ranks: sum(rank in suit for rank in ranks)
    first = sum({"A": 4, "K": 3, "Q": 2, "J": 1, "T": 0.5}.get(rank, 0) for rank in suit)
    if 2 <= n <= 6:
        if "T" in suit and ("J" in suit or count("AKQJ") >= 2):
            first += 0.5
        if "9" in suit and ("8" in suit or "T" in suit or count("AKQJT") == 2):
            first += 0.5
    if 4 <= n <= 6 and "9" in suit and "8" not in suit and "T" not in suit and count("AKQJ") == 3:
        first += 0.5
    first += (n >= 7 and count("QJ") < 2) + (n >= 8 and "Q" not in suit) + (n >= 9 and count("QJ") == 0)
    value = first * n / 10 + {0: 3, 1: 2, 2: 1}.get(n, 0)
    for rank in suit:
        above = suit[: suit.index(rank)]
        if rank == "A":
            value += 3
        elif rank == "K":
            value += 0.5 if n == 1 else 2
        elif rank == "Q" and n > 1:
            value += (1 if above else 0.75) if n > 2 else (0.5 if above else 0.25)
        elif rank == "J":
            value += {2: 0.5, 1: 0.25}.get(len(above), 0)
        elif rank == "T" and (len(above) == 2 or (len(above) == 1 and "9" in suit)):
            value += 0.25
    return value * 20


def plain_stoppers(suit):
    n = len(suit)
    if "A" in suit or ("K" in suit and n > 1) or ("QJ" in suit and n > 2) or ("JT" in suit and n > 3):
        return 1
    return 0.5 if ("Q" in suit and n > 1) or ("J" in suit and n > 2) else 0


PLAIN = {
    "controls": lambda suit: 2 * ("A" in suit) + ("K" in suit),
    "quick_tricks": plain_quick_tricks,
    "losers": plain_losers,
    "new_losers": lambda suit: sum(
        worth for rank, worth in list(zip("AKQ", (1.5, 1, 0.5), strict=True))[: len(suit)] if rank not in suit
    ),
    "kaplan_rubens": plain_kaplan_rubens,
    "suit_quality": lambda suit: len(suit) + sum(rank in "AKQ" or (rank in "JT" and suit[0] in "AKQ") for rank in suit),
    "stoppers": plain_stoppers,
}


@pytest.mark.parametrize("valuation", PLAIN)
def test_every_holding_is_valued_as_a_person_would(valuation):
    found = getattr(holdings, valuation)()
    np.testing.assert_allclose(found, [PLAIN[valuation](suit) for suit in ALL], atol=1e-9)


def with_spades(suits):
    """Hands whose spades are given, the rest filled up from the bottom of the minors with small cards."""
    sets = np.array([sum(1 << 39 + 12 - RANKS.index(rank) for rank in suit) for suit in suits], np.uint64)
    fill = [(1 << 13 - len(suit)) - 1 if suit else (1 << 13) - 1 for suit in suits]
    return sets, np.array(fill, np.uint64)


def plain_points(suit, edition):
    """Honours and shortness of a suit under text 000: what counts of each."""
    honours, short = sum("TJQKA".index(rank) for rank in suit if rank in "TJQKA"), max(3 - len(suit), 0)
    if edition == "hands-000" and len(suit) == 1 and suit in "KQJ":
        return (0, short) if short > honours else (honours, 0)
    if edition == "hands-000" and len(suit) == 2 and ("Q" in suit or "J" in suit):
        short = 0
    return honours, short


@pytest.mark.parametrize("edition", ["hands-work", "hands-000"])
def test_every_holding_has_the_points_the_text_gives_it(edition):
    spades, clubs = with_spades(ALL)
    parts = point_parts(spades | clubs, edition=edition)
    club_cards = [cards(holding) for holding in clubs.tolist()]
    expected = [
        np.add(plain_points(suit, edition), plain_points(filler, edition))
        + np.array([0, 6])  # two voids in the red suits
        for suit, filler in zip(ALL, club_cards, strict=True)
    ]
    np.testing.assert_array_equal(np.transpose([parts["honours"], parts["distribution"]]), expected)


def test_an_unsupported_queen_or_jack_alone_loses_its_doubleton_if_the_club_says_so(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text(
        'title = "a"\nextends = "hands-000"\n[honours]\ndoubleton = { value = "unsupported", source = "committee" }'
    )
    hands = parse_hands(["AQ.5432.5432.432", "Q3.5432.5432.432", "QJ.5432.5432.432", "KJ.5432.5432.432"])
    assert distribution_points(hands, edition=club).tolist() == [1, 0, 0, 1]
    assert distribution_points(hands, edition="hands-000").tolist() == [0, 0, 0, 0]


# Points


def test_the_pack_has_forty_points():
    assert hcp((1 << 52) - 1) == 40
    assert (side_hcp(random_deals(2000, seed=1)).sum(axis=1) == 40).all()


@pytest.mark.parametrize("points", ["points-bumrap", "points-fifths"])
def test_the_other_scales_have_forty_points_too(points):
    assert hcp((1 << 52) - 1, points=points) == 40


def test_with_the_tens_of_the_text_the_hands_of_a_pack_can_have_more_than_forty():
    deal = parse_deals("N:AT2.AT2.AT2.A432 KQJ.KQJ.KQJ.KQJ5 987.987.987.T987 6543.6543.6543.6")
    tens = point_parts(deal, edition="hands-000")["tens"]
    assert side_hcp(deal).sum() + tens.sum() == 40.5


def test_no_distribution_at_no_trump():
    hands = random_deals(500, seed=2)
    for edition in ("hands-work", "hands-000"):
        assert not distribution_points(hands, contract="notrump", edition=edition).any()


def test_at_no_trump_a_lone_honour_keeps_its_points():
    assert total_points(parse_hands("K.Q.J.AKQJT98765"), contract="notrump", edition="hands-000") == 16


def test_the_trump_suit_is_not_short():
    hand = parse_hands("AKQJT9.5432.K32.")
    assert [int(total_points(hand, trumps=suit)) for suit in (None, "C", "S")] == [16, 13, 16]


def test_each_hand_can_have_its_own_trumps():
    hands = random_deals(300, seed=3)
    codes = np.arange(300) % 4
    each = [distribution_points(row, trumps="CDHS"[suit]) for row, suit in zip(hands, codes, strict=True)]
    np.testing.assert_array_equal(distribution_points(hands, trumps=codes[:, None]), each)


def test_a_five_card_suit_has_a_point_for_length():
    assert length_points(parse_hands("AKQ52.K9.Q84.K76")) == 1


def test_a_club_may_count_points_in_hundredths(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text('title = "a"\nextends = "points-work"\n[points]\nten = { value = 0.25, source = "committee" }')
    assert hcp(parse_hands("AT.KT92.AT943.T2"), points=club) == 12


def test_points_that_rise_downwards_are_refused(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text('title = "a"\nextends = "points-work"\n[points]\njack = { value = 5, source = "committee" }')
    with pytest.raises(ValueError, match="expected points not negative, none below the next lower card, got"):
        hcp(1, points=club)


# Shape


def test_balanced_hands_have_one_of_three_shapes():
    hands = random_deals(5000, seed=4)
    np.testing.assert_array_equal(is_balanced(hands), np.isin(shape(hands), ["4-3-3-3", "4-4-3-2", "5-3-3-2"]))


def test_the_shape_is_the_sorted_lengths():
    hands = random_deals(2000, seed=5)[:, 0]
    lengths = -np.sort(-suit_lengths(hands).astype(int), axis=1)
    assert shape(hands).tolist() == ["-".join(map(str, row)) for row in lengths.tolist()]


def test_lengths_run_from_clubs_to_spades():
    assert suit_lengths(parse_hands("AKQJT98.765.43.2")).tolist() == [1, 2, 3, 7]


# Frequencies


@pytest.fixture(scope="module")
def frequencies(shared):
    table = pd.read_csv(shared / "data" / "tables" / "published_dev.csv")
    return table[table["id"].isin(["P01", "P02"])].astype({"value": float, "tolerance": float})


@pytest.fixture(scope="module")
def exact():
    """Percentages of all 635,013,559,600 hands: by points, over the sets of 16 honours; by spades, over their sets."""
    honours = np.array([13 * suit + rank for suit in range(4) for rank in range(9, 13)])
    which = np.arange(1, 1 << 16)[:, None] >> np.arange(16) & 1
    sets = (which.astype(np.uint64) << honours.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    by_points, by_spades = [comb(36, 13)] + [0] * 40, [comb(39, 13)] + [0] * 13
    for held, points in zip(which.sum(axis=1).tolist(), hcp(sets).tolist(), strict=True):
        by_points[points] += comb(36, 13 - held) if held <= 13 else 0
    for length in suit_lengths(np.arange(1, 8192, dtype=np.uint64) << np.uint64(39))[:, 3].tolist():
        by_spades[length] += comb(39, 13 - length)
    assert sum(by_points) == sum(by_spades) == comb(52, 13)
    return {"P01": 100 * np.array(by_points) / comb(52, 13), "P02": 100 * np.array(by_spades) / comb(52, 13)}


def asked(what):
    """The points or cards a line of the published frequencies is about: one number, or from-to."""
    low, _, high = what.split()[4].partition("-")
    return slice(int(low), int(high or low) + 1)


def test_points_and_lengths_are_as_frequent_as_published(frequencies, exact):
    found = np.array([exact[line.id][asked(line.what)].sum() for line in frequencies.itertuples()])
    assert len(found) > 40
    assert (np.abs(found - frequencies["value"]) <= frequencies["tolerance"]).all()


def test_dealt_hands_have_points_and_lengths_as_often_as_that(frequencies):
    n = 200_000
    north = random_deals(n, seed=6)[:, 0]
    seen = {"P01": np.bincount(hcp(north), minlength=41), "P02": np.bincount(suit_lengths(north)[:, 3], minlength=14)}
    chance = frequencies["value"].to_numpy() / 100
    found = np.array([seen[line.id][asked(line.what)].sum() for line in frequencies.itertuples()]) / n
    errors = np.abs(found - chance) / np.sqrt(chance * (1 - chance) / n)
    assert (errors[n * chance >= 10] < 4).all()  # rarer ones are not near normal


# Shapes of arrays and what is no hand


@pytest.mark.parametrize("valuation", [hcp, *WHOLE], ids=lambda valuation: valuation.__name__)
def test_hands_may_come_in_any_shape(valuation):
    deals = random_deals(6, seed=7)
    flat = valuation(deals.reshape(-1))
    np.testing.assert_array_equal(valuation(deals.reshape(2, 3, 4)), flat.reshape(2, 3, 4, *flat.shape[1:]))
    np.testing.assert_array_equal(valuation(deals[0, 0]), flat[0])
    np.testing.assert_array_equal(valuation(deals[0].tolist()), flat[:4])
    assert len(valuation(deals[:0])) == 0


@pytest.mark.parametrize("valuation", WHOLE, ids=lambda valuation: valuation.__name__)
def test_a_hand_that_is_not_whole_is_refused(valuation):
    hands = [*random_deals(1, seed=8)[0, :2], 0b111, 0]
    with pytest.raises(ValueError, match=r"^expected a hand of 13 cards, got 3 cards at position 2$"):
        valuation(hands)


@pytest.mark.parametrize("valuation", WHOLE, ids=lambda valuation: valuation.__name__)
def test_a_hand_that_is_not_known_has_no_value(valuation):
    with pytest.raises(ValueError, match=r"^expected a hand of 13 cards, got one that is not known at position 0$"):
        valuation([0])


@pytest.mark.parametrize("valuation", [hcp, suit_lengths], ids=lambda valuation: valuation.__name__)
def test_the_points_of_a_hand_that_is_not_known_are_not_zero(valuation):
    with pytest.raises(ValueError, match=r"^expected a hand, got one that is not known at position 1$"):
        valuation([7, 0])


def test_a_place_far_into_the_hands_is_named():
    hands = np.full(100_000, (1 << 13) - 1, np.uint64)
    hands[98_765] = 1
    with pytest.raises(ValueError, match=r"at position 98765$"):
        controls(hands)


def test_what_is_no_set_of_cards_is_refused():
    with pytest.raises(ValueError, match="expected a set of cards as a whole number 0 to 4503599627370495, got -1"):
        hcp([-1])


def test_the_points_of_sides_need_deals():
    with pytest.raises(ValueError, match=r"^expected deals of four hands N E S W, got an array of shape \(3,\)$"):
        side_hcp([1, 2, 3])


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"contract": "4S"}, "expected contract 'suit' or 'notrump', got '4S'"),
        ({"trumps": "NT"}, "expected a suit C D H S, got 'NT' at position 0"),
        ({"edition": "points-work"}, "expected an edition of kind 'hands', got 'points-work' of kind 'points'"),
        ({"points": "hands-work"}, "expected an edition of kind 'points', got 'hands-work' of kind 'hands'"),
    ],
)
def test_an_option_that_is_none_of_the_words_is_refused(option, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        total_points(parse_hands("AT.KT92.AT943.T2"), **option)


def test_the_tables_cannot_be_written_into():
    table = holdings.holding_table(holdings.losers)
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1
