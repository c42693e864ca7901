"""What each side of each board earns under a form of scoring, the director's rulings included.

A ruling that is a word (average plus, average, average minus) is worth what an edition ``adjusted-*`` says. In
matchpoints that may depend on the other boards of the session, so there it is handed on as a mark.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.cells import award_percent
from bridge_analytics.columns import text_codes
from bridge_analytics.rules import Edition
from bridge_analytics.small_groups import small_group_percent

FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "matchpoints": ("mp_ns", "mp_ew"),
        "butler": ("butler_ns",),
        "cross_imps": ("cross_imps_ns",),
        "points": ("score_ns",),
    }
)
"""The forms of scoring, and the columns of scored results that hold their awards; East-West without one of their own
have the negative."""

SIDES = ("ns", "ew")
MARKS = ("A+", "A", "A-")
_UNMARKED = -1
_EXPECTED = {
    "matchpoints": "A+, A, A- or a percentage",
    "butler": "A+, A, A- or IMPs",
    "cross_imps": "A+, A, A- or IMPs",
    "points": "no award, which points cannot hold",
}

Floats = NDArray[np.float64]


def side_awards(
    scored: pd.DataFrame, form: str, adjusted: Edition | None, expected: ArrayLike | None = None
) -> tuple[Floats, Floats, NDArray[np.int8]]:
    """What each side earns on each board.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it.
    form : {"matchpoints", "butler", "cross_imps", "points"}
    adjusted : Edition or None
        What rulings are worth, and which groups are small; None: adjusted results earn nothing, no group is small.
    expected : int or array_like of int, optional
        Results of a full board, for matchpoints of small groups.

    Returns
    -------
    awards : ndarray of float64, shape (2, n)
        Of North-South and of East-West; NaN where there is none: no result, no other result to compare with, a mark.
    top : ndarray of float64, shape (n,)
        What a board could earn; NaN where there is no award, and under forms without a top. [matchpoints]
    marks : ndarray of int8, shape (2, n)
        Position in ``MARKS`` of a ruling whose matchpoints are still to be found; -1 elsewhere.

    Raises
    ------
    ValueError
        If the results are not scored by the form, a ruling says nothing under it, or ``expected`` is not given where
        groups may be small.
    """
    if form not in FORMS:
        raise ValueError(f"expected form among {', '.join(FORMS)}, got {form!r}")
    lost = [name for name in ("deal_id", *FORMS[form]) if name not in scored]
    if lost:
        raise ValueError(f"expected results that score_results scored as {form}, got a table without {', '.join(lost)}")
    printed = [scored[name].to_numpy(np.float64, na_value=np.nan) for name in FORMS[form]]
    awards = np.stack([printed[0], printed[1] if len(printed) == 2 else 0 - printed[0]])
    top = awards.sum(axis=0) if form == "matchpoints" else np.full(len(scored), np.nan)
    awards[:, top == 0] = np.nan  # a lone result
    top[top == 0] = np.nan
    if form == "matchpoints" and adjusted is not None and _has_small_groups(adjusted):
        for award, percent in zip(awards, _small_groups(scored, expected, adjusted), strict=True):
            np.copyto(award, percent / 100 * top, where=~np.isnan(percent) & ~np.isnan(top))
    marks = np.full(awards.shape, _UNMARKED, np.int8)
    ruled = np.flatnonzero(scored["status"] == "adjusted")
    if adjusted is None or not ruled.size:
        return awards, top, marks
    top[ruled] = _full_tops(top, scored["deal_id"].to_numpy(np.int64), ruled) if form == "matchpoints" else np.nan
    for number, side in enumerate(SIDES):
        marks[number, ruled], awards[number, ruled] = _worth(
            scored.iloc[ruled], side, ruled, top[ruled], form, adjusted
        )
    return awards, top, marks


def _has_small_groups(adjusted: Edition) -> bool:
    return bool(adjusted["small_group.one"] or adjusted["small_group.two"] or adjusted["small_group.three"])


def _small_groups(scored: pd.DataFrame, expected: ArrayLike | None, adjusted: Edition) -> tuple[Floats, Floats]:
    if expected is None:
        raise ValueError(f"expected `expected`, the results of a full board, for the small groups of {adjusted.name!r}")
    score = scored["score_ns"].to_numpy(np.float64, na_value=np.nan)
    full = np.broadcast_to(np.asarray(expected, dtype=np.float64), score.shape)
    return small_group_percent(score, scored["deal_id"].to_numpy(np.int64), full, adjusted)


def ruled_imps(scored: pd.DataFrame, side: str, adjusted: Edition) -> Floats:
    """The IMPs that rulings give a side, whatever a row's form of scoring; NaN where nothing was ruled.

    Raises
    ------
    ValueError
        If a ruling is no number of IMPs, nor one of the averages.
    """
    rows = np.flatnonzero(scored["status"] == "adjusted")
    given = np.full(len(scored), np.nan)
    given[rows] = _worth(scored.iloc[rows], side, rows, np.full(rows.size, np.nan), "butler", adjusted)[1]
    return given


def _full_tops(top: Floats, deals: NDArray[np.int64], ruled: NDArray[np.intp]) -> Floats:
    """The top of each ruled board: that of its other results, or the largest there is where it has none to compare."""
    largest = np.full(int(deals.max()) + 1, -np.inf)
    there = ~np.isnan(top)
    np.maximum.at(largest, deals[there], top[there])
    if not there.any():
        raise ValueError("expected a deal with two results, to know what a ruling is a share of, got none")
    own = largest[deals[ruled]]
    return np.where(np.isfinite(own), own, largest.max())


def _worth(
    ruled: pd.DataFrame, side: str, rows: NDArray[np.intp], top: Floats, form: str, adjusted: Edition
) -> tuple[NDArray[np.int8], Floats]:
    """The mark, or else the award, of each ruling for a side; neither where nothing was ruled."""
    words, codes = text_codes(ruled[f"adjusted_{side}"])
    said, percent, imps = np.array([*map(_ruling, words), _ruling("")]).T[:, codes]
    number = ruled[f"award_{side}_pct"].to_numpy(np.float64, na_value=np.nan)
    said = np.where(np.isnan(number) | (number == percent), said, _UNMARKED)  # a number beside a word is what counts
    percent = np.where(np.isnan(number), percent, number)
    if form != "matchpoints":
        for place, usual in enumerate(adjusted["artificial.percent"]):
            imps[(said == place) | (percent == usual)] = adjusted["artificial.imps"][place]
        said[:] = _UNMARKED
    worth = {"matchpoints": percent / 100 * top, "points": np.full(len(ruled), np.nan)}.get(form, imps)
    worth[said != _UNMARKED] = np.nan
    silent = ((codes >= 0) | ~np.isnan(number)) & np.isnan(worth) & (said == _UNMARKED)
    if silent.any():
        place = int(silent.argmax())
        seen = repr(words[codes[place]]) if codes[place] >= 0 else f"{number[place]:g} %"
        raise ValueError(
            f"expected rulings with {_EXPECTED[form]} (adjusted=None leaves rulings out), got {seen} for {side} at "
            f"position {rows[place]}"
        )
    return said.astype(np.int8), worth


def _ruling(word: str) -> tuple[int, float, float]:
    """What a ruling says: the position of its mark (-1: none), a percentage, IMPs (NaN: none).

    Examples
    --------
    >>> _ruling("ave+"), _ruling("61.8 %"), _ruling("-2 IMP")
    ((0, 60.0, nan), (-1, 61.8, nan), (-1, nan, -2.0))
    """
    percent = award_percent(word)
    mark = -1 if "%" in word or np.isnan(percent) else MARKS.index({60: "A+", 50: "A", 40: "A-"}[int(percent)])
    imps = re.fullmatch(r"\s*([+-]?\d+(?:[.,]\d+)?)\s*IMPS?\s*", word.replace("−", "-"), re.ASCII | re.IGNORECASE)
    return mark, percent, float(imps[1].replace(",", ".")) if imps else np.nan
