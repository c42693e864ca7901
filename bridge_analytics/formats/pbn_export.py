"""Results written as PBN: a game a deal, its results the rows of a table ``ScoreTable``.

Columns for which the standard has a name have that name; the others stand in columns of our own names, which other
programs pass over.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import board_word
from bridge_analytics.columns import spans, text_codes
from bridge_analytics.formats.pbn_calls import are_calls
from bridge_analytics.notation import VULS
from bridge_analytics.table import COLUMNS, STATUSES, check_table, own_codes

_OF_THE_DEAL = ("event", "session", "board", "board_label", "dealer", "vul", "deal")
_OF_ONE = ("west", "north", "east", "south", "declarer", "contract", "tricks", "auction")  # of the one result of a deal
_PBN_VUL = dict(zip(VULS, ("None", "NS", "EW", "All"), strict=True))
_HEADERS = MappingProxyType(
    {name: name.title() for name in ("section", "round", "table", "room")}
    | {"ns": "PairId_NS", "ew": "PairId_EW"}
    | {seat: f"PlayerId_{seat.title()}" for seat in ("north", "east", "south", "west")}
    | {"contract": "Contract", "declarer": "Declarer", "tricks": "Result", "lead": "Lead"}
    | {"published_score_ns": "Score_NS", "published_mp_ns": "MP_NS", "published_pct_ns": "Percentage_NS"}
    | {"published_imps_ns": "IMP_NS", "status": "Status", "auction": "Auction", "play": "Play"}
    | {name: f"{name[:-2].title()}{name[-2:].upper()}" for name in ("adjusted_ns", "adjusted_ew")}
    | {f"award_{side}_pct": f"Award_{side.upper()}_Pct" for side in ("ns", "ew")}
)
"""The columns of a table of results and their headers, in order."""

_PLAYED, _PASSED, _ADJUSTED, _UNKNOWN = map(STATUSES.index, ("played", "passed", "adjusted", "unknown"))
_ALWAYS = ("contract", "declarer", "tricks")
_BARE = re.compile(r"[A-Za-z0-9+=.][A-Za-z0-9+=./-]*")
_BREAKS = re.compile(r"[\0\x01\n\r\x1a]")
_GAMES = 1 << 12  # written at a time


def write_pbn(results: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table of results as PBN, which reads back to the same table.

    Parameters
    ----------
    results : DataFrame
        As :func:`read_results` gives it. Rows of one deal that follow each other are one game.
    path : str or path
        The file to write, in UTF-8.

    Raises
    ------
    ValueError
        If the table is not canonical, or a text breaks its line.
    OSError
        If the file cannot be written.

    Notes
    -----
    All columns of the canonical table come back but ``source`` and ``source_row``, which are those of the new file, and
    ``vul_source``, since the file has every vulnerability. Columns of a file's own are not written, nor those that
    scoring adds. Source: PBN 2.1, sections 3.4 and 5.9; a text that would mean something else as it is has a backslash
    before it. For other programs the one result of a deal stands in the tags of the game as well, with its auction.

    Examples
    --------
    >>> import bridge_analytics as ba
    >>> from tempfile import TemporaryDirectory
    >>> evening = pd.DataFrame({"board": [1, 1], "contract": ["4SX", "Pass"], "declarer": ["S", ""], "tricks": [9, ""]})
    >>> with TemporaryDirectory() as folder:
    ...     write_pbn(ba.read_results(evening), Path(folder) / "evening.pbn")
    ...     ba.read_results(Path(folder) / "evening.pbn")[["board", "contract", "tricks", "status"]]
       board contract  tricks  status
    0      1      4SX       9  played
    1      1     Pass    <NA>  passed
    """
    table = check_table(results)
    starts, names = _starts(table), _columns(table)
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.write("% PBN 2.1\n")
        for first, last in spans(len(starts), _GAMES):
            stop = starts[last] if last < len(starts) else len(table)
            part = table.iloc[starts[first] : stop]
            file.writelines(_games(part, starts[first:last] - starts[first], names))


def _starts(table: pd.DataFrame) -> NDArray[np.intp]:
    """The rows with which a game begins: where the deal is not that of the row above."""
    again = np.ones(max(len(table) - 1, 0), np.bool_)
    for name in _OF_THE_DEAL:
        codes = pd.factorize(table[name])[0]
        again &= codes[1:] == codes[:-1]
    return np.flatnonzero(np.concatenate([[True], ~again])[: len(table)])


def _columns(table: pd.DataFrame) -> list[str]:
    """The columns that say something; a status that the others tell is left out."""
    names = [name for name in _HEADERS if name in _ALWAYS or table[name].notna().any()]
    contract, declarer, said = (own_codes(name, table[name]) for name in ("contract", "declarer", "status"))
    scored = (contract > 0) & (declarer >= 0) & table["tricks"].notna().to_numpy()
    ruled = table[["adjusted_ns", "adjusted_ew"]].notna().any(axis=1).to_numpy()
    shown = np.select([ruled, contract == 0, scored], [_ADJUSTED, _PASSED, _PLAYED], _UNKNOWN)
    return [name for name in names if name != "status" or (shown != said).any()]


def _games(part: pd.DataFrame, starts: NDArray[np.intp], names: list[str]) -> Iterator[str]:
    """The text of each game of some rows."""
    cells = [_texts(part[name], name, _cell, "-") for name in names]
    lines = [" ".join(row) for row in zip(*cells, strict=True)]
    header = ";".join(_HEADERS[name] for name in names)
    deals = part.iloc[starts]
    tags = {name: _texts(deals[name], name, _value, "") for name in _OF_THE_DEAL}
    tags["vul"] = [_PBN_VUL.get(word, "") for word in tags["vul"]]
    stops = [*starts[1:].tolist(), len(part)]
    alone = np.equal(stops, starts + 1)
    tags |= {name: _texts(deals[name].where(alone), name, _value, "") for name in _OF_ONE}
    for place, (start, stop) in enumerate(zip(starts.tolist(), stops, strict=True)):
        own = {name: column[place] for name, column in tags.items()}
        table = [f'[ScoreTable "{header}"]', *lines[start:stop]]
        yield "\n".join(["", *_tags(own), *_auction(own["dealer"], own["auction"]), *table, ""])


def _tags(deal: dict[str, str]) -> Iterator[str]:
    """The tags that the standard wants of every game, in its order, and those that are ours."""
    board, name = deal["board"], deal["board_label"]
    if board_word(name) == int(board or 0):  # it says the number, or neither of them is one
        board = name
    values = {"Event": deal["event"], "Site": "", "Date": "", "Board": board}
    values |= {seat: deal[seat.lower()] for seat in ("West", "North", "East", "South")}
    values |= {"Dealer": deal["dealer"], "Vulnerable": deal["vul"], "Deal": deal["deal"], "Scoring": ""}
    values |= {"Declarer": deal["declarer"], "Contract": deal["contract"], "Result": deal["tricks"]}
    values |= {"Session": deal["session"]} if deal["session"] else {}
    values |= {"BoardLabel": name} if board != name else {}
    return (f'[{tag} "{value}"]' for tag, value in values.items())


def _auction(dealer: str, calls: str) -> list[str]:
    """The section of the calls, four on a line, where they are nothing but calls."""
    if not dealer or not are_calls(calls):
        return []
    words = ["Pass" if call == "P" else call for call in calls.split()]
    return [f'[Auction "{dealer}"]', *(" ".join(words[first : first + 4]) for first in range(0, len(words), 4))]


def _texts(column: Any, name: str, write: Callable[[str], str], nothing: str) -> list[str]:
    """The text of each row, every different word written once."""
    if COLUMNS[name] in ("label", "str"):
        words, codes = text_codes(column)
        broken = [word for word in words if word is not None and _BREAKS.search(word)]
        if broken:
            raise ValueError(f"expected text on one line in column {name!r}, got {broken[0]!r}")
        written = [nothing if word is None else write(word) for word in words]
    else:
        codes, found = pd.factorize(column)
        written = [write(f"{number:.17g}") for number in found]
    cells: list[str] = np.array([*written, nothing], object)[codes].tolist()
    return cells


def _value(text: str) -> str:
    """A text as the value of a tag."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f"\\{plain}" if text == "?" or text[:1] == "#" else plain


def _cell(text: str) -> str:
    """A text as a cell of a table: in quotes, unless nothing in it can be mistaken."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("[", "\\[")
    return text if _BARE.fullmatch(text) else f'"{quoted}"'
