"""Many files at once, files in parts, and files that are not what they seem."""

import gzip
import tracemalloc

import pandas as pd
import pytest

import bridge_analytics as ba
from bridge_analytics.reading import results_in_parts
from bridge_analytics.sources import format_of

TUESDAY = "Board,NS,EW,Contract,By,Result\n1,1,11,4S,N,=\n1,2,12,3NT,S,-1\n"
FRIDAY = "Board;NS;EW;Contract;By;Result;Weather\n1;7;17;2H;E;+1;rain\n2;8;18;Pass;;;\n"
LETTER = "Dear Sir,\nthe results will follow.\n"


@pytest.fixture
def club(tmp_path):
    """A folder with the files of two evenings and a letter."""
    (tmp_path / "tuesday.csv").write_text(TUESDAY, encoding="utf-8")
    (tmp_path / "friday.csv.gz").write_bytes(gzip.compress(FRIDAY.encode()))
    (tmp_path / "letter.txt").write_text(LETTER, encoding="utf-8")
    (tmp_path / "cover.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.csv").write_text(LETTER, encoding="utf-8")
    return tmp_path


def test_a_folder_is_one_table_with_the_file_of_each_row(club):
    results, _ = ba.sift_results(club)
    assert [path.rpartition("/")[2] for path in results["source"]] == ["friday.csv.gz"] * 2 + ["tuesday.csv"] * 2
    assert results["source_row"].tolist() == [2, 3, 2, 3]
    assert list(results["ns"].cat.categories) == ["1", "2", "7", "8"]
    assert results["Weather"].dropna().tolist() == ["rain"]


def test_a_file_that_is_no_table_of_results_is_a_fault_of_that_file(club):
    _, faults = ba.sift_results(club)
    assert faults[["source", "rule", "left_out"]].values.tolist() == [
        [str(club / "letter.txt"), "header_missing", True]
    ]
    assert faults["source_row"].isna().all()


def test_a_folder_with_such_a_file_is_not_read_as_if_it_were_whole(club):
    with pytest.raises(ba.ResultsError, match=r"letter\.txt"):
        ba.read_results(club)
    (club / "letter.txt").unlink()
    assert len(ba.read_results(club)) == 4


@pytest.mark.parametrize(("pattern", "count"), [("*.csv", 2), ("*day.csv*", 4), ("**/tues*", 2)])
def test_a_pattern_names_files(club, pattern, count):
    assert len(ba.read_results(str(club / pattern))) == count


@pytest.mark.parametrize(
    ("name", "wanted"), [("*.pbn", "a pattern that files match"), ("empty", "a folder with files")]
)
def test_no_file_at_all_is_an_error(club, name, wanted):
    (club / "empty").mkdir()
    with pytest.raises(ValueError, match=f"expected {wanted}.*, got '.*{name[1:]}'"):
        ba.sift_results(club / name)


def test_a_file_whose_name_holds_a_bracket_is_that_file(club):
    path = club / "evening [2].csv"
    path.write_text(TUESDAY, encoding="utf-8")
    assert len(ba.read_results(path)) == 2


def test_a_layout_that_does_not_fit_one_file_of_many_is_a_fault_of_that_file(club):
    results, faults = ba.sift_results(str(club / "*.csv*"), layout={"columns": {"Weather": "remarks"}})
    assert len(results) == 2
    assert faults[["source", "rule"]].values.tolist() == [[str(club / "tuesday.csv"), "layout_unfit"]]


def test_a_layout_that_does_not_fit_the_one_file_is_an_error(club):
    with pytest.raises(ValueError, match="expected a column 'Weather', as the layout says"):
        ba.read_results(club / "tuesday.csv", layout={"columns": {"Weather": "remarks"}})


def test_no_table_of_results_among_many_files_is_refused_with_all_reasons(club):
    (club / "other.txt").write_text(LETTER, encoding="utf-8")
    with pytest.raises(ba.ResultsError) as caught:
        ba.sift_results(str(club / "*.txt"))
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv.gz", b"\x1f\x8b\x08\x00torn"), ("a.csv.gz", gzip.compress(TUESDAY.encode())[:-9]), ("a.parquet", b"PAR1")],
)
def test_a_torn_file_is_refused_and_says_why(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    faults = ba.check_results(tmp_path / name)
    assert faults[["rule", "left_out"]].values.tolist() == [["file_unreadable", True]]
    assert faults["source"].tolist() == [str(tmp_path / name)]
    assert faults["value"].notna().all()


@pytest.mark.parametrize(
    ("start", "name", "found"),
    [
        (b"PAR1", "a.csv", "parquet"),
        (b"Board,Contract\n", "a.csv", "results_csv"),
        (b"1|7|31|4|15|9|3N|S|9|H4\n", "a.txt", "valet"),
        (b"", "a.pbn", "pbn"),
        (b"", "a.LIN", "lin"),
        (b"", "a.pbn.gz", "pbn"),
        (b'[Event "x"]\n[Board "1"]\n', "a.txt", "pbn"),
        (b"qx|o1|md|3S", "a.txt", "lin"),
    ],
)
def test_the_format_is_found_from_the_content_then_from_the_ending(tmp_path, start, name, found):
    assert format_of(start, tmp_path / name) == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "iso-8859-2"])
def test_a_file_is_read_in_the_encoding_it_was_written_in(tmp_path, encoding):
    (tmp_path / "a.csv").write_text(
        "Board,Contract,North\n1,Pass,Müllerová\n".replace("ová", "ò" if encoding == "cp1252" else "ová"),
        encoding=encoding,
    )
    named = None if encoding.startswith("utf") else {"encoding": encoding}
    assert ba.read_results(tmp_path / "a.csv", layout=named)["north"].tolist()[0].startswith("Müller")


def test_bytes_that_cannot_be_read_are_a_fault_of_their_row_in_any_encoding(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"Board,Contract,North\n1,Pass,M\x81ller\n2,Pass,Mo\n")
    faults = ba.check_results(tmp_path / "a.csv", layout={"encoding": "cp1252"})
    assert faults[["source_row", "rule"]].values.tolist() == [[2, "bytes_unreadable"]]


def test_a_sign_that_is_no_letter_stays_where_the_file_is_clean(tmp_path):
    (tmp_path / "a.csv").write_text('Board,Contract,North\n1,Pass,"a\ufffdb, c"\n', encoding="utf-8")
    assert ba.read_results(tmp_path / "a.csv")["north"].tolist() == ["a\ufffdb, c"]


# --- in parts


@pytest.fixture
def long_file(tmp_path, monkeypatch):
    """A file of which the last part alone says what its results count."""
    monkeypatch.setattr("bridge_analytics.csv_lines._BLOCK", 1000)
    lines = [f"{board},4S,N,{'=' if board > 480 else '1'}" for board in range(1, 500)]
    path = tmp_path / "long.csv"
    path.write_text("Board,Contract,By,Result\n" + "\n".join(lines), encoding="utf-8")
    return path


def test_a_column_means_the_same_in_every_part(long_file):
    whole, faults = ba.sift_results(long_file)
    parts, found = zip(*results_in_parts(long_file), strict=True)
    assert len(parts) > 4
    assert sum(map(len, parts)) == len(whole) == 19
    assert pd.concat(found)["rule"].tolist() == faults["rule"].tolist()


def test_parts_of_many_files_come_one_after_the_other_with_the_faults_of_those_that_are_none(club):
    parts = [(len(results), faults["rule"].tolist()) for results, faults in results_in_parts(club)]
    assert parts == [(2, []), (0, ["header_missing"]), (2, [])]


def test_a_file_whose_later_rows_replace_earlier_ones_comes_whole(long_file):
    assert len(list(results_in_parts(long_file, layout={"duplicates": "last"}))) == 1


def peak(read):
    """The most memory in use while something is read."""
    tracemalloc.start()
    read()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_long_file_in_parts_takes_the_memory_of_a_part(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.csv_lines._BLOCK", 200_000)
    path = tmp_path / "long.csv"
    path.write_text("Board,NS,Contract,By,Tricks\n" + "17,123,4S,N,10\n" * 120_000, encoding="utf-8")
    in_parts = peak(lambda: sum(len(results) for results, _ in results_in_parts(path)))
    assert in_parts < peak(lambda: ba.sift_results(path)) / 3
