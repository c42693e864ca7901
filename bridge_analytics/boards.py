"""What a board says by itself: its dealer, who is vulnerable, and the seats and sides these speak of."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.notation import SEATS, VULS, check_locale, seat_word, vul_word
from bridge_analytics.readers import Reader, align, code_reader, number_reader, read_all


def seat_reader(seat: Any, *, locale: str = "en") -> Reader:
    """Read a column of seats, as words or as codes 0-3, in chunks of uint8 codes."""
    parse = partial(seat_word, locale=check_locale(locale))
    return code_reader(seat, parse, name="a seat", expected="a seat N E S W", count=len(SEATS))


def vul_reader(vul: Any, *, locale: str = "en") -> Reader:
    """Read a column of vulnerabilities, as words or as codes 0-3, in chunks of uint8 codes."""
    parse, expected = partial(vul_word, locale=check_locale(locale)), "a vulnerability none, ns, ew or both"
    return code_reader(vul, parse, name="a vulnerability", expected=expected, count=len(VULS))


def board_dealer(board: Any) -> NDArray[np.str_]:
    """The dealer of boards by their number: N, E, S, W in turn. Source: Law 2.

    Parameters
    ----------
    board : int or column of integers from 1, any shape

    Returns
    -------
    ndarray of str, same shape

    Raises
    ------
    ValueError
        If a number is missing, not whole or below 1; names it and its position.

    Examples
    --------
    >>> board_dealer([1, 2, 3, 4, 17])
    array(['N', 'E', 'S', 'W', 'N'], dtype='<U1')
    """
    dealers: NDArray[np.str_] = np.array(SEATS)[(_board_numbers(board) - 1) % 4]
    return dealers


def board_vul(board: Any) -> NDArray[np.str_]:
    """The vulnerability of boards by their number, in the cycle of sixteen. Source: Law 2.

    Parameters
    ----------
    board : int or column of integers from 1, any shape

    Returns
    -------
    ndarray of str, same shape
        ``none ns ew both``.

    Raises
    ------
    ValueError
        If a number is missing, not whole or below 1; names it and its position.

    Examples
    --------
    >>> board_vul([1, 2, 3, 4, 5, 16])
    array(['none', 'ns', 'ew', 'both', 'ns', 'ew'], dtype='<U4')
    """
    before = _board_numbers(board) - 1
    vuls: NDArray[np.str_] = np.array(VULS)[(before % 4 + before // 4) % 4]
    return vuls


def _board_numbers(board: Any) -> NDArray[np.int64]:
    return read_all(number_reader(board, name="a board number", low=1, high=2**31 - 1)).astype(np.int64)


def is_vulnerable(vul: Any, seat: Any) -> NDArray[np.bool_]:
    """Whether a seat's side is vulnerable.

    Parameters
    ----------
    vul : vulnerability or column of vulnerabilities, any shape
        ``none ns ew both`` as words, or codes 0-3.
    seat : seat or column of seats, same shape or one value
        ``N E S W`` as words, or codes 0-3.

    Returns
    -------
    ndarray of bool

    Raises
    ------
    ValueError
        If one is missing or cannot be read.

    Examples
    --------
    >>> is_vulnerable(["none", "ns", "ns", "both"], ["N", "S", "W", "E"])
    array([False,  True, False,  True])
    """
    shape, (vuls, seats) = align(vul_reader(vul), seat_reader(seat))

    def read(start: int, stop: int) -> NDArray[np.bool_]:
        return np.asarray(vuls(start, stop) >> (seats(start, stop) & 1) & 1, np.bool_)

    return read_all((shape, read))[()]
