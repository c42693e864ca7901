"""Make `rubbers.csv`: evenings of rubber bridge at one table, dealt from the results of the generated season.

    python data/make_rubbers.py

Four of five players sit, and change partners after each rubber; contract and tricks are those of a result of
`season.parquet` with the same vulnerability of declarer's side, drawn at random for either side. So nobody bids to the
part-score, which is what the model of `rubber_equity` says too.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bridge_analytics as ba
from bridge_analytics.rubber_deals import played_deals
from bridge_analytics.rubber_sheet import brought
from bridge_analytics.rubber_states import rubber_moves

HERE = Path(__file__).resolve().parent
SEED = 78
EVENINGS, RUBBERS, LONGEST = 25, 6, 60  # evenings; rubbers in each; deals drawn for each, more than it needs
PLAYERS = ("Ada", "Blas", "Cleo", "Dario", "Eva")
HONOURS = 0.06  # chance that a bid deal has honours to score
ALL_FIVE = 0.15  # ... in trumps, that they are five


def seasons_results() -> dict[bool, pd.DataFrame]:
    """Contract and tricks of the season's results, by the vulnerability of declarer's side."""
    season = ba.score_results(ba.read_results(HERE / "season.parquet"))
    played = season[season["status"].isin(["played", "passed"])]
    columns = played[["contract", "tricks"]].astype({"contract": "str"}).reset_index(drop=True)
    vulnerable = played["vulnerable"].fillna(False).to_numpy(bool)
    return {flag: columns[(vulnerable == flag) | (columns["contract"] == "Pass")] for flag in (False, True)}


def rubber_of_deals(mix: dict[bool, pd.DataFrame], draw: np.random.Generator) -> pd.DataFrame:
    """One rubber, a deal at a time, to its end: who is vulnerable decides which of two results was played."""
    laws, seats = ba.load_edition("rubber-1993"), np.array([*"NESW"])
    results = pd.concat([mix[flag].iloc[draw.integers(0, len(mix[flag]), LONGEST)] for flag in (False, True)])
    declarer = draw.integers(0, 4, LONGEST)
    results["declarer"] = np.where(results["contract"] == "Pass", None, np.tile(seats[declarer], 2))
    scored = brought(played_deals(results, laws), laws)
    moves = rubber_moves(laws, split=False)
    vulnerable = np.stack([moves["vulnerable_ns"][:, 0], moves["vulnerable_ew"][:, 0]])
    state, rows = 0, []
    for place, side in enumerate(declarer % 2):
        rows.append(place + LONGEST * vulnerable[side, state])
        state = moves["after"][state, scored[rows[-1]]]
        if state == len(moves["after"]) - 1:  # the end
            break
    return results.iloc[rows].reset_index(drop=True).assign(board=range(1, len(rows) + 1))


def with_honours(deals: pd.DataFrame, draw: np.random.Generator) -> pd.DataFrame:
    """Honours in one hand, anybody's, on some of the deals."""
    bid, size = (deals["contract"] != "Pass").to_numpy(), len(deals)
    there = bid & (draw.random(size) < HONOURS)
    five = (draw.random(size) < ALL_FIVE) | deals["contract"].str.contains("NT").to_numpy()
    laws = ba.load_edition("rubber-1993")
    points = np.where(five, laws["rubber.five_honours"], laws["rubber.four_honours"])
    seat = np.array([*"NESW"])[draw.integers(0, 4, size)]
    held = pd.Series(points, deals.index).where(there).astype("Int64")
    return deals.assign(honours_seat=np.where(there, seat, None), honours_points=held)


def rubbers() -> pd.DataFrame:
    """All evenings; the last rubber of each is broken off halfway."""
    draw, mix, parts = np.random.default_rng(SEED), seasons_results(), []
    for number in range(EVENINGS * RUBBERS):
        evening, turn = divmod(number, RUBBERS)
        deals = with_honours(rubber_of_deals(mix, draw), draw)
        if turn == RUBBERS - 1:
            deals = deals.head(max(len(deals) // 2, 1))
        seated: dict[str, Any] = dict(zip(("north", "east", "south", "west"), draw.permutation(PLAYERS), strict=False))
        parts.append(deals.assign(evening=evening + 1, rubber=number + 1, **seated))
    columns = ["evening", "rubber", "board", "north", "east", "south", "west", "contract", "declarer", "tricks"]
    return pd.concat(parts, ignore_index=True)[[*columns, "honours_seat", "honours_points"]]


if __name__ == "__main__":
    rubbers().to_csv(HERE / "rubbers.csv", index=False, lineterminator="\n")
