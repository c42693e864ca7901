"""Pages as players know them, as HTML for a notebook and as text for a terminal. Drawing computes nothing."""

from collections.abc import Sequence
from html import escape
from itertools import zip_longest

import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.cards import format_deals

_WIDTH = 14  # characters of a column of the printed page
_CELL = "padding:0 .8em;text-align:right;border:0"
_LINES = {"line": "border-top:3px double", "game": "border-top:1px solid", "total": "border-top:3px double"}

_HAND_WIDTH = 16  # characters of a cell of a diagram
_HAND = "padding:.2em .8em;text-align:left;border:0;vertical-align:top;white-space:pre"
_INK = {"♠": "#000", "♥": "#c00", "♦": "#c00", "♣": "#000"}
_COMPASS = "  N\nW   E\n  S"

Row = tuple[str, str, str]
"""What kind of row it is (plain; line, game and total begin under a rule), and the cells of both sides."""


def rubber_sheet(sheet: pd.DataFrame, *, rubber: int | None = None, sides: Sequence[str] = ("We", "They")) -> str:
    """The page of one rubber as HTML: two columns, and the line.

    Parameters
    ----------
    sheet : DataFrame
        As :func:`score_rubbers` or :func:`score_chicago` gives it.
    rubber : int, optional
        Its ``rubber_id``; not needed where there is but one.
    sides : two str
        What to call North-South and East-West.

    Returns
    -------
    str
        A table. Above the line the first entries stand lowest; below it a rule is drawn under each game; at the foot
        the totals, with what is due for an unfinished rubber. In a notebook: ``HTML(rubber_sheet(sheet))``.

    Raises
    ------
    ValueError
        If it is not clear which rubber, or there is no such.

    Examples
    --------
    >>> from bridge_analytics.rubber import score_rubbers
    >>> deals = pd.DataFrame({"rubber": 1, "side": ["NS"], "contract": ["2H"], "tricks": [9]})
    >>> rubber_sheet(score_rubbers(deals)).count("<tr")
    5
    """
    rows = _page(sheet, rubber)
    head = "".join(f'<th style="{_CELL}">{escape(side)}</th>' for side in _two(sides))
    body = "".join(
        f'<tr style="{_LINES.get(kind, "")}">' + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"
        for kind, *cells in rows
    )
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def rubber_sheet_text(sheet: pd.DataFrame, *, rubber: int | None = None, sides: Sequence[str] = ("We", "They")) -> str:
    """The page of one rubber as text; parameters and errors as :func:`rubber_sheet`.

    Examples
    --------
    >>> from bridge_analytics.rubber import score_rubbers
    >>> deals = pd.DataFrame({"rubber": 1, "side": ["NS", "EW"], "contract": ["2H", "3NT"], "tricks": [9, 9]})
    >>> print(rubber_sheet_text(score_rubbers(deals)))
                We |           They
                30 |
    ===============+===============
                60 |            100
    ---------------+---------------
                   | unfinished 300
    ===============+===============
                90 |            400
    """
    rules = {"line": "=", "game": "-", "total": "="}
    lines = [_text_row(*_two(sides))]
    for kind, ours, theirs in _page(sheet, rubber):
        if kind in rules:
            lines.append("+".join([rules[kind] * (_WIDTH + 1)] * 2))
        if ours or theirs or not kind:
            lines.append(_text_row(ours, theirs))
    return "\n".join(lines)


def _two(sides: Sequence[str]) -> Sequence[str]:
    if len(sides) != 2:
        raise ValueError(f"expected the names of two sides, got {sides!r}")
    return sides


def _text_row(ours: str, theirs: str) -> str:
    return f"{ours:>{_WIDTH}} | {theirs:>{_WIDTH}}".rstrip()


def _page(sheet: pd.DataFrame, rubber: int | None) -> list[Row]:
    """The rows of the page from the top down."""
    deals = _deals(sheet, rubber)
    above: list[Row] = [("", *pair) for pair in _pairs([_above(deals, side) for side in ("ns", "ew")])][::-1]
    below: list[Row] = []
    kind, start = "line", 0
    ends = [place + 1 for place, game in enumerate(deals["game"].notna()) if game]
    for end in dict.fromkeys([*ends, len(deals)]):
        part = deals.iloc[start:end]
        cells = _pairs([_entries(part[f"below_{side}"]) for side in ("ns", "ew")]) or [("", "")]
        below += [(kind if first == 0 else "", *pair) for first, pair in enumerate(cells)]
        kind, start = "game", end
    last = deals.iloc[-1]
    if ends and ends[-1] == len(deals) and not last["rubber_over"]:
        below.append(("game", "", ""))
    unfinished = [int(last[f"unfinished_{side}"]) for side in ("ns", "ew")]
    totals = [int(last[f"total_{side}"]) + more for side, more in zip(("ns", "ew"), unfinished, strict=True)]
    due = [f"unfinished {points}" if points else "" for points in unfinished]
    stopped: list[Row] = [("", due[0], due[1])] if any(due) else []
    return [*above, *below, *stopped, ("total", str(totals[0]), str(totals[1]))]


def _pairs(columns: list[list[str]]) -> list[tuple[str, str]]:
    """The entries of both sides beside one another, as far as either has some."""
    return [(ours, theirs) for ours, theirs in zip_longest(*columns, fillvalue="")]


def _deals(sheet: pd.DataFrame, rubber: int | None) -> pd.DataFrame:
    """The deals of one rubber in the order of play."""
    ids = sheet["rubber_id"].unique()
    if rubber is None and len(ids) == 1:
        rubber = int(ids[0])
    deals = sheet[sheet["rubber_id"] == rubber]
    if deals.empty:
        raise ValueError(f"expected the rubber_id of one of {len(ids)} rubbers, got {rubber!r}")
    return deals.sort_values("deal_number", kind="stable")


def _entries(points: pd.Series) -> list[str]:
    return [str(number) for number in points if number]


def _above(deals: pd.DataFrame, side: str) -> list[str]:
    """Entries above the line in the order in which they were written, honours and premiums by themselves."""
    found = []
    for deal in deals.to_dict("records"):
        apart = [(deal[f"{name}_{side}"], name) for name in ("honours", "premium")]
        rest = deal[f"above_{side}"] - sum(points for points, _ in apart)
        found += [f"{name} {points}".strip() for points, name in ((rest, ""), *apart) if points]
    return found


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
        A table of three by three cells. In a notebook: ``HTML(deal(hands))``.

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
        for hand in _diagram(hands)
    )
    corner = "<br>".join(map(escape, _board_lines(board, dealer, vul)))
    rows = ((corner, north, ""), (west, _COMPASS.replace("\n", "<br>"), east), ("", south, ""))
    body = "".join("<tr>" + "".join(f'<td style="{_HAND}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f'<table style="border-collapse:collapse">{body}</table>'


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
    north, east, south, west = ([f"{suit} {cards}" for suit, cards in hand] for hand in _diagram(hands))
    empty = [""] * 4
    rows = [
        *zip_longest(_board_lines(board, dealer, vul), north, empty, fillvalue=""),
        *zip_longest(west, _COMPASS.split("\n"), east, fillvalue=""),
        *zip_longest(empty, south, fillvalue=""),
    ]
    return "\n".join("".join(f"{cell:<{_HAND_WIDTH}}" for cell in row).rstrip() for row in rows)


def _diagram(hands: ArrayLike) -> list[list[tuple[str, str]]]:
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
