"""Teams of four, match by match: totals, victory points, and the table of a round robin or a Swiss."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from bridge_analytics.groups import group_codes
from bridge_analytics.penalties import penalties_of
from bridge_analytics.rooms import team_boards
from bridge_analytics.rules import Edition
from bridge_analytics.standings import places
from bridge_analytics.victory_points import victory_points

_OF_A_BOARD = ("deal_id", "board_label", "difference", "home_won", "away_won")
_OF_A_TEAM = ("place", "contestant", "matches", "won", "drawn", "lost", "boards", "total", "penalty", "vp")


def team_match(
    scored: pd.DataFrame,
    *,
    by: str | Sequence[str] | None = None,
    form: str = "imps",
    imp_scale: str | Edition = "imps-1962",
    vp_scale: str | Edition | None = "vp-wbf-2013",
    adjusted: str | Edition | None = "adjusted-wbf",
    knock_out: bool = False,
) -> pd.DataFrame:
    """Each match of teams of four: what the two teams won in all, and the victory points for it.

    Parameters
    ----------
    scored, by, form, imp_scale, adjusted, knock_out
        As for :func:`team_boards`.
    vp_scale : str, path, Edition or None
        A scale of kind ``vp`` for IMPs; without it, and in other forms, there are no victory points.

    Returns
    -------
    DataFrame
        A row for each match: the columns of ``by``, ``home``, ``away``, ``boards`` with a result, ``no_result``,
        ``home_total`` and ``away_total`` in the unit of the form, ``home_vp`` and ``away_vp`` (missing where no board
        has a result, or there is no scale).

    Raises
    ------
    ValueError
        As :func:`team_boards`; or a total of IMPs is not whole or the scale has no row for the boards of a match.

    Notes
    -----
    Where rulings do not balance, each team has the victory points of its own total.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> match = pd.DataFrame({"Bd": [1, 1], "Room": ["open", "closed"], "Contract": ["4S", "4S"], "By": ["N", "N"],
    ...                       "Result": ["=", "-1"]})
    >>> team_match(score_results(read_results(match)))[["boards", "home_total", "away_total", "home_vp", "away_vp"]]
       boards  home_total  away_total  home_vp  away_vp
    0       1        10.0       -10.0    18.09     1.91
    """
    boards = team_boards(scored, by=by, form=form, imp_scale=imp_scale, adjusted=adjusted, knock_out=knock_out)
    labels = [name for name in boards.columns if name not in _OF_A_BOARD]
    codes, found = pd.factorize(group_codes(boards[labels])[0])
    count, settled = len(found), boards["home_won"].notna().to_numpy()
    matches = boards.loc[~pd.Series(codes).duplicated(), labels].reset_index(drop=True)
    matches["boards"] = np.bincount(codes[settled], minlength=count)
    matches["no_result"] = np.bincount(codes[~settled], minlength=count)
    for side in ("home", "away"):
        matches[f"{side}_total"] = np.bincount(codes[settled], boards.loc[settled, f"{side}_won"], count)
    played = (matches["boards"] > 0).to_numpy()
    for side in ("home", "away"):
        matches[f"{side}_vp"] = np.nan
        if vp_scale is not None and form == "imps" and played.any():
            own = matches[played]
            matches.loc[played, f"{side}_vp"] = victory_points(own[f"{side}_total"], own["boards"], edition=vp_scale)[0]
    return matches


def team_standings(
    matches: pd.DataFrame,
    *,
    within: str | Sequence[str] = (),
    rank_by: str = "vp",
    penalties: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """The table of the teams of a round robin or a Swiss.

    Parameters
    ----------
    matches : DataFrame
        As :func:`team_match` gives it, with teams named.
    within : str or sequence of str
        Columns by whose values to rank apart: ``"event"``, a group.
    rank_by : {"vp", "total"}
        Rank by victory points, or by the total of the matches (IMPs, points, boards won).
    penalties : DataFrame, optional
        ``contestant amount unit`` in VP, and labels of ``within``; a negative amount is a carry-over.

    Returns
    -------
    DataFrame
        In the order of places: the columns of ``within``, ``place``, ``contestant``, ``matches`` with a board,
        ``won drawn lost`` by the totals, ``boards``, ``total``, ``penalty``, and the ``vp`` it was taken off (missing
        where there are none). Matches without a board count for nothing.

    Raises
    ------
    ValueError
        If a match that was played names no teams, or a penalty is not in VP or names nobody.

    Examples
    --------
    >>> matches = pd.DataFrame({"home": ["A", "A", "B"], "away": ["B", "C", "C"], "boards": [8, 8, 8],
    ...                         "home_total": [10.0, -3.0, 0.0], "away_total": [-10.0, 3.0, 0.0],
    ...                         "home_vp": [13.78, 8.73, 10.0], "away_vp": [6.22, 11.27, 10.0]})
    >>> team_standings(matches)[["place", "contestant", "won", "drawn", "lost", "vp"]]
      place contestant  won  drawn  lost     vp
    0     1          A    1      0     1  22.51
    1     2          C    1      1     0  21.27
    2     3          B    0      1     1  16.22
    """
    if rank_by not in ("vp", "total"):
        raise ValueError(f"expected rank_by as 'vp' or 'total', got {rank_by!r}")
    labels = [within] if isinstance(within, str) else list(within)
    lost = [name for name in (*labels, "home", "away", "boards", "home_total", "home_vp") if name not in matches]
    if lost:
        raise ValueError(f"expected matches as team_match gives them, got a table without {', '.join(lost)}")
    played = matches[matches["boards"] > 0]
    sides = [_seen_by(played, labels, *pair) for pair in (("home", "away"), ("away", "home"))]
    rows = pd.concat(sides, ignore_index=True)
    if rows["contestant"].isna().any():
        raise ValueError("expected the teams of every match that was played, got a match without")
    codes, _ = pd.factorize(group_codes(rows[[*labels, "contestant"]])[0])
    own = rows.groupby(codes)
    table = rows.loc[~pd.Series(codes).duplicated(), [*labels, "contestant"]].reset_index(drop=True)
    table = table.join(own[["matches", "won", "drawn", "lost", "boards", "total"]].sum())
    less = np.zeros(len(table)) if penalties is None else penalties_of(penalties, table[[*labels, "contestant"]], "vp")
    table = table.assign(penalty=less, vp=own["vp"].sum(min_count=1) - less)
    table["place"] = places(table[rank_by], by=table[labels] if labels else None)
    order = table.assign(by=-table[rank_by]).sort_values([*labels, "by", "contestant"]).index
    return table.loc[order, [*labels, *_OF_A_TEAM]].reset_index(drop=True)


def _seen_by(matches: pd.DataFrame, labels: list[str], own: str, other: str) -> pd.DataFrame:
    """The matches as the home or the away team sees them."""
    margin = matches[f"{own}_total"] - matches[f"{other}_total"]
    return matches[labels].assign(
        contestant=matches[own],
        matches=1,
        won=(margin > 0).astype(int),
        drawn=(margin == 0).astype(int),
        lost=(margin < 0).astype(int),
        boards=matches["boards"],
        total=matches[f"{own}_total"],
        vp=matches[f"{own}_vp"],
    )
