"""Par: the score that neither side can better, with the double-dummy tricks of every declarer known."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.boards import seat_reader, vul_reader
from bridge_analytics.columns import spans
from bridge_analytics.laws import AnyEdition, score_table
from bridge_analytics.notation import CONTRACTS, SEATS
from bridge_analytics.readers import align, number_reader, read_all
from bridge_analytics.rules import Edition, load_edition

Cells: TypeAlias = NDArray[np.intp]
Scores: TypeAlias = NDArray[np.int16]

_CHUNK = 1 << 13  # tables at a time: their twenty rows of cells stay in the processor's cache
_BIDS = 35  # levels times strains, from 1C up


def par_score(
    tricks: ArrayLike, dealer: ArrayLike, vul: ArrayLike, *, edition: AnyEdition = "duplicate-1987"
) -> NDArray[np.int32]:
    """The par score of North-South.

    Parameters
    ----------
    tricks : array_like of int, shape (..., 5, 4)
        Double-dummy tricks by strain C D H S NT and declarer N E S W. [tricks]
    dealer : seat ``N E S W`` or its code, or array_like of them
        Broadcast with the tables.
    vul : ``none ns ew both`` or its code, or array_like of them
        Vulnerability of the board; broadcast likewise.
    edition : str, path or Edition
        A scoring law.

    Returns
    -------
    ndarray of int32, the common shape
        [points]

    Raises
    ------
    ValueError
        If the last axes of ``tricks`` are not five strains and four declarers, or a cell is not 0-13, a seat, a
        vulnerability.

    Notes
    -----
    Contracts are gone through from the lowest up, each with its declarers from the dealer on; a contract that fails is
    doubled. One that is better for its side than what stands so far takes its place, except that a side cannot bid what
    the other holds already. So the dealer matters where both sides could buy the same contract. Equal to backward
    induction over all auctions. Source: bridgecomposer.com, "Par"; PBN 2.1, ``OptimumScore``.

    Examples
    --------
    Both sides can make 1NT and nothing else, so the dealer's side does.

    >>> only_notrump = [[6] * 4] * 4 + [[7] * 4]
    >>> par_score(only_notrump, ["N", "E"], "none")
    array([ 90, -90], dtype=int32)
    """
    shape, read = _table_reader(tricks, dealer, vul)
    scores = _bid_scores(load_edition(edition, "scoring"))
    out = np.empty(int(np.prod(shape)), np.int32)
    for start, stop in spans(out.size, _CHUNK):
        cells, dealers = read(start, stop)
        best, _ = _best(cells, scores)
        out[start:stop] = np.where(dealers & 1, -best, best)
    return out.reshape(shape)[()]


def par(
    tricks: ArrayLike, dealer: ArrayLike, vul: ArrayLike, *, edition: AnyEdition = "duplicate-1987"
) -> tuple[NDArray[np.int32], pd.DataFrame]:
    """The par score of North-South, and every contract that reaches it.

    Parameters
    ----------
    tricks, dealer, vul, edition
        As in :func:`par_score`.

    Returns
    -------
    score_ns : ndarray of int32, the common shape
        [points]
    contracts : DataFrame
        One row for each contract and declarer at par, in the order of the tables and of bidding: ``table`` (its
        position, flattened), ``contract``, ``declarer``, ``result`` (tricks less those of the contract), ``score_ns``.
        A table on which nobody can gain by bidding has one row, ``Pass``, with no declarer and no result.

    Raises
    ------
    ValueError
        As :func:`par_score`.

    Examples
    --------
    >>> ns, ew = [8, 10, 9, 4, 8], [4, 3, 3, 9, 4]
    >>> score, contracts = par([[n, e, n, e] for n, e in zip(ns, ew)], "E", "ns")
    >>> score, contracts["contract"].tolist(), contracts["declarer"].tolist(), contracts["result"].tolist()
    (np.int32(100), ['4SX', '4SX'], ['E', 'W'], [-1, -1])
    """
    shape, read = _table_reader(tricks, dealer, vul)
    scores = _bid_scores(load_edition(edition, "scoring"))
    score_ns = np.empty(int(np.prod(shape)), np.int32)
    rows = [np.empty((4, 0), np.intp)]
    for start, stop in spans(score_ns.size, _CHUNK):
        cells, dealers = read(start, stop)
        best, held = _best(cells, scores)
        score_ns[start:stop] = np.where(dealers & 1, -best, best)
        table, bid, turn = _at_par(cells, scores, best, held)
        tricks_won = cells[turn, (bid - 1) % 5, table] % 14
        seat = np.where(bid > 0, dealers[table] + turn & 3, -1)
        rows.append(np.stack([table + start, bid, seat, tricks_won]))
    return score_ns.reshape(shape)[()], _contracts(np.concatenate(rows, axis=1), score_ns)


def _contracts(rows: Cells, score_ns: NDArray[np.int32]) -> pd.DataFrame:
    """The contracts at par as a table: of tables, bids (0 for none), seats (-1 for none) and tricks."""
    table, bid, seat, tricks = rows
    result = np.where(bid > 0, tricks - 6 - (bid + 4) // 5, 0)
    contract = np.where(bid > 0, 3 * bid - 2 + (result < 0), 0)
    return pd.DataFrame(
        {
            "table": table,
            "contract": pd.Categorical.from_codes(contract, categories=pd.Index(CONTRACTS), ordered=True),
            "declarer": pd.Categorical.from_codes(seat, categories=pd.Index(SEATS)),
            "result": pd.Series(result, dtype="Int8").mask(bid == 0),
            "score_ns": score_ns[table],
        }
    )


@lru_cache(maxsize=32)
def _bid_scores(edition: Edition) -> Scores:
    """Scores of the 35 bids, doubled where they fail, by not vulnerable or vulnerable and tricks: shape (35, 28)."""
    table = score_table(edition)[1:].reshape(_BIDS, 3, 28)
    made = np.arange(28) % 14 >= 7 + np.arange(_BIDS)[:, None] // 5
    scores: Scores = np.where(made, table[:, 0], table[:, 1])
    scores.flags.writeable = False
    return scores


def _table_reader(
    tricks: ArrayLike, dealer: ArrayLike, vul: ArrayLike
) -> tuple[tuple[int, ...], Callable[[int, int], tuple[Cells, NDArray[np.uint8]]]]:
    """Read tables as cells of :func:`_bid_scores`, by turn to bid (the dealer's first) and strain; and the dealers."""
    cells: NDArray[np.uint8] = read_all(number_reader(tricks, name="tricks", low=0, high=13))
    if cells.shape[-2:] != (5, 4):
        raise ValueError(
            f"expected tricks of five strains C D H S NT by four declarers N E S W, got an array of shape {cells.shape}"
        )
    flat, lead = cells.reshape(-1), cells.shape[:-2]
    places = np.arange(flat.size // 20).reshape(lead)
    shape, (place, dealers, vuls) = align(
        (lead, lambda start, stop: places.reshape(-1)[start:stop]), seat_reader(dealer), vul_reader(vul)
    )

    def read(start: int, stop: int) -> tuple[Cells, NDArray[np.uint8]]:
        first, board = dealers(start, stop), vuls(start, stop)
        out = np.empty((4, 5, first.size), np.intp)
        for turn in range(4):
            seat = first + np.uint8(turn) & np.uint8(3)
            from_zero = place(start, stop) * 20 + seat
            vulnerable = 14 * (board >> (seat & 1) & 1)
            for strain in range(5):
                np.add(flat.take(from_zero + 4 * strain), vulnerable, out=out[turn, strain])
        return out, first

    return shape, read


def _best(cells: Cells, scores: Scores) -> tuple[Scores, Scores]:
    """The par score of the dealer's side; and who holds it: twice the bid, from 0, plus 1 if the others; -1 nobody.

    A side gains where its turn raises (the dealer's) or lowers (the others') the best score so far, and the bid is not
    the other side's already. Products of ones and zeros instead of conditions, all in one type: no branch, no cast.
    """
    best, held, value, same = np.zeros((4, cells.shape[2]), np.int16)
    free = np.empty((2, cells.shape[2]), np.int16)  # 1 where a side does not hold this bid
    held -= 1
    for bid in range(_BIDS):
        free.fill(1)
        for turn in range(4):
            side = turn & 1
            (-scores if side else scores)[bid].take(cells[turn, bid % 5], out=value, mode="wrap")
            (np.minimum if side else np.maximum)(value, best, out=value)
            value -= best
            value *= free[1 - side]
            best += value
            np.minimum(np.abs(value, out=same), 1, out=same)
            free[side] &= np.bitwise_xor(same, 1, out=same)
        for side in range(2):
            np.subtract(2 * bid + side, held, out=value)
            value *= np.subtract(1, free[side], out=same)
            held += value
    return best, held


def _at_par(cells: Cells, scores: Scores, best: Scores, held: Scores) -> tuple[Cells, Cells, Cells]:
    """Table, bid (from 1; 0 where nobody holds the par) and turn of every contract at par of the side that holds it."""
    side = held & 1
    own = np.where(side, cells[1::2], cells[::2])
    par = np.where(side, -best, best)  # 0, which no bid scores, where nobody holds it
    at_par = np.zeros((_BIDS + 1, 2, best.size), np.bool_)
    at_par[0, 0] = held < 0
    for bid in range(_BIDS):
        may = held >> 1 <= bid
        for partner in range(2):
            at_par[bid + 1, partner] = (scores[bid].take(own[partner, bid % 5], mode="wrap") == par) & may
    table, bids, which = np.nonzero(np.ascontiguousarray(np.moveaxis(at_par, -1, 0)))
    return table, bids, 2 * which + side[table]
