"""Rubber bridge: books and published evenings, a second scorer kept by hand, and what must be refused."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.notation import CONTRACTS
from bridge_analytics.results import read_results
from bridge_analytics.rubber import rubber_totals, score_rubbers
from bridge_analytics.rubber_sheet import SHEET_COLUMNS
from bridge_analytics.rules import load_edition

EDITIONS = ("rubber-1993", "rubber-before-1993", "rubber-001", "rubber-003")


def evening(*deals, **columns):
    """A rubber from rows such as "NS 4S 10"."""
    side, contract, tricks = zip(*(deal.split() for deal in deals), strict=True)
    return pd.DataFrame({"rubber": 1, "side": side, "contract": contract, "tricks": [int(n) for n in tricks]} | columns)


def random_rubbers(rubbers, seed, edition, deals=40):
    """Deals of many rubbers, too many for most: passed out, doubled, down, with honours; whoever declares.

    A third is in small contracts that make, so that part-scores of both sides stand beside one another.
    """
    rng = np.random.default_rng(seed)
    laws, size = load_edition(edition), deals * rubbers
    low = rng.random(size) < 0.4
    contract = np.where(low, rng.integers(0, 31, size), rng.integers(0, 106, size))
    tricks = np.where(low, rng.integers(6, 11, size), rng.integers(0, 14, size))
    texts = np.array(CONTRACTS)[contract]
    notrump = np.array(["NT" in text for text in CONTRACTS])[contract]
    gives = [laws[f"rubber.{key}"] or 0 for key in ("four_honours", "five_honours", "four_aces")]
    points = np.where(notrump, gives[2], np.where(rng.random(size) < 0.8, gives[0], gives[1]))
    points = np.where((rng.random(size) < 0.15) & (contract > 0), points, 0)
    return pd.DataFrame(
        {
            "rubber": np.repeat(np.arange(rubbers), deals),
            "declarer": np.where(contract > 0, np.array([*"NESW"])[rng.integers(0, 4, size)], None),
            "contract": texts,
            "tricks": pd.array(np.where(contract > 0, tricks, None), dtype="Int8"),
            "honours_seat": np.where(points > 0, np.array([*"NESW"])[rng.integers(0, 4, size)], None),
            "honours_points": points,
        }
    )


def repeating(scale, count):
    return sum((*scale, *[scale[-1]] * 13)[:count])


@cache
def deal_points(edition, text, vulnerable, tricks):
    """Points below and above the line of declarer's side, and of the other, from the numbers of the edition alone."""
    laws = load_edition(edition)
    level, doubled = int(text[0]), text.count("X")
    strain = text[1:].rstrip("X")
    names = ("undoubled", "doubled", "redoubled")
    over = tricks - 6 - level
    if over < 0:
        return 0, 0, repeating(laws[f"undertrick.{names[doubled]}"][vulnerable], -over)
    first, later = {
        "C": (laws["trick_score.minor"],) * 2,
        "D": (laws["trick_score.minor"],) * 2,
        "H": (laws["trick_score.major"],) * 2,
        "S": (laws["trick_score.major"],) * 2,
        "NT": laws["trick_score.notrump"],
    }[strain]
    below = (first + (level - 1) * later) * laws["trick_score.doubled"][doubled]
    above = over * (later if doubled == 0 else laws[f"overtrick.{names[doubled]}"][vulnerable])
    above += {6: laws["premium.small_slam"][vulnerable], 7: laws["premium.grand_slam"][vulnerable]}.get(level, 0)
    above += laws[f"premium.making_{names[doubled]}"][vulnerable] if doubled else 0
    return below, above, 0


def score_by_hand(deals, edition):
    """Keep one rubber on paper, a deal at a time; a list of what stands after each, to the end of the rubber."""
    laws, game_points = load_edition(edition), load_edition(edition)["trick_score.game"]
    games, part, below, above = [0, 0], [0, 0], [0, 0], [0, 0]
    page = []
    for declarer, text, tricks, seat, points in deals:
        vulnerable, game = [games[0] > 0, games[1] > 0], ""
        if text != "Pass":
            side = "NESW".index(declarer) % 2
            bid, more, penalty = deal_points(edition, text, vulnerable[side], tricks)
            below[side] += bid
            part[side] += bid
            above[side] += more
            above[1 - side] += penalty
            if part[side] >= game_points:
                games[side] += 1
                part, game = [0, 0], ("ns", "ew")[side]
                if games[side] == 2:
                    above[side] += laws["rubber.two_games_to_one" if games[1 - side] else "rubber.two_games_to_none"]
        if points:
            above["NESW".index(seat) % 2] += points
        over = 2 in games
        unfinished = [0, 0]
        for side in (0, 1):
            if not over and games[side] and not games[1 - side]:
                unfinished[side] += laws["rubber.unfinished_game"] or 0
            if part[side] and not part[1 - side]:
                unfinished[side] += laws["rubber.unfinished_partscore"] or 0
        page.append((*vulnerable, *part, *games, game, over, *below, *above, *unfinished))
        if over:
            break
    return page


PAGE = ["vulnerable_ns", "vulnerable_ew", "part_ns", "part_ew", "games_ns", "games_ew", "game", "rubber_over"]
PAGE += ["sum_below_ns", "sum_below_ew", "sum_above_ns", "sum_above_ew", "unfinished_ns", "unfinished_ew"]


@pytest.fixture(scope="module")
def published(shared):
    return pd.read_csv(shared / "data" / "tables" / "rubbers_dev.csv")


@pytest.mark.parametrize("column", ["ns_above", "ns_below", "ew_above", "ew_below"])
def test_published_rubbers_have_every_running_sum(published, column):
    side, line = column.split("_")
    found = score_rubbers(published.drop(columns="vulnerable"))[f"sum_{line}_{side}"]
    assert found.tolist() == published[column].tolist()


@pytest.mark.parametrize("side", ["ns", "ew"])
def test_published_rubbers_have_every_total(published, side):
    sheet = score_rubbers(published.drop(columns="vulnerable"))
    assert sheet[f"total_{side}"].tolist() == published[f"{side}_total"].tolist()


@pytest.mark.parametrize("side", ["ns", "ew"])
def test_published_rubbers_stop_anywhere_with_the_right_premiums(published, side):
    sheet = score_rubbers(published.drop(columns="vulnerable"))
    found = sheet[f"total_{side}"] + sheet[f"unfinished_{side}"]
    assert found.tolist() == published[f"{side}_provisional"].tolist()


def test_published_rubbers_know_who_is_vulnerable_and_when_they_end(published):
    sheet = score_rubbers(published.drop(columns="vulnerable"))
    assert sheet["vulnerable"].astype(int).tolist() == published["vulnerable"].tolist()
    assert sheet["rubber_over"].astype(int).tolist() == published["rubber_over"].tolist()


def test_the_side_with_two_games_may_lose_on_points(published):
    first = rubber_totals(score_rubbers(published)).loc[0]
    assert (first["games_ew"], first["winner"], first["total_ns"], first["total_ew"]) == (2, "ns", 1690, 880)


def test_one_notrump_ends_the_rubber_of_the_quiz_at_930_to_120():
    # Highlane U3A, quiz 29: NS have a game and 70 below, 20 above; EW 60 below, 60 above; NS make 1NT. The deals are
    # chosen to lead there: 100 and 20 above (5C+1), 60 each (EW 2H+2), 70 (2NT), 40.
    quiz = evening("NS 5C 12", "EW 2H 10", "NS 2NT 8", "NS 1NT 7")
    assert rubber_totals(score_rubbers(quiz))[["total_ns", "total_ew"]].values.tolist() == [[930, 120]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_ten_thousand_rubbers_stand_as_on_paper(edition):
    deals = random_rubbers(10_000, 44, edition, deals=20)  # a few are broken off
    cells = deals[["declarer", "contract", "tricks", "honours_seat", "honours_points"]]
    rows = list(zip(*(column.tolist() for _, column in cells.items()), strict=True))
    pages = [score_by_hand(rows[start : start + 20], edition) for start in range(0, len(rows), 20)]
    kept = np.concatenate([np.arange(20) < len(page) for page in pages])
    expected = pd.DataFrame([line for page in pages for line in page], columns=PAGE)
    sheet = score_rubbers(deals[kept], edition=edition)
    for name in PAGE:
        column = sheet[name].astype(object).fillna("")
        assert column.tolist() == expected[name].tolist(), name


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_other_columns_of_a_sheet_follow_from_these(edition):
    sheet = score_rubbers(random_rubbers(300, 9, edition), edition=edition, split=True)
    for line in ("below", "above"):
        for side in ("ns", "ew"):
            running = sheet.groupby("rubber_id")[f"{line}_{side}"].cumsum()
            assert running.tolist() == sheet[f"sum_{line}_{side}"].tolist()
            assert (sheet[f"total_{side}"] == sheet[f"sum_below_{side}"] + sheet[f"sum_above_{side}"]).all()


def swapped(table):
    """The same rubbers as the other side sees them."""
    seats = dict(zip("NESW", "ESWN", strict=True))
    return table.assign(**{name: table[name].map(seats) for name in ("declarer", "honours_seat")})


def test_swapping_the_sides_swaps_the_columns():
    deals = random_rubbers(500, 3, "rubber-1993")
    ours, theirs = score_rubbers(deals, split=True), score_rubbers(swapped(deals), split=True)
    for name in SHEET_COLUMNS:
        if name.endswith("_ns"):
            assert ours[name].equals(theirs[f"{name[:-3]}_ew"].rename(name)), name
            assert theirs[name].equals(ours[f"{name[:-3]}_ew"].rename(name)), name


def test_the_columns_of_the_sheet_sum_to_the_totals():
    sheet = score_rubbers(random_rubbers(500, 5, "rubber-1993"), split=True)
    totals = rubber_totals(sheet)
    for side in ("ns", "ew"):
        whole = sheet[f"below_{side}"].sum() + sheet[f"above_{side}"].sum() + totals[f"unfinished_{side}"].sum()
        assert totals[f"total_{side}"].sum() == whole


def test_rows_come_in_any_order_where_boards_are_numbered():
    deals = score_rubbers(random_rubbers(200, 7, "rubber-1993"), split=True)
    deals = deals.assign(rubber=deals["rubber_id"], board=deals["deal_number"]).drop(columns=[*SHEET_COLUMNS])
    shuffled = deals.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(score_rubbers(shuffled).sort_index(), score_rubbers(deals))


def test_rubbers_at_several_tables_may_be_told_apart_by_two_columns():
    two = evening("NS 3NT 9", "NS 3NT 9", "EW 3NT 9", "EW 4S 10", table=["a", "b", "a", "b"])
    assert score_rubbers(two, by=["table", "rubber"])["games_ns"].tolist() == [1, 1, 1, 1]


def test_a_long_evening_split_scores_as_its_rubbers_do_apart():
    deals = random_rubbers(4_000, 11, "rubber-1993").assign(rubber=1)
    whole = score_rubbers(deals, split=True)
    apart = score_rubbers(deals.assign(rubber=whole["rubber_id"]))
    whole, apart = (sheet.drop(columns="rubber").astype({"game": "str"}) for sheet in (whole, apart))
    pd.testing.assert_frame_equal(whole, apart)


def test_a_long_evening_of_one_kind_of_deal_never_comes_out_of_step():
    # Five deals of 20 make a game: where a part of the evening starts from another part-score it never falls into step.
    tables = score_rubbers(evening("NS 1H 7", *["NS 1C 7"] * 5_000), split=True)
    assert tables["part_ns"].tolist() == [30, 50, 70, 90, *[0, 20, 40, 60, 80] * 1_000][:5_001]


def test_part_scores_of_both_sides_are_paid_where_the_edition_says_so(tmp_path):
    club = tmp_path / "club.toml"
    club.write_text(
        'title = "A club"\nkind = "scoring"\nextends = "rubber-1993"\n'
        '[rubber]\nboth_partscores = { value = "both", source = "the club" }\n'
    )
    both = evening("NS 2H 8", "EW 2C 8")
    unfinished = ["unfinished_ns", "unfinished_ew"]
    assert score_rubbers(both)[unfinished].values.tolist() == [[100, 0], [0, 0]]
    assert score_rubbers(both, edition=club)[unfinished].values.tolist() == [[100, 0], [100, 100]]


def test_an_empty_evening_has_an_empty_sheet():
    sheet = score_rubbers(evening("NS 4S 10").head(0))
    assert [*sheet.columns] == ["rubber", "side", "contract", "tricks", *SHEET_COLUMNS]


def test_scoring_again_replaces_the_sheet():
    sheet = score_rubbers(evening("NS 4S 10", "EW 2H 8"))
    pd.testing.assert_frame_equal(score_rubbers(sheet), sheet)


def test_the_table_given_is_left_as_it_was():
    deals = evening("NS 4S 10", "EW 2H 8")
    before = deals.copy(deep=True)
    score_rubbers(deals)
    pd.testing.assert_frame_equal(deals, before)


REFUSED = {
    "no side": (
        evening("NS 4S 10", "NS 2H 8", side=["NS", None]),
        "expected the declarer, or the side that declared, got a missing value at position 1",
    ),
    "no column of sides": (
        evening("NS 4S 10").drop(columns="side"),
        "expected the declarer, or the side that declared, got none at position 0",
    ),
    "no contract": (evening("NS 4S 10", contract=[None]), "got a missing value at position 0"),
    "no tricks": (
        evening("NS 4S 10", tricks=[None]),
        "expected the tricks that declarer's side took, got a missing value at position 0",
    ),
    "another side than the declarer's": (
        evening("NS 4S 10", declarer="W"),
        "expected declarer and side that agree, got 'W', 'NS' at position 0",
    ),
    "honours of two players": (
        evening("NS 4S 10", honours_seat="NW", honours_points=100),
        "expected honours_seat as the one player who holds them, N E S W, got 'NW' at position 0",
    ),
    "honours of nobody": (
        evening("NS 4S 10", honours_seat=None, honours_points=100),
        "expected both the player and the points of honours, or neither, got a missing value, 100 at position 0",
    ),
    "both kinds of honours added": (
        evening("NS 4S 10", honours_seat="N", honours_points=250),
        "expected honours of 100 or 150 in trumps or 150 at notrump (edition 'rubber-1993'), got 250, '4S' at",
    ),
    "four honours at notrump": (
        evening("NS 3NT 9", honours_seat="N", honours_points=100),
        "got 100, '3NT' at position 0",
    ),
    "honours without trumps": (
        evening("NS Pass 0", honours_seat="N", honours_points=100),
        "got 100, 'Pass' at position 0",
    ),
    "a vulnerability of its own": (
        evening("NS 4S 10", "EW 2H 8", vul=["none", "both"], source_row=[5, 6]),
        "expected vul 'ns', by the deals before, got 'both' at position 1 (row 6)",
    ),
    "a deal after the end": (
        evening("NS 4S 10", "NS 4S 10", "EW 2H 8"),
        "expected no deal after the end of a rubber (split=True begins a new one), got '2H' at position 2",
    ),
    "a board twice": (
        evening("NS 4S 10", "NS 2S 10", board=[3, 3]),
        "expected each board once in a rubber (but for redeals of a passed-out one), got 3 at position 1",
    ),
    "boards in part": (evening("NS 4S 10", "NS 2S 10", board=[3, None]), "got a missing value at position 1"),
    "no rubbers": (
        evening("NS 4S 10").drop(columns="rubber"),
        "expected columns that tell rubbers apart (by), got no rubber",
    ),
    "a side by another name": (
        evening("NS 4S 10", "We 2H 8", source_row=[5, 6]),
        "expected a side NS or EW, got 'We' at position 1 (row 6)",
    ),
    "a declarer on no chair": (
        evening("NS 4S 10", declarer="Q", source_row=[5]),
        "expected a declarer N E S W, got 'Q' at position 0 (row 5)",
    ),
    "honours in a column of their own": (
        evening("NS 4S 10", honours="N100"),
        "expected honours in columns honours_seat and honours_points, got honours",
    ),
    "honours of a side": (evening("NS 4S 10", honours_ns=100), "and honours_points, got honours_ns"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_sheet_that_cannot_be_kept_is_refused(fault):
    deals, message = REFUSED[fault]
    with pytest.raises(ValueError, match=re.escape(message)):
        score_rubbers(deals)


def test_a_law_without_honours_refuses_them():
    with pytest.raises(ValueError, match="expected honours of none in trumps or none at notrump"):
        score_rubbers(evening("NS 4S 10", honours_seat="N", honours_points=100), edition="rubber-003")


def test_a_vulnerability_from_the_board_number_is_not_the_rubbers():
    deals = evening("NS 4S 10", "EW 2H 8", vul=["ns", "ns"], vul_source=["board", "file"])
    assert score_rubbers(deals)["vulnerable_ns"].tolist() == [False, True]


PLAYERS = ["north", "east", "south", "west"]


def seated(*tables):
    """A made game in each rubber for North-South, by those who sit there."""
    rows = [
        evening("NS 4S 10", "NS 3NT 10", rubber=i, **dict(zip(PLAYERS, names, strict=True)))
        for i, names in enumerate(tables)
    ]
    return score_rubbers(pd.concat(rows, ignore_index=True))


def test_changing_partners_each_player_carries_the_back_score_along():
    # 120 + 100 + 30 + 700 = 950 a rubber, which is ten hundreds.
    totals = rubber_totals(seated("abcd", "acbd", "dbca"), players=PLAYERS)
    backs = totals[["back_north", "back_east", "back_south", "back_west"]].values.tolist()
    assert totals["back_ns"].tolist() == [10, 10, 10]
    assert backs == [[10, -10, 10, -10], [20, 0, 0, -20], [-10, -10, 10, 10]]


def test_the_back_scores_of_an_evening_sum_to_nothing():
    totals = rubber_totals(seated("abcd", "acbd", "dbca"), players=PLAYERS, step=1)
    assert totals["back_ns"].tolist() == [950] * 3
    assert totals.filter(["back_north", "back_east", "back_south", "back_west"]).loc[0].sum() == 0


@pytest.mark.parametrize(("margin", "hundreds"), [(940, 9), (950, 10), (0, 0)])
def test_half_a_hundred_counts_as_a_whole_one(margin, hundreds):
    sheet = seated("abcd")
    for name in ("above_ew", "sum_above_ew"):
        sheet[name] = [0, 950 - margin]
    assert rubber_totals(sheet, players=PLAYERS)["back_ns"].tolist() == [hundreds]


def test_a_player_on_two_chairs_is_refused():
    with pytest.raises(ValueError, match="expected four different players, got 'a', 'b', 'a', 'd' at position 0"):
        rubber_totals(seated("abad"), players=PLAYERS)


def test_players_do_not_change_within_a_rubber():
    sheet = seated("abcd").assign(north=["a", "e"])
    with pytest.raises(ValueError, match="the same on all its deals, got 'e', 'b', 'c', 'd' at position 1"):
        rubber_totals(sheet, players=PLAYERS)


def test_totals_want_a_sheet():
    with pytest.raises(ValueError, match="expected a sheet as score_rubbers gives it, got a table without rubber_id"):
        rubber_totals(evening("NS 4S 10"))


WHOLE = (*("NS 2H 8", "EW 3NT 9", "NS Pass 0", "EW 2C 8", "NS 5D 11"), "NS 3NT 10")


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        (0, "expected deal_number 1 next in rubber_id 1 .*, got 2 at position 6"),
        (2, "expected deal_number 3 next in rubber_id 1 .*, got 4 at position 8"),
        (3, "expected deal_number 4 next in rubber_id 1 .*, got 5 at position 9 .row 12 of home.csv."),
    ],
)
def test_a_sheet_that_lacks_a_deal_has_no_totals(left_out, message):
    deals = evening(*WHOLE, *WHOLE, rubber=np.repeat([1, 2], 6), source="home.csv", source_row=np.arange(2, 14))
    sheet = score_rubbers(deals)
    with pytest.raises(ValueError, match=message):
        rubber_totals(sheet.drop(6 + left_out))


def test_two_evenings_with_the_same_numbers_are_not_one_rubber():
    sheet = score_rubbers(evening(*WHOLE))
    with pytest.raises(ValueError, match=r"expected deal_number 2 next in rubber_id 0 .*, got 1 at position 6"):
        rubber_totals(pd.concat([sheet, sheet]))


@pytest.mark.parametrize("column", ["below_ns", "sum_below_ew", "above_ns", "sum_above_ew", "games_ew"])
def test_a_cell_changed_by_hand_contradicts_the_deals_before(column):
    sheet = score_rubbers(evening(*WHOLE))
    sheet.loc[3, column] += 1
    with pytest.raises(ValueError, match=r"expected (sum|games)_.* after the deal before and this one, got .* at"):
        rubber_totals(sheet)


def test_whole_rubbers_may_be_chosen_in_any_order():
    sheet = score_rubbers(evening(*WHOLE, *WHOLE, *WHOLE, rubber=np.repeat([1, 2, 3], 6)))
    chosen = sheet[sheet["rubber"] != 2].sample(frac=1, random_state=4)
    expected = rubber_totals(sheet).drop(1).reset_index(drop=True)
    pd.testing.assert_frame_equal(rubber_totals(chosen), expected)


def test_a_rubber_that_was_broken_off_is_whole():
    assert rubber_totals(score_rubbers(evening(*WHOLE)).head(4))["deals"].tolist() == [4]


def test_totals_keep_the_labels_of_the_rubbers():
    two = evening("NS 4S 10", "EW 4S 10", table=["a", "b"]).drop(columns="rubber")
    sheet = score_rubbers(two, by="table")
    assert rubber_totals(sheet, by="table")["table"].tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"got a table without rubber$"):
        rubber_totals(sheet)


def test_an_index_of_the_users_own_changes_nothing():
    deals = evening("NS 4S 10", "EW 4S 10", "EW 3NT 9", **dict(zip(PLAYERS, "abcd", strict=True)))
    own = deals.set_axis([7, 7, 3])
    pd.testing.assert_frame_equal(score_rubbers(own), score_rubbers(deals).set_axis([7, 7, 3]))
    one, other = (rubber_totals(score_rubbers(table), players=PLAYERS) for table in (own, deals))
    pd.testing.assert_frame_equal(one, other)


DATA = Path(__file__).resolve().parents[1] / "data"


def test_the_sample_rubbers_are_what_their_script_makes():
    spec = importlib.util.spec_from_file_location("make_rubbers", DATA / "make_rubbers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.rubbers().to_csv(index=False, lineterminator="\n") == (DATA / "rubbers.csv").read_text()


def test_points_of_honours_may_be_written_as_a_table_program_does():
    deals = evening("NS 4S 10", "EW 2H 8", honours_seat=["N", None], honours_points=["100.0", None])
    assert score_rubbers(deals)["honours_ns"].tolist() == [100, 0]


def test_a_spanish_sheet_names_its_sides_and_seats_in_spanish():
    deals = evening("NS 4S 10", "EO 2H 8", honours_seat=["Oeste", "O"], honours_points=100)
    assert score_rubbers(deals)[["below_ew", "honours_ew"]].values.tolist() == [[0, 100], [60, 100]]


def test_empty_cells_of_a_file_say_nothing():
    deals = evening("NS 4S 10", "EW 2H 8", honours_seat=["", "E"], honours_points=["", "150"], declarer="")
    assert score_rubbers(deals)["honours_ew"].tolist() == [0, 150]


@pytest.mark.parametrize("edition", ["duplicate-1987", "duplicate-001", "chicago"])
def test_a_law_without_a_premium_for_two_games_scores_no_rubber(edition):
    deals = pd.DataFrame({"rubber": 1, "side": "NS", "contract": "4S", "tricks": [10, 10]})
    with pytest.raises(ValueError, match=f"expected an edition of rubber bridge, .* got '{edition}'"):
        score_rubbers(deals, edition=edition)


PLAYERS = {"north": "a", "east": "b", "south": "c", "west": "d"}


@pytest.mark.parametrize("step", [0, -100, "x", 0.5])
def test_a_back_score_goes_by_whole_points(step):
    sheet = score_rubbers(pd.DataFrame({"rubber": 1, "side": "NS", "contract": "4S", "tricks": [10, 10], **PLAYERS}))
    with pytest.raises(ValueError, match="expected a step of at least one point"):
        rubber_totals(sheet, players=list(PLAYERS), step=step)
    with pytest.raises(ValueError, match="expected a step of at least one point"):
        rubber_totals(sheet, step=step)


@pytest.mark.parametrize("status", ["not_played", "adjusted", "sit_out"])
def test_a_deal_without_a_score_is_refused_by_its_row(status):
    deals = pd.DataFrame({"rubber": 1, "side": "NS", "contract": "4S", "tricks": [10, 10]})
    with pytest.raises(ValueError, match=rf"expected a deal played or passed out, got '{status}' at position 1"):
        score_rubbers(deals.assign(status=["played", status]))


def test_a_deal_of_no_rubber_among_others_is_refused():
    deals = pd.DataFrame({"rubber": [1, None, 1], "side": "NS", "contract": "2H", "tricks": 8})
    with pytest.raises(ValueError, match=r"expected the rubber of each deal, got a missing value at position 1"):
        score_rubbers(deals)


def test_a_ruling_is_refused_by_its_line_with_what_was_ruled(tmp_path):
    club = tmp_path / "club.csv"
    club.write_text("rubber,side,contract,tricks\n1,NS,4S,10\n\n1,NS,A6040,\n")
    message = r"expected a deal played or passed out, got 'adjusted', '60%', '40%' at position 1 \(row 4 of .*club.csv"
    with pytest.raises(ValueError, match=message):
        score_rubbers(read_results(club))


def test_a_deal_whose_contract_is_not_known_is_refused_by_its_line():
    deals = read_results(evening("NS 4S 10", "NS 2H 8", contract=["4S", None]))
    with pytest.raises(ValueError, match=r"expected the contract of each deal, or Pass, got a missing .* 1 \(row 2\b"):
        score_rubbers(deals)
