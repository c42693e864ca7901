"""Make the sample data: a club's season of generated pairs sessions, played around the double-dummy solution.

    python data/make_data.py [--cache FOLDER]

Writes ``season.parquet``, ``season_pairs.csv``, ``session.csv`` and the tables of ``README.md`` beside this script. The
deals are solved with ``endplay`` (extra ``dd``), 26 x 301 of them, which takes 15 to 60 minutes on two
cores; solved deals are kept in the cache folder, so that a second run takes seconds.

Everything that shapes the data is in the tables below: they are the truth that an analysis should recover.
"""

import argparse
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import bridge_analytics as ba
from bridge_analytics.cards import deal_hash, format_deals
from bridge_analytics.deals import random_deals

Array = NDArray[Any]

HERE = Path(__file__).resolve().parent
SEED = 77
EVENT = "Thursday pairs"
SESSIONS, TABLES, BOARDS_A_ROUND, PAIRS = 301, 13, 2, 72
EVENING = 131  # the session published apart, and not in the season: it has results of every kind
WHERE = ("event", "session", "round", "table", "board", "ns", "ew", "dealer", "vul")
WHAT = ("contract", "declarer", "tricks", "deal")

SKILL = {
    "bidding": 0.25,  # sd between pairs of the logarithm of how exactly they judge their tricks
    "play": 0.12,  # sd between pairs of the tricks a board that they are better by, as declarer and in defence
    "keenness": 0.7,  # sd between pairs of the logarithm of how often they come
}
BIDDING = {
    "field": 0.60,  # sd of what the whole field misjudges in a strain of one side: the lie of the cards [tricks]
    "side": 0.45,  # sd of what one pair misjudges in all its strains [tricks]
    "strain": 0.40,  # ... and in one strain [tricks]
    "opponents": 1.5,  # how much worse a pair judges the other side's tricks than its own
    "shade": 0.28,  # tricks a pair takes off what it sees
    "doubt": 1.10,  # sd of the tricks about what a pair expects, in weighing a bid [tricks]
    "taste": 25.0,  # sd of what a pair adds to a contract for no reason [points]
    "open": -20.0,  # what the best contract must promise to open the bidding [points]
    "compete": 25.0,  # ... and must gain on letting the others play, to bid over them [points]
}
FEAR = (0.0, 0.10, 0.35, 0.60, 0.75, 0.85)  # how often a bidder expects to be doubled when 0, 1, 2 ... down
HABIT = {  # what bidders add to a contract because of how auctions go [points]
    **{"1C": -90, "1D": -80, "1H": -60, "1S": -50, "2C": -30, "2D": -10, "3H": 25, "3S": 25, "4C": -50, "4D": -50},
    **{"4NT": -200, "5C": -60, "5D": -60, "5H": -30, "5S": -30, "5NT": -200},
    **dict.fromkeys(("6C", "6D", "6H", "6S", "6NT"), -320),
    **dict.fromkeys(("7C", "7D", "7H", "7S", "7NT"), -500),
}
NATURAL = 0.85  # how often the partner with the longer trumps (at no trump, more honours) is declarer

# The chance of a double is 1 / (1 + exp(-x)), x = base + short * (tricks short double dummy, 0 to most) + level_n.
DOUBLE = {"base": -5.4, "short": 1.9, "most": 3, "level_1": 0.6, "level_2": 0.9, "level_3": 0.4, "level_5": 1.0}
REDOUBLE = {"makes": 0.10, "short": 0.015}  # the chance that a double is redoubled, by the double-dummy tricks

OFFSET = {1: 0.36, 2: 0.05, 3: 0.06, 4: 0.03, 5: 0.04, 6: -0.08, 7: -0.08}  # mean of tricks - double dummy, by level
OFFSET_NOTRUMP, OFFSET_DOUBLED = 0.05, 0.10  # added to it at no trump, and when doubled or redoubled
ERROR_FIELD = {-1: 0.08, 1: 0.08}  # chances of what every declarer of a side and strain takes less or more on a deal
ERROR_OWN = {-3: 0.0075, -2: 0.02, -1: 0.10, 1: 0.10, 2: 0.02, 3: 0.0075}  # ... and of what one declarer does


def solve(deals: Array, cache: Path) -> Array:
    """Double-dummy tricks of each deal, strain C D H S NT and declarer N E S W, from the cache or the solver."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal, Denom, Player

    path, names = cache / "double_dummy.npz", deal_hash(deals)
    tricks = np.full((len(deals), 5, 4), -1, np.int8)
    if path.exists():
        with np.load(path) as old:
            _, ours, theirs = np.intersect1d(names, old["deal"], return_indices=True)
            tricks[ours] = old["tricks"][theirs]
    missing = np.flatnonzero(tricks[:, 0, 0] < 0)
    for start in range(0, len(missing), 40):  # endplay takes at most 40 tables a call
        batch = missing[start : start + 40]
        tables = calc_all_tables([Deal(text) for text in format_deals(deals[batch])])
        tricks[batch] = [[[table[strain, seat] for seat in Player] for strain in Denom.bidorder()] for table in tables]
        if start % 400 == 0 or start + 40 >= len(missing):
            known = tricks[:, 0, 0] >= 0
            cache.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(path, deal=names[known], tricks=tricks[known])
            print(f"{known.sum():,} of {len(deals):,} deals solved", flush=True)
    return tricks


def make_pairs(rng: np.random.Generator) -> pd.DataFrame:
    """The club's pairs, with their true skill."""
    pairs = pd.DataFrame({"pair": [f"P{number:02}" for number in range(1, PAIRS + 1)]})
    for skill, sd in SKILL.items():
        draws = rng.standard_normal(PAIRS)
        pairs[skill] = sd * (draws - draws.mean()) / draws.std()  # the spread is what it says
    return pairs


def seat(pairs: pd.DataFrame, sessions: int, rng: np.random.Generator) -> pd.DataFrame:
    """Who plays which board against whom: a Mitchell movement a session, pairs drawn by how keen they are."""
    chance = np.exp(pairs["keenness"])
    present = np.array([rng.choice(PAIRS, 2 * TABLES, replace=False, p=chance / chance.sum()) for _ in range(sessions)])
    session, lap, table, board = (axis.ravel() for axis in np.indices((sessions, TABLES, TABLES, BOARDS_A_ROUND)))
    number = (table + lap) % TABLES * BOARDS_A_ROUND + board
    return pd.DataFrame(
        {
            "session": session + 1,
            "round": lap + 1,
            "table": table + 1,
            "board": number + 1,
            "deal": session * TABLES * BOARDS_A_ROUND + number,
            "ns_number": table + 1,
            "ew_number": (table - lap) % TABLES + TABLES + 1,
            "ns": present[session, table],
            "ew": present[session, TABLES + (table - lap) % TABLES],
        }
    )


def promise() -> tuple[Array, Array]:
    """Points that a contract promises, by vulnerability, contract 1C-7NT and expected tricks; and those tricks."""
    table = ba.score_table("duplicate-1987").reshape(106, 2, 14).astype(float)
    down = np.maximum(np.arange(7, 14)[:, None] - np.arange(14), 0).repeat(5, axis=0)
    fear = np.array(FEAR)[np.minimum(down, len(FEAR) - 1)][:, None, :]
    scores = (1 - fear) * table[1::3] + fear * table[2::3]
    grid = np.arange(-2, 16, 0.125)
    weight = np.exp(-(((np.arange(14) - grid[:, None]) / BIDDING["doubt"]) ** 2) / 2)
    weight /= weight.sum(axis=1, keepdims=True)
    return np.einsum("cvt,gt->vcg", scores, weight), grid


def look(games: pd.DataFrame, pairs: pd.DataFrame, solved: Array, rng: np.random.Generator) -> Array:
    """What each side of each game thinks that each side would take in each strain: (games, viewer, side, strain)."""
    mean = solved.reshape(-1, 5, 2, 2).mean(axis=2).transpose(0, 2, 1)  # of the two partners: N with S, E with W
    field = mean + rng.normal(0, BIDDING["field"], mean.shape) - BIDDING["shade"]
    n = len(games)
    own = rng.normal(0, BIDDING["side"], (n, 2, 2, 1)) + rng.normal(0, BIDDING["strain"], (n, 2, 2, 5))
    own[:, [0, 1], [1, 0]] *= BIDDING["opponents"]
    sides = games[["ns", "ew"]].to_numpy()
    return field[games["deal"]][:, None] + own * np.exp(-pairs["bidding"].to_numpy()[sides])[..., None, None]


def bid(games: pd.DataFrame, seen: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The final contract of each game, 0-34 for 1C-7NT or -1 for passed out, and the side that plays it, 0 or 1.

    The sides bid in turn, the dealer's first. Each bids the contract that promises it most, if that is enough more
    than what it expects of letting the other side play; the bidding ends when a side does not.
    """
    worth, grid = promise()
    cell = np.rint((seen - grid[0]) / (grid[1] - grid[0])).astype(int).clip(0, len(grid) - 1)
    habit = np.array([HABIT.get(word, 0) for word in ba.CONTRACTS[1::3]])
    taste = rng.normal(0, BIDDING["taste"], (len(games), 2, 35)) + habit
    vulnerable = np.column_stack([ba.is_vulnerable(games["vul"], seat) for seat in "NE"]).astype(int)
    first, contracts = games["dealer"].isin(["E", "W"]).to_numpy().astype(int), np.arange(35)
    last, owner = np.full(len(games), -1), np.full(len(games), -1)
    bidding = np.arange(len(games))
    for turn in range(35):
        side = (first[bidding] + turn) % 2
        mine = worth[vulnerable[bidding, side][:, None], contracts, cell[bidding, side, side][:, contracts % 5]]
        mine = np.where(contracts > last[bidding, None], mine + taste[bidding, side], -np.inf)
        theirs = worth[vulnerable[bidding, 1 - side], last[bidding], cell[bidding, side, 1 - side, last[bidding] % 5]]
        enough = np.where(last[bidding] < 0, BIDDING["open"], BIDDING["compete"] - theirs)
        bids = mine.max(axis=1) > enough
        last[bidding[bids]], owner[bidding[bids]] = mine.argmax(axis=1)[bids], side[bids]
        bidding = bidding[bids | (turn == 0)]  # after one pass the other side may still open
    return last, owner


def declare(deals: Array, games: pd.DataFrame, contract: Array, side: Array, rng: np.random.Generator) -> Array:
    """The declarer's seat: of the two partners more often the one with more trumps, at no trump more honours."""
    suits = np.array([0x1FFF << 13 * suit for suit in range(4)] + [sum(0x1E00 << 13 * suit for suit in range(4))])
    held = np.bitwise_count(deals[:, :, None] & suits.astype(np.uint64)) + rng.random((len(deals), 4, 5)) / 2
    longer = (held[:, :2] < held[:, 2:]).astype(int)  # which of N and S, of E and W: 0 or 1
    natural = longer[games["deal"], side, contract % 5]
    return side + 2 * (natural ^ (rng.random(len(games)) > NATURAL))


def draw(chances: dict[int, float], shape: Any, rng: np.random.Generator) -> Array:
    """Small whole numbers with these chances, else 0."""
    values = np.array([*chances, 0])
    return rng.choice(values, shape, p=[*chances.values(), 1 - sum(chances.values())])


def double(level: Array, short: Array, rng: np.random.Generator) -> Array:
    """Undoubled, doubled or redoubled, by how many tricks double dummy the contract is short."""
    logit = DOUBLE["base"] + DOUBLE["short"] * np.clip(short, 0, DOUBLE["most"])
    logit = logit + np.array([DOUBLE.get(f"level_{n}", 0.0) for n in range(8)])[level]
    doubled = rng.random(len(level)) < 1 / (1 + np.exp(-logit))
    redoubled = rng.random(len(level)) < np.where(short > 0, REDOUBLE["short"], REDOUBLE["makes"])
    return doubled + (doubled & redoubled).astype(int)


def play(games: pd.DataFrame, pairs: pd.DataFrame, rng: np.random.Generator) -> tuple[Array, Array]:
    """Tricks that declarer's side takes undoubled and doubled, with the same cards and the same luck.

    The double-dummy tricks, an error of the field, an error of the table, and an offset that need not be whole: its
    fraction is the chance of one trick more.
    """
    level, strain, side = games["level"].to_numpy(), games["strain"].to_numpy(), games["side"].to_numpy()
    deals = int(games["deal"].max()) + 1
    error = draw(ERROR_FIELD, (deals, 2, 5), rng)[games["deal"], side, strain] + draw(ERROR_OWN, len(games), rng)
    skill = pairs["play"].to_numpy()[games[["ns", "ew"]].to_numpy()]
    better = np.where(side == 0, skill[:, 0] - skill[:, 1], skill[:, 1] - skill[:, 0])
    offset = np.array([0.0, *OFFSET.values()])[level] + OFFSET_NOTRUMP * (strain == 4) + better
    chance = rng.random(len(games))

    def taken(offset: Array) -> Array:
        whole = np.floor(offset)
        tricks = games["dd_tricks"].to_numpy() + error + whole + (chance < offset - whole)
        return np.clip(tricks, 0, 13).astype(np.int8)

    return taken(offset), taken(offset + OFFSET_DOUBLED)


def simulate(deals: Array, solved: Array, pairs: pd.DataFrame) -> pd.DataFrame:
    """Every result of every session, and beside it what only the generator knows."""
    rng = np.random.default_rng([SEED, 1])
    games = seat(pairs, len(deals) // (TABLES * BOARDS_A_ROUND), rng)
    games["dealer"], games["vul"] = ba.board_dealer(games["board"]), ba.board_vul(games["board"])
    contract, side = bid(games, look(games, pairs, solved, rng), rng)
    declarer, passed = declare(deals, games, contract, side, rng), contract < 0
    games["side"], games["level"], games["strain"] = side, contract // 5 + 1, contract % 5
    games["dd_tricks"] = solved[games["deal"], contract % 5, declarer]
    games["doubled"] = np.where(passed, 0, double(games["level"], games["level"] + 6 - games["dd_tricks"], rng))
    games["undoubled_tricks"], games["doubled_tricks"] = play(games, pairs, rng)
    games["tricks"] = games["undoubled_tricks"].where(games["doubled"] == 0, games["doubled_tricks"])
    games["contract"] = np.where(passed, "Pass", np.array(ba.CONTRACTS)[1 + 3 * contract + games["doubled"]])
    games["declarer"] = pd.Series(np.array(ba.SEATS)[declarer]).mask(passed)
    for tricks in ("dd_tricks", "tricks"):
        games[tricks] = games[tricks].astype("Int8").mask(passed)
    return games


def effect_of_doubling(games: pd.DataFrame, which: Array) -> tuple[float, float]:
    """What doubling these contracts gains the defenders, in points and in IMPs: the mean over results."""
    part = games[which]
    vulnerable = ba.is_vulnerable(part["vul"], part["declarer"])
    points = [
        ba.score(ba.with_doubled(part["contract"], doubled), vulnerable, part[f"{name}_tricks"]).astype(int)
        for doubled, name in enumerate(("undoubled", "doubled"))
    ]
    return float((points[0] - points[1]).mean()), float(ba.imps(points[0] - points[1]).mean())


def look_of(games: pd.DataFrame) -> dict[str, str]:
    """What the season looks like, and what an analysis of it should find."""
    played = games[games["contract"] != "Pass"].astype({"tricks": int, "dd_tricks": int})
    over, error = played["tricks"] - played["level"] - 6, played["tricks"] - played["dd_tricks"]
    distinct = games.drop_duplicates(["deal", "contract", "tricks", "side"]).groupby("deal").size()
    levels, misses = played["level"].value_counts(normalize=True).sort_index(), error.groupby(played["level"]).mean()
    partscore = ba.contract_class(games["contract"]) == "partscore"
    gains = [effect_of_doubling(games, partscore & (games["doubled"] == n).to_numpy()) for n in (1, 0)]
    return {
        "passed out": f"{(games['contract'] == 'Pass').mean():.2%}",
        "doubled; redoubled": "; ".join(f"{(games['doubled'] == n).mean():.2%}" for n in (1, 2)),
        "level, share of the contracts played": ", ".join(f"{n}: {share:.1%}" for n, share in levels.items()),
        "made, of the contracts played": f"{(over >= 0).mean():.1%}",
        "down, of the contracts doubled once": f"{(over[played['doubled'] == 1] < 0).mean():.1%}",
        "different contract, side and tricks on a deal": f"median {distinct.median():.0f}, mean {distinct.mean():.1f}",
        "tricks - double dummy": f"mean {error.mean():+.3f}, sd {error.std():.3f}, exact {(error == 0).mean():.1%}",
        "its mean by level": ", ".join(f"{n}: {mean:+.3f}" for n, mean in misses.items()),
        "its mean, doubled or redoubled": f"{error[played['doubled'] > 0].mean():+.3f}",
        "doubling the partscores that were doubled": "{:+.1f} points, {:+.2f} IMPs a result".format(*gains[0]),
        "doubling the partscores that were not": "{:+.1f} points, {:+.2f} IMPs a result".format(*gains[1]),
    }


def describe(files: dict[str, pd.DataFrame], season: pd.DataFrame) -> str:
    """The part of the README that depends on the data, and the parameters as they stand in this script."""
    lines = ["", "| file | rows | sha256 of its CSV form |", "|---|---|---|"]
    for name, frame in files.items():
        lines.append(f"| `{name}` | {len(frame):,} | `{hashlib.sha256(csv_form(frame).encode()).hexdigest()}` |")
    lines += [
        "",
        "| in `season.parquet` | |",
        "|---|---|",
        *(f"| {key} | {value} |" for key, value in look_of(season).items()),
    ]
    script = Path(__file__).read_text(encoding="utf-8")
    lines += ["", "```python", script[script.index("SEED =") : script.index("\n\n\ndef")], "```", ""]
    return "\n".join(lines)


def club_files(games: pd.DataFrame, pairs: pd.DataFrame, deals: Array) -> dict[str, pd.DataFrame]:
    """The tables as they are published: the season with the pairs' names, one evening with their numbers."""
    games = games.assign(event=EVENT, deal=format_deals(deals)[games["deal"]]).astype(
        {"session": str, "round": str, "table": str}
    )
    names, apart = pairs["pair"].to_numpy(), games["session"] == str(EVENING)
    evening = games[apart].assign(ns=games["ns_number"], ew=games["ew_number"])
    season = games[~apart].assign(ns=names[games["ns"][~apart]], ew=names[games["ew"][~apart]])
    return {
        "session.csv": evening[[*WHERE, *WHAT]],
        "season.parquet": season[[*WHERE, *WHAT, "dd_tricks"]],
        "season_pairs.csv": pairs.round(4),
    }


def csv_form(frame: pd.DataFrame) -> str:
    """A table as CSV, the same on every machine."""
    return frame.to_csv(index=False, lineterminator="\n")


def main() -> None:
    """Make the files, and the tables of the README."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=HERE / ".cache", help="folder of solved deals")
    deals = random_deals(SESSIONS * TABLES * BOARDS_A_ROUND, seed=SEED)
    solved = solve(deals, parser.parse_args().cache)
    pairs = make_pairs(np.random.default_rng([SEED, 0]))
    games = simulate(deals, solved, pairs)
    files = club_files(games, pairs, deals)
    for name in ("session.csv", "season_pairs.csv"):
        (HERE / name).write_bytes(csv_form(files[name]).encode())
    labels = [name for name in (*WHERE, *WHAT) if name not in ("board", "tricks")]
    season = files["season.parquet"].astype(dict.fromkeys(labels, "category")).astype({"board": "Int32"})
    season.to_parquet(HERE / "season.parquet", index=False, compression="zstd")
    readme = HERE / "README.md"
    before, mark, _ = readme.read_text(encoding="utf-8").partition("<!-- what follows is written by make_data.py -->\n")
    readme.write_text(before + mark + describe(files, games[games["session"] != EVENING]), encoding="utf-8")


if __name__ == "__main__":
    main()
