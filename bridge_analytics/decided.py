"""What decided an event, for its page: its first three under every form of scoring, and the boards that decide."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from bridge_analytics.awards import FORMS
from bridge_analytics.luck import reliability
from bridge_analytics.pages import trusted
from bridge_analytics.rankings import decisive_boards, standings_by_form
from bridge_analytics.sheets import html_table

Words = Mapping[str, str]


def contestant_names(standing: pd.DataFrame) -> pd.Series:
    """What to call each contestant of a ranking: with its section where there are several."""
    names = standing["contestant"].astype("str").fillna("?")
    if len(standing["section"].unique()) < 2:
        return names
    return standing["section"].astype("str").fillna("-") + " " + names


def skill_and_luck(scored: pd.DataFrame, say: Words, **asked: Any) -> str:
    """A sentence on how much of a ranking is skill, or why that cannot be told.

    Parameters
    ----------
    scored : DataFrame
    say : mapping
    **asked
        As for :func:`bridge_analytics.luck.reliability`.
    """
    try:
        found = reliability(scored, **asked).iloc[0]
    except ValueError as error:
        return say["not_reliable"].format(error)
    if found["boards_needed"] == float("inf") and found["low"] < 1:
        return say["too_few_boards"]
    numbers = {
        "boards": f"{found['boards']:.0f}",
        "percent": f"{100 * found['reliability']:.0f}",
        "needed": f"{found['boards_needed']:.0f}",
        "low": f"{found['low']:.0f}",
        "high": "∞" if found["high"] == float("inf") else f"{found['high']:.0f}",
    }
    return say["no_spread" if found["boards_needed"] == float("inf") else "reliability"].format(**numbers)


def first_three_by_form(scored: pd.DataFrame, say: Words, sides: Sequence[str], **ranked_by: Any) -> list[Any]:
    """A table for each ranking: the first three under each form of scoring, or why there is no ranking.

    Parameters
    ----------
    scored : DataFrame
    say : mapping
        As :func:`words` gives it.
    sides : sequence of str
        The sides that are ranked apart; ``""`` where there is one winner.
    **ranked_by
        As for :func:`standings_by_form`.

    Returns
    -------
    list of Markup
    """
    rows: dict[str, list[list[str]]] = {side: [] for side in sides}
    for form in FORMS:
        try:
            found = standings_by_form(scored, forms=[form], **ranked_by)
        except ValueError as error:  # rulings that have no worth under this form: said, not hidden
            for own in rows.values():
                own.append([say[form], say["no_ranking"].format(error), "", ""])
            continue
        for datum, part in found.groupby("datum", dropna=False, sort=False):
            name = say[form] if pd.isna(datum) else f"{say[form]}: {str(datum).removeprefix('datum-')}"
            for side, own in rows.items():
                own.append([name, *_first_three(part, side)])
    heads = [say["form"], say["first"], say["second"], say["third"]]
    return [
        trusted(html_table(pd.DataFrame(own, columns=heads, dtype="str"), right=[False] * 4, caption=say.get(side, "")))
        for side, own in rows.items()
    ]


def _first_three(ranked: pd.DataFrame, side: str) -> list[str]:
    """The names of the first three of a side, with a sign where the place is shared."""
    part = ranked[(ranked["side"].astype("str").fillna("") == side) & ranked["place"].notna()].head(3)
    shared = part["place"].str.endswith("=").map({True: " =", False: ""})
    names = (contestant_names(part) if len(ranked) else part["contestant"]) + shared
    return [*names.astype("str"), "", "", ""][:3]


def boards_that_decide(
    scored: pd.DataFrame, standing: pd.DataFrame, say: Words, names: pd.DataFrame, **ranked_by: Any
) -> list[tuple[str, list[tuple[str, list[tuple[int, str]]]]]]:
    """For each ranking a sentence on its winner, and who would have won without which of the boards.

    Parameters
    ----------
    scored, standing : DataFrame
    say : mapping
    names : DataFrame
        As :func:`board_names`.
    **ranked_by
        As for :func:`decisive_boards`.

    Returns
    -------
    list of (str, list of (winner, list of (deal_id, label)))
        The inner list is empty where no board decides.
    """
    found = decisive_boards(scored, **ranked_by)
    first = standing[standing["place"].isin(["1", "1="])]
    called = names["label"] + (" (" + names["within"] + ")").where(names["within"] != "", "")
    story = []
    for side, part in found.groupby(found["side"].astype("str").fillna(""), sort=False):
        own = first[first["side"].astype("str").fillna("") == side]
        winner = ", ".join(contestant_names(standing).loc[own.index])
        winner = f"{winner} ({say[str(side)]})" if side else winner
        deciding = part[part["decides"]]
        word = say["no_board_decides" if deciding.empty else "boards_decide"]
        line = word.format(winner=winner, number=len(deciding), all=len(part))
        others = deciding["winner"].astype("str").fillna("–")
        lists = [
            (str(other), [(deal, called[deal]) for deal in rows["deal_id"].tolist()])
            for other, rows in deciding.groupby(others, sort=False)
        ]
        story.append((line, lists))
    return story
