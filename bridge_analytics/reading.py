"""From a source to its results and faults: a file, many files, or a file that is read in parts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from bridge_analytics.cells import Column, column_of
from bridge_analytics.checks import ResultsError, fault_table, join_faults
from bridge_analytics.columns import keep_freed_memory
from bridge_analytics.contract_cells import has_sign
from bridge_analytics.corrections import Corrections, corrected, load_corrections, of_source, refuse_unused
from bridge_analytics.headers import roles_of
from bridge_analytics.layout import Layout, load_layout
from bridge_analytics.rows import results_of
from bridge_analytics.sources import Cut, Source, cells_of, check_format, files_of, name_of, parts_of
from bridge_analytics.table import concat_results, results_table

Sifted = tuple[pd.DataFrame, pd.DataFrame]

_KEPT = 31 << 20  # bytes: the largest piece that is kept; a block of a file and its cells are pieces


def sift(source: Source, format: str | None, layout: Layout, corrections: Corrections = None) -> Sifted:
    """The results of a source that can be read and the faults of all of it; of many files, those of each.

    Raises
    ------
    ResultsError
        If no file is a table of results.
    ValueError
        If the layout or the format is not known, or does not fit the one file.
    """
    check_format(format)
    keep_freed_memory(_KEPT)
    how, files, edits = load_layout(layout), files_of(source), load_corrections(corrections)
    if files is None:
        results, found = _sifted(cells_of(source, format, how), how, name_of(source), edits)
        refuse_unused(edits, found)
        return results, found
    tables, faults = [], []
    for file in files:
        try:
            results, found = _sifted(cells_of(file, format, how), how, str(file), edits)
            tables.append(results)
        except (ResultsError, ValueError) as error:
            found = _refusal(error, str(file))
        faults.append(found)
    if not tables:
        raise ResultsError(join_faults(faults), 0)
    refuse_unused(edits, together := join_faults(faults))
    return concat_results(tables), together


def results_in_parts(
    source: Source, *, format: str | None = None, layout: Layout = None, corrections: Corrections = None
) -> Iterator[Sifted]:
    """The results and faults of a source, some tens of thousands of rows at a time, in bounded memory.

    Parameters
    ----------
    source, format, layout, corrections
        As for :func:`read_results`. Under ``duplicates = "last"`` a row may replace any before it: such a file comes
        as one part, whatever its size.

    Yields
    ------
    results, faults : DataFrame
        As :func:`sift_results` gives them, of a part of the rows, in order; what only the whole can tell, who comes to
        a deal twice, is not among the faults. A file that is no table of results is one fault and no row, unless it is
        the only one.

    Raises
    ------
    ResultsError, ValueError, OSError
        As :func:`sift_results`.
    """
    check_format(format)
    how, files, edits = load_layout(layout), files_of(source), load_corrections(corrections)
    listed = []
    for file in [source] if files is None else files:
        try:
            for results, faults in _in_parts(file, format, how, edits):
                listed.append(faults[faults["rule"] == "corrected"])
                yield results, faults
        except (ResultsError, ValueError) as error:
            if files is None:
                raise
            yield results_table({}, 0), _refusal(error, str(file))
    refuse_unused(edits, join_faults(listed))


def _in_parts(
    source: Source, format: str | None, layout: Mapping[str, Any], edits: pd.DataFrame | None
) -> Iterator[Sifted]:
    if layout["duplicates"] == "last":
        yield _sifted(cells_of(source, format, layout), layout, name_of(source), edits)
        return
    how = dict(layout)
    for cut in parts_of(source, format, layout):
        if how["result"] is None and _result(cut[0], layout) is not None:
            how["result"] = _counts((frame for frame, _, _ in parts_of(source, format, layout)), layout)
        yield _sifted(cut, how, name_of(source), edits)


def _result(frame: pd.DataFrame, layout: Mapping[str, Any]) -> Column | None:
    """The column of results, where there is one."""
    roles = roles_of(list(frame.columns), layout["columns"])
    return next((column_of(frame.iloc[:, place]) for place, role in roles.items() if role == "result"), None)


def _counts(frames: Iterable[pd.DataFrame], layout: Mapping[str, Any]) -> str:
    """What a column of results counts in the whole of a source, which the layout leaves to be found."""
    columns = (_result(frame, layout) for frame in frames)
    return "signed" if any(column is not None and has_sign(column[0]) for column in columns) else "absolute"


def _sifted(cut: Cut, layout: Mapping[str, Any], name: str, edits: pd.DataFrame | None) -> Sifted:
    frame, source_row, found = cut
    results, faults = results_of(frame, source_row, layout, source=name)
    own = of_source(edits, name)
    if own is not None and len(own):
        how = {**layout, "result": layout["result"] or _counts([frame], layout)}
        results, faults = corrected(frame, source_row, how, (results, faults), own, source=name)
    return results, join_faults([*(_of_source(part, name) for part in found), faults])


def _refusal(error: ValueError, name: str) -> pd.DataFrame:
    """The faults of a file that is no table of results, or that the layout does not fit."""
    if isinstance(error, ResultsError):
        return error.faults
    return fault_table("layout_unfit", None, value=str(error), source=name)


def _of_source(faults: pd.DataFrame, name: str) -> pd.DataFrame:
    return faults.assign(source=pd.array([name] * len(faults), dtype="str"))
