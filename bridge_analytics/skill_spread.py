"""How much contestants differ, how much each of them varies, and how many boards tell the two apart."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.counterfactuals import FIELD_FORMS, over_others
from bridge_analytics.planning import upper_quantile
from bridge_analytics.rules import Edition
from bridge_analytics.scored import Floats, check_scored, check_whole
from bridge_analytics.seatings import Within, columns_apart, numbered, seatings

Codes = NDArray[np.int64]
Worth = tuple[Floats, Codes, Codes, pd.DataFrame]

_FEW = 20  # contestants, below which a variance between them is known badly
_CODES = ("no_spread", "few_contestants")
_ROUNDING = 1e-12  # of a mean square: what floating point leaves of one that is zero


def reliability(
    scored: pd.DataFrame,
    *,
    form: str = "cross_imps",
    of: str = "pairs",
    winners: int | None = None,
    within: Within = (),
    target: float = 0.5,
    level: float = 0.95,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """How many boards a ranking needs, from how much contestants differ and how much each varies.

    Parameters
    ----------
    scored, form, of, winners, within, datum, imp_scale
        As for :func:`split`; ``within`` gives a row for each of its values.
    target : float
        The reliability wanted: the share of the variance of means that is skill, between 0 and 1.
    level : float
        Confidence level of the interval.

    Returns
    -------
    DataFrame
        The columns of ``within``; ``contestants``, ``results``, ``boards`` (of a contestant on average, weighed as the
        variances are); ``within_sd`` of one board, ``between_sd`` of skill [IMPs, or percent]; ``icc`` (the share of
        skill in one board), ``reliability`` of means of so many boards; ``boards_needed`` for the target, its interval
        ``low``, ``high`` (infinite where the results do not show any skill); ``warnings``: ``no_spread`` where they
        differ no more than by chance alone, ``few_contestants`` under 20.

    Raises
    ------
    ValueError
        As for :func:`standings`, if the target is not between 0 and 1, or no contestant has two boards.

    Notes
    -----
    One-way analysis of variance with unequal numbers: between² = (MSB - MSW) / n0. With k = within² / between²,
    reliability is n / (n + k), so that k boards have ½. The interval is that of the F ratio, exact where numbers are
    equal and results normal. Opponents, and the other side of the same deal, are taken as chance. Source: Searle,
    Casella, McCulloch, *Variance components*, chapter 3.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> season = score_results(read_results("data/season.parquet"), forms=())
    >>> needed = reliability(season, winners=1)
    >>> needed[["contestants", "within_sd", "between_sd", "boards_needed"]].round(2).values.tolist()[0]
    [72.0, 4.65, 0.39, 141.72]
    """
    if not 0 < target < 1:
        raise ValueError(f"expected a target between 0 and 1, got {target!r}")
    apart = columns_apart(scored, within)
    value, _, who, names = worth(scored, form, of, winners, apart, datum, imp_scale)
    found = variances(value, who, names, apart)
    wanted = target / (1 - target)
    found["boards_needed"] = wanted * found["k"]
    found["low"], found["high"] = (wanted * k for k in _limits(found, level))
    none, few = found["between_sd"] == 0, found["contestants"] < _FEW
    words = [
        " ".join(word for word, told in zip(_CODES, row, strict=True) if told) for row in zip(none, few, strict=True)
    ]
    return found.drop(columns=["k", "ratio"]).assign(warnings=pd.array(words, dtype="str"))


def _limits(found: pd.DataFrame, level: float) -> tuple[Floats, Floats]:
    """The interval of the boards for a reliability of ½, from that of the ratio of variances."""
    from scipy.special import fdtri

    above, below = (found[name].to_numpy(np.float64) for name in ("contestants", "results"))
    tail, boards = upper_quantile(level), found["boards"].to_numpy()
    limits = []
    for probability in (1 - tail, tail):
        over = found["ratio"].to_numpy() / fdtri(above - 1, below - above, probability) - 1
        limits.append(np.divide(boards, over, out=np.full(over.size, np.inf), where=over > 0))
    return limits[0], limits[1]


def worth(
    scored: pd.DataFrame,
    form: str,
    of: str,
    winners: int | None,
    within: Sequence[str],
    datum: str | Edition,
    imp_scale: str | Edition,
) -> Worth:
    """What each result was worth to everybody who played it, without those that nothing compares with.

    Returns
    -------
    value, seat, who : ndarray, shape (m,)
        The worth; the result and the side (twice the position of the result, one more for East-West); the position of
        the contestant in ``names``.
    names : DataFrame
        As :func:`bridge_analytics.seatings.seatings` gives it.
    """
    if form not in FIELD_FORMS:
        raise ValueError(f"expected a form among {', '.join(FIELD_FORMS)}, got {form!r}")
    table = check_scored(scored)
    check_whole(table)
    rows, who, sign, names = seatings(table, of, winners, within)
    value = sign * over_others(table, form, datum=datum, imp_scale=imp_scale)[rows]
    there = ~np.isnan(value)
    return np.asarray(value[there], np.float64), (2 * rows + (sign < 0))[there], who[there], names


def variances(value: Floats, who: Codes, names: pd.DataFrame, apart: Sequence[str]) -> pd.DataFrame:
    """The analysis of variance of each group of contestants.

    Returns
    -------
    DataFrame
        For each group, in the order of the contestants: the columns ``apart``, ``contestants``, ``results``, ``boards``
        (n0), ``within_sd``, ``between_sd``, ``icc``, ``reliability``, ``k`` (boards for a reliability of ½), ``ratio``
        (MSB / MSW).
    """
    group, first = numbered(names[list(apart)] if apart else pd.DataFrame({"all": np.zeros(len(names))}))
    count = first.size
    boards = np.bincount(who, minlength=len(names)).astype(np.float64)
    total = np.bincount(who, value, len(names))
    mean = np.divide(total, boards, out=np.zeros(len(names)), where=boards > 0)

    def summed(part: Any) -> Floats:
        return np.bincount(group, part, count).astype(np.float64)

    n, a = summed(boards), summed(boards > 0)
    grand = np.divide(summed(total), n, out=np.zeros(count), where=n > 0)
    lost = (n <= a) | (a < 2)
    if lost.any():
        raise ValueError(
            "expected two contestants, and one of them with two boards, in each group, got "
            f"{a[lost.argmax()]:.0f} contestants with {n[lost.argmax()]:.0f} results"
        )
    within = np.bincount(group[who], (value - mean[who]) ** 2, count) / (n - a)
    between = summed(boards * (mean - grand[group]) ** 2) / (a - 1)
    each = (n - summed(boards**2) / n) / (a - 1)
    within = np.where(within > _ROUNDING * between, within, 0)
    skill = np.maximum((between - within) / each, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        k = np.where(skill > 0, within / skill, np.inf)
        ratio = between / within
    table = names[list(apart)].iloc[first].reset_index(drop=True)
    found = {"contestants": a.astype(np.int64), "results": n.astype(np.int64), "boards": each}
    found |= {"within_sd": np.sqrt(within), "between_sd": np.sqrt(skill)}
    found |= {"icc": 1 / (1 + k), "reliability": each / (each + k), "k": k, "ratio": ratio}
    return table.assign(**found)
