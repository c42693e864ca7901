"""Travellers, score cards and rankings as they are pinned to the wall: what stands where, seen from which side."""

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.display import ranking, ranking_text, score_card, score_card_text, traveller, traveller_text
from bridge_analytics.plots import field_strips, strip_plot
from bridge_analytics.results import read_results, score_results
from bridge_analytics.score_cards import own_results
from bridge_analytics.standings import standings


def scored(rows, forms=("matchpoints",), **options):
    return score_results(read_results(pd.DataFrame(rows)), forms=forms, **options)


@pytest.fixture(scope="module")
def evening():
    """Score three boards of a four-table Mitchell, with an award, a board not played and a board passed out."""
    contracts = ["3NT", "4SX", "A+/A-", "3NT", "2H", "NP", "2H", "1NT", "Pass", "3D", "3D", "3D"]
    by = ["N", "E", "", "S", "N", "", "W", "E", "", "S", "S", "S"]
    result = ["=", "-1", "", "+1", "=", "", "-2", "+1", "", "=", "=", "="]
    rows = {"Board": np.repeat([1, 2, 3], 4), "NS": [1, 2, 3, 4] * 3, "EW": [5, 6, 7, 8, 8, 5, 6, 7, 7, 8, 5, 6]}
    return scored(rows | {"Contract": contracts, "By": by, "Result": result})


TRAVELLER = """\
NS  EW  Contract          Score NS  MP NS  MP EW  % NS
 4   8  3NT S +1               430      4      0   100
 1   5  3NT N =                400      2      2    50
 2   6  4♠x E −1               100      0      4     0
 3   7  adjusted A+ / A-               A+     A-"""


def test_a_traveller_runs_from_the_best_for_north_south_to_what_has_no_score(evening):
    assert traveller_text(evening, 1) == TRAVELLER


def test_a_board_that_was_not_played_says_so(evening):
    assert traveller_text(evening, 2).splitlines()[-1].split() == ["2", "5", "not", "played"]


def test_a_passed_out_board_is_a_result_like_others(evening):
    assert [line.split()[-1] for line in traveller_text(evening, 3).splitlines()][1:] == ["66.7"] * 3 + ["0.0"]


def cells(page):
    """The texts of the cells of a page."""
    bare = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    rows = re.split(r"<tr>", bare.split("<tbody>")[1].split("</table>")[0])[1:]
    return [[unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in re.split("<td[^>]*>", row)[1:]] for row in rows]


def test_the_notebook_shows_what_the_terminal_shows(evening):
    printed = [re.split(r"  +", line.strip()) for line in TRAVELLER.splitlines()[1:]]
    assert [[cell for cell in row if cell] for row in cells(traveller(evening, 1))] == printed


def test_names_of_pairs_are_text_not_markup():
    page = traveller(scored({"Board": [1, 1], "NS": ["<script>", "b"], "EW": ["c", "d"], "Contract": "Pass"}), 1)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_the_traveller_speaks_spanish():
    page = traveller_text(
        scored({"Board": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "3NT", "By": "W", "Result": ["=", "-1"]}),
        1,
        language="es",
    )
    assert page.splitlines()[0].split()[:3] == ["NS", "EO", "Contrato"]
    assert "3ST O −1" in page


def test_a_board_of_two_sessions_must_be_named_by_its_deal():
    both = scored({"Session": [1, 2], "Board": 4, "NS": 1, "EW": 2, "Contract": "Pass"})
    with pytest.raises(ValueError, match="expected deal, since 2 deals are board 4: deal_id 0, 1"):
        traveller(both, 4)
    assert len(traveller_text(both, deal=1).splitlines()) == 2


@pytest.mark.parametrize(
    ("board", "deal", "seen"), [(99, None, "board 99"), (None, 99, "deal 99"), (None, None, "board=None and deal=None")]
)
def test_a_board_that_is_not_there_is_refused(evening, board, deal, seen):
    with pytest.raises(ValueError, match=f"got {seen}"):
        traveller(evening, board, deal=deal)


def test_imps_of_east_west_have_a_column_only_where_they_are_not_the_mirror():
    rows = {
        "Board": [1, 1, 1],
        "NS": [1, 2, 3],
        "EW": [4, 5, 6],
        "Contract": ["4S", "4S", "2S"],
        "By": "N",
        "Result": "=",
    }
    plain = traveller_text(scored(rows, forms=("cross_imps",)), 1)
    split = traveller_text(scored(rows | {"Contract": ["4S", "2S", "A+/A+"]}, forms=("cross_imps",)), 1)
    assert ("cross-IMP EW" in plain, "cross-IMP EW" in split) == (False, True)


def test_a_score_card_is_seen_from_the_pair(evening):
    card = own_results(evening, 8)
    assert card["board_label"].tolist() == ["1", "2", "3"]
    assert card["opponents"].tolist() == ["4", "1", "2"]
    assert card["score"].tolist() == [-430, -110, -110]
    assert card["earned"].tolist() == [0, 0, 2]


def test_an_award_on_a_score_card_stands_as_it_was_given(evening):
    card = own_results(evening, 7)
    assert card["ruling"].fillna("").tolist() == ["A-", "", ""]
    assert re.search(r"^ +1 +3  adjusted A\+ / A- +A-$", score_card_text(evening, 7), re.MULTILINE)


def test_a_score_card_adds_up_to_the_ranking(evening):
    ranked = standings(evening).set_index("contestant")
    for pair in ("1", "2", "4", "5", "6", "8"):
        card = own_results(evening, pair)
        assert card["earned"].sum() == ranked.loc[pair, "total"], pair
        assert 100 * card["earned"].sum() / card["top"].sum() == pytest.approx(ranked.loc[pair, "percent"]), pair


def test_the_card_in_a_notebook_shows_what_the_terminal_shows(evening):
    printed = [re.split(r"  +", line.strip()) for line in score_card_text(evening, 8).splitlines()[1:]]
    assert cells(score_card(evening, 8)) == printed


def test_one_number_in_both_directions_is_two_score_cards():
    mitchell = scored(
        {"Board": [1, 1], "NS": [1, 2], "EW": [2, 1], "Contract": ["1NT", "2NT"], "By": "N", "Result": "="}
    )
    with pytest.raises(ValueError, match="expected side, since NS 1 and EW 1 are two pairs"):
        own_results(mitchell, 1)
    assert own_results(mitchell, 1, side="ew")["score"].tolist() == [-120]


def test_a_pair_that_is_not_there_has_no_score_card(evening):
    with pytest.raises(ValueError, match="expected one of 8 pairs, got 9"):
        own_results(evening, 9)
    with pytest.raises(ValueError, match="expected a contestant of that side and section, got 1, 'ew', None"):
        own_results(evening, 1, side="ew")


def test_a_player_has_a_score_card_of_every_seat():
    rows = {"Board": [1, 2], "North": ["Ann", "Bo"], "South": ["Cy", "Di"], "East": ["Di", "Cy"], "West": ["Bo", "Ann"]}
    card = own_results(scored(rows | {"Contract": "1NT", "By": "N", "Result": "="}), "Ann", of="players")
    assert card["score"].tolist() == [90, -90]
    assert card["opponents"].tolist() == ["Di-Bo", "Bo-Di"]


def test_the_ranking_has_a_table_for_each_side_and_shows_ties(evening):
    page = ranking_text(standings(evening))
    north_south, east_west = page.split("\n\n")
    assert [line.split()[:2] for line in north_south.splitlines()[2:]] == [
        ["1", "3"],
        ["2", "4"],
        ["3", "1"],
        ["4", "2"],
    ]
    assert east_west.startswith("EW\nPlace  Pair")
    assert ranking(standings(evening)).count("<table") == 2


def test_a_fine_and_a_name_show_in_the_ranking(evening):
    fine = pd.DataFrame({"contestant": ["4"], "amount": [1], "unit": ["MP"], "reason": ["late"]})
    names = pd.DataFrame({"contestant": ["4"], "name": ["Ann & Bo"]})
    page = ranking_text(standings(evening, penalties=fine, names=names))
    assert "Penalty" in page.split("\n\n")[0]
    assert "Ann & Bo" in page
    assert "Penalty" not in page.split("\n\n")[1]


def test_what_is_no_ranking_is_refused(evening):
    with pytest.raises(ValueError, match="expected a ranking as standings gives it, got a table with event"):
        ranking(evening)


def drawn(ax):
    """The places of all dots of a figure."""
    lines = [line for line in ax.lines if line.get_marker() not in ("", "None", None)]
    return sorted(tuple(point) for line in lines for point in np.column_stack(line.get_data()).tolist())


def test_a_strip_has_a_dot_for_each_board_with_an_award(evening):
    ax = strip_plot(own_results(evening, 7))
    assert drawn(ax) == [(1, 100), (2, 100)]
    assert ax.get_xlabel() == "boards in the order of play (1 without one)"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3"]


def test_a_field_has_a_line_for_each_pair_in_its_order(evening):
    own = pd.concat([own_results(evening, pair) for pair in (8, 4)])
    ax = field_strips(own)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["8", "4"]
    assert [y for _, y in drawn(ax)].count(1) == int(own.loc[own["contestant"] == "4", "percent"].notna().sum())


def test_a_strip_of_imps_names_its_unit():
    own = pd.DataFrame({"board_label": ["1"], "form": "butler", "earned": [4.0]})
    assert strip_plot(own).get_ylabel() == "IMPs"
