"""Teams of four, match by match: totals, victory points, and the table of a round robin or a Swiss."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.groups import group_codes
from bridge_analytics.penalties import penalties_of
from bridge_analytics.places import places
from bridge_analytics.rooms import team_boards
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.table import label
from bridge_analytics.victory_points import bye_award, victory_points

_OF_A_BOARD = ("deal_id", "board_label", "difference", "home_won", "away_won")
_OF_A_LINE = dict.fromkeys(("boards", "adjusted", "no_result", "sat_out", "unknown", "matches"), "int64") | {
    "total": "float64"
}
_FORMS = {"imps": "imps", "board_a_match": "board_a_match", "points": "points", "victory_points": "imps"}
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
    less = (
        np.zeros(len(table))
        if penalties is None
        else penalties_of(penalties, table[[*labels, "contestant"]], "victory_points")
    )
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


def team_ledger(
    scored: pd.DataFrame,
    form: str,
    apart: Sequence[str],
    *,
    adjusted: str | Edition | None,
    imp_scale: str | Edition,
    vp_scale: str | Edition | None,
    bye: float | None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What each team earned in each match, and whose it is: the ledger from which :func:`standings` ranks teams.

    Parameters
    ----------
    scored, adjusted, imp_scale
        As for :func:`team_boards`.
    form : {"imps", "board_a_match", "points", "victory_points"}
    apart : sequence of str
        Columns by which teams are ranked apart.
    vp_scale : str, path, Edition or None
        For victory points; None: ``vp-wbf-2013``.
    bye : float or None
        What a match is worth that a team sat out; None: what the scale says, or nothing. [VPs]

    Returns
    -------
    lines : DataFrame
        A row for each team in each match, and more for what it sat out and for boards with a ruling: ``boards adjusted
        no_result sat_out unknown matches total top``, to be added up.
    whose : DataFrame
        Of each line the columns of ``apart``, ``section session side contestant``.
    """
    if form not in _FORMS:
        raise ValueError(f"expected form among {', '.join(_FORMS)} for teams, got {form!r}")
    scale = load_edition(vp_scale or "vp-wbf-2013", kind="vp") if form == "victory_points" else None
    table = scored.assign(table=scored["table"].where(scored["room"].notna()))
    labels = [*dict.fromkeys([*apart, "event", "section", "session", "round", "table"])]
    matches = team_match(table, by=labels, form=_FORMS[form], imp_scale=imp_scale, vp_scale=scale, adjusted=adjusted)
    earned = "total" if scale is None else "vp"
    parts = [
        matches[[*labels, "boards", "no_result"]].assign(
            contestant=matches[side].astype("str"),
            total=matches[f"{side}_{earned}"].fillna(0.0),
            matches=(matches["boards"] > 0).astype(np.int64),
        )
        for side in ("home", "away")
    ]
    played = pd.concat(parts, ignore_index=True)
    away = _teams_of(table, "sit_out", labels).assign(sat_out=1)
    if scale is not None and (award := bye_award(scale, bye)) is not None:
        first = ~away.duplicated([*labels, "contestant"]) & ~_also_in(away, played, [*labels, "contestant"])
        away = away.assign(total=first * award, matches=first.astype(np.int64))
    ruled = (
        _teams_of(table, "adjusted", [*labels, "deal_id"]).drop_duplicates().assign(adjusted=int(adjusted is not None))
    )
    return _added(pd.concat([played, away, ruled], ignore_index=True), [*dict.fromkeys([*apart, "section", "session"])])


def _added(lines: pd.DataFrame, labels: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Lines with every count, and whose they are."""
    names, codes = text_codes(lines["contestant"])
    whose = lines[labels].assign(
        side=pd.Categorical.from_codes(np.full(len(lines), -1), pd.Index(("ns", "ew"), dtype="str")),
        contestant=label(names, codes),
    )
    counts = lines.reindex(columns=[*_OF_A_LINE]).fillna(0).astype(_OF_A_LINE)
    return counts.assign(top=counts["boards"].astype(np.float64)), whose


def _teams_of(table: pd.DataFrame, status: str, labels: list[str]) -> pd.DataFrame:
    """The teams of the rows with a status, a row for each."""
    rows = table[table["status"] == status]
    sides = [rows[labels].assign(contestant=rows[side].astype("str")) for side in ("ns", "ew")]
    return pd.concat(sides, ignore_index=True).dropna(subset=["contestant"])


def _also_in(some: pd.DataFrame, others: pd.DataFrame, labels: list[str]) -> NDArray[np.bool_]:
    keys = (part[labels].drop(columns="table").astype("str").fillna("") for part in (some, others))
    one, other = map(pd.MultiIndex.from_frame, keys)
    return np.asarray(one.isin(other))
