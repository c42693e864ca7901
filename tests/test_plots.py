import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from bridge_analytics import inference, marks, plots
from bridge_analytics.decision import break_even
from bridge_analytics.scoring import score

CLUSTER = np.repeat(np.arange(6), 2)
SWINGS = [5, 2, -9, 3, 0, 7, -3, 2, 5, 5, 0, -9]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def exactly(message):
    return f"^{re.escape(message)}$"


def gains():
    """Return one question under three weightings, and one without an overlap."""
    each = [
        inference.paired_difference(SWINGS, cluster=CLUSTER),
        inference.paired_difference(SWINGS, cluster=None),
        inference.paired_difference(SWINGS[:2], cluster=[1, 1]),
        inference.paired_difference([np.nan], cluster=[1]),
    ]
    table = pd.concat(each).assign(estimand="same_tricks", action="double", against="pass", form="imps")
    return table.assign(weights=["result", "board", "cell", "doubled"], boards=[1234, 5, 6, 0])


def choices():
    """Return two estimates for each of two weightings, with and without redoubles, out of order."""
    table = pd.DataFrame({"weights": ["result", "board"] * 2, "redoubles": ["kept", "kept", "left out", "left out"]})
    table = table.assign(estimand="matched", action="double", against="pass", form="imps", results=10, boards=8)
    return table.assign(estimate=[2.0, -1.0, 3.0, np.nan], low=[1.0, -2.0, 2.5, np.nan], high=[3.0, 0.0, 4.0, np.nan])


def doubles():
    return break_even(["2D", "2H", "3S"], vulnerable=[False, True, False])


def swings():
    return pd.DataFrame({"swing": [*SWINGS, None], "form": "imps"})


def scores(*contracts):
    cells = pd.MultiIndex.from_product([contracts, [False, True], range(14)])
    table = cells.to_frame(index=False, name=["contract", "vulnerable", "tricks"])
    return table.assign(score=score(table["contract"], table["vulnerable"], table["tricks"]))


def ladder():
    return scores("3S", "3SX", "3SXX")


FIGURES = {
    plots.forest: (gains, ("estimate", "low", "high", "results")),
    plots.specification_curve: (choices, ("estimate", "low", "high")),
    plots.swing_histogram: (swings, ("swing", "form")),
    plots.expected_value: (doubles, ("p", "form", "action", "against", "swing_down", "swing_made", "low", "high")),
    plots.break_even_map: (doubles, ("p", "form", "action", "against", "contract", "vulnerable", "low", "high")),
    plots.score_ladder: (ladder, ("contract", "vulnerable", "tricks", "score")),
}
every_figure = pytest.mark.parametrize("plot", FIGURES, ids=lambda plot: plot.__name__)


def texts(artists):
    return [artist.get_text() for artist in artists]


def segments(ax):
    """Return the ends of the intervals that are drawn."""
    return [part.tolist() for lines in ax.collections for part in lines.get_segments()]


def curves(ax):
    """Return the lines of a legend's labels: x and y."""
    named = [line for line in ax.lines if not line.get_label().startswith("_")]
    return {line.get_label(): np.column_stack(line.get_data()).tolist() for line in named}


def overlaps(ax):
    """Return the pairs of labels of one axis that overlap, once everything has its place."""
    ax.figure.draw_without_rendering()
    found = []
    for axis, start, end in ((ax.xaxis, "x0", "x1"), (ax.yaxis, "y0", "y1")):
        boxes = [(label.get_window_extent(), label.get_text()) for label in axis.get_ticklabels()]
        boxes.sort(key=lambda box, start=start: getattr(box[0], start))
        pairs = pairwise(boxes)
        found += [(one, other) for (a, one), (b, other) in pairs if getattr(a, end) > getattr(b, start)]
    return found


# -- what holds for every figure ---------------------------------------------------------------------------------------


@every_figure
def test_the_axes_given_are_drawn_on_and_returned(plot):
    ax = Figure().subplots()
    assert plot(FIGURES[plot][0](), ax=ax) is ax
    assert ax.has_data()


@every_figure
def test_a_new_figure_is_one_that_a_notebook_shows(plot):
    ax = plot(FIGURES[plot][0]())
    assert ax.figure.get_axes() == [ax]
    assert pyplot.get_fignums() == [ax.figure.number]


@every_figure
def test_no_figure_is_made_where_an_axes_is_given(plot):
    plot(FIGURES[plot][0](), ax=Figure().subplots())
    assert pyplot.get_fignums() == []


@every_figure
def test_the_axes_are_labelled_and_have_no_title(plot):
    ax = plot(FIGURES[plot][0]())
    assert ax.get_title() == ""
    assert "[" in ax.get_xlabel() + ax.get_ylabel(), "no unit"


@every_figure
def test_drawing_leaves_the_table_as_it_was(plot):
    table = FIGURES[plot][0]()
    before = table.copy(deep=True)
    plot(table)
    pd.testing.assert_frame_equal(table, before)


@every_figure
def test_nothing_is_cut_off_at_six_by_four_inches(plot):
    ax = plot(FIGURES[plot][0]())
    ax.figure.draw_without_rendering()
    drawn, room = ax.get_tightbbox(), ax.figure.bbox
    assert tuple(ax.figure.get_size_inches()) >= (6, 4)
    assert min(drawn.x0, drawn.y0) >= -0.5
    assert (drawn.x1, drawn.y1) <= (room.x1 + 0.5, room.y1 + 0.5)
    assert drawn.y1 <= room.y1 + 0.5


@every_figure
def test_labels_of_an_axis_do_not_overlap(plot):
    assert overlaps(plot(FIGURES[plot][0]())) == []


@pytest.mark.parametrize(("plot", "column"), [(plot, name) for plot, (_, names) in FIGURES.items() for name in names])
def test_a_table_without_a_column_is_refused_by_its_name(plot, column):
    with pytest.raises(ValueError, match=f"^expected a table with the columns .*, got one without {column}$"):
        plot(FIGURES[plot][0]().drop(columns=column))


@every_figure
def test_a_table_without_rows_is_refused(plot):
    with pytest.raises(ValueError, match=r"got one without rows$"):
        plot(FIGURES[plot][0]().head(0))


@every_figure
def test_what_is_no_table_is_refused(plot):
    with pytest.raises(ValueError, match=r"^expected a table with the columns .*, got list$"):
        plot([1, 2])


@pytest.mark.parametrize("plot", [*FIGURES][:5], ids=lambda plot: plot.__name__)
def test_two_forms_of_scoring_do_not_share_an_axis(plot):
    table = FIGURES[plot][0]()
    mixed = pd.concat([table, table.assign(form="points")])
    with pytest.raises(ValueError, match=exactly("expected one form in a figure, got 'imps', 'points'")):
        plot(mixed)


def test_twenty_eight_lines_can_be_told_apart_in_grey():
    looks = marks.looks(28)
    assert len({(look["linestyle"], look["marker"]) for look in looks}) == 28
    assert len({(look["color"], look["linestyle"]) for look in looks}) == 28


# -- forest ------------------------------------------------------------------------------------------------------------


def test_each_estimate_stands_in_its_own_row_the_first_at_the_top():
    table = gains()
    ax = plots.forest(table)
    bottom, top = ax.get_ylim()
    (points,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert bottom > top
    assert texts(ax.get_yticklabels()) == ["by result", "by board", "by cell", "by doubled"]
    assert points.get_ydata().tolist() == [0, 1, 2]
    assert points.get_xdata().tolist() == table["estimate"].tolist()[:3]


def test_an_interval_is_drawn_where_there_is_one():
    table = gains()
    rows = zip(table["low"].iloc[:2], table["high"].iloc[:2], (0, 1), strict=True)
    assert segments(plots.forest(table)) == [[[low, row], [high, row]] for low, high, row in rows]


def test_a_comparison_without_overlap_says_so_in_its_row():
    (note,) = [note for note in plots.forest(gains()).texts if note.get_text().startswith("no estimate")]
    assert note.get_text() == "no estimate, missing=1 no_results"
    assert note.xy[1] == 3


def test_results_and_boards_stand_beside_each_estimate():
    notes = texts(plots.forest(gains()).texts)
    assert notes[:5] == ["results", "12", "12", "2", "0"]
    assert notes[5:10] == ["boards", "1,234", "5", "6", "0"]


def test_clusters_stand_where_a_table_has_no_boards():
    assert "clusters" in texts(plots.forest(gains().drop(columns="boards")).texts)


def test_what_all_estimates_share_is_said_once():
    assert plots.forest(gains()).get_xlabel() == "same tricks, double against pass [IMPs]"


# -- specification curve -----------------------------------------------------------------------------------------------


def test_specifications_stand_in_the_order_of_their_estimates():
    ax = plots.specification_curve(choices())
    (points,) = [line for line in ax.lines if line.get_color() == marks.BLUE and line.get_ydata()[0] == -1]
    assert points.get_ydata().tolist() == [-1, 2, 3]
    assert segments(ax) == [[[0, -2], [0, 0]], [[1, 1], [1, 3]], [[2, 2.5], [2, 4]]]


def test_a_specification_without_an_estimate_stands_last_and_is_counted():
    ax = plots.specification_curve(choices())
    assert ax.get_xlim() == (-0.6, 3.6)
    assert ax.get_xlabel() == "4 specifications by estimate, 1 without one"


def test_the_dots_under_an_estimate_are_its_choices():
    ax = plots.specification_curve(choices())
    ax.figure.draw_without_rendering()
    dots = [line for line in ax.lines if line.get_color() == marks.BLUE and not line.get_clip_on()]
    heights = [line.get_transform().transform((0, 0))[1] for line in dots]
    labels = {note.get_text(): note.get_window_extent() for note in ax.texts}
    found = {}
    for line, height in zip(dots, heights, strict=True):
        (name,) = [text for text, box in labels.items() if box.y0 < height < box.y1]
        found[name] = line.get_xdata().tolist()
    assert found == {"by board": [0, 3], "by result": [1, 2], "redoubles kept": [0, 1], "redoubles left out": [2, 3]}


def test_a_curve_of_one_choice_is_refused():
    with pytest.raises(ValueError, match=r"^expected a choice that varies among the columns, got weights, "):
        plots.specification_curve(choices().iloc[[0, 0]])


# -- swing histogram ---------------------------------------------------------------------------------------------------


def test_a_bar_is_as_high_as_results_have_that_swing():
    bars = {}
    for bar in plots.swing_histogram(swings()).patches:
        middle = bar.get_x() + bar.get_width() / 2
        bars[middle] = bars.get(middle, 0) + bar.get_height()
    assert {swing: number for swing, number in bars.items() if number} == {-9: 2, -3: 1, 0: 2, 2: 2, 3: 1, 5: 3, 7: 1}


def test_gained_flat_and_lost_are_counted_in_the_legend():
    ax = plots.swing_histogram(swings())
    assert texts(ax.get_legend().get_texts()) == ["lost: 3 (25.0 %)", "flat: 2 (16.7 %)", "gained: 7 (58.3 %)"]


def test_a_missing_swing_is_said_and_not_drawn():
    ax = plots.swing_histogram(swings())
    assert ax.get_ylabel() == "results (1 missing)"
    assert sum(bar.get_height() for bar in ax.patches) == len(SWINGS)


def test_only_missing_swings_are_refused():
    with pytest.raises(ValueError, match=exactly("expected a swing that is not missing, got 2 missing")):
        plots.swing_histogram(pd.DataFrame({"swing": [None, np.nan], "form": "imps"}))


@pytest.mark.parametrize(("form", "swing"), [("points", [-7600, 90, 10]), ("matchpoints", [-0.5, 0, 1]), ("imps", [0])])
def test_every_swing_falls_into_a_bar_of_its_own_sign(form, swing):
    ax = plots.swing_histogram(pd.DataFrame({"swing": swing, "form": form}))
    lost, flat, gained = (sum(bar.get_height() for bar in bars) for bars in ax.containers)
    assert (lost, flat, gained) == tuple(np.bincount(np.sign(swing).astype(int) + 1, minlength=3))
    assert len(ax.containers[0]) <= 52


# -- expected value ----------------------------------------------------------------------------------------------------


def test_a_line_runs_from_made_to_down_through_its_break_even_point():
    table = break_even("3S", vulnerable=False, down={1: 1})
    assert curves(plots.expected_value(table)) == {
        "3SX, not vulnerable, 1:\n100 %, made exactly: 81.8": [[0, -9], [pytest.approx(9 / 11), 0], [1, 2]]
    }


def test_the_marker_is_on_the_break_even_point():
    (line,) = [
        line
        for line in plots.expected_value(break_even("3S", vulnerable=False, down={1: 1})).lines
        if line.get_marker() == "o"
    ]
    assert np.arange(3)[line.get_markevery()].tolist() == [1]


def test_a_line_runs_from_down_to_made_where_the_question_is_whether_it_makes():
    table = break_even("4S", vulnerable=[True, False], action="game", down={1: 1})
    ax = plots.expected_value(table)
    assert ax.get_xlabel() == "P(makes) [%]"
    assert [(line[0][1], line[-1][1]) for line in curves(ax).values()] == [(-6, 10), (-5, 6)]


def test_decisions_with_the_same_line_share_it():
    ax = plots.expected_value(break_even(["3S", "1H", "2H"], vulnerable=True, down={1: 1}))
    assert texts(ax.get_legend().get_texts()) == ["3SX; 2HX: 78.6", "1HX: 40.0"]


def test_an_action_that_always_or_never_gains_has_no_break_even_point():
    sure = break_even("3S", vulnerable=False).assign(low=[0, np.nan], high=[1, np.nan])
    lines = curves(plots.expected_value(sure))
    assert {label: len(points) for label, points in lines.items()} == {"one down: always": 2, "60/30/10: never": 2}


def test_the_observed_share_is_a_line_in_the_band_of_its_interval():
    observed = inference.clustered_proportion([1, 1, 0, 1], cluster=[1, 1, 2, 3])
    ax = plots.expected_value(doubles(), observed=observed)
    (band,) = ax.patches
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((*observed[["low", "high"]].to_numpy()[0],))
    assert texts(ax.get_legend().get_texts())[-1] == "observed: 75.0 (6.2 to 99.3)"


def test_several_observed_shares_are_refused():
    observed = inference.wilson([1, 2], 3)
    with pytest.raises(ValueError, match=exactly("expected one row of an observed share, got 2")):
        plots.expected_value(doubles(), observed=observed)


def test_more_lines_than_can_be_told_apart_are_refused():
    table = break_even("3S", vulnerable=False, down={f"{n}": {1: n, 2: 1} for n in range(1, 30)})
    with pytest.raises(ValueError, match=exactly("expected at most 28 lines in one figure, got 29")):
        plots.expected_value(table)


def test_doubles_and_redoubles_do_not_share_a_figure():
    both = pd.concat([doubles(), break_even("3SX", vulnerable=True, action="redouble")])
    with pytest.raises(ValueError, match=exactly("expected one p in a figure, got 'P(down)', 'P(makes)'")):
        plots.expected_value(both)


# -- break-even map ----------------------------------------------------------------------------------------------------


def test_each_cell_of_the_map_is_the_break_even_probability_in_per_cent():
    ax = plots.break_even_map(doubles())
    cells = {note.get_position(): note.get_text() for note in ax.texts}
    assert cells == {(0, 0): "60.0", (1, 0): "46.2", (0, 1): "78.6", (1, 1): "68.8", (0, 2): "81.8", (1, 2): "72.0"}
    assert texts(ax.get_xticklabels()) == ["one down", "60/30/10"]
    assert texts(ax.get_yticklabels()) == ["2DX, not vulnerable", "2HX, vulnerable", "3SX, not vulnerable"]


def test_the_colour_of_a_cell_is_its_probability():
    (image,) = plots.break_even_map(doubles()).images
    assert image.get_array().tolist() == [
        pytest.approx(row) for row in doubles()["low"].to_numpy().reshape(3, 2).tolist()
    ]


def test_odds_that_pay_below_a_probability_always_or_never_say_so():
    table = doubles().head(4).assign(low=[0, 0, np.nan, 0.5], high=[0.25, 1, np.nan, 1])
    ax = plots.break_even_map(table)
    assert texts(ax.texts) == ["< 25.0", "always", "never", "50.0"]
    assert ax.images[0].get_array().filled(-1).tolist() == [[0.25, 0], [-1, 0.5]]


def test_a_sacrifice_names_both_contracts():
    table = break_even(
        "5D", vulnerable=False, action="sacrifice", base="4S", base_vulnerable=[True, False], other={-2: 1}, down={1: 1}
    )
    ax = plots.break_even_map(table)
    assert texts(ax.get_yticklabels()) == ["they vulnerable", "they not vulnerable"]
    assert ax.get_ylabel() == "contract, 5D over 4S, not vulnerable"


def test_two_rows_for_one_cell_of_the_map_are_refused():
    with pytest.raises(ValueError, match=r"got a second for '2DX, not vulnerable' and 'one down' at position 6$"):
        plots.break_even_map(pd.concat([doubles(), doubles()]))


# -- score ladder ------------------------------------------------------------------------------------------------------


def test_all_eighty_four_scores_of_a_contract_stand_in_their_cells():
    ax = plots.score_ladder(ladder())
    rows, columns = texts(ax.get_yticklabels()), [text.replace("\n", " ") for text in texts(ax.get_xticklabels())]
    number = {note.get_position(): int(note.get_text().replace("−", "-").replace(",", "")) for note in ax.texts}
    drawn = {(columns[x], rows[y]): value for (x, y), value in number.items()}
    sides = {False: "not vulnerable", True: "vulnerable"}
    table = ladder()
    keys = [(f"{word} {sides[flag]}", f"{tricks}") for word, flag, tricks, _ in table.itertuples(index=False)]
    assert drawn == dict(zip(keys, table["score"], strict=True))
    assert len(drawn) == 84


def test_thirteen_tricks_are_at_the_top():
    ax = plots.score_ladder(ladder())
    assert texts(ax.get_yticklabels()) == [f"{tricks}" for tricks in range(13, -1, -1)]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_editions_stand_side_by_side_with_room_for_their_names():
    names = ("duplicate-before-1987", "duplicate-1987", "duplicate-001")
    ax = plots.score_ladder(pd.concat([scores("3SX").assign(edition=name) for name in names]))
    assert len(ax.get_xticklabels()) == 6
    assert overlaps(ax) == []


def test_a_missing_score_is_refused():
    table = ladder().astype({"score": "Float64"})
    table.loc[3, "score"] = pd.NA
    with pytest.raises(ValueError, match=exactly("expected a score in every row, got a missing one")):
        plots.score_ladder(table)
