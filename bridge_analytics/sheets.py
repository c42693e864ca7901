"""A table of texts, written: HTML, plain text, Markdown, LaTeX; and the texts of a table of values."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

_SHORT = 12  # characters of a cell whose words are not broken
_MANY = 8  # columns of a table that is set closer on a phone
_CONTRACT = re.compile(r"[1-7]\S{1,4} \S \S{1,3}")  # it stays on one line
_NUMBER = re.compile(r"[-+−]?[0-9][0-9.,]*(?: ?%|=)?|A[-+]?")  # a place too, and a ruling in place of a number
_RED = re.compile("[♥♦]")
_MARKDOWN = re.compile(r"([\\|*`\[\]<>&~#])|(?<![0-9A-Za-z])(_)|(_)(?![0-9A-Za-z])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "×": r"$\times$",
}
_LATEX |= {sign: f"\\{sign}" for sign in "&%$#_{}"} | {"<": r"\textless{}", ">": r"\textgreater{}"}
_LATEX |= {sign: f"{{{sign}}}" for sign in "[*"}  # after the end of a row they would be its options
_LATEX |= {"♠": r"$\spadesuit$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$"}


def numbers(values: Any, *, digits: int = 2, decimal: str = ".", sign: str = "−") -> list[str]:
    """The texts of a column of numbers, with as many decimals as its values need.

    Parameters
    ----------
    values : array_like of float
    digits : int
        The most decimals.
    decimal, sign : str
        The decimal mark, and the minus sign.

    Returns
    -------
    list of str
        Empty for a missing value.

    Examples
    --------
    >>> numbers([20, -4.5, None]), numbers([57.6923], decimal=",")
    (['20.0', '−4.5', ''], ['57,69'])
    """
    array = np.round(np.asarray(values, dtype=np.float64), digits)
    known = array[~np.isnan(array)]
    needed = next(many for many in range(digits + 1) if many == digits or (known == np.round(known, many)).all())
    texts = ["" if number != number else f"{number + 0.0:.{needed}f}" for number in array.tolist()]
    return [text.replace("-", sign).replace(".", decimal) for text in texts]


def texts(table: pd.DataFrame, *, digits: int = 2, decimal: str = ".", sign: str = "−") -> pd.DataFrame:
    """The table with every cell a text: numbers with their decimals, nothing for a missing value.

    Examples
    --------
    >>> texts(pd.DataFrame({"pair": ["13", None], "percent": [57.6923, 50]})).to_numpy().tolist()
    [['13', '57.69'], ['', '50.00']]
    """
    columns = {}
    for name in table:
        column = table[name]
        if pd.api.types.is_float_dtype(column.dtype):
            cells = numbers(column.to_numpy(np.float64, na_value=np.nan), digits=digits, decimal=decimal, sign=sign)
        else:
            cells = ["" if pd.isna(cell) else str(cell) for cell in column.astype(object)]
            if pd.api.types.is_integer_dtype(column.dtype):
                cells = [cell.replace("-", sign) for cell in cells]
        columns[str(name)] = cells
    return pd.DataFrame(columns, dtype="str")


def number_columns(table: pd.DataFrame) -> list[bool]:
    """Which columns of a table of texts hold nothing but numbers, to be set to the right.

    Examples
    --------
    >>> number_columns(pd.DataFrame({"place": ["1", "2="], "pair": ["13", "P7"], "lead": ["", ""]}))
    [True, False, False]
    """
    columns = [{cell for cell in table[name] if cell} for name in table]
    return [bool(cells) and all(map(_NUMBER.fullmatch, cells)) for cells in columns]


def sheet_style() -> str:
    """The style sheet of tables."""
    return files("bridge_analytics").joinpath("templates/sheet.css").read_text(encoding="utf-8")


def html_table(
    table: pd.DataFrame,
    *,
    right: Sequence[bool] | None = None,
    links: Mapping[str, Sequence[str]] | None = None,
    caption: str = "",
) -> str:
    """A table of texts as HTML, every text escaped, the red suits in red.

    Parameters
    ----------
    table : DataFrame of str
    right : sequence of bool, optional
        Which columns are set to the right; without it those of numbers.
    links : mapping of str to sequence of str, optional
        By column where each of its cells leads, such as ``#b3``; nowhere where it is empty.
    caption : str

    Returns
    -------
    str

    Examples
    --------
    >>> html_table(pd.DataFrame({"NS": ["<b>"], "Contract": ["4♥ N ="]}), links={"NS": ["#p1"]})[50:]
    '<tbody><tr><td><a href="#p1">&lt;b&gt;</a><td><b>4<i class="red">♥</i> N =</b></table>'
    """
    marks = [' class="n"' if mark else "" for mark in (number_columns(table) if right is None else right)]
    columns = []
    for name, mark in zip(table, marks, strict=True):
        cells = [_html_cell(cell) for cell in table[name]]
        if links and name in links:
            targets = zip(cells, links[str(name)], strict=True)
            cells = [f'<a href="{escape(target)}">{cell}</a>' if target else cell for cell, target in targets]
        wraps = (mark or ' class="w"' * (len(text) > _SHORT) for text in table[name])
        columns.append([f"<td{wrap}>{cell}" for wrap, cell in zip(wraps, cells, strict=True)])
    head = "".join(f"<th{mark}>{escape(str(name))}" for name, mark in zip(table, marks, strict=True))
    body = "\n".join("<tr>" + "".join(row) for row in zip(*columns, strict=True))
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    wide = " wide" * (len(marks) > _MANY)
    return f'<table class="sheet{wide}">{title}<thead><tr>{head}<tbody>{body}</table>'


@lru_cache(maxsize=1 << 14)
def _html_cell(text: str) -> str:
    """A cell, escaped, the red suits in red; a contract with its result stays on one line."""
    cell = _RED.sub(r'<i class="red">\g<0></i>', escape(text))
    return f"<b>{cell}</b>" if _CONTRACT.fullmatch(text) else cell


def text_table(table: pd.DataFrame, *, caption: str = "") -> str:
    """A table of texts in columns, those of numbers to the right.

    Examples
    --------
    >>> print(text_table(pd.DataFrame({"Place": ["1", "2="], "Pair": ["13", "P7"]})))
    Place  Pair
        1  13
       2=  P7
    """
    right = number_columns(table)
    lines = [list(map(str, table)), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(
            cell.rjust(width) if mark else cell.ljust(width)
            for cell, width, mark in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )
    return "\n".join([caption] * bool(caption) + list(padded))


def to_markdown(table: pd.DataFrame, *, digits: int = 2) -> str:
    """Any table of results in Markdown, as GitHub and Jupyter read it: ``table.pipe(to_markdown)``.

    Parameters
    ----------
    table : DataFrame
        Its index is not shown.
    digits : int
        The most decimals of a number.

    Returns
    -------
    str
        Signs that mean something in Markdown are escaped; nothing stands where a value is missing.

    Examples
    --------
    >>> print(to_markdown(pd.DataFrame({"pair": ["a|b", "<i>"], "percent": [57.6923, None]})))
    | pair | percent |
    | :-- | --: |
    | a\\|b | 57.69 |
    | \\<i\\> |  |
    """
    cells = texts(table, digits=digits, sign="-")
    rule = ["--:" if mark else ":--" for mark in number_columns(cells)]
    lines = [[_plain_markdown(str(name)) for name in cells], rule]
    lines += [[_plain_markdown(cell) for cell in row] for row in cells.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain_markdown(text: str) -> str:
    return " ".join(_MARKDOWN.sub(r"\\\g<0>", text).split())


def to_latex(table: pd.DataFrame, *, digits: int = 2) -> str:
    """Any table of results in LaTeX, with the rules of the package ``booktabs``: ``table.pipe(to_latex)``.

    Parameters
    ----------
    table, digits
        As for :func:`to_markdown`.

    Returns
    -------
    str
        A ``tabular``; every sign that means something in LaTeX is escaped, suits are symbols.

    Examples
    --------
    >>> print(to_latex(pd.DataFrame({"mp_ns": [7.5], "contract": ["4♠ & 50%"]})))
    \\begin{tabular}{rl}
    \\toprule
    mp\\_ns & contract \\\\
    \\midrule
    7.5 & 4$\\spadesuit$ \\& 50\\% \\\\
    \\bottomrule
    \\end{tabular}
    """
    cells = texts(table, digits=digits)
    kinds = "".join("r" if mark else "l" for mark in number_columns(cells))
    head, *body = [
        " & ".join("".join(_LATEX.get(sign, sign) for sign in text) for text in row) + r" \\"
        for row in [list(map(str, cells)), *cells.to_numpy().tolist()]
    ]
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines)
