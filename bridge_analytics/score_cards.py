"""Score cards: every board of one contestant as it sees them, as a table, as HTML for a notebook and as text."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.awards import SIDES, side_awards
from bridge_analytics.contestants import contestants
from bridge_analytics.notebook import shown
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.rulings import MARKS
from bridge_analytics.sheets import html_table, numbers, sheet_style, text_table
from bridge_analytics.spelling import spell_lead, spell_outcomes
from bridge_analytics.table import check_table
from bridge_analytics.travellers import names_of, without_empty
from bridge_analytics.words import words

_KEPT = (
    *("deal_id", "session", "section", "round", "table", "board_label", "dealer", "vul", "contract", "declarer"),
    *("tricks", "lead", "status", "adjusted_ns", "adjusted_ew", "award_ns_pct", "award_ew_pct"),
)


def own_results(
    scored: pd.DataFrame,
    contestant: str | int,
    *,
    side: str | None = None,
    section: str | None = None,
    form: str = "matchpoints",
    of: str = "pairs",
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """The results of one contestant as it sees them, in the order of play.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it, by the form asked for.
    contestant : str or int
        Its name or number.
    side : {"ns", "ew"}, optional
        Only what it played on this side: for NS 5 of a Mitchell, where EW 5 is another pair.
    section : str, optional
        Only what it played in this section.
    form, of, adjusted, expected, win, datum, imp_scale
        As for :func:`standings`.

    Returns
    -------
    DataFrame
        ``contestant form side opponents score earned top percent ruling`` and what the results say of the board and the
        contract. ``score`` and ``earned`` are its own, positive when good for it; ``earned`` is in the unit of the
        form, and missing where a ruling such as ``A+`` depends on its other boards, which ``ruling`` names; only
        matchpoints have a ``top`` and a ``percent``.

    Raises
    ------
    ValueError
        If nobody of that name sat there, or it sat on both sides of one deal: two pairs have that number.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 2, 2], "NS": [1, 2] * 2, "EW": [3, 4, 4, 3], "Contract": "4S",
    ...                         "By": "N", "Result": ["=", "-1", "=", "+1"]})
    >>> own_results(score_results(read_results(evening)), 3)[["board_label", "opponents", "score", "percent"]]
      board_label opponents  score  percent
    0           1         1 -420.0      0.0
    1           2         2 -650.0      0.0
    """
    table = check_table(scored)
    rulings = None if adjusted is None else load_edition(adjusted, kind="adjusted")
    names, who, sides = contestants(table, of)
    earned = side_awards(table, form, rulings, expected=expected, win=win, datum=datum, imp_scale=imp_scale)
    if str(contestant) not in names:
        raise ValueError(f"expected one of {len(names):,} {of}, got {contestant!r}")
    place = names.index(str(contestant))
    parts = [
        _seen_from(table, own == place, number, earned, form)
        for own, number in zip(who, sides, strict=True)
        if side in (None, SIDES[number])
    ]
    found = pd.concat(parts) if parts else pd.DataFrame(columns=["section"])
    found = found[found["section"].eq(section).fillna(False)] if section is not None else found
    if found.empty:
        raise ValueError(f"expected a contestant of that side and section, got {contestant!r}, {side!r}, {section!r}")
    if side is None and of == "pairs" and found["deal_id"].duplicated().any() and len(found["side"].unique()) > 1:
        raise ValueError(f"expected side, since NS {contestant} and EW {contestant} are two pairs")
    found = found.assign(contestant=str(contestant), form=form)
    return found.sort_values(["session", "round", "board_label"], kind="stable", ignore_index=True)


def _seen_from(table: pd.DataFrame, rows: Any, number: int, earned: tuple[Any, Any, Any], form: str) -> pd.DataFrame:
    """The rows as the side of that number sees them."""
    awards, top, marks = earned
    own, other = SIDES[number], SIDES[1 - number]
    mine: pd.DataFrame = table.loc[rows, [*_KEPT]]
    score = table.loc[rows, "score_ns"].to_numpy(np.float64, na_value=np.nan)
    return mine.assign(
        side=own,
        opponents=names_of(table[rows], other),
        score=score if own == "ns" else 0.0 - score,
        earned=awards[number][rows],
        top=top[number][rows],
        percent=100 * awards[number][rows] / top[number][rows] if form == "matchpoints" else np.nan,
        ruling=pd.array([MARKS[mark] if mark >= 0 else None for mark in marks[number][rows].tolist()], "str"),
    )


def score_card(
    scored: pd.DataFrame,
    contestant: str | int,
    *,
    side: str | None = None,
    section: str | None = None,
    form: str = "matchpoints",
    of: str = "pairs",
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    language: str = "en",
) -> str:
    """The score card of one contestant as HTML; a ranking says what all of it comes to.

    Parameters
    ----------
    scored, contestant, side, section, form, of, adjusted, expected, win, datum, imp_scale
        As for :func:`own_results`, which is the table of it.
    language : {"en", "es"}

    Returns
    -------
    str
        A table. A notebook shows it by itself.

    Raises
    ------
    ValueError
        As :func:`own_results`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S", "By": "N",
    ...                         "Result": ["=", "-1"]})
    >>> score_card(score_results(read_results(evening)), 3).count("<tr>")
    2
    """
    own = own_results(
        scored,
        contestant,
        side=side,
        section=section,
        form=form,
        of=of,
        adjusted=adjusted,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
    )
    return shown(f"<style>{sheet_style()}</style>{html_table(without_empty(shown_card(own, language)))}")


def score_card_text(
    scored: pd.DataFrame,
    contestant: str | int,
    *,
    side: str | None = None,
    section: str | None = None,
    form: str = "matchpoints",
    of: str = "pairs",
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    language: str = "en",
) -> str:
    """The score card of one contestant as text; parameters and errors as :func:`score_card`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S", "By": "N",
    ...                         "Result": ["=", "-1"]})
    >>> print(score_card_text(score_results(read_results(evening)), 3))
    Board  Against  Contract  Score  MP  %
        1        1  4♠ N =     −420   0  0
    """
    own = own_results(
        scored,
        contestant,
        side=side,
        section=section,
        form=form,
        of=of,
        adjusted=adjusted,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
    )
    return text_table(without_empty(shown_card(own, language)))


def shown_card(own: pd.DataFrame, language: str = "en") -> pd.DataFrame:
    """The results of :func:`own_results` as texts under headings; what is the same on every board is left out."""
    say = words(language)
    decimal = say["decimal"]
    form = str(own["form"].iloc[0])
    cells = {say[name]: _where_several(own[name]) for name in ("session", "section", "round")}
    cells |= {
        say["board"]: own["board_label"].astype("str").fillna("").tolist(),
        say["side"]: _where_several(own["side"].map({"ns": say["ns"], "ew": say["ew"]})),
        say["opponents"]: own["opponents"].tolist(),
        say["contract"]: spell_outcomes(own, say),
        say["lead"]: [spell_lead(lead) for lead in own["lead"]],
        say["score"]: numbers(own["score"], digits=0),
    }
    written = numbers(own["earned"], decimal=decimal)
    earned = [text if pd.isna(ruling) else ruling for ruling, text in zip(own["ruling"], written, strict=True)]
    if form == "matchpoints":
        cells[say["mp"]] = earned
        cells[say["percent"]] = numbers(own["percent"], digits=1, decimal=decimal)
    elif form != "points":
        cells[say["imp"]] = earned
    return pd.DataFrame(cells, dtype="str")


def _where_several(column: pd.Series) -> list[str]:
    """The texts of a column, where it has several."""
    several = len(column.unique()) > 1
    return column.astype("str").fillna("").tolist() if several else [""] * len(column)
