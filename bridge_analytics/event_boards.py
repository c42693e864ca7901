"""The boards of an event for its page: what each is called, its cards, what they are worth, its traveller."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bridge_analytics.cards import deal_hash, parse_deals
from bridge_analytics.diagrams import hands_by_suit
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.pages import trusted
from bridge_analytics.par import par
from bridge_analytics.sheets import html_table, number_columns, numbers
from bridge_analytics.spelling import SUIT_SIGNS, spell_contract, spell_result, spell_seat
from bridge_analytics.travellers import shown_results, traveller_order, without_empty

Words = Mapping[str, str]
_QUALIFIERS = ("event", "session", "section", "round")
_TRICKS = [f"tricks_{seat}_{strain}" for strain in STRAINS for seat in SEATS]


def board_names(scored: pd.DataFrame, say: Words) -> pd.DataFrame:
    """What to call each deal.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it.
    say : mapping
        As :func:`words` gives it.

    Returns
    -------
    DataFrame
        By ``deal_id``: the ``label`` of its board, and ``within``: session, section or round as far as it takes to
        tell boards of one label apart.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> from bridge_analytics.words import words
    >>> evening = pd.DataFrame({"Session": [1, 2], "Bd": [7, 7], "Contract": "Pass"})
    >>> board_names(score_results(read_results(evening)), words("en")).to_numpy().tolist()
    [['7', 'Session 1'], ['7', 'Session 2']]
    """
    deals = scored.groupby("deal_id", sort=True)
    named = pd.DataFrame({"label": deals["board_label"].first().astype("str").fillna("?"), "within": ""})
    for name in _QUALIFIERS:
        if not named.duplicated().any():
            break
        words_here = scored[name].astype("str")
        own = deals[name].first().astype("str").fillna("?")
        if len(own.unique()) > 1 and (words_here.fillna("?") == own[scored["deal_id"]].to_numpy()).all():
            part = own if name == "event" else say[name] + " " + own
            named["within"] = (named["within"] + " · " + part).str.removeprefix(" · ")
    return named


def event_boards(
    scored: pd.DataFrame,
    say: Words,
    names: pd.DataFrame,
    links: Mapping[str, Sequence[str]],
    *,
    solved: pd.DataFrame | None,
    **shown_by: Any,
) -> list[dict[str, Any]]:
    """What the page shows of each deal, in the order of deals.

    Parameters
    ----------
    scored : DataFrame
    say : mapping
    names : DataFrame
        As :func:`board_names`.
    links : mapping of str to sequence of str
        For ``ns`` and ``ew`` where the names of each row lead.
    solved : DataFrame, optional
        Deals with their double-dummy tricks, as the command ``solve`` writes them.
    **shown_by
        As for :func:`shown_results`.

    Returns
    -------
    list of dict
    """
    order = traveller_order(scored)
    shown = without_empty(shown_results(scored, order, **shown_by))
    right = number_columns(shown)
    targets = {say[side]: np.array(links[side], object)[order] for side in links}
    deals = scored["deal_id"].to_numpy(np.int64)[order]
    starts = np.flatnonzero(np.append(True, deals[1:] != deals[:-1])[: deals.size]).tolist()
    ends = [*starts[1:], *[deals.size] * bool(starts)]
    facts = scored.iloc[order[starts]].reset_index(drop=True)
    cards = scored["deal"].groupby(scored["deal_id"]).first()
    worth = [("", "")] * len(starts) if solved is None else _worth(facts, cards, solved, say)
    found = []
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        own = {head: cells[start:end] for head, cells in targets.items()}
        found.append(
            _facts(facts.iloc[place], names, cards, say)
            | {"results": trusted(html_table(shown.iloc[start:end], right=right, links=own))}
            | {"tricks": trusted(worth[place][0]), "par": worth[place][1]}
        )
    return found


def _facts(row: pd.Series, names: pd.DataFrame, cards: pd.Series, say: Words) -> dict[str, Any]:
    """What is known of a deal before it is played."""
    deal, dealer, vul = row["deal_id"], row["dealer"], row["vul"]
    label, within = names.loc[deal]
    known = [
        within,
        "" if pd.isna(dealer) else say["dealer"].format(spell_seat(dealer, say)),
        "" if pd.isna(vul) else say[f"vul_{vul}"],
    ]
    sides = {"N": ("ns", "both"), "S": ("ns", "both"), "E": ("ew", "both"), "W": ("ew", "both")}
    return {
        "id": f"b{deal}",
        "title": say["board_one"].format(label),
        "facts": " · ".join(filter(None, known)),
        "hands": None if pd.isna(cards[deal]) else hands_by_suit(parse_deals(cards[deal])),
        "seats": [(seat, spell_seat(seat, say), not pd.isna(vul) and vul in sides[seat]) for seat in "NWES"],
    }


def _worth(facts: pd.DataFrame, cards: pd.Series, solved: pd.DataFrame, say: Words) -> list[tuple[str, str]]:
    """Of each deal the table of its double-dummy tricks, and its par; empty where it is not solved."""
    tricks = _tricks_of(facts, cards, solved)
    here = np.flatnonzero((tricks >= 0).all(axis=(1, 2)) & facts[["dealer", "vul"]].notna().all(axis=1).to_numpy())
    found = [("", "")] * len(facts)
    if not here.size:
        return found
    chosen = facts.iloc[here]
    score, contracts = par(tricks[here], chosen["dealer"].astype("str"), chosen["vul"].astype("str"))
    by_deal = dict(list(contracts.groupby("table")))
    heads = [*SUIT_SIGNS.values(), say["notrump"]]
    for place, deal in enumerate(here.tolist()):
        rows = {say["declarer"]: [spell_seat(seat, say) for seat in "NSEW"]}
        rows |= {head: tricks[deal, strain, [0, 2, 1, 3]].astype(str).tolist() for strain, head in enumerate(heads)}
        table = html_table(pd.DataFrame(rows, dtype="str"), caption=say["double_dummy"])
        found[deal] = table, _par_text(int(score[place]), by_deal[place], say)
    return found


def _par_text(score: int, contracts: pd.DataFrame, say: Words) -> str:
    """The par score and the contracts that reach it: ``Par: NS +420, 4♠ N S =``."""
    number = "+" * (score > 0) + numbers([score], digits=0)[0]
    grouped = contracts.astype({"contract": "str", "declarer": "str"}).groupby(
        ["contract", "result"], dropna=False, sort=False
    )
    texts = []
    for (contract, result), rows in grouped:
        if contract == "Pass":
            texts.append(say["passed"])
            continue
        seats = " ".join(spell_seat(seat, say) for seat in rows["declarer"])
        text = f"{spell_contract(str(contract), say)} {seats} {spell_result(int(str(result)))}"
        texts.append(text.replace(" ", "\u00a0"))  # it stays on one line
    return f"{say['par']}: {say['ns']} {number}, {', '.join(texts)}"


def _tricks_of(facts: pd.DataFrame, cards: pd.Series, solved: pd.DataFrame) -> Any:
    """The double-dummy tricks of each deal, shape (n, 5, 4), found by its cards, else by its board; -1 where not."""
    lost = [name for name in ("board", "deal", *_TRICKS) if name not in solved]
    if lost:
        raise ValueError(f"expected deals as the command solve writes them, got a table without {', '.join(lost)}")
    cells = solved[_TRICKS].fillna(-1).to_numpy(np.int64).reshape(-1, 5, 4)
    out = np.full((len(facts), 5, 4), -1, np.int64)
    texts = cards.reindex(facts["deal_id"])
    known = np.flatnonzero(texts.notna())
    if known.size:
        place = pd.Series(np.arange(len(solved)), deal_hash(parse_deals(solved["deal"])))
        place = place[~place.index.duplicated()].reindex(deal_hash(parse_deals(texts.iloc[known]))).fillna(-1)
        where = place.to_numpy(np.int64)
        out[known[where >= 0]] = cells[where[where >= 0]]
        return out
    by_board = pd.Series(np.arange(len(solved)), solved["board"])
    if by_board.index.has_duplicates or facts["board"].duplicated().any():
        raise ValueError("expected results with their cards, since several deals have one board number, got none")
    where = by_board.reindex(facts["board"]).fillna(-1).to_numpy(np.int64)
    out[where >= 0] = cells[where[where >= 0]]
    return out
