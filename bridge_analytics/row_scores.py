"""What each result scores by itself, before it is compared with any other."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.outcomes import PASSED, PLAYED
from bridge_analytics.published import scores_by_law
from bridge_analytics.readers import number_reader, read_all
from bridge_analytics.rules import Edition
from bridge_analytics.table import own_codes


def points_of(results: Any, edition: str | Edition) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """The scores of results by the law.

    Parameters
    ----------
    results : DataFrame, or mapping of str to column
        The canonical columns ``contract``, ``declarer``, ``tricks``, ``vul`` and ``status``, of any make.
    edition : str, path or Edition
        The law of scoring.

    Returns
    -------
    scores : ndarray of float64, shape (n,)
        As North-South see them; NaN where a row has none. [points]
    columns : dict
        ``vulnerable``, ``score`` and ``score_ns`` in their types.

    Raises
    ------
    ValueError
        If a word is none of its column, or a row that was played lacks its contract, declarer or tricks.
    """
    row = _row(results)
    known, vulnerable, points, points_ns = scores_by_law(row, edition)
    bid = known & (row["contract"] != 0)
    columns = {
        "vulnerable": pd.arrays.BooleanArray(vulnerable, ~bid),
        "score": pd.arrays.IntegerArray(points, ~known),
        "score_ns": pd.arrays.IntegerArray(points_ns, ~known),
    }
    return np.where(known, points_ns, np.nan), columns


def _row(results: Any) -> dict[str, NDArray[Any]]:
    """Codes of what a score needs; below 0 where it is missing, and where a board was neither played nor passed out."""
    status = own_codes("status", results["status"])
    row: dict[str, NDArray[Any]] = {name: own_codes(name, results[name]) for name in ("contract", "declarer", "vul")}
    reader = number_reader(results["tricks"], name="tricks", low=0, high=13, null=99)
    tricks = read_all(reader).astype(np.int16)
    row["tricks"] = np.where(tricks == 99, np.int16(-1), tricks)
    lost = (status == PLAYED) & ~((row["contract"] > 0) & (row["declarer"] >= 0) & (row["tricks"] >= 0))
    lost |= (status == PASSED) & (row["contract"] != 0)
    if lost.any():
        place = int(lost.argmax())
        contract, declarer, won = (pd.Series(results[name]).iloc[place] for name in ("contract", "declarer", "tricks"))
        raise ValueError(
            f"expected contract, declarer and tricks of what was played, got {contract!r}, {declarer!r}, {won!r} at "
            f"position {place}"
        )
    row["contract"] = np.where((status == PLAYED) | (status == PASSED), row["contract"], np.int16(-1))
    return row
