"""Files to files: results of any number, on one machine or many, in memory that does not grow with them.

Without forms of comparison each row stands for itself, and the rows of a file stay in their order. With them all
results of a deal are brought together first; then the rows of a deal stand together, each with its source and row.
A folder that was scored holds Parquet files, in ``_faults`` what is wrong, and ``_manifest.json``.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import pandas as pd

from bridge_analytics.batch_plan import (
    bucket_count,
    buckets_left,
    check_by,
    check_origins,
    forget,
    forget_all,
    forget_lost,
    forget_refused,
    own_columns,
    pieces_left,
    records,
    refusals,
    rows_of_bucket,
    set_names,
    settings_of,
)
from bridge_analytics.batch_tasks import compare_bucket, plan_source, score_piece, sort_piece
from bridge_analytics.checks import FAULT_COLUMNS, ResultsError, join_faults
from bridge_analytics.folders import found_files, names_in, opened, remove_folder, stamp
from bridge_analytics.layout import Layout, load_layout
from bridge_analytics.manifest import (
    FAULTS,
    WORK,
    Manifest,
    begun,
    locked,
    read_manifest,
    remove_unfinished,
    verified,
    write_manifest,
)
from bridge_analytics.results import By, checked_forms
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.workers import Step, done_steps, memory_in_bytes, threads_for

Progress = Callable[[int, float], None]
Run = Callable[..., Iterator[tuple[Mapping[str, Any], dict[str, Any]]]]


def score_files(
    sources: Any,
    target: str | os.PathLike[str],
    *,
    by: By = None,
    forms: str | Sequence[str] = (),
    edition: str | Edition = "duplicate-1987",
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    win: float = 2,
    layout: Layout = None,
    memory: str | int = "2GB",
    client: Any = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Score files of results into a folder of Parquet files.

    Parameters
    ----------
    sources : path, pattern or folder, or a list of them
        Files that :func:`read_results` reads, here or wherever fsspec reaches (``s3://...``).
    target : path
        The folder, new or scored into before: what is done is not done again, a run that was stopped goes on.
    by, edition, datum, imp_scale, win
        As for :func:`score_results`. The deals of all files are told apart together.
    forms : sequence of {"matchpoints", "butler", "cross_imps"}
        What to compute besides the scores; nothing by default, since it needs all results of a deal together.
    layout : mapping or path of a TOML file, optional
        How the files are written.
    memory : str or int
        About how much this process may take: ``"2GB"``, ``"800MiB"``. [bytes]
    client : distributed.Client, optional
        A Dask cluster that does the work; its machines must reach the files and the folder by the same paths.
    progress : function, optional
        Called with the number of rows done and the share of the work, 0 to 1, as it goes on.

    Returns
    -------
    DataFrame
        A row for each data file: ``file rows sha256``.

    Raises
    ------
    ResultsError
        When all else is done, if a file could not be read or is no table of results: ``error.faults`` names it. None
        of its rows is in the folder.
    ValueError
        If it is not clear which results share the cards; if the folder was scored in another way, was changed since or
        another run is going on in it; if a source was changed meanwhile; if an argument is not known.
    OSError
        If a file cannot be written: nothing half-written is left, and the same call goes on from there.

    Notes
    -----
    Rows that cannot be read are left out and told, as :func:`sift_results` does: see :func:`read_faults`; an edit is
    suggested from the rows around, since no more of a large file are read at a time. Without forms there is no
    ``deal_id``; with them it tells deals apart and is not counted from 0. A source that was changed is scored again;
    with forms, all are. Without forms what was scored before stays, though its source is not named again.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = score_files("data/session.csv", folder, forms="matchpoints")
    >>> files[["file", "rows"]].values.tolist()
    [['part-00000.parquet', 338]]
    """
    editions = {"edition": load_edition(edition, "scoring"), "datum": load_edition(datum, "datum")}
    editions["imp_scale"] = load_edition(imp_scale, "imps")
    wanted, told, room = sorted(checked_forms(forms)), load_layout(layout), memory_in_bytes(memory)
    folder, files = _path(target), found_files(sources)
    with locked(folder):
        settings = settings_of(by, wanted, told, win=win, **editions)
        manifest = begun(folder, settings)
        run = partial(_run, folder, manifest, client, threads_for(room), progress)
        stamps = {file: stamp(file) for file in files}
        if wanted:
            how = editions | {"win": win, "forms": wanted}
            _compare(folder, manifest, stamps, {"layout": told, "by": settings["by"]}, how, room, run)
        else:
            _stream(folder, manifest, stamps, {"layout": told, "edition": editions["edition"]}, run)
        changed = [file for file in files if stamp(file) != stamps[file]]
        if changed:
            raise ValueError(f"expected a file that stays as it is, got {changed[0]!r} changed while it was read")
        return _finished(folder, manifest)


def _path(folder: str | os.PathLike[str]) -> str:
    return os.fspath(folder).rstrip("/" + os.sep)


def _run(
    folder: str,
    manifest: Manifest,
    client: Any,
    threads: int,
    progress: Progress | None,
    step: Step,
    tasks: Sequence[Mapping[str, Any]],
    part: tuple[float, float] = (0, 1),
) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Do a step of all tasks, keep the manifest up to date, and tell how far the work is between two shares of it."""
    rows, due = 0, 0.0
    for count, (task, record) in enumerate(done_steps(step, tasks, client, threads), 1):
        yield task, record
        if (start := perf_counter()) > due or count == len(tasks):  # it grows with the tasks: not after each of many
            write_manifest(folder, manifest)
            due = perf_counter() + 20 * (perf_counter() - start)
        rows += record["rows"] if isinstance(record.get("rows"), int) else sum(record.get("rows", {}).values())
        if progress is not None:
            progress(rows, part[0] + (part[1] - part[0]) * count / len(tasks))


def _planned(
    folder: str, manifest: Manifest, stamps: Mapping[str, Any], common: Mapping[str, Any], run: Run, *, apart: bool
) -> list[dict[str, Any]]:
    """Plan the files of which nothing is known yet; the pieces that are left."""
    known = manifest["sources"]
    new = [{"name": source, "source": source, "layout": common["layout"]} for source in stamps if source not in known]
    plans = {task["source"]: record for task, record in run(plan_source, new, (0, 0))}
    for source in [task["source"] for task in new]:  # in their order, whichever was planned first
        known[source] = {"stamp": stamps[source]} | plans[source]
        set_names(manifest, source, apart=apart)
    left = pieces_left(manifest, manifest["files"] if apart else manifest["temporary"])
    manifest["finished"] &= not left
    write_manifest(folder, manifest)
    return [{**task, **common, "target": folder} for task in left]


def _stream(folder: str, manifest: Manifest, stamps: Mapping[str, Any], common: Mapping[str, Any], run: Run) -> None:
    """Score the rows of each file in their order."""
    known = manifest["sources"]
    changed = [old for old in known if not _is_as_it_was(known[old], stamps.get(old, known[old]["stamp"]))]
    forget(folder, manifest, changed)
    for task, record in run(score_piece, _planned(folder, manifest, stamps, common, run, apart=True)):
        if not _refuse(manifest, task, record):
            manifest["files"][task["name"]] = record
    forget_refused(folder, manifest)


def _is_as_it_was(record: Mapping[str, Any], now: Any) -> bool:
    return record["stamp"] == now and "refusal" not in record


def _refuse(manifest: Manifest, task: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """Note that the file of a piece is none, if so."""
    if "refusal" in record:
        manifest["sources"][task["piece"]["source"]]["refusal"] = record["refusal"]
    return "refusal" in record


def _compare(
    folder: str,
    manifest: Manifest,
    stamps: Mapping[str, Any],
    common: Mapping[str, Any],
    how: Mapping[str, Any],
    room: int,
    run: Run,
) -> None:
    """Bring the rows of each deal together, then score and compare them."""
    known = manifest["sources"]
    if set(known) != set(stamps) or not all(_is_as_it_was(known[source], stamps[source]) for source in known):
        forget_all(folder, manifest)
    elif manifest["finished"] and all(manifest["files"].values()):
        return
    forget_lost(folder, manifest)
    pieces = _planned(folder, manifest, stamps, common, run, apart=False)
    check_by(manifest, common["by"])
    count = manifest.setdefault("buckets", bucket_count(manifest, rows_of_bucket(room)))
    whole = {"count": count, "own": own_columns(manifest)}
    for task, record in run(sort_piece, [task | whole for task in pieces], (0, 0.4)):
        if not _refuse(manifest, task, record):
            manifest["temporary"][task["name"]] = record
    forget_refused(folder, manifest)
    check_origins(manifest, common["by"])
    tasks = [{**task, **common, "how": how, "target": folder} for task in buckets_left(manifest)]
    write_manifest(folder, manifest)
    for task, record in run(compare_bucket, tasks, (0.4, 1)):
        manifest["files"][task["name"]] = record


def _finished(folder: str, manifest: Manifest) -> pd.DataFrame:
    """Tidy up, and tell what was made; or that some files are none."""
    refused = pd.DataFrame(refusals(manifest), columns=list(FAULT_COLUMNS)).astype(FAULT_COLUMNS)
    if not manifest["finished"]:
        manifest |= {name: sum(record[name] for record in records(manifest)) for name in ("faults", "left_out")}
    manifest |= {"finished": not len(refused), "temporary": {}}
    write_manifest(folder, manifest)
    remove_folder(f"{folder}/{WORK}")
    remove_unfinished(folder)
    if len(refused):
        raise ResultsError(refused, 0)
    made = [(name, record["rows"], record["sha256"]) for name, record in sorted(manifest["files"].items())]
    return pd.DataFrame(made, columns=["file", "rows", "sha256"])


def read_faults(target: str | os.PathLike[str]) -> pd.DataFrame:
    """Everything that was wrong with the files of a folder that was scored.

    Parameters
    ----------
    target : path
        The folder.

    Returns
    -------
    DataFrame
        As :func:`check_results` gives it, of all files; those of one file together, by row.
    """
    folder = _path(target)
    tables = [pd.DataFrame(refusals(read_manifest(folder)), columns=list(FAULT_COLUMNS)).astype(FAULT_COLUMNS)]
    for name in names_in(f"{folder}/{FAULTS}"):
        with opened(f"{folder}/{FAULTS}/{name}") as file:
            tables.append(pd.read_parquet(file).astype(FAULT_COLUMNS))
    return join_faults(tables).sort_values("source", kind="stable", ignore_index=True)


def verify(target: str | os.PathLike[str]) -> pd.DataFrame:
    """Each data file of a folder that was scored, and whether it is as it was written.

    Parameters
    ----------
    target : path
        The folder.

    Returns
    -------
    DataFrame
        ``file rows sha256 ok``: the checksum that was noted, and whether the file still has it; a file that is still to
        be made, or not in the manifest, is not ok.

    Raises
    ------
    FileNotFoundError
        If nothing was ever scored into the folder.
    """
    return verified(_path(target))
