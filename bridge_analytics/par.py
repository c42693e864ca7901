"""Par: the score that neither side can better, with the double-dummy tricks of every declarer known.

The best score so far, as a claim (see :mod:`bridge_analytics.bids`), is raised by each bid of North-South that beats it
and lowered by each of East-West. Where only one side can better it at any bid, the order of seats does not matter; five
bids of one level then are two bounds, and so are seven levels. Else the seats are asked one by one, from the dealer on.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.bids import BIDS, FIRST, WIDE, Ranks, claims, lanes, most_in_order, pairs, partners, ranked_scores
from bridge_analytics.boards import seat_reader, vul_reader
from bridge_analytics.columns import keep_freed_memory, spans
from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import CONTRACTS, SEATS
from bridge_analytics.readers import align, number_reader, read_all
from bridge_analytics.rules import Edition, load_edition

Cells: TypeAlias = NDArray[np.intp]
Codes: TypeAlias = NDArray[np.uint8]
Tables: TypeAlias = tuple[NDArray[np.uint16], Codes, Codes]
"""The tricks of N, S, E and W in each strain, as :func:`pairs` takes them: shape (5, n); dealers; vulnerabilities."""
Rows: TypeAlias = tuple[Cells, NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]
"""Of contracts: the table, the contract's code, the seat (-1: nobody), the result."""

_CHUNK = 1 << 14  # tables at a time: their rows of levels stay in the processor's cache
_PLACES = np.array([0, 8, 4, 12], np.uint16)  # of N E S W among the bits
_CONTRACT, _SEAT = pd.CategoricalDtype(pd.Index(CONTRACTS), ordered=True), pd.CategoricalDtype(pd.Index(SEATS))
# By how far a claim is from its rank: the bits of all bids from the one claimed on.
_FROM = np.zeros(FIRST + BIDS, np.uint64)
_FROM[FIRST:] = ~np.uint64(0) << np.array([8 * (bid // 5) + bid % 5 for bid in range(BIDS)], np.uint64)


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
    induction over all auctions as long as both sides together take at most 17 tricks in any strain; on a deal it is 13,
    seldom 14. Source: bridgecomposer.com, "Par"; PBN 2.1, ``OptimumScore``.

    Examples
    --------
    Both sides can make 1NT and nothing else, so the dealer's side does.

    >>> only_notrump = [[6] * 4] * 4 + [[7] * 4]
    >>> par_score(only_notrump, ["N", "E"], "none")
    array([ 90, -90], dtype=int32)
    """
    shape, read = _table_reader(tricks, dealer, vul)
    law = load_edition(edition, "scoring")
    return _points(_best_claims(read, int(np.prod(shape)), law), law).reshape(shape)[()]


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
    law = load_edition(edition, "scoring")
    best = _best_claims(read, int(np.prod(shape)), law)
    lists = [_at_par(read(0, 0), best[:0], law)]
    for start, stop in spans(best.size, _CHUNK):
        table, contract, seat, result = _at_par(read(start, stop), best[start:stop], law)
        lists.append((table + start, contract, seat, result))
    score_ns = _points(best, law)
    return score_ns.reshape(shape)[()], _contracts(lists, score_ns)


def _contracts(lists: Sequence[Rows], score_ns: NDArray[np.int32]) -> pd.DataFrame:
    """The rows of all chunks as a table; where a deal is passed out the seat is -1 and there is no result."""
    table, contract, seat, result = map(np.concatenate, zip(*lists, strict=True))
    columns = {
        "table": table,
        "contract": pd.Categorical.from_codes(contract, dtype=_CONTRACT),
        "declarer": pd.Categorical.from_codes(seat, dtype=_SEAT),
        "result": pd.arrays.IntegerArray(result, seat < 0),
        "score_ns": score_ns.take(table),
    }
    return pd.DataFrame(columns, copy=False)


def _table_reader(
    tricks: ArrayLike, dealer: ArrayLike, vul: ArrayLike
) -> tuple[tuple[int, ...], Callable[[int, int], Tables]]:
    """Read tables, each as five numbers, beside dealers and vulnerabilities."""
    cells: Codes = read_all(number_reader(tricks, name="tricks", low=0, high=13))
    if cells.shape[-2:] != (5, 4):
        raise ValueError(
            f"expected tricks of five strains C D H S NT by four declarers N E S W, got an array of shape {cells.shape}"
        )
    whole = cells.reshape(-1).view("V20")  # one cell a table, to go with the others
    shape, (table, dealers, vuls) = align(
        (cells.shape[:-2], lambda start, stop: whole[start:stop]), seat_reader(dealer), vul_reader(vul)
    )

    def read(start: int, stop: int) -> Tables:
        four = np.ascontiguousarray(table(start, stop)).view("<u4").reshape(-1, 5).T.copy()
        four |= four >> np.uint32(12)
        return four.astype(np.uint16), dealers(start, stop), vuls(start, stop)

    return shape, read


def _rank(claim: Ranks) -> Ranks:
    return claim + WIDE // 2 >> 7


def _points(best: Ranks, law: Edition) -> NDArray[np.int32]:
    scale, _ = ranked_scores(law)
    return scale.take(_rank(best) + scale.size // 2, mode="wrap")


def _best_claims(read: Callable[[int, int], Tables], size: int, law: Edition) -> Ranks:
    """The claim that stands when nobody bids on, of every table; those that need it are asked seat by seat."""
    keep_freed_memory()
    ours, theirs, _ = lanes(law)
    best = np.empty(size, ours.dtype)
    rest = [(np.empty(0, np.intp), *read(0, 0))]
    for start, stop in spans(size, _CHUNK):
        four, dealers, vuls = read(start, stop)
        pair = pairs().take(four, mode="wrap")
        two = pair.astype(np.uint8)
        odd = np.flatnonzero(((two & 15) + (two >> 4)).max(axis=0) > most_in_order(law))
        rest.append((start + odd, four[:, odd], dealers[odd], vuls[odd]))
        pair += vuls.astype(np.intp) << 8
        best[start:stop] = _bounded(pair, ours, theirs)
    place, four, dealers, vuls = (np.concatenate(parts, axis=-1) for parts in zip(*rest, strict=True))
    for start, stop in spans(place.size, _CHUNK):
        part = slice(start, stop)
        best[place[part]] = _bid_by_bid(four[:, part], dealers[part], vuls[part], claims(law))
    return best


def _bounded(pair: Cells, ours: Ranks, theirs: Ranks) -> Ranks:
    """Where the order of seats does not matter: at each level the bounds of all strains, then one after the other."""
    low, high = ours[0].take(pair[0], axis=0, mode="wrap"), theirs[0].take(pair[0], axis=0, mode="wrap")
    up, down = np.empty_like(low), np.empty_like(low)
    for strain in range(1, 5):
        ours[strain].take(pair[strain], axis=0, out=up, mode="wrap")
        theirs[strain].take(pair[strain], axis=0, out=down, mode="wrap")
        for bound in (low, high):
            np.maximum(bound, up, out=bound)
            np.minimum(bound, down, out=bound)
    best = np.zeros(pair.shape[1], low.dtype)
    for level in range(7):
        np.maximum(best, low[:, level], out=best)
        np.minimum(best, high[:, level], out=best)
    return best


def _bid_by_bid(four: NDArray[np.uint16], dealers: Codes, vuls: Codes, table: Ranks) -> Ranks:
    """Every seat asked at every bid, from the dealer on; what stands is seen from the dealer's side."""
    seat = dealers + np.arange(4)[:, None] & 3
    cells = (four >> _PLACES[seat][:, None] & 15).astype(np.intp) + 14 * (vuls >> (seat & 1) & 1)[:, None]
    best = np.zeros(four.shape[1], table.dtype)
    for bid in range(BIDS):
        first, left, partner, right = table[bid].reshape(-1).take(cells[:, bid % 5], mode="wrap")
        may = best < np.maximum(first, np.minimum(partner, -left))  # partner, unless the left has bid it before
        best = np.where(may, np.maximum(first, partner), np.minimum(best, -np.maximum(left, right)))
    return np.where(dealers & 1, -best, best)


def _at_par(tables: Tables, best: Ranks, law: Edition) -> Rows:
    """Every contract at par of the side that holds it, from the bid on that first brought it there."""
    four, _, vuls = tables
    rank = _rank(best)
    above = best - rank * WIDE
    side = (above > 0).view(np.uint8)
    pair = pairs().take(four, mode="wrap")
    pair += (vuls | side << 2).astype(np.intp) << 8
    bids = _bids_worth(rank * (1 - 2 * side.view(np.int8)), pair, law)
    bids &= _FROM.take(np.abs(above))
    bids |= (above == 0).astype(np.uint64) << np.uint64(56)  # nobody's: the eighth level
    return _listed(bids, tables, side, law)


def _bids_worth(own: Ranks, pair: Cells, law: Edition) -> NDArray[np.uint64]:
    """Sets of the bids that are worth this rank to a side: a byte a level, a bit a strain."""
    _, _, worth = lanes(law)
    eight = np.repeat(own.astype(worth.dtype), 8).reshape(-1, 8)
    found = np.zeros(own.size, np.uint64)
    for strain in range(5):
        same = worth[strain].take(pair[strain], axis=0, mode="wrap") == eight
        found |= same.view(np.uint64).reshape(-1) << np.uint64(strain)
    return found


def _listed(bids: NDArray[np.uint64], tables: Tables, side: Codes, law: Edition) -> Rows:
    """A row for each bid of a set and each partner who scores best in it, from the dealer on."""
    four, dealers, vuls = tables
    late = (side - dealers & 2) >> 1
    seats = side | late << 1 | (vuls >> side & 1) << 2
    levels = bids.view(np.uint8)
    some = np.flatnonzero(levels != 0)
    place = np.flatnonzero(np.unpackbits(levels.take(some), bitorder="little").view(np.bool_))
    place = some.take(place >> 3) << 3 | place & 7  # among 64 bits a table
    table = place >> 6
    seat = seats.take(table)
    won = four.view(np.uint8).reshape(-1).take(((place & 7) * side.size + table) * 2 + (seat & 1), mode="clip")
    best = partners(law).view(np.uint16).reshape(-1)
    row = np.flatnonzero(best.take((place & 63) << 10 | (seat.astype(np.intp) >> 1) << 8 | won).view(np.bool_))
    entry = row >> 1
    bit, seat, won = (place & 63).astype(np.int8).take(entry), seat.take(entry), won.take(entry)
    partner = (row & 1).astype(np.uint8) ^ seat >> 1 & 1
    level = bit >> 3
    nobody = level == 7
    result = (won >> 4 * partner & 15).view(np.int8) - 7 - level
    contract = 15 * level + 3 * (bit & 7) + 1 + (result < 0)
    declarer = ((seat & 1) + 2 * partner).view(np.int8)
    contract[nobody], declarer[nobody] = 0, -1
    return table.take(entry), contract, declarer, result
