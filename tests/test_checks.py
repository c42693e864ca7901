"""The list of checks, and a file with one fault of each that a CSV can have."""

import importlib.util
from pathlib import Path

import pytest

from bridge_analytics.checks import CHECKS
from bridge_analytics.results import read_results, sift_results
from bridge_analytics.table import COLUMNS

DATA = Path(__file__).resolve().parents[1] / "data"
LAYOUT = DATA / "session_faults.toml"
FIRST_ROW = 3  # a title, then the headers
# faults that only the readers of other formats find
NOT_OF_A_CSV = ("irregular", "names_count", "auction_unreadable", "play_unreadable", "head_contradicts")
OF_A_WHOLE_FILE = ("mp_mismatch", "corrected")  # where no row is left out, or with corrections


@pytest.fixture(scope="module")
def sifted():
    return sift_results(DATA / "session_faults.csv", layout=LAYOUT)


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_faults", DATA / "make_faults.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_check_has_one_name_and_looks_at_columns_that_there_are():
    rules = [rule for rule, *_ in CHECKS]
    assert len(rules) == len(set(rules))
    assert {name for _, columns, *_ in CHECKS for name in columns} <= set(COLUMNS)


@pytest.mark.parametrize("rule", [rule for rule, *_ in CHECKS if rule not in NOT_OF_A_CSV + OF_A_WHOLE_FILE])
def test_the_file_of_faults_has_exactly_one_of_every_check(sifted, rule):
    assert (sifted[1]["rule"] == rule).sum() == 1


def test_no_row_of_the_file_has_two_faults(sifted):
    assert sifted[1]["source_row"].is_unique


def test_each_fault_names_a_column_of_its_check(sifted):
    columns = {rule: names for rule, names, *_ in CHECKS if names}
    named = sifted[1].dropna(subset="column").set_index("rule")["column"]
    assert {rule: name for rule, name in named.items() if rule in columns and name not in columns[rule]} == {}


def test_nothing_else_of_the_file_is_lost(sifted, generator):
    results, faults = sifted
    lines = (DATA / "session_faults.csv").read_bytes().splitlines()
    rows = set(range(FIRST_ROW, len(lines) + 1))
    assert set(results["source_row"]) | set(faults["source_row"]) == rows | {1}
    assert set(results["source_row"]) == rows - set(faults.loc[faults["left_out"], "source_row"])


def test_the_good_rows_of_the_file_have_no_fault(generator, tmp_path):
    rows = generator.good_rows()
    path = tmp_path / "good.csv"
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]), encoding="utf-8")
    assert sift_results(path, layout=LAYOUT)[1].empty
    assert len(read_results(path, layout=LAYOUT)) == len(rows)


def test_the_file_is_what_its_generator_makes(generator):
    assert (DATA / "session_faults.csv").read_bytes() == generator.faulty_file()
