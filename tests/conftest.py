"""The fixtures that more than one test file needs."""

import importlib.util
import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of reference data beside the project; without it the tests that need it are skipped.

    A continuous-integration run must have the data: there its absence is a failure, lest something go unchecked unseen.
    """
    beside = Path(__file__).resolve().parents[1].parent / "shared"
    folder = Path(os.environ.get("BRIDGE_ANALYTICS_SHARED", beside))
    if not folder.is_dir():
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"needs the reference data: no folder {folder}; name it in BRIDGE_ANALYTICS_SHARED")
    return folder


@pytest.fixture(scope="session")
def matcher(shared):
    """Return the module that compares what was read with what a case expects."""
    spec = importlib.util.spec_from_file_location("match", shared / "cases" / "match.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def mutated():
    """Return a function that breaks a file: one byte; or a line cut, doubled, swapped; or the end cut off."""

    def broken(data, draw):
        lines = data.split(b"\n")
        one, other = (int(draw.integers(len(lines))) for _ in range(2))
        place = int(draw.integers(len(data)))
        kind = int(draw.integers(5))
        if kind == 0:
            return data[:place] + bytes([draw.integers(256)]) + data[place + 1 :]
        if kind == 1:
            return data[:place]
        if kind == 2:
            del lines[one]
        elif kind == 3:
            lines.insert(other, lines[one])
        else:
            lines[one], lines[other] = lines[other], lines[one]
        return b"\n".join(lines)

    return broken
