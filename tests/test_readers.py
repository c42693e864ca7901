"""Columns read in chunks of small codes: right, or refused with the value and its place in the whole column."""

import datetime
import decimal
import fractions
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.columns import CHUNK
from bridge_analytics.readers import (
    align,
    code_reader,
    flag_reader,
    number_reader,
    number_values,
    read_all,
    read_where,
    text_reader,
)

STRAINS = ["C", "D", "H", "S", "NT"]


def strain(text):
    if text not in STRAINS:
        raise ValueError(f"expected a strain, got {text!r}")
    return STRAINS.index(text)


def strains(column, **options):
    return read_all(text_reader(column, strain, expected="a strain", **options)).tolist()


def tricks(column, **options):
    return read_all(number_reader(column, name="tricks", low=0, high=13, **options)).tolist()


def flags(column, **options):
    return read_all(flag_reader(column, name="vulnerable", **options)).tolist()


# words


TEXTS = {
    "list": list,
    "numpy object": lambda words: np.array(words, dtype=object),
    "pandas str": lambda words: pd.Series(words, dtype="str"),
    "pandas category": lambda words: pd.Series(words, dtype="category"),
    "Arrow": pa.array,
    "Arrow dictionary": lambda words: pa.array(words).dictionary_encode(),
    "Arrow dictionaries that differ": lambda words: pa.chunked_array(
        [pa.array(part).dictionary_encode() for part in (words[: len(words) // 2], words[len(words) // 2 :])]
    ),
    "Polars": pl.Series,
    "Polars Categorical": lambda words: pl.Series(words, dtype=pl.Categorical),
}


@pytest.mark.parametrize("make", TEXTS)
def test_words_become_codes_in_every_chunk(make):
    words = ["S", "NT", "C"] * (CHUNK // 2)
    assert strains(TEXTS[make](words)) == [3, 4, 0] * (CHUNK // 2)


@pytest.mark.parametrize("make", TEXTS)
def test_an_unreadable_word_is_refused_where_it_stands_even_in_a_later_chunk(make):
    words = ["S"] * (CHUNK + 5) + ["Z", "Y"]
    with pytest.raises(ValueError, match=f"^expected a strain, got 'Z' at position {CHUNK + 5}$"):
        strains(TEXTS[make](words))


@pytest.mark.parametrize("make", TEXTS)
def test_a_missing_word_is_refused_where_it_stands_even_in_a_later_chunk(make):
    words = ["S"] * (CHUNK + 5) + [None, "Z"]
    with pytest.raises(ValueError, match=f"^expected a strain, got a missing value at position {CHUNK + 5}$"):
        strains(TEXTS[make](words))


@pytest.mark.parametrize("make", TEXTS)
@pytest.mark.parametrize("null", [0, 9, 253, 254, 255])
def test_a_missing_word_takes_the_code_it_is_given(make, null):
    assert strains(TEXTS[make](["S", None, "C", None]), null=null) == [3, null, 0, null]


def test_a_missing_word_that_a_dictionary_lists_is_missing_all_the_same():
    column = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1]), pa.array([None, "S"]))
    assert strains(column, null=9) == [3, 9, 9, 3]
    with pytest.raises(ValueError, match=r"^expected a strain, got a missing value at position 1$"):
        strains(column)


@pytest.mark.parametrize("make", TEXTS)
def test_an_unreadable_word_is_refused_where_missing_ones_are_let_through(make):
    with pytest.raises(ValueError, match=r"^expected a strain, got 'Z' at position 2$"):
        strains(TEXTS[make](["S", None, "Z"]), null=255)


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(["S", "C"], categories=["Z", "C", "S"]),
        pa.DictionaryArray.from_arrays(pa.array([2, 1]), pa.array(["Z", "C", "S"])),
        pl.Series(["S", "C"], dtype=pl.Enum(["Z", "C", "S"])),
    ],
    ids=["pandas", "Arrow", "Polars"],
)
def test_an_unreadable_word_that_no_row_uses_is_no_fault(column):
    assert strains(column) == [3, 0]


def test_each_different_word_is_parsed_once():
    asked = []
    column = pd.Series(["S", "C", None] * CHUNK, dtype="str")
    read_all(text_reader(column, lambda text: asked.append(text) or 0, expected="a strain", null=9))
    assert sorted(asked) == ["C", "S"]


@pytest.mark.parametrize("cell", [3, 3.0, True, b"S", ["S"], decimal.Decimal(3), datetime.date(2024, 1, 1)], ids=repr)
def test_what_is_no_word_is_refused_where_it_stands(cell):
    column = np.empty(3, dtype=object)
    column[:] = ["S", None, cell]
    with pytest.raises(ValueError) as error:  # noqa: PT011 the text is the test
        strains(column, null=9)
    assert str(error.value) == f"expected a strain, got {cell!r} at position 2"


def test_words_in_rows_and_columns_keep_their_shape():
    column = np.array([["S", "C"], ["NT", "D"], ["H", "H"]], dtype=object)
    assert strains(column) == [[3, 0], [4, 1], [2, 2]]
    assert strains(column.T) == [[3, 4, 2], [0, 1, 2]]
    assert strains("NT") == 4


@pytest.mark.parametrize("column", [["S", "C"], [3, 0], np.array([3.0, 0.0]), pd.Series([3, 0], dtype="Int8")])
def test_codes_are_read_as_the_words_they_stand_for(column):
    assert read_all(code_reader(column, strain, name="a strain", count=5)).tolist() == [3, 0]


@pytest.mark.parametrize(("code", "seen"), [(5, "5"), (-1, "-1"), (2.5, "2.5"), (True, "True")])
def test_a_code_of_nothing_is_refused(code, seen):
    with pytest.raises(
        ValueError, match=f"^expected a strain code as a whole number 0 to 4, got {seen} at position 1$"
    ):
        read_all(code_reader([3, code], strain, name="a strain", count=5))


# numbers


@pytest.mark.parametrize(
    "kind",
    [
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"),
        *("longdouble", ">i2", ">f8", "object"),
    ],
)
def test_tricks_of_every_width_are_read(kind):
    assert tricks(np.array([9, 0, 13], dtype=kind)) == [9, 0, 13]


@pytest.mark.parametrize(
    "kind", ["Int8", "Int64", "UInt8", "UInt64", "Float32", "Float64", "int8[pyarrow]", "double[pyarrow]", "object"]
)
def test_missing_tricks_take_the_number_they_are_given_or_are_refused(kind):
    column = pd.Series([9, None, 13], dtype=kind)
    assert tricks(column, null=99) == [9, 99, 13]
    with pytest.raises(ValueError, match=r"^expected tricks .*, got a missing value at position 1$"):
        tricks(column)


NO_TRICKS = {
    "too many": ([9, 14], "14"),
    "negative": ([9, -1], "-1"),
    "half a trick": ([9, 9.5], "9.5"),
    "nearly whole": ([9, 9 + 1e-9], "9.000000001"),
    "infinite": ([9, math.inf], "inf"),
    "minus infinite": ([9, -math.inf], "-inf"),
    "an int8 below nought": (np.array([9, 142], dtype=np.uint8).astype(np.int8), "-114"),
    "a byte too large": (np.array([9, 255], dtype=np.uint8), "255"),
    "265 that would be 9 in a byte": (np.array([9, 265]), "265"),
    "2**63": (np.array([9, 2**63], dtype=np.uint64), str(2**63)),
    "2**63 among numbers": ([9, 2**63], str(2**63)),
    "-2**63": ([9, -(2**63)], str(-(2**63))),
    "2**64": ([9, 2**64], str(2**64)),
    "10**400": ([9, 10**400], f"1{'0' * 400}"),
    "truth among numbers": ([9, True], "True"),
    "truth": ([9, np.True_], "True"),
    "truths": (np.array([True, False])[[1]], "False"),
    "truths in pandas": (pd.Series([True], dtype="boolean"), "True"),
    "truths in Arrow": (pa.array([True]), "True"),
    "truth beside a gap": ([None, True], "True"),
    "digits": ([9, "9"], "'9'"),
    "texts of digits": (pd.Series(["9"], dtype="str"), "'9'"),
    "digits beside a gap": (pd.Series([None, "9"], dtype="str"), "'9'"),
    "numpy texts": (np.array(["9"]), "'9'"),
    "a category of digits": (pd.Categorical(["9"]), "'9'"),
    "a dictionary of digits": (pa.array(["9"]).dictionary_encode(), "'9'"),
    "empty text": ([9, ""], "''"),
    "bytes": ([9, b"9"], "b'9'"),
    "decimal": ([9, decimal.Decimal("9")], "Decimal('9')"),
    "Arrow decimal": (pa.array([decimal.Decimal("9.0")]), "Decimal('9.0')"),
    "fraction": ([9, fractions.Fraction(9)], "Fraction(9, 1)"),
    "complex": (np.array([9 + 0j]), "(9+0j)"),
    "a date": ([9, datetime.date(2024, 1, 1)], "datetime.date(2024, 1, 1)"),
    "a day of numpy": (np.array(["2024-01-01"], dtype="datetime64[D]"), "datetime.date(2024, 1, 1)"),
    "a time of pandas": (pd.Series([pd.Timestamp("2024-01-01")]), "Timestamp('2024-01-01 00:00:00')"),
    "a day of Arrow": (pa.array([datetime.date(2024, 1, 1)]), "datetime.date(2024, 1, 1)"),
    "a day of Arrow beside a gap": (pa.array([None, datetime.date(2024, 1, 1)]), "datetime.date(2024, 1, 1)"),
    "a length of time": (np.array([9], dtype="timedelta64[ns]"), "9"),
    "a list": ([9, [9, 9], None], "[9, 9]"),
    "an Arrow list": (pa.array([[9]]), "[9]"),
    "an Arrow record": (pa.array([{"tricks": 9}]), "{'tricks': 9}"),
    "a table": (pa.table({"tricks": [9]}), "{'tricks': 9}"),
}


@pytest.mark.parametrize("case", NO_TRICKS)
@pytest.mark.parametrize("null", [None, 99])
def test_what_is_no_number_of_tricks_is_refused_and_shown(case, null):
    column, seen = NO_TRICKS[case]
    column = column if "gap" not in case or null is not None else column[1:]
    place = len(column) - 1 - (case == "a list")
    place = 0 if case == "a table" else place
    with pytest.raises(ValueError) as error:  # noqa: PT011 the text is the test
        tricks(column, null=null)
    assert str(error.value) == f"expected tricks as a whole number 0 to 13, got {seen} at position {place}"


MANY = CHUNK + 7


@pytest.mark.parametrize(
    "make",
    [
        list,
        lambda numbers: np.array(numbers, dtype=float),
        lambda numbers: np.array(numbers, dtype=object),
        lambda numbers: pd.Series(numbers, dtype="Int16"),
        lambda numbers: pd.Series(numbers, dtype="Float64"),
        lambda numbers: pd.Series(numbers, dtype="category"),
        pa.array,
        lambda numbers: pa.chunked_array([numbers[:9], numbers[9:]]),
        lambda numbers: pl.Series(numbers, dtype=pl.Int16),
    ],
    ids=["list", "numpy", "object", "Int16", "Float64", "category", "Arrow", "Arrow chunked", "Polars"],
)
@pytest.mark.parametrize(("cell", "seen"), [(14, r"14(\.0)?"), (None, "a missing value")])
def test_the_position_counts_from_the_first_row_of_the_column(make, cell, seen):
    column = make([9] * MANY + [cell, None, 14])
    with pytest.raises(ValueError, match=f"^expected tricks .*, got {seen} at position {MANY}$"):
        tricks(column)


def test_a_number_is_refused_by_its_place_though_an_earlier_one_is_missing():
    with pytest.raises(ValueError, match=r"got 14 at position 2$"):
        tricks(pd.Series([9, None, 14], dtype="Int8"), null=99)


def test_the_first_fault_is_named_whether_missing_or_wrong():
    with pytest.raises(ValueError, match=r"got 14 at position 1$"):
        tricks([9, 14, None])
    with pytest.raises(ValueError, match=r"got a missing value at position 1$"):
        tricks([9, None, 14])


@pytest.mark.parametrize("board", [pd.Series([1, None], dtype="Int8"), [1, None], np.array([1, math.nan])])
def test_a_missing_number_is_not_taken_for_a_nought_out_of_range(board):
    reader = number_reader(board, name="a board", low=1, high=32, null=0)
    assert read_all(reader).tolist() == [1, 0]


@given(
    st.integers(-(2**62), 2**62),
    st.integers(0, 2**62),
    st.one_of(st.none(), st.integers(-(2**62), 2**62)),
    st.data(),
)
@settings(deadline=None)
def test_every_number_in_the_range_survives_the_cast(low, width, null, data):
    high = low + width
    numbers = data.draw(st.lists(st.one_of(st.integers(low, high), st.none() if null is not None else st.just(high))))
    read = read_all(number_reader(numbers, name="a number", low=low, high=high, null=null))
    assert read.tolist() == [null if number is None else number for number in numbers]


@pytest.mark.parametrize(
    ("low", "high", "null", "kind"),
    [
        (0, 13, None, np.uint8),
        (0, 13, 255, np.uint8),
        (0, 13, 256, np.uint16),
        (0, 13, -1, np.int8),
        (-13, 6, None, np.int8),
        (-13, 6, 99, np.int8),
        (-13, 200, None, np.int16),
        (1, 2**31 - 1, None, np.uint32),
        (-(2**31), 2**31 - 1, None, np.int32),
        (0, 2**52 - 1, None, np.uint64),
    ],
)
def test_numbers_take_the_smallest_type_that_holds_them_all(low, high, null, kind):
    assert read_all(number_reader([high, low], name="a number", low=low, high=high, null=null)).dtype == kind


@pytest.mark.parametrize(
    "column", [np.asfortranarray(np.arange(12).reshape(3, 4)), np.arange(24)[::2].reshape(3, 4) // 2]
)
def test_numbers_in_rows_and_columns_keep_their_places(column):
    assert tricks(column) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert tricks(column.T) == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    assert tricks(column.tolist()) == column.tolist()
    with pytest.raises(ValueError, match=r"got 14 at position 7$"):
        tricks(np.where(column == 7, 14, column))


@pytest.mark.parametrize("cell", [9, 9.0, np.int8(9), np.float64(9), np.array(9)])
def test_one_number_alone_has_no_shape(cell):
    assert number_reader(cell, name="tricks", low=0, high=13)[0] == ()
    assert tricks(cell) == 9


@pytest.mark.parametrize("cell", [None, math.nan, pd.NA, np.ma.masked])
def test_one_missing_number_alone_is_refused(cell):
    with pytest.raises(ValueError, match=r"got a missing value at position 0$"):
        tricks(cell)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_float_too_coarse_for_the_limit_does_not_slip_over_it(kind):
    most = 2**31 - 1 if kind != np.float16 else 2047
    column = np.array([1, most + 1], dtype=kind)
    with pytest.raises(ValueError, match=rf"got {most + 1}\.0 at position 1$"):
        read_all(number_reader(column, name="a score", low=-most - 1, high=most))


def test_reading_leaves_the_column_as_it_was():
    column = np.array([9.0, math.nan])
    tricks(column, null=99)
    assert np.array_equal(column, [9.0, math.nan], equal_nan=True)


# true and false


FLAGS = {
    "list": [True, False],
    "numbers": [1, 0],
    "floats": [1.0, 0.0],
    "numpy": np.array([True, False]),
    "numpy objects": np.array([True, False], dtype=object),
    "numpy truths": [np.True_, np.False_],
    "numpy int8": np.array([1, 0], dtype=np.int8),
    "numpy uint64": np.array([1, 0], dtype=np.uint64),
    "truths and numbers": [True, 0],
    "pandas": pd.Series([True, False]),
    "pandas boolean": pd.Series([True, False], dtype="boolean"),
    "pandas Arrow": pd.Series([True, False], dtype="bool[pyarrow]"),
    "pandas category": pd.Series([True, False], dtype="category"),
    "pandas Int8": pd.Series([1, 0], dtype="Int8"),
    "Arrow": pa.array([True, False]),
    "Arrow slice": pa.array([False, True, False]).slice(1),
    "Polars": pl.Series([True, False]),
}


@pytest.mark.parametrize("make", FLAGS)
def test_vulnerability_is_true_or_false_in_any_make(make):
    assert flags(FLAGS[make]) == [1, 0]
    assert flags(FLAGS[make], null=255) == [1, 0]


@pytest.mark.parametrize(
    "column",
    [
        [True, None, False],
        [1, math.nan, 0],
        np.array([1, math.nan, 0]),
        pd.Series([True, None, False]),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series([1, None, 0], dtype="Int64"),
        pa.array([True, None, False]),
        pl.Series([True, None, False]),
        np.ma.array([True, True, False], mask=[False, True, False]),
    ],
    ids=["list", "numbers", "numpy", "object", "boolean", "Int64", "Arrow", "Polars", "masked"],
)
def test_a_missing_flag_is_not_false(column):
    assert flags(column, null=255) == [1, 255, 0]
    with pytest.raises(ValueError, match=r"^expected vulnerable as True or False, got a missing value at position 1$"):
        flags(column)


@pytest.mark.parametrize(
    ("column", "seen"),
    [
        ([True, 2], "2"),
        ([np.True_, 2], "2"),
        ([1, 2], "2"),
        ([0, -1], "-1"),
        ([0, 0.5], "0.5"),
        ([1, math.inf], "inf"),
        (np.array([1, 256]), "256"),
        (np.array([1, 257]), "257"),
        ([True, "True"], "'True'"),
        ([True, "ns"], "'ns'"),
        ([True, decimal.Decimal(1)], "Decimal('1')"),
        (np.array(["True", "False"])[[1]], "'False'"),
        (pd.Series(["none"], dtype="str"), "'none'"),
        (pd.Series([None, "none"], dtype="str")[1:], "'none'"),
        (pd.Series(["none"], dtype="category"), "'none'"),
        (np.array(["2024-01-01"], dtype="datetime64[D]"), "datetime.date(2024, 1, 1)"),
    ],
)
@pytest.mark.parametrize("null", [None, 255])
def test_what_is_neither_true_nor_false_is_refused(column, seen, null):
    with pytest.raises(ValueError) as error:  # noqa: PT011 the text is the test
        flags(column, null=null)
    assert str(error.value) == f"expected vulnerable as True or False, got {seen} at position {len(column) - 1}"


def test_a_flag_is_refused_in_a_later_chunk_by_its_place_in_the_column():
    with pytest.raises(ValueError, match=f"got 2 at position {MANY}$"):
        flags([True] * MANY + [2])


# scores


@pytest.mark.parametrize(
    ("column", "values", "missing"),
    [
        ([420, -50], [420, -50], None),
        ([420.5, None], [420.5, 0], [False, True]),
        (pd.Series([420, None], dtype="Int32"), [420, 0], [False, True]),
        (pd.Series([420, None], dtype="Float64"), [420, 0], [False, True]),
        (pa.array([420.0, math.nan, None]), [420, 0, 0], [False, True, True]),
        (np.array([[420, -50], [10, 0]]), [420, -50, 10, 0], None),
        ([], [], None),
        ([None, None], [0, 0], [True, True]),
        ([2**70, 1], [2.0**70, 1], None),
    ],
)
def test_scores_come_with_what_is_missing(column, values, missing):
    found, gaps = number_values(column, name="a score")
    assert found.tolist() == values
    assert (gaps if gaps is None else gaps.tolist()) == missing


@pytest.mark.parametrize(
    ("column", "seen", "place"),
    [
        ([420, math.inf], "inf", 1),
        (np.array([420, -math.inf, math.nan]), "-inf", 1),
        ([None, "420"], "'420'", 1),
        ([420, True], "True", 1),
        (np.array([True]), "True", 0),
        (pd.Series([None, "420"], dtype="str"), "'420'", 1),
        ([420, decimal.Decimal(420)], "Decimal('420')", 1),
        (np.array([1j]), "1j", 0),
    ],
)
def test_a_score_that_is_no_finite_number_is_refused(column, seen, place):
    with pytest.raises(ValueError) as error:  # noqa: PT011 the text is the test
        number_values(column, name="a score")
    assert str(error.value) == f"expected a score as a number, got {seen} at position {place}"


# several columns


def trick_reader(column):
    return number_reader(column, name="tricks", low=0, high=13)


def aligned(*columns):
    shape, reads = align(*map(trick_reader, columns))
    size = int(np.prod(shape))
    return [read_all((shape, read)).tolist() for read in reads], [read(size // 2, size).tolist() for read in reads]


@pytest.mark.parametrize(
    "columns",
    [
        ([1, 2, 3, 4], 5),
        (5, [1, 2, 3, 4]),
        (5, 6),
        ([1, 2, 3], [4], 5),
        ([[1], [2], [3]], [4, 5]),
        ([[1, 2], [3, 4]], [5, 6], 7),
        ([[1, 2], [3, 4]], [[5], [6]]),
        ([], 5),
        ([5], []),
    ],
)
def test_columns_are_brought_to_one_shape_as_numpy_does(columns):
    expected = [array.tolist() for array in np.broadcast_arrays(*columns)]
    whole, later = aligned(*columns)
    assert whole == expected
    flat = [np.ravel(array).tolist() for array in expected]
    assert later == [cells[len(cells) // 2 :] for cells in flat]


def test_columns_of_different_length_do_not_go_together():
    with pytest.raises(ValueError, match=r"^expected columns of one length, got shapes \[\(2,\), \(3,\)\]$"):
        align(trick_reader([1, 2]), trick_reader([1, 2, 3]))


def test_one_value_for_all_rows_is_not_read_before_it_is_needed():
    _, (_, read) = align(trick_reader([1, 2]), trick_reader(None))
    with pytest.raises(ValueError, match=r"got a missing value at position 0$"):
        read(0, 2)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([14, 9, None, "9", 10, 14], [0, 9, 0, 0, 10, 0]),
        ([1, 2, 3, 4, 5, 6], [0, 2, 0, 0, 5, 0]),
    ],
)
def test_cells_that_are_not_wanted_may_hold_anything(column, expected):
    wanted = np.array([False, True, False, False, True, False])
    _, read = trick_reader(column)
    assert read_where(read, wanted, 0).tolist() == expected


def test_a_wanted_cell_is_refused_by_its_place_in_the_column():
    _, read = trick_reader([1, 2, 14, 3, 14])
    with pytest.raises(ValueError, match=r"got 14 at position 4$"):
        read_where(read, np.array([False, True, True]), 2)


def test_where_nothing_is_wanted_nothing_is_refused():
    _, read = trick_reader([None, None])
    assert read_where(read, np.array([False, False]), 0).tolist() == [0, 0]


def test_what_is_read_whole_is_memory_of_its_own():
    column = np.array([9, 10], dtype=np.uint8)
    read_all(trick_reader(column))[0] = 13
    assert column.tolist() == [9, 10]
