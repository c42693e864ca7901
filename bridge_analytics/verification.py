"""A page of a study, made again from the results: which of its texts, numbers and figures are not what they say."""

import re
from difflib import SequenceMatcher
from html import unescape
from itertools import zip_longest
from pathlib import Path

import pandas as pd

from bridge_analytics.results import sift_results
from bridge_analytics.sealed import fingerprint, parse_study
from bridge_analytics.study_page import study_made, study_report
from bridge_analytics.words import words

_TAKEN = ("version", "engine", "command")  # of the foot: not made from the results
_HEADINGS = ("<h1", "<h2", "<h3", "<dt")
_TOKEN = re.compile(r"<[^>]*>|[^<]+")
_NAME = re.compile(r"<[/!]?[A-Za-z0-9]*")
_FACTS = re.compile(
    r'<html lang="(?P<language>\w+)">.*data-part="(?P<part>\w+)" data-sealed="(?P<sealed>[^"]*)".*'
    r'id="sha256">(?P<sha256>\w+)<.*<pre id="study">(?P<study>[^<]*)</pre>',
    re.DOTALL,
)


def verify(page: str | Path, source: str | Path) -> pd.DataFrame:
    """Make a page of a study again, and name all that differs.

    Parameters
    ----------
    page : path
        As ``bridge-analytics study`` wrote it.
    source : path of a file, a folder or a pattern
        The results that it was made of.

    Returns
    -------
    DataFrame
        A row for each piece that differs: ``place`` (the heading above it), ``printed``, ``found`` (one of them missing
        where a piece is only there). No row where the page is what it says. Versions, the command and the day of the
        seal are taken as they stand.

    Raises
    ------
    ValueError
        If it is no page of a study, or the study in it is not the one of its fingerprint.
    ResultsError, OSError
        As :func:`sift_results`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from bridge_analytics.sealed import load_study
    >>> study, results = load_study("data/study.toml"), "data/season.parquet"
    >>> read = sift_results(results)
    >>> page = study_report(study, *read, made=study_made(study, results, *read, command=""))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "study.html"
    ...     _ = path.write_text(page.replace("2.47 IMPs", "2.74 IMPs"), encoding="utf-8")
    ...     verify(path, results).values.tolist()
    [['2 · the same tricks: as played against undoubled', '2.74 IMPs', '2.47 IMPs']]
    """
    text = Path(page).read_text(encoding="utf-8")
    facts = _facts(text, Path(page).name)
    study, language = parse_study(facts["study"]), facts["language"]
    results, faults = sift_results(source, layout=study.get("layout"), by=study.get("score", {}).get("by"))
    printed, say = pieces(text), words(language)
    foot = {place: told for place, told in printed if place in [say[name] for name in _TAKEN]}
    made = study_made(study, source, results, faults, command="", language=language)
    made = [(name, foot.get(name, told)) for name, told in made]
    again = study_report(
        study, results, faults, part=facts["part"], sealed=facts["sealed"] or None, language=language, made=made
    )
    return _differences(printed, pieces(again))


def _facts(text: str, name: str) -> dict[str, str]:
    """What a page says of itself: its study, checked against its fingerprint, its part, day and language."""
    found = _FACTS.search(text)
    if found is None:
        raise ValueError(f"expected the page of a sealed study, got {name!r}")
    facts = {key: unescape(told) for key, told in found.groupdict().items()}
    own = fingerprint(facts["study"])
    if own != facts["sha256"]:
        raise ValueError(
            f"expected the study of the fingerprint {facts['sha256'][:12]}…, got one of {own[:12]}…: "
            f"the study in {name!r} was changed after it was sealed"
        )
    return facts


def pieces(text: str) -> list[tuple[str, str]]:
    """The pieces of a page of this package, each after the heading above it: texts, and strokes of figures.

    Examples
    --------
    >>> pieces("<h2>Rows</h2><p>338 <b>of</b> 338<svg><path d='M0'/></svg>")
    [('', 'Rows'), ('Rows', '338'), ('Rows', 'of'), ('Rows', '338'), ('Rows', "<path d='M0'/>")]
    """
    found, place, tag, drawn = [], "", "", 0
    for token in _TOKEN.findall(text[max(text.find("<body"), 0) :]):
        if token.startswith("<"):
            tag = _NAME.findall(token)[0]
            drawn += {"<svg": 1, "</svg": -1}.get(tag, 0)
            if drawn and tag not in ("<svg", "</svg") and "=" in token:
                found.append((place, token))
        elif told := " ".join(unescape(token).split()):
            found.append(("" if tag in _HEADINGS else place, told))
            place = told if tag in _HEADINGS else place
    return found


def _differences(printed: list[tuple[str, str]], found: list[tuple[str, str]]) -> pd.DataFrame:
    rows = []
    for kind, a, b, c, d in SequenceMatcher(None, printed, found, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for own, other in zip_longest(printed[a:b], found[c:d]):
            rows.append(((own or other)[0], own and own[1], other and other[1]))
    return pd.DataFrame(rows, columns=["place", "printed", "found"], dtype="str")
