"""Results from files and tables, with every fault named; and their scores."""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics import comparison, datums
from bridge_analytics.checks import WITHDRAWN, ResultsError, join_faults, no_faults
from bridge_analytics.corrections import Corrections
from bridge_analytics.field_checks import field_faults
from bridge_analytics.identity import deal_ids, twice_if_clear, twice_on_a_deal
from bridge_analytics.layout import Layout
from bridge_analytics.published import agreement
from bridge_analytics.reading import sift
from bridge_analytics.row_scores import points_of
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.sources import Source
from bridge_analytics.table import SCORED_COLUMNS, check_table

By = str | Sequence[str] | None

_FUNCTIONS = MappingProxyType(
    {
        "points": "score_ns, which is always there",
        "imps": "team_match, or imps on differences",
        "board_a_match": "team_match, or board_a_match on differences",
        "ascherman": "ascherman",
        "victory_points": "team_match, or victory_points",
        "rubber": "score_rubbers",
    }
)


def read_results(
    source: Source, *, format: str | None = None, layout: Layout = None, corrections: Corrections = None
) -> pd.DataFrame:
    """Read a source of results, or refuse it if one of them cannot be read.

    Parameters
    ----------
    source : path, DataFrame, Polars or Arrow table
        A file, also compressed (``.gz``), in one of the formats; a folder of such files, or a pattern of their names
        (``"club/*.pbn"``); or a table with such columns.
    format : {"results_csv", "valet", "pbn", "lin", "usebio", "bws", "parquet"}, optional
        Found from the content of each file, else from its ending, where it is not given.
    layout : mapping or path of a TOML file, optional
        How the source is written; see :mod:`bridge_analytics.layout`.
    corrections : path of a CSV, or DataFrame, optional
        Cells to read otherwise than they stand, by ``source_row``, ``column`` and ``value``; see
        :mod:`bridge_analytics.corrections`.

    Returns
    -------
    DataFrame
        The canonical table: every column there, in its type, missing where the source has none; other columns of the
        source behind. Rows that are kept with a fault are in it: :func:`check_results` names them.
        Nothing is repaired or guessed; a vulnerability or dealer that the source leaves out comes from the board
        number, and ``vul_source`` says so.

    Raises
    ------
    ResultsError
        If a row is left out that the source did not itself withdraw; ``error.faults`` names all of them.
    ValueError
        If the layout or the format is not known or does not fit.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> evening = pd.DataFrame({"Bd": [1, 1], "Contract": ["4♠", "3NT x"], "By": ["S", "W"], "Result": ["+1", "-2"]})
    >>> read_results(evening)[["board", "vul", "contract", "declarer", "tricks", "status"]]
       board   vul contract declarer  tricks  status
    0      1  none       4S        S      11  played
    1      1  none     3NTX        W       7  played
    """
    results, faults = sift(source, format, layout, corrections)
    refused = faults["left_out"] & ~faults["rule"].isin(WITHDRAWN)
    if refused.any():
        raise ResultsError(faults, len(results) + len(_left_out(faults)))
    return results


def sift_results(
    source: Source,
    *,
    format: str | None = None,
    layout: Layout = None,
    by: By = None,
    corrections: Corrections = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The results that can be read, and everything that is wrong with a source.

    Parameters
    ----------
    source, format, layout, corrections
        As for :func:`read_results`. Of several files, one that is no table of results is a fault without a row.
    by : str or sequence of str, optional
        The columns that tell deals apart, to find who comes to a deal twice; as for :func:`deal_ids`. Without it, and
        where the rows do not tell deals apart by themselves, this one check is left to :func:`score_results`.

    Returns
    -------
    results : DataFrame
        As :func:`read_results`.
    faults : DataFrame
        A row for each fault: ``source source_row column value rule expected suggestion left_out``. Every row of the
        source is in the results or named here.

    Raises
    ------
    ResultsError
        If the source is no table of results at all.
    ValueError, OSError
        As :func:`read_results`.

    Examples
    --------
    >>> evening = pd.DataFrame({"Bd": [1, 1], "Contract": ["4S", "8S"], "By": ["S", "W"], "Result": ["+1", "-2"]})
    >>> results, faults = sift_results(evening)
    >>> len(results), faults[["source_row", "column", "value", "rule"]].values.tolist()
    (1, [[2, 'contract', '8S', 'contract_unreadable']])
    """
    results, faults = sift(source, format, layout, corrections)
    again = twice_if_clear(results) if by is None else twice_on_a_deal(results, by)
    return results, join_faults([faults, again, _field(results, faults, by)])


def check_results(
    source: Source,
    *,
    format: str | None = None,
    layout: Layout = None,
    by: By = None,
    corrections: Corrections = None,
) -> pd.DataFrame:
    """Everything that is wrong with a source of results; an empty table where nothing is.

    Parameters
    ----------
    source, format, layout, by, corrections
        As for :func:`sift_results`.

    Returns
    -------
    DataFrame
        The faults, as :func:`sift_results` gives them. Of a source that is no table of results the one fault names no
        row.

    Raises
    ------
    ValueError
        If the layout, the format or ``by`` is not known or does not fit.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> evening = pd.DataFrame({"Bd": [1, 1], "Contract": ["4S", "8S"], "By": ["S", "W"], "Result": ["+1", "-2"]})
    >>> check_results(evening)[["source_row", "value", "rule", "left_out"]]
       source_row value                 rule  left_out
    0           2    8S  contract_unreadable      True
    >>> check_results(pd.DataFrame({"Dear": ["secretary"]}))["rule"].tolist()
    ['header_missing']
    """
    try:
        return sift_results(source, format=format, layout=layout, by=by, corrections=corrections)[1]
    except ResultsError as error:
        return error.faults


def _field(results: pd.DataFrame, faults: pd.DataFrame, by: By) -> pd.DataFrame:
    """What the results of a deal say of its printed matchpoints; nothing where a result or the deals are not known."""
    if not results[["published_mp_ns", "published_pct_ns"]].notna().any(axis=None):
        return no_faults()
    if (faults["left_out"] & ~faults["rule"].isin(WITHDRAWN)).any():
        return no_faults()
    try:
        deals = deal_ids(results, by)
    except ValueError:  # not clear: score_results says why
        return no_faults()
    return field_faults(results, deals)


def _left_out(faults: pd.DataFrame) -> pd.DataFrame:
    return faults.loc[faults["left_out"], ["source", "source_row"]].drop_duplicates()


def score_results(
    results: pd.DataFrame,
    *,
    by: By = None,
    edition: str | Edition = "duplicate-1987",
    forms: str | Sequence[str] = ("matchpoints",),
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    win: float = 2,
    expected: Any = None,
) -> pd.DataFrame:
    """Score results and compare them on each deal.

    Parameters
    ----------
    results : DataFrame
        As :func:`read_results` gives it, whole: compare first, filter after.
    by : str or sequence of str, optional
        The columns that tell deals apart; see :func:`deal_ids`.
    edition, datum, imp_scale : str, path or Edition
        The law of scoring, how a Butler datum is found, and the scale of IMPs; see :func:`editions`.
    forms : sequence of {"matchpoints", "butler", "cross_imps"}
        What to compute besides the scores.
    win : float
        Matchpoints for a lower score: 2, or 1 as in North America. [matchpoints]
    expected : int or array_like of int, optional
        Results of a full board, for Neuberg's formula; see :func:`matchpoints`.

    Returns
    -------
    DataFrame
        The rows and columns of ``results``, and behind them ``deal_id``, ``vulnerable`` (declarer's side), ``score``
        (declarer's side) and ``score_ns`` [points]; for each form ``mp_ns mp_ew pct_ns pct_ew``, ``datum_ns
        butler_ns``, ``cross_imps_ns``; ``score_ok`` and ``mp_ok``: whether what the source printed agrees, missing
        where it printed nothing. Only played and passed results have a score and are compared; where nobody knows the
        vulnerability there is none either. Columns of an earlier scoring are replaced.

    Raises
    ------
    ValueError
        If the table is not canonical or has a word that is none, a form or an edition is not known, or it is not clear
        which results share the cards.

    Notes
    -----
    ``mp_ok`` compares printed matchpoints, else printed percentages, to a tenth.

    Examples
    --------
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1], "Contract": ["4S", "4S", "Pass"], "By": ["S", "N", ""],
    ...                         "Result": ["=", "-1", ""]})
    >>> score_results(read_results(evening))[["contract", "tricks", "score_ns", "mp_ns", "pct_ew"]]
      contract  tricks  score_ns  mp_ns  pct_ew
    0       4S      10       420    4.0     0.0
    1       4S       9       -50    0.0   100.0
    2     Pass    <NA>         0    2.0    50.0
    """
    wanted, rule, scale = checked_forms(forms), load_edition(datum, kind="datum"), load_edition(imp_scale, kind="imps")
    bare = check_table(results).drop(columns=[name for name in SCORED_COLUMNS if name in results])
    deals = deal_ids(bare, by)
    scores, own = points_of(bare, edition)
    columns = {"deal_id": deals, **own}
    if "matchpoints" in wanted:
        columns |= _matchpoints(scores, deals, win, expected)
    if "butler" in wanted:
        columns["datum_ns"] = datums.datum(scores, by=deals, edition=rule)
        columns["butler_ns"] = datums.butler(scores, by=deals, datum=rule, edition=scale)
    if "cross_imps" in wanted:
        columns["cross_imps_ns"] = comparison.cross_imps(scores, by=deals, edition=scale)
    columns |= agreement(bare, scores, columns)
    return pd.concat([bare, pd.DataFrame(columns, index=bare.index)], axis=1)


def checked_forms(forms: str | Sequence[str]) -> set[str]:
    """The forms asked for, each of which results can be scored by."""
    listed = [forms] if isinstance(forms, str) else list(forms) if isinstance(forms, Iterable) else [forms]
    for form in listed:
        if form not in ("matchpoints", "butler", "cross_imps"):
            hint = f" (see {_FUNCTIONS[form]})" if form in _FUNCTIONS else ""
            raise ValueError(f"expected forms among matchpoints, butler, cross_imps, got {form!r}{hint}")
    return set(listed)


def _matchpoints(scores: NDArray[np.float64], deals: NDArray[np.int64], win: float, expected: Any) -> dict[str, Any]:
    """Matchpoints and percentages, each side by itself."""
    columns = {}
    for name, percent in (("mp", False), ("pct", True)):
        for side, seen in (("ns", scores), ("ew", -scores)):
            found = comparison.matchpoints(seen, by=deals, win=win, percent=percent, expected=expected)
            columns[f"{name}_{side}"] = found
    return columns
