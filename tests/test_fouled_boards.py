"""Fouled boards: each version is a field of its own, brought to the top of the whole board (Law 87)."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings


def fouled(sizes, *, boards=1, **options):
    """One board played in several versions, by so many tables each: in every version no two results are equal.

    The first version is the board as it was, and has no name.
    """
    rows, pair = [], 0
    for version, size in enumerate(sizes):
        for table in range(size):
            pair += 1
            rows.append(
                {
                    "Bd": 1,
                    "NS": pair,
                    "EW": pair + 100,
                    "Contract": "4S",
                    "By": "N",
                    "Result": f"{3 - table:+d}",
                    "version": [None, "swapped", "turned"][version],
                }
            )
    return score_results(read_results(pd.DataFrame(rows)), forms=("matchpoints", "butler", "cross_imps"), **options)


def ranked(sizes, *, expected=None, **options):
    table = fouled(sizes, expected=expected)
    own = standings(table, sub_field="version", expected=expected, **options).set_index("contestant")
    names = [[str(pair + add) for pair in range(1, sum(sizes) + 1)] for add in (0, 100)]
    return own.loc[names[0]], own.loc[names[1]]


@pytest.mark.parametrize(
    ("sizes", "matchpoints"),
    [
        ((7, 3), [17.6, 14.7, 11.9, 9.0, 6.1, 3.3, 0.4, 15.7, 9.0, 2.3]),  # as the EBU prints them
        ((3, 2), [(2 * (3 - place) - 1) * 5 / 3 - 1 for place in range(3)] + [3 * 5 / 2 - 1, 5 / 2 - 1]),
    ],
)
def test_each_version_is_compared_by_itself_and_brought_to_the_top_of_the_board(sizes, matchpoints):
    ns, ew = ranked(sizes)
    np.testing.assert_allclose(ns["total"], matchpoints, atol=0.051)
    np.testing.assert_allclose(ns["total"].to_numpy() + ew["total"].to_numpy(), 2 * (sum(sizes) - 1), rtol=1e-14)
    assert (ns["top"] == 2 * (sum(sizes) - 1)).all()


def test_tops_of_a_board_of_seven_in_versions_of_three_and_four():
    """Published: 88.9 and 93.8 % (pjms.nl, on Neuberg's formula)."""
    ns, _ = ranked((3, 4))
    np.testing.assert_allclose(ns["percent"].iloc[[0, 3]], [88.9, 93.8], atol=0.051)


def test_a_full_board_may_have_more_results_than_the_fouled_one():
    ns, _ = ranked((3, 4), expected=9)
    np.testing.assert_allclose(ns["total"].iloc[[0, 3]], [5 * 9 / 3 - 1, 7 * 9 / 4 - 1], rtol=1e-14)


@pytest.mark.parametrize(
    ("edition", "sizes", "ns", "ew"),
    [
        ("adjusted-ebu", (7, 3), [70, 60, 50], [50, 60, 70]),
        ("adjusted-ebu", (7, 2), [65, 55], [55, 65]),
        ("adjusted-ebu", (2, 3), None, None),
        ("adjusted-acbl", (2, 2), [65, 55], [55, 65]),
        ("adjusted-acbl", (5, 1), [60], [60]),
        ("adjusted-acbl", (2, 3), None, None),
        ("adjusted-wbf", (9, 3), None, None),
    ],
)
def test_a_small_version_is_scored_by_the_edition(edition, sizes, ns, ew):
    many = sum(sizes)
    plain = [100 * ((2 * (sizes[1] - place) - 1) * many / sizes[1] - 1) / (2 * many - 2) for place in range(sizes[1])]
    found = [own["percent"].iloc[sizes[0] :] for own in ranked(sizes, adjusted=edition)]
    np.testing.assert_allclose(found[0], plain if ns is None else ns, rtol=1e-13)
    np.testing.assert_allclose(found[1], plain[::-1] if ew is None else ew, rtol=1e-13)


def test_imps_of_a_version_are_won_in_the_version():
    table = fouled((4, 3))
    for form in ("butler", "cross_imps"):
        own = standings(table, form=form, sub_field="version").set_index("contestant")["total"]
        for part in (table[table["version"].isna()], table[table["version"].notna()]):
            alone = score_results(part.reset_index(drop=True), forms=form)
            np.testing.assert_array_equal(own[part["ns"].astype("str")], alone[f"{form}_ns"])


def test_a_board_that_was_not_fouled_stays_as_it_was():
    table = fouled((5,))
    pd.testing.assert_frame_equal(standings(table, sub_field="version"), standings(table))


def test_an_assigned_score_belongs_to_its_version():
    table = fouled((3, 3))
    table["adjusted_ns"] = table["adjusted_ns"].where(table.index != 5, "510")
    table["adjusted_ew"] = table["adjusted_ew"].where(table.index != 5, "-510")
    table.loc[5, ["contract", "declarer", "tricks"]] = None
    table.loc[5, "status"] = "adjusted"
    again = score_results(table)
    own = standings(again, sub_field="version").set_index("contestant")["total"]
    np.testing.assert_allclose(own[["4", "5", "6"]], [4 * 2 - 1, 1 * 2 - 1, 4 * 2 - 1], rtol=1e-14)
    np.testing.assert_allclose(own[["1", "2", "3"]], [9, 5, 1], rtol=1e-14)


def test_a_version_is_told_by_a_column_that_is_there():
    with pytest.raises(ValueError, match=r"^expected sub_field to name a column of the results, got 'deck'$"):
        standings(fouled((3, 2)), sub_field="deck")
