"""Results in clusters: from columns to the sums, variances and warnings that every estimate is made of.

A *sample* is what takes part: weighted numerators and denominators, the group of each result, the codes and number of
each cluster column, and one row per group with its label and the number of results left out as missing. All groups are
done at once, by sums over the pairs of group and cluster. For the estimates themselves see :mod:`inference`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.groups import group_codes

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
By = ArrayLike | pd.DataFrame
Cluster = By | tuple[By, By] | None
Clusters = list[tuple[Codes, int]]
Cells = tuple[Codes, NDArray[np.integer], NDArray[Any], NDArray[Any]]
Sample = tuple[Floats, Floats, Codes, Clusters, pd.DataFrame]

COLUMNS = (
    *("within", "estimate", "se", "low", "high", "share_gained", "share_flat", "share_lost"),
    *("results", "clusters", "design_effect", "method", "warnings"),
)
FEW = 20  # clusters; below, the t interval is known to be short (Cameron and Miller 2015, section VI)
ROUNDING = 1e-24  # of a sum of squares: what floating point leaves of a variance that is zero


def take_sample(
    numerator: ArrayLike, denominator: ArrayLike, cluster: Cluster, weights: ArrayLike | None, within: By | None
) -> Sample:
    """Return the sample of the results that count: with their values, and with a weight over 0."""
    top = numbers(numerator, "a value")
    if top.ndim != 1:
        raise ValueError(f"expected a column of values, got an array of shape {top.shape}")
    bottom = spread(denominator, "a denominator", top.size)
    group, labels = _labels(within, top.size)
    clusters = [_labelled(key, top.size, "cluster") for key in _cluster_columns(cluster)]
    missing = np.isnan(top) | np.isnan(bottom)
    weight = np.array(1.0) if weights is None else _weights(weights, missing)
    used = ~missing if weights is None else ~missing & (weight > 0)
    lost = np.bincount(group[missing], minlength=labels.size)
    if not used.all():
        top, bottom, weight = (part[used] if part.ndim else part for part in (top, bottom, weight))
        group, clusters = group[used], [(code[used], number) for code, number in clusters]
    if weights is not None:
        top, bottom = top * weight, bottom * weight
    return top, bottom, group, clusters, pd.DataFrame({"within": labels, "lost": lost})


def equal_weights(by: By, *, counted: ArrayLike | None = None) -> Floats:
    """Weights that let each board, or cell, of `by` count the same: 1 over its number of results, (n,).

    Results not `counted` (bool, (n,)) get 0 and are not in that number; the labels of a `within` belong into `by` too.

    Examples
    --------
    >>> equal_weights([1, 1, 2])
    array([0.5, 0.5, 1. ])
    """
    code, groups = group_codes(by)
    count = np.ones(code.size) if counted is None else np.asarray(counted, dtype=np.float64)
    size = np.bincount(code, None if counted is None else count, groups)
    share = np.divide(1.0, size, out=np.zeros(groups), where=size > 0)[code]
    share *= count
    return share


def estimate(sample: Sample, method: str) -> pd.DataFrame:
    """Return each group's ratio, standard error, counts and warnings in the fixed columns; no interval yet."""
    *_, clusters, heads = sample
    cells = _cells_by_clustering(sample)
    results, sums, total = (np.bincount(cells[0][0], part, len(heads)) for part in cells[0][1:])
    ratio = np.divide(sums, total, out=np.full(len(heads), np.nan), where=total != 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        naive, variance, number, guarded = _variances(sample, cells, ratio)
        floor = ROUNDING * np.fmax(naive, sums**2 / results)
        naive, variance = (np.where(part <= floor, 0.0, part) for part in (naive, variance))
        table = fixed_columns(
            within=heads["within"],
            estimate=ratio,
            se=np.sqrt(variance) / np.abs(total),
            results=results.astype(np.int64),
            clusters=number,
            design_effect=np.where(naive > 0, variance / naive, np.nan),
            method=f"{method}, {('independent rows', 'clusters', 'two-way clusters')[len(clusters)]}",
        )
    found = {
        "no_results": results == 0,
        "zero_denominator": (results > 0) & (total == 0),
        "one_cluster": number == 1,
        "few_clusters": (number > 1) & (number < FEW),
        "no_variation": variance == 0,
        "two_way_guarded": guarded & (variance > 0),
    }
    return table.assign(warnings=warning_codes(found, heads["lost"].to_numpy()))


def fixed_columns(**columns: ArrayLike) -> pd.DataFrame:
    """Return the columns of every estimate, missing where not given."""
    return pd.DataFrame({name: columns.get(name, np.nan) for name in COLUMNS})


def warning_codes(found: Mapping[str, Flags], lost: NDArray[np.integer]) -> NDArray[np.str_]:
    """Return for each row the codes that hold there, with spaces between; `lost` rows are counted as `missing=`."""
    text = np.where(lost > 0, np.strings.add("missing=", lost.astype(str)), "")
    for code, holds in found.items():
        text = np.strings.add(text, np.where(holds, f" {code}", ""))
    return np.strings.strip(text)


def numbers(values: ArrayLike, name: str) -> Floats:
    """Return a column, or one number, as floats with NaN for missing; refuse an infinite one."""
    column = np.asarray(values, dtype=np.float64)
    wrong = np.flatnonzero(np.isinf(column))
    if wrong.size:
        raise ValueError(f"expected {name} that is finite, got {float(column.flat[wrong[0]])!r} at position {wrong[0]}")
    return column


def probabilities(values: ArrayLike) -> Floats:
    """Return p-values with NaN for missing, in an array of their own; refuse what is no probability."""
    column = np.array(values, dtype=np.float64)
    wrong = np.flatnonzero((column < 0) | (column > 1))
    if wrong.size:
        raise ValueError(f"expected a p-value from 0 to 1, got {float(column.flat[wrong[0]])!r} at position {wrong[0]}")
    return column


def spread(values: ArrayLike, name: str, size: int) -> Floats:
    """Return a column of one number for each result, or the one number that all have."""
    column = numbers(values, name)
    if column.shape not in ((), (size,)):
        raise ValueError(f"expected {name} for each of {size} results, got an array of shape {column.shape}")
    return column


def _weights(weights: ArrayLike | None, missing: Flags) -> Floats:
    """Return the weight of each result, refusing those below 0, and missing ones of results that are not missing."""
    weight = spread(1.0 if weights is None else weights, "a weight", missing.size)
    wrong = np.flatnonzero(~(weight >= 0) & ~missing)
    if wrong.size:
        seen = float(weight[wrong[0]]) if weight.ndim else float(weight)
        raise ValueError(f"expected a weight of 0 or more, got {seen!r} at position {wrong[0]}")
    return weight


def _cluster_columns(cluster: Cluster) -> tuple[By, ...]:
    """Return none, one or two columns of cluster labels."""
    if cluster is None:
        return ()
    if not isinstance(cluster, tuple):
        return (cluster,)
    if len(cluster) != 2 or any(np.ndim(column) == 0 for column in cluster):
        raise ValueError(f"expected one cluster column or a tuple of two, got a tuple of {len(cluster)}")
    return cluster


def _labelled(by: By, size: int, name: str) -> tuple[Codes, int]:
    """Return group codes and their number, refusing another number of labels than of results."""
    code, number = group_codes(by)
    if code.size != size:
        raise ValueError(f"expected {size} {name} labels, one for each result, got {code.size}")
    return code, number


def _labels(within: By | None, size: int) -> tuple[Codes, pd.Series]:
    """Return each result's group and each group's label, as they first occur; of no results, one without a label."""
    if within is None or size == 0:
        return np.zeros(size, dtype=np.int64), pd.Series([None], dtype="str")
    code, number = _labelled(within, size, "within")
    first = np.full(number, size)
    first[code[::-1]] = np.arange(size)[::-1]
    occurring = np.argsort(first)[: np.count_nonzero(first < size)]
    group = np.empty(number, dtype=np.int64)
    group[occurring] = np.arange(occurring.size)
    heads = pd.DataFrame(within if isinstance(within, pd.DataFrame) else {"within": within}).iloc[first[occurring]]
    if heads.shape[1] > 1:
        parts = [f"{name}=" + heads[name].astype("str").fillna("missing") for name in heads]
        heads = parts[0].str.cat(pd.concat(parts[1:], axis=1), sep=", ").to_frame()
    return group[code], heads.iloc[:, 0].reset_index(drop=True)


def _cells_by_clustering(sample: Sample) -> list[Cells]:
    """Return the cells of each cluster column and, of two, of their intersections; without any, every row is a cell."""
    top, bottom, group, clusters, heads = sample
    if not clusters:
        return [(group, np.ones(group.size, dtype=np.int64), top, np.broadcast_to(bottom, top.shape))]
    codes = [*clusters, _joined(*clusters[0], *clusters[1])] if len(clusters) > 1 else clusters
    return [_cells(top, bottom, *_joined(group, len(heads), *code), group, len(heads)) for code in codes]


def _cells(top: Floats, bottom: Floats, cell: Codes, cells: int, group: Codes, groups: int) -> Cells:
    """Return of each cell (the results of one group in one cluster) its group, results, numerator and denominator."""
    owner = np.zeros(cells, dtype=np.int64)
    if groups > 1:
        owner[cell] = group
    size = np.bincount(cell, minlength=cells)
    sums, totals = np.bincount(cell, top, cells), np.bincount(cell, bottom, cells) if bottom.ndim else size * bottom
    return owner, size, sums, totals


def _joined(first: Codes, firsts: int, second: Codes, seconds: int) -> tuple[Codes, int]:
    """Return a code for each pair of codes, and how many codes there are: at most a few times the rows."""
    if firsts == 1:
        return second, seconds
    joined = first * seconds + second
    return group_codes(joined) if firsts * seconds > 4 * joined.size + 4096 else (joined, firsts * seconds)


def _variances(sample: Sample, cells: list[Cells], ratio: Floats) -> tuple[Floats, Floats, Codes, Flags]:
    """Return of each group the naive and the clustered square sum, the clusters, and whether two-way was guarded."""
    top, bottom, group, *_ = sample
    error = ratio[group]
    error *= bottom
    np.subtract(top, error, out=error)
    error *= error
    results = np.bincount(cells[0][0], cells[0][1], ratio.size)
    naive = _corrected(np.bincount(group, error, ratio.size), results)
    squares, numbers = zip(*(_squares(part, ratio) for part in cells), strict=True)
    if len(cells) == 1:
        return naive, squares[0], numbers[0], np.zeros(ratio.size, dtype=bool)
    total = squares[0] + squares[1] - squares[2]
    guarded = total <= 1e-12 * squares[2]
    return naive, np.where(guarded, squares[2], total), np.minimum(numbers[0], numbers[1]), guarded


def _squares(cells: Cells, ratio: Floats) -> tuple[Floats, Codes]:
    """Return of each group the corrected sum over its clusters of squared sums of errors, and their number."""
    owner, size, top, bottom = cells
    number = np.bincount(owner[size > 0], minlength=ratio.size)
    return _corrected(np.bincount(owner, (top - ratio[owner] * bottom) ** 2, ratio.size), number), number


def _corrected(squares: NDArray[Any], number: NDArray[Any]) -> Floats:
    """Return sums of squares with the factor G / (G - 1), missing where G is under 2."""
    return np.where(number > 1, squares * number / (number - 1), np.nan)
