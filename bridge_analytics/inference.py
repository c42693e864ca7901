"""Estimates with their uncertainty when results share a deal: means, ratios, proportions, differences.

All tables of one deal share the cards, so what was sampled is the deal, not the result: it is the `cluster`. Every
estimate is a DataFrame with the same columns: one row, or one for each label of `within`. `warnings` holds codes:
`no_results`, `missing=12` (results left out), `zero_denominator`, `one_cluster` (so no interval), `few_clusters` (under
20), `no_variation`, `two_way_guarded`, `no_bca` (the bootstrap found no interval). Weights by board and the planning
of a study (`equal_weights`, `power`, `sample_size`, `win_probability`) are at hand here too.
"""

import warnings

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.clusters import (
    By,
    Cluster,
    Floats,
    estimate,
    fixed_columns,
    numbers,
    probabilities,
    spread,
    take_sample,
    warning_codes,
)
from bridge_analytics.clusters import equal_weights as equal_weights
from bridge_analytics.planning import power as power
from bridge_analytics.planning import sample_size as sample_size
from bridge_analytics.planning import upper_quantile
from bridge_analytics.planning import win_probability as win_probability

Weights = ArrayLike | None
Within = By | None


def clustered_mean(
    values: ArrayLike, *, cluster: Cluster, weights: Weights = None, within: Within = None, level: float = 0.95
) -> pd.DataFrame:
    """Mean of results that come in clusters, with the cluster-robust standard error.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        One value per result; a missing one is left out and counted in `warnings`. [any unit]
    cluster : array_like of labels (n,), DataFrame of label columns, tuple of two of these, or None
        What was sampled, as a rule the deal; two are two-way (deal and pair); None says that the rows are independent.
    weights : array_like of float, shape (n,), optional
        None: every result counts the same; :func:`equal_weights`: every board or cell. Weight 0 takes no part.
    within : array_like of labels (n,) or DataFrame of label columns, optional
        One estimate for each label, in the order in which they first occur.
    level : float
        Confidence level of the interval.

    Returns
    -------
    DataFrame
        within, estimate, se, low, high, share_gained, share_flat, share_lost (only of differences), results, clusters
        (two-way: the smaller number), design_effect (clustered over naive variance, weights alike), method, warnings.

    Raises
    ------
    ValueError
        If columns differ in length, a value is infinite, or a weight is negative, infinite or missing.

    Notes
    -----
    The variance has the factor G / (G - 1) for G clusters. Two-way it is the sum of both less that of their
    intersections, each with its own factor (Cameron, Gelbach, Miller 2011); where that is not positive, the last alone,
    which then is the largest. The interval is Student's t with G - 1 degrees of freedom.

    Examples
    --------
    >>> table = clustered_mean([3, 5, -4, -2, 7], cluster=[1, 1, 2, 2, 3])
    >>> table[["estimate", "se", "results", "clusters", "warnings"]].round(3)
       estimate     se  results  clusters      warnings
    0       1.8  2.883        5         3  few_clusters
    """
    return clustered_ratio(values, 1.0, cluster=cluster, weights=weights, within=within, level=level)


def clustered_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    cluster: Cluster,
    weights: Weights = None,
    within: Within = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Sum of one column over the sum of another, each (n,): undertricks to doubled results, IMPs won to IMPs at stake.

    All else, the linearised standard error too, is as in :func:`clustered_mean`.

    Examples
    --------
    >>> float(clustered_ratio([2, 0, 4], [1, 1, 2], cluster=["a", "b", "c"])["estimate"].iloc[0])
    1.5
    """
    return _with_t_interval(estimate(take_sample(numerator, denominator, cluster, weights, within), "t"), level)


def clustered_proportion(
    happened: ArrayLike, *, cluster: Cluster, weights: Weights = None, within: Within = None, level: float = 0.95
) -> pd.DataFrame:
    """Share of the results in which something `happened`: bool, 0 or 1, or missing, (n,).

    All else, but for the interval, is as in :func:`clustered_mean`.

    Raises
    ------
    ValueError
        Also if a value is neither 0 nor 1.

    Notes
    -----
    Wilson's interval on the effective number of results, p (1 - p) / se², with Student's t on G - 1 degrees of freedom:
    it stays within 0 and 1. Where all results agree, that number is G. Source: Franco, Little, Louis, Slud 2019.

    Examples
    --------
    >>> table = clustered_proportion([1, 1, 0, 1], cluster=[1, 1, 2, 3])
    >>> table[["estimate", "low", "high", "design_effect"]].round(3)
       estimate    low   high  design_effect
    0      0.75  0.062  0.993          1.312
    """
    from scipy.special import stdtrit

    value = numbers(happened, "0, 1 or missing")
    wrong = np.flatnonzero((value != 0) & (value != 1) & ~np.isnan(value))
    if wrong.size:
        raise ValueError(f"expected 0, 1 or missing, got {float(value.flat[wrong[0]])!r} at position {wrong[0]}")
    table = estimate(take_sample(value, 1.0, cluster, weights, within), "Wilson on effective results")
    share, se, clusters = (table[name].to_numpy(np.float64) for name in ("estimate", "se", "clusters"))
    effective = np.divide(share * (1 - share), se**2, out=np.where(clusters > 1, clusters, np.nan), where=se > 0)
    low, high = _wilson_limits(share, effective, stdtrit(clusters - 1, upper_quantile(level)))
    return table.assign(low=low, high=high)


def paired_difference(
    values: ArrayLike,
    against: ArrayLike = 0.0,
    *,
    cluster: Cluster,
    weights: Weights = None,
    within: Within = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Mean of `values` minus `against`, row by row, (n,) each, with the shares gained, flat and lost.

    Differences that are ready, IMPs say, are `values` alone. All else is as in :func:`clustered_mean`.

    Examples
    --------
    >>> table = paired_difference([500, 100, -530], [100, 100, -140], cluster=[1, 2, 3])
    >>> table[["estimate", "share_gained", "share_flat", "share_lost"]].round(3)
       estimate  share_gained  share_flat  share_lost
    0     3.333         0.333       0.333       0.333
    """
    value = numbers(values, "a value")
    sample = take_sample(value - spread(against, "a value", value.size), 1.0, cluster, weights, within)
    table = _with_t_interval(estimate(sample, "t, paired"), level)
    top, weight, group, *_ = sample
    outcome = np.add(top >= 0, top > 0, dtype=np.int64) + (3 * group if len(table) > 1 else 0)
    size = np.bincount(outcome, weight if weight.ndim else None, 3 * len(table)).reshape(-1, 3)
    with np.errstate(invalid="ignore"):
        lost, flat, gained = (size / size.sum(axis=1, keepdims=True)).T
    return table.assign(share_gained=gained, share_flat=flat, share_lost=lost)


def clustered_bootstrap(
    numerator: ArrayLike,
    denominator: ArrayLike = 1.0,
    *,
    cluster: By | None,
    seed: int,
    weights: Weights = None,
    draws: int = 1000,
    method: str = "BCa",
    level: float = 0.95,
) -> pd.DataFrame:
    """Mean or ratio with a bootstrap interval: whole clusters are drawn, by their sums, in one vectorised call.

    `method`, or "percentile" or "basic", is that of :func:`scipy.stats.bootstrap`; the time of BCa grows as the square
    of the number of clusters. All else is as in :func:`clustered_ratio`, one-way.

    Examples
    --------
    >>> table = clustered_bootstrap(np.arange(60) % 7, cluster=np.arange(60) // 2, seed=1)
    >>> bool(table["low"].iloc[0] < table["estimate"].iloc[0] < table["high"].iloc[0])
    True
    """
    from scipy.stats import bootstrap

    if isinstance(cluster, tuple):
        raise ValueError("expected one cluster column for the bootstrap, got a tuple")
    sample = take_sample(numerator, denominator, cluster, weights, None)
    table = _with_t_interval(estimate(sample, f"bootstrap {method}, {draws} draws, seed {seed}"), level)
    if not table["se"].iloc[0] > 0:
        return table
    code = sample[3][0][0] if sample[3] else np.arange(sample[0].size)
    used = np.bincount(code) > 0
    with warnings.catch_warnings(action="ignore"), np.errstate(invalid="ignore", divide="ignore"):
        drawn = bootstrap(
            [np.bincount(code, np.broadcast_to(part, code.shape))[used] for part in sample[:2]],
            lambda top, bottom, axis: top.sum(axis) / bottom.sum(axis),
            n_resamples=draws,
            batch=max(1, 2**22 // np.count_nonzero(used)),
            vectorized=True,
            paired=True,
            confidence_level=level,
            method=method,
            rng=np.random.default_rng(seed),
        )
    low, high = drawn.confidence_interval
    failed = "" if np.isfinite([low, high]).all() else " no_bca"
    return table.assign(se=drawn.standard_error, low=low, high=high, warnings=(table["warnings"] + failed).str.strip())


def wilson(successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95) -> pd.DataFrame:
    """Proportion with Wilson's interval for independent rows: a row for each pair of numbers, columns as everywhere.

    Raises
    ------
    ValueError
        If a number is not whole, or the successes are not between 0 and the trials.

    Examples
    --------
    >>> wilson(7, 10)[["estimate", "low", "high"]].round(3)
       estimate    low   high
    0       0.7  0.397  0.892
    """
    from scipy.special import ndtri

    won, tried = np.broadcast_arrays(np.atleast_1d(numbers(successes, "a number")), numbers(trials, "a number"))
    wrong = np.flatnonzero(~((won >= 0) & (won <= tried) & (won % 1 == 0) & (tried % 1 == 0)))
    if wrong.size:
        i = wrong[0]
        raise ValueError(f"expected whole successes up to the trials, got {won[i]:g} of {tried[i]:g} at position {i}")
    share = np.divide(won, tried, out=np.full(tried.shape, np.nan), where=tried > 0)
    low, high = _wilson_limits(share, tried, ndtri(upper_quantile(level)))
    return fixed_columns(
        estimate=share,
        se=np.sqrt(share * (1 - share) / np.fmax(tried, 1)),
        low=low,
        high=high,
        results=tried.astype(np.int64),
        clusters=tried.astype(np.int64),
        design_effect=np.where(tried > 0, 1.0, np.nan),
        method="Wilson, independent rows",
        warnings=warning_codes({"no_results": tried == 0}, np.zeros(tried.size, dtype=np.int64)),
    )


def p_values(table: pd.DataFrame, *, null: float = 0.0) -> Floats:
    """Two-sided p-value of each row of estimates against `null`, by t on clusters - 1; missing where se is or is 0.

    Examples
    --------
    >>> p_values(clustered_mean([3, 5, -4, -2, 7], cluster=[1, 1, 2, 2, 3])).round(3)
    array([0.596])
    """
    from scipy.special import stdtr

    distance, se, clusters = (table[name].to_numpy(np.float64) for name in ("estimate", "se", "clusters"))
    t = np.divide(np.abs(distance - null), se, out=np.full(se.size, np.nan), where=se > 0)
    return np.asarray(2 * stdtr(clusters - 1, -t))


def holm(p_values: ArrayLike) -> Floats:
    """P-values adjusted for being several, (n,); a missing one is no test and stays missing. Source: Holm 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    adjusted = probabilities(p_values)
    order = np.argsort(adjusted)[: np.count_nonzero(~np.isnan(adjusted))]
    steps = np.maximum.accumulate(adjusted[order] * np.arange(order.size, 0, -1))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def _with_t_interval(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return the table with Student's interval about each estimate, on clusters - 1 degrees of freedom."""
    from scipy.special import stdtrit

    half = stdtrit(table["clusters"].to_numpy(np.float64) - 1, upper_quantile(level)) * table["se"]
    return table.assign(low=table["estimate"] - half, high=table["estimate"] + half)


def _wilson_limits(share: Floats, trials: Floats, quantile: Floats) -> tuple[Floats, Floats]:
    """Return Wilson's limits of a share of so many trials, missing where there is none."""
    trials = np.where(trials > 0, trials, np.nan)
    half = quantile * np.sqrt(share * (1 - share) / trials + (quantile / (2 * trials)) ** 2)
    middle, scale = share + quantile**2 / (2 * trials), 1 + quantile**2 / trials
    return np.maximum((middle - half) / scale, 0.0), np.minimum((middle + half) / scale, 1.0)
