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
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tables:
    """Double-dummy tricks of all declarers.

    Parameters
    ----------
    deals : array_like of int, shape (..., 4)
        The hands of North, East, South, West.
    strains : iterable of ``C D H S NT``
        What to solve; each takes its share of the time.
    cache : str or path, optional
        A Parquet file of what has been solved, by :func:`deal_hash`. It is made if there is none, read before and
        written while solving: after an interrupt the same call goes on where the last one stopped.
    progress : function of (solved, to solve, seconds left), optional
        Called after each batch. What was known or comes twice is not counted.

    Returns
    -------
    ndarray of int8, shape (..., strains, 4)
        By strain as asked and declarer N E S W: what :func:`bridge_analytics.par.par` takes. [tricks]

    Raises
    ------
    ImportError
        If endplay is not installed and a deal is to be solved.
    ValueError
        If a deal is not a pack of four hands, or a strain is none.

    Notes
    -----
    DDS by Bo Haglund and Soren Hein, through endplay; it uses every core. Batches are of at most 40 tables.
    """
    chosen = [_strain(word) for word in strains]
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
    missing = [strain for strain in range(5) if strain in chosen]
    todo = np.flatnonzero((solved[:, missing] == _UNSOLVED).any(axis=(1, 2)))
    _solve(rows[first], solved, todo, missing, _saver(cache, keys, solved, known, found), progress)
    return solved[:, chosen][back].reshape((*sets.shape[:-1], len(chosen), 4))


def _strain(word: str) -> int:
    if word not in STRAINS:
        raise ValueError(f"expected strains C D H S NT, got {word!r}")
    return STRAINS.index(word)


def _solve(
    rows: NDArray[np.uint64],
    solved: Tables,
    todo: NDArray[np.intp],
    strains: Sequence[int],
    save: Callable[[], None],
    progress: Progress | None,
) -> None:
    """Solve the deals to do into ``solved``, batch by batch, saving now and then and whatever stops it."""
    if not len(todo):
        return
    solve = _solver(strains)
    start = saved = monotonic()
    cost = 0.0
    try:
        for done in range(0, len(todo), _BATCH):
            batch = todo[done : done + _BATCH]
            solved[np.ix_(batch, np.asarray(strains))] = solve(rows[batch])
            now = monotonic()
            if now - saved > _SAVING * cost:
                save()
                saved, cost = monotonic(), monotonic() - now
            if progress is not None:
                so_far = done + len(batch)
                progress(so_far, len(todo), (now - start) / so_far * (len(todo) - so_far))
    finally:
        save()


def _solver(strains: Sequence[int]) -> Callable[[NDArray[np.uint64]], Tables]:
    """A function from at most 40 deals to their tricks in the strains, shape (deals, strains, 4)."""
    try:
        from endplay.dds import calc_all_tables
        from endplay.types import Deal, Denom, Player
    except ImportError:
        raise ImportError(
            "expected endplay, which solves deals, got none: pip install 'bridge-analytics[dd]' (Python below 3.14)"
        ) from None
    denoms = [Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt]
    players = [Player.north, Player.east, Player.south, Player.west]
    others = [denom for strain, denom in enumerate(denoms) if strain not in strains]

    def solve(rows: NDArray[np.uint64]) -> Tables:
        tables = calc_all_tables([Deal(text) for text in format_deals(rows)], exclude=others)
        cells = [[[table[denoms[strain], seat] for seat in players] for strain in strains] for table in tables]
        return np.array(cells, np.int8)

    return solve


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
