"""Luck and skill: contestants' results taken apart, how many boards a ranking needs, and ratings that know it.

A result is worth what it has over the others of its deal. Between contestants that differs by skill, within each of
them by the cards and the company: how many boards are needed, and how far a mean is to be trusted, follow from the two.
:func:`parts` takes single results apart, :func:`reliability` asks how many boards it takes.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.laws import AnyEdition
from bridge_analytics.planning import upper_quantile
from bridge_analytics.rules import Edition
from bridge_analytics.scored import Floats, check_scored
from bridge_analytics.seatings import Within, columns_apart, seatings
from bridge_analytics.skill_parts import PARTS
from bridge_analytics.skill_parts import parts as parts
from bridge_analytics.skill_spread import reliability as reliability
from bridge_analytics.skill_spread import variances, worth

Codes = NDArray[np.int64]

_PLAYERS = 2  # of a partnership, who share its variance between them
_LEAST = 1e-9  # boards: where there is no noise at all, one board tells everything
_CHANCES = tuple((np.arange(9) + 0.5) / 9)  # at which it is asked what else the boards for a half may be
_AT_ONCE = 256  # players whose variances are solved for together


def split(
    scored: pd.DataFrame,
    *,
    against: str = "strain",
    form: str = "cross_imps",
    of: str = "pairs",
    winners: int | None = None,
    within: Within = (),
    dd_tricks: ArrayLike | str = "dd_tricks",
    solved: pd.DataFrame | None = None,
    edition: AnyEdition = "duplicate-1987",
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """Each contestant's results taken apart: bidding, play and luck, a board.

    Parameters
    ----------
    scored, against, form, dd_tricks, solved, edition, datum, imp_scale
        As for :func:`parts`.
    of, winners
        Who is a contestant: as for :func:`standings`.
    within : str or sequence of str
        Columns by whose values to keep contestants apart, such as ``"event"``.

    Returns
    -------
    DataFrame
        The columns of ``within``; ``side section contestant``; ``boards`` taken apart, and those ``left_out``, whose
        parts are not known; ``result``, and what adds up to it: ``bidding``, ``play``, ``luck``; ``declaring`` and
        ``defending``, which add up to play; and the standard error of each, ``result_se`` and so on (missing for one
        board). In the order of results, the best first. [IMPs, or percent above 50, a board]

    Raises
    ------
    ValueError
        As for :func:`parts`, or if it is not clear who is who.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "ns": [1, 2, 3], "ew": [4, 5, 6], "contract": ["4S", "3S", "4S"],
    ...                         "declarer": ["S", "S", "N"], "tricks": [10, 9, 9]})
    >>> taken_apart = split(score_results(read_results(evening)))
    >>> taken_apart[["side", "contestant", "result", "bidding", "play"]].head(2).round(2)
      side contestant  result  bidding  play
    0   ns          1     8.5     1.17  7.33
    1   ew          6     7.5     3.83  3.67
    """
    table = check_scored(scored)
    apart = columns_apart(table, within)
    found = parts(
        table,
        against=against,
        form=form,
        dd_tricks=dd_tricks,
        solved=solved,
        edition=edition,
        datum=datum,
        imp_scale=imp_scale,
    )
    rows, who, sign, names = seatings(table, of, winners, apart)
    whole = found[["result_ns", "bidding_ns", "play_ns"]].notna().all(axis=1).to_numpy()
    used, count = whole[rows], len(names)
    scored_too = table["score_ns"].notna().to_numpy()[rows] & ~used
    own_side = np.asarray(table["declarer"].isin(["N", "S"]), np.bool_)[rows] == (sign > 0)
    values = {name.removesuffix("_ns"): sign * found[name].to_numpy()[rows] for name in PARTS}
    values["declaring"] = np.where(own_side, values["play"], 0.0)
    values["defending"] = np.where(own_side, 0.0, values["play"])
    boards = np.bincount(who[used], minlength=count)
    columns: dict[str, Any] = {"boards": boards, "left_out": np.bincount(who[scored_too], minlength=count)}
    spread = {}
    for name, value in values.items():
        columns[name], spread[f"{name}_se"] = _mean_and_error(value[used], who[used], boards)
    ranked = pd.concat([names, pd.DataFrame(columns | spread)], axis=1)
    return ranked.sort_values([*apart, "result"], ascending=[True] * len(apart) + [False], ignore_index=True)


def ratings(
    scored: pd.DataFrame,
    *,
    form: str = "cross_imps",
    of: str = "pairs",
    winners: int | None = None,
    within: Within = (),
    boards_for_half: float | None = None,
    level: float = 0.95,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """Ratings of contestants: their means drawn in by as much as they are luck, with intervals.

    Parameters
    ----------
    scored, form, of, winners, within, datum, imp_scale
        As for :func:`split`; skill is estimated within each group by itself.
    boards_for_half : float, optional
        Boards for a reliability of ½, where it is known from elsewhere: from more events, say. [boards]
    level : float
        Of the interval.

    Returns
    -------
    DataFrame
        The columns of ``within``; ``side section contestant``; ``boards``; ``mean`` as it was; ``reliability``;
        ``rating`` with its ``se``, ``low``, ``high``; ``warnings``: ``no_spread``, where all are rated alike, and
        ``not_separable``, for players who have no rating. The best first. [IMPs, or percent above 50, a board]

    Raises
    ------
    ValueError
        As for :func:`reliability`; or if no player can be told from the partner.

    Notes
    -----
    The best linear prediction where skill is a draw for each contestant: for a pair, n / (n + k) of its mean, with
    k the boards for a reliability of ½. For players the skill of a partnership is the sum of both, each with half the
    variance between partnerships. Where partnerships link players so that they fall into two kinds and every
    partnership has one of each (one that never changes is the least of these), something could be taken from one kind
    and given to the other without any result being different: nothing tells these players apart, and they get no
    rating. Opponents are taken as chance. Source: Robinson, "That BLUP is a good
    thing", *Statistical Science* 6 (1991). The interval allows for the doubt about k, by the k that the F ratio of
    :func:`reliability` gives at nine equal chances; with ``boards_for_half``, k is taken as known.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> season = score_results(read_results("data/season.parquet"), forms=())
    >>> rated = ratings(season, winners=1)
    >>> rated[["contestant", "boards", "mean", "rating", "low", "high"]].head(2).round(2)
      contestant  boards  mean  rating  low  high
    0        P30    3042  1.15    1.10  0.93  1.26
    1        P51    4446  0.73    0.71  0.58  0.84
    """
    from scipy.special import ndtri

    apart = columns_apart(scored, within)
    pairs = "partnerships" if of == "players" else of
    value, seat, who, names = worth(scored, form, pairs, winners, apart, datum, imp_scale)
    spread = variances(value, who, names, apart, _CHANCES if boards_for_half is None else (), given_skill=True)
    spread = spread if boards_for_half is None else spread.assign(k=float(boards_for_half))
    if of == "players":
        value, seat, who, names = worth(scored, form, of, winners, apart, datum, imp_scale)
    noise, *halves = _of_their_group(spread, names, apart)
    halves = [k * (_PLAYERS if of == "players" else 1) for k in halves]
    boards, total = (np.bincount(who, part, len(names)) for part in (None, value))
    apart_from_partner = np.ones(len(names), np.bool_)
    if of == "players":
        one, other, earned = _partnerships(value, seat, who)
        apart_from_partner = _separable(one, other, len(names))
        found = [_players_predicted(one, other, earned, k) for k in halves]
    else:
        found = [(total / (boards + k), 1 / (boards / k + 1)) for k in halves]
    if not apart_from_partner.any():
        raise ValueError(
            "expected partnerships that change, to tell players apart, got only players who cannot be told from their "
            "partners: rate of='partnerships'"
        )
    rating, left = found[0]
    likely = [noise**2 * part / k + (other - rating) ** 2 for (other, part), k in zip(found, halves, strict=True)]
    se = np.sqrt(np.mean(likely[1:] or likely, axis=0))
    half = ndtri(upper_quantile(level)) * se
    told = {"reliability": 1 - left, "rating": rating, "se": se, "low": rating - half, "high": rating + half}
    rated = pd.DataFrame({"boards": boards, "mean": _share(total, boards)} | told)
    rated.loc[~apart_from_partner, [*told]] = np.nan
    codes = np.where(apart_from_partner, np.where(np.isinf(halves[0]), "no_spread", ""), "not_separable")
    table = pd.concat([names, rated], axis=1).assign(warnings=pd.array(codes, dtype="str"))
    return table.sort_values([*apart, "rating"], ascending=[True] * len(apart) + [False], ignore_index=True)


def _mean_and_error(value: Floats, who: Codes, boards: Codes) -> tuple[Floats, Floats]:
    """The mean of each contestant, and its standard error; missing where there are too few boards."""
    count = boards.astype(np.float64)
    mean = _share(np.bincount(who, value, count.size), count)
    square = np.bincount(who, (value - mean[who]) ** 2, count.size)
    return mean, np.sqrt(_share(square, (count - 1) * count))


def _share(total: NDArray[Any], of: NDArray[Any]) -> Floats:
    """One by the other, missing where there is nothing to share among."""
    out: Floats = np.full(total.size, np.nan)
    np.divide(total, of, out=out, where=of > 0)
    return out


def _of_their_group(found: pd.DataFrame, names: pd.DataFrame, apart: list[str]) -> list[Floats]:
    """The noise of a board and the boards for a reliability of ½, for each contestant from its group."""
    wanted = ["within_sd", *found.columns[found.columns.get_loc("k") :]]
    if not apart:
        own = found.loc[np.zeros(len(names), np.int64), wanted]
    else:
        own = names[apart].merge(found[[*apart, *wanted]], how="left", on=apart)[wanted]
    noise, *halves = own.to_numpy(np.float64).T
    return [noise, *(np.where(np.isnan(k), np.inf, np.maximum(k, _LEAST)) for k in halves)]  # none: no partnerships


def _partnerships(value: Floats, seat: Codes, who: Codes) -> tuple[Codes, Codes, Floats]:
    """Both players of each side of each result, where both are named, and what they earned."""
    order = np.argsort(seat, kind="stable")
    first = np.flatnonzero(np.diff(seat[order]) == 0)
    return who[order[first]], who[order[first + 1]], value[order[first]]


def _separable(one: Codes, other: Codes, count: int) -> NDArray[np.bool_]:
    """Which players can be told from their partners: those whose links are not between two kinds of players.

    Each player is taken twice, as of either kind, and a partnership links one kind with the other: where a player is
    linked with itself, the kinds are mixed.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = np.concatenate([one, other]), np.concatenate([other, one]) + count
    twice = coo_array((np.ones(links[0].size, np.int8), links), shape=(2 * count, 2 * count))
    _, part = connected_components(twice, directed=False)
    return np.asarray(part[:count] == part[count:], np.bool_)


def _players_predicted(one: Codes, other: Codes, earned: Floats, k: Floats) -> tuple[Floats, Floats]:
    """The prediction of each player's skill, and the share of its variance that is left."""
    from scipy.sparse import coo_array, diags_array
    from scipy.sparse.linalg import splu

    count, rows = k.size, np.arange(one.size)
    own = np.where(np.isinf(k), 1.0, k)
    cells = np.concatenate([rows, rows]), np.concatenate([one, other])
    sat = coo_array((np.ones(cells[0].size), cells), shape=(one.size, count)).tocsr()
    solve = splu((sat.T @ sat + diags_array(own)).tocsc()).solve
    rating, left = solve(sat.T @ earned), np.empty(count)
    for start in range(0, count, _AT_ONCE):
        some = np.arange(start, min(start + _AT_ONCE, count))
        unit = np.zeros((count, some.size))
        unit[some, some - start] = own[some]
        left[some] = solve(unit)[some, some - start]
    return np.where(np.isinf(k), 0.0, rating), np.where(np.isinf(k), 1.0, left)
