"""Strips of a page: a dot a board where it belongs, names escaped and not cut off, round numbers."""

import re

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.strip_drawings import WIDTH, draw_field, draw_strip


def own_of(earned, form="butler", **columns):
    """Boards of a contestant, as own_results gives them."""
    percent = earned if form == "matchpoints" else np.nan
    labels = [str(board) for board in range(1, len(earned) + 1)]
    return pd.DataFrame({"board_label": labels, "form": form, "earned": earned, "percent": percent} | columns)


def heights(drawing):
    """The middle of each dot and square, in the order of the drawing."""
    found = re.findall(r'<circle cx="[^"]*" cy="([^"]*)"|<rect x="[^"]*" y="([^"]*)" width="6"', drawing)
    return [float(dot) if dot else float(square) + 3 for dot, square in found]


def words_of(drawing):
    return re.findall(r"<text [^>]*>([^<]*)</text>", drawing)


def test_a_board_stands_as_high_as_its_percentage():
    assert heights(draw_strip(own_of([0.0, 25, 50, 100], "matchpoints"), label="7")) == [128, 98, 68, 8]


def test_what_is_under_average_is_a_square():
    drawing = draw_strip(own_of([4.0, -1, 0, -2]), label="7")
    assert (drawing.count("<circle"), drawing.count("<rect")) == (2, 2)


def test_a_board_without_an_award_has_no_dot_and_is_counted():
    drawing = draw_strip(own_of([4.0, None]), label="7")
    assert len(heights(drawing)) == 1
    assert "boards in the order of play (1 without one)" in words_of(drawing)
    assert "nan" not in drawing


def test_nothing_earned_at_all_is_still_drawn():
    assert heights(draw_strip(own_of([np.nan, np.nan]), label="7")) == []
    assert heights(draw_strip(own_of([0.0]), label="7")) == [68]


@pytest.mark.parametrize(
    ("earned", "ticks"),
    [([-0.3, 0.4], ["−0.2", "0.0", "0.2", "0.4"]), ([13.0, -4], ["0", "5", "10"]), ([2400.0], ["0", "500", "1000"])],
)
def test_numbers_beside_the_axis_are_round(earned, ticks):
    assert words_of(draw_strip(own_of(earned), label="7"))[: len(ticks)] == ticks


def test_decimals_are_those_of_the_language():
    assert "0,2" in words_of(draw_strip(own_of([0.4]), label="7", language="es"))


def test_a_field_has_a_line_for_each_name_and_none_is_cut_off():
    own = pd.concat([own_of([3.0, -3], contestant=name) for name in ("<script>", "W" * 40, "7")])
    drawing = draw_field(own, label="a & b")
    assert words_of(drawing)[:3] == ["&lt;script&gt;", "W" * 19 + "…", "7"]
    assert sorted(set(heights(drawing))) == [17, 35, 53]
    places = [float(x) for x in re.findall(r'cx="([^"]*)"', drawing)]
    assert min(places) > 20 * 7
    assert max(places) < WIDTH
    assert 'aria-label="a &amp; b"' in drawing
