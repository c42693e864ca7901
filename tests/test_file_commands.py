"""The commands about files: convert, columns, and check for a folder."""

import pandas as pd
import pytest
from typer.testing import CliRunner

import bridge_analytics as ba
from bridge_analytics.cli import app
from bridge_analytics.headings import headings, layout_text
from bridge_analytics.layout import load_layout

CLUB = "Board,NS,EW,Contract,By,Result,Score,Weather\n1,1,11,4S,N,=,420,rain\n2,2,12,3NT,S,-1,-50,\n"
STRANGE = "Hand,Pair,Final bid,Who,Made\n1,1,4S,N,=\n2,2,3NT x,S,-1\n"


@pytest.fixture
def run():
    """Run a command and give its exit code and what it printed."""

    def call(*words):
        result = CliRunner().invoke(app, [str(word) for word in words])
        return int(result.exit_code), result.output

    return call


@pytest.fixture
def club(tmp_path):
    (tmp_path / "club.csv").write_text(CLUB, encoding="utf-8")
    return tmp_path / "club.csv"


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".pbn"])
def test_a_file_is_converted_and_reads_back_the_same(run, club, tmp_path, suffix):
    code, printed = run("convert", club, "-o", tmp_path / f"out{suffix}")
    assert (code, "results  2" in printed) == (1, True)  # a printed score is wrong
    wanted, back = (ba.sift_results(path)[0] for path in (club, tmp_path / f"out{suffix}"))
    of_the_file = ["source", "source_row", "vul_source"] + ["Weather"] * (suffix == ".pbn")
    pd.testing.assert_frame_equal(
        back.drop(columns=of_the_file, errors="ignore"), wanted.drop(columns=of_the_file), check_dtype=suffix != ".pbn"
    )


def test_a_column_that_only_a_later_file_has_is_converted_too(run, tmp_path):
    (tmp_path / "a.csv").write_text("Board,Contract\n1,Pass\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("Board,Contract,Weather\n1,Pass,rain\n", encoding="utf-8")
    for suffix in ("csv", "parquet"):
        assert run("convert", tmp_path / "[ab].csv", "-o", tmp_path / f"out.{suffix}")[0] == 0
        assert ba.read_results(tmp_path / f"out.{suffix}")["Weather"].dropna().tolist() == ["rain"]


def test_many_parts_make_one_file(run, club, tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.csv_lines._BLOCK", 30)
    club.write_text(CLUB + "3,3,13,2H,E,=,-110,\n" * 50, encoding="utf-8")
    run("convert", club, "-o", tmp_path / "out.parquet")
    assert len(ba.read_results(tmp_path / "out.parquet")) == 52


def test_corrections_and_faults_go_with_a_conversion(run, club, tmp_path):
    (tmp_path / "edits.csv").write_text("source_row,column,value\n3,vul,ns\n", encoding="utf-8")
    words = ("--corrections", tmp_path / "edits.csv", "--faults", tmp_path / "faults.csv")
    run("convert", club, "-o", tmp_path / "out.csv", *words)
    assert pd.read_csv(tmp_path / "faults.csv")["rule"].tolist()[0] == "corrected"
    assert ba.sift_results(tmp_path / "out.csv")[0]["vul"].tolist() == ["none", "ns"]
    assert club.read_text(encoding="utf-8") == CLUB


@pytest.mark.parametrize(
    ("output", "reason"), [("club.csv", "apart from the file that is read"), ("out.doc", "ends in")]
)
def test_nothing_that_would_be_lost_is_written_over(run, club, tmp_path, output, reason):
    code, printed = run("convert", tmp_path / "*.csv", "-o", tmp_path / output)
    assert (code, reason in printed) == (2, True)
    assert club.read_text(encoding="utf-8") == CLUB


def test_a_conversion_that_fails_leaves_no_file(run, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir\n", encoding="utf-8")
    assert run("convert", tmp_path / "letter.txt", "-o", tmp_path / "out.csv")[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_is_checked_file_by_file(run, club, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir\n", encoding="utf-8")
    code, printed = run("check", tmp_path, "--faults", tmp_path / "faults.csv")
    assert code == 1
    lines = [line.split() for line in printed.splitlines() if line.startswith(str(tmp_path))]
    assert [line[1:] for line in lines] == [
        ["2", "1", "0", "score_mismatch", "1"],
        ["none", "1", "1", "header_missing", "1"],
    ]
    assert len(pd.read_csv(tmp_path / "faults.csv")) == 2


def test_check_takes_corrections(run, club, tmp_path):
    (tmp_path / "edits.csv").write_text(
        "source_row,column,value\n3,published_score_ns,-100\n3,vul,ns\n", encoding="utf-8"
    )
    printed = run("check", club, "--corrections", tmp_path / "edits.csv")[1]
    assert "corrected 2" in printed
    assert "score_mismatch" not in printed


def test_columns_says_how_each_was_understood(tmp_path):
    (tmp_path / "strange.csv").write_text(STRANGE, encoding="utf-8")
    table = headings(tmp_path / "strange.csv")
    assert table["holds"].isna().all()
    assert table["perhaps"].dropna().to_dict() == {2: "contract", 3: "declarer"}
    assert headings(pd.DataFrame({"Bd": [1], "Score": [420]}))["holds"].tolist() == ["board", "published_score_ns"]


def test_the_layout_that_columns_writes_is_one_and_reads_the_file(run, tmp_path):
    strange, layout = tmp_path / "strange.csv", tmp_path / "club.toml"
    strange.write_text(STRANGE, encoding="utf-8")
    assert run("columns", strange, "-o", layout)[0] == 0
    assert load_layout(layout)["columns"] == {}
    text = layout.read_text(encoding="utf-8")
    for guess in ('"Final bid" = "contract"', '"Who" = "declarer"'):
        text = text.replace(f"# {guess}", guess)
    text = text.replace('# "Hand" = "ignore"', '"Hand" = "board"').replace('# "Made" = "ignore"', '"Made" = "result"')
    layout.write_text(text, encoding="utf-8")
    assert ba.read_results(strange, layout=layout)["tricks"].tolist() == [10, 8]


def test_a_layout_keeps_what_it_was_read_with():
    layout = {"decimal": ",", "columns": {"Weather": "remarks"}}
    text = layout_text(headings(pd.DataFrame({"Board": [1], "Weather": ["rain"]}), layout=layout), layout)
    assert 'decimal = ","' in text
    assert '"Weather" = "remarks"' in text


def test_a_layout_that_is_there_is_not_written_over(run, club, tmp_path):
    (tmp_path / "club.toml").write_text("# by hand\n", encoding="utf-8")
    assert run("columns", club, "-o", tmp_path / "club.toml")[0] == 2
    assert (tmp_path / "club.toml").read_text(encoding="utf-8") == "# by hand\n"
