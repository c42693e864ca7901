"""The one fixture that more than one test file needs."""

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
