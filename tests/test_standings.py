"""Standings: an evening worked out by hand rules, championships as published, who is who, rulings and penalties."""

import math
import re
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.movements import howell, mitchell
from bridge_analytics.places import places
from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings

FORMS = ("matchpoints", "butler", "cross_imps")
DEAL = ["session", "section", "board"]
COLUMNS = [
    *("place", "side", "section", "contestant", "boards", "adjusted", "no_result", "sat_out"),
    *("penalty", "total", "average", "top", "percent"),
]
CONTRACTS = ["4S", "3NT", "2H", "5DX", "Pass", "1NT"]
ODD_ROWS = {  # what stands in the contract cell of every so manieth row
    7: "NP",
    11: "A+/A-",
    13: "A-/A+",
    17: "A+/A+",
    19: "A6535",
    23: "A=/A-",
}


def scored(rows, *, forms=FORMS, by=None, **options):
    return score_results(read_results(pd.DataFrame(rows)), forms=forms, by=by, **options)


def session(number, section, movement, random):
    """The results of one section and session, as a club types them."""
    rows = movement.assign(Session=str(number), Section=section).rename(columns=str.capitalize)
    size = len(rows)
    contract = random.choice(CONTRACTS, size).astype(object)
    for step, mark in ODD_ROWS.items():
        contract[(np.arange(size) + 3 * number) % step == step - 1] = mark
    contract[rows["Ns"].isna() | rows["Ew"].isna()] = "Bye"
    real = np.isin(contract, CONTRACTS[:4] + CONTRACTS[5:])
    level = np.array([int(word[0]) if there else 1 for word, there in zip(contract, real, strict=True)])
    result = np.maximum(random.integers(-3, 3, size), -6 - level)
    return rows.assign(
        Contract=contract,
        By=np.where(real, random.choice(list("NESW"), size), ""),
        Result=np.where(real, [f"{own:+d}" for own in np.minimum(result, 7 - level)], ""),
    )


@pytest.fixture(scope="module")
def event():
    """Score two sections on two evenings: one a skip Mitchell, one with a pair short; rulings of every kind."""
    random = np.random.default_rng(2024)
    plans = {"A": mitchell(5, boards_per_round=2, sit_out="ew"), "B": mitchell(6, even="skip", boards_per_round=3)}
    rows = [session(evening, section, plan, random) for evening in (1, 2) for section, plan in plans.items()]
    return scored(pd.concat(rows), by=DEAL)


# An evening by hand


def by_hand(table, form, mean):
    """For each side, section and pair: boards, total, top and share, one row at a time and in fractions."""
    rows = table.to_dict("records")
    deals = defaultdict(list)
    for row in rows:
        if row["status"] in ("played", "passed"):
            deals[row["deal_id"]].append(int(row["score_ns"]))
    tops = {deal: 2 * (len(scores) - 1) for deal, scores in deals.items() if len(scores) > 1}
    award = defaultdict(list)
    marks = defaultdict(list)
    for row in rows:
        field = deals[row["deal_id"]]
        for side, sign in (("ns", 1), ("ew", -1)):
            who = (side, row["section"], row[side], row["session"])
            compared = len(field) > 1 or form == "butler"  # a lone result is its own datum
            if row["status"] in ("played", "passed") and compared:
                if form == "matchpoints":
                    own = sign * int(row["score_ns"])
                    points = sum((own > sign * other) * 2 + (own == sign * other) for other in field) - 1
                    award[who].append((Fraction(points), tops[row["deal_id"]]))
                else:
                    award[who].append((Fraction(row[f"{form}_ns"]) * sign, 0))
            elif row["status"] == "adjusted":
                top, ruling = tops.get(row["deal_id"], max(tops.values())), row[f"adjusted_{side}"]
                if form == "matchpoints" and "%" not in ruling:
                    marks[who].append((ruling, top))
                elif form == "matchpoints":
                    award[who].append((Fraction(ruling.strip("%")) / 100 * top, top))
                else:
                    award[who].append((Fraction({"A+": 3, "A=": 0, "A-": -3}[ruling]), 0))
    cells = defaultdict(list)
    for who in {*award, *marks}:
        total, top = (sum(part, Fraction(0)) for part in zip(*award[who], strict=True)) if award[who] else (0, 0)
        own = total / top if top else Fraction(1, 2)
        worth = {"A+": max(Fraction(60, 100), own), "A=": Fraction(1, 2), "A-": min(Fraction(40, 100), own)}
        total += sum(worth[ruling] * full for ruling, full in marks[who])
        top += sum(full for _, full in marks[who])
        cells[who[:3]].append((len(award[who]) + len(marks[who]), total, top))
    found = {}
    for who, evenings in cells.items():
        boards, total, top = (sum(part) for part in zip(*evenings, strict=True))
        shares = [100 * mine / full if form == "matchpoints" else mine / many for many, mine, full in evenings]
        whole = 100 * total / top if form == "matchpoints" else total / boards
        found[who] = (boards, total, top, sum(shares) / len(shares) if mean else whole)
    return found


def place_of(share, others):
    better = sum(other > share for other in others)
    return f"{better + 1}{'=' * (sum(other == share for other in others) > 1)}"


@pytest.mark.parametrize("sessions", ["sum", "mean"])
@pytest.mark.parametrize("form", FORMS)
def test_a_whole_event_is_what_it_is_by_hand(event, form, sessions):
    table = event if form == "matchpoints" else event[~event["adjusted_ns"].str.contains("%", na=False)]
    ranked = standings(table, form=form, winners=2, sessions=sessions)
    expected = by_hand(table, form, sessions == "mean")
    assert ranked.columns.tolist() == COLUMNS
    assert len(ranked) == len(expected) == 5 + 4 + 6 + 6
    for row in ranked.itertuples():
        boards, total, top, share = expected[row.side, row.section, row.contestant]
        field = [others[3] for who, others in expected.items() if who[0] == row.side]
        assert (row.boards, row.place) == (boards, place_of(share, field))
        assert math.isclose(row.total, total, rel_tol=1e-12, abs_tol=1e-9)
        if form == "matchpoints":
            assert math.isclose(row.top, top, rel_tol=1e-12)
            assert math.isclose(row.percent, share, rel_tol=1e-12)
        else:
            assert math.isclose(row.average, share, rel_tol=1e-12, abs_tol=1e-12)
            assert math.isnan(row.top)
            assert math.isnan(row.percent)


def test_every_board_of_every_pair_is_in_the_standings(event):
    ranked = standings(event, winners=2)
    counted = (
        ranked[["boards", "no_result", "sat_out"]]
        .sum(axis=1)
        .set_axis(pd.MultiIndex.from_frame(ranked[["side", "section", "contestant"]].astype("str")))
    )
    for (side, section, pair), many in counted.items():
        assert ((event[side] == pair) & (event["section"] == section)).sum() == many
    assert ranked["sat_out"].sum() == (event["status"] == "sit_out").sum() > 0
    assert ranked["adjusted"].sum() == 2 * (event["status"] == "adjusted").sum() > 0


def test_sections_ranked_apart_and_together_give_the_same_percentages(event):
    together, apart = standings(event, winners=2), standings(event, winners=2, within="section")
    who = ["side", "section", "contestant"]
    assert apart.columns.tolist() == ["section", *(name for name in COLUMNS if name != "section")]
    both = together.merge(apart, on=who)
    np.testing.assert_array_equal(both["percent_x"], both["percent_y"])
    assert (apart.groupby(["section", "side"], observed=True)["place"].first() == "1").all()
    assert len(both) == len(together)


def test_each_session_ranked_apart_is_that_session_alone(event):
    apart = standings(event, winners=2, within=["session", "section"])
    alone = standings(event[event["session"] == "2"], winners=2, within="section")
    second = apart[apart["session"] == "2"].drop(columns="session").reset_index(drop=True)
    pd.testing.assert_frame_equal(second, alone, check_categorical=False, check_dtype=False)


def test_the_order_of_rows_does_not_matter(event):
    shuffled = event.sample(frac=1, random_state=3)
    for form in ("matchpoints", "points"):
        rulings = "adjusted-wbf" if form == "matchpoints" else None
        one, other = (standings(table, form=form, winners=2, adjusted=rulings) for table in (event, shuffled))
        pd.testing.assert_frame_equal(one, other, rtol=1e-13)


def test_rulings_left_out_are_boards_without_a_result(event):
    ranked = standings(event, winners=2, adjusted=None)
    assert ranked["adjusted"].sum() == 0
    lone = event["mp_ns"].notna() & event["pct_ns"].isna()
    assert ranked["no_result"].sum() == 2 * (event["status"].isin(["adjusted", "not_played"]) | lone).sum()


# As published


def test_every_pair_of_the_championships_has_its_published_averages(shared):
    folder = shared / "data" / "played"
    checked = 0
    for name in ("2004_olympiad", "2010_euro_women", "2012_mind_women_g", "2013_world_men", "2015_polish_league"):
        published = pd.read_csv(folder / "answers" / f"{name}.csv").set_index("pair")
        table = score_results(
            read_results(folder / f"{name}.csv.gz"), by=["round", "board"], forms=FORMS, datum="datum-truncated"
        )
        for form in ("butler", "cross_imps"):
            ours = (
                standings(table, form=form, of="partnerships", winners=1).set_index("contestant").loc[published.index]
            )
            np.testing.assert_array_equal(ours["boards"], published["boards"])
            np.testing.assert_allclose(ours["average"], published[form], atol=0.0051, rtol=0, err_msg=name)
        checked += len(published)
    assert checked == 586


def test_places_of_different_fields_do_not_mix():
    assert list(places([50, 60, 50, 70, 50.0], by=["a", "a", "b", "b", "a"])) == ["2=", "1", "2", "1", "2="]


def test_what_only_the_order_of_adding_tells_apart_is_a_tie():
    assert list(places([0.1 + 0.2, 0.3, 0.30001])) == ["2=", "2=", "1"]


# Who is who


def evening(*rows):
    """A table of results from (board, ns, ew, contract, declarer, result)."""
    names = ("Bd", "NS", "EW", "Contract", "By", "Result")
    return scored([dict(zip(names, row, strict=True)) for row in rows])


def play(movement, seed=0):
    random = np.random.default_rng(seed)
    rows = movement.rename(columns={"ns": "NS", "ew": "EW", "board": "Bd"}).drop(columns=["round", "table"])
    return scored(
        rows.assign(
            Contract=random.choice(["2H", "3H"], len(rows)), By="N", Result=random.choice(["=", "-1"], len(rows))
        )
    )


def test_a_howell_has_one_winner_over_all_its_boards():
    ranked = standings(play(howell(8, boards_per_round=2)), winners=1)
    assert len(ranked) == 8
    assert (ranked["boards"] == 14).all()
    assert ranked["side"].isna().all()
    assert math.isclose(ranked["percent"].mean(), 50)


def test_a_mitchell_has_two_winners():
    ranked = standings(play(mitchell(5)), winners=2)
    assert ranked["side"].tolist() == 5 * ["ns"] + 5 * ["ew"]
    assert ranked["contestant"].value_counts().tolist() == 5 * [2]


def test_an_arrow_switch_makes_one_field():
    ranked = standings(play(mitchell(7, arrow_switch=1)), winners=1)
    assert len(ranked) == 14
    assert (ranked["boards"] == 7).all()


def test_numbers_of_one_side_each_are_two_fields_unless_told_otherwise():
    table = play(mitchell(5).assign(ew=lambda rows: rows["ew"] + 10))
    assert standings(table)["side"].notna().all()
    assert standings(table, winners=1)["side"].isna().all()


MITCHELL = (
    "2 where NS {0} and EW {0} are two contestants (a Mitchell), 1 where they are one (a Howell, an arrow switch)"
)


@pytest.mark.parametrize(
    ("movement", "winners", "message"),
    [
        (mitchell(5), None, "winners, since some names are on both sides, as '1' is: " + MITCHELL.format(1)),
        (howell(8), None, "winners, since some names are on both sides, as '1' is: " + MITCHELL.format(1)),
        (
            mitchell(5),
            1,
            "winners=2, since 5 of the 5 names on both sides come to a deal on both sides, as '1' does: NS 1 and EW 1 "
            "are two contestants, got winners=1",
        ),
        (
            howell(8),
            2,
            "winners=1, since '1' is on both sides but never on both of a deal, nor is any other: it is one contestant "
            "that changes sides, got winners=2",
        ),
        (howell(8), 3, "1 or 2 winners, got 3"),
    ],
    ids=["mitchell", "howell", "mitchell for one", "howell for two", "three"],
)
def test_pair_numbers_that_may_be_one_or_two_pairs_are_asked_about(movement, winners, message):
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        standings(play(movement), winners=winners)


def test_one_slip_of_the_pen_does_not_make_a_howell_a_mitchell():
    movement = howell(8)
    same = movement.index[movement["board"] == 5]
    movement.loc[same[0], "ns"] = movement.loc[same[1], "ew"]
    assert len(standings(play(movement), winners=1)) == 8


def test_pairs_of_two_sections_that_meet_the_same_boards_are_not_taken_for_one_another():
    both = pd.concat([howell(8), howell(8).rename(columns={"ns": "ew", "ew": "ns"})], ignore_index=True)
    rows = both.rename(columns={"ns": "NS", "ew": "EW", "board": "Bd"}).assign(Section=["A"] * 28 + ["B"] * 28)
    table = scored(rows.assign(Contract="2H", By="N", Result="="), by="board")
    assert (standings(table, winners=1)["boards"] == 7).all()
    assert len(standings(table, winners=1)) == 16


def test_the_same_number_in_two_sections_is_two_pairs(event):
    ranked = standings(event, winners=2)
    assert len(ranked[ranked["contestant"] == "1"]) == 4


def seated(*rows):
    names = ("Bd", "North", "South", "East", "West", "Contract", "By", "Result")
    return scored([dict(zip(names, row, strict=True)) for row in rows])


def test_players_and_partnerships_keep_their_results_wherever_they_sit():
    table = seated(
        (1, "Ann", "Bob", "Cyd", "Dan", "4S", "N", "="),
        (1, "Eve", "Fay", "Gus", "Hal", "4S", "N", "-1"),
        (8, "Dan", "Cyd", "Bob", "Ann", "4S", "N", "="),
        (8, "Gus", "Eve", "Fay", "Hal", "4S", "N", "-1"),
    )
    pairs = standings(table, of="partnerships", form="points").set_index("contestant")["total"]
    assert pairs.to_dict() == {
        **{"Cyd-Dan": 0, "Ann-Bob": 0, "Gus-Hal": 50, "Eve-Fay": -50, "Eve-Gus": -50, "Fay-Hal": 50},
    }
    players = standings(table, of="players", form="points").set_index("contestant")["total"]
    assert players.to_dict() == {
        **{"Ann": 0, "Bob": 0, "Cyd": 0, "Dan": 0, "Eve": -100, "Fay": 0, "Gus": 0, "Hal": 100},
    }


def test_results_with_nobody_named_are_in_the_standings_but_have_no_place():
    table = evening((1, "1", "2", "4S", "N", "="), (1, None, "3", "4S", "N", "-1"), (1, None, "4", "3S", "N", "="))
    ranked = standings(table)
    nobody = ranked[ranked["contestant"].isna()]
    assert nobody[["side", "boards", "total"]].to_numpy().tolist() == [["ns", 2, 2.0]]
    assert nobody["place"].isna().all()
    assert ranked.loc[ranked["side"] == "ns", "contestant"].tolist()[:1] == ["1"]


def test_nobody_is_somebody_else_in_each_section():
    rows = [
        (1, ns, ew, "4S", "N", "=", section) for section in "AB" for ns, ew in (("1", "2"), (None, "3"), ("4", None))
    ]
    names = ("Bd", "NS", "EW", "Contract", "By", "Result", "Section")
    table = scored([dict(zip(names, row, strict=True)) for row in rows], by=["section", "board"])
    ranked = standings(table)
    assert (ranked["boards"] == 1).all()
    nobody = ranked[ranked["contestant"].isna()]
    assert nobody[["side", "section"]].to_numpy().tolist() == [["ns", "A"], ["ns", "B"], ["ew", "A"], ["ew", "B"]]
    assert len(ranked) == 12


def test_a_phantom_is_no_contestant():
    ranked = standings(play_with_bye())
    assert ranked[["side", "contestant", "boards", "sat_out"]].to_numpy().tolist() == [
        *(["ns", "1", 1, 0], ["ns", "3", 1, 0], ["ns", "5", 0, 1]),
        *(["ew", "4", 1, 0], ["ew", "2", 1, 0]),
    ]
    assert ranked["place"].isna().tolist() == [False, False, True, False, False]


def play_with_bye():
    return evening((1, "1", "2", "4S", "N", "="), (1, "3", "4", "4S", "N", "-1"), (1, "5", None, "Bye", "", ""))


# Rulings


def ruled(cell, *, results=("=", "-1"), boards=(1, 2, 3, 4), **options):
    """Pair 1 plays some boards, with the first result, and has a ruling on the last."""
    rows = []
    for board in boards:
        for table, result in enumerate(results):
            last = board == boards[-1] and table == 0
            rows.append(
                (
                    board,
                    str(table + 1),
                    str(table + 11),
                    cell if last else "4S",
                    "" if last else "N",
                    "" if last else result,
                )
            )
        rows.append((board, "3", "13", "4S", "N", results[-1]))
    own = standings(evening(*rows), **options).set_index("contestant")
    return own.loc["1"], own.loc["11"]


@pytest.mark.parametrize(
    ("cell", "results", "ns", "ew"),
    [
        ("A+/A-", ("=", "-1"), 100, 0),  # 100 % on the other boards: 12C2(c)
        ("A+/A+", ("=", "-1"), 100, 60),
        ("A-/A-", ("=", "-1"), 40, 0),
        ("A=/A=", ("=", "-1"), 50, 50),
        ("A+/A-", ("=", "="), 60, 40),
        ("A+/A-", ("-1", "="), 60, 40),
        ("A-/A+", ("-1", "="), 0, 100),
        ("A6040", ("=", "-1"), 60, 40),
        ("A7030", ("-1", "="), 70, 30),
    ],
)
def test_an_average_is_worth_what_the_side_made_of_the_other_boards(cell, results, ns, ew):
    for own, ruling, other in zip(
        ruled(cell, results=results), (ns, ew), (100, 0) if results == ("=", "-1") else (0, 100), strict=True
    ):
        other = 50 if results == ("=", "=") else other
        assert (own["boards"], own["adjusted"], own["top"]) == (4, 1, 3 * 4 + 2)
        assert math.isclose(own["total"], (3 * 4 * other + 2 * ruling) / 100)


def test_who_has_no_other_board_gets_the_average_itself():
    rows = [(1, "1", "11", "A+/A-", "", ""), (1, "2", "12", "4S", "N", "="), (1, "3", "13", "4S", "N", "-1")]
    own = standings(evening(*rows)).set_index("contestant")["percent"]
    np.testing.assert_allclose(own.loc[["1", "11", "2"]], [60, 40, 100])


def test_rulings_where_nothing_was_compared_are_shares_of_nothing():
    with pytest.raises(
        ValueError, match=r"^expected a deal with two results, to know what a ruling is a share of, got"
    ):
        standings(evening((1, "1", "11", "A+/A-", "", ""), (2, "2", "12", "4S", "N", "=")))


def test_an_average_on_a_board_with_nothing_to_compare_has_the_largest_top():
    table = evening(
        *((1, "1", "11", "4S", "N", "="), (1, "2", "12", "4S", "N", "="), (1, "3", "13", "4S", "N", "-1")),
        *((2, "1", "11", "A+/A-", "", ""), (2, "2", "12", "4S", "N", "=")),
    )
    own = standings(table).set_index("contestant")
    assert own.loc["1", ["boards", "total", "top"]].tolist() == [2, 3 + 0.75 * 4, 8]
    assert own.loc["2", ["boards", "no_result", "top"]].tolist() == [1, 1, 4]


def test_without_the_clause_of_the_own_percentage_an_average_is_an_average(tmp_path):
    (tmp_path / "club.toml").write_text(
        'title = "Ours"\nextends = "adjusted-wbf"\n[artificial]\n'
        'own_percentage = { value = false, source = "ours" }\npercent = { value = [55, 50, 45], source = "ours" }\n'
    )
    ns, ew = ruled("A+/A-", adjusted=tmp_path / "club.toml")
    assert math.isclose(ns["total"], 12 + 0.55 * 2)
    assert math.isclose(ew["total"], 0.45 * 2)


@pytest.mark.parametrize("form", ["butler", "cross_imps"])
@pytest.mark.parametrize(("cell", "ns", "ew"), [("A+/A-", 3, -3), ("A=/A=", 0, 0), ("A6040", 3, -3), ("A6060", 3, 3)])
def test_an_average_is_three_imps(form, cell, ns, ew):
    assert [own["total"] for own in imps_on_the_last(cell, form)] == [ns, ew]


def imps_on_the_last(cell, form):
    rows = [(1, "1", "11", cell, "", ""), (1, "2", "12", "4S", "N", "="), (1, "3", "13", "4S", "N", "=")]
    own = standings(evening(*rows), form=form).set_index("contestant")
    return own.loc["1"], own.loc["11"]


def test_a_ruling_in_imps_is_taken_as_it_stands():
    table = evening((1, "1", "11", "ADJ", "", ""), (1, "2", "12", "4S", "N", "="), (1, "3", "13", "4S", "N", "="))
    table["adjusted_ns"] = table["adjusted_ns"].where(table["status"] != "adjusted", "+2 IMP")
    table["adjusted_ew"] = table["adjusted_ew"].where(table["status"] != "adjusted", "−2,5 IMPs")
    own = standings(table, form="butler").set_index("contestant")["total"]
    assert own.loc[["1", "11"]].tolist() == [2, -2.5]


@pytest.mark.parametrize(
    ("form", "ruling", "wanted"),
    [
        ("matchpoints", "620*.7 -100*.2", "A+, A, A-, a percentage or "),
        ("matchpoints", "+3 IMP", "A+, A, A-, a percentage or "),
        ("butler", "61.8%", "A+, A, A-, IMPs or "),
        ("cross_imps", "A+ 1", "A+, A, A-, IMPs or "),
        ("points", "A+", ""),
        ("points", "625", ""),
    ],
)
def test_a_ruling_that_says_nothing_under_a_form_is_refused(form, ruling, wanted):
    table = evening((1, "1", "11", "ADJ", "", ""), (1, "2", "12", "4S", "N", "="), (1, "3", "13", "4S", "N", "="))
    table["adjusted_ns"] = table["adjusted_ns"].where(table["status"] != "adjusted", ruling)
    table["adjusted_ew"] = None
    message = (
        f"expected rulings with {wanted}scores such as '620' or '620*.7 -100*.3' (adjusted=None leaves rulings out), "
        f"got {ruling!r} for ns at position 0"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        standings(table, form=form)


# Small groups


def small_board(results, others, edition, **options):
    """A board with some results and awards A5050 at the other tables of a field of as many."""
    rows = [(5, str(table), str(table + 100), "4H", "N", result) for table, result in enumerate(results, 1)]
    rows += [
        (5, str(table), str(table + 100), "A5050", "", "") for table in range(len(rows) + 1, len(rows) + others + 1)
    ]
    names = ("Bd", "NS", "EW", "Contract", "By", "Result")
    full = len(rows)
    table = scored([dict(zip(names, row, strict=True)) for row in rows], expected=full)
    own = standings(table, adjusted=edition, expected=full, **options).set_index("contestant")["percent"]
    return [[own.loc[str(table + add)] for table in range(1, len(results) + 1)] for add in (0, 100)]


def neuberg(results, full):
    """Percentages of North-South by Neuberg's formula, for results that rise with their number of tricks."""
    order = ["-2", "-1", "=", "+1"]
    won = [sum((order.index(a) > order.index(b)) * 2 + (a == b) for b in results) - 1 for a in results]
    return [100 * ((mine + 1) * full / len(results) - 1) / (2 * (full - 1)) for mine in won]


@pytest.mark.parametrize(
    ("edition", "results", "others", "ns", "ew"),
    [
        ("adjusted-ebu", ["=", "-1"], 5, [65, 55], [55, 65]),
        ("adjusted-ebu", ["=", "="], 5, [60, 60], [60, 60]),
        ("adjusted-ebu", ["=", "-1"], 4, [65, 55], [55, 65]),
        ("adjusted-ebu", ["=", "-1"], 3, None, None),
        ("adjusted-ebu", ["+1", "=", "-1"], 6, [70, 60, 50], [50, 60, 70]),
        ("adjusted-ebu", ["=", "=", "-1"], 6, [65, 65, 50], [55, 55, 70]),
        ("adjusted-ebu", ["+1", "=", "-1"], 5, None, None),
        ("adjusted-ebu", ["+1", "=", "-1", "-2"], 20, None, None),
        ("adjusted-ebu", ["="], 6, None, None),
        ("adjusted-acbl", ["="], 6, [60], [60]),
        ("adjusted-acbl", ["=", "-1"], 1, [65, 55], [55, 65]),
        ("adjusted-acbl", ["=", "-1"], 0, [100, 0], [0, 100]),
        ("adjusted-acbl", ["+1", "=", "-1"], 3, [70, 60, 50], [50, 60, 70]),
        ("adjusted-acbl", ["+1", "=", "-1"], 2, None, None),
        ("adjusted-acbl", ["+1", "=", "-1"], 0, [100, 50, 0], [0, 50, 100]),
        ("adjusted-wbf", ["=", "-1"], 5, None, None),
    ],
)
def test_a_small_group_has_a_table_of_its_own(edition, results, others, ns, ew):
    found = small_board(results, others, edition)
    plain = neuberg(results, len(results) + others)
    np.testing.assert_allclose(found[0], plain if ns is None else ns, rtol=1e-12)
    np.testing.assert_allclose(found[1], [100 - percent for percent in plain] if ew is None else ew, rtol=1e-12)


def test_small_groups_need_to_know_how_large_a_full_board_is(event):
    message = "expected `expected`, the results of a full board, for the small groups of 'adjusted-ebu'"
    with pytest.raises(ValueError, match=f"^{message}$"):
        standings(event, winners=2, adjusted="adjusted-ebu")


# Penalties


def fines(**columns):
    return pd.DataFrame(columns)


def test_penalties_come_off_the_total_and_the_percentage(event):
    before = standings(event, winners=2).set_index(["side", "section", "contestant"])
    paid = fines(
        contestant=[1, "1", "2"], side=["ns", "ns", "ew"], section=["A", "A", "B"], amount=[10, 1.5, -2],
        unit=["% of top", "MP", "MP"], reason=["late", "late again", "carry-over"],
    )  # fmt: skip
    after = standings(event, winners=2, penalties=paid).set_index(["side", "section", "contestant"])
    top = (event["mp_ns"] + event["mp_ew"]).max()
    for who, less in {("ns", "A", "1"): 0.1 * top + 1.5, ("ew", "B", "2"): -2.0}.items():
        assert math.isclose(after.loc[who, "penalty"], less)
        assert math.isclose(after.loc[who, "total"], before.loc[who, "total"] - less)
        assert math.isclose(after.loc[who, "percent"], 100 * after.loc[who, "total"] / before.loc[who, "top"])
    others = after.drop([("ns", "A", "1"), ("ew", "B", "2")])
    assert (others["penalty"] == 0).all()
    pd.testing.assert_series_equal(others["percent"], before["percent"].reindex(others.index))


def test_a_penalty_of_one_session_counts_in_the_mean_of_sessions(event):
    paid = fines(contestant=["1"], side=["ns"], section=["A"], session=["2"], amount=[3], unit=["MP"])
    options = {"winners": 2, "sessions": "mean"}
    before, after = standings(event, **options), standings(event, penalties=paid, **options)
    top = standings(event, winners=2, within="session").query("session == '2' and side == 'ns' and section == 'A'")
    top = top.set_index("contestant").loc["1", "top"]
    own = [
        table.query("side == 'ns' and section == 'A' and contestant == '1'")["percent"].item()
        for table in (before, after)
    ]
    assert math.isclose(own[0] - own[1], 100 * 3 / top / 2)


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"unit": None}, {}, "penalties with contestant, amount and unit, got none of unit"),
        ({"seat": ["N"]}, {}, "penalties with labels among "),
        ({"unit": ["IMP"]}, {}, "a penalty in 'MP' or '% of top', got 1 'IMP' for contestant '1'"),
        ({}, {"form": "butler"}, "a penalty in 'IMP', got 1 'MP' for contestant '1'"),
        ({"amount": [None]}, {}, "a penalty in 'MP' or '% of top', got None 'MP' for contestant '1'"),
        ({"contestant": [9]}, {}, "a penalty to name one contestant, got contestant '9', which is nobody here"),
        (
            {"side": ["ns"]},
            {},
            "a penalty to name one contestant, got contestant '1', side 'ns', which may be several (say side, section "
            "or another label)",
        ),
        (
            {"side": ["ns"], "section": ["A"]},
            {"sessions": "mean"},
            "penalties to name their session, since sessions are averaged, got one that does not",
        ),
    ],
)
def test_a_penalty_that_says_not_whom_or_what_is_refused(event, columns, options, message):
    paid = {"contestant": [1], "amount": [1], "unit": ["MP"]} | columns
    paid = pd.DataFrame({name: column for name, column in paid.items() if column is not None})
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}"):
        standings(event, winners=2, adjusted=None, penalties=paid, **options)


# Ranking by totals, several events, and what is refused


def test_by_total_those_who_played_fewer_boards_fall_behind():
    table = evening(
        *((1, "1", "11", "4S", "N", "="), (1, "2", "12", "4S", "N", "-1")),
        *((2, "3", "11", "4S", "N", "="), (2, "2", "12", "4S", "N", "-1")),
        *((3, "3", "11", "4S", "N", "-1"), (3, "2", "12", "4S", "N", "-1")),
    )
    order = [standings(table, rank_by=by).query("side == 'ns'")["contestant"].tolist() for by in ("average", "total")]
    assert order == [["1", "3", "2"], ["3", "1", "2"]]


def test_several_events_are_ranked_apart_or_refused(event):
    two = pd.concat([event.assign(event="one"), event.assign(event="two", deal_id=event["deal_id"] + 1000)])
    with pytest.raises(ValueError, match=r"^expected within to name 'event', since the results have several"):
        standings(two, winners=2)
    ranked = standings(two, winners=2, within="event")
    assert ranked.columns.tolist() == ["event", *COLUMNS]
    alone = standings(event, winners=2)
    for name in ("one", "two"):
        own = ranked[ranked["event"] == name].drop(columns="event").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, alone)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "imps"}, "form among matchpoints, butler, cross_imps, points, victory_points, got 'imps'"),
        ({"of": "clubs"}, "of among pairs, partnerships, players, teams, got 'clubs'"),
        ({"of": "players"}, "players named in north, south, east, west, got none"),
        ({"sessions": "best"}, "sessions as 'sum' or 'mean', got 'best'"),
        ({"rank_by": "percent"}, "rank_by as 'average' or 'total' or 'factor', got 'percent'"),
        ({"within": "club"}, "within to name columns of the results, got 'club'"),
        ({"bye": 12}, "bye only for form='victory_points', got 12"),
        ({"vp_scale": "vp-acbl-20"}, "vp_scale only for form='victory_points', got 'vp-acbl-20'"),
        ({"of": "teams", "form": "imps", "sub_field": "fouled"}, "sub_field only for pairs and players, got 'fouled'"),
        ({"of": "teams", "form": "imps", "expected": 9}, "expected only for pairs and players, got 9"),
        ({"handicap_share": 50}, "handicap_share from 0 to 1, got 50"),
        (
            {"form": "butler", "expected": 9},
            "`expected` only for matchpoints, as no rule here factors IMPs, got form 'butler'",
        ),
        ({"adjusted": "imps-1962"}, "an edition of kind 'adjusted', got 'imps-1962' of kind 'imps'"),
    ],
)
def test_what_standings_do_not_know_is_refused(event, options, message):
    with pytest.raises(ValueError, match=f"^{re.escape('expected ' + message)}$"):
        standings(event, **{"winners": 2} | options)


def test_results_of_a_full_board_that_the_scoring_did_not_have_are_refused():
    table = play(howell(8))
    with pytest.raises(ValueError, match=r"scored with the same `expected` and `win`, got a top of 6, not 16, at"):
        standings(table, winners=1, expected=9)


def test_results_of_another_form_are_refused(event):
    message = "expected results that score_results scored as butler, got a table without butler_ns"
    with pytest.raises(ValueError, match=f"^{message}$"):
        standings(event.drop(columns="butler_ns"), form="butler", winners=2)


def test_no_results_have_no_standings():
    assert len(standings(play(howell(8)).iloc[:0], winners=1)) == 0
