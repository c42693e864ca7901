import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bridge_analytics import deals as dealing
from bridge_analytics.cards import check_deals, deal_hash, format_deals
from bridge_analytics.deals import random_deals

ODDS = 1e-4  # a sound generator fails a test of uniformity once in 10,000 seeds; the seeds here are fixed


def cards_of(hands):
    """Whether each hand holds each of the 52 cards."""
    return (hands[..., None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(bool)


@settings(max_examples=25)
@given(st.integers(0, 2**64), st.integers(0, 400))
def test_every_deal_is_a_pack(seed, n):
    dealt = random_deals(n, seed=seed)
    assert dealt.shape == (n, 4)
    assert (check_deals(dealt) == "").all()


def test_a_seed_means_the_same_deals_for_ever():
    assert format_deals(random_deals(2, seed=1)).tolist() == [
        "N:K953.K964.87.T76 62.JT752.A43.AKJ AJ874.A.QT65.432 QT.Q83.KJ92.Q985",
        "N:J87.J83.T.KQ8752 42.Q42.AQ953.AJT KQ963.A95.J62.63 AT5.KT76.K874.94",
    ]


@pytest.mark.parametrize("chunk", [1, 7, 1000, 5000])
def test_the_deals_do_not_depend_on_how_many_are_made_at_a_time(chunk, monkeypatch):
    expected = random_deals(3000, seed=5)
    monkeypatch.setattr(dealing, "_CHUNK", chunk)
    np.testing.assert_array_equal(random_deals(3000, seed=5), expected)


def test_more_deals_of_a_seed_begin_with_the_fewer():
    np.testing.assert_array_equal(random_deals(5000, seed=3)[:1234], random_deals(1234, seed=3))


def test_packs_with_equal_keys_are_left_out_and_the_rest_moves_up(monkeypatch):
    drawn = []

    class Repeating:
        """Every third pack has two equal keys."""

        def __init__(self, seed):
            self.rng = np.random.default_rng(seed)
            self.packs = 0

        def random_raw(self, size):
            keys = self.rng.integers(0, 2**32, (size // 26, 52), dtype=np.uint32)
            for pack in keys:
                self.packs += 1
                if self.packs % 3 == 0:
                    pack[51] = pack[0]
                else:
                    drawn.append(pack.copy())
            return keys.reshape(-1).view(np.uint64)

    monkeypatch.setattr(np.random, "PCG64", Repeating)
    dealt = random_deals(50, seed=1)
    order = np.argsort(np.array(drawn[:50]) >> 6, axis=1)
    by_hand = (np.uint64(1) << order.astype(np.uint64)).reshape(50, 4, 13).sum(axis=2)
    np.testing.assert_array_equal(dealt, by_hand)


def test_no_deal_comes_twice():
    assert len(np.unique(deal_hash(random_deals(50_000, seed=8)))) == 50_000


def test_other_seeds_deal_other_cards():
    assert not np.isin(deal_hash(random_deals(500, seed=1)), deal_hash(random_deals(500, seed=2))).any()


def test_each_card_goes_to_each_seat_equally_often():
    n = 40_000
    held = cards_of(random_deals(n, seed=11)).sum(axis=0)  # seats x cards
    chi_square = ((held - n / 4) ** 2 / (n / 4)).sum() * 51 / 52  # cards of one seat repel each other
    low, high = stats.chi2.ppf([ODDS, 1 - ODDS], 3 * 51)
    assert low < chi_square < high


def test_each_pair_of_cards_is_together_as_often_as_chance_has_it():
    n = 40_000
    north = cards_of(random_deals(n, seed=12)[:, 0]).astype(np.float64)
    together = (north.T @ north)[np.triu_indices(52, 1)]
    chance = 13 * 12 / (52 * 51)
    errors = (together - n * chance) / np.sqrt(n * chance * (1 - chance))
    assert np.abs(errors).max() < stats.norm.isf(ODDS / 2 / len(errors))
    assert abs((errors**2).mean() - 1) < 0.2


@pytest.mark.parametrize("seat", range(4))
def test_spade_lengths_follow_the_hypergeometric_law(seat):
    n = 40_000
    spades = np.bitwise_count(random_deals(n, seed=13)[:, seat] >> np.uint64(39))
    law = stats.hypergeom(52, 13, 13).pmf(np.arange(14))
    observed = np.bincount(spades, minlength=14)
    seen, expected = [*observed[:8], observed[8:].sum()], [*law[:8], law[8:].sum()]
    assert stats.chisquare(seen, np.array(expected) * n).pvalue > ODDS


@pytest.mark.parametrize(("n", "seed", "what"), [(-1, 1, "-1"), (2.0, 1, "2.0"), (True, 1, "True"), ("2", 1, "'2'")])
def test_the_number_of_deals_is_a_whole_number(n, seed, what):
    with pytest.raises(ValueError, match=f"expected a number of deals as a whole number from 0, got {what}$"):
        random_deals(n, seed=seed)


@pytest.mark.parametrize("seed", [None, -1, 1.5])
def test_a_seed_is_always_given(seed):
    with pytest.raises(ValueError, match=f"expected a seed as a whole number from 0, got {seed}$"):
        random_deals(1, seed=seed)


def test_numpy_integers_count_deals_too():
    np.testing.assert_array_equal(random_deals(np.int64(3), seed=np.uint8(4)), random_deals(3, seed=4))
