"""Boards in LIN: single boards, matches of two rooms, plays without a claim, broken files."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.checks import ResultsError
from bridge_analytics.formats import lin, lin_text
from bridge_analytics.layout import load_layout
from bridge_analytics.results import read_results, sift_results

CASES = [f"c{number:02d}" for number in range(1, 9)]
HANDS = "SAKQJHAKQDAKQCAKQ,ST987HT987DT98C98,S65432H65432D65C7,"
MD = f"md|3{HANDS}|"
AUCTION = "mb|1N|mb|p|mb|3N!|an|to play|mb|p|mb|p|mb|p|"
BOARD = f"pn|s,w,n,e|st||{MD}rh||ah|Board 1|sv|o|{AUCTION}pg||mc|9|"


@pytest.fixture
def sift(tmp_path):
    """Return a function that reads a text or bytes as a LIN file."""

    def read(content, **layout):
        path = tmp_path / "boards.lin"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return sift_results(path, layout=layout)

    return read


def plain(table):
    return [{name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in table.to_dict("records")]


def cells(results, *names):
    return [tuple(row[name] for name in names) for row in plain(results)]


def named(faults):
    return [(row["source_row"], row["rule"]) for row in plain(faults)]


@pytest.mark.parametrize("format", ["lin", None])
@pytest.mark.parametrize("case", CASES)
def test_a_file_is_read_as_the_case_says(case, format, shared, matcher):
    folder = next((shared / "cases").glob(f"{case}_*"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    results, faults = sift_results(folder / "input.lin", format=format)
    rows = [{**fault, "row": fault["source_row"]} for fault in plain(faults)]
    assert matcher.compare(expected, plain(results), rows, rule_map={"": ""}) == []


# the text


def test_one_board_a_line_many_lines_a_board_and_all_on_one_line_are_the_same(sift):
    boards = BOARD + "\n" + BOARD.replace("Board 1", "Board 2").replace("mc|9|", "mc|8|") + "\n"
    told = sift(boards)[0]
    assert cells(told, "board", "contract", "declarer", "tricks") == [(1, "3NT", "N", 9), (2, "3NT", "N", 8)]
    for other in (boards.replace("\n", ""), boards.replace("mb|", "\r\nmb|"), boards.replace("md|", "\n\n md|")):
        pd.testing.assert_frame_equal(sift(other)[0], told)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_it_does_not_matter_where_a_block_ends(size, shared, monkeypatch):
    files = [next((shared / "cases").glob(f"{case}_*")) / "input.lin" for case in CASES]
    whole = [sift_results(file) for file in files]
    monkeypatch.setattr(lin_text, "_BLOCK", size)
    for file, tables in zip(files, whole, strict=True):
        for again, table in zip(sift_results(file), tables, strict=True):
            pd.testing.assert_frame_equal(again, table)


def test_a_long_file_comes_in_parts(monkeypatch):
    monkeypatch.setattr(lin, "_ROWS", 200)
    file = io.BytesIO(("ah|Board 7|mc|9|\n" * 450).encode())
    told = [(len(frame), row[0], row[-1]) for frame, row, _ in lin.parts(file, load_layout(None))]
    assert told == [(200, 1, 200), (200, 201, 400), (50, 401, 450)]


def test_text_that_is_no_pair_is_reported_with_its_board(sift):
    results, faults = sift(BOARD + "lost words|" + BOARD.replace("Board 1", "Board 2"))
    assert len(results) == 2
    assert named(faults) == [(1, "text_skipped")]
    assert faults["value"].tolist() == ["lost words"]


def test_a_broken_pair_costs_no_more_than_its_line(sift):
    results, faults = sift(BOARD.replace("mc|9|", "mc|9") + "\n" + BOARD.replace("Board 1", "Board 2"))
    assert cells(results, "board", "tricks", "south") == [(1, None, "s"), (2, 9, "s")]
    assert named(faults) == [(1, "text_skipped")]


def test_comments_are_no_results(sift):
    results, faults = sift(BOARD.replace("mc|9|", "nt|mc is 13, mb 7N\nqx o2|pg||mc|9|"))
    assert cells(results, "contract", "tricks") == [("3NT", 9)]
    assert faults.empty


def test_a_name_in_another_encoding_is_a_fault_until_it_is_named(sift):
    data = BOARD.replace("s,w", "Zé,w").encode("latin-1")
    results, faults = sift(data)
    assert (len(results), named(faults)) == (0, [(1, "bytes_unreadable")])
    results, faults = sift(data, encoding="latin-1")
    assert (cells(results, "south"), len(faults)) == ([("Zé",)], 0)
    assert cells(sift(("\ufeff" + BOARD).encode("utf-16"))[0], "south") == [("s",)]


# who, where, with what


def test_a_match_puts_players_and_teams_in_their_rooms(shared):
    results = read_results(next((shared / "cases").glob("c02_*")) / "input.lin")
    assert cells(results, "room", "ns", "ew", "south", "east")[:2] == [
        ("open", "Home", "Away", "so", "eo"),
        ("closed", "Away", "Home", "sc", "ec"),
    ]
    assert set(results["event"]) == {"Case match"}
    assert set(results["session"]) == {"Segment 1 of 2"}


def test_the_players_of_the_last_board_do_not_sit_down_at_the_next(sift):
    results, _ = sift(BOARD + "\n" + BOARD.replace("pn|s,w,n,e|", "").replace("Board 1", "Board 2"))
    assert cells(results, "south") == [("s",), (None,)]


def test_a_wrong_number_of_names_is_reported_once_and_seats_nobody(sift):
    board = f"st||{MD}sv|o|{AUCTION}mc|9|"
    results, faults = sift(f"vg|a,b,I,1,2,H,0,A,0|pn|a,b,c|pg||\nqx|o1|{board}\nqx|c1|{board}")
    assert cells(results, "south") == [(None,), (None,)]
    assert named(faults) == [(1, "names_count")]


@pytest.mark.parametrize(
    ("pairs", "board", "label"),
    [
        ("qx|o12|", 12, "12"),
        ("qx|12|", 12, "12"),
        ("qx|o1|ah|Board 17|", 17, "17"),
        ("ah|board  3|", 3, "3"),
        ("ah|spacer|", None, "spacer"),
        ("qx|final|", None, "final"),
    ],
)
def test_a_board_is_called_by_its_name(sift, pairs, board, label):
    results, _ = sift(f"{pairs}{MD}sv|n|{AUCTION}mc|9|")
    assert cells(results, "board", "board_label", "vul") == [(board, label, "ns")]


def test_the_dealer_of_the_board_bids_where_the_deal_names_none(sift):
    results, _ = sift(BOARD.replace(MD, "").replace("Board 1", "Board 3"))
    assert cells(results, "dealer", "declarer", "deal") == [("S", "S", None)]


def test_the_hand_left_out_has_the_other_cards(sift):
    deal = read_deal(sift(BOARD))
    assert deal == "N:65432.65432.65.7 .J.J7432.JT65432 AKQJ.AKQ.AKQ.AKQ T987.T987.T98.98"
    assert read_deal(sift(BOARD.replace(HANDS, HANDS + "SHJDJ7432CJT65432"))) == deal
    assert read_deal(sift(BOARD.replace(HANDS, "SAKQJHAKQDAKQCAKQ,,,"))) == "N:- - AKQJ.AKQ.AKQ.AKQ -"


def read_deal(sifted):
    assert sifted[1].empty
    return sifted[0]["deal"].iloc[0]


@pytest.mark.parametrize("hands", [HANDS.replace("T987", "A987"), HANDS.replace("SAKQJ", "SAKQX"), HANDS + "?"])
def test_a_deal_that_is_none_is_a_fault_and_the_result_stays(sift, hands):
    results, faults = sift(BOARD.replace(HANDS, hands))
    assert cells(results, "contract", "tricks", "deal") == [("3NT", 9, None)]
    assert named(faults) == [(1, "deal_unreadable")]


# what happened


def test_an_auction_that_is_not_closed_is_no_contract(sift):
    results, faults = sift(BOARD.replace("mb|p|mb|p|mb|p|", "mb|p|").replace("mc|9|", ""))
    assert cells(results, "contract", "status") == [(None, "unknown")]
    assert named(faults) == [(1, "auction_unreadable")]


WHOLE = BOARD.replace("mc|9|", "")


def play_of(text):
    return "".join(f"pc|{card}|" for card in text.split())


# East leads a diamond and South takes everything.
ALL = play_of(
    "D2 DA D8 D5 SA S7 S2 C2 SK S8 S3 C3 SQ S9 S4 C4 SJ ST S5 C5 HA H7 H2 HJ HK H8 H3 C6 "
    "HQ H9 H4 CT CA C8 C7 CJ CK C9 S6 D3 CQ D9 H5 D4 DK DT D6 D7 DQ HT H6 DJ"
)


def test_a_play_that_stops_before_the_last_card_is_no_result(sift):
    results, faults = sift(WHOLE + ALL[: -len("pc|DJ|")])
    assert cells(results, "contract", "lead", "tricks", "status") == [("3NT", "D2", None, "unknown")]
    assert faults.empty


def test_all_cards_are_counted_without_a_claim(sift):
    results, faults = sift(WHOLE + ALL)
    assert faults.empty
    assert cells(results, "tricks", "status", "lead") == [(13, "played", "D2")]


def test_a_claim_other_than_the_cards_is_left_out(sift):
    results, faults = sift(WHOLE + ALL + "mc|12|")
    assert (len(results), named(faults)) == (0, [(1, "tricks_contradict")])
    assert sift(WHOLE + ALL + "mc|13|")[1].empty


def test_a_card_out_of_turn_is_a_fault_and_no_result(sift):
    results, faults = sift(WHOLE + ALL.replace("pc|D2|pc|DA|", "pc|DA|pc|D2|"))
    assert cells(results, "tricks", "status") == [(None, "unknown")]
    assert named(faults) == [(1, "play_unreadable")]


HEAD = "vg|Match,Part,I,1,2,H,0,A,0|rs|3NN=,PASS,4SEx-1,|pn|a,b,c,d,e,f,g,h|pg||\n"


def test_the_head_tells_the_result_of_a_play_that_stops(sift):
    results, faults = sift(HEAD + f"qx|o1|{MD}sv|o|{AUCTION}pg||\nqx|c1|{MD}sv|o|\n")
    told = cells(results, "room", "board", "contract", "declarer", "tricks", "status")
    assert told[:2] == [("open", 1, "3NT", "N", 9, "played"), ("closed", 1, "Pass", None, None, "passed")]
    assert faults.empty


def test_a_result_that_only_the_head_tells_comes_last(sift):
    results, _ = sift(HEAD + f"qx|o1|{MD}sv|o|{AUCTION}pg||\n")
    told = cells(results, "source_row", "room", "board", "contract", "ns")
    assert told[1:] == [(2, "closed", 1, "Pass", "A"), (3, "open", 2, "4SX", "H")]


@pytest.mark.parametrize("claim", ["mc|8|", "mc|10|"])
def test_a_head_that_contradicts_its_board_is_a_fault(sift, claim):
    results, faults = sift(HEAD + f"qx|o1|{MD}sv|o|{AUCTION}pg||{claim}\n")
    assert 1 not in results["source_row"].tolist()
    assert named(faults) == [(1, "head_contradicts")]


# broken files


@pytest.mark.parametrize("seed", range(60))
def test_a_broken_file_loses_no_board_in_silence(seed, shared, mutated, tmp_path):
    draw = np.random.default_rng(seed)
    folder = next((shared / "cases").glob(f"{CASES[seed % len(CASES)]}_*"))
    data = mutated((folder / "input.lin").read_bytes(), draw)
    path = tmp_path / "broken.lin"
    path.write_bytes(data)
    try:
        results, faults = sift_results(path, format="lin")
    except ResultsError:
        return
    seen = set(results["source_row"]) | set(faults["source_row"].dropna())
    assert seen == set(range(1, max(seen, default=0) + 1))
    assert len(seen) >= data.count(b"|md|")


def test_each_line_of_a_file_is_a_board_whatever_is_cut_out_of_it(sift):
    draw = np.random.default_rng(11)
    for _ in range(25):
        lines = [BOARD.replace("Board 1", f"Board {number}") for number in range(1, 6)]
        which, place = int(draw.integers(5)), int(draw.integers(5, 100))
        lines[which] = lines[which][: -int(draw.integers(1, len(BOARD) - place))]
        results, faults = sift("\n".join(lines))
        assert set(results["source_row"]) | set(faults["source_row"]) == {1, 2, 3, 4, 5}
        others = [number for number in range(1, 6) if number != which + 1]
        whole = results[results["source_row"].isin(others)]
        assert whole["board"].tolist() == others
        assert whole["tricks"].tolist() == [9] * 4


def test_the_head_of_a_match_alone_is_no_board(sift):
    results, faults = sift("vg|a,b,I,1,1,c,0,d,0|pn|a,b,c,d|")
    assert results.empty
    assert faults.empty
