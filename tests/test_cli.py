"""The command line, run as a user runs it: files in, files and exit codes out."""

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from bridge_analytics.cli import app
from bridge_analytics.results import read_results

SESSION = Path(__file__).resolve().parents[1] / "data" / "session.csv"
ALL_FORMS = "matchpoints,butler,cross_imps"

CLUB = """\
Board,NS,EW,Contract,By,Result,Vul
1,1,11,4S,N,+1,None
1,2,12,3NT,S,-1,None
1,3,13,Pass,,,None
2,1,12,4HX,E,=,NS
2,2,13,6NT,W,-2,NS
2,3,11,2SXX,N,+1,NS
"""


@pytest.fixture
def run(monkeypatch):
    """Run `bridge-analytics` with these words, on a screen wide enough for any table."""
    monkeypatch.setenv("COLUMNS", "240")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def club(tmp_path):
    path = tmp_path / "club.csv"
    path.write_text(CLUB)
    return path


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.csv"
    path.write_text(CLUB + "3,1,13,8S,N,=,EW\n3,2,11,3C,N,=,EW\n3,3,12,1NT,Q,=,EW\n")
    return path


def test_a_session_is_scored_in_every_form(run, tmp_path):
    output = tmp_path / "scored.csv"
    result = run("score", SESSION, "-o", output, "--form", ALL_FORMS)
    assert result.exit_code == 0, result.output
    assert {"mp_ns", "pct_ew", "butler_ns", "cross_imps_ns"} <= set(pd.read_csv(output).columns)


def test_the_summary_counts_results_deals_and_pairs(run, club, tmp_path):
    result = run("score", club, "-o", tmp_path / "scored.csv")
    summary = dict(line.rsplit(maxsplit=1) for line in result.stdout.splitlines())
    assert (summary["results"], summary["deals"], summary["pairs"], summary["faults"]) == ("6", "2", "6", "0")


def test_a_pair_that_changes_seats_is_one_pair(run, tmp_path):
    howell = tmp_path / "howell.csv"
    howell.write_text(
        "Round,Board,NS,EW,Contract,By,Result\n1,1,1,2,1C,N,=\n1,1,3,4,1C,N,=\n2,2,2,3,1C,N,=\n2,2,4,1,1C,N,=\n"
    )
    result = run("score", howell, "-o", tmp_path / "scored.csv")
    assert "pairs            4" in result.stdout


def test_the_same_number_in_both_directions_of_a_mitchell_is_two_pairs(run, tmp_path):
    mitchell = tmp_path / "mitchell.csv"
    mitchell.write_text("Round,Board,NS,EW,Contract,By,Result\n1,1,1,1,1C,N,=\n2,1,2,2,1C,N,=\n")
    result = run("score", mitchell, "-o", tmp_path / "scored.csv")
    assert "pairs            4" in result.stdout


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_scored_file_reads_back_as_it_was(run, club, tmp_path, suffix):
    once, twice = tmp_path / f"once{suffix}", tmp_path / f"twice{suffix}"
    run("score", club, "-o", once, "--form", ALL_FORMS)
    run("score", once, "-o", twice, "--form", ALL_FORMS)
    own = ["source", "source_row"]
    pd.testing.assert_frame_equal(read_results(once).drop(columns=own), read_results(twice).drop(columns=own))


def test_plain_pandas_reads_passed_out_and_none_vulnerable_from_a_scored_csv(run, club, tmp_path):
    output = tmp_path / "scored.csv"
    run("score", club, "-o", output)
    passed = pd.read_csv(output).iloc[2]
    assert (passed["contract"], passed["vul"], passed["score_ns"]) == ("Pass", "none", 0)
    assert passed[["declarer", "tricks"]].isna().all()


def test_a_csv_and_a_parquet_hold_the_same_scores(run, club, tmp_path):
    for name in ("scored.csv", "scored.parquet"):
        run("score", club, "-o", tmp_path / name, "--form", ALL_FORMS)
    columns = ["board", "score_ns", "mp_ns", "pct_ns", "butler_ns", "cross_imps_ns"]
    text, binary = (read_results(tmp_path / name)[columns] for name in ("scored.csv", "scored.parquet"))
    pd.testing.assert_frame_equal(text, binary)


def test_rows_that_cannot_be_read_are_counted_and_the_others_are_scored(run, faulty, tmp_path):
    output = tmp_path / "scored.csv"
    result = run("score", faulty, "-o", output)
    assert result.exit_code == 1
    assert "2 rows left out: " in result.stdout
    assert "contract_unreadable 1" in result.stdout
    assert len(pd.read_csv(output)) == 7


@pytest.mark.parametrize("command", ["check", "score"])
def test_the_faults_are_written_where_asked(run, faulty, tmp_path, command):
    faults = tmp_path / "faults.csv"
    run(command, faulty, "--faults", faults, *(["-o", tmp_path / "scored.csv"] if command == "score" else []))
    assert list(pd.read_csv(faults)["source_row"]) == [8, 10]


def test_check_names_the_row_the_value_and_what_was_expected(run, faulty):
    result = run("check", faulty)
    assert result.exit_code == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("8 "))
    assert line.split()[:5] == ["8", "contract", "8S", "level", "1-7,"]


def test_check_finds_nothing_in_a_clean_file(run, club):
    result = run("check", club)
    assert result.exit_code == 0
    assert result.stdout.split() == ["results", "6", "faults", "0"]


@pytest.mark.parametrize(
    "words",
    [
        ["score", "club.csv", "-o", "club.csv"],
        ["score", "club.csv", "-o", "sub/../club.csv"],
        ["score", "club.csv", "-o", "link.csv"],
        ["score", "club.csv", "-o", "scored.csv", "--faults", "club.csv"],
        ["score", "club.csv", "-o", "scored.csv", "--faults", "./scored.csv"],
        ["check", "club.csv", "--faults", "club.csv"],
        ["study", "doubled-partscores", "club.csv", "-o", "club.csv"],
        ["rubber", "club.csv", "-o", "club.csv"],
    ],
)
def test_no_output_replaces_the_file_that_is_read_or_another_output(run, club, monkeypatch, words):
    monkeypatch.chdir(club.parent)
    Path("sub").mkdir()
    Path("link.csv").symlink_to("club.csv")
    result = run(*words)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), result.output
    assert "expected an output apart from " in result.stderr
    assert club.read_text() == CLUB


@pytest.mark.parametrize("command", ["check", "score"])
def test_results_without_a_score_are_counted(run, tmp_path, command):
    file = tmp_path / "club.csv"
    file.write_text("Board,NS,EW,Contract,By,Made\n1,1,11,4S,N,10\n1,2,12,3NT,S,8\n")
    output = ["-o", tmp_path / "scored.csv"] if command == "score" else []
    lines = run(command, file, *output).stdout.splitlines()
    assert "2 of 2 results have no contract, no declarer or no tricks: status unknown" in lines
    assert "headings not understood, kept as columns of the file's own: Made" in lines


def test_remarks_and_columns_that_the_layout_names_are_understood(run, club, tmp_path):
    layout = tmp_path / "club.toml"
    layout.write_text('[columns]\nNote = "remarks"\n')
    rows = CLUB.splitlines()
    club.write_text("\n".join([f"{rows[0]},Remarks,Weather", *(f"{row},late,sun" for row in rows[1:])]))
    assert "of the file's own: Weather\n" in run("check", club).stdout
    club.write_text("\n".join([f"{rows[0]},Note", *(f"{row},late" for row in rows[1:])]))
    assert "not understood" not in run("check", club, "--layout", layout).stdout


def test_check_says_that_it_is_not_clear_which_results_share_the_cards(run, tmp_path):
    file = tmp_path / "rounds.csv"
    file.write_text(
        "Round,Board,NS,EW,Contract,By,Result\n1,1,1,2,1C,N,=\n1,1,3,4,1C,N,=\n2,1,1,2,1C,N,=\n2,1,3,4,1C,N,=\n"
    )
    result = run("check", file)
    assert result.exit_code == 1
    (line,) = (line for line in result.stdout.splitlines() if line.startswith("cannot be scored: "))
    assert line.endswith("--by round,board")
    assert run("check", file, "--by", "round,board").exit_code == 0
    assert "--by round,board" in run("score", file, "-o", tmp_path / "scored.csv").stderr


@pytest.mark.parametrize(
    ("form", "editions"),
    [
        ("matchpoints", "duplicate-1987"),
        ("cross_imps", "duplicate-1987, imps-1962"),
        ("matchpoints,butler", "duplicate-1987, datum-trimmed, imps-1962"),
    ],
)
def test_the_summary_names_the_editions_that_were_used(run, club, tmp_path, form, editions):
    lines = run("score", club, "-o", tmp_path / "scored.csv", "--form", form).stdout.splitlines()
    assert next(line for line in lines if line.startswith("editions")).split(maxsplit=1)[1] == editions


def test_the_cards_are_shared_by_the_columns_named(run, tmp_path):
    file, output = tmp_path / "two_rounds.csv", tmp_path / "scored.csv"
    file.write_text("Round,Board,NS,EW,Contract,By,Result\n1,1,1,2,1C,N,=\n2,1,3,4,1C,N,=\n")
    run("score", file, "-o", output, "--by", "round, board")
    assert pd.read_csv(output)["deal_id"].nunique() == 2


def test_a_club_describes_its_own_file_in_a_layout(run, tmp_path):
    file, layout, output = tmp_path / "club.csv", tmp_path / "club.toml", tmp_path / "scored.csv"
    file.write_text("Hand;Final;Seat;Won\n1;4S;N;10\n")
    layout.write_text(
        'sep = ";"\nresult = "absolute"\n'
        '[columns]\nHand = "board"\nFinal = "contract"\nSeat = "declarer"\nWon = "tricks"\n'
    )
    result = run("score", file, "-o", output, "--layout", layout)
    assert result.exit_code == 0, result.output
    assert pd.read_csv(output)["score_ns"].tolist() == [420]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["score", "absent.csv", "-o", "scored.csv"], "absent.csv: No such file or directory"),
        (["check", "club.csv", "--faults", "away/faults.csv"], "expected an output in a folder that exists"),
        (["check", "letter.csv"], "expected a line of headers that names a board and a contract (or a score)"),
        (["check", "absent.csv"], "absent.csv: No such file or directory"),
        (
            ["score", "club.csv", "-o", "scored.xlsx"],
            "expected an output that ends in .csv or .parquet, got 'scored.xlsx'",
        ),
        (["score", "club.csv", "-o", "away/scored.csv"], "expected an output in a folder that exists"),
        (["score", "club.csv", "-o", "scored.csv", "--edition", "duplicate-2087"], "'duplicate-2087'"),
        (["score", "club.csv", "-o", "scored.csv", "--form", "rubber"], "'rubber'"),
        (["score", "club.csv", "-o", "scored.csv", "--by", "table_top"], "'table_top'"),
        (["rules", "show", "duplicate-2087"], "'duplicate-2087'"),
        (["explain", "8S="], "'8S'"),
        (["explain", "4S"], "expected a result such as '=', '+1' or '-2', got a missing value"),
        (["explain", "4S=", "--language", "tlh"], "'tlh'"),
    ],
)
def test_what_cannot_run_says_why_in_one_line(run, club, monkeypatch, words, reason):
    monkeypatch.chdir(club.parent)
    Path("letter.csv").write_text("Dear secretary,\n")
    result = run(*words)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), result.output
    assert reason in result.stderr


def test_rules_lists_the_editions(run):
    result = run("rules")
    assert result.exit_code == 0
    assert {"duplicate-1987", "rubber-1993", "imps-1962", "datum-trimmed"} <= set(result.stdout.split())


def test_rules_show_gives_each_number_with_its_source(run):
    lines = run("rules", "show", "duplicate-1987").stdout.splitlines()
    minor = next(line for line in lines if line.startswith("trick_score.minor"))
    assert minor.split()[1] == "20"
    assert "Law 77" in minor


def test_rules_diff_gives_only_what_differs(run):
    text = run("rules", "diff", "duplicate-1987", "duplicate-before-1987").stdout
    assert "undertrick.doubled" in text
    assert "trick_score.minor" not in text


def test_explain_breaks_a_score_down_by_law(run):
    result = run("explain", "3HX+1", "--vulnerable")
    assert result.exit_code == 0
    assert {"180", "200", "50", "500", "930"} <= set(result.stdout.replace(",", " ").split())


def test_explain_speaks_spanish(run):
    english, spanish = run("explain", "3HX+1").stdout, run("explain", "3HX+1", "--language", "es").stdout
    assert "manga" in spanish.lower()
    assert english != spanish


def test_a_passed_out_board_is_explained_without_a_result(run):
    assert run("explain", "Pass").exit_code == 0


@pytest.mark.parametrize("command", ["check", "score", "rules", "explain"])
def test_the_help_of_every_command_has_an_example(run, command):
    assert f"bridge-analytics {command}" in run(command, "--help").stdout


def test_a_study_shows_every_comparison_with_its_interval(run, tmp_path):
    scored, answers = tmp_path / "scored.parquet", tmp_path / "answers.csv"
    run("score", SESSION, "-o", scored)
    result = run("study", "doubled-partscores", scored, "-o", answers)
    assert result.exit_code == 0, result.output
    for estimand in ("goes_down", "same_tricks", "against_field", "matched", "policy"):
        assert estimand in result.stdout
    assert "95 % interval" in result.stdout
    assert "S1  the action was chosen on the cards" in result.stdout
    assert len(pd.read_csv(answers)) > 20


def test_a_study_scores_a_file_that_is_not_scored(run, tmp_path):
    from_scored, from_results = tmp_path / "a.csv", tmp_path / "b.csv"
    run("score", SESSION, "-o", tmp_path / "scored.csv")
    run("study", "doubled-partscores", tmp_path / "scored.csv", "-o", from_scored)
    run("study", "doubled-partscores", SESSION, "-o", from_results)
    assert from_scored.read_bytes() == from_results.read_bytes()


def test_a_specification_curve_shows_its_choices(run):
    result = run("study", "doubled-partscores-specifications", SESSION)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0].split()[-3:] == ["redoubled", "datum", "passed_out"]


def test_a_study_that_does_not_exist_lists_those_that_do(run):
    result = run("study", "doubled-slams", SESSION)
    assert result.exit_code == 2
    assert "expected a study among doubled-partscores, " in result.stderr


RUBBERS = SESSION.with_name("rubbers.csv")
EVENING = """\
rubber,side,contract,tricks,honours_seat,honours_points
1,NS,4S,10,,
1,EW,3NT,9,W,150
1,NS,3NT,10,,
2,EW,2H,8,,
"""


@pytest.fixture
def evening(tmp_path):
    path = tmp_path / "evening.csv"
    path.write_text(EVENING)
    return path


def test_an_evening_of_rubbers_is_kept(run, evening, tmp_path):
    output = tmp_path / "sheet.csv"
    result = run("rubber", evening, "-o", output)
    assert result.exit_code == 0, result.output
    assert pd.read_csv(output)[["total_ns", "total_ew"]].values.tolist() == [[120, 0], [120, 250], [750, 250], [0, 60]]


def test_the_totals_of_rubbers_are_shown(run, evening):
    line = run("rubber", evening, "--edition", "rubber-before-1993").stdout.splitlines()[2]
    assert line.split() == ["2", "1", "0", "0", "0", "110", "ew", "-110"]


def test_players_of_the_sample_rubbers_have_their_back_scores(run):
    lines = run("rubber", RUBBERS).stdout.splitlines()
    assert lines[0].split()[-5:] == ["back_ns", "back_north", "back_east", "back_south", "back_west"]
    assert len(lines) == 1 + pd.read_csv(RUBBERS)["rubber"].nunique()


def test_chicago_has_its_own_law(run, tmp_path):
    four, output = tmp_path / "four.csv", tmp_path / "sheet.csv"
    four.write_text("rubber,declarer,contract,tricks\n1,N,4H,10\n1,S,3CX,7\n1,E,3NT,9\n1,W,5D,8\n")
    assert run("rubber", four, "--chicago", "--vulnerable", "non_dealer", "-o", output).exit_code == 0
    assert pd.read_csv(output)[["total_ns", "total_ew"]].values.tolist()[-1] == [720, 1100]


def test_a_passed_out_deal_of_chicago_may_count(run, tmp_path):
    four, output = tmp_path / "four.csv", tmp_path / "sheet.csv"
    four.write_text("rubber,declarer,contract,tricks\n1,N,1C,6\n1,,Pass,\n1,S,1C,6\n1,S,1C,6\n")
    assert run("rubber", four, "--chicago", "--passed-out", "counts", "-o", output).exit_code == 0
    assert pd.read_csv(output)["deal_number"].tolist() == [1, 2, 3, 4]
    assert "expected --passed-out with --chicago" in run("rubber", four, "--passed-out", "counts").stderr


def test_deals_after_the_end_of_a_rubber_are_refused_unless_it_is_split(run, evening):
    evening.write_text(EVENING.replace("\n2,EW", "\n1,EW"))
    refused = run("rubber", evening)
    assert (refused.exit_code, "at position 3" in refused.stderr) == (2, True)
    assert run("rubber", evening, "--split").exit_code == 0


def test_a_rubber_with_a_row_that_cannot_be_read_is_not_kept_without_it(run, evening):
    evening.write_text(EVENING.replace("3NT,9", "8NT,9"))
    refused = run("rubber", evening)
    assert (refused.exit_code, "'8NT'" in refused.stderr) == (2, True)


def test_back_scores_of_an_evening_with_a_player_unnamed_are_not_told(run, evening):
    header, *deals = EVENING.splitlines()
    seats = ["a,b,c,d", "a,b,c,d", "a,b,c,", "a,b,c,d"]
    rows = [f"{header},north,east,south,west", *map(",".join, zip(deals, seats, strict=True))]
    evening.write_text("\n".join(rows))
    result = run("rubber", evening)
    assert ("back_" in result.stdout, result.stderr) == (False, "no back scores: a player is missing on some deals\n")


def test_a_rubber_makes_its_own_vulnerability(run, evening):
    assert "expected --vulnerable with --chicago" in run("rubber", evening, "--vulnerable", "dealer").stderr


def test_a_workbook_is_refused_with_what_to_do(run, tmp_path):
    book = tmp_path / "club.csv"
    book.write_bytes(b"PK\x03\x04xl")
    result = run("check", book)
    assert result.exit_code == 2
    assert "a workbook: save it as CSV" in result.stderr


def test_several_files_are_scored_into_a_folder_as_from_memory(run, tmp_path):
    rows, header = CLUB.splitlines()[1:], CLUB.splitlines()[0]
    for name, part in (("a", rows[::2]), ("b", rows[1::2])):
        (tmp_path / f"{name}.csv").write_text("\n".join([f"Event,{header}", *(f"Tuesday,{row}" for row in part)]))
    files, folder = [tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "scored"
    result = run("score", *files, "-o", folder, "--form", ALL_FORMS, "--memory", "1GB")
    assert result.exit_code == 0, result.output
    assert {"results", "deals", "6", "2"} <= set(result.stdout.split())
    one = tmp_path / "one.csv"
    one.write_text("\n".join([f"Event,{header}", *(f"Tuesday,{row}" for row in rows)]))
    run("score", one, "-o", tmp_path / "one.parquet", "--form", ALL_FORMS)
    keys, columns = ["board", "ns"], ["board", "ns", "score_ns", "mp_ns", "pct_ew", "butler_ns", "cross_imps_ns"]
    found, expected = (
        read_results(path)[columns].astype({"ns": "str"}).sort_values(keys, ignore_index=True)
        for path in (next(folder.glob("*.parquet")), tmp_path / "one.parquet")
    )
    pd.testing.assert_frame_equal(found, expected)


def test_several_files_need_a_folder(run, club, tmp_path):
    result = run("score", club, club, "-o", tmp_path / "scored.csv")
    assert result.exit_code == 2
    assert "expected a folder as output of 2 files" in result.stderr


def test_faults_of_files_into_a_folder_are_counted_and_written(run, faulty, tmp_path):
    result = run("score", faulty, "-o", tmp_path / "scored", "--form", "", "--faults", tmp_path / "faults.csv")
    assert result.exit_code == 1, result.output
    assert "2 rows left out: " in result.stdout
    assert list(pd.read_csv(tmp_path / "faults.csv")["source_row"]) == [8, 10]


def test_a_file_that_is_no_table_among_others_is_named_when_the_others_are_done(run, club, tmp_path):
    (tmp_path / "letter.csv").write_text("Dear secretary,\n")
    result = run("score", club, tmp_path / "letter.csv", "-o", tmp_path / "scored")
    assert result.exit_code == 1, result.output
    assert "letter.csv" in result.stdout
    assert len(list((tmp_path / "scored").glob("*.parquet"))) == 1
