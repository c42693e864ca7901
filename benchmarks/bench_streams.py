"""Files of any size into Parquet, against the engines that do the same by a join; each run in a process by itself."""

from statistics import median

import pytest
from stream_checks import SMALL, measured
from streaming import write_sample

ROUNDS = 3
ROWS = SMALL
PEERS = (("polars", "Polars, sink_parquet", "≤ 1.5"), ("duckdb", "DuckDB, join", "≤ 1"))


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Seconds and peaks of each way, by turns on one file."""
    folder = tmp_path_factory.mktemp("streams")
    write_sample(str(folder / "rows.csv"), ROWS)
    ways = ["ours", *(way for way, _, _ in PEERS)]
    runs = {way: [] for way in ways}
    for way in ROUNDS * ways:
        runs[way].append(measured(way, folder / "rows.csv", folder / way))
    return runs


@pytest.mark.parametrize(("way", "peer", "bar"), PEERS, ids=[way for way, _, _ in PEERS])
def test_csv_to_scored_parquet(benchmark, seen, way, peer, bar):
    ours, theirs = (median(seconds for seconds, _ in seen[each]) for each in ("ours", way))
    benchmark.pedantic(lambda: None, rounds=1)
    work = f"CSV to scored Parquet, {ROWS // 10**6} million rows"
    benchmark.extra_info.update(work=work, peer=peer, bar=bar, value=ours / theirs, unit="×")
    benchmark.extra_info.update(ours=ours / ROWS * 1e9, theirs=theirs / ROWS * 1e9)


def test_peak_memory_of_a_stream(benchmark, seen):
    benchmark.pedantic(lambda: None, rounds=1)
    peak = max(peak for _, peak in seen["ours"])
    work = f"CSV to scored Parquet, {ROWS // 10**6} million rows"
    benchmark.extra_info.update(work=work, peer="the whole process", bar="≤ 600", value=peak, unit="MiB")
