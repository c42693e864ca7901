"""Measure everything, print the table and write it into `benchmarks/README.md`: `python benchmarks/run.py`.

Exit code 0: every bar is met. 1: one is missed. 2: something is wrong, and nothing is written.
"""

import json
import platform
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HEAD = "| work | against | bar | measured | ours, ns a row | theirs, ns a row | |\n|---|---|---|---|---|---|---|"
START, END = "<!-- last run: written by run.py -->", "<!-- end of last run -->"


def measured():
    """Run the benchmarks; what each has noted, and the name of the processor."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmarks.json"
        options = ["-q", "--benchmark-columns=median,rounds", f"--benchmark-json={file}"]
        if pytest.main([*map(str, sorted(HERE.glob("bench_*.py"))), *options]):
            sys.exit(2)
        noted = json.loads(file.read_text(encoding="utf-8"))
    return [entry["extra_info"] for entry in noted["benchmarks"]], noted["machine_info"]["cpu"]["brand_raw"]


def is_met(note):
    sign, _, bar = note["bar"].partition(" ")
    return not bar or (note["value"] <= float(bar) if sign == "≤" else note["value"] >= float(bar))


def figure(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def line(note):
    times = [figure(note[side]) if side in note else "" for side in ("ours", "theirs")]
    verdict = ("met" if is_met(note) else "**missed**") if note["bar"] else ""
    cells = (note["work"], note["peer"], note["bar"], f"{figure(note['value'])} {note['unit']}", *times, verdict)
    return f"| {' | '.join(cells)} |"


def main():
    notes, processor = measured()
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "pyarrow", "endplay"))
    ran = f"{datetime.now(UTC):%Y-%m-%d}, {processor}, Python {platform.python_version()}, {versions}."
    table = "\n".join([ran, "", HEAD, *map(line, notes)])
    print(table)
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")
    return 0 if all(map(is_met, notes)) else 1


if __name__ == "__main__":
    sys.exit(main())
