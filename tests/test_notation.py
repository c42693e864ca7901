"""How bridge is written: the spellings met in files, the texts that must be refused, and a second statement of both."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.notation import (
    CONTRACTS,
    LOCALES,
    SEATS,
    STRAINS,
    VULS,
    contract_result_word,
    contract_word,
    is_pass,
    result_word,
    seat_word,
    strain_word,
    vul_word,
)

with open(Path(__file__).parent / "cases" / "notation.csv", encoding="utf-8") as lines:
    CASES = list(csv.DictReader(lines))


def glued(text, locale):
    contract, seat, result = contract_result_word(text, locale)
    told = "-" if result is None else CONTRACTS[contract] + ("=" if result == 0 else f"{result:+d}")
    return f"{CONTRACTS[contract]} {'-' if seat is None else SEATS[seat]} {told}"


READERS = {
    "contract": lambda text, locale: CONTRACTS[contract_word(text, locale)],
    "strain": lambda text, locale: STRAINS[strain_word(text)],
    "seat": lambda text, locale: SEATS[seat_word(text, locale)],
    "vul": lambda text, locale: VULS[vul_word(text, locale)],
    "result": lambda text, locale: str(result_word(text)),
    "glued": glued,
}


def read(kind, text, locale="en"):
    """What a text is read as, or `refused`."""
    try:
        return READERS[kind](text, locale)
    except ValueError:
        return "refused"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['text']}-{case['locale']}")
def test_a_text_is_read_as_it_was_meant_or_refused(case):
    assert read(case["kind"], case["text"], case["locale"]) == case["expected"], case["source"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["expected"] == "refused"], ids=lambda case: case["text"]
)
def test_a_refusal_says_what_was_expected_and_ends_with_what_was_seen(case):
    with pytest.raises(ValueError, match=r"^expected ") as error:
        READERS[case["kind"]](case["text"], case["locale"])
    assert str(error.value).endswith(f", got {case['text']!r}")


def test_there_are_106_contracts_in_bidding_order():
    assert len(CONTRACTS) == 1 + 7 * 5 * 3
    assert CONTRACTS[:5] == ("Pass", "1C", "1CX", "1CXX", "1D")
    assert CONTRACTS[-3:] == ("7NT", "7NTX", "7NTXX")
    assert [contract_word(word) for word in CONTRACTS] == list(range(106))


@pytest.mark.parametrize("locale", LOCALES)
def test_suit_signs_mean_the_same_in_every_language(locale):
    read_suits = [CONTRACTS[contract_word(f"4{sign}", locale)] for sign in "♣♧♦♢♥♡♠♤"]
    assert read_suits == ["4C", "4C", "4D", "4D", "4H", "4H", "4S", "4S"]


@pytest.mark.parametrize("reads", [contract_word, seat_word, vul_word, contract_result_word, is_pass])
@pytest.mark.parametrize("locale", ["pl", "EN", "", None])
def test_a_language_nobody_has_taught_is_refused_by_name(reads, locale):
    with pytest.raises(ValueError, match=re.escape(f"expected a locale among en, es, fr, got {locale!r}")):
        reads("4S", locale)


@pytest.mark.parametrize(
    ("text", "locale", "hint"),
    [
        ("4P", "en", " (locale 'es' or 'fr' reads it)"),
        ("3STx", "en", " (locale 'es' reads it)"),
        ("4K", "en", " (locale 'fr' reads it)"),
        ("4Sx", "fr", " (locale 'en' reads it)"),
        ("5Coeur", "en", ""),
        ("8S", "en", ""),
    ],
)
def test_a_contract_in_another_language_says_which(text, locale, hint):
    message = f"expected a contract such as '4SX' or 'Pass'{hint}, got {text!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        contract_word(text, locale)


BLANKS = st.sampled_from(["", " ", "\t", "\u00a0"])
STRAIN_TEXTS = {"C": "C♣♧", "D": "D♦♢", "H": "H♥♡", "S": "S♠♤", "NT": ["NT", "N", "nT"]}
DOUBLE_TEXTS = (["", ""], ["x", "X", "*", "×", "✕", "dbl"], ["xx", "Xx", "**", "××", "rdbl", "REDBL"])


@given(st.data(), st.integers(1, 105))
@settings(deadline=None)
def test_every_contract_is_read_in_any_spelling_and_with_blanks(data, code):
    level, strain, double = re.fullmatch(r"([1-7])(NT|[CDHS])(X*)", CONTRACTS[code]).groups()
    parts = (
        level,
        data.draw(st.sampled_from(list(STRAIN_TEXTS[strain]))),
        data.draw(st.sampled_from(DOUBLE_TEXTS[len(double)])),
    )
    text = "".join(data.draw(BLANKS) + data.draw(st.sampled_from([part, part.lower()])) for part in parts)
    assert contract_word(text + data.draw(BLANKS)) == code


LETTERS = st.text(alphabet="0123456789CDHSNTXPAEWOKbl+-= *", max_size=6)
CONTRACT = re.compile(r"([1-7])(C|D|H|S|NT?)(X|XX|\*|\*\*|X\*|\*X|DBL|RDBL|REDBL)?")
GLUED = re.compile(r"([1-7])(C|D|H|S|NT?)(?:(X|XX|\*|\*\*)?([NESW])?|([NESW])(X|XX|\*|\*\*))(=|[+-][0-9]{1,2})?")
PASSES = {"P", "PASS", "PASSE", "PASSED", "PASSEDOUT", "PASSOUT", "ALLPASS"}


@given(LETTERS)
@settings(deadline=None)
def test_a_contract_is_level_strain_and_double_and_nothing_else_is_one(text):
    plain = text.replace(" ", "").upper()
    assert (read("contract", text) != "refused") == (plain in PASSES or CONTRACT.fullmatch(plain) is not None)


@given(st.from_regex(GLUED, fullmatch=True))
@settings(deadline=None)
def test_contract_declarer_and_result_in_one_cell_come_apart_as_one_pattern_says(text):
    level, strain, before, seat, late_seat, behind, result = GLUED.fullmatch(text).groups()
    double = (before or behind or "").replace("*", "X")
    number = 0 if result in (None, "=") else int(result)
    contract = f"{level}{'NT' if strain == 'N' else strain}{double}"
    told = "-" if result is None else contract + ("=" if number == 0 else f"{number:+d}")
    expected = f"{contract} {seat or late_seat or '-'} {told}" if -13 <= number <= 6 else "refused"
    assert read("glued", text) == expected


@given(st.text(max_size=8), st.sampled_from(sorted(READERS)), st.sampled_from(LOCALES))
@settings(deadline=None)
def test_any_text_at_all_is_read_or_refused_but_breaks_nothing(text, kind, locale):
    read(kind, text, locale)


def test_a_passed_out_board_is_told_from_one_that_was_not_played():
    assert [is_pass(text) for text in ("PASS", "p", "Passed Out", "NP", "", "---", "4S")] == [True] * 3 + [False] * 4
