"""Editions of the rules: every number a federation may change, in a TOML file beside its source.

An edition is named (``"duplicate-1987"``), or is a path ending in ``.toml``. A file states what differs from the one it
``extends``; the last of that line, the root, states every key its kind requires. The keys: ``kinds.py``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from bridge_analytics.kinds import KINDS, fits, in_words, nearest

Name: TypeAlias = "str | os.PathLike[str]"
Document: TypeAlias = dict[str, Any]  # a parsed TOML file
Leaf: TypeAlias = tuple[Any, str, str]  # value, source, the label of its file


@dataclass(frozen=True)
class Edition:
    """The rules of one edition: ``edition[key]`` is a value, ``edition.source(key)`` where it is from.

    Parameters
    ----------
    name, kind, title : str
        A shipped name or the name of the file; a kind of :data:`kinds.KINDS`; one line of text.
    leaves : tuple of (key, value, source)
        Dotted keys in the order of the list of their kind; lists are nested tuples. Frozen, hashable by content.

    Examples
    --------
    >>> laws = load_edition("duplicate-1987")
    >>> laws["undertrick.doubled"]
    ((100, 200, 200, 300), (200, 300))
    >>> "rubber.four_honours" in laws
    False
    """

    name: str
    kind: str
    title: str
    leaves: tuple[tuple[str, Any, str], ...]

    def __getitem__(self, key: str) -> Any:
        return self._leaf(key)[1]

    def __contains__(self, key: object) -> bool:
        return any(key == known for known, _, _ in self.leaves)

    def source(self, key: str) -> str:
        """Where the value of a key is from: a law, a text, a choice."""
        return self._leaf(key)[2]

    def _leaf(self, key: str) -> tuple[str, Any, str]:
        for leaf in self.leaves:
            if leaf[0] == key:
                return leaf
        near = nearest(key, (known for known, _, _ in self.leaves))
        raise KeyError(f"expected a key of {self.name!r} ({near}), got {key!r}")


def load_edition(name: Name | Edition, kind: str | None = None) -> Edition:
    """An edition of the rules, with what it extends filled in and every number checked.

    Parameters
    ----------
    name : str, path or Edition
        A shipped edition (see :func:`editions`); or the path of a file, ending in ``.toml``, which is read anew at each
        call; an ``Edition`` is returned as it is.
    kind : str, optional
        The kind the caller needs.

    Returns
    -------
    Edition

    Raises
    ------
    ValueError
        If there is no such edition, it is of another kind, or a file of it is not TOML, lacks a required key or a
        source, or has an unknown key, a value of another shape, or an ``extends`` that leads in a circle.
    FileNotFoundError
        If there is no file at the path.
    TypeError
        If ``name`` is none of the three.

    Examples
    --------
    >>> load_edition("rubber-1993", kind="scoring")["rubber.two_games_to_none"]
    700
    """
    if isinstance(name, Edition):
        edition = name
    else:
        path = _path(name)
        edition = _build(path) if path.endswith(".toml") else _build_shipped(path)
    if kind is not None and edition.kind != kind:
        raise ValueError(f"expected an edition of kind {kind!r}, got {edition.name!r} of kind {edition.kind!r}")
    return edition


def editions() -> pd.DataFrame:
    """The shipped editions, by kind and name.

    Returns
    -------
    DataFrame
        One row an edition: ``name, kind, title, extends`` (null for a root).

    Examples
    --------
    >>> table = editions()
    >>> table.loc[table["kind"] == "imps", "name"].tolist()
    ['imps-1962', 'imps-before-1962']
    """
    loaded = sorted(map(load_edition, _shipped()), key=lambda one: (list(KINDS).index(one.kind), one.name))
    rows = [(one.name, one.kind, one.title, _chain(one.name)[0][1].get("extends")) for one in loaded]
    return pd.DataFrame(rows, columns=["name", "kind", "title", "extends"], dtype="str")


def show_edition(name: Name) -> pd.DataFrame:
    """Every number of an edition, its source, and the file it stands in.

    Parameters
    ----------
    name : str or path
        As in :func:`load_edition`; not an ``Edition``, which no longer knows its files.

    Returns
    -------
    DataFrame
        One row a key: ``key, value, source, from``, the last an edition or the name of a file.

    Raises
    ------
    ValueError, FileNotFoundError, TypeError
        As :func:`load_edition`.

    Examples
    --------
    >>> show_edition("datum-median").loc[3, ["key", "value", "from"]].tolist()
    ['datum.centre', 'median', 'datum-median']
    """
    leaves = _leaves(_chain(_path(name)))
    return _table([(key, *leaf) for key, leaf in leaves.items()], "key", "value", "source", "from")


def diff_editions(a: Name | Edition, b: Name | Edition) -> pd.DataFrame:
    """The numbers in which two editions of one kind differ.

    Parameters
    ----------
    a, b : str, path or Edition
        As in :func:`load_edition`.

    Returns
    -------
    DataFrame
        One row a key whose values differ: ``key, a, b, source_a, source_b``, null where an edition lacks the key.
        Equal values from different sources are no difference.

    Raises
    ------
    ValueError, FileNotFoundError, TypeError
        If the kinds differ, and as :func:`load_edition`.

    Examples
    --------
    >>> diff_editions("duplicate-1987", "duplicate-001")["key"].tolist()
    ['undertrick.doubled', 'undertrick.redoubled']
    """
    first = load_edition(a)
    second = load_edition(b, first.kind)
    left, right = ({key: (value, source) for key, value, source in edition.leaves} for edition in (first, second))
    none = (None, None)
    pairs = [(key, left.get(key, none), right.get(key, none)) for key in left | right]
    rows = [(key, one[0], other[0], one[1], other[1]) for key, one, other in pairs if one[0] != other[0]]
    return _table(rows, "key", "a", "b", "source_a", "source_b")


def _table(rows: list[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=columns, dtype=object)  # values of every shape; None stays None
    return table.astype({name: "str" for name in columns if name not in ("value", "a", "b")})


def _path(name: object) -> str:
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"expected the name of an edition, a path ending in '.toml' or an Edition, got {name!r}")
    return str(os.fspath(name))


def _build(name: str) -> Edition:
    chain = _chain(name)
    label, document = chain[0]
    leaves = tuple((key, value, source) for key, (value, source, _) in _leaves(chain).items())
    return Edition(label, _kind(chain), document["title"], leaves)


_build_shipped = cache(_build)  # a file of the package does not change; any other is read again


@cache
def _shipped() -> dict[str, Traversable]:
    folder = files("bridge_analytics") / "editions"  # also within a zip
    return {file.name[:-5]: file for file in folder.iterdir() if file.name.endswith(".toml")}


def _chain(name: str, folder: Path = Path(), above: tuple[tuple[str, str], ...] = ()) -> list[tuple[str, Document]]:
    """The files of an edition, each with its label, from its own to its root."""
    is_path = name.endswith(".toml")
    if not is_path and name not in _shipped():
        near, place = nearest(name, _shipped()), f" as extends in {above[-1][1]!r}" if above else ""
        raise ValueError(f"expected an edition ({near}) or a path ending in '.toml', got {name!r}{place}")
    file = (folder / name).resolve() if is_path else _shipped()[name]
    label = file.name if is_path else name
    if (str(file), label) in above:
        circle = " -> ".join([*(one for _, one in above), label])
        raise ValueError(f"expected extends to lead to a root, got the circle {circle}")
    document = _read(file, label)
    if "extends" not in document:
        return [(label, document)]
    return [(label, document), *_chain(document["extends"], Path(str(file)).parent, (*above, (str(file), label)))]


def _read(file: Traversable, label: str) -> Document:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise FileNotFoundError(f"expected the file of an edition, got no file at {str(file)!r}") from None
    except ValueError as fault:  # not TOML, or not UTF-8
        raise ValueError(f"expected TOML in {label!r}, got: {fault}") from fault
    for key in ("title", *sorted(document.keys() & {"kind", "extends"})):
        if not isinstance(text := document.get(key), str) or not text.strip():
            raise ValueError(f"expected a text as {key}, got {text!r} in {label!r}")
    return document


def _kind(chain: list[tuple[str, Document]]) -> str:
    """The kind of the root, which no file that extends it may change."""
    root, document = chain[-1]
    kind: Any = document.get("kind")
    if kind not in KINDS:
        raise ValueError(f"expected a kind ({nearest(str(kind), KINDS)}), got {kind!r} in {root!r}")
    for label, extending in chain[:-1]:
        if extending.get("kind", kind) != kind:
            raise ValueError(f"expected kind {kind!r}, that of {root!r}, got {extending['kind']!r} in {label!r}")
    return str(kind)


def _leaves(chain: list[tuple[str, Document]]) -> dict[str, Leaf]:
    """Value, source and label of every key of an edition, checked, in the order of the list of its kind."""
    required, optional, relations = KINDS[_kind(chain)]
    shapes = required | optional
    found: dict[str, Leaf] = {}
    for label, document in reversed(chain):
        tables = {name: entry for name, entry in document.items() if name not in ("title", "kind", "extends")}
        found.update(_walk(tables, shapes, label))
        if missing := [key for key in required if key not in found]:  # only the root, which comes first
            raise ValueError(f"expected {', '.join(missing)} in {label!r}, which extends nothing, got none")
    for words, keys, holds in relations:
        values = [found[key][0] for key in keys]
        if not holds(*values):
            seen = ", ".join(f"{key} = {value!r}" for key, value in zip(keys, values, strict=True))
            raise ValueError(f"expected {words}, got {seen} in {chain[0][0]!r}")
    return {key: found[key] for key in shapes if key in found}


def _walk(table: Document, shapes: dict[str, Any], label: str, above: str = "") -> Iterator[tuple[str, Leaf]]:
    for name, entry in table.items():
        key = above + name
        if key in shapes and "." not in name:
            yield key, (*_leaf(key, entry, shapes[key], label), label)
        elif isinstance(entry, dict) and any(known.startswith(f"{key}.") for known in shapes):
            yield from _walk(entry, shapes, label, f"{key}.")
        else:
            raise ValueError(f"expected a known key ({nearest(key, shapes)}), got {key!r} in {label!r}")


def _leaf(key: str, entry: Any, shape: Any, label: str) -> tuple[Any, str]:
    if not isinstance(entry, dict) or "value" not in entry or entry.keys() - {"value", "source"}:
        raise ValueError(f"expected {key} as {{ value, source }}, got {entry!r} in {label!r}")
    source = entry.get("source")
    if not isinstance(source, str) or not source.strip():
        raise ValueError(f"expected a source of {key}, got {source!r} in {label!r}")
    if not fits(entry["value"], shape):
        raise ValueError(f"expected {key} as {in_words(shape)}, got {entry['value']!r} in {label!r}")
    return _frozen(entry["value"]), source


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
