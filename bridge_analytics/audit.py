"""The audit of a selection: how the doubles of some results came about, measure by measure, with the codes S1 to S15.

It answers nothing by itself. It says how far the answers of :mod:`strategy` speak of the double, and how far of who
doubled, on which deals, and of what became of it before the play.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.auctions import KINDS, double_kind
from bridge_analytics.groups import group_codes
from bridge_analytics.matching import matched_cells
from bridge_analytics.scored import Flags, aligned_flags, check_scored, contract_codes, word_codes
from bridge_analytics.selection import CODES, cards_twice

Measure = tuple[str, str, float | None, float | None, float | None]
"""Code, measure, count, of, value."""

_BALANCED = ("vul", "dealer", "declarer", "level", "strain")
_TOP = 5  # one pair in so many


def selection_audit(scored: pd.DataFrame, asked: Any = None) -> pd.DataFrame:
    """What is known of how the doubles of these results came about.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives them, with all results of each deal.
    asked : column of bool, optional
        The contracts that the question is about, doubled or not; all by default.

    Returns
    -------
    DataFrame
        ``code, measure, count, of, share, value, warning``: a row for each measure. `share` is count over of, `value` a
        number that is no share; missing where the results cannot tell.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 2], "contract": ["2SX", "2S", "2S"], "declarer": ["S", "S", "S"],
    ...                         "tricks": [7, 7, 8]})
    >>> selection_audit(score_results(read_results(evening)))[["code", "measure", "count", "of"]].head(2)
      code                          measure  count   of
    0   S1  deals with any contract doubled    1.0  2.0
    1   S1         deals with these doubled    1.0  2.0
    """
    table = check_scored(scored)
    rows = _rows(table, asked)
    measures = [
        *_chosen(rows),
        *_elsewhere(rows),
        *_meanings(table, rows),
        *_told(table, rows),
        *_doublers(table, rows),
        *_data(table, rows),
        *_sizes(rows),
    ]
    found = pd.DataFrame(measures, columns=["code", "measure", "count", "of", "value"])
    found = found.sort_values("code", key=lambda code: code.map([*CODES].index), kind="stable", ignore_index=True)
    numbers = found[["count", "of", "value"]].astype(np.float64)
    found = found.assign(**numbers, warning=found["code"].map(CODES))
    found.insert(4, "share", np.where(numbers["of"] > 0, numbers["count"] / numbers["of"], np.nan))
    return found


def selection_balance(scored: pd.DataFrame, asked: Any = None) -> pd.DataFrame:
    """How the doubled contracts differ from the undoubled ones in what was known before the lead.

    Parameters
    ----------
    scored, asked
        As in :func:`selection_audit`.

    Returns
    -------
    DataFrame
        ``column`` (vul, dealer, declarer, level, strain), ``label``, ``doubled``, ``undoubled`` (shares of the
        results), ``difference`` in standard deviations of the two shares together.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 2], "contract": ["2SX", "2S", "2S"], "declarer": ["S", "S", "S"],
    ...                         "tricks": [7, 7, 8]})
    >>> selection_balance(score_results(read_results(evening))).head(2)
      column label  doubled  undoubled  difference
    0    vul  none      1.0        0.5    1.414214
    1    vul    ns      0.0        0.5   -1.414214
    """
    table = check_scored(scored)
    rows = _rows(table, asked)
    used = (rows["double"] | rows["plain"]).to_numpy()
    words = table["contract"].astype("str").str
    labels = table.assign(level=words[:1], strain=words[1:].str.rstrip("X"))[[*_BALANCED]].astype("str")[used]
    long = labels.assign(double=rows["double"][used].to_numpy()).melt("double", var_name="column", value_name="label")
    counts = long.groupby(["column", "label"], sort=False)["double"].agg(doubled="sum", undoubled="size")
    counts["undoubled"] -= counts["doubled"]
    found = (counts / [rows["double"].sum(), rows["plain"].sum()]).reset_index()
    spread = (found["doubled"] * (1 - found["doubled"]) + found["undoubled"] * (1 - found["undoubled"])) / 2
    return found.assign(difference=(found["doubled"] - found["undoubled"]) / np.sqrt(spread))


def _rows(table: pd.DataFrame, asked: Any) -> pd.DataFrame:
    """What the measures need of each row, without an index."""
    undoubled, doubled = contract_codes(table)
    among = undoubled >= 0
    if asked is not None:
        among &= aligned_flags(asked, table, "asked") == 1
    return pd.DataFrame(
        {
            "deal": group_codes(table["deal_id"])[0],
            "seat": word_codes(table, "declarer"),
            "undoubled": undoubled,
            "doubled": doubled,
            "down": (table["score"].fillna(0) < 0).to_numpy(),
            "scored": table["score"].notna().to_numpy(),
            "double": among & (doubled == 1),
            "plain": among & (doubled == 0),
            "redoubled": among & (doubled == 2),
            "among": among,
        }
    )


def _deals(rows: pd.DataFrame, which: Any) -> Flags:
    """Of each deal number, whether it has such a row."""
    return np.bincount(rows["deal"][which], minlength=int(rows["deal"].max() + 1 if len(rows) else 0)) > 0


def _chosen(rows: pd.DataFrame) -> Iterator[Measure]:
    deals = _deals(rows, slice(None)).sum()
    double, plain = _deals(rows, rows["double"]), _deals(rows, rows["plain"])
    yield "S1", "deals with any contract doubled", _deals(rows, rows["doubled"] > 0).sum(), deals, None
    yield "S1", "deals with these doubled", double.sum(), deals, None
    yield "S1", "deals with these doubled and undoubled", (double & plain).sum(), double.sum(), None
    alone = np.bincount(rows["deal"][rows["double"]]) == 1
    yield "S13", "deals with one doubled table alone", alone.sum(), double.sum(), None
    asked = rows.groupby("deal")[["double", "among"]].sum()
    share = (asked["double"] ** 2 / asked["among"].where(asked["among"] > 0)).sum() / max(rows["double"].sum(), 1)
    yield "S13", "share of these doubled on the deal of the average double", None, None, share


def _elsewhere(rows: pd.DataFrame) -> Iterator[Measure]:
    played = rows[rows["scored"]]
    on_deal = played.groupby("deal")["deal"].transform("size")
    alike = played.groupby(["deal", "undoubled", "seat"])["deal"].transform("size")
    other, all_others = ((on_deal - part)[played["double"]].sum() for part in (alike, 1))
    yield "S2", "other results in another contract or by another declarer", other, all_others, None
    declared, failed = _by_doublers(rows)
    yield "S15", "deals that the doublers' side declared at another table", (declared > 0).sum(), declared.size, None
    sacrifice = (rows["down"][rows["double"]].to_numpy()) & (declared > 0)
    phantom = sacrifice & (2 * failed > declared)
    yield "S5", "doubled and down where the doublers' side mostly failed too", phantom.sum(), sacrifice.sum(), None
    yield "S14", "redoubled", rows["redoubled"].sum(), (rows["double"] | rows["redoubled"]).sum(), None


def _by_doublers(rows: pd.DataFrame) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each double, how often the doublers' side declared on the deal, and how often it then went down."""
    bid = rows["undoubled"] >= 0
    side, theirs = rows["deal"] * 2 + rows["seat"] % 2, rows["deal"] * 2 + 1 - rows["seat"] % 2
    size = 2 * int(rows["deal"].max() + 1) if len(rows) else 0
    counts = (np.bincount(side[which], minlength=size) for which in (bid, bid & rows["down"]))
    declared, failed = (count[theirs[rows["double"]]] for count in counts)
    return declared, failed


def _meanings(table: pd.DataFrame, rows: pd.DataFrame) -> Iterator[Measure]:
    known = table["auction"].notna().to_numpy()
    undoubled = known & (rows["doubled"] == 0)
    pulled = table["auction"].str.contains(r"\bX\b", na=False).to_numpy() & undoubled
    yield "S3", "undoubled, though doubled in the auction", pulled.sum() if known.any() else None, undoubled.sum(), None
    kinds = double_kind(table)[rows["double"]]
    for kind in KINDS[1:]:
        yield "S4", f"doubles: {kind}", (kinds == kind).sum(), kinds.size, None


def _told(table: pd.DataFrame, rows: pd.DataFrame) -> Iterator[Measure]:
    cells = matched_cells(table[rows["among"].to_numpy()], "doubled", forms=("tricks",))
    with_double = len(rows.loc[rows["double"], ["deal", "undoubled", "seat"]].drop_duplicates())
    yield "S1", "cells (deal, contract, declarer) doubled and undoubled", len(cells), with_double, None
    mean = cells["tricks"].mean()
    yield "S6", "tricks doubled less undoubled, mean of these cells", None, None, mean
    contracts = rows["undoubled"][rows["double"]].nunique()
    yield "S11", "different contracts doubled", None, None, contracts


def _doublers(table: pd.DataFrame, rows: pd.DataFrame) -> Iterator[Measure]:
    """How unevenly the doubles are spread over the pairs that might have made them."""
    players = table[["north", "east", "south", "west"]].astype("str").to_numpy(dtype=object)
    seat = rows["seat"].to_numpy()
    two = pd.DataFrame({number: players[np.arange(len(seat)), (seat + number) % 4] for number in (1, 3)})
    used = rows["among"].to_numpy() & two.notna().all(axis=1).to_numpy()
    two = two[used]
    pair = {"event": table["event"].to_numpy()[used], "one": two.min(axis=1), "other": two.max(axis=1)}
    made = rows["double"][used].groupby(group_codes(pd.DataFrame(pair))[0]).sum().sort_values(ascending=False)
    top = made.iloc[: -(-len(made) // _TOP)].sum()
    yield "S7", "doubles by the fifth of the pairs that doubled most", top if len(made) else None, made.sum(), None


def _data(table: pd.DataFrame, rows: pd.DataFrame) -> Iterator[Measure]:
    size = len(table)
    yield "S8", "passed out, with a score of 0", (table["status"] == "passed").sum(), size, None
    yield "S8", "without a score, left out", (~rows["scored"]).sum(), size, None
    yield "S9", "vulnerability from the board number", (table["vul_source"] == "board").sum(), size, None
    twice, known = cards_twice(table)
    yield "S10", "deals whose cards come again", twice if known else None, known, None


def _sizes(rows: pd.DataFrame) -> Iterator[Measure]:
    down = rows[rows["double"]].groupby("deal")["down"].mean()
    many = rows.loc[rows["double"], "down"]
    yield "S12", "doubled contracts that went down, by result", many.sum(), many.size, None
    yield "S12", "doubled contracts that went down, by board", None, None, down.mean()
