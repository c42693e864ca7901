"""Spoilt files are read as far as they can be: no row is lost in silence, no error but the documented ones."""

import importlib.util
from pathlib import Path

import pytest

MUTATIONS = Path(__file__).resolve().parents[1] / "benchmarks" / "mutations.py"
BATCH, BATCHES = 50, 10


@pytest.fixture(scope="module")
def mutations():
    spec = importlib.util.spec_from_file_location("mutations", MUTATIONS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_spoilt_file_is_read_as_far_as_it_can_be(batch, mutations, shared, tmp_path):
    files = mutations.case_files(shared / "cases")
    numbers = range(BATCH * batch, BATCH * (batch + 1))
    assert [found for number in numbers if (found := mutations.complaint(number, files, tmp_path))] == []


def test_a_reader_that_loses_a_row_is_found_out(mutations, monkeypatch, tmp_path):
    sift = mutations.ba.sift_results
    monkeypatch.setattr(mutations.ba, "sift_results", lambda *a, **b: tuple(table[1:] for table in sift(*a, **b)))
    monkeypatch.setattr(mutations, "spoilt", lambda data, draw: data)
    files = [(b"Board,Contract\n1,Pass\n2,Pass\n", "results_csv", {})]
    assert mutations.complaint(0, files, tmp_path) == "0 (results_csv): rows [2] are lost"
