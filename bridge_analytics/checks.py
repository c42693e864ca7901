"""What a source of results must satisfy, check by check, and the table of what does not: the faults.

A fault in the data is data. Every row that was read is in the results or named here, with its value and with what was
expected in its place; nothing is dropped, repaired or guessed in silence.
"""

import re
from collections.abc import Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

FAULT_COLUMNS = MappingProxyType(
    {"source": "str", "source_row": "Int64", "column": "str", "value": "str"}
    | {"rule": "str", "expected": "str", "suggestion": "str", "left_out": "bool"}
)
"""The columns of a table of faults and their types."""

_RESULT_COLUMNS = ("published_score_ns", "published_mp_ns", "published_pct_ns", "published_imps_ns")
_CONTESTANTS = ("ns", "ew", "north", "east", "south", "west")

_AT_THE_TABLE = ("dealer", "vul", "contract", "declarer", "tricks")

CHECKS = (
    # rule, the columns it looks at (none: whole rows), what was expected, is the row left out
    ("text_skipped", (), "nothing but results (of a CSV: under one line of headers)", False),
    ("bytes_unreadable", (), "text in the encoding of the file", True),
    ("quotes_unreadable", (), "quotes that open and close around a whole cell", True),
    ("cells_miscounted", (), "as many cells as there are headers", True),
    ("erased_unreadable", (), "yes or no", True),
    ("erased_row", (), "a row that the file has not erased", True),
    ("duplicate_row", (), "one row for each section, table, round and board: the last one holds", True),
    ("irregular", (*_AT_THE_TABLE, "auction", "play"), "a value without a mark of irregularity", False),
    ("names_count", _CONTESTANTS[2:], "four names, or eight of two rooms, without a comma in them", False),
    ("auction_unreadable", ("auction",), "calls that the laws allow, from the dealer to the passes that close", False),
    ("play_unreadable", ("play",), "52 cards, each once and from the hand whose turn it is", False),
    ("head_contradicts", ("contract", "declarer", "tricks"), "the result that the head of the file tells", True),
    ("status_unreadable", ("status",), "played, passed, adjusted, not_played, sit_out or unknown", True),
    ("vul_unreadable", ("vul",), "a vulnerability none, ns, ew or both", True),
    ("contract_unreadable", ("contract",), "level 1-7, strain C D H S NT, then nothing, X or XX; or Pass", True),
    ("seat_unreadable", ("declarer", "dealer"), "a seat N E S W", True),
    ("tricks_unreadable", ("tricks",), "a whole number 0-13", True),
    ("result_unreadable", ("tricks",), "a result the contract can have: '=', or '+1' and '-2' with their sign", True),
    ("tricks_contradict", ("tricks",), "tricks and result that say the same", True),
    ("status_contradicts", ("status",), "a contract where, and only where, a board was played", True),
    ("board_missing", ("board",), "a board number or label: without one a result is compared with no other", False),
    ("vul_unknown", ("vul",), "a vulnerability, or a board number that tells it", False),
    ("contract_missing", ("contract",), "the contract that other cells of the row speak of", False),
    ("declarer_missing", ("declarer",), "the declarer of the contract", False),
    ("tricks_not_inferred", ("tricks",), "a score that exactly one number of tricks explains", False),
    ("room_unreadable", ("room",), "open or closed", False),
    ("lead_unreadable", ("lead",), "a card such as SK: suit, then rank", False),
    ("deal_unreadable", ("deal",), "four hands such as N:AKQ52.K9.Q84.K76 ..., no card twice", False),
    ("number_unreadable", (*_RESULT_COLUMNS, "award_ns_pct", "award_ew_pct"), "a number", False),
    ("score_sides", ("published_score_ns",), "scores of the two sides that mirror each other", False),
    ("score_sign", ("published_score_ns",), "the score as North-South see it", False),
    ("score_mismatch", ("published_score_ns",), "the score that contract, vulnerability and tricks make", False),
    ("mp_without_result", ("published_mp_ns",), "no matchpoints where there is no result", False),
    ("award_one_sided", ("award_ns_pct", "award_ew_pct"), "an award for each side", False),
    ("mp_mismatch", ("published_mp_ns", "published_pct_ns"), "the matchpoints that the scores of the deal make", False),
    ("corrected", (), "no correction to a cell of the file", False),
    ("twice_on_a_deal", _CONTESTANTS, "each pair and each player once on a deal", False),
)
"""All that is checked, in one list. A row is left out where what happened at the table cannot be read for certain;
where only what a file prints beside it cannot, the row stays and the cell is missing. No cell is filled by a guess."""

REFUSALS = (
    ("header_missing", (), "a line of headers that names a board and a contract (or a score)", True),
    ("file_unreadable", (), "a whole file of its format", True),
    ("layout_unfit", (), "a file that the layout fits", True),
    ("xml_entity", (), "a file that declares no entities: they are neither expanded nor fetched", True),
)
"""What makes a whole source no table of results."""

WITHDRAWN = ("erased_row", "duplicate_row")
"""Rows that the file itself takes back: they are named, and are no reason to refuse it."""

_EXPECTED = MappingProxyType({rule: (expected, left_out) for rule, _, expected, left_out in CHECKS + REFUSALS})
_SHOWN = 10


class ResultsError(ValueError):
    """Some results of a source cannot be read; ``faults`` is the table of all that is wrong with it.

    Parameters
    ----------
    faults : DataFrame
        As :func:`fault_table` makes them, those of rows that are kept among them.
    total : int
        How many results the source holds.

    Examples
    --------
    >>> print(ResultsError(fault_table("contract_unreadable", [7], column="contract", value="8S"), 26))
    1 of 26 results cannot be read
      row 7  contract  '8S'  expected level 1-7, strain C D H S NT, then nothing, X or XX; or Pass
    All of them: error.faults, or check_results(source). The readable rows: sift_results(source).
    """

    def __init__(self, faults: pd.DataFrame, total: int) -> None:
        """Keep the faults and the number of results."""
        super().__init__(faults, total)
        self.faults = faults

    def __str__(self) -> str:
        """Say how many rows are left out, the first of them, and where to find the others."""
        left_out = self.faults[self.faults["left_out"] & ~self.faults["rule"].isin(WITHDRAWN)]
        count, names = left_out["source_row"].nunique(), left_out["source"].dropna().unique()
        files = ", ".join(str(name).replace("\\", "/").rpartition("/")[2] for name in names)
        where = f" ({files})" if files else ""
        how_many = f"{count:,} of {self.args[1]:,} results" if count else "the results"
        lines = [f"{how_many} cannot be read{where}", *_aligned(left_out.head(_SHOWN))]
        if len(left_out) > _SHOWN:
            lines.append(f"  … and {len(left_out) - _SHOWN:,} more")
        lines.append("All of them: error.faults, or check_results(source). The readable rows: sift_results(source).")
        return "\n".join(lines)


def _aligned(faults: pd.DataFrame) -> list[str]:
    """A line for each fault: row, column, value, what was expected, and a hint where there is one."""
    rows = ["file" if pd.isna(row) else f"row {row}" for row in faults["source_row"]]
    columns = list(faults["column"].fillna(faults["rule"]))
    values = ["" if pd.isna(v) else v if re.fullmatch(r"\d+", v) else repr(v) for v in faults["value"]]
    hints = [f" ({hint})" if isinstance(hint, str) else "" for hint in faults["suggestion"]]
    widths = [max(map(len, part), default=0) for part in (rows, columns, values)]
    return [
        f"  {row:<{widths[0]}}  {column:<{widths[1]}}  {value:<{widths[2]}}  expected {expected}{hint}"
        for row, column, value, expected, hint in zip(rows, columns, values, faults["expected"], hints, strict=True)
    ]


def fault_table(
    rule: str,
    source_row: ArrayLike | None,
    *,
    column: Any = None,
    value: Any = None,
    suggestion: Any = None,
    source: Any = None,
) -> pd.DataFrame:
    """A fault of one check for each row named; what was expected comes from :data:`CHECKS`.

    Parameters
    ----------
    rule : str
        The check.
    source_row : array_like of int, or None
        The rows; None for the whole source.
    column, value, suggestion, source : str or array of str, optional
        Where the fault is, what stands there, what would mend it, and the file.

    Returns
    -------
    DataFrame
        The columns of :data:`FAULT_COLUMNS`.
    """
    expected, left_out = _EXPECTED[rule]
    places = np.atleast_1d(np.asarray(source_row, dtype=object))
    if not len(places):
        return no_faults()
    rows = pd.array(places, dtype="Int64")
    cells = {
        "source": source,
        "source_row": rows,
        "column": column,
        "value": value,
        "rule": rule,
        "expected": expected,
        "suggestion": suggestion,
        "left_out": left_out,
    }
    return pd.DataFrame(cells, index=range(len(rows))).astype(FAULT_COLUMNS)


@cache
def no_faults() -> pd.DataFrame:
    """A table of faults without any."""
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in FAULT_COLUMNS.items()})


def join_faults(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One table of faults, by source and row; the faults of a row in the order in which they were found."""
    filled = [table for table in tables if len(table)]
    if not filled:
        return no_faults().copy()
    together = pd.concat(filled, ignore_index=True)
    rows = together["source_row"].to_numpy(np.int64, na_value=-1)
    return together.take(np.lexsort((rows, pd.factorize(together["source"])[0]))).reset_index(drop=True)
