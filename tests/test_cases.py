"""Small files of every dialect of results CSV, each with what a reader must make of it."""

import json

import pandas as pd
import pytest

from bridge_analytics.results import sift_results

CASES = [f"a{number:02d}" for number in range(1, 22)]


def plain(table):
    """The rows as dicts, missing cells as None."""
    return [{name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in table.to_dict("records")]


@pytest.mark.parametrize("case", CASES)
def test_a_file_is_read_as_the_case_says(case, shared, matcher):
    folder = next((shared / "cases").glob(f"{case}_*"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    options = {key: value for key, value in expected["options"].items() if key != "movement"}  # that is for standings
    results, faults = sift_results(folder / expected["input"][0], format=options.pop("format"), layout=options)
    named = [{**fault, "row": fault["source_row"]} for fault in plain(faults)]
    rules = {rule: rule for rule in faults["rule"]}
    assert matcher.compare(expected, plain(results), named, rule_map=rules or {"": ""}) == []


@pytest.mark.parametrize("case", CASES)
def test_every_line_of_a_case_is_in_the_results_or_in_the_faults(case, shared):
    folder = next((shared / "cases").glob(f"{case}_*"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    options = {key: value for key, value in expected["options"].items() if key not in ("movement", "format")}
    results, faults = sift_results(folder / "input.csv", layout=options)
    lines = (folder / "input.csv").read_text(encoding="utf-8-sig").splitlines()
    rows = {number for number, line in enumerate(lines, 1) if line.strip()} - {1}
    assert rows == set(results["source_row"]) | set(faults["source_row"])
