"""Standings: scored results to a ranked event."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.entrants import boards_due, handicaps_of, names_of, with_absent
from bridge_analytics.groups import first_of, group_codes
from bridge_analytics.pair_ledger import pair_ledger
from bridge_analytics.penalties import penalties_of
from bridge_analytics.places import places
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.table import check_table
from bridge_analytics.tallies import COUNTS, factor, over_sessions
from bridge_analytics.teams import team_ledger

_COLUMNS = ("place", "side", "section", "contestant", *COUNTS, "penalty", "total", "average", "top", "percent")
_OPTIONAL = ("matches", "factored", "handicap", "scratch", "scratch_place", "to_come", "name")


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
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    sub_field: str | None = None,
    vp_scale: str | Edition | None = None,
    bye: float | None = None,
    penalties: pd.DataFrame | None = None,
    handicaps: pd.DataFrame | None = None,
    handicap_share: float = 1,
    names: pd.DataFrame | None = None,
    schedule: pd.DataFrame | int | None = None,
) -> pd.DataFrame:
    """Rank the contestants of an event.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it, by the form asked for; all of an event.
    form : {"matchpoints", "butler", "cross_imps", "points", "victory_points"}
        For teams ``"imps"``, ``"board_a_match"``, ``"points"`` or ``"victory_points"``.
    winners : {1, 2}, optional
        1: a contestant is its name, on whichever side it sits (Howell, arrow switch). 2: it is its side and name, and
        each side has its own ranking (Mitchell). Without it 2 where nobody changes sides, and 1 for players who do;
        pair numbers that occur on both sides are ambiguous.
    of : {"pairs", "partnerships", "players", "teams"}
        The ids in ``ns`` and ``ew``; two players in any order; each player; or teams, whose two tables meet as
        :func:`team_boards` says. Where there are several sections, pair 5 of one is not pair 5 of another.
    within : str or sequence of str
        Columns by whose values to rank apart: ``"section"``, ``"session"``. Without it all are ranked together.
    sessions : {"sum", "mean"}
        What counts: all boards together, or the mean of a contestant's sessions (of their percentages or averages).
    rank_by : {"average", "total", "factor"}
        Rank by the percentage of what was available (in IMPs and points, by the average a board); by the total; or by
        the total brought up to the most boards that anybody played. They differ where some play fewer boards.
    adjusted : str, path, Edition or None
        What rulings are worth, and how few results are a small group, of kind ``adjusted``; None: adjusted results earn
        nothing, no group is small.
    expected, win, datum, imp_scale
        As :func:`score_results` had them, ``expected`` in matchpoints alone (no rule here factors IMPs): boards with an
        assigned score, in versions, or with small groups are compared anew. In matches of teams, the scale of IMPs.
    sub_field : str, optional
        A column that tells the versions of fouled boards apart (missing: as it was): each is compared by itself, and
        brought to the top of the whole board, or of ``expected`` results.
    vp_scale : str, path or Edition, optional
        For victory points; without it ``vp-ebu-percent``, for teams ``vp-wbf-2013``. A match of pairs is a round: its
        percentage of matchpoints, or on a scale for IMPs its cross-IMPs where they are scored, else Butler.
    bye : float, optional
        What a match is worth that a contestant sat out, other than ``vp_scale`` says. [VPs]
    penalties : DataFrame, optional
        ``contestant amount unit`` (MP, % of top, IMP, points, VP), and of ``side section session`` what is needed to
        know whose; see :mod:`bridge_analytics.penalties`. A negative amount is a carry-over.
    handicaps : DataFrame, optional
        ``contestant handicap`` and labels, in percentage points, IMPs, points or VPs; see
        :mod:`bridge_analytics.entrants`.
    handicap_share : float
        1 for full handicaps, 0.5 for half.
    names : DataFrame, optional
        ``contestant name`` and labels.
    schedule : DataFrame or int, optional
        The movement, or the boards that everybody is to play: for the boards still to come, and whoever has no result.

    Returns
    -------
    DataFrame
        In the order of places: the columns of ``within``; ``place`` (1, 2=, 2=, 4; missing where there is nothing to
        rank); ``side`` (missing where there is one winner); ``section``; ``contestant``; ``boards`` that earned
        something, ``adjusted`` (those of them by a ruling), ``no_result``, ``sat_out``; ``penalty``, and the
        ``total`` it was taken off, with its ``average`` a board (a match, in VPs), in the unit of the form; ``top`` and
        ``percent`` of it, which only matchpoints and board-a-match have. Then, where asked for: ``matches``;
        ``factored``; ``handicap``, which is in the total, and the ``scratch`` result and ``scratch_place`` without it;
        boards ``to_come``; ``name``. Results with nobody named are of a contestant without a name, and unranked.

    Raises
    ------
    ValueError
        If the results are not scored by the form or not with these options, there are several events and ``within``
        does not say ``event``, it is not clear who is who, or a ruling has no value under the form.

    Notes
    -----
    Percentages are matchpoints won over matchpoints available, so that a board with fewer results weighs less (unless
    ``expected`` of :func:`score_results` brings all to one top). Laws 78, 12C2: who is awarded average plus gets its
    own percentage of the other boards of the session (the match, for victory points) where that is more, who is awarded
    average minus where it is less; other boards are those without such an award. A ruling given as a percentage or
    IMPs is taken as it stands. In IMPs an average stands, but under editions with ``own_imps``. An adjusted board has
    the top of its deal, or where too few results are left there the largest of the event.

    An assigned score (``620``, or outcomes with weights, ``620*.7 -100*.3``, seen from the side it is for) is a result
    of its side's field like any other: what it makes of each outcome, and others of it, counts by its weight; a datum
    is cut and averaged by weight. A lone result has nothing to compare with, and is no result (in Butler it is its own
    datum: 0); but by Neuberg's formula, alone in its version of a fouled board or with ``expected``, it is average.
    Late plays are results like others, once they are in the table.

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
    _check_choice("rank_by", rank_by, "average", "total", "factor")
    _check_meant("vp_scale", vp_scale, "form='victory_points'", form == "victory_points")
    _check_meant("bye", bye, "form='victory_points'", form == "victory_points")
    _check_meant("sub_field", sub_field, "pairs and players", of != "teams")
    _check_meant("expected", expected, "pairs and players", of != "teams")
    if not 0 <= handicap_share <= 1:
        raise ValueError(f"expected handicap_share from 0 to 1, got {handicap_share!r}")
    rulings = None if adjusted is None else load_edition(adjusted, kind="adjusted")
    apart = _columns_apart(table, within)
    if of == "teams":
        lines, whose = team_ledger(
            table, form, apart, adjusted=rulings, imp_scale=imp_scale, vp_scale=vp_scale, bye=bye
        )
        top = 1.0
    else:
        lines, whose, top = pair_ledger(
            table,
            form,
            apart,
            rulings,
            of=of,
            winners=winners,
            expected=expected,
            win=win,
            datum=datum,
            imp_scale=imp_scale,
            sub_field=sub_field,
            vp_scale=vp_scale,
            bye=bye,
        )
    lines, whose = with_absent(lines, whose, schedule)
    lines = lines.assign(penalty=0.0) if penalties is None else _less(lines, penalties, whose, form, sessions, top)
    own = [*dict.fromkeys([*apart, "side", "section", "contestant"])]
    there = (whose["contestant"].notna() | (lines[["boards", "no_result"]] > 0).any(axis=1)).to_numpy()  # no phantoms
    codes, found = pd.factorize(group_codes(whose.loc[there, own])[0])
    share_of = {"matchpoints": "top", "board_a_match": "top", "victory_points": "matches"}.get(form, "boards")
    ranked = over_sessions(lines[there], codes, share_of=share_of, mean=sessions == "mean")
    whose = whose.loc[there, own].iloc[first_of(codes, len(found))].reset_index(drop=True)
    ranked = pd.concat([whose, ranked], axis=1)
    if rank_by == "factor":
        ranked["factor"] = factor(ranked, ranked[[*apart, "side"]], share_of)
        ranked["factored"] = (ranked["total"] + ranked["penalty"]) * ranked["factor"] - ranked["penalty"]
    if handicaps is not None:
        ranked = _with_handicaps(
            ranked, handicap_share * handicaps_of(handicaps, whose, form), form, share_of, rank_by, apart
        )
    if schedule is not None:
        ranked["to_come"] = (
            boards_due(schedule, whose) - ranked["boards"] - ranked["no_result"] + ranked["unknown"]
        ).clip(0)
    if names is not None:
        ranked["name"] = names_of(names, whose)
    return _by_place(ranked, apart, share_of, rank_by)


def _less(
    lines: pd.DataFrame, penalties: pd.DataFrame, whose: pd.DataFrame, form: str, sessions: str, top: float
) -> pd.DataFrame:
    unsaid = "session" not in penalties or penalties["session"].isna().any()
    if sessions == "mean" and unsaid and (whose["session"] != whose["session"].iloc[0]).any():
        raise ValueError("expected penalties to name their session, since sessions are averaged, got one that does not")
    taken = penalties_of(penalties, whose, form, top)
    return lines.assign(penalty=taken, total=lines["total"] - taken)


def _ranked_by(ranked: pd.DataFrame, share_of: str, rank_by: str) -> pd.Series:
    """What contestants are ranked by; missing for nobody, and where nothing was earned."""
    column = {"average": "share", "total": "total", "factor": "factored"}[rank_by]
    return ranked[column].where(ranked["contestant"].notna() & (ranked[share_of] > 0))


def _with_handicaps(
    ranked: pd.DataFrame, handicap: NDArray[np.float64], form: str, share_of: str, rank_by: str, apart: list[str]
) -> pd.DataFrame:
    """Results with handicaps, in per cent of what was available or in the unit of the form, and those from scratch."""
    scratch = _ranked_by(ranked, share_of, rank_by)
    more = handicap / 100 * ranked["top"] if form == "matchpoints" else handicap
    of = ranked[share_of] / (100 if share_of == "top" else 1)
    found = ranked.assign(
        total=ranked["total"] + more,
        share=ranked["share"] + more / of.where(of > 0),
        handicap=handicap,
        scratch=scratch,
        scratch_place=places(scratch, by=ranked[[*apart, "side"]]),
    )
    if rank_by == "factor":
        found["factored"] += more * ranked["factor"] if form == "matchpoints" else more
    return found


def _by_place(ranked: pd.DataFrame, apart: list[str], share_of: str, rank_by: str) -> pd.DataFrame:
    by, of_top = _ranked_by(ranked, share_of, rank_by), share_of == "top"
    none = pd.Series(np.nan, ranked.index)
    table = ranked.assign(
        place=places(by, by=ranked[[*apart, "side"]]),
        top=ranked["top"] if of_top else none,
        percent=ranked["share"] if of_top else none,
        average=ranked["total"] / ranked["boards"].where(ranked["boards"] > 0) if of_top else ranked["share"],
        by=-by,
    )
    order = [*dict.fromkeys([*apart, "side", "by", "section", "contestant"])]
    shown = [*dict.fromkeys([*apart, *_COLUMNS]), *(name for name in _OPTIONAL if name in table)]
    return table.sort_values(order, ignore_index=True)[shown]


def _check_choice(name: str, choice: str, *known: str) -> None:
    if choice not in known:
        raise ValueError(f"expected {name} as {' or '.join(map(repr, known))}, got {choice!r}")


def _check_meant(name: str, value: object, where: str, meant: bool) -> None:
    if value is not None and not meant:
        raise ValueError(f"expected {name} only for {where}, got {value!r}")


def _columns_apart(table: pd.DataFrame, within: str | Sequence[str]) -> list[str]:
    names = [within] if isinstance(within, str) else list(within)
    lost = [name for name in names if name not in table]
    if lost:
        raise ValueError(f"expected within to name columns of the results, got {', '.join(map(repr, lost))}")
    events, _ = group_codes(table["event"])
    if table["event"].hasnans:
        events, _ = group_codes(pd.DataFrame({"event": events, "source": table["source"].where(table["event"].isna())}))
    if not {"event", "source"} & set(names) and (events != events[:1]).any():
        raise ValueError(
            "expected within to name 'event', since the results have several (to pool them, set one event)"
        )
    return names
