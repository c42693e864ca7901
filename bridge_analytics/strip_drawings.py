"""The strips of a page, drawn as SVG without a plotting library: a page has one for each of its contestants."""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor
from unicodedata import combining, east_asian_width

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.marks import BLUE, GREY, VERMILLION
from bridge_analytics.sheets import numbers
from bridge_analytics.strips import boards_label, line_names, strip_values
from bridge_analytics.words import words

WIDTH = 460  # of a drawing, in its own units: a phone shows nearly as many pixels
_FONT = 12
_ROW = 18  # height of the line of a contestant
_STEPS = [factor * 10.0**power for power in range(-3, 6) for factor in (1, 2, 5)]


def draw_strip(own: pd.DataFrame, *, label: str, language: str = "en") -> str:
    """One contestant's boards as SVG, as :func:`bridge_analytics.strips.strip_plot` shows them.

    Parameters
    ----------
    own : DataFrame
        As :func:`own_results` gives it.
    label : str
        What it shows, for those who do not see it.
    language : {"en", "es"}

    Returns
    -------
    str

    Raises
    ------
    ValueError
        As :func:`bridge_analytics.strips.strip_plot`.

    Examples
    --------
    >>> own = pd.DataFrame({"board_label": ["1", "2"], "form": "matchpoints", "earned": [3.0, 1.0],
    ...                     "percent": [75.0, 25.0]})
    >>> drawing = draw_strip(own, label="Pair 7")
    >>> drawing.count("<circle"), drawing.count("<rect")
    (1, 1)
    """
    value, unit, middle = strip_values(own)
    low, high = _limits(value, middle)
    across = np.interp(np.arange(len(own)), [-0.7, len(own) - 0.3], [48, WIDTH - 6])
    up, ticks = np.interp(value, [low, high], [128, 8]), _ticks(low, high)
    level = float(np.interp(middle, [low, high], [128, 8]))
    there = list(zip(across.tolist(), up.tolist(), (value >= middle).tolist(), strict=True))
    there = [dot for dot in there if dot[1] == dot[1]]
    step = 1 + len(own) // 16
    named = zip(across[::step].tolist(), own["board_label"].astype("str").fillna("")[::step], strict=True)
    parts = [
        f'<path stroke="{GREY}" d="M48 {level:.1f}H{WIDTH - 6}'
        + "".join(f"M{x:.1f} {level:.1f}V{y:.1f}" for x, y, _ in there)
        + '"/>',
        *(_dot(x, y) if good else _square(x, y) for x, y, good in there),
        *_beside(np.interp(ticks, [low, high], [128, 8]), numbers(ticks, decimal=words(language)["decimal"]), 42),
        *(_text(x, 146, name) for x, name in named),
        _text((48 + WIDTH) / 2, 166, boards_label(value, words(language))),
        _text(4, 72, unit, "start"),
    ]
    return _drawing(parts, 172, label)


def draw_field(own: pd.DataFrame, *, label: str, language: str = "en") -> str:
    """The boards of several contestants as SVG, as :func:`bridge_analytics.strips.field_strips` shows them.

    Parameters
    ----------
    own : DataFrame
        Tables of :func:`own_results`, one under the other; where ``label`` is a column, it names the line.
    label, language
        As for :func:`draw_strip`.

    Returns
    -------
    str

    Examples
    --------
    >>> own = pd.DataFrame({"contestant": ["7", "3"], "board_label": "1", "form": "butler", "earned": [3.0, -3.0]})
    >>> draw_field(own, label="all").count("<circle")
    2
    """
    say, (value, unit, middle) = words(language), strip_values(own)
    line, names = line_names(own)
    left = 14 + max(map(_width, names))
    (low, high), foot = _limits(value, middle), 8 + _ROW * len(names)
    ticks, ends = _ticks(low, high), ([low, high], [left + 6, WIDTH - 16])
    across, level = np.interp(value, *ends).tolist(), float(np.interp(middle, *ends))
    rows = [(x, 8 + _ROW * (row + 0.5)) for x, row in zip(across, line.tolist(), strict=True) if x == x]
    texts = numbers(ticks, decimal=say["decimal"])
    parts = [
        f'<path stroke="{GREY}" d="M{level:.1f} 4V{foot}"/>',
        '<g fill-opacity=".3">' + "".join(_dot(x, y) for x, y in rows) + "</g>",
        *_beside(8 + _ROW * (np.arange(len(names)) + 0.5), names, left - 6),
        *(_text(x, foot + 18, text) for x, text in zip(np.interp(ticks, *ends).tolist(), texts, strict=True)),
        _text((left + WIDTH) / 2, foot + 38, f"{say['boards'].lower()} [{unit}]"),
    ]
    return _drawing(parts, foot + 44, label)


def _limits(value: NDArray[np.float64], middle: float) -> tuple[float, float]:
    """The ends of the axis of values: of percentages always the same, else as far as they go."""
    if middle:
        return 0.0, 100.0
    known = [0.0, *value[~np.isnan(value)].tolist()]
    low, high = min(known), max(known)
    return (low, high) if low < high else (-1.0, 1.0)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between the two, six or fewer."""
    step = next(step for step in _STEPS if (high - low) / step < 6)
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _width(name: str) -> float:
    """About how wide a name is: a letter of the East takes two places, a mark on another none."""
    places = sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in name)
    return 0.6 * _FONT * places


def _beside(heights: NDArray[np.floating], names: Sequence[str], x: float) -> Iterable[str]:
    return (_text(x, y + _FONT / 3, name, "end") for y, name in zip(heights.tolist(), names, strict=True))


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{BLUE}"/>'


def _square(x: float, y: float) -> str:
    return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{VERMILLION}"/>'


def _drawing(parts: Iterable[str], height: float, label: str) -> str:
    head = f'role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height:.0f}"'
    style = f'font-family="system-ui, sans-serif" font-size="{_FONT}" fill="#333"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {style}>' + "\n".join(parts) + "</svg>"
