"""The marks that figures are made of: a new Axes, notes beside it, intervals, a map of numbers, a matrix of dots.

The colours are those of Okabe and Ito (2008), safe for the colour-blind; line styles, markers and numbers say the same
in grey.
"""

from collections.abc import Iterable, Sequence
from itertools import cycle
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Transform

BLUE, VERMILLION, GREY = "#0072B2", "#D55E00", "#999999"
COLOURS = (BLUE, VERMILLION, "#009E73", "#000000", "#E69F00", "#CC79A7", "#56B4E9")
STYLES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINE = 11.0  # height of a line of the dot matrix [typographic points]


def new_axes(rows: int = 0) -> "Axes":
    """Return the Axes of a new figure of 6 by 4 inches, higher for many rows; a notebook shows it by itself."""
    from matplotlib import pyplot as plt

    _, ax = plt.subplots(figsize=(6.0, max(4.0, 1.0 + 0.22 * rows)), layout="constrained")
    return ax


def looks(lines: int) -> list[dict[str, Any]]:
    """Return colour, style and marker for each of so many lines; they repeat after 28, as 7 and 4 share no factor."""
    if lines > len(COLOURS) * len(STYLES):
        raise ValueError(f"expected at most {len(COLOURS) * len(STYLES)} lines in one figure, got {lines}")
    cycles = zip(range(lines), cycle(COLOURS), cycle(STYLES), cycle(MARKERS), strict=False)
    return [{"color": color, "linestyle": style, "marker": marker} for _, color, style, marker in cycles]


def count_lines(texts: Iterable[str]) -> int:
    """Return how many lines texts take one under the other."""
    return sum(text.count("\n") + 1 for text in texts)


def note(ax: "Axes", text: str, at: tuple[float, float], offset: tuple[float, float], within: "Transform") -> None:
    """Write a text that ends so many typographic points right of, and over, a place on or beside the Axes."""
    style: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": "small", "annotation_clip": False}
    ax.annotate(text, at, xycoords=within, xytext=offset, textcoords="offset points", **style)


def band(ax: "Axes", observed: pd.DataFrame) -> None:
    """Draw one observed share as an upright line within its interval, both named in the legend. [%]"""
    if len(observed) != 1:
        raise ValueError(f"expected one row of an observed share, got {len(observed)}")
    share, low, high = observed[["estimate", "low", "high"]].to_numpy(np.float64)[0].tolist()
    ax.axvspan(low, high, color="0.88", zorder=-1)
    ax.axvline(share, color="0.5", label=f"observed: {100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})")


def intervals(ax: "Axes", table: pd.DataFrame, *, upright: bool) -> None:
    """Draw each row's estimate and interval at its number, and a line at zero; what a row lacks is not drawn."""
    place = np.arange(len(table))
    known, bounded = table["estimate"].notna().to_numpy(), table["low"].notna().to_numpy()
    limits = place[bounded], table["low"][bounded], table["high"][bounded]
    points = table["estimate"][known], place[known]
    (ax.axhline if upright else ax.axvline)(0, color=GREY, linewidth=0.8, zorder=0)
    (ax.vlines if upright else ax.hlines)(*limits, colors=BLUE, linewidth=1.2)
    ax.plot(*(points[::-1] if upright else points), "o", color=BLUE, markersize=4)


def number_map(
    ax: "Axes | None",
    rows: Sequence[str],
    columns: Sequence[str],
    values: NDArray[Any],
    texts: Sequence[str],
    **scale: Any,
) -> "Axes":
    """Draw a map of coloured cells with their texts; rows and columns stand in the order in which they first occur.

    Parameters
    ----------
    ax : Axes or None
    rows, columns : sequence of str, shape (n,)
        Where each value belongs.
    values : ndarray, shape (n,)
        What the colour says; none for a missing one.
    texts : sequence of str, shape (n,)
    **scale
        As for :meth:`Axes.imshow`: ``cmap``, with ``vmin`` and ``vmax`` or ``norm``.

    Raises
    ------
    ValueError
        If two values belong into one cell.
    """
    row, row_names = pd.factorize(np.array(rows, object))
    column, column_names = pd.factorize(np.array(columns, object))
    twice = pd.Series(row * len(column_names) + column).duplicated().to_numpy()
    if twice.any():
        place = int(twice.argmax())
        raise ValueError(
            f"expected one row of the table for each cell, got a second for {rows[place]!r} and {columns[place]!r} "
            f"at position {place}"
        )
    cells = np.full((len(row_names), len(column_names)), np.nan)
    cells[row, column] = values
    ax = ax or new_axes(len(row_names))
    image = ax.imshow(cells, aspect="auto", **scale)
    dark = image.to_rgba(np.ma.masked_invalid(values))[:, :3].mean(axis=1) < 0.45
    for x, y, text, on_dark in zip(column.tolist(), row.tolist(), texts, dark & np.isfinite(values), strict=True):
        ax.text(x, y, text, ha="center", va="center", fontsize="small", color="white" if on_dark else "black")
    width = max(6, 66 // len(column_names))  # characters that a column of six inches has room for
    heads = [_stacked(name, width) for name in column_names]
    fits = max(len(line) for head in heads for line in head.split("\n")) <= width
    ax.set_xticks(range(len(heads)), heads, fontsize="small" if fits else "x-small")
    ax.set_yticks(range(len(row_names)), row_names, fontsize="small")
    return ax


def dot_matrix(ax: "Axes", chosen: Sequence[tuple[str, NDArray[np.bool_]]]) -> None:
    """Draw under the Axes a line for each label, with a dot at each whole x where it is chosen.

    The lines have a fixed height in typographic points, so that a layout can make room for them as for tick labels.
    """
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    to_inches = ax.figure.dpi_scale_trans
    for line, (label, there) in enumerate(chosen, start=1):
        lower = ax.get_xaxis_transform() + ScaledTranslation(0, -line * LINE / 72, to_inches)
        for places, colour, size in ((~there, "0.85", 2.0), (there, BLUE, 4.0)):
            x = np.flatnonzero(places)
            dots = Line2D(x, np.zeros(x.size), linestyle="", marker="o", color=colour, markersize=size, clip_on=False)
            dots.set_transform(lower)
            ax.add_artist(dots)
        note(ax, label, (0, 0), (-6, -line * LINE), ax.transAxes)


def _stacked(name: str, width: int) -> str:
    """Return a label with its parts one under the other."""
    return "\n".join(fill(part, width, break_long_words=False) for part in name.split(", "))
