"""Contracts as arrays: words to codes and back, level, strain and double, tricks from results."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import as_column, is_text
from bridge_analytics.notation import (
    CONTRACTS,
    EXPECTED_CONTRACT,
    STRAINS,
    check_locale,
    contract_word,
    result_word,
    strain_word,
)
from bridge_analytics.readers import Reader, align, code_reader, number_reader, read_all, read_where, text_reader

_MOST_DOWN, _MOST_OVER = -13, 6  # a grand slam without a trick, a one-level contract with all of them


def contract_reader(contract: Any, *, locale: str = "en", null: int | None = None) -> Reader:
    """Read a column of contracts, as words or as codes 0-105, in chunks of uint8 codes; see :mod:`columns`."""
    parse = partial(contract_word, locale=check_locale(locale))
    return code_reader(contract, parse, name="a contract", expected=EXPECTED_CONTRACT, count=len(CONTRACTS), null=null)


def parse_contract(text: Any, *, locale: str = "en") -> NDArray[np.int8]:
    """Contract codes 0-105 of texts as people write them.

    Parameters
    ----------
    text : text or column of text, any shape
        ``4♠x``, ``4 S X``, ``3N``, ``3NT*``, ``4S**``, ``pass`` ... or codes, which are checked.
    locale : {"en", "es", "fr"}
        The language of all of them.

    Returns
    -------
    ndarray of int8, same shape
        Positions in :data:`CONTRACTS`.

    Raises
    ------
    ValueError
        If one is missing or cannot be read; says the value and its position.

    Examples
    --------
    >>> parse_contract(["4♠x", "3N", "pass"])
    array([56, 43,  0], dtype=int8)
    """
    return read_all(contract_reader(text, locale=locale)).astype(np.int8)[()]


def split_contract(contract: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Level, strain and double of contracts.

    Parameters
    ----------
    contract : contract or column of contracts, any shape

    Returns
    -------
    level : ndarray of int8 (float64 with NaN where a contract is missing)
        1-7; 0 for ``Pass``.
    strain : ndarray of object
        ``C D H S NT``; None for ``Pass`` and where a contract is missing.
    doubled : ndarray of int8 (float64 with NaN where a contract is missing)
        0, 1 doubled, 2 redoubled.

    Raises
    ------
    ValueError
        If a contract cannot be read.

    Examples
    --------
    >>> split_contract(["4SX", "Pass"])
    (array([4, 0], dtype=int8), array(['S', None], dtype=object), array([1, 0], dtype=int8))
    """
    codes = read_all(contract_reader(contract, null=len(CONTRACTS)))
    bids = range(len(CONTRACTS) - 1)
    level = np.array([0, *(bid // 15 + 1 for bid in bids), 0], np.int8)[codes]
    strain = np.array([None, *(STRAINS[bid // 3 % 5] for bid in bids), None], dtype=object)[codes]
    doubled = np.array([0, *(bid % 3 for bid in bids), 0], np.int8)[codes]
    missing = codes == len(CONTRACTS)
    if missing.any():
        return np.where(missing, np.nan, level)[()], strain, np.where(missing, np.nan, doubled)[()]
    return level, strain, doubled


def join_contract(level: ArrayLike, strain: Any, doubled: ArrayLike = 0) -> NDArray[np.int8]:
    """Contract codes from level, strain and double: the inverse of :func:`split_contract`.

    Parameters
    ----------
    level : int or column of whole numbers, any shape
        1-7; 0 for ``Pass``, whose strain and double are not read.
    strain : strain or column of strains, same shape or one that broadcasts
        ``C D H S NT`` as words, or codes 0-4.
    doubled : int or column of whole numbers, same shape or one that broadcasts
        0, 1 doubled, 2 redoubled.

    Returns
    -------
    ndarray of int8
        Positions in :data:`CONTRACTS`.

    Raises
    ------
    ValueError
        If a part of a contract is missing or cannot be read; says the value and its position.

    Examples
    --------
    >>> [CONTRACTS[code] for code in join_contract([4, 3, 0], ["S", "NT", None], [1, 0, 0])]
    ['4SX', '3NT', 'Pass']
    """
    shape, (levels, strains, doubles) = align(
        number_reader(level, name="a level", low=0, high=7),
        code_reader(strain, strain_word, name="a strain", expected="a strain C D H S NT", count=len(STRAINS)),
        number_reader(doubled, name="doubled", low=0, high=2),
    )

    def read(start: int, stop: int) -> NDArray[np.int8]:
        bid = levels(start, stop).astype(np.int8)
        strain, double = (read_where(part, bid > 0, start).astype(np.int8) for part in (strains, doubles))
        return np.where(bid > 0, ((bid - 1) * 5 + strain) * 3 + 1 + double, 0).astype(np.int8)

    return read_all((shape, read))[()]


def with_doubled(contract: Any, doubled: ArrayLike) -> NDArray[np.int8]:
    """The same contracts undoubled (0), doubled (1) or redoubled (2), as codes; ``Pass`` stays ``Pass``.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
    doubled : int or column of whole numbers, same shape or one that broadcasts
        0, 1 doubled, 2 redoubled.

    Returns
    -------
    ndarray of int8
        Positions in :data:`CONTRACTS`.

    Raises
    ------
    ValueError
        If a value is missing or cannot be read; says the value and its position.

    Examples
    --------
    >>> [CONTRACTS[code] for code in with_doubled(["4SX", "3NT", "Pass"], [0, 2, 1])]
    ['4S', '3NTXX', 'Pass']
    """
    shape, (contracts, doubles) = align(
        contract_reader(contract), number_reader(doubled, name="doubled", low=0, high=2)
    )

    def read(start: int, stop: int) -> NDArray[np.int8]:
        codes, double = contracts(start, stop).astype(np.int8), doubles(start, stop).astype(np.int8)
        return np.where(codes > 0, codes - (codes - 1) % 3 + double, 0).astype(np.int8)

    return read_all((shape, read))[()]


def _result_reader(result: Any) -> Reader:
    """Relative results as int8, from texts with their sign or from integers."""
    column = as_column(result)
    if not is_text(column):
        return number_reader(column, name="a result", low=_MOST_DOWN, high=_MOST_OVER)
    shape, read = text_reader(
        column, lambda text: result_word(text) - _MOST_DOWN, expected="a result such as '=', '+1' or '-2'"
    )
    return shape, lambda start, stop: read(start, stop).astype(np.int8) + np.int8(_MOST_DOWN)


def tricks_from_result(contract: Any, result: Any) -> NDArray[np.int8]:
    """Tricks won by declarer's side from a result relative to the contract.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
    result : text or int, or a column of them, same shape or one that broadcasts
        ``"+1"``, ``"="``, ``"-2"`` as text, or tricks - (6 + level) as integers. [tricks]

    Returns
    -------
    ndarray of int8
        0-13; 0 for ``Pass``, whatever stands in its result, which no law of scoring reads. [tricks]

    Raises
    ------
    ValueError
        If a contract or the result of a contract is missing or cannot be read, or the contract cannot have that
        result; says the value and its position.

    Examples
    --------
    >>> tricks_from_result(["4S", "3NT", "2H", "Pass"], ["=", "+1", "-3", None])
    array([10, 10,  5,  0], dtype=int8)
    """
    shape, (contracts, results) = align(contract_reader(contract), _result_reader(result))

    def read(start: int, stop: int) -> NDArray[np.int8]:
        codes = contracts(start, stop)
        level = ((codes.astype(np.int16) + 14) // 15).astype(np.int8)
        played = codes > 0
        relative = read_where(results, played, start).astype(np.int8)
        tricks = (level + relative + np.int8(6)) * played
        wrong = (tricks < 0) | (tricks > 13)
        if wrong.any():
            place = int(wrong.argmax())
            raise ValueError(
                f"expected a result {-6 - level[place]:+d} to {7 - level[place]:+d} for {CONTRACTS[codes[place]]!r}, "
                f"got {relative[place]:+d} at position {start + place}"
            )
        return tricks

    return read_all((shape, read))[()]
