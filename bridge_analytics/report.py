"""The report of a whole event on one page, and any table of results in Markdown and LaTeX."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.awards import SIDES
from bridge_analytics.decided import boards_that_decide, contestant_names, first_three_by_form, skill_and_luck
from bridge_analytics.event_boards import Words, board_names, event_boards
from bridge_analytics.event_cards import (
    field_figures,
    own_tables,
    score_card_of,
    standing_rows,
    who_is_named,
    with_players,
)
from bridge_analytics.pages import Made, render, trusted
from bridge_analytics.placings import fields
from bridge_analytics.rules import Edition
from bridge_analytics.sheets import html_table, texts
from bridge_analytics.sheets import to_latex as to_latex
from bridge_analytics.sheets import to_markdown as to_markdown
from bridge_analytics.spelling import spell_ruling
from bridge_analytics.standings import standings
from bridge_analytics.table import check_table
from bridge_analytics.travellers import names_of, without_empty
from bridge_analytics.words import words

CARDS_UP_TO = 2_000  # results: an event of more has its score cards only when they are asked for
_RANKED = ("pairs", "partnerships", "players")
_FAULTS = 100  # rows of the table of faults


def event_report(
    scored: pd.DataFrame,
    faults: pd.DataFrame | None = None,
    *,
    form: str = "matchpoints",
    winners: int | None = None,
    of: str | None = None,
    adjusted: str | Edition | None = "adjusted-wbf",
    expected: ArrayLike | None = None,
    win: float = 2,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
    standing: pd.DataFrame | None = None,
    solved: pd.DataFrame | None = None,
    cards: bool | None = None,
    title: str = "",
    language: str = "en",
    made: Made | None = None,
) -> str:
    """A whole event on one HTML page: ranking, what decided it, every board, score cards, rulings, faults.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it, by the form asked for; others that it was scored by are shown beside it.
    faults : DataFrame, optional
        As :func:`sift_results` gives it.
    form, winners, adjusted, expected, win, datum, imp_scale
        As for :func:`standings`.
    of : {"pairs", "partnerships", "players"}, optional
        Who is ranked; without it pairs where they are named, else partnerships, else nobody.
    standing : DataFrame, optional
        The ranking to show, where :func:`standings` has made it with penalties, names or handicaps; else it is made.
    solved : DataFrame, optional
        Deals with their double-dummy tricks, as the command ``solve`` writes them: found by their cards, or where
        the results have none by the number of the board.
    cards : bool, optional
        Whether to add the score card of each contestant; without it up to 2,000 results.
    title : str
        Without it the names of the events.
    language : {"en", "es"}
    made : list of (str, str)
        For the foot: as :func:`bridge_analytics.pages.provenance` gives it.

    Returns
    -------
    str
        A page that stands by itself: figures inline, nothing asked of the network.

    Raises
    ------
    ValueError
        As :func:`standings`; if there are several events, or ``solved`` does not fit.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"Event": "Friday", "Bd": [1, 1], "NS": [1, 2], "EW": [3, 4], "Contract": "4S",
    ...                         "By": "N", "Result": ["=", "-1"]})
    >>> page = event_report(score_results(read_results(evening)))
    >>> "<h1>Friday</h1>" in page, 'id="b0"' in page
    (True, True)
    """
    table, say = check_table(scored), words(language)
    events = table["event"].dropna().unique().astype(str).tolist()
    if len(events) > 1:
        raise ValueError(f"expected the results of one event, got {len(events):,}: {', '.join(map(repr, events[:5]))}")
    how: dict[str, Any] = {"adjusted": adjusted, "expected": expected, "win": win}
    how |= {"datum": datum, "imp_scale": imp_scale}
    if of not in (None, *_RANKED):
        raise ValueError(f"expected of among {', '.join(_RANKED)}, got {of!r} (standings ranks teams)")
    of, names = of or who_is_named(table), board_names(table, say)
    ranked, links = _nothing_ranked(len(table), say), {}
    if of is not None:
        if standing is None:
            standing = standings(table, form=form, winners=winners, of=of, **how)
        every = len(table) <= CARDS_UP_TO if cards is None else cards
        ranked |= _ranked(table, with_players(table, standing, of), say, names, every, form, of, language, how)
        links = _links(table, standing, of) if every else {}
    return render(
        "event.html",
        language=language,
        title=title or "".join(events) or say["results_of"],
        made=made or [],
        about=_about(table, standing, say),
        form=say[form],
        index=[
            (str(within), list(zip([f"b{deal}" for deal in part.index], part["label"], strict=True)))
            for within, part in names.groupby("within", sort=False)
        ],
        boards=event_boards(table, say, names, links, solved=solved, language=language, **how),
        rulings=_rulings(table, names, say),
        **ranked,
        **_faults(faults, say),
    )


def _nothing_ranked(results: int, say: Words) -> dict[str, Any]:
    """The parts of a page about contestants where nobody is named, and what they say of themselves."""
    return dict.fromkeys(("ranking", "decisive", "by_form", "strips", "cards"), ()) | {
        "reliability": say["nobody_ranked"],
        "size": _thousands(results, say),
        "every": False,
    }


def _ranked(
    table: pd.DataFrame,
    standing: pd.DataFrame,
    say: Words,
    names: pd.DataFrame,
    every: bool,
    form: str,
    of: str,
    language: str,
    how: Mapping[str, Any],
) -> dict[str, Any]:
    """The parts of a page about contestants: ranking, what decided it, strips, and the score cards of every one."""
    two = bool(standing["side"].notna().any())
    ranked_by = {"winners": 2 if two else 1, "of": of}
    scales = {name: how[name] for name in ("datum", "imp_scale")}
    own = own_tables(table, standing, every=every, form=form, of=of, **how)
    called = contestant_names(standing)
    by_form = {"imp_scales": [how["imp_scale"]]} | {name: how[name] for name in how if name not in scales}
    cards = own if every else {}
    return {
        "ranking": _rankings(standing, say, of, every),
        "reliability": skill_and_luck(table, say, form=form, **ranked_by, **scales),
        "decisive": boards_that_decide(table, standing, say, names, form=form, **ranked_by, **how),
        "by_form": first_three_by_form(table, say, SIDES if two else ("",), **ranked_by, **by_form),
        "strips": field_figures(standing, own, say, language),
        "cards": [score_card_of(row, standing.iloc[row], called[row], cards[row], say, language) for row in cards],
        "every": every,
    }


def _links(table: pd.DataFrame, standing: pd.DataFrame, of: str) -> dict[str, list[str]]:
    """Where the names of each row lead: to the score cards of pairs; single players have no link."""
    seated = standing_rows(table, standing, of) if of != "players" else []
    return {side: [f"#p{row}" if row >= 0 else "" for row in rows] for side, rows in zip(SIDES, seated, strict=False)}


def _thousands(number: int, say: Words) -> str:
    return f"{number:,}".replace(",", say["thousands"])


def _about(table: pd.DataFrame, standing: pd.DataFrame | None, say: Words) -> str:
    """How much there is: sessions, contestants, deals, results."""
    sessions = table["session"].dropna().unique()
    first = [f"{say['session']} {sessions[0]}"] if len(sessions) == 1 else []
    first += [f"{len(sessions)} {say['sessions']}"] if len(sessions) > 1 else []
    counts = (
        *([] if standing is None else [(int(standing["contestant"].notna().sum()), "contestants")]),
        (table["deal_id"].nunique(), "deals"),
        (len(table), "results"),
    )
    return " · ".join([*first, *(f"{_thousands(number, say)} {say[word]}" for number, word in counts)])


def _rankings(standing: pd.DataFrame, say: Words, of: str, linked: bool) -> list[Any]:
    """A table for each ranking, its contestants linked to their score cards."""
    head = say["player" if of == "players" else "contestant"]
    tables = []
    for title, shown, rows in fields(standing, say, of):
        named = standing.loc[rows, "contestant"].notna()
        links = {head: [f"#p{row}" if there else "" for row, there in named.items()]} if linked else None
        tables.append(trusted(html_table(shown, links=links, caption=title)))
    return tables


def _rulings(table: pd.DataFrame, names: pd.DataFrame, say: Words) -> Any:
    """Every result that is not one of the cards: the director's rulings, boards not played, results not known."""
    rows = table[~table["status"].isin(["played", "passed"])].sort_values("deal_id", kind="stable")
    if rows.empty:
        return ""
    records = rows.to_dict("records")
    cells = {say["board"]: [" ".join(names.loc[row["deal_id"]]).strip() for row in records]}
    cells |= {say[side]: names_of(rows, side) for side in SIDES}
    cells[say["status"]] = [say[row["status"]] for row in records]
    for side in SIDES:
        given = [spell_ruling(row, side) if row["status"] == "adjusted" else "" for row in records]
        cells[say["ruling_side"].format(say[side])] = given
    links = {say["board"]: [f"#b{row['deal_id']}" for row in records]}
    return trusted(html_table(without_empty(pd.DataFrame(cells, dtype="str")), links=links))


def _faults(faults: pd.DataFrame | None, say: Words) -> dict[str, Any]:
    """The faults of the file: how many of each rule, and the first of them."""
    if faults is None or faults.empty:
        return {"faults": "", "fault_counts": ""}
    counts = [f"{rule} {_thousands(many, say)}" for rule, many in faults["rule"].value_counts().items()]
    if len(faults) > _FAULTS:
        counts.append(say["faults_shown"].format(shown=_FAULTS, all=_thousands(len(faults), say)))
    first = faults.head(_FAULTS)
    hint = (" (" + first["suggestion"] + ")").fillna("")
    shown = pd.DataFrame(
        {
            say["row"]: first["source_row"],
            say["column"]: first["column"].fillna(first["rule"]),
            say["value"]: first["value"],
            say["expected"]: first["expected"] + hint,
            say["left_out"]: first["left_out"].map({True: say["yes"], False: say["no"]}),
        }
    )
    return {"faults": trusted(html_table(texts(shown))), "fault_counts": ", ".join(counts)}
