"""The states of a rubber, and how all rubbers go through them together.

A rubber has few states: who has a game, and the part-score of each side, in steps of the smallest trick score. What a
deal changes in them is as little: one side scores so many points below the line, or nobody does. So a law is a table of
*moves*, a state and what a deal brings, and to keep a score is to look up move after move. That step is taken for
thousands of rubbers at once; a very long sequence is cut into stretches that advance together.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.laws import BID, TRICKS, AnyEdition, Grid, trick_points, trick_score
from bridge_analytics.rules import Edition, load_edition

Moves = dict[str, NDArray[Any]]

_STRETCH = 512  # deals of a lane
_WARM_UP = 64  # deals after which it hardly matters in what state one began
_CELLS = 1 << 18  # of the lanes that advance together: deals x lanes

NS, EW = 0, 1


@lru_cache(maxsize=64)
def steps(laws: Edition) -> tuple[int, int]:
    """The unit that all trick scores are multiples of, and how many of them make a game. [points]"""
    game = int(laws["trick_score.game"])
    unit = int(np.gcd.reduce(trick_points(laws)[BID]))
    return unit, -(-game // unit)


@lru_cache(maxsize=64)
def symbols(laws: Edition) -> NDArray[np.intp]:
    """What a deal brings, by declarer's side, contract and tricks, flat.

    0: nothing below the line; from 1 the units that North-South score, and from there on those of East-West; no more
    than make a game.
    """
    unit, game = steps(laws)
    points: Grid = np.broadcast_to(trick_score(laws), (BID.shape[0], 1, TRICKS.size))[:, 0].reshape(-1)
    gained = np.minimum(points // unit, game)
    return np.concatenate([gained, np.where(gained > 0, gained + game, 0)])


def _after_gain(game: int) -> tuple[list[NDArray[Any]], NDArray[Any], NDArray[Any]]:
    """By part-scores (both) and symbol: the part-scores after, and whether each side has made a game."""
    gain = np.arange(2 * game + 1)
    gains = np.where(gain <= game, gain, 0), np.where(gain > game, gain - game, 0)
    before = np.ogrid[:game, :game, :1][:2]
    parts = [np.add(part, mine) + np.zeros((game, game, 1), int) for part, mine in zip(before, gains, strict=True)]
    made = [part >= game for part in parts]
    nobody = ~(made[NS] | made[EW])
    return [np.where(nobody, part, 0) for part in parts], made[NS], made[EW]


@lru_cache(maxsize=64)
def chicago_moves(laws: Edition) -> Moves:
    """Moves of the part-scores alone; as :func:`rubber_moves`, without games, end and premiums."""
    unit, game = steps(laws)
    parts, made_ns, made_ew = _after_gain(game)
    moves = {
        "after": parts[NS] * game + parts[EW],
        "part_ns": (unit * parts[NS]).astype(np.int32),
        "part_ew": (unit * parts[EW]).astype(np.int32),
        "game": made_ns + 2 * made_ew - 1,
    }
    return {name: table.reshape(game * game, -1) for name, table in moves.items()}


@lru_cache(maxsize=64)
def rubber_moves(laws: Edition, *, split: bool) -> Moves:
    """All moves of a rubber: tables by state and symbol.

    Parameters
    ----------
    laws : Edition
    split : bool
        After the end a new rubber begins; else the state is one more, the last, and is not left.

    Returns
    -------
    dict of ndarray
        ``after`` (the state), ``vulnerable_ns vulnerable_ew`` (before), ``part_ns part_ew`` [points] and
        ``games_ns games_ew`` after, ``game`` (who completes one: -1 nobody, 0 North-South, 1 East-West),
        ``rubber_over``, ``premium_ns premium_ew`` for the rubber, and if play stopped there ``unfinished_ns
        unfinished_ew``. [points]
    """
    unit, game = steps(laws)
    parts, made_ns, made_ew = _after_gain(game)
    shape = (2, 2, *made_ns.shape)
    had = np.ogrid[:2, :2, :1, :1, :1][:2]
    games = [had[NS] + made_ns, had[EW] + made_ew]
    over = (games[NS] == 2) | (games[EW] == 2)
    going = ((games[NS] * 2 + games[EW]) * game + parts[NS]) * game + parts[EW]
    moves: Moves = {"after": np.where(over, 0 if split else 4 * game * game, going), "rubber_over": over}
    moves["game"] = (made_ns + 2 * made_ew - 1).astype(np.int8)
    for side, name in ((NS, "ns"), (EW, "ew")):
        moves[f"vulnerable_{name}"] = had[side] == 1
        moves[f"games_{name}"] = games[side].astype(np.int8)
        moves[f"part_{name}"] = (unit * parts[side]).astype(np.int32)
        moves[f"premium_{name}"] = _rubber_premium(laws, games[side], games[1 - side])
        moves[f"unfinished_{name}"] = np.where(
            over, 0, _unfinished(laws, games[side], games[1 - side], parts[side], parts[1 - side])
        ).astype(np.int32)
    flat = {name: np.broadcast_to(table, shape).reshape(4 * game * game, -1) for name, table in moves.items()}
    return {name: np.concatenate([table, _ended(name, table)]) for name, table in flat.items()}


def _ended(name: str, table: NDArray[Any]) -> NDArray[Any]:
    """The row of the state after the end: nothing changes any more."""
    return np.full((1, table.shape[1]), {"after": len(table), "game": -1}.get(name, 0), table.dtype)


def given(laws: Edition, key: str) -> Any:
    """What the edition says under ``[rubber]``; None where its text gives nothing."""
    known = {leaf[0]: leaf[1] for leaf in laws.leaves}
    value = known.get(f"rubber.{key}", ())
    return None if value == () else value


def rubber_laws(edition: AnyEdition) -> Edition:
    """The edition, which must be one of rubber bridge."""
    laws = load_edition(edition, "scoring")
    if given(laws, "two_games_to_none") is None:
        raise ValueError(f"expected an edition of rubber bridge, with a premium for two games, got {laws.name!r}")
    return laws


def chicago_laws(edition: AnyEdition) -> Edition:
    """The edition, which must be one of Chicago."""
    laws = load_edition(edition, "scoring")
    if given(laws, "chicago_game") is None:
        raise ValueError(f"expected an edition of Chicago, with a premium for each game, got {laws.name!r}")
    return laws


def _points(laws: Edition, key: str) -> int:
    """A premium of the edition; 0 where its text gives none."""
    return int(given(laws, key) or 0)


def _rubber_premium(laws: Edition, games: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.int32]:
    """The premium of the side with two games. Source: rubber Law 74."""
    none, one = _points(laws, "two_games_to_none"), _points(laws, "two_games_to_one")
    return np.where(games == 2, np.where(theirs == 0, none, one), 0).astype(np.int32)


def _unfinished(
    laws: Edition, games: NDArray[Any], theirs: NDArray[Any], part: NDArray[Any], their_part: NDArray[Any]
) -> NDArray[Any]:
    """What a side earns if the rubber is broken off: for the only game, for the only part-score. Source: Law 80."""
    both = given(laws, "both_partscores") == "both"
    for_game = (games == 1) & (theirs == 0)
    for_part = (part > 0) & ((their_part == 0) | both)
    return np.asarray(for_game * _points(laws, "unfinished_game") + for_part * _points(laws, "unfinished_partscore"))


def advance(
    brought: NDArray[np.intp], starts: NDArray[np.intp], sizes: NDArray[np.intp], after: NDArray[Any]
) -> NDArray[np.intp]:
    """The move of every deal, all rubbers together.

    Parameters
    ----------
    brought : ndarray of intp, shape (n,)
        The symbol of each deal, in playing order, rubber after rubber.
    starts, sizes : ndarray of intp, shape (r,)
        Where the sequences start, and how many deals they have. Each begins in state 0.
    after : ndarray, shape (states, symbols)
        The state after each move; symbol 0 changes no state.

    Returns
    -------
    ndarray of intp, shape (n,)
        State before the deal x number of symbols + symbol: a place in the flat tables of moves.

    Notes
    -----
    Within a stretch of a long sequence it is guessed in which state it begins: what its last deals before come to
    from state 0. Wherever the stretch before ends otherwise it is gone through again, until all ends meet.
    """
    moves = np.empty(brought.size, np.intp)
    first, lane_starts, lane_sizes = _lanes(starts, sizes)
    to = (after * after.shape[1]).reshape(-1).astype(np.intp)
    warm = np.where(first, 0, np.minimum(_WARM_UP, lane_starts))
    at = np.zeros(first.size, np.intp)
    if not first.all():
        at = np.where(first, 0, _run(brought, lane_starts - warm, warm, at, to, np.empty_like(moves)))
    ends, again = np.empty_like(at), np.arange(first.size)
    while again.size:
        ends[again] = _run(brought, lane_starts[again], lane_sizes[again], at[again], to, moves)
        entered = np.where(first, 0, np.roll(ends, 1))
        again = np.flatnonzero(entered != at)
        at = entered
    return moves


def _lanes(
    starts: NDArray[np.intp], sizes: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]:
    """Sequences cut into stretches: whether one is the first of its sequence, its start, its deals."""
    counts = np.maximum(-(-sizes // _STRETCH), 1)
    number = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
    lane_starts = np.repeat(starts, counts) + number * _STRETCH
    return number == 0, lane_starts, np.minimum(np.repeat(starts + sizes, counts) - lane_starts, _STRETCH)


def _run(
    brought: NDArray[np.intp],
    starts: NDArray[np.intp],
    sizes: NDArray[np.intp],
    at: NDArray[np.intp],
    to: NDArray[np.intp],
    moves: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Go through lanes from where they are, note every move, and say where they end."""
    order, ends, start = np.argsort(-sizes, kind="stable"), at.copy(), 0
    while start < order.size and sizes[order[start]]:
        longest = int(sizes[order[start]])
        lanes = order[start : start + max(_CELLS // longest, 1)]
        time = np.arange(longest)[:, None]
        place, there = starts[lanes] + time, time < sizes[lanes]
        path, state = brought.take(place, mode="clip"), at[lanes]
        whole = bool(there[-1].all())
        if not whole:
            path *= there  # beyond the end of a lane nothing changes
        for now in path:
            now += state
            to.take(now, out=state, mode="wrap")
        moves[place if whole else place[there]] = path if whole else path[there]
        ends[lanes] = state
        start += lanes.size
    return ends
