"""Who sat where, contestant by contestant: each result once for everybody who played it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.contestants import contestants, winners_of
from bridge_analytics.groups import first_of, group_codes
from bridge_analytics.table import label

Codes = NDArray[np.int64]
Within = str | Sequence[str]

_SIDES = ("ns", "ew")


def columns_apart(table: pd.DataFrame, within: Within) -> list[str]:
    """The columns that keep contestants apart, checked to be there."""
    names = [within] if isinstance(within, str) else list(within)
    lost = [name for name in names if name not in table]
    if lost:
        raise ValueError(f"expected within to name columns of the results, got {', '.join(map(repr, lost))}")
    return names


def numbered(labels: pd.DataFrame) -> tuple[Codes, Codes]:
    """Groups of rows by their labels, numbered without gaps as they first occur, and the row where each does."""
    codes, found = pd.factorize(group_codes(labels)[0])
    return codes.astype(np.int64), first_of(codes, len(found))


def seatings(
    table: pd.DataFrame, of: str, winners: int | None, apart: Sequence[str]
) -> tuple[Codes, Codes, NDArray[np.int8], pd.DataFrame]:
    """Each result once for every contestant of it.

    Parameters
    ----------
    table : DataFrame
        Scored results.
    of, winners
        As for :func:`bridge_analytics.contestants.contestants` and ``winners_of``.
    apart : sequence of str
        Columns by whose values to keep contestants apart.

    Returns
    -------
    rows : ndarray of int64, shape (m,)
        The position of the result.
    who : ndarray of int64, shape (m,)
        The position of the contestant in ``names``.
    sign : ndarray of int8, shape (m,)
        1 for North-South, -1 for East-West.
    names : DataFrame
        The columns ``apart``; ``side`` (missing where a contestant is its name on either side), ``section``,
        ``contestant``.

    Raises
    ------
    ValueError
        If it is not clear who is who.
    """
    known, who, sides = contestants(table, of)
    section, _ = group_codes(table["section"])
    numbers = [np.where(own < 0, -1, own + len(known) * section) for own in who]
    two = winners_of(numbers, sides, table["deal_id"].to_numpy(np.int64), known, of, winners) == 2
    there = [np.flatnonzero(own >= 0) for own in who]
    rows, side = np.concatenate(there), np.repeat(np.array(sides, np.int8), [part.size for part in there])
    name = np.concatenate([own[part] for own, part in zip(who, there, strict=True)])
    labels = table[[*dict.fromkeys([*apart, "section"])]].iloc[rows].reset_index(drop=True)
    codes, first = numbered(labels.assign(_side=side if two else 0, _name=name))
    sat = pd.Categorical.from_codes(np.where(two, side[first], -1), pd.Index(_SIDES, dtype="str"))
    names = labels.iloc[first].reset_index(drop=True).assign(side=sat, contestant=label(known, name[first]))
    sign = (1 - 2 * side).astype(np.int8)
    return rows, codes, sign, names[[*dict.fromkeys([*apart, "side", "section", "contestant"])]]
