"""Results of table-top scoring devices: the tables of their database, and the file around them."""

import sys
from types import SimpleNamespace

import pandas as pd
import pytest

from bridge_analytics.checks import ResultsError
from bridge_analytics.formats.bws import cells, is_bws
from bridge_analytics.layout import load_layout
from bridge_analytics.results import read_results, sift_results
from bridge_analytics.rows import results_of

START = b"\x00\x01\x00\x00Standard Jet DB\x00"
RECEIVED = pd.DataFrame(
    {
        "ID": [1, 2, 3, 4, 5, 6],
        "Section": [1, 1, 1, 1, 2, 2],
        "Table": [1, 1, 2, 1, 1, 1],
        "Round": [1, 1, 1, 1, 1, 2],
        "Board": [1, 2, 3, 2, 1, 4],
        "PairNS": [1, 1, 2, 1, 1, 4],
        "PairEW": [4, 4, 5, 4, 2, 1],
        "Declarer": [4, 1, 2, 1, 1, 0],
        "NS/EW": ["W", "S", "N", "S", "N", ""],
        "Contract": ["3 NT", "4 S x", "2 H", "4 S x", "PASS", ""],
        "Result": ["-1", "=", "+1", "-1", "", ""],
        "LeadCard": ["H10", "HA", "", "HA", "", ""],
        "Remarks": ["", "", "", "", "", "60%-40%"],
        "Erased": [False, False, True, False, False, False],
    }
)
SECTIONS = pd.DataFrame({"ID": [1, 2], "Letter": ["A", "B"]})
NUMBERS = pd.DataFrame(
    {
        "Section": [1, 1, 1, 1, 2, 2],
        "Table": [1] * 6,
        "Direction": ["N", "E", "S", "W", "N", "E"],
        "Number": ["11", "12", "13", "99", "21", "22"],
        "Name": [None, None, None, None, "Uma", ""],
    }
)
NAMES = pd.DataFrame({"ID": [11, 12, 13, 22], "Name": ["Ann", "Bob", "Cas", "Vic"]})


def read(**others):
    frame, row, faults = cells({"ReceivedData": RECEIVED} | others)
    results, more = results_of(frame, row, load_layout(None), source="evening.bws")
    return results, pd.concat([*faults, more])


def plain(results, *names):
    rows = results.to_dict("records")
    return [tuple(None if pd.isna(row[name]) else row[name] for name in names) for row in rows]


def test_the_seat_of_declarer_is_in_the_column_of_the_sides():
    results, _ = read()
    assert plain(results, "source_row", "board", "contract", "declarer", "tricks", "ns", "ew", "lead")[:2] == [
        (1, 1, "3NT", "W", 8, "1", "4", "HT"),
        (4, 2, "4SX", "S", 9, "1", "4", "HA"),
    ]


def test_the_last_of_two_results_holds_and_an_erased_one_does_not():
    results, faults = read()
    assert results["source_row"].tolist() == [1, 4, 5, 6]
    assert sorted(zip(faults["source_row"], faults["rule"], strict=True)) == [(2, "duplicate_row"), (3, "erased_row")]
    assert faults["suggestion"].dropna().tolist() == ["row 4 holds"]


def test_an_erased_result_replaces_none():
    erased = RECEIVED.assign(Erased=[False, False, False, True, False, False])
    frame, row, faults = cells({"ReceivedData": erased})
    assert (row.tolist(), faults) == ([1, 2, 3, 4, 5, 6], [])
    results, _ = results_of(frame, row, load_layout(None), source="evening.bws")
    assert results["source_row"].tolist() == [1, 2, 3, 5, 6]


def test_the_order_is_that_of_the_ids():
    frame, row, _ = cells({"ReceivedData": RECEIVED.iloc[::-1]})
    assert row.tolist() == [1, 3, 4, 5, 6]
    pd.testing.assert_frame_equal(frame, cells({"ReceivedData": RECEIVED})[0])


def test_sections_have_letters():
    results, _ = read(Section=SECTIONS)
    assert results["section"].tolist() == ["A", "A", "B", "B"]
    assert read()[0]["section"].tolist() == ["1", "1", "2", "2"]


def test_passed_out_and_awards_are_read():
    results, _ = read()
    assert plain(results, "contract", "status", "award_ns_pct", "award_ew_pct")[2:] == [
        ("Pass", "passed", None, None),
        (None, "adjusted", 60, 40),
    ]


def test_vulnerability_and_dealer_come_from_the_number():
    results, _ = read()
    assert plain(results, "vul", "dealer", "vul_source")[0] == ("none", "N", "board")


def test_players_are_those_who_began_as_the_pair():
    results, _ = read(PlayerNumbers=NUMBERS, PlayerNames=NAMES)
    assert plain(results, "north", "south", "east", "west") == [
        ("Ann", "Cas", "Bob", "99"),  # 99 is in no list: the number stays
        ("Ann", "Cas", "Bob", "99"),
        ("Uma", None, "Vic", None),
        (None, None, "Uma", None),  # a Howell: pair 1 has moved, pair 4 never began
    ]


def test_the_plan_of_rounds_knows_pairs_without_a_result_in_the_first():
    plan = pd.DataFrame({"Section": [2], "Table": [2], "Round": [1], "NSPair": [4], "EWPair": [5]})
    more = pd.DataFrame({"Section": [2], "Table": [2], "Direction": ["N"], "Number": ["22"], "Name": ["Wim"]})
    results, _ = read(PlayerNumbers=pd.concat([NUMBERS, more]), PlayerNames=NAMES, RoundData=plan)
    assert plain(results, "north", "east")[3] == ("Wim", "Uma")


def test_single_players_have_numbers_of_their_own():
    singles = RECEIVED.assign(South=[21, 21, 22, 21, 23, 24], West=[31, 31, 32, 31, 33, 34])
    frame, row, _ = cells({"ReceivedData": singles})
    results, _ = results_of(frame, row, load_layout(None), source="evening.bws")
    assert plain(results, "north", "east", "south", "west", "ns")[0] == ("1", "4", "21", "31", None)


def hand_record(section, board):
    suits = ("Spades", "Hearts", "Diamonds", "Clubs")
    dealt = {"NorthSpades": "AKQ", "EastHearts": "10 9", "SouthDiamonds": "", "WestClubs": "2"}
    return {f"{seat}{suit}": "" for seat in ("North", "East", "South", "West") for suit in suits} | {
        **{name: cards.replace(" ", "") for name, cards in dealt.items()},
        **{"Section": section, "Board": board},
    }


def test_hand_records_are_deals_of_their_section():
    one = pd.DataFrame([hand_record(1, 1)])
    both = pd.DataFrame([hand_record(1, 1), hand_record(2, 4)])
    dealt = "N:AKQ... .T9.. - ...2"
    assert read(HandRecord=one)[0]["deal"].fillna("").tolist() == [dealt, "", dealt, ""]  # one set for all
    assert read(HandRecord=both)[0]["deal"].fillna("").tolist() == [dealt, "", "", dealt]


def test_a_dump_and_the_tables_it_was_made_of_are_one(shared):
    folder = next((shared / "cases").glob("a09_*"))
    dump = pd.read_csv(folder / "input.csv", keep_default_na=False)
    frame, row, faults = cells({"ReceivedData": dump})
    results, more = results_of(frame, row, load_layout(None), source="evening.bws")
    told, named = sift_results(folder / "input.csv", layout={"duplicates": "last"})  # it is known by its headers
    same = ["board", "contract", "declarer", "tricks", "status", "table", "round", "section", "ns", "ew", "lead"]
    pd.testing.assert_frame_equal(results[same], told[same])
    assert sorted(pd.concat([*faults, more])["rule"]) == sorted(named["rule"])


# the file


@pytest.fixture
def database(tmp_path, monkeypatch):
    """Return a function that puts tables in the place of what the reader of Access files would give."""

    def put(tables, notes=()):
        def parser(path):
            with open(path, "rb") as file:
                assert file.read() == START
            return SimpleNamespace(catalog=dict.fromkeys(tables, 1), parse_table=parse)

        def parse(name):
            import logging

            for note in notes if name == "ReceivedData" else ():
                logging.getLogger("access_parser").error(note)
            return tables[name]

        monkeypatch.setitem(sys.modules, "access_parser", SimpleNamespace(AccessParser=parser))
        path = tmp_path / "evening.bws"
        path.write_bytes(START)
        return path

    return put


def test_a_database_is_read_from_its_file(database):
    tables = {"ReceivedData": RECEIVED.to_dict("list"), "Section": SECTIONS.to_dict("list"), "PlayerNames": {"ID": ""}}
    results = read_results(database(tables))
    assert plain(results, "section", "board", "contract")[0] == ("A", 1, "3NT")


def test_what_the_reader_of_databases_passes_over_is_reported(database):
    _, faults = sift_results(database({"ReceivedData": RECEIVED.to_dict("list")}, ["Failed parsing record"]))
    assert ("text_skipped", "Failed parsing record") in set(zip(faults["rule"], faults["value"], strict=True))


@pytest.mark.parametrize("tables", [{}, {"ReceivedData": {"ID": [1, 2], "Board": [1]}}])
def test_a_database_without_whole_results_is_refused(database, tables):
    with pytest.raises(ResultsError) as refused:
        sift_results(database(tables))
    assert refused.value.faults["rule"].tolist() == ["file_unreadable"]


def test_without_the_reader_of_databases_the_extra_is_named(database, monkeypatch):
    path = database({})
    monkeypatch.setitem(sys.modules, "access_parser", None)
    with pytest.raises(ImportError, match=r"bridge-analytics\[bws\]"):
        read_results(path)


def test_a_broken_database_is_refused(tmp_path):
    pytest.importorskip("access_parser")
    path = tmp_path / "broken.bws"
    for size in (0, 100, 5000):
        path.write_bytes(START + b"\0" * size)
        with pytest.raises(ResultsError) as refused:
            sift_results(path)
        assert refused.value.faults["rule"].tolist() == ["file_unreadable"]


def test_only_a_database_is_one():
    assert is_bws(START)
    assert is_bws(START.replace(b"Jet", b"ACE"))
    assert not is_bws(b"ID,Section,Table")
