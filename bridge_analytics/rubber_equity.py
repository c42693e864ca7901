"""What a position at rubber bridge is worth: the margin to expect of every state, from any table of deal outcomes.

The states of a rubber and what deals bring make a Markov chain; expectations are solutions of sparse linear equations.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.contracts import contract_reader
from bridge_analytics.laws import AnyEdition, score_table
from bridge_analytics.readers import flag_reader, number_reader, number_values, read_all
from bridge_analytics.rubber_deals import Columns, sides_of
from bridge_analytics.rubber_states import NS, rubber_laws, rubber_moves, steps, symbols
from bridge_analytics.rules import Edition
from bridge_analytics.scoring import score

Adapt = Callable[[pd.DataFrame, pd.Series], pd.DataFrame]

STATE_COLUMNS = ("games_ns", "games_ew", "part_ns", "part_ew")
_EITHER = 2  # code of a missing vulnerability: the outcome can come whether or not declarer's side is vulnerable


def rubber_equity(
    model: pd.DataFrame, *, edition: AnyEdition = "rubber-1993", adapt: Adapt | None = None
) -> pd.DataFrame:
    """Expected final margin of every state of a rubber, with its spread.

    Parameters
    ----------
    model : DataFrame
        A row for each outcome of a deal: ``contract`` and ``tricks``; ``weight``, its share or count (each row counts
        once without it); ``vulnerable``, declarer's side, for an outcome that belongs to one vulnerability; ``side``
        (``NS EW``). Without sides either side declares equally often, and the outcomes of one vulnerability are its
        mix. With sides the weights of what can come in a state say who declares how often, too.
    edition : str, path or Edition
        The law; see :func:`editions`.
    adapt : function of (model, state) to model, optional
        Called for each state, a Series of ``games_ns games_ew part_ns part_ew``, for the outcomes of deals in it.

    Returns
    -------
    DataFrame
        A row a state before a deal: ``games_ns games_ew part_ns part_ew``; ``margin_ns``, what North-South are to win
        from here on, less what East-West are, premium of the rubber and all; ``sd``, its standard deviation [points];
        ``win_ns``, the probability that they are the side with two games; ``deals``, how many are to come; ``edition``,
        the name of the law.

    Raises
    ------
    ValueError
        If the model has no outcomes for a state, weights that are negative, or no way to end a rubber.

    Notes
    -----
    One model for all states leaves out that bidding adapts to the part-score: with 60 a side stops in 2C, and the
    other side competes. It understates what part-scores are worth; ``adapt`` is the hook for a model that knows
    better. Honours are not counted. V = r + PV; the second moment from the same equations.

    Examples
    --------
    >>> games = pd.DataFrame({"contract": ["3NT"], "tricks": [9]})  # whoever it is, a game
    >>> equity = rubber_equity(games)
    >>> equity.loc[equity["part_ns"].eq(0) & equity["part_ew"].eq(0), ["games_ns", "games_ew", "margin_ns"]].round(6)
         games_ns  games_ew  margin_ns
    0           0         0        0.0
    100         0         1     -350.0
    200         1         0      350.0
    300         1         1        0.0
    """
    laws = rubber_laws(edition)
    moves = rubber_moves(laws, split=False)
    states = _states(laws)
    moments = _deal_moments(model, laws, states, adapt)
    chance, after = moments[0], moves["after"][:-1]
    bonus = (moves["premium_ns"] - moves["premium_ew"])[:-1]
    solve = _solver(chance, after, moves["rubber_over"][:-1])
    gained = (moments[1] + bonus * chance).sum(axis=1)
    margin = solve(gained)
    later = np.append(margin, 0.0)[after]
    squares = moments[2] + 2 * bonus * moments[1] + bonus**2 * chance + 2 * (moments[1] + bonus * chance) * later
    spread = solve(squares.sum(axis=1)) - margin**2
    won = moves["rubber_over"][:-1] & (moves["game"][:-1] == NS)
    found = {"margin_ns": margin, "sd": np.sqrt(np.maximum(spread, 0.0)), "win_ns": solve((chance * won).sum(axis=1))}
    return states.assign(**found, deals=solve(np.ones(len(states))), edition=laws.name)


def _states(laws: Edition) -> pd.DataFrame:
    """Every state before a deal, in the order of their numbers."""
    unit, game = steps(laws)
    numbers = np.indices((2, 2, game, game)).reshape(4, -1) * np.array([1, 1, unit, unit])[:, None]
    return pd.DataFrame(dict(zip(STATE_COLUMNS, numbers, strict=True)))


def _deal_moments(model: pd.DataFrame, laws: Edition, states: pd.DataFrame, adapt: Adapt | None) -> NDArray[np.float64]:
    """Chance, mean and mean square of the margin of a deal (over what cannot come: 0), by state and symbol."""
    vul = (2 * states["games_ns"] + states["games_ew"]).to_numpy()
    if adapt is None:
        return _by_vulnerability(model, laws)[:, vul]
    each = zip(vul, states.iterrows(), strict=True)
    found = [_by_vulnerability(adapt(model, state), laws)[:, games] for games, (_, state) in each]
    return np.stack(found, axis=1)


def _by_vulnerability(model: pd.DataFrame, laws: Edition) -> NDArray[np.float64]:
    """The moments by what games there are (none, East-West, North-South, both) and symbol."""
    outcomes = _outcomes(model)
    contract, tricks, side = outcomes["contract"], outcomes["tricks"], outcomes["side"]
    symbol = symbols(laws)[(side * np.intp(106) + contract) * 14 + tricks]
    found = np.zeros((3, 4, 2 * steps(laws)[1] + 1))
    for games in range(4):
        vulnerable = np.where(side == NS, games >> 1, games & 1)
        comes = (outcomes["vulnerable"] == _EITHER) | (outcomes["vulnerable"] == vulnerable)
        weight = np.where(comes, outcomes["weight"], 0.0)
        share = _shares(weight, side if outcomes["halves"] else np.zeros_like(side))
        margin = np.where(side == NS, 1, -1) * score_table(laws)[contract, vulnerable, tricks].astype(np.float64)
        for power in range(3):
            found[power, games] = np.bincount(symbol, share * margin**power, found.shape[2])
    return found


def _shares(weight: NDArray[np.float64], side: NDArray[Any]) -> NDArray[np.float64]:
    """Weights as probabilities, each side as often as the other where they are told apart."""
    sums = np.bincount(side, weight)
    if not sums.all():
        raise ValueError("expected outcomes for every vulnerability, got none or only weights of 0 for one of them")
    return np.asarray(weight / sums[side] / sums.size)


def _outcomes(model: pd.DataFrame) -> dict[str, Any]:
    """The columns of a model, checked; each outcome for either side where it names none."""
    lost = [name for name in ("contract", "tricks") if not isinstance(model, pd.DataFrame) or name not in model]
    if lost or not len(model):
        raise ValueError(f"expected a model with contract and tricks, got {f'no {lost[0]}' if lost else 'no outcome'}")
    contract = read_all(contract_reader(model["contract"]))
    bid = contract > 0
    tricks = read_all(number_reader(model["tricks"].where(bid, 0), name="tricks", low=0, high=13))
    weight, missing = number_values(model["weight"] if "weight" in model else np.ones(len(model)), name="weight")
    bad = (weight < 0) | (False if missing is None else missing)
    if bad.any():
        place = int(bad.argmax())
        seen = repr(weight[place].item()) if weight[place] < 0 else "a missing value"
        raise ValueError(f"expected weights from 0, got {seen} at position {place}")
    vulnerable = np.full(len(model), _EITHER, np.uint8)
    if "vulnerable" in model:
        vulnerable = read_all(flag_reader(model["vulnerable"], name="vulnerable", null=_EITHER))
    columns = {"contract": contract, "tricks": tricks, "weight": weight.astype(np.float64)}
    columns["vulnerable"] = np.where(bid, vulnerable, _EITHER)
    if "side" in model or "declarer" in model:
        return columns | {"side": np.where(bid, sides_of(model, bid), 0).astype(np.intp), "halves": False}
    both: Columns = {name: np.tile(column, 2) for name, column in columns.items()}
    return both | {"side": np.repeat([0, 1], len(model)), "halves": True}


def _solver(
    chance: NDArray[np.float64], after: NDArray[Any], over: NDArray[np.bool_]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """How to solve x = b + Px for the chain of states that are left again."""
    from scipy.sparse import coo_array, eye_array
    from scipy.sparse.csgraph import breadth_first_order
    from scipy.sparse.linalg import splu

    size = len(chance)
    before, symbol = np.nonzero((chance > 0) & ~over)
    stays = coo_array((chance[before, symbol], (before, after[before, symbol])), (size, size))
    ends, symbol = np.nonzero((chance > 0) & over)
    back = coo_array((np.ones(ends.size), (np.full(ends.size, size), ends)), (size + 1, size + 1))
    back = back + coo_array((np.ones(before.size), (stays.col, stays.row)), back.shape)
    reached = breadth_first_order(back.tocsr(), size, return_predecessors=False)
    if reached.size <= size:
        raise ValueError("expected a model in which every rubber can end, got one without such games")
    solved = splu((eye_array(size) - stays).tocsc()).solve
    return lambda b: np.asarray(solved(np.asarray(b, np.float64)))


def rubber_value(
    equity: pd.DataFrame,
    contract: Any,
    tricks: Any,
    *,
    vulnerable: Any,
    other_vulnerable: Any,
    part: Any = 0,
    other_part: Any = 0,
    edition: AnyEdition = "rubber-1993",
) -> NDArray[np.float64]:
    """What a result is worth to declarer's side: its points, any premium, and the margin to expect after it.

    Parameters
    ----------
    equity : DataFrame
        As :func:`rubber_equity` gives it, whole, of a model without sides (the same for both).
    contract, tricks : contract and number of tricks, or columns of them
    vulnerable, other_vulnerable : bool or column
        Whether declarer's side and the other one have a game.
    part, other_part : int or column
        Their part-scores before the deal. [points]
    edition : str, path or Edition
        The law of ``equity``.

    Returns
    -------
    ndarray of float64
        In the broadcast shape of all of these. [points]

    Raises
    ------
    ValueError
        If ``equity`` is of another law, not of every state in order or not the same for both sides, or there is no such
        part-score.

    Examples
    --------
    >>> equity = rubber_equity(pd.DataFrame({"contract": ["3NT"], "tricks": [9]}))
    >>> rubber_value(equity, ["3NT", "3NTX"], 8, vulnerable=False, other_vulnerable=True).round(6)
    array([-400., -450.])
    """
    laws = rubber_laws(edition)
    unit, game = steps(laws)
    _check_equity(equity, laws)
    code = read_all(contract_reader(contract)).astype(np.intp)
    numbers = read_all(number_reader(tricks, name="tricks", low=0, high=13)).astype(np.intp)
    flags = [read_all(flag_reader(flag, name="vulnerable")).astype(np.intp) for flag in (vulnerable, other_vulnerable)]
    parts = [
        read_all(number_reader(points, name="part", low=0, high=(game - 1) * unit)) for points in (part, other_part)
    ]
    if any((points % unit).any() for points in parts):
        raise ValueError(f"expected part-scores that are multiples of {unit}, got {part!r} and {other_part!r}")
    state = ((flags[0] * 2 + flags[1]) * game + parts[0] // unit) * game + parts[1] // unit
    moves, symbol = rubber_moves(laws, split=False), symbols(laws)[code * 14 + numbers]
    later = np.append(equity["margin_ns"].to_numpy(np.float64), 0.0)[moves["after"][state, symbol]]
    return np.asarray(score_table(laws)[code, flags[0], numbers] + moves["premium_ns"][state, symbol] + later)


def _check_equity(equity: pd.DataFrame, laws: Edition) -> None:
    """Refuse an equity that is not of this law, or whose states are not where they are looked up."""
    lost = [name for name in (*STATE_COLUMNS, "margin_ns", "edition") if name not in equity]
    if lost:
        raise ValueError(f"expected equity as rubber_equity gives it, got a table without {', '.join(lost)}")
    others = [name for name in equity["edition"].unique().tolist() if name != laws.name]
    if others:
        raise ValueError(f"expected the equity under edition {laws.name!r}, got that under {others[0]!r}")
    if not np.array_equal(equity[[*STATE_COLUMNS]].to_numpy(), _states(laws).to_numpy()):
        raise ValueError(f"expected the equity of every state in order, got {len(equity)} rows, filtered or sorted")
    _, game = steps(laws)
    margin = equity["margin_ns"].to_numpy(np.float64).reshape(2, 2, game, game)
    if not np.allclose(margin, -margin.transpose(1, 0, 3, 2), rtol=1e-6, atol=1e-3):
        level = f"a margin of {margin[0, 0, 0, 0]:.1f} at the start"
        raise ValueError(f"expected an equity that is the same for both sides (a model without sides), got {level}")


def worth_to_declarer(
    contract: Any, vulnerable: Any, tricks: Any, other_vulnerable: Any, equity: pd.DataFrame | None, edition: AnyEdition
) -> NDArray[Any]:
    """What results are worth to declarer's side: their score; given an equity, :func:`rubber_value`."""
    if equity is None:
        return score(contract, vulnerable, tricks, edition=edition)
    sides = {"vulnerable": vulnerable, "other_vulnerable": other_vulnerable}
    return rubber_value(equity, contract, tricks, **sides, edition=edition)
