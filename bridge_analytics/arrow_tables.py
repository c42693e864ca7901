"""The canonical table as an Arrow table, for streams: from and to the DataFrame, and scored row by row.

Labels are dictionaries, so that a column costs what its codes cost; a column that says nothing costs nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.published import agreement
from bridge_analytics.row_scores import points_of
from bridge_analytics.rules import Edition
from bridge_analytics.table import (
    COLUMNS,
    SCORED_COLUMNS,
    WORDS,
    fixed_label,
    own_codes,
    results_table,
)

LABEL = pa.dictionary(pa.int32(), pa.string())
"""The type of labels and of texts that come again."""

ROW_SCORES = ("vulnerable", "score", "score_ns", "score_ok", "mp_ok")
"""What a row has by itself, without the others of its deal."""

_OWN_TYPES = (
    *("bool", "double", "date32[day]"),
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *(f"timestamp[{unit}]" for unit in ("s", "ms", "us", "ns")),
)

_PRINTED = ("published_score_ns", "published_mp_ns", "published_pct_ns")
_SCORE_NEEDS = ("contract", "declarer", "tricks", "vul", "status")


@cache
def arrow_type(name: str) -> Any:
    """The Arrow type of a canonical or scored column."""
    kind = {**COLUMNS, **SCORED_COLUMNS}[name]
    if name in WORDS:
        return pa.dictionary(pa.int8(), pa.string(), ordered=name == "contract")
    if kind in ("label", "str"):
        return LABEL if kind == "label" else pa.large_string()
    return pa.bool_() if kind == "boolean" else pa.type_for_alias(kind.lower())


def schema_of(own: Mapping[str, Any], scores: Sequence[str]) -> Any:
    """The schema of results: canonical columns, columns of a file's own, scores; pandas reads each back in its type.

    Parameters
    ----------
    own : mapping of str to Arrow type
        The columns that are not ours.
    scores : sequence of str
        Names among :data:`SCORED_COLUMNS`.
    """
    added = [name for name in SCORED_COLUMNS if name in scores]
    fields = [(name, arrow_type(name)) for name in COLUMNS]
    fields += [*own.items(), *((name, arrow_type(name)) for name in added)]
    kinds = {**COLUMNS, **{name: SCORED_COLUMNS[name] for name in added}}
    typed = {name: pd.Series(dtype=kind) for name, kind in kinds.items() if kind not in ("label", "str")}
    empty = pa.schema(fields).empty_table().to_pandas().assign(**typed)
    return pa.schema(fields, metadata=pa.Schema.from_pandas(empty, preserve_index=False).metadata)


def own_types(table: Any) -> dict[str, Any]:
    """The columns of a table that are not ours, and the types they are kept in."""
    return {
        field.name: _own_type(field.type)
        for field in table.schema
        if field.name not in COLUMNS and field.name not in SCORED_COLUMNS
    }


def _own_type(kind: Any) -> Any:
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    return value if str(value) in _OWN_TYPES else pa.large_string()


def common_types(several: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The own columns of several sources, each in a type that holds the values of all: a text where nothing else does.

    Examples
    --------
    >>> common_types([{"week": pa.int64()}, {"week": pa.float64(), "bar": pa.large_string()}])
    {'week': DataType(double), 'bar': DataType(large_string)}
    """
    found: dict[str, Any] = {}
    for types in several:
        for name, kind in types.items():
            found[name] = _either(found.get(name, kind), kind)
    return found


def _either(one: Any, other: Any) -> Any:
    if one == other:
        return one
    both = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in (one, other))
    return pa.float64() if both else pa.large_string()


def to_arrow(results: pd.DataFrame) -> Any:
    """A table of results as an Arrow table, without the columns that say nothing.

    Parameters
    ----------
    results : DataFrame
        Canonical, scored or not, with any columns of a file's own.

    Returns
    -------
    pyarrow.Table
    """
    columns = {}
    for name in results:
        column = pa.array(results[name], from_pandas=True)
        if column.null_count == len(column):
            continue
        known = name in COLUMNS or name in SCORED_COLUMNS
        columns[name] = _as(column, arrow_type(name) if known else _own_type(column.type))
    return pa.table(columns) if columns else pa.table({"source": pa.nulls(len(results), LABEL)})


def completed(table: Any, schema: Any) -> Any:
    """A table with exactly the columns of a schema, in its order and types; what it lacks is missing."""
    size = len(table)
    columns = [
        _as(table[field.name], field.type) if field.name in table.column_names else _missing(field.type, size)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def with_own(table: Any, own: Mapping[str, Any], needed: Sequence[str]) -> Any:
    """The table with its own columns in the types of all sources, texts as labels; those needed are there."""
    for name, kind in own.items():
        kept = LABEL if kind == pa.large_string() else kind
        if name in table.column_names:
            place = table.column_names.index(name)
            table = table.set_column(place, name, _as(table[name], kept))
        elif name in needed:
            table = table.append_column(name, _missing(kept, len(table)))
    return table


def _as(column: Any, kind: Any) -> Any:
    """A column in another type; of a list, say, the text as Python writes it."""
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:
        texts = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(texts, pa.large_string())]).cast(kind)


def _missing(kind: Any, size: int) -> Any:
    return _nothing(kind, max(1 << 19, 1 << size.bit_length())).slice(0, size)  # one for blocks of all sizes


@lru_cache(64)
def _nothing(kind: Any, size: int) -> Any:
    if not pa.types.is_dictionary(kind):
        return pa.nulls(size, kind)
    return pa.DictionaryArray.from_arrays(
        pa.nulls(size, kind.index_type), pa.array([], kind.value_type), ordered=kind.ordered
    )


def from_arrow(table: Any) -> pd.DataFrame:
    """The canonical table of an Arrow table; what that lacks is missing. The words of a label are in no order."""
    return results_table({name: _pandas_column(name, table[name]) for name in table.column_names}, len(table))


def pandas_columns(table: Any, names: Sequence[str]) -> pd.DataFrame:
    """Some columns of an Arrow table in the types of the canonical table, those of ours it lacks missing.

    A column that is neither ours nor there is left out.
    """
    there, size = set(table.column_names), len(table)
    columns = {
        name: table[name] if name in there else _missing(arrow_type(name), size)
        for name in names
        if name in there or name in COLUMNS
    }
    return pd.DataFrame({name: _pandas_column(name, column) for name, column in columns.items()}, index=range(size))


def _pandas_column(name: str, column: Any) -> Any:
    if name in WORDS:
        return fixed_label(name, own_codes(name, column))
    kind = {**COLUMNS, **SCORED_COLUMNS}.get(name)
    if kind == "label":
        return _label(*text_codes(column))
    values = column.to_pandas()
    return values if kind in (None, "str") else pd.array(values, dtype=kind)


def _label(words: Sequence[str], codes: NDArray[np.int32]) -> Any:
    """A column of labels as it is, without the words that no row has: to order them would cost more than all else."""
    used = np.flatnonzero(np.bincount(codes + 1, minlength=len(words) + 1)[1:])
    place = np.full(len(words) + 1, -1, np.int32)
    place[used] = np.arange(used.size)
    categories = pd.Index([words[code] for code in used.tolist()], dtype="str")
    return pd.Categorical.from_codes(place[codes], dtype=pd.CategoricalDtype(categories))


def with_scores(table: Any, edition: str | Edition) -> Any:
    """The table with what each row has by itself: :data:`ROW_SCORES`."""
    present = set(table.column_names)
    row = {name: table[name] if name in present else _missing(arrow_type(name), len(table)) for name in _SCORE_NEEDS}
    scores, columns = points_of(row, edition)
    if present & set(_PRINTED):
        nothing = np.full(len(table), np.nan)
        printed = {name: pd.Series(table[name].to_numpy() if name in present else nothing) for name in _PRINTED}
        columns |= agreement(pd.DataFrame(printed), scores, columns)
    for name, column in columns.items():
        table = table.append_column(name, pa.array(column, arrow_type(name)))
    return table
