"""What has to be measured in a process by itself: the time of an import, the peak of memory."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest
from peak_memory import KINDS

ROUNDS = 9
ROWS = 10_000_000


def run(*arguments):
    """What a Python of its own prints; the warm-up leaves it the bytecode, as an installation does."""
    without = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=without).stdout


def test_import_after_pandas(benchmark):
    code = (
        "import pandas, time; start = time.process_time(); import bridge_analytics; print(time.process_time() - start)"
    )
    seconds = []
    benchmark.pedantic(lambda: seconds.append(float(run("-c", code))), rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(
        work="import bridge_analytics",
        peer="import pandas",
        bar="≤ 50",
        value=median(seconds[1:]) * 1e3,
        unit="ms more",
    )


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells a process its peak")
@pytest.mark.parametrize("kind", KINDS)
def test_peak_memory_of_score(benchmark, kind):
    script = str(Path(__file__).with_name("peak_memory.py"))
    beyond = float(benchmark.pedantic(run, (script, kind, str(ROWS)), rounds=1))
    benchmark.extra_info.update(
        work=f"score, 10 million rows, {kind}", peer="input and output", bar="≤ 64", value=beyond, unit="MiB more"
    )
