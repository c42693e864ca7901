"""Double dummy: the tricks of every declarer when all four hands are seen, by the solver DDS of the extra ``dd``.

A table takes about a tenth of a second of two cores, so what is solved can be kept in a file and is not solved twice.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.cards import check_deals, deal_hash, format_deals
from bridge_analytics.notation import SEATS, STRAINS

Tables: TypeAlias = NDArray[np.int8]
Progress: TypeAlias = Callable[[int, int, float], None]

_BATCH = 40  # full tables in one call of the solver: its limit
_SAVING = 20  # a save takes at most one in so many parts of the time
_COLUMNS = [f"tricks_{seat}_{strain}" for strain in STRAINS for seat in SEATS]
_UNSOLVED = -1


def tricks(
    deals: ArrayLike,
    *,
    strains: Iterable[str] = STRAINS,
    declarers: Iterable[str] = SEATS,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tables:
    """Double-dummy tricks of declarers.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.
    strains : iterable of ``C D H S NT``
        What to solve; each takes its share of the time.
    declarers : iterable of ``N E S W``
        Whose tricks; one takes about 60 %, two 80 % of the time of all.
    cache : str or path, optional
        A Parquet file of what has been solved, by :func:`deal_hash`. It is made if there is none, read before and
        written while solving: after an interrupt the same call goes on where the last one stopped.
    progress : function of (solved, to solve, seconds left), optional
        Called after each batch. What was known or comes twice is not counted.

    Returns
    -------
    ndarray of int8, shape (..., strains, declarers)
        In the order asked. All strains and declarers are what :func:`bridge_analytics.par.par` takes. [tricks]

    Raises
    ------
    ImportError
        If endplay is not installed and a deal is to be solved.
    ValueError
        If a deal is not a pack of four hands, or a strain or declarer is none.

    Notes
    -----
    DDS by Bo Haglund and Soren Hein, through endplay; it uses every core. Batches are of at most 40 tables.
    """
    chosen, seats = _places(strains, STRAINS, "strains"), _places(declarers, SEATS, "declarers")
    faults = np.atleast_1d(check_deals(deals))
    if (bad := faults != "").any():
        place = int(bad.argmax())
        raise ValueError(f"expected deals of a whole pack, got {faults.reshape(-1)[place]!r} at position {place}")
    sets = np.asarray(deals, np.uint64)
    rows = sets.reshape(-1, 4)
    keys, first, back = np.unique(deal_hash(rows), return_index=True, return_inverse=True)
    known, found = _read(cache)
    solved = np.full((len(keys), 5, 4), _UNSOLVED, np.int8)
    _, here, there = np.intersect1d(keys, known, return_indices=True)
    solved[here] = found[there]
    missing, who = sorted(set(chosen)), sorted(set(seats))
    todo = np.flatnonzero((solved[:, missing][:, :, who] == _UNSOLVED).any(axis=(1, 2)))
    _solve(rows[first], solved, todo, (missing, who), _saver(cache, keys, solved, known, found), progress)
    return solved[:, chosen][:, :, seats][back].reshape((*sets.shape[:-1], len(chosen), len(seats)))


def _places(asked: Iterable[str], words: Sequence[str], what: str) -> list[int]:
    asked = list(asked)
    if unknown := [word for word in asked if word not in words]:
        raise ValueError(f"expected {what} {' '.join(words)}, got {unknown[0]!r}")
    return [words.index(word) for word in asked]


def _solve(
    rows: NDArray[np.uint64],
    solved: Tables,
    todo: NDArray[np.intp],
    cells: tuple[Sequence[int], Sequence[int]],
    save: Callable[[], None],
    progress: Progress | None,
) -> None:
    """Solve the deals to do into ``solved``, batch by batch, saving now and then and whatever stops it."""
    if not len(todo):
        return
    solve = _solver(*cells)
    start = saved = monotonic()
    cost = 0.0
    try:
        for done in range(0, len(todo), _BATCH):
            batch = todo[done : done + _BATCH]
            solved[np.ix_(batch, *map(np.asarray, cells))] = solve(rows[batch])
            now = monotonic()
            if now - saved > _SAVING * cost:
                save()
                saved, cost = monotonic(), monotonic() - now
            if progress is not None:
                so_far = done + len(batch)
                progress(so_far, len(todo), (now - start) / so_far * (len(todo) - so_far))
    finally:
        save()


def _solver(strains: Sequence[int], seats: Sequence[int]) -> Callable[[NDArray[np.uint64]], Tables]:
    """A function from at most 40 deals to their tricks, shape (deals, strains, seats)."""
    try:
        from endplay.dds import calc_all_tables, solve_all_boards
        from endplay.dds.solve import SolveMode
        from endplay.types import Deal, Denom, Player
    except ImportError:
        raise ImportError(
            "expected endplay, which solves deals, got none: pip install 'bridge-analytics[dd]' (Python below 3.14)"
        ) from None
    denoms, players = list(Denom.bidorder()), list(Player)
    others = [denom for strain, denom in enumerate(denoms) if strain not in strains]

    def solve_tables(rows: NDArray[np.uint64]) -> Tables:
        tables = calc_all_tables([Deal(text) for text in format_deals(rows)], exclude=others)
        cells = [[[table[denoms[strain], player] for player in players] for strain in strains] for table in tables]
        return np.array(cells, np.int8)

    def solve_some(rows: NDArray[np.uint64]) -> Tables:
        out = np.empty((len(rows), len(strains), len(seats)), np.int8)
        for place, strain in enumerate(strains):
            boards = [Deal(text) for text in format_deals(rows) for _ in seats]
            for board, seat in zip(boards, [*seats] * len(rows), strict=True):
                board.first, board.trump = players[(seat + 1) % 4], denoms[strain]
            solved = solve_all_boards(boards, mode=SolveMode.OptimalOne)
            lost = [max(won for _, won in board) for board in solved]
            out[:, place] = 13 - np.reshape(lost, (len(rows), len(seats)))
        return out

    return solve_tables if len(seats) == len(players) else solve_some


def _read(cache: str | os.PathLike[str] | None) -> tuple[NDArray[np.uint64], Tables]:
    """The deals of a cache and their tables, unsolved cells marked; none where there is no file."""
    if cache is None or not Path(cache).exists():
        return np.empty(0, np.uint64), np.empty((0, 5, 4), np.int8)
    table = pd.read_parquet(cache)
    if missing := {"deal_hash", *_COLUMNS} - set(table.columns):
        raise ValueError(f"expected a file of solved deals, got {str(cache)!r} without {', '.join(sorted(missing))}")
    cells = table[_COLUMNS].fillna(_UNSOLVED).to_numpy(np.int8)
    return table["deal_hash"].to_numpy(np.uint64), cells.reshape(-1, 5, 4)


def _saver(
    cache: str | os.PathLike[str] | None,
    keys: NDArray[np.uint64],
    solved: Tables,
    known: NDArray[np.uint64],
    found: Tables,
) -> Callable[[], None]:
    """A function that writes what was known and what is solved by now, all or nothing."""

    def save() -> None:
        if cache is None:
            return
        some = (solved != _UNSOLVED).any(axis=(1, 2))
        others = ~np.isin(known, keys)
        cells = np.concatenate([found[others], solved[some]]).reshape(-1, 20)
        columns: dict[str, Any] = {"deal_hash": np.concatenate([known[others], keys[some]])}
        for column, name in enumerate(_COLUMNS):
            values = cells[:, column]
            columns[name] = pd.array(values, "Int8")
            columns[name][values == _UNSOLVED] = pd.NA
        path = Path(cache)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
        pd.DataFrame(columns).to_parquet(unfinished, index=False)
        unfinished.replace(path)

    return save
