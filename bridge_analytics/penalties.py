"""Penalties: rows of a table, each taken off what one contestant has, after all else is settled."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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


def penalties_of(penalties: pd.DataFrame, cells: pd.DataFrame, form: str, top: float = np.nan) -> NDArray[np.float64]:
    """What is taken off each cell.

    Parameters
    ----------
    penalties : DataFrame
        ``contestant amount unit`` and, as far as needed to say who and when, ``side section session`` or other labels;
        ``reason`` is for the reader. A negative amount is given: a bonus, a carry-over.
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
    labels = [name for name in penalties.columns if name not in _NOT_LABELS]
    lost = [name for name in ("contestant", "amount", "unit") if name not in penalties]
    unknown = [name for name in labels if name not in cells]
    if lost or unknown:
        raise ValueError(
            f"expected penalties with contestant, amount, unit, and labels among {', '.join(cells.columns)}, got "
            + (f"none of {', '.join(lost)}" if lost else f"{', '.join(map(repr, unknown))}")
        )
    amounts, missing = number_values(penalties["amount"], name="the amount of a penalty")
    taken = np.zeros(len(cells))
    words = cells.astype("str")
    when = [name for name in ("session", "round", "table") if name not in labels]
    who = words.drop(columns=when, errors="ignore")
    for place, row in enumerate(penalties[labels].astype("str").to_dict("records")):
        seen = ", ".join(f"{name} {word!r}" for name, word in row.items())
        unit = penalties["unit"].iloc[place]
        if unit not in UNITS[form] or (missing is not None and missing[place]):
            wanted = " or ".join(map(repr, UNITS[form]))
            amount = penalties["amount"].astype(object).iloc[place]
            raise ValueError(f"expected a penalty in {wanted}, got {amount!r} {unit!r} for {seen}")
        here = np.flatnonzero(np.logical_and.reduce([words[name] == word for name, word in row.items()]))
        if not here.size or len(who.iloc[here].drop_duplicates()) > 1:
            raise ValueError(f"expected a penalty to name one contestant, got {seen}, which {_which(here.size)}")
        taken[here[0]] += amounts[place] * (top / 100 if unit == "% of top" else 1)
    return taken


def _which(many: int) -> str:
    return "may be several (say side, section or another label)" if many else "is nobody here"
