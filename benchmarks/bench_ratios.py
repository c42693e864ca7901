"""Our ways and the plain ones, by turns; `python benchmarks/run.py` prints the table."""

from statistics import median
from time import process_time

import numpy as np
import pytest
from bars import BARS, WORK

ROUNDS = 7


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # endplay's parser
@pytest.mark.parametrize("bar", BARS, ids=[f"{work}, {peer}" for work, peer, *_ in BARS])
def test_ours_against_the_peer(benchmark, bar):
    work, peer, wanted, prepare, peer_rows = bar
    ours, sample_of, rows = WORK[work]
    sample, theirs, seconds = sample_of(rows), prepare(sample_of(peer_rows)), []
    result = theirs()
    if result is not None:
        np.testing.assert_allclose(ours(sample_of(peer_rows)), result, rtol=1e-12)

    def time_peer():
        start = process_time()
        theirs()
        seconds.append(process_time() - start)

    benchmark.pedantic(ours, (sample,), setup=time_peer, rounds=ROUNDS, warmup_rounds=1)
    own, other = (
        time / size * 1e9 for time, size in ((benchmark.stats["median"], rows), (median(seconds[1:]), peer_rows))
    )
    ratio = own / other if wanted.startswith("≤") else other / own
    benchmark.extra_info.update(work=work, peer=peer, bar=wanted, value=ratio, unit="×", ours=own, theirs=other)
