"""The calls of an auction: how they are written, and the contract they end in."""

import re
from collections.abc import Sequence
from itertools import product
from types import MappingProxyType

from bridge_analytics.notation import SEATS, STRAINS

_BIDS = MappingProxyType({"".join(bid): place for place, bid in enumerate(product("1234567", STRAINS))})
_WORDS = MappingProxyType(
    {bid: bid for bid in _BIDS}
    | {f"{level}N": f"{level}NT" for level in range(1, 8)}
    | dict.fromkeys(("P", "PASS"), "P")
    | dict.fromkeys(("D", "X", "DBL"), "X")
    | dict.fromkeys(("R", "XX", "RDBL", "REDBL"), "XX")
)
_SPELT = MappingProxyType(
    {spelling + mark: call for word, call in _WORDS.items() for spelling in (word, word.lower()) for mark in ("", "!")}
)
_SEVERAL = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))


def read_calls(texts: Sequence[str]) -> list[str]:
    """Calls as they are written, one or more in a text, alerts behind them: as ``P``, ``X``, ``XX`` and bids.

    Raises
    ------
    ValueError
        If a text is no call; says which.

    Examples
    --------
    >>> read_calls(["1D!", "p", "1n", "dbl", "ppp"])
    ['1D', 'P', '1NT', 'X', 'P', 'P', 'P']
    """
    try:
        return [_SPELT[text] for text in texts]
    except KeyError:
        return [call for text in texts for call in _read(text)]


def _read(text: str) -> list[str]:
    plain = "".join(text.split()).upper().replace("!", "")
    if plain in _WORDS:
        return [_WORDS[plain]]
    words = _SEVERAL.findall(plain)
    if not words or "".join(words) != plain:
        raise ValueError(f"expected calls such as '1NT', 'P', 'X', 'XX', got {text!r}")
    return [_WORDS[word] for word in words]


def contract_of(calls: Sequence[str], dealer: int | None) -> tuple[str, str | None]:
    """The contract that an auction ends in, and its declarer.

    Parameters
    ----------
    calls : sequence of str
        As :func:`read_calls` gives them, from the dealer on.
    dealer : int or None
        The seat of the dealer, 0-3.

    Returns
    -------
    contract : str
        A word of ``CONTRACTS``.
    declarer : str or None
        The first of his side to name the strain; None of a pass, and where the dealer is not known.

    Raises
    ------
    ValueError
        If a call is against the laws, or the auction is not closed by passes.

    Notes
    -----
    Source: Laws 17 to 22; Law 54A for the declarer.

    Examples
    --------
    >>> contract_of(["P", "1H", "X", "3H", "P", "4H", "X", "P", "P", "P"], dealer=0)
    ('4HX', 'E')
    """
    bid, bidder, doubled, passes = "", 0, 0, 0
    first: dict[tuple[int, str], int] = {}
    for turn, call in enumerate(calls):
        if passes == (3 if bid else 4):
            raise ValueError(f"expected no call after the last pass, got {call!r}")
        if call == "P":
            passes += 1
            continue
        passes = 0
        ours = (turn - bidder) % 2 == 0
        if call in ("X", "XX"):
            doubled += 1
            if not bid or ours == (call == "X") or doubled != len(call):
                raise ValueError(f"expected a call that the laws allow, got {call!r} after {' '.join(calls[:turn])!r}")
            continue
        if bid and _BIDS[call] <= _BIDS[bid]:
            raise ValueError(f"expected a bid over {bid!r}, got {call!r}")
        bid, bidder, doubled = call, turn, 0
        first.setdefault((turn % 2, call[1:]), turn)
    if passes != (3 if bid else 4):
        raise ValueError(f"expected an auction closed by passes, got {' '.join(calls)!r}")
    if not bid:
        return "Pass", None
    declarer = None if dealer is None else SEATS[(dealer + first[bidder % 2, bid[1:]]) % 4]
    return bid + "X" * doubled, declarer
