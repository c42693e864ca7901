"""The words of pages and figures, each in every language, from one list: ``words.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from bridge_analytics.breakdown import LANGUAGES


@cache
def words(language: str) -> Mapping[str, str]:
    """The words of a language by their name.

    Parameters
    ----------
    language : {"en", "es"}

    Returns
    -------
    mapping of str to str

    Raises
    ------
    ValueError
        If it is another language.

    Examples
    --------
    >>> words("es")["ranking"], words("en")["board_one"].format(7)
    ('Clasificación', 'Board 7')
    """
    if language not in LANGUAGES:
        raise ValueError(f"expected a language among {', '.join(LANGUAGES)}, got {language!r}")
    text = files("bridge_analytics").joinpath("words.toml").read_text(encoding="utf-8")
    return MappingProxyType({name: said[language] for name, said in tomllib.loads(text).items()})
