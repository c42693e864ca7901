"""Scores of columns: every kind of column gives the right score or a clear error, and what is missing is never zero."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_analytics.laws import PARTS, score_table
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.scoring import contract_class, doubled_into_game, score, score_parts, tricks_from_score

EDITIONS = ("duplicate-1987", "duplicate-before-1987", "duplicate-001", "duplicate-003")
EDITIONS += ("rubber-1993", "rubber-before-1993", "rubber-001", "rubber-003", "chicago")

# Six results, their scores by Law 77, and the columns that hold them.
WORDS = ["4S", "Pass", "3NTX", "1C", "7NTXX", "4S"]
VULNERABLE = [False, True, True, False, True, True]
TRICKS = [10, 0, 8, 7, 0, 12]
SCORES = [420, 0, -200, 70, -7600, 680]


def every_cell():
    """Contract codes, vulnerability and tricks of the 2,968 cells, in the order of the table."""
    return tuple(axis.reshape(-1) for axis in np.indices((106, 2, 14)))


def foreign_category(words):
    """The words as categories in an order of somebody else's, with one that no row uses."""
    return pd.Series(pd.Categorical(words, categories=["7NTXX", "4S", "2D", "Pass", "1C", "3NTX"]))


def arrow_dictionary(words):
    return pa.array(words).dictionary_encode()


CONTRACT_COLUMNS = {
    "list": list,
    "numpy text": np.array,
    "numpy object": lambda words: np.array(words, dtype=object),
    "codes, list": lambda words: [CONTRACTS.index(word) for word in words],
    "codes, int8": lambda words: np.array([CONTRACTS.index(word) for word in words], np.int8),
    "codes, uint8": lambda words: np.array([CONTRACTS.index(word) for word in words], np.uint8),
    "codes, int64": lambda words: np.array([CONTRACTS.index(word) for word in words], np.int64),
    "codes, pandas Int8": lambda words: pd.Series([CONTRACTS.index(word) for word in words], dtype="Int8"),
    "pandas str": lambda words: pd.Series(words, dtype="str"),
    "pandas object": lambda words: pd.Series(words, dtype=object),
    "pandas string of Arrow": lambda words: pd.Series(words, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "category": lambda words: pd.Series(words, dtype="category"),
    "category, all contracts": lambda words: pd.Series(pd.Categorical(words, categories=CONTRACTS, ordered=True)),
    "category, foreign order": foreign_category,
    "Arrow text": pa.array,
    "Arrow large text": lambda words: pa.array(words, pa.large_string()),
    "Arrow text view": lambda words: pa.array(words, pa.string_view()),
    "Arrow dictionary": arrow_dictionary,
    "Arrow chunked": lambda words: pa.chunked_array([words[:2], words[2:2], words[2:]]),
    "Arrow chunked dictionary": lambda words: pa.chunked_array(
        [arrow_dictionary(words[:2]), arrow_dictionary(words[:1:-1][::-1])]
    ),
    "Polars text": pl.Series,
    "Polars categorical": lambda words: pl.Series(words, dtype=pl.Categorical),
    "Polars enum": lambda words: pl.Series(words, dtype=pl.Enum(["7NTXX", "Pass", "4S", "3NTX", "1C"])),
}
VULNERABLE_COLUMNS = {
    "list": list,
    "list of 0 and 1": lambda flags: [int(flag) for flag in flags],
    "numpy bool": np.array,
    "numpy int8": lambda flags: np.array(flags, np.int8),
    "numpy uint8": lambda flags: np.array(flags, np.uint8),
    "numpy int64": lambda flags: np.array(flags, np.int64),
    "numpy float": lambda flags: np.array(flags, np.float64),
    "numpy object": lambda flags: np.array(flags, dtype=object),
    "pandas bool": pd.Series,
    "pandas boolean": lambda flags: pd.Series(flags, dtype="boolean"),
    "pandas Int8": lambda flags: pd.Series(flags, dtype="boolean").astype("Int8"),
    "pandas bool of Arrow": lambda flags: pd.Series(flags, dtype=pd.ArrowDtype(pa.bool_())),
    "Arrow bool": pa.array,
    "Arrow chunked bool": lambda flags: pa.chunked_array([flags[:4], flags[4:]]),
    "Polars bool": pl.Series,
}
TRICKS_COLUMNS = {
    "list": list,
    "tuple": tuple,
    **{
        f"numpy {kind}": lambda tricks, kind=kind: np.array(tricks, kind)
        for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
    },
    "numpy object": lambda tricks: np.array(tricks, dtype=object),
    "pandas int8": lambda tricks: pd.Series(tricks, dtype="int8"),
    "pandas Int8": lambda tricks: pd.Series(tricks, dtype="Int8"),
    "pandas Int64": lambda tricks: pd.Series(tricks, dtype="Int64"),
    "pandas Float64": lambda tricks: pd.Series(tricks, dtype="Float64"),
    "pandas int8 of Arrow": lambda tricks: pd.Series(tricks, dtype=pd.ArrowDtype(pa.int8())),
    "pandas object": lambda tricks: pd.Series(tricks, dtype=object),
    "category of numbers": lambda tricks: pd.Series(pd.Categorical(tricks, categories=[12, 0, 10, 7, 8])),
    "Arrow int8": lambda tricks: pa.array(tricks, pa.int8()),
    "Arrow dictionary of numbers": lambda tricks: pa.array(tricks).dictionary_encode(),
    "Arrow chunked int64": lambda tricks: pa.chunked_array([tricks[:1], tricks[1:]]),
    "Polars Int8": lambda tricks: pl.Series(tricks, dtype=pl.Int8),
    "Polars Float64": lambda tricks: pl.Series(tricks, dtype=pl.Float64),
}
# Columns that can hold nothing in a cell.
WITH_GAPS = {
    "list of None": lambda values: values,
    "numpy object": lambda values: np.array(values, dtype=object),
    "numpy float": lambda values: np.array(values, dtype=np.float64),
    "pandas float": lambda values: pd.Series(values, dtype="float64"),
    "pandas Int8": lambda values: pd.Series(values, dtype="Int8"),
    "pandas Float64": lambda values: pd.Series(values, dtype="Float64"),
    "pandas Int8 of Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.int8())),
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "category of numbers": lambda values: pd.Series(values, dtype="Int8").astype("category"),
    "Arrow int8": lambda values: pa.array(values, pa.int8()),
    "Arrow chunked": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "Polars Int8": lambda values: pl.Series(values, dtype=pl.Int8),
    "Polars Float64": lambda values: pl.Series(values, dtype=pl.Float64),
}


def refused(name, seen):
    return pytest.raises(ValueError, match=f"expected {name}.*got {seen}")


MISSING = "a missing value at position 2 .*use score_results"

# ---- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", CONTRACT_COLUMNS)
def test_contracts_score_from_any_column(make):
    seen = score(CONTRACT_COLUMNS[make](WORDS), VULNERABLE, TRICKS)
    assert seen.tolist() == SCORES
    assert seen.dtype == np.int32


@pytest.mark.parametrize("make", VULNERABLE_COLUMNS)
def test_vulnerability_is_read_from_any_column(make):
    assert score(WORDS, VULNERABLE_COLUMNS[make](VULNERABLE), TRICKS).tolist() == SCORES


@pytest.mark.parametrize("make", TRICKS_COLUMNS)
def test_tricks_are_read_from_any_column(make):
    assert score(WORDS, VULNERABLE, TRICKS_COLUMNS[make](TRICKS)).tolist() == SCORES


def test_columns_of_a_table_are_scored_by_place_not_by_index():
    shuffled = [3, 1, 5, 0, 4, 2]
    table = pd.DataFrame({"contract": WORDS, "vulnerable": VULNERABLE, "tricks": TRICKS}, index=shuffled)
    seen = score(table["contract"], table["vulnerable"].sort_index(), table["tricks"])
    assert isinstance(seen, np.ndarray)
    by_index = [VULNERABLE[shuffled.index(i)] for i in range(6)]
    assert seen.tolist() == score(WORDS, by_index, TRICKS).tolist()


def test_the_columns_given_are_left_as_they_were():
    codes = np.array([CONTRACTS.index(word) for word in WORDS], np.uint8)
    flags, tricks = np.array(VULNERABLE), np.array(TRICKS, np.uint8)
    for column in (codes, flags, tricks):
        column.flags.writeable = False
    assert score(codes, flags, tricks).tolist() == SCORES


def test_a_single_result_scores_as_a_number():
    seen = score("3HX", True, 10)
    assert seen == 930
    assert type(seen) is np.int32


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_cells_are_looked_up_where_the_law_put_them(edition):
    np.testing.assert_array_equal(score(*every_cell(), edition=edition), score_table(edition).reshape(-1))


def test_one_contract_scores_at_every_number_of_tricks():
    np.testing.assert_array_equal(score("4SX", True, range(14)), score_table()[CONTRACTS.index("4SX"), 1])


def test_shapes_are_combined_as_numpy_combines_them():
    grid = score(np.arange(106)[:, None, None], np.array([[False], [True]]), np.arange(14))
    np.testing.assert_array_equal(grid, score_table())


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="expected columns of one length"):
        score(["4S", "4S"], [True, False, True], 10)


def test_no_results_score_as_no_scores():
    seen = score([], [], [])
    assert seen.shape == (0,)
    assert seen.dtype == np.int32


def test_a_season_is_scored_alike_in_whatever_pieces_it_is_read():
    draw = np.random.default_rng(7)
    rows = 300_000  # more than two chunks
    codes, flags, tricks = (draw.integers(0, high, rows) for high in (106, 2, 14))
    seen = score(pd.Categorical.from_codes(codes, CONTRACTS), flags.astype(bool), tricks)
    np.testing.assert_array_equal(seen, score_table()[codes, flags, tricks])


# ---- what is missing, and what cannot be -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", WITH_GAPS)
def test_a_board_passed_out_needs_no_tricks(make):
    tricks = WITH_GAPS[make]([10, None, 7])
    assert score(["4S", "Pass", "1C"], False, tricks).tolist() == [420, 0, 70]


@pytest.mark.parametrize("make", WITH_GAPS)
def test_a_board_passed_out_needs_no_vulnerability(make):
    vulnerable = WITH_GAPS[make]([1, None, 0])
    assert score(["4S", "Pass", "1C"], vulnerable, [10, 0, 7]).tolist() == [620, 0, 70]


@pytest.mark.parametrize("make", WITH_GAPS)
def test_missing_tricks_are_refused_with_their_position(make):
    with refused("tricks", MISSING):
        score(["4S", "Pass", "1C"], False, WITH_GAPS[make]([10, None, None]))


@pytest.mark.parametrize("make", WITH_GAPS)
def test_missing_vulnerability_is_refused_with_its_position(make):
    with refused("vulnerable", MISSING):
        score(["4S", "Pass", "1C"], WITH_GAPS[make]([1, None, None]), [10, 0, 7])


@pytest.mark.parametrize(
    "contract",
    [
        ["4S", "Pass", None],
        np.array(["4S", "Pass", np.nan], dtype=object),
        pd.Series(["4S", "Pass", None], dtype="str"),
        pd.Series(["4S", "Pass", None], dtype="category"),
        pd.Series([56, 0, None], dtype="Int8"),
        np.array([56, 0, np.nan]),
        pa.array(["4S", "Pass", None]),
        pa.array(["4S", "Pass", None]).dictionary_encode(),
        pl.Series(["4S", "Pass", None], dtype=pl.Categorical),
    ],
    ids=["list", "object", "str", "category", "Int8", "float", "Arrow", "Arrow dictionary", "Polars"],
)
def test_a_missing_contract_is_refused_with_its_position(contract):
    with refused("a contract", MISSING):
        score(contract, False, [10, 0, 7])


def test_a_column_of_nothing_scores_only_where_all_passed():
    assert score(["Pass", "Pass"], None, None).tolist() == [0, 0]
    assert score("Pass", None, None) == 0
    with refused("tricks", "a missing value at position 0"):
        score(["4S", "4S"], True, [None, None])


@pytest.mark.parametrize("filler", [-1, 99, 0.5, "", "10", True])
def test_whatever_fills_the_tricks_of_a_passed_board_is_ignored(filler):
    tricks = np.array([10, filler, 7, filler], dtype=object)
    assert score(["4S", "Pass", "1C", "Pass"], False, tricks).tolist() == [420, 0, 70, 0]


@pytest.mark.parametrize(
    ("bad", "seen"), [(-1, "-1"), (14, "14"), (300, "300"), (9.5, "9.5"), (float("inf"), "inf"), (2.0**70, r"1\.18")]
)
def test_tricks_that_cannot_be_are_refused_with_value_and_position(bad, seen):
    for tricks in (np.array([10, 0, bad]), [10, None, bad], pd.Series([10, 0, bad])):
        with refused("tricks as a whole number 0 to 13", f"{seen}.* at position 2"):
            score(["4S", "Pass", "1C"], False, tricks)


@pytest.mark.parametrize(
    "tricks",
    [
        ["10", "0", "7"],
        pd.Series(["10", "0", "7"], dtype="str"),
        pd.Series(["10", "0", "7"], dtype="category"),
        pa.array(["10", "0", "7"]),
        pl.Series(["10", "0", "7"]),
        [True, False, True],
        np.array([True, False, True]),
    ],
    ids=["list", "str", "category", "Arrow", "Polars", "list of bool", "numpy bool"],
)
def test_tricks_that_are_no_numbers_are_refused(tricks):
    with refused("tricks as a whole number 0 to 13", "('10'|True) at position 0"):
        score(["4S", "3NT", "1C"], False, tricks)


@pytest.mark.parametrize("bad", [2, -1, 0.5, "both", "True"])
def test_vulnerability_is_yes_or_no(bad):
    with refused("vulnerable as True or False", f"{bad!r} at position 1"):
        score(["4S", "4S"], np.array([1, bad], dtype=object), 10)


@pytest.mark.parametrize(("bad", "seen"), [("8S", "'8S'"), ("4P", "'4P'"), ("", "''"), ("nan", "'nan'")])
def test_a_contract_that_is_none_is_refused_with_value_and_position(bad, seen):
    with refused("a contract such as '4SX' or 'Pass'", f"{seen}.* at position 1"):
        score(["4S", bad], False, [10, 10])


@pytest.mark.parametrize("bad", [-1, 106, 1000, 4.5])
def test_a_contract_code_that_is_none_is_refused_with_value_and_position(bad):
    with refused("a contract code", f"{bad} at position 1"):
        score(np.array([56, bad]), False, [10, 10])


def test_a_fault_far_down_is_named_by_its_own_position():
    tricks = np.full(400_000, 7, np.int16)
    tricks[333_333] = 14
    with refused("tricks", "14 at position 333333"):
        score("1C", False, tricks)


# ---- parts, classes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_parts_add_up_to_the_score(edition):
    parts = score_parts(*every_cell(), edition=edition)
    assert tuple(parts) == PARTS
    assert {part.dtype for part in parts.values()} == {np.dtype(np.int32)}
    np.testing.assert_array_equal(sum(parts.values()), score(*every_cell(), edition=edition))


def test_the_course_example_stands_part_by_part():
    parts = {part: int(points) for part, points in score_parts("3HX", True, 10).items()}
    made = {"trick_score": 180, "overtricks": 200, "partscore": 0, "game": 500, "slam": 0, "insult": 50, "penalty": 0}
    assert parts == made
    redoubled = score_parts("3HXX", True, 10)
    assert [redoubled[part] for part in ("trick_score", "overtricks", "insult")] == [360, 400, 100]


def test_a_defeat_is_nothing_but_a_penalty():
    codes, vulnerable, tricks = every_cell()
    down = (codes > 0) & (tricks < 6 + (codes + 14) // 15)
    parts = score_parts(codes[down], vulnerable[down], tricks[down])
    assert (parts.pop("penalty") < 0).all()
    assert not np.any([*parts.values()])


def test_contracts_are_classed_as_bid():
    words = ["Pass", "1NT", "2SXX", "3NT", "4D", "4HX", "5C", "6C", "6NTX", "7D", None]
    classes = ["passed", "partscore", "partscore", "game", "partscore", "game", "game"]
    classes += ["small_slam", "small_slam", "grand_slam", None]
    assert contract_class(words).tolist() == classes
    assert contract_class("4S") == "game"


def test_a_double_never_changes_the_class_of_a_contract():
    classes = contract_class(np.arange(1, 106)).reshape(35, 3)
    assert (classes == classes[:, :1]).all()


def test_what_makes_a_game_is_a_number_of_the_edition(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text(
        'title = "Club"\nextends = "duplicate-1987"\n[trick_score]\ngame = { value = 110, source = "house rule" }\n'
    )
    assert contract_class(["3NT", "5C", "4S"], edition=club).tolist() == ["partscore", "partscore", "game"]
    assert score("3NT", False, 9, edition=club) == 150
    assert doubled_into_game(["3NTX", "4SX"], edition=club).tolist() == [True, False]


def test_contracts_are_doubled_into_game_where_only_the_double_makes_one():
    into = [CONTRACTS[code] for code in np.flatnonzero(doubled_into_game(np.arange(106)))]
    doubled = ["2HX", "2SX", "2NTX", "3CX", "3DX", "3HX", "3SX", "4CX", "4DX"]
    redoubled = ["1HXX", "1SXX", "1NTXX", "2CXX", "2DXX"] + [f"{word}X" for word in doubled]
    assert sorted(into) == sorted(doubled + redoubled)


def test_whether_a_missing_contract_is_doubled_into_game_is_not_guessed():
    with refused("a contract", "a missing value at position 1"):
        doubled_into_game(["2SX", None])


# ---- back from the score ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_tricks_are_found_back_from_every_score(edition):
    codes, vulnerable, tricks = every_cell()
    points = score(codes, vulnerable, tricks, edition=edition)
    found, how = tricks_from_score(codes, vulnerable, points, edition=edition)
    assert set(how) == {"unique"}
    np.testing.assert_array_equal(found, np.where(codes == 0, np.nan, tricks))


def test_a_score_that_no_result_gives_is_impossible():
    found, how = tricks_from_score(["4S", "4S", "Pass", "4S"], [False, True, False, False], [430, 420, 50, 100_000])
    assert how.tolist() == ["impossible"] * 4
    assert np.isnan(found).all()


def test_a_score_that_two_results_give_is_ambiguous(tmp_path):
    club = tmp_path / "club.toml"
    free = 'doubled = { value = [0, 200], source = "house rule" }'
    club.write_text(f'title = "Club"\nextends = "duplicate-1987"\n[overtrick]\n{free}\n')
    found, how = tricks_from_score("4SX", [False, True, False], [590, 790, -100], edition=club)
    assert how.tolist() == ["ambiguous", "unique", "unique"]
    np.testing.assert_array_equal(found, [np.nan, 10, 9])


def test_tricks_that_were_not_found_are_refused_when_scored():
    found, _ = tricks_from_score(["4S", "4S"], False, [420, 430])
    with refused("tricks", "a missing value at position 1"):
        score(["4S", "4S"], False, found)


@pytest.mark.parametrize(("bad", "seen"), [(None, "a missing value"), (420.5, "420.5"), ("420", "'420'")])
def test_a_score_that_is_no_whole_number_explains_no_tricks(bad, seen):
    with refused("score", f"{seen} at position 1"):
        tricks_from_score(["4S", "4S"], False, np.array([420, bad], dtype=object))


def test_one_score_gives_one_number_of_tricks():
    assert tricks_from_score("4S", True, 650) == (11, "unique")


@given(
    st.lists(
        st.tuples(st.sampled_from(CONTRACTS), st.booleans(), st.integers(0, 13) | st.none()), min_size=1, max_size=30
    )
)
def test_results_score_one_by_one_as_they_score_together(rows):
    contracts, vulnerable, tricks = map(list, zip(*rows, strict=True))
    gap = next((i for i, (word, _, won) in enumerate(rows) if word != "Pass" and won is None), None)
    if gap is None:
        assert score(contracts, vulnerable, tricks).tolist() == [score(*row) for row in rows]
    else:
        with refused("tricks", f"a missing value at position {gap} "):
            score(contracts, vulnerable, tricks)
