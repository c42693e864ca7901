"""Contracts as arrays: from words of any column to codes, to their parts and back, and tricks from results."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bridge_analytics as ba
from bridge_analytics.columns import CHUNK
from bridge_analytics.contracts import contract_reader
from bridge_analytics.readers import read_all

STRAINS = ["C", "D", "H", "S", "NT"]
ALL = [(0, None, 0), *((level, strain, double) for level in range(1, 8) for strain in STRAINS for double in range(3))]
CONTRACTS = st.integers(0, 105)


def words(codes):
    return [ba.CONTRACTS[code] for code in codes]


# words and codes


COLUMNS = {
    "list": list,
    "pandas str": lambda texts: pd.Series(texts, dtype="str"),
    "pandas object": lambda texts: pd.Series(texts, dtype=object),
    "pandas category": lambda texts: pd.Series(texts, dtype="category"),
    "our category": lambda texts: pd.Categorical(texts, categories=ba.CONTRACTS, ordered=True),
    "category in reverse": lambda texts: pd.Categorical(texts, categories=ba.CONTRACTS[::-1], ordered=True),
    "Arrow": pa.array,
    "Arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "Polars": pl.Series,
    "Polars Enum in reverse": lambda texts: pl.Series(texts, dtype=pl.Enum(ba.CONTRACTS[::-1])),
}


@pytest.mark.parametrize("make", COLUMNS)
def test_every_contract_has_its_code_in_any_column(make):
    order = np.random.default_rng(5).permutation(106)
    codes = ba.parse_contract(COLUMNS[make](words(order)))
    assert codes.dtype == np.int8
    assert codes.tolist() == order.tolist()


@pytest.mark.parametrize("make", COLUMNS)
def test_a_contract_in_a_later_chunk_is_refused_by_its_place_in_the_column(make):
    column = COLUMNS[make](["4S"] * (CHUNK + 9) + [None])
    with pytest.raises(ValueError, match=f"^expected a contract .*, got a missing value at position {CHUNK + 9}$"):
        ba.parse_contract(column)


@pytest.mark.parametrize(
    "codes", [range(106), np.arange(106.0), np.arange(106, dtype=np.uint8), pd.Series(range(106), dtype="Int16")]
)
def test_whole_numbers_are_codes_of_contracts(codes):
    assert ba.parse_contract(codes).tolist() == list(range(106))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["4S", "8S"], "a contract such as '4SX' or 'Pass', got '8S' at position 1"),
        (["4S", "4P"], "a contract such as '4SX' or 'Pass' (locale 'es' or 'fr' reads it), got '4P' at position 1"),
        (["4S", ""], "a contract such as '4SX' or 'Pass', got '' at position 1"),
        (["4S", None], "a contract such as '4SX' or 'Pass', got a missing value at position 1"),
        (["4S", np.nan], "a contract such as '4SX' or 'Pass', got a missing value at position 1"),
        (np.array(["4S", np.nan]), "a contract such as '4SX' or 'Pass', got 'nan' at position 1"),
        (["4S", 56], "a contract such as '4SX' or 'Pass', got 56 at position 1"),
        ([56, "4S"], "a contract code as a whole number 0 to 105, got '4S' at position 1"),
        ([56, None], "a contract code as a whole number 0 to 105, got a missing value at position 1"),
        ([56, 106], "a contract code as a whole number 0 to 105, got 106 at position 1"),
        ([56, -1], "a contract code as a whole number 0 to 105, got -1 at position 1"),
        ([True], "a contract code as a whole number 0 to 105, got True at position 0"),
        ("8S", "a contract such as '4SX' or 'Pass', got '8S' at position 0"),
        (None, "a contract such as '4SX' or 'Pass', got a missing value at position 0"),
        (np.nan, "a contract such as '4SX' or 'Pass', got a missing value at position 0"),
        ({"4S": 1}, "a contract such as '4SX' or 'Pass', got {'4S': 1} at position 0"),
        (np.array([b"4S"]), "a contract code as a whole number 0 to 105, got b'4S' at position 0"),
    ],
)
def test_what_is_no_contract_is_refused_with_its_value_and_position(column, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}$"):
        ba.parse_contract(column)


def test_a_whole_column_is_read_in_one_language():
    assert words(ba.parse_contract(["4P", "4C", "3ST"], locale="es")) == ["4S", "4H", "3NT"]
    assert words(ba.parse_contract(["4P", "4C", "3SA"], locale="fr")) == ["4S", "4H", "3NT"]
    with pytest.raises(ValueError, match=r"^expected a locale among en, es, fr, got 'de'$"):
        ba.parse_contract(["4P"], locale="de")
    with pytest.raises(ValueError, match=r"^expected a locale among"):
        ba.parse_contract([56], locale="de")


def test_an_empty_evening_has_no_contracts():
    assert ba.parse_contract([]).shape == (0,)
    assert [part.shape for part in ba.split_contract([])] == [(0,)] * 3
    assert ba.tricks_from_result([], []).shape == (0,)


@pytest.mark.parametrize("null", [106, 255])
def test_a_missing_contract_takes_a_code_that_no_contract_has(null):
    for column in (["4S", None], pd.Series([55, None], dtype="Int8")):
        assert read_all(contract_reader(column, null=null)).tolist() == [55, null]


# parts


def test_contracts_come_apart_into_level_strain_and_double():
    level, strain, doubled = ba.split_contract(ba.CONTRACTS)
    assert list(zip(level.tolist(), strain.tolist(), doubled.tolist(), strict=True)) == ALL
    assert (level.dtype, strain.dtype, doubled.dtype) == (np.int8, object, np.int8)


def test_parts_of_a_contract_go_together_again():
    assert ba.join_contract(*ba.split_contract(ba.CONTRACTS)).tolist() == list(range(106))


@given(st.lists(st.one_of(CONTRACTS, st.none()), max_size=20))
@settings(deadline=None)
def test_a_missing_contract_has_no_parts(codes):
    contracts = [None if code is None else ba.CONTRACTS[code] for code in codes]
    level, strain, doubled = (part.tolist() for part in ba.split_contract(contracts))
    for place, code in enumerate(codes):
        found = (level[place], strain[place], doubled[place])
        if code is None:
            assert found[1] is None
            assert np.isnan([found[0], found[2]]).all()
        else:
            assert found == ALL[code]


def test_an_unreadable_contract_is_not_taken_for_a_missing_one():
    with pytest.raises(ValueError, match=r"got '8S' at position 1$"):
        ba.split_contract([None, "8S"])
    with pytest.raises(ValueError, match=r"got 106 at position 1$"):
        ba.split_contract([None, 106])


@pytest.mark.parametrize("strain", [["S", None, "nt"], [3, None, 4], pd.Series([3, None, 4], dtype="Int8")])
def test_a_contract_is_joined_from_words_or_codes_of_strains(strain):
    assert words(ba.join_contract([4, 0, 7], strain, [1, 0, 2])) == ["4SX", "Pass", "7NTXX"]


def test_a_pass_reads_neither_strain_nor_double():
    assert words(ba.join_contract([0, 0, 4], ["-", "", "S"], [None, 9, 1])) == ["Pass", "Pass", "4SX"]
    assert words(ba.join_contract([0, 0], None)) == ["Pass", "Pass"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (([4, 8], "S"), "a level as a whole number 0 to 7, got 8 at position 1"),
        (([4, None], "S"), "a level as a whole number 0 to 7, got a missing value at position 1"),
        (([4, 4], ["S", None]), "a strain C D H S NT, got a missing value at position 1"),
        (([0, 4], ["-", "-"]), "a strain C D H S NT, got '-' at position 1"),
        (([4, 4], [3, 5]), "a strain code as a whole number 0 to 4, got 5 at position 1"),
        (([4, 4], "S", [0, 3]), "doubled as a whole number 0 to 2, got 3 at position 1"),
        (([4, 4], "S", [False, True]), "doubled as a whole number 0 to 2, got False at position 0"),
        (([4, 4], ["S", "H", "C"]), "columns of one length, got shapes [(2,), (3,), ()]"),
    ],
)
def test_what_makes_no_contract_is_refused(parts, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}$"):
        ba.join_contract(*parts)


@given(CONTRACTS, st.integers(0, 2))
@settings(deadline=None)
def test_doubling_changes_the_double_and_nothing_else(code, doubled):
    level, strain, _ = ALL[code]
    expected = ba.CONTRACTS[0] if code == 0 else f"{level}{strain}{'X' * doubled}"
    assert words([ba.with_doubled(ba.CONTRACTS[code], doubled)]) == [expected]
    assert words(ba.with_doubled([code, 0], doubled)) == [expected, "Pass"]


# results


def test_tricks_of_every_contract_and_every_result():
    contracts = np.repeat(np.arange(1, 106), 14)
    tricks = np.tile(np.arange(14), 105)
    result = tricks - 6 - np.array([ALL[code][0] for code in contracts])
    texts = ["=" if number == 0 else f"{number:+d}" for number in result]
    for column in (
        result,
        result.astype(np.int8),
        pd.Series(result, dtype="Int8"),
        texts,
        pd.Series(texts, dtype="category"),
    ):
        found = ba.tricks_from_result(contracts, column)
        assert found.dtype == np.int8
        assert found.tolist() == tricks.tolist()


@pytest.mark.parametrize("code", range(1, 106))
def test_no_contract_has_a_result_beyond_all_tricks(code):
    level, word = ALL[code][0], ba.CONTRACTS[code]
    for number in (-7 - level, 8 - level):
        message = f"expected a result {-6 - level:+d} to {7 - level:+d} for {word!r}, got {number:+d} at position 1"
        if -13 <= number <= 6:
            with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
                ba.tricks_from_result([0, code], [0, number])
        else:
            with pytest.raises(ValueError, match=rf"^expected a result .* -13 to 6, got {number} at position 1$"):
                ba.tricks_from_result([0, code], [0, number])


@pytest.mark.parametrize(
    "result",
    [
        [None, "="],
        ["", "="],
        ["-", "="],
        ["Pass", "="],
        ["+99", "="],
        [None, 0],
        [-14, 0],
        [99, 0],
        pd.Series([pd.NA, 0]),
    ],
)
def test_a_passed_out_board_has_no_tricks_whatever_its_result(result):
    assert ba.tricks_from_result(["Pass", "4S"], result).tolist() == [0, 10]


def test_an_evening_of_passes_needs_no_results():
    assert ba.tricks_from_result(["Pass", "Pass"], None).tolist() == [0, 0]
    assert ba.tricks_from_result("Pass", None) == 0


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (["=", None], "a result such as '=', '+1' or '-2', got a missing value at position 1"),
        (["=", "10"], "a result such as '=', '+1' or '-2', got '10' at position 1"),
        (["=", "1"], "a result such as '=', '+1' or '-2', got '1' at position 1"),
        (["=", 1], "a result such as '=', '+1' or '-2', got 1 at position 1"),
        ([0, None], "a result as a whole number -13 to 6, got a missing value at position 1"),
        ([0, 10], "a result as a whole number -13 to 6, got 10 at position 1"),
        ([0, 0.5], "a result as a whole number -13 to 6, got 0.5 at position 1"),
        ([0, True], "a result as a whole number -13 to 6, got True at position 1"),
        (["=", "+4"], "a result -10 to +3 for '4S', got +4 at position 1"),
        ([0, -11], "a result -10 to +3 for '4S', got -11 at position 1"),
    ],
)
def test_a_result_that_cannot_be_is_refused(result, message):
    with pytest.raises(ValueError, match=f"^expected {re.escape(message)}$"):
        ba.tricks_from_result(["4S", "4S"], result)


def test_a_result_in_a_later_chunk_is_refused_by_its_place_in_the_column():
    size = CHUNK + 3
    with pytest.raises(ValueError, match=f"got \\+4 at position {size}$"):
        ba.tricks_from_result(["4S"] * (size + 1), ["="] * size + ["+4"])


# shapes


def test_a_scalar_gives_a_scalar():
    assert isinstance(ba.parse_contract("4SX"), np.int8)
    assert isinstance(ba.join_contract(4, "S", 1), np.int8)
    assert isinstance(ba.with_doubled("4S", 2), np.int8)
    assert isinstance(ba.tricks_from_result("4S", "="), np.int8)
    assert ba.split_contract("4SX") == (4, "S", 1)
    assert [type(part) for part in ba.split_contract("4SX")] == [np.int8, str, np.int8]
    assert [type(part) for part in ba.split_contract(None)] == [np.float64, type(None), np.float64]


def test_rows_and_columns_keep_their_shape_and_broadcast():
    contracts = np.array([["4S", "Pass"], ["3NT", "1C"]], dtype=object)
    assert ba.parse_contract(contracts).tolist() == [[55, 0], [43, 1]]
    assert ba.with_doubled(contracts, [0, 1]).tolist() == [[55, 0], [43, 2]]
    assert ba.tricks_from_result(contracts, [["="], ["+1"]]).tolist() == [[10, 0], [10, 8]]
    assert ba.tricks_from_result("4S", ["=", "-1"]).tolist() == [10, 9]


def test_rows_go_together_by_place_not_by_index():
    contract = pd.Series(["4S", "3NT"], index=[5, 4])
    result = pd.Series(["=", "+1"], index=[4, 5])
    assert ba.tricks_from_result(contract, result).tolist() == [10, 10]


def test_a_column_is_not_changed_by_reading_it():
    codes = np.array([55, 43], dtype=np.uint8)
    ba.parse_contract(codes)[:] = 0
    ba.with_doubled(codes, 1)[:] = 0
    assert codes.tolist() == [55, 43]
