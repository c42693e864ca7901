"""What a double meant, as far as the auction tells: penalty, take-out and left in, or a request for a lead.

Two partners agree what their doubles mean and no file says so; these are the meanings that hold without an agreement.
Where players commonly agree otherwise the answer is `unknown`, never a guess.
"""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.contracts import parse_contract
from bridge_analytics.notation import is_pass
from bridge_analytics.scoring import contract_class
from bridge_analytics.table import own_codes

KINDS = ("penalty", "take_out", "lead_directing", "unknown")

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Calls = tuple[Codes, Codes, Codes, Codes]
"""Of each call of all auctions: row, position in the auction, seat, and what was called."""

_PASS, _DOUBLE, _REDOUBLE, _ODD = 0, 36, 37, 38  # 1 to 35 are the bids, ascending
_NOTRUMP, _TWO_CLUBS, _THREE_NOTRUMP, _FIVE_NOTRUMP = 4, 6, 15, 25  # the first is a strain, the others bids


def double_kind(results: pd.DataFrame) -> NDArray[Any]:
    """The meaning of the double that each doubled contract was played in.

    Parameters
    ----------
    results : DataFrame
        A table of results; the auctions as calls from the dealer on, ``1S P 2H X P P P``.

    Returns
    -------
    ndarray of object, shape (n,)
        ``penalty``, ``take_out`` (and left in), ``lead_directing``, ``unknown``; None where the contract is not doubled
        (or redoubled: then the double was answered).

    Notes
    -----
    In this order. `unknown`: there is no auction, or it is not complete, against the laws, or not that of the contract
    and its declarer. `lead_directing`: 3NT or a slam doubled by the partner of the leader, whose side has not bid game
    itself (Lightner). `penalty`: no trump; or the doublers have redoubled before, or have both bid; the latter not if
    the contract is a partscore and they have bid one suit both (maximal doubles), or the doubler opened, was answered
    at the one level and doubles next below two of that suit (support doubles). `take_out`: a partscore in a suit,
    doubled when the doubler's partner has only passed and the doubler could double that suit for the first time; not
    at once over what is often a convention, an opening of 2C or a suit in answer to an opening in no trump. `penalty`:
    a game or slam that was not the opening bid. The rest, among it negative doubles and doubles of pre-emptive games,
    is `unknown`. Source: The Official Encyclopedia of Bridge, 7th edition (2011), under *double*, *take-out double*,
    *Lightner double*.

    Examples
    --------
    >>> from bridge_analytics.results import read_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["1HX", "3NTX", "2S"], "declarer": ["N", "S", "S"],
    ...     "tricks": [5, 8, 8], "dealer": ["N", "S", "N"],
    ...     "auction": ["1H X P P P", "1NT P 3NT X P P P", "P P 2S P P P"]})
    >>> double_kind(read_results(evening))
    array(['take_out', 'lead_directing', None], dtype=object)
    """
    contract = own_codes("contract", results["contract"]).astype(np.int64)
    rows = np.flatnonzero((contract > 0) & ((contract - 1) % 3 == 1))
    kinds = np.full(len(results), None, dtype=object)
    if rows.size:
        table = results.iloc[rows]
        seats = {name: own_codes(name, table[name]).astype(np.int64) for name in ("dealer", "declarer")}
        number = _kinds(_calls(table["auction"], seats["dealer"]), contract[rows], **seats)
        kinds[rows] = np.array(KINDS, dtype=object)[number]
    return kinds


def _calls(auctions: pd.Series, dealer: Codes) -> Calls:
    """Every call of every auction; an auction whose dealer is not known is not read."""
    from pyarrow import compute

    text = pa.chunked_array([pa.array(auctions.where(dealer >= 0, None), pa.large_string(), from_pandas=True)])
    lists = compute.utf8_split_whitespace(compute.utf8_trim_whitespace(compute.fill_null(text, ""))).combine_chunks()
    words, code = text_codes(lists.flatten())
    known = np.array([*map(_call, words), _ODD], np.int64)
    length = compute.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    row = np.repeat(np.arange(length.size), length)
    position = np.arange(row.size) - (np.cumsum(length) - length)[row]
    return row, position, (dealer[row] + position) % 4, known[code]


def _call(word: str) -> int:
    if is_pass(word):
        return _PASS
    if word.upper() in ("X", "XX"):
        return _DOUBLE + len(word) - 1
    try:
        code = int(parse_contract(word))
    except ValueError:
        return _ODD
    return (code + 2) // 3 if code % 3 == 1 else _ODD


def _kinds(calls: Calls, contract: Codes, dealer: Codes, declarer: Codes) -> Codes:
    """The kind of each double, by its position among the kinds."""
    row, position, seat, call = calls
    bid = (contract + 2) // 3
    is_bid = (call > _PASS) & (call < _DOUBLE)
    last = _last(row, np.where(call == _PASS, -1, position), bid.size)
    doubler = (dealer + last) % 4
    own, partner, before = seat == doubler[row], seat == (doubler[row] + 2) % 4, position < last[row]
    strain, game = (bid - 1) % 5, _is_game(bid)

    def ever(happened: Flags) -> Flags:
        return np.bincount(row[happened], minlength=bid.size) > 0

    whole = ever((call == _DOUBLE) & (position == last[row])) & (_last(row, position, bid.size) == last + 3)
    whole &= (_last(row, np.where(is_bid, call, 0), bid.size) == bid) & ((doubler - declarer) % 2 == 1)
    whole &= ~ever(_against_the_laws(calls))
    named = ~own & ~partner & is_bid & ((call - 1) % 5 == strain[row])
    first = _first(row[named], position[named], bid.size)
    whole &= (dealer + first) % 4 == declarer
    turned_down = ever(before & own & (position > first[row]))
    asks = ((bid == _THREE_NOTRUMP) | (bid > _FIVE_NOTRUMP)) & (doubler == (declarer + 3) % 4)
    asks &= ~ever(before & (own | partner) & is_bid & _is_game(call))
    punishes = ever(before & own & is_bid) & ever(before & partner & is_bid)
    punishes &= game | ~_agreed(calls, bid, own & before, partner & before)
    punishes |= (strain == _NOTRUMP) | ever(before & (own | partner) & (call == _REDOUBLE))
    takes_out = ~game & ~_conventional(calls, bid) & ~ever(before & partner & (call != _PASS)) & ~turned_down
    opening = np.bincount(row[is_bid], minlength=bid.size) == 1
    return np.select([~whole | ever(call == _ODD), asks, punishes, takes_out, game & ~opening], [3, 2, 0, 1, 0], 3)


def _against_the_laws(calls: Calls) -> Flags:
    """Whether a call was not allowed: a bid too low, a double of nothing or of one's own side, a call after the end."""
    row, position, seat, call = calls
    before, bid_before = (_before(row, which) for which in (call != _PASS, (call > _PASS) & (call < _DOUBLE)))
    last = np.where(before < 0, _PASS, call[before])
    own = (seat - seat[before]) % 2 == 0
    doubled, redoubled = call == _DOUBLE, call == _REDOUBLE
    wrong = (call > _PASS) & (call < _DOUBLE) & (bid_before >= 0) & (call <= call[bid_before])
    wrong |= doubled & (own | (last == _PASS) | (last >= _DOUBLE)) | redoubled & (own | (last != _DOUBLE))
    return wrong | np.where(before < 0, position >= 4, np.arange(row.size) - before > 3)


def _before(row: Codes, which: Flags) -> Codes:
    """The place of the latest of such calls before each call in its auction, -1 for none."""
    latest = np.maximum.accumulate(np.where(which, np.arange(row.size), -1))
    earlier = np.concatenate(([-1], latest[:-1]))[: row.size]
    return np.where((earlier >= 0) & (row[earlier] == row), earlier, -1)


def _agreed(calls: Calls, bid: Codes, own: Flags, partner: Flags) -> Flags:
    """Whether the double may be a maximal one, in a suit that both have bid, or a support double by the opener."""
    row, position, _, call = calls
    is_bid = (call > _PASS) & (call < _DOUBLE)
    own, partner = own & is_bid, partner & is_bid
    suits = (np.bincount(row[who] * 5 + (call[who] - 1) % 5, minlength=5 * bid.size) > 0 for who in (own, partner))
    maximal = np.logical_and(*suits).reshape(-1, 5).any(axis=1)
    answer = _last(row, np.where(partner, call, 0), bid.size)
    once = np.bincount(row[partner], minlength=bid.size) == 1
    second = _last(row, np.where(call == _DOUBLE, position, -1), bid.size) == 4 + _first(
        row[is_bid], position[is_bid], bid.size
    )
    return np.asarray(maximal | (once & second & (answer < _NOTRUMP + 1) & (bid < answer + 5)))


def _conventional(calls: Calls, bid: Codes) -> Flags:
    """Whether the bid doubled at once is often a convention: an opening of 2C, a suit in answer to no trump."""
    row, position, _, call = calls
    is_bid = (call > _PASS) & (call < _DOUBLE)
    many = np.bincount(row[is_bid], minlength=bid.size)
    first, last = (take(row[is_bid], position[is_bid], bid.size) for take in (_first, _last))
    at_once = _last(row, np.where(call == _DOUBLE, position, -1), bid.size) == last + 1
    opening = _first(row[is_bid], call[is_bid], bid.size)
    answer = (many == 2) & (last == first + 2) & (opening % 5 == 0) & (bid % 5 > 0)
    return np.asarray(at_once & (answer | ((many == 1) & (bid == _TWO_CLUBS))))


def _first(row: Codes, value: Codes, rows: int) -> Codes:
    """The smallest value of each row, a large one for none."""
    found = np.full(rows, 1 << 20)
    np.minimum.at(found, row, value)
    return found


def _last(row: Codes, value: Codes, rows: int) -> Codes:
    """The largest value of each row, -1 for none."""
    found = np.full(rows, -1)
    np.maximum.at(found, row, value)
    return found


def _is_game(calls: Codes) -> Flags:
    """Whether calls are bids of a game or more."""
    high = contract_class(3 * np.arange(1, _DOUBLE) - 2) != "partscore"
    return np.concatenate(([False], high, [False] * (_ODD + 1 - _DOUBLE)))[calls]
