"""How contracts, seats, vulnerability and results are written, and the codes they stand for.

One word at a time; columns of words are encoded first, so that each different word is parsed once however many rows
hold it. A file is read in one language, chosen by the caller: ``4P`` is four spades in Spanish and nothing in English,
and no cell is ever guessed.
"""

import html
import re

STRAINS = ("C", "D", "H", "S", "NT")
"""Strains in bidding order; code = position."""

CONTRACTS = ("Pass", *(f"{level}{strain}{x}" for level in range(1, 8) for strain in STRAINS for x in ("", "X", "XX")))
"""The 106 contracts in bidding order; code = position."""

SEATS = ("N", "E", "S", "W")
"""The four seats in the order of play; code = position."""

VULS = ("none", "ns", "ew", "both")
"""The vulnerability of a board; code = position. Bit 0 is North-South, bit 1 East-West."""

LOCALES = ("en", "es", "fr")
"""Languages whose letters can be read; one for a whole call."""

_SUIT_SIGNS = dict.fromkeys("♣♧", 0) | dict.fromkeys("♦♢", 1) | dict.fromkeys("♥♡", 2) | dict.fromkeys("♠♤", 3)
_STRAIN_WORDS = {
    "en": _SUIT_SIGNS | {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4, "N": 4},
    "es": _SUIT_SIGNS | {"T": 0, "D": 1, "C": 2, "P": 3, "ST": 4, "SA": 4, "NT": 4},
    "fr": _SUIT_SIGNS | {"T": 0, "K": 1, "C": 2, "P": 3, "SA": 4, "NT": 4},
}
_SEAT_WORDS = {
    "en": {"N": 0, "E": 1, "S": 2, "W": 3, "NORTH": 0, "EAST": 1, "SOUTH": 2, "WEST": 3},
    "es": {"N": 0, "E": 1, "S": 2, "O": 3, "NORTE": 0, "ESTE": 1, "SUR": 2, "OESTE": 3},
    "fr": {"N": 0, "E": 1, "S": 2, "O": 3, "NORD": 0, "EST": 1, "SUD": 2, "OUEST": 3},
}
_VUL_WORDS = {
    "en": dict.fromkeys(("NONE", "LOVE", "LOVEALL", "L", "-", "O", "0"), 0)
    | dict.fromkeys(("NS", "N-S", "N/S", "N"), 1)
    | dict.fromkeys(("EW", "E-W", "E/W", "E"), 2)
    | dict.fromkeys(("BOTH", "ALL", "B"), 3),
}
_VUL_WORDS["es"] = (
    _VUL_WORDS["en"] | dict.fromkeys(("NADIE", "NINGUNO"), 0) | dict.fromkeys(("EO", "E-O", "E/O"), 2) | {"TODOS": 3}
)
_VUL_WORDS["fr"] = _VUL_WORDS["en"] | {"PERSONNE": 0, "TOUS": 3} | dict.fromkeys(("EO", "E-O", "E/O"), 2)
_PASS_WORDS = frozenset(("P", "PASS", "PASSE", "PASSED", "PASSEDOUT", "PASSOUT", "ALLPASS"))
_LOCAL_PASS_WORDS = {"en": frozenset[str](), "es": frozenset(("PASO", "PASAN")), "fr": frozenset(("PASSÉ",))}
_DOUBLE_WORDS = {"": 0, "X": 1, "XX": 2, "DBL": 1, "RDBL": 2, "REDBL": 2}
_MARKS = str.maketrans(
    dict.fromkeys("×✕*", "X") | dict.fromkeys("−–", "-") | dict.fromkeys("\ufe0e\ufe0f\u200d", "")  # emoji selectors
)


def _grammar(locale: str) -> re.Pattern[str]:
    """Level, strain (the longest word first: 3NTS is no trump by South), double before or behind the seat, result."""
    strain = "|".join(sorted(_STRAIN_WORDS[locale], key=len, reverse=True))
    seat = "|".join(word for word in _SEAT_WORDS[locale] if len(word) == 1)
    double = "|".join(filter(None, _DOUBLE_WORDS))
    return re.compile(rf"([1-7])({strain})(?:({double})?({seat})?|({seat})({double}))(=|[+-][0-9]{{1,2}})?")


_GRAMMARS = {locale: _grammar(locale) for locale in LOCALES}
EXPECTED_CONTRACT = "a contract such as '4SX' or 'Pass'"


def check_locale(locale: str) -> str:
    """The locale itself, or an error that lists those there are."""
    if locale not in LOCALES:
        raise ValueError(f"expected a locale among {', '.join(LOCALES)}, got {locale!r}")
    return locale


def _plain(text: str) -> str:
    """Upper case without blanks; HTML entities, crosses, stars and dashes as letters; suit signs as they are."""
    text = html.unescape(text) if "&" in text else text
    return "".join(text.split()).upper().translate(_MARKS)


def is_pass(text: str, locale: str = "en") -> bool:
    """Whether the text says that the board was passed out."""
    plain = _plain(text)
    return plain in _LOCAL_PASS_WORDS[check_locale(locale)] or plain in _PASS_WORDS


def _parts(text: str, locale: str) -> tuple[int, int | None, str | None] | None:
    """Codes of contract and seat and the result as written, None for what is not there; None if it is no contract."""
    if is_pass(text, locale):
        return 0, None, None
    found = _GRAMMARS[locale].fullmatch(_plain(text))
    if found is None:
        return None
    level, strain, before, seat, doubled_seat, behind, result = found.groups()
    bid = (int(level) - 1) * 5 + _STRAIN_WORDS[locale][strain]
    contract = 1 + bid * 3 + _DOUBLE_WORDS[before or behind or ""]
    return contract, _SEAT_WORDS[locale].get(seat or doubled_seat), result


def _contract(text: str, locale: str) -> int | None:
    """The code of a contract with nothing else in the cell, else None."""
    parts = _parts(text, locale)
    return parts[0] if parts and parts[1:] == (None, None) else None


def contract_word(text: str, locale: str = "en") -> int:
    """The code of a contract as people write it: ``4♠x``, ``4 S X``, ``3N``, ``3NT*``, ``4S**``, ``pass``.

    Raises
    ------
    ValueError
        If the text is no contract in that language; says which language would read it, but does not.

    Examples
    --------
    >>> CONTRACTS[contract_word("4 ♠ ×")], CONTRACTS[contract_word("3ST", "es")]
    ('4SX', '3NT')
    """
    code = _contract(text, locale)
    if code is None:
        others = [repr(name) for name in LOCALES if _contract(text, name) is not None]
        hint = f" (locale {' or '.join(others)} reads it)" if others else ""
        raise ValueError(f"expected {EXPECTED_CONTRACT}{hint}, got {text!r}")
    return code


def strain_word(text: str) -> int:
    """The code of a strain: 0 C, 1 D, 2 H, 3 S, 4 NT; suit signs too."""
    try:
        return _STRAIN_WORDS["en"][_plain(text)]
    except KeyError:
        raise ValueError(f"expected a strain C D H S NT, got {text!r}") from None


def seat_word(text: str, locale: str = "en") -> int:
    """The code of a seat: 0 N, 1 E, 2 S, 3 W. In Spanish and French ``O`` is West; in English it is an error."""
    try:
        return _SEAT_WORDS[check_locale(locale)][_plain(text)]
    except KeyError:
        seats = "N E S O" if locale in ("es", "fr") else "N E S W"
        raise ValueError(f"expected a seat {seats}, got {text!r}") from None


def vul_word(text: str, locale: str = "en") -> int:
    """The code of a vulnerability: 0 none, 1 NS, 2 EW, 3 both. ``Love``, ``-`` and ``0`` are none, ``All`` is both."""
    try:
        return _VUL_WORDS[check_locale(locale)][_plain(text)]
    except KeyError:
        raise ValueError(f"expected a vulnerability none, ns, ew or both, got {text!r}") from None


def result_word(text: str) -> int:
    """A result relative to the contract: ``=`` 0, ``+1`` one over, ``-2`` two down. The sign is needed."""
    plain = _plain(text)
    result = 0 if plain == "=" else int(plain) if re.fullmatch("[+-][0-9]{1,2}", plain) else None
    if result is None or not -13 <= result <= 6:
        raise ValueError(f"expected a result such as '=', '+1' or '-2', got {text!r}")
    return result


def contract_result_word(text: str, locale: str = "en") -> tuple[int, int | None, int | None]:
    """Contract, declarer and result written in one cell: ``4SWx-4``, ``4SxW-4``, ``3NS=``, ``6♥E``, ``4C+1``, ``PASS``.

    ``3NS`` is three no trump by South and ``3SN`` three spades by North: a strain comes before a seat.

    Returns
    -------
    (contract, seat, result)
        Codes of contract and seat and the relative result; None for a seat or a result that the cell does not name.

    Raises
    ------
    ValueError
        If the text is not of that form.
    """
    parts = _parts(text, locale)
    try:
        if parts is None:
            raise ValueError
        return parts[0], parts[1], None if parts[2] is None else result_word(parts[2])
    except ValueError:
        raise ValueError(f"expected contract, declarer and result such as '4SXW-1', got {text!r}") from None
