"""PBN: small files of every form, each with what a reader must make of it, and files that somebody broke."""

import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import bridge_analytics as ba
from bridge_analytics.checks import ResultsError
from bridge_analytics.formats import pbn, pbn_text
from bridge_analytics.layout import load_layout

CASES = [f"b{number:02d}" for number in range(1, 12)]
DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


@pytest.fixture
def sift(tmp_path):
    """What is read of a text, or of bytes, under a layout."""

    def read(text, **layout):
        (tmp_path / "a.pbn").write_bytes(text if isinstance(text, bytes) else text.encode())
        return ba.sift_results(tmp_path / "a.pbn", layout=layout)

    return read


def plain(table):
    """The rows as dicts, missing cells as None."""
    return [{name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in table.to_dict("records")]


def game(contract="4S", declarer="S", result="10", **tags):
    """The text of a game, tags in the order given."""
    tags = {"Board": "1", "Contract": contract, "Declarer": declarer, "Result": result} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)


def rules(faults):
    return faults["rule"].tolist()


@pytest.mark.parametrize("case", CASES)
def test_a_file_is_read_as_the_case_says(case, shared, matcher):
    folder = next((shared / "cases").glob(f"{case}_*"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    layout = {key: value for key, value in expected["options"].items() if key != "format"}
    results, faults = ba.sift_results(folder / "input.pbn", layout=layout)
    named = [{**fault, "row": fault["source_row"]} for fault in plain(faults)]
    assert matcher.compare(expected, plain(results), named, rule_map={rule: rule for rule in rules(faults)}) == []
    scores = ba.score_results(results, by=["event", "board_label"])["score_ns"]
    told = {row["source_row"]: row["_score_ns"] for row in expected["results"] if "_score_ns" in row}
    assert dict(zip(results["source_row"], scores, strict=True)).items() >= told.items()


# Games


@pytest.mark.parametrize(
    "text",
    [
        game(Event="x") + "\n" + game(Event="x", Board="2"),
        game(Event="x") + game(Event="x", Board="2"),
        game().replace("\n", " ") + game(Board="2").replace("\n", ""),
        game().replace("\n", "\r") + "\r" + game(Board="2").replace("\n", "\r"),
        "text\n" + game() + " \t\n\n% x\n" + game(Board="2") + "\n\nProduced 2 hands\n",
        '[Board\n"1"][ Contract "4S" ][Declarer "S"][Result "10"]\n\n' + game(Board="2"),
    ],
    ids=["whole", "without empty lines", "on one line", "CR", "with text around", "blanks within tags"],
)
def test_two_games_are_two_games_however_loose_the_file(sift, text):
    results, faults = sift(text)
    assert results[["board", "contract", "tricks"]].to_numpy().tolist() == [[1, "4S", 10], [2, "4S", 10]]
    assert set(faults["rule"]) <= {"text_skipped"}
    assert faults["source_row"].isna().all()


def test_a_tag_that_comes_again_counts_for_nothing_and_is_named(sift):
    results, faults = sift(game() + '[Result "11"]\n[Contract "5S"]\n')
    assert results[["contract", "tricks"]].to_numpy().tolist() == [["4S", 10]]
    assert faults[["source_row", "rule", "value"]].to_numpy().tolist() == [
        [1, "text_skipped", '[Result "11"]'],
        [1, "text_skipped", '[Contract "5S"]'],
    ]


def test_a_line_doubled_by_mistake_does_not_cut_a_game_in_two(sift):
    results, faults = sift('[Event "x"]\n[Event "x"]\n' + game() + "\n" + game(Board="2"))
    assert results["board"].tolist() == [1, 2]
    assert rules(faults) == ["text_skipped"]


def test_deals_listed_without_any_other_tag_are_a_game_each(sift):
    results, faults = sift(f'[Deal "{DEAL}"]\n' * 1 + '[Deal "N:A... K... Q... J..."]\n')
    assert results["status"].tolist() == ["unknown", "unknown"]
    assert results["deal"].tolist() == [DEAL, "N:A... K... Q... J..."]
    assert set(rules(faults)) == {"vul_unknown"}


def test_a_file_without_games_is_an_empty_table(sift):
    results, faults = sift("% PBN 2.1\n\nnothing here\n")
    assert len(results) == 0
    assert faults[["rule", "value"]].to_numpy().tolist() == [["text_skipped", "nothing here"]]


def test_line_ends_that_were_translated_twice_are_line_ends(sift):
    text = "\n".join([game(North="Ann"), game("3NT", "N", "9", Board="2")])
    (once, _), (twice, faults) = (sift(text.replace("\n", end)) for end in ("\r\n", "\r\r\n"))
    pd.testing.assert_frame_equal(twice, once)
    assert faults.empty


def test_boards_keep_their_labels_where_only_a_later_game_has_one_of_its_own(sift, monkeypatch):
    monkeypatch.setattr(pbn_text, "_PIECE", 64)
    games = [{"Board": "1-1"}, {"Board": "02"}, {"Board": "3", "BoardLabel": "three"}, {"Board": "4"}]
    results, _ = sift("\n".join(game(**tags) for tags in games))
    assert results["board_label"].tolist() == ["1-1", "02", "three", "4"]
    assert results["board"].dropna().tolist() == [2, 3, 4]


# Inheritance


def test_a_tag_left_out_is_missing_unless_the_layout_says_that_it_is_inherited(sift):
    text = game(North="Ann", Deal=DEAL) + "\n" + game(Board=None, North=None, result="9")
    assert sift(text)[0]["north"].tolist()[:1] == ["Ann"]
    assert sift(text)[0][["north", "board"]].isna().to_numpy().tolist() == [[False, False], [True, True]]
    inherited, _ = sift(text, inherit=True)
    assert inherited[["north", "board", "deal", "tricks"]].to_numpy().tolist() == [
        ["Ann", 1, DEAL, 10],
        ["Ann", 1, DEAL, 9],
    ]


def test_a_tag_for_all_games_holds_until_another_value_comes_which_holds_then(sift):
    games = [game(Event="##A"), game(), game(Event="B"), game()]
    assert sift("\n".join(games))[0]["event"].tolist() == ["A", "A", "B", "B"]


def test_what_happened_at_a_table_is_never_inherited_by_leaving_it_out(sift):
    text = game(Score="NS 420", Deal=DEAL) + "\n" + game(None, None, None, Board="2")
    results, faults = sift(text, inherit=True)
    assert results["deal"].tolist() == [DEAL, DEAL]
    told = results[["contract", "declarer", "tricks", "published_score_ns"]]
    assert told.isna().all(axis=1).tolist() == [False, True]
    assert results["status"].tolist() == ["played", "unknown"]
    assert faults.empty


def test_inherited_values_come_from_before_a_piece_of_the_file(sift, monkeypatch):
    text = game(Event="##A", North="#") + "\n" + game(North="Ann") + "\n" + "\n".join([game(North="#")] * 20)
    whole, _ = sift(text)
    monkeypatch.setattr(pbn_text, "_PIECE", 64)
    pieces, _ = sift(text)
    pd.testing.assert_frame_equal(pieces, whole)
    assert whole["north"].isna().tolist() == [True] + [False] * 21


# Comments, escapes, encodings


def test_a_brace_that_is_never_closed_opens_no_comment(sift):
    results, faults = sift(game() + "{ no end\n\n" + game(Board="2"))
    assert results["board"].tolist() == [1, 2]
    assert faults[["source_row", "value"]].to_numpy().tolist() == [[1, "{ no end"]]


def test_a_comment_that_swallows_a_game_is_named(sift):
    results, faults = sift(game() + "{ oh\n\n" + game(Board="2") + "}\n\n" + game(Board="3"))
    assert results["board"].tolist() == [1, 3]
    assert faults["value"].tolist() == ['[Board "2"]']


def test_signs_of_comments_within_a_string_are_letters(sift):
    results, faults = sift(game(North=r"A \"B\" {;} C\\", East="%"))
    assert results[["north", "east"]].to_numpy().tolist() == [['A "B" {;} C\\', "%"]]
    assert len(faults) == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "utf-16"])
def test_letters_are_read_in_the_encoding_of_the_file(sift, encoding):
    assert sift(game(North="Åsa Höög").encode(encoding))[0]["north"].tolist() == ["Åsa Höög"]


def test_a_file_of_two_encodings_is_read_line_by_line(sift):
    text = game(North="Åsa").encode() + b"\n" + game(Board="2", North="Åsa").encode("iso-8859-1")
    assert sift(text)[0]["north"].tolist() == ["Åsa", "Åsa"]


def test_bytes_that_are_no_text_in_the_encoding_named_are_a_fault_with_the_row(sift):
    text = game().encode() + b"\n" + game(Board="2", North="Å").encode("iso-8859-1")
    results, faults = sift(text, encoding="utf-8")
    assert results["board"].tolist() == [1]
    assert faults[["source_row", "rule"]].to_numpy().tolist() == [[2, "bytes_unreadable"]]


# Cells


@pytest.mark.parametrize(
    ("tags", "column", "value"),
    [
        ({"Score": "NS 420"}, "published_score_ns", 420),
        ({"Score": "EW 420"}, "published_score_ns", -420),
        ({"Score": "420", "Declarer": "W"}, "published_score_ns", -420),
        ({"ScoreIMP": "EW 3.5"}, "published_imps_ns", -3.5),
        ({"ScoreIMP": "-3", "Declarer": "W"}, "published_imps_ns", 3),
        ({"ScoreMP": "NS 12.5 EW 7.5"}, "published_mp_ns", 12.5),
        ({"ScoreMP": "NS 12.5 EW 7.5"}, "ScoreMP_EW", "7.5"),
        ({"ScorePercentage": "55.5"}, "published_pct_ns", 55.5),
        ({"ScorePercentage": "55.5", "Declarer": "E"}, "ScorePercentage_EW", "55.5"),
        ({"Result": "EW 4 NS 9"}, "tricks", 9),
        ({"Contract": "5DR"}, "contract", "5DXX"),
        ({"Contract": "^4S"}, "contract", "4S"),
        ({"Vulnerable": "^All"}, "vul", "both"),
        ({"PairNS": "7"}, "ns", "7"),
        ({"Session": "2"}, "session", "2"),
    ],
)
def test_a_tag_says_which_side_it_speaks_of(sift, tags, column, value):
    assert sift(game(**tags))[0][column].tolist() == [value]


@pytest.mark.parametrize(
    ("tags", "rule"),
    [
        ({"Score": "NS 420 EW -400"}, "score_sides"),
        ({"Score": "420", "Declarer": ""}, "number_unreadable"),
        ({"Score": "lots"}, "number_unreadable"),
        ({"Result": "NS 9 EW 9"}, "tricks_unreadable"),
        ({"Result": "NS 9", "Declarer": "?"}, "tricks_unreadable"),
        ({"Contract": "5DR", "Result": "11"}, "irregular"),
        ({"Contract": "8S"}, "contract_unreadable"),
    ],
)
def test_a_tag_that_cannot_be_understood_is_a_fault_of_its_record(sift, tags, rule):
    _, faults = sift(game() + "\n" + game(**tags))
    assert (2, rule) in set(zip(faults["source_row"], faults["rule"], strict=True))


@pytest.mark.parametrize(
    ("label", "told"), [(None, "7"), ("07", "07"), ("", None)], ids=["left out", "another", "there is none"]
)
def test_the_label_of_a_board_is_its_number_unless_a_tag_says_otherwise(sift, label, told):
    results, _ = sift(game(Board="7", BoardLabel=label))
    assert results["board"].tolist() == [7]
    assert [None if pd.isna(cell) else cell for cell in results["board_label"]] == [told]


# Tables of results

HEADER = "PairId_NS;Contract;Declarer;Result"
TABLE = f'[Board "1"]\n[Vulnerable "None"]\n[Contract "{{}}"]\n[ScoreTable "{HEADER};Multiplicity"]\n'


def test_a_row_of_a_table_that_stands_for_many_results_is_as_many_rows(sift):
    results, _ = sift(TABLE.format("") + "1 4S S 10 1\n- 3NT N 9 3\n")
    assert results[["source_row", "contract"]].to_numpy().tolist() == [[1, "4S"], *[[2, "3NT"]] * 3]


def test_what_is_wrong_with_a_row_that_stands_for_many_results_is_said_once(sift):
    results, faults = sift('[Board "1"]\n[Vulnerable "None"]\n[ScoreTable "Score_NS;Multiplicity"]\n50 3\n100 2\n')
    assert results["published_score_ns"].tolist() == [50, 50, 50, 100, 100]
    assert faults[["source_row", "rule"]].to_numpy().tolist() == [[1, "contract_missing"], [2, "contract_missing"]]


def test_a_row_with_too_few_cells_is_left_out_and_named(sift):
    results, faults = sift(TABLE.format("") + '1 4S S 10 1\n2 4S S 10\n"3 NS" 4S S 10 1\n\n' + game(Board="2"))
    assert results["source_row"].tolist() == [1, 3, 4]
    assert faults[["source_row", "rule", "value"]].to_numpy().tolist() == [[2, "cells_miscounted", "4 cells of 5"]]


def test_a_contract_beside_a_table_without_it_is_named(sift):
    rows = "1 4S S 10 1\n2 4H N 9 1\n"
    assert len(sift(TABLE.format("4H") + rows)[1]) == 0
    assert sift(TABLE.format("6NT") + rows)[1][["rule", "column", "value"]].to_numpy().tolist() == [
        ["text_skipped", "contract", "6NT"]
    ]


def test_a_table_whose_headers_are_inherited_has_those_of_the_table_before(sift):
    text = f'[Board "1"]\n[ScoreTable "{HEADER}"]\n1 4S S 10\n\n[Board "2"]\n[ScoreTable "#"]\n1 3NT N 9\n'
    assert sift(text)[0][["ns", "contract"]].to_numpy().tolist() == [["1", "4S"], ["1", "3NT"]]


def test_the_tables_of_two_sections_of_one_game_are_both_read(sift):
    tag = f'[ScoreTable "Section;{HEADER}"]'
    text = f'[Board "1"]\n{tag}\nA 1 4S S 10\n{tag}\nB 1 3NT N 9\n'
    results, faults = sift(text)
    assert results[["section", "contract"]].to_numpy().tolist() == [["A", "4S"], ["B", "3NT"]]
    assert len(faults) == 0


# Auction and play


@pytest.mark.parametrize(
    ("seat", "section", "calls"),
    [
        ("N", "1S Pass 4S AP", "1S P 4S P P P"),
        ("N", "AP", "P P P P"),
        ("N", "Pass Pass\nAP", "P P P P"),
        ("N", "1n =12= X! ^S XX $3 *", "1NT X XX"),
        ("W", "- 1S P +", "1S P"),
        ("", "1S P", "1S P"),
    ],
)
def test_calls_are_read_from_the_dealer_on_without_notes(sift, seat, section, calls):
    results, faults = sift(game(Dealer="N", Auction=seat) + section + '\n[Note "1:x"]\n')
    assert results["auction"].tolist() == [calls]
    assert set(faults["rule"]) <= {"irregular"}


@pytest.mark.parametrize(("seat", "section"), [("E", "1S P"), ("N", "1S what"), ("N", "- 1S"), ("N", "1S - P")])
def test_an_auction_that_does_not_begin_with_the_dealer_or_has_no_calls_is_a_fault(sift, seat, section):
    results, faults = sift(game(Dealer="N", Auction=seat) + section)
    assert results["auction"].isna().all()
    assert rules(faults) == ["auction_unreadable"]


def test_the_dealer_is_who_calls_first_where_no_tag_says_so(sift):
    assert sift(game(Auction="S") + "1S AP")[0]["dealer"].tolist() == ["S"]


@pytest.mark.parametrize(
    ("contract", "section", "play"),
    [
        ("3NT", "SA S2 S3 S4\nH2 HA H3 D2\nSK - - -\n*", "SA S2 S3 S4 H2 HA H3 D2"),
        ("4H", "SA S2 H2 S4\nC2 C3 C4 C5\n", "SA S2 H2 S4 C4 C5 C2 C3"),
        ("4H", "S10 - - -", "ST"),
        ("4H", "- - - -", None),
        ("", "SA S2 S3 S4", None),
    ],
)
def test_cards_are_put_in_the_order_in_which_they_were_played(sift, contract, section, play):
    results, faults = sift(game(contract, Play="W") + section)
    assert [None if pd.isna(cell) else cell for cell in results["play"]] == [play]
    assert results["lead"].dropna().tolist() == ([] if section[0] == "-" else [section.split()[0].replace("10", "T")])
    assert "play_unreadable" not in rules(faults)


def test_what_is_no_card_makes_a_play_unreadable_and_leaves_the_others(sift):
    text = (
        game(Play="W") + "SA S2 S3 S4\n\n" + game(Board="2", Play="W") + "SA XX S3 S4\n\n" + game(Play="W") + "HA - - -"
    )
    results, faults = sift(text)
    assert results["lead"].tolist() == ["SA", "SA", "HA"]
    assert results["play"].isna().tolist() == [False, True, False]
    assert faults[["source_row", "rule"]].to_numpy().tolist() == [[2, "play_unreadable"]]


# Streams


def test_a_file_is_read_in_parts_that_are_the_whole(shared, monkeypatch):
    data = b"\n".join(path.read_bytes() for path in sorted((shared / "cases").glob("b*/input.pbn")))

    def read():
        frames, numbers, found = zip(*pbn.parts(io.BytesIO(data), load_layout(None)), strict=True)
        return frames, np.concatenate(numbers), sum(len(fault) for part in found for fault in part)

    whole, rows, faults = read()
    monkeypatch.setattr(pbn_text, "_PIECE", 1000)
    pieces, numbers, found = read()
    assert len(whole) <= 2 < 10 < len(pieces)
    left, right = (pd.concat(frames, ignore_index=True) for frames in (pieces, whole))
    pd.testing.assert_frame_equal(left, right, check_like=True)
    assert (numbers.tolist(), found) == (rows.tolist(), faults)


@pytest.mark.parametrize("text", ["{" * 200_000, "[" * 200_000, '"' * 200_000, "\\" * 200_000, '[Event "' * 30_000])
def test_signs_without_an_end_do_not_keep_the_reader(text):
    (frame, *_), *_ = pbn.parts(io.BytesIO(text.encode()), load_layout(None))
    assert len(frame) == 0


# Files that somebody broke


def mutated(data, draw):
    """A file with up to three bytes or lines changed."""
    lines = data.split(b"\n")
    for _ in range(draw.integers(1, 4)):
        place, other = draw.integers(0, len(lines), 2)
        match draw.integers(0, 5):
            case 0:
                line = bytearray(lines[place] or b" ")
                line[draw.integers(0, len(line))] = draw.integers(0, 256)
                lines[place] = bytes(line)
            case 1:
                del lines[place]
            case 2:
                lines.insert(place, lines[place])
            case 3:
                lines[place], lines[other] = lines[other], lines[place]
            case _:
                lines = [*lines[: max(place, 3)], lines[place][: draw.integers(0, 40)]]
    return b"\n".join(lines)


@pytest.mark.parametrize("case", CASES)
def test_a_broken_file_loses_no_record_in_silence(case, shared, sift):
    data = next((shared / "cases").glob(f"{case}_*/input.pbn")).read_bytes()
    draw = np.random.default_rng(int(case[1:]))
    for _ in range(6):
        broken = mutated(data, draw)
        try:
            results, faults = sift(broken, inherit=bool(draw.integers(0, 2)))
        except ResultsError:  # nothing of it is left that looks like PBN
            assert not pbn.is_pbn(broken) or len(broken) < 300
            continue
        told = {*results["source_row"], *faults["source_row"].dropna()}
        assert told == set(range(1, len(told) + 1)), broken
        boards = len(re.findall(rb'^\[Board "[^"\n]*"\]', broken, re.MULTILINE))
        skipped = faults["rule"].eq("text_skipped").sum()
        assert b"{" in broken or b"ScoreTable" in broken or len(told) + skipped >= boards, broken
