"""Contracts as arrays: words to codes and back, level, strain and double, tricks from results."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import Reader, align, as_column, is_text, number_reader, read_all, text_reader
from bridge_analytics.notation import (
    CONTRACTS,
    EXPECTED_CONTRACT,
    STRAINS,
    check_locale,
    contract_word,
    result_word,
    strain_word,
)

_NO_RESULT = 99


def contract_reader(contract: Any, *, locale: str = "en", null: int | None = None) -> Reader:
    """Read a column of contracts, as words or as codes 0-105, in chunks of uint8 codes; see :mod:`columns`."""
    column = as_column(contract)
    if is_text(column):
        return text_reader(
            column, partial(contract_word, locale=check_locale(locale)), expected=EXPECTED_CONTRACT, null=null
        )
    return number_reader(column, name="a contract code", low=0, high=len(CONTRACTS) - 1, null=null)


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
    bids = np.arange(len(CONTRACTS)) - 1
    level = np.append(np.where(bids < 0, 0, bids // 15 + 1), 0).astype(np.int8)
    strain = np.array([None, *(STRAINS[bid // 3 % 5] for bid in bids[1:]), None], dtype=object)
    doubled = np.append(np.where(bids < 0, 0, bids % 3), 0).astype(np.int8)
    missing = codes == len(CONTRACTS)
    if missing.any():
        return np.where(missing, np.nan, level[codes]), strain[codes], np.where(missing, np.nan, doubled[codes])
    return level[codes], strain[codes], doubled[codes]


def join_contract(level: ArrayLike, strain: Any, doubled: ArrayLike = 0) -> NDArray[np.int8]:
    """Contract codes from level 1-7 (0: passed out), strain ``C D H S NT`` or code 0-4, and doubled 0, 1, 2.

    The inverse of :func:`split_contract`; the strain of a level 0 is not read.

    Examples
    --------
    >>> [CONTRACTS[code] for code in join_contract([4, 3, 0], ["S", "NT", None], [1, 0, 0])]
    ['4SX', '3NT', 'Pass']
    """
    column = as_column(strain)
    strains = (
        text_reader(column, strain_word, expected="a strain C D H S NT", null=200)
        if is_text(column)
        else number_reader(column, name="a strain code", low=0, high=4, null=200)
    )
    shape, reads = align(
        number_reader(level, name="level", low=0, high=7),
        strains,
        number_reader(doubled, name="doubled", low=0, high=2),
    )
    levels, strain_codes, doubles = (read(0, int(np.prod(shape))).astype(np.int16) for read in reads)
    lost = (strain_codes == 200) & (levels > 0)
    if lost.any():
        raise ValueError(f"expected a strain C D H S NT, got a missing value at position {int(lost.argmax())}")
    codes = np.where(
        levels == 0, 0, 1 + ((levels - 1) * 5 + np.where(lost | (levels == 0), 0, strain_codes)) * 3 + doubles
    )
    return codes.astype(np.int8).reshape(shape)[()]


def with_doubled(contract: Any, doubled: ArrayLike) -> NDArray[np.int8]:
    """The same contracts undoubled (0), doubled (1) or redoubled (2), as codes; ``Pass`` stays ``Pass``.

    Examples
    --------
    >>> [CONTRACTS[code] for code in with_doubled(["4SX", "3NT", "Pass"], [0, 2, 1])]
    ['4S', '3NTXX', 'Pass']
    """
    shape, (contracts, doubles) = align(
        contract_reader(contract), number_reader(doubled, name="doubled", low=0, high=2)
    )
    size = int(np.prod(shape))
    codes = contracts(0, size).astype(np.int16)
    redone = codes - (codes - 1) % 3 + doubles(0, size)
    return np.where(codes == 0, 0, redone).astype(np.int8).reshape(shape)[()]


def _result_reader(result: Any) -> Reader:
    """Relative results as int16 (``_NO_RESULT`` where missing), from texts with their sign or from integers."""
    column, shift = as_column(result), 100
    if not is_text(column):
        return number_reader(column, name="a result", low=-13, high=7, null=_NO_RESULT)
    expected = "a result such as '=', '+1' or '-2'"
    shape, read = text_reader(
        column, lambda text: result_word(text) + shift, expected=expected, null=_NO_RESULT + shift
    )
    return shape, lambda start, stop: read(start, stop).astype(np.int16) - shift


def tricks_from_result(contract: Any, result: Any) -> NDArray[np.int8]:
    """Tricks won by declarer's side from a result relative to the contract.

    Parameters
    ----------
    contract : contract or column of contracts, any shape
    result : same shape or one value
        ``"+1"``, ``"="``, ``"-2"`` as text, or tricks - (6 + level) as integers. [tricks]

    Returns
    -------
    ndarray of int8
        0-13; 0 for ``Pass``, whatever its result, which no law of scoring reads. [tricks]

    Raises
    ------
    ValueError
        If a contract or the result of a contract is missing, or the contract cannot have that result.

    Examples
    --------
    >>> tricks_from_result(["4S", "3NT", "2H"], ["=", "+1", "-3"])
    array([10, 10,  5], dtype=int8)
    """
    shape, (contracts, results) = align(contract_reader(contract), _result_reader(result))
    size = int(np.prod(shape))
    codes, relative = contracts(0, size), results(0, size)
    tricks = np.where(codes == 0, 0, 6 + (codes.astype(np.int16) + 14) // 15 + relative)
    wrong = (tricks < 0) | (tricks > 13)
    if wrong.any():
        place = int(wrong.argmax())
        word, got = CONTRACTS[codes[place]], int(relative[place])
        seen = "a missing value" if got == _NO_RESULT else f"{got:+d}"
        low, high = -6 - int(word[0]), 7 - int(word[0])
        raise ValueError(f"expected a result {low:+d} to {high:+d} for {word!r}, got {seen} at position {place}")
    return tricks.astype(np.int8).reshape(shape)[()]
