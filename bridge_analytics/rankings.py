"""Would we have won at IMPs? One event ranked under every form of scoring, and with each board left out."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.awards import FORMS
from bridge_analytics.comparison import cross_imps, matchpoints
from bridge_analytics.datums import butler
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.standings import standings
from bridge_analytics.table import check_table

_DATUMS = ("datum-trimmed", "datum-mean", "datum-median", "datum-truncated", "datum-acblscore")


def standings_by_form(
    scored: pd.DataFrame,
    *,
    forms: str | Sequence[str] = tuple(FORMS),
    datums: str | Edition | Sequence[str | Edition] = _DATUMS,
    imp_scales: str | Edition | Sequence[str | Edition] = "imps-1962",
    winners: int | None = None,
    of: str = "pairs",
    within: str | Sequence[str] = (),
    sessions: str = "sum",
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    sub_field: str | None = None,
) -> pd.DataFrame:
    """The standings of an event under several forms of scoring, datums and scales.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it. Matchpoints are taken as they are there, or are worked out;
        IMPs are worked out anew.
    forms : {"matchpoints", "butler", "cross_imps", "points"}, or sequence of them
    datums : str, path or Edition, or sequence of them
        Of kind ``datum``, for Butler.
    imp_scales : str, path or Edition, or sequence of them
        Of kind ``imps``, for Butler and cross-IMPs.
    winners, of, within, sessions, adjusted, expected, win, sub_field
        As for :func:`standings`. Points never count rulings, and only matchpoints the results of a full board.

    Returns
    -------
    DataFrame
        ``form``, ``datum`` and ``imp_scale`` (by name, missing where the form has none), and the standings under them,
        one below the other.

    Raises
    ------
    ValueError
        As :func:`standings`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1, 2, 2, 2, 3, 3, 3], "NS": [1, 2, 3] * 3, "EW": [4, 5, 6] * 3,
    ...                         "Contract": ["1NT", "1NT", "1NT", "2H", "2H", "2H", "6S", "6S", "6S"], "By": "N",
    ...                         "Result": ["+1", "=", "=", "+1", "=", "=", "-1", "=", "-2"]})
    >>> found = standings_by_form(score_results(read_results(evening)), datums=["datum-mean"])
    >>> found.loc[(found["side"] == "ns") & (found["place"] == "1"), ["form", "contestant"]]
               form contestant
    0   matchpoints          1
    6        butler          2
    12   cross_imps          2
    18       points          2
    """
    table = check_table(scored)
    parts = [
        standings(
            rows,
            form=form,
            winners=winners,
            of=of,
            within=within,
            sessions=sessions,
            adjusted=None if form == "points" else adjusted,
            expected=expected if form == "matchpoints" else None,
            win=win,
            datum=datum or "datum-trimmed",
            imp_scale=scale or "imps-1962",
            sub_field=sub_field,
        ).pipe(_headed, form, datum, scale)
        for form, datum, scale, rows in _scored_by(table, forms, datums, imp_scales, expected, win)
    ]
    return pd.concat(parts, ignore_index=True)


def decisive_boards(scored: pd.DataFrame, **ranked_by: Any) -> pd.DataFrame:
    """Who would have won without each of the boards: the board that decided an event.

    Parameters
    ----------
    scored : DataFrame
        As for :func:`standings`.
    **ranked_by
        The options with which :func:`standings` ranks the event, fines and handicaps included: all but ``within``, and
        ``expected`` as a number.

    Returns
    -------
    DataFrame
        A row for each deal and ranking, in the order of deals: ``deal_id session board_label``, ``side`` (missing where
        there is one winner), ``winner`` without the deal (with its section where there are several; more than
        one after a tie), and ``decides``: whether these are others than with it.

    Raises
    ------
    ValueError
        As :func:`standings`; or if ``within`` is given.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 2, 2, 3, 3], "NS": [1, 2] * 3, "EW": [3, 4] * 3, "Contract": "4S",
    ...                         "By": "N", "Result": ["=", "-1", "=", "-1", "-1", "="]})
    >>> found = decisive_boards(score_results(read_results(evening)))
    >>> found.loc[found["side"] == "ns", ["board_label", "winner", "decides"]]
      board_label winner  decides
    0           1   1, 2     True
    2           2   1, 2     True
    4           3      1    False
    """
    table = check_table(scored)
    sections = len(table["section"].unique()) > 1
    if "within" in ranked_by:
        raise ValueError("expected one ranking for each side, got within: choose the rows of one")

    def winner(rows: pd.DataFrame) -> pd.Series:
        ranked = standings(rows, **ranked_by)
        first = ranked[ranked["place"].isin(["1", "1="])]
        names = first["contestant"].astype("str")
        if sections:
            names = first["section"].astype("str").fillna("-") + " " + names
        return names.groupby(first["side"].astype("str").fillna("")).agg(", ".join)

    deals = table["deal_id"]
    firsts = table.loc[~deals.duplicated(), ["deal_id", "session", "board_label"]].sort_values("deal_id")
    whole = winner(table)
    parts = []
    for deal in firsts["deal_id"]:
        without = winner(table[deals != deal]).reindex(whole.index)
        parts.append(
            pd.DataFrame({"deal_id": deal, "side": whole.index, "winner": without, "decides": without != whole})
        )
    found = firsts.merge(pd.concat(parts), on="deal_id")
    sides = whole.index[::-1].tolist()  # North-South first
    found["side"] = pd.Categorical(found["side"].where(found["side"] != ""), [side for side in sides if side])
    return found.sort_values(["deal_id", "side"], ignore_index=True)


def _scored_by(
    table: pd.DataFrame,
    forms: str | Sequence[str],
    datums: str | Edition | Sequence[str | Edition],
    imp_scales: str | Edition | Sequence[str | Edition],
    expected: ArrayLike | None,
    win: float,
) -> Iterator[tuple[str, Edition | None, Edition | None, pd.DataFrame]]:
    """The table scored by each form, with the editions it was scored by."""
    scales = [load_edition(scale, kind="imps") for scale in _each(imp_scales)]
    scores, deals = table["score_ns"], table["deal_id"]
    for form in _each(forms):
        if form == "butler":
            for datum in (load_edition(name, kind="datum") for name in _each(datums)):
                for scale in scales:
                    own = butler(scores, by=deals, datum=datum, edition=scale)
                    yield form, datum, scale, table.assign(butler_ns=own)
        elif form == "cross_imps":
            for scale in scales:
                yield form, None, scale, table.assign(cross_imps_ns=cross_imps(scores, by=deals, edition=scale))
        elif form == "matchpoints" and "mp_ns" not in table:
            ns, ew = (matchpoints(own, by=deals, win=win, expected=expected) for own in (scores, -scores))
            yield form, None, None, table.assign(mp_ns=ns, mp_ew=ew)
        else:
            yield form, None, None, table


def _each(names: Any) -> list[Any]:
    return [names] if isinstance(names, str | Path | Edition) else list(names)


def _headed(ranked: pd.DataFrame, form: str, datum: Edition | None, scale: Edition | None) -> pd.DataFrame:
    names = {"form": form, "datum": datum.name if datum else None, "imp_scale": scale.name if scale else None}
    heads = pd.DataFrame({name: pd.array([word] * len(ranked), dtype="str") for name, word in names.items()})
    return pd.concat([heads, ranked], axis=1)
