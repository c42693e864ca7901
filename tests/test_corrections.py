"""Printed scores that contradict their row, the edit that would agree, and corrections that are applied."""

import pandas as pd
import pytest

import bridge_analytics as ba

HEADERS = "Round,Table,Board,NS,EW,Contract,By,Result,Score\n"


@pytest.fixture
def club(tmp_path):
    """Write the lines of an evening and give the path."""

    def write(*lines, headers=HEADERS, name="club.csv"):
        path = tmp_path / name
        path.write_text(headers + "".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


def suggestions(path):
    faults = ba.check_results(path)
    return faults.loc[faults["rule"].isin(["score_sign", "score_mismatch"]), "suggestion"].tolist()


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("1,1,3,1,11,4S,N,=,-420", "published_score_ns = 420: side swapped"),
        ("1,1,1,1,11,3NT,N,-1,-100", "contract = 3NTX: double lost or added"),
        ("1,1,1,1,11,3NTX,N,-1,-50", "contract = 3NT: double lost or added"),
        ("1,1,1,1,11,2SXX,N,=,470", "contract = 2SX: double lost or added"),
        ("1,1,1,1,11,4S,N,=,620", "vul = ns: another vulnerability"),
        ("1,1,2,1,11,4H,E,=,620", "declarer = S: side swapped"),
        ("1,1,1,1,11,2S,N,+1,110", "tricks = 8: another number of tricks"),
        ("1,1,1,1,11,2S,N,+1,333", "status = adjusted: no one cell explains it, perhaps adjusted without a mark"),
    ],
)
def test_the_cheapest_edit_that_makes_the_printed_score_is_suggested(club, line, suggestion):
    assert suggestions(club(line)) == [suggestion]


def test_two_boards_exchanged_at_a_table_are_recognised(club):
    path = club("1,1,1,1,11,3NT,S,=,600", "1,1,2,1,11,4H,N,=,420", "1,2,2,2,12,4H,N,=,620")
    assert suggestions(path) == [
        "board = 2: boards exchanged at the table",
        "board = 1: boards exchanged at the table",
    ]


def test_boards_of_two_tables_are_not_exchanged(club):
    path = club("1,1,1,1,11,3NT,S,=,600", "1,2,2,2,12,4H,N,=,420")
    assert suggestions(path) == ["vul = ns: another vulnerability", "vul = none: another vulnerability"]


EVENING = ("1,1,1,1,11,3NT,N,-1,-100", "1,1,2,1,11,8S,N,+1,650", "1,1,3,1,11,2S,N,=,110")


def corrections(**columns):
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


def test_every_suggestion_agrees_once_it_is_a_correction(club):
    path = club(
        "1,1,3,1,11,4S,N,=,-420",
        "1,2,1,2,12,3NT,N,-1,-100",
        "1,3,1,3,13,4S,N,=,620",
        "1,4,2,4,14,4H,E,=,620",
        "1,5,1,5,15,2S,N,+1,110",
        "1,6,1,6,16,2S,N,+1,333",
        "1,7,1,7,17,3NT,S,=,600",
        "1,7,2,7,17,4H,N,=,420",
    )
    faults = ba.check_results(path)
    parts = faults["suggestion"].str.extract(r"(?P<column>\w+) = (?P<value>[^:]+)")
    edits = parts.assign(source_row=faults["source_row"])
    assert len(edits) == 8
    after = ba.check_results(path, corrections=edits)
    assert after["rule"].unique().tolist() == ["corrected"]


def test_a_correction_reads_the_row_again(club):
    edits = corrections(source_row=[2], column=["contract"], value=["3NTX"])
    results, faults = ba.sift_results(club(*EVENING), corrections=edits)
    assert results["contract"].tolist() == ["3NTX", "2S"]
    assert results["tricks"].tolist() == [8, 8]
    assert faults[["source_row", "column", "value", "rule", "suggestion"]].values.tolist()[0] == [
        2,
        "contract",
        "3NT",
        "corrected",
        "contract = 3NTX",
    ]


def test_a_row_that_was_left_out_comes_back_in_its_place(club):
    edits = corrections(source_row=[3], column=["contract"], value=["4S"])
    results = ba.read_results(club(*EVENING), corrections=edits)
    assert results["source_row"].tolist() == [2, 3, 4]
    assert results[["contract", "declarer", "tricks", "status"]].values.tolist()[1] == ["4S", "N", 11, "played"]


def test_a_corrected_board_has_its_own_dealer_and_vulnerability(club):
    edits = corrections(source_row=[2], column=["board"], value=["4"])
    row = ba.sift_results(club(*EVENING), corrections=edits)[0].iloc[0]
    assert row[["board", "board_label", "dealer", "vul"]].tolist() == [4, "4", "W", "both"]


def test_a_corrected_contract_is_understood_whatever_the_language_of_the_file(club):
    path = club("1,1,1,1,11,4P,N,=,420", headers=HEADERS)
    edits = corrections(source_row=[2], column=["contract"], value=["4H"])
    row = ba.read_results(path, layout={"locale": "es"}, corrections=edits).iloc[0]
    assert (row["contract"], row["tricks"]) == ("4H", 10)


def test_a_correction_to_nothing_empties_the_cell(club):
    edits = corrections(source_row=[4], column=["published_score_ns"], value=[None])
    assert ba.sift_results(club(*EVENING), corrections=edits)[0]["published_score_ns"].isna().tolist() == [False, True]


def test_columns_of_the_files_own_stay_with_the_corrected_row(club):
    path = club("1,4S,N,=,rain", "2,Pass,,,sun", headers="Board,Contract,By,Result,Weather\n")
    edits = corrections(source_row=[2], column=["contract"], value=["4H"])
    assert ba.read_results(path, corrections=edits)["Weather"].tolist() == ["rain", "sun"]


def test_corrections_are_a_file_and_the_original_stays(club, tmp_path):
    path = club(*EVENING)
    before = path.read_bytes()
    (tmp_path / "edits.csv").write_text("source_row,column,value\n3,contract,4S\n", encoding="utf-8")
    assert len(ba.read_results(path, corrections=tmp_path / "edits.csv")) == 3
    assert path.read_bytes() == before


def test_of_several_files_a_correction_names_the_one_it_means(club, tmp_path):
    club(*EVENING, name="one.csv"), club(*EVENING, name="two.csv")
    edits = corrections(source=["two.csv"], source_row=[3], column=["contract"], value=["4S"])
    results, faults = ba.sift_results(tmp_path, corrections=edits)
    assert results["source"].str[-7:].tolist() == ["one.csv"] * 2 + ["two.csv"] * 3
    assert (faults["rule"] == "corrected").sum() == 1


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        (
            {"source_row": [9], "column": ["contract"], "value": ["4S"]},
            "expected corrections of rows that are read, got row 9",
        ),
        (
            {"source_row": ["x"], "column": ["contract"], "value": ["4S"]},
            "expected the number of a row .*, got 'x' at position 0",
        ),
        (
            {"source_row": [2], "column": ["weather"], "value": ["4S"]},
            "expected a canonical column .*, got 'weather' at position 0",
        ),
        ({"source_row": [2], "column": ["contract"]}, "expected corrections with columns .*, got none called 'value'"),
        ({"source_row": [2, 2], "column": ["vul"] * 2, "value": ["ns", "ew"]}, "expected one correction of a cell"),
    ],
)
def test_a_correction_that_cannot_be_applied_is_an_error(club, edits, reason):
    with pytest.raises(ValueError, match=reason):
        ba.sift_results(club(*EVENING), corrections=corrections(**edits))


def test_a_correction_that_cannot_be_read_is_a_fault_of_its_row(club):
    edits = corrections(source_row=[2], column=["contract"], value=["8S"])
    faults = ba.check_results(club(*EVENING), corrections=edits)
    assert set(faults.loc[faults["source_row"] == 2, "rule"]) == {"corrected", "contract_unreadable"}


# --- matchpoints


def field(adjusted=None, win=2):
    """Lines of three boards at five tables, with their matchpoints; the result of one table may not count."""
    lines = []
    for board in range(1, 4):
        scores = [420, 450, -50, 420, 450 if board == 2 else -100]
        tricks = [10, 11, 9, 10, 11 if board == 2 else 8]
        counted = [score for table, score in enumerate(scores) if (board, table) != adjusted]
        for table, (score, won) in enumerate(zip(scores, tricks, strict=True)):
            others = list(counted)
            points = 2.4 * win
            if (board, table) != adjusted:
                others.remove(score)
                points = sum(win * (score > other) + win / 2 * (score == other) for other in others)
            lines.append(f"{board + 7 * (board == 3)},{table + 1},{table + 11},4S,N,{won},{points:g}")
    return lines


FIELD = "Board,NS,EW,Contract,By,Tricks,MP\n"


@pytest.mark.parametrize("win", [2, 1])
def test_matchpoints_that_follow_from_the_scores_are_no_fault(club, win):
    assert ba.check_results(club(*field(win=win), headers=FIELD)).empty


def test_a_row_that_was_adjusted_without_a_mark_is_found_by_the_others(club):
    path = club(*field(adjusted=(2, 0)), headers=FIELD)
    faults = ba.check_results(path)
    assert faults[["source_row", "rule"]].values.tolist() == [[7, "mp_mismatch"]]
    assert faults["suggestion"][0].startswith("status = adjusted:")
    after = ba.check_results(path, corrections=corrections(source_row=[7], column=["status"], value=["adjusted"]))
    assert after["rule"].tolist() == ["corrected"]


def test_a_wrong_number_of_matchpoints_is_a_fault_of_its_row(club):
    lines = field()
    lines[3] = lines[3].rpartition(",")[0] + ",1"
    faults = ba.check_results(club(*lines, headers=FIELD))
    assert faults[["source_row", "column", "value", "rule"]].values.tolist() == [
        [5, "published_mp_ns", "1", "mp_mismatch"]
    ]


def test_a_file_that_counts_in_another_way_is_not_doubted(club):
    lines = [f"{line.rpartition(',')[0]},{number}" for number, line in enumerate(field())]
    assert ba.check_results(club(*lines, headers=FIELD)).empty


def test_a_field_with_a_result_that_cannot_be_read_is_not_judged(club):
    lines = field()
    lines[0] = lines[0].replace("4S", "8S")
    assert ba.check_results(club(*lines, headers=FIELD))["rule"].tolist() == ["contract_unreadable"]
