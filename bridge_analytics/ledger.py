"""The ledger of an event: a line for each contestant in each session (or match), and the line of each result."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.groups import first_of, group_codes
from bridge_analytics.table import label

Codes = NDArray[np.int64]

_SIDES = ("ns", "ew")


def ledger(
    labels: pd.DataFrame, names: list[str], who: Sequence[Codes], sides: Sequence[int] | None
) -> tuple[list[Codes], pd.DataFrame]:
    """The line of each contestant of a row, and whose each line is.

    Parameters
    ----------
    labels : DataFrame
        The columns of a table of results by which lines are apart.
    names : list of str
        The names of the contestants.
    who : sequence of ndarray of int64, shape (n,)
        For each contestant of a row the position of its name; -1 where nobody is named.
    sides : sequence of int, or None
        The side that each of these sits on, 0 or 1, where one name on two sides is two contestants.

    Returns
    -------
    lines : list of ndarray of int64, shape (n,)
        For each contestant of a row its line, from 0.
    whose : DataFrame
        Of each line the labels, ``side`` (missing where sides are not apart) and ``contestant`` (missing: nobody).
    """
    base, _ = group_codes(labels)
    fields = [0] * len(who) if sides is None else list(sides)
    many = len(names) + 1
    start = base * (2 * many)
    keys = [np.add(own, start) for own in who]
    for own, field in zip(keys, fields, strict=True):
        own += field * many + 1
    lines, found = _numbered(keys)
    rest, name = np.divmod(found, many)
    base_of, side = np.divmod(rest, 2)
    whose = labels.iloc[first_of(base, int(base.max(initial=-1)) + 1)[base_of]].reset_index(drop=True)
    codes = side if sides is not None else np.full(side.size, -1)
    return lines, whose.assign(
        side=pd.Categorical.from_codes(codes, pd.Index(_SIDES, dtype="str")), contestant=label(names, name - 1)
    )


def _numbered(keys: list[Codes]) -> tuple[list[Codes], Codes]:
    """Keys as numbers from 0, in their order, and the key of each number."""
    most = max((int(own.max(initial=-1)) for own in keys), default=-1) + 1
    if most > 4 * sum(own.size for own in keys) + 1024:
        found, codes = np.unique(np.concatenate(keys), return_inverse=True)
        return np.split(codes, len(keys)), found
    there = np.zeros(most, np.bool_)
    for own in keys:
        there[own] = True
    number = np.cumsum(there) - 1
    return [number.take(own) for own in keys], np.flatnonzero(there)
