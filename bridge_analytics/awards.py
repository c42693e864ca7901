"""What each side of each board earns under a form of scoring, the director's rulings included.

A ruling that is a word (average plus, average, average minus) is worth what an edition ``adjusted-*`` says. Where that
depends on the other boards of the session, it is handed on as a mark.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.recomparison import earned_anew
from bridge_analytics.rules import Edition
from bridge_analytics.rulings import UNMARKED, Outcomes, own_imps, read_rulings

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
_SCORES = "scores such as '620' or '620*.7 -100*.3'"
_ROUNDING = 1e-6  # of matchpoints added up
_EXPECTED = {
    "matchpoints": f"A+, A, A-, a percentage or {_SCORES}",
    "butler": f"A+, A, A-, IMPs or {_SCORES}",
    "cross_imps": f"A+, A, A-, IMPs or {_SCORES}",
    "points": _SCORES,
    "imps": f"A+, A, A-, IMPs or {_SCORES}",
    "board_a_match": f"A+, A, A-, a percentage or {_SCORES}",
}

Floats = NDArray[np.float64]
Marks = NDArray[np.int8]


def side_awards(
    scored: pd.DataFrame,
    form: str,
    adjusted: Edition | None,
    *,
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    sub_field: str | None = None,
) -> tuple[Floats, Floats, Marks]:
    """What each side earns on each board.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it.
    form : {"matchpoints", "butler", "cross_imps", "points"}
    adjusted : Edition or None
        What rulings are worth, and which groups are small; None: adjusted results earn nothing, no group is small.
    expected, win, datum, imp_scale
        As :func:`score_results` had them: for the boards that are compared anew.
    sub_field : str, optional
        A column that tells the versions of a fouled board apart.

    Returns
    -------
    awards : ndarray of float64, shape (2, n)
        Of North-South and of East-West; NaN where there is none: no result, no other result to compare with, a mark.
    top : ndarray of float64, shape (2, n)
        What a board could earn; NaN where there is no award, and under forms without a top. [matchpoints]
    marks : ndarray of int8, shape (2, n)
        Position in ``MARKS`` of a ruling whose worth is still to be found; -1 elsewhere.

    Raises
    ------
    ValueError
        If the results are not scored by the form, or not as these options say; a ruling says nothing under it; or
        ``expected`` is not given where groups may be small.
    """
    if form not in FORMS:
        raise ValueError(f"expected form among {', '.join(FORMS)}, victory_points, got {form!r}")
    lost = [name for name in ("deal_id", *FORMS[form]) if name not in scored]
    if lost:
        raise ValueError(f"expected results that score_results scored as {form}, got a table without {', '.join(lost)}")
    awards, top = _printed(scored, form)
    if form == "matchpoints" and expected is not None:
        _check_expected(top[0], win * (np.asarray(expected, np.float64) - 1))
    marks = np.full(awards.shape, UNMARKED, np.int8)
    ruled = np.flatnonzero(scored["status"] == "adjusted") if adjusted is not None else np.empty(0, np.intp)
    said = [read_rulings(scored.iloc[ruled], side) for side in SIDES] if ruled.size else []
    rows, earned = earned_anew(
        scored,
        form,
        [(ruled[row], score, weight) for _, (row, score, weight) in said],
        adjusted,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
        sub_field=sub_field,
    )
    awards[:, rows], top[:, rows] = earned
    if adjusted is None:
        return awards, top, marks
    for side, (words, (assigned, _, _)) in enumerate(said):
        plain = np.setdiff1d(np.arange(ruled.size), assigned)
        here, own = ruled[plain], words.iloc[plain]
        if form == "matchpoints":
            top[side, here] = _full_tops(top[side], scored["deal_id"].to_numpy(np.int64), here)
        marks[side, here], awards[side, here] = _worth(own, top[side, here], form, adjusted)
        _check_worth(scored, SIDES[side], here, form, ~np.isnan(awards[side, here]) | (marks[side, here] != UNMARKED))
    return awards, top, marks


def _printed(scored: pd.DataFrame, form: str) -> tuple[Floats, Floats]:
    """What the table says that each side earned, and the tops; nothing for a lone result."""
    printed = [scored[name].to_numpy(np.float64, na_value=np.nan) for name in FORMS[form]]
    awards = np.stack([printed[0], printed[1] if len(printed) == 2 else 0 - printed[0]])
    top = np.full(awards.shape, np.nan)
    if form == "matchpoints":
        np.add(awards[0], awards[1], out=top[0])
        top[1] = top[0]
        lone = np.flatnonzero(top[0] == 0)
        awards[:, lone] = top[:, lone] = np.nan
    return awards, top


def _check_expected(top: Floats, full: Floats) -> None:
    """Refuse results of a full board with which the results were not scored: Neuberg's formula is applied there."""
    apart = ~np.isnan(top) & (np.abs(top - full) > _ROUNDING)
    if apart.any():
        place = int(apart.argmax())
        wanted = np.broadcast_to(full, top.shape)[place]
        raise ValueError(
            "expected results that score_results scored with the same `expected` and `win`, got a top of "
            f"{top[place]:g}, not {wanted:g}, at position {place}"
        )


def ruled_awards(scored: pd.DataFrame, side: str, form: str, adjusted: Edition) -> tuple[Floats, Outcomes]:
    """What rulings award a side in a match of teams, and the scores that they assign to it.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it.
    side : {"ns", "ew"}
    form : {"imps", "board_a_match", "points"}
    adjusted : Edition
        Of kind ``adjusted``.

    Returns
    -------
    award : ndarray of float64, shape (n,)
        NaN where nothing was awarded. [IMPs, points of board-a-match]
    row, score, weight : ndarray of int64
        As :func:`bridge_analytics.rulings.read_rulings` gives them.

    Raises
    ------
    ValueError
        If a ruling says nothing under the form.
    """
    rows = np.flatnonzero(scored["status"] == "adjusted")
    award = np.full(len(scored), np.nan)
    words, (row, score, weight) = read_rulings(scored.iloc[rows], side)
    if form == "board_a_match":
        usual = np.append(np.array(adjusted["artificial.percent"]), np.nan)[words["mark"]]
        award[rows] = np.where(words["mark"] == UNMARKED, words["percent"], usual) / 100
    elif form == "imps":
        award[rows] = _imps_of(words, adjusted)
    known = ~np.isnan(award[rows])
    known[row] = True
    _check_worth(scored, side, rows, form, known)
    return award, (rows[row], score, weight)


def _full_tops(top: Floats, deals: NDArray[np.int64], ruled: NDArray[np.intp]) -> Floats:
    """The top of each ruled board: that of its other results, or the largest there is where it has none to compare."""
    if not ruled.size:
        return np.empty(0)
    there = ~np.isnan(top)
    if not there.any():
        raise ValueError("expected a deal with two results, to know what a ruling is a share of, got none")
    largest = np.full(int(deals.max()) + 1, -np.inf)
    wanted = np.zeros(largest.size, np.bool_)
    wanted[deals[ruled]] = True
    there = np.flatnonzero(there & wanted[deals])
    np.maximum.at(largest, deals[there], top[there])
    own = largest[deals[ruled]]
    return np.where(np.isfinite(own), own, np.nanmax(top))


def _worth(words: pd.DataFrame, top: Floats, form: str, adjusted: Edition) -> tuple[Marks, Floats]:
    """The mark, or else the award, of what each ruling says; neither where it says nothing under the form."""
    mark = words["mark"].to_numpy(copy=True)
    if form == "matchpoints":
        worth = words["percent"].to_numpy() / 100 * top
    else:
        worth = _imps_of(words, adjusted) if form != "points" else np.full(len(words), np.nan)
        if form == "points" or not own_imps(adjusted):
            mark[:] = UNMARKED
    return mark, np.where(mark == UNMARKED, worth, np.nan)


def _imps_of(words: pd.DataFrame, adjusted: Edition) -> Floats:
    """The IMPs of each ruling, an average as the edition has it; NaN where it says nothing in IMPs."""
    mark, percent, imps = (words[name].to_numpy(copy=True) for name in ("mark", "percent", "imps"))
    for place, usual in enumerate(adjusted["artificial.percent"]):
        imps[(mark == place) | (percent == usual)] = adjusted["artificial.imps"][place]
    return imps


def _check_worth(scored: pd.DataFrame, side: str, rows: NDArray[np.intp], form: str, known: NDArray[np.bool_]) -> None:
    """Refuse a ruling that says nothing under the form; where nothing was ruled there is nothing to say."""
    words = scored[f"adjusted_{side}"].iloc[rows]
    number = scored[f"award_{side}_pct"].iloc[rows]
    silent = (words.notna() | number.notna()).to_numpy() & ~known
    if silent.any():
        place = int(silent.argmax())
        word = words.iloc[place]
        seen = f"{number.iloc[place]:g} %" if pd.isna(word) else repr(word)
        raise ValueError(
            f"expected rulings with {_EXPECTED[form]} (adjusted=None leaves rulings out), got {seen} for {side} at "
            f"position {rows[place]}"
        )
