"""Par: the published boards, the place of the dealer, backward induction on random tables."""

import re

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.notation import SEATS, STRAINS, VULS
from bridge_analytics.par import par, par_score
from bridge_analytics.scoring import score, score_table

ONLY_NOTRUMP = [[6] * 4] * 4 + [[7] * 4]


# The published boards


@pytest.fixture(scope="module")
def boards(shared):
    table = pd.read_csv(shared / "data" / "double_dummy" / "list500.csv", keep_default_na=False)
    columns = [f"tricks_{seat}_{strain[0]}" for strain in STRAINS for seat in SEATS]
    return table.assign(vul=table["vul"].str.lower()), table[columns].to_numpy().reshape(-1, 5, 4)


def spelt_out(words):
    """The contracts of a published list: (contract, declarer), an overtrick standing for every level up to it."""
    for word in words.split():
        level, strain, doubled, side, more = re.fullmatch(r"(\d)([CDHSN])(\*?)-([NESW]+)([+-]\d+)?", word).groups()
        highest = int(level) + max(int(more or 0), 0)
        for each in range(int(level), highest + 1):
            for seat in side:
                yield f"{each}{strain.replace('N', 'NT')}{'X' if doubled else ''}", seat


def test_the_par_scores_of_500_boards(boards):
    table, tricks = boards
    assert len(table) == 500
    np.testing.assert_array_equal(par_score(tricks, table["dealer"], table["vul"]), table["par_score_ns"])


def test_the_par_contracts_of_500_boards(boards):
    table, tricks = boards
    _, contracts = par(tricks, table["dealer"], table["vul"])
    found = [set() for _ in table.index]
    for row in contracts.itertuples():
        found[row.table].add((row.contract, row.declarer))
    expected = [set(spelt_out(words)) for words in table["par_contracts"]]
    assert [place for place in range(500) if found[place] != expected[place]] == []


def test_each_contract_at_par_scores_it(boards):
    table, tricks = boards
    scores, contracts = par(tricks, table["dealer"], table["vul"])
    seat = contracts["declarer"].cat.codes.to_numpy()
    vulnerable = table["vul"].map(VULS.index).to_numpy()[contracts["table"]] >> (seat & 1) & 1
    strain = (contracts["contract"].cat.codes.to_numpy() - 1) % 15 // 3
    won = score(contracts["contract"], vulnerable, tricks[contracts["table"], strain, seat])
    np.testing.assert_array_equal(np.where(seat & 1, -won, won), scores[contracts["table"]])


# The dealer


@pytest.mark.parametrize(("dealer", "expected"), [("N", 90), ("S", 90), ("E", -90), ("W", -90)])
def test_when_both_sides_make_only_one_notrump_the_dealers_side_plays_it(dealer, expected):
    scores, contracts = par(ONLY_NOTRUMP, dealer, "none")
    assert scores == expected
    assert contracts["contract"].tolist() == ["1NT", "1NT"]
    assert set(contracts["declarer"]) == ({"N", "S"} if expected > 0 else {"E", "W"})


def test_a_dealer_who_alone_cannot_make_it_leaves_it_to_the_next_seat():
    tricks = np.array(ONLY_NOTRUMP)
    tricks[4] = [6, 7, 7, 7]  # North goes down where South would make
    assert par_score(tricks, "N", "none") == -90


def test_where_nobody_makes_anything_the_deal_is_passed_out():
    scores, contracts = par(np.full((2, 5, 4), 6), "N", "both")
    assert scores.tolist() == [0, 0]
    assert contracts["contract"].tolist() == ["Pass", "Pass"]
    assert contracts[["declarer", "result"]].isna().all(axis=None)


@pytest.mark.parametrize(("edition", "expected"), [("duplicate-1987", -1400), ("duplicate-before-1987", -1100)])
def test_the_price_of_a_sacrifice_is_that_of_the_edition(edition, expected):
    nothing = [0, 0, 0, 0]
    tricks = [[7, 6, 7, 6], nothing, nothing, [1, 12, 1, 12], nothing]  # 6S makes, 7C is six down
    scores, contracts = par(tricks, "N", "ew", edition=edition)
    assert scores == expected
    assert contracts["contract"].tolist() == ["7CX", "7CX"]


# Backward induction


def value_of(bid, seat, tricks, vul, table):
    """The points of North-South when a seat plays its bid, doubled if it fails."""
    level, strain = bid // 5 + 1, bid % 5
    won = tricks[strain][seat]
    points = int(table[1 + 3 * bid + (won < 6 + level), vul >> (seat & 1) & 1, won])
    return -points if seat & 1 else points


def auction_value(tricks, dealer, vul, table):
    """What best play of the whole auction gives North-South: each seat in turn passes or bids higher and plays it."""
    better = (max, min, max, min)
    raises = [None] * 4  # for each seat, the best that bidding higher can lead to
    for bid in range(34, -1, -1):
        after = []
        for seat in range(4):
            value = value_of(bid, seat, tricks, vul, table)  # three passes
            for turn in (seat + 3, seat + 2, seat + 1):
                if raises[turn % 4] is not None:
                    value = better[turn % 4](value, raises[turn % 4])
            after.append(value)
        raises = [
            value if raises[seat] is None else better[seat](raises[seat], value) for seat, value in enumerate(after)
        ]
    value = 0
    for turn in (dealer + 3, dealer + 2, dealer + 1, dealer):
        value = better[turn % 4](value, raises[turn % 4])
    return value


def likely_tables(rng, n):
    """Both sides together take at most 13 tricks in a strain, as nearly always at the table."""
    side = rng.integers(0, 14, (n, 5, 1))
    return np.clip(np.where(np.arange(4) % 2, 13 - side, side) - rng.integers(0, 3, (n, 5, 4)), 0, 13)


def crowded_tables(rng, n):
    """Up to 17 tricks together, so that both sides can often bid the same contract, and the order of seats matters."""
    side = rng.integers(0, 14, (n, 5, 1))
    return np.clip(np.where(np.arange(4) % 2, 13 - side, side) + rng.integers(-1, 3, (n, 5, 4)), 0, 13)


def any_tables(rng, n):
    return rng.integers(0, 14, (n, 5, 4))


@pytest.mark.parametrize("tables", [likely_tables, crowded_tables])
def test_par_is_what_backward_induction_over_all_auctions_gives(tables):
    rng = np.random.default_rng(20)
    n = 3000
    tricks, (dealers, vuls) = tables(rng, n), rng.integers(0, 4, (2, n))
    table = score_table()
    boards = zip(tricks.tolist(), dealers.tolist(), vuls.tolist(), strict=True)
    np.testing.assert_array_equal(par_score(tricks, dealers, vuls), [auction_value(*board, table) for board in boards])


# The contracts, one bid and one seat at a time


def contracts_at_par(tricks, dealer, vul, table):
    """Contracts from the lowest up, each seat in turn: what is better stands, unless the others have bid it."""
    best, held, found = 0, None, {("Pass", None)}
    for bid in range(35):
        for turn in range(4):
            seat = (dealer + turn) % 4
            sign = -1 if seat % 2 else 1
            value, fails = sign * value_of(bid, seat, tricks, vul, table), tricks[bid % 5][seat] < 7 + bid // 5
            named = f"{bid // 5 + 1}{STRAINS[bid % 5]}{'X' * fails}", SEATS[seat]
            if value > sign * best and held != (bid, 1 - seat % 2):
                best, held, found = sign * value, (bid, seat % 2), {named}
            elif value == sign * best and held is not None and held[1] == seat % 2:
                found.add(named)
    return best, found


@pytest.mark.parametrize("tables", [likely_tables, crowded_tables, any_tables])
@pytest.mark.parametrize("edition", ["duplicate-1987", "rubber-1993"])
def test_contracts_at_par_are_those_found_bid_by_bid(tables, edition):
    rng = np.random.default_rng(21)
    n = 500
    tricks, (dealers, vuls) = tables(rng, n), rng.integers(0, 4, (2, n))
    scores, contracts = par(tricks, dealers, vuls, edition=edition)
    seats = contracts["declarer"].astype(object).where(contracts["declarer"].notna(), None)
    rows = zip(contracts["table"], contracts["contract"], seats, strict=True)
    found = [(int(score), set()) for score in scores]
    for place, *named in rows:
        found[place][1].add(tuple(named))
    table = score_table(edition)
    boards = zip(tricks.tolist(), dealers.tolist(), vuls.tolist(), strict=True)
    assert found == [contracts_at_par(*board, table) for board in boards]


def test_contracts_at_par_come_in_the_order_of_bidding_from_the_dealer_on():
    _, contracts = par(likely_tables(np.random.default_rng(22), 2000), "W", "ns")
    turn = (contracts["declarer"].cat.codes - SEATS.index("W")) % 4
    keys = contracts["table"] * 1000 + contracts["contract"].cat.codes.astype(int) * 4 + turn
    assert keys.is_monotonic_increasing


# Shapes and what is refused


def test_tables_may_come_in_any_shape():
    tricks = np.random.default_rng(1).integers(0, 14, (2, 3, 5, 4))
    dealers, vuls = [["N"], ["E"]], ["none", "ns", "both"]
    scores, contracts = par(tricks, dealers, vuls)
    each = [[int(par_score(tricks[i, j], "NE"[i], vuls[j])) for j in range(3)] for i in range(2)]
    assert scores.tolist() == each
    assert contracts["table"].unique().tolist() == list(range(6))


def test_one_table_under_every_dealer_and_vulnerability():
    scores = par_score(ONLY_NOTRUMP, np.array(SEATS)[:, None], VULS)
    assert scores.tolist() == [[90] * 4, [-90] * 4] * 2


def test_many_tables_are_the_same_as_few():
    tricks = np.random.default_rng(2).integers(0, 14, (20_000, 5, 4))
    scores, contracts = par(tricks, "S", "ew")
    np.testing.assert_array_equal(scores[-100:], par_score(tricks[-100:], "S", "ew"))
    assert contracts["table"].is_monotonic_increasing
    assert contracts["table"].nunique() == 20_000


def test_no_table_has_no_par():
    scores, contracts = par(np.empty((0, 5, 4), int), "N", "none")
    assert len(scores) == len(contracts) == 0


@pytest.mark.parametrize(
    ("tricks", "dealer", "vul", "words"),
    [
        (np.zeros((4, 5)), "N", "none", "expected tricks of five strains .* got an array of shape \\(4, 5\\)"),
        (np.full((5, 4), 14), "N", "none", "expected tricks as a whole number 0 to 13, got 14 at position 0"),
        (ONLY_NOTRUMP, "X", "none", "expected a seat"),
        (ONLY_NOTRUMP, "N", "nobody", "expected a vulnerability"),
    ],
)
def test_what_is_no_table_is_refused(tricks, dealer, vul, words):
    with pytest.raises(ValueError, match=words):
        par(tricks, dealer, vul)
