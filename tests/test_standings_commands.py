"""`bridge-analytics standings`: files in, a ranking on the screen and in a file."""

import pandas as pd
import pytest
from typer.testing import CliRunner

from bridge_analytics.cli import app
from bridge_analytics.movements import mitchell
from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings


@pytest.fixture
def run(monkeypatch):
    """Run `bridge-analytics standings` with these words, on a screen wide enough for any table."""
    monkeypatch.setenv("COLUMNS", "240")
    return lambda *words: CliRunner().invoke(app, ["standings", *map(str, words)])


@pytest.fixture
def club(tmp_path):
    plan = mitchell(5, boards_per_round=2).rename(columns={"ns": "NS", "ew": "EW", "board": "Board", "round": "Round"})
    results = ["=", "-1", "+1", "+2", "="] * (len(plan) // 5)
    rows = plan.drop(columns="table").assign(Contract="4S", By="N", Result=results)
    rows.loc[3, ["Contract", "By", "Result"]] = ["A+/A-", "", ""]
    rows["Result"] = rows["Result"].sample(frac=1, random_state=4).to_numpy()
    rows.loc[3, "Result"] = ""
    rows.loc[rows["Contract"] == "4S", "Result"] = rows["Result"].replace("", "=")
    path = tmp_path / "club.csv"
    rows.to_csv(path, index=False)
    return path


def file(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_ranking_on_the_screen_and_in_the_file_is_that_of_the_library(run, club, tmp_path):
    output = tmp_path / "ranking.csv"
    result = run(club, "--winners", 2, "-o", output)
    assert result.exit_code == 0, result.output
    ranking = standings(score_results(read_results(club)), winners=2)
    assert pd.read_csv(output)["total"].tolist() == pytest.approx(ranking["total"].tolist())
    lines = result.stdout.splitlines()
    assert lines[0].split() == [
        "place",
        "side",
        "contestant",
        "boards",
        "adjusted",
        "total",
        "average",
        "top",
        "percent",
    ]
    for line, row in zip(lines[1:], ranking.itertuples(), strict=False):
        assert line.split()[:3] == [row.place, row.side, row.contestant]
        assert line.split()[-1] == f"{row.percent:.2f}"
    assert lines[-1] == f"10 lines written to {output}"


def test_fines_names_and_handicaps_come_from_files(run, club, tmp_path):
    fines = file(tmp_path, "fines.csv", "contestant,side,amount,unit,reason\n3,ns,25,% of top,late\n")
    names = file(tmp_path, "names.csv", "\ufeffContestant;Side;Name\n1;ns;Ada - Bo\n1;ew;Çelik - Di\n")
    handicaps = file(tmp_path, "handicaps.csv", "contestant;side;handicap\n2;ew;3,5\n")
    output = tmp_path / "ranking.parquet"
    result = run(
        *(club, "--winners", 2, "--penalties", fines, "--names", names, "--handicaps", handicaps),
        *("--handicap-share", 0.5, "-o", output),
    )
    assert result.exit_code == 0, result.output
    ranking = pd.read_parquet(output).set_index(["side", "contestant"])
    assert ranking.loc[("ns", "3"), "penalty"] == 0.25 * 8
    assert ranking.loc[("ew", "1"), "name"] == "Çelik - Di"
    assert ranking.loc[("ew", "2"), "handicap"] == 1.75
    assert result.stdout.splitlines()[0].split()[:4] == ["place", "side", "contestant", "name"]
    assert "Ada - Bo" in result.stdout


def test_a_scored_file_is_ranked_as_it_was_scored(run, club, tmp_path):
    scored, output = tmp_path / "scored.csv", tmp_path / "ranking.csv"
    CliRunner().invoke(app, ["score", str(club), "-o", str(scored), "--form", "butler", "--datum", "datum-mean"])
    result = run(scored, "--form", "butler", "--winners", 2, "-o", output)
    assert result.exit_code == 0, result.output
    table = score_results(read_results(club), forms="butler", datum="datum-mean")
    expected = standings(table, form="butler", winners=2)["total"]
    assert pd.read_csv(output)["total"].tolist() == pytest.approx(expected.tolist())


def test_victory_points_a_schedule_and_the_rest_of_the_options_arrive(run, club, tmp_path):
    output = tmp_path / "ranking.csv"
    result = run(club, "--winners", 2, "--form", "victory_points", "--schedule", 12, "-o", output)
    assert result.exit_code == 0, result.output
    ranking = pd.read_csv(output)
    assert ranking["matches"].tolist() == [5] * 10
    assert ranking["to_come"].tolist() == [2] * 10
    table = score_results(read_results(club))
    assert ranking["total"].tolist() == standings(table, form="victory_points", winners=2)["total"].tolist()
    movement = tmp_path / "movement.csv"
    mitchell(5, boards_per_round=3).to_csv(movement, index=False)
    run(club, "--winners", 2, "--rank-by", "factor", "--schedule", movement, "-o", output)
    assert pd.read_csv(output)[["factored", "to_come"]].notna().all(axis=None)
    assert pd.read_csv(output)["to_come"].tolist() == [5] * 10


def test_teams_are_ranked_board_by_board(run, tmp_path):
    rows = "Round,Board,NS,EW,Contract,By,Result\n1,1,A,B,4S,N,=\n1,1,B,A,4S,N,-1\n1,2,A,B,1NT,N,=\n1,2,B,A,1NT,N,=\n"
    output = tmp_path / "ranking.csv"
    result = run(file(tmp_path, "teams.csv", rows), "--of", "teams", "--form", "board_a_match", "-o", output)
    assert result.exit_code == 0, result.output
    assert pd.read_csv(output)[["place", "contestant", "total"]].to_numpy().tolist() == [[1, "A", 1.5], [2, "B", 0.5]]


def test_a_file_with_faults_is_ranked_without_them_and_says_so(run, club):
    club.write_text(club.read_text().replace("4S,N,=", "8S,N,=", 1))
    result = run(club, "--winners", 2)
    assert result.exit_code == 1
    assert "1 row left out: contract_unreadable 1" in result.stdout


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "penalties",
            "contestant,amount,unit\n3,lots,MP\n",
            "expected amount in '{path}' as a number, got 'lots' in row 2",
        ),
        ("handicaps", "contestant,handicap\n3,\n", "expected handicap in '{path}' as a number, got nothing in row 2"),
        (
            "names",
            "contestant,name\n99,Ada\n",
            "expected names of contestants, got contestant '99', which is nobody here",
        ),
        ("names", "", "expected a table with headings, got an empty file '{path}'"),
        (
            "penalties",
            "pair,amount,unit\n3,1,MP\n",
            "expected penalties with contestant, amount and unit, got none of contestant",
        ),
    ],
)
def test_a_table_that_cannot_be_used_ends_in_one_line(run, club, tmp_path, name, text, message):
    path = file(tmp_path, "table.csv", text)
    result = run(club, "--winners", 2, f"--{name}", path)
    assert result.exit_code == 2
    assert result.stderr.startswith("bridge-analytics: " + message.format(path=path)), result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--form", "imps"], "expected form among matchpoints, butler, cross_imps, points, victory_points, got 'imps'"),
        ([], "expected --winners, since some names are on both sides"),
        (["--winners", "2", "--penalties", "none.csv"], "none.csv: No such file or directory"),
        (
            ["--winners", "2", "-o", "ranking.xls"],
            "expected an output that ends in .csv or .parquet, got 'ranking.xls'",
        ),
        (
            ["--winners", "2", "--vp-scale", "vp-wbf", "--form", "victory_points"],
            "expected an edition (nearest: 'vp-wbf-2013')",
        ),
    ],
)
def test_what_cannot_be_ranked_ends_in_one_line(run, club, words, message):
    result = run(club, *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("bridge-analytics: " + message), result.stderr
    assert result.stderr.count("\n") == 1
