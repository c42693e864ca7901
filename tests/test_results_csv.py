"""Results CSV as clubs really write it, and what goes wrong when they do."""

import gzip

import pandas as pd
import pytest

from bridge_analytics import csv_lines
from bridge_analytics.checks import ResultsError
from bridge_analytics.results import check_results, read_results, sift_results

HEADERS = "Board,NS,EW,Contract,By,Result,Score\n"
ROWS = "1,1,11,4S,N,=,420\n1,2,12,3NT,S,-1,-50\n2,1,12,2H,E,+1,-140\n"


@pytest.fixture
def club(tmp_path):
    """Write a file, text or bytes, and give its path."""

    def write(content, name="club.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def named(faults):
    """Row and rule of each fault."""
    return [(None if pd.isna(row) else row, rule) for row, rule in faults[["source_row", "rule"]].values.tolist()]


# --- headers and separators


@pytest.mark.parametrize(
    "headers",
    [
        "Board,Contract,Declarer,Tricks",
        "Bd,Cont,By,Tks",
        "board_number,contract,declarer,tricks_taken",
        "BoardNo,CONTRACT,Decl,TricksTaken",
        "Board No. ,Contr., played by ,Trks",
        "Brd,Contract,Dec,Tricks Won",
    ],
)
def test_headers_are_known_whatever_their_case_and_blanks(club, headers):
    row = read_results(club(f"{headers}\n7,4S,N,10\n")).iloc[0]
    assert (row["board"], row["contract"], row["declarer"], row["tricks"]) == (7, "4S", "N", 10)


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_the_separator_is_found(club, sep):
    assert read_results(club((HEADERS + ROWS).replace(",", sep)))["tricks"].tolist() == [10, 8, 9]


def test_the_first_line_of_a_spreadsheet_may_tell_the_separator(club):
    results, faults = sift_results(club("sep=;\n" + (HEADERS + ROWS).replace(",", ";")))
    assert results["source_row"].tolist() == [3, 4, 5]
    assert faults.empty


def test_columns_that_are_not_known_are_kept_behind_ours(club):
    results = read_results(club("Board,Contract,By,Tricks,Weather,Club Notes\n1,4S,N,10,rain,\n2,Pass,,,,late\n"))
    assert results.columns[-2:].tolist() == ["Weather", "Club Notes"]
    assert results["Weather"].tolist()[0] == "rain"
    assert results["Weather"].isna().tolist() == [False, True]


def test_a_column_of_the_file_that_has_a_name_of_ours_but_another_meaning_is_kept_under_another(club):
    layout = {"columns": {"Seat": "declarer"}}
    results = read_results(club("Board,Contract,Seat,declarer,mp_ew,Tricks\n1,4S,N,17,3,10\n"), layout=layout)
    assert (results["declarer"].iloc[0], results["file_declarer"].iloc[0], results["file_mp_ew"].iloc[0]) == (
        "N",
        "17",
        "3",
    )


def test_two_columns_for_the_same_are_an_error_that_names_both(club):
    with pytest.raises(ValueError, match="expected one column for 'ns', got 'NS' and 'Pair NS'"):
        read_results(club("Board,NS,Pair NS,Contract,By,Tricks\n1,1,1,4S,N,10\n"))


def test_spanish_headers_are_known(club):
    path = club("Mano;Ronda;Mesa;NS;EO;Contrato;Declarante;Bazas\n1;2;3;4;5;4P;O;10\n")
    row = read_results(path, layout={"locale": "es"}).iloc[0]
    assert row[["board", "round", "table", "ns", "ew", "contract", "declarer", "tricks"]].tolist() == [
        *(1, "2", "3", "4", "5", "4S", "W", 10),
    ]


def test_letters_under_spanish_headers_are_not_taken_for_english(club):
    path = club("Mano;Contrato;Declarante;Bazas\n1;4C;E;10\n")
    with pytest.raises(ValueError, match="expected locale = 'es' in the layout, since 'Contrato' is a Spanish heading"):
        read_results(path)
    assert read_results(path, layout={"locale": "es"})["contract"].tolist() == ["4H"]
    told = {"Contrato": "contract", "Declarante": "declarer"}
    assert read_results(path, layout={"columns": told})["contract"].tolist() == ["4C"]


def test_the_same_header_twice_is_an_error_that_a_layout_settles(club):
    file = club("Board,Contract,By,Tricks,MP,MP\n1,4S,N,10,7,5\n")
    with pytest.raises(ValueError, match="expected one column for 'published_mp_ns', got 'MP' and 'MP_2'"):
        read_results(file)
    results = read_results(file, layout={"columns": {"MP_2": "ignore"}})
    assert results["published_mp_ns"].tolist() == [7]


def test_a_merged_title_above_the_headers_is_named_and_skipped(club):
    results, faults = sift_results(club("Tuesday pairs,,,,,,\n\n,Pairs,,,,,\n" + HEADERS + ROWS))
    assert results["source_row"].tolist() == [5, 6, 7]
    assert named(faults) == [(1, "text_skipped"), (3, "text_skipped")]


def test_headers_in_two_lines_leave_a_row_that_says_nothing_and_is_named(club):
    results, faults = sift_results(club("Board,Pairs,,Contract,By,Result\n,NS,EW,,,\n1,1,11,4S,N,=\n"))
    assert results["status"].tolist() == ["unknown", "played"]
    assert named(faults) == [(2, "vul_unknown")]


def test_headers_that_come_again_are_named_and_skipped(club):
    results, faults = sift_results(club(HEADERS + ROWS + HEADERS + "3,1,11,Pass,,,\n"))
    assert results["source_row"].tolist() == [2, 3, 4, 6]
    assert named(faults) == [(5, "text_skipped")]


@pytest.mark.parametrize(
    "content", ["", "\n\n", ROWS, "<html><body>Results</body></html>", "Place,Pair,Score\n1,Ann,61\n"]
)
def test_a_file_without_headers_is_no_table_of_results(club, content):
    with pytest.raises(ResultsError, match="expected a line of headers that names a board and a contract"):
        read_results(club(content))
    assert named(check_results(club(content))) == [(None, "header_missing")]


def test_a_file_of_headers_only_has_no_results_and_no_faults(club):
    results, faults = sift_results(club(HEADERS))
    assert (len(results), len(faults)) == (0, 0)


# --- lines


def test_blank_lines_count_as_lines_and_are_no_rows(club):
    results, faults = sift_results(club(HEADERS + "\n1,1,11,4S,N,=,420\n,,,,,,\n   \n1,2,12,3NT,S,-1,-50\n\n"))
    assert results["source_row"].tolist() == [3, 6]
    assert faults.empty


def test_a_line_with_a_separator_too_many_is_left_out_and_never_cut(club):
    results, faults = sift_results(club(HEADERS + ROWS + "3,1,11,Pass,,,,\n"))
    assert len(results) == 3
    assert named(faults) == [(5, "cells_miscounted")]
    assert faults["suggestion"].tolist() == ["there are 7 headers: the line ends in a separator too many"]


def test_a_line_with_too_few_cells_is_left_out_and_never_padded(club):
    results, faults = sift_results(club(HEADERS + ROWS + "3,1,11,Pass\n"))
    assert len(results) == 3
    assert named(faults) == [(5, "cells_miscounted")]


def test_a_separator_behind_every_line_is_no_fault(club):
    results, faults = sift_results(club((HEADERS + ROWS).replace("\n", ",\n")))
    assert (len(results), len(faults)) == (3, 0)


def test_a_comma_in_a_name_needs_quotes(club):
    content = 'Board,Contract,By,Tricks,Names\n1,4S,N,10,"Ruiz, Ana"\n2,4S,N,10,Ruiz, Ana\n'
    results, faults = sift_results(club(content))
    assert results["Names"].tolist() == ["Ruiz, Ana"]
    assert faults["suggestion"].tolist() == [
        "there are 5 headers: a separator inside a cell needs quotes around the cell"
    ]


def test_a_quoted_line_break_belongs_to_its_cell_and_the_lines_are_counted_on(club):
    content = 'Board,Contract,By,Tricks,Note\n1,4S,N,10,"late\nvery late"\n2,4S,N,9,\n'
    results = read_results(club(content))
    assert results["Note"].iloc[0] == "late\nvery late"
    assert results["source_row"].tolist() == [2, 4]


@pytest.mark.parametrize("quote", ['"4S', '4S,"N', '"late'])
def test_a_quote_that_is_not_closed_spoils_its_own_line_only(club, quote):
    results, faults = sift_results(club(HEADERS + f"9,1,11,{quote},N,=,420\n" + ROWS))
    assert results["source_row"].tolist() == [3, 4, 5]
    assert named(faults)[0][0] == 2


def test_two_stray_quotes_do_not_swallow_the_lines_between_them(club):
    lines = HEADERS + '1,1,11,"4S,N,=,420\n1,2,12,3NT,S,-1,-50\n2,1,12,2H,"E,+1,-140\n3,1,12,2H,E,+1,-140\n'
    results, faults = sift_results(club(lines))
    assert results["source_row"].tolist() == [3, 5]
    assert named(faults) == [(2, "quotes_unreadable"), (4, "quotes_unreadable")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(club, end):
    assert read_results(club((HEADERS + ROWS).replace("\n", end)))["source_row"].tolist() == [2, 3, 4]


def test_the_last_line_needs_no_end(club):
    assert len(read_results(club((HEADERS + ROWS).rstrip("\n")))) == 3


@pytest.mark.parametrize(
    "content",
    [HEADERS + ROWS, HEADERS + "\n" + ROWS + "\n2,3,13,Pass,,,\n", HEADERS.replace(",", ";") + ROWS.replace(",", ";")],
)
def test_plain_text_is_cut_the_same_by_the_fast_way_and_line_by_line(club, content, monkeypatch):
    fast = read_results(club(content))
    monkeypatch.setattr("bridge_analytics.formats.results_csv.plain_rows", lambda *_: None)
    pd.testing.assert_frame_equal(read_results(club(content)), fast)


@pytest.mark.parametrize("cell", ["07", "0x1F", "+5", "-5", " 5", "00", "70000", "5.0", "12A", "", "1005", "0"])
def test_a_number_is_kept_as_it_is_written(cell):
    frame, line, count = csv_lines.plain_rows(f"1,2\n{cell},3\n\n4,\n".encode(), ",", 2, 2)
    assert [frame[0].tolist(), line.tolist(), count] == [["1", cell or pd.NA, "4"], [2, 3, 5], 4]


@pytest.mark.parametrize("told", ["Result", "Score"])
def test_rows_that_are_alike_are_read_as_if_each_were_the_only_one(club, told, monkeypatch):
    headers, rows = (text.replace(",Score", "").splitlines() for text in (HEADERS, ROWS))
    rows = [row.rpartition(",")[0] for row in rows] + ["X,4,5,8S,N,=", "3,,9,A+/A-,,", "4,7,8,4S,Q,+9", "5,8,9,4S,,="]
    path = club("\n".join([headers[0].replace("Result", told), *(rows * 1000)]))
    alike, faults = sift_results(path)
    monkeypatch.setattr("bridge_analytics.alike._ALIKE", 1e9)
    singly, found = sift_results(path)
    pd.testing.assert_frame_equal(alike, singly)
    pd.testing.assert_frame_equal(faults, found)
    assert len(faults) >= 3000


@pytest.mark.parametrize("body", ['1,"2"\n', "1\n", "1,2,3\n", "1,2\n3\n", "1,2\r3,4\n", "1,2\n   \n", "1,2\0\n", ""])
def test_text_that_is_not_plain_is_left_to_the_careful_way(body):
    assert csv_lines.plain_rows(body.encode(), ",", 2, 2) is None


# --- bytes


def test_a_byte_order_mark_is_no_part_of_the_first_header(club):
    assert len(read_results(club(b"\xef\xbb\xbf" + (HEADERS + ROWS).encode()))) == 3


def test_text_of_two_bytes_a_letter_is_known_by_its_mark(club):
    assert len(read_results(club((HEADERS + ROWS).replace(",", "\t").encode("utf-16")))) == 3


def test_bytes_that_are_no_text_are_a_fault_of_their_row(club):
    content = "Board,Contract,By,Tricks,Name\n1,4S,N,10,José\n2,4S,N,10,Jo\n".encode("latin-1")
    results, faults = sift_results(club(content))
    assert results["source_row"].tolist() == [3]
    assert named(faults) == [(2, "bytes_unreadable")]
    assert read_results(club(content), layout={"encoding": "latin-1"})["Name"].tolist() == ["José", "Jo"]


def test_a_compressed_file_is_read_as_it_is(club):
    assert len(read_results(club(gzip.compress((HEADERS + ROWS).encode()), "club.csv.gz"))) == 3


# --- what spreadsheets and hands do to cells


def test_what_a_spreadsheet_writes_around_a_text_is_taken_off(club):
    content = 'Board,NS,Contract,By,Result\n"=""07""",\'1,4S,N,\'+1\n1,2,3NT,S,"=""="""\n'
    results = read_results(club(content))
    assert results["board_label"].tolist() == ["07", "1"]
    assert results["ns"].tolist() == ["1", "2"]
    assert results["tricks"].tolist() == [11, 9]


def test_a_board_that_a_spreadsheet_took_for_a_day_is_named(club):
    results, faults = sift_results(club(HEADERS + "01-Jan,1,11,4S,N,=,420\n"))
    assert pd.isna(results["board"].iloc[0])
    assert faults["suggestion"].tolist() == ["a spreadsheet may have made a date of the board"]


def test_a_plus_that_a_spreadsheet_lost_is_not_guessed(club):
    faults = check_results(club(HEADERS + "1,1,11,4S,N,1,450\n1,2,12,3NT,S,-1,-50\n"))
    assert named(faults) == [(2, "result_unreadable")]
    assert faults["suggestion"].tolist() == ["in the layout: result = 'relative'"]


@pytest.mark.parametrize("line", ["Total,,,,,,230", ",Average,,,,,12.5"])
def test_a_line_of_sums_at_the_bottom_is_no_result_and_is_named(club, line):
    results, faults = sift_results(club(f"{HEADERS}{ROWS}{line}\n"))
    assert len(results) == 3
    assert named(faults) == [(5, "text_skipped")]


def test_a_team_called_total_keeps_its_board(club):
    results = read_results(club(HEADERS + ROWS + "3,Total,11,,,,\n"))
    assert results["ns"].tolist()[3] == "Total"


@pytest.mark.parametrize("contract", ["10♠", "8S", "S4", "4", "NT", "4SXXX", "4SN="])
def test_what_is_no_contract_is_left_out(club, contract):
    _, faults = sift_results(club(HEADERS + ROWS + f"3,1,11,{contract},N,=,420\n"))
    assert named(faults) == [(5, "contract_unreadable")]


@pytest.mark.parametrize(("written", "card"), [("s7", "S7"), ("KD", "DK"), ("♥10", "HT"), ("10h", "HT"), ("C Q", "CQ")])
def test_a_lead_is_read_suit_and_rank_in_any_order(club, written, card):
    assert read_results(club(f"Board,Contract,By,Tricks,Lead\n1,4S,N,10,{written}\n"))["lead"].tolist() == [card]


def test_a_deal_is_kept_with_north_first(club):
    deal = "E:KQ8.J86.QJ963.83 A973.AKQ532.T.72 J65.T74.K742.K94 T42.9.A85.AQJT65"
    results = read_results(club(f"Board,Contract,By,Tricks,Deal\n1,4S,N,10,{deal}\n"))
    assert results["deal"].tolist() == ["N:T42.9.A85.AQJT65 KQ8.J86.QJ963.83 A973.AKQ532.T.72 J65.T74.K742.K94"]


def test_a_file_of_parts_and_of_results_without_plus_needs_only_its_layout(club):
    content = "Board,Level,Denomination,Dbl,By,Result\n11,3,NT,,W,0\n12,4,S,X,N,-1\n16,Pass,,,,\n"
    results = read_results(club(content), layout={"result": "relative"})
    assert results["contract"].tolist() == ["3NT", "4SX", "Pass"]
    assert results["tricks"].tolist()[:2] == [9, 9]
