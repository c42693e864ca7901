"""Scored results as the analysis reads them: checked, with codes for words, seen from one side.

A double is read off the contract; "partscore" and "game" are by what was bid, so that 2SX is a partscore.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of
from bridge_analytics.readers import flag_reader, number_values, read_all
from bridge_analytics.table import WORDS, check_table, own_codes

SIDES = ("declarer", "defenders", "ns", "ew")
"""The sides that an answer can be for."""

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def check_scored(results: Any, *names: str) -> pd.DataFrame:
    """The table itself, or an error where it is not one of scored results with the columns `names` besides."""
    table = check_table(results)
    lost = [name for name in ("deal_id", "vulnerable", "score", "score_ns", *names) if name not in table]
    if lost:
        raise ValueError(f"expected results as score_results gives them, got a table without {', '.join(lost)}")
    return table


def word_codes(results: pd.DataFrame, name: str) -> NDArray[Any]:
    """Codes of a column whose words are fixed (-1: missing); at once where its categories are ours."""
    column = results[name].array
    if isinstance(column, pd.Categorical) and tuple(column.categories) == WORDS[name]:
        return np.asarray(column.codes)
    return own_codes(name, results[name])


def contract_codes(results: pd.DataFrame) -> tuple[Codes, Codes]:
    """Codes of the contracts as they would be undoubled, and how they are doubled; -1 where none was played or scored.

    Examples
    --------
    >>> table = pd.DataFrame({"contract": ["4SX", "Pass", "1NT"], "score": pd.array([100, 0, None], dtype="Int64")})
    >>> contract_codes(table)
    (array([55, -1, -1]), array([ 1, -1, -1]))
    """
    codes = word_codes(results, "contract").astype(np.int64)
    bid = (codes > 0) & results["score"].notna().to_numpy()
    doubled = np.where(bid, (codes - 1) % 3, -1)
    return np.where(bid, codes - doubled, -1), doubled


def own_scores(results: pd.DataFrame) -> Floats:
    """North-South's scores, NaN where a row has none."""
    return results["score_ns"].to_numpy(dtype=np.float64, na_value=np.nan)


def side_signs(results: pd.DataFrame, side: str) -> NDArray[np.int8]:
    """1 where what is good for North-South is good for the side, -1 where it is bad, 0 where there is no such side.

    Examples
    --------
    >>> side_signs(pd.DataFrame({"declarer": ["N", "E", None]}), "defenders")
    array([-1,  1,  0], dtype=int8)
    """
    if side not in SIDES:
        raise ValueError(f"expected a side among {', '.join(SIDES)}, got {side!r}")
    if side in ("ns", "ew"):
        return np.full(len(results), 1 if side == "ns" else -1, np.int8)
    signs = np.array([1, -1, 1, -1, 0], np.int8)  # by seat; a missing one, -1, is the last
    return (signs if side == "declarer" else -signs).take(word_codes(results, "declarer"), mode="wrap")


def aligned(column: ArrayLike, results: pd.DataFrame, name: str) -> Floats:
    """A column of numbers, one for each result, as floats with NaN for missing.

    Raises
    ------
    ValueError
        If it has another length, or is a Series with another index.
    """
    values, missing = number_values(check_aligned(column, results, name), name=name)
    return values.astype(np.float64) if missing is None else np.where(missing, np.nan, values)


def aligned_flags(column: Any, results: pd.DataFrame, name: str) -> NDArray[np.uint8]:
    """A column of true and false, one for each result, as 1 and 0 with 2 for missing; raises as :func:`aligned`."""
    return read_all(flag_reader(check_aligned(column, results, name), name=name, null=2))


def check_aligned(column: Any, results: pd.DataFrame, name: str) -> Any:
    """The column as :func:`columns.as_column` gives it, refused where it is not one cell for each result, in order."""
    if isinstance(column, pd.Series) and not column.index.equals(results.index):
        raise ValueError(f"expected {name} with the index of the results, got a Series with another index")
    cells = as_column(column)
    if shape_of(cells) != (len(results),):
        raise ValueError(f"expected {name} for each of {len(results)} results, got {int(np.prod(shape_of(cells)))}")
    return cells
