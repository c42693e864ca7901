"""Cells of PBN that say which side they speak of, and marks of what was irregular."""

import re
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table

Objects = NDArray[Any]

_NUMBER = r"([+-]?[0-9]+(?:\.[0-9]+)?)"
_SIDES = re.compile(rf"(?:(NS|EW)\s*)?{_NUMBER}(?:\s*(NS|EW)\s*{_NUMBER})?", re.IGNORECASE)
_REDOUBLED = re.compile(r"\s*([1-7]\s*(?:[CDHS]|NT?))\s*R\s*", re.IGNORECASE)


def sides(column: Objects, declarer: Objects) -> tuple[Objects, Objects, NDArray[np.bool_]]:
    """What each cell says of North-South and of East-West.

    Parameters
    ----------
    column : ndarray of object, shape (n,)
        ``"NS 420"``, ``"EW -420"``, ``"NS 420 EW -420"``; a number alone is declarer's side's.
    declarer : ndarray of object, shape (n,)

    Returns
    -------
    ns, ew : ndarray of object, shape (n,)
        None where a cell does not say. One that cannot be read stands as it is with North-South.
    unowned : ndarray of bool, shape (n,)
        Where a number alone has no declarer: it is in neither.

    Examples
    --------
    >>> cells = np.array(["NS 420", "EW 9 NS 4", "-50", "x"], object)
    >>> [side.tolist() for side in sides(cells, np.array(["S", "N", "W", "E"], object))[:2]]
    [['420', '4', None, 'x'], [None, '9', '-50', None]]
    """
    whose, seats = pd.factorize(np.array([seat or "" for seat in declarer], object))
    said, words = pd.factorize(column)
    pairs, place = np.unique(whose * (len(words) + 1) + said + 1, return_inverse=True)
    found = [_sides(["", *words][pair % (len(words) + 1)], seats[pair // (len(words) + 1)]) for pair in pairs.tolist()]
    ns, ew, unowned = np.array([*found, (None, None, False)], object).T[:, place]
    return ns, ew, unowned.astype(np.bool_)


def _sides(text: str, declarer: str) -> tuple[str | None, str | None, bool]:
    found = _SIDES.fullmatch(text.strip())
    if not found or (found[3] and not found[1]):
        return text or None, None, False
    one, number, other, second = found.groups()
    if one is None:
        seat = declarer.strip().upper()[:1]
        no_one = seat not in ("N", "E", "S", "W")
        return (number if seat in ("N", "S") else None), (number if seat in ("E", "W") else None), no_one
    both = {one.upper(): number} | ({other.upper(): second} if other else {})
    return both.get("NS"), both.get("EW"), False


def tricks_of(column: Objects, declarer: Objects) -> Objects:
    """The tricks of declarer's side, from ``"9"`` or from a number for one side or both, ``"EW 4"``.

    What cannot be read, or names sides whose tricks are not 13, stays as it stands.

    Examples
    --------
    >>> tricks_of(np.array(["NS 9", "EW 4", "NS 9 EW 3"], object), np.array(["S", "N", "E"], object)).tolist()
    ['9', '9', 'NS 9 EW 3']
    """
    sided = np.array([cell is not None and cell[:1] in "NSEWnsew" and cell != "" for cell in column], np.bool_)
    if not sided.any():
        return column
    column = column.copy()
    ns, ew, _ = sides(column[sided], declarer[sided])
    seats = [(seat or "").strip().upper()[:1] for seat in declarer[sided]]
    column[sided] = [_own(*row) for row in zip(column[sided], ns, ew, seats, strict=True)]
    return column


def _own(text: str, ns: str | None, ew: str | None, seat: str) -> str:
    numbers = [int(side) if side is not None and side.isdecimal() else None for side in (ns, ew)]
    first, second = numbers if seat in ("N", "S") else numbers[::-1]
    first = 13 - second if first is None and second is not None else first
    right = first is not None and 0 <= first <= 13 and second in (None, 13 - first) and seat in ("N", "E", "S", "W")
    return str(first) if right else text


def irregular(columns: dict[str, Objects], source_row: NDArray[np.int64]) -> list[pd.DataFrame]:
    """Take off, in place, the caret that marks a cell as irregular, and read ``R`` as redoubled; name both."""
    faults = []
    for name in ("dealer", "vul", "contract", "declarer", "tricks"):
        column = columns.get(name, np.empty(0, object))
        marked = np.array([cell is not None and cell[:1] == "^" for cell in column], np.bool_)
        said = column.copy()
        column[marked] = [cell[1:] for cell in column[marked]]
        if name == "contract":
            written = np.array([cell is not None and cell[-1:] in "Rr" and cell != "" for cell in column], np.bool_)
            column[written] = [_REDOUBLED.sub(r"\1XX", cell) for cell in column[written]]
            marked |= written & (column != said)
        if marked.any():
            faults.append(fault_table("irregular", source_row[marked], column=name, value=said[marked]))
    return faults
