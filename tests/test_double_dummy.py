"""Double dummy: boards solved by others, the cache, what happens after an interrupt."""

import sys

import numpy as np
import pandas as pd
import pytest

from bridge_analytics import double_dummy
from bridge_analytics.cards import parse_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.par import par_score

needs_solver = pytest.mark.skipif(sys.version_info >= (3, 14), reason="endplay has no wheel for Python 3.14 and later")


@pytest.fixture
def solved_texts(monkeypatch):
    """The deals that reach the solver, in batches; it gives North's number of spades everywhere, and takes no time."""
    batches = []

    def solver(strains, seats):
        def solve(rows):
            batches.append(rows.copy())
            spades = np.bitwise_count(rows[:, 0] >> np.uint64(39)).astype(np.int8)
            return np.broadcast_to(spades[:, None, None], (len(rows), len(strains), len(seats)))

        return solve

    monkeypatch.setattr(double_dummy, "_solver", solver)
    return batches


@needs_solver
def test_boards_solved_by_others_have_these_tricks(shared):
    boards = pd.read_csv(shared / "data" / "double_dummy" / "list500.csv", keep_default_na=False)
    boards = boards.drop_duplicates("deal").iloc[:345:15]
    expected = boards[[f"tricks_{seat}_{strain[0]}" for strain in STRAINS for seat in SEATS]].to_numpy()
    found = double_dummy.tricks(parse_deals(boards["deal"]))
    np.testing.assert_array_equal(found.reshape(-1, 20), expected)
    np.testing.assert_array_equal(par_score(found, boards["dealer"], boards["vul"].str.lower()), boards["par_score_ns"])


@needs_solver
def test_chosen_strains_are_those_of_the_whole_table():
    deals = random_deals(2, seed=1)
    whole = double_dummy.tricks(deals)
    np.testing.assert_array_equal(double_dummy.tricks(deals, strains=["NT", "H"]), whole[:, [4, 2]])


@needs_solver
@pytest.mark.parametrize("declarers", ["S", "WN", "ESW"])
def test_chosen_declarers_take_the_tricks_of_the_whole_table(declarers):
    deals = random_deals(3, seed=1)
    whole = double_dummy.tricks(deals, strains=["S", "NT"])
    found = double_dummy.tricks(deals, strains=["S", "NT"], declarers=declarers)
    np.testing.assert_array_equal(found, whole[..., [SEATS.index(seat) for seat in declarers]])


def test_a_declarer_solved_later_joins_the_others(solved_texts, tmp_path):
    deals, cache = random_deals(3, seed=5), tmp_path / "solved.parquet"
    double_dummy.tricks(deals, strains=["NT"], declarers="N", cache=cache)
    double_dummy.tricks(deals, strains=["NT"], declarers="NS", cache=cache)
    double_dummy.tricks(deals, strains=["NT"], declarers="S", cache=cache)
    assert len(solved_texts) == 2
    table = pd.read_parquet(cache)
    assert table["tricks_E_NT"].isna().all()
    assert table[["tricks_N_NT", "tricks_S_NT"]].notna().all(axis=None)


def test_nothing_is_solved_twice(solved_texts, tmp_path):
    deals = random_deals(30, seed=2)
    twice = np.concatenate([deals, deals[::-1]]).reshape(2, 30, 4)
    found = double_dummy.tricks(twice, cache=tmp_path / "solved.parquet")
    assert [len(batch) for batch in solved_texts] == [30]
    np.testing.assert_array_equal(found[0], found[1][::-1])
    again = double_dummy.tricks(random_deals(35, seed=2), cache=tmp_path / "solved.parquet")
    assert [len(batch) for batch in solved_texts] == [30, 5]
    np.testing.assert_array_equal(again[:30], found[0])


def test_a_batch_has_at_most_forty_tables(solved_texts):
    found = double_dummy.tricks(random_deals(100, seed=3))
    assert [len(batch) for batch in solved_texts] == [40, 40, 20]
    np.testing.assert_array_equal(found[:, 0, 0], np.bitwise_count(random_deals(100, seed=3)[:, 0] >> np.uint64(39)))


def test_an_interrupt_loses_nothing(solved_texts, tmp_path):
    deals, cache = random_deals(100, seed=4), tmp_path / "solved.parquet"

    def stop(solved, *_):
        if solved >= 80:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        double_dummy.tricks(deals, cache=cache, progress=stop)
    double_dummy.tricks(deals, cache=cache)
    assert [len(batch) for batch in solved_texts] == [40, 40, 20]


def test_a_strain_solved_later_joins_the_others(solved_texts, tmp_path):
    deals, cache = random_deals(3, seed=5), tmp_path / "solved.parquet"
    double_dummy.tricks(deals, strains=["NT"], cache=cache)
    double_dummy.tricks(deals, strains=["NT", "S"], cache=cache)
    double_dummy.tricks(deals, strains=["S"], cache=cache)
    assert len(solved_texts) == 2
    table = pd.read_parquet(cache)
    assert table["tricks_N_C"].isna().all()
    assert table[["tricks_W_NT", "tricks_E_S"]].notna().all(axis=None)


def test_a_cache_keeps_the_deals_of_other_calls(solved_texts, tmp_path):
    cache = tmp_path / "solved.parquet"
    for seed in (6, 7):
        double_dummy.tricks(random_deals(10, seed=seed), cache=cache)
    double_dummy.tricks(random_deals(10, seed=6), cache=cache)
    assert len(solved_texts) == 2
    assert len(pd.read_parquet(cache)) == 20
    assert [path.name for path in tmp_path.iterdir()] == ["solved.parquet"]


def test_progress_counts_what_is_to_be_solved(solved_texts):
    seen = []
    double_dummy.tricks(random_deals(90, seed=8), progress=lambda *step: seen.append(step))
    assert [step[:2] for step in seen] == [(40, 90), (80, 90), (90, 90)]
    assert seen[-1][2] == 0
    assert all(left >= 0 for *_, left in seen)


def test_no_deal_needs_no_solver(monkeypatch):
    monkeypatch.setitem(sys.modules, "endplay.dds", None)
    assert double_dummy.tricks(np.empty((0, 4), np.uint64)).shape == (0, 5, 4)


def test_without_endplay_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "endplay.dds", None)
    with pytest.raises(ImportError, match=r"expected endplay, .* got none: pip install 'bridge-analytics\[dd\]'"):
        double_dummy.tricks(random_deals(1, seed=9))


def test_a_deal_that_is_no_pack_is_refused():
    deals = random_deals(3, seed=10)
    deals[2, 1] = deals[2, 0]
    with pytest.raises(ValueError, match=r"^expected deals of a whole pack, got 'more than one .*' at position 2$"):
        double_dummy.tricks(deals)


def test_a_strain_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"^expected strains C D H S NT, got 'N'$"):
        double_dummy.tricks(random_deals(1, seed=9), strains="N")


def test_a_declarer_who_is_none_is_refused():
    with pytest.raises(ValueError, match=r"^expected declarers N E S W, got 'X'$"):
        double_dummy.tricks(random_deals(1, seed=9), declarers="NX")


def test_a_file_that_is_no_cache_is_left_alone(tmp_path):
    other = tmp_path / "other.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(other)
    with pytest.raises(ValueError, match=r"expected a file of solved deals, got .* without deal_hash, tricks_E_C"):
        double_dummy.tricks(random_deals(1, seed=9), cache=other)
    assert pd.read_parquet(other).columns.tolist() == ["a"]
