"""Standings: scored results to a ranked event."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.awards import SIDES, side_awards
from bridge_analytics.contestants import contestants, winners_of
from bridge_analytics.groups import group_codes
from bridge_analytics.penalties import penalties_of
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.table import check_table, label
from bridge_analytics.tallies import COUNTS, over_sessions, settle_marks, tally

_COLUMNS = ("place", "side", "section", "contestant", *COUNTS, "penalty", "total", "average", "top", "percent")
_TIED = 9  # decimals in which two results are equal: what adding up in another order may change comes after

Codes = NDArray[np.int64]


def standings(
    scored: pd.DataFrame,
    *,
    form: str = "matchpoints",
    winners: int | None = None,
    of: str = "pairs",
    within: str | Sequence[str] = (),
    sessions: str = "sum",
    rank_by: str = "average",
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    penalties: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Rank the contestants of an event.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it, by the form asked for; all of an event, since nothing is compared anew.
    form : {"matchpoints", "butler", "cross_imps", "points"}
    winners : {1, 2}, optional
        1: a contestant is its name, on whichever side it sits (Howell, arrow switch). 2: it is its side and name, and
        each side has its own ranking (Mitchell). Without it 2 where nobody changes sides, and 1 for players who do;
        pair numbers that occur on both sides are ambiguous.
    of : {"pairs", "partnerships", "players"}
        The ids in ``ns`` and ``ew``; two players in any order; or each player. Where there are several sections, pair 5
        of one is not pair 5 of another.
    within : str or sequence of str
        Columns by whose values to rank apart: ``"section"``, ``"session"``. Without it all are ranked together.
    sessions : {"sum", "mean"}
        What counts: all boards together, or the mean of a contestant's sessions (of their percentages or averages).
    rank_by : {"average", "total"}
        Rank by the percentage of what was available (in IMPs and points, by the average a board), or by the total. They
        differ where some play fewer boards.
    adjusted : str, path, Edition or None
        What rulings are worth, and how few results are a small group, of kind ``adjusted``; None: adjusted results earn
        nothing, no group is small.
    expected : int or array_like of int, optional
        Results of a full board, as for :func:`score_results`: for editions with small groups. [results]
    penalties : DataFrame, optional
        ``contestant amount unit`` (MP, % of top, IMP, points), and of ``side section session`` what is needed to know
        whose; see :mod:`bridge_analytics.penalties`. A negative amount is a carry-over.

    Returns
    -------
    DataFrame
        In the order of places: the columns of ``within``; ``place`` (1, 2=, 2=, 4; missing where there is nothing to
        rank); ``side`` (missing where there is one winner); ``section``; ``contestant``; ``boards`` that earned
        something, ``adjusted`` (those of them by a ruling), ``no_result``, ``sat_out``; ``penalty``, and the
        ``total`` it was taken off, with its ``average`` a board, in the unit of the form; ``top`` and ``percent`` of
        it, which only matchpoints have. Results with nobody named are of a contestant without a name, and unranked.

    Raises
    ------
    ValueError
        If the results are not scored by the form, there are several events and ``within`` does not say ``event``, it
        is not clear who is who, or a ruling has no value under the form.

    Notes
    -----
    Percentages are matchpoints won over matchpoints available, so that a board with fewer results weighs less (unless
    ``expected`` of :func:`score_results` brings all to one top). Laws 78, 12C2: who is awarded average plus gets its
    own percentage of the other boards of the session where that is more, who is awarded average minus where it is
    less; other boards are those without such an award. A ruling given as a number is taken as it stands. In IMPs the
    award stands: no equivalent is published. An adjusted board has the top of its deal. A lone result has nothing to
    compare with, and is no result (in Butler it is its own datum: 0).

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1], "NS": [1, 2, 3], "EW": [4, 5, 6], "Contract": ["4S", "4S", "Pass"],
    ...                         "By": ["S", "N", ""], "Result": ["=", "-1", ""]})
    >>> scored = score_results(read_results(evening))
    >>> standings(scored)[["side", "place", "contestant", "boards", "total", "percent"]]
      side place contestant  boards  total  percent
    0   ns     1          1       1    4.0    100.0
    1   ns     2          3       1    2.0     50.0
    2   ns     3          2       1    0.0      0.0
    3   ew     1          5       1    4.0    100.0
    4   ew     2          6       1    2.0     50.0
    5   ew     3          4       1    0.0      0.0
    """
    table = check_table(scored)
    _check_choice("sessions", sessions, "sum", "mean")
    _check_choice("rank_by", rank_by, "average", "total")
    rulings = None if adjusted is None else load_edition(adjusted, kind="adjusted")
    apart = _columns_apart(table, within)
    awards, top, marks = side_awards(table, form, rulings, expected)
    names, who, sides = contestants(table, of)
    two = _two_winners(table, names, who, sides, of, winners)
    cells, who_is = _cells(table[[*dict.fromkeys([*apart, "section", "session"])]], names, who, sides if two else None)
    sums = tally(table, cells, len(who_is), [(awards[side], top, marks[side]) for side in sides])
    sums = sums if rulings is None else settle_marks(sums, rulings)
    sums = sums.assign(penalty=0.0) if penalties is None else _less(sums, penalties, who_is, form, sessions, top)
    own = [*dict.fromkeys([*apart, "side", "section", "contestant"])]
    there = (who_is["contestant"].notna() | (sums[["boards", "no_result"]] > 0).any(axis=1)).to_numpy()  # no phantoms
    codes, found = pd.factorize(group_codes(who_is.loc[there, own])[0])
    ranked = over_sessions(sums[there], codes, of_top=form == "matchpoints", mean=sessions == "mean")
    who_is = who_is.loc[there, own].iloc[_first(codes, len(found))].reset_index(drop=True)
    return _by_place(pd.concat([who_is, ranked], axis=1), apart, form, rank_by)


def _less(
    sums: pd.DataFrame, penalties: pd.DataFrame, who_is: pd.DataFrame, form: str, sessions: str, top: Any
) -> pd.DataFrame:
    if sessions == "mean" and "session" not in penalties and (who_is["session"] != who_is["session"].iloc[0]).any():
        raise ValueError("expected penalties to name their session, since sessions are averaged, got no such column")
    taken = penalties_of(penalties, who_is, form, float(np.fmax.reduce(top, initial=np.nan)))
    return sums.assign(penalty=taken, total=sums["total"] - taken)


def _first(codes: Codes, count: int) -> Codes:
    """Where each code comes first."""
    first = np.zeros(count, np.int64)
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    return first


def _by_place(ranked: pd.DataFrame, apart: list[str], form: str, rank_by: str) -> pd.DataFrame:
    of_top, nobody = form == "matchpoints", ranked["contestant"].isna()
    by = ranked["total"].where(ranked["boards"] > 0) if rank_by == "total" else ranked["share"]
    fields = ranked[[*apart, "side"]]
    none = pd.Series(np.nan, ranked.index)
    average = ranked["total"] / ranked["boards"].where(ranked["boards"] > 0) if of_top else ranked["share"]
    table = ranked.assign(
        place=places(by.where(~nobody), by=fields),
        top=ranked["top"] if of_top else none,
        percent=ranked["share"] if of_top else none,
        average=average,
        by=-by.where(~nobody),
    )
    order = [*dict.fromkeys([*apart, "side", "by", "section", "contestant"])]
    return table.sort_values(order, ignore_index=True)[[*dict.fromkeys([*apart, *_COLUMNS])]]


def places(value: ArrayLike, *, by: Any = None) -> pd.api.extensions.ExtensionArray:
    """Places as they are published: 1, 2=, 2=, 4.

    Parameters
    ----------
    value : array_like of float, shape (n,)
        What to rank by, the highest first; missing: no place.
    by : column of labels, or table of label columns, n rows, optional
        Rank apart.

    Returns
    -------
    array of str, shape (n,)
        Missing where the value is.

    Notes
    -----
    The places after a tie are skipped. Values are equal where nine decimals are: beyond these only the order in which
    they were added up shows.

    Examples
    --------
    >>> list(places([55, 61.25, 55, 48.75]))
    ['2=', '1', '2=', '4']
    """
    values = np.round(np.asarray(value, dtype=np.float64), _TIED)
    group = np.zeros(values.size, np.int64) if by is None else group_codes(by)[0]
    ranks = pd.Series(values).groupby(group).rank(method="min", ascending=False)
    shared = ranks.groupby([group, ranks]).transform("size")
    words = [
        None if rank != rank else f"{rank:.0f}{'=' * (many > 1)}" for rank, many in zip(ranks, shared, strict=True)
    ]
    return pd.array(words, dtype="str")


def _check_choice(name: str, choice: str, *known: str) -> None:
    if choice not in known:
        raise ValueError(f"expected {name} as {' or '.join(map(repr, known))}, got {choice!r}")


def _columns_apart(table: pd.DataFrame, within: str | Sequence[str]) -> list[str]:
    names = [within] if isinstance(within, str) else list(within)
    lost = [name for name in names if name not in table]
    if lost:
        raise ValueError(f"expected within to name columns of the results, got {', '.join(map(repr, lost))}")
    source = table["source"].where(table["event"].isna())
    events, _ = group_codes(pd.DataFrame({"event": table["event"], "source": source}))
    if not {"event", "source"} & set(names) and (events != events[:1]).any():
        raise ValueError(
            "expected within to name 'event', since the results have several (to pool them, set one event)"
        )
    return names


def _two_winners(
    table: pd.DataFrame, names: list[str], who: list[Codes], sides: list[int], of: str, winners: int | None
) -> bool:
    section, _ = group_codes(table["section"])
    numbers = [np.where(own < 0, -1, own + len(names) * section) for own in who]  # pair 5 of A is not pair 5 of B
    return winners_of(numbers, sides, table["deal_id"].to_numpy(np.int64), names, of, winners) == 2


def _cells(
    labels: pd.DataFrame, names: list[str], who: Sequence[Codes], sides: Sequence[int] | None
) -> tuple[list[Codes], pd.DataFrame]:
    """The cell of each contestant of a row, by labels, side and name; and of each cell these."""
    base, _ = group_codes(labels)
    fields = list(sides) if sides is not None else [0] * len(who)
    keys = [(base * 2 + field) * (len(names) + 1) + own + 1 for own, field in zip(who, fields, strict=True)]
    codes, found = pd.factorize(group_codes(np.concatenate(keys))[0])
    seat, row = np.divmod(_first(codes, len(found)), len(labels))
    side = pd.Categorical.from_codes(
        np.array(fields)[seat] if sides else np.full(seat.size, -1), pd.Index(SIDES, dtype="str")
    )
    contestant = label(names, np.choose(seat, [own[row] for own in who]))
    cells = labels.iloc[row].reset_index(drop=True).assign(side=side, contestant=contestant)
    return np.split(codes, len(who)), cells
