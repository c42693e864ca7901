"""Movements: the printed ones cell by cell, what each must keep to, and cards in which somebody meets twice."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.movements import check_movement, howell, mitchell

PRINTED = pd.read_csv(Path(__file__).parent / "cases" / "movements.csv")
MADE = {
    "mitchell-5": lambda: mitchell(5),
    "share-and-relay-6": lambda: mitchell(6, even="share_and_relay"),
    "howell-8": lambda: howell(8),
    "howell-10": lambda: howell(10),
}
TABLES = range(2, 26)
EVEN, ODD = list(TABLES[::2]), list(TABLES[1::2])


def meetings(movement):
    return movement.drop_duplicates(["round", "table"])[["ns", "ew"]].to_numpy(np.int64)


def times_met(movement):
    return pd.Series(map(tuple, meetings(movement))).value_counts()


# As printed


@pytest.mark.parametrize("name", MADE)
def test_a_printed_movement_cell_by_cell(name):
    printed = PRINTED[PRINTED["movement"] == name].sort_values(["round", "table"])
    cells = printed[["round", "table", "ns", "ew", "set"]].to_numpy()
    np.testing.assert_array_equal(MADE[name]().to_numpy(np.int64), cells, printed["source"].iloc[0])


def test_all_four_movements_are_printed_whole():
    assert PRINTED.groupby("movement", sort=False).size().to_dict() == dict(
        zip(MADE, (5 * 5, 6 * 6, 4 * 7, 5 * 9), strict=True)
    )


# What each kind keeps to


@pytest.mark.parametrize("tables", ODD)
def test_in_an_odd_mitchell_all_meet_on_all_sets_and_nobody_twice(tables):
    movement = mitchell(tables)
    assert len(check_movement(movement, winners=2)) == 0
    assert (times_met(movement) == 1).all()
    assert len(times_met(movement)) == tables**2
    assert (movement.groupby("ns")["board"].nunique() == tables).all()
    assert (movement.groupby("ew")["board"].nunique() == tables).all()


@pytest.mark.parametrize("tables", EVEN)
def test_a_skip_mitchell_has_one_round_less_than_tables_and_nobody_meets_twice(tables):
    movement = mitchell(tables, even="skip")
    assert movement["round"].max() == tables - 1
    assert len(movement) == tables * (tables - 1)
    assert len(check_movement(movement, winners=2)) == 0
    assert (times_met(movement) == 1).all()


@pytest.mark.parametrize("tables", EVEN)
def test_a_share_and_relay_has_a_round_a_table_and_all_meet(tables):
    movement = mitchell(tables, even="share_and_relay")
    assert len(check_movement(movement, winners=2)) == 0
    assert len(times_met(movement)) == tables**2
    sets = movement.pivot_table(index="round", columns="table", values="board")
    assert (sets[1] == sets[tables]).all()
    assert (sets.nunique(axis=1) == tables - 1).all()


@pytest.mark.parametrize("tables", EVEN)
def test_half_the_rounds_of_an_even_mitchell_need_no_skip(tables):
    movement = mitchell(tables, rounds=tables // 2)
    assert len(check_movement(movement, winners=2)) == 0
    pd.testing.assert_frame_equal(
        movement, mitchell(tables, even="skip", rounds=tables // 2) if tables > 2 else movement
    )


def test_one_round_more_of_a_skip_mitchell_repeats_every_opponent():
    movement = mitchell(6, even="skip")
    again = mitchell(6, rounds=1).assign(round=6, ew=lambda rows: (rows["ew"] - 7) % 6 + 1)
    assert check_movement(pd.concat([movement, again]), winners=2)["rule"].eq("opponent_twice").sum() == 6


@pytest.mark.parametrize("pairs", [8, 10])
def test_in_a_howell_every_two_pairs_meet_once_and_all_play_all_boards(pairs):
    movement = howell(pairs, boards_per_round=3)
    assert len(check_movement(movement, winners=1)) == 0
    assert sorted(map(tuple, np.sort(meetings(movement)))) == list(combinations(range(1, pairs + 1), 2))
    boards = pd.concat([movement.set_index(side)["board"] for side in ("ns", "ew")])
    assert all(sorted(own) == list(range(1, 3 * (pairs - 1) + 1)) for _, own in boards.groupby(level=0))


def test_one_set_is_as_many_boards_as_are_asked_for():
    movement = mitchell(3, boards_per_round=4)
    assert movement.columns.tolist() == ["round", "table", "ns", "ew", "board"]
    assert len(movement) == 3 * 3 * 4
    at_the_second = movement.query("round == 2 and table == 2")
    assert at_the_second["board"].tolist() == [9, 10, 11, 12]
    assert set(at_the_second["ew"]) == {1}


def test_rounds_left_out_are_the_last_ones():
    pd.testing.assert_frame_equal(mitchell(7, rounds=5), mitchell(7).query("round <= 5"))


# Arrow switch and missing pairs


def test_an_arrow_switch_turns_the_last_rounds_round_and_makes_one_field():
    plain, switched = mitchell(7, boards_per_round=2), mitchell(7, boards_per_round=2, arrow_switch=1)
    early, last = switched["round"] < 7, switched["round"] == 7
    np.testing.assert_array_equal(switched.loc[early, ["ns", "ew"]], plain.loc[early, ["ns", "ew"]] + [0, 7])
    np.testing.assert_array_equal(switched.loc[last, ["ew", "ns"]], plain.loc[last, ["ns", "ew"]] + [0, 7])
    assert len(check_movement(switched, winners=1)) == 0
    assert sorted(set(switched["ns"]) | set(switched["ew"])) == list(range(1, 15))


@pytest.mark.parametrize("side", ["ns", "ew"])
@pytest.mark.parametrize("arrow_switch", [0, 2])
def test_a_half_table_is_named_and_the_opponents_sit_out(side, arrow_switch):
    full = mitchell(5, arrow_switch=arrow_switch)
    half = mitchell(5, arrow_switch=arrow_switch, sit_out=side)
    missing = 5 if side == "ns" or not arrow_switch else 10
    for name in ("ns", "ew"):
        away = (full[name] == missing) & (arrow_switch > 0 or name == side)
        assert half[name].isna().tolist() == away.tolist()
        assert half[name].dropna().tolist() == full.loc[~away, name].tolist()
    assert half[["ns", "ew"]].isna().sum().sum() == 5
    assert len(check_movement(half, winners=1 if arrow_switch else 2)) == 0


def test_seven_pairs_play_the_howell_of_eight():
    movement = howell(8, sit_out=8)
    assert movement["ns"].isna().sum() == 7
    assert set(movement.loc[movement["ns"].isna(), "ew"]) == set(range(1, 8))
    assert len(check_movement(movement, winners=1)) == 0


# The check


def card(*rows):
    return pd.DataFrame(rows, columns=["round", "table", "ns", "ew", "board"])


@pytest.mark.parametrize(
    ("rows", "winners", "faults"),
    [
        ([(1, 1, 1, 1, 5), (2, 1, 1, 2, 5)], 2, [("board_twice", 2, 1, 1, 2, 5, 1)]),
        ([(2, 1, 1, 2, 5), (1, 1, 1, 1, 5)], 2, [("board_twice", 2, 1, 1, 2, 5, 1)]),
        ([(1, 1, 1, 2, 5), (2, 1, 3, 1, 5)], 1, [("board_twice", 2, 1, 3, 1, 5, 1)]),
        ([(1, 1, 1, 2, 5), (2, 1, 3, 1, 5)], 2, []),
        ([(1, 1, 1, 2, 5), (1, 1, 1, 2, 6), (3, 2, 2, 1, 7)], 1, [("opponent_twice", 3, 2, 2, 1, 7, 1)]),
        ([(1, 1, 1, 2, 5), (1, 1, 1, 2, 6), (3, 2, 2, 1, 7)], 2, []),
        ([(1, 1, 1, 2, 5), (1, 2, 1, 3, 6)], 2, [("two_tables", 1, 2, 1, 3, 6, 1)]),
        ([(1, 1, 1, 2, 5), (1, 2, 1, 2, 6)], 2, [
            ("opponent_twice", 1, 2, 1, 2, 6, 1),
            ("two_tables", 1, 2, 1, 2, 6, 1), ("two_tables", 1, 2, 1, 2, 6, 1),
        ]),
        ([(1, 1, 1, 2, 5), (1, 2, 3, 1, 6)], 1, [("two_tables", 1, 2, 3, 1, 6, 1)]),
        ([(1, 1, 1, 2, 5), (1, 2, 3, 1, 6)], 2, []),
        ([(1, 1, "A", "B", 5), (2, 1, "B", "A", 5)], 1, [
            ("board_twice", 2, 1, "B", "A", 5, 1), ("board_twice", 2, 1, "B", "A", 5, 1),
            ("opponent_twice", 2, 1, "B", "A", 5, 1),
        ]),
        ([(1, 1, 1, None, 5), (2, 1, 2, None, 5), (3, 1, 1, None, 6)], 1, []),
        ([(1, 1, 1, None, 5), (2, 1, 1, 3, 5)], 2, [("board_twice", 2, 1, 1, 3, 5, 1)]),
        ([], 2, []),
    ],
)  # fmt: skip
def test_the_check_names_who_meets_what_twice(rows, winners, faults):
    found = check_movement(card(*rows), winners=winners)
    assert found.columns.tolist() == ["rule", "round", "table", "ns", "ew", "board", "earlier"]
    assert [tuple(row) for row in found.itertuples(index=False)] == faults


def test_the_check_does_not_mind_other_columns_or_the_index():
    movement = mitchell(5).assign(section="A").set_index("section")
    typed_twice = pd.concat([movement, movement.query("round == 1 and table == 3")])
    assert check_movement(typed_twice, winners=2).to_numpy().tolist() == 2 * [["board_twice", 1, 3, 3, 3, 3, 1]]


# What is refused


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mitchell(1), "tables from 2 to 999, got 1"),
        (lambda: mitchell(5.0), "tables from 2 to 999, got 5.0"),
        (lambda: mitchell(True), "tables from 2 to 999, got True"),
        (lambda: mitchell(8), "even='skip' or 'share_and_relay' for 8 tables, or rounds up to 4"),
        (lambda: mitchell(8, rounds=5), "rounds of 8 tables from 1 to 4, got 5"),
        (lambda: mitchell(8, even="skip", rounds=8), "rounds of 8 tables from 1 to 7, got 8"),
        (lambda: mitchell(8, even="share_and_relay", rounds=9), "rounds of 8 tables from 1 to 8, got 9"),
        (lambda: mitchell(7, rounds=8), "rounds of 7 tables from 1 to 7, got 8"),
        (lambda: mitchell(7, rounds=0), "rounds of 7 tables from 1 to 7, got 0"),
        (lambda: mitchell(7, even="skip"), "an even number of tables for 'skip', got 7"),
        (lambda: mitchell(8, even="relay"), "even as 'skip' or 'share_and_relay', got 'relay'"),
        (lambda: mitchell(7, rounds=3, arrow_switch=4), "arrow_switch as rounds from 0 to 3, got 4"),
        (lambda: mitchell(7, sit_out="N"), "sit_out as 'ns' or 'ew', the side that lacks its last pair, got 'N'"),
        (lambda: mitchell(7, boards_per_round=0), "boards_per_round from 1 to 999, got 0"),
        (lambda: howell(6), "pairs among 8, 10, as 'howell-ebu' has, got 6"),
        (lambda: howell(9), "pairs among 8, 10, as 'howell-ebu' has, got 9"),
        (lambda: howell(8, sit_out=9), "sit_out as a pair from 1 to 8, got 9"),
        (lambda: check_movement(mitchell(3), winners=3), "1 or 2 winners, got 3"),
        (
            lambda: check_movement(mitchell(3).drop(columns="board"), winners=2),
            "a movement with columns round table ns ew board, got one without board",
        ),
    ],
)
def test_what_makes_no_movement_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(f'expected {message}')}$"):
        call()


# A club's own start table


def write(folder, start):
    (folder / "club.toml").write_text(
        f'title = "Ours"\nextends = "howell-ebu"\nstart.pairs_4 = {{ value = {start}, source = "ours" }}\n'
    )
    return folder / "club.toml"


def test_a_club_adds_its_own_start_table(tmp_path):
    own = write(tmp_path, [[4, 1, 1], [2, 3, 1]])
    assert howell(4, edition=own)[["ns", "ew", "board"]].to_numpy(np.int64).tolist() == [
        *([4, 1, 1], [2, 3, 1]),
        *([4, 2, 2], [3, 1, 2]),
        *([4, 3, 3], [1, 2, 3]),
    ]
    assert len(howell(8, edition=own)) == 28


@pytest.mark.parametrize(
    "start",
    [
        [[4, 1, 1], [2, 3, 2]],
        [[4, 1, 1], [2, 2, 1]],
        [[4, 1, 4], [2, 3, 4]],
        [[4, 1, 1]],
        [[4, 1, 1], [2, 3, 1], [5, 6, 1]],
    ],
    ids=["a board again", "a pair at both sides", "a set too many", "a table short", "a table too many"],
)
def test_a_start_table_in_which_somebody_meets_twice_is_refused(tmp_path, start):
    message = f"expected start.pairs_4 to let all meet once, on new boards, got {start}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        howell(4, edition=write(tmp_path, start))
