"""The canonical table: its columns and types, through files and through joining."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.notation import CONTRACTS
from bridge_analytics.results import read_results, score_results
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS, concat_results, label, own_codes

FORMS = ("matchpoints", "butler", "cross_imps")

EVENING = pd.DataFrame(
    {
        "Board": [1, 1, 1, 2, 2, 17],
        "NS": ["2", "10", "1", "2", "10", "1"],
        "EW": ["11", "12", "13", "12", "13", "11"],
        "Contract": ["4S", "3NTX", "Pass", "NP", "A+/A-", "2HXX"],
        "By": ["S", "W", "", "", "", "N"],
        "Result": ["+1", "-2", "", "", "", "="],
        "Score": [450, 300, 0, None, None, 640],
        "Weather": ["rain", "rain", "sun", None, "sun", "sun"],
    }
)


@pytest.fixture
def evening():
    return read_results(EVENING)


@pytest.fixture
def scored(evening):
    return score_results(evening, forms=FORMS)


def test_every_column_is_there_in_its_order_and_the_own_ones_of_the_file_behind(evening):
    assert list(evening.columns) == [*COLUMNS, "Weather"]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_has_its_type_with_and_without_rows(evening, name):
    for table in (evening, evening.iloc[:0], read_results(EVENING.iloc[:0])):
        kind = table[name].dtype
        if COLUMNS[name] == "label":
            assert isinstance(kind, pd.CategoricalDtype)
            assert kind.categories.dtype == "str"
        else:
            assert kind == COLUMNS[name]


@pytest.mark.parametrize("name", SCORED_COLUMNS)
def test_a_scored_column_has_its_type(scored, name):
    assert scored[name].dtype == SCORED_COLUMNS[name]


def test_contracts_sort_in_the_order_of_bidding(evening):
    assert evening["contract"].cat.categories.tolist() == list(CONTRACTS)
    assert evening["contract"].dropna().sort_values().tolist() == ["Pass", "2HXX", "3NTX", "4S"]


def test_pair_2_comes_before_pair_10(evening):
    assert evening["ns"].cat.categories.tolist() == ["1", "2", "10"]


def test_a_label_keeps_only_the_words_in_use_and_reads_numbers_inside_them():
    column = label(["T12", "unused", "T2", "A"], np.array([0, 2, 3, -1]))
    assert column.categories.tolist() == ["A", "T2", "T12"]
    assert list(column)[:3] == ["T12", "T2", "A"]


@pytest.mark.parametrize("table", ["evening", "scored"])
def test_a_parquet_file_gives_the_table_back(table, request, tmp_path):
    before = request.getfixturevalue(table)
    before.to_parquet(tmp_path / "evening.parquet")
    pd.testing.assert_frame_equal(read_results(tmp_path / "evening.parquet"), before)


@pytest.mark.parametrize("table", ["evening", "scored"])
def test_a_csv_file_gives_the_table_back(table, request, tmp_path):
    before = request.getfixturevalue(table)
    before.to_csv(tmp_path / "evening.csv", index=False)
    pd.testing.assert_frame_equal(read_results(tmp_path / "evening.csv"), before)


def test_pandas_does_not_take_the_vulnerability_none_for_a_missing_value(evening, tmp_path):
    evening.to_csv(tmp_path / "evening.csv", index=False)
    assert pd.read_csv(tmp_path / "evening.csv")["vul"].tolist() == ["none", "none", "none", "ns", "ns", "none"]


def test_joined_tables_unite_their_words_and_keep_every_type(evening):
    other = read_results(EVENING.assign(NS=["3", "4", "5", "3", "4", "5"]).drop(columns="Weather"))
    joined = concat_results([evening, other])
    assert joined["ns"].cat.categories.tolist() == ["1", "2", "3", "4", "5", "10"]
    assert joined["ns"].astype("str").tolist() == [*evening["ns"].astype("str"), *other["ns"].astype("str")]
    assert joined["Weather"].isna().sum() == 7
    assert joined.drop(columns=["Weather", "ns"]).dtypes.equals(
        concat_results([evening]).drop(columns=["Weather", "ns"]).dtypes
    )


def own(values, kind=None):
    """A table with a column of the file's own, or none."""
    frame = pd.DataFrame({"board": [1], "contract": ["Pass"]})
    return read_results(frame if values is None else frame.assign(own=pd.Series(values, dtype=kind)))


@pytest.mark.parametrize(
    ("one", "other", "values", "kind"),
    [
        (own([True]), own(None), [True, pd.NA], "boolean"),
        (own([True]), own(["no"]), [True, "no"], "object"),
        (own([True]), own([1]), [True, 1], "object"),
        (own([1]), own([2.7]), [1.0, 2.7], "float64"),
        (own([1], "int8"), own([300]), [1, 300], "int64"),
        (own([1]), own(None), [1, pd.NA], "Int64"),
        (own(None), own([1], "int8"), [pd.NA, 1], "Int8"),
        (own([1]), own(["x"]), [1, "x"], "object"),
        (own(["x"]), own(None), ["x", np.nan], "str"),
        (own(["a"], "category"), own(["b"], "category"), ["a", "b"], "category"),
        (own(["a"], "category"), own(None), ["a", np.nan], "category"),
        (own(["a"], "category"), own(["b"]), ["a", "b"], "str"),
    ],
)
def test_a_column_of_the_files_own_keeps_every_value_when_joined(one, other, values, kind):
    joined = concat_results([one, other])["own"]
    assert joined.isna().tolist() == pd.isna(np.array(values, object)).tolist()
    assert list(map(repr, joined.dropna().tolist())) == [repr(value) for value in values if not pd.isna(value)]
    assert joined.dtype == kind


@pytest.mark.parametrize("tables", [None, 5, own(None)])
def test_joining_takes_a_list_of_tables(tables):
    with pytest.raises(ValueError, match="expected a list of tables of results, got"):
        concat_results(tables)


def test_one_table_joined_is_itself(scored):
    pd.testing.assert_frame_equal(concat_results([scored]), scored)


def test_deals_that_were_scored_apart_stay_apart_when_joined(scored):
    joined = concat_results([scored, scored])
    assert joined["deal_id"].tolist() == [0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 5]


def test_a_scored_table_does_not_join_one_that_is_not(scored, evening):
    with pytest.raises(ValueError, match="expected tables that are all scored, or none"):
        concat_results([scored, evening])


def test_joining_nothing_is_an_error():
    with pytest.raises(ValueError, match="expected at least one table of results, got none"):
        concat_results([])


def test_a_table_that_is_not_canonical_names_what_it_lacks(evening):
    with pytest.raises(ValueError, match="got one without tricks"):
        score_results(evening.drop(columns="tricks"))


def test_foreign_categories_are_read_by_their_words_and_not_by_their_codes():
    assert own_codes("vul", pd.Categorical(["ew", None, "none"], categories=["none", "ew"])).tolist() == [2, -1, 0]
    with pytest.raises(ValueError, match=r"expected vul among none, ns, ew, both, got 'red' at position 1"):
        own_codes("vul", pd.Series(["none", "red"]))
