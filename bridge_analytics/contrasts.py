"""Contrasts: one action against another, each answer with its estimand, weights, interval, unit and warnings.

Every answer is a table with the columns of :data:`COLUMNS`, a row for each contrast. What was sampled is the deal, so
that is the cluster unless another is named: all tables of a deal share the cards. Positive is good for the side named,
and good is what the action has over what it is held against.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.alignment import Column, Scores, in_field, labels_of, one_side, only_doubled, places, under_each
from bridge_analytics.counterfactuals import FIELD_FORMS, over_others
from bridge_analytics.groups import group_codes
from bridge_analytics.imp_scale import imps
from bridge_analytics.inference import equal_weights, holm, p_values, paired_difference
from bridge_analytics.rules import Edition
from bridge_analytics.scored import Floats, check_scored, check_whole, contract_codes, own_scores, side_signs
from bridge_analytics.selection import ESTIMANDS, selection_codes

COLUMNS = (
    *("estimand", "action", "against", "form", "weights", "within", "estimate", "se", "low", "high"),
    *(
        "share_gained",
        "share_flat",
        "share_lost",
        "results",
        "boards",
        "clusters",
        "design_effect",
        "method",
        "warnings",
    ),
)
FORMS = ("points", "imps", *FIELD_FORMS)
WEIGHTS = ("result", "board")

Labels = Any
"""Names of columns of the tables, or labels, or a table of label columns."""


def compare(
    scores: Mapping[str, Scores],
    *,
    by: Labels,
    form: str,
    side: str,
    weights: str,
    within: Labels = None,
    cluster: Labels = None,
    field: pd.DataFrame | None = None,
    estimand: str | None = None,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    level: float = 0.95,
) -> pd.DataFrame:
    """One action against another on the same results, row by row: the last less the first.

    Parameters
    ----------
    scores : dict of action to DataFrame, or to column of North-South scores
        The same results under each action, in the same order with the same index, as :func:`what_if` gives them. Of
        more than two actions each is compared with the first. [points]
    by : name or list of names of columns, or labels
        What says which results are of one deal, ``"deal_id"``: the board of `weights` and the cluster. Labels that
        have an index have that of the results.
    form : {"points", "imps", "matchpoints", "butler", "cross_imps"}
        Points and IMPs are of one action against the other. The last three compare each action with the field, the rest
        of which stays as it was, and take the difference; matchpoints in percent of the top.
    side : {"declarer", "defenders", "ns", "ew"}
        Whose gain is positive.
    weights : {"result", "board"}
        Whether each result counts the same, or each board.
    within : names of columns, or labels, optional
        A row for each label: vulnerability, seat ...; with the p-values of Holm in `warnings`. Besides the columns
        there are ``level strain doubled side`` (of the declarer) and ``opponents`` of `side`, under the last action.
    cluster : names of columns, labels, or a tuple of two of these, optional
        What was sampled, if it is not the deal; two for two-way clusters.
    field : DataFrame, optional
        The whole field, in which the rows of `scores` are found by their index; needed where the form compares with it.
    estimand : str, optional
        What is asked, one of :data:`selection.ESTIMANDS`, for the warnings. By default ``same_tricks`` where nothing
        but the double changed, else ``same_deals``.
    datum, imp_scale : str, path or Edition
    level : float
        Confidence level of the interval.

    Returns
    -------
    DataFrame
        The columns of :data:`COLUMNS`; ``warnings`` are the codes of :data:`selection.CODES` and of :mod:`inference`.

    Raises
    ------
    ValueError
        If there are fewer than two actions, the tables or labels are not aligned, have different declarers where the
        side depends on it, an option is not known, or the form needs a field and has none, a part, or other rows.

    Examples
    --------
    >>> from bridge_analytics.counterfactuals import what_if
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 2, 3], "contract": ["2SX"] * 3, "declarer": ["S"] * 3,
    ...                         "tricks": [8, 6, 7]})
    >>> doubled = score_results(read_results(evening))
    >>> table = compare({"pass": what_if(doubled, doubled=0), "double": doubled}, by="deal_id", form="imps",
    ...                 side="defenders", weights="result")
    >>> table[["estimand", "action", "against", "estimate", "share_gained", "results", "boards"]].round(2)
          estimand  action against  estimate  share_gained  results  boards
    0  same_tricks  double    pass      0.33          0.67        3       3
    """
    check_word(form, FORMS, "a form")
    check_word(weights, WEIGHTS, "weights")
    tables, ns = under_each(scores)
    size = ns[0][0].size
    if by is None:
        raise ValueError("expected by to name the deals, got None")
    asked, rows = {"by": by, "within": within, "cluster": cluster}, next(iter(scores.values()))
    deals, groups, clusters = (labels_of(labels, tables, rows, option, side) for option, labels in asked.items())
    signs = one_side(tables, side, size)
    if form in FIELD_FORMS:
        ns = in_field(ns, rows, field, form, datum, imp_scale)
    doubles = len(tables) == len(scores) and only_doubled(tables)
    if estimand is None:
        estimand = "same_tricks" if doubles else "same_deals"
    check_word(estimand, [*ESTIMANDS], "an estimand")
    codes = selection_codes(estimand, tables[-1], field, doubles=doubles) if tables else ["S1"]
    names, scale = list(scores), imp_scale if form == "imps" else None
    found = [
        contrast(
            _gain(ns[0], new, signs, scale),
            deals=deals,
            weights=weights,
            within=groups,
            cluster=clusters,
            level=level,
            codes=codes,
            about={"estimand": estimand, "action": action, "against": names[0], "form": form},
        )
        for action, new in zip(names[1:], ns[1:], strict=True)
    ]
    return with_holm(found)


def compare_with_field(
    results: pd.DataFrame,
    *,
    field: pd.DataFrame,
    form: str,
    side: str,
    weights: str,
    action: str = "these results",
    within: Any = None,
    cluster: Any = None,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    level: float = 0.95,
) -> pd.DataFrame:
    """What some results have over the other tables of their deals: the whole auction and play, not one action alone.

    Parameters
    ----------
    results : DataFrame
        Some rows of the field, found there by their index.
    field : DataFrame
        As :func:`score_results` gives them, with all results of each deal.
    form : {"matchpoints", "butler", "cross_imps"}
        Matchpoints: percent of the top above 50.
    side, weights, within, cluster, datum, imp_scale, level
        As in :func:`compare`.
    action : str
        What these results have in common.

    Returns
    -------
    DataFrame
        The columns of :data:`COLUMNS`, estimand ``against_field``.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "2S"], "declarer": ["S"] * 3,
    ...                         "tricks": [7, 7, 7]})
    >>> field = score_results(read_results(evening))
    >>> compare_with_field(field[:1], field=field, form="cross_imps", side="defenders", weights="result")["estimate"]
    0    2.0
    Name: estimate, dtype: float64
    """
    check_word(form, FIELD_FORMS, "a form")
    check_word(weights, WEIGHTS, "weights")
    place = places(check_scored(results), check_scored(field))
    check_whole(field)
    if not np.array_equal(own_scores(results), own_scores(field)[place], equal_nan=True):
        raise ValueError(
            "expected results with the scores that they have in the field (of others: compare), got others"
        )
    signs = side_signs(results, side)
    gain = np.where(signs == 0, np.nan, signs * over_others(field, form, datum=datum, imp_scale=imp_scale)[place])
    asked = {"by": "deal_id", "within": within, "cluster": cluster}
    deals, groups, clusters = (labels_of(labels, [results], results, option, side) for option, labels in asked.items())
    about = {"estimand": "against_field", "action": action, "against": "field", "form": form}
    doubles = bool((contract_codes(results)[1] > 0).all())
    codes = selection_codes("against_field", results, field, doubles=doubles)
    rest = {"within": groups, "cluster": clusters, "level": level, "codes": codes, "about": about}
    return with_holm([contrast(gain, deals=deals, weights=weights, **rest)])


def contrast(
    difference: Floats,
    *,
    deals: Any,
    weights: str | Floats,
    codes: Iterable[str],
    about: Mapping[str, str],
    within: Any = None,
    cluster: Any = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Mean of differences that are ready, in the columns of an answer.

    Parameters
    ----------
    difference : ndarray of float64, shape (n,)
        What the side named gains; a missing one is left out and counted.
    deals, within, cluster : labels
        Of each difference; the deal is the cluster where none is given.
    weights : {"result", "board"} or ndarray of float64
    codes : iterable of str
        Codes for `warnings`.
    about : dict
        ``estimand, action, against, form``; and ``weights``, where these are numbers.
    level : float

    Returns
    -------
    DataFrame
        The columns of :data:`COLUMNS`.
    """
    weight = weights if isinstance(weights, np.ndarray) else _equal(difference, deals, within, weights)
    cluster = deals if cluster is None else cluster
    found = paired_difference(difference, cluster=cluster, weights=weight, within=within, level=level)
    boards = found["clusters"]
    if cluster is not deals:
        boards = paired_difference(difference, cluster=deals, weights=weight, within=within)["clusters"]
    return answer(found, codes=codes, about={"weights": weights} | dict(about), boards=boards)


def answer(
    found: pd.DataFrame, *, codes: Iterable[str], about: Mapping[str, Any], boards: ArrayLike | None = None
) -> pd.DataFrame:
    """An estimate of :mod:`inference` in the columns of an answer, with the codes before its own warnings."""
    columns = {name: column.array for name, column in found.items()}
    own = columns | {"boards": columns["clusters"] if boards is None else np.asarray(boards)} | dict(about)
    own["warnings"] = [" ".join([*codes, text]).strip() for text in found["warnings"]]
    return pd.DataFrame({name: own[name] for name in COLUMNS})


def with_holm(answers: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Several answers as one table; if it has several rows, each has S11 and the p-value of Holm in its warnings."""
    table = answers[0] if len(answers) == 1 else pd.concat(answers, ignore_index=True)
    if len(table) < 2:
        return table
    adjusted = holm(p_values(table))
    tested = ["S11" if np.isnan(p) else f"S11 holm={p:.2g}" for p in adjusted]
    return table.assign(warnings=[" ".join(pair) for pair in zip(table["warnings"], tested, strict=True)])


def _gain(old: Column, new: Column, signs: NDArray[np.int8], scale: str | Edition | None) -> Floats:
    """What the side gains, in points or on a scale of IMPs; NaN where a score or the side is missing."""
    points = (new[0] - old[0]) * signs
    gain: Floats = (points if scale is None else imps(points, edition=scale)).astype(np.float64)
    for lost in (old[1], new[1], signs == 0):
        if lost is not None:
            gain[lost] = np.nan
    return gain


def check_word(word: str, known: Sequence[str], what: str) -> None:
    """Refuse a word that is not among those known."""
    if word not in known:
        raise ValueError(f"expected {what} among {', '.join(known)}, got {word!r}")


def _equal(difference: Floats, deals: Any, within: Any, weights: str) -> Floats | None:
    """Weights that let each board of a group count the same; None where each result does."""
    if weights == "result":
        return None
    labels = deals
    if within is not None:
        codes = (group_codes(part)[0] for part in (deals, within))
        labels = pd.DataFrame(dict(enumerate(codes)))
    return equal_weights(labels, counted=~np.isnan(difference))
