"""What a folder of scored results was made from and holds: the manifest, a JSON file that is always whole.

It is written anew after each step, so that a run that was stopped goes on where it was; one run at a time may.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

from bridge_analytics.folders import (
    UNFINISHED,
    checksum,
    is_remote,
    make_folder,
    names_in,
    opened,
    remove,
    size_of,
    written,
)

NAME, LOCK, FAULTS, WORK = "_manifest.json", "_lock", "_faults", "_work"
"""What a folder holds besides its data; readers of Parquet folders pass over names that begin so."""

Manifest = dict[str, Any]


def begun(target: str, settings: Mapping[str, Any]) -> Manifest:
    """The manifest of an earlier run of the same call into a folder, or a new one.

    Raises
    ------
    ValueError
        If the folder holds what no run wrote, was scored in another way, or a file of it was changed since.
    """
    names = names_in(target)
    remove_unfinished(target)
    new: Manifest = {"version": _version(), "settings": dict(settings), "finished": False}
    new |= {"sources": {}, "files": {}, "temporary": {}}
    if NAME not in names:
        foreign = [name for name in names if not name.startswith((UNFINISHED, "_"))]
        if foreign:
            raise ValueError(f"expected an empty folder or one that was scored into before, got {foreign[0]!r} in it")
        return new
    old = read_manifest(target)
    if not any(old["files"].values()):
        return old if _same(old, new) else new
    if not _same(old, new):
        raise ValueError(f"expected a folder scored in the same way, got one with {_difference(old, new)}: {target}")
    for name, record in old["files"].items():
        size = size_of(f"{target}/{name}")
        if record and size is not None and size != record["bytes"]:
            raise ValueError(
                f"expected {name} as it was written, of {record['bytes']:,} bytes, got {size:,}: remove it to have it "
                "made again"
            )
        if size is None:
            old["files"][name] = None
    return old


def remove_unfinished(target: str) -> None:
    """Remove what a run, or a worker, that was killed has left half-written."""
    for folder in (target, f"{target}/{FAULTS}"):
        for name in names_in(folder):
            if name.startswith(UNFINISHED):
                remove(f"{folder}/{name}")


def _version() -> str:
    try:
        return version("bridge-analytics")
    except PackageNotFoundError:  # run from its sources
        return "not installed"


def _same(old: Manifest, new: Manifest) -> bool:
    return bool(old["version"] == new["version"]) and bool(old["settings"] == json.loads(json.dumps(new["settings"])))


def _difference(old: Manifest, new: Manifest) -> str:
    if old["version"] != new["version"]:
        return f"version {old['version']} (this is {new['version']})"
    settings = json.loads(json.dumps(new["settings"]))
    key = next(key for key in settings if old["settings"].get(key) != settings[key])
    return f"{key} = {old['settings'].get(key)!r} (this is {settings[key]!r})"


def read_manifest(target: str) -> Manifest:
    """The manifest of a folder.

    Raises
    ------
    FileNotFoundError
        If it has none.
    ValueError
        If it is not as it was written.
    """
    with opened(f"{target}/{NAME}") as file:
        text = file.read()
    try:
        manifest: Manifest = json.loads(text)
    except ValueError as error:
        raise ValueError(f"expected {target}/{NAME} as it was written, got no JSON: {error}") from None
    return manifest


def write_manifest(target: str, manifest: Manifest) -> None:
    """Put the manifest in the place of the one before; for the eye, when all is done."""
    with written(f"{target}/{NAME}") as file:
        file.write(json.dumps(manifest, indent=1 if manifest["finished"] else None).encode())


def verified(target: str) -> pd.DataFrame:
    """Each data file of a folder as its manifest has it, and whether it still is.

    Returns
    -------
    DataFrame
        ``file rows sha256 ok``; one that is still to be made, or that the manifest does not know, is not ok.
    """
    manifest = read_manifest(target)
    known, found = manifest["files"], names_in(target)
    rows = []
    for name in sorted(known):
        record = known[name] or {"rows": 0, "sha256": ""}
        ok = name in found and checksum(f"{target}/{name}") == record["sha256"]
        rows.append((name, record["rows"], record["sha256"], ok))
    strangers = [name for name in found if name not in known and not name.startswith("_")]
    rows += [(name, 0, "", False) for name in strangers]
    return pd.DataFrame(rows, columns=["file", "rows", "sha256", "ok"])


@contextmanager
def locked(target: str) -> Iterator[None]:
    """Keep a folder to one run at a time; the lock of a run that was killed is gone with it.

    Raises
    ------
    ValueError
        If another run has it.
    """
    make_folder(target)
    taken = ValueError(f"expected one run at a time into a folder, got another that is going on in {target!r}")
    if is_remote(target):
        yield from _locked_by_file(target, taken)
        return
    handle = _handle(target)
    try:
        if not _takes(handle):
            raise taken
        yield
    finally:
        os.close(handle)


def _locked_by_file(target: str, taken: ValueError) -> Iterator[None]:
    """Where no lock of the system reaches: a file, which a run that was killed leaves behind."""
    if LOCK in names_in(target):
        raise ValueError(f"{taken}: if none is, remove {target}/{LOCK}")
    with written(f"{target}/{LOCK}") as file:
        file.write(f"{os.getpid()}".encode())
    try:
        yield
    finally:
        remove(f"{target}/{LOCK}")


def _handle(target: str) -> int:
    if os.name == "nt":
        return os.open(os.path.join(target, LOCK), os.O_RDWR | os.O_CREAT)
    return os.open(target, os.O_RDONLY)  # the folder itself: nothing is left behind


def _takes(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
