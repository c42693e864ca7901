"""What contestants earned, board by board, added up by contestant and session, and then over sessions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.awards import MARKS
from bridge_analytics.rules import Edition

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

COUNTS = ("boards", "adjusted", "no_result", "sat_out")


def tally(
    results: pd.DataFrame, cells: Sequence[Codes], count: int, earned: Sequence[tuple[Floats, Floats, NDArray[np.int8]]]
) -> pd.DataFrame:
    """Add up what is earned in each cell.

    Parameters
    ----------
    results : DataFrame
        A table of results.
    cells : sequence of ndarray of int64, shape (n,)
        For each contestant of a row its cell, from 0: contestant and session.
    count : int
        The number of cells.
    earned : sequence of (awards, top, marks), each of shape (n,)
        The same for each contestant of a row; see :func:`bridge_analytics.awards.side_awards`.

    Returns
    -------
    DataFrame
        A row for each cell: ``boards`` that earned something, ``adjusted`` among them by a ruling, ``no_result``,
        ``sat_out``; ``total`` and ``top`` of what is settled, and of each mark the ``top`` that is still to be shared.
    """
    ruled, away = ((results["status"] == word).to_numpy() for word in ("adjusted", "sit_out"))
    sums: dict[str, Floats] = {name: np.zeros(count) for name in (*COUNTS, "total", "top", *MARKS)}
    for cell, (awards, top, marks) in zip(cells, earned, strict=True):
        settled, marked = ~np.isnan(awards), marks >= 0
        for name, where in (
            ("boards", settled | marked),
            ("adjusted", ruled & (settled | marked)),
            ("sat_out", away),
            ("no_result", ~settled & ~marked & ~away),
        ):
            sums[name] += np.bincount(cell[where], minlength=count)
        sums["total"] += np.bincount(cell[settled], awards[settled], count)
        sums["top"] += np.bincount(cell[settled], top[settled], count)
        for place, mark in enumerate(MARKS):
            rows = np.flatnonzero(marks == place)
            sums[mark] += np.bincount(cell[rows], top[rows], count)
    return pd.DataFrame(sums).astype(dict.fromkeys(COUNTS, "int64"))


def settle_marks(cells: pd.DataFrame, rulings: Edition) -> pd.DataFrame:
    """The marks of each cell in matchpoints, by what else the contestant earned in the session: Law 12C2.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> cells = pd.DataFrame({"total": [70.0, 50.0], "top": 100.0, "A+": 12.0, "A": [0.0, 12.0], "A-": 0.0})
    >>> settle_marks(cells, load_edition("adjusted-wbf"))[["total", "top"]].to_numpy().round(1).tolist()
    [[78.4, 112.0], [63.2, 124.0]]
    """
    own = (cells["total"] / cells["top"].where(cells["top"] > 0)).to_numpy()
    plus, average, minus = (np.full(len(cells), percent / 100) for percent in rulings["artificial.percent"])
    if rulings["artificial.own_percentage"]:
        plus, minus = np.fmax(plus, own), np.fmin(minus, own)
    shares = zip(MARKS, (plus, average, minus), strict=True)
    total = cells["total"] + sum(cells[mark] * share for mark, share in shares)
    return cells.assign(total=total, top=cells["top"] + cells[list(MARKS)].sum(axis=1))


def over_sessions(cells: pd.DataFrame, contestant: Codes, *, of_top: bool, mean: bool) -> pd.DataFrame:
    """The sessions of each contestant together.

    Parameters
    ----------
    cells : DataFrame
        As :func:`tally` and :func:`settle_marks` leave them, with the ``penalty`` that was taken off.
    contestant : ndarray of int64
        The contestant of each cell, from 0.
    of_top : bool
        The share is of what was available [%], else it is the average of a board.
    mean : bool
        The share is the mean of those of the sessions, else of all boards together.

    Returns
    -------
    DataFrame
        A row for each contestant: counts, ``penalty``, ``total``, ``top``, ``share``.
    """

    def share(rows: pd.DataFrame) -> pd.Series:
        of = rows["top"] / 100 if of_top else rows["boards"]
        return rows["total"] / of.where(of > 0)

    own = cells.assign(share=share(cells)).groupby(contestant)
    together = own[[*COUNTS, "penalty", "total", "top"]].sum()
    return together.assign(share=own["share"].mean() if mean else share(together))
