"""Decisions and their odds: when it pays to double, to redouble, to bid game or slam, to sacrifice, to compete.

A decision is between two actions, the base and the new one. Each result that can come has a score under either; the
new less the base is the swing. A break-even set says how likely a contract must be to go down, or to make, for the new
action to gain on average. All of it is arithmetic on the laws of scoring, and says nothing about any played board.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.actions import ACTIONS, against_whom, level_of, together, two_contracts, two_results
from bridge_analytics.comparison import board_a_match
from bridge_analytics.imp_scale import imps
from bridge_analytics.laws import AnyEdition
from bridge_analytics.mixes import FAILING, MAKING, Mixes, mix_table
from bridge_analytics.readers import number_values
from bridge_analytics.rubber_equity import worth_to_declarer
from bridge_analytics.rules import Edition
from bridge_analytics.table import fixed_label

FORMS = ("points", "imps", "matchpoints", "rubber")
SIDES = ("declarer", "defenders")
ROUNDING = 1e-9  # of a mean swing: what floating point leaves of one that is zero


def decision_table(
    contract: Any,
    *,
    vulnerable: Any,
    action: str = "double",
    form: str = "imps",
    base: Any = None,
    base_vulnerable: Any = None,
    results: Iterable[int] | None = None,
    other: Iterable[int] | None = None,
    total_tricks: int | None = None,
    field_share: ArrayLike | None = None,
    field_score: ArrayLike | None = None,
    equity: pd.DataFrame | None = None,
    other_vulnerable: Any = None,
    side: str | None = None,
    edition: AnyEdition = "duplicate-1987",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """Scores of both actions for every result, and the swing between them.

    Parameters
    ----------
    contract : contract or column of contracts
        What is doubled, as it stands undoubled; what is redoubled, as it stands doubled; else what the new action bids.
    vulnerable : bool or column
        Whether its declarer's side is vulnerable.
    action : {"double", "redouble", "game", "slam", "sacrifice", "compete"}
    form : {"points", "imps", "matchpoints", "rubber"}
    base : contract or column, optional
        What is played without the action. Game: by default the highest partscore of the strain; slam: the lowest game,
        under a grand slam the small slam. Sacrifice and compete: the contract of the other side.
    base_vulnerable : bool or column, optional
        Whether that other side is vulnerable.
    results : iterable of int, optional
        Results of the contract that ``p`` is about; all it can have by default. [tricks over or under]
    other : iterable of int, optional
        Sacrifice and compete: the results of the other of the two contracts, each with each of `results`.
    total_tricks : int, optional
        Instead of `other`: tricks of both contracts together, so that the one takes what the other leaves.
    field_share, field_score : float or column, optional
        Matchpoints: the share of the other tables that have this score (of the side that is looked at, `side`); the
        rest take the base action with the same result. All of them do by default. [0 to 1], [points]
    equity : DataFrame, optional
        Rubber, under an `edition` of it: what :func:`rubber_equity` says of every state; nobody has a part-score.
    other_vulnerable : bool or column, optional
        Rubber, where the same side plays either contract: whether its opponents are vulnerable.
    side : {"declarer", "defenders"}, optional
        The side looked at, of `contract`; by default the one that decides.
    edition, imp_scale : str, path or Edition

    Returns
    -------
    DataFrame
        Row by row of `contract`, a row for each result: ``action, against, side, form, p, contract, vulnerable, base,
        base_vulnerable, field_share, field_score, result, base_result, event, score_base, score_new, swing``.
        Contracts stand as they are played, after the double. ``event`` says whether the result is one of those that
        ``p`` is the probability of. [points; swing: points, IMPs, or matchpoints a table, 1 for a win]

    Raises
    ------
    ValueError
        If a value is missing or cannot be, or an option is missing or of no use to the action or form.

    Notes
    -----
    IMPs are against a team-mate's table that took the base action and as many tricks. The field at matchpoints is a
    model, not a law: two kinds of tables and nothing between.

    Examples
    --------
    >>> table = decision_table("3S", vulnerable=False, results=[-2, -1, 0])
    >>> table[["base", "contract", "result", "score_base", "score_new", "swing"]]
      base contract  result  score_base  score_new  swing
    0   3S      3SX      -2         100        300    5.0
    1   3S      3SX      -1          50        100    2.0
    2   3S      3SX       0        -140       -530   -9.0
    """
    if form not in FORMS:
        raise ValueError(f"expected a form among {', '.join(FORMS)}, got {form!r}")
    contracts = two_contracts(contract, vulnerable, action, base, base_vulnerable, edition)
    facing = against_whom(contracts, action, form == "rubber", equity, other_vulnerable)
    columns = together(*contracts, *_field(form, field_share, field_score), *facing)
    tricks, base_tricks = two_results(
        columns[0], columns[2], action=action, results=results, other=other, total_tricks=total_tricks
    )
    code, flag, base_code, base_flag, share, fixed, other, base_other = (
        column.repeat(tricks.shape[1]) for column in columns
    )
    tricks, base_tricks = tricks.reshape(-1), base_tricks.reshape(-1)
    against, base_sign, new_sign, p = ACTIONS[action]
    side, seen = _side(side, new_sign)
    score_base = seen * base_sign * worth_to_declarer(base_code, base_flag, base_tricks, base_other, equity, edition)
    score_new = seen * new_sign * worth_to_declarer(code, flag, tricks, other, equity, edition)
    result, base_result = tricks - 6 - level_of(code), base_tricks - 6 - level_of(base_code)
    return pd.DataFrame(
        {"action": action, "against": against, "side": side, "form": form, "p": p}
        | {"contract": fixed_label("contract", code), "vulnerable": flag}
        | {"base": fixed_label("contract", base_code), "base_vulnerable": base_flag}
        | {"field_share": share, "field_score": fixed, "result": result, "base_result": base_result}
        | {"event": ((base_result if action == "sacrifice" else result) < 0) == (p == "P(down)")}
        | {"score_base": score_base, "score_new": score_new}
        | {"swing": _swing(form, score_base, score_new, share, fixed, imp_scale)}
    )


def break_even(
    contract: Any,
    *,
    vulnerable: Any,
    action: str = "double",
    form: str = "imps",
    base: Any = None,
    base_vulnerable: Any = None,
    down: Mixes = FAILING,
    made: Mixes = MAKING,
    other: Mixes | None = None,
    total_tricks: int | None = None,
    field_share: ArrayLike | None = None,
    field_score: ArrayLike | None = None,
    equity: pd.DataFrame | None = None,
    other_vulnerable: Any = None,
    side: str | None = None,
    edition: AnyEdition = "duplicate-1987",
    imp_scale: str | Edition = "imps-1962",
) -> pd.DataFrame:
    """The probabilities at which an action pays, for each mix of results.

    Parameters
    ----------
    contract, vulnerable, action, form, base, base_vulnerable
        As in :func:`decision_table`.
    down, made : mix, or dict of names to mixes
        How the contract that ``p`` is about goes down when it does (undertricks from 1), and is made when it is
        (overtricks from 0): shares or counts, as in ``down={1: 0.6, 2: 0.3, 3: 0.1}``; every pair of mixes is tried.
    other : mix, or dict of names to mixes, optional
        Sacrifice and compete: how the other contract comes out, such as ``{-2: 1}``, whether this one makes or not.
    total_tricks, field_share, field_score, equity, other_vulnerable, side, edition, imp_scale
        As in :func:`decision_table`.

    Returns
    -------
    DataFrame
        Row by row of `contract`, a row for each choice of mixes: the columns of :func:`decision_table` down to
        ``field_score``, then ``down, made, other`` (names of the mixes), ``swing_down, swing_made`` (means if the
        contract that ``p`` is about goes down, is made), ``low, high, kind`` and ``moved``.
        The action gains on average for ``p`` between ``low`` and ``high``; at an end that is not 0 or 1 it breaks even.
        ``kind`` is ``interval``, ``always`` (0 to 1) or ``none`` (NaN: it never gains, at best loses nothing).
        ``moved`` is how far that end is from that of the first mixes, NaN where one of them has none.

    Raises
    ------
    ValueError
        As :func:`decision_table`, or if a mix cannot be read or has a result that a contract cannot.

    Notes
    -----
    Mean swing = p x swing if it happens + (1 - p) x swing if not, a straight line in p. The default mixes: one down or
    60/30/10 when it goes down, exactly made when it makes; their source stands in :mod:`mixes`.

    Examples
    --------
    >>> break_even("3S", vulnerable=False)[["p", "down", "swing_down", "swing_made", "low", "high", "kind"]].round(3)
             p      down  swing_down  swing_made    low  high      kind
    0  P(down)  one down         2.0        -9.0  0.818   1.0  interval
    1  P(down)  60/30/10         3.5        -9.0  0.720   1.0  interval
    >>> break_even(["4S", "3NT"], vulnerable=[True, False], action="game", down={1: 1})["low"].round(4).tolist()
    [0.375, 0.4545]
    """
    failing, making = mix_table(down, name="undertricks", low=1), mix_table(made, name="overtricks", low=0)
    facing = None if other is None else mix_table(other, name="results", low=-13)
    results = [*-failing.index, *making.index]
    table = decision_table(
        contract,
        vulnerable=vulnerable,
        action=action,
        form=form,
        base=base,
        base_vulnerable=base_vulnerable,
        results=results,
        other=None if facing is None else facing.index,
        total_tricks=total_tricks,
        field_share=field_share,
        field_score=field_score,
        equity=equity,
        other_vulnerable=other_vulnerable,
        side=side,
        edition=edition,
        imp_scale=imp_scale,
    )
    if facing is None:
        facing = pd.DataFrame({"same tricks" if total_tricks is None else f"{total_tricks} in all": [1.0]})
    mixes = [*product(failing, making, facing)]
    swing = table["swing"].to_numpy().reshape(-1, len(results), len(facing))
    if_down, if_made = _means(swing, failing.to_numpy(), making.to_numpy(), facing.to_numpy())
    odds = _odds(if_down, if_made) if ACTIONS[action][3] == "P(down)" else _odds(if_made, if_down)
    heads = table.loc[:: len(results) * len(facing), :"field_score"]
    rows = heads.loc[heads.index.repeat(len(mixes))].reset_index(drop=True)
    for name, labels in zip(("down", "made", "other"), zip(*mixes, strict=True), strict=True):
        rows[name] = np.tile(labels, len(heads))
    numbers = {"swing_down": if_down, "swing_made": if_made, **odds}
    return rows.assign(**{name: column.reshape(-1) for name, column in numbers.items()})


def _means(
    swing: NDArray[Any], failing: NDArray[Any], making: NDArray[Any], facing: NDArray[Any]
) -> list[NDArray[np.float64]]:
    """Mean swings if a contract goes down and if it is made, questions by mixes, of the swings of each result."""
    mixed = swing @ facing
    if_down = np.einsum("qro,rd->qdo", mixed[:, : len(failing)], failing)[:, :, None]
    if_made = np.einsum("qro,rm->qmo", mixed[:, len(failing) :], making)[:, None]
    mixes = failing.shape[1] * making.shape[1] * facing.shape[1]
    return [mean.reshape(-1, mixes) for mean in np.broadcast_arrays(if_down, if_made)]


def _odds(happens: NDArray[np.float64], not_so: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    """The p between 0 and 1 at which p x happens + (1 - p) x not_so is over 0; questions by mixes."""
    gain, loss = (np.where(abs(swing) < ROUNDING, 0.0, swing) for swing in (happens, not_so))
    never, always = (gain <= 0) & (loss <= 0), (gain >= 0) & (loss >= 0)
    turns = ~never & ~always
    root = np.divide(loss, loss - gain, out=np.full(gain.shape, np.nan), where=turns)
    return {
        "low": np.where(turns & (gain > 0), root, np.where(never, np.nan, 0.0)),
        "high": np.where(turns & (gain < 0), root, np.where(never, np.nan, 1.0)),
        "kind": np.select([never, always], ["none", "always"], "interval"),
        "moved": root - root[:, :1],
    }


def _swing(
    form: str, base: NDArray[Any], new: NDArray[Any], share: NDArray[Any], fixed: NDArray[Any], scale: Any
) -> NDArray[np.float64]:
    """What the new action gains on the base: points, IMPs, or matchpoints against both kinds of tables of the field."""
    if form in ("points", "rubber"):
        return np.asarray(new - base, np.float64)
    if form == "imps":
        return imps(new - base, edition=scale).astype(np.float64)
    there = np.where(share > 0, fixed, 0.0)
    on_fixed = board_a_match(new - there) - board_a_match(base - there)
    return np.asarray((1 - share) * (board_a_match(new - base) - 0.5) + share * on_fixed)


def _field(form: str, share: ArrayLike | None, fixed: ArrayLike | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Share and score of the tables with a fixed score, flat; NaN where there is no field or no such table."""
    if share is None and fixed is None:
        return np.array([0.0 if form == "matchpoints" else np.nan]), np.array([np.nan])
    if form != "matchpoints" or share is None or fixed is None:
        raise ValueError(f"expected field_share and field_score together and at matchpoints, got form {form!r}")
    shares, points = _numbers(share, "field_share"), _numbers(fixed, "field_score")
    wrong = (shares < 0) | (shares > 1)
    if wrong.any():
        place = int(wrong.argmax())
        raise ValueError(f"expected field_share from 0 to 1, got {shares[place].item()!r} at position {place}")
    return shares, points


def _numbers(column: ArrayLike, name: str) -> NDArray[Any]:
    values, missing = number_values(column, name=name)
    if missing is not None and missing.any():
        raise ValueError(f"expected {name} as a number, got a missing value at position {int(missing.argmax())}")
    return values


def _side(side: str | None, sign: int) -> tuple[str, int]:
    """The side looked at, and 1 if it is the one that decides, else -1."""
    own = SIDES[sign < 0]
    if side is not None and side not in SIDES:
        raise ValueError(f"expected a side among {', '.join(SIDES)}, got {side!r}")
    return side or own, 1 if side in (None, own) else -1
