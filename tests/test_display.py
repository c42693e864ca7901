"""Pages as players know them: what stands where, and that nothing is computed anew."""

import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import bridge_analytics as ba
from bridge_analytics import display
from bridge_analytics.display import rubber_sheet, rubber_sheet_text
from bridge_analytics.rubber import score_rubbers


def rubber(*deals, **columns):
    side, contract, tricks = zip(*(deal.split() for deal in deals), strict=True)
    table = pd.DataFrame(
        {"rubber": 1, "side": side, "contract": contract, "tricks": [int(n) for n in tricks]} | columns
    )
    return score_rubbers(table)


PAGE = """\
            We |           They
   premium 700 |
   honours 150 |
           300 |
            30 |             50
===============+===============
            60 |             40
            90 |
---------------+---------------
           100 |
===============+===============
          1430 |             90"""


@pytest.fixture(scope="module")
def sheet():
    seats, points = [None, None, None, None, None, "N"], [0, 0, 0, 0, 0, 150]
    deals = ("NS 2H 9", "EW 2C 8", "NS 2S 7", "NS 3S 9", "EW 4S 8", "NS 3NT 9")
    return rubber(*deals, honours_seat=seats, honours_points=points, contract=["2H", "2C", "2S", "3S", "4SX", "3NT"])


def test_the_page_has_the_line_the_games_and_the_totals(sheet):
    # 2H+1; 2C; 2S one down; 3S: a game, 60 + 90 to 40; 4S doubled, two down; 3NT with four aces: the rubber
    assert rubber_sheet_text(sheet) == PAGE


def test_the_first_entry_above_stands_lowest():
    page = rubber_sheet_text(rubber("NS 1NT 8", "NS 1H 9")).splitlines()
    assert [line.split("|")[0].strip() for line in page[1:3]] == ["60", "30"]


def test_an_unfinished_rubber_shows_what_is_due():
    page = rubber_sheet_text(rubber("NS 3NT 9")).splitlines()
    assert page[-3].split("|")[0].strip() == "unfinished 300"
    assert page[-1].split("|")[0].strip() == "400"


def test_the_notebook_page_has_the_numbers_of_the_printed_one(sheet):
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", rubber_sheet(sheet))
    printed = [
        cell.strip() for line in rubber_sheet_text(sheet).splitlines() if "|" in line for cell in line.split("|")
    ]
    assert [cell for cell in cells if cell] == [cell for cell in printed if cell]


def test_names_of_sides_are_text_not_markup(sheet):
    assert "&lt;b&gt;" in rubber_sheet(sheet, sides=("<b>", "They"))


def test_rows_may_come_in_any_order(sheet):
    assert rubber_sheet_text(sheet.iloc[::-1]) == rubber_sheet_text(sheet)


def test_one_of_several_rubbers_must_be_named(sheet):
    two = pd.concat([sheet, sheet.assign(rubber_id=1)])
    with pytest.raises(ValueError, match="expected rubber= one of the 2 rubber_ids 0 1, got None"):
        rubber_sheet_text(two)
    assert rubber_sheet_text(two, rubber=1) == rubber_sheet_text(sheet)


def test_a_rubber_that_is_not_there_is_refused(sheet):
    with pytest.raises(ValueError, match="expected rubber=0, the only rubber_id, or none, got 7"):
        rubber_sheet(sheet, rubber=7)


@pytest.mark.parametrize("page", [rubber_sheet, rubber_sheet_text])
def test_a_page_of_no_deal_is_refused(sheet, page):
    with pytest.raises(ValueError, match="expected a sheet as score_rubbers gives it, got one without deals"):
        page(sheet.head(0))


def test_a_page_of_a_table_that_is_no_sheet_is_refused(sheet):
    with pytest.raises(ValueError, match="expected a sheet as score_rubbers gives it, got a table without total_ew"):
        rubber_sheet_text(sheet.drop(columns="total_ew"))


def test_a_page_of_a_filtered_sheet_is_refused(sheet):
    with pytest.raises(ValueError, match=r"expected deal_number 3 next in rubber_id 0 .*, got 4 at position 2"):
        rubber_sheet_text(sheet.drop(2))


def test_there_are_two_sides(sheet):
    with pytest.raises(ValueError, match="expected the names of two sides, got 'W'"):
        rubber_sheet(sheet, sides="W")


SESSION = Path(__file__).resolve().parents[1] / "data" / "session.csv"
IN_A_CELL = {
    "deal": "display.deal(ba.parse_deals(scored['deal'][0]))",
    "ranking": "display.ranking(ba.standings(scored, winners=2))",
    "rubber_sheet": "display.rubber_sheet(ba.score_rubbers(deals))",
    "score_card": "display.score_card(scored, 13, side='ns')",
    "traveller": "display.traveller(scored, 7)",
}


@pytest.fixture
def shell(monkeypatch):
    """What a kernel makes of the last line of a cell."""
    formatters = pytest.importorskip("IPython.core.formatters")
    running = SimpleNamespace(display_formatter=formatters.DisplayFormatter())
    monkeypatch.setattr("IPython.get_ipython", lambda: running)
    return running.display_formatter.format


def test_every_display_is_tried_in_a_cell():
    assert {name for name in display.__all__ if not name.endswith("_text")} == set(IN_A_CELL)


@pytest.mark.parametrize("line", IN_A_CELL.values(), ids=IN_A_CELL)
def test_the_last_line_of_a_cell_shows_a_display_as_html(shell, line):
    scored = ba.score_results(ba.read_results(SESSION))
    deals = pd.DataFrame({"rubber": 1, "side": ["NS"], "contract": ["2H"], "tricks": [9]})
    value = eval(line, {"ba": ba, "display": display, "scored": scored, "deals": deals})
    shown, _ = shell(value)
    assert "<table" in value
    assert shown["text/html"] == value


def test_a_display_is_text_where_no_notebook_runs():
    assert isinstance(display.deal([8191, 0, 0, 0]), str)
