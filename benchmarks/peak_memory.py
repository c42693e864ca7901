"""How much memory `score` takes beyond its columns and its result: `python benchmarks/peak_memory.py str 10000000`.

A process by itself, since a process keeps memory it has used before. It prints the peak above the input and the output
in MiB. Needs Linux, which tells a process its peak and lets it start afresh.
"""

import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

import bridge_analytics as ba

KINDS = ("codes", "category", "Int8", "float", "str")


def columns(kind, rows):
    """Contract, vulnerable and tricks in columns of a kind; what is not of the kind is a byte a row."""
    draw = np.random.default_rng(1)
    contract = draw.integers(0, 106, rows, np.int8)
    vulnerable, tricks = draw.integers(0, 2, rows, np.uint8).astype(bool), draw.integers(0, 14, rows, np.int8)
    if kind in ("category", "str"):
        words = pa.DictionaryArray.from_arrays(contract, list(ba.CONTRACTS))
        contract = pd.Series(words.cast(pa.large_string()), dtype="str") if kind == "str" else words.to_pandas()
    missing = np.asarray(contract == 0) if kind in ("Int8", "float") else None  # a passed-out board has no tricks
    if kind == "float":
        contract, vulnerable = contract.astype(float), vulnerable.astype(float)
        tricks = pd.Series(np.where(missing, np.nan, tricks))
    if kind == "Int8":
        seen = contract >= 0
        contract, tricks = (
            pd.Series(pd.arrays.IntegerArray(*parts)) for parts in ((contract, ~seen), (tricks, missing))
        )
        vulnerable = pd.Series(pd.arrays.BooleanArray(vulnerable, ~seen))
    return contract, vulnerable, tricks


def size(column):
    return column.nbytes if isinstance(column, np.ndarray) else int(column.memory_usage(index=False, deep=True))


def status(name):
    return int(re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024


def beyond(kind, rows):
    ba.score("4S", True, 10)
    before = status("VmRSS")
    given = columns(kind, rows)
    pa.default_memory_pool().release_unused()
    Path("/proc/self/clear_refs").write_text("5")
    scores = ba.score(*given)
    return (status("VmHWM") - before - sum(map(size, given)) - scores.nbytes) / 2**20


if __name__ == "__main__":
    print(beyond(sys.argv[1], int(sys.argv[2])))
