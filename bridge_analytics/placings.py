"""The ranking of an event as it is pinned to the wall: as HTML for a notebook and as text."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from bridge_analytics.notebook import shown
from bridge_analytics.sheets import html_table, numbers, sheet_style, text_table
from bridge_analytics.words import words

_COUNTS = {
    **{"matches": "matches", "adjusted": "of_them_adjusted", "no_result": "no_result", "sat_out": "sit_out"},
    **{"to_come": "to_come", "penalty": "penalty", "handicap": "handicap"},
}


def ranking(standing: pd.DataFrame, *, language: str = "en") -> str:
    """A ranking as HTML, a table for each field that is ranked apart.

    Parameters
    ----------
    standing : DataFrame
        As :func:`standings` gives it; a column ``players``, where there is one, is shown beside the contestant.
    language : {"en", "es"}

    Returns
    -------
    str
        A notebook shows it by itself.

    Raises
    ------
    ValueError
        If it is no ranking.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> from bridge_analytics.standings import standings
    >>> evening = pd.DataFrame({"Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S", "By": "N",
    ...                         "Result": ["=", "-1"]})
    >>> ranking(standings(score_results(read_results(evening)))).count("<table")
    2
    """
    tables = "".join(html_table(table, caption=title) for title, table, _ in fields(standing, words(language)))
    return shown(f"<style>{sheet_style()}</style>{tables}")


def ranking_text(standing: pd.DataFrame, *, language: str = "en") -> str:
    """A ranking as text; parameters and errors as :func:`ranking`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> from bridge_analytics.standings import standings
    >>> evening = pd.DataFrame({"Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S", "By": "N",
    ...                         "Result": ["=", "-1"]})
    >>> print(ranking_text(standings(score_results(read_results(evening)))))
    NS
    Place  Pair  Boards  Total    %
        1     1       1      2  100
        2     2       1      0    0
    <BLANKLINE>
    EW
    Place  Pair  Boards  Total    %
        1     4       1      2  100
        2     3       1      0    0
    """
    tables = [text_table(shown, caption=title) for title, shown, _ in fields(standing, words(language))]
    return "\n\n".join(tables)


def fields(
    standing: pd.DataFrame, say: Mapping[str, str], of: str = "pairs"
) -> Iterator[tuple[str, pd.DataFrame, pd.Index]]:
    """Each field that is ranked apart: its title, its ranking as texts, and the rows of the standing that it shows."""
    names = [str(name) for name in standing]
    if "place" not in names or "contestant" not in names:
        raise ValueError(f"expected a ranking as standings gives it, got a table with {', '.join(names)}")
    shown = _shown(standing, say, of)
    apart = [*names[: names.index("place")], "side"]
    labels = standing[apart].astype("str").fillna("")
    labels["side"] = labels["side"].map({"": ""} | {side: say[side] for side in ("ns", "ew")})
    titles = labels.apply(lambda row: " · ".join(filter(None, row)), axis=1)
    for title in titles.unique():
        here = standing.index[titles == title]
        part = shown.loc[here]
        yield title, part.loc[:, (part != "").any()], here


def _shown(standing: pd.DataFrame, say: Mapping[str, str], of: str) -> pd.DataFrame:
    decimal = say["decimal"]
    several = len(standing["section"].unique()) > 1
    cells = {say["place"]: standing["place"].astype("str").fillna("").tolist()}
    if several and "section" not in list(standing)[: list(standing).index("place")]:
        cells[say["section"]] = standing["section"].astype("str").fillna("").tolist()
    cells[say["player" if of == "players" else "contestant"]] = (
        standing["contestant"].astype("str").fillna(f"({say['nobody']})").tolist()
    )
    for name, word in (("name", "name"), ("players", "players")):
        if name in standing:
            cells[say[word]] = standing[name].astype("str").fillna("").tolist()
    cells[say["boards"]] = numbers(standing["boards"], digits=0)
    for name, word in _COUNTS.items():
        if name in standing:
            cells[say[word]] = _not_zero(standing[name], decimal)
    cells[say["total"]] = numbers(standing["total"], decimal=decimal)
    if standing["percent"].notna().any():
        cells[say["percent"]] = numbers(standing["percent"], decimal=decimal)
    else:
        cells[say["average"]] = numbers(standing["average"], decimal=decimal)
    if "scratch_place" in standing:
        cells[say["scratch"]] = numbers(standing["scratch"], decimal=decimal)
        cells[say["scratch_place"]] = standing["scratch_place"].astype("str").fillna("").tolist()
    return pd.DataFrame(cells, index=standing.index, dtype="str")


def _not_zero(column: pd.Series, decimal: str) -> list[str]:
    """The texts of a column of numbers, empty where it is 0."""
    return numbers(column.where(column != 0).to_numpy(np.float64, na_value=np.nan), decimal=decimal)
