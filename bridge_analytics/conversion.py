"""A source of results written in another format: CSV and Parquet part by part, in bounded memory; PBN as a whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from bridge_analytics.arrow_tables import common_types, completed, own_types, schema_of, to_arrow
from bridge_analytics.checks import join_faults
from bridge_analytics.corrections import Corrections
from bridge_analytics.formats.pbn_export import write_pbn
from bridge_analytics.layout import Layout
from bridge_analytics.reading import Sifted, results_in_parts, sift
from bridge_analytics.sources import Source
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS

SUFFIXES = (".csv", ".parquet", ".pbn")
"""What can be written."""


def convert(
    source: Source,
    path: str | Path,
    *,
    format: str | None = None,
    layout: Layout = None,
    corrections: Corrections = None,
) -> tuple[int, pd.DataFrame]:
    """Write the results of a source that can be read as one file: CSV, Parquet or PBN, by its ending.

    Parameters
    ----------
    source, format, layout, corrections
        As for :func:`read_results`.
    path : str or path
        The file to write; it appears when it is whole.

    Returns
    -------
    count : int
        How many results were written.
    faults : DataFrame
        As :func:`sift_results`, but for who comes to a deal twice.

    Raises
    ------
    ValueError
        If the ending is none of these, or as :func:`read_results`.
    ResultsError, OSError
        As :func:`sift_results`.
    """
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise ValueError(f"expected an output that ends in {', '.join(SUFFIXES)}, got {str(path)!r}")
    scratch = target.with_name(f".{target.name}.part")
    try:
        if target.suffix == ".pbn":
            results, faults = sift(source, format, layout, corrections)
            write_pbn(results, scratch)
            count = len(results)
        else:
            parts = partial(results_in_parts, source, format=format, layout=layout, corrections=corrections)
            count, faults = _written(parts, scratch, target.suffix)
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)
    return count, faults


def _written(parts: Callable[[], Iterator[Sifted]], path: Path, suffix: str) -> tuple[int, pd.DataFrame]:
    """Write all parts under the columns of the first; if a later part has others, once more under those of all."""
    own, scores = _columns(next(parts())[0])
    done = _try(parts(), path, suffix, own, scores)
    if done is None:
        found = [_columns(results) for results, _ in parts()]
        own, scores = common_types([types for types, _ in found]), {name for _, names in found for name in names}
        done = _try(parts(), path, suffix, own, scores)
    assert done is not None  # every column of every part is there now
    return done


def _columns(results: pd.DataFrame) -> tuple[dict[str, Any], set[str]]:
    """The columns of a file's own with their types, and those that scoring added."""
    return own_types(to_arrow(results)), {name for name in SCORED_COLUMNS if name in results}


def _try(
    parts: Iterator[Sifted], path: Path, suffix: str, own: dict[str, Any], scores: set[str]
) -> tuple[int, pd.DataFrame] | None:
    """Write all parts; None where one of them does not fit the columns."""
    count, faults = 0, []
    with (_parquet if suffix == ".parquet" else _csv)(path, own, scores) as put:
        for results, found in parts:
            types, scored = _columns(results)
            if common_types([own, types]) != own or not scored <= scores:
                return None
            put(results)
            count += len(results)
            faults.append(found)
    return count, join_faults(faults)


@contextmanager
def _parquet(path: Path, own: dict[str, Any], scores: set[str]) -> Iterator[Callable[[pd.DataFrame], None]]:
    from pyarrow import parquet

    schema = schema_of(own, [*scores])
    with parquet.ParquetWriter(path, schema) as file:
        yield lambda results: file.write_table(completed(to_arrow(results), schema))


@contextmanager
def _csv(path: Path, own: dict[str, Any], scores: set[str]) -> Iterator[Callable[[pd.DataFrame], None]]:
    names = [*COLUMNS, *own, *(name for name in SCORED_COLUMNS if name in scores)]
    with path.open("w", encoding="utf-8", newline="") as file:
        pd.DataFrame(columns=names).to_csv(file, index=False)
        yield lambda results: results.reindex(columns=names).to_csv(file, index=False, header=False)
