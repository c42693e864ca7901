"""Distribution: short suits, honours in short suits, tens together, as an edition counts them."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge_analytics import holdings
from bridge_analytics.columns import spans
from bridge_analytics.laws import AnyEdition
from bridge_analytics.points import HONOURS
from bridge_analytics.readers import align, code_reader
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.valuing import holding_of, refuse_incomplete, set_reader, sum_of_suits, value_hands

_SUITS = "CDHS"
_A_SUIT = "a suit C D H S"
_TENS = np.uint64(sum(1 << 13 * suit + 8 for suit in range(4)))


def point_parts(
    hands: ArrayLike,
    *,
    contract: str = "suit",
    trumps: Any = None,
    points: AnyEdition = "points-work",
    edition: AnyEdition = "hands-work",
) -> dict[str, NDArray[np.float64]]:
    """The parts of the total points of hands: what of the honours counts, the distribution, the tens together.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.
    contract : {"suit", "notrump"}
        What is to be played.
    trumps : suit ``C D H S`` or its code 0-3, or array_like of them, optional
        A suit that does not count as short, since it cannot be ruffed; missing: none. Broadcast with ``hands``.
    points : str, path or Edition
        What the honours are worth, as in :func:`hcp`.
    edition : str, path or Edition
        An edition of kind ``hands``: shortness, honours in short suits, tens.

    Returns
    -------
    dict of ndarray of float64, the common shape
        ``honours``, ``distribution`` and ``tens``: they sum to :func:`total_points`. [points]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards, or ``contract`` or ``trumps`` is none of the words.

    Notes
    -----
    Where an edition counts a lone king, queen or jack as an honour *or* as a short suit, it is counted under the
    larger, as an honour where they are equal. Source: text 000, section 20.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> parts = point_parts(parse_hands("A9876.J.QJ.T5432"), edition="hands-000")
    >>> {part: float(value) for part, value in parts.items()}
    {'honours': 7.0, 'distribution': 2.0, 'tens': 0.0}
    """
    rules, worth = load_edition(edition, "hands"), load_edition(points, "points")
    if contract not in ("suit", "notrump"):
        raise ValueError(f"expected contract 'suit' or 'notrump', got {contract!r}")
    side = _suit_tables(rules, worth, rules[f"shortage.{contract}"])
    trump = _suit_tables(rules, worth, (0, 0, 0))
    tens = np.array(rules["tens.held"], np.float64)
    shape, (cards, suits) = align(
        set_reader(hands), code_reader(trumps, _suit_word, name="a suit", count=4, expected=_A_SUIT, null=4)
    )
    out = np.zeros((3, int(np.prod(shape))))
    for start, stop in spans(out.shape[1]):
        part, own = cards(start, stop), suits(start, stop)
        refuse_incomplete(part, start)
        for suit in range(4):
            holding = holding_of(part, suit)
            counted = side.take(holding, axis=1, mode="wrap")
            if (is_trump := own == suit).any():
                counted = np.where(is_trump, trump.take(holding, axis=1, mode="wrap"), counted)
            out[:2, start:stop] += counted
        out[2, start:stop] = tens[np.bitwise_count(part & _TENS)]
    return dict(zip(("honours", "distribution", "tens"), (part.reshape(shape)[()] for part in out), strict=True))


def _suit_word(text: str) -> int:
    if len(text) == 1 and text in _SUITS:
        return _SUITS.index(text)
    raise ValueError(f"expected {_A_SUIT}, got {text!r}")


@lru_cache(maxsize=64)
def _suit_tables(rules: Edition, points: Edition, shortage: tuple[float, ...]) -> NDArray[np.float64]:
    """What counts of the honours of each holding, and what its shortness earns: shape (2, 8192)."""
    cards = (holdings.ACE, holdings.KING, holdings.QUEEN, holdings.JACK, holdings.TEN)
    worth = [float(points[f"points.{rank}"]) for rank in HONOURS]
    honours = np.sum([value * card for value, card in zip(worth, cards, strict=True)], axis=0)
    short = [holdings.VOID, holdings.SINGLETON, holdings.DOUBLETON]
    earned = np.select(short, [float(value) for value in shortage], 0.0)
    if rules["honours.singleton"] == "larger":
        either = holdings.SINGLETON & (holdings.KING | holdings.QUEEN | holdings.JACK)
        honours, earned = (
            np.where(either & (honours < earned), 0.0, honours),
            np.where(either & (honours >= earned), 0.0, earned),
        )
    if rules["honours.doubleton"] != "both":
        only = holdings.DOUBLETON & (holdings.QUEEN | holdings.JACK)
        if rules["honours.doubleton"] == "unsupported":
            only &= ~(holdings.ACE | holdings.KING)
        earned = np.where(only, 0.0, earned)
    tables = np.stack([honours, earned])
    tables.flags.writeable = False
    return tables


def distribution_points(
    hands: ArrayLike,
    *,
    contract: str = "suit",
    trumps: Any = None,
    points: AnyEdition = "points-work",
    edition: AnyEdition = "hands-work",
) -> NDArray[np.float64]:
    """Points for short suits.

    Parameters
    ----------
    hands, contract, trumps, points, edition
        As in :func:`point_parts`; ``points`` matters where an honour may count instead of its short suit.

    Returns
    -------
    ndarray of float64, the common shape
        3 for a void, 2 for a singleton, 1 for a doubleton in the shipped editions but ``hands-fit``; none at
        no trump. [points]

    Raises
    ------
    ValueError
        As :func:`point_parts`.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> hand = parse_hands("K.Q.J.AKQJT98765")
    >>> distribution_points(hand), distribution_points(hand, edition="hands-000")
    (np.float64(6.0), np.float64(2.0))
    """
    return point_parts(hands, contract=contract, trumps=trumps, points=points, edition=edition)["distribution"]


def total_points(
    hands: ArrayLike,
    *,
    contract: str = "suit",
    trumps: Any = None,
    points: AnyEdition = "points-work",
    edition: AnyEdition = "hands-work",
) -> NDArray[np.float64]:
    """High-card and distribution points together, each as far as the edition counts it.

    Parameters
    ----------
    hands, contract, trumps, points, edition
        As in :func:`point_parts`.

    Returns
    -------
    ndarray of float64, the common shape
        The sum of the parts. [points]

    Raises
    ------
    ValueError
        As :func:`point_parts`.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> total_points(parse_hands(["T62.Q.AQT852.QJT", "Q2.J3.KQ54.AJ876"]), edition="hands-000")
    array([11.5, 13. ])
    """
    parts = point_parts(hands, contract=contract, trumps=trumps, points=points, edition=edition)
    return parts["honours"] + parts["distribution"] + parts["tens"]


def length_points(hands: ArrayLike, *, edition: AnyEdition = "hands-work") -> NDArray[np.float64]:
    """Points for long suits: one for each card beyond the fourth in the shipped editions.

    Parameters
    ----------
    hands : array_like of int, any shape
        Sets of 13 cards.
    edition : str, path or Edition
        An edition of kind ``hands``.

    Returns
    -------
    ndarray of float64, same shape
        Counted instead of short suits, not with them: :func:`total_points` has none of it. [points]

    Raises
    ------
    ValueError
        If a hand does not have 13 cards.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_hands
    >>> length_points(parse_hands(["AKQ52.K9.Q84.K76", "A.K2.Q32.J765432"]))
    array([1., 3.])
    """
    rules = load_edition(edition, "hands")
    table = np.maximum(holdings.LENGTH - (rules["length.from"] - 1), 0) * float(rules["length.each"])
    return value_hands(hands, lambda part: sum_of_suits(part, table), np.float64)
