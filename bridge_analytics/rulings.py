"""What a director's ruling says: an average, a percentage, IMPs, or outcomes in points, each with its weight."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cells import award_percent
from bridge_analytics.columns import text_codes
from bridge_analytics.rules import Edition

MARKS = ("A+", "A", "A-")
UNMARKED = -1

WHOLE = 10_000
"""The weights of the outcomes of one ruling together: they are counted in ten-thousandths, so that sums are exact."""

_NUMBER = r"\d+(?:[.,]\d+)?|[.,]\d+"
_OUTCOME = re.compile(rf"([+-]?\d+)(?:\*({_NUMBER})(%?))?")

Codes = NDArray[np.int64]
Outcomes = tuple[Codes, Codes, Codes]


def own_imps(rulings: Edition) -> bool:
    """Whether in IMPs too an average is worth what the side made of its other boards, where that is more, or less."""
    return "artificial.own_imps" in rulings and bool(rulings["artificial.own_imps"])


def read_rulings(ruled: pd.DataFrame, side: str) -> tuple[pd.DataFrame, Outcomes]:
    """The rulings of adjusted rows for one side.

    Parameters
    ----------
    ruled : DataFrame
        Rows of a table of results.
    side : {"ns", "ew"}

    Returns
    -------
    DataFrame
        Of each row the ``mark`` (position in ``MARKS``, -1: none), ``percent``, ``imps`` (NaN: none). A number in
        ``award_ns_pct`` or ``award_ew_pct`` counts before another word beside it.
    row, score, weight : ndarray of int64
        Of each outcome in points the row (from 0), its score seen from the side, and its weight in parts of ``WHOLE``.
    """
    words, codes = text_codes(ruled[f"adjusted_{side}"])
    said, percent, imps = np.array([*map(ruling, words), ruling("")]).T[:, codes]
    number = ruled[f"award_{side}_pct"].to_numpy(np.float64, na_value=np.nan)
    counts = ~np.isnan(number)
    words_say = {
        "mark": np.where(counts & (number != percent), UNMARKED, said).astype(np.int8),
        "percent": np.where(counts, number, percent),
        "imps": imps,
    }
    found = [outcomes(word) for word in words]
    many = np.array([*map(len, found), 0])
    rows = np.repeat(np.arange(len(ruled)), np.where(counts, 0, many[codes]))
    flat = np.array([pair for pairs in found for pair in pairs], np.int64).reshape(-1, 2)
    first = (np.cumsum(many) - many)[codes[rows]]
    step = np.arange(rows.size) - np.searchsorted(rows, rows)
    score, weight = flat[first + step].T
    return pd.DataFrame(words_say), (rows, score, weight)


def ruling(word: str) -> tuple[int, float, float]:
    """What a ruling says: the position of its mark (-1: none), a percentage, IMPs (NaN: none).

    Examples
    --------
    >>> ruling("ave+"), ruling("61.8 %"), ruling("-2 IMP")
    ((0, 60.0, nan), (-1, 61.8, nan), (-1, nan, -2.0))
    """
    percent = award_percent(word)
    mark = -1 if "%" in word or np.isnan(percent) else MARKS.index({60: "A+", 50: "A", 40: "A-"}[int(percent)])
    imps = re.fullmatch(r"\s*([+-]?\d+(?:[.,]\d+)?)\s*IMPS?\s*", word.replace("−", "-"), re.ASCII | re.IGNORECASE)
    return mark, percent, float(imps[1].replace(",", ".")) if imps else np.nan


def outcomes(word: str) -> list[tuple[int, int]]:
    """The scores of an assigned ruling with their weights in ten-thousandths; none where it is no such ruling.

    A score is a multiple of ten, seen from the side that it is for; a weight a decimal or a percentage, of at most four
    (two) decimals, and all of them one together.

    Examples
    --------
    >>> outcomes("620"), outcomes("620*.7 -100*.3"), outcomes("-140*50% +50*50%"), outcomes("620*.7"), outcomes("A+")
    ([(620, 10000)], [(620, 7000), (-100, 3000)], [(-140, 5000), (50, 5000)], [], [])
    """
    plain = re.sub(r"\s*\*\s*", "*", re.sub(r"([+-])\s+", r"\1", word.replace("−", "-").strip()))
    parts = [_OUTCOME.fullmatch(part) for part in re.split(r"[\s;]+|(?<=[\d%])(?=[+-])", plain)]
    found = []
    for part in parts:
        if part is None or int(part[1]) % 10:
            return []
        weight = Decimal((part[2] or "1").replace(",", ".")) * (WHOLE // 100 if part[3] else WHOLE)
        if weight != int(weight):
            return []
        found.append((int(part[1]), int(weight)))
    return found if sum(weight for _, weight in found) == WHOLE else []
