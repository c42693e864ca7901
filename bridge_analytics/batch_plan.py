"""What a run over files has to do, from its manifest: which files are planned, which steps are left, what they need."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from bridge_analytics.arrow_tables import common_types
from bridge_analytics.deal_labels import names_of, no_columns, several_origins
from bridge_analytics.folders import remove, remove_folder, size_of
from bridge_analytics.manifest import FAULTS, WORK, Manifest
from bridge_analytics.rules import Edition
from bridge_analytics.table import COLUMNS
from bridge_analytics.workers import BASE, EACH

BUCKET = 600_000
"""Rows of a bucket: some hundred megabytes while they are compared."""

_ROW = 40  # bytes of a result in a file of which nothing else is known


def settings_of(by: Any, forms: Iterable[str], layout: Mapping[str, Any], **editions: Any) -> dict[str, Any]:
    """What the numbers of a run depend on besides its files, for the manifest."""
    told = {name: _digest(value) if isinstance(value, Edition) else value for name, value in editions.items()}
    names = None if by is None else names_of(by)
    return {"by": names, "forms": sorted(forms), **told, "layout": {key: layout[key] for key in sorted(layout)}}


def _digest(edition: Edition) -> str:
    """The name of an edition, and what tells it from another of that name."""
    return f"{edition.name} {hashlib.sha256(repr(edition.leaves).encode()).hexdigest()[:12]}"


def forget(target: str, manifest: Manifest, sources: Iterable[str]) -> None:
    """Take back what was made of some sources, and what is known of them."""
    for source in list(sources):
        forget_files(target, manifest, manifest["sources"].pop(source))


def forget_files(target: str, manifest: Manifest, record: Mapping[str, Any]) -> None:
    """Take back the files that were made of one source."""
    for name in record.get("names", ()):
        _remove_file(target, manifest, name)


def forget_refused(target: str, manifest: Manifest) -> None:
    """Take back what was made of files of which it turned out later that they cannot be read."""
    for record in manifest["sources"].values():
        if "refusal" in record:
            forget_files(target, manifest, record)


def _remove_file(target: str, manifest: Manifest, name: str) -> None:
    remove(f"{target}/{name}")
    remove(f"{target}/{FAULTS}/{PurePosixPath(name).stem}.parquet")
    for made in ("files", "temporary"):
        manifest[made].pop(name, None)


def forget_all(target: str, manifest: Manifest) -> None:
    """Take back everything: another set of files makes another field."""
    for name in list(manifest["files"]):
        _remove_file(target, manifest, name)
    for folder in (WORK, FAULTS):
        remove_folder(f"{target}/{folder}")
    manifest |= {"sources": {}, "files": {}, "temporary": {}, "finished": False}
    manifest.pop("buckets", None)


def forget_lost(target: str, manifest: Manifest) -> None:
    """Forget the temporary files that are not there any more as they were written."""
    there = manifest["temporary"]
    for name in [name for name in there if size_of(f"{target}/{WORK}/{name}") != there[name]["bytes"]]:
        del there[name]


def set_names(manifest: Manifest, source: str, *, apart: bool) -> None:
    """Name the files that the pieces of a source become: data files of their own, or temporary ones."""
    record = manifest["sources"][source]
    taken = [name for other in manifest["sources"].values() for name in other.get("names", ())]
    if "refusal" not in record:
        names = names_for(source, len(record["pieces"]), taken)
        record["names"] = names if apart else [f"read-{name.removesuffix('.parquet')}.arrow" for name in names]
        if apart:
            manifest["files"] |= dict.fromkeys(names)


def names_for(source: str, count: int, taken: Iterable[str]) -> list[str]:
    """The files that the pieces of a source become: its own name, numbered where there are several.

    Examples
    --------
    >>> names_for("club/tuesday.csv.gz", 1, [])
    ['tuesday.parquet']
    >>> names_for("other/tuesday.csv", 2, ["tuesday.parquet"])
    ['tuesday-2-00000.parquet', 'tuesday-2-00001.parquet']
    """
    stem = re.sub(r"(\.(csv|tsv|txt|parquet|pbn|lin|xml|bws|gz))+$", "", PurePosixPath(source.replace("\\", "/")).name)
    stem = f"results{stem}" if stem[:1] in ("", ".", "_") else stem
    stems = {re.sub(r"^read-|(-\d{5})?\.\w+$", "", name) for name in taken}
    choices = [stem, *(f"{stem}-{number}" for number in range(2, len(stems) + 2))]
    stem = next(choice for choice in choices if choice not in stems)
    return [f"{stem}.parquet"] if count == 1 else [f"{stem}-{place:05}.parquet" for place in range(count)]


def pieces_left(manifest: Manifest, done: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The pieces of which nothing is done yet, each with its name and the columns of its file's own."""
    return [
        {"name": name, "piece": piece, "own": record["own"]}
        for record in manifest["sources"].values()
        if "refusal" not in record
        for name, piece in zip(record["names"], record["pieces"], strict=True)
        if not done.get(name)
    ]


def bucket_count(manifest: Manifest, rows: int) -> int:
    """How many buckets keep each within some number of rows; chosen once for a run."""
    total = 0
    for record in manifest["sources"].values():
        told = sum(piece["rows"] for piece in record.get("pieces", ()))
        total += told or record["stamp"][0] // _ROW
    return max(1, -(-total // rows))


def rows_of_bucket(room: int) -> int:
    """How many rows may be compared at a time in some bytes of memory."""
    return max(BUCKET // 8, BUCKET * min(room - BASE, EACH) // EACH)


def check_origins(manifest: Manifest, by: Sequence[str] | None) -> None:
    """Refuse a ``by`` that would compare several events as if they were one, though no bucket may show it."""
    names = by or ["event"]
    origins = {origin for record in manifest["temporary"].values() for origin in record["origins"]}
    if not {"event", "source"} & set(names) and len(origins) > 1:
        raise several_origins(names, min(origins).split()[0])


def own_columns(manifest: Manifest) -> dict[str, str]:
    """The columns that are not ours, of all files that are read, each in a type that holds the values of all."""
    read = [record["own"] for record in manifest["sources"].values() if "refusal" not in record]
    types = common_types([{name: pa.type_for_alias(kind) for name, kind in own.items()} for own in read])
    return {name: str(kind) for name, kind in types.items()}


def check_by(manifest: Manifest, by: Sequence[str] | None) -> None:
    """Refuse a ``by`` that names a column which no file has."""
    read = [record for record in manifest["sources"].values() if "refusal" not in record]
    lost = [name for name in by or () if name not in COLUMNS and name not in own_columns(manifest)]
    if read and (lost or by == []):
        raise no_columns(lost)


def buckets_left(manifest: Manifest) -> list[dict[str, Any]]:
    """The buckets that are not compared yet, each with the temporary files that have rows of it."""
    read = [record for record in manifest["sources"].values() if "refusal" not in record]
    batches: dict[int, dict[str, tuple[int, int]]] = {}
    for name in (name for record in read for name in record["names"]):
        for place, (number, rows) in enumerate(manifest["temporary"][name]["rows"].items()):
            batches.setdefault(int(number), {})[name] = place, rows
    parts = {f"part-{number:05}.parquet": number for number in sorted(batches)}
    manifest["files"] = {name: manifest["files"].get(name) for name in parts}
    own = own_columns(manifest)
    return [
        {"name": name, "bucket": number, "count": manifest["buckets"], "own": own, "files": batches[number]}
        for name, number in parts.items()
        if not manifest["files"][name]
    ]


def records(manifest: Manifest) -> list[dict[str, Any]]:
    """What is noted of every step that wrote faults."""
    return [record for name in ("files", "temporary") for record in manifest[name].values() if record]


def refusals(manifest: Manifest) -> list[dict[str, Any]]:
    """What is wrong with whole files, as faults."""
    return [fault for record in manifest["sources"].values() for fault in record.get("refusal", ())]
