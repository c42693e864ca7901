"""What might have been: the same results with another contract, double or number of tricks, and their worth.

A counterfactual changes what it is told to and nothing else: the cards, the declarer, the other tables and, if nothing
is said of them, the tricks stay as they were. Whether the play would have gone the same way, nobody knows.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.comparison import cross_imps, matchpoints
from bridge_analytics.contracts import contract_reader, with_doubled
from bridge_analytics.datums import butler
from bridge_analytics.groups import group_codes
from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import CONTRACTS, EXPECTED_CONTRACT
from bridge_analytics.readers import read_all
from bridge_analytics.replaced import replaced_butler, replaced_cross_imps, replaced_matchpoints
from bridge_analytics.rules import Edition
from bridge_analytics.scored import Flags, Floats, aligned, check_aligned, check_scored, check_whole, word_codes
from bridge_analytics.scoring import score
from bridge_analytics.table import SCORED_COLUMNS, STATUSES, fixed_label

FIELD_FORMS = ("matchpoints", "butler", "cross_imps")
"""The forms of scoring that compare a result with all others of its deal."""

_KEPT = ("deal_id", "vulnerable", "score", "score_ns")
_PLAYED, _PASSED = STATUSES.index("played"), STATUSES.index("passed")
_NULL = 255  # what the reader puts where there is no contract


def what_if(
    results: pd.DataFrame,
    *,
    doubled: ArrayLike | None = None,
    contract: Any = None,
    tricks: ArrayLike | None = None,
    edition: AnyEdition = "duplicate-1987",
) -> pd.DataFrame:
    """The same results as if something else had been bid or made, scored again.

    Parameters
    ----------
    results : DataFrame
        As :func:`score_results` gives them.
    doubled : int or column of 0, 1, 2, optional
        The same contracts undoubled, doubled or redoubled, whatever they were. What was passed out stays passed out.
    contract : contract or column of contracts, optional
        Other contracts by the same declarer, with their own doubles; ``Pass`` for a deal passed out.
    tricks : int or column, optional
        Other tricks of declarer's side; those that were won by default. [tricks]
    edition : str, path or Edition

    Returns
    -------
    DataFrame
        Rows, index and columns as they were, but for ``contract``, ``declarer``, ``tricks``, ``status``,
        ``vulnerable``, ``score``, ``score_ns``; without the comparisons, which were those of the old scores: see
        :func:`against_field`. What had no score has none.

    Raises
    ------
    ValueError
        If nothing is changed, both `doubled` and `contract` are, a value cannot be read, or a deal that was passed out
        would be played: it has no declarer.

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1], "contract": ["2SX", "Pass"], "declarer": ["S", ""], "tricks": [8, 0]})
    >>> scored = score_results(read_results(evening))
    >>> what_if(scored, doubled=0)[["contract", "tricks", "score_ns"]]
      contract  tricks  score_ns
    0       2S       8       110
    1     Pass    <NA>         0
    """
    table = check_scored(results)
    if doubled is None and contract is None and tricks is None:
        raise ValueError("expected doubled, contract or tricks to be changed, got none of them")
    if doubled is not None and contract is not None:
        raise ValueError("expected doubled or contract, whose words say how they are doubled, got both")
    known = table["score"].notna().to_numpy()
    old = np.where(known, word_codes(table, "contract"), 0)
    if doubled is not None:
        new = with_doubled(old, np.where(known, _for_each(doubled, table, "doubled"), 0))
    else:
        new = old if contract is None else np.where(known, _contracts(contract, table, known), 0)
    seat = word_codes(table, "declarer")
    _check_declarers(new, seat)
    won = table["tricks"] if tricks is None else _for_each(tricks, table, "tricks")
    points = score(new, table["vulnerable"], won, edition=edition)
    changed = _new_columns(new, known, seat, won, points, table)
    gone = [name for name in SCORED_COLUMNS if name in table and name not in _KEPT]
    return table.drop(columns=gone).assign(**changed)


def against_field(
    results: pd.DataFrame,
    score_ns: ArrayLike,
    *,
    form: str,
    win: float = 2,
    percent: bool = False,
    datum: str | Edition = "datum-trimmed",
    imp_scale: str | Edition = "imps-1962",
) -> NDArray[np.float64]:
    """What each row would have had with another score, all other results of its deal as they were.

    Parameters
    ----------
    results : DataFrame
        As :func:`score_results` gives them, with all results of each deal.
    score_ns : column of numbers, a row each
        North-South's score of the row instead of its own; missing: not asked. [points]
    form : {"matchpoints", "butler", "cross_imps"}
    win, percent
        Of matchpoints: as in :func:`matchpoints`.
    datum, imp_scale
        Of IMPs: as in :func:`butler`. The datum is that of the field with the new score in it.

    Returns
    -------
    ndarray of float64, shape (n,)
        North-South's; with the row's own score it is the row's own comparison. NaN where no score is given, or the
        deal has no other result.
        [matchpoints, % or IMPs]

    Raises
    ------
    ValueError
        If the form does not compare with a field, the scores are not one for each result, or results of the field are
        lacking that were there when it was scored (as far as its matchpoints or cross-IMPs tell).

    Examples
    --------
    >>> from bridge_analytics.results import read_results, score_results
    >>> evening = pd.DataFrame({"board": [1, 1, 1], "contract": ["2SX", "2S", "Pass"], "declarer": ["S", "S", ""],
    ...                         "tricks": [8, 7, 0]})
    >>> scored = score_results(read_results(evening))
    >>> against_field(scored, what_if(scored, doubled=[0, 1, 0])["score_ns"], form="matchpoints")
    array([4., 0., 2.])
    """
    table = check_scored(results)
    check_whole(table)
    new = check_aligned(score_ns, table, "score_ns")
    return replaced(table, new, form=form, win=win, percent=percent, datum=datum, imp_scale=imp_scale)


def replaced(
    field: pd.DataFrame,
    new: Any,
    *,
    form: str,
    win: float = 2,
    percent: bool = False,
    datum: str | Edition,
    imp_scale: str | Edition,
) -> Floats:
    """The same of a field and scores that have been checked."""
    old, deals = field["score_ns"], field["deal_id"]
    if form == "matchpoints":
        return replaced_matchpoints(old, new, by=deals, win=win, percent=percent)
    if form == "cross_imps":
        return replaced_cross_imps(old, new, by=deals, edition=imp_scale)
    if form == "butler":
        return np.where(_alone(field), np.nan, replaced_butler(old, new, by=deals, datum=datum, edition=imp_scale))
    raise ValueError(f"expected a form among {', '.join(FIELD_FORMS)}, got {form!r}")


def over_others(
    field: pd.DataFrame, form: str, *, datum: str | Edition = "datum-trimmed", imp_scale: str | Edition = "imps-1962"
) -> Floats:
    """What each result has over the others of its deal, North-South's: IMPs, or percent of the top above 50."""
    scores, deals = field["score_ns"], field["deal_id"]
    if form == "matchpoints":
        return matchpoints(scores, by=deals, percent=True) - 50
    if form == "butler":
        return np.where(_alone(field), np.nan, butler(scores, by=deals, datum=datum, edition=imp_scale))
    return cross_imps(scores, by=deals, edition=imp_scale)


def _alone(field: pd.DataFrame) -> Flags:
    """Which results have no other of their deal to be compared with: a datum of their own score says nothing."""
    deals, count = group_codes(field["deal_id"])
    there = field["score_ns"].notna().to_numpy()
    return np.asarray(np.bincount(deals, there, count)[deals] - there < 1)


def _for_each(column: Any, table: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """A number for each row from a column of them, or from one for all."""
    return aligned(np.full(len(table), column) if np.ndim(column) == 0 else column, table, name)


def _contracts(contract: Any, table: pd.DataFrame, known: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The codes of new contracts, of which those that are wanted must be there."""
    if isinstance(contract, pd.Series) and not contract.index.equals(table.index):
        raise ValueError("expected contract with the index of the results, got a Series with another index")
    codes = read_all(contract_reader(contract, null=_NULL))
    if codes.shape not in ((), (1,), (len(table),)):
        raise ValueError(f"expected contract for each of {len(table)} results, got {codes.size}")
    codes = np.broadcast_to(codes, len(table))
    lost = known & (codes == _NULL)
    if lost.any():
        raise ValueError(f"expected {EXPECTED_CONTRACT}, got a missing value at position {int(lost.argmax())}")
    return codes


def _check_declarers(contracts: NDArray[Any], seat: NDArray[Any]) -> None:
    lost = (contracts > 0) & (seat < 0)
    if lost.any():
        place = int(lost.argmax())
        raise ValueError(
            f"expected a declarer for {CONTRACTS[contracts[place]]}, got a missing value at position {place} (a deal "
            "that was passed out)"
        )


def _new_columns(
    contracts: NDArray[Any], known: NDArray[np.bool_], seat: NDArray[Any], won: Any, points: NDArray[Any], table: Any
) -> dict[str, Any]:
    """The columns that change; what had no score stays as it was."""
    out = known & (contracts == 0)
    own_contract, own_status = (word_codes(table, name) for name in ("contract", "status"))
    tricks = pd.Series(won, table.index).astype("Int8").mask(out)
    return {
        "contract": fixed_label("contract", np.where(known, contracts, own_contract)),
        "declarer": fixed_label("declarer", np.where(out, -1, seat)),
        "tricks": tricks.where(known, table["tricks"]),
        "status": fixed_label("status", np.where(known, np.where(out, _PASSED, _PLAYED), own_status)),
        "vulnerable": table["vulnerable"].mask(out),
        "score": pd.arrays.IntegerArray(points, ~known),
        "score_ns": pd.arrays.IntegerArray(np.where(seat % 2 == 1, -points, points), ~known),
    }
