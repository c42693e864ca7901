"""What endplay does with hands, deals and solved tables; calls as in `peers.py`. Its objects are there already."""

from typing import Any

import numpy as np
from peers import Call
from samples import Sample

from bridge_analytics.cards import format_deals, format_hands


def endplay_hcp(sample: Sample) -> Call:
    from endplay.evaluate import hcp
    from endplay.types import Hand

    hands = [Hand(text) for text in format_hands(sample["hands"])]
    return lambda: [hcp(hand) for hand in hands]


def endplay_notrump(sample: Sample) -> Call:
    """Deals in which North has 15 to 17 points and is balanced, by endplay's generator."""
    from endplay.dealer import generate_deals
    from endplay.evaluate import hcp, is_balanced

    def wanted(deal: Any) -> bool:
        return is_balanced(deal.north) and 15 <= hcp(deal.north) <= 17

    def deal() -> None:
        for _ in generate_deals(wanted, produce=sample["n"], seed=1):
            pass

    return deal


def endplay_par_score(sample: Sample) -> Call:
    """The score only; the contracts are found, but not read."""
    from endplay.dds import par

    boards = endplay_boards(sample)
    return lambda: [par(*board).score for board in boards]


def endplay_par(sample: Sample) -> Call:
    """The score, and every contract as text, which is how endplay shows it."""
    from endplay.dds import par

    boards = endplay_boards(sample)

    def scores() -> Any:
        found = []
        for board in boards:
            best = par(*board)
            found.append((best.score, [str(contract) for contract in best]))
        return [score for score, _ in found]

    return scores


def endplay_boards(sample: Sample) -> list[tuple[Any, ...]]:
    """Table, vulnerability and dealer as endplay's objects."""
    from endplay import _dds
    from endplay.dds.ddtable import DDTable
    from endplay.types import Denom, Player, Vul

    strains = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    vuls, boards = (Vul.none, Vul.ns, Vul.ew, Vul.both), []
    for tricks, vul, dealer in zip(*(sample[name].tolist() for name in ("tricks", "vul", "dealer")), strict=True):
        data = _dds.ddTableResults()
        for strain, row in zip(strains, tricks, strict=True):
            for seat, won in enumerate(row):
                data.resTable[strain][seat] = won
        boards.append((DDTable(data), vuls[vul], Player(dealer)))
    return boards


def dds_batch(sample: Sample) -> Call:
    """One call of the solver for all, and the tables read."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal, Denom, Player

    deals = [Deal(text) for text in format_deals(sample["deals"])]

    def tables() -> Any:
        solved = calc_all_tables(deals)
        return np.array([[[table[strain, seat] for seat in Player] for strain in Denom.bidorder()] for table in solved])

    return tables
