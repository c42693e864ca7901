"""A study that is settled before the results are looked at: one TOML file, its fingerprint, and its seal.

What is asked, of which results, compared with what, weighed how, and which deals are only for exploring: all of it is
written down first. The fingerprint is the sha256 of the file, and is told before a result is read; the seal, a small
file beside it, keeps the first one, so that a study that was changed afterwards is known for another study.

``title``, ``question``
    What the study is called, and asks. Required, as is one ``[[answer]]``.
``[score]``
    ``by`` (columns that tell deals apart), ``edition``, ``datum``, ``imp_scale``: as for :func:`score_results`.
``[layout]``
    How the files are written: see :mod:`bridge_analytics.layout`.
``[split]``
    ``confirm``: the share of the deals that is kept for the answer, the rest being for exploring; ``seed``; ``unit``:
    the columns that stay together, such as ``["event"]``, the deal without it. Without ``[split]`` all is for the
    answer.
``[filter]``
    Which results the study is about; the field they are compared with stays whole. ``contract_class`` (as bid),
    ``level``, ``strain``, ``doubled`` (0, 1, 2), or any column: a list of what it may be.
``[[answer]]``
    ``estimand``: ``goes_down`` (how often), ``same_tricks`` (against the same results doubled as ``against`` says: 0, 1
    or 2), ``against_field``, ``matched`` (``action``: ``doubled`` or ``redoubled``), ``policy`` (``rule``: one of
    :data:`bridge_analytics.policies.POLICIES`). ``form``, ``weights``, ``side`` (``defenders`` without it), ``within``
    (columns), and a ``filter`` of its own besides the common one.
"""

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bridge_analytics.contrasts import FORMS, WEIGHTS
from bridge_analytics.counterfactuals import FIELD_FORMS
from bridge_analytics.layout import load_layout
from bridge_analytics.policies import POLICIES
from bridge_analytics.rules import load_edition
from bridge_analytics.scored import SIDES

Study = dict[str, Any]

PARTS = ("confirm", "explore")
"""The part that answers, and the part to look at beforehand."""

SEAL = ".seal.json"
"""What the name of a seal ends in."""

_Check = tuple[str, Callable[[Any], bool]]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_names(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and bool(value) and all(map(_is_text, value)))


def _is_filter(value: Any) -> bool:
    def is_cell(cell: Any) -> bool:
        return isinstance(cell, str | int | float | bool)

    return isinstance(value, Mapping) and all(
        isinstance(cells, list) and bool(cells) and all(map(is_cell, cells)) for cells in value.values()
    )


def _one_of(*words: Any) -> _Check:
    return f"one of {', '.join(map(str, words))}", lambda value: value in words and not isinstance(value, bool)


_TEXT: _Check = ("a text", _is_text)
_NAMES: _Check = ("the name of a column, or a list of names", _are_names)
_FILTER: _Check = ("columns, each with a list of what it may be", _is_filter)
_TABLE: _Check = ("a table", lambda value: isinstance(value, Mapping))
_WHOLE: _Check = ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
_SHARE: _Check = ("a share between 0 and 1", lambda value: isinstance(value, float) and 0 < value < 1)
_ANSWERS: _Check = ("one [[answer]] or more", lambda value: isinstance(value, list) and bool(value))

_KEYS: Mapping[str, Mapping[str, _Check]] = MappingProxyType(
    {
        "study": {
            **dict.fromkeys(("title", "question", "notes", "authors"), _TEXT),
            **dict.fromkeys(("score", "layout", "split"), _TABLE),
            "filter": _FILTER,
            "answer": _ANSWERS,
        },
        "score": {"by": _NAMES, "edition": _TEXT, "datum": _TEXT, "imp_scale": _TEXT},
        "split": {"confirm": _SHARE, "seed": _WHOLE, "unit": _NAMES},
        "answer": {
            "estimand": _one_of("goes_down", "same_tricks", "against_field", "matched", "policy"),
            "form": _one_of(*FORMS),
            "weights": _one_of(*WEIGHTS, "cell", "doubled", "undoubled", "redoubled"),
            "side": _one_of(*SIDES),
            "within": _NAMES,
            "against": _one_of(0, 1, 2),
            "action": _one_of("doubled", "redoubled"),
            "rule": _one_of(*POLICIES),
            "filter": _FILTER,
        },
    }
)
"""Every key of a study: what it may be, and the check of it."""

_OF = MappingProxyType(
    {
        # estimand: the keys it must have, and those it may have, besides `estimand`, `filter` and `within`
        "goes_down": ({"weights"}, set()),
        "same_tricks": ({"against", "form", "weights"}, {"side"}),
        "against_field": ({"form", "weights"}, {"side"}),
        "matched": ({"form", "weights"}, {"side", "action"}),
        "policy": ({"rule", "form", "weights"}, {"side"}),
    }
)


def load_study(path: str | Path) -> Study:
    """A study from its file, checked; see :func:`parse_study`.

    Raises
    ------
    ValueError, OSError
        As :func:`parse_study`, with the name of the file; or if it cannot be opened.
    """
    try:
        return parse_study(Path(path).read_bytes().decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{Path(path).name}: {error}") from None


def parse_study(text: str) -> Study:
    """A study from its text, checked.

    Parameters
    ----------
    text : str
        TOML with the keys of :mod:`bridge_analytics.sealed`.

    Returns
    -------
    dict
        The keys as they stand, and ``text`` and ``sha256``, the fingerprint.

    Raises
    ------
    ValueError
        If it is not TOML, or a key or a value is not known, is missing, or does not fit the estimand.

    Examples
    --------
    >>> text = '''
    ... title = "Doubled partscores"
    ... question = "How often do they go down?"
    ... [filter]
    ... contract_class = ["partscore"]
    ... doubled = [1]
    ... [[answer]]
    ... estimand = "goes_down"
    ... weights = "board"
    ... '''
    >>> study = parse_study(text)
    >>> study["answer"], study["sha256"][:12]
    ([{'estimand': 'goes_down', 'weights': 'board'}], 'afca84728cd5')
    """
    text = text.replace("\r\n", "\n")
    try:
        study = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"expected a study in TOML, got {error}") from None
    _check_table(study, "study", "the study", {"title", "question", "answer"})
    _check_table(study.get("score", {}), "score", "[score]")
    _check_table(study.get("split", {}), "split", "[split]", {"confirm", "seed"} if "split" in study else ())
    for name, kind in (("edition", "scoring"), ("datum", "datum"), ("imp_scale", "imps")):
        if name in study.get("score", {}):
            load_edition(study["score"][name], kind=kind)
    load_layout(study.get("layout"))
    for place, answer in enumerate(study["answer"], 1):
        _check_answer(answer, f"answer {place}")
        _check_doubles(answer, study.get("filter", {}), f"answer {place}")
    return study | {"text": text, "sha256": fingerprint(text)}


def fingerprint(text: str) -> str:
    """The sha256 of a study, whatever ends its lines."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def _check_table(table: Any, kind: str, where: str, required: Any = ()) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"expected a table as {where}, got {table!r}")
    for key, value in table.items():
        if key not in _KEYS[kind]:
            raise ValueError(f"expected keys of {where} among {', '.join(_KEYS[kind])}, got {key!r}")
        if not _KEYS[kind][key][1](value):
            raise ValueError(f"expected {_KEYS[kind][key][0]} as {key} of {where}, got {value!r}")
    lost = [key for key in _KEYS[kind] if key in required and key not in table]
    if lost:
        raise ValueError(f"expected {', '.join(lost)} in {where}, got none")


def _check_answer(answer: Any, where: str) -> None:
    _check_table(answer, "answer", where, {"estimand"})
    must, may = _OF[answer["estimand"]]
    _check_table(answer, "answer", where, must)
    extra = sorted(set(answer) - must - may - {"estimand", "filter", "within"})
    if extra:
        raise ValueError(f"expected no {', '.join(extra)} in {where}: {answer['estimand']} does not use it")
    forms = {"against_field": FIELD_FORMS, "matched": ("points", "imps")}.get(answer["estimand"], FORMS)
    if "form" in must and answer["form"] not in forms:
        raise ValueError(f"expected a form among {', '.join(forms)} in {where}, got {answer['form']!r}")
    weights: tuple[str, ...] = WEIGHTS
    if answer["estimand"] == "matched":
        weights = (
            ("cell", "redoubled", "doubled")
            if answer.get("action") == "redoubled"
            else ("cell", "doubled", "undoubled")
        )
    if answer["weights"] not in weights:
        raise ValueError(f"expected weights among {', '.join(weights)} in {where}, got {answer['weights']!r}")


def _check_doubles(answer: Mapping[str, Any], common: Mapping[str, Any], where: str) -> None:
    """Refuse filters that leave out what the answer compares with."""
    needed = {"policy": {0}, "matched": {1, 2} if answer.get("action") == "redoubled" else {0, 1}}
    for wanted in (common, answer.get("filter", {})):
        lost = needed.get(answer["estimand"], set()) - set(wanted.get("doubled", range(3)))
        if lost:
            raise ValueError(
                f"expected {lost.pop()} in a filter on doubled for {where}, since {answer['estimand']} compares with "
                f"such contracts, got {wanted['doubled']!r}"
            )


def seal(study: Study, path: str | Path, *, today: str) -> dict[str, str]:
    """Seal a study, or find it as it was sealed.

    Parameters
    ----------
    study : dict
        As :func:`load_study` gives it.
    path : path
        Of its file; the seal lies beside it.
    today : str
        The date, for a new seal.

    Returns
    -------
    dict
        ``sha256`` and the day it was ``sealed``.

    Raises
    ------
    ValueError
        If the study is not the one that was sealed.
    """
    beside = Path(path).with_suffix(SEAL)
    try:
        with beside.open("x", encoding="utf-8") as file:
            json.dump({"sha256": study["sha256"], "sealed": today}, file, indent=1)
    except FileExistsError:
        pass  # it was sealed before
    try:
        kept = json.loads(beside.read_text(encoding="utf-8"))
        sealed, day = str(kept["sha256"]), str(kept["sealed"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"expected a seal in {beside.name!r}, got {error}") from None
    if sealed != study["sha256"]:
        raise ValueError(
            f"expected the study that was sealed on {day} as {sealed[:12]}…, got {study['sha256'][:12]}…: "
            f"{Path(path).name} was changed since. Another question is another study: give it a file of its own"
        )
    return {"sha256": sealed, "sealed": day}
