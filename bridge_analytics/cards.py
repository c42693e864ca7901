"""Hands and deals as sets of cards: read, write, check and identify them.

A hand is a ``uint64`` with one bit for each of the 52 cards. Card ``rank`` of ``suit`` is bit ``13 * suit + rank``:
suits 0-3 are clubs, diamonds, hearts, spades (as in ``STRAINS``), ranks 0-12 are 2, 3 ... 9, ten, J, Q, K, A. So

- the holding in a suit is ``(hand >> 13 * suit) & 0x1FFF``, one of 8,192, and its higher card is the higher bit;
- the cards of both partners are ``north | south``, and ``numpy.bitwise_count`` counts cards.

Deals are ``(n, 4)``: the hands of North, East, South and West. An empty set is a hand that is not known, in PBN ``-``.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.card_text import RANKS, SUITS, letters_of, read_hands, spell, take_first_seat
from bridge_analytics.columns import as_column, shape_of, spans
from bridge_analytics.readers import number_reader, read_all

Hands = NDArray[np.uint64]

_CHUNK = 1 << 13  # texts at a time: what is in work stays near 10 MB
_A_HAND = "a hand of four suits S.H.D.C such as 'AKQ52.K9.Q84.K76', no card twice"
_A_DEAL = "a deal such as 'N:hand hand hand hand', each hand S.H.D.C such as 'AKQ52.K9.Q84.K76' with no card twice"


def parse_hands(text: ArrayLike) -> Hands:
    """Hands from text, suits in the order spades, hearts, diamonds, clubs.

    Parameters
    ----------
    text : array_like of str, any shape
        ``"AKQ52.K9.Q84.K76"``: ranks in any order and case, the ten as ``T`` or ``10``; a void is nothing or ``-``.
        A lone ``-`` is a hand that is not known: no cards.

    Returns
    -------
    ndarray of uint64, same shape
        Sets of cards. Their number is not judged: see :func:`check_deals`.

    Raises
    ------
    ValueError
        If a text is null, is not a hand, or holds a card twice.

    Examples
    --------
    >>> np.bitwise_count(parse_hands(["AKQ52.K9.Q84.K76", "akq5.10.-.", "-"]))
    array([13,  5,  0], dtype=uint8)
    """
    column = as_column(text)
    shape = shape_of(column)
    hands = np.empty(int(np.prod(shape)), np.uint64)
    for start, stop in spans(hands.size, _CHUNK):
        texts = _texts(column, start, stop, _A_HAND)
        found, bad = read_hands(*letters_of(texts), each=1)
        _refuse(bad, texts, start, _A_HAND)
        hands[start:stop] = found[:, 0]
    return hands.reshape(shape)[()]


def parse_deals(text: ArrayLike) -> Hands:
    """Deals from PBN text, whichever seat comes first.

    Parameters
    ----------
    text : array_like of str, any shape
        ``"E:hand hand hand hand"``: the seat of the first hand, then the hands clockwise, each as
        :func:`parse_hands` reads it.

    Returns
    -------
    ndarray of uint64, shape of ``text`` + (4,)
        The hands of North, East, South, West. Whether they make a pack is not judged: see :func:`check_deals`.

    Raises
    ------
    ValueError
        If a text is null, is not a deal, or holds a card twice in one hand.

    Notes
    -----
    Source: PBN 2.1, tag ``Deal``.

    Examples
    --------
    >>> format_deals(parse_deals("W:AK.32.. - - QJ.A.."))
    'N:- - QJ.A.. AK.32..'
    """
    column = as_column(text)
    shape = shape_of(column)
    deals = np.empty((int(np.prod(shape)), 4), np.uint64)
    for start, stop in spans(len(deals), _CHUNK):
        texts = _texts(column, start, stop, _A_DEAL)
        letters, begins = letters_of(texts)
        first = take_first_seat(letters, begins)
        found, bad = read_hands(letters, begins, each=4)
        _refuse(bad | (first < 0), texts, start, _A_DEAL)
        deals[start:stop] = np.take_along_axis(found, (np.arange(4) - first[:, None]) % 4, axis=1)
    return deals.reshape((*shape, 4))


def format_hands(hands: ArrayLike) -> NDArray[np.object_]:
    """Text of hands, suits in the order spades, hearts, diamonds, clubs.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of cards.

    Returns
    -------
    ndarray of str objects, same shape, or a str for one hand
        Ranks from the ace down, voids as nothing, an empty hand as ``-``.

    Raises
    ------
    ValueError
        If a number is not a set of 52 cards.

    Examples
    --------
    >>> format_hands(parse_hands("q84.AKT.-.2"))
    'Q84.AKT..2'
    """
    sets = _card_sets(hands)
    return _spelt(sets.reshape(-1, 1), sets.shape, "")


def format_deals(deals: ArrayLike) -> NDArray[np.object_]:
    """PBN text of deals, North first.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.

    Returns
    -------
    ndarray of str objects, shape of ``deals`` without its last axis, or a str for one deal
        ``"N:hand hand hand hand"``, each hand as :func:`format_hands` writes it.

    Raises
    ------
    ValueError
        If the last axis is not four hands, or a number is not a set of 52 cards.

    Examples
    --------
    >>> format_deals(parse_deals(["S:.A.. K... - -"]))
    array(['N:- - .A.. K...'], dtype=object)
    """
    sets = _deal_sets(deals)
    return _spelt(sets.reshape(-1, 4), sets.shape[:-1], "N:")


def check_deals(deals: ArrayLike) -> NDArray[np.object_]:
    """What is wrong with each deal: an empty text where the four hands make a pack.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.

    Returns
    -------
    ndarray of str objects, shape of ``deals`` without its last axis, or a str for one deal
        ``""`` for a sound deal, else its faults between ``"; "``: hands that are not known, hands that do not have 13
        cards, cards held by more than one seat. ``check_deals(deals) == ""`` picks the sound deals.

    Raises
    ------
    ValueError
        If the last axis is not four hands, or a number is not a set of 52 cards.

    Examples
    --------
    >>> check_deals(parse_deals("N:AKQJT98765432... A.KQJT98765432.. ..AKQJT9876543. -"))
    'S has 12 cards; W is not known; more than one seat holds SA'
    """
    sets = _deal_sets(deals)
    rows = sets.reshape(-1, 4)
    sizes, twice = np.bitwise_count(rows), _held_twice(rows)
    faults = np.full(len(rows), "", object)
    bad = np.flatnonzero((sizes != 13).any(axis=1) | (twice != 0))
    kinds, which = np.unique(np.column_stack([sizes[bad], twice[bad]]), axis=0, return_inverse=True)
    faults[bad] = np.array([_faults(kind.tolist()) for kind in kinds], object)[which.reshape(-1)]
    return faults.reshape(sets.shape[:-1])[()]


def deal_hash(deals: ArrayLike) -> Hands:
    """A number that identifies a deal by its cards, the same on every machine and in every version.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.

    Returns
    -------
    ndarray of uint64, shape of ``deals`` without its last axis
        Equal deals have equal numbers; two different deals of a million share one with a chance of 3 in 100 million.

    Raises
    ------
    ValueError
        If the last axis is not four hands, or a number is not a set of 52 cards.

    Notes
    -----
    From 0, for each of the four hands in order: ``h = mix(h ^ hand)``, where ``mix`` is one step of SplitMix64.
    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).

    Examples
    --------
    >>> hex(deal_hash(parse_deals("N:A... K... Q... J...")))
    '0x26ceb70acf35b5e0'
    """
    sets = _deal_sets(deals)
    state = np.zeros(sets.shape[:-1], np.uint64)
    for seat in range(4):
        state = _mix(state ^ sets[..., seat])
    return state[()]


def _mix(state: Hands) -> Hands:
    with np.errstate(over="ignore"):  # modulo 2**64
        state = state + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)))


def _card_sets(hands: ArrayLike) -> Hands:
    """The hands as uint64, refusing what is not a set of 52 cards."""
    sets: Hands = read_all(number_reader(hands, name="a set of cards", low=0, high=(1 << 52) - 1))
    return sets


def _deal_sets(deals: ArrayLike) -> Hands:
    sets = _card_sets(deals)
    if sets.ndim == 0 or sets.shape[-1] != 4:
        raise ValueError(f"expected deals of four hands N E S W, got an array of shape {sets.shape}")
    return sets


def _held_twice(rows: Hands) -> Hands:
    """The cards that more than one seat of a deal holds."""
    north, east, south, west = rows.T
    twice: Hands = (north & east) | ((north | east) & south) | ((north | east | south) & west)
    return twice


def _faults(kind: list[int]) -> str:
    """The faults of a deal in words, from the number of cards of the four seats and the cards held twice."""
    *sizes, twice = kind
    seats = zip("NESW", sizes, strict=True)
    counted = [f"{seat} has {n} cards" if n else f"{seat} is not known" for seat, n in seats if n != 13]
    cards = [SUITS[card // 13] + RANKS[card % 13] for card in range(51, -1, -1) if twice >> card & 1]
    return "; ".join(counted + [f"more than one seat holds {' '.join(cards)}"] * bool(cards))


def _texts(column: Any, start: int, stop: int, expected: str) -> list[str]:
    """One stretch of a column of texts, refusing what is not text."""
    if isinstance(column, pa.ChunkedArray):
        cells = column.slice(start, stop - start).to_pylist()
    else:
        cells = np.asarray((column.reshape(-1) if isinstance(column, np.ndarray) else column)[start:stop]).tolist()
    bad = np.fromiter((not isinstance(cell, str) for cell in cells), np.bool_, len(cells))
    _refuse(bad, cells, start, expected)
    return list(cells)


def _refuse(bad: NDArray[np.bool_], texts: list[Any], start: int, expected: str) -> None:
    """Raise for the first bad text, if there is one."""
    if bad.any():
        where = int(bad.argmax())
        raise ValueError(f"expected {expected}, got {texts[where]!r} at position {start + where}")


def _spelt(rows: Hands, shape: tuple[int, ...], head: str) -> NDArray[np.object_]:
    """The text of each row of hands behind ``head``, in the shape asked for."""
    texts = np.empty(len(rows), object)
    for start, stop in spans(len(rows), _CHUNK):
        texts[start:stop] = [head + text for text in spell(rows[start:stop])]
    return texts.reshape(shape)[()]
