"""Penalties: rows of a table, each taken off what one contestant has, after all else is settled."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.entrants import check_by_hand, written
from bridge_analytics.readers import number_values

UNITS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "matchpoints": ("MP", "% of top"),
        "butler": ("IMP",),
        "cross_imps": ("IMP",),
        "imps": ("IMP",),
        "points": ("points",),
        "board_a_match": ("points", "% of top"),
        "victory_points": ("VP",),
    }
)
"""The units in which a penalty may be under each form of scoring."""

_NOT_LABELS = ("amount", "unit", "reason")
_WHEN = ("session", "round", "table")


def penalties_of(penalties: pd.DataFrame, cells: pd.DataFrame, form: str, top: float = np.nan) -> NDArray[np.float64]:
    """What is taken off each cell.

    Parameters
    ----------
    penalties : DataFrame
        ``contestant amount unit`` and, as far as needed to say who and when, ``side section session`` or other labels;
        ``reason`` is for the reader. A negative amount is given: a bonus, a carry-over. An empty label says nothing.
    cells : DataFrame
        The labels of each cell: a contestant in a session.
    form : str
        The form of scoring.
    top : float
        The top of a board, for penalties in ``% of top``. [matchpoints, points]

    Returns
    -------
    ndarray of float64
        For each cell, in the unit of the form; where a row names no session, in the contestant's first.

    Raises
    ------
    ValueError
        If a row has another unit or no number, names nobody or several contestants, or has a label that is none.
    """
    check_by_hand(penalties, "penalties", ("contestant", "amount", "unit"))
    labels = [name for name in penalties.columns if name not in _NOT_LABELS]
    unknown = [name for name in labels if name not in cells]
    if unknown:
        raise ValueError(
            f"expected penalties with labels among {', '.join(cells.columns)}, got {', '.join(map(repr, unknown))}"
        )
    amounts, missing = number_values(penalties["amount"], name="the amount of a penalty")
    units = {unit.upper(): unit for unit in UNITS[form]}
    said = penalties["unit"].astype("str").str.upper().map(units)
    taken = np.zeros(len(cells))
    words = written(cells, [*cells])
    for place, told in enumerate(written(penalties, labels).to_dict("records")):
        row = {name: word for name, word in told.items() if word or name == "contestant"}
        seen = ", ".join(f"{name} {word!r}" for name, word in row.items())
        if pd.isna(said.iloc[place]) or (missing is not None and missing[place]):
            wanted = " or ".join(map(repr, UNITS[form]))
            amount, unit = penalties[["amount", "unit"]].astype(object).iloc[place]
            raise ValueError(f"expected a penalty in {wanted}, got {amount!r} {unit!r} for {seen}")
        here = np.flatnonzero(np.logical_and.reduce([words[name] == word for name, word in row.items()]))
        who = words.drop(columns=[name for name in _WHEN if name in words and name not in row])
        if not here.size or not row["contestant"] or len(who.iloc[here].drop_duplicates()) > 1:
            which = _which(here.size if row["contestant"] else 0)
            raise ValueError(f"expected a penalty to name one contestant, got {seen}, which {which}")
        taken[here[0]] += amounts[place] * (top / 100 if said.iloc[place] == "% of top" else 1)
    return taken


def _which(many: int) -> str:
    return "may be several (say side, section or another label)" if many else "is nobody here"
