"""The plain ways and the other packages. Each takes a sample, prepares what it need not be timed for, and gives a call.

A call returns what the call of ours returns, which is tested before anything is timed, or None if that cannot be.
"""

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from samples import Sample

import bridge_analytics as ba

Call = Callable[[], Any]


@cache
def imp_starts() -> list[int]:
    return list(ba.load_edition("imps-1962")["imps.starts"])


def one_imp(difference: int) -> int:
    starts = imp_starts()
    return bisect_right(starts, difference) if difference >= 0 else -bisect_right(starts, -difference)


def copy_floor(sample: Sample) -> Call:
    """What cannot be avoided: copy each input column and an output of int32 once, into memory that is there."""
    columns = [*sample.values(), np.zeros(len(sample["tricks"]), np.int32)]
    pairs = [(np.zeros_like(column), column) for column in columns]

    def copy() -> None:
        for target, source in pairs:
            np.copyto(target, source)

    return copy


def where_chain(sample: Sample) -> Call:
    """Law 77 as numpy expressions on whole int64 columns of level, strain, doubled, vulnerable and tricks."""
    contract, vulnerable = sample["contract"].astype(int), sample["vulnerable"]
    level, strain, doubled = (contract + 14) // 15, (contract - 1) % 15 // 3, (contract - 1) % 3
    tricks = sample["tricks"].astype(int)

    def score() -> Any:
        result = tricks - 6 - level
        odd = np.where(strain < 2, 20, 30)
        bid = (odd * level + np.where(strain == 4, 10, 0)) * np.where(doubled == 0, 1, 2 * doubled)
        over = np.where(doubled == 0, odd, 100 * doubled * np.where(vulnerable, 2, 1))
        made = bid + result * over + 50 * doubled
        made += np.where(bid >= 100, np.where(vulnerable, 500, 300), 50)
        made += np.where(level == 6, np.where(vulnerable, 750, 500), 0)
        made += np.where(level == 7, np.where(vulnerable, 1500, 1000), 0)
        down = -result
        each = np.where(vulnerable, 300 * down - 100, np.where(down < 4, 200 * down - 100, 300 * down - 400))
        lost = np.where(doubled == 0, np.where(vulnerable, 100, 50) * down, each * doubled)
        return np.where(level == 0, 0, np.where(result >= 0, made, -lost))

    return score


def endplay_contract(sample: Sample) -> Call:
    """`endplay.types.Contract.score` of objects that are there already."""
    from endplay.types import Contract, Denom, Penalty, Player, Vul

    strains = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    penalties = (Penalty.passed, Penalty.doubled, Penalty.redoubled)
    objects = []
    for code, tricks in zip(sample["contract"].tolist(), sample["tricks"].tolist(), strict=True):
        level, strain, doubled = (code + 14) // 15, strains[(code - 1) % 15 // 3], penalties[(code - 1) % 3]
        result = tricks - 6 - level
        objects.append(Contract(level=level, denom=strain, declarer=Player.north, penalty=doubled, result=result))
    sides = [Vul.ns if vulnerable else Vul.none for vulnerable in sample["vulnerable"]]
    return lambda: [contract.score(side) for contract, side in zip(objects, sides, strict=True)]


def factorized_score(sample: Sample) -> Call:
    """`pandas.factorize` of both texts, their different words by dictionary, the score from the table."""
    contract, result = (
        column if isinstance(column, pd.Series) else pd.Series(column.to_pandas())
        for column in (sample["contract"], sample["result"])
    )
    table = ba.score_table().reshape(-1)
    first = {word: code * 28 + 6 + (code + 14) // 15 for code, word in enumerate(ba.CONTRACTS)} | {"Pass": 0}
    relative = {f"{number:+d}" if number else "=": number for number in range(-13, 8)}

    def score() -> Any:
        codes, words = pd.factorize(contract)
        signs, spelt = pd.factorize(result)
        cell = np.array([first[word] for word in words])[codes]
        cell += np.array([relative[word] for word in spelt])[signs]
        cell += sample["vulnerable"] * 14
        return table[cell]

    return score


def text_extract(sample: Sample) -> Call:
    """Only taking the contract's text apart, by `Series.str.extract`."""

    def extract() -> None:
        sample["contract"].str.extract(r"^([1-7])(C|D|H|S|NT)(X{0,2})$")

    return extract


def searchsorted_imps(sample: Sample) -> Call:
    starts, difference = np.array(imp_starts()), sample["difference"]
    return lambda: np.sign(difference) * np.searchsorted(starts, np.abs(difference), side="right")


def imps_by_row(sample: Sample) -> Call:
    """A function that bisects the scale, mapped over a Series."""
    difference = pd.Series(sample["difference"])
    return lambda: difference.map(one_imp)


def group_rank(sample: Sample) -> Call:
    score, board = pd.Series(sample["score"]), sample["board"]
    return lambda: 2 * (score.groupby(board).rank() - 1)


def all_pairs(sample: Sample) -> Call:
    """Every result against every other by numpy, 256 rows of the matrix at a time, through a table of IMPs."""
    table = np.array([one_imp(10 * tens) for tens in range(-3276, 3277)], np.int8)
    score, board = sample["score"] // 10, sample["board"]
    fields = [score[board == number] for number in np.unique(board)]

    def totals() -> Any:
        parts = []
        for one in fields:
            for start in range(0, one.size, 256):
                parts.append(table[one[start : start + 256, None] - one + 3276].sum(axis=1) / (one.size - 1))
        return np.concatenate(parts)

    return totals


def bisect_loop(sample: Sample) -> Call:
    """Every result against every other of its board in a Python loop, the bisection of the scale written into it."""
    fields = pd.Series(sample["score"]).groupby(sample["board"]).agg(list).tolist()
    starts = imp_starts()

    def totals() -> list[float]:
        out = []
        for scores in fields:
            for own in scores:
                total = 0
                for other in scores:
                    if own >= other:
                        total += bisect_right(starts, own - other)
                    else:
                        total -= bisect_right(starts, other - own)
                out.append(total / (len(scores) - 1))
        return out

    return totals


def group_transform(sample: Sample) -> Call:
    """The datum by a function of each board's scores, `groupby.transform`; the IMPs by searchsorted."""
    score, board = pd.Series(sample["score"]), sample["board"]
    starts = np.array(imp_starts())

    def datum(scores: Any) -> float:
        mean = np.sort(scores.to_numpy())[1:-1].mean()
        return np.sign(mean) * np.floor(abs(mean) / 10 + 0.5) * 10

    def butler() -> Any:
        difference = score - score.groupby(board).transform(datum)
        return np.sign(difference) * np.searchsorted(starts, np.abs(difference), side="right")

    return butler


def our_matchpoints(sample: Sample) -> Call:
    """Our own matchpoints of the same results: what a question about them may cost."""
    table = sample["scored"]

    def matchpoints() -> None:
        ba.matchpoints(table["score_ns"], by=table["deal_id"])

    return matchpoints


def both_sides(sample: Sample) -> Call:
    """The comparison that a ranking adds up: our own matchpoints of North-South and of East-West."""
    table = sample["scored"]

    def matchpoints() -> None:
        ba.matchpoints(table["score_ns"], by=table["deal_id"])
        ba.matchpoints(-table["score_ns"], by=table["deal_id"])

    return matchpoints


def endplay_deals(sample: Sample) -> Call:
    from endplay.dealer import generate_deals

    def deal() -> None:
        for _ in generate_deals(produce=sample["n"], seed=1):
            pass

    return deal


def rubber_walk(sample: Sample) -> Call:
    """The whole sheet by a loop over the deals; the points of a deal from lists that are there."""
    scores = ba.score_table("rubber-1993").tolist()
    tricks_of = ba.score_parts(np.arange(106)[:, None], False, np.arange(14), edition="rubber-1993")
    below_of = tricks_of["trick_score"].tolist()
    side = (np.asarray(sample["side"]) == "EW").astype(int).tolist()
    contract, label = sample["contract"].codes.tolist(), sample["rubber"].tolist()
    deals = [*zip(label, side, contract, sample["tricks"].tolist(), strict=True)]

    def walk() -> Any:
        page, over, last, identity = [], True, None, -1
        for rubber, we, bid, taken in deals:
            if over or rubber != last:
                last, over, identity, number = rubber, False, identity + 1, 0
                games, part, below, above = [0, 0], [0, 0], [0, 0], [0, 0]
            they, number = 1 - we, number + 1
            vulnerable = games[0] > 0, games[1] > 0
            low, high, premium = [0, 0], [0, 0], [0, 0]
            points = scores[bid][vulnerable[we]][taken]
            if points < 0:
                high[they] = -points
            else:
                low[we] = below_of[bid][taken]
                high[we] = points - low[we]
                part[we] += low[we]
                if part[we] >= 100:
                    games[we], part = games[we] + 1, [0, 0]
                    if games[we] == 2:
                        over = True
                        premium[we] = 500 if games[they] else 700
                        high[we] += premium[we]
            for one in (0, 1):
                below[one] += low[one]
                above[one] += high[one]
            due = [0, 0]
            for one in () if over else (0, 1):
                due[one] = 300 if games[one] and not games[1 - one] else 0
                due[one] += 100 if part[one] and not part[1 - one] else 0
            line = (identity, number, vulnerable[we], *vulnerable, *low, *high, 0, 0, *premium, *part, *games)
            total = below[0] + above[0], below[1] + above[1]
            page.append((*line, over, *below, *above, *total, *due))
        return [*zip(*page, strict=True)]

    return walk


def bridgebots_lin(sample: Sample) -> Call:
    from bridgebots.lin import parse_single_lin

    def tricks() -> Any:
        return [record.tricks for deal in parse_single_lin(sample["path"]) for record in deal.board_records]

    return tricks


def endplay_pbn(sample: Sample) -> Call:
    from endplay.parsers import pbn

    def tricks() -> Any:
        with sample["path"].open(encoding="utf-8") as file:
            boards = pbn.load(file)
        return [6 + board.contract.level + board.contract.result for board in boards]

    return tricks


def our_reader(sample: Sample) -> Call:
    """Ourselves on fewer boards: a board must not take longer in a larger file."""
    return lambda: ba.read_results(sample["path"])["tricks"].to_numpy(dtype=float)


def arrow_text(sample: Sample) -> Call:
    """PyArrow reading every cell as a text, which is where a reader of results starts."""
    import pyarrow as pa
    from pyarrow import csv

    with sample["path"].open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    texts = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))

    def read() -> None:
        csv.read_csv(sample["path"], convert_options=texts)

    return read
