"""The long checks of files to files: their size, and what becomes of a run that is killed."""

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import streaming

SMALL, LARGE, KILLED = 10_000_000, 100_000_000, 2_000_000


def measured(way, source, target):
    """Seconds of processor time, and the peak in MiB, of a process by itself."""
    command = [sys.executable, streaming.__file__, way, str(source), str(target)]
    seconds, peak = map(float, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    return seconds, peak


def matchpoints_of_100_million_results_cost_the_same_for_each_row_within_2_gib():
    """Parquet to Parquet: the processor time of a row at 10⁷ and 10⁸ results within a fifth; needs 15 GB of disk."""
    costs, peaks = [], []
    with tempfile.TemporaryDirectory() as folder:
        for rows in (SMALL, LARGE):
            source = Path(folder) / f"{rows}.parquet"
            streaming.write_sample(str(source), rows)
            seconds, peak = measured("matchpoints", source, Path(folder) / f"scored {rows}")
            costs.append(seconds / rows * 1e9)
            peaks.append(peak)
    holds = max(costs) <= 1.2 * min(costs) and max(peaks) <= 2048
    return holds, f"{costs[0]:,.0f} and {costs[1]:,.0f} ns a row, peaks {peaks[0]:,.0f} and {peaks[1]:,.0f} MiB"


def a_run_that_is_killed_at_ten_random_points_ends_in_the_same_bytes():
    """Two million results with matchpoints from CSV; `kill -9`, start again, ten times, then to the end."""
    draw, kills = random.Random(1), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        streaming.write_sample(str(folder / "rows.csv"), KILLED)
        start = time.perf_counter()
        run(folder, "whole").wait()
        seconds = time.perf_counter() - start
        while kills < 10:
            going = run(folder, "broken")
            time.sleep(draw.uniform(0.2, 1) * seconds / 2)
            going.send_signal(signal.SIGKILL)
            kills += going.wait() == -signal.SIGKILL
            if going.returncode == 0:  # it came to the end before: from the start again
                same = data(folder / "whole") == data(folder / "broken")
                if not same:
                    break
                for path in (folder / "broken").glob("*.*"):
                    path.unlink()
        same = not run(folder, "broken").wait() and data(folder / "whole") == data(folder / "broken")
    return same, f"{kills} times killed, {'all files alike' if same else 'files differ'}"


def run(folder, target):
    code = "import sys; from bridge_analytics.batch import score_files; score_files(*sys.argv[1:], forms='matchpoints')"
    return subprocess.Popen([sys.executable, "-c", code, str(folder / "rows.csv"), str(folder / target)])


def data(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
