"""What a table beside the results says of contestants: names, handicaps, the boards that they are due to play."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.readers import number_values
from bridge_analytics.table import label

HANDICAP_UNITS: Mapping[str, str] = MappingProxyType(
    {
        "matchpoints": "%",
        "butler": "IMP",
        "cross_imps": "IMP",
        "imps": "IMP",
        "points": "points",
        "board_a_match": "points",
        "victory_points": "VP",
    }
)
"""What a handicap is counted in under each form: percentages are added to the percentage, all else to the total."""

_WHO = ("event", "section", "side", "contestant")  # what makes two contestants of one name


def names_of(names: pd.DataFrame, whose: pd.DataFrame) -> pd.api.extensions.ExtensionArray:
    """The name of each contestant, from a table of ``contestant name``; missing where it has none.

    Parameters
    ----------
    names : DataFrame
        ``contestant name``, and of ``section side`` or other labels what is needed to know whose.
    whose : DataFrame
        The labels of each line of a ranking, with ``contestant``.

    Returns
    -------
    array of str
        A name for each line.

    Raises
    ------
    ValueError
        If a row names nobody, or several contestants, or a contestant is named twice.
    """
    check_by_hand(names, "names", ("contestant", "name"))
    row = _row_of_each(names, whose, "names")
    words = [None if pd.isna(word) else str(word) for word in names["name"]]
    return pd.array([words[place] if place >= 0 else None for place in row.tolist()], dtype="str")


def handicaps_of(handicaps: pd.DataFrame, whose: pd.DataFrame, form: str) -> NDArray[np.float64]:
    """The handicap of each contestant, from a table of ``contestant handicap``; 0 for who is not in it.

    Parameters
    ----------
    handicaps, whose
        As for :func:`names_of`; a column ``unit``, where there is one, is checked.
    form : str
        A form of scoring of ``HANDICAP_UNITS``.

    Returns
    -------
    ndarray of float64
        [percentage points, IMPs, points or VPs]

    Raises
    ------
    ValueError
        As :func:`names_of`; or a handicap is no number, or in another unit.
    """
    check_by_hand(handicaps, "handicaps", ("contestant", "handicap"))
    row = _row_of_each(handicaps, whose, "handicaps")
    amounts, missing = number_values(handicaps["handicap"], name="a handicap")
    wrong = np.zeros(len(handicaps), np.bool_) if missing is None else missing
    unit = HANDICAP_UNITS[form]
    if "unit" in handicaps:
        wrong = wrong | (handicaps["unit"].astype("str").str.upper() != unit.upper()).to_numpy()
    if wrong.any():
        place = int(wrong.argmax())
        seen = handicaps[["handicap", *({"unit"} & {*handicaps})]].iloc[place].tolist()
        raise ValueError(f"expected a handicap in {unit!r}, got {' '.join(map(str, seen))!r} at position {place}")
    return np.append(amounts, 0.0)[row]


def boards_due(schedule: pd.DataFrame | int, whose: pd.DataFrame) -> NDArray[np.int64]:
    """How many boards each contestant is to play in all.

    Parameters
    ----------
    schedule : DataFrame or int
        A movement as :func:`mitchell` gives it, ``ns ew`` and labels such as ``section``, a row for each board at each
        table (who sits out plays nobody); or a number of boards for everybody. :func:`with_absent` checks it.
    whose : DataFrame
        As for :func:`names_of`.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    ValueError
        If somebody who has results is not in the movement.
    """
    if not isinstance(schedule, pd.DataFrame):
        return np.full(len(whose), schedule, np.int64)
    both, by = _seats(schedule, whose)
    ours = _keys(whose, by)
    lost = whose["contestant"].notna().to_numpy() & ~ours.isin(_keys(both, by))
    if lost.any():
        raise ValueError(f"expected a schedule with all who have results, got none with {_seen(whose, by, lost)}")
    due = _keys(both[both["meets"]], by).value_counts()
    return np.asarray(due.reindex(ours, fill_value=0), np.int64)


def with_absent(
    lines: pd.DataFrame, whose: pd.DataFrame, schedule: pd.DataFrame | int | None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A ledger with a line, of nothing yet, for whoever is in the schedule and has no result.

    Parameters
    ----------
    lines, whose : DataFrame
        What each contestant earned in each session, and whose it is.
    schedule : DataFrame, int or None
        As for :func:`boards_due`; only a movement names contestants.

    Returns
    -------
    lines, whose : DataFrame

    Raises
    ------
    ValueError
        If the schedule is neither a movement nor a number of boards.
    """
    if schedule is None or (isinstance(schedule, int | np.integer) and schedule >= 0):
        return lines, whose
    if not isinstance(schedule, pd.DataFrame):
        raise ValueError(f"expected a schedule as a movement, or a whole number of boards, got {schedule!r}")
    check_by_hand(schedule, "a schedule", ("ns", "ew"))
    both, by = _seats(schedule, whose)
    known = both[both["contestant"] != ""].drop_duplicates(by)
    absent = known[~_keys(known, by).isin(_keys(whose, by))]
    if absent.empty:
        return lines, whose
    both = pd.concat([whose.astype("str"), absent[by].replace("", pd.NA)], ignore_index=True)
    every = pd.DataFrame({name: label(*text_codes(both[name])) for name in both})
    every["side"] = pd.Categorical(both["side"], whose["side"].cat.categories)
    return lines.reindex(range(len(every)), fill_value=0), every


def check_by_hand(table: pd.DataFrame, what: str, needed: tuple[str, ...]) -> None:
    """Refuse what is no table, or lacks a column, among the tables that a director keeps beside the results."""
    lost = [name for name in needed if name not in table] if isinstance(table, pd.DataFrame) else needed
    if lost:
        seen = f"none of {', '.join(lost)}" if isinstance(table, pd.DataFrame) else f"a {type(table).__name__}"
        raise ValueError(f"expected {what} with {', '.join(needed[:-1])} and {needed[-1]}, got {seen}")


def written(table: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Labels as results have them: text without spaces around it, 3.0 as 3, NS as ns; what is missing is empty.

    Examples
    --------
    >>> written(pd.DataFrame({"contestant": [3.0, None], "side": ["NS", "ew "]}), ["contestant", "side"]).to_numpy()
    array([['3', 'ns'],
           ['', 'ew']], dtype=object)
    """
    words = {name: table[name].astype("str").fillna("").str.strip() for name in labels}
    for name in labels:
        if pd.api.types.is_float_dtype(table[name]):
            words[name] = words[name].str.removesuffix(".0")
    if "side" in words:
        words["side"] = words["side"].str.lower()
    return pd.DataFrame(words)


def _seats(schedule: pd.DataFrame, whose: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Who sits where in a schedule, and the columns by which they are found among the contestants."""
    labels = [str(name) for name in whose if name in schedule and name not in ("side", "contestant")]
    meets = schedule[["ns", "ew"]].notna().all(axis=1)
    sides = [
        written(schedule, [*labels, side]).set_axis([*labels, "contestant"], axis=1).assign(side=side, meets=meets)
        for side in ("ns", "ew")
    ]
    return pd.concat(sides), [*labels, "contestant", *(["side"] if whose["side"].notna().any() else [])]


def _row_of_each(table: pd.DataFrame, whose: pd.DataFrame, what: str) -> NDArray[np.intp]:
    """The row of the table that is for each line; -1 where none is."""
    labels = [str(name) for name in whose if name in table]
    theirs, ours = _keys(table, labels), _keys(whose, labels)
    again = theirs.duplicated()
    if again.any():
        raise ValueError(f"expected {what} with a contestant once, got {_seen(table, labels, again)} again")
    row = theirs.get_indexer(ours)
    known = np.zeros(len(table), np.bool_)
    known[row[row >= 0]] = True
    if not known.all():
        raise ValueError(f"expected {what} of contestants, got {_seen(table, labels, ~known)}, which is nobody here")
    who = whose[[name for name in _WHO if name in whose]].astype("str").assign(row=row)[row >= 0].drop_duplicates()
    several = who["row"].duplicated()
    if several.any():
        place = np.arange(len(table)) == who.loc[several, "row"].iloc[0]
        raise ValueError(
            f"expected {what} that each name one contestant, got {_seen(table, labels, place)}, which may be several "
            "(say side, section or another label)"
        )
    return row


def _keys(table: pd.DataFrame, labels: list[str]) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(written(table, labels))


def _seen(table: pd.DataFrame, labels: list[str], which: NDArray[np.bool_]) -> str:
    """The first of some rows, in words."""
    row = written(table, labels).iloc[int(which.argmax())]
    return ", ".join(f"{name} {word!r}" for name, word in row.items())
