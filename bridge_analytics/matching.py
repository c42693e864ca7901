"""The same deal, the same contract, the same declarer: cells in which some tables took an action and others did not.

What differs between the tables of such a cell is the action, the play, and who sat there; the cards are the same.
"""

from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.alignment import labels_of
from bridge_analytics.contrasts import check_word, contrast, with_holm
from bridge_analytics.groups import group_codes
from bridge_analytics.imp_scale import imps
from bridge_analytics.rules import Edition
from bridge_analytics.scored import (
    Codes,
    Flags,
    Floats,
    aligned_flags,
    check_scored,
    contract_codes,
    side_signs,
    word_codes,
)
from bridge_analytics.selection import selection_codes
from bridge_analytics.table import fixed_label

COLUMN_OF = {"points": "score_ns", "matchpoints": "pct_ns", "butler": "butler_ns", "cross_imps": "cross_imps_ns"}
"""The column of North-South's in which a form is found; IMPs are of one table against another."""

OUTCOMES = ("imps", *COLUMN_OF, "tricks")
_WORDS = MappingProxyType({"doubled": ("doubled", "undoubled"), "redoubled": ("redoubled", "doubled")})


def matched_cells(
    results: pd.DataFrame,
    action: str | ArrayLike = "doubled",
    *,
    side: str = "defenders",
    forms: tuple[str, ...] = ("points", "imps"),
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """Cells of deal, contract and declarer in which the action was taken at some tables and not at others.

    Parameters
    ----------
    results : DataFrame
        As :func:`score_results` gives them; of one contract class, say, or all.
    action : {"doubled", "redoubled"} or column of bool
        Doubled against undoubled, or redoubled against doubled, the contract else the same; or where a column says so
        (a name or the column itself, missing: neither), the contract and its double the same.
    side : {"declarer", "defenders", "ns", "ew"}
        Whose the differences are.
    forms : tuple of "points", "imps", "matchpoints", "butler", "cross_imps", "tricks"
        IMPs are the mean over all pairs of a table that took the action and one that did not; matchpoints are
        percentages; the others are differences of means. Tricks are declarer's, whatever the side.
    imp_scale : str, path or Edition

    Returns
    -------
    DataFrame
        A row for each cell: ``row`` (the place of one of its results), ``deal_id, contract, declarer``, ``taken``,
        ``not_taken`` (numbers of results), and a column for each form. In the order of the results.

    Raises
    ------
    ValueError
        If a form is not known or its column is not there.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "2S"], "declarer": ["S", "S", "S"],
    ...                         "tricks": [7, 7, 8]})
    >>> matched_cells(score_results(read_results(evening)))[["contract", "taken", "not_taken", "points", "imps"]]
      contract  taken  not_taken  points  imps
    0       2S      1          2   130.0   3.5
    """
    table = check_scored(results)
    taken, contract = _action(table, action)
    signs, seats = side_signs(table, side), word_codes(table, "declarer")
    rows = np.flatnonzero((contract >= 0) & ~np.isnan(taken))
    labels = {"deal": table["deal_id"].to_numpy()[rows], "contract": contract[rows], "declarer": seats[rows]}
    rows, cell, did = _with_both(rows, group_codes(pd.DataFrame(labels))[0], taken[rows] == 1)
    first = np.unique(cell, return_index=True)[1]
    head = rows[first]
    size = np.bincount(cell, minlength=first.size)
    many = np.bincount(cell, did, first.size).astype(np.int64)
    cells = {
        "row": head,
        "deal_id": table["deal_id"].to_numpy()[head],
        "contract": fixed_label("contract", contract[head]),
    }
    cells |= {"declarer": fixed_label("declarer", seats[head]), "taken": many, "not_taken": size - many}
    for form in forms:
        values = _values(table, form)[rows]
        if form == "imps":
            difference = _imps_of_pairs(values, cell, did, imp_scale)
        else:
            part = np.where(did, 1 / many[cell], -1 / (size - many)[cell])
            difference = np.asarray(np.bincount(cell, values * part, first.size), np.float64)
        cells[form] = difference if form == "tricks" else difference * signs[head]
    return pd.DataFrame(cells)


def matched(
    results: pd.DataFrame,
    action: str | ArrayLike = "doubled",
    *,
    side: str,
    weights: str,
    forms: tuple[str, ...] = ("points", "imps"),
    within: str | list[str] | None = None,
    imp_scale: str | Edition = "imps-1962",
    level: float = 0.95,
) -> pd.DataFrame:
    """Tables that took an action less tables that did not, on the same deal in the same contract by the same declarer.

    Parameters
    ----------
    results, action, side, forms, imp_scale
        As in :func:`matched_cells`.
    weights : str
        ``cell``: every cell counts the same; ``doubled`` or ``undoubled`` (``redoubled``; of a column ``taken`` or
        ``not_taken``): as many times as it has such results. They answer different questions: the effect where the
        action was taken, or where it was not.
    within : name or names of columns, optional
        A row for each label that the first result of a cell has there; as in :func:`compare`.
    level : float

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`, a row for each form. ``results`` are those of all cells used; their
        number stands in ``method``. Without a cell there are 0 results and ``no_overlap`` is among the warnings.

    Raises
    ------
    ValueError
        If the weights are not those of the action, or as :func:`matched_cells`.

    Notes
    -----
    Closest to the effect of the action, since the cards are the same, and still not an experiment: the tables chose.
    The interval is that of the weighted mean of cells, with deals as clusters.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "2S"], "declarer": ["S", "S", "S"],
    ...                         "tricks": [7, 7, 8]})
    >>> scored = score_results(read_results(evening))
    >>> matched(scored, side="defenders", weights="doubled")[["form", "weights", "estimate", "results", "boards"]]
         form  weights  estimate  results  boards
    0  points  doubled     130.0        3       1
    1    imps  doubled       3.5        3       1
    """
    known = action if isinstance(action, str) else ""
    done, not_done = _WORDS.get(known, ("taken", "not_taken"))
    check_word(weights, ("cell", done, not_done), "weights")
    cells = matched_cells(results, action, side=side, forms=forms, imp_scale=imp_scale)
    taken, not_taken = (cells[name].to_numpy(np.float64) for name in ("taken", "not_taken"))
    groups = None if within is None else labels_of(within, [results], results, "within", side).iloc[cells["row"]]
    codes = selection_codes("matched", results, doubles=known in _WORDS) + ([] if len(cells) else ["no_overlap"])
    about = {"estimand": "matched", "action": known or done, "against": not_done, "weights": weights}
    weight = {"cell": np.ones(len(cells)), done: taken, not_done: not_taken}[weights]
    rest: dict[str, Any] = {
        "deals": cells["deal_id"],
        "weights": weight,
        "within": groups,
        "level": level,
        "codes": codes,
    }
    found = [contrast(cells[form].to_numpy(), about=about | {"form": form}, **rest) for form in forms]
    table = pd.concat(found, ignore_index=True)
    many = np.tile(_results(taken + not_taken, groups), len(forms))
    table = table.assign(results=many, method=table["results"].map("{:,} cells, ".format) + table["method"])
    return table if within is None else with_holm([table])


def _results(counts: Floats, groups: pd.Series | pd.DataFrame | None) -> NDArray[np.int64]:
    """The number of results in the cells of each group, in the order in which groups first occur."""
    codes = np.zeros(counts.size, np.int64) if groups is None else pd.factorize(group_codes(groups)[0])[0]
    return np.bincount(codes, counts, minlength=1).astype(np.int64)


def _action(table: pd.DataFrame, action: str | ArrayLike) -> tuple[Floats, Codes]:
    """Whether each row took the action (NaN: neither did nor did not), and the contract of its cell."""
    undoubled, doubled = contract_codes(table)
    if isinstance(action, str) and action in ("doubled", "redoubled"):
        higher = 1 if action == "doubled" else 2
        taken = np.select([doubled == higher, doubled == higher - 1], [1.0, 0.0], np.nan)
        return taken, undoubled + np.where(undoubled < 0, 0, higher - 1)
    if isinstance(action, str) and action not in table:
        raise ValueError(f"expected an action among {', '.join(_WORDS)}, or a column of the results, got {action!r}")
    column = table[action] if isinstance(action, str) else action
    flags = aligned_flags(column, table, "an action")
    return np.where(flags == 2, np.nan, flags), undoubled + np.where(undoubled < 0, 0, doubled)


def _with_both(rows: NDArray[np.intp], cell: Codes, did: Flags) -> tuple[NDArray[np.intp], Codes, Flags]:
    """The rows of cells in which the action was both taken and not, with cells numbered as they first occur."""
    size = np.bincount(cell)
    many = np.bincount(cell, did)
    both = ((many > 0) & (many < size))[cell]
    return rows[both], pd.factorize(cell[both])[0].astype(np.int64), did[both]


def _values(table: pd.DataFrame, form: str) -> Floats:
    """What is compared: North-South's, or declarer's tricks."""
    if form not in OUTCOMES:
        raise ValueError(f"expected forms among {', '.join(OUTCOMES)}, got {form!r}")
    name = "tricks" if form == "tricks" else COLUMN_OF.get(form, "score_ns")
    if name not in table:
        raise ValueError(f"expected results scored at {form}, got a table without {name}")
    return table[name].to_numpy(dtype=np.float64, na_value=np.nan)


def _imps_of_pairs(scores: Floats, cell: Codes, did: Flags, scale: str | Edition) -> Floats:
    """Mean IMPs of each cell over all its pairs of tables; equal scores of a cell are counted and taken once."""
    cells = int(cell.max(initial=-1)) + 1
    order = np.lexsort((scores, did, cell))
    scores, cell, did = scores[order], cell[order], did[order]
    start = np.flatnonzero((np.diff(scores, prepend=np.nan) != 0) | (np.diff(cell * 2 + did, prepend=-1) != 0))
    count = np.diff(np.append(start, cell.size))
    scores, cell, did = scores[start], cell[start], did[start]
    new, old = (np.bincount(cell, part, cells).astype(np.int64) for part in (did, ~did))
    first_old = np.cumsum(new + old) - new - old  # in each cell those that did not come first
    many = (old[cell])[did]  # each score of those that did meets all of the others
    mine = np.repeat(np.flatnonzero(did), many)
    theirs = np.repeat(first_old[cell[did]] - (np.cumsum(many) - many), many) + np.arange(many.sum())
    won = imps(scores[mine] - scores[theirs], edition=scale) * (count[mine] * count[theirs])
    pairs = np.bincount(cell, count * did, cells) * np.bincount(cell, count * ~did, cells)
    return np.bincount(cell[mine], won, cells) / pairs
