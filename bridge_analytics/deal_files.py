"""Files of deals: read them from PBN or a table, write them as PBN."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.boards import board_dealer, board_vul
from bridge_analytics.cards import format_deals, parse_deals
from bridge_analytics.notation import SEATS, VULS, seat_word, vul_word

_TAG = re.compile(r'^\[(Board|Dealer|Vulnerable|Deal) +"([^"]*)"\]', re.MULTILINE)
_GAME = re.compile(r"\n[ \t]*\n")
_PBN_VUL = ("None", "NS", "EW", "All")


def read_deals(source: str | os.PathLike[str]) -> pd.DataFrame:
    """Deals from a file.

    Parameters
    ----------
    source : str or path
        PBN, each deal with its tag ``Deal``; or ``.csv`` or ``.parquet`` with a column ``deal`` of such texts.

    Returns
    -------
    DataFrame
        A row a deal, in the order of the file: ``board`` (else its place in the file), ``dealer`` and ``vul`` (else
        those of the board's number, Law 2), ``deal`` as PBN, North first. A hand may be one that is not known.

    Raises
    ------
    ValueError
        If the file has no deal, or one cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> suits = [[0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39]]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.pbn"
    ...     write_deals(suits * 2, path)
    ...     read_deals(path)[["board", "dealer", "vul"]].to_numpy().tolist()
    [[1, 'N', 'none'], [2, 'E', 'ns']]
    """
    path = Path(source)
    if path.suffix in (".csv", ".parquet"):
        table = pd.read_csv(path, dtype="str") if path.suffix == ".csv" else pd.read_parquet(path)
        if "deal" not in table:
            raise ValueError(f"expected a column deal in {path.name!r}, got {', '.join(map(str, table.columns))}")
        table = table.reindex(columns=["board", "dealer", "vul", "deal"]).dropna(subset=["deal"])
    else:
        table = _read_pbn(path.read_text(encoding="utf-8", errors="replace"))
    if table.empty:
        raise ValueError(f"expected deals in {path.name!r}, got none")
    table = table.reset_index(drop=True)
    board = pd.to_numeric(table["board"], errors="coerce").fillna(pd.Series(range(1, len(table) + 1))).astype("int64")
    return pd.DataFrame(
        {
            "board": board,
            "dealer": _read_or(table["dealer"], board_dealer(board), seat_word, SEATS),
            "vul": _read_or(table["vul"], board_vul(board), vul_word, VULS),
            "deal": pd.array(format_deals(parse_deals(table["deal"])), "str"),
        }
    )


def _read_pbn(text: str) -> pd.DataFrame:
    """The tags of each game that has a deal; games are parted by an empty line, or begin where a tag comes again."""
    games: list[dict[str, str]] = []
    for part in _GAME.split(text):
        games.append({})
        for tag, value in _TAG.findall(part):
            if tag in games[-1]:
                games.append({})
            games[-1][tag] = value
    rows = [(game.get("Board"), game.get("Dealer"), game.get("Vulnerable"), game.get("Deal")) for game in games]
    return pd.DataFrame([row for row in rows if row[3]], columns=["board", "dealer", "vul", "deal"], dtype=object)


def _read_or(column: Any, default: Any, parse: Callable[[str], int], words: Sequence[str]) -> Any:
    """The words of a column, each read once, and the default where it has none."""
    empty = column.isna() | (column.astype("str") == "")
    read = {word: words[parse(word)] for word in column[~empty].unique()}
    return pd.array(np.where(empty, default, column.map(read).astype(object)), "str")


def write_deals(deals: ArrayLike, path: str | os.PathLike[str], *, first: int = 1) -> None:
    """Write deals as PBN, with the dealer and the vulnerability of their number.

    Parameters
    ----------
    deals : array_like of int, shape (n, 4)
        The hands of North, East, South, West.
    path : str or path
        The file to write.
    first : int
        The number of the first board; the others follow.

    Raises
    ------
    ValueError
        If the last axis is not four hands.

    Notes
    -----
    Source: PBN 2.1, import format, with the four tags that make a deal a board; Law 2 for the cycle of boards.
    """
    texts = np.atleast_1d(format_deals(deals))
    board = np.arange(first, first + len(texts))
    vul = dict(zip(VULS, _PBN_VUL, strict=True))
    games = [
        f'[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vul[side]}"]\n[Deal "{deal}"]\n'
        for number, dealer, side, deal in zip(board, board_dealer(board), board_vul(board), texts, strict=True)
    ]
    Path(path).write_text("% PBN 2.1\n\n" + "\n".join(games), encoding="utf-8")
