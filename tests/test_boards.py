"""What a board says by itself, against the diagram that Law 2 prints for boards 1 to 16."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bridge_analytics as ba
from bridge_analytics.boards import seat_reader, vul_reader
from bridge_analytics.columns import CHUNK
from bridge_analytics.readers import read_all

LAW_2 = """
1 N none   2 E ns    3 S ew    4 W both
5 N ns     6 E ew    7 S both  8 W none
9 N ew    10 E both 11 S none 12 W ns
13 N both 14 E none 15 S ns   16 W ew
"""
DIAGRAM = {int(number): (dealer, vul) for number, dealer, vul in re.findall(r"(\d+) (\w) (\w+)", LAW_2)}
BOARDS = list(range(1, 65))


@pytest.mark.parametrize(
    "column",
    [
        BOARDS,
        np.array(BOARDS),
        np.array(BOARDS, dtype=np.float16),
        pd.Series(BOARDS, dtype="Int32"),
        pa.array(BOARDS, pa.uint8()),
        pl.Series(BOARDS),
    ],
    ids=["list", "numpy", "half", "Int32", "Arrow", "Polars"],
)
def test_dealer_and_vulnerability_go_round_every_sixteen_boards(column):
    expected = [DIAGRAM[(board - 1) % 16 + 1] for board in BOARDS]
    assert list(zip(ba.board_dealer(column).tolist(), ba.board_vul(column).tolist(), strict=True)) == expected


def test_a_board_of_a_long_match_is_counted_from_one_too():
    assert (ba.board_dealer(2**31 - 1), ba.board_vul(2**31 - 1)) == DIAGRAM[15]


@pytest.mark.parametrize("reads", [ba.board_dealer, ba.board_vul])
@pytest.mark.parametrize(
    ("board", "seen"),
    [
        ([1, 0], "0"),
        ([1, -1], "-1"),
        ([1, 1.5], "1.5"),
        ([1, None], "a missing value"),
        ([1, np.nan], "a missing value"),
        (pd.Series([1, pd.NA], dtype="Int32"), "a missing value"),
        ([1, 2**31], "2147483648"),
        ([1, "2"], "'2'"),
        ([1, True], "True"),
    ],
)
def test_a_board_without_a_number_has_no_dealer(reads, board, seen):
    message = f"expected a board number as a whole number 1 to 2147483647, got {seen} at position 1"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        reads(board)


@pytest.mark.parametrize("place", range(4))
def test_a_side_is_vulnerable_on_its_own_boards_and_when_both_are(place):
    vul = ["none", "ns", "ew", "both"]
    expected = [False, place % 2 == 0, place % 2 == 1, True]
    assert ba.is_vulnerable(vul, ba.SEATS[place]).tolist() == expected
    assert ba.is_vulnerable([0, 1, 2, 3], place).tolist() == expected
    assert (
        ba.is_vulnerable(pd.Categorical(vul, categories=["both", "ew", "ns", "none"]), [place] * 4).tolist() == expected
    )
    assert ba.is_vulnerable(pl.Series(vul), pl.Series([ba.SEATS[place]] * 4)).tolist() == expected


def test_both_sides_of_a_board_are_told_from_its_number():
    boards = np.arange(1, 17)
    sides = [ba.is_vulnerable(ba.board_vul(boards), seat).tolist() for seat in ("N", "E")]
    assert sides[0] == [DIAGRAM[board][1] in ("ns", "both") for board in boards]
    assert sides[1] == [DIAGRAM[board][1] in ("ew", "both") for board in boards]


@pytest.mark.parametrize(
    ("vul", "seat", "message"),
    [
        (["ns", None], "N", "a vulnerability none, ns, ew or both, got a missing value at position 1"),
        (["ns", "north"], "N", "a vulnerability none, ns, ew or both, got 'north' at position 1"),
        (["ns", 1], "N", "a vulnerability none, ns, ew or both, got 1 at position 1"),
        ([1, 4], "N", "a vulnerability code as a whole number 0 to 3, got 4 at position 1"),
        ([1, True], "N", "a vulnerability code as a whole number 0 to 3, got True at position 1"),
        ("ns", ["N", None], "a seat N E S W, got a missing value at position 1"),
        ("ns", ["N", "O"], "a seat N E S W, got 'O' at position 1"),
        ("ns", [0, 4], "a seat code as a whole number 0 to 3, got 4 at position 1"),
        (["ns", "ns"], ["N", "E", "S"], "columns of one length, got shapes [(2,), (3,)]"),
    ],
)
def test_what_is_no_vulnerability_or_no_seat_is_refused(vul, seat, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}$"):
        ba.is_vulnerable(vul, seat)


def test_seats_and_sides_are_read_in_the_language_of_the_column():
    assert read_all(seat_reader(["O", "Sur"], locale="es")).tolist() == [3, 2]
    assert read_all(vul_reader(["EO", "Tous"], locale="fr")).tolist() == [2, 3]
    with pytest.raises(ValueError, match=r"^expected a seat N E S O, got 'W' at position 1$"):
        read_all(seat_reader(["O", "W"], locale="es"))
    with pytest.raises(ValueError, match=r"^expected a locale among en, es, fr, got 'de'$"):
        seat_reader([0], locale="de")


def test_a_seat_in_a_later_chunk_is_refused_by_its_place_in_the_column():
    with pytest.raises(ValueError, match=f"^expected a seat N E S W, got 'Z' at position {CHUNK + 1}$"):
        ba.is_vulnerable("ns", ["N"] * (CHUNK + 1) + ["Z"])


def test_a_scalar_gives_a_scalar_and_rows_keep_their_shape():
    assert isinstance(ba.is_vulnerable("both", "N"), np.bool_)
    assert isinstance(ba.board_dealer(1), str)
    assert isinstance(ba.board_vul(1), str)
    assert ba.is_vulnerable(np.array([["ns"], ["ew"]]), ["N", "E"]).tolist() == [[True, False], [False, True]]
    assert ba.board_dealer([[1, 2], [3, 4]]).tolist() == [["N", "E"], ["S", "W"]]
    assert ba.board_vul([]).shape == (0,)
