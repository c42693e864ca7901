"""The breakdown of a score: every line adds up, names its law, and reads as a bridge player says it."""

import numpy as np
import pytest

from bridge_analytics.breakdown import explain
from bridge_analytics.laws import score_table
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.rules import load_edition


def rows(text):
    """The lines below the heading as (points, words, source)."""
    for line in text.splitlines()[1:]:
        left, _, source = line.rstrip("]").partition("[")
        points, words = left.split(maxsplit=1)
        yield int(points), words.rstrip(), source


def results():
    return [
        (contract, vulnerable, 0 if contract == "Pass" else tricks - 6 - int(contract[0]), tricks)
        for contract in CONTRACTS
        for vulnerable in (False, True)
        for tricks in range(14)
    ]


@pytest.mark.parametrize(("edition", "language"), [("duplicate-1987", "en"), ("rubber-003", "es")])
def test_the_lines_of_every_cell_add_up_to_its_score(edition, language):
    table = score_table(edition)
    for contract, vulnerable, over, tricks in results():
        *parts, (total, _, _) = rows(explain(contract, vulnerable, over, edition=edition, language=language))
        score = table[CONTRACTS.index(contract), int(vulnerable), tricks]
        assert (sum(points for points, _, _ in parts), total) == (score, score), (contract, vulnerable, over)


def test_the_arithmetic_shown_gives_the_points_of_its_line():
    shown = 0
    for contract, vulnerable, over, _ in results():
        for points, words, _ in rows(explain(contract, vulnerable, over)):
            if ":" in words:
                shown += 1
                value = eval(words.partition(":")[2].replace("×", "*"), {"__builtins__": {}})
                assert value == abs(points), (contract, words)
    assert shown > 2000


def test_every_line_names_the_source_of_its_numbers():
    laws = load_edition("duplicate-1987")
    sources = {words: source for _, words, source in rows(explain("3HX", True, "+1"))}
    assert sources["1 overtrick"] == laws.source("overtrick.doubled")
    assert sources["game, doubled into it"] == laws.source("premium.game")
    assert sources["for making a doubled contract"] == laws.source("premium.making_doubled")
    trick_score = sources["trick score: 3 × 30 × 2"]
    for key in ("trick_score.major", "trick_score.doubled"):
        assert set(laws.source(key).split("; ")) <= set(trick_score.split("; "))
    assert sources["score"] == laws.title


def test_the_source_is_that_of_the_edition_asked_for():
    (_, _, source), _ = rows(explain("5HX", True, "-2", edition="duplicate-003"))
    assert source == load_edition("duplicate-003").source("undertrick.doubled")
    assert source != load_edition("duplicate-1987").source("undertrick.doubled")


@pytest.mark.parametrize(
    ("result", "language", "lines"),
    [
        (
            ("3HX", True, "+1"),
            "en",
            "180 trick score: 3 × 30 × 2 | 200 1 overtrick | 500 game, doubled into it"
            " | 50 for making a doubled contract | 930 score",
        ),
        (
            ("3HX", True, "+1"),
            "es",
            "180 puntos por bazas: 3 × 30 × 2 | 200 1 baza de más | 500 manga, por el doblo"
            " | 50 por contrato doblado cumplido | 930 puntuación",
        ),
        (
            ("6NTXX", False, "+1"),
            "en",
            "760 trick score: (40 + 5 × 30) × 4 | 200 1 overtrick | 300 game | 500 small slam"
            " | 100 for making a redoubled contract | 1860 score",
        ),
        (("7C", True, "="), "es", "140 puntos por bazas: 7 × 20 | 500 manga | 1500 gran slam | 2140 puntuación"),
        (("1NT", False, "+2"), "en", "40 trick score: 40 | 60 2 overtricks: 2 × 30 | 50 partscore | 150 score"),
        (("4SXX", False, "-4"), "en", "-1600 4 undertricks: 200 + 2 × 400 + 600 | -1600 score"),
        (("3NT", True, "-1"), "es", "-100 1 baza de menos | -100 puntuación"),
        (("Pass", None, None), "en", "0 passed out | 0 score"),
        (("Pass", None, None), "es", "0 mano pasada | 0 puntuación"),
    ],
)
def test_a_score_is_told_as_at_the_table(result, language, lines):
    assert " | ".join(f"{points} {words}" for points, words, _ in rows(explain(*result, language=language))) == lines


def test_the_heading_says_what_was_played():
    headings = [("4S", True, "=", "4S=, vulnerable"), ("3nt*", False, "-2", "3NTX-2, not vulnerable")]
    for *result, heading in headings:
        assert explain(*result).splitlines()[0] == heading
    assert explain("4S", False, "+1", language="es").splitlines()[0] == "4S+1, no vulnerable"
    assert explain("Pass", None, None).splitlines()[0] == "Pass"


def test_results_are_told_alike_as_words_and_as_numbers():
    assert explain("4S", True, "+1") == explain(CONTRACTS.index("4S"), np.bool_(True), 1)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (("4S", True, "+4"), r"expected a result -10 to \+3 for '4S', got \+4"),
        (("4S", True, None), "expected a result.*got a missing value"),
        (("4S", None, "="), "expected vulnerable as True or False, got a missing value"),
        ((None, True, "="), "expected a contract such as '4SX' or 'Pass', got a missing value"),
        (("8S", True, "="), "expected a contract such as '4SX' or 'Pass', got '8S'"),
        ((["4S"], True, "="), r"expected one contract, got \['4S'\]"),
    ],
)
def test_what_cannot_be_told_is_refused(result, message):
    with pytest.raises(ValueError, match=message):
        explain(*result)


def test_a_language_without_words_is_refused():
    with pytest.raises(ValueError, match="expected a language among en, es, got 'fr'"):
        explain("4S", True, "=", language="fr")


def test_a_contract_is_read_in_the_letters_asked_for():
    assert explain("3C", False, "=", locale="es").splitlines()[0] == "3H=, not vulnerable"
    assert explain("3C", False, "=", language="es").splitlines()[0].startswith("3C=")
