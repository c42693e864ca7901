"""One result of a field replaced and all others kept: what a row would have earned with another score.

Matchpoints and cross-IMPs are sums of what a score is worth against each other one. Small fields are added up pair by
pair, all fields of a size at once. Of large ones the different scores are sorted and counted first. Butler, whose datum
changes with the score, writes the field out once for each pair of an old and a new score of a deal.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, spans
from bridge_analytics.datums import butler
from bridge_analytics.groups import field_chunks, group_codes, ranked
from bridge_analytics.imp_scale import imps
from bridge_analytics.readers import number_values
from bridge_analytics.rules import Edition, load_edition

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Codes = NDArray[np.int64]
Column = tuple[NDArray[Any], NDArray[np.bool_] | None]
Worth = Callable[[NDArray[Any]], NDArray[Any]]
"""``worth(difference)``: what a score earns from another one that is so much lower; it may use up what it is given."""

_WIDTHS = (0, 4, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128)
"""Fields up to the last of these results are compared pair by pair, all within a step at a time."""
_PAIRS = 1 << 15  # pairs compared at a time
_WRITTEN = 1 << 20  # rows of fields written out at a time


def replaced_matchpoints(score: ArrayLike, new: ArrayLike, *, by: Any, win: float = 2, percent: bool = False) -> Floats:
    """Matchpoints of each new score in its field, with the row's own score out of it.

    Parameters
    ----------
    score, new : array_like, shape (n,)
        The scores that are there and what each row might have had instead. Missing: not there, not asked. [points]
    by : column of labels, or table of label columns, n rows
    win, percent
        As in :func:`comparison.matchpoints`.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where there is no new score. [matchpoints or %]

    Examples
    --------
    >>> replaced_matchpoints([620, 170, 620, -100], [170, 170, -200, 700], by=[1, 1, 1, 1])
    array([3., 2., 0., 6.])
    """
    (own, absent), (asked, unasked), codes = _columns(score, new, by)
    points = _replaced(*_narrow(own, asked), codes, _beaten, absent, unasked)
    points *= win / 2
    if percent:
        points *= 100 / win / _others(absent, codes)
    return points


def replaced_cross_imps(
    score: ArrayLike, new: ArrayLike, *, by: Any, average: bool = True, edition: str | Edition = "imps-1962"
) -> Floats:
    """IMPs of each new score against the others of its deal; for the rest as :func:`replaced_matchpoints`.

    Examples
    --------
    >>> replaced_cross_imps([620, 170, 140, 140, -100], [170, 170, 170, -100, -100], by=[1] * 5)
    array([ 2.25, -0.25, -0.5 , -6.25, -7.75])
    """
    (own, absent), (asked, unasked), codes = _columns(score, new, by)
    scale = load_edition(edition, kind="imps")
    own, asked = _tens(own, absent), _tens(asked, unasked)
    most = int(max(own.max(initial=0), asked.max(initial=0)) - min(own.min(initial=0), asked.min(initial=0)))
    table = imps(10 * np.arange(-most - 1, most + 1), edition=scale).astype(np.int16)
    table[0] = 0  # for what is not there

    def won(difference: NDArray[Any]) -> NDArray[Any]:
        return table.take(difference, mode="clip")

    total = _replaced(own, asked + (most + 1), codes, won, absent, unasked)
    return total / _others(absent, codes) if average else total


def replaced_butler(
    score: ArrayLike,
    new: ArrayLike,
    *,
    by: Any,
    datum: str | Edition = "datum-trimmed",
    edition: str | Edition = "imps-1962",
) -> Floats:
    """Butler IMPs of each new score, which takes part in the datum in place of the row's own; whole numbers.

    For the rest as :func:`replaced_matchpoints`. The time grows with the rows whose score changes times their field.

    Examples
    --------
    >>> replaced_butler([-650, -170, -1440, 100, -170, -200], [-620, 100, -1440, 100, -170, -200], by=[3] * 6)
    array([ -8.,   8., -15.,   9.,   4.,   3.])
    """
    *columns, codes = _columns(score, new, by)
    own, asked = (np.where(False if no is None else no, np.nan, values) for values, no in columns)
    out = butler(own, by=codes, datum=datum, edition=edition)
    changed = np.flatnonzero(own != asked)
    kind, _ = group_codes(pd.DataFrame({"deal": codes, "own": own, "new": asked}).iloc[changed])
    _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
    found, chosen = np.empty(first.size), changed[first]
    for part, field, label, slot in _fields(codes, chosen):
        scores = own[field]
        scores[slot] = asked[chosen[part]]
        found[part] = butler(scores, by=label, datum=datum, edition=edition)[slot]
    out[changed] = found[kind]
    return out


def _columns(score: ArrayLike, new: ArrayLike, by: Any) -> tuple[Column, Column, Codes]:
    """Old scores and new ones, each with which are missing (None: none is), and group numbers."""
    own, asked = number_values(as_column(score), name="a score"), number_values(as_column(new), name="a new score")
    codes, _ = group_codes(by)
    if not own[0].size == asked[0].size == codes.size:
        raise ValueError(
            f"expected a new score and a label in `by` for each score, got {asked[0].size} new scores and {codes.size} "
            f"labels for {own[0].size} scores"
        )
    return own, asked, codes


def _narrow(own: NDArray[Any], asked: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Scores in the same order, of 16 bits where that is enough, so that no difference overflows."""
    if own.size and own.dtype.kind in "iu" and asked.dtype.kind in "iu":
        low, high = min(own.min(), asked.min()), max(own.max(), asked.max())
        if int(high) - int(low) < (1 << 15) - 1:
            return (own - low).astype(np.int16), (asked - low).astype(np.int16)
    ranks, _ = ranked(np.concatenate([own, asked]))
    return ranks[: own.size], ranks[own.size :]


def _tens(scores: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    tens = (scores // 10).astype(np.int64)
    wrong = tens * 10 != scores
    if missing is not None:
        wrong &= ~missing
    if wrong.any():
        place = int(wrong.argmax())
        raise ValueError(
            f"expected scores that are multiples of ten, for the IMP scale, got {scores[place].item()!r} at position "
            f"{place}"
        )
    return tens


def _beaten(difference: NDArray[Any]) -> NDArray[Any]:
    """2 for a lower score, 1 for an equal one, 0 for a higher one."""
    np.sign(difference, out=difference)
    difference += 1
    return difference


def _others(absent: NDArray[np.bool_] | None, codes: Codes) -> Floats:
    """How many other results each row is compared with; NaN for none."""
    there = 1 if absent is None else ~absent
    others = np.bincount(codes, None if absent is None else ~absent)[codes] - there if codes.size else np.empty(0)
    return np.where(others > 0, others, np.nan)


def _replaced(
    own: NDArray[Any],
    asked: NDArray[Any],
    codes: Codes,
    worth: Worth,
    absent: NDArray[np.bool_] | None,
    unasked: NDArray[np.bool_] | None,
) -> Floats:
    """The sum of what each new score is worth against the results of its deal, less that against the row's own."""
    nothing = (1 << 15) - 1 if own.dtype == np.int16 else 1 << 40  # higher than any score: nothing is earned from it
    size, old, new = np.bincount(codes), np.append(own, own.dtype.type(nothing)), np.append(asked, asked[:1])
    if absent is not None:
        old[:-1][absent] = nothing
    total = np.empty(codes.size + 1)
    for field in _small_fields(codes, size):
        scores, wanted = old[field], new[field]
        earned = -worth(wanted - scores)
        for score in scores:
            earned += worth(wanted - score)
        total[field] = earned
    large = np.flatnonzero(size[codes] > _WIDTHS[-1])
    if large.size:
        total[large] = _from_runs(old[large], new[large], codes[large], worth)
    if unasked is not None:
        total[:-1][unasked] = np.nan
    return total[:-1]


def _by_group(codes: Codes) -> Places:
    """The rows in the order of their groups: as they come, or by one sort of group and row packed into a number."""
    if (codes[1:] >= codes[:-1]).all():
        return np.arange(codes.size)
    bits = max(codes.size - 1, 1).bit_length()
    key = (codes << bits) + np.arange(codes.size)
    key.sort()
    return np.asarray(key & ((1 << bits) - 1), np.intp)


def _small_fields(codes: Codes, size: Places) -> Iterator[Places]:
    """Rows of fields of about one size, a field a column, as many as fit the cache; n where a field has no more."""
    order, first = np.append(_by_group(codes), codes.size), np.cumsum(size) - size
    for narrow, width in pairwise(_WIDTHS):
        groups, seat = np.flatnonzero((size > narrow) & (size <= width)), np.arange(width)[:, None]
        for start, stop in spans(groups.size, max(1, _PAIRS // width)):
            part = groups[start:stop]
            yield order[np.where(seat < size[part], first[part] + seat, codes.size)]


def _from_runs(own: NDArray[Any], asked: NDArray[Any], codes: Codes, worth: Worth) -> Floats:
    """The sum of what each new score is worth against the field of its deal, each different score of it once."""
    ranks, back = ranked(np.concatenate([own, asked]))
    back = np.arange(int(ranks.max()) + 1) + back if isinstance(back, int) else back
    total = np.empty(codes.size)
    chunks = (field_chunks(codes, part) for part in (ranks[: codes.size], ranks[codes.size :]))
    for (_, runs, starts, groups), (new_rows, new_runs, new_starts, new_groups) in zip(*chunks, strict=True):
        earned = _earned(back[runs], np.diff(starts), groups, back[new_runs], new_groups, worth)
        total[new_rows] = np.repeat(earned, np.diff(new_starts))
    return total - worth(asked - own)


def _earned(
    values: NDArray[Any], counts: Places, groups: Places, asked: NDArray[Any], asked_groups: Places, worth: Worth
) -> Floats:
    """The same for a chunk: deals by how many different scores they have, all of a kind at once."""
    group = np.repeat(np.arange(groups.size - 1), np.diff(asked_groups))
    different, total = np.diff(groups)[group], np.empty(asked.size)
    for number in np.flatnonzero(np.bincount(different)).tolist():
        same = np.flatnonzero(different == number)
        for start, stop in spans(same.size, max(1, _PAIRS // number)):
            part = same[start:stop]
            place = groups[group[part]] + np.arange(number)[:, None]
            total[part] = np.einsum("ij,ij->j", worth(asked[part] - values[place]), counts[place])
    return total


def _fields(codes: Codes, chosen: Places) -> Iterator[tuple[slice, Places, Places, Places]]:
    """Blocks of chosen rows with their fields: which of them, the rows of the fields, whose field, their own places."""
    order, size = _by_group(codes), np.bincount(codes)
    position = np.empty(codes.size, np.intp)
    position[order] = np.arange(codes.size)
    first, sizes = np.cumsum(size) - size, size[codes[chosen]]
    starts = np.flatnonzero(np.diff(np.cumsum(sizes) // _WRITTEN, prepend=-1)).tolist()
    for start, stop in pairwise([*starts, chosen.size]):
        rows, many = chosen[start:stop], sizes[start:stop]
        shift = first[codes[rows]] - (np.cumsum(many) - many)
        field = order[np.repeat(shift, many) + np.arange(many.sum())]
        yield slice(start, stop), field, np.repeat(np.arange(rows.size), many), position[rows] - shift
