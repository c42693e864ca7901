"""Policies: what if everybody doubled by a rule that can be followed at the table, before the result is known?

A rule sees the results as the doubler would: the auction and the undoubled contract, the players and the conditions. It
is not shown the tricks, the scores or the other hands, so no rule can pick the contracts that went down.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.contracts import with_doubled
from bridge_analytics.contrasts import compare
from bridge_analytics.counterfactuals import what_if
from bridge_analytics.laws import AnyEdition
from bridge_analytics.rules import Edition
from bridge_analytics.scored import aligned_flags, check_scored, contract_codes
from bridge_analytics.scoring import contract_class, doubled_into_game

Rule = Callable[[pd.DataFrame], Any]
"""From what is known to a column of bool: whether to double."""

KNOWN = (
    *("event", "session", "section", "round", "table", "room", "board", "board_label", "ns", "ew"),
    *("north", "east", "south", "west", "dealer", "vul", "contract", "declarer", "vulnerable", "auction"),
)
"""The columns that a rule is shown."""


def _partscore(known: pd.DataFrame) -> NDArray[np.bool_]:
    return np.asarray(contract_class(known["contract"]) == "partscore")


def _into_game(known: pd.DataFrame) -> NDArray[np.bool_]:
    return doubled_into_game(with_doubled(known["contract"], 1))


def _vulnerable(known: pd.DataFrame) -> NDArray[np.bool_]:
    return known["vulnerable"].to_numpy(dtype=bool, na_value=False)


def _at_level(level: int) -> Rule:
    return lambda known: _partscore(known) & (known["contract"].astype("str").str[0] == str(level)).to_numpy()


POLICIES: Mapping[str, Rule] = MappingProxyType(
    {
        "every partscore": _partscore,
        "partscores that stay partscores": lambda known: _partscore(known) & ~_into_game(known),
        "partscores doubled into game": _into_game,
        "vulnerable partscores": lambda known: _partscore(known) & _vulnerable(known),
        "vulnerable partscores that stay partscores": lambda known: (
            _partscore(known) & _vulnerable(known) & ~_into_game(known)
        ),
    }
    | {f"partscores at level {level}": _at_level(level) for level in (1, 2, 3, 4)}
    | {"every game": lambda known: contract_class(known["contract"]) == "game"}
)
"""Rules by name."""


def policy(
    scored: pd.DataFrame,
    rule: str | Rule = "every partscore",
    *,
    form: str = "imps",
    side: str = "defenders",
    weights: str = "result",
    within: Any = None,
    edition: AnyEdition = "duplicate-1987",
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    level: float = 0.95,
) -> pd.DataFrame:
    """What doubling by a rule would have gained on the contracts that nobody doubled, with the tricks that were made.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them; with all results of each deal where the form compares with the field.
    rule : str or function
        One of :data:`POLICIES`, or a function that is given the undoubled contracts with the columns of :data:`KNOWN`,
        numbered from 0, and answers with a column of bool.
    form, side, weights, within, datum, imp_scale, level
        As in :func:`compare`.
    edition : str, path or Edition
        The law by which the doubles are scored, that of the results.

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`, estimand ``policy``.

    Raises
    ------
    ValueError
        If the rule is not known or does not answer with a bool for each row.
    KeyError
        If a rule asks for a column that nobody knows before the decision.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1], "contract": ["2S", "1C"], "declarer": ["S", "S"], "tricks": [8, 6]})
    >>> scored = score_results(read_results(evening))
    >>> policy(scored, lambda known: known["contract"] == "2S")[["action", "estimate", "results"]]
       action  estimate  results
    0  double      -8.0        1
    """
    table = check_scored(scored)
    _, doubled = contract_codes(table)
    undoubled = table[doubled == 0]
    if isinstance(rule, str) and rule not in POLICIES:
        raise ValueError(f"expected a rule among {', '.join(POLICIES)}, or a function, got {rule!r}")
    asks = POLICIES[rule] if isinstance(rule, str) else rule
    shown = undoubled[[*KNOWN]].reset_index(drop=True)  # the index tells which rows are doubled, and who met whom
    rows = undoubled[_answers(asks(shown.copy()), shown)]
    name = f"double {rule}" if isinstance(rule, str) else "double"
    return compare(
        {"pass": rows, name: what_if(rows, doubled=1, edition=edition)},
        estimand="policy",
        by="deal_id",
        form=form,
        side=side,
        weights=weights,
        within=within,
        field=table,
        datum=datum,
        imp_scale=imp_scale,
        level=level,
    )


def _answers(answer: Any, rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether to double each row; no answer is refused."""
    flags = aligned_flags(answer, rows, "an answer of the rule")
    if (flags == 2).any():
        raise ValueError(f"expected an answer of the rule for every result, got none at position {flags.argmax()}")
    return np.asarray(flags == 1)
