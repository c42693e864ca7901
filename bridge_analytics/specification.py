"""The specification curve: one question under every choice that an analyst might reasonably have made.

If the sign of the answer hangs on a choice, the choice is the finding. All rows are in IMPs, so that they compare.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pandas as pd

from bridge_analytics.contrasts import COLUMNS, WEIGHTS, check_word, compare, contrast
from bridge_analytics.counterfactuals import over_others, what_if
from bridge_analytics.matching import matched
from bridge_analytics.rules import Edition, editions
from bridge_analytics.scored import check_scored, check_whole, contract_codes, side_signs
from bridge_analytics.scoring import contract_class
from bridge_analytics.selection import selection_codes

CLASSES = ("partscore", "game", "small_slam", "grand_slam")
CHOICES = ("redoubled", "datum", "passed_out")
"""The choices that the columns of an answer do not show; the others are ``against`` and ``weights``."""


def specification_curve(
    scored: pd.DataFrame,
    *,
    contracts: str = "partscore",
    side: str = "defenders",
    datums: Sequence[str | Edition] | None = None,
    imp_scale: str | Edition = "imps-1962",
    level: float = 0.95,
) -> pd.DataFrame:
    """What doubled contracts win in IMPs, under every reasonable choice of comparison, weights and rows.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them, with all results of each deal.
    contracts : {"partscore", "game", "small_slam", "grand_slam"}
        As bid.
    side : {"declarer", "defenders", "ns", "ew"}
    datums : names of editions of kind ``datum``, optional
        All that ship by default.
    imp_scale : str, path or Edition
    level : float

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS` and of :data:`CHOICES`, by estimate: ``redoubled`` (left out or
        included), ``datum`` and ``passed_out`` (kept in the field or left out), where these make a difference. The
        form is ``imps`` throughout: against ``pass`` with the same tricks, ``undoubled`` tables in the contract, the
        other scores of the ``field`` (cross-IMPs), or its ``datum`` (Butler).

    Raises
    ------
    ValueError
        If the class of contracts is not known, or `scored` is a part of the field, as far as its columns tell.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "Pass"], "declarer": ["S", "S", ""],
    ...                         "tricks": [7, 7, 0]})
    >>> table = specification_curve(score_results(read_results(evening)), datums=["datum-mean"])
    >>> table[["estimand", "weights", "redoubled", "datum", "passed_out", "estimate"]].iloc[[0, -1]]
             estimand weights redoubled       datum passed_out  estimate
    0   against_field  result  left out  datum-mean   left out       1.0
    22  against_field   board  included         NaN       kept       2.5
    """
    check_word(contracts, CLASSES, "contracts")
    table = check_scored(scored)
    check_whole(table)
    if datums is None:
        datums = editions().query("kind == 'datum'")["name"].tolist()
    in_class = contract_class(table["contract"]) == contracts
    doubled = contract_codes(table)[1]
    rest: dict[str, Any] = {"side": side, "imp_scale": imp_scale, "level": level}
    found = [*_matched(table[in_class], **rest)]
    for redoubled, most in (("left out", 1), ("included", 2)):
        chosen = in_class & (doubled > 0) & (doubled <= most)
        rows = [*_same_tricks(table[chosen], table, **rest), *_against_field(table, chosen, datums, **rest)]
        found += [row.assign(redoubled=redoubled) for row in rows]
    curve = pd.concat(found, ignore_index=True).astype(dict.fromkeys(CHOICES, "str"))
    return curve[[*COLUMNS, *CHOICES]].sort_values("estimate", kind="stable", ignore_index=True)


def _matched(results: pd.DataFrame, **rest: Any) -> Iterator[pd.DataFrame]:
    for weights in ("cell", "doubled", "undoubled"):
        found = matched(results, "doubled", weights=weights, forms=("imps",), **rest)
        yield found.assign(redoubled="left out")


def _same_tricks(results: pd.DataFrame, field: pd.DataFrame, **rest: Any) -> Iterator[pd.DataFrame]:
    actions = {"pass": what_if(results, doubled=0), "double": results}
    for weights in WEIGHTS:
        yield compare(actions, by="deal_id", form="imps", weights=weights, field=field, **rest)


def _against_field(
    table: pd.DataFrame, chosen: Any, datums: Sequence[str | Edition], side: str, imp_scale: Any, level: float
) -> Iterator[pd.DataFrame]:
    codes = selection_codes("against_field", table[chosen], table)
    passed = (table["status"] == "passed").to_numpy()
    forms: list[tuple[str, str | Edition]] = [("cross_imps", ""), *(("butler", datum) for datum in datums)]
    for (passed_out, kept), (form, datum) in product((("kept", passed | ~passed), ("left out", ~passed)), forms):
        field = table[kept]
        option = {"datum": datum} if datum else {}
        gain = side_signs(field, side) * over_others(field, form, imp_scale=imp_scale, **option)
        rows, deals = gain[chosen[kept]], field["deal_id"][chosen[kept]]
        against = "datum" if datum else "field"
        about = {"estimand": "against_field", "action": "double", "against": against, "form": "imps"}
        for weights in WEIGHTS:
            found = contrast(rows, deals=deals, weights=weights, level=level, codes=codes, about=about)
            yield found.assign(
                datum=(datum.name if isinstance(datum, Edition) else datum) or None, passed_out=passed_out
            )
