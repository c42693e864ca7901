"""What a board says by itself: its dealer, who is vulnerable, and the seats and sides these speak of."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.columns import Reader, align, as_column, is_text, number_reader, read_all, text_reader
from bridge_analytics.notation import SEATS, VULS, check_locale, seat_word, vul_word


def seat_reader(seat: Any, *, locale: str = "en") -> Reader:
    """Read a column of seats, as words or as codes 0-3, in chunks of uint8 codes."""
    column = as_column(seat)
    if is_text(column):
        return text_reader(column, partial(seat_word, locale=check_locale(locale)), expected="a seat N E S W")
    return number_reader(column, name="a seat code", low=0, high=3)


def vul_reader(vul: Any, *, locale: str = "en") -> Reader:
    """Read a column of vulnerabilities, as words or as codes 0-3, in chunks of uint8 codes."""
    column = as_column(vul)
    if is_text(column):
        return text_reader(
            column, partial(vul_word, locale=check_locale(locale)), expected="a vulnerability none, ns, ew or both"
        )
    return number_reader(column, name="a vulnerability code", low=0, high=3)


def board_dealer(board: Any) -> NDArray[np.str_]:
    """The dealer of boards by their number: N, E, S, W in turn. Source: Law 2.

    Parameters
    ----------
    board : int or column of integers from 1, any shape

    Returns
    -------
    ndarray of str, same shape

    Examples
    --------
    >>> board_dealer([1, 2, 3, 4, 17])
    array(['N', 'E', 'S', 'W', 'N'], dtype='<U1')
    """
    numbers = _board_numbers(board)
    return np.array(SEATS)[(numbers - 1) % 4][()]


def board_vul(board: Any) -> NDArray[np.str_]:
    """The vulnerability of boards by their number, in the cycle of sixteen. Source: Law 2.

    Parameters
    ----------
    board : int or column of integers from 1, any shape

    Returns
    -------
    ndarray of str, same shape
        ``none ns ew both``.

    Examples
    --------
    >>> board_vul([1, 2, 3, 4, 5, 16])
    array(['none', 'ns', 'ew', 'both', 'ns', 'ew'], dtype='<U4')
    """
    before = _board_numbers(board) - 1
    return np.array(VULS)[(before % 4 + before // 4) % 4][()]


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
    size = int(np.prod(shape))
    return (vuls(0, size) >> (seats(0, size) & 1) & 1).astype(np.bool_).reshape(shape)[()]
