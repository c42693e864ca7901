"""Who chose the action, and what that does to an answer: the codes S1 to S15 that every estimate carries.

No table of results says what a double is worth, since players double when it looks good. Each estimand gets round some
of this and not the rest; the codes of the rest stand in its `warnings`. For the numbers behind them see :mod:`audit`.
"""

from types import MappingProxyType

import numpy as np
import pandas as pd

from bridge_analytics.auctions import double_kind
from bridge_analytics.groups import group_codes
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.outcomes import PLAYED
from bridge_analytics.scored import word_codes

CODES = MappingProxyType(
    {
        "S1": "the action was chosen on the cards, not assigned: it varies with the deal",
        "S2": "the other tables may have been in another contract",
        "S3": "a double that was taken out, or a redouble that was run from, is not in the final contract",
        "S4": "a take-out double that was passed is a doubled contract too, as is one for the lead",
        "S5": "sacrifices, some against contracts that would have failed, are doubled contracts too",
        "S6": "the double may have told declarer where the cards are, so that the tricks need not be the same",
        "S7": "pairs that double often may be stronger, or weaker, than others",
        "S8": "adjusted, unplayed and passed-out deals are left out or kept",
        "S9": "the vulnerability was taken from the number of the board",
        "S10": "the same cards may be in the data more than once",
        "S11": "several questions were asked of the same results: read the p-value of Holm",
        "S12": "boards with many of these results weigh more by result than by board",
        "S13": "the average double is not the one that was doubtful",
        "S14": "redoubled contracts are left out, or answer another question",
        "S15": "the choice may have been to bid on, not to pass",
    }
)
"""What each code says."""

_REDOUBLED = np.array([word.endswith("XX") for word in CONTRACTS] + [False])  # by code; the last, -1, is missing
_OF_DOUBLES = ("S3", "S4", "S5", "S6", "S13", "S14", "S15")
ESTIMANDS = MappingProxyType(
    {
        "same_tricks": ("S1", "S3", "S4", "S5", "S6", "S13", "S15"),
        "same_deals": ("S1",),
        "against_field": ("S1", "S2", "S3", "S4", "S5", "S7", "S13"),
        "matched": ("S1", "S3", "S4", "S7"),
        "policy": ("S3", "S6", "S15"),
        "goes_down": ("S1", "S3", "S4", "S5", "S13"),
        "break_even": ("S3", "S4", "S6", "S13"),
    }
)
"""The questions that may be asked, each with the codes that hold whatever the data are; the data add S8 to S12, S14."""


def selection_codes(
    estimand: str, results: pd.DataFrame, field: pd.DataFrame | None = None, *, doubles: bool = True
) -> list[str]:
    """The codes that an estimate from these results deserves, in order.

    Parameters
    ----------
    estimand : str
        One of :data:`ESTIMANDS`.
    results : DataFrame
        The results that the question is about, as :func:`score_results` gives them.
    field : DataFrame, optional
        The results that they were taken from or compared with. Without it nobody knows what was left out.
    doubles : bool
        Whether the action is a double; if not, the codes that speak of doubles are left out.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1], "contract": ["2SX"], "declarer": ["S"], "tricks": [7]})
    >>> selection_codes("policy", score_results(read_results(evening)))
    ['S3', 'S6', 'S8', 'S9', 'S14', 'S15']
    """
    found = {*ESTIMANDS[estimand]}
    if "S4" in found and results["auction"].notna().all() and {*double_kind(results)} <= {"penalty", None}:
        found.remove("S4")
    found |= {code for code, holds in _of_the_data(results, field).items() if holds}
    return [code for code in CODES if code in found and (doubles or code not in _OF_DOUBLES)]


def _of_the_data(results: pd.DataFrame, field: pd.DataFrame | None) -> dict[str, bool]:
    """Whether the codes hold that depend on the data alone; those of what was left out hold if it is not known."""
    size = np.bincount(group_codes(results["deal_id"])[0])
    many = size[size > 0]
    return {
        "S8": field is None or bool((word_codes(field, "status") != PLAYED).any()),
        "S9": bool((results["vul_source"].array == "board").any()),
        "S10": bool(cards_twice(results)[0]),
        "S12": many.size > 0 and bool(many.min() < many.max()),
        "S14": field is None or bool(_REDOUBLED.take(word_codes(field, "contract"), mode="wrap").any()),
    }


def cards_twice(results: pd.DataFrame) -> tuple[int, int]:
    """How many deals have the cards of another deal, of how many whose cards are known."""
    rows = np.flatnonzero(results["deal"].notna().to_numpy())
    deals, count = group_codes(results["deal_id"])
    first = np.full(count, -1)
    first[deals[rows[::-1]]] = rows[::-1]
    known = results["deal"].iloc[first[first >= 0]]
    return len(known) - known.nunique(), len(known)
