"""Files here, or wherever fsspec reaches: found, opened, and written whole or not at all.

A path with ``://`` in it is fsspec's; any other is of this machine.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from bridge_analytics.sources import ENDINGS, files_of

UNFINISHED = "_unfinished-"
"""What the name of a file begins with while it is being written."""


def is_remote(path: str) -> bool:
    """Whether a path is one of fsspec's."""
    return "://" in path


def _reached(path: str) -> tuple[Any, str]:
    """The file system of a remote path, and the path there."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError(
            f"expected fsspec to be installed, to reach {path!r}: pip install 'bridge-analytics[distributed]'"
        ) from None
    found: tuple[Any, str] = url_to_fs(path)
    return found


def found_files(sources: Any) -> list[str]:
    """The files of paths, folders and patterns, those of each by name, each file once.

    Raises
    ------
    ValueError
        If a folder or a pattern has no such file.
    FileNotFoundError
        If a file does not exist.
    """
    several = [sources] if isinstance(sources, str | Path) or not isinstance(sources, Iterable) else list(sources)
    files: dict[str, str] = {}
    for source in several:
        if not isinstance(source, str | Path) or source == "":
            raise ValueError(f"expected paths of files, folders or patterns, got {source!r}")
        here = _remote_files(source) if isinstance(source, str) and is_remote(source) else _local_files(source)
        for file in here:
            files.setdefault(file if is_remote(file) else os.path.realpath(file), file)
    if not files:
        raise ValueError("expected at least one file, got none")
    return list(files.values())


def _local_files(source: str | Path) -> list[str]:
    files = files_of(source) or [Path(source)]
    for file in files:
        file.stat()  # FileNotFoundError names it
    return list(map(str, files))


def _remote_files(source: str) -> list[str]:
    system, path = _reached(source)
    if system.isdir(path):
        names = [name for name in system.ls(path, detail=False) if name.removesuffix(".gz").lower().endswith(ENDINGS)]
        names = [name for name in names if not PurePosixPath(name).name.startswith((".", "_"))]
    else:
        names = system.glob(path) if set("*?[") & set(path) else [path]
    if not names:
        raise ValueError(f"expected files at {source!r}, got none")
    for name in names:
        system.info(name)
    return [system.unstrip_protocol(name) for name in sorted(names)]


def opened(path: str) -> Any:
    """A file to read bytes from, as a context manager."""
    if is_remote(path):
        system, place = _reached(path)
        return system.open(place, "rb")
    return open(path, "rb")


def stamp(path: str) -> list[Any]:
    """What changes when a file does: its size, and when it was written or what version it is."""
    if is_remote(path):
        system, place = _reached(path)
        return [system.size(place), str(system.ukey(place))]
    status = os.stat(path)
    return [status.st_size, str(status.st_mtime_ns)]


def size_of(path: str) -> int | None:
    """The size of a file in bytes; None where there is none."""
    try:
        return int(stamp(path)[0])
    except FileNotFoundError:
        return None


@contextmanager
def written(path: str) -> Iterator[BinaryIO]:
    """A new file to write, which takes its name when all of it is on the disk; on an error there is none."""
    folder, _, name = path.replace(os.sep, "/").rpartition("/")
    unfinished = f"{folder or '.'}/{UNFINISHED}{os.urandom(6).hex()}-{name}"
    make_folder(folder or ".")
    try:
        if is_remote(path):
            system, place = _reached(path)
            with system.open(_reached(unfinished)[1], "wb") as file:
                yield file
            system.mv(_reached(unfinished)[1], place)
        else:
            with open(unfinished, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
    except BaseException as error:
        remove(unfinished)
        if isinstance(error, OSError) and not error.filename:
            raise OSError(error.errno, error.strerror or str(error), path) from error
        raise


def make_folder(path: str) -> None:
    """Make a folder, and those above it, where there is none."""
    if is_remote(path):
        system, place = _reached(path)
        system.makedirs(place, exist_ok=True)
    else:
        os.makedirs(path, exist_ok=True)


def names_in(folder: str) -> list[str]:
    """The names of what a folder holds."""
    if is_remote(folder):
        system, place = _reached(folder)
        found = system.ls(place, detail=False) if system.isdir(place) else []
        return sorted(PurePosixPath(name).name for name in found)
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    try:
        if is_remote(path):
            system, place = _reached(path)
            system.rm(place)
        else:
            os.remove(path)
    except FileNotFoundError:
        pass


def remove_folder(path: str) -> None:
    """Remove a folder of files, if it is there."""
    for name in names_in(path):
        remove(f"{path}/{name}")
    if is_remote(path):
        system, place = _reached(path)
        if system.isdir(place):
            system.rm(place, recursive=True)
    elif os.path.isdir(path):
        os.rmdir(path)


def checksum(path: str) -> str:
    """The SHA-256 of a file."""
    with opened(path) as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
