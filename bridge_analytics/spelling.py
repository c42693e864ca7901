"""How a result is written for its reader, in suit signs and the words of a language: ``4♠x N +1``, ``passed out``."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from bridge_analytics.groups import group_codes
from bridge_analytics.notation import SEATS

SUIT_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

Words = Mapping[str, str]
_PARTS = ("status", "contract", "declarer", "tricks", "adjusted_ns", "adjusted_ew", "award_ns_pct", "award_ew_pct")


def spell_contract(contract: str, say: Words) -> str:
    """A contract with its suit sign.

    Examples
    --------
    >>> from bridge_analytics.words import words
    >>> spell_contract("4SXX", words("en")), spell_contract("3NT", words("es"))
    ('4♠xx', '3ST')
    """
    if contract == "Pass":
        return say["passed"]
    bid = contract.rstrip("X")
    strain = SUIT_SIGNS.get(bid[1:], say["notrump"])
    return bid[0] + strain + "x" * (len(contract) - len(bid))


def spell_seat(seat: str, say: Words) -> str:
    """The letter of a seat, or of a side: ``ns``."""
    return say["seats"][SEATS.index(seat)] if seat in SEATS else say[seat]


def spell_lead(lead: Any) -> str:
    """A lead with its suit sign: ``♠K``; nothing where there is none.

    Examples
    --------
    >>> spell_lead("SK"), spell_lead(None)
    ('♠K', '')
    """
    return "" if pd.isna(lead) else SUIT_SIGNS[lead[0]] + lead[1:]


def spell_result(over: int) -> str:
    """Tricks over or under a contract: ``+1``, ``=``, ``−2``."""
    return f"{over:+d}".replace("-", "−") if over else "="


def spell_outcomes(results: pd.DataFrame, say: Words) -> list[str]:
    """What became of the board in each row: the contract with its declarer and result, or what happened instead.

    Parameters
    ----------
    results : DataFrame
        A table of results.
    say : mapping
        As :func:`words` gives it.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bridge_analytics.results import read_results
    >>> from bridge_analytics.words import words
    >>> evening = pd.DataFrame({"Bd": [1, 1, 1], "Contract": ["4SX", "Pass", "A+/A-"], "By": ["N", "", ""],
    ...                         "Result": ["-1", "", ""]})
    >>> spell_outcomes(read_results(evening), words("en"))
    ['4♠x N −1', 'passed out', 'adjusted A+ / A-']
    """
    parts = results[[*_PARTS]]
    codes, _ = pd.factorize(group_codes(parts)[0])
    firsts = ~pd.Series(codes).duplicated().to_numpy()
    spelt = [_outcome(row, say) for row in parts[firsts].to_dict("records")]
    return [spelt[code] for code in codes.tolist()]


def _outcome(row: Mapping[Any, Any], say: Words) -> str:
    if row["status"] == "played":
        contract, seat = spell_contract(row["contract"], say), spell_seat(row["declarer"], say)
        return f"{contract} {seat} {spell_result(int(row['tricks']) - 6 - int(contract[0]))}"
    if row["status"] == "adjusted":
        return f"{say['adjusted']} {' / '.join(spell_ruling(row, side) for side in ('ns', 'ew'))}"
    return say[row["status"]]


def spell_ruling(row: Mapping[Any, Any], side: str) -> str:
    """What the director gave a side, as it is written; else its percentage; else a dash."""
    written, percent = row[f"adjusted_{side}"], row[f"award_{side}_pct"]
    if not pd.isna(written):
        return str(written)
    return "–" if pd.isna(percent) else f"{percent:g} %"
