"""Does it pay? The studies: every estimand of one question side by side, each saying what it compares.

"It pays" has no meaning without a comparison. ``goes_down`` how often it worked; ``break_even`` how often it must;
``same_tricks`` against the same tricks undoubled, where it was done; ``against_field`` against what the other tables
did, in the whole auction and play; ``matched`` against tables in the same contract that did not do it; ``policy`` if
everybody did it by a rule. The functions that find them stand in :mod:`counterfactuals`, :mod:`contrasts`,
:mod:`matching`, :mod:`policies`, :mod:`leads`; what they cannot tell in :mod:`selection` and :mod:`audit`.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from bridge_analytics.contrasts import WEIGHTS, answer, check_word, compare, compare_with_field
from bridge_analytics.counterfactuals import what_if
from bridge_analytics.groups import group_codes
from bridge_analytics.imp_scale import imps
from bridge_analytics.inference import clustered_mean, clustered_proportion, equal_weights
from bridge_analytics.leads import SORTS, opening_leads
from bridge_analytics.matching import matched
from bridge_analytics.policies import policy
from bridge_analytics.scored import Flags, check_scored, contract_codes, own_scores, side_signs
from bridge_analytics.scoring import contract_class, doubled_into_game
from bridge_analytics.selection import selection_codes
from bridge_analytics.specification import specification_curve

_SHARES = ((1, "1"), (2, "2"), (4, "3-4"), (8, "5-8"))  # doubled tables of a deal: up to so many are called


def study_doubled_partscores(scored: pd.DataFrame) -> pd.DataFrame:
    """Does it pay to double a partscore? Every estimand and weighting, from the side of the defenders.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them, with all results of each deal.

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`. "Partscore" is by the bid; "double" is one double, redoubles stand
        apart. ``within`` splits by vulnerability and by whether the double makes it a game, and by how many tables
        doubled on the deal: the average double is not the marginal one. ``share`` is a probability.

    Notes
    -----
    Policy is what doubling every undoubled partscore would have brought. What the answers cannot tell is in
    `warnings`; the numbers behind it: :func:`selection_audit`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "2S"], "declarer": ["S"] * 3,
    ...                         "tricks": [7, 7, 8]})
    >>> table = study_doubled_partscores(score_results(read_results(evening)))
    >>> table[["estimand", "form", "weights", "estimate"]].iloc[[0, 2, 4]]
          estimand    form weights  estimate
    0    goes_down   share  result       1.0
    2  same_tricks    imps  result       2.0
    4  same_tricks  points  result      50.0
    """
    table = check_scored(scored)
    partscore = contract_class(table["contract"]) == "partscore"
    doubled = contract_codes(table)[1]
    double = partscore & (doubled == 1)
    tables = _doubled_tables(table, double)
    found = [
        *_paid(table[double], table),
        *(matched(table[partscore], "doubled", side="defenders", weights=w) for w in ("cell", "doubled", "undoubled")),
        *(policy(table, "every partscore", weights=weights) for weights in WEIGHTS),
        *_by_class(table[double], table),
        *_paid(table[double], table, within=tables[double], few=True),
        *_paid(table[partscore & (doubled == 2)], table, action="redoubled", few=True),
    ]
    return pd.concat(found, ignore_index=True)


def study_opening_leads(scored: pd.DataFrame) -> pd.DataFrame:
    """Which leads do well? Suits, trumps and honours, against the field and against the other leads.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them, with leads and all results of each deal.

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`; see :func:`opening_leads`.
    """
    return pd.concat([opening_leads(scored, of=sort) for sort in SORTS], ignore_index=True)


STUDIES: Mapping[str, Callable[[pd.DataFrame], pd.DataFrame]] = MappingProxyType(
    {
        "doubled-partscores": study_doubled_partscores,
        "doubled-partscores-specifications": specification_curve,
        "opening-leads": study_opening_leads,
    }
)
"""The studies that ship, by name: from scored results to a table of answers."""


def study(name: str, scored: pd.DataFrame) -> pd.DataFrame:
    """One of the :data:`STUDIES` on some scored results.

    Raises
    ------
    ValueError
        If there is no study of that name.
    """
    check_word(name, [*STUDIES], "a study")
    return STUDIES[name](scored)


def _doubled_tables(table: pd.DataFrame, double: Flags) -> pd.Series:
    """For each row, at how many tables of its deal this was doubled, in words."""
    deals, number = group_codes(table["deal_id"])
    many = np.bincount(deals[double], minlength=number)[deals]
    words = np.select([many <= most for most, _ in _SHARES], [word for _, word in _SHARES], "9 or more")
    return pd.Series(words, table.index, dtype="str").add(" doubled on the deal")


def _paid(
    results: pd.DataFrame, field: pd.DataFrame, *, action: str = "double", within: Any = None, few: bool = False
) -> Iterator[pd.DataFrame]:
    """What these doubles came to, by every comparison that needs no other tables in the contract; or by a few."""
    passed = {"pass": what_if(results, doubled=0), action: results}
    options: dict[str, Any] = {"side": "defenders", "within": within, "field": field}
    forms = ("imps",) if few else ("imps", "points", "matchpoints")
    rows = [*(goes_down(results, field, action=action, weights=weights, within=within) for weights in WEIGHTS)]
    for form in forms:
        rows += [compare(passed, by="deal_id", form=form, weights=weights, **options) for weights in WEIGHTS]
    for form in ("cross_imps",) if few else ("cross_imps", "butler", "matchpoints"):
        rows += [compare_with_field(results, form=form, weights=w, action=action, **options) for w in WEIGHTS]
    for row in rows:
        yield row.sort_values("within", ignore_index=True)


def goes_down(results: pd.DataFrame, field: pd.DataFrame, *, action: str, weights: str, within: Any) -> pd.DataFrame:
    """How often some contracts went down.

    Parameters
    ----------
    results, field : DataFrame
        Results that were played, and the field they are from.
    action : str
        What they have in common.
    weights : {"result", "board"}
    within : labels, or None
        A row for each label.

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`; the estimate is a share.
    """
    check_word(weights, WEIGHTS, "weights")
    deals = results["deal_id"]
    labels = deals if within is None else pd.DataFrame({"deal": deals, "within": within})
    weight = equal_weights(labels) if weights == "board" else None
    down = (results["score"] < 0).to_numpy(dtype=bool)
    found = clustered_proportion(down, cluster=deals, weights=weight, within=within)
    about = {"estimand": "goes_down", "action": action, "against": "", "form": "share", "weights": weights}
    return answer(found, codes=selection_codes("goes_down", results, field), about=about)


def _by_class(results: pd.DataFrame, field: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """How often doubled contracts went down, and how often they had to, by vulnerability and class."""
    side = np.where(results["vulnerable"].to_numpy(dtype=bool, na_value=False), "vulnerable", "not vulnerable")
    into = np.where(doubled_into_game(results["contract"]), "doubled into game", "below game")
    within = pd.Series(np.strings.add(np.strings.add(side, ", "), into), results.index, dtype="str")
    yield goes_down(results, field, action="double", weights="result", within=within)
    yield _break_even(results, field, within)


def _break_even(results: pd.DataFrame, field: pd.DataFrame, within: pd.Series) -> pd.DataFrame:
    """The share that has to go down, if the double wins and loses as much as it did here.

    With G won on average when it goes down and L lost when it makes it is L / (L + G). Its error is that of the sum of
    each result's influence on it: a straight line through G and L.
    """
    gain = imps(-side_signs(results, "declarer") * (own_scores(results) - own_scores(what_if(results, doubled=0))))
    kind, groups = group_codes(within)
    down = (results["score"] < 0).to_numpy(dtype=bool)
    won, lost = (_mean_in(gain * sign, which, kind, groups) for sign, which in ((1, down), (-1, ~down)))
    odds, total = lost / (lost + won), won + lost
    size = np.bincount(kind, minlength=groups)
    shift = np.where(down, -(gain - won[kind]) * lost[kind], (-gain - lost[kind]) * won[kind]) / total[kind] ** 2
    many = np.where(down, np.bincount(kind, down, groups)[kind], np.bincount(kind, ~down, groups)[kind])
    influence = odds[kind] + shift * size[kind] / many
    found = clustered_mean(influence, cluster=results["deal_id"], within=within)
    about = {"estimand": "break_even", "action": "double", "against": "pass", "form": "share", "weights": "result"}
    return answer(found, codes=selection_codes("break_even", results, field), about=about)


def _mean_in(values: Any, which: Flags, kind: Any, groups: int) -> Any:
    """The mean of some values in each group; NaN where it has none."""
    size = np.bincount(kind[which], minlength=groups)
    return np.bincount(kind[which], values[which], groups) / np.where(size > 0, size, np.nan)
