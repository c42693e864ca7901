"""Travellers: all results of one board, with what each side scored, as HTML for a notebook and as text."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.awards import FORMS, side_awards
from bridge_analytics.notebook import shown
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.rulings import MARKS
from bridge_analytics.sheets import html_table, numbers, sheet_style, text_table
from bridge_analytics.spelling import spell_lead, spell_outcomes
from bridge_analytics.table import check_table
from bridge_analytics.words import words

_AFTER = {"adjusted": 1, "unknown": 2, "not_played": 3, "sit_out": 4}  # where what has no score stands
_PLAYERS = {"ns": ("north", "south"), "ew": ("east", "west")}


def traveller(
    scored: pd.DataFrame,
    board: int | str | None = None,
    *,
    deal: int | None = None,
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    language: str = "en",
) -> str:
    """All results of one board as HTML, the best for North-South first.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it. Whatever forms it was scored by are shown, for both sides.
    board : int or str, optional
        The number or the label of the board.
    deal : int, optional
        Its ``deal_id`` instead: where several sessions have a board of that number.
    adjusted, expected, win, datum, imp_scale
        As for :func:`standings`: what rulings are worth, and how the results were scored.
    language : {"en", "es"}

    Returns
    -------
    str
        A table, the results that have no score last and named for what they are. A notebook shows it by itself.

    Raises
    ------
    ValueError
        If there is no such board, or several deals are of that number.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1], "NS": [1, 2, 3], "EW": [4, 5, 6], "Contract": ["3S", "4S", "NP"],
    ...                         "By": ["S", "N", ""], "Result": ["=", "=", ""]})
    >>> traveller(score_results(read_results(evening)), 1).count("<tr>")
    4
    """
    table = _shown(
        scored,
        board,
        deal,
        adjusted=adjusted,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
        language=language,
    )
    return shown(f"<style>{sheet_style()}</style>{html_table(table)}")


def traveller_text(
    scored: pd.DataFrame,
    board: int | str | None = None,
    *,
    deal: int | None = None,
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    language: str = "en",
) -> str:
    """All results of one board as text; parameters and errors as :func:`traveller`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1], "NS": [1, 2, 3], "EW": [4, 5, 6], "Contract": ["3S", "4S", "NP"],
    ...                         "By": ["S", "N", ""], "Result": ["=", "=", ""]})
    >>> print(traveller_text(score_results(read_results(evening)), 1))
    NS  EW  Contract    Score NS  MP NS  MP EW  % NS
     2   5  4♠ N =           420      2      0   100
     1   4  3♠ S =           140      0      2     0
     3   6  not played
    """
    table = _shown(
        scored,
        board,
        deal,
        adjusted=adjusted,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
        language=language,
    )
    return text_table(table)


def _shown(scored: pd.DataFrame, board: int | str | None, deal: int | None, **how: Any) -> pd.DataFrame:
    table = check_table(scored)
    here = np.flatnonzero(table["deal_id"] == _deal_of(table, board, deal))
    here = here[traveller_order(table.iloc[here])]
    return without_empty(shown_results(table, here, **how))


def _deal_of(scored: pd.DataFrame, board: int | str | None, deal: int | None) -> int:
    """The one deal that is asked for."""
    if (board is None) == (deal is None):
        raise ValueError(f"expected a board or a deal, got board={board!r} and deal={deal!r}")
    if deal is None:
        asked = (scored["board_label"] == str(board)) | (scored["board"] == board if isinstance(board, int) else False)
        deals = scored.loc[asked.fillna(False), "deal_id"].unique().tolist()
    else:
        deals = scored.loc[scored["deal_id"] == deal, "deal_id"].unique().tolist()
    name = f"board {board!r}" if deal is None else f"deal {deal!r}"
    if not deals:
        raise ValueError(f"expected a board of these results, got {name}")
    if len(deals) > 1:
        few = ", ".join(map(str, deals[:5])) + (" …" if len(deals) > 5 else "")
        raise ValueError(f"expected deal, since {len(deals)} deals are {name}: deal_id {few}")
    return int(deals[0])


def traveller_order(results: pd.DataFrame) -> Any:
    """The positions of results by deal, the best score for North-South first, those without a score after them."""
    score = results["score_ns"].to_numpy(np.float64, na_value=np.nan)
    after = results["status"].astype("str").map(_AFTER).fillna(0).to_numpy()
    return np.lexsort((np.where(np.isnan(score), np.inf, -score), after, results["deal_id"].to_numpy(np.int64)))


def shown_results(
    scored: pd.DataFrame,
    rows: Any = slice(None),
    *,
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    language: str = "en",
) -> pd.DataFrame:
    """Results as texts under headings, row by row: who, what became of the board, and what it is worth to both sides.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it.
    rows : array of int, optional
        The positions of those that are asked for, in their order.
    adjusted, expected, win, datum, imp_scale, language
        As for :func:`traveller`.

    Returns
    -------
    DataFrame of str
    """
    say, results = words(language), scored.iloc[rows]
    section = {say["section"]: _texts(results["section"])} if len(scored["section"].unique()) > 1 else {}
    cells = section | {say[side]: names_of(results, side) for side in ("ns", "ew")}
    cells |= {
        say["contract"]: spell_outcomes(results, say),
        say["lead"]: [spell_lead(lead) for lead in results["lead"]],
        say["score_ns"]: numbers(results["score_ns"].to_numpy(np.float64, na_value=np.nan), digits=0),
    }
    rulings = None if adjusted is None else load_edition(adjusted, kind="adjusted")
    for form in ("matchpoints", "butler", "cross_imps"):
        if not set(FORMS[form]) - set(scored):
            earned = side_awards(scored, form, rulings, expected=expected, win=win, datum=datum, imp_scale=imp_scale)
            awards, top, marks = (part[..., rows] for part in earned)
            if form == "butler":
                cells[say["datum"]] = numbers(results["datum_ns"], decimal=say["decimal"])
            cells |= _worth(form, awards, top, marks, say)
    return pd.DataFrame(cells, dtype="str")


def _worth(form: str, awards: Any, top: Any, marks: Any, say: Mapping[str, str]) -> dict[str, list[str]]:
    """What both sides earned under a form of scoring, with the marks of rulings as they are.

    East-West have no column of IMPs where theirs are those of North-South with the other sign throughout.
    """
    name = {"matchpoints": "mp_side", "butler": "imp_side", "cross_imps": "cross_imp_side"}[form]
    mirrored = form != "matchpoints" and np.array_equal(awards[0], -awards[1], equal_nan=True)
    cells = {}
    for side, award, mark in list(zip(("ns", "ew"), awards, marks, strict=True))[: 1 if mirrored else 2]:
        cells[say[name].format(say[side])] = numbers_or_marks(award, mark, say)
    if form == "matchpoints":
        cells[say["percent_ns"]] = numbers(100 * awards[0] / top[0], digits=1, decimal=say["decimal"])
    return cells


def numbers_or_marks(award: Any, mark: Any, say: Mapping[str, str]) -> list[str]:
    """What was earned, as texts; where that depends on the other boards, the ruling: ``A+``."""
    written = numbers(award, decimal=say["decimal"])
    return [MARKS[place] if place >= 0 else text for place, text in zip(mark.tolist(), written, strict=True)]


def names_of(results: pd.DataFrame, side: str) -> list[str]:
    """Who sat on a side in each row: the pair, else its two players, else nobody."""
    one, two = (results[seat].astype("str").fillna("?") for seat in _PLAYERS[side])
    players = (one + "-" + two).replace("?-?", "")
    return _texts(results[side].astype("str").where(results[side].notna(), players))


def _texts(column: pd.Series) -> list[str]:
    return column.astype("str").fillna("").tolist()


def without_empty(shown: pd.DataFrame) -> pd.DataFrame:
    """A table of texts without the columns in which nothing stands."""
    return shown.loc[:, (shown != "").any()]
