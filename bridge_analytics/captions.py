"""The words on a figure: what tells the rows of a table apart, what they share, and the unit that they are in."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

ACTION = ("action", "against", "side")
ODDS = (*ACTION, "form", "p", "contract", "vulnerable", "swing_down", "swing_made", "low", "high")
MIX = ("down", "made", "other")
CASE = {
    "pass": ("contract", "vulnerable"),
    "stop": ("contract", "base", "vulnerable"),
    "defend": ("contract", "base", "vulnerable", "base_vulnerable"),
}
UNITS = {"imps": "IMPs", "butler": "IMPs", "cross_imps": "IMPs"}  # else the name of the form itself
PLAIN = ("estimand", "action", "within", "edition", "contract", "down")
WORDS = dict.fromkeys(PLAIN, "{}") | {"against": "against {}", "weights": "by {}", "side": "for the {}"}
WORDS |= {
    "base": "over {}",
    "other": "the other {}",
    "vulnerable": "{}vulnerable",
    "base_vulnerable": "they {}vulnerable",
}
FLAGS = ("vulnerable", "base_vulnerable")


def check_columns(table: pd.DataFrame, *names: str) -> None:
    """Refuse what is no table, has no rows or lacks a column.

    Examples
    --------
    >>> check_columns(pd.DataFrame({"low": [0.5]}), "low", "high")
    Traceback (most recent call last):
    ValueError: expected a table with the columns low, high, got one without high
    """
    expected = f"expected a table with the columns {', '.join(names)}"
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"{expected}, got {type(table).__name__}")
    lost = [name for name in names if name not in table]
    if lost:
        raise ValueError(f"{expected}, got one without {', '.join(lost)}")
    if table.empty:
        raise ValueError(f"{expected}, got one without rows")


def only(table: pd.DataFrame, name: str) -> Any:
    """Return the one value of a column; several in one figure are an error.

    Examples
    --------
    >>> only(pd.DataFrame({"form": ["imps", "points"]}), "form")
    Traceback (most recent call last):
    ValueError: expected one form in a figure, got 'imps', 'points'
    """
    values = list(table[name].unique())
    if len(values) > 1:
        raise ValueError(f"expected one {name} in a figure, got {', '.join(map(repr, values))}")
    return values[0]


def measured(what: str, table: pd.DataFrame) -> str:
    """Return what a table measures, with its unit where it names its form of scoring: one for all rows.

    Examples
    --------
    >>> measured("swing", pd.DataFrame({"form": ["cross_imps"]})), measured("swing", pd.DataFrame())
    ('swing [IMPs]', 'swing')
    """
    form = only(table, "form") if "form" in table else ""
    return f"{what} [{UNITS.get(form, form)}]" if form else what


def word(name: str, value: Any) -> str:
    """Return a value in words that say which column it is of; nothing for a missing one.

    Examples
    --------
    >>> word("vulnerable", False), word("weights", "board"), word("field_share", 0.5)
    ('not vulnerable', 'by board', 'field share 0.5')
    >>> word("datum", "datum-median"), word("against", "")
    ('datum median', '')
    """
    if pd.isna(value) or value == "":
        return ""
    if name in FLAGS:
        value = "" if value else "not "
    text = f"{value:g}" if isinstance(value, float) else str(value).removeprefix(f"{name}-")
    return WORDS.get(name, f"{name} {{}}").format(text).replace("_", " ")


def joined(words: Iterable[str]) -> str:
    """Return words as one phrase, without those that are empty.

    Examples
    --------
    >>> joined(["double", "against pass", "", "3S"])
    'double against pass, 3S'
    """
    return re.sub(", (against|by|over|for the) ", r" \1 ", ", ".join(filter(None, words)))


def action(table: pd.DataFrame) -> str:
    """Return the one action that a table is about, with what it is compared with and for which side.

    Examples
    --------
    >>> action(pd.DataFrame({"action": ["double"], "against": "pass", "side": "defenders"}))
    'double against pass for the defenders'
    """
    return joined(word(name, only(table, name)) for name in ACTION if name in table)


def odds_columns(table: pd.DataFrame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of break-even odds that tell decisions apart, and those that tell mixes of results apart."""
    check_columns(table, *ODDS)
    against = only(table, "against")
    return (*CASE[against], "field_share", "field_score"), MIX if against == "defend" else MIX[:2]


def labels(table: pd.DataFrame, columns: Iterable[str]) -> tuple[list[str], str]:
    """Return what tells each row from the others, and what all rows share.

    Parameters
    ----------
    table : DataFrame
    columns : iterable of str
        Columns to tell rows by; those that the table lacks are passed over.

    Returns
    -------
    labels : list of str
        One for each row. Where all rows are alike, that is what they say.
    shared : str

    Examples
    --------
    >>> labels(pd.DataFrame({"contract": ["3S", "2H"], "vulnerable": True}), ["contract", "vulnerable"])
    (['3S', '2H'], 'vulnerable')
    """
    words = [[word(name, value) for value in table[name]] for name in columns if name in table]
    varying = [column for column in words if len(set(column)) > 1]
    shared = joined(column[0] for column in words if len(set(column)) == 1)
    if not varying:
        return [shared] * len(table), ""
    return [joined(row) for row in zip(*varying, strict=True)], shared


def odds(low: float, high: float) -> str:
    """Return in words for which probabilities an action pays: above one, below one, always or never. [%]

    Examples
    --------
    >>> odds(0.818, 1), odds(0, 0.25), odds(0, 1), odds(float("nan"), float("nan"))
    ('81.8', '< 25.0', 'always', 'never')
    """
    if pd.isna(low):
        return "never"
    if low > 0:
        return f"{100 * low:.1f}"
    return f"< {100 * high:.1f}" if high < 1 else "always"
