"""Luck and skill: the parts of a result, the boards a ranking needs, and ratings drawn in by what is luck."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bridge_analytics as ba
from bridge_analytics import luck
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.par import par_score
from bridge_analytics.skill_spread import variances

FORMS = ("cross_imps", "butler", "matchpoints")
SUM = 1e-9


@pytest.fixture(scope="module")
def season():
    return ba.score_results(ba.read_results("data/season.parquet"), forms=())


@pytest.fixture(scope="module")
def evening():
    """Seven results of each of seven deals, solved by tables that were drawn: what the cards say is all one."""
    draw = np.random.default_rng(5)
    number = np.arange(49)
    rows = pd.DataFrame({"board": number // 7 + 1, "ns": (number % 7 + 1).astype(str)})
    rows["ew"] = (100 + (number + number // 7) % 7).astype(str)
    rows["contract"] = draw.choice(["Pass", "1NT", "2H", "3H", "4H", "4HX", "3NT", "5C"], 49)
    rows["declarer"] = np.where(rows["contract"] == "Pass", None, draw.choice(list("NESW"), 49))
    rows["tricks"] = np.where(rows["contract"] == "Pass", None, draw.integers(6, 12, 49))
    deals = ba.format_deals(ba.random_deals(7, seed=5))
    rows["deal"] = np.repeat(deals, 7)
    scored = ba.score_results(ba.read_results(rows), forms=())
    tricks = draw.integers(4, 10, (7, 5, 4))
    names = [f"tricks_{seat}_{strain}" for strain in STRAINS for seat in SEATS]
    return scored, pd.DataFrame(tricks.reshape(7, 20), columns=names).assign(deal=deals), tricks


def worth(score, others, form):
    """What one score is worth against the scores of the others: a plain statement."""
    if form == "matchpoints":
        return 100 * np.mean([(score > other) + (score == other) / 2 for other in others]) - 50
    if form == "cross_imps":
        return np.mean([int(ba.imps(score - other)) for other in others])
    return float(ba.butler(np.array([score, *others]), by=np.zeros(len(others) + 1))[0])


def plain_parts(scored, form, against, tricks):
    """Bidding and play of each result, board by board in loops."""
    found = []
    for place, row in scored.iterrows():
        deal = scored[scored["deal_id"] == row["deal_id"]]
        others = deal.drop(index=place)["score_ns"].tolist()

        def with_tricks(one, won):
            if one["contract"] == "Pass":
                return 0
            points = int(ba.score(one["contract"], one["vulnerable"], won))
            return points if one["declarer"] in "NS" else -points

        def solved(one):
            if one["contract"] == "Pass":
                return 0
            strain = STRAINS.index(one["contract"].rstrip("X")[1:])
            return tricks[one["board"] - 1, strain, SEATS.index(one["declarer"])]

        result = worth(row["score_ns"], others, form)
        if against == "strain":
            same = deal[
                (deal["contract"].astype(str).str.rstrip("X").str[1:] == row["contract"].rstrip("X")[1:])
                & deal["declarer"].isin(["N", "S"] if row["declarer"] in ("N", "S") else ["E", "W"])
            ]
            passed = row["contract"] == "Pass"
            won = [0] if passed else same["tricks"].tolist()
            bidding = np.mean([worth(with_tricks(row, one), others, form) for one in won])
            found.append((result, bidding, result - bidding, np.nan))
            continue
        reached = with_tricks(row, solved(row))
        contract = worth(reached, others, form)
        if against == "par":
            par = int(par_score(tricks[row["board"] - 1], row["dealer"], row["vul"]))
            lucky = worth(par, others, form)
        else:
            theirs = [with_tricks(one, solved(one)) for _, one in deal.drop(index=place).iterrows()]
            lucky = contract - worth(reached, theirs, form)
        found.append((result, contract - lucky, result - contract, lucky))
    return np.array(found)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("against", ["strain", "double_dummy", "par"])
def test_the_parts_are_those_of_a_plain_statement(evening, form, against):
    scored, solved, tricks = evening
    found = luck.parts(scored, against=against, form=form, solved=solved)
    np.testing.assert_allclose(found, plain_parts(scored, form, against, tricks), atol=SUM)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("against", ["strain", "double_dummy"])
def test_the_parts_add_up_to_the_result(season, form, against):
    found = luck.parts(season, against=against, form=form)
    together = found["bidding_ns"] + found["play_ns"] + found["luck_ns"].fillna(0)
    np.testing.assert_allclose(together, found["result_ns"], atol=SUM)
    assert found["result_ns"].notna().all()


def test_the_result_is_what_score_results_says(season):
    scored = ba.score_results(season, forms=("cross_imps", "matchpoints"))
    assert np.allclose(luck.parts(season)["result_ns"], scored["cross_imps_ns"])
    assert np.allclose(luck.parts(season, form="matchpoints")["result_ns"], scored["pct_ns"] - 50)


def test_a_contestants_parts_add_up(season):
    found = luck.split(season, against="double_dummy", winners=1)
    np.testing.assert_allclose(found[["bidding", "play", "luck"]].sum(axis=1), found["result"], atol=SUM)
    np.testing.assert_allclose(found[["declaring", "defending"]].sum(axis=1), found["play"], atol=SUM)
    assert found["boards"].sum() == 2 * len(season)


def test_a_contestants_mean_and_error_are_those_of_its_boards(season):
    found = luck.split(season, winners=1).set_index("contestant").loc["P30"]
    own = luck.parts(season)
    north = (season["ns"] == "P30").to_numpy()
    boards = pd.concat([own[north], -own[(season["ew"] == "P30").to_numpy()]])
    assert found["bidding"] == pytest.approx(boards["bidding_ns"].mean())
    assert found["play_se"] == pytest.approx(boards["play_ns"].sem())


def test_skill_in_the_play_is_found_where_the_generator_put_it(season):
    truth = pd.read_csv("data/season_pairs.csv").set_index("pair")
    found = luck.split(season, against="double_dummy", winners=1).set_index("contestant").loc[truth.index]
    assert np.corrcoef(found["play"], truth["play"])[0, 1] > 0.9
    assert np.corrcoef(found["bidding"], truth["bidding"])[0, 1] > 0.5
    assert abs(np.corrcoef(found["luck"], truth["play"] + truth["bidding"])[0, 1]) < 0.3


def test_a_result_whose_cards_are_not_solved_has_no_parts_and_is_counted(evening):
    scored, solved, _ = evening
    found = luck.split(scored, against="par", solved=solved.iloc[1:])
    assert found["left_out"].tolist() == [1] * len(found)
    assert luck.parts(scored, against="par", solved=solved.iloc[1:])["luck_ns"].isna().sum() == 7


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"against": "dummy"}, "against among strain, double_dummy, par"),
        ({"form": "points"}, "a form among"),
        ({"against": "par"}, "solved deals"),
        ({"against": "double_dummy"}, "a column 'dd_tricks', or solved deals"),
        ({"against": "double_dummy", "dd_tricks": [14] * 49}, "0-13"),
        ({"against": "par", "solved": pd.DataFrame({"deal": []})}, "tricks_N_C"),
    ],
)
def test_what_is_not_known_is_refused(evening, options, told):
    with pytest.raises(ValueError, match=told):
        luck.parts(evening[0], **options)


def plain_spread(values):
    """The noise, and k by trying: where means, each over what it varies by, are on average as large as noise alone."""
    n, a = sum(map(len, values)), len(values)
    within = sum((value - np.mean(own)) ** 2 for own in values for value in own) / (n - a)

    def too_large(k):
        return sum(np.mean(own) ** 2 / (1 / len(own) + 1 / k) for own in values) > a * within

    low, high = 1e-3, 1e9
    for _ in range(200):
        middle = np.sqrt(low * high)
        low, high = (low, middle) if too_large(middle) else (middle, high)
    return within, low, n / a


def own_boards(scored, form="cross_imps"):
    """What each pair earned on each of its boards, by name."""
    result = luck.parts(scored, form=form)["result_ns"]
    sides = [(scored["ns"], result), (scored["ew"], -result)]
    return pd.concat([pd.DataFrame({"pair": pair.astype(str), "value": value}) for pair, value in sides])


def test_reliability_is_that_of_a_plain_statement(season):
    some = season[season["session"].astype(int) <= 20]
    within, k, boards = plain_spread([own["value"].tolist() for _, own in own_boards(some).groupby("pair")])
    found = luck.reliability(some, winners=1, target=0.8).iloc[0]
    assert found["within_sd"] == pytest.approx(np.sqrt(within))
    assert found["between_sd"] == pytest.approx(np.sqrt(within / k))
    assert found["boards"] == pytest.approx(boards)
    assert found["boards_needed"] == pytest.approx(4 * k)
    assert found["reliability"] == pytest.approx(boards / (boards + k))
    assert found["low"] < found["boards_needed"] < found["high"]


def test_with_equal_numbers_it_is_the_analysis_of_variance_about_nothing():
    draw, who = np.random.default_rng(9), np.repeat(np.arange(30), 50)
    value = np.repeat(draw.normal(0, 1, 30), 50) + draw.normal(0, 4, 1500)
    found = variances(value, who, pd.DataFrame({"contestant": range(30)}), []).iloc[0]
    means = value.reshape(30, 50).mean(axis=1)
    within = value.reshape(30, 50).var(axis=1, ddof=1).mean()
    assert found["between_sd"] ** 2 == pytest.approx((means**2).mean() - within / 50)
    assert found["k"] == pytest.approx(within / found["between_sd"] ** 2)


def test_a_field_without_skill_shows_none(season):
    """Who sat where is dealt out anew among the tables of each deal."""
    some = season[season["session"].astype(int) <= 40].sort_values("deal_id", kind="stable")
    order = np.lexsort([np.random.default_rng(1).random(len(some)), some["deal_id"]])
    shuffled = some.assign(ns=some["ns"].array[order], ew=some["ew"].array[order])
    found = luck.reliability(shuffled, winners=1).iloc[0]
    assert found["high"] == np.inf
    assert found["boards_needed"] > 1000


def test_a_small_field_without_skill_shows_none_on_average():
    """Four tables of a Mitchell: what one wins the others lose, so that their means lie apart by chance more than of
    drawn numbers they would; by as much as five boards of real skill in a hundred."""
    draw, ratios = np.random.default_rng(6), []
    for _ in range(400):
        scores = draw.normal(0, 4.5, (24, 4))
        value = scores - (scores.sum(axis=1, keepdims=True) - scores) / 3
        square = value.mean(axis=0) ** 2 * 24
        found = variances(value.T.ravel(), np.repeat(np.arange(4), 24), pd.DataFrame({"contestant": range(4)}), [])
        within = found["within_sd"].iloc[0] ** 2
        ratios.append(square.mean() / within)
        assert (found["k"].iloc[0] == np.inf) == (ratios[-1] <= 1)
    assert np.mean(ratios) == pytest.approx(1, abs=0.1)


EVENTS = {"alike": (np.full(40, 60), 0.6), "from 20 to 3000 boards": (np.geomspace(20, 3000, 40).astype(int), 0.4)}


@pytest.mark.parametrize("event", EVENTS)
def test_the_interval_of_boards_covers_the_truth_as_often_as_it_says(event):
    """Four hundred events of forty pairs, with skill and noise drawn by the numbers known."""
    boards, skill = EVENTS[event]
    draw, hit, who = np.random.default_rng(3), 0, np.repeat(np.arange(40), boards)
    names = pd.DataFrame({"contestant": range(40)})
    for _ in range(400):
        value = draw.normal(0, skill, 40)[who] + draw.normal(0, 4.5, who.size)
        low, high = variances(value, who, names, [], (0.025, 0.975))[[0.025, 0.975]].iloc[0]
        hit += low <= (4.5 / skill) ** 2 <= high
    assert 0.915 <= hit / 400 <= 0.985  # three standard errors


def test_a_rating_is_the_mean_drawn_in_by_its_reliability(season):
    needed = luck.reliability(season, winners=1)["boards_needed"].iloc[0]
    found = luck.ratings(season, winners=1)
    trusted = found["boards"] / (found["boards"] + needed)
    np.testing.assert_allclose(found["rating"], trusted * found["mean"])
    np.testing.assert_allclose(found["reliability"], trusted)
    known = luck.ratings(season, winners=1, boards_for_half=500)
    np.testing.assert_allclose(known["reliability"], known["boards"] / (known["boards"] + 500))


def test_the_rating_of_one_evening_holds_what_the_pair_was_worth_over_the_season(season):
    """As often as it says, on the evenings too that by themselves show no skill at all."""
    truth = luck.split(season, winners=1).set_index("contestant")["result"]
    held, told = [], []
    for session in range(1, 61):
        found = luck.ratings(season[season["session"] == str(session)], winners=1).set_index("contestant")
        held.append(truth[found.index].between(found["low"].to_numpy(), found["high"].to_numpy()))
        told.append(found["warnings"].iloc[0])
    assert 5 < told.count("no_spread") < 40
    assert 0.94 <= pd.concat(held).mean() <= 0.995


def changing_partners(seed=2, players=9, boards=60):
    """An evening in which partners change from board to board, four tables of players drawn from few."""
    draw = np.random.default_rng(seed)
    rows = []
    for board in range(1, boards + 1):
        seats = draw.permutation(players)[:8].reshape(2, 4)
        rows += [[board, *(f"p{seat}" for seat in table)] for table in seats]
    table = pd.DataFrame(rows, columns=["board", "north", "south", "east", "west"])
    table["contract"] = draw.choice(["3NT", "4S", "2H"], len(table))
    table["declarer"], table["tricks"] = "N", draw.integers(7, 12, len(table))
    return ba.score_results(ba.read_results(table), forms=())


def test_players_ratings_are_the_best_linear_prediction():
    scored = changing_partners()
    found = luck.ratings(scored, of="players", boards_for_half=30).set_index("contestant")
    noise = luck.reliability(scored, of="partnerships")["within_sd"].iloc[0]
    skill = noise**2 / 60  # half of that of a partnership
    result = luck.parts(scored)["result_ns"].to_numpy()
    names = sorted(found.index)
    sat = np.zeros((2 * len(scored), len(names)))
    for row, player in enumerate(scored[["north", "south"]].to_numpy()):
        sat[row, [names.index(name) for name in player]] = 1
    for row, player in enumerate(scored[["east", "west"]].to_numpy()):
        sat[len(scored) + row, [names.index(name) for name in player]] = 1
    earned = np.concatenate([result, -result])
    inverse = np.linalg.inv(skill * sat @ sat.T + noise**2 * np.eye(len(earned)))
    expected = skill * sat.T @ inverse @ earned
    left = skill * np.eye(len(names)) - skill**2 * sat.T @ inverse @ sat
    np.testing.assert_allclose(found.loc[names, "rating"], expected, atol=1e-9)
    np.testing.assert_allclose(found.loc[names, "se"], np.sqrt(np.diag(left)), rtol=1e-9)


def test_players_of_partnerships_that_never_change_are_refused():
    scored = changing_partners()
    scored["north"], scored["south"] = "a", "b"
    scored["east"], scored["west"] = "c", "d"
    with pytest.raises(ValueError, match="cannot be told from their partners"):
        luck.ratings(scored, of="players")


def test_only_the_players_who_can_be_told_apart_are_rated():
    scored = changing_partners()
    scored["north"], scored["south"] = "a", "b"  # East-West go on changing
    found = luck.ratings(scored, of="players", boards_for_half=30).set_index("contestant")
    assert found.loc[["a", "b"], "rating"].isna().all()
    assert (found.loc[["a", "b"], "warnings"] == "not_separable").all()
    assert found["rating"].notna().sum() == len(found) - 2
    assert found["mean"].notna().all()


def test_an_event_that_names_no_partners_leaves_the_ratings_of_the_others():
    scored = pd.concat([changing_partners().assign(event="A"), changing_partners(seed=3).assign(event="B")])
    scored.loc[scored["event"] == "B", ["south", "west"]] = None
    both = ba.score_results(ba.read_results(scored), by=["event", "board"], forms=())
    found = luck.ratings(both, of="players", within="event")
    assert found.loc[found["event"] == "B", "warnings"].eq("not_separable").all()
    assert found.loc[found["event"] == "A", ["rating", "se"]].notna().all(axis=None)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1]), min_size=1))
def test_players_are_told_apart_where_linear_algebra_says_so(links):
    """A player's skill is known from the sums of partnerships if it is a combination of them."""
    from bridge_analytics.luck import _separable

    one, other = (np.array(part) for part in zip(*links, strict=True))
    sums = np.zeros((len(links), 8))
    sums[np.arange(len(links)), one] = sums[np.arange(len(links)), other] = 1
    rank = np.linalg.matrix_rank(sums)
    alone = [np.linalg.matrix_rank(np.vstack([sums, np.eye(8)[player]])) == rank for player in range(8)]
    assert _separable(one, other, 8).tolist() == alone


def test_sessions_of_a_field_without_skill_vary_as_those_of_regular_partnerships(season, shared):
    """Each deal's results are dealt out anew among the pairs: what is left is luck alone."""
    published = pd.read_csv(shared / "data" / "tables" / "published_dev.csv")
    low, high = 4.9, 5.8  # of a field of 24 to 28 boards, as the tolerance of these rows says
    observed = published.loc[published["id"] == "P21", "value"]
    percent = luck.parts(season, form="matchpoints")["result_ns"].to_numpy()
    deals = season["deal_id"].to_numpy()
    order = np.lexsort([np.random.default_rng(4).random(len(season)), deals])
    shuffled = np.empty(len(season))
    shuffled[np.argsort(deals, kind="stable")] = percent[order]
    spread = pd.Series(shuffled).groupby([season["session"].to_numpy(), season["ns"].to_numpy()]).mean().std()
    assert low <= spread <= high
    assert observed.between(low, high).all()


@pytest.fixture(scope="module")
def played(shared):
    """The events with published answers, scored; a deal is a round and a board."""
    events = {}
    for file in sorted((shared / "data" / "played" / "answers").glob("*.csv")):
        source = shared / "data" / "played" / f"{file.stem}.csv.gz"
        if "pair" not in pd.read_csv(file, nrows=0) or not source.exists():
            continue
        results, _ = ba.sift_results(source, layout={"unknown_player": ["p000"]})
        events[file.stem] = ba.score_results(results, by=["round", "board"], forms=())
    return events


def test_the_median_event_needs_about_a_hundred_and_thirty_boards(played):
    needed = pd.Series(
        {name: luck.reliability(event, of="partnerships")["boards_needed"].iloc[0] for name, event in played.items()}
    )
    assert len(needed) == 40
    assert 95 <= needed.median() <= 250
    assert needed.idxmax() == "2007_world_men"
    assert 0.5 < needed.between(95, 250).mean() < 0.9


def test_ratings_foretell_the_second_half_better_than_means_do(played):
    better, errors = 0, []
    for event in played.values():
        rounds = event["round"].astype(str).astype(int)
        early = (rounds <= rounds.median()).to_numpy()
        if early.all() or not early.any():
            early = (event["board"] <= event["board"].median()).to_numpy(dtype=bool)
        rated = luck.ratings(event[early], of="partnerships").set_index("contestant")
        later = luck.split(event[~early], of="partnerships").set_index("contestant")["result"]
        both = rated.index.intersection(later.index)
        own = [((rated.loc[both, name] - later[both]) ** 2).mean() for name in ("rating", "mean")]
        better += own[0] < own[1]
        errors.append(own)
    assert better >= 0.9 * len(played)
    drawn_in, raw = np.mean(errors, axis=0)
    assert drawn_in < 0.8 * raw
