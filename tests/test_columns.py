"""Columns of any make: the same words and numbers come out, whatever library holds them, or the odd cell is named."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics.columns import CHUNK, as_column, is_text, numbers_of, shape_of, spans, text_codes

BIDS = ["4S", None, "Pass", "4S", "3NTX", None, "Pass"]
FOREIGN = ["3NTX", "no contract", "Pass", "4S"]  # not our order, and a word that no row uses


INT32, STRING = pa.int32(), pa.string()


def dictionaries(words, index=INT32, value=STRING):
    """One dictionary a chunk of two rows, each with its own words in its own order."""
    chunks = [words[start : start + 2] for start in range(0, len(words), 2)]
    parts = []
    for chunk in chunks:
        listed = sorted({word for word in chunk if word is not None}, reverse=True)
        places = [None if word is None else listed.index(word) for word in chunk]
        parts.append(pa.DictionaryArray.from_arrays(pa.array(places, index), pa.array(listed, value)))
    return pa.chunked_array(parts, pa.dictionary(index, value))


def with_listed_null(words):
    """A dictionary that lists nothing as one of its words, and one word twice."""
    listed = [None, "4S", "Pass", "4S", *(word for word in words if word not in (None, "4S", "Pass"))]
    places = [
        listed.index(word) if row % 2 else len(listed) - 1 - listed[::-1].index(word) for row, word in enumerate(words)
    ]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), pa.array(listed))


TEXTS = {
    "list": list,
    "tuple": tuple,
    "list with NaN": lambda words: [np.nan if word is None else word for word in words],
    "list with NA": lambda words: [pd.NA if word is None else word for word in words],
    "list of numpy texts": lambda words: [None if word is None else np.str_(word) for word in words],
    "numpy object": lambda words: np.array(words, dtype=object),
    "numpy object, every other cell": lambda words: np.repeat(np.array(words, dtype=object), 2)[::2],
    "numpy StringDType": lambda words: np.array(words, dtype=np.dtypes.StringDType(na_object=None)),
    "numpy masked": lambda words: np.ma.array(
        [w or "4H" for w in words], mask=[w is None for w in words], dtype=object
    ),
    "pandas str": lambda words: pd.Series(words, dtype="str"),
    "pandas object": lambda words: pd.Series(words, dtype=object),
    "pandas string": lambda words: pd.Series(words, dtype="string"),
    "pandas string of Python": lambda words: pd.Series(words, dtype="string[python]"),
    "pandas string of Arrow": lambda words: pd.Series(words, dtype="string[pyarrow]"),
    "pandas Arrow": lambda words: pd.Series(words, dtype=pd.ArrowDtype(pa.string())),
    "pandas Arrow dictionary": lambda words: pd.Series(
        words, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))
    ),
    "pandas category": lambda words: pd.Series(words, dtype="category"),
    "pandas category in foreign order": lambda words: pd.Series(pd.Categorical(words, categories=FOREIGN)),
    "pandas category of objects": lambda words: pd.Categorical(words, categories=pd.Index(FOREIGN, dtype=object)),
    "pandas category of Arrow": lambda words: pd.Categorical(
        words, categories=pd.Index(FOREIGN, dtype=pd.ArrowDtype(pa.string()))
    ),
    "pandas index": lambda words: pd.Index(words, dtype="str"),
    "pandas array": lambda words: pd.array(words, dtype="string"),
    "pandas slice": lambda words: pd.Series(["5C", *words, "5D"], dtype="str").iloc[1:-1],
    "pandas category slice": lambda words: pd.Series(["3NTX", *words, "3NTX"], dtype="category").iloc[1:-1],
    "pandas with labels of its own": lambda words: pd.Series(words, index=range(len(words), 0, -1), dtype="str"),
    "pandas concatenated": lambda words: pd.concat([pd.Series(part, dtype="str") for part in (words[:3], words[3:])]),
    "Arrow": lambda words: pa.array(words, pa.string()),
    "Arrow large": lambda words: pa.array(words, pa.large_string()),
    "Arrow view": lambda words: pa.array(words, pa.string_view()),
    "Arrow slice": lambda words: pa.array(["5C", *words, "5D"], pa.string()).slice(1, len(words)),
    "Arrow chunked": lambda words: pa.chunked_array([words[:2], [], words[2:]], pa.string()),
    "Arrow chunked slice": lambda words: pa.chunked_array([["5C"], [*words, "5D"]], pa.string()).slice(1, len(words)),
    "Arrow dictionary": lambda words: pa.array(words).dictionary_encode(),
    "Arrow dictionary of large": lambda words: pa.array(words, pa.large_string()).dictionary_encode(),
    "Arrow dictionary slice": lambda words: pa.array(["5C", *words, "5D"]).dictionary_encode().slice(1, len(words)),
    "Arrow dictionaries that differ": dictionaries,
    "Arrow dictionaries that differ, uint8": lambda words: dictionaries(words, pa.uint8(), pa.large_string()),
    "Arrow dictionaries that differ, slice": lambda words: dictionaries(["5C", *words, "5D"]).slice(1, len(words)),
    "Arrow dictionary with a null listed": with_listed_null,
    "Arrow dictionaries, one with a null listed": lambda words: pa.chunked_array(
        [with_listed_null(words[:3]), with_listed_null(words[3:])]
    ),
    "Polars String": lambda words: pl.Series(words, dtype=pl.String),
    "Polars Categorical": lambda words: pl.Series(words, dtype=pl.Categorical),
    "Polars Enum in foreign order": lambda words: pl.Series(words, dtype=pl.Enum(FOREIGN)),
    "Polars slice": lambda words: pl.Series(["5C", *words, "5D"]).slice(1, len(words)),
    "Polars chunks": lambda words: pl.concat([pl.Series(words[:3]), pl.Series(words[3:])], rechunk=False),
    "Polars categories in chunks": lambda words: pl.concat(
        [pl.Series(words[:3], dtype=pl.Categorical), pl.Series(words[3:], dtype=pl.Categorical)], rechunk=False
    ),
}


def decoded(column):
    words, codes = text_codes(column)
    assert len(set(words)) == len(words), "a word is listed twice"
    return [None if code < 0 else words[code] for code in codes.tolist()]


@pytest.mark.parametrize("make", TEXTS)
def test_the_same_contracts_come_out_of_a_column_of_any_make(make):
    column = as_column(TEXTS[make](BIDS))
    assert is_text(column)
    assert shape_of(column) == (len(BIDS),)
    assert decoded(column) == BIDS


@pytest.mark.parametrize("make", TEXTS)
def test_an_evening_that_was_not_played_has_no_contracts(make):
    assert decoded(TEXTS[make]([])) == []


@pytest.mark.parametrize("make", TEXTS)
def test_a_column_of_nothing_but_missing_contracts_stays_missing(make):
    column = as_column(TEXTS[make]([None] * 5))
    assert is_text(column)
    assert decoded(column) == [None] * 5


@pytest.mark.parametrize("make", TEXTS)
def test_codes_hold_beyond_the_first_chunk(make):
    words = ["Pass", "4S"] * (CHUNK // 2) + BIDS
    if "differ" in make:
        words = words[-2 * len(BIDS) :]
    assert decoded(TEXTS[make](words)) == words


@pytest.mark.parametrize("different", [10, 9000], ids=["few names", "more names than are kept"])
def test_names_that_come_up_late_or_are_missing_keep_their_rows(different):
    names = [None if row % 7 == 0 else f"pair {row * different // (3 * CHUNK)}" for row in range(3 * CHUNK)]
    assert decoded(pd.Series(names, dtype="str")) == names


@given(st.lists(st.lists(st.sampled_from(["4S", "4H", "3NT", None, ""]), max_size=5), max_size=5), st.integers(0, 6))
@settings(deadline=None)
def test_arrow_dictionaries_of_any_chunks_and_offsets_agree_with_their_own_texts(chunks, offset):
    parts = [dictionaries(chunk) for chunk in chunks]
    column = pa.chunked_array(
        [chunk for part in parts for chunk in part.chunks], pa.dictionary(pa.int32(), pa.string())
    )
    column = column.slice(offset)
    assert decoded(column) == column.to_pylist()


@pytest.mark.parametrize(
    "column",
    [
        np.array(["4S", "Pass"]),
        np.array(["4S", "Pass"], dtype=">U4"),
        np.array([["4S"], ["Pass"]], dtype=object),
        [["4S", "Pass"]],
        pd.DataFrame({"open": ["4S"], "closed": ["Pass"]}),
        np.array([["4S", "4H"], ["Pass", "4H"]], dtype=object)[:, 0],
    ],
    ids=[
        "numpy text",
        "numpy text of another machine",
        "two rows",
        "lists in a list",
        "pandas table",
        "a column of a table",
    ],
)
def test_texts_in_rows_and_columns_are_read_row_by_row(column):
    assert decoded(column) == ["4S", "Pass"]


@pytest.mark.parametrize("cell", [None, np.nan, pd.NA, pd.NaT, "4S", np.str_("4S"), pa.scalar("4S").as_py()])
def test_one_text_alone_has_no_shape(cell):
    column = as_column(cell)
    assert (is_text(column), shape_of(column)) == (True, ())
    assert decoded(column) == ["4S" if isinstance(cell, str) else None]


NO_TEXTS = {
    "a number": (["4S", 3], "3", 1),
    "numbers": ([9, 10], "9", 0),
    "a number in front": ([None, 9, "4S"], "9", 1),
    "bytes": (["4S", b"4S"], "b'4S'", 1),
    "a list": (["4S", ["4S"], "4H", "4S"], r"\['4S'\]", 1),
    "a decimal": (["4S", None, decimal.Decimal(9)], r"Decimal\('9'\)", 2),
    "a date": (["4S", datetime.date(2024, 1, 1)], r"datetime.date\(2024, 1, 1\)", 1),
    "a truth": (np.array(["4S", True], dtype=object), "True", 1),
    "Arrow numbers": (pa.array([None, 9]), "9", 1),
    "Arrow bytes": (pa.array([b"4S"]), "b'4S'", 0),
    "Arrow lists": (pa.array([["4S"]]), r"\['4S'\]", 0),
    "pandas numbers": (pd.Series([pd.NA, 9], dtype="Int8"), "9", 1),
    "pandas category of both": (pd.Categorical(["4S", 3], categories=["4S", 3]), "3", 1),
    "pandas dates": (pd.Series([pd.Timestamp("2024-01-01")]), r"Timestamp\('2024-01-01 00:00:00'\)", 0),
    "Polars numbers": (pl.Series([9, 10]), "9", 0),
}


@pytest.mark.parametrize("case", NO_TEXTS)
def test_what_is_no_text_is_refused_with_its_value_and_position(case):
    column, seen, place = NO_TEXTS[case]
    with pytest.raises(ValueError, match=f"^expected text, got {seen} at position {place}$"):
        text_codes(column)


def test_a_text_that_cannot_be_encoded_is_a_text_all_the_same():
    assert decoded(["4S", "\ud800", None]) == ["4S", "\ud800", None]


def cells(column):
    """The numbers of a column, None where one is missing."""
    column = as_column(column)
    size = int(np.prod(shape_of(column)))
    values, missing = numbers_of(column)(0, size)
    return [None if missing is not None and missing[place] else value for place, value in enumerate(values.tolist())]


TRICKS = [9, None, 13, 0, 10, None]
INTEGERS = {
    "list": list,
    "numpy object": lambda numbers: np.array(numbers, dtype=object),
    "numpy float": lambda numbers: np.array(numbers, dtype=float),
    "numpy half": lambda numbers: np.array(numbers, dtype=np.float16),
    "numpy masked": lambda numbers: np.ma.array(
        [n or 0 for n in numbers], mask=[n is None for n in numbers], dtype=np.int8
    ),
    "pandas object": lambda numbers: pd.Series(numbers, dtype=object),
    "pandas float": lambda numbers: pd.Series(numbers, dtype=float),
    "pandas category": lambda numbers: pd.Series(numbers).astype("category"),
    "pandas sparse": lambda numbers: pd.Series(numbers, dtype=pd.SparseDtype("float")),
    "pandas slice": lambda numbers: pd.Series([5, *numbers, 6], dtype="Int8").iloc[1:-1],
    "pandas Float64 with NaN": lambda numbers: pd.Series(numbers, dtype=float).astype("Float64"),
    "pandas Arrow double with NaN": lambda numbers: pd.Series(
        pd.arrays.ArrowExtensionArray(pa.array([np.nan if n is None else float(n) for n in numbers]))
    ),
    **{
        f"pandas {kind}": lambda numbers, kind=kind: pd.Series(numbers, dtype=kind)
        for kind in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt64", "Float32", "Float64", "int8[pyarrow]")
    },
    "Arrow": pa.array,
    **{
        f"Arrow {kind}": lambda numbers, kind=kind: pa.array(numbers, kind)
        for kind in (pa.int8(), pa.uint8(), pa.uint64(), pa.float32(), pa.float64())
    },
    "Arrow slice": lambda numbers: pa.array([5, *numbers, 6]).slice(1, len(numbers)),
    "Arrow chunked": lambda numbers: pa.chunked_array([numbers[:1], numbers[1:]], pa.int16()),
    "Arrow dictionary": lambda numbers: pa.array(numbers, pa.int64()).dictionary_encode(),
    "Arrow NaN": lambda numbers: pa.array([np.nan if number is None else float(number) for number in numbers]),
    "Polars Int8": lambda numbers: pl.Series(numbers, dtype=pl.Int8),
    "Polars UInt32": lambda numbers: pl.Series(numbers, dtype=pl.UInt32),
    "Polars Float64": lambda numbers: pl.Series(numbers, dtype=pl.Float64),
    "Polars NaN": lambda numbers: pl.Series(
        [np.nan if number is None else number for number in numbers], dtype=pl.Float64
    ),
}


@pytest.mark.parametrize("make", INTEGERS)
@pytest.mark.parametrize("tricks", [TRICKS, [None] * 4, []], ids=["some", "none known", "none at all"])
def test_the_same_tricks_come_out_of_a_column_of_any_make(make, tricks):
    assert cells(INTEGERS[make](tricks)) == tricks


@pytest.mark.parametrize(
    "kind",
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", ">i4", ">f8"],
)
def test_numbers_of_every_width_are_read(kind):
    assert cells(np.array([9, 13, 0], dtype=kind)) == [9, 13, 0]


FLAGS = {
    "list": list,
    "numpy object": lambda flags: np.array(flags, dtype=object),
    "pandas boolean": lambda flags: pd.Series(flags, dtype="boolean"),
    "pandas Arrow": lambda flags: pd.Series(flags, dtype="bool[pyarrow]"),
    "pandas category": lambda flags: pd.Series(flags).astype("category"),
    "Arrow": lambda flags: pa.array(flags, pa.bool_()),
    "Arrow slice": lambda flags: pa.array([True, *flags, False]).slice(1, len(flags)),
    "Polars": lambda flags: pl.Series(flags, dtype=pl.Boolean),
}


@pytest.mark.parametrize("make", FLAGS)
def test_true_and_false_stay_what_they_are(make):
    flags = [True, None, False, True]
    assert [None if cell is None else type(cell) for cell in cells(FLAGS[make](flags))] == [bool, None, bool, bool]
    assert cells(FLAGS[make](flags)) == flags


def test_a_truth_among_numbers_is_not_made_a_number():
    assert [type(cell) for cell in cells([9, True, 10])] == [int, bool, int]


def test_numbers_too_large_for_a_float_keep_their_last_digit():
    assert cells([2**53 + 1, None, 2**53]) == [2**53 + 1, None, 2**53]
    assert cells(pa.array([2**53 + 1, None])) == [2**53 + 1, None]


@given(st.integers(0, 200), st.integers(1, 50))
@settings(deadline=None)
def test_spans_cover_every_row_once(size, step):
    found = list(spans(size, step))
    assert [row for start, stop in found for row in range(start, stop)] == list(range(size))
    assert all(0 < stop - start <= step for start, stop in found)
