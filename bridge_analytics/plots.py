"""Figures: each takes a table that another function made, draws it on an Axes and returns that Axes.

Drawing computes nothing: what a figure shows stands in its table. What tells the rows of a table apart goes into their
labels, what they share into the label of an axis. Without `ax` pyplot makes a new figure, 6 by 4 inches and higher for
many rows: a notebook shows it, and ``forest(table).figure.savefig("forest.png")`` keeps it.
"""

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bridge_analytics import captions, marks
from bridge_analytics.strips import field_strips as field_strips
from bridge_analytics.strips import strip_plot as strip_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUESTION = ("estimand", *captions.ACTION, "weights", "within")
ANSWER = (
    *("form", "estimate", "se", "low", "high", "share_gained", "share_flat", "share_lost", "results", "boards"),
    *("clusters", "design_effect", "method", "warnings"),
)
FINEST = {"points": 10.0, "matchpoints": 0.5}  # the smallest swing of a form; else 1


def forest(table: pd.DataFrame, *, ax: "Axes | None" = None) -> "Axes":
    """Estimates one under the other with their intervals; numbers of results and boards at the right.

    Parameters
    ----------
    table : DataFrame
        Estimates, as :func:`compare`, :func:`matched` or a function of :mod:`inference` returns them.
    ax : Axes, optional

    Returns
    -------
    Axes
        The first row is at the top; one without an estimate says so, with its warnings.

    Raises
    ------
    ValueError
        If the table has no rows, lacks ``estimate``, ``low``, ``high`` or ``results``, or mixes forms of scoring.

    Examples
    --------
    >>> from bridge_analytics.inference import paired_difference
    >>> gains = paired_difference([5, 2, -9, 3], cluster=[1, 1, 2, 3], within=["3S", "3S", "2H", "2H"])
    >>> ax = forest(gains.assign(form="imps", action="double", against="pass"))
    >>> ax.get_xlabel(), [label.get_text() for label in ax.get_yticklabels()]
    ('double against pass [IMPs]', ['3S', '2H'])
    """
    captions.check_columns(table, "estimate", "low", "high", "results")
    names, shared = captions.labels(table, QUESTION)
    measure, names = captions.measured(shared or "estimate", table), [fill(name, 34) for name in names]
    ax = ax or marks.new_axes(marks.count_lines(names))
    marks.intervals(ax, table, upright=False)
    ax.set(xlabel=measure, ylim=(len(table) - 0.5, -0.5))
    ax.set_yticks(range(len(table)), names)
    counts = ("results", *[name for name in ("boards", "clusters") if name in table][:1])
    for name, offset in zip(counts, (48, 94), strict=False):
        marks.note(ax, name, (1, 1), (offset, 6), ax.transAxes)
        for row, count in enumerate(table[name]):
            marks.note(ax, "" if pd.isna(count) else f"{count:,.0f}", (1, row), (offset, 0), ax.get_yaxis_transform())
    for row in np.flatnonzero(table["estimate"].isna()).tolist():
        text = captions.joined(["no estimate", table.iloc[row].get("warnings", "")])
        marks.note(ax, text, (1, row), (-6, 0), ax.get_yaxis_transform())
    return ax


def specification_curve(table: pd.DataFrame, *, ax: "Axes | None" = None) -> "Axes":
    """One question under many choices: estimates in rising order with their intervals, and under each its choices.

    Parameters
    ----------
    table : DataFrame
        Estimates, as in :func:`forest`. Its other columns are the choices, but for those of numbers.
    ax : Axes, optional

    Returns
    -------
    Axes
        Under the axis a matrix of dots, a line for each value of each choice that varies.

    Raises
    ------
    ValueError
        If the table has no rows, lacks ``estimate``, ``low`` or ``high``, mixes forms of scoring, or no choice varies.

    Examples
    --------
    >>> from bridge_analytics.inference import clustered_mean
    >>> both = pd.concat([clustered_mean([3, 5, -4], cluster=deal) for deal in ([1, 1, 2], [1, 2, 3])])
    >>> ax = specification_curve(both.assign(form="imps", cluster=["deal", "none"]))
    >>> [text.get_text() for text in ax.texts]
    ['cluster deal', 'cluster none']
    """
    captions.check_columns(table, "estimate", "low", "high")
    measure = captions.measured(captions.labels(table, QUESTION)[1] or "estimate", table)
    table = table.sort_values("estimate", kind="stable", ignore_index=True)
    names = [name for name in table if name not in ANSWER and table[name].dtype.kind not in "fiu"]
    words = {name: np.array([captions.word(str(name), value) for value in table[name]], object) for name in names}
    chosen = [
        (text or captions.word(str(name), "none"), words[name] == text)
        for name in names
        for text in pd.unique(words[name])
    ]
    chosen = [(text, there) for text, there in chosen if not there.all()]
    if not chosen:
        raise ValueError(f"expected a choice that varies among the columns, got {', '.join(map(str, table))}")
    ax = ax or marks.new_axes(8 + len(chosen))
    marks.intervals(ax, table, upright=True)
    marks.dot_matrix(ax, chosen)
    ax.set(xlim=(-0.6, len(table) - 0.4), ylabel=fill(measure, 40), xticks=[])
    lost = int(table["estimate"].isna().sum())
    order = f"{len(table)} specifications by estimate" + (f", {lost} without one" if lost else "")
    ax.set_xlabel(order, labelpad=marks.LINE * (len(chosen) + 0.8))
    return ax


def swing_histogram(table: pd.DataFrame, *, ax: "Axes | None" = None) -> "Axes":
    """How often an action gained how much: results by their swing, and how many gained, were flat and lost.

    Parameters
    ----------
    table : DataFrame
        A row for each result: ``swing`` and ``form``. Missing swings are counted in the label of the axis, not drawn.
    ax : Axes, optional

    Returns
    -------
    Axes
        Bars of one IMP; of another form up to about fifty bars. One of them is centred on zero.

    Raises
    ------
    ValueError
        If the table has no rows, lacks ``swing`` or ``form``, mixes forms of scoring, or has only missing swings.

    Examples
    --------
    >>> ax = swing_histogram(pd.DataFrame({"swing": [5, 2, 0, -9], "form": "imps"}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['lost: 1 (25.0 %)', 'flat: 1 (25.0 %)', 'gained: 2 (50.0 %)']
    """
    captions.check_columns(table, "swing", "form")
    measure = captions.measured(captions.joined(["swing", captions.action(table)]), table)
    swing = table["swing"].dropna().to_numpy(np.float64)
    if not swing.size:
        raise ValueError(f"expected a swing that is not missing, got {len(table)} missing")
    step = FINEST.get(captions.only(table, "form"), 1.0)
    step *= max(1.0, np.ceil(np.ptp(swing) / step / 50))
    edges = step * (np.arange(np.rint(swing.min() / step), np.rint(swing.max() / step) + 2) - 0.5)
    parts = {"lost": swing[swing < 0], "flat": swing[swing == 0], "gained": swing[swing > 0]}
    names = [f"{name}: {part.size:,} ({100 * part.size / swing.size:.1f} %)" for name, part in parts.items()]
    ax = ax or marks.new_axes()
    colours = [marks.VERMILLION, marks.GREY, marks.BLUE]
    ax.hist([*parts.values()], edges, stacked=True, color=colours, label=names, edgecolor="white")
    for bar in ax.containers[-3]:
        bar.set_hatch("////")
    missing = f" ({len(table) - swing.size:,} missing)" if len(table) > swing.size else ""
    ax.set(xlabel=measure, ylabel=f"results{missing}")
    ax.legend(fontsize="small")
    return ax


def expected_value(table: pd.DataFrame, *, observed: pd.DataFrame | None = None, ax: "Axes | None" = None) -> "Axes":
    """Mean gain of an action against the probability that decides on it, a line for each row of break-even odds.

    Parameters
    ----------
    table : DataFrame
        From :func:`break_even`. Rows with the same line share it, of which there may be 28.
    observed : DataFrame, optional
        One row of :func:`inference.clustered_proportion`: how often it happened, drawn as a line within its interval.
    ax : Axes, optional

    Returns
    -------
    Axes
        A marker on the zero line is where the action breaks even; the legend gives the number, as in the map.

    Raises
    ------
    ValueError
        If the table has no rows or too many, lacks a column of :func:`break_even`, or mixes forms, actions or sides.

    Examples
    --------
    >>> from bridge_analytics.decision import break_even
    >>> ax = expected_value(break_even("3S", vulnerable=False))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['one down: 81.8', '60/30/10: 72.0']
    """
    case, mix = captions.odds_columns(table)
    p, (names, shared) = captions.only(table, "p"), captions.labels(table, case + mix)
    measure = captions.measured(captions.joined(["mean gain", captions.action(table)]), table)
    ends = ("swing_made", "swing_down") if p == "P(down)" else ("swing_down", "swing_made")
    lines: dict[tuple[Any, ...], list[str]] = {}
    for name, low, high, *line in zip(names, *(table[column] for column in ("low", "high", *ends)), strict=True):
        turns = tuple(turn for turn in (low, high) if 0 < turn < 1)
        lines.setdefault((captions.odds(low, high), turns, *line), []).append(name)
    texts = [fill(f"{'; '.join(alike)}: {line[0]}", 26) for line, alike in lines.items()]
    ax, looks = ax or marks.new_axes(3 + marks.count_lines(texts)), marks.looks(len(lines))
    ax.axhline(0, color=marks.GREY, linewidth=0.8, zorder=0)
    for label, look, (_, turns, start, end) in zip(texts, looks, lines, strict=True):
        ax.plot([0, *turns, 1], [start, *[0] * len(turns), end], label=label, markevery=slice(1, -1), **look)
    if observed is not None:
        captions.check_columns(observed, "estimate", "low", "high")
        marks.band(ax, observed)
    ax.set(xlim=(0, 1), xlabel=f"{p} [%]", ylabel=fill(measure, 40))
    ax.set_xticks(np.linspace(0, 1, 6), [f"{percent}" for percent in range(0, 101, 20)])
    title = "\n".join(fill(part, 28) for part in (shared, f"breaks even at {p} [%]:") if part)
    legend = ax.legend(title=title, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small", alignment="left")
    legend.get_title().set_fontsize("small")
    return ax


def break_even_map(table: pd.DataFrame, *, ax: "Axes | None" = None) -> "Axes":
    """Break-even odds as numbers in a heat map: a row for each contract, a column for each mix of results.

    Parameters
    ----------
    table : DataFrame
        From :func:`break_even`.
    ax : Axes, optional

    Returns
    -------
    Axes
        ``81.8`` pays above that probability, ``< 41.7`` below it, ``always`` or ``never`` whatever it is. [%]

    Raises
    ------
    ValueError
        If the table has no rows or two for a cell, lacks a column of :func:`break_even`, or mixes forms or actions.

    Examples
    --------
    >>> from bridge_analytics.decision import break_even
    >>> ax = break_even_map(break_even(["2D", "2H"], vulnerable=True))
    >>> [text.get_text() for text in ax.texts]
    ['50.0', '37.5', '78.6', '68.8']
    """
    (rows, shared), (mixes, mix) = (captions.labels(table, columns) for columns in captions.odds_columns(table))
    question = f"break-even {captions.only(table, 'p')} [%], {captions.measured(captions.action(table), table)}"
    low, high = table[["low", "high"]].to_numpy(np.float64).T
    texts = [captions.odds(*ends) for ends in zip(low, high, strict=True)]
    turns = np.where((low == 0) & (high < 1), high, low)
    ax = marks.number_map(ax, rows, mixes, turns, texts, cmap="Blues", vmin=0, vmax=1.25)  # pale enough to be read
    ax.set_xlabel(fill(captions.joined([question, mix]), 52))
    ax.set_ylabel(fill(captions.joined(["contract", shared]), 40))
    return ax


def score_ladder(table: pd.DataFrame, *, ax: "Axes | None" = None) -> "Axes":
    """Scores by tricks as numbers in a heat map: a column for each contract and vulnerability, 13 tricks at the top.

    Parameters
    ----------
    table : DataFrame
        ``contract``, ``vulnerable``, ``tricks``, ``score`` of the declarer's side; ``edition`` where there are several.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the table has no rows or two for one cell, or lacks a column.

    Examples
    --------
    >>> from bridge_analytics.scoring import score
    >>> cells = pd.MultiIndex.from_product([["3S", "3SX"], [False, True], range(14)])
    >>> table = cells.to_frame(index=False, name=["contract", "vulnerable", "tricks"])
    >>> ax = score_ladder(table.assign(score=score(table["contract"], table["vulnerable"], table["tricks"])))
    >>> [label.get_text() for label in ax.get_yticklabels()][:3]
    ['13', '12', '11']
    """
    from matplotlib.colors import SymLogNorm

    captions.check_columns(table, "contract", "vulnerable", "tricks", "score")
    if table["score"].isna().any():
        raise ValueError("expected a score in every row, got a missing one")
    table = table.sort_values("tricks", ascending=False, kind="stable")
    columns, shared = captions.labels(table, ("edition", "contract", "vulnerable"))
    rows, values = [f"{tricks}" for tricks in table["tricks"]], table["score"].to_numpy(np.float64)
    texts = [f"{value:,.0f}".replace("-", "−") for value in values]
    norm = SymLogNorm(50, vmin=values.min(), vmax=values.max())
    ax = marks.number_map(ax, rows, columns, values, texts, cmap="cividis", norm=norm)
    ax.set_xlabel(captions.joined(["score of the declarer's side", shared]) + " [points]")
    ax.set_ylabel("won by the declarer's side [tricks]")
    return ax
