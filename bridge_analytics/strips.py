"""Strip plots: what a contestant got on each board, in the order of play; and the boards of a whole field."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics import captions, marks
from bridge_analytics.words import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABEL = 20  # characters of the name of a line
_MIDDLE = {"matchpoints": 50.0}  # of a form, else 0


def strip_plot(own: pd.DataFrame, *, ax: "Axes | None" = None, language: str = "en") -> "Axes":
    """One contestant's boards in the order of play: a dot each, over or under the average of the field.

    Parameters
    ----------
    own : DataFrame
        As :func:`own_results` gives it.
    ax : Axes, optional
    language : {"en", "es"}

    Returns
    -------
    Axes
        Boards that earned nothing have no dot; the label of the axis counts them.

    Raises
    ------
    ValueError
        If the table has no rows, lacks a column or mixes forms of scoring.

    Examples
    --------
    >>> own = pd.DataFrame({"board_label": ["1", "2"], "form": "matchpoints", "earned": [3.0, None],
    ...                     "percent": [75.0, None]})
    >>> strip_plot(own).get_xlabel()
    'boards in the order of play (1 without one)'
    """
    value, unit, middle = strip_values(own)
    ax, place = ax or marks.new_axes(), np.arange(len(own))
    good = value >= middle
    ax.axhline(middle, color=marks.GREY, linewidth=0.8, zorder=0)
    ax.vlines(place, middle, value, colors=marks.GREY, linewidth=0.8, zorder=0)
    for which, colour, shape in ((good, marks.BLUE, "o"), (value < middle, marks.VERMILLION, "s")):
        ax.plot(place[which], value[which], shape, color=colour, markersize=4, linestyle="")
    step = 1 + len(own) // 16
    ax.set_xticks(place[::step], own["board_label"].astype("str").fillna("")[::step], fontsize="small")
    ax.set(xlim=(-0.7, len(own) - 0.3), xlabel=boards_label(value, words(language)), ylabel=unit)
    if middle:
        ax.set_ylim(-4, 104)
    return ax


def field_strips(own: pd.DataFrame, *, ax: "Axes | None" = None, language: str = "en") -> "Axes":
    """The boards of several contestants, a line each in the order of the table: where many dots fall it is darker.

    Parameters
    ----------
    own : DataFrame
        Tables of :func:`own_results`, one under the other; where ``label`` is a column, it names the line.
    ax : Axes, optional
    language : {"en", "es"}

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        As :func:`strip_plot`.

    Examples
    --------
    >>> own = pd.DataFrame({"contestant": ["7", "3"], "board_label": "1", "form": "butler", "earned": [3.0, -3.0]})
    >>> [label.get_text() for label in field_strips(own).get_yticklabels()]
    ['7', '3']
    """
    value, unit, middle = strip_values(own)
    line, names = line_names(own)
    ax = ax or marks.new_axes(len(names))
    ax.axvline(middle, color=marks.GREY, linewidth=0.8, zorder=0)
    ax.plot(value, line, "o", color=marks.BLUE, alpha=0.3, markersize=5, markeredgewidth=0)
    ax.set_yticks(range(len(names)), names, fontsize="small")
    ax.set(ylim=(len(names) - 0.5, -0.5), xlabel=f"{words(language)['boards'].lower()} [{unit}]")
    return ax


def line_names(own: pd.DataFrame) -> tuple[NDArray[np.intp], list[str]]:
    """The line of each row, and what the lines are called: by ``label``, where there is one, and not at length."""
    captions.check_columns(own, "contestant")
    line, names = pd.factorize(own["label" if "label" in own else "contestant"].astype("str"))
    return line, [name[: _LABEL - 1] + "…" if len(name) > _LABEL else name for name in names]


def boards_label(value: NDArray[np.float64], say: Mapping[str, str]) -> str:
    """The label of the axis of boards, which counts those that earned nothing."""
    lost = int(np.isnan(value).sum())
    return say["boards_in_order"] + (f" ({say['without_award'].format(lost)})" if lost else "")


def strip_values(own: pd.DataFrame) -> tuple[NDArray[np.float64], str, float]:
    """What each board earned, its unit, and the average of a field."""
    captions.check_columns(own, "board_label", "form", "earned")
    form = captions.only(own, "form")
    column = own["percent"] if form == "matchpoints" else own["earned"]
    unit = "%" if form == "matchpoints" else captions.UNITS.get(form, form)
    return column.to_numpy(np.float64, na_value=np.nan), unit, _MIDDLE.get(form, 0.0)
