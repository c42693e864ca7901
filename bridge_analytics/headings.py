"""How each column of a file was understood, and a layout to correct by hand where it was not."""

import json
from types import MappingProxyType
from typing import Any

import pandas as pd

from bridge_analytics.cells import column_of, reads
from bridge_analytics.headers import roles_of
from bridge_analytics.layout import KEYS, Layout, load_layout
from bridge_analytics.notation import contract_result_word, contract_word, seat_word, vul_word
from bridge_analytics.sources import Source, parts_of

_SHOWN = 4  # words of a column

_LOOKS = MappingProxyType(
    {
        "contract": contract_word,
        "contract_result": contract_result_word,
        "declarer": seat_word,
        "vul": vul_word,
    }
)
"""What a column may hold by its cells alone, and the reader of one cell; numbers say nothing for certain."""


def headings(source: Source, *, format: str | None = None, layout: Layout = None) -> pd.DataFrame:
    """How each column of a file is understood.

    Parameters
    ----------
    source, format, layout
        As for :func:`read_results`; of a long file the first part is looked at.

    Returns
    -------
    DataFrame
        A row for each column: ``header``, ``holds`` (one of :data:`bridge_analytics.headers.ROLES`; missing where the
        header says nothing), ``perhaps`` (what all its cells can be read as, where the header says nothing),
        ``cells`` (how many say something), ``words`` (some of them).

    Examples
    --------
    >>> headings(pd.DataFrame({"Bd": [1, 2], "Final bid": ["4S", "3NT x"], "Weather": ["rain", None]}))
          header  holds   perhaps  cells      words
    0         Bd  board       NaN      2       1, 2
    1  Final bid    NaN  contract      2  4S, 3NT x
    2    Weather    NaN       NaN      1       rain
    """
    how = load_layout(layout)
    frame = next(parts_of(source, format, how))[0]
    roles = roles_of(list(frame.columns), how["columns"])
    taken, rows = set(roles.values()), []
    for place, header in enumerate(frame.columns):
        words, codes = column_of(frame.iloc[:, place], decimal=how["decimal"])
        guess = None if place in roles else _look(words, how["locale"], taken)
        taken |= {guess} if guess else set()
        shown = ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")
        rows.append((header, roles.get(place), guess, int((codes >= 0).sum()), shown))
    kinds = {"header": "str", "holds": "str", "perhaps": "str", "cells": "int64", "words": "str"}
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def _look(words: list[str], locale: str, taken: set[Any]) -> str | None:
    """What all the words of a column can be read as, and no other column holds."""
    for role, word in _LOOKS.items():
        if role not in taken and words and all(reads(word, text, locale) for text in words):
            return role
    return None


def layout_text(table: pd.DataFrame, layout: Layout = None) -> str:
    """A layout in TOML that says what was understood, to be corrected by hand.

    Parameters
    ----------
    table : DataFrame
        As :func:`headings` gives it.
    layout : mapping or path of a TOML file, optional
        The layout it was read with.

    Examples
    --------
    >>> print(layout_text(headings(pd.DataFrame({"Bd": [1], "Weather": ["rain"]}))).partition("[columns]")[2].strip())
    "Bd" = "board"
    # "Weather" = "ignore"   # not understood: rain
    """
    how = load_layout(layout)
    keys = [_key_line(key, how[key]) for key in KEYS if key != "columns"]
    lines = [_column_line(*row) for row in table[["header", "holds", "perhaps", "words"]].itertuples(index=False)]
    above = "# How this file was understood. What a key may be: the documentation of bridge_analytics.layout."
    return "\n".join([above, *keys, "", "[columns]", *lines, ""])


def _key_line(key: str, value: Any) -> str:
    if value == KEYS[key][0] or value is None:
        return f"# {key} = …   # {KEYS[key][1]}"
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _column_line(header: str, holds: Any, perhaps: Any, words: str) -> str:
    name = json.dumps(header, ensure_ascii=False)
    if not pd.isna(holds):
        return f'{name} = "{holds}"'
    shown = " ".join(words.split())
    if not pd.isna(perhaps):
        return f'# {name} = "{perhaps}"   # by its cells: {shown}'
    return f'# {name} = "ignore"   # not understood: {shown}'
