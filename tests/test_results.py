"""Reading, sifting, checking and scoring tables of results."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bridge_analytics.checks import FAULT_COLUMNS, ResultsError
from bridge_analytics.results import check_results, read_results, score_results, sift_results

FORMS = ("matchpoints", "butler", "cross_imps")

BOARD = pd.DataFrame(
    {
        "Board": [2, 2, 2, 2, 2, 2],
        "NS": [1, 2, 3, 4, 5, 6],
        "EW": [11, 12, 13, 14, 15, 16],
        "Contract": ["4S", "4S", "Pass", "3NTX", "NP", "A6040"],
        "By": ["S", "N", None, "W", None, None],
        "Tricks": [10, 9, None, 8, None, None],
    }
)


@pytest.fixture
def board():
    return read_results(BOARD)


@pytest.fixture
def scored(board):
    return score_results(board, forms=FORMS)


def faulty(**cells):
    """The board with other cells in its first row."""
    frame = BOARD.astype(object)
    for name, cell in cells.items():
        frame.loc[0, name] = cell
    return frame


# --- the error


def test_a_row_that_cannot_be_read_refuses_the_source_and_is_named():
    with pytest.raises(ResultsError) as caught:
        read_results(faulty(Contract="8S", Tricks="14"))
    assert str(caught.value) == (
        "1 of 6 results cannot be read (DataFrame)\n"
        "  row 1  contract  '8S'  expected level 1-7, strain C D H S NT, then nothing, X or XX; or Pass\n"
        "  row 1  tricks    14    expected a whole number 0-13\n"
        "All of them: error.faults, or check_results(source). The readable rows: sift_results(source)."
    )
    assert caught.value.faults["rule"].tolist() == ["contract_unreadable", "tricks_unreadable"]


def test_the_error_shows_ten_faults_and_counts_the_others():
    frame = pd.concat([BOARD.assign(Contract="8S")] * 2000, ignore_index=True)
    with pytest.raises(ResultsError) as caught:
        read_results(frame)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("12,000 of 12,000 results")
    assert (len(lines), lines[11]) == (13, "  … and 11,990 more")


def test_the_error_survives_the_way_to_another_process():
    with pytest.raises(ResultsError) as caught:
        read_results(faulty(By="Q"))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert copy.faults.equals(caught.value.faults)


# --- sifting and checking


def test_the_readable_rows_and_the_faults_come_apart():
    results, faults = sift_results(faulty(By="Q"))
    assert results["source_row"].tolist() == [2, 3, 4, 5, 6]
    assert faults["source_row"].tolist() == [1]
    assert {name: str(kind) for name, kind in faults.dtypes.items()} == dict(FAULT_COLUMNS)


def test_a_clean_source_has_an_empty_table_of_faults():
    faults = check_results(BOARD)
    assert faults.empty
    assert {name: str(kind) for name, kind in faults.dtypes.items()} == dict(FAULT_COLUMNS)


def test_a_cell_beside_the_result_that_cannot_be_read_leaves_the_row_with_the_cell_missing():
    frame = BOARD.assign(MP=["nine", "1,5", "3", None, None, None], Lead="S1")
    results, faults = sift_results(frame)
    assert results["published_mp_ns"].tolist()[2:3] == [3.0]
    assert results["published_mp_ns"].isna().tolist() == [True, True, False, True, True, True]
    assert results["lead"].isna().all()
    assert not faults["left_out"].any()
    pd.testing.assert_frame_equal(read_results(frame), results)


def test_a_fault_says_what_would_mend_it():
    frame = BOARD.assign(MP=["1,5"] * 6, By=["O", *BOARD["By"][1:]], Contract=["4S", "4T", *BOARD["Contract"][2:]])
    hints = check_results(frame).set_index("column")["suggestion"]
    assert hints["declarer"] == "in the layout: locale = 'es' or 'fr'"
    assert hints["contract"] == "in the layout: locale = 'es' or 'fr'"
    assert hints["published_mp_ns"].iloc[0] == "in the layout: decimal = ','"


def test_what_is_no_table_of_results_is_refused_as_a_whole():
    ranking = pd.DataFrame({"Place": [1], "Pair": ["Ann and Bob"], "Score": [61.2]})
    for read in (read_results, sift_results):
        with pytest.raises(ResultsError, match="the results cannot be read"):
            read(ranking)
    assert check_results(ranking)["rule"].tolist() == ["header_missing"]
    assert check_results(ranking)["source_row"].isna().all()


@pytest.mark.parametrize("source", [3, [BOARD], None])
def test_what_is_neither_a_path_nor_a_table_is_an_error(source):
    with pytest.raises(ValueError, match="expected a path or a table of results, got"):
        read_results(source)


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_results(tmp_path / "absent.csv")


def test_a_format_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match=r"expected a format among results_csv, valet, .*, parquet, got 'xlsx'"):
        read_results("club.xlsx", format="xlsx")


# --- what a row says


@pytest.mark.parametrize(
    ("cells", "status"),
    [
        ({}, "played"),
        ({"Contract": "Pass"}, "passed"),
        ({"Contract": "NP"}, "not_played"),
        ({"Contract": "---"}, "not_played"),
        ({"Contract": "Bye"}, "sit_out"),
        ({"Contract": "A+="}, "adjusted"),
        ({"Contract": "AVE"}, "adjusted"),
        ({"Contract": "Adj"}, "adjusted"),
        ({"Tricks": None}, "unknown"),
        ({"Contract": None, "By": None, "Tricks": None}, "unknown"),
    ],
)
def test_a_row_has_the_status_that_its_cells_show(cells, status):
    assert sift_results(faulty(**cells))[0]["status"].iloc[0] == status


@pytest.mark.parametrize(
    ("mark", "ns", "ew", "ns_pct", "ew_pct"),
    [
        ("A6040", "60%", "40%", 60, 40),
        ("A+/A-", "A+", "A-", 60, 40),
        ("A+=", "A+", "A", 60, 50),
        ("A==", "A", "A", 50, 50),
        ("AVE+/AVE-", "AVE+", "AVE-", 60, 40),
        ("Average", "Average", "Average", 50, 50),
        ("61.8%/38.2%", "61.8%", "38.2%", 61.8, 38.2),
        ("Adj", "Adj", "Adj", None, None),
    ],
)
def test_a_ruling_is_kept_as_written_and_as_a_percentage_where_it_is_one(mark, ns, ew, ns_pct, ew_pct):
    row = read_results(faulty(Contract=mark)).iloc[0]
    assert (row["adjusted_ns"], row["adjusted_ew"]) == (ns, ew)
    if ns_pct is None:
        assert pd.isna(row["award_ns_pct"])
        assert pd.isna(row["award_ew_pct"])
    else:
        assert (row["award_ns_pct"], row["award_ew_pct"]) == (ns_pct, ew_pct)


def test_a_ruling_for_one_side_is_not_completed():
    results, faults = sift_results(faulty(Contract="60%"))
    assert results["award_ns_pct"].iloc[0] == 60
    assert pd.isna(results["award_ew_pct"].iloc[0])
    assert faults[["column", "rule"]].values.tolist() == [["award_ew_pct", "award_one_sided"]]


def test_the_rulings_of_the_two_sides_may_stand_in_columns_of_their_own():
    frame = BOARD.assign(
        adjusted_ns=["+3 IMP", *[None] * 5], adjusted_ew=["620*.7 -100*.3", *[None] * 5], Contract=None
    )
    row = sift_results(frame)[0].iloc[0]
    assert (row["status"], row["adjusted_ns"], row["adjusted_ew"]) == ("adjusted", "+3 IMP", "620*.7 -100*.3")
    assert pd.isna(row["award_ns_pct"])


def test_a_word_that_the_board_was_not_played_beside_a_contract_is_not_believed():
    results, faults = sift_results(BOARD.assign(Remarks=["Not played", *[None] * 5]))
    assert faults["rule"].tolist() == ["status_contradicts"]
    assert results["source_row"].tolist() == [2, 3, 4, 5, 6]


def test_tricks_and_result_that_contradict_each_other_are_not_believed():
    assert check_results(BOARD.assign(Result=["=", "=", None, "-1", None, None]))["source_row"].tolist() == [2]


def test_the_declarer_of_a_passed_out_board_is_not_read():
    row = read_results(faulty(Contract="P", By="?", Tricks="x")).iloc[0]
    assert (row["status"], pd.isna(row["declarer"]), pd.isna(row["tricks"])) == ("passed", True, True)


@pytest.mark.parametrize(("contract", "double"), [("4S", "X"), ("4S", "1"), ("4SX", "x"), ("4SX", None)])
def test_a_double_may_stand_in_a_column_of_its_own(contract, double):
    frame = faulty(Contract=contract).assign(Doubled=[double, *[None] * 5])
    assert read_results(frame)["contract"].iloc[0] == "4SX"


def test_a_double_that_contradicts_the_contract_is_not_believed():
    frame = faulty(Contract="4SX").assign(Doubled=["0", *[None] * 5])
    assert check_results(frame)["rule"].tolist() == ["contract_unreadable"]


def test_zero_in_one_of_two_score_columns_is_not_a_score():
    layout = {"columns": {"+": "score_plus_ns", "-": "score_plus_ew"}}
    frame = BOARD.assign(**{"+": [420, 0, 0, 0, 0, 0], "-": [0, 50, 0, 0, 0, 0]}).iloc[:4]
    frame.loc[3, "-"] = -100
    assert read_results(frame, layout=layout)["published_score_ns"].tolist() == [620 - 200, -50, 0, 100]


# --- tables of other makes


@pytest.mark.parametrize(
    "make",
    [
        lambda frame: pl.from_pandas(frame),
        lambda frame: pa.Table.from_pandas(frame),
        lambda frame: frame.astype({"Contract": "category", "By": "category"}),
        lambda frame: frame.astype({"Board": "float32", "Tricks": "Int8", "NS": str, "EW": object}),
        lambda frame: frame.astype(object),
        lambda frame: frame.set_index(pd.Index(list("fedcba"))),
        lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    ],
    ids=["polars", "arrow", "categories", "other numbers", "objects", "another index", "arrow-backed"],
)
def test_a_table_of_any_make_reads_the_same(make, board):
    own = ["source", "source_row"]
    pd.testing.assert_frame_equal(read_results(make(BOARD)).drop(columns=own), board.drop(columns=own))


def test_a_table_of_results_is_read_again_without_a_change(scored):
    pd.testing.assert_frame_equal(read_results(scored), scored)


def test_the_source_is_not_changed(board):
    before = BOARD.copy(deep=True)
    read_results(BOARD)
    pd.testing.assert_frame_equal(BOARD, before)
    kept = board.copy(deep=True)
    score_results(board, forms=FORMS)
    pd.testing.assert_frame_equal(board, kept)


# --- scoring


def test_only_what_was_played_or_passed_out_has_a_score(scored):
    assert scored["score_ns"].tolist()[:4] == [620, -100, 0, 100]
    assert scored["score_ns"].isna().tolist() == [False, False, False, False, True, True]
    assert scored["score"].tolist()[:4] == [620, -100, 0, -100]
    assert scored["vulnerable"].tolist()[:2] == [True, True]
    assert scored["vulnerable"].isna().tolist() == [False, False, True, False, True, True]


def test_what_was_not_played_takes_no_part_in_the_comparison(scored):
    assert scored["mp_ns"].tolist()[:4] == [6, 0, 2, 4]
    assert scored["mp_ew"].tolist()[:4] == [0, 6, 4, 2]
    assert scored["pct_ns"].round(2).tolist()[:4] == [100, 0, 33.33, 66.67]
    assert scored[["mp_ns", "pct_ew", "butler_ns", "cross_imps_ns"]].isna().all(axis=1).tolist()[4:] == [True, True]


def test_a_form_brings_its_own_columns_only(board):
    added = {form: [name for name in score_results(board, forms=form).columns if name not in board] for form in FORMS}
    common, checks = ["deal_id", "vulnerable", "score", "score_ns"], ["score_ok", "mp_ok"]
    assert added == {
        "matchpoints": [*common, "mp_ns", "mp_ew", "pct_ns", "pct_ew", *checks],
        "butler": [*common, "datum_ns", "butler_ns", *checks],
        "cross_imps": [*common, "cross_imps_ns", *checks],
    }


def test_scoring_again_takes_the_place_of_the_earlier_scores(scored, board):
    again = score_results(scored, forms="butler", edition="duplicate-before-1987")
    pd.testing.assert_frame_equal(again, score_results(board, forms="butler", edition="duplicate-before-1987"))


def test_the_edition_is_an_argument(board):
    doubled = board.assign(tricks=pd.array([10, 4, None, 4, None, None], dtype="Int8"))
    now, before = (
        score_results(doubled, edition=edition)["score_ns"].iloc[3]
        for edition in ("duplicate-1987", "duplicate-before-1987")
    )
    assert (now, before) == (1100, 900)


def test_the_datum_the_scale_and_the_win_are_arguments(board):
    assert score_results(board, win=1)["mp_ns"].tolist()[:4] == [3, 0, 1, 2]
    trimmed, mean = (
        score_results(board, forms="butler", datum=name)["datum_ns"].iloc[0] for name in ("datum-trimmed", "datum-mean")
    )
    assert (trimmed, mean) == (50, 155)
    with pytest.raises(ValueError, match="imps-2087"):
        score_results(board, forms="cross_imps", imp_scale="imps-2087")


def test_results_that_are_expected_and_missing_are_made_up_for_by_neuberg(board):
    full = score_results(board, expected=6)["mp_ns"]
    assert full.iloc[0] == pytest.approx((6 + 1) * 6 / 4 - 1)


def test_printed_scores_and_matchpoints_are_compared_with_ours():
    frame = BOARD.assign(Score=[620, 100, None, 100, None, None], MP=[6, None, 2.05, 3, None, None])
    scored = score_results(read_results(frame))
    assert scored["score_ok"].tolist()[:2] == [True, False]
    assert scored["score_ok"].isna().tolist() == [False, False, True, False, True, True]
    assert scored["mp_ok"].tolist()[0::2][:2] == [True, True]
    assert scored["mp_ok"].iloc[3] == np.False_
    assert pd.isna(scored["mp_ok"].iloc[1])


def test_printed_percentages_are_compared_where_no_matchpoints_are_printed():
    scored = score_results(read_results(BOARD.assign(**{"%": [100, 0, 33.3, 50, None, None]})))
    assert scored["mp_ok"].tolist()[:4] == [True, True, True, False]


def test_a_board_whose_vulnerability_nobody_knows_has_no_score():
    results, faults = sift_results(faulty(Board="spacer"))
    assert faults["rule"].tolist() == ["vul_unknown"]
    assert pd.isna(score_results(results)["score_ns"].iloc[0])


def test_a_played_board_without_its_tricks_is_an_error_and_no_zero(board):
    board.loc[1, "tricks"] = pd.NA
    with pytest.raises(
        ValueError, match="expected contract, declarer and tricks of what was played, got '4S', 'N', <NA>"
    ):
        score_results(board)


@pytest.mark.parametrize(
    ("form", "hint"),
    [("board_a_match", "team_match"), ("rubber", "score_rubbers"), ("points", "score_ns"), ("imp", "")],
)
def test_a_form_that_is_not_scored_here_names_the_function_for_it(board, form, hint):
    with pytest.raises(ValueError, match=f"expected forms among matchpoints, butler, cross_imps, got '{form}'.*{hint}"):
        score_results(board, forms=(form,))


def test_the_index_of_the_rows_is_kept(board):
    board.index = list("abcdef")
    assert score_results(board).index.tolist() == list("abcdef")


def test_a_table_without_rows_is_scored(board):
    assert score_results(board.iloc[:0], forms=FORMS).empty


def test_adding_fields_to_a_chosen_part_compares_it_with_itself_only(scored):
    spades = score_results(scored[scored["contract"] == "4S"])
    assert spades["mp_ns"].tolist() == [2, 0]


def test_a_result_without_a_board_is_kept_and_named():
    frame = BOARD.assign(Board=[2, 2, 2, None, None, None], Vul="ns")
    results, faults = sift_results(frame)
    assert len(results) == 6
    assert faults[["source_row", "column", "rule", "left_out"]].values.tolist() == [
        [4, "board", "board_missing", False]
    ]


def test_every_result_of_a_source_without_boards_is_named():
    assert check_results(BOARD.drop(columns="Board").assign(Vul="ns"))["source_row"].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("source", "shown"), [("", "''"), (None, "None"), (b"1", "bytes"), (np.ones(3), "ndarray")])
def test_a_source_is_a_path_or_a_table(source, shown):
    with pytest.raises(ValueError, match=f"expected a path or a table of results, got {shown}"):
        read_results(source)


@pytest.mark.parametrize(("name", "kind"), [("datum", "imps-1962"), ("imp_scale", "datum-trimmed")])
def test_an_edition_of_another_kind_is_refused_though_its_form_is_not_asked(board, name, kind):
    with pytest.raises(ValueError, match=kind):
        score_results(board, **{name: kind})


@pytest.mark.parametrize("forms", [None, 5])
def test_forms_are_a_list(board, forms):
    with pytest.raises(ValueError, match=f"expected forms among matchpoints, butler, cross_imps, got {forms}"):
        score_results(board, forms=forms)


@pytest.mark.parametrize(("name", "word"), [("vul", "None"), ("status", "PLAYED")])
def test_a_word_that_is_none_is_named_with_its_position(board, name, word):
    with pytest.raises(ValueError, match=f"expected {name} among .*, got '{word}' at position 0"):
        score_results(board.assign(**{name: word}))
