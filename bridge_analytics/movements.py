"""Movements: who meets whom on which boards. Mitchells by their rule, Howells from published start tables.

A movement is a table with a row for each board at each table: ``round table ns ew board``. Pairs are numbers; where
nobody sits the number is missing, and the other pair sits out.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.rules import Edition, load_edition

_COLUMNS = ["round", "table", "ns", "ew", "board"]
_NOBODY = 0
_MOST = 999  # tables, or boards in a round

Numbers = NDArray[np.int64]


def mitchell(
    tables: int,
    *,
    even: str | None = None,
    rounds: int | None = None,
    boards_per_round: int = 1,
    arrow_switch: int = 0,
    sit_out: str | None = None,
) -> pd.DataFrame:
    """A Mitchell: North-South stay, after each round East-West move up a table and the boards down one.

    Parameters
    ----------
    tables : int
        From 2.
    even : {"skip", "share_and_relay"}, optional
        For an even number of tables, to play more than half as many rounds: East-West pass by a table after half of
        the rounds (one round less than tables); or the first and the last table share their boards and one set lies
        out half-way up (as many rounds as tables).
    rounds : int, optional
        Fewer than go.
    boards_per_round : int
        The boards of a set: set 1 is boards 1 to this many, set 2 the next.
    arrow_switch : int
        In so many of the last rounds North-South and East-West change places, for one winner. The pairs are then one
        field, and who starts East-West is numbered on: at 7 tables 8 to 14.
    sit_out : {"ns", "ew"}, optional
        The side that lacks its last pair.

    Returns
    -------
    DataFrame
        ``round table ns ew board``, in this order of rows. Without ``arrow_switch`` NS 3 and EW 3 are different pairs.
        ``ns`` and ``ew`` are missing where nobody sits.

    Raises
    ------
    ValueError
        If the number of tables, rounds and ``even`` do not go together: somebody would meet a board or an opponent
        twice.

    Notes
    -----
    Source: I. McKinnon, bridgecentral.com (for relays its page Relay); the skip also a club director's page.

    Examples
    --------
    >>> mitchell(3).query("round == 2")
       round  table  ns  ew  board
    3      2      1   1   3      2
    4      2      2   2   1      3
    5      2      3   3   2      1
    """
    _check_number("tables", tables, 2, _MOST)
    played = _rounds(tables, even, rounds)
    _check_number("arrow_switch as rounds", arrow_switch, 0, played)
    if sit_out not in ("ns", "ew", None):
        raise ValueError(f"expected sit_out as 'ns' or 'ew', the side that lacks its last pair, got {sit_out!r}")
    turn, table = np.arange(played)[:, None], np.arange(1, tables + 1)[None, :]
    late, far = 2 * turn >= tables, 2 * table > tables
    ns, ew = table + 0 * turn, _wrapped(table - turn - (late & (even == "skip")), tables)
    sets = _wrapped(table + turn + (far & (even == "share_and_relay")), tables)
    ns = np.where((ns == tables) & (sit_out == "ns"), _NOBODY, ns)
    ew = np.where((ew == tables) & (sit_out == "ew"), _NOBODY, ew + tables * (arrow_switch > 0))
    switched = turn >= played - arrow_switch
    return _movement(np.where(switched, ew, ns), np.where(switched, ns, ew), sets, boards_per_round)


def _rounds(tables: int, even: str | None, rounds: int | None) -> int:
    """How many rounds are played, if so many go."""
    if even not in ("skip", "share_and_relay", None):
        raise ValueError(f"expected even as 'skip' or 'share_and_relay', got {even!r}")
    if even and tables % 2:
        raise ValueError(f"expected an even number of tables for {even!r}, got {tables}")
    most = {"skip": tables - 1, "share_and_relay": tables, None: tables if tables % 2 else tables // 2}[even]
    if rounds is None and not even and not tables % 2:
        raise ValueError(f"expected even='skip' or 'share_and_relay' for {tables} tables, or rounds up to {most}")
    _check_number(f"rounds of {tables} tables", most if rounds is None else rounds, 1, most)
    return most if rounds is None else rounds


def howell(
    pairs: int, *, boards_per_round: int = 1, sit_out: int | None = None, edition: str | Edition = "howell-ebu"
) -> pd.DataFrame:
    """A Howell: everybody meets everybody once, from a published start table.

    Parameters
    ----------
    pairs : int
        The pairs of the movement: 8 or 10 in ``howell-ebu``.
    boards_per_round : int
        The boards of a set: set 1 is boards 1 to this many, set 2 the next.
    sit_out : int, optional
        The pair that is missing: 7 pairs play the movement of 8 without one.
    edition : str, path or Edition
        Start tables, of kind ``howell``.

    Returns
    -------
    DataFrame
        ``round table ns ew board``, in this order of rows; ``ns`` and ``ew`` are missing where nobody sits.

    Raises
    ------
    ValueError
        If there is no start table for so many pairs, or it leads to somebody meeting a board or an opponent twice.

    Notes
    -----
    After each round every pair but the last, which stays, goes where the pair one number below it sat, and every
    table takes the next set. Source: EBU movements M37 and M39.

    Examples
    --------
    >>> howell(8).query("round == 2")
       round  table  ns  ew  board
    4      2      1   4   7      2
    5      2      2   1   3      4
    6      2      3   6   5      5
    7      2      4   8   2      6
    """
    starts = load_edition(edition, kind="howell")
    known = [int(key.removeprefix("start.pairs_")) for key, _, _ in starts.leaves]
    if pairs not in known:
        raise ValueError(f"expected pairs among {', '.join(map(str, known))}, as {starts.name!r} has, got {pairs!r}")
    if sit_out is not None:
        _check_number("sit_out as a pair", sit_out, 1, pairs)
    first = np.array(starts[f"start.pairs_{pairs}"])
    turn = np.arange(pairs - 1)[:, None]
    ns, ew = (np.where(seat == pairs, pairs, _wrapped(seat + turn, pairs - 1)) for seat in first.T[:2])
    movement = _movement(ns, ew, _wrapped(first[:, 2] + turn, pairs - 1), boards_per_round)
    faults = check_movement(movement, winners=1)
    if sorted(first[:, :2].flat) != list(range(1, pairs + 1)) or first[:, 2].max() >= pairs or len(faults):
        raise ValueError(f"expected start.pairs_{pairs} to let all meet once, on new boards, got {first.tolist()}")
    return _without(movement, sit_out or _NOBODY)


def check_movement(movement: pd.DataFrame, *, winners: int) -> pd.DataFrame:
    """Who meets a board or an opponent twice, or is at two tables at once.

    Parameters
    ----------
    movement : DataFrame
        ``round table ns ew board``, a row for each board at each table; other columns do not matter. A missing pair is
        nobody.
    winners : {1, 2}
        Whether a pair is its number alone (Howell, arrow switch: 1), or its side and number (Mitchell: 2).

    Returns
    -------
    DataFrame
        Empty where nothing is wrong; else ``rule round table ns ew board earlier``: ``board_twice``,
        ``opponent_twice`` or ``two_tables``, the row where it happens, and the round of the first time.

    Examples
    --------
    >>> card = pd.DataFrame({"round": [1, 2], "table": [1, 1], "ns": [1, 1], "ew": [1, 2], "board": [5, 5]})
    >>> check_movement(card, winners=2)
              rule  round  table  ns  ew  board  earlier
    0  board_twice      2      1   1   2      5        1
    """
    lost = [name for name in _COLUMNS if name not in movement.columns]
    if lost:
        raise ValueError(f"expected a movement with columns {' '.join(_COLUMNS)}, got one without {', '.join(lost)}")
    if winners not in (1, 2):
        raise ValueError(f"expected 1 or 2 winners, got {winners!r}")
    rows = movement[_COLUMNS].sort_values(["round", "table", "board"], ignore_index=True)
    codes, pairs = pd.factorize(pd.concat([rows["ns"], rows["ew"]]))
    ns, ew = codes[: len(rows)], np.where(codes < 0, -1, codes + len(pairs) * (winners == 2))[len(rows) :]
    seats = pd.concat([rows.assign(who=ns), rows.assign(who=ew)]).sort_index(kind="stable").query("who >= 0")
    met = rows.assign(one=np.minimum(ns, ew), other=np.maximum(ns, ew)).query("one >= 0")
    faults = [
        _again("board_twice", seats, ["who", "board"]),
        _again("opponent_twice", met.drop_duplicates(["round", "table", "one", "other"]), ["one", "other"]),
        _again("two_tables", seats.drop_duplicates(["round", "table", "who"]), ["round", "who"]),
    ]
    return pd.concat(faults, ignore_index=True)


def _again(rule: str, rows: pd.DataFrame, same: list[str]) -> pd.DataFrame:
    """The rows in which what should come once comes again, and the round of the first time."""
    earlier = rows.groupby(same)["round"].transform("first")
    faults = rows.assign(rule=rule, earlier=earlier)[rows.duplicated(same)]
    return faults[["rule", *_COLUMNS, "earlier"]]


def _check_number(name: str, number: object, low: int, high: int) -> None:
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or not low <= number <= high:
        raise ValueError(f"expected {name} from {low} to {high}, got {number!r}")


def _wrapped(number: Numbers, most: int) -> Numbers:
    """Numbers from 1 to ``most``, round and round."""
    return (number - 1) % most + 1


def _movement(ns: Numbers, ew: Numbers, sets: Numbers, boards_per_round: int) -> pd.DataFrame:
    """The table of a movement from the pairs and the set of each round (a row) and table (a column)."""
    _check_number("boards_per_round", boards_per_round, 1, _MOST)
    turn, table = np.indices(sets.shape) + 1
    cells = np.stack([turn, table, ns, ew, (sets - 1) * boards_per_round + 1], axis=-1).reshape(-1, len(_COLUMNS))
    movement = pd.DataFrame(np.repeat(cells, boards_per_round, axis=0), columns=_COLUMNS)
    movement["board"] += np.tile(np.arange(boards_per_round), sets.size)
    return _without(movement, _NOBODY)


def _without(movement: pd.DataFrame, pair: int) -> pd.DataFrame:
    """The movement with nobody where the pair would sit."""
    seats = {name: movement[name].astype("Int64") for name in ("ns", "ew")}
    return movement.assign(**{name: seat.mask(seat == pair) for name, seat in seats.items()})
