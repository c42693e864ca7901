"""Mixes of results: how far a contract goes down when it does, and how well it is made when it is.

A mix gives each result its share, as a dict or Series of shares or counts. Several mixes go by name, as a dict of names
to mixes. Those here are defaults with their source, not rules; what a club counts at its own tables is as good.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

Mix: TypeAlias = Mapping[int, float] | pd.Series
Mixes: TypeAlias = Mix | Mapping[str, Mix]

# Counted on the 349,710 contracts played in 48 events of 2004-2018, github.com/valet-bridge/valet, revision 8e20da1.
DOWN: Mix = {1: 0.60, 2: 0.30, 3: 0.10}
"""Undertricks of undoubled contracts: 61/28/9 % of the partscores that went down, 61/28/8 % of the games."""

DOWN_DOUBLED: Mix = {1: 0.33, 2: 0.34, 3: 0.21, 4: 0.09, 5: 0.03}
"""Undertricks of partscores that were doubled and went down."""

OVERTRICKS_DOUBLED: Mix = {0: 0.65, 1: 0.25, 2: 0.10}
"""Overtricks of partscores that were doubled and made: 67/25/7 %."""

FAILING: Mixes = {"one down": {1: 1.0}, "60/30/10": DOWN}
"""How a contract goes down, where nothing else is said."""

MAKING: Mixes = {"exactly": {0: 1.0}}
"""How a contract is made, where nothing else is said."""


def mix_table(mixes: Mixes, *, name: str, low: int) -> pd.DataFrame:
    """Mixes side by side: a row for each result in any of them, a column of shares for each mix.

    Parameters
    ----------
    mixes : mix, or dict of names to mixes
        A mix without a name is called after its shares: ``"1: 75 %, 2: 25 %"``.
    name : str
        What the results are, for messages.
    low : int
        The smallest result there can be. [tricks]

    Returns
    -------
    DataFrame
        Results ascending; every column adds to 1.

    Raises
    ------
    ValueError
        If a result is not a whole number from `low` to 13, or the shares are not numbers from 0 up with a sum over 0.

    Examples
    --------
    >>> mix_table({"level": {1: 1, 2: 1}, "counted": {1: 30, 3: 10}}, name="undertricks", low=1)
       level  counted
    1    0.5     0.75
    2    0.5     0.00
    3    0.0     0.25
    """
    many = len(mixes) > 0 and all(isinstance(key, str) for key in mixes.keys())  # noqa: SIM118  (a Series too)
    columns: dict[str, dict[int, float]] = {}
    for label, mix in dict(mixes).items() if many else [("", mixes)]:
        if not isinstance(mix, Mapping | pd.Series):
            raise ValueError(f"expected a dict or Series of shares for {label!r}, got {mix!r}")
        shares = _shares(mix, name, low)
        columns[label or ", ".join(f"{result}: {100 * share:.3g} %" for result, share in shares.items())] = shares
    return pd.DataFrame(columns).sort_index().fillna(0.0)


def shifted_mixes(mix: Mix, *, share: float = 0.1) -> dict[str, Mix]:
    """A mix, and what becomes of it when a share of all cases moves to each of its results in turn.

    Parameters
    ----------
    mix : mix
    share : float
        How much moves, taken from all results alike. [0 to 1]

    Returns
    -------
    dict of names to mixes
        The mix first; as `down`, `made` or `other` of :func:`break_even` it shows how far the odds move.

    Raises
    ------
    ValueError
        If the share is not between 0 and 1, or the mix cannot be read.

    Examples
    --------
    >>> {name: dict(mix) for name, mix in shifted_mixes({1: 0.75, 2: 0.25}, share=0.5).items()}
    {'as given': {1: 0.75, 2: 0.25}, '50 % to 1': {1: 0.875, 2: 0.125}, '50 % to 2': {1: 0.375, 2: 0.625}}
    """
    if not 0 <= share <= 1:
        raise ValueError(f"expected a share between 0 and 1, got {share!r}")
    given = _shares(mix, "results", -13)
    moved: dict[str, Mix] = {"as given": given}
    for target in given:
        kept = {result: part * (1 - share) for result, part in given.items()}
        moved[f"{100 * share:.3g} % to {target}"] = {**kept, target: kept[target] + share}
    return moved


def _shares(mix: Any, name: str, low: int) -> dict[int, float]:
    """The shares of one mix, checked, adding to 1."""
    results, shares = list(dict(mix)), np.array(list(dict(mix).values()), np.float64)
    for result in results:
        if isinstance(result, bool | str) or result != int(result) or not low <= result <= 13:
            raise ValueError(f"expected {name} as a whole number {low} to 13, got {result!r}")
    if not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        raise ValueError(f"expected shares of {name} from 0 up with a sum over 0, got {dict(mix)!r}")
    return {int(result): float(share) for result, share in zip(results, shares / shares.sum(), strict=True)}
