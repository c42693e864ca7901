"""Score files of the Valet program."""

import pandas as pd
import pytest

from bridge_analytics.results import read_results, sift_results

LINES = "3|12|1041|233|1042|87|4HX|E|8|SA\n3|12|7|8|9|999|P|S|0|\n3|12|1|2|3|4|3N|N|9\n"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text(LINES)
    return path


def test_a_score_file_is_known_by_its_first_line(scores):
    results = read_results(scores)
    assert results["contract"].tolist() == ["4HX", "Pass", "3NT"]
    assert results[["north", "east", "south", "west"]].iloc[0].tolist() == ["1041", "233", "1042", "87"]
    assert (results["round"].iloc[0], results["board"].iloc[0], results["vul"].iloc[0]) == ("3", 12, "ns")


def test_the_filler_of_a_passed_out_board_is_not_a_declarer(scores):
    passed = read_results(scores).iloc[1]
    assert (passed["status"], pd.isna(passed["declarer"]), pd.isna(passed["tricks"])) == ("passed", True, True)


def test_a_lead_may_be_left_out(scores):
    assert read_results(scores)["lead"].tolist()[:1] == ["SA"]
    assert read_results(scores)["lead"].isna().tolist() == [False, True, True]


def test_an_id_that_stands_for_nobody_is_missing(scores):
    assert pd.isna(read_results(scores, layout={"unknown_player": ["999"]})["west"].iloc[1])


def test_a_line_of_another_length_is_left_out_and_named(scores):
    scores.write_text(LINES + "3|12|1|2|3|4|3N\n\n3|13|1|2|3|4|3N|N|9\n")
    results, faults = sift_results(scores)
    assert results["source_row"].tolist() == [1, 2, 3, 6]
    assert faults[["source_row", "rule", "value"]].values.tolist() == [[4, "cells_miscounted", "7 cells"]]


def test_the_format_may_be_named(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_text("R1|12|1|2|3|4|3N|N|9\n")
    assert read_results(path, format="valet")["tricks"].tolist() == [9]
