"""Opening leads: what was led, and what the defenders had of it against the field and against the other leads.

A lead is chosen by one hand out of four and by an auction, and a field that plays another contract says little of it.
So each kind of lead is also compared with the other leads against the same contract by the same declarer.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.contrasts import check_word, compare_with_field, with_holm
from bridge_analytics.matching import matched
from bridge_analytics.notation import STRAINS
from bridge_analytics.scored import check_scored, contract_codes

SORTS = {"suit": ("clubs", "diamonds", "hearts", "spades"), "trump": ("trump", "side_suit", "notrump")} | {
    "honour": ("honour", "spot")
}
"""The ways to sort leads, and the kinds of each."""

_SUITS, _HONOURS, _SPOTS = STRAINS[:4], "AKQJT", "98765432"


def lead_kinds(results: pd.DataFrame) -> pd.DataFrame:
    """What was led, sorted three ways.

    Parameters
    ----------
    results : DataFrame
        A table of scored results, the lead as suit and rank: ``SK``.

    Returns
    -------
    DataFrame
        ``suit`` (clubs diamonds hearts spades), ``trump`` (trump, side_suit; notrump where there is no trump suit),
        ``honour`` (honour: ace to ten; or spot): categories, missing where the lead or contract is. Index as it was.

    Raises
    ------
    ValueError
        If a lead is no card.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1], "contract": ["2S", "3NT"], "declarer": ["S", "S"], "tricks": [8, 9],
    ...                         "lead": ["S2", "HK"]})
    >>> lead_kinds(score_results(read_results(evening)))
         suit    trump  honour
    0  spades    trump    spot
    1  hearts  notrump  honour
    """
    table = check_scored(results)
    words, codes = text_codes(table["lead"])
    cards = np.array([*map(_card, words), (-1, -1)], np.int64)[codes]
    contract, _ = contract_codes(table)
    strain = np.where(contract > 0, (contract - 1) // 3 % 5, -1)
    suit, honour = np.where((strain < 0)[:, None], -1, cards).T
    trump = np.select([suit < 0, strain == len(_SUITS), suit == strain], [-1, 2, 0], 1)
    kinds = {"suit": suit, "trump": trump, "honour": honour}
    columns = {name: pd.Categorical.from_codes(code, pd.Index(SORTS[name])) for name, code in kinds.items()}
    return pd.DataFrame(columns, index=table.index)


def _card(word: str) -> tuple[int, int]:
    """The suit of a card, and 0 for an honour, 1 for a spot."""
    suit, rank = word[:1], word[1:]
    if suit not in _SUITS or rank not in (*_HONOURS, *_SPOTS):
        raise ValueError(f"expected a lead such as 'SK', got {word!r}")
    return _SUITS.index(suit), int(rank in _SPOTS)


def opening_leads(
    scored: pd.DataFrame,
    *,
    of: str = "trump",
    form: str = "cross_imps",
    weights: str = "result",
    level: float = 0.95,
) -> pd.DataFrame:
    """How each kind of lead did for the defenders.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them, with all results of each deal.
    of : {"suit", "trump", "honour"}
        How leads are sorted; see :func:`lead_kinds`.
    form : {"matchpoints", "butler", "cross_imps"}
    weights : {"result", "board"}
        Of the comparison with the field.
    level : float

    Returns
    -------
    DataFrame
        The columns of :data:`contrasts.COLUMNS`, two rows for each kind that was led: ``against_field``, what those
        results had over the field; and ``matched``, what they had over the other leads on the same deal against the
        same contract, as doubled, by the same declarer: IMPs of table against table, weighted by the leads of the kind.

    Raises
    ------
    ValueError
        If no lead is recorded or an option is not known.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1], "contract": ["2S", "2S"], "declarer": ["S", "S"], "tricks": [8, 7],
    ...                         "lead": ["S2", "HK"]})
    >>> table = opening_leads(score_results(read_results(evening)), of="honour")
    >>> table[["estimand", "action", "against", "estimate"]]
            estimand  action      against  estimate
    0  against_field  honour        field       4.0
    1        matched  honour  other leads       4.0
    2  against_field    spot        field      -4.0
    3        matched    spot  other leads      -4.0
    """
    check_word(of, [*SORTS], "a sort of leads")
    kinds = lead_kinds(scored)[of]
    if kinds.isna().all():
        raise ValueError(f"expected results with leads, got {len(scored)} without one")
    found = [_of_one_kind(scored, kinds, kind, form, weights, level) for kind in SORTS[of] if (kinds == kind).any()]
    return with_holm(found)


def _of_one_kind(
    scored: pd.DataFrame, kinds: pd.Series, kind: str, form: str, weights: str, level: float
) -> pd.DataFrame:
    led: NDArray[Any] = (kinds == kind).to_numpy()
    field = compare_with_field(
        scored[led], field=scored, form=form, side="defenders", weights=weights, action=kind, level=level
    )
    taken = pd.Series(led, scored.index, dtype="boolean").mask(kinds.isna())
    pairs = matched(scored, taken, side="defenders", weights="taken", forms=("imps",), level=level)
    return pd.concat([field, pairs.assign(action=kind, against="other leads")], ignore_index=True)
