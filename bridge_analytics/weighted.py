"""Boards compared anew, seen from one side: with assigned scores among the results, or in versions of a fouled board.

An assigned score is one result, and so is a weighted one: it is compared with others, and they with it, by each of its
outcomes in turn, and what comes of each counts by its weight. In a list of frequencies it stands with parts of one.
Source: Law 12C1(c); EBU White Book 2025, 4.1.1.4 and 4.2.1 (convert first, then weight; parts of a frequency).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.datums import to_step
from bridge_analytics.imp_scale import imps
from bridge_analytics.imp_sums import imp_sums
from bridge_analytics.rules import Edition

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Entries = tuple[Codes, Codes, Codes, Codes]
"""Of each outcome its field, its result, both from 0 and none left out, its score [points], and its weight; the weights
of a result add up to the same for all."""


def entry_matchpoints(entries: Entries, *, win: float) -> Floats:
    """Matchpoints of each result.

    Examples
    --------
    Three tables: 620, 170, and a ruling of 620 or -100, with seven parts and three of ten.

    >>> codes = np.array([0, 1, 2, 2])
    >>> entries = np.zeros(4, np.int64), codes, np.array([620, 170, 620, -100]), np.array([10, 10, 7, 3])
    >>> entry_matchpoints(entries, win=2)
    array([3.3, 0.6, 2.1])
    """
    field, result, score, weight = entries
    order, run, starts, edges = _runs(field, score)
    of_run = np.add.reduceat(weight[order], starts[:-1])
    below = np.cumsum(of_run) - of_run
    below -= np.repeat(below[edges[:-1]], np.diff(edges))
    beaten = np.empty(score.size, np.int64)
    beaten[order] = (2 * below + of_run)[run]
    whole = _whole(result, weight)
    points: Floats = win / 2 * (np.bincount(result, weight * beaten) / whole**2 - 1)  # each ties with itself
    return points


def entry_cross_imps(entries: Entries, *, scale: Edition) -> Floats:
    """Cross-IMPs of each result, an average of its comparisons; NaN for one alone in its field.

    Examples
    --------
    >>> codes = np.array([0, 1, 2, 2])
    >>> entries = np.zeros(4, np.int64), codes, np.array([620, 170, 620, -100]), np.array([10, 10, 7, 3])
    >>> from bridge_analytics.rules import load_edition
    >>> entry_cross_imps(entries, scale=load_edition("imps-1962")).round(2)
    array([ 6.8 , -7.45,  0.65])
    """
    field, result, score, weight = entries
    order, run, starts, edges = _runs(field, score)
    counts = np.add.reduceat(weight[order], starts[:-1]).astype(np.float64)
    against = np.empty(score.size)
    against[order] = imp_sums(score[order[starts[:-1]]], counts, edges, scale)[run]
    others = entry_sizes(entries)[_field_of(field, result)] - 1.0
    others[others == 0] = np.nan
    average: Floats = np.bincount(result, weight * against) / _whole(result, weight) ** 2 / others
    return average


def entry_butler(entries: Entries, *, rule: Edition, scale: Edition) -> Floats:
    """IMPs of each result against the datum of its field.

    Examples
    --------
    >>> codes = np.array([0, 1, 2, 2])
    >>> entries = np.zeros(4, np.int64), codes, np.array([620, 170, 620, -100]), np.array([10, 10, 7, 3])
    >>> from bridge_analytics.rules import load_edition
    >>> entry_butler(entries, rule=load_edition("datum-trimmed"), scale=load_edition("imps-1962"))
    array([ 6. , -6. ,  0.9])
    """
    field, result, score, weight = entries
    total, number = (part[field] for part in _datum(entries, rule))
    step = rule["difference.step"]
    difference = score * number - total
    points = to_step(difference, number, step, rule["difference.rounding"]) if step else difference // number
    earned = imps(points, edition=scale)
    award: Floats = np.bincount(result, weight * earned) / _whole(result, weight)
    return award


def entry_points(entries: Entries) -> Floats:
    """The points of each result."""
    _, result, score, weight = entries
    mean: Floats = np.bincount(result, weight * score) / _whole(result, weight)
    return mean


def entry_sizes(entries: Entries) -> Codes:
    """How many results each field has."""
    field, result, _, weight = entries
    return np.rint(np.bincount(field, weight) / _whole(result, weight)).astype(np.int64)


def _whole(result: Codes, weight: Codes) -> int:
    """What the weights of one result add up to."""
    return int(weight[result == 0].sum())


def _field_of(field: Codes, result: Codes) -> Codes:
    of_result = np.empty(int(result.max(initial=-1)) + 1, np.int64)
    of_result[result] = field
    return of_result


def _runs(field: Codes, score: Codes) -> tuple[NDArray[np.intp], Codes, NDArray[np.intp], NDArray[np.intp]]:
    """Entries in the order of field and score; the run of equal ones of each, where runs start, and where fields do."""
    order = np.lexsort((score, field))
    first = np.ones(order.size, np.bool_)
    first[1:] = (np.diff(field[order]) != 0) | (np.diff(score[order]) != 0)
    starts = np.flatnonzero(first)
    fields = field[order[starts]]
    edges = np.flatnonzero(np.diff(fields, prepend=-1, append=-1))
    return order, np.cumsum(first) - 1, np.append(starts, order.size), edges


def _datum(entries: Entries, rule: Edition) -> tuple[NDArray[Any], Codes]:
    """The datum of each field as a fraction: what is cut off, or is the middle, is counted by weight."""
    field, result, score, weight = entries
    whole, size = _whole(result, weight), entry_sizes(entries)
    order = np.lexsort((score, field))
    after = np.cumsum(weight[order])
    after -= (np.cumsum(size * whole) - size * whole)[field[order]]
    before, field, score = after - weight[order], field[order], score[order]
    if rule["datum.centre"] == "median":
        half = (size * whole)[field]  # of twice the weight up to it
        lower, upper = (2 * before < half) & (half <= 2 * after), (2 * before <= half) & (half < 2 * after)
        total, number = np.bincount(field[lower], score[lower]) + np.bincount(field[upper], score[upper]), size * 0 + 2
    else:
        cut = np.floor(size * rule["trim.share"] + 1e-9).astype(np.int64) + rule["trim.count"]
        cut = np.where(size >= rule["trim.from"], np.minimum(cut, (size - 1) // 2), 0)
        low, high = (cut * whole)[field], ((size - cut) * whole)[field]
        kept = np.clip(after, low, high) - np.clip(before, low, high)
        total, number = np.bincount(field, kept * score), (size - 2 * cut) * whole
    total = np.rint(total).astype(np.int64)
    if not rule["datum.step"]:
        return total, number
    return to_step(total, number, rule["datum.step"], rule["datum.rounding"]), np.ones_like(number)
