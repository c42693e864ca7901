"""Teams of four, board by board: the two tables of a match against each other."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.awards import ruled_awards
from bridge_analytics.columns import text_codes
from bridge_analytics.comparison import board_a_match
from bridge_analytics.groups import first_of, group_codes
from bridge_analytics.imp_scale import imps
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.rulings import WHOLE, Outcomes
from bridge_analytics.table import check_table, label

_MATCH = ("event", "session", "round")

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


def team_boards(
    scored: pd.DataFrame,
    *,
    by: str | Sequence[str] | None = None,
    form: str = "imps",
    imp_scale: str | Edition = "imps-1962",
    adjusted: str | Edition | None = "adjusted-wbf",
    knock_out: bool = False,
) -> pd.DataFrame:
    """Each board of each match: what the two teams won on it.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it. The home team sits North-South in the open room and East-West in the closed;
        where no rooms are given, ``ns`` and ``ew`` are teams, and home is the one that sorts first.
    by : str or sequence of str, optional
        The columns that tell matches apart; without it ``event``, ``session``, ``round``, and with rooms ``table``.
        Where there are no rooms, also the two teams.
    form : {"imps", "board_a_match", "points"}
    imp_scale : str, path or Edition
        A scale of kind ``imps``.
    adjusted : str, path, Edition or None
        What rulings are worth, of kind ``adjusted``; None: a board with a ruling has no result.
    knock_out : bool
        Where the rulings on a board do not balance, give both teams the mean, as one must win (Law 86B).

    Returns
    -------
    DataFrame
        In the order in which matches and boards first appear: the columns of ``by``, ``home``, ``away``, ``deal_id``,
        ``board_label``, ``home_won`` and ``away_won`` in the unit of the form: opposite in sign in IMPs and points,
        unless a ruling says otherwise; ``difference``, home minus away [points]. Missing where a room has no result.

    Raises
    ------
    ValueError
        If it is not clear who played whom: a room without a name, a board twice in a room, other teams in the other
        room; or a ruling says nothing under the form.

    Notes
    -----
    Laws 78B, 86A: average plus, average and average minus are 3, 0 and -3 IMPs for the side they are awarded to, at
    board-a-match 60, 50 and 40 % of the board. An assigned score is compared with the other room as if it had been
    made; with weights, each outcome is, and what comes of it counts by its weight (Law 12C1(c)).

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> match = pd.DataFrame({"Bd": [1, 1], "Room": ["open", "closed"], "Contract": ["4S", "4S"], "By": ["N", "N"],
    ...                       "Result": ["=", "-1"]})
    >>> team_boards(score_results(read_results(match)))[["board_label", "difference", "home_won", "away_won"]]
      board_label  difference  home_won  away_won
    0           1       470.0      10.0     -10.0
    """
    table = check_table(scored)
    if form not in ("imps", "board_a_match", "points"):
        raise ValueError(f"expected form among imps, board_a_match, points, got {form!r}")
    if "deal_id" not in table:
        raise ValueError("expected results as score_results gives them, got a table without deal_id")
    rulings = None if adjusted is None else load_edition(adjusted, kind="adjusted")
    table = table[table["status"] != "sit_out"].reset_index(drop=True)
    matches, home_ns = _matches(table, by)
    boards = matches.assign(deal_id=table["deal_id"], board_label=table["board_label"])
    codes, found = pd.factorize(group_codes(boards.drop(columns="board_label"))[0])
    places_of = _rooms(table, codes, home_ns)
    scores = table["score_ns"].to_numpy(np.float64, na_value=np.nan)
    first, second = (_spread(scores, codes, rows, len(found)) for rows in places_of)
    home, away = (_won(difference, form, imp_scale) for difference in (first - second, second - first))
    if rulings is not None and (table["status"] == "adjusted").any():
        sides = [_ruled(table, side, form, rulings) for side in ("ns", "ew")]
        home, away = (
            _over(
                _assigned(won, seen, codes, places_of, form, imp_scale),
                [_spread(award, codes, rows, len(found)) for (award, _), rows in zip(seen, places_of, strict=True)],
            )
            for won, seen in ((home, sides), (away, sides[::-1]))
        )
        home, away = ((home - away) / 2, (away - home) / 2) if knock_out else (home, away)
    settled = ~np.isnan(home) & ~np.isnan(away)
    won = {"home_won": np.where(settled, home, np.nan), "away_won": np.where(settled, away, np.nan)}
    return boards[~pd.Series(codes).duplicated()].reset_index(drop=True).assign(**won, difference=first - second)


def _matches(table: pd.DataFrame, by: str | Sequence[str] | None) -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """The match of each row, as labels with home and away; and where home sits North-South."""
    rooms = bool(table["room"].notna().any())
    names = list(_MATCH) + ["table"] * rooms if by is None else [by] if isinstance(by, str) else list(by)
    lost = [name for name in names if name not in table]
    if lost:
        raise ValueError(f"expected by to name columns of the results, got {', '.join(map(repr, lost))}")
    unnamed = (table["room"].isna() if rooms else table["ns"].isna() | table["ew"].isna()).to_numpy()
    if unnamed.any():
        wanted = "a room for every result" if rooms else "rooms, or teams as ns and ew of every result"
        raise ValueError(f"expected {wanted}, got none at position {int(unnamed.argmax())}")
    words, codes = text_codes(pd.concat([table["ns"].astype("str"), table["ew"].astype("str")]))
    teams = label(words, codes)  # in their natural order
    ns, ew = np.split(np.asarray(teams.codes, np.int64), 2)
    if not rooms and (ns == ew).any():
        place = int((ns == ew).argmax())
        raise ValueError(f"expected two teams at a table, got {table['ns'].iloc[place]!r} twice at position {place}")
    home_ns = (table["room"] == "open").to_numpy() if rooms else ns < ew
    sides = {"home": np.where(home_ns, ns, ew), "away": np.where(home_ns, ew, ns)}
    found = table[names].assign(
        **{side: pd.Categorical.from_codes(own, dtype=teams.dtype) for side, own in sides.items()}
    )
    if rooms:
        _refuse_other_teams(found, names)
    return found, home_ns


def _refuse_other_teams(matches: pd.DataFrame, names: list[str]) -> None:
    """Refuse a match in whose two rooms not the same two teams meet, each once North-South."""
    codes, count = group_codes(matches[names]) if names else (np.zeros(len(matches), np.int64), 1)
    first = first_of(codes, count)
    for side in ("home", "away"):
        own = matches[side].cat.codes.to_numpy()
        wrong = own != own[first[codes]]
        if wrong.any():
            place = int(wrong.argmax())
            seen, before = matches[side].iloc[place], matches[side].iloc[first[codes[place]]]
            raise ValueError(
                f"expected {side} to be one team in both rooms of a match, got {before!r} at position "
                f"{first[codes[place]]} and {seen!r} at position {place}"
            )


def _rooms(table: pd.DataFrame, codes: Codes, home_ns: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The rows with home North-South, and those with home East-West: of each board at most one."""
    for rows in (rooms := [np.flatnonzero(home_ns), np.flatnonzero(~home_ns)]):
        again = pd.Series(codes[rows]).duplicated().to_numpy()
        if again.any():
            place = int(rows[again][0])
            board = table["board_label"].iloc[place]
            raise ValueError(f"expected a board once in each room, got {board!r} again at position {place}")
    return rooms


def _spread(values: Floats, codes: Codes, rows: NDArray[np.intp], count: int) -> Floats:
    """The value of each board in one room; NaN where the room has none."""
    out = np.full(count, np.nan)
    out[codes[rows]] = values[rows]
    return out


def _won(difference: Floats, form: str, imp_scale: str | Edition) -> Floats:
    """What a team wins by a difference in points; NaN where there is none."""
    if form == "board_a_match":
        return board_a_match(difference)
    there, won = ~np.isnan(difference), difference.copy()
    if form == "imps":
        won[there] = imps(difference[there], edition=imp_scale)
    return won


def _ruled(table: pd.DataFrame, side: str, form: str, rulings: Edition) -> tuple[Floats, Outcomes]:
    """What rulings award a side of each row (NaN: nothing), and its scores: those of the table and assigned ones."""
    award, (row, score, weight) = ruled_awards(table, side, form, rulings)
    points = table["score_ns"].to_numpy(np.float64, na_value=np.nan)
    played = np.flatnonzero(~np.isnan(points))
    own = (points[played] if side == "ns" else 0 - points[played]).astype(np.int64)
    joined = (row, played), (score, own), (weight, np.full(played.size, WHOLE))
    rows, scores, weights = (np.concatenate(both) for both in joined)
    return award, (rows, scores, weights)


def _assigned(
    won: Floats,
    sides: Sequence[tuple[Floats, Outcomes]],
    codes: Codes,
    rooms: Sequence[NDArray[np.intp]],
    form: str,
    imp_scale: str | Edition,
) -> Floats:
    """What a team wins, with the boards on which its score is assigned: each outcome first, then the weights."""
    parts = []
    for (_, (row, score, weight)), rows in zip(sides, rooms, strict=True):
        here = np.isin(row, rows)
        parts.append(pd.DataFrame({"board": codes[row[here]], "score": score[here], "weight": weight[here]}))
    both = parts[0].merge(parts[1], on="board")
    both = both[np.isnan(won[both["board"]])]
    earned = _won((both["score_x"] + both["score_y"]).to_numpy(np.float64), form, imp_scale)
    found: Floats = won.copy()
    boards = np.unique(both["board"])
    total = np.bincount(both["board"], earned * both["weight_x"] * both["weight_y"], won.size)
    found[boards] = total[boards] / WHOLE**2
    return found


def _over(won: Floats, ruled: Sequence[Floats]) -> Floats:
    """What was won, but for the boards with a ruling in a room."""
    first, second = ruled
    clash = (first != second) & ~np.isnan(first) & ~np.isnan(second)
    if clash.any():
        seen = " and ".join(f"{room[clash][0]:g}" for room in ruled)
        raise ValueError(f"expected one ruling for a team on a board, got {seen} in the two rooms")
    found: Floats = np.where(np.isnan(first), np.where(np.isnan(second), won, second), first)
    return found
