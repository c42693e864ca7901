"""The page of one rubber as players keep it, as HTML for a notebook and as text for a terminal."""

from collections.abc import Sequence
from html import escape
from itertools import zip_longest

import pandas as pd

from bridge_analytics.notebook import shown
from bridge_analytics.rubber_sheet import SHEET_COLUMNS, check_whole

_WIDTH = 14  # characters of a column of the printed page
_CELL = "padding:0 .8em;text-align:right;border:0"
_LINES = {"line": "border-top:3px double", "game": "border-top:1px solid", "total": "border-top:3px double"}

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
        the totals, with what is due for an unfinished rubber. A notebook shows it by itself.

    Raises
    ------
    ValueError
        If the table is no whole sheet or has no deal, if it is not clear which rubber, or there is no such.

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
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return shown(f'<table style="border-collapse:collapse">{table}</table>')


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
    lost = [name for name in SHEET_COLUMNS if name not in sheet]
    if lost or sheet.empty:
        seen = f"a table without {', '.join(lost)}" if lost else "one without deals"
        raise ValueError(f"expected a sheet as score_rubbers gives it, got {seen}")
    ids = sorted(sheet["rubber_id"].unique().tolist())
    if len(ids) > 1 and rubber not in ids:
        raise ValueError(f"expected rubber= one of the {len(ids)} rubber_ids {_some(ids)}, got {rubber!r}")
    if rubber not in (None, *ids):
        raise ValueError(f"expected rubber={ids[0]}, the only rubber_id, or none, got {rubber!r}")
    check_whole(sheet)
    deals = sheet[sheet["rubber_id"] == (ids[0] if rubber is None else rubber)]
    return deals.sort_values("deal_number", kind="stable")


def _some(ids: list[int]) -> str:
    shown = ids if len(ids) < 6 else [*ids[:3], "…", ids[-1]]
    return " ".join(map(str, shown))


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
