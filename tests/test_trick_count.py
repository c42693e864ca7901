"""Tricks counted from the cards, against a plain statement of who wins a trick."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_analytics.cards import parse_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.trick_count import card_codes, count_tricks

UNKNOWN = np.zeros((1, 4), np.uint64)


def plays(deal, trump, declarer, draw):
    """A play in which everybody follows suit, chosen card by card; the tricks of declarer's side, counted alongside."""
    hands = [[card for card in range(52) if int(hand) >> card & 1] for hand in deal]
    leader, cards, tricks = (declarer + 1) % 4, [], 0
    for _ in range(13):
        trick = {}
        for seat in [(leader + turn) % 4 for turn in range(4)]:
            suit = next(iter(trick.values())) // 13 if trick else None
            allowed = [card for card in hands[seat] if card // 13 == suit] or hands[seat]
            trick[seat] = allowed[draw(len(allowed))]
            hands[seat].remove(trick[seat])
        cards += trick.values()
        led = trick[leader] // 13
        ruffs = [card for card in trick.values() if card // 13 == trump]
        best = max(ruffs or [card for card in trick.values() if card // 13 == led])
        leader = next(seat for seat, card in trick.items() if card == best)
        tricks += leader in (declarer, (declarer + 2) % 4)
    return cards, tricks


@given(st.integers(0, 10_000), st.integers(0, 4), st.integers(0, 3))
def test_tricks_are_counted_as_at_the_table(seed, trump, declarer):
    deal, draw = random_deals(1, seed=seed), np.random.default_rng(seed).integers
    cards, tricks = plays(deal[0], trump, declarer, draw)
    for known in (deal, UNKNOWN):
        counted, sound = count_tricks(np.array([cards], np.int8), np.array([trump]), np.array([declarer]), known)
        assert (counted[0], sound[0]) == (tricks, True)


def test_many_plays_are_counted_each_by_itself():
    deals, draw = random_deals(40, seed=5), np.random.default_rng(5).integers
    trumps, declarers = np.arange(40) % 5, np.arange(40) % 4
    told = [plays(*row, draw) for row in zip(deals, trumps.tolist(), declarers.tolist(), strict=True)]
    counted, sound = count_tricks(np.array([cards for cards, _ in told], np.int8), trumps, declarers, deals)
    assert sound.all()
    assert counted.tolist() == [tricks for _, tricks in told]


def test_a_hand_of_one_suit_takes_all_tricks_if_that_is_trumps_and_none_if_it_never_leads():
    deal = parse_deals("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")[None]
    suits = [[suit + rank for rank in "AKQJT98765432"] for suit in "SHDC"]  # of North, East, South and West
    by_east = [suits[(1 + turn) % 4][trick] for trick in range(13) for turn in range(4)]
    by_north = by_east[:4] + [suits[turn][trick] for trick in range(1, 13) for turn in range(4)]
    cards = card_codes(["".join(by_east), "".join(by_north)])
    counted, sound = count_tricks(cards, np.array([4, 3]), np.array([0, 0]), np.repeat(deal, 2, axis=0))
    assert sound.all()
    assert counted.tolist() == [0, 13]


@pytest.fixture
def play():
    deal = random_deals(1, seed=3)
    return deal, np.array([plays(deal[0], 4, 0, np.random.default_rng(3).integers)[0]], np.int8)


def count(deal, cards):
    return count_tricks(cards, np.array([4]), np.array([0]), deal)[1][0]


@pytest.mark.parametrize("place", range(4))
def test_a_card_played_by_another_hand_is_seen(play, place):
    deal, cards = play
    cards[0, [place, (place + 1) % 4]] = cards[0, [(place + 1) % 4, place]]
    assert not count(deal, cards)


@pytest.mark.parametrize("known", [True, False])
def test_a_card_played_twice_is_seen(play, known):
    deal, cards = play
    cards[0, 8] = cards[0, 0]
    assert not count(deal if known else UNKNOWN, cards)


def test_what_is_no_card_is_seen(play):
    deal, cards = play
    cards[0, 51] = card_codes(["1?"])[0, 0]
    assert not count(deal, cards)
