"""A field: all results of one deal. How a rule of comparison is applied to every field at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of
from bridge_analytics.groups import field_chunks, group_codes, ranked
from bridge_analytics.readers import number_values

Rule = Callable[[NDArray[Any], NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]
"""``rule(values, run_starts, group_runs)``: one number for each run of equal scores; see `groups.field_chunks`."""


def compared(score: ArrayLike, by: Any, rule: Rule, *, tens: bool = False) -> NDArray[np.float64]:
    """Apply a rule of comparison to the runs of every group and bring its answers back to the rows.

    Parameters
    ----------
    score, by
        As in :func:`comparison.matchpoints`.
    rule : Rule
        What one run is worth in its group.
    tens : bool
        Refuse a score that is no multiple of ten, for the IMP scale.

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
    for rows, run_ranks, starts, groups in field_chunks(codes, ranks):
        run_values = run_ranks + back if isinstance(back, int) else back[run_ranks]
        if tens and (run_values // 10 * 10 != run_values).any():
            raise _not_in_tens(column)
        answers = rule(run_values, starts, groups)
        out[rows if there is None else there[rows]] = np.repeat(answers, np.diff(starts))
    return out.reshape(shape)


def _not_in_tens(column: Any) -> ValueError:
    values, missing = number_values(column, name="a score")
    bad = (values % 10 != 0) if missing is None else (values % 10 != 0) & ~missing
    place = int(bad.argmax())
    return ValueError(
        f"expected scores that are multiples of ten, for the IMP scale, got {values[place].item()!r} "
        f"at position {place}"
    )


def group_rows(starts: NDArray[np.intp], groups: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each run, where its group starts among the rows and how many rows the group has."""
    edges = starts[groups]
    runs = np.diff(groups)
    return np.repeat(edges[:-1], runs), np.repeat(np.diff(edges), runs)
