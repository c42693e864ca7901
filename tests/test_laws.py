"""The laws of scoring, all 2,968 cells of each edition: against the books, and against the law stated once more."""

import csv
from pathlib import Path

import numpy as np
import pytest

from bridge_analytics.laws import PARTS, part_tables, score_table
from bridge_analytics.notation import CONTRACTS, SEATS
from bridge_analytics.rules import editions, load_edition

# ---- the law once more: one board at a time, from numbers typed out here ---------------------------------------------

DUPLICATE_1987 = {
    "trick": {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30},
    "first trick at no trump": 40,
    "overtrick": {1: {False: 100, True: 200}, 2: {False: 200, True: 400}},
    "partscore": 50,
    "game": {False: 300, True: 500},
    "slam": {6: {False: 500, True: 750}, 7: {False: 1000, True: 1500}},
    "insult": {0: 0, 1: 50, 2: 100},
    "down": {
        0: {False: [50] * 13, True: [100] * 13},
        1: {False: [100, 200, 200] + [300] * 10, True: [200] + [300] * 12},
    },
}
RUBBER_1993 = DUPLICATE_1987 | {"partscore": 0, "game": {False: 0, True: 0}}


def doubled_down(not_vulnerable, vulnerable):
    return {"down": {0: {False: [50] * 13, True: [100] * 13}, 1: {False: not_vulnerable, True: vulnerable}}}


FLAT = [100] + [200] * 12
OLD = doubled_down(FLAT, [200] + [300] * 12) | {"insult": {0: 0, 1: 50, 2: 50}}
TEXT_001 = doubled_down([100, 200, 200, 200] + [300] * 9, [200] + [300] * 12)
INSULT_003 = {"insult": {0: 0, 1: 50, 2: 50}}
LAWS = {
    "duplicate-1987": DUPLICATE_1987,
    "duplicate-before-1987": DUPLICATE_1987 | OLD,
    "duplicate-001": DUPLICATE_1987 | TEXT_001,
    "duplicate-003": DUPLICATE_1987 | INSULT_003 | doubled_down([100, 200, 200] + [300] * 10, [200] + [400] * 12),
    "rubber-1993": RUBBER_1993,
    "rubber-before-1993": RUBBER_1993 | OLD,
    "rubber-001": RUBBER_1993 | TEXT_001,
    "rubber-003": RUBBER_1993 | INSULT_003 | doubled_down(FLAT, [200] + [400] * 12),
    "chicago": RUBBER_1993,
}


def plain_parts(law, contract, vulnerable, tricks):
    """The parts of one score, as a scorer with pencil and paper finds them."""
    parts = dict.fromkeys(PARTS, 0)
    if contract == "Pass":
        return parts
    level, doubled = int(contract[0]), contract.count("X")
    strain = contract[1:].replace("X", "")
    missing = level + 6 - tricks
    if missing > 0:
        lost = sum(law["down"][min(doubled, 1)][vulnerable][:missing])
        return parts | {"penalty": -2 * lost if doubled == 2 else -lost}
    trick = law["trick"][strain]
    points = law["first trick at no trump"] + (level - 1) * trick if strain == "NT" else level * trick
    for _ in range(doubled):
        points += points
    parts["trick_score"] = points
    parts["overtricks"] = -missing * (law["overtrick"][doubled][vulnerable] if doubled else trick)
    if points < 100:
        parts["partscore"] = law["partscore"]
    else:
        parts["game"] = law["game"][vulnerable]
    if level >= 6:
        parts["slam"] = law["slam"][level][vulnerable]
    parts["insult"] = law["insult"][doubled]
    return parts


def cells():
    return [
        (contract, vulnerable, tricks) for contract in CONTRACTS for vulnerable in (False, True) for tricks in range(14)
    ]


def cell_of(contract, vulnerable, tricks):
    return CONTRACTS.index(contract), int(vulnerable), tricks


# ---- the books -------------------------------------------------------------------------------------------------------


def book_cases():
    for name in LAWS:
        with open(Path(__file__).parent / "cases" / f"{name}.csv", encoding="utf-8") as lines:
            for case in csv.DictReader(lines):
                label = f"{name}-{case['contract']}-{'nv'[case['vulnerable'] == 'True']}-{case['tricks']}"
                yield pytest.param(name, case, id=label)


@pytest.mark.parametrize(("edition", "case"), list(book_cases()))
def test_a_result_scores_as_its_source_says(edition, case):
    assert case["vulnerable"] in ("True", "False")
    assert case["source"].strip()
    cell = cell_of(case["contract"], case["vulnerable"] == "True", int(case["tricks"]))
    assert score_table(edition)[cell] == int(case["score"]), case["source"]


def test_the_published_examples_of_law_77_hold(shared):
    with open(shared / "data" / "tables" / "duplicate_dev.csv", encoding="utf-8") as lines:
        examples = list(csv.DictReader(lines))
    assert len(examples) == 56
    table = score_table("duplicate-1987")
    spelled = [line["contract"].replace("N", "NT") for line in examples]
    seen = [
        int(table[cell_of(contract, line["vulnerable"] == "1", int(line["tricks"]))])
        for contract, line in zip(spelled, examples, strict=True)
    ]
    assert seen == [int(line["score"]) for line in examples]


def test_the_worked_examples_of_the_course_hold_part_by_part():
    tables = part_tables(load_edition("rubber-1993"))
    for contract, points in (("3HX", (180, 200, 50)), ("3HXX", (360, 400, 100))):
        parts = dict(zip(PARTS, tables[(slice(None), *cell_of(contract, True, 10))].tolist(), strict=True))
        assert (parts.pop("trick_score"), parts.pop("overtricks"), parts.pop("insult")) == points
        assert set(parts.values()) == {0}


def test_there_are_as_many_results_as_the_literature_counts():
    contracts, _, tricks = score_table("duplicate-1987").shape
    assert (contracts - 1) * len(SEATS) * tricks + 1 == 5881


# ---- every cell ------------------------------------------------------------------------------------------------------


def test_every_scoring_edition_has_its_second_statement():
    table = editions()
    assert set(table.loc[table["kind"] == "scoring", "name"]) == set(LAWS)


@pytest.mark.parametrize("edition", LAWS)
def test_every_cell_is_what_the_law_says(edition):
    expected = [sum(plain_parts(LAWS[edition], *cell).values()) for cell in cells()]
    assert len(expected) == 2968
    np.testing.assert_array_equal(score_table(edition).reshape(-1), expected)


@pytest.mark.parametrize("edition", LAWS)
def test_every_part_of_every_cell_is_what_the_law_says(edition):
    expected = [list(plain_parts(LAWS[edition], *cell).values()) for cell in cells()]
    np.testing.assert_array_equal(part_tables(load_edition(edition)).reshape(len(PARTS), -1).T, expected)


# ---- what holds in every edition -------------------------------------------------------------------------------------


def doubled_states(table):
    """Without Pass: 35 bids x doubled (0, 1, 2) x vulnerable x tricks."""
    return table[1:].reshape(35, 3, 2, 14)


@pytest.mark.parametrize("edition", LAWS)
def test_another_trick_always_scores_more(edition):
    assert (np.diff(score_table(edition)[1:].astype(int), axis=2) > 0).all()


@pytest.mark.parametrize("edition", LAWS)
def test_undertricks_redoubled_cost_twice_what_they_cost_doubled(edition):
    penalty = doubled_states(part_tables(load_edition(edition))[PARTS.index("penalty")])
    assert (penalty[:, 1] < 0).any()
    np.testing.assert_array_equal(penalty[:, 2], 2 * penalty[:, 1])


@pytest.mark.parametrize("edition", LAWS)
def test_a_slam_premium_is_not_changed_by_a_double(edition):
    slam = doubled_states(part_tables(load_edition(edition))[PARTS.index("slam")])
    assert (slam > 0).any()
    np.testing.assert_array_equal(slam[:, 1:], slam[:, :1].repeat(2, axis=1))


@pytest.mark.parametrize("edition", LAWS)
def test_a_partscore_that_nobody_doubled_scores_the_same_vulnerable_or_not(edition):
    tables = part_tables(load_edition(edition))
    made_game = (tables[PARTS.index("trick_score")] >= 100).any(axis=(1, 2))
    partscores = doubled_states(score_table(edition))[~made_game[1:].reshape(35, 3)[:, 0], 0]
    made = partscores[:, 0] > 0
    assert made.sum() == 5 * 7 + 5 * 6 + 4 * 5 + 2 * 4  # bids of levels 1 to 4 below game, times their results
    np.testing.assert_array_equal(partscores[:, 0][made], partscores[:, 1][made])


@pytest.mark.parametrize("edition", LAWS)
def test_every_score_is_a_multiple_of_ten(edition):
    assert not (score_table(edition) % 10).any()


@pytest.mark.parametrize("edition", LAWS)
def test_a_board_passed_out_scores_nothing(edition):
    assert not score_table(edition)[0].any()


# ---- the table -------------------------------------------------------------------------------------------------------


def test_the_score_table_is_made_once_and_cannot_be_written():
    table = score_table("duplicate-1987")
    assert table.dtype == np.int16
    assert table.shape == (106, 2, 14)
    assert score_table(load_edition("duplicate-1987")) is table
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0, 0] = 1


def club_law(folder, premium):
    path = folder / "club.toml"
    path.write_text(f'title = "Club"\nextends = "duplicate-1987"\n[premium]\n{premium}\n', encoding="utf-8")
    return path


def test_a_club_changes_one_number_and_the_rest_stands(tmp_path):
    club = club_law(tmp_path, 'game = { value = [300, 600], source = "house rule" }')
    change = score_table(club) - score_table("duplicate-1987")
    assert change[cell_of("4S", True, 10)] == 100
    assert set(np.unique(change)) == {0, 100}


def test_a_law_file_is_read_again_when_it_changes(tmp_path):
    before = score_table(club_law(tmp_path, 'game = { value = [300, 600], source = "house rule" }'))
    after = score_table(club_law(tmp_path, 'game = { value = [300, 700], source = "house rule" }'))
    assert (before[cell_of("4S", True, 10)], after[cell_of("4S", True, 10)]) == (720, 820)


def test_a_score_too_large_for_the_table_is_refused(tmp_path):
    club = club_law(tmp_path, 'grand_slam = { value = [1000, 32000], source = "house rule" }')
    with pytest.raises(ValueError, match=r"in edition 'club.toml', got 33480 for 7NTXX vulnerable with 13 tricks"):
        score_table(club)


def test_an_edition_of_another_kind_is_no_law_of_scoring():
    with pytest.raises(ValueError, match="expected an edition of kind 'scoring', got 'imps-1962'"):
        score_table("imps-1962")
