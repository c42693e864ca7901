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
_HALVINGS = 60  # of the bracket of a root: to the last digit
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
        The columns of ``within``; ``contestants``, ``results``, ``boards`` (of a contestant on average); ``within_sd``
        of one board, ``between_sd`` of skill [IMPs, or percent]; ``icc`` (the share of skill in one board),
        ``reliability`` of means of so many boards; ``boards_needed`` for the target, its interval ``low``, ``high``
        (infinite where the results do not show any skill); ``warnings``: ``no_spread`` where they differ no more than
        by chance alone, ``few_contestants`` under 20.

    Raises
    ------
    ValueError
        As for :func:`standings`, if the target is not between 0 and 1, or no contestant has two boards.

    Notes
    -----
    A mean of n boards varies by within² (1/n + 1/k), with k = within² / between²: its reliability is n / (n + k), so
    that k boards have ½. k is where the mean squares of all means, each over what it varies by, are within² (Paule and
    Mandel; with equal numbers the analysis of variance). The mean of the field is taken as known, since what one wins
    over the others they lose: estimated from it, it would show skill in a small field that has none. The interval is
    that of the F ratio (Wald), for equal numbers or not, where results are normal. Opponents, and the other side of the
    same deal, are taken as chance. Sources: Paule and Mandel, *Journal of Research of the National Bureau of Standards*
    87 (1982); Wald, *Annals of Mathematical Statistics* 11 (1940).

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> season = score_results(read_results("data/season.parquet"), forms=())
    >>> needed = reliability(season, winners=1)
    >>> needed[["contestants", "within_sd", "between_sd", "boards_needed"]].round(2).values.tolist()[0]
    [72.0, 4.65, 0.39, 144.05]
    """
    if not 0 < target < 1:
        raise ValueError(f"expected a target between 0 and 1, got {target!r}")
    apart = columns_apart(scored, within)
    value, _, who, names = worth(scored, form, of, winners, apart, datum, imp_scale)
    tail, wanted = upper_quantile(level), target / (1 - target)
    found = variances(value, who, names, apart, chances=(1 - tail, tail))
    for name, k in (("boards_needed", "k"), ("low", 1 - tail), ("high", tail)):
        found[name] = wanted * found[k]
    found = found.drop(columns=["k", 1 - tail, tail])
    none, few = found["between_sd"] == 0, found["contestants"] < _FEW
    words = [
        " ".join(word for word, told in zip(_CODES, row, strict=True) if told) for row in zip(none, few, strict=True)
    ]
    return found.assign(warnings=pd.array(words, dtype="str"))


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


def variances(
    value: Floats,
    who: Codes,
    names: pd.DataFrame,
    apart: Sequence[str],
    chances: Sequence[float] = (),
    *,
    given_skill: bool = False,
) -> pd.DataFrame:
    """How much the contestants of each group differ, and each of them varies.

    Returns
    -------
    DataFrame
        For each group, in the order of the contestants: the columns ``apart``, ``contestants``, ``results``,
        ``boards``, ``within_sd``, ``between_sd``, ``icc``, ``reliability``, ``k`` (boards for a reliability of ½); and
        under each of the chances the k that the true one is below with this confidence, or with this share of the
        confidence that there is skill at all.
    """
    from scipy.special import fdtr, fdtri

    group, first = numbered(names[list(apart)] if apart else pd.DataFrame({"all": np.zeros(len(names))}))
    count = first.size
    boards = np.bincount(who, minlength=len(names)).astype(np.float64)
    mean = np.bincount(who, value, len(names)) / np.maximum(boards, 1)
    n, a = (np.bincount(group, part, count).astype(np.float64) for part in (boards, boards > 0))
    lost = (n <= a) | (a < 2)
    if lost.any():
        bad, told = int(lost.argmax()), names[list(apart)].iloc[first[lost.argmax()]].tolist()
        raise ValueError(
            "expected two contestants, and one of them with two boards, in each group, got "
            f"{a[bad]:.0f} contestants with {n[bad]:.0f} results" + f" in {', '.join(map(str, told))}" * bool(told)
        )
    within = np.bincount(group[who], (value - mean[who]) ** 2, count) / (n - a)
    square = np.bincount(group, boards * mean**2, count) / a
    within = np.where(within > _ROUNDING * square, within, 0)
    spread = (boards, mean, group, within, a)
    k, each = _boards_for_half(*spread, np.ones(count)), n / a
    table = names[list(apart)].iloc[first].reset_index(drop=True)
    found: dict[Any, Any] = {"contestants": a.astype(np.int64), "results": n.astype(np.int64), "boards": each}
    skill = np.divide(within, k, out=square / each, where=k > 0)
    found |= {"within_sd": np.sqrt(within), "between_sd": np.sqrt(skill)}
    found |= {"icc": 1 / (1 + k), "reliability": each / (each + k), "k": k}
    freedom, most = (a - 1, n - a), np.divide(square, within, out=np.full(count, np.inf), where=within > 0)
    sure = fdtr(*freedom, most) if given_skill else 1
    found |= {chance: _boards_for_half(*spread, fdtri(*freedom, chance * sure)) for chance in chances}
    return pd.concat([table, pd.DataFrame(found)], axis=1)


def _boards_for_half(boards: Floats, mean: Floats, group: Codes, within: Floats, a: Floats, ratio: Floats) -> Floats:
    """For each group the k for which its means, each over what it varies by, have a given ratio to the noise."""

    def ratios(skill: Floats) -> Floats:
        over = np.divide(boards, 1 + boards * skill[group], out=np.zeros(boards.size), where=boards > 0)
        return np.asarray(np.bincount(group, over * mean**2, a.size) / (a * within))

    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.zeros(a.size), np.bincount(group, mean**2, a.size) / (a * within * ratio)
        none = ratios(low) <= ratio
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            more = ratios(middle) > ratio
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        k = np.where(none, np.inf, 2 / (low + high))
    return np.where(within > 0, k, np.where(np.bincount(group, mean**2, a.size) > 0, 0.0, np.inf))
