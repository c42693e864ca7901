"""Tables written for people: Markdown, LaTeX, HTML; and the one list of words that pages are written in."""

import re
from pathlib import Path
from string import Formatter

import numpy as np
import pandas as pd
import pytest

import bridge_analytics
from bridge_analytics import report
from bridge_analytics.results import read_results, score_results
from bridge_analytics.sheets import html_table, numbers, text_table
from bridge_analytics.standings import standings
from bridge_analytics.words import words

PACKAGE = Path(bridge_analytics.__file__).parent
SESSION = PACKAGE.parent / "data" / "session.csv"


@pytest.fixture(scope="module")
def ranked():
    return standings(score_results(read_results(SESSION)))


def test_a_ranking_goes_to_markdown_and_back(ranked):
    lines = ranked.pipe(report.to_markdown).splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines]
    assert rows[0] == list(ranked)
    assert len(rows) == len(ranked) + 2
    percent = rows[0].index("percent")
    assert [float(line.split("|")[1:-1][percent]) for line in lines[2:]] == ranked["percent"].round(2).tolist()


def test_numbers_stand_to_the_right_in_markdown(ranked):
    rule = ranked[["side", "contestant", "percent"]].pipe(report.to_markdown).splitlines()[1]
    assert rule == "| :-- | --: | --: |"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
        ("*x*", r"\*x\*"),
        ("deal_id", "deal_id"),
        ("_x_", r"\_x\_"),
        ("two\nlines", "two lines"),
    ],
)
def test_no_sign_of_a_name_is_markdown(text, written):
    assert report.to_markdown(pd.DataFrame({"pair": [text]})).splitlines()[2] == f"| {written} |"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a & b", r"a \& b"),
        ("50 %", r"50 \%"),
        ("a_b", r"a\_b"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("−2", "$-$2"),
        ("♥", r"$\heartsuit$"),
    ],
)
def test_no_sign_of_a_name_is_latex(text, written):
    assert report.to_latex(pd.DataFrame({"pair": [text]})).splitlines()[4] == rf"{written} \\"


@pytest.mark.parametrize("name", ["[2]", "*7"])
def test_a_name_is_no_option_of_the_row_before_it(name):
    rows = pd.DataFrame({"pair": ["13", name], "mp": [1, 2]}).pipe(report.to_latex).splitlines()
    assert rows[5][0] == "{"
    assert rows[5].replace("{", "").replace("}", "").startswith(name)


def test_a_table_of_many_columns_is_set_closer_on_a_phone():
    table = pd.DataFrame([["1"] * 9], columns=list("abcdefghi"))
    assert html_table(table).startswith('<table class="sheet wide">')
    assert html_table(table.iloc[:, :8]).startswith('<table class="sheet">')


def test_every_row_of_latex_has_every_column(ranked):
    lines = ranked.pipe(report.to_latex).splitlines()
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == len(ranked) + 1
    assert {line.count(" & ") for line in rows} == {len(ranked.columns) - 1}
    assert len(re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", lines[0])[1]) == len(ranked.columns)


def test_a_missing_value_is_nothing_not_a_word():
    table = pd.DataFrame({"pair": ["13", None], "mp": [np.nan, 1.5], "tricks": pd.array([None, 9], "Int8")})
    assert report.to_markdown(table).splitlines()[2:] == ["| 13 |  |  |", "|  | 1.5 | 9 |"]


def test_a_column_has_the_decimals_that_it_needs_and_no_more():
    assert numbers([1, 2.5, -0.0]) == ["1.0", "2.5", "0.0"]
    assert numbers([1, 2]) == ["1", "2"]
    assert numbers([1 / 3, 2], decimal=",") == ["0,33", "2,00"]


def test_an_address_in_a_link_is_escaped():
    page = html_table(pd.DataFrame({"NS": ["a"]}), links={"NS": ['"><script>']})
    assert "<script>" not in page


def test_a_table_without_rows_is_its_heads():
    assert text_table(pd.DataFrame({"Place": [], "Pair": []}, dtype="str")) == "Place  Pair"


def test_every_word_has_the_same_gaps_in_each_language():
    english, spanish = words("en"), words("es")
    gaps = [
        {
            name: {field for _, field, _, _ in Formatter().parse(text) if field is not None}
            for name, text in said.items()
        }
        for said in (english, spanish)
    ]
    assert gaps[0] == gaps[1]


def test_another_language_is_refused():
    with pytest.raises(ValueError, match="expected a language among en, es, got 'fr'"):
        words("fr")
