"""The score sheet of rubbers and of Chicago: points on both sides of the line, deal by deal, and their sums."""

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.laws import PARTS, part_tables
from bridge_analytics.rubber_deals import SIDES, Columns, check_vul, refuse
from bridge_analytics.rubber_states import NS, symbols
from bridge_analytics.rules import Edition

SHEET_COLUMNS = (
    *("rubber_id", "deal_number", "vulnerable", "vulnerable_ns", "vulnerable_ew"),
    *("below_ns", "below_ew", "above_ns", "above_ew", "honours_ns", "honours_ew", "premium_ns", "premium_ew"),
    *("part_ns", "part_ew", "games_ns", "games_ew", "game", "rubber_over"),
    *("sum_below_ns", "sum_below_ew", "sum_above_ns", "sum_above_ew", "total_ns", "total_ew"),
    *("unfinished_ns", "unfinished_ew"),
)
"""What a sheet adds to the results, in order."""

STATED = (
    *("vulnerable_ns", "vulnerable_ew", "premium_ns", "premium_ew", "part_ns", "part_ew"),
    *("games_ns", "games_ew", "game", "rubber_over", "unfinished_ns", "unfinished_ew"),
)
"""Those that follow from the state of the rubber."""

State = Callable[[slice, Columns], None]

_KINDS = MappingProxyType(
    dict.fromkeys(("vulnerable", "vulnerable_ns", "vulnerable_ew", "rubber_over", "passed"), np.bool_)
    | dict.fromkeys(("games_ns", "games_ew", "game"), np.int8)
    | {"rubber_id": np.int64}
)
_BLOCK = 1 << 14  # deals


def build_sheet(
    results: pd.DataFrame,
    order: NDArray[np.intp] | None,
    starts: NDArray[np.intp],
    sizes: NDArray[np.intp],
    deals: Columns,
    state: State,
    laws: Edition,
) -> pd.DataFrame:
    """The sheet: points of each deal by its vulnerability, running sums, all in the order of the rows.

    Parameters
    ----------
    results : DataFrame
    order, starts, sizes
        As :func:`rubber_deals.playing_order` gives them.
    deals : dict of ndarray
        As :func:`rubber_deals.played_deals`, in the order of play.
    state : function of a slice and the sheet of these deals
        It writes what the state of the rubber says: the columns of :data:`STATED`.
    laws : Edition

    Returns
    -------
    DataFrame
    """
    columns = _written(starts, sizes, deals, state, laws)
    ours: dict[str, Any] = {name: by_row(column, order) for name, column in columns.items()}
    check_vul(results, ours["vulnerable_ns"] + 2 * ours["vulnerable_ew"])
    ours["vulnerable"] = pd.arrays.BooleanArray(ours["vulnerable"], ours.pop("passed"))
    ours["game"] = side_label(ours["game"])
    kept = results.drop(columns=[name for name in SHEET_COLUMNS if name in results])
    sheet = pd.DataFrame({name: ours[name] for name in SHEET_COLUMNS}, index=results.index, copy=False)
    return pd.concat([kept, sheet], axis=1)


def _written(starts: NDArray[np.intp], sizes: NDArray[np.intp], deals: Columns, state: State, laws: Edition) -> Columns:
    """Every column of the sheet in the order of play, written in blocks of whole rubbers that fit the cache."""
    size = int(sizes.sum())
    out = _blank(size)
    firsts = np.unique(np.searchsorted(starts, np.arange(0, size, _BLOCK)))
    for first, last in zip(firsts, np.append(firsts[1:], starts.size)[: firsts.size], strict=True):
        rows = slice(int(starts[first]), int(starts[last - 1] + sizes[last - 1]))
        block, sheet = ({name: column[rows] for name, column in columns.items()} for columns in (deals, out))
        own = np.repeat(np.arange(last - first), sizes[first:last])  # the rubber of each deal, among these
        begin = starts[first:last] - rows.start
        np.add(own, first, out=sheet["rubber_id"])
        sheet["deal_number"][:] = np.arange(1, own.size + 1) - begin.take(own, mode="wrap")
        state(rows, sheet)
        _points(block, sheet, laws)
        _sums(sheet, begin, own)
    return out


def _blank(size: int) -> Columns:
    """Memory for all columns, those of one type in one piece."""
    names = (*SHEET_COLUMNS, "passed")
    kinds = {name: np.dtype(_KINDS.get(name, np.int32)) for name in names}
    out: Columns = {}
    for kind in set(kinds.values()):
        own = [name for name in names if kinds[name] == kind]
        out |= dict(zip(own, np.zeros((len(own), size), kind), strict=True))
    return out


def _points(deals: Columns, sheet: Columns, laws: Edition) -> None:
    """Write the points of each deal: below the line for what was bid and made, all else above it, to whom it is due."""
    side = deals["side"]
    np.equal(deals["contract"], 0, out=sheet["passed"])
    vulnerable = sheet["vulnerable"]
    vulnerable[:] = np.where(side == NS, sheet["vulnerable_ns"], sheet["vulnerable_ew"])
    cell = ((side * np.intp(106) + deals["contract"]) * 2 + vulnerable) * 14 + deals["tricks"]
    honours = deals["honours_points"].any()
    for name, table in _deal_tables(laws).items():
        table.take(cell, out=sheet[name], mode="wrap")
    for which, name in enumerate(SIDES):
        sheet[f"above_{name}"] += sheet[f"premium_{name}"]
        if honours:
            sheet[f"honours_{name}"][:] = np.where(deals["honours_side"] == which, deals["honours_points"], 0)
            sheet[f"above_{name}"] += sheet[f"honours_{name}"]


def _sums(sheet: Columns, begin: NDArray[np.intp], own: NDArray[np.intp]) -> None:
    """Write the running sums of each rubber; what overflows on the way comes back with the difference."""
    for name in SIDES:
        for part in ("below", "above"):
            points, sums = sheet[f"{part}_{name}"], sheet[f"sum_{part}_{name}"]
            np.cumsum(points, dtype=np.int32, out=sums)
            sums -= (sums[begin] - points[begin]).take(own, mode="wrap")
        np.add(sheet[f"sum_below_{name}"], sheet[f"sum_above_{name}"], out=sheet[f"total_{name}"])


@lru_cache(maxsize=64)
def _deal_tables(laws: Edition) -> Columns:
    """Points of each side on each side of the line, by declarer's side, contract, vulnerable and tricks, flat."""
    tables = dict(zip(PARTS, part_tables(laws), strict=True))
    below, penalty = tables["trick_score"], tables["penalty"]
    above = sum(tables.values()) - below - penalty
    nothing = np.zeros_like(below)
    by_side = {"below_ns": (below, nothing), "below_ew": (nothing, below)}
    by_side |= {"above_ns": (above, -penalty), "above_ew": (-penalty, above)}
    return {name: np.stack(pair).reshape(-1).astype(np.int32) for name, pair in by_side.items()}


def brought(deals: Columns, laws: Edition) -> NDArray[np.intp]:
    """What each deal brings below the line: the symbol of its move."""
    cell = (deals["side"] * np.intp(106) + deals["contract"]) * 14 + deals["tricks"]
    return symbols(laws).take(cell, mode="wrap")


def split_at(starts: NDArray[np.intp], over: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Starts and sizes, where a new rubber also starts after each end."""
    begins = np.zeros(over.size, np.bool_)
    begins[1:] = over[:-1]
    begins[starts] = True
    found = np.flatnonzero(begins)
    return found, np.diff(found, append=over.size)


def running(values: NDArray[Any], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[Any]:
    """Sums from the start of each sequence to each row of it."""
    sums = values.cumsum()
    sums -= np.repeat(sums[starts] - values[starts], sizes)
    return sums


def by_row(values: NDArray[Any], order: NDArray[np.intp] | None) -> NDArray[Any]:
    """Values in the order of play, back in the order of the rows."""
    if order is None:
        return values
    out = np.empty_like(values)
    out[order] = values
    return out


def side_label(codes: NDArray[Any]) -> Any:
    """A column of sides from codes: 0 North-South, 1 East-West, -1 neither."""
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(pd.Index(SIDES, dtype="str")))


def check_whole(sheet: pd.DataFrame) -> None:
    """Refuse a sheet whose deals do not follow one from another: filtered, twice the same rubber, or changed by hand.

    What was cut off at the end of a rubber leaves no trace: it was broken off.
    """
    refuse(sheet, sheet["rubber_id"].isna().to_numpy(), "the rubber_id of each deal", "rubber_id")
    passed = sheet["vulnerable"].isna().to_numpy()
    order = np.lexsort((~passed, sheet["deal_number"], sheet["rubber_id"]))  # dealt again: behind what was passed out
    rubber = sheet["rubber_id"].to_numpy()[order]
    first = np.append(True, rubber[1:] != rubber[:-1])[: rubber.size]

    def before(name: str) -> NDArray[Any]:  # after the deal before, in the order of the rows
        return by_row(np.where(first, 0, np.roll(sheet[name].to_numpy()[order], 1)), order)

    _check_numbers(sheet, before("deal_number"), by_row(~first & np.roll(passed[order], 1), order))
    for name in SIDES:
        for part in ("below", "above"):
            due = before(f"sum_{part}_{name}") + sheet[f"{part}_{name}"].to_numpy()
            _check_grown(sheet, f"sum_{part}_{name}", due)
        _check_grown(sheet, f"games_{name}", before(f"games_{name}") + (sheet["game"] == name).to_numpy())


def _check_numbers(sheet: pd.DataFrame, before: NDArray[Any], again: NDArray[np.bool_]) -> None:
    """Refuse a deal that is not the next of its rubber; ``again``: it may be in place of one passed out."""
    number = sheet["deal_number"].to_numpy()
    wrong = (number != before + 1) & ~(again & (number == before))
    if wrong.any():
        place = int(wrong.argmax())
        which = f"deal_number {before[place] + 1:g} next in rubber_id {sheet['rubber_id'].iloc[place]}"
        refuse(sheet, wrong, f"{which} (all deals of a rubber, each once)", "deal_number")


def _check_grown(sheet: pd.DataFrame, name: str, due: NDArray[Any]) -> None:
    """Refuse a column that is not what the deal before and this one make of it."""
    wrong = sheet[name].to_numpy() != due
    if wrong.any():
        refuse(sheet, wrong, f"{name} {due[wrong.argmax()]} after the deal before and this one", name)
