"""The canonical table: its columns, in order, with their types.

One row is one result: one board played at one table. Every reader ends here, and all else starts here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.columns import gathered, spans, text_codes
from bridge_analytics.notation import CONTRACTS, SEATS, VULS

STATUSES = ("played", "passed", "adjusted", "not_played", "sit_out", "unknown")
"""What became of a board at a table; only played and passed results have a score."""

WORDS = MappingProxyType(
    {
        "room": ("open", "closed"),
        "dealer": SEATS,
        "vul": VULS,
        "vul_source": ("file", "board"),
        "contract": CONTRACTS,
        "declarer": SEATS,
        "status": STATUSES,
    }
)
"""The columns whose words are fixed, in their order; code = position."""

COLUMNS: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(("event", "session", "section", "round", "table", "room"), "label")
    | {"board": "Int32", "board_label": "label"}
    | dict.fromkeys(("ns", "ew", "north", "east", "south", "west"), "label")
    | dict.fromkeys(("dealer", "vul", "vul_source", "contract", "declarer"), "label")
    | {"tricks": "Int8"}
    | dict.fromkeys(("lead", "auction", "play", "deal"), "str")
    | {"status": "label", "adjusted_ns": "str", "adjusted_ew": "str"}
    | dict.fromkeys(("award_ns_pct", "award_ew_pct"), "Float64")
    | dict.fromkeys(("published_score_ns", "published_mp_ns", "published_pct_ns", "published_imps_ns"), "Float64")
    | {"source": "label", "source_row": "Int64"}
)
"""Every column of a table of results, in order, and its type; a label is a category of texts."""

SCORED_COLUMNS: Mapping[str, Any] = MappingProxyType(
    {"deal_id": "int64", "vulnerable": "boolean", "score": "Int32", "score_ns": "Int32"}
    | dict.fromkeys(("mp_ns", "mp_ew", "pct_ns", "pct_ew", "datum_ns", "butler_ns", "cross_imps_ns"), "float64")
    | {"score_ok": "boolean", "mp_ok": "boolean"}
)
"""The columns that scoring adds, in order, and their types."""


_SPAN = 1 << 12  # rows in which words of a label are looked for until each was seen
_DIGITS = re.compile(r"([0-9]{1,18})")


def label(words: Sequence[str], codes: NDArray[Any]) -> pd.Categorical:
    """A column of labels from its words and the code of each row (-1: missing).

    Only words in use are categories; numbers among them sort as numbers: 2 before 10.

    Examples
    --------
    >>> list(label(["10", "2", "9"], np.array([0, 1, -1])).categories)
    ['2', '10']
    """
    used = np.zeros(len(words) + 1, np.bool_)
    for start, stop in spans(len(codes), _SPAN):
        used[codes[start:stop]] = True
        if used[:-1].all():
            break
    order = sorted(np.flatnonzero(used[:-1]).tolist(), key=lambda code: _natural(words[code]))
    place = np.full(used.size, -1, np.min_scalar_type(-len(order) - 1))
    place[order] = np.arange(len(order))
    return pd.Categorical.from_codes(gathered(place, codes), dtype=_category([words[code] for code in order]))


def _natural(word: str) -> list[Any]:
    """Text and numbers by turns, so that words sort by both."""
    parts: list[Any] = _DIGITS.split(word)
    parts[1::2] = map(int, parts[1::2])
    return parts


def _category(words: Any, *, ordered: bool = False) -> pd.CategoricalDtype:
    return pd.CategoricalDtype(pd.Index(words, dtype="str"), ordered=ordered)


def fixed_label(name: str, codes: NDArray[Any]) -> pd.Categorical:
    """A column whose words are fixed, from the code of each row (-1: missing)."""
    return pd.Categorical.from_codes(codes, dtype=_fixed_category(name))


@cache
def _fixed_category(name: str) -> pd.CategoricalDtype:
    return _category(WORDS.get(name, ()), ordered=name == "contract")


def results_table(columns: Mapping[str, Any], size: int) -> pd.DataFrame:
    """The canonical table of some columns: every column in its order and type, what is not given missing.

    Parameters
    ----------
    columns : mapping of str to column
        Canonical and scored columns in their types; any others are kept after ours.
    size : int
        The number of rows.

    Returns
    -------
    DataFrame
    """
    table = {name: columns[name] if name in columns else _missing(name, size) for name in COLUMNS}
    others = {name: column for name, column in columns.items() if name not in table and name not in SCORED_COLUMNS}
    scored = {name: columns[name] for name in SCORED_COLUMNS if name in columns}
    return pd.DataFrame(table | others | scored, index=range(size), copy=False)


def _missing(name: str, size: int) -> Any:
    if name in WORDS:
        return fixed_label(name, np.full(size, -1, np.int8))
    if COLUMNS[name] == "label":
        return pd.Categorical.from_codes(np.full(size, -1, np.int8), dtype=_fixed_category(""))
    if COLUMNS[name] == "str":
        return pd.array(pa.nulls(size, pa.large_string()), dtype="str")
    return _numbers(np.zeros(size, COLUMNS[name].lower()), np.ones(size, np.bool_))


def text_column(words: Sequence[str], codes: NDArray[Any]) -> Any:
    """A column of texts from its words and the code of each row (below 0: missing)."""
    if not len(words):
        return pd.array(pa.nulls(len(codes), pa.large_string()), dtype="str")
    indices = pa.array(codes, mask=codes < 0)
    return pd.array(pa.array(words, pa.large_string()).take(indices), dtype="str")


def number_column(values: NDArray[Any], missing: NDArray[np.bool_], kind: str) -> Any:
    """A column of numbers of a kind such as ``Int8`` or ``Float64``, some of them missing."""
    cells = values.astype(kind.lower()) if not missing.any() else np.where(missing, 0, values).astype(kind.lower())
    return _numbers(cells, missing)


def _numbers(cells: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    return (pd.arrays.FloatingArray if cells.dtype.kind == "f" else pd.arrays.IntegerArray)(cells, missing)


def check_table(results: Any) -> pd.DataFrame:
    """The table itself, or an error when it is not a canonical one."""
    if not isinstance(results, pd.DataFrame):
        raise ValueError(f"expected a table of results as read_results gives it, got {type(results).__name__}")
    lost = [name for name in COLUMNS if name not in results.columns]
    if lost:
        raise ValueError(f"expected a table of results as read_results gives it, got one without {', '.join(lost)}")
    return results


def concat_results(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Several tables of results as one, with every type kept.

    Parameters
    ----------
    tables : sequence of DataFrame
        As :func:`read_results` or :func:`score_results` give them. Columns of a file's own may differ: they are
        missing where a table has none, and of a type that holds the values of all.

    Returns
    -------
    DataFrame
        The rows in order, under a new index. The words of the tables are united (``pandas.concat`` would turn
        different categories into plain text); ``deal_id`` is counted on, so that deals that were scored apart stay
        apart.

    Raises
    ------
    ValueError
        If there is no table, one is not canonical, or some are scored and others not.

    Examples
    --------
    >>> import bridge_analytics as ba
    >>> evening = pd.DataFrame({"board": [1], "contract": ["4S"], "declarer": ["S"], "result": ["="]})
    >>> ba.concat_results([ba.read_results(evening), ba.read_results(evening)])["contract"].tolist()
    ['4S', '4S']
    """
    if isinstance(tables, pd.DataFrame) or not isinstance(tables, Iterable):
        raise ValueError(f"expected a list of tables of results, got {type(tables).__name__}")
    listed = [check_table(table) for table in tables]
    if not listed:
        raise ValueError("expected at least one table of results, got none")
    if len({"deal_id" in table for table in listed}) > 1:
        first = {"deal_id" in table: str(table["source"].iloc[0]) for table in listed if len(table)}
        raise ValueError(
            "expected tables that are all scored, or none (together they are another field), got "
            f"{first.get(True, 'one')!r} scored and {first.get(False, 'one')!r} not"
        )
    names = list(dict.fromkeys(name for table in listed for name in table.columns))
    size = sum(map(len, listed))
    columns = {name: _end_to_end(name, listed) for name in names}
    return results_table(columns, size)


def _end_to_end(name: str, tables: Sequence[pd.DataFrame]) -> Any:
    if name in WORDS:
        return fixed_label(name, np.concatenate([own_codes(name, table[name]) for table in tables]))
    if COLUMNS.get(name) == "label":
        words, codes = text_codes(pd.concat([table[name].astype("str") for table in tables]))
        return label(words, codes)
    if name == "deal_id":
        starts = np.cumsum([0, *(int(table[name].max() + 1) if len(table) else 0 for table in tables[:-1])])
        return np.concatenate([table[name] + start for table, start in zip(tables, starts, strict=True)])
    if name not in COLUMNS and name not in SCORED_COLUMNS:
        return _own_end_to_end([table.get(name) for table in tables], list(map(len, tables)))
    parts = [table[name] if name in table else pd.Series(None, table.index, dtype=object) for table in tables]
    return pd.concat(parts, ignore_index=True).astype({**COLUMNS, **SCORED_COLUMNS}[name])


def _own_end_to_end(columns: Sequence[pd.Series | None], sizes: Sequence[int]) -> pd.Series:
    """A file's own column of several tables, None where one has no such column, in the type that holds every value."""
    parts = [part for part in columns if part is not None]
    parts = [part for part in parts if len(part)] or parts[:1]
    kinds = {part.dtype for part in parts}
    labels = [isinstance(kind, pd.CategoricalDtype) for kind in kinds]
    if any(labels) and len(kinds) > 1:
        parts = [part.astype(object) for part in parts]
    joined = pd.concat(parts, ignore_index=True).infer_objects()
    there = np.repeat([part is not None for part in columns], sizes)
    if not there.all() and joined.dtype.kind in "biu":
        joined = joined.convert_dtypes()
    joined = joined.set_axis(np.flatnonzero(there)).reindex(range(len(there)))
    return joined.astype("category") if all(labels) else joined


def own_codes(name: str, column: Any) -> NDArray[np.int16]:
    """Codes of a column whose words are fixed (-1: missing), whatever the order of its categories.

    Raises
    ------
    ValueError
        If a word is none of them; names it and its position.
    """
    words, codes = text_codes(column)
    strange = [code for code, word in enumerate(words) if word not in WORDS[name]]
    wrong = [words[code] for code in strange if (codes == code).any()]
    if wrong:
        place = int((codes == words.index(wrong[0])).argmax())
        known = f"{', '.join(WORDS[name][:7])}{' ...' if len(WORDS[name]) > 7 else ''}"
        raise ValueError(f"expected {name} among {known}, got {wrong[0]!r} at position {place}")
    return np.array([*(WORDS[name].index(word) if word in WORDS[name] else -1 for word in words), -1], np.int16)[codes]
