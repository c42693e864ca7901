"""Which results belong together, and fields in order: against one row at a time in plain Python, and against pandas."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_analytics import groups
from bridge_analytics.groups import field_chunks, group_codes, ranked

# labels to group numbers


def missing(label):
    return label is None or label is pd.NA or label is pd.NaT or label != label


def numbered(*columns):
    """Group numbers one row at a time: a missing label is a label."""
    seen = {}
    rows = zip(*([None if missing(label) else label for label in column] for column in columns), strict=True)
    return [seen.setdefault(row, len(seen)) for row in rows]


def in_order_of_appearance(codes):
    seen = {}
    return [seen.setdefault(code, len(seen)) for code in codes]


def grouped(by):
    codes, count = group_codes(by)
    assert codes.dtype == np.int64
    assert codes.ndim == 1
    assert not codes.size or (codes.min() >= 0 and codes.max() < count)
    assert count <= 5 * codes.size + 2**12, "group numbers are to be few, for counting by them"
    return in_order_of_appearance(codes.tolist())


TABLES = ["A1", None, "B1", "A1", None, "A2", "B1"]
TEXTS = {
    "list": list,
    "list with NaN": lambda labels: [np.nan if label is None else label for label in labels],
    "numpy object": lambda labels: np.array(labels, dtype=object),
    "pandas str": lambda labels: pd.Series(labels, dtype="str"),
    "pandas string": lambda labels: pd.Series(labels, dtype="string[python]"),
    "pandas Arrow": lambda labels: pd.Series(labels, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda labels: pd.Series(labels, dtype="category"),
    "pandas category of many": lambda labels: pd.Categorical(
        labels, categories=[f"{room}{table}" for room in "ABC" for table in range(9999)]
    ),
    "pandas index": lambda labels: pd.Index(labels, dtype="str"),
    "Arrow": pa.array,
    "Arrow chunked": lambda labels: pa.chunked_array([labels[:2], [], labels[2:]]),
    "Arrow dictionary": lambda labels: pa.array(labels).dictionary_encode(),
    "Arrow dictionaries that differ": lambda labels: pa.chunked_array(
        [pa.array(labels[:4]).dictionary_encode(), pa.array(labels[4:]).dictionary_encode()]
    ),
    "Arrow dictionary with a word listed twice": lambda labels: pa.DictionaryArray.from_arrays(
        pa.array([0, None, 2, 4, 3, 5, 2]), pa.array(["A1", "A0", "B1", None, "A1", "A2"])
    ),
    "Polars": pl.Series,
    "Polars Categorical": lambda labels: pl.Series(labels, dtype=pl.Categorical),
}


@pytest.mark.parametrize("make", TEXTS)
def test_results_of_one_table_are_one_group_whatever_holds_its_label(make):
    assert grouped(TEXTS[make](TABLES)) == numbered(TABLES)


BOARDS = [3, None, 16, 3, None, 1, 16]
NUMBERS = {
    "list": list,
    "pandas float": lambda labels: pd.Series(labels, dtype=float),
    "pandas Int8": lambda labels: pd.Series(labels, dtype="Int8"),
    "pandas object": lambda labels: pd.Series(labels, dtype=object),
    "pandas category": lambda labels: pd.Series(labels).astype("category"),
    "pandas Arrow": lambda labels: pd.Series(labels, dtype="int64[pyarrow]"),
    "numpy masked": lambda labels: np.ma.array(
        [label or 3 for label in labels], mask=[label is None for label in labels]
    ),
    "Arrow": pa.array,
    "Arrow double": lambda labels: pa.array(labels, pa.float64()),
    "Arrow NaN and null": lambda labels: pa.array([*labels[:1], np.nan, *labels[2:]], pa.float64()),
    "Arrow dictionary": lambda labels: pa.array(labels).dictionary_encode(),
    "Arrow decimal": lambda labels: pa.array([None if label is None else decimal.Decimal(label) for label in labels]),
    "Polars": pl.Series,
}


@pytest.mark.parametrize("make", NUMBERS)
def test_results_of_one_board_are_one_group_whatever_holds_its_number(make):
    assert grouped(NUMBERS[make](BOARDS)) == numbered(BOARDS)


DAYS = [datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)]


@pytest.mark.parametrize(
    "column",
    [
        DAYS,
        np.array(DAYS, dtype="datetime64[D]"),
        pd.Series(DAYS, dtype="datetime64[ns]"),
        pd.Series(DAYS, dtype="datetime64[ns, UTC]"),
        pa.array(DAYS),
        pl.Series(DAYS),
    ],
    ids=["list", "numpy", "pandas", "pandas with a zone", "Arrow", "Polars"],
)
def test_days_are_labels_too(column):
    assert grouped(column) == numbered(DAYS)


@pytest.mark.parametrize("kind", ["bool", "boolean", "bool[pyarrow]", "object", "category"])
def test_rooms_told_by_true_and_false_are_two_groups(kind):
    assert grouped(pd.Series([True, False, False, True], dtype=kind)) == [0, 1, 1, 0]


@pytest.mark.parametrize("kind", ["int8", "int16", "int64", "uint8", "uint64", ">i8", ">u4", "float32", ">f8"])
def test_numbers_at_the_ends_of_their_type_do_not_run_into_each_other(kind):
    ends = np.finfo(kind) if "f" in kind else np.iinfo(kind)
    labels = np.array([ends.max, ends.min, ends.max, 0, 1], dtype=kind)
    assert grouped(labels) == numbered(labels.tolist())
    top = np.array([ends.max, ends.max - 1, ends.max], dtype=kind)
    assert grouped(top) == numbered(top.tolist())
    low = np.array([ends.min, ends.min + 1, ends.min], dtype=kind)
    assert grouped(low) == numbered(low.tolist())


@pytest.mark.parametrize("make", [list, pa.array, lambda labels: pd.Series(labels, dtype="Int64"), pl.Series])
def test_long_numbers_are_told_apart_by_their_last_digit_beside_a_missing_one(make):
    labels = [2**53, 2**53 + 1, None, 2**53]
    assert grouped(make(labels)) == [0, 1, 2, 0]


def test_labels_of_several_kinds_in_one_column_are_told_apart():
    assert grouped(["A", 1, None, 2.5, "1", np.nan, "A", 1]) == [0, 1, 2, 3, 4, 2, 0, 1]


@pytest.mark.parametrize(
    "by", [[], np.array([], dtype=int), pd.Series([], dtype="category"), pa.array([], pa.string())]
)
def test_no_results_have_no_groups(by):
    assert group_codes(by)[0].tolist() == []


@pytest.mark.parametrize("labels", [[None] * 3, [np.nan] * 3, pd.Series([None] * 3, dtype="category"), pa.nulls(3)])
def test_results_without_any_label_are_one_group(labels):
    assert grouped(labels) == [0, 0, 0]


TABLE = pd.DataFrame({"session": ["1", "1", "2", None, None, "1"], "board": pd.array([1, 1, 1, 1, 1, None], "Int32")})


@pytest.mark.parametrize(
    "by",
    [TABLE, pa.table(TABLE), pa.RecordBatch.from_pandas(TABLE), pl.DataFrame(TABLE), TABLE.astype("category")],
    ids=["pandas", "Arrow", "Arrow batch", "Polars", "categories"],
)
def test_several_labels_name_a_group_together(by):
    assert grouped(by) == [0, 0, 1, 2, 2, 3]


def test_two_columns_of_one_name_are_both_read():
    assert grouped(TABLE.set_axis(["board", "board"], axis=1)) == [0, 0, 1, 2, 2, 3]


@pytest.mark.parametrize("by", [TABLE[[]], pa.table({}), pl.DataFrame()], ids=["pandas", "Arrow", "Polars"])
def test_a_table_without_columns_names_no_groups(by):
    with pytest.raises(ValueError, match=r"^expected at least one label column in `by`, got a table without columns$"):
        group_codes(by)


LABEL_COLUMNS = {
    "str": st.sampled_from(["A", "B", "é", "", None]),
    "category": st.sampled_from(["A", "B", None]),
    "object": st.sampled_from(["A", "1", None]),
    "int64": st.sampled_from([0, 1, 7, 2**40, -(2**62)]),
    "Int64": st.sampled_from([0, 1, 2**53, 2**53 + 1, None]),
    "float64": st.sampled_from([0.0, -0.0, 0.5, 1e300, None]),
    "boolean": st.sampled_from([True, False, None]),
    "datetime64[ns]": st.sampled_from([pd.Timestamp(0), pd.Timestamp(1), None]),
}
LABEL_TABLES = st.lists(st.sampled_from(sorted(LABEL_COLUMNS)), min_size=1, max_size=4).flatmap(
    lambda kinds: st.tuples(st.just(kinds), st.lists(st.tuples(*map(LABEL_COLUMNS.get, kinds)), max_size=30))
)


@given(LABEL_TABLES)
@settings(max_examples=300, deadline=None)
def test_groups_are_those_of_pandas_for_any_mixture_of_label_columns(drawn):
    kinds, rows = drawn
    table = pd.DataFrame(
        {place: pd.Series([row[place] for row in rows], dtype=kind) for place, kind in enumerate(kinds)}
    )
    expected = table.groupby(list(table.columns), dropna=False, observed=True, sort=False).ngroup() if rows else []
    assert grouped(table) == in_order_of_appearance(expected)
    assert grouped(table) == numbered(*(table[name].tolist() for name in table))


def test_many_labels_in_many_columns_stay_few_numbers():
    rows = np.arange(5000)
    table = pd.DataFrame(
        {name: rows * step % 4999 for name, step in (("a", 1), ("b", 7), ("c", 13), ("d", 17), ("e", 19))}
    )
    table["f"] = rows.astype(str)
    table["g"] = pd.Categorical(rows.astype(str), categories=np.arange(50_000).astype(str))
    assert grouped(table) == list(range(5000))


# values to small numbers


@given(
    st.one_of(
        st.lists(st.integers(-760, 760).map(lambda tens: 10 * tens)),
        st.lists(st.integers(-(2**63), 2**63 - 1)),
        st.lists(st.integers(0, 2**64 - 1)).map(lambda scores: np.array(scores, dtype=np.uint64)),
        st.lists(st.floats(allow_nan=False, allow_infinity=False)),
        st.lists(st.integers(-(2**40), 2**40).map(float)),
        st.lists(st.integers(-128, 127)).map(lambda scores: np.array(scores, dtype=np.int8)),
        st.lists(st.booleans()).map(lambda scores: np.array(scores, dtype=bool)),
    )
)
@settings(deadline=None)
def test_ranks_keep_the_order_of_the_scores_and_lead_back_to_them(scores):
    values = np.asarray(scores)
    ranks, back = ranked(values)
    assert ranks.dtype == np.int64
    assert not ranks.size or ranks.min() >= 0
    assert np.array_equal(ranks + back if isinstance(back, int) else back[ranks], values)
    order = np.argsort(values, kind="stable")
    assert np.array_equal(np.diff(ranks[order]) > 0, values[order][1:] > values[order][:-1])


# fields


def plain_field(codes, ranks):
    """Every group with its runs of equal values, one row at a time: ``{group: {value: rows}}`` in order."""
    field = {}
    for row in sorted(range(len(codes)), key=lambda row: (codes[row], ranks[row], row)):
        field.setdefault(codes[row], {}).setdefault(ranks[row], []).append(row)
    return field


def field_of(codes, ranks, chunk=groups.CHUNK):
    """The same from the chunks, with their promises checked: whole groups in order, and as small as can be."""
    field = {}
    codes, ranks = np.array(codes, np.int64), np.array(ranks, np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "CHUNK", chunk)
        for rows, run_ranks, run_starts, group_runs in field_chunks(codes, ranks):
            assert rows.size <= chunk or len(group_runs) == 2
            assert (run_starts[0], run_starts[-1]) == (0, rows.size)
            assert (group_runs[0], group_runs[-1]) == (0, run_ranks.size)
            for first, last in zip(group_runs[:-1].tolist(), group_runs[1:].tolist(), strict=True):
                assert first < last
                group = int(codes[rows[run_starts[first]]])
                assert group not in field, "a group is cut in two"
                assert group > max(field, default=-1)
                field[group] = {}
                for run in range(first, last):
                    assert int(run_ranks[run]) not in field[group], "a run is cut in two"
                    field[group][int(run_ranks[run])] = rows[run_starts[run] : run_starts[run + 1]].tolist()
    return field


def in_order(field):
    return [(group, list(runs.items())) for group, runs in field.items()]


SIZES = {"boards of a club": (9, 40), "sparse boards": (2**30, 40), "any": (2**62, 2**62), "wide": (2**40, 2**20)}


@given(st.data(), st.sampled_from(sorted(SIZES)), st.booleans(), st.integers(1, 9))
@settings(max_examples=400, deadline=None)
def test_a_field_is_every_group_with_its_equal_scores_in_order(data, size, ascending, chunk):
    most_code, most_rank = SIZES[size]
    code = st.one_of(st.integers(0, most_code), st.sampled_from([0, 1, most_code]))
    rank = st.one_of(st.integers(0, most_rank), st.sampled_from([0, 1, most_rank]))
    results = data.draw(st.lists(st.tuples(code, rank), max_size=40))
    results = sorted(results, key=lambda result: result[0]) if ascending else results
    codes, ranks = [code for code, _ in results], [rank for _, rank in results]
    assert in_order(field_of(codes, ranks, chunk)) == in_order(plain_field(codes, ranks))


def big_field(order, size=3 * groups.CHUNK // 2, most_rank=50, spread=1):
    """Some boards of a few results, one of more than a chunk."""
    random = np.random.default_rng(7)
    codes = np.sort(np.where(random.random(size) < 0.8, 500, random.integers(0, 1000, size))) * spread
    ranks = random.integers(0, most_rank, size)
    return (codes, ranks) if order == "in order" else (random.permutation(codes), ranks)


@pytest.mark.parametrize("order", ["in order", "shuffled"])
@pytest.mark.parametrize("most_rank", [50, 2**62], ids=["few scores", "scores of any size"])
@pytest.mark.parametrize("spread", [1, 2**40], ids=["close", "far apart"])
def test_a_board_of_more_results_than_a_chunk_stays_whole(order, most_rank, spread):
    codes, ranks = big_field(order, most_rank=most_rank, spread=spread)
    assert in_order(field_of(codes, ranks)) == in_order(plain_field(codes.tolist(), ranks.tolist()))


def test_where_group_value_and_row_do_not_fit_64_bits_nothing_is_mixed_up():
    codes = np.array([0, 2**40, 2**40, 2**41] * 2)
    ranks = np.array([2**31 - 1, 5, 2**31 - 1, 0] * 2)
    for order in (np.argsort(codes, kind="stable"), np.arange(codes.size)):
        expected = plain_field(codes[order].tolist(), ranks[order].tolist())
        assert in_order(field_of(codes[order], ranks[order])) == in_order(expected)


def test_sorting_a_field_leaves_its_columns_as_they_were():
    codes, ranks = np.array([1, 0, 1]), np.array([5, 4, 3])
    list(field_chunks(codes, ranks))
    assert (codes.tolist(), ranks.tolist()) == ([1, 0, 1], [5, 4, 3])


def test_a_field_without_results_has_no_chunks():
    assert list(field_chunks(np.empty(0, np.int64), np.empty(0, np.int64))) == []
