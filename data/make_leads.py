"""Make ``leads.parquet``: contracts of the season against a leader who does not see the other hands.

    python data/make_leads.py

For 3NT, 4H and 4S of the season, undoubled, drawn at random (seed 79). The leader deals the hands that he does not see,
each time such that declarer's side has points and trumps as this contract has in 18 of 20 cases of the season, finds
every lead that beats the contract double dummy, and leads what beats it most often. The rest is double dummy on the
real cards. Needs the extra ``dd``; takes some minutes.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import bridge_analytics as ba
from bridge_analytics.cards import format_deals, format_hands, parse_deals

HERE = Path(__file__).resolve().parent
SEED, CONTRACTS, LAYOUTS = 79, 60, 10  # how many 3NT and how many of a major; layouts for each
MIDDLE = (0.05, 0.95)


def beating_leads(deals: NDArray[np.uint64], leader: int, strain: int, tricks: int) -> NDArray[np.bool_]:
    """Which of 52 cards, as lead from that hand, give the defenders so many tricks."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    strains = list(Denom.bidorder())
    boards = [Deal(text) for text in format_deals(deals)]
    for board in boards:
        board.first, board.trump = Player(leader), strains[strain]
    solved = solve_all_boards(boards, mode=SolveMode.TargetAll, target=tricks)
    beats = np.zeros((len(boards), 52), np.bool_)
    for row, board in enumerate(solved):
        for card, won in board:
            if won >= tricks:
                beats[row, 13 * strains.index(card.suit) + card.rank.to_alternate() - 2] = True
    return beats


def layouts(hand: np.uint64, leader: int, strain: int, wanted: pd.DataFrame, seed: int) -> NDArray[np.uint64]:
    """Deals around the leader's hand in which declarer's side is as strong and as long in trumps as wanted."""

    def fits(deals: NDArray[np.uint64]) -> NDArray[np.bool_]:
        side = deals[:, [(leader + 3) % 4, (leader + 1) % 4]]
        found = {"side_points": ba.hcp(side).sum(axis=1)}
        if strain < 4:
            found["trumps"] = ba.suit_lengths(side)[..., strain].astype(int).sum(axis=1)
        within = [(wanted[name].min() <= cells) & (cells <= wanted[name].max()) for name, cells in found.items()]
        return np.logical_and.reduce(within)

    return ba.random_deals(LAYOUTS, seed=seed, predeal={"NESW"[leader]: format_hands(hand)}, where=fits)


def led(row: Any, wanted: pd.DataFrame, seed: int) -> float:
    """The share of the leads that look best that beat the contract."""
    deal = parse_deals(row.deal)
    leader, strain = ("NESW".index(row.declarer) + 1) % 4, "CDHSN".index(row.contract[1])
    beat = 14 - 6 - int(row.contract[0])
    dealt = layouts(deal[leader], leader, strain, wanted, seed)
    beats = beating_leads(np.concatenate([deal[None], dealt]), leader, strain, beat)
    held = deal[leader] >> np.arange(52, dtype=np.uint64) & np.uint64(1) == 1
    often = np.where(held, beats[1:].sum(axis=0), -1)
    return float(beats[0][often == often.max()].mean())


def main() -> None:
    """Draw the contracts, lead against each, write the table."""
    season = ba.score_results(ba.read_results(HERE / "season.parquet"))
    season = season[season["contract"].isin(["3NT", "4H", "4S"])]
    features = ba.hand_features(season)
    once = season.astype({"contract": str, "declarer": str}).drop_duplicates(["deal_id", "contract", "declarer"])
    kind = once["contract"].where(once["contract"] == "3NT", "4M")
    drawn = once.groupby(kind.to_numpy()).sample(CONTRACTS, random_state=SEED)
    wanted = {
        name: features[season["contract"] == name][["side_points", "trumps"]].astype(float).quantile(MIDDLE)
        for name in ("3NT", "4H", "4S")
    }
    beaten = []
    for number, row in enumerate(drawn.itertuples()):
        beaten.append(led(row, wanted[row.contract], SEED * 1000 + number))
        print(f"\r{number + 1} of {len(drawn)}", end="", flush=True)
    columns = ["session", "board", "contract", "declarer", "dd_tricks"]
    out = drawn[columns].astype({"session": str}).assign(beaten=beaten)
    out.to_parquet(HERE / "leads.parquet", index=False)


if __name__ == "__main__":
    main()
