"""Files of deals, the commands that make and use them, and the diagram."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from bridge_analytics import double_dummy
from bridge_analytics.boards import board_dealer, board_vul
from bridge_analytics.cards import format_deals, parse_deals
from bridge_analytics.cli import app
from bridge_analytics.deal_files import read_deals, write_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.display import deal, deal_text
from bridge_analytics.hands import losers
from bridge_analytics.par import par_score
from bridge_analytics.points import hcp
from bridge_analytics.shapes import is_balanced

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setenv("COLUMNS", "240")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


# Files


def test_deals_written_are_the_deals_read(tmp_path):
    deals = random_deals(40, seed=1)
    write_deals(deals, tmp_path / "deals.pbn")
    table = read_deals(tmp_path / "deals.pbn")
    np.testing.assert_array_equal(parse_deals(table["deal"]), deals)
    assert table["board"].tolist() == list(range(1, 41))
    assert table["dealer"].tolist() == board_dealer(table["board"]).tolist()
    assert table["vul"].tolist() == board_vul(table["board"]).tolist()


def test_the_tags_of_a_file_come_before_the_cycle_of_boards(tmp_path):
    path = tmp_path / "one.pbn"
    path.write_text(
        f'[Event "x"]\n[Board "1"]\n[Dealer "S"]\n[Vulnerable "Love"]\n[Deal "{DEAL}"]\n[Board "2"]\n[Deal "{DEAL}"]\n'
    )
    table = read_deals(path)
    assert table[["board", "dealer", "vul"]].to_numpy().tolist() == [[1, "S", "none"], [2, "E", "ns"]]


def test_games_without_a_deal_are_passed_over(tmp_path):
    path = tmp_path / "one.pbn"
    path.write_text(f'[Board "7"]\n\n[Deal "{DEAL}"]\n\n[Board "9"]\n[Deal "{DEAL}"]\n')
    assert read_deals(path)["board"].tolist() == [1, 9]


def test_a_deal_that_begins_with_another_seat_is_turned(tmp_path):
    path = tmp_path / "one.pbn"
    hands = DEAL[2:].split()
    path.write_text(f'[Deal "E:{" ".join(hands[1:] + hands[:1])}"]')
    assert read_deals(path)["deal"].tolist() == [DEAL]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_deals_are_read_from_a_table(tmp_path, suffix):
    path, table = tmp_path / f"deals{suffix}", pd.DataFrame({"deal": [DEAL, None, DEAL]})
    table.to_csv(path) if suffix == ".csv" else table.to_parquet(path)
    assert read_deals(path)["deal"].tolist() == [DEAL, DEAL]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.pbn", '[Board "1"]', "a.pbn: expected deals, got none"),
        ("a.csv", "a,b\n1,2\n", "a.csv: expected a column deal, got a, b"),
        ("a.pbn", '[Deal "N:AK"]', "a.pbn: expected a deal such as .* got 'N:AK' at position 0 of record 1"),
        ("a.pbn", f'[Dealer "X"]\n[Deal "{DEAL}"]', "a.pbn: expected a seat N E S W, got 'X' of record 1"),
    ],
)
def test_what_is_no_file_of_deals_is_refused(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words):
        read_deals(tmp_path / name)


# What a file gives double dummy

ROWS = [(seat, strain, tricks) for seat, tricks in zip("NESW", (9, 4, 9, 3), strict=True) for strain in "CDHSN"]
TABLE = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n' + "".join(f"{a} {b} {c}\n" for a, b, c in ROWS)


def told(tmp_path, text):
    path = tmp_path / "one.pbn"
    path.write_text(f'[Board "1"]\n[Deal "{DEAL}"]\n{text}')
    table = read_deals(path)
    return table.filter(like="tricks_").iloc[0], table["par_score_ns"].iloc[0]


def test_a_table_of_tricks_is_read_by_declarer_and_strain(tmp_path):
    tricks, par = told(tmp_path, TABLE + '[OptimumScore "EW 110"]\n')
    assert tricks.to_dict() == {f"tricks_{a}_{b}{'T' * (b == 'N')}": c for a, b, c in ROWS}
    assert par == -110


def test_tricks_as_digits_run_by_seat_north_south_east_west_and_from_no_trump_down(tmp_path):
    tricks, _ = told(tmp_path, '[DoubleDummyTricks "0123456789abcd00000d"]\n')
    assert tricks[["tricks_N_NT", "tricks_N_C", "tricks_S_NT", "tricks_E_NT", "tricks_E_D"]].tolist() == [
        0,
        4,
        5,
        10,
        13,
    ]
    assert tricks["tricks_W_C"] == 13


@pytest.mark.parametrize(
    "text",
    [
        '[DoubleDummyTricks "********************"]\n[OptimumScore "NS 0"]\n',
        '[DoubleDummyTricks "00000000000000000000"]\n[OptimumScore "0"]\n',
        '[OptimumScore "NS 0"]\n'
        + "".join(f"{line[:-1]}0\n" if line[0] in "NESW" else f"{line}\n" for line in TABLE.split("\n") if line),
        "",
    ],
)
def test_what_nobody_computed_is_missing_and_not_zero(tmp_path, text):
    tricks, par = told(tmp_path, text)
    assert tricks.isna().all()
    assert pd.isna(par)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("NS 620", 620),
        ("EW 620", -620),
        ("NS 50 EW -50", 50),
        ("NS 6N; +990", 990),
        ("EW 4S,EW 4H; -620", -620),
        ("NS 0", 0),
    ],
)
def test_par_is_the_score_as_north_south_see_it(tmp_path, text, points):
    assert told(tmp_path, f'[OptimumScore "{text}"]\n')[1] == points


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[DoubleDummyTricks "12"]\n', r"one.pbn: expected DoubleDummyTricks as 20 digits 0-9 a-d, got '12' in game 1"),
        (
            '[OptimumScore "lots"]\n',
            r"one.pbn: expected OptimumScore such as 'NS 620' or 'EW 110', got 'lots' in game 1",
        ),
        ('[OptimumScore "NS 50 EW 50"]\n', "got 'NS 50 EW 50' in game 1"),
        (
            '[OptimumResultTable ""]\nN NT 14\n',
            "expected a row such as 'N NT 9' in OptimumResultTable, got 'N NT 14' in game 1",
        ),
    ],
)
def test_a_number_that_cannot_be_read_is_refused_with_its_game(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        told(tmp_path, text)


def test_the_deal_of_both_rooms_is_one_row(tmp_path):
    path = tmp_path / "match.pbn"
    game = f'[Board "1"]\n[Deal "{DEAL}"]\n[Room "{{}}"]\n'
    path.write_text(game.format("Open") + "\n" + game.format("Closed") + "\n" + game.replace("1", "2"))
    assert read_deals(path)["board"].tolist() == [1, 2]


def test_deals_are_read_from_results_in_another_format(tmp_path):
    path = tmp_path / "one.lin"
    path.write_text(
        "pn|s,w,n,e|st||md|1SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,|sv|o|ah|Board 7|mb|p|mb|p|mb|p|mb|p|"
    )
    assert read_deals(path)[["board", "dealer", "vul", "deal"]].to_numpy().tolist() == [[7, "S", "none", DEAL]]


def test_tricks_that_solve_wrote_are_read_back(run, tmp_path, monkeypatch):
    write_deals(random_deals(2, seed=2), tmp_path / "deals.pbn")
    monkeypatch.setattr(double_dummy, "tricks", lambda rows, **_: np.full((len(rows), 5, 4), 7, np.int8))
    assert run("solve", tmp_path / "deals.pbn", "-o", tmp_path / "solved.csv").exit_code == 0
    table = read_deals(tmp_path / "solved.csv")
    assert (table.filter(like="tricks_") == 7).all(axis=None)
    assert table["par_score_ns"].notna().all()


# At the shell


def test_deals_are_dealt_to_a_file(run, tmp_path):
    result = run("deal", 30, "--seed", 1, "-o", tmp_path / "deals.pbn")
    assert result.exit_code == 0, result.output
    np.testing.assert_array_equal(parse_deals(read_deals(tmp_path / "deals.pbn")["deal"]), random_deals(30, seed=1))


def test_conditions_can_be_asked_for_at_the_shell(run, tmp_path):
    output = tmp_path / "deals.csv"
    words = ("--hand", "N:15-17:balanced", "--hand", "S:8", "--predeal", "W:A...")
    result = run("deal", 20, "--seed", 1, "-o", output, *words)
    assert result.exit_code == 0, result.output
    deals = parse_deals(read_deals(output)["deal"])
    assert is_balanced(deals[:, 0]).all()
    assert np.isin(hcp(deals[:, 0]), [15, 16, 17]).all()
    assert (hcp(deals[:, 2]) == 8).all()
    assert (deals[:, 3] >> np.uint64(51) & np.uint64(1)).all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--hand", "N"), "expected SEAT:POINTS:SHAPE such as 'N:15-17:balanced', got 'N'"),
        (("--hand", "N:a-b"), "expected SEAT:POINTS:SHAPE such as 'N:15-17:balanced', got 'N:a-b'"),
        (("--hand", "N::flat"), "expected a shape"),
        (("--predeal", "AKQ"), "expected SEAT:CARDS, got 'AKQ'"),
        (("-o", "deals.xls"), "expected an output that ends in .csv or .parquet, got 'deals.xls'"),
    ],
)
def test_what_cannot_be_dealt_ends_with_code_2(run, tmp_path, words, message):
    result = run("deal", 5, "--seed", 1, "-o", tmp_path / "deals.pbn", *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_solving_writes_the_tricks_and_the_par(run, tmp_path, monkeypatch):
    deals = random_deals(3, seed=2)
    tricks = np.random.default_rng(1).integers(0, 14, (3, 5, 4)).astype(np.int8)
    seen = {}

    def solver(rows, *, cache, progress):
        seen.update(rows=rows, cache=cache)
        progress(3, 3, 0.0)
        return tricks

    monkeypatch.setattr(double_dummy, "tricks", solver)
    write_deals(deals, tmp_path / "deals.pbn")
    result = run("solve", tmp_path / "deals.pbn", "-o", tmp_path / "solved.csv", "--cache", tmp_path / "c.parquet")
    assert result.exit_code == 0, result.output
    table = pd.read_csv(tmp_path / "solved.csv", keep_default_na=False)
    np.testing.assert_array_equal(seen["rows"], deals)
    assert seen["cache"] == tmp_path / "c.parquet"
    np.testing.assert_array_equal(table["tricks_W_NT"], tricks[:, 4, 3])
    np.testing.assert_array_equal(table["par_score_ns"], par_score(tricks, table["dealer"], table["vul"]))


def test_the_hands_of_a_file_are_valued(run, tmp_path):
    write_deals(random_deals(2, seed=3), tmp_path / "deals.pbn")
    result = run("value", tmp_path / "deals.pbn", "-o", tmp_path / "values.csv")
    assert result.exit_code == 0, result.output
    table = pd.read_csv(tmp_path / "values.csv")
    assert table["seat"].tolist() == ["N", "E", "S", "W"] * 2
    np.testing.assert_array_equal(table["losers"], losers(random_deals(2, seed=3)).reshape(-1))
    assert table["hcp"].sum() == 80


def test_a_screen_shows_ten_deals_and_says_how_many_more(run, tmp_path):
    write_deals(random_deals(12, seed=4), tmp_path / "deals.pbn")
    result = run("value", tmp_path / "deals.pbn")
    assert result.exit_code == 0, result.output
    assert "… and 8 hands more: all of them with -o values.csv" in result.stdout


# The diagram


def test_the_diagram_has_each_hand_at_its_seat():
    lines = deal_text(parse_deals(DEAL), board=1, dealer="N", vul="none").splitlines()
    assert lines[0].split() == ["Board", "1", "♠", "QJ6"]
    assert lines[1].split() == ["Dealer", "N", "♥", "K652"]
    assert lines[4].split() == ["♠", "AT942", "N", "♠", "873"]
    assert lines[-1].split() == ["♣", "A7652"]
    assert lines[0].index("♠") == lines[-1].index("♣")


def test_a_void_is_a_dash_and_a_hand_not_known_is_empty():
    text = deal_text(parse_deals("N:AKQJT98765432... - - -"))
    assert "♥ –" in text
    assert text.count("♠") == 1


def test_the_page_has_the_red_suits_in_red_and_no_computing():
    page = deal(parse_deals(DEAL), board=1, dealer="<b>")
    assert page.count("color:#c00") == 8
    assert "&lt;b&gt;" in page
    assert page.index("QJ6") < page.index("AT942") < page.index("873") < page.index("K5<")


def test_the_diagram_is_of_one_deal():
    with pytest.raises(ValueError, match=r"^expected one deal of four hands, got 2 deals$"):
        deal_text(random_deals(2, seed=1))


def test_texts_of_deals_are_those_of_format_deals(tmp_path):
    write_deals(random_deals(1, seed=5)[0], tmp_path / "one.pbn")
    assert read_deals(tmp_path / "one.pbn")["deal"].tolist() == [format_deals(random_deals(1, seed=5)[0])]
