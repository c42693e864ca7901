"""What a table beside the results says of contestants: names, handicaps, the boards that they are due to play."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.readers import number_values

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
    row = _row_of_each(names, whose, "name", "names")
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
    row = _row_of_each(handicaps, whose, "handicap", "handicaps")
    amounts, missing = number_values(handicaps["handicap"], name="a handicap")
    wrong = np.zeros(len(handicaps), np.bool_) if missing is None else missing
    unit = HANDICAP_UNITS[form]
    if "unit" in handicaps:
        wrong = wrong | (handicaps["unit"] != unit).to_numpy()
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
        table (who sits out plays nobody); or a number of boards for everybody.
    whose : DataFrame
        As for :func:`names_of`.

    Returns
    -------
    ndarray of int64
    """
    if not isinstance(schedule, pd.DataFrame):
        return np.full(len(whose), int(schedule), np.int64)
    lost = [name for name in ("ns", "ew") if name not in schedule]
    if lost:
        raise ValueError(f"expected a schedule with ns and ew, as a movement has, got none of {', '.join(lost)}")
    played = schedule.dropna(subset=["ns", "ew"])
    labels = [str(name) for name in whose if name in played and name not in ("side", "contestant")]
    sides = [
        played[[*labels, side]].set_axis([*labels, "contestant"], axis=1).assign(side=side) for side in ("ns", "ew")
    ]
    both = pd.concat(sides)
    by = [*labels, "contestant", *(["side"] if whose["side"].notna().any() else [])]
    due = _keys(both, by).value_counts()
    return np.asarray(due.reindex(_keys(whose, by), fill_value=0), np.int64)


def _row_of_each(table: pd.DataFrame, whose: pd.DataFrame, value: str, what: str) -> NDArray[np.intp]:
    """The row of the table that is for each line; -1 where none is."""
    lost = [name for name in ("contestant", value) if name not in table]
    if lost:
        raise ValueError(f"expected {what} with contestant and {value}, got none of {', '.join(lost)}")
    labels = [str(name) for name in whose if name in table]
    theirs, ours = _keys(table, labels), _keys(whose, labels)
    again = theirs.duplicated()
    if again.any():
        raise ValueError(
            f"expected {what} with a contestant once, got {_seen(table, labels, int(again.argmax()))} again"
        )
    row = theirs.get_indexer(ours)
    known = np.zeros(len(table), np.bool_)
    known[row[row >= 0]] = True
    if not known.all():
        raise ValueError(
            f"expected {what} of contestants, got {_seen(table, labels, int(known.argmin()))}, which is nobody here"
        )
    who = whose[[name for name in _WHO if name in whose]].astype("str").assign(row=row)[row >= 0].drop_duplicates()
    several = who["row"].duplicated()
    if several.any():
        place = int(who.loc[several, "row"].iloc[0])
        raise ValueError(
            f"expected {what} that each name one contestant, got {_seen(table, labels, place)}, which may be several "
            "(say side, section or another label)"
        )
    return row


def _keys(table: pd.DataFrame, labels: list[str]) -> pd.MultiIndex:
    """The labels of each row as text, a missing one as none."""
    return pd.MultiIndex.from_frame(table[labels].astype("str").fillna(""))


def _seen(table: pd.DataFrame, labels: list[str], place: int) -> str:
    return ", ".join(f"{name} {word!r}" for name, word in table[labels].astype("str").iloc[place].items())
