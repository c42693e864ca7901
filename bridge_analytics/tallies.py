"""What contestants earned, board by board, added up by contestant and session, and then over sessions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.groups import group_codes
from bridge_analytics.rules import Edition
from bridge_analytics.rulings import MARKS, own_imps

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

COUNTS = ("boards", "adjusted", "no_result", "sat_out")


def tally(
    status: pd.Series, lines: Sequence[Codes], count: int, earned: Sequence[tuple[Floats, Floats, NDArray[np.int8]]]
) -> pd.DataFrame:
    """Add up what is earned on each line of a ledger.

    Parameters
    ----------
    status : Series
        Of each row of a table of results.
    lines : sequence of ndarray of int64, shape (n,)
        For each contestant of a row its line, from 0; see :func:`bridge_analytics.ledger.ledger`.
    count : int
        The number of lines.
    earned : sequence of (awards, top, marks), each of shape (n,)
        The same for each contestant of a row; see :func:`bridge_analytics.awards.side_awards`.

    Returns
    -------
    DataFrame
        A row for each line: ``boards`` that earned something, ``adjusted`` among them by a ruling, ``no_result``,
        ``sat_out``, ``unknown`` (those without a result of which nothing is said); ``total`` and ``top`` of what is
        settled, and of each mark the ``top`` that is still to be shared, or the boards under a form without a top.
    """
    ruled, away, blank = (np.flatnonzero(status == word) for word in ("adjusted", "sit_out", "unknown"))
    sums: dict[str, Floats] = {name: np.zeros(count) for name in (*COUNTS, "unknown", "total", "top", *MARKS)}
    for line, (awards, top, marks) in zip(lines, earned, strict=True):
        there, settled = np.bincount(line, minlength=count), ~np.isnan(awards)
        here: NDArray[np.intp] | slice = slice(None) if settled.all() else np.flatnonzero(settled)
        counted = np.bincount(line[here], minlength=count) + np.bincount(line[marks >= 0], minlength=count)
        sums["boards"] += counted
        sums["adjusted"] += np.bincount(line[ruled[settled[ruled] | (marks[ruled] >= 0)]], minlength=count)
        sums["sat_out"] += np.bincount(line[away], minlength=count)
        sums["no_result"] += there - counted - np.bincount(line[away], minlength=count)
        sums["unknown"] += np.bincount(line[blank], minlength=count)
        sums["total"] += np.bincount(line[here], awards[here], count)
        sums["top"] += np.bincount(line[here], top[here], count)
        for place, mark in enumerate(MARKS):
            rows = ruled[marks[ruled] == place]
            sums[mark] += np.bincount(line[rows], np.nan_to_num(top[rows], nan=1.0), count)
    return pd.DataFrame(sums).astype(dict.fromkeys((*COUNTS, "unknown"), "int64"))


def settle_marks(lines: pd.DataFrame, rulings: Edition, *, of_top: bool) -> pd.DataFrame:
    """What the marks of each line are worth, by what else the contestant earned in the session: Law 12C2.

    Parameters
    ----------
    lines : DataFrame
        As :func:`tally` gives them.
    rulings : Edition
        Of kind ``adjusted``.
    of_top : bool
        In matchpoints, else in IMPs.

    Returns
    -------
    DataFrame
        With the marks in ``total`` and ``top``.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> lines = pd.DataFrame({"total": [70.0, 50.0], "top": 100.0, "A+": 12.0, "A": [0.0, 12.0], "A-": 0.0})
    >>> settle_marks(lines, load_edition("adjusted-wbf"), of_top=True)[["total", "top"]].to_numpy().round(1).tolist()
    [[78.4, 112.0], [63.2, 124.0]]
    """
    marked = lines[list(MARKS)]
    of = lines["top"] if of_top else lines["boards"] - marked.sum(axis=1)
    own = (lines["total"] / of.where(of > 0)).to_numpy()
    usual = np.array(rulings["artificial.percent"]) / 100 if of_top else rulings["artificial.imps"]
    plus, average, minus = (np.full(len(lines), float(worth)) for worth in usual)
    if rulings["artificial.own_percentage"] if of_top else own_imps(rulings):
        plus, minus = np.fmax(plus, own), np.fmin(minus, own)
    total = lines["total"] + sum(lines[mark] * worth for mark, worth in zip(MARKS, (plus, average, minus), strict=True))
    return lines.assign(total=total, top=lines["top"] + marked.sum(axis=1) * of_top)


def over_sessions(lines: pd.DataFrame, contestant: Codes, *, share_of: str, mean: bool) -> pd.DataFrame:
    """The sessions of each contestant together.

    Parameters
    ----------
    lines : DataFrame
        As :func:`tally` and :func:`settle_marks` leave them, with the ``penalty`` that was taken off.
    contestant : ndarray of int64
        The contestant of each line, from 0.
    share_of : {"top", "boards", "matches"}
        What a total is divided by: what was available [%], the boards, the matches.
    mean : bool
        The share is the mean of those of the sessions, else of all boards together.

    Returns
    -------
    DataFrame
        A row for each contestant: all that is counted, and ``share``.
    """

    def share(rows: pd.DataFrame) -> pd.Series:
        of = rows[share_of] / (100 if share_of == "top" else 1)
        return rows["total"] / of.where(of > 0)

    own = lines.assign(share=share(lines)).groupby(contestant)
    together = own[list(lines)].sum()
    return together.assign(share=own["share"].mean() if mean else share(together))


def factor(ranked: pd.DataFrame, by: pd.DataFrame, share_of: str) -> pd.Series:
    """What brings totals up to the most boards (tops, matches) that anybody has played who is ranked with them.

    Examples
    --------
    >>> factor(pd.DataFrame({"boards": [24, 20, 10]}), pd.DataFrame({"side": ["ns", "ns", "ew"]}), "boards").tolist()
    [1.0, 1.2, 1.0]
    """
    own = ranked[share_of].where(ranked[share_of] > 0)
    return own.groupby(group_codes(by)[0]).transform("max") / own
