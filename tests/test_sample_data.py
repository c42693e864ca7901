"""The generated data are what their README says, and hold the truth that the generator put in."""

import hashlib
import importlib.util
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bridge_analytics as ba
from bridge_analytics.cards import check_deals, format_deals, parse_deals
from bridge_analytics.deals import random_deals

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_data", DATA / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def season():
    return pd.read_parquet(DATA / "season.parquet")


@pytest.fixture(scope="module")
def session():
    return pd.read_csv(DATA / "session.csv", dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def played(season):
    """The contracts played, with level, strain, double and the error of the tricks."""
    rows = season[season["contract"] != "Pass"].astype({"tricks": int, "dd_tricks": int})
    level, strain, doubled = ba.split_contract(rows["contract"])
    return rows.assign(
        level=np.asarray(level, int),
        notrump=np.asarray(strain) == "NT",
        doubled=np.asarray(doubled, int),
        error=rows["tricks"] - rows["dd_tricks"],
        board_of_session=rows["session"].astype(str) + "-" + rows["board"].astype(str),
    )


def clustered(values, clusters):
    """Mean over rows, and its standard error with the deal as the unit."""
    sums = pd.DataFrame({"value": values - values.mean(), "cluster": clusters}).groupby("cluster")["value"].sum()
    return values.mean(), np.sqrt((sums**2).sum()) / len(values)


@pytest.mark.parametrize("name", ["session.csv", "season.parquet", "season_pairs.csv"])
def test_the_readme_names_the_sha256_of_each_file(name, season):
    text = season.to_csv(index=False, lineterminator="\n").encode()
    content = text if name == "season.parquet" else (DATA / name).read_bytes()
    line = next(
        line for line in (DATA / "README.md").read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line
    )
    assert re.search("[0-9a-f]{64}", line).group() == hashlib.sha256(content).hexdigest()


def test_the_readme_says_that_the_data_are_generated():
    assert "generated" in (DATA / "README.md").read_text(encoding="utf-8").splitlines()[0]


def test_the_readme_shows_the_parameters_of_the_script():
    readme, script = ((DATA / name).read_text(encoding="utf-8") for name in ("README.md", "make_data.py"))
    assert re.search("```python\n(.*)\n```", readme, re.DOTALL).group(1) in script


def test_the_deals_are_the_random_deals_of_the_seed(season, session, generator):
    deals = format_deals(random_deals(301 * 26, seed=generator.SEED))
    boards = season.drop_duplicates(["session", "board"])
    number = (boards["session"].astype(int) - 1) * 26 + boards["board"].astype(int) - 1
    assert (boards["deal"].astype(str).to_numpy() == deals[number]).all()
    assert len(boards) == 300 * 26
    evening = generator.EVENING * 26
    assert set(session["deal"]) == set(deals[evening - 26 : evening])
    assert (check_deals(parse_deals(boards["deal"])) == "").all()


def test_a_session_is_a_mitchell_of_13_tables_and_26_boards(session):
    assert len(session) == 338
    assert (session.groupby("board").size() == 13).all()
    assert not session.duplicated(["board", "ns"]).any()
    assert not session.duplicated(["board", "ew"]).any()
    assert (session.groupby(["ns", "ew"]).size() == 2).all()
    assert session.groupby(["ns", "ew"]).ngroups == 13 * 13


def test_no_pair_of_the_season_plays_a_board_twice(season):
    pairs = pd.concat(
        [season[["session", "board", side]].set_axis(["session", "board", "pair"], axis=1) for side in ("ns", "ew")]
    )
    assert not pairs.duplicated().any()
    assert set(pairs["pair"]) == set(pd.read_csv(DATA / "season_pairs.csv")["pair"])


def test_dealer_and_vulnerability_follow_from_the_board(season):
    assert (season["dealer"].astype(str).to_numpy() == ba.board_dealer(season["board"])).all()
    assert (season["vul"].astype(str).to_numpy() == ba.board_vul(season["board"])).all()


def test_a_passed_out_deal_has_no_declarer_and_no_tricks(season):
    passed = (season["contract"] == "Pass").to_numpy()
    for column in ("declarer", "tricks", "dd_tricks"):
        assert (season[column].isna().to_numpy() == passed).all()


def test_the_season_looks_like_a_club(season, played):
    over = played["tricks"] - played["level"] - 6
    assert 0.005 < (season["contract"] == "Pass").mean() < 0.015
    assert 0.04 < (played["doubled"] > 0).mean() < 0.06
    assert (played["doubled"] == 2).any()
    assert set(played["level"]) == set(range(1, 8))
    assert set(over) >= set(range(-6, 5))
    distinct = season.drop_duplicates(["session", "board", "contract", "declarer", "tricks"])
    assert 6 <= distinct.groupby(["session", "board"]).size().median() <= 9


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_the_offset_of_the_tricks_is_recovered_at_each_level(level, played, generator):
    undoubled_in_a_suit = (played["doubled"] == 0) & ~played["notrump"]
    rows = played[(played["level"] == level) & undoubled_in_a_suit & played["dd_tricks"].between(2, 11)]
    mean, error = clustered(rows["error"], rows["board_of_session"])
    assert (
        abs(mean - generator.OFFSET[level]) < 4 * error + 0.01
    )  # 0.01: even from 11 tricks an error is sometimes cut at 13


@pytest.mark.parametrize("short", [-1, 0, 1, 2, 3])
def test_doubles_are_as_frequent_as_the_generator_has_it(short, played, generator):
    missing = np.clip(played["level"] + 6 - played["dd_tricks"], -1, generator.DOUBLE["most"])
    rows = played[missing == short]
    logit = generator.DOUBLE["base"] + generator.DOUBLE["short"] * max(short, 0)
    logit = logit + rows["level"].map(lambda level: generator.DOUBLE.get(f"level_{level}", 0.0))
    chance = 1 / (1 + np.exp(-logit))
    surplus = ((rows["doubled"] > 0) - chance).sum() / np.sqrt((chance * (1 - chance)).sum())
    assert abs(surplus) < 4


def test_skill_in_the_play_shows_in_the_tricks(played):
    skill = pd.read_csv(DATA / "season_pairs.csv").set_index("pair")["play"]
    ours = played["ns"].astype(str).map(skill) - played["ew"].astype(str).map(skill)
    better = np.where(played["declarer"].isin(["N", "S"]), ours, -ours)
    slope = (better * played["error"]).sum() / (better**2).sum()
    assert abs(slope - 1) < 0.1  # one trick of skill is one trick


def test_solving_a_deal_again_gives_the_same_double_dummy_tricks(played):
    pytest.importorskip("endplay", reason="endplay has no wheel here: it solves the deals")
    from endplay.dds import calc_all_tables
    from endplay.types import Deal, Denom, Player

    rows = played[(played["session"] == "7") & (played["board"] <= 3)]
    deals = rows["deal"].astype(str).unique().tolist()
    tables = dict(zip(deals, calc_all_tables([Deal(deal) for deal in deals]), strict=True))
    strains = dict(zip("CDHSN", Denom.bidorder(), strict=True))
    for deal, contract, declarer, tricks in zip(
        rows["deal"], rows["contract"], rows["declarer"], rows["dd_tricks"], strict=True
    ):
        assert tables[deal][strains[contract[1]], Player.find(declarer)] == tricks
