import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.cards import check_deals, deal_hash, format_deals, format_hands, parse_deals, parse_hands

RANKS = "23456789TJQKA"
A_DEAL = "N:K953.K964.87.T76 62.JT752.A43.AKJ AJ874.A.QT65.432 QT.Q83.KJ92.Q985"
TURNED = "S:AJ874.A.QT65.432 QT.Q83.KJ92.Q985 K953.K964.87.T76 62.JT752.A43.AKJ"

packs = st.permutations(range(52)).map(
    lambda cards: [sum(1 << c for c in cards[13 * s : 13 * s + 13]) for s in range(4)]
)
sets_of_cards = st.sets(st.integers(0, 51)).map(lambda cards: sum(1 << card for card in cards))


def plain_hand(text: str) -> int:
    """Read a hand letter by letter."""
    suits = reversed(text.upper().replace("10", "T").replace("-", "").split("."))
    return sum(1 << (13 * suit + RANKS.index(rank)) for suit, ranks in enumerate(suits) for rank in ranks)


def test_a_hand_is_read_suit_by_suit_from_spades_down():
    assert parse_hands("AKQ52.K9.Q84.K76") == plain_hand("AKQ52.K9.Q84.K76")


def test_the_deuce_of_clubs_is_the_lowest_bit_and_the_ace_of_spades_the_highest():
    assert parse_hands(["...2", "A...", "..2.A"]).tolist() == [1, 1 << 51, (1 << 13) | (1 << 12)]


@pytest.mark.parametrize("text", ["akt52.k9.q84.k76", "52TKA.9K.48Q.67K", "AK1052.K9.Q84.K76", " AKT52.K9.Q84.K76 "])
def test_a_hand_may_be_written_in_any_case_and_order_and_with_10(text):
    assert parse_hands(text) == parse_hands("AKT52.K9.Q84.K76")


@pytest.mark.parametrize("text", ["AKQ.-.5432.765432", "AKQ..5432.765432"])
def test_a_void_is_nothing_or_a_dash(text):
    assert parse_hands(text) == plain_hand("AKQ..5432.765432")


def test_every_holding_in_every_suit_comes_back_as_it_was():
    holdings = np.arange(1, 8192, dtype=np.uint64)[:, None] << np.array([0, 13, 26, 39], np.uint64)
    np.testing.assert_array_equal(parse_hands(format_hands(holdings)), holdings)


def test_every_spade_holding_is_spelt_from_the_ace_down():
    expected = ["".join(r for i, r in reversed(list(enumerate(RANKS))) if n >> i & 1) for n in range(1, 8192)]
    spelt = format_hands(np.arange(1, 8192, dtype=np.uint64) << np.uint64(39))
    assert [text.removesuffix("...") for text in spelt] == expected


@given(st.lists(st.lists(sets_of_cards, min_size=4, max_size=4), min_size=1, max_size=30))
def test_deals_come_back_from_their_text_whatever_the_hands_hold(deals):
    np.testing.assert_array_equal(parse_deals(format_deals(deals)), np.array(deals, np.uint64))


@given(st.lists(packs, min_size=1, max_size=10), st.integers(0, 3))
def test_a_deal_is_the_same_from_whichever_seat_it_is_told(deals, first):
    hands = format_hands(deals)
    told = ["NESW"[first] + ":" + " ".join(np.roll(row, -first)) for row in hands]
    np.testing.assert_array_equal(parse_deals(told), np.array(deals, np.uint64))


@given(sets_of_cards)
def test_the_fast_reader_agrees_with_reading_letter_by_letter(hand):
    text = format_hands(hand)
    assert plain_hand(text if text != "-" else "...") == hand


def test_a_hand_of_a_deal_may_be_unknown():
    deal = parse_deals("W:2.J5.K93.AKT9852 - KJT7654.K4.6.Q73 -")
    assert np.bitwise_count(deal).tolist() == [0, 13, 0, 13]
    assert format_deals(deal) == "N:- KJT7654.K4.6.Q73 - 2.J5.K93.AKT9852"


def test_deals_north_first_is_how_they_are_written():
    assert format_deals(parse_deals(TURNED)) == A_DEAL


def test_extra_blanks_do_not_change_a_deal():
    spaced = A_DEAL.replace(" ", " \t ").replace("N:", " n: ") + "\n"
    np.testing.assert_array_equal(parse_deals([spaced, A_DEAL]), parse_deals([A_DEAL, A_DEAL]))


COLUMNS = {
    "list": list,
    "numpy text": lambda texts: np.array(texts),
    "numpy objects": lambda texts: np.array(texts, object),
    "pandas str": lambda texts: pd.Series(texts, index=range(5, 5 + len(texts))),
    "pandas object": lambda texts: pd.Series(texts, dtype=object),
    "pandas category": lambda texts: pd.Series(pd.Categorical(texts, categories=[TURNED, "N:- - - -", A_DEAL])),
    "pandas index": pd.Index,
    "arrow": pa.array,
    "arrow chunks": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
}


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_deals_are_read_from_every_make_of_column(make):
    texts = [A_DEAL, TURNED, "N:- - - -"]
    np.testing.assert_array_equal(parse_deals(make(texts)), [parse_deals(text) for text in texts])


def test_deals_are_read_from_polars():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    np.testing.assert_array_equal(parse_deals(polars.Series([A_DEAL, TURNED])), parse_deals([A_DEAL, TURNED]))


def test_a_table_of_hands_keeps_its_shape():
    table = np.array([["A...", "K..."], [".2..", "-"], ["..9.", "...T"]])
    assert parse_hands(table).shape == (3, 2)
    assert parse_deals(np.array([[A_DEAL], [TURNED]])).shape == (2, 1, 4)


def test_one_hand_or_deal_gives_one_back():
    assert isinstance(parse_hands("A..."), np.uint64)
    assert parse_deals(A_DEAL).shape == (4,)
    assert isinstance(format_deals(parse_deals(A_DEAL)), str)
    assert isinstance(deal_hash(parse_deals(A_DEAL)), np.uint64)


def test_nothing_is_read_from_nothing():
    assert parse_hands([]).shape == (0,)
    assert parse_deals([]).shape == (0, 4)
    assert format_deals(np.empty((0, 4), np.uint64)).shape == (0,)
    assert check_deals(np.empty((0, 4), np.uint64)).shape == (0,)


BAD_HANDS = [
    "",
    " ",
    "AKQ",
    "A.K.Q",
    "A.K.Q.J.T",
    "AA...",
    "T10...",
    "A.K.Q.X",
    "A1...",
    "1.0..",
    "A0...",
    "A-...",
    "--...",
    "A... K...",
    "♠A.K.Q.J",
    "N:A...",
    "A" * 8193 + "...",
]


@pytest.mark.parametrize("text", BAD_HANDS, ids=ascii)
def test_what_is_not_a_hand_is_refused_with_its_position(text):
    expected = "expected a hand of four suits S.H.D.C such as 'AKQ52.K9.Q84.K76', no card twice"
    with pytest.raises(ValueError, match=re.escape(f"{expected}, got {text!r} at position 1") + "$"):
        parse_hands(["A...", text, "also wrong"])


BAD_DEALS = [
    "",
    "N:",
    A_DEAL.removeprefix("N:"),
    A_DEAL.replace("N:", "X:"),
    A_DEAL.replace("N:", "NS:"),
    A_DEAL.replace("N:", "N::"),
    A_DEAL.replace("N:", "N"),
    A_DEAL.rpartition(" ")[0],
    A_DEAL + " -",
    A_DEAL + " x",
    A_DEAL.replace("K953", "KK53"),
    A_DEAL.replace("K953", "K95N:3"),
    "N:N: - - - -",
]


@pytest.mark.parametrize("text", BAD_DEALS)
def test_what_is_not_a_deal_is_refused_with_its_position(text):
    with pytest.raises(ValueError, match=f"^expected a deal such as .*{re.escape(f', got {text!r} at position 2')}$"):
        parse_deals([A_DEAL, TURNED, text, A_DEAL])


@pytest.mark.parametrize("null", [None, float("nan"), pd.NA, 7])
def test_a_missing_deal_is_refused_and_not_taken_for_an_unknown_one(null):
    with pytest.raises(ValueError, match=r"got .* at position 1$"):
        parse_deals([A_DEAL, null])


def test_a_missing_deal_in_a_pandas_column_is_refused_with_its_position():
    with pytest.raises(ValueError, match=r"got None at position 20001$"):
        parse_deals(pd.Series([A_DEAL] * 20_001 + [None]))


def test_a_bad_deal_far_down_is_found_where_it_stands():
    with pytest.raises(ValueError, match=r"got 'N:A' at position 40000$"):
        parse_deals([A_DEAL] * 40_000 + ["N:A"] + [A_DEAL] * 5)


@settings(max_examples=300)
@given(st.lists(st.text("AKT10.- N:\n2é", max_size=12), min_size=1, max_size=4))
def test_no_text_is_half_read(texts):
    try:
        hands = parse_hands(texts)
    except ValueError:
        return
    for text, hand in zip(texts, hands, strict=True):
        suits = text.strip().upper().replace("10", "T")
        assert plain_hand(suits if suits != "-" else "...") == hand


def test_a_sound_deal_has_no_fault():
    assert check_deals(parse_deals([A_DEAL, TURNED])).tolist() == ["", ""]


@given(packs)
def test_every_pack_is_sound(deal):
    assert check_deals(deal) == ""


FAULTY = {
    "N:K953.K964.87.T76 62.JT752.A43.AKJ AJ874.A.QT65.432 -": "W is not known",
    A_DEAL.replace("K953.", "953."): "N has 12 cards",
    A_DEAL.replace("K953.", "A953."): "more than one seat holds SA",
    A_DEAL.replace("QT.Q83", "KQT.KQ83"): "W has 15 cards; more than one seat holds SK HK",
    "N:- - - -": "N is not known; E is not known; S is not known; W is not known",
}


@pytest.mark.parametrize("text", FAULTY)
def test_a_faulty_deal_says_what_is_wrong(text):
    assert check_deals(parse_deals(text)) == FAULTY[text]


def test_faults_stand_beside_their_deals():
    deals = parse_deals([A_DEAL, *FAULTY, TURNED])
    assert check_deals(deals).tolist() == ["", *FAULTY.values(), ""]


@pytest.mark.parametrize("use", [format_deals, check_deals, deal_hash])
def test_a_deal_has_four_hands(use):
    with pytest.raises(ValueError, match=r"expected deals of four hands N E S W, got an array of shape \(2, 3\)"):
        use([[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("number", [1 << 52, -1, 1.5])
@pytest.mark.parametrize("use", [format_deals, check_deals, deal_hash])
def test_a_number_that_is_no_set_of_cards_is_refused(use, number):
    with pytest.raises(ValueError, match=f"expected a set of cards .*, got {number} at position 6"):
        use([[1, 2, 4, 8], [1, 2, number, 8]])


def plain_hash(deal: list[int]) -> int:
    """One SplitMix64 step a hand, in whole numbers."""
    state = 0
    for hand in deal:
        state = (state ^ hand) + 0x9E3779B97F4A7C15 & (1 << 64) - 1
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        state = (state ^ state >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        state ^= state >> 31
    return state


@given(st.lists(st.lists(sets_of_cards, min_size=4, max_size=4), min_size=1, max_size=10))
def test_the_hash_of_a_deal_is_splitmix64_over_its_hands(deals):
    assert deal_hash(deals).tolist() == [plain_hash(deal) for deal in deals]


def test_the_first_step_of_splitmix64_from_zero_is_the_published_one():
    assert plain_hash([0]) == 0xE220A8397B1DCDAF  # first output of splitmix64.c for seed 0


def test_deals_that_differ_by_one_card_have_different_hashes():
    deal = parse_deals(A_DEAL)
    others = deal ^ (np.uint64(1) << np.arange(52, dtype=np.uint64))[:, None, None] * np.eye(4, dtype=np.uint64)
    assert len(np.unique(deal_hash(np.concatenate([others.reshape(-1, 4), [deal]])))) == 52 * 4 + 1


def test_the_input_is_left_as_it_was():
    deals = parse_deals([A_DEAL, TURNED])
    before = deals.copy()
    format_deals(deals), check_deals(deals), deal_hash(deals)
    np.testing.assert_array_equal(deals, before)


def test_the_published_deals_are_sound_and_come_back(shared):
    deals = pd.read_csv(shared / "data" / "double_dummy" / "list500.csv")["deal"]
    read = parse_deals(deals)
    assert (check_deals(read) == "").all()
    assert len(np.unique(deal_hash(read))) == 347  # the file's description says so
    np.testing.assert_array_equal(parse_deals(format_deals(read)), read)
