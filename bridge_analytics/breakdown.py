"""The breakdown of one score in words: every part on its own line, with its arithmetic and its law."""

from itertools import groupby
from typing import Any

import numpy as np

from bridge_analytics.contracts import parse_contract, tricks_from_result
from bridge_analytics.laws import DOUBLED, LEVEL, STRAIN, AnyEdition, undertricks
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.scoring import doubled_into_game, score_parts

LANGUAGES = ("en", "es")
"""Languages in which a score is explained."""

_WORDS = {  # English, Spanish
    "trick_score": ("trick score", "puntos por bazas"),
    "overtrick": ("overtrick", "baza de más"),
    "overtricks": ("overtricks", "bazas de más"),
    "partscore": ("partscore", "parcial"),
    "game": ("game", "manga"),
    "doubled_into_game": ("game, doubled into it", "manga, por el doblo"),
    "small_slam": ("small slam", "pequeño slam"),
    "grand_slam": ("grand slam", "gran slam"),
    "making_doubled": ("for making a doubled contract", "por contrato doblado cumplido"),
    "making_redoubled": ("for making a redoubled contract", "por contrato redoblado cumplido"),
    "undertrick": ("undertrick", "baza de menos"),
    "undertricks": ("undertricks", "bazas de menos"),
    "vulnerable": ("vulnerable", "vulnerable"),
    "not_vulnerable": ("not vulnerable", "no vulnerable"),
    "passed": ("passed out", "mano pasada"),
    "score": ("score", "puntuación"),
}
_KINDS = ("minor", "minor", "major", "major", "notrump")  # of trick, by strain


def explain(
    contract: Any,
    vulnerable: Any,
    result: Any,
    *,
    edition: AnyEdition = "duplicate-1987",
    language: str = "en",
    locale: str = "en",
) -> str:
    """Show how one score comes about: the parts line by line, each with the source of its numbers.

    Parameters
    ----------
    contract : str or int
        One contract such as ``3HX``, or its code.
    vulnerable : bool
        Whether declarer's side is vulnerable.
    result : str or int
        ``"+1"``, ``"="``, ``"-2"``, or tricks - (6 + level). [tricks]
    edition : str, path or Edition
        The scoring law; see :func:`editions`.
    language : {"en", "es"}
        Of the answer.
    locale : {"en", "es", "fr"}
        Of the contract: ``3C`` is three clubs in English, three hearts (corazones) in Spanish.

    Returns
    -------
    str
        A heading, a line for each part that is not 0, and the sum, which is :func:`score`. [points]

    Raises
    ------
    ValueError
        If one of them is missing or cannot be read, or the contract cannot have that result. ``Pass`` needs neither
        vulnerability nor result.

    Examples
    --------
    >>> lines = explain("3HX", True, "+1").splitlines()
    >>> print(*(line.partition("[")[0].rstrip() for line in lines), sep="\\n")
    3HX+1, vulnerable
       180  trick score: 3 × 30 × 2
       200  1 overtrick
       500  game, doubled into it
        50  for making a doubled contract
       930  score
    >>> lines[2].partition("[")[2]
    'Law 77; text 000 sect. 19; text 003 App. B]'
    """
    if language not in LANGUAGES:
        raise ValueError(f"expected a language among {', '.join(LANGUAGES)}, got {language!r}")
    if np.ndim(code := parse_contract(contract, locale=locale)):
        raise ValueError(f"expected one contract, got {contract!r}")
    laws = load_edition(edition, "scoring")
    say = {key: words[LANGUAGES.index(language)] for key, words in _WORDS.items()}
    tricks = int(tricks_from_result(code, result))
    over = tricks - 6 - int(LEVEL.flat[code])
    parts = {part: int(points) for part, points in score_parts(code, vulnerable, tricks, edition=laws).items()}
    lines = [
        (points, *_line(part, points, laws, int(code), int(vulnerable), over, say))
        for part, points in parts.items()
        if points
    ]
    if code == 0:
        heading, lines = "Pass", [(0, say["passed"], laws.title)]
    else:
        side = say["vulnerable" if vulnerable else "not_vulnerable"]
        heading = f"{CONTRACTS[code]}{f'{over:+d}' if over else '='}, {side}"
    lines.append((sum(parts.values()), say["score"], laws.title))
    width = max(len(words) for _, words, _ in lines)
    return "\n".join([heading, *(f"{points:>6}  {words:<{width}}  [{source}]" for points, words, source in lines)])


def _line(
    part: str, points: int, laws: Edition, code: int, vulnerable: int, over: int, say: dict[str, str]
) -> tuple[str, str]:
    """What a part of the score is and how it adds up, and where its numbers are from."""
    level, strain, doubled = (int(axis.flat[code]) for axis in (LEVEL, STRAIN, DOUBLED))
    odd_trick, state = f"trick_score.{_KINDS[strain]}", ("undoubled", "doubled", "redoubled")[doubled]
    match part:
        case "trick_score":
            keys = [odd_trick, *["trick_score.doubled"] * (doubled > 0)]
            words = f"{say[part]}: {_trick_sum(laws, level, strain, doubled)}"
        case "overtricks":
            keys = [f"overtrick.{state}" if doubled else odd_trick]
            words = f"{over} {say[part]}: {over} × {points // over}" if over > 1 else f"1 {say['overtrick']}"
        case "penalty":
            keys = [f"undertrick.{state}"]
            each = undertricks(laws)[doubled, vulnerable, :-over].tolist()
            words = f"{-over} {say['undertricks']}: {_sum(each)}" if over < -1 else f"1 {say['undertrick']}"
        case "game" if doubled_into_game(code, edition=laws):
            keys, words = ["premium.game"], say["doubled_into_game"]
        case _:
            named = {"slam": ("small_slam", "grand_slam")[level == 7], "insult": f"making_{state}"}.get(part, part)
            keys, words = [f"premium.{named}"], say[named]
    return words, "; ".join(dict.fromkeys(source for key in keys for source in laws.source(key).split("; ")))


def _trick_sum(laws: Edition, level: int, strain: int, doubled: int) -> str:
    """The arithmetic of the trick score: ``4 × 30``, ``(40 + 2 × 30) × 2``."""
    value = laws[f"trick_score.{_KINDS[strain]}"]
    first, later = value if strain == 4 else (value, value)
    terms = _sum([first, *[later] * (level - 1)])
    if not doubled:
        return terms
    return f"{f'({terms})' if '+' in terms else terms} × {laws['trick_score.doubled'][doubled]}"


def _sum(numbers: list[int]) -> str:
    """Numbers added up, equal ones together: ``100 + 2 × 200 + 300``."""
    runs = [(number, len([*run])) for number, run in groupby(numbers)]
    return " + ".join(f"{size} × {number}" if size > 1 else f"{number}" for number, size in runs)
