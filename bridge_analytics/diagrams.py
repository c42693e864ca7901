"""The diagram of a deal: four hands around the table, as HTML for a notebook and as text for a terminal."""

from html import escape
from itertools import zip_longest

from numpy.typing import ArrayLike

from bridge_analytics.cards import format_deals
from bridge_analytics.notebook import shown

_HAND_WIDTH = 16  # characters of a cell of a diagram
_HAND = "padding:.2em .8em;text-align:left;border:0;vertical-align:top;white-space:pre"
_INK = {"♠": "#000", "♥": "#c00", "♦": "#c00", "♣": "#000"}
_COMPASS = "  N\nW   E\n  S"


def deal(hands: ArrayLike, *, board: int | None = None, dealer: str = "", vul: str = "") -> str:
    """The diagram of one deal as HTML: the four hands around the table.

    Parameters
    ----------
    hands : array_like of int, shape (4,)
        The hands of North, East, South, West.
    board : int, optional
        Its number, shown with ``dealer`` and ``vul`` where they are given.
    dealer, vul : str
        As they are to be shown.

    Returns
    -------
    str
        A table of three by three cells. A notebook shows it by itself.

    Raises
    ------
    ValueError
        If it is not four hands.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_deals
    >>> deal(parse_deals("N:AKQ.JT9.876.5432 - - -"), board=1).count("<td")
    9
    """
    north, east, south, west = (
        "<br>".join(f'<span style="color:{_INK[suit]}">{suit}</span> {cards}' for suit, cards in hand)
        for hand in hands_by_suit(hands)
    )
    corner = "<br>".join(map(escape, _board_lines(board, dealer, vul)))
    rows = ((corner, north, ""), (west, _COMPASS.replace("\n", "<br>"), east), ("", south, ""))
    body = "".join("<tr>" + "".join(f'<td style="{_HAND}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return shown(f'<table style="border-collapse:collapse">{body}</table>')


def deal_text(hands: ArrayLike, *, board: int | None = None, dealer: str = "", vul: str = "") -> str:
    """The diagram of one deal as text; parameters and errors as :func:`deal`.

    Examples
    --------
    >>> from bridge_analytics.cards import parse_deals
    >>> print(deal_text(parse_deals("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"), board=1))
    Board 1          ♠ QJ6
                     ♥ K652
                     ♦ J85
                     ♣ T98
    ♠ AT942            N            ♠ 873
    ♥ AQ4            W   E          ♥ J97
    ♦ 32               S            ♦ AT764
    ♣ KJ3                           ♣ Q4
                     ♠ K5
                     ♥ T83
                     ♦ KQ9
                     ♣ A7652
    """
    north, east, south, west = ([f"{suit} {cards}" for suit, cards in hand] for hand in hands_by_suit(hands))
    empty = [""] * 4
    rows = [
        *zip_longest(_board_lines(board, dealer, vul), north, empty, fillvalue=""),
        *zip_longest(west, _COMPASS.split("\n"), east, fillvalue=""),
        *zip_longest(empty, south, fillvalue=""),
    ]
    return "\n".join("".join(f"{cell:<{_HAND_WIDTH}}" for cell in row).rstrip() for row in rows)


def hands_by_suit(hands: ArrayLike) -> list[list[tuple[str, str]]]:
    """For each seat its suits from spades down, with their cards, ``–`` for a void; nothing of a hand not known."""
    text = format_deals(hands)
    if not isinstance(text, str):
        raise ValueError(f"expected one deal of four hands, got {len(text)} deals")
    return [
        list(zip("♠♥♦♣", (cards or "–" for cards in hand.split(".")), strict=True)) if hand != "-" else []
        for hand in text[2:].split(" ")
    ]


def _board_lines(board: int | None, dealer: str, vul: str) -> list[str]:
    number = [] if board is None else [f"Board {board}"]
    return number + [f"Dealer {dealer}"] * bool(dealer) + [f"Vul {vul}"] * bool(vul)
