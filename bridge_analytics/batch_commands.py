"""What `score` does at the shell when its output is a folder: many files, or larger ones than memory holds."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from bridge_analytics.batch import read_faults, score_files
from bridge_analytics.checks import ResultsError
from bridge_analytics.folders import is_remote
from bridge_analytics.manifest import Manifest, read_manifest
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
    screen, refused = console(stderr=True), None
    with Progress(*told, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(f"scoring into {output} …", total=1.0, speed="")

        def progress(rows: int, share: float) -> None:
            seconds = bar.tasks[0].elapsed or 0
            speed = f"{rows / seconds:,.0f} rows per second" if seconds else ""
            bar.update(task, completed=share, speed=speed)

        try:
            score_files(list(files), output, progress=progress, **how)
        except ResultsError as error:
            refused = error
        seconds = bar.tasks[0].elapsed or 0
    manifest = read_manifest(output)
    if refused and all("refusal" in record for record in manifest["sources"].values()):
        raise refused
    found = read_faults(output)
    if refused:  # the others are done
        say("\n".join(str(refused).splitlines()[:-1]))
    tell_faults(found, faults)
    _tell(output, manifest, len(found), editions, seconds)
    return bool(len(found))


def _tell(output: str, manifest: Manifest, faults: int, editions: str, seconds: float) -> None:
    """Say what a folder now holds."""
    made, sources = manifest["files"].values(), manifest["sources"].values()
    rows, deals = (sum(record.get(name, 0) for record in made) for name in ("rows", "deals"))
    summary(
        {"files": sum("refusal" not in record for record in sources), "results": rows}
        | ({"deals": deals} if deals else {})
        | {"faults": faults, "editions": editions, "seconds": f"{seconds:.2f}"}
        | ({"rows per second": round(rows / seconds)} if seconds else {})
    )
    say(f"{len(made):,} {'file' if len(made) == 1 else 'files'} written to {output}")
