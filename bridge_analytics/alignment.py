"""The same results under several actions: what makes them comparable row by row, and what refuses them.

Nothing is matched up by chance: rows are the same rows, by position and by index; deals are the same deals; and where
the side is that of declarer or of the defenders, it is the same side whatever the action.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import as_column
from bridge_analytics.counterfactuals import replaced
from bridge_analytics.readers import number_values
from bridge_analytics.rules import Edition
from bridge_analytics.scored import (
    OWN_LABELS,
    check_columns,
    check_scored,
    check_whole,
    own_label,
    side_signs,
    word_codes,
)

Scores = Any
"""A table of scored results, or a column of North-South scores."""
Column = tuple[NDArray[Any], NDArray[np.bool_] | None]
"""Values, and which of them are missing; None where none is."""


def under_each(scores: Mapping[str, Scores]) -> tuple[list[pd.DataFrame], list[Column]]:
    """The tables among the actions, and North-South's scores under each, row by row; refuses what is not aligned."""
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise ValueError(f"expected a dict of two actions or more with their scores, got {scores!r:.60}")
    tables = [check_columns(table) for table in scores.values() if isinstance(table, pd.DataFrame)]
    ns = [column["score_ns"] if isinstance(column, pd.DataFrame) else column for column in scores.values()]
    first, *others = scores
    for name, column in zip(others, ns[1:], strict=True):
        if len(column) != len(ns[0]):
            raise ValueError(f"expected {name!r} row by row as {first!r}, got {len(column)} rows for {len(ns[0])}")
        if isinstance(column, pd.Series) and isinstance(ns[0], pd.Series) and not column.index.equals(ns[0].index):
            place = int((column.index != ns[0].index).argmax())
            raise ValueError(
                f"expected {name!r} row by row as {first!r}, got index {column.index[place]!r} for "
                f"{ns[0].index[place]!r} at position {place}"
            )
    for table in tables[:1]:  # the others have its deals
        check_scored(table)
    named = [name for name, table in scores.items() if isinstance(table, pd.DataFrame)]
    for name, table in zip(named[1:], tables[1:], strict=True):
        moved = (table["deal_id"].to_numpy() != tables[0]["deal_id"].to_numpy()).nonzero()[0]
        if moved.size:
            raise ValueError(f"expected the same deals under each action, got another at position {moved[0]}")
        check_same(table, tables[0], "source_row", f"{name!r} row by row as {named[0]!r}")
    return tables, [number_values(as_column(column), name="a score") for column in ns]


def check_same(rows: pd.DataFrame, others: pd.DataFrame, name: str, what: str) -> None:
    """Refuse rows that have another value in a column than the rows that they should be, where both have one."""
    if name == "declarer":
        one, other = (word_codes(table, name) for table in (rows, others))
    else:
        one, other = (table[name].to_numpy(dtype=np.int64, na_value=-1) for table in (rows, others))
    apart = one != other
    if apart.any() and (apart := apart & (one >= 0) & (other >= 0)).any():
        place = int(apart.argmax())
        got, wanted = (table[name].iloc[[place]].tolist()[0] for table in (rows, others))
        raise ValueError(f"expected {what}, got {name} {got!r} for {wanted!r} at position {place}")


def labels_of(labels: Any, tables: Sequence[pd.DataFrame], rows: Scores, option: str, side: str) -> Any:
    """Labels of each row, from the columns named where names are given; for a tuple, of each of its parts.

    What is no column of the first table may be one of :data:`scored.OWN_LABELS`, which are those of the last table.
    """
    if isinstance(labels, tuple):
        return tuple(labels_of(part, tables, rows, option, side) for part in labels)
    size = len(rows)
    if isinstance(labels, str) or (isinstance(labels, list) and {*map(type, labels)} == {str}):
        names = [labels] if isinstance(labels, str) else labels
        lost = [name for name in names if not tables or (name not in tables[0] and name not in OWN_LABELS)]
        if not lost:
            found = {n: tables[0][n] if n in tables[0] else own_label(tables[-1], n, side) for n in names}
            return found[names[0]] if len(names) == 1 else pd.DataFrame(found)
        if isinstance(labels, str) or len(labels) != size:
            raise ValueError(f"expected labels, or columns of the tables, got {', '.join(map(repr, lost))}")
    if labels is not None and len(labels) != size:
        raise ValueError(f"expected a label for each of {size} results, got {len(labels)}")
    frames = pd.Series | pd.DataFrame
    if isinstance(labels, frames) and isinstance(rows, frames) and not labels.index.equals(rows.index):
        kind = type(labels).__name__
        raise ValueError(f"expected {option} with the index of the results, got a {kind} with another index")
    return labels


def one_side(tables: Sequence[pd.DataFrame], side: str, size: int) -> NDArray[np.int8]:
    """1 where what is good for North-South is good for the side; the declarer must be the same under each action."""
    if not tables and side not in ("ns", "ew"):
        raise ValueError(f"expected side ns or ew, since scores without tables have no declarer, got {side!r}")
    signs = side_signs(tables[0] if tables else pd.DataFrame(index=range(size)), side)
    for table in tables[1:]:
        if side in ("ns", "ew") or np.array_equal(word_codes(table, "declarer"), word_codes(tables[0], "declarer")):
            continue
        others = side_signs(table, side)
        apart = signs * others < 0
        if apart.any():
            place = int(apart.argmax())
            raise ValueError(
                f"expected one declaring side under each action for side {side!r}, got declarers "
                f"{tables[0]['declarer'].iloc[place]!r} and {table['declarer'].iloc[place]!r} at position {place}"
            )
        check_same(table, tables[0], "declarer", "one declarer under each action")
        signs = np.where(signs == 0, others, signs)  # one of the actions may be a pass
    return signs


def only_doubled(tables: Sequence[pd.DataFrame]) -> bool:
    """Whether the actions differ by the double alone."""
    first, *others = ((word_codes(table, "contract") + 2) // 3 for table in tables)
    same = all((first == other).all() for other in others)
    return same and all((tables[0]["tricks"].array == table["tricks"].array).all() for table in tables[1:])


def in_field(
    columns: Sequence[Column],
    rows: Scores,
    field: pd.DataFrame | None,
    form: str,
    datum: str | Edition,
    imp_scale: str | Edition,
) -> list[Column]:
    """What some rows of the field have with other scores, its other results as they were; missing without a score."""
    if field is None:
        raise ValueError(f"expected field, the results that {form} compares with, got None")
    place = places(rows, check_scored(field))
    check_whole(field)
    found: list[Column] = []
    for values, missing in columns:
        asked = np.full(len(field), np.nan)
        asked[place] = values if missing is None else np.where(missing, np.nan, values)
        points = replaced(field, asked, form=form, percent=True, datum=datum, imp_scale=imp_scale)[place]
        found.append((np.nan_to_num(points), np.isnan(points)))
    return found


def places(rows: Scores, field: pd.DataFrame) -> Any:
    """Where the rows stand in the field, by their index; a column without one is the field's own, row by row."""
    if not isinstance(rows, pd.DataFrame | pd.Series):
        if len(rows) != len(field):
            raise ValueError(f"expected a score for each of the {len(field)} results of the field, got {len(rows)}")
        return np.arange(len(field))
    if not field.index.is_unique:
        label = field.index[field.index.duplicated()].tolist()[0]
        raise ValueError(f"expected a field with each label of its index once, got {label!r} more often")
    place = np.arange(len(field)) if rows.index is field.index else field.index.get_indexer(rows.index)
    if (place < 0).any() or (np.bincount(place, minlength=1) > 1).any():
        raise ValueError("expected rows that the field has, each once, by their index, got others")
    if isinstance(rows, pd.DataFrame):
        if (rows["deal_id"].to_numpy() != field["deal_id"].to_numpy()[place]).any():
            raise ValueError("expected rows with the deals that they have in the field, got other deals")
        same = field[["source_row", "declarer"]].iloc[place]
        for name in ("source_row", "declarer"):
            check_same(rows, same, name, "the rows of the field")
    return place
