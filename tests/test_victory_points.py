"""Victory points: the published tables cell by cell, what every scale must keep to, and scales that are none."""

import csv
import math
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.rules import load_edition
from bridge_analytics.victory_points import percent_to_vp, victory_points, wbf_continuous, wbf_discrete

ANY_MATCH = range(1, 201)  # boards
BEYOND = 260  # IMPs: more than wins 20-0 in a match of 200 boards
IMP_SCALES = {"vp-wbf-2013": 32, "vp-wbf-2013-discrete": 32, "vp-acbl-20": 20, "vp-acbl-30": 10}
EXACT = "^{}$"


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return [SimpleNamespace(**case) for case in csv.DictReader(lines)]


def numbers(text):
    return [float(word) for word in text.split()]


def steps(edition):
    kept = [case for case in cases("vp_steps.csv") if (case.edition == "vp-ebu-percent") == (edition == "percent")]
    return pytest.mark.parametrize("case", kept, ids=[f"{case.edition}-{case.boards}" for case in kept])


# The published tables


@pytest.mark.parametrize("case", cases("vp_margins.csv"), ids=lambda case: case.boards)
def test_a_published_table_of_the_continuous_scale(case):
    awards = numbers(case.winner)
    winner, _ = victory_points(range(len(awards)), int(case.boards), edition=case.edition)
    np.testing.assert_array_equal(winner, awards, err_msg=case.source)
    assert awards[-1] == 20


@steps("imps")
def test_an_award_of_a_published_scale_begins_at_its_margin(case):
    edges, awards = np.array(numbers(case.edges)), numbers(case.winner)
    at, _ = victory_points(edges, int(case.boards), edition=case.edition)
    below, _ = victory_points(edges - 1, int(case.boards), edition=case.edition)
    np.testing.assert_array_equal([*below, at[-1]], awards, err_msg=case.source)
    np.testing.assert_array_equal(at, awards[1:], err_msg=case.source)


@steps("percent")
def test_a_percentage_on_an_edge_earns_the_award_nearer_the_average(case):
    edges, awards, boards = np.array(numbers(case.edges)), numbers(case.winner), int(case.boards)
    np.testing.assert_array_equal(percent_to_vp(edges, boards, edition=case.edition), awards[:-1], case.source)
    np.testing.assert_array_equal(percent_to_vp(edges + 0.01, boards, edition=case.edition), awards[1:], case.source)


@pytest.mark.parametrize("case", cases("vp.csv"), ids=lambda case: f"{case.boards}-{case.of}")
def test_what_other_programs_get_wrong(case):
    convert = (
        percent_to_vp if case.edition == "vp-ebu-percent" else lambda *of, **scale: victory_points(*of, **scale)[0]
    )
    assert convert(float(case.of), int(case.boards), edition=case.edition) == float(case.winner), case.source


def test_every_row_of_the_reference_table(shared):
    table = pd.read_csv(shared / "data" / "tables" / "vp_dev.csv", dtype={"boards": "str"})
    editions = {
        "wbf_continuous_2013": "vp-wbf-2013",
        "wbf_discrete_2013": "vp-wbf-2013-discrete",
        "acbl_20": "vp-acbl-20",
    }
    assert len(table) == 585
    for (scale, boards), rows in table.groupby(["scale", "boards"]):
        for length in {int(boards.split("-")[0]), int(boards.split("-")[-1])}:
            found = victory_points(rows["imp_margin"], length, edition=editions[scale])
            np.testing.assert_array_equal(np.transpose(found), rows[["winner_vp", "loser_vp"]], f"{scale} {length}")


# What every scale keeps to


def by_the_formula(boards):
    """The continuous scale in forty digits: the curve, halves up, then raised from the left until it is concave."""
    ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
    blitz = 15 * Decimal(boards).sqrt()
    shares = [(1 - ratio ** (margin / blitz)) / (1 - ratio) for margin in map(Decimal, range(math.ceil(blitz)))]
    awards = [int((1000 + 1000 * share).quantize(Decimal(1), ROUND_HALF_UP)) for share in shares] + [2000]
    place = 2
    while place < len(awards):
        if awards[place] - 2 * awards[place - 1] + awards[place - 2] > 0:
            awards[place - 1] += 1
            place = 2
        else:
            place += 1
    return awards


def test_the_continuous_scale_is_the_formula_in_forty_digits():
    with localcontext() as context:
        context.prec = 40
        for boards in (*range(1, 41), 48, 64, 96, 128, 200):
            assert wbf_continuous(boards).tolist() == by_the_formula(boards), boards


@pytest.mark.parametrize("boards", ANY_MATCH)
def test_a_continuous_scale_rises_by_ever_smaller_hundredths_to_20_at_the_blitz(boards):
    hundredths = wbf_continuous(boards)
    rises = np.diff(hundredths)
    assert (hundredths[0], hundredths[-1]) == (1000, 2000)
    assert hundredths.size - 1 == np.ceil(15 * np.sqrt(boards))
    assert rises.min() >= 0
    assert np.diff(rises).max() <= 0


def test_a_longer_match_never_pays_more_for_the_same_margin():
    tables = [victory_points(range(BEYOND), boards)[0] for boards in ANY_MATCH]
    assert np.diff(tables, axis=0).max() <= 0


@pytest.mark.parametrize("boards", ANY_MATCH)
def test_an_award_of_the_discrete_scale_is_no_narrower_than_the_one_nearer_the_tie(boards):
    starts = wbf_discrete(boards)
    widths = np.diff([1 - starts[0], *starts])
    assert starts[0] > 0
    assert np.diff(widths).min() >= 0


def test_the_two_scales_of_the_federation_are_never_a_point_apart():
    for boards in range(5, 65):
        exact, whole = (victory_points(range(BEYOND), boards, edition=name)[0] for name in list(IMP_SCALES)[:2])
        assert abs(exact - whole).max() < 0.75, boards


@pytest.mark.parametrize(("edition", "total"), [(name, 30 if name == "vp-acbl-30" else 20) for name in IMP_SCALES])
def test_winner_and_loser_share_the_whole(edition, total):
    for boards in ANY_MATCH if edition.startswith("vp-wbf") else range(6, 12):
        winner, loser = victory_points(range(BEYOND), boards, edition=edition)
        np.testing.assert_array_equal(winner + loser, np.full(BEYOND, total))


@pytest.mark.parametrize("edition", IMP_SCALES)
def test_a_lost_match_is_a_won_one_seen_by_the_other_side(edition):
    margins = np.arange(-BEYOND, BEYOND)
    ours, theirs = victory_points(margins, 8, edition=edition)
    back = victory_points(-margins, 8, edition=edition)
    np.testing.assert_array_equal((ours, theirs), back[::-1])
    assert np.diff(ours).min() >= 0


@pytest.mark.parametrize("boards", [1, 4, 8, 24, 55])
def test_the_two_pairs_of_a_match_share_twenty(boards):
    hundredths = np.arange(10_001)
    both = percent_to_vp(hundredths / 100, boards) + percent_to_vp((10_000 - hundredths) / 100, boards)
    np.testing.assert_array_equal(both, np.full(10_001, 20))


def test_a_percentage_that_misses_its_edge_by_the_last_bit_lies_on_it():
    below, on, above = np.nextafter(56.23, 0), 56.23, np.nextafter(56.23, 100)
    assert percent_to_vp([below, on, above, 100 - above], 8).tolist() == [14, 14, 14, 6]


# Arrays


def test_each_match_has_the_scale_of_its_own_boards():
    margins, boards = np.random.default_rng(5).integers(-90, 91, 2000), np.random.default_rng(6).integers(1, 37, 2000)
    for edition in ("vp-wbf-2013", "vp-wbf-2013-discrete", "vp-acbl-20"):
        one_by_one = [
            victory_points(int(m), int(b), edition=edition) for m, b in zip(margins[:300], boards, strict=False)
        ]
        np.testing.assert_array_equal(np.transpose(victory_points(margins, boards, edition=edition))[:300], one_by_one)


def test_each_percentage_has_the_row_of_its_own_boards():
    boards = np.arange(1, 56)
    assert percent_to_vp(np.full(55, 55.0), boards).tolist() == [percent_to_vp(55, int(number)) for number in boards]


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, lambda cells: pd.Series(cells, dtype="Int16")])
def test_columns_of_any_make(kind):
    winner, loser = victory_points(kind([14, -14]), kind([16, 16]))
    assert (winner.tolist(), loser.tolist()) == ([13.75, 6.25], [6.25, 13.75])
    assert percent_to_vp(kind([60, 40]), kind([8, 8])).tolist() == [17, 3]


def test_margins_keep_their_shape():
    winner, loser = victory_points([[0, 1], [2, 43]], 8)
    assert winner.tolist() == [[10, 10.44], [10.86, 20]]
    assert loser.shape == (2, 2)


def test_no_matches_have_no_victory_points():
    assert [part.tolist() for part in victory_points([], 8)] == [[], []]
    assert percent_to_vp([], []).tolist() == []


# What is refused


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: victory_points([1, 2.5], 8),
            "a margin in IMPs as a whole number -32767 to 32767, got 2.5 at position 1",
        ),
        (
            lambda: victory_points([1, None], 8),
            "a margin in IMPs as a whole number -32767 to 32767, got a missing value at position 1",
        ),
        (lambda: victory_points([1, 2], [8, 0]), "boards of a match as a whole number 1 to 1000, got 0 at position 1"),
        (lambda: victory_points([1, 2], [8, 8, 8]), "columns of one length, got shapes [(2,), (3,)]"),
        (
            lambda: victory_points([1, 2, 3], [8, 12, 5], edition="vp-acbl-30"),
            "boards among 6-8, 9-11 for 'vp-acbl-30', got 12 at position 1",
        ),
        (
            lambda: victory_points(1, 8, edition="vp-ebu-percent"),
            "an edition for IMPs, got 'vp-ebu-percent', which is for percent_to_vp",
        ),
        (
            lambda: percent_to_vp(50, 8, edition="vp-wbf-2013"),
            "an edition for percentages, got 'vp-wbf-2013', which is for victory_points",
        ),
        (lambda: percent_to_vp([50, 100.5], 8), "a percentage 0 to 100, got 100.5 at position 1"),
        (lambda: percent_to_vp([50, -1], 8), "a percentage 0 to 100, got -1 at position 1"),
        (lambda: percent_to_vp([50, np.nan], 8), "a percentage 0 to 100, got a missing value at position 1"),
        (
            lambda: percent_to_vp([50, 50], [55, 56]),
            "boards among 1-4, 5-6, 7-9, 10-13, 14-19, 20-27, 28-39, 40-55 for 'vp-ebu-percent', got 56 at position 1",
        ),
    ],
)
def test_what_has_no_award_is_refused(call, message):
    with pytest.raises(ValueError, match=EXACT.format(re.escape(f"expected {message}"))):
        call()


# A federation's own

HALF_MATCH = """
title = "Half a match of a triangle"
kind = "vp"
scale.rule = { value = "imps-from", source = "ours" }
table.boards = { value = [[3, 3], [4, 4]], source = "ours" }
table.edges = { value = [[1, 4, 7, 10, 15], [1, 4, 8, 12, 18]], source = "ours" }
table.winner = { value = [5, 6, 7, 8, 9, 10], source = "ours" }
table.loser = { value = [5, 4, 3, 2, 1, 0], source = "ours" }
"""


@pytest.fixture
def own(tmp_path):
    """Write the scale of a federation with some of its lines changed; give its path."""

    def write(**changed):
        lines = HALF_MATCH
        for key, value in changed.items():
            lines = re.sub(
                rf"(table|scale)\.{key} = {{ value = .*?, source", rf"\1.{key} = {{ value = {value}, source", lines
            )
        (tmp_path / "own.toml").write_text(lines, encoding="utf-8")
        return str(tmp_path / "own.toml")

    return write


def test_a_federation_brings_its_own_table(own):
    winner, loser = victory_points([0, 1, 3, -4, 15, 17], [3, 3, 3, 3, 3, 4], edition=own())
    assert winner.tolist() == [5, 6, 6, 3, 10, 9]
    assert loser.tolist() == [5, 4, 4, 7, 0, 1]


def test_a_scale_may_stop_paying_the_winner_and_go_on_taking_from_the_loser(own):
    scale = own(boards="[[20, 20]]", edges="[[10, 20]]", winner="[15, 25, 25]", loser="[15, 5, 0]")
    assert np.transpose(victory_points([0, 10, -20], 20, edition=scale)).tolist() == [[15, 15], [25, 5], [0, 25]]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rule": '"wbf-discrete"'}, "a table just where scale.rule is 'imps-from' or 'percent-above'"),
        ({"loser": "[]"}, "a table just where scale.rule is 'imps-from' or 'percent-above'"),
        ({"boards": "[[4, 4], [3, 3]]"}, "table.boards from fewer to more"),
        ({"boards": "[[3, 4], [4, 5]]"}, "table.boards from fewer to more"),
        ({"boards": "[[3, 2], [4, 4]]"}, "table.boards from fewer to more"),
        ({"boards": "[[3, 4]]"}, "a row of table.edges for each of table.boards"),
        ({"edges": "[[1, 4, 7, 10, 15], [1, 4, 8, 12]]"}, "a row of table.edges for each of table.boards"),
        ({"edges": "[[1, 4, 7, 10, 15], [1, 4, 8, 8, 18]]"}, "a row of table.edges for each of table.boards"),
        ({"edges": "[[1, 4, 7, 10, 15], [1, 4, 8, 12.5, 18]]"}, "table.edges in whole IMPs from 1"),
        ({"edges": "[[0, 4, 7, 10, 15], [1, 4, 8, 12, 18]]"}, "table.edges in whole IMPs from 1"),
        ({"rule": '"percent-above"'}, "table.edges in whole IMPs from 1, or in percentages from 50 to 100"),
        ({"winner": "[5, 6, 7, 8, 10, 9]"}, "as many awards in table.winner, not falling"),
        ({"loser": "[5, 4, 3, 1, 2, 0]"}, "as many awards in table.winner, not falling, as in table.loser, not rising"),
        ({"loser": "[4, 4, 3, 2, 1, 0]"}, "as many awards in table.winner"),
        ({"loser": "[5, 4, 3, 2, 1]"}, "as many awards in table.winner"),
    ],
)  # fmt: skip
def test_a_scale_that_contradicts_itself_is_refused(own, changed, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}.*, got .* in 'own.toml'$"):
        load_edition(own(**changed))
