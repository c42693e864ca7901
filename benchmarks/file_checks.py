"""Long checks of the readers: spoilt files by the thousand, and the memory that a long file takes."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mutations
import result_files

SPOILT = 20_000
ROWS = 1_000_000
MEBIBYTES = 200

_PEAK = """
import re, sys
from pathlib import Path
from bridge_analytics.reading import results_in_parts
next(results_in_parts(sys.argv[2]))
Path("/proc/self/clear_refs").write_text("5")
status = lambda name: int(re.search(name + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
before = status("VmRSS")
count = sum(len(results) for results, _ in results_in_parts(sys.argv[1]))
print(count, status("VmHWM") - before)
"""


def spoilt_files_are_read_as_far_as_they_can_be():
    """20,000 cases with bytes and lines spoilt: only documented errors, every row in the results or the faults."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    files = mutations.case_files(Path(os.environ.get("BRIDGE_ANALYTICS_SHARED", beside)) / "cases")
    if not files:
        return False, f"no cases beside the project: name them in BRIDGE_ANALYTICS_SHARED, not {beside}"
    with tempfile.TemporaryDirectory() as folder:
        wrong = [found for number in range(SPOILT) if (found := mutations.complaint(number, files, folder))]
    return not wrong, f"{len(wrong)} of {SPOILT:,} files go wrong; {'; '.join(wrong[:3])}"


def a_long_csv_in_parts_takes_the_memory_of_a_part():
    """A million rows, part by part, in a process of its own: at most 200 MiB above what a short file leaves."""
    long, short = (str(result_files.results_csv(rows)["path"]) for rows in (ROWS, 1000))
    command = [sys.executable, "-c", _PEAK, long, short]
    count, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int(count) == ROWS and float(peak) <= MEBIBYTES, f"{int(count):,} rows, {float(peak):.0f} MiB"
