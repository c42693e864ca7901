"""One event under other rules: every form and edition as if it were scored by it, and with each board left out."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.movements import howell, mitchell
from bridge_analytics.rankings import decisive_boards, standings_by_form
from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings

FORMS = ("matchpoints", "butler", "cross_imps")


def results(movement, *, seed=5, rulings=True):
    random = np.random.default_rng(seed)
    size = len(movement)
    contract = random.choice(["4S", "3NT", "2H", "Pass"], size).astype(object)
    contract[4::9] = "A+/A-" if rulings else "NP"
    real = np.isin(contract, ["4S", "3NT", "2H"])
    rows = movement.rename(columns={"ns": "NS", "ew": "EW", "board": "Bd"}).assign(
        Contract=contract,
        By=np.where(real, random.choice(list("NESW"), size), ""),
        Result=np.where(real, random.choice(["=", "-1", "+1", "-2"], size), ""),
    )
    return read_results(rows)


@pytest.fixture(scope="module")
def evening():
    return results(mitchell(7, boards_per_round=3))


def test_each_form_is_ranked_as_if_the_event_were_scored_by_it(evening):
    found = standings_by_form(score_results(evening, forms=()), winners=2, imp_scales=("imps-1962", "imps-before-1962"))
    kinds = found[["form", "datum", "imp_scale"]].drop_duplicates()
    assert len(kinds) == 1 + 5 * 2 + 2 + 1
    for form, datum, scale in kinds.itertuples(index=False):
        options = {} if pd.isna(scale) else {"imp_scale": scale}
        options |= {} if pd.isna(datum) else {"datum": datum}
        table = score_results(evening, forms=FORMS, **options)
        wanted = standings(table, form=form, winners=2, adjusted=None if form == "points" else "adjusted-wbf")
        own = found["form"].eq(form) & found["datum"].fillna("").eq("" if pd.isna(datum) else datum)
        own &= found["imp_scale"].fillna("").eq("" if pd.isna(scale) else scale)
        rows = found[own].drop(columns=["form", "datum", "imp_scale"]).reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, wanted)


def test_matchpoints_that_are_there_are_kept(evening):
    table = score_results(evening, expected=9)
    found = standings_by_form(table, forms=["matchpoints"], winners=2)
    assert found["top"].max() == 21 * 2 * 8
    pd.testing.assert_frame_equal(found.drop(columns=["form", "datum", "imp_scale"]), standings(table, winners=2))


def test_matchpoints_worked_out_for_the_ranking_know_of_the_results_of_a_full_board(evening):
    found = standings_by_form(score_results(evening, forms=()), forms="matchpoints", winners=2, expected=9)
    wanted = standings(score_results(evening, expected=9), winners=2, expected=9)
    pd.testing.assert_frame_equal(found.drop(columns=["form", "datum", "imp_scale"]), wanted)


def test_one_form_datum_and_scale_may_be_named_alone(evening):
    table = score_results(evening, forms=())
    found = standings_by_form(table, forms="butler", datums="datum-mean", imp_scales="imps-before-1962", winners=2)
    wanted = standings_by_form(
        table, forms=["butler"], datums=["datum-mean"], imp_scales=["imps-before-1962"], winners=2
    )
    pd.testing.assert_frame_equal(found, wanted)


def test_a_fine_may_be_what_lets_a_board_decide(evening):
    table = score_results(evening)
    ahead = standings(table, winners=2).iloc[0]
    fine = pd.DataFrame({"contestant": [ahead["contestant"]], "side": "ns", "amount": 500, "unit": "MP"})
    found = decisive_boards(table, winners=2, penalties=fine)
    assert ahead["contestant"] in set(decisive_boards(table, winners=2).query("side == 'ns'")["winner"])
    assert ahead["contestant"] not in set(found.query("side == 'ns'")["winner"])


def test_the_versions_of_a_fouled_board_are_apart_when_another_board_is_left_out(evening):
    table = score_results(evening).assign(fouled=lambda rows: (rows["board"] == 1) & (rows["ns"].isin([*"1234"])))
    found = decisive_boards(table, winners=2, sub_field="fouled").set_index(["board_label", "side"])["winner"]
    for board in range(2, 6):
        rest = table[table["board"] != board]
        wanted = best(standings(rest, winners=2, sub_field="fouled"))
        assert found[str(board)].to_dict() == wanted
    with pytest.raises(ValueError, match=r"^expected one ranking for each side, got within"):
        decisive_boards(table, winners=2, within="section")


@pytest.mark.parametrize("form", FORMS)
def test_without_a_board_the_winner_is_that_of_the_other_boards(evening, form):
    table = score_results(evening, forms=FORMS)
    found = decisive_boards(table, form=form, winners=2).set_index(["board_label", "side"])
    whole = best(standings(table, form=form, winners=2))
    assert len(found) == 21 * 2
    for board in range(1, 22):
        other = score_results(evening[evening["board"] != board], forms=FORMS)
        without = best(standings(other, form=form, winners=2))
        for side in ("ns", "ew"):
            row = found.loc[(str(board), side)]
            assert (row["winner"], row["decides"]) == (without[side], without[side] != whole[side])


def best(ranked):
    first = ranked[ranked["place"].str.rstrip("=") == "1"]
    return {side: ", ".join(rows["contestant"].astype(str)) for side, rows in first.groupby("side", observed=True)}


def test_one_winner_has_one_row_a_board():
    table = score_results(results(howell(8), rulings=False))
    found = decisive_boards(table, winners=1)
    assert len(found) == 7
    assert found["side"].isna().all()
    assert found["decides"].dtype == bool


def test_pairs_of_several_sections_are_named_with_theirs():
    plans = [mitchell(5).assign(Section=section) for section in "AB"]
    table = score_results(results(pd.concat(plans), rulings=False), by=["section", "board"])
    assert decisive_boards(table, winners=2)["winner"].str.match(r"[AB] \d").all()


def test_without_its_only_board_an_event_has_no_winner():
    table = score_results(results(mitchell(3), rulings=False))
    found = decisive_boards(table[table["board"] == 1], winners=2)
    assert found["winner"].isna().all()
    assert found["decides"].all()


def test_assigned_scores_are_compared_by_the_datum_and_the_scale_of_each_ranking():
    rows = [
        {"Bd": 1, "NS": pair, "EW": pair + 10, "Contract": "3NT", "By": "N", "Result": result}
        for pair, result in enumerate(["=", "+1", "-2", "-1", "+3"], 1)
    ]
    rows.append({"Bd": 1, "NS": 6, "EW": 16, "status": "adjusted", "adjusted_ns": "600*.5 -100*.5"})
    table = score_results(read_results(pd.DataFrame(rows)), forms=("matchpoints", "butler", "cross_imps"), win=1)
    found = standings_by_form(table, forms=["matchpoints", "butler", "cross_imps"], win=1)
    for datum in ("datum-trimmed", "datum-median"):
        again = score_results(table, forms="butler", datum=datum)
        alone = standings(again, form="butler", datum=datum)
        own = found[found["datum"] == datum]
        assert own["total"].tolist() == alone["total"].tolist()
        assert own["contestant"].tolist() == alone["contestant"].tolist()
    assert found["boards"].sum() == 7 * (6 + 5)
