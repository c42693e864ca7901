"""Scored results as the analysis reads them: checked, with codes for words, seen from one side.

A double is read off the contract; "partscore" and "game" are by what was bid, so that 2SX is a partscore.
"""

import math
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of, text_codes
from bridge_analytics.comparison import matchpoints
from bridge_analytics.groups import group_codes
from bridge_analytics.notation import STRAINS
from bridge_analytics.readers import flag_reader, number_values, read_all
from bridge_analytics.table import WORDS, check_table, own_codes

SIDES = ("declarer", "defenders", "ns", "ew")
"""The sides that an answer can be for."""

OWN_LABELS = ("level", "strain", "doubled", "side", "opponents")
"""What results are split by besides their columns."""

_PLAYERS = MappingProxyType({"ns": ("north", "south"), "ew": ("east", "west")})
_ROUNDING = 1e-6  # of sums of matchpoints and IMPs

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def check_scored(results: Any, *names: str) -> pd.DataFrame:
    """The table itself, or an error where it is not one of scored results with the columns `names` besides.

    Raises
    ------
    ValueError
        If a column is not there, a result has no deal, or what is one deal has two events (two sources, where the event
        is empty), two boards or two vulnerabilities: tables that were scored apart count their deals from 0.
    """
    table = check_columns(results, *names)
    _check_deals(table)
    return table


def check_columns(results: Any, *names: str) -> pd.DataFrame:
    """The table itself, or an error where a column of scored results is not there or a result has no deal."""
    table = check_table(results)
    lost = [name for name in ("deal_id", "vulnerable", "score", "score_ns", *names) if name not in table]
    if lost:
        raise ValueError(f"expected results as score_results gives them, got a table without {', '.join(lost)}")
    if table["deal_id"].hasnans:
        place = int(table["deal_id"].isna().argmax())
        raise ValueError(f"expected a deal_id for each result, got a missing value at position {place}")
    return table


def _check_deals(table: pd.DataFrame) -> None:
    """Refuse a deal with two events, boards or vulnerabilities; a missing one is none."""
    event, board = _words(table, "event"), table["board"].to_numpy(dtype=np.int32, na_value=-1)
    own = {"event": event, "board": board, "vul": word_codes(table, "vul")}
    if event.min(initial=0) < 0:
        own["source"] = np.where(event < 0, _words(table, "source"), -1)
    deals, count = group_codes(table["deal_id"])
    most = [int(codes.max(initial=0)) + 2 for codes in own.values()]
    together = event.astype(np.int32 if math.prod(most) < 1 << 31 else np.int64)
    for codes, many in zip([*own.values()][1:], most[1:], strict=True):
        np.multiply(together, many, out=together)
        np.add(together, codes, out=together)
    one = np.empty(count, together.dtype)
    one[deals] = together
    if (one[deals] != together).any():
        for name, codes in own.items():
            _check_one_each(table, name, codes, deals, count)


def _words(table: pd.DataFrame, name: str) -> NDArray[Any]:
    column = table[name].array
    return np.asarray(column.codes) if isinstance(column, pd.Categorical) else text_codes(table[name])[1]


def _check_one_each(table: pd.DataFrame, name: str, codes: NDArray[Any], deals: Codes, count: int) -> None:
    """Refuse a deal with two values; a missing one is none."""
    one, there = np.full(count, -1, codes.dtype), codes >= 0
    one[deals[there]] = codes[there]
    apart = there & (codes != one[deals])
    if apart.any():
        other = int(apart.argmax())
        same = (deals == deals[other]) & (codes >= 0)
        place = int((same & (codes != codes[same.argmax()])).argmax())
        first, second = table[name].iloc[[int(same.argmax()), place]].tolist()
        raise ValueError(
            f"expected one {name} on each deal, got {name}s {first!r} and {second!r} on deal_id "
            f"{table['deal_id'].iloc[place]}, at position {place} (put tables that were scored apart together with "
            "concat_results)"
        )


def check_whole(field: pd.DataFrame) -> None:
    """Refuse a field that lacks results that were there when it was scored, as far as its comparisons tell.

    Matchpoints say how many results a deal had: both sides' add up to the top. Where there were fewer than expected, or
    a win is not worth 2, the field is compared once more. Cross-IMPs of a whole deal add up to nothing.
    """
    deals, count = group_codes(field["deal_id"])
    if {"mp_ns", "mp_ew"} <= {*field}:
        there = field["score_ns"].notna().to_numpy()
        size = np.bincount(deals, None if there.all() else there, count)
        ns = field["mp_ns"].to_numpy()
        top = ns + field["mp_ew"].to_numpy()
        if not (apart := (top != (2.0 * size - 2)[deals]) & there).any():
            return
        others = size[deals] - 1
        low = float(np.min(top / np.where(others > 0, others, np.nan), initial=2, where=there & (others > 0)))
        beaten = matchpoints(field["score_ns"], by=deals)
        high = float(np.max(top[apart] / np.maximum(others[apart], 1)))
        for win in (2.0, 1.0, low, high):
            again = ((beaten + 1) * (top / win + 1) / (others + 1) - 1) * win / 2
            if np.allclose(again[there], ns[there], rtol=0, atol=_ROUNDING):
                return
        place = int((apart & (top > low * others)).argmax())
        told = f"{others[place] + 1:.0f} of {top[place] / low + 1:.0f}"
    elif "cross_imps_ns" in field:
        total = abs(np.bincount(deals, field["cross_imps_ns"].fillna(0), count)) > _ROUNDING
        if not total.any():
            return
        place, told = int(total[deals].argmax()), "some of them"
    else:
        return
    raise ValueError(
        f"expected the whole field, with all results of each deal, got {told} on deal_id "
        f"{field['deal_id'].iloc[place]}: compare first, filter afterwards"
    )


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


def own_label(results: pd.DataFrame, name: str, side: str) -> pd.Series:
    """One of :data:`OWN_LABELS`: a part of the contract, declarer's side, or the pair that `side` plays against."""
    if name == "opponents":
        signs = side_signs(results, side)
        ns, ew = (_pair(results, way) for way in ("ns", "ew"))
        return ew.where(signs > 0, ns.where(signs < 0))
    undoubled, doubled = contract_codes(results)
    words, codes = {
        "level": (tuple("1234567"), (undoubled - 1) // 15),
        "strain": (STRAINS, (undoubled - 1) // 3 % 5),
        "doubled": (("undoubled", "doubled", "redoubled"), doubled),
        "side": (("NS", "EW"), word_codes(results, "declarer") % 2),
    }[name]
    codes = np.where(undoubled > 0, codes, -1).astype(np.int8)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(words)), results.index)


def _pair(results: pd.DataFrame, way: str) -> pd.Series:
    """The pairs of a direction, with their event where there are several; else their two players."""
    pair, event = results[way].astype("str"), results["event"].astype("str")
    if len(event.dropna().unique()) > 1:
        pair = event.str.cat(pair, sep=" ")
    one, other = (results[name].astype("str") for name in _PLAYERS[way])
    return pair.fillna(one.where(one <= other, other) + " - " + other.where(one <= other, one))


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
