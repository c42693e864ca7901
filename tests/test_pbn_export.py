"""Results written as PBN and read back."""

import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bridge_analytics.cards import format_deals
from bridge_analytics.contracts import CONTRACTS
from bridge_analytics.deals import random_deals
from bridge_analytics.formats.pbn_export import write_pbn
from bridge_analytics.results import read_results, sift_results
from bridge_analytics.table import COLUMNS, results_table

KEPT = [name for name in COLUMNS if name not in ("source", "source_row", "vul_source")]
DEALS = format_deals(random_deals(3, seed=1)).tolist()
SEATS = ("north", "east", "south", "west")
NASTY = [
    "#",
    "##x",
    "#1",
    "?",
    "-",
    '"',
    "\\",
    '\\"',
    ";",
    "{",
    "}",
    "%",
    "[a",
    "]",
    "* 7",
    "'s",
    '="7"',
    "(B) 3 NS",
    "É",
]

names = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=6)
printed = st.floats(-1e6, 1e6, allow_nan=False).map(repr) | st.sampled_from(["", "0", "50", "-27.5"])


@st.composite
def rows(draw):
    row = {name: draw(names) for name in ("event", "session", "section", "round", "table", "ns", "ew", *SEATS)}
    row |= {"room": draw(st.sampled_from(["", "open", "closed"]))}
    row |= {"board": draw(st.sampled_from(["", "1", "07", "40"])), "board_label": draw(st.just("7") | names)}
    row |= {"vul": draw(st.sampled_from(["none", "ns", "ew", "both"])), "dealer": draw(st.sampled_from("NESW"))}
    contract = draw(st.sampled_from(["", *CONTRACTS]))
    row |= {"contract": contract, "declarer": draw(st.sampled_from("NESW")), "tricks": draw(st.integers(0, 13))}
    row |= {"status": draw(st.sampled_from(["", "unknown", "adjusted"]))}
    row |= {f"adjusted_{side}": draw(st.sampled_from(["", "A+", "620*.7 -100*.3"])) for side in ("ns", "ew")}
    row |= {f"award_{side}_pct": draw(printed) for side in ("ns", "ew")}
    row |= {"lead": draw(st.sampled_from(["", "SK"])), "deal": draw(st.sampled_from(["", *DEALS]))}
    row |= {"auction": draw(st.just("1NT X P P P") | names), "play": draw(names)}
    return row | {f"published_{name}_ns": draw(printed) for name in ("score", "mp", "pct", "imps")}


def table_of(listed):
    frame = pd.DataFrame(listed, dtype="str")
    return sift_results(frame.reindex(columns=[*frame.columns, *(set(COLUMNS) - set(frame.columns))]))[0]


@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(rows(), min_size=1, max_size=6))
def test_a_table_that_is_written_reads_back_as_it_was(tmp_path_factory, listed):
    table = table_of([*listed, listed[0]])
    path = tmp_path_factory.mktemp("pbn") / "evening.pbn"
    write_pbn(table, path)
    pd.testing.assert_frame_equal(sift_results(path)[0][KEPT], table[KEPT])


@pytest.mark.parametrize("contract", ["Pass", "4S"])
def test_a_ruling_on_a_board_that_was_played_or_passed_out_reads_back_as_one(contract, tmp_path):
    table = table_of([{"board": "1", "contract": contract, "declarer": "N", "tricks": "9", "adjusted_ns": "A+"}])
    write_pbn(table, tmp_path / "a.pbn")
    assert table["status"].tolist() == sift_results(tmp_path / "a.pbn")[0]["status"].tolist() == ["adjusted"]


def evening(**columns):
    return read_results(
        pd.DataFrame({"board": [1, 1, 2], "contract": ["4S", "Pass", "3NT"], "by": ["S", "", "W"]} | columns)
    )


def test_the_results_of_a_deal_that_follow_each_other_are_one_game(tmp_path):
    write_pbn(evening(), tmp_path / "a.pbn")
    text = (tmp_path / "a.pbn").read_text(encoding="utf-8")
    assert text.count("[Event ") == text.count("[ScoreTable ") == 2
    assert read_results(tmp_path / "a.pbn")["source_row"].tolist() == [1, 2, 3]


def test_rows_keep_their_order_where_a_deal_comes_again(tmp_path):
    table = evening(board=[1, 2, 1])
    write_pbn(table, tmp_path / "a.pbn")
    assert read_results(tmp_path / "a.pbn")["board"].tolist() == [1, 2, 1]


def test_every_game_has_the_fifteen_tags_of_the_standard_in_its_order(tmp_path):
    write_pbn(evening(), tmp_path / "a.pbn")
    game = (tmp_path / "a.pbn").read_text(encoding="utf-8").split("\n\n")[1]
    tags = [line.split()[0].strip("[") for line in game.split("\n") if line.startswith("[")]
    assert '[Contract ""]' in game
    wanted = "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result"
    assert tags == [*wanted.split(), "ScoreTable"]


def test_the_one_result_of_a_deal_is_there_for_programs_that_know_no_tables(tmp_path):
    calls = ["1S P 4S P P P", None, "- what"]
    write_pbn(evening(board=[1, 2, 3], north=["Ann", "B", "C"], auction=calls), tmp_path / "a.pbn")
    first, second, third = (tmp_path / "a.pbn").read_text(encoding="utf-8").split("\n\n")[1:]
    assert '[North "Ann"]\n' in first
    assert '[Declarer "S"]\n[Contract "4S"]\n' in first
    assert '[Auction "N"]\n1S Pass 4S Pass\nPass Pass\n[ScoreTable' in first
    assert "[Auction" not in second + third
    results, faults = sift_results(tmp_path / "a.pbn")
    assert results["auction"].tolist()[::2] == calls[::2]
    assert not faults["rule"].isin(["text_skipped", "auction_unreadable"]).any()


def test_a_table_without_rows_is_a_file_without_games(tmp_path):
    write_pbn(results_table({}, 0), tmp_path / "a.pbn")
    assert len(read_results(tmp_path / "a.pbn")) == 0


def test_a_text_of_two_lines_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^expected text on one line in column 'ns', got 'a\\nb'$"):
        write_pbn(evening(ns=["a\nb", "c", "d"]), tmp_path / "a.pbn")


def test_more_games_than_are_written_at_a_time_stay_in_order(tmp_path):
    boards = pd.DataFrame({"board": range(1, 4200), "contract": "4S", "by": "S", "result": "="})
    write_pbn(read_results(boards), tmp_path / "a.pbn")
    assert read_results(tmp_path / "a.pbn")["board"].tolist() == list(range(1, 4200))
