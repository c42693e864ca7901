"""What `score` does at the shell when its output is a folder: many files, or larger ones than memory holds."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from bridge_analytics.batch import read_faults, score_files
from bridge_analytics.folders import is_remote
from bridge_analytics.manifest import read_manifest
from bridge_analytics.screen import check_outputs, console, say, summary, tell_faults


def is_folder(output: str) -> bool:
    """Whether an output is a folder: one that is there, or a name without an ending."""
    return is_remote(output) or Path(output).is_dir() or not re.search(r"[^./\\]\.\w+$", output)


def score_folder(files: Sequence[str], output: str, faults: Path | None, editions: str, **how: Any) -> bool:
    """Score files into a folder, tell how far it is, and what was done; whether there were faults.

    Parameters
    ----------
    files, output, how
        As for :func:`batch.score_files`.
    faults : path, optional
        Where all faults are written, in one file.
    editions : str
        The names of those that are used.
    """
    check_outputs(faults)
    told = [TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn()]
    with Progress(*told, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"scoring into {output} …", total=1.0, speed="")

        def progress(rows: int, share: float) -> None:
            seconds = bar.tasks[0].elapsed or 0
            speed = f"{rows / seconds:,.0f} rows per second" if seconds else ""
            bar.update(task, completed=share, speed=speed)

        made = score_files(list(files), output, progress=progress, **how)
        seconds = bar.tasks[0].elapsed or 0
    found, manifest, rows = read_faults(output), read_manifest(output), int(made["rows"].sum())
    tell_faults(found, faults)
    deals = sum(record.get("deals", 0) for record in manifest["files"].values())
    summary(
        {"files": len(manifest["sources"]), "results": rows}
        | ({"deals": deals} if deals else {})
        | {"faults": len(found), "editions": editions, "seconds": f"{seconds:.2f}"}
        | ({"rows per second": round(rows / seconds)} if seconds else {})
    )
    say(f"{len(made):,} {'file' if len(made) == 1 else 'files'} written to {output}")
    return bool(len(found))
