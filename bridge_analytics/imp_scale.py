"""International Match Points: the scale of an edition as a table of every difference of 16 bits."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, shape_of, spans
from bridge_analytics.readers import number_values
from bridge_analytics.rules import Edition, load_edition

LIMIT = 1 << 15
_OFF_GRID = -128
_ROUNDINGS = ("down", "away", "toward")
_FAR = 10.0**15  # beyond it a float does not know its last digits


def imps(
    difference: ArrayLike, *, edition: str | Edition = "imps-1962", rounding: str | None = None
) -> NDArray[np.int8]:
    """International Match Points for differences in points.

    Parameters
    ----------
    difference : array_like of int or whole float, any shape
        Our points minus theirs on one board. [points]
    edition : str or Edition
        A scale of kind ``imps``.
    rounding : {None, "down", "away", "toward"}
        What to do with a difference that is no multiple of ten, on its size: ``down`` to the ten below (19 -> 10),
        or to the nearest ten with a five going ``away`` from zero (15 -> 20) or ``toward`` it (15 -> 10).

    Returns
    -------
    ndarray of int8, same shape
        Signed like ``difference``, from -24 to 24 on the default scale. [IMPs]

    Raises
    ------
    ValueError
        If a difference is missing or not finite, or is no multiple of ten and ``rounding`` is not given.

    Notes
    -----
    Scores are multiples of ten and the Law says nothing of what lies between them; only averaged and weighted scores
    come there, so it is the caller's choice. Source: Law 78B; text 003.

    Examples
    --------
    >>> imps([0, 10, 20, -430, 4000])
    array([  0,   0,   1, -10,  24], dtype=int8)
    >>> imps(15, rounding="away"), imps(15, rounding="toward")
    (np.int8(1), np.int8(0))
    """
    if rounding not in (None, *_ROUNDINGS):
        raise ValueError(f"expected rounding 'down', 'away', 'toward' or None, got {rounding!r}")
    scale = load_edition(edition, kind="imps")
    table = _imp_table(scale, rounding)
    column = as_column(difference)
    shape = shape_of(column)
    values, missing = number_values(column, name="a difference")
    if missing is not None:
        raise ValueError(f"expected a difference in points, got a missing value at position {int(missing.argmax())}")
    out = np.empty(values.size, np.int8)
    index = np.empty(min(values.size, 1 << 16), np.intp)
    for start, stop in spans(values.size, 1 << 16):
        part = values[start:stop]
        if part.dtype.kind == "f" or part.max() >= LIMIT or part.min() < -LIMIT:
            _refuse_far(part, start)
            out[start:stop] = _imps_of_any(part, scale, rounding)
        else:
            place = index[: stop - start]
            np.add(part, LIMIT, out=place, dtype=np.intp, casting="unsafe")
            table.take(place, out=out[start:stop], mode="wrap")
        if out[start:stop].min() == _OFF_GRID:
            bad = start + int((out[start:stop] == _OFF_GRID).argmax())
            raise ValueError(
                f"expected a difference that is a multiple of ten (or a `rounding`), got {values[bad].item()!r} "
                f"at position {bad}"
            )
    return out.reshape(shape)[()]


def _refuse_far(difference: NDArray[Any], start: int) -> None:
    far = abs(difference.astype(np.float64)) > _FAR
    if far.any():
        place = int(far.argmax())
        raise ValueError(
            f"expected a difference in points, got {difference[place].item()!r} at position {start + place}"
        )


def _to_tens(size: NDArray[Any], rounding: str | None) -> NDArray[np.int64]:
    """Sizes of differences in tens; -1 where they are no multiple of ten and ``rounding`` is None."""
    if rounding is None:
        return np.where(size % 10 == 0, size // 10, -1).astype(np.int64)
    if rounding == "down":
        return (size // 10).astype(np.int64)
    if rounding == "away":
        return ((size + 5) // 10).astype(np.int64)
    return -((5 - size) // 10).astype(np.int64)


def _imps_of_any(difference: NDArray[Any], scale: Edition, rounding: str | None) -> NDArray[np.int8]:
    tens = _to_tens(abs(difference.astype(np.float64)), rounding)
    size = np.searchsorted(np.asarray(scale["imps.starts"]), 10 * tens, side="right")
    return np.where(tens < 0, _OFF_GRID, np.sign(difference) * size).astype(np.int8)


@lru_cache(maxsize=32)
def _imp_table(scale: Edition, rounding: str | None) -> NDArray[np.int8]:
    """IMPs of every difference of 16 bits, at difference + 32768."""
    return _imps_of_any(np.arange(-LIMIT, LIMIT), scale, rounding)


@lru_cache(maxsize=8)
def imp_table_of_tens(scale: Edition) -> tuple[NDArray[np.int32], int]:
    """IMPs of differences below ``LIMIT`` in tens of points, with a 0 at either end, and where difference 0 stands."""
    most = LIMIT // 10
    return np.pad(imps(np.arange(-most, most + 1) * 10, edition=scale).astype(np.int32), 1), most + 1
