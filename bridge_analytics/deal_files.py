"""Files of deals: read them from PBN, from results or from a table, write them as PBN."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.boards import board_dealer, board_vul
from bridge_analytics.cards import format_deals, parse_deals
from bridge_analytics.checks import ResultsError
from bridge_analytics.formats.pbn_deals import TRICK_COLUMNS, deals_of
from bridge_analytics.layout import Layout, load_layout
from bridge_analytics.notation import SEATS, VULS, seat_word, vul_word
from bridge_analytics.reading import sift
from bridge_analytics.sources import format_of, opened
from bridge_analytics.table import number_column

_PBN_VUL = ("None", "NS", "EW", "All")
_BOARD = ["board", "dealer", "vul", "deal"]
_NUMBERS = dict.fromkeys(TRICK_COLUMNS, "Int8") | {"par_score_ns": "Int32"}
_START = 1 << 16  # bytes that tell a format


def read_deals(source: str | os.PathLike[str], *, layout: Layout = None) -> pd.DataFrame:
    """Deals from a file.

    Parameters
    ----------
    source : str or path
        PBN, each deal with its tag ``Deal``; ``.csv`` or ``.parquet`` with a column ``deal`` of such texts; or results
        in any other format that tells the deals.
    layout : mapping or path of a TOML file, optional
        How the file is written, where it is neither of the tables; see :mod:`bridge_analytics.layout`.

    Returns
    -------
    DataFrame
        A row a deal, in the order of the file: ``board`` (else its place in the file), ``dealer`` and ``vul`` (else
        those of the board's number, Law 2), ``deal`` as PBN, North first. A hand may be one that is not known. Then
        what the file gives double dummy: the tricks of each declarer in each strain, ``tricks_N_C`` to
        ``tricks_W_NT``, and ``par_score_ns``; missing, and never zero, where nobody computed them. [tricks; points]
        A board that comes again with the same deal, as in the other room, is one row.

    Raises
    ------
    ResultsError
        If a deal of a file of results cannot be read.
    ValueError
        If the file has no deal, or one cannot be read, or a number; names the file and the game.
    OSError
        If the file cannot be opened.

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
    try:
        return _deals(_table(path, layout))
    except ResultsError:
        raise
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _table(path: Path, layout: Layout) -> pd.DataFrame:
    """The rows of a file that have a deal, as they stand, with the number of their record."""
    if path.suffix in (".csv", ".parquet"):
        table = _read_table(path)
    else:
        how = load_layout(layout)
        with opened(path) as file:
            start = file.read(_START)
            file.seek(0)
            if format_of(start, path) == "pbn":
                table = pd.concat(deals_of(file, how), ignore_index=True)
            else:
                results, faults = sift(path, None, layout)
                if (faults["rule"] == "deal_unreadable").any():
                    raise ResultsError(faults, len(results))
                table = results.assign(record=results["source_row"])
    table = table.reindex(columns=["record", *_BOARD, *_NUMBERS]).dropna(subset=["deal"])
    again = table.duplicated(_BOARD) & table["board"].notna()
    if table.empty:
        raise ValueError("expected deals, got none")
    return table[~again].reset_index(drop=True)


def _read_table(path: Path) -> pd.DataFrame:
    if path.suffix == ".csv":
        table = pd.read_csv(path, dtype="str", keep_default_na=False, na_values=[""])
    else:
        table = pd.read_parquet(path)
    if "deal" not in table:
        raise ValueError(f"expected a column deal, got {', '.join(map(str, table.columns))}")
    return table.assign(record=np.arange(1, len(table) + 1))


def _deals(table: pd.DataFrame) -> pd.DataFrame:
    """The deals in their types, each with a board, a dealer and a vulnerability."""
    board = pd.to_numeric(table["board"], errors="coerce").fillna(pd.Series(range(1, len(table) + 1))).astype("int64")
    numbers = {name: number_column(*_number(table[name]), kind) for name, kind in _NUMBERS.items()}
    return pd.DataFrame(
        {
            "board": board,
            "dealer": _read_or(table, "dealer", board_dealer(board), seat_word, SEATS),
            "vul": _read_or(table, "vul", board_vul(board), vul_word, VULS),
            "deal": pd.array(_each(table, "deal", lambda words: format_deals(parse_deals(words))), "str"),
        }
        | numbers
    )


def _number(column: pd.Series) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A column of numbers, and where it has none."""
    values = pd.to_numeric(column).to_numpy(np.float64, na_value=np.nan)
    return values, np.isnan(values)


def _read_or(table: pd.DataFrame, name: str, default: Any, parse: Callable[[str], int], words: Sequence[str]) -> Any:
    """The words of a column, each read once, and the default where it has none."""
    column = table[name].astype(object)
    empty = column.isna() | (column.astype("str") == "")
    different = table.assign(**{name: column})[~empty].drop_duplicates(name)
    read = _each(different, name, lambda cells: [words[parse(cell)] for cell in cells])
    known = dict(zip(different[name], read, strict=True))
    return pd.array(np.where(empty, default, column.map(known).astype(object)), "str")


def _each(table: pd.DataFrame, name: str, read: Callable[[Sequence[str]], Any]) -> Any:
    """A column read at once; of the first cell that cannot be, the error names the record."""
    cells = table[name].tolist()
    try:
        return read(cells)
    except ValueError:
        for cell, record in zip(cells, table["record"], strict=True):
            try:
                read([cell])
            except ValueError as error:
                raise ValueError(f"{error} of record {record}") from None
        raise


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
