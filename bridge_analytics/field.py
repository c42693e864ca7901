"""A field: all results of one deal. How a rule of comparison is applied to every field at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, keep_freed_memory, shape_of
from bridge_analytics.groups import field_chunks, group_codes, ranked
from bridge_analytics.readers import number_values

Rule = Callable[[NDArray[Any], NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]
"""``rule(values, run_starts, group_runs)``: one number for each run of equal scores; see `groups.field_chunks`."""


def compared(score: ArrayLike, by: Any, rule: Rule, *, tens: bool = False, apart: int = 0) -> NDArray[np.float64]:
    """Apply a rule of comparison to the runs of every group and bring its answers back to the rows.

    Parameters
    ----------
    score, by
        As in :func:`comparison.matchpoints`.
    rule : Rule
        What one run is worth in its group.
    tens : bool
        Refuse a score that is no multiple of ten, for the IMP scale.
    apart : int
        Equal scores need not be found in groups of up to so many results; see `groups.field_chunks`.

    Returns
    -------
    ndarray of float64, in the shape of ``score``
        NaN where the score is missing.
    """
    column = as_column(score)
    shape = shape_of(column)
    values, missing = number_values(column, name="a score")
    codes, _ = group_codes(by)
    if codes.size != values.size:
        raise ValueError(f"expected a label in `by` for each score, got {codes.size} labels for {values.size} scores")
    there = None if missing is None else np.flatnonzero(~missing)
    if there is not None:
        codes, values = codes[there], values[there]
    ranks, back = ranked(values)
    out = np.full(int(np.prod(shape)), np.nan)
    keep_freed_memory()
    for rows, run_ranks, starts, groups in field_chunks(codes, ranks, apart=apart):
        run_values = run_ranks + back if isinstance(back, int) else back[run_ranks]
        if tens and (run_values // 10 * 10 != run_values).any():
            raise _not_in_tens(column)
        out[rows if there is None else there[rows]] = each_row(rule(run_values, starts, groups), starts)
    return out.reshape(shape)


def _not_in_tens(column: Any) -> ValueError:
    values, missing = number_values(column, name="a score")
    bad = (values % 10 != 0) if missing is None else (values % 10 != 0) & ~missing
    place = int(bad.argmax())
    return ValueError(
        f"expected scores that are multiples of ten, for the IMP scale, got {values[place].item()!r} "
        f"at position {place}"
    )


def each_run(of_groups: NDArray[Any], groups: NDArray[np.intp]) -> NDArray[Any]:
    """What holds for a group, for each of its runs."""
    return np.repeat(of_groups, np.diff(groups))


def each_row(of_runs: NDArray[Any], starts: NDArray[np.intp]) -> NDArray[Any]:
    """What holds for a run, for each of its rows."""
    if of_runs.size == starts[-1]:
        return of_runs
    run = np.zeros(starts[-1], np.intp)
    run[starts[1:-1]] = 1
    return of_runs.take(np.cumsum(run, out=run))  # quicker than to repeat, where runs are short
