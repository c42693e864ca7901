"""Which results share the cards, and who is at the table of a deal twice.

This is the one place that says which rows are of one deal. It refuses to guess: where the rows contradict the rule it
would follow, it says so and asks for ``by``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.checks import fault_table
from bridge_analytics.columns import text_codes
from bridge_analytics.deal_labels import deal_labels, origin_of, several_origins
from bridge_analytics.groups import group_codes
from bridge_analytics.table import COLUMNS, SCORED_COLUMNS, STATUSES, check_table, own_codes

_PLAYERS = ("north", "east", "south", "west")
_CONTESTANTS = ("ns", "ew", *_PLAYERS)
_TELL_APART = ("round", "section", "table")  # a session tells deals apart as it is
_COMMON = (
    0.1  # share of the pairs that come twice: fewer are slips of the pen, where no other result is left to compare
)
_WITH_A_SCORE = [STATUSES.index(name) for name in ("played", "passed")]
_SAT_DOWN = [*_WITH_A_SCORE, STATUSES.index("adjusted")]

Codes = NDArray[np.int64]


def deal_ids(results: pd.DataFrame, by: str | Sequence[str] | None = None) -> NDArray[np.int64]:
    """Which results share the cards: the same number for rows of one deal.

    Parameters
    ----------
    results : DataFrame
        A table of results.
    by : str or sequence of str, optional
        The columns that tell deals apart. Without it: ``event`` (``source`` where it is empty), ``session`` and the
        board (its number, else its label); a row with neither is a deal of its own. ``by`` takes the place of session
        and board.

    Returns
    -------
    ndarray of int64, shape (n,)
        Deal numbers from 0, in the order in which deals first appear. A missing label is a label.

    Raises
    ------
    ValueError
        Without ``by``: if most results have no board; if a deal would have two vulnerabilities or two sets of hands, or
        results of several sections; if pairs or players would sit down to a deal twice and ``round``, ``section``,
        ``session`` or ``table`` tells most of these apart; if most of them would and no column does; or if there are
        neither pairs nor players to judge by, and several rounds. With ``by``: if it names no column of the table, or
        leaves several events (or sources) together.

    Notes
    -----
    A pair may meet a deal once in each direction (NS 5 and EW 5 of a Mitchell are two pairs). One wrong pair number is
    no reason to refuse a file that has a column of rounds: a column tells deals apart where at least a tenth of the
    pairs come twice without it, or where the deals that it makes still have results to compare. Who comes twice all
    the same is a fault, see :func:`twice_on_a_deal`.

    Results without a board are a fault (``board_missing``), and nobody knows what they share: they are compared with
    none. One traveller typed without its board needs only a column with the board, or ``by``.

    Examples
    --------
    >>> import bridge_analytics as ba
    >>> evening = pd.DataFrame({"board": [1, 2, 1], "contract": ["Pass", "Pass", "Pass"]})
    >>> deal_ids(ba.read_results(evening))
    array([0, 1, 0])
    """
    codes = _deals(check_table(results), by)
    doubt = doubted(results, codes) if by is None else ""
    if doubt:
        raise ValueError(f"expected by, to tell deals apart: {doubt}")
    return codes


def twice_on_a_deal(results: pd.DataFrame, by: str | Sequence[str] | None = None) -> pd.DataFrame:
    """The rows in which a pair or a player comes to a deal again: typed twice, or with a wrong line-up.

    Parameters
    ----------
    results, by
        As for :func:`deal_ids`, which says what a deal is. Where ``by`` pools sections, pairs of different sections
        are different pairs.

    Returns
    -------
    DataFrame
        A table of faults, one for each later row, with the first column that comes again.

    Raises
    ------
    ValueError
        As :func:`deal_ids`.
    """
    deals = deal_ids(results, by)
    return twice(results, deals, pool_sections=by is not None)


def twice_if_clear(results: pd.DataFrame) -> pd.DataFrame:
    """As :func:`twice_on_a_deal`, but none where the rows do not tell deals apart by themselves.

    Nor where there is only one deal: nothing then shows whether a name stands for one contestant or for a place.
    """
    deals = _deals(check_table(results), None)
    if not deals.any() or doubted(results, deals):
        return fault_table("twice_on_a_deal", [])
    return twice(results, deals, pool_sections=False)


def twice(results: pd.DataFrame, deals: Codes, *, pool_sections: bool) -> pd.DataFrame:
    """As :func:`twice_on_a_deal`, where the deals of the rows are known."""
    rows, who, columns = _appearances(results, pool_sections=pool_sections)
    if not _doublings(deals, rows, who):
        return fault_table("twice_on_a_deal", [])
    order = np.lexsort((columns, rows))
    rows, who, columns = rows[order], who[order], columns[order]
    codes, found = pd.factorize(deals[rows] * (int(who.max()) + 1) + who)
    first = np.full(len(found), rows.size)
    np.minimum.at(first, codes, np.arange(rows.size))
    again = np.flatnonzero(first[codes] != np.arange(rows.size))
    _, one_a_row = np.unique(rows[again], return_index=True)
    again = again[one_a_row]
    names = np.array(_CONTESTANTS, object)[columns[again]]
    ids = [results[name].iloc[row] for name, row in zip(names, rows[again], strict=True)]
    own_row = results["source_row"].to_numpy(dtype=object)
    return fault_table(
        "twice_on_a_deal",
        own_row[rows[again]],
        column=names,
        value=ids,
        suggestion=[f"also in row {row}" for row in own_row[rows[first[codes[again]]]]],
        source=results["source"].astype("str").to_numpy()[rows[again]],
    )


def _deals(results: pd.DataFrame, by: str | Sequence[str] | None) -> Codes:
    """The number of the deal of each row, in the order in which deals first appear."""
    labels = deal_labels(results, by)
    if by is None:
        alone = boardless(results)
        return _numbered(labels | ({"row": np.where(alone, np.arange(len(alone)), -1)} if alone.any() else {}))
    origin = pd.DataFrame(origin_of(results)).drop_duplicates()
    if not {"event", "source"} & set(labels) and len(origin) > 1:
        raise several_origins(by, "event" if results["event"].notna().any() else "source")
    return _numbered(labels)


def boardless(results: pd.DataFrame) -> NDArray[np.bool_]:
    """Which rows have neither the number of a board nor a label."""
    return (results["board"].isna() & results["board_label"].isna()).to_numpy()


def _numbered(columns: Mapping[str, Any]) -> Codes:
    return pd.factorize(group_codes(pd.DataFrame(columns))[0])[0].astype(np.int64)


def _appearances(results: pd.DataFrame, *, pool_sections: bool) -> tuple[NDArray[np.intp], Codes, NDArray[np.intp]]:
    """Each pair and player of each row that was sat down to: row, a number for who it is, and the column.

    A pair is known by its direction; a player is the same wherever it sits.
    """
    sat = np.flatnonzero(np.isin(own_codes("status", results["status"]), _SAT_DOWN))
    section = text_codes(results["section"])[1][sat] if pool_sections else np.full(sat.size, -1)
    players: dict[str, int] = {}
    parts = []
    for place, name in enumerate(_CONTESTANTS):
        words, codes = text_codes(results[name])
        is_pair = name not in _PLAYERS
        known: dict[str, int] = {} if is_pair else players
        number = np.array([*(known.setdefault(word, len(known)) for word in words), -1], np.int64)[codes][sat]
        there = np.flatnonzero(number >= 0)
        who = (number + (section + 1) * len(words)) * 3 + place if is_pair else number * 3 + 2
        parts.append((sat[there], who[there], np.full(there.size, place)))
    rows, who, columns = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, who, columns


def _doublings(deals: Codes, rows: NDArray[np.intp], who: Codes) -> int:
    """How often a pair or player comes to a deal again."""
    return rows.size - len(pd.unique(deals[rows] * (int(who.max(initial=0)) + 1) + who))


def doubted(results: pd.DataFrame, deals: Codes) -> str:
    """Why deals by event, session and board cannot be those of the rows; empty where nothing speaks against them."""
    has_score = np.isin(own_codes("status", results["status"]), _WITH_A_SCORE)
    lost = int((has_score & boardless(results)).sum())
    if lost > 1 and 2 * lost > has_score.sum():
        return (
            f"{lost:,} of {has_score.sum():,} results have no board, neither a number nor a label: give them one, or "
            "name in by the column that tells deals apart"
        )
    finer = {
        name: _numbered({"deal": deals, name: results[name]}) for name in _TELL_APART if _is_several(results[name])
    }
    rows, who, _ = _appearances(results, pool_sections=False)
    if rows.size and (doublings := _doubled(results, deals, finer, rows, who)):
        return doublings
    several = [name for name in ("round", "section") if name in finer]
    if several and not rows.size:
        return f"there are several of {several}, and neither pairs nor players to judge by"
    if "section" in finer and finer["section"].max() > deals.max():
        more = _more_names(results)
        return (
            f"several sections have the same boards; by={[*more, 'section', 'board']} keeps them apart, "
            f"by={[*more, 'board']} compares them together"
        )
    return _two_of(results, deals, "vul", "vulnerabilities") or _two_of(results, deals, "deal", "sets of hands")


def _doubled(
    results: pd.DataFrame, deals: Codes, finer: Mapping[str, Codes], rows: NDArray[np.intp], who: Codes
) -> str:
    """Whether pairs and players come to a deal twice, and a column tells most of that apart, or nothing does."""
    before = _doublings(deals, rows, who)
    if not before:
        return ""
    finest = _numbered(finer) if finer else deals
    lasting = _doublings(finest, rows, who)
    common = before - lasting >= _COMMON * (rows.size - lasting)
    company = {name: _leaves_company(codes[np.unique(rows)]) for name, codes in finer.items()}
    after = {name: _doublings(codes, rows, who) for name, codes in finer.items() if common or company[name]}
    name = min(after, key=lambda name: (after[name], not company[name], name != "section"), default="")
    if name and 2 * (after[name] - lasting) < before - lasting:
        more = _more_names(results)
        together = f", or by={[*more, 'board']} to compare the sections with each other" if name == "section" else ""
        return (
            f"by event, session and board, pairs or players come to a deal twice {before:,} times, with {name!r} "
            f"{after[name]:,} times; by={[*more, name, 'board']}{together}"
        )
    return _several_evenings(results, deals, rows, who) if _most_come_again(finest, rows, who) else ""


def _most_come_again(deals: Codes, rows: NDArray[np.intp], who: Codes) -> bool:
    """Whether most pairs and players come twice to most of their deals; one alone stands for nobody."""
    every = int(who.max()) + 1
    codes, found = pd.factorize(deals[rows] * every + who)
    ids, different = pd.factorize(found % every)
    share = np.bincount(ids, np.bincount(codes) > 1) / np.bincount(ids)
    return len(different) > 1 and float((share > 0.5).mean()) > 0.5


def _several_evenings(results: pd.DataFrame, deals: Codes, rows: NDArray[np.intp], who: Codes) -> str:
    """What to say where most come twice: a column of the file's own that tells them apart, or that one is lacking."""
    names: list[str] = []
    for name in results.columns.difference([*COLUMNS, *SCORED_COLUMNS], sort=False):
        codes = _numbered({"deal": deals, name: results[name]})
        if not _most_come_again(codes, rows, who) and _leaves_company(codes[np.unique(rows)]):
            names = [*_more_names(results), name, "board"]
            break
    hint = f"by={names}" if names else "give them a session column, or name in by the column that tells them apart"
    return f"most pairs or players come to their deals twice: several evenings in one file? {hint}"


def _more_names(results: pd.DataFrame) -> list[str]:
    """The columns that ``by`` must name besides, where they have several values: it replaces all of them."""
    event = "event" if results["event"].notna().any() else "source"
    return [name for name in (event, "session") if _is_several(results[name])]


def _is_several(column: pd.Series) -> bool:
    return len(pd.unique(column)) > 1


def _leaves_company(deals: Codes) -> bool:
    """Whether at least half of the rows have another of the same deal."""
    return bool(2 * (np.bincount(deals)[deals] > 1).sum() >= deals.size)


def _two_of(results: pd.DataFrame, deals: Codes, name: str, what: str) -> str:
    """Where rows of one deal contradict each other in a column that tells of the board."""
    words, codes = text_codes(results[name])
    rows = np.flatnonzero(codes >= 0)
    first = np.full(int(deals.max(initial=0)) + 1, len(codes))
    np.minimum.at(first, deals[rows], rows)
    clash = rows[codes[rows] != codes[first[deals[rows]]]]
    if not clash.size:
        return ""
    row, other = clash[0], first[deals[clash[0]]]
    own_row = results["source_row"]
    label, number = (results[column].iloc[row] for column in ("board_label", "board"))
    board = number if pd.isna(label) else label
    return (
        f"board {board} has two {what}, {words[codes[other]]!r} in row {own_row.iloc[other]} and {words[codes[row]]!r} "
        f"in row {own_row.iloc[row]}"
    )
