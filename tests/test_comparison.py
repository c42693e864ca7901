"""Comparisons on a field: the published examples, plain statements of each rule, and the laws of symmetry."""

import csv
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bridge_analytics as ba

SCORES = st.integers(-760, 760).map(lambda tens: 10 * tens)
FIELD = st.lists(st.tuples(st.integers(0, 4), st.one_of(SCORES, st.none())), max_size=40)
IMP_STARTS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250),
    *(2500, 3000, 3500, 4000),
)


def cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def numbers(text):
    return [math.nan if word == "-" else float(word) for word in text.split()]


def plain_imps(difference):
    return (1 if difference > 0 else -1) * sum(abs(difference) >= start for start in IMP_STARTS)


def as_field(rows):
    labels = np.array([label for label, _ in rows], dtype=np.int64)
    return labels, np.array([math.nan if score is None else score for _, score in rows], dtype=np.float64)


def plain(rows, rule):
    """One result at a time: ``rule(own, others, all)`` on the scores of its group that are there."""
    out = []
    for place, (label, own) in enumerate(rows):
        if own is None:
            out.append(math.nan)
            continue
        others = [s for i, (g, s) in enumerate(rows) if g == label and s is not None and i != place]
        out.append(rule(own, others, sorted([own, *others])))
    return np.array(out, dtype=np.float64)


# IMPs


@pytest.mark.parametrize("case", cases("imps.csv"), ids=lambda case: f"{case['edition']}-{case['difference']}")
def test_a_difference_earns_the_imps_of_the_printed_scale(case):
    assert ba.imps(int(case["difference"]), edition=case["edition"]) == int(case["imps"]), case["source"]


def test_the_imp_scale_of_every_difference_to_ten_thousand():
    differences = np.arange(-10_000, 10_001, 10)
    assert ba.imps(differences).tolist() == [plain_imps(difference) for difference in differences]


@given(st.integers(-3000, 3000).map(lambda tens: 10 * tens))
def test_imps_are_antisymmetric(difference):
    assert ba.imps(-difference) == -ba.imps(difference)


@pytest.mark.parametrize("difference", [15, 495, -5, 10.5, 40_001, -65_535])
def test_a_difference_off_the_tens_is_refused_with_its_position(difference):
    with pytest.raises(ValueError, match=r"a multiple of ten.* at position 2"):
        ba.imps([10, 20, difference])


@pytest.mark.parametrize(
    ("difference", "rounding", "expected"),
    [
        *((15, "down", 0), (15, "away", 1), (15, "toward", 0), (16, "toward", 1), (19.9, "down", 0), (495, "down", 10)),
        *((495, "away", 11), (-15, "away", -1), (-15, "toward", 0), (-16, "toward", -1), (85.0001, "toward", 3)),
        *((40_005, "away", 24), (14.9, "away", 0), (45, "toward", 1), (45, "away", 2)),
    ],
)
def test_rounding_a_difference_is_the_callers_choice(difference, rounding, expected):
    assert ba.imps(difference, rounding=rounding) == expected


def test_imps_refuse_an_unknown_rounding():
    with pytest.raises(ValueError, match="expected rounding 'down', 'away', 'toward' or None, got 'up'"):
        ba.imps(10, rounding="up")


def test_a_difference_that_no_score_makes_is_refused():
    for far in (1e19, 1e300, np.uint64(2**64 - 6), -(10**17)):
        with pytest.raises(ValueError, match=r"expected a difference in points, got .* at position 1"):
            ba.imps(np.array([10, far]), rounding="down")


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
def test_a_missing_difference_is_refused(missing):
    with pytest.raises(ValueError, match="got a missing value at position 1"):
        ba.imps(pd.Series([10, missing], dtype="object"))


@pytest.mark.parametrize("kind", ["int16", "int32", "int64", "float32", "float64", "Int16", "Int64", "Float64"])
def test_imps_of_every_number_type(kind):
    assert ba.imps(pd.Series([430, -50], dtype=kind)).tolist() == [10, -2]


def test_imps_keep_the_shape_of_a_table():
    assert ba.imps([[0, 20], [50, -90]]).tolist() == [[0, 1], [2, -3]]


# Matchpoints


@pytest.mark.parametrize("case", cases("fields.csv"), ids=lambda case: f"{case['form']}-{case['scores']}")
def test_a_published_field_comes_out_as_published(case):
    scores = numbers(case["scores"])
    options = {"win": float(case["win"] or 2)} if case["form"] in ("matchpoints", "percent") else {}
    if case["expected"]:
        options["expected"] = int(case["expected"])
    form = {
        "matchpoints": lambda: ba.matchpoints(scores, by=[1] * len(scores), **options),
        "percent": lambda: ba.matchpoints(scores, by=[1] * len(scores), percent=True, **options),
        "butler": lambda: ba.butler(scores, by=[1] * len(scores), datum=case["edition"]),
        "datum": lambda: ba.datum(scores, by=[1] * len(scores), edition=case["edition"]),
        "cross_imps": lambda: ba.cross_imps(scores, by=[1] * len(scores)),
        "cross_imps_sum": lambda: ba.cross_imps(scores, by=[1] * len(scores), average=False),
        "ascherman": lambda: ba.ascherman(scores, by=[1] * len(scores)),
        "board_a_match": lambda: ba.board_a_match(scores),
    }[case["form"]]
    np.testing.assert_allclose(form(), numbers(case["results"]), atol=float(case["tolerance"]), err_msg=case["source"])


@given(FIELD, st.sampled_from([1.0, 2.0]))
def test_matchpoints_are_wins_and_half_wins_over_the_others(rows, win):
    labels, scores = as_field(rows)
    wanted = plain(rows, lambda own, others, _: sum(win * ((own > o) + (own == o) / 2) for o in others))
    np.testing.assert_array_equal(ba.matchpoints(scores, by=labels, win=win), wanted)


@given(FIELD)
def test_percentages_are_matchpoints_over_the_top_and_a_lone_result_has_none(rows):
    labels, scores = as_field(rows)
    wanted = plain(
        rows,
        lambda own, others, _: (
            100 * sum((own > o) + (own == o) / 2 for o in others) / len(others) if others else math.nan
        ),
    )
    np.testing.assert_allclose(ba.matchpoints(scores, by=labels, percent=True), wanted, rtol=1e-14)


@given(FIELD)
def test_matchpoints_do_not_change_under_an_increasing_change_of_the_scores(rows):
    labels, scores = as_field(rows)
    np.testing.assert_array_equal(
        ba.matchpoints(scores, by=labels), ba.matchpoints(scores**3 + 7.25 * scores, by=labels)
    )


@given(FIELD)
def test_the_two_sides_of_a_board_share_the_top(rows):
    labels, scores = as_field(rows)
    size = plain(rows, lambda own, others, _: 2 * len(others))
    np.testing.assert_array_equal(ba.matchpoints(scores, by=labels) + ba.matchpoints(-scores, by=labels), size)


def test_thirteen_tables_have_a_top_of_twelve_whether_it_wins_by_twenty_or_a_thousand():
    field = [*range(0, 120, 10)]
    for top in (field[-1] + 20, field[-1] + 1000):
        assert ba.matchpoints([*field, top], by=[1] * 13, win=1)[-1] == 12


def test_neuberg_of_a_lone_result_is_average():
    assert ba.matchpoints([420], by=[1], expected=7) == 6
    assert ba.matchpoints([420], by=[1], expected=7, percent=True) == 50


def test_neuberg_per_row_differs_by_board():
    scores, boards = [420, 50, 420, 50], [1, 1, 2, 2]
    np.testing.assert_allclose(ba.matchpoints(scores, by=boards, expected=[2, 2, 4, 4]), [2, 0, 5, 1])


def test_more_results_than_expected_are_refused():
    with pytest.raises(ValueError, match="got 3 of 2 at position 0"):
        ba.matchpoints([10, 20, 30], by=[1, 1, 1], expected=2)


def test_a_win_of_nothing_is_refused():
    with pytest.raises(ValueError, match="expected a positive number of points for a win, got 0"):
        ba.matchpoints([10], by=[1], win=0)


@pytest.mark.parametrize("win", ["2", None, math.inf, True, -1])
def test_a_win_is_a_positive_number(win):
    with pytest.raises(ValueError, match="expected a positive number of points for a win"):
        ba.matchpoints([10, 20], by=[1, 1], win=win)
    with pytest.raises(ValueError, match="expected a positive number of points for a win"):
        ba.board_a_match([10], win=win)


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("13", "expected the results of a full board as a whole number"),
        (12.5, "got 12.5 at position 0"),
        (math.inf, "got inf at position 0"),
        ([13, None], "got a missing value at position 1"),
        ([13, 12, 11], "got 3 for 2 scores"),
    ],
)
def test_a_full_board_has_a_whole_number_of_results(expected, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        ba.matchpoints([10, 20], by=[1, 1], expected=expected)


# Butler


def plain_datum(own, others, field, edition):
    size = len(field)
    cut = {"datum-trimmed": 1 if size >= 4 else 0, "datum-acblscore": size * 5 // 100}.get(edition, 0)
    field = field[cut : size - cut]
    if edition == "datum-median":
        return Fraction(field[(len(field) - 1) // 2] + field[len(field) // 2], 2)
    mean = Fraction(sum(field), len(field))
    if edition == "datum-mean":
        return mean
    if edition == "datum-truncated":
        return Fraction(int(mean))
    tens = abs(mean) / 10
    whole = int(tens + Fraction(1, 2))
    if edition == "datum-acblscore" and tens - int(tens) == Fraction(1, 2):
        whole = int(tens) + int(tens) % 2
    return Fraction((1 if mean > 0 else -1) * whole * 10)


def plain_butler(own, others, field, edition):
    difference = own - plain_datum(own, others, field, edition)
    tens = int(abs(difference) / 10 + Fraction(1, 2))
    return plain_imps((1 if difference > 0 else -1) * 10 * tens)


DATUMS = ["datum-trimmed", "datum-mean", "datum-median", "datum-truncated", "datum-acblscore"]


@pytest.mark.parametrize("edition", DATUMS)
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(st.integers(0, 2), st.one_of(SCORES, st.none())), max_size=70))
def test_butler_and_its_datum_against_exact_fractions(edition, rows):
    labels, scores = as_field(rows)
    wanted = plain(rows, lambda *field: float(plain_datum(*map(list_of_ints, field), edition)))
    np.testing.assert_allclose(ba.datum(scores, by=labels, edition=edition), wanted, rtol=1e-14)
    wanted = plain(rows, lambda *field: plain_butler(*map(list_of_ints, field), edition))
    np.testing.assert_array_equal(ba.butler(scores, by=labels, datum=edition), wanted)


def list_of_ints(value):
    return [int(score) for score in value] if isinstance(value, list) else int(value)


@pytest.mark.parametrize("edition", DATUMS)
@given(rows=FIELD)
def test_butler_changes_sign_with_the_side(edition, rows):
    labels, scores = as_field(rows)
    np.testing.assert_array_equal(
        ba.butler(-scores, by=labels, datum=edition), -ba.butler(scores, by=labels, datum=edition)
    )


def test_an_average_score_needs_a_datum_that_rounds_the_difference():
    with pytest.raises(ValueError, match=r"multiples of ten, for the IMP scale, got 421\.5 at position 1"):
        ba.butler([420, 421.5], by=[1, 1])
    assert ba.butler([420, 401.5], by=[1, 1], datum="datum-mean").tolist() == [0, 0]


# Cross-IMPs


@pytest.mark.parametrize("average", [True, False])
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.one_of(SCORES, st.none())), max_size=90))
def test_cross_imps_compare_with_every_other_result(average, rows):
    labels, scores = as_field(rows)

    def rule(own, others, _):
        total = sum(plain_imps(own - other) for other in others)
        return total if not average else total / len(others) if others else math.nan

    np.testing.assert_allclose(ba.cross_imps(scores, by=labels, average=average), plain(rows, rule), rtol=1e-14)


def test_cross_imps_of_a_large_field_with_many_different_scores():
    scores = np.random.default_rng(3).integers(-150, 150, 2000) * 10
    wanted = [sum(plain_imps(own - other) for other in scores) for own in scores[:50]]
    np.testing.assert_array_equal(ba.cross_imps(scores, by=np.zeros(2000), average=False)[:50], wanted)


BOARDS = {
    "boards of one size": [10] * 40,
    "small boards of many sizes": [1, 2, 3, 7, 12] * 8,
    "boards just too large to be small": [13, 14] * 8,
    "boards of all sizes": [1, 2, 40, 5, 300, 12, 1] * 2,
}


@pytest.mark.parametrize("boards", BOARDS)
@pytest.mark.parametrize("most", [760, 40_000], ids=["scores of the table", "scores beyond the table"])
@pytest.mark.parametrize("shuffled", [False, True], ids=["board by board", "shuffled"])
def test_cross_imps_of_boards_of_any_size_and_order(boards, most, shuffled):
    random = np.random.default_rng(5)
    labels = np.repeat(np.arange(len(BOARDS[boards])), BOARDS[boards])
    labels = random.permutation(labels) if shuffled else labels
    scores = 10 * random.choice(random.integers(-most, most, 20), labels.size)
    against = np.where(labels[:, None] == labels, ba.imps(scores[:, None] - scores), 0).sum(axis=1)
    np.testing.assert_array_equal(ba.cross_imps(scores, by=labels, average=False), against)


@given(FIELD)
def test_the_cross_imps_of_a_board_add_up_to_nothing(rows):
    labels, scores = as_field(rows)
    total = ba.cross_imps(scores, by=labels, average=False)
    there = ~np.isnan(total)
    np.testing.assert_array_equal(np.bincount(labels[there], total[there]), np.zeros(labels[there].max(initial=-1) + 1))


def test_a_weighted_score_has_no_cross_imps():
    with pytest.raises(ValueError, match=r"got 421\.5 at position 1"):
        ba.cross_imps([420, 421.5], by=[1, 1])


# Ascherman, board-a-match


@given(FIELD)
def test_ascherman_lets_every_result_tie_with_itself(rows):
    labels, scores = as_field(rows)
    wanted = plain(rows, lambda own, _, field: 100 * sum((own > o) + (own == o) / 2 for o in field) / len(field))
    np.testing.assert_allclose(ba.ascherman(scores, by=labels), wanted, rtol=1e-14)


def test_a_board_a_match_winner_may_have_fewer_total_points():
    differences = np.array([10, 20, -1400])
    points = ba.board_a_match(differences)
    assert differences.sum() < 0
    assert points.sum() > ba.board_a_match(-differences).sum()


def test_a_board_played_in_one_room_has_no_board_a_match_point():
    np.testing.assert_array_equal(ba.board_a_match([10, math.nan], win=2), [2, math.nan])


# What all comparisons share

COMPARISONS = [ba.matchpoints, ba.ascherman, ba.datum, ba.butler, ba.cross_imps]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_the_order_of_rows_does_not_matter(compare):
    random = np.random.default_rng(7)
    scores, boards = random.integers(-80, 80, 200_000) * 10, random.integers(0, 9_000, 200_000)
    order = np.argsort(boards, kind="stable")
    np.testing.assert_array_equal(compare(scores, by=boards)[order], compare(scores[order], by=boards[order]))


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize(
    "scores",
    [
        [420, None, -50, 420],
        np.array([420, math.nan, -50, 420]),
        pd.Series([420, None, -50, 420], dtype="Int32"),
        pd.Series([420, None, -50, 420], index=[3, 2, 1, 0]),
        pd.Series([420, None, -50, 420], dtype="int64[pyarrow]"),
        pl.Series([420, None, -50, 420]),
        pl.Series([420, None, -50, 420]).to_arrow(),
    ],
    ids=lambda scores: type(scores).__name__,
)
@pytest.mark.parametrize(
    "by",
    [
        [7, 7, 7, 7],
        ["1-1"] * 4,
        pd.Series([None] * 4),
        pd.DataFrame({"round": [1] * 4, "board": pd.Categorical(["x"] * 4)}),
        pl.DataFrame({"round": [1] * 4, "board": ["x"] * 4}),
    ],
    ids=lambda by: type(by).__name__,
)
def test_scores_and_labels_of_every_type(compare, scores, by):
    wanted = compare(np.array([420, math.nan, -50, 420]), by=np.zeros(4))
    assert np.isnan(wanted).tolist() == [False, True, False, False]
    np.testing.assert_array_equal(compare(scores, by=by), wanted)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_an_empty_field_has_no_results(compare):
    assert compare([], by=[]).tolist() == []


@pytest.mark.parametrize("compare", COMPARISONS)
def test_a_label_is_needed_for_each_score(compare):
    with pytest.raises(ValueError, match="got 2 labels for 3 scores"):
        compare([10, 20, 30], by=[1, 1])


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("bad", ["420", math.inf, True])
def test_a_score_that_is_no_number_is_refused(compare, bad):
    with pytest.raises(ValueError, match=r"expected a score as a number, got .* at position 1"):
        compare(pd.Series([10, bad], dtype="object"), by=[1, 1])


def test_the_published_field_of_22_results(shared, tmp_path):
    scores = np.array([1460, *[1430] * 8, 690, *[680] * 11, 660])
    untouched = tmp_path / "datum-untouched.toml"
    untouched.write_text(
        'title = "The mean without the two extremes, not rounded"\nkind = "datum"\nextends = "datum-trimmed"\n'
        '[datum]\nstep = { value = 0, source = "Valet" }\nrounding = { value = "none", source = "Valet" }\n'
        '[difference]\nstep = { value = 10, source = "Valet" }\nrounding = { value = "away", source = "Valet" }\n'
    )
    field = {"by": np.zeros(22)}
    found = {
        "datum (mean of 22)": ba.datum(scores, edition="datum-mean", **field)[0],
        "datum without the two extremes": ba.datum(scores, edition=untouched, **field)[0],
        "sum of 22 Butler scores": ba.butler(scores, datum="datum-mean", **field).sum(),
        "mean IMP v median datum 680": ba.butler(scores, datum="datum-median", **field).mean(),
    }
    for form, values in (
        ("Butler", ba.butler(scores, datum="datum-mean", **field)),
        ("cross-IMP", ba.cross_imps(scores, **field)),
    ):
        found |= {f"{form} +{score}": value for score, value in zip(scores, values, strict=True)}
    published = pd.read_csv(shared / "data" / "tables" / "published_dev.csv").query("id == 'P17'")
    assert len(published) == 14
    for row in published.itertuples():
        assert found[row.what] == pytest.approx(row.value, abs=float(row.tolerance)), row.source
