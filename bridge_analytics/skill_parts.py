"""A result taken apart, row by row: what the bidding brought, what the play brought, and what was luck.

Each part is a step from one score to the next, all of them measured against the same field, so that they add up to what
the result was worth. See :mod:`bridge_analytics.luck` for the contestants.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.columns import text_codes
from bridge_analytics.counterfactuals import FIELD_FORMS, over_others, replaced
from bridge_analytics.groups import group_codes
from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import SEATS, STRAINS
from bridge_analytics.par import par_score
from bridge_analytics.rules import Edition
from bridge_analytics.scored import Floats, aligned, check_scored, check_whole, own_scores, word_codes
from bridge_analytics.scoring import score
from bridge_analytics.seatings import numbered

AGAINST = ("strain", "double_dummy", "par")
"""What bidding and play are measured against."""

TRICK_COLUMNS = tuple(f"tricks_{seat}_{strain}" for strain in STRAINS for seat in SEATS)
"""The double-dummy tricks of a solved deal, as the command ``solve`` writes them."""

PARTS = ("result_ns", "bidding_ns", "play_ns", "luck_ns")
_TRICKS = 14


def parts(
    scored: pd.DataFrame,
    *,
    against: str = "strain",
    form: str = "cross_imps",
    dd_tricks: ArrayLike | str = "dd_tricks",
    solved: pd.DataFrame | None = None,
    edition: AnyEdition = "duplicate-1987",
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """Bidding, play and luck of every result, as North-South see them.

    Parameters
    ----------
    scored : DataFrame
        As :func:`score_results` gives it, with all results of each deal.
    against : {"strain", "double_dummy", "par"}
        ``strain``: bidding is the contract with the tricks that the declarers of that side in that strain won on
        average, play is the rest; luck cannot be told apart from results alone, and is missing. ``double_dummy``:
        bidding compares contracts at double-dummy tricks with the others at theirs, play is what was won or lost
        against these tricks, luck how the others fared. ``par``: bidding is the step from par to the contract at
        double-dummy tricks, play the step from there to the result, luck what par itself was worth against this field.
    form : {"cross_imps", "butler", "matchpoints"}
        In IMPs, or in percent of the top above 50.
    dd_tricks : column of int, or the name of one
        Double-dummy tricks of the declarer in the strain played, a row each; not needed with ``solved``. [tricks]
    solved : DataFrame, optional
        ``deal`` and the twenty columns ``tricks_N_C`` … ``tricks_W_NT``, as ``bridge-analytics solve`` writes them;
        needed for ``par``.
    edition, datum, imp_scale : str, path or Edition
        As in :func:`score_results`.

    Returns
    -------
    DataFrame, the index of ``scored``
        ``result_ns`` (over the others), and what adds up to it: ``bidding_ns``, ``play_ns``, ``luck_ns``. Missing where
        there is no score, no other result, or the cards are not solved. East-West's are the opposite.
        [IMPs, or percent above 50]

    Raises
    ------
    ValueError
        If the table is not scored or not whole, an option is not known, or the tricks asked for are not there.

    Notes
    -----
    A deal that was passed out is all bidding. A declarer alone in the strain has only the own tricks to go by, so that
    its play is 0. Source of ``strain``: the method of the Valet programme (github.com/valet-bridge/valet).

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["4S", "3S", "4S"], "declarer": ["S", "S", "N"],
    ...                         "tricks": [10, 9, 9]})
    >>> parts(score_results(read_results(evening))).round(2)
       result_ns  bidding_ns  play_ns  luck_ns
    0        8.5        1.17     7.33      NaN
    1       -1.0       -0.67    -0.33      NaN
    2       -7.5       -3.83    -3.67      NaN
    """
    if against not in AGAINST:
        raise ValueError(f"expected against among {', '.join(AGAINST)}, got {against!r}")
    if form not in FIELD_FORMS:
        raise ValueError(f"expected a form among {', '.join(FIELD_FORMS)}, got {form!r}")
    table = check_scored(scored)
    check_whole(table)
    how: dict[str, Any] = {"form": form, "datum": datum, "imp_scale": imp_scale}
    result = over_others(table, **how)
    if against == "strain":
        bidding = _by_the_strain(table, how, edition)
        luck = np.full(len(table), np.nan)
        play = result - bidding
    else:
        tricks = _own_tricks(table, dd_tricks) if solved is None else _solved_tricks(table, solved)
        reached = _score_with(table, tricks, edition)
        contract = _in_the_field(table, reached, how)
        if against == "par":
            luck = _in_the_field(table, _par(table, solved, edition), how)
        else:
            luck = contract - over_others(table.assign(score_ns=reached), **how)
        bidding, play = contract - luck, result - contract
    columns = dict(zip(PARTS, (result, bidding, play, luck), strict=True))
    return pd.DataFrame(columns, index=table.index)


def _in_the_field(table: pd.DataFrame, score_ns: Floats, how: dict[str, Any]) -> Floats:
    """What another score would be worth against the results of the others."""
    worth = replaced(table, score_ns, percent=True, **how)
    return worth - 50 if how["form"] == "matchpoints" else worth


def _score_with(table: pd.DataFrame, tricks: Floats, edition: AnyEdition) -> Floats:
    """North-South's score of each contract with other tricks; passed out stays 0, unknown tricks have no score."""
    contract, seat = word_codes(table, "contract").astype(np.int64), word_codes(table, "declarer")
    out = own_scores(table)
    bid = (contract > 0) & ~np.isnan(out)
    out[bid] = np.nan
    rows = np.flatnonzero(bid & ~np.isnan(tricks))
    vulnerable = table["vulnerable"].to_numpy(dtype=np.bool_, na_value=False)
    points = score(contract[rows], vulnerable[rows], tricks[rows].astype(np.int8), edition=edition)
    out[rows] = np.where(seat[rows] % 2 == 1, -points, points)
    return out


def _by_the_strain(table: pd.DataFrame, how: dict[str, Any], edition: AnyEdition) -> Floats:
    """The mean worth of each contract over the tricks of all declarers of its side in its strain."""
    total = np.zeros(len(table))
    for share, tricks in _tricks_of_the_strain(table):
        worth = _in_the_field(table, _score_with(table, np.where(share > 0, tricks, np.nan), edition), how)
        total += np.where(share > 0, share * worth, 0)
    bid = (word_codes(table, "contract") > 0) & table["score"].notna().to_numpy()
    return np.where(bid, total, over_others(table, **how))


def _tricks_of_the_strain(table: pd.DataFrame) -> Iterator[tuple[Floats, int]]:
    """For each number of tricks, the share of those who declared the row's deal, side and strain that won so many."""
    contract, seat = word_codes(table, "contract").astype(np.int64), word_codes(table, "declarer")
    bid = (contract > 0) & table["score"].notna().to_numpy()
    strain = np.where(bid, (contract - 1) // 3 % 5, -1)
    alike, count = group_codes(pd.DataFrame({"deal": table["deal_id"], "strain": strain, "side": seat % 2}))
    tricks = table["tricks"].to_numpy(dtype=np.int64, na_value=0)
    won = np.bincount((alike * _TRICKS + tricks)[bid], minlength=count * _TRICKS).reshape(count, _TRICKS)
    share = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    for number in range(_TRICKS):
        if won[:, number].any():
            yield np.where(bid, share[alike, number], 0.0), number


def _own_tricks(table: pd.DataFrame, dd_tricks: ArrayLike | str) -> Floats:
    if isinstance(dd_tricks, str):
        if dd_tricks not in table:
            raise ValueError(f"expected double-dummy tricks as a column {dd_tricks!r}, or solved deals, got neither")
        dd_tricks = table[dd_tricks]
    tricks = aligned(dd_tricks, table, "dd_tricks")
    wrong = ~np.isnan(tricks) & ~np.isin(tricks, np.arange(_TRICKS))
    if wrong.any():
        place = int(wrong.argmax())
        raise ValueError(f"expected dd_tricks 0-13 or missing, got {tricks[place].item()!r} at position {place}")
    return tricks


def _tables(table: pd.DataFrame, solved: Any) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """For each row its place among the solved deals (-1: none), and their tricks by strain and declarer."""
    lost = [name for name in ("deal", *TRICK_COLUMNS) if not isinstance(solved, pd.DataFrame) or name not in solved]
    if lost:
        raise ValueError(f"expected solved deals with the columns deal and tricks_N_C …, got none named {lost[0]!r}")
    known = solved.dropna(subset=["deal", *TRICK_COLUMNS]).drop_duplicates("deal")
    words, codes = text_codes(table["deal"])
    found = np.append(pd.Index(known["deal"].astype("str")).get_indexer(pd.Index(words, dtype="str")), -1)
    cells = known[list(TRICK_COLUMNS)].to_numpy(np.int8).reshape(-1, len(STRAINS), len(SEATS))
    return found[codes].astype(np.int64), cells


def _solved_tricks(table: pd.DataFrame, solved: pd.DataFrame) -> Floats:
    place, cells = _tables(table, solved)
    contract, seat = word_codes(table, "contract").astype(np.int64), word_codes(table, "declarer").astype(np.int64)
    known = (place >= 0) & (contract > 0) & (seat >= 0)
    tricks = np.full(len(table), np.nan)
    tricks[known] = cells[place[known], (contract[known] - 1) // 3 % 5, seat[known]]
    return tricks


def _par(table: pd.DataFrame, solved: pd.DataFrame | None, edition: AnyEdition) -> Floats:
    """North-South's par score of each row's board; missing where its cards, dealer or vulnerability are."""
    if solved is None:
        raise ValueError("expected solved deals for against='par', got None: bridge-analytics solve makes them")
    place, cells = _tables(table, solved)
    dealer, vul = (word_codes(table, name).astype(np.int64) for name in ("dealer", "vul"))
    known = np.flatnonzero((place >= 0) & (dealer >= 0) & (vul >= 0))
    boards = pd.DataFrame({"place": place[known], "dealer": dealer[known], "vul": vul[known]})
    codes, first = numbered(boards)
    one = boards.iloc[first]
    found = par_score(cells[one["place"]], one["dealer"].to_numpy(), one["vul"].to_numpy(), edition=edition)
    par = np.full(len(table), np.nan)
    par[known] = np.asarray(found)[codes]
    return par
