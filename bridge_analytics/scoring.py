"""Scores of results: columns of contracts, vulnerability and tricks looked up in the table that the laws make.

Any number of rows costs one look-up each, in chunks; what a law needs is never guessed, and a board that was passed out
needs neither tricks nor vulnerability. All scores are those of declarer's side. [points]
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.columns import CHUNK, keep_freed_memory, spans
from bridge_analytics.contracts import contract_reader
from bridge_analytics.laws import LEVEL, PARTS, SHAPE, AnyEdition, is_game, part_tables, points_bid, score_table
from bridge_analytics.notation import CONTRACTS, EXPECTED_CONTRACT
from bridge_analytics.readers import Read, Reader, align, flag_reader, number_reader, read_all, read_where
from bridge_analytics.rules import load_edition

_NULL = 255  # what the readers put where a cell is missing: no contract, flag or number of tricks


def _cell_reader(contract: Any, vulnerable: Any, tricks: Any) -> Reader:
    """Read contract, vulnerable and tricks together, as the cells of the flat table of 2,968."""
    shape, (contracts, flags, numbers) = align(
        contract_reader(contract, null=_NULL),
        flag_reader(vulnerable, name="vulnerable", null=_NULL),
        number_reader(tricks, name="tricks", low=0, high=13, null=_NULL),
    )

    def read(start: int, stop: int) -> NDArray[np.uint16]:
        codes = _present(contracts(start, stop), start, EXPECTED_CONTRACT)
        row = codes * np.uint8(2)
        row += _where_played(flags, codes, start, "vulnerable as True or False")
        cell = row * np.uint16(14)
        cell += _where_played(numbers, codes, start, "tricks 0 to 13")
        return cell

    return shape, read


def _present(values: NDArray[Any], start: int, expected: str) -> NDArray[Any]:
    """The values, none of which may be missing."""
    if values.size and values.max() == _NULL:
        place = start + int(values.argmax())
        raise ValueError(
            f"expected {expected}, got a missing value at position {place} (results that were not played: "
            "use score_results)"
        )
    return values


def _where_played(read: Read, codes: NDArray[np.uint8], start: int, expected: str) -> NDArray[Any]:
    """A stretch of a column that a passed-out board does not need: there anything goes, or nothing."""
    try:
        values = read(start, start + codes.size)
        if not values.size or values.max() != _NULL:
            return values  # the rule: nothing to look for
    except ValueError:
        pass
    return _present(read_where(read, codes != 0, start), start, expected)


def _look_up(tables: NDArray[Any], contract: Any, vulnerable: Any, tricks: Any) -> list[NDArray[np.int32]]:
    """The cells of several tables of the grid, each as an array in input order."""
    flat = tables.reshape(len(tables), -1).astype(np.int32)
    shape, cells = _cell_reader(contract, vulnerable, tricks)
    out = [np.empty(shape, np.int32) for _ in flat]
    keep_freed_memory()
    places = np.empty(min(CHUNK, out[0].size), np.intp)
    for start, stop in spans(out[0].size, 4 * CHUNK):  # each reading costs something by itself
        cell = cells(start, stop)
        for first, last in spans(cell.size):
            place = places[: last - first]
            place[:] = cell[first:last]
            for table, part in zip(flat, out, strict=True):  # nothing wraps: cells are checked
                table.take(place, out=part.reshape(-1)[start + first : start + last], mode="wrap")
    return [part[()] for part in out]


def score(contract: Any, vulnerable: Any, tricks: Any, *, edition: AnyEdition = "duplicate-1987") -> NDArray[np.int32]:
    """Score of results for declarer's side.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
        Words such as ``4SX`` and ``Pass``, or codes 0-105.
    vulnerable : bool or column of bool (or 0 and 1), same shape or one that broadcasts
        Whether declarer's side is vulnerable.
    tricks : int or column of whole numbers, same shape or one that broadcasts
        Tricks won by declarer's side, 0-13. [tricks]
    edition : str, path or Edition
        The scoring law; see :func:`editions`.

    Returns
    -------
    ndarray of int32, in input order; numpy scalar for scalars
        Positive is good for declarer's side. A rubber edition gives the points of the deal alone. [points]

    Raises
    ------
    ValueError
        If a value is missing, not whole or out of range; says the value and its position. ``Pass`` is 0 whatever
        stands in the other columns, even nothing.

    Notes
    -----
    Source: Law 77 for the default; each number of an edition names its own.

    Examples
    --------
    >>> score("3HX", True, 10)
    np.int32(930)
    >>> score(["4S", "4S", "Pass"], [False, True, None], [10, 9, None])
    array([ 420, -100,    0], dtype=int32)
    >>> score("3HX", True, 10, edition="rubber-1993")
    np.int32(430)
    """
    return _look_up(score_table(edition)[None], contract, vulnerable, tricks)[0]


def score_parts(
    contract: Any, vulnerable: Any, tricks: Any, *, edition: AnyEdition = "duplicate-1987"
) -> dict[str, NDArray[np.int32]]:
    """The parts of scores, under the headings of Law 77; they sum to :func:`score`.

    Parameters
    ----------
    contract, vulnerable, tricks, edition
        As for :func:`score`.

    Returns
    -------
    dict of ndarray of int32
        ``trick_score overtricks partscore game slam insult penalty``, each in input order. ``insult`` is the premium
        for making a doubled or redoubled contract, ``penalty`` is negative. [points]

    Raises
    ------
    ValueError
        As :func:`score`.

    Examples
    --------
    >>> {part: int(points) for part, points in score_parts("3HX", True, 10).items() if points}
    {'trick_score': 180, 'overtricks': 200, 'game': 500, 'insult': 50}
    """
    tables = part_tables(load_edition(edition, "scoring"))
    return dict(zip(PARTS, _look_up(tables, contract, vulnerable, tricks), strict=True))


def contract_class(contract: Any, *, edition: AnyEdition = "duplicate-1987") -> NDArray[Any]:
    """What was bid: partscore, game, small slam or grand slam, whatever the double.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
    edition : str, path or Edition
        It says how many trick points make a game.

    Returns
    -------
    ndarray of object, same shape; str for a scalar
        ``passed partscore game small_slam grand_slam``; None where the contract is missing.

    Raises
    ------
    ValueError
        If a contract cannot be read.

    Examples
    --------
    >>> contract_class(["2SX", "3NT", "5C", "6H", "Pass", None])
    array(['partscore', 'game', 'game', 'small_slam', 'passed', None], dtype=object)
    """
    laws = load_edition(edition, "scoring")
    conditions = [LEVEL == 0, LEVEL == 6, LEVEL == 7, points_bid(laws) >= laws["trick_score.game"]]
    number = np.select(conditions, [0, 3, 4, 2], 1)
    words = np.array(["passed", "partscore", "game", "small_slam", "grand_slam", None], dtype=object)
    found: NDArray[Any] = words[np.append(number, 5)][read_all(contract_reader(contract, null=len(CONTRACTS)))]
    return found


def doubled_into_game(contract: Any, *, edition: AnyEdition = "duplicate-1987") -> NDArray[np.bool_]:
    """Whether a contract is a game only because it is doubled or redoubled.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
    edition : str, path or Edition
        It says how many trick points make a game.

    Returns
    -------
    ndarray of bool, same shape

    Raises
    ------
    ValueError
        If a contract is missing or cannot be read; says the value and its position.

    Examples
    --------
    >>> doubled_into_game(["2S", "2SX", "1NTX", "1NTXX", "4SX", "Pass"])
    array([False,  True, False,  True, False, False])
    """
    laws = load_edition(edition, "scoring")
    becomes = is_game(laws) & (points_bid(laws) < laws["trick_score.game"])
    found: NDArray[np.bool_] = becomes.reshape(-1)[read_all(contract_reader(contract))]
    return found


def tricks_from_score(
    contract: Any, vulnerable: Any, score: Any, *, edition: AnyEdition = "duplicate-1987"
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Tricks that explain a score, for files that print a contract and a score only.

    Parameters
    ----------
    contract, vulnerable
        As for :func:`score`.
    score : int or column of whole numbers, same shape or one that broadcasts
        Score of declarer's side. [points]
    edition : str, path or Edition
        The scoring law; see :func:`editions`.

    Returns
    -------
    tricks : ndarray of float64
        Tricks won by declarer's side. NaN where ``how`` is not ``unique``, and for ``Pass``, which has no tricks: a
        float, so that what is not known is no number that could be added up, and :func:`score` refuses it. [tricks]
    how : ndarray of object; str for a scalar
        ``unique``, ``ambiguous`` (more than one number of tricks scores so), ``impossible`` (none does). Where it is
        ``unique``, ``score(contract, vulnerable, tricks)`` gives the score back.

    Raises
    ------
    ValueError
        If a value is missing, or the score is not a whole number; says the value and its position.

    Examples
    --------
    >>> tricks_from_score(["4S", "3NT", "2H", "Pass"], [False, True, True, None], [450, -100, 620, 0])
    (array([11.,  8., nan, nan]), array(['unique', 'unique', 'impossible', 'unique'], dtype=object))
    """
    table = score_table(edition).reshape(-1, SHAPE[2])
    shape, (contracts, flags, points) = align(
        contract_reader(contract, null=_NULL),
        flag_reader(vulnerable, name="vulnerable", null=_NULL),
        number_reader(score, name="score", low=-(2**31), high=2**31 - 1),
    )
    tricks, how = np.full(shape, np.nan), np.empty(shape, dtype=object)
    words = np.array(["impossible", "unique", "ambiguous"], dtype=object)
    for start, stop in spans(tricks.size):
        codes = _present(contracts(start, stop), start, EXPECTED_CONTRACT)
        sides = _where_played(flags, codes, start, "vulnerable as True or False")
        hits = table[codes * np.uint8(2) + sides] == points(start, stop)[:, None]
        found = np.where(codes == 0, hits[:, 0], hits.sum(axis=1))
        how.reshape(-1)[start:stop] = words[np.minimum(found, 2)]
        known = (found == 1) & (codes != 0)
        tricks.reshape(-1)[start:stop][known] = hits.argmax(axis=1)[known]
    return tricks[()], how[()]
