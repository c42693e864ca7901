"""The actions of a decision: between which two contracts it chooses, and which tricks of theirs go together."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_analytics.contracts import join_contract, parse_contract, tricks_from_result, with_doubled
from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.readers import flag_reader, read_all
from bridge_analytics.scoring import contract_class

Column = NDArray[Any]

ACTIONS = {
    "double": ("pass", -1, -1, "P(down)"),
    "redouble": ("pass", 1, 1, "P(makes)"),
    "game": ("stop", 1, 1, "P(makes)"),
    "slam": ("stop", 1, 1, "P(makes)"),
    "sacrifice": ("defend", -1, 1, "P(base makes)"),
    "compete": ("defend", -1, 1, "P(makes)"),
}
"""For each action: what is done without it, whether we play (1) or defend (-1) without and with it, what p is."""

_BIDDING_ON = ("game", "slam")  # from one contract of ours to a higher one in the strain
_OVERCALLING = ("sacrifice", "compete")  # our contract over one of theirs


def level_of(codes: Column) -> Column:
    """The level of contracts by code; 0 for ``Pass``."""
    return (codes + 14) // 15


def together(*columns: Column) -> list[Column]:
    """Columns brought to one length, flat."""
    try:
        return [column.reshape(-1) for column in np.broadcast_arrays(*columns)]
    except ValueError:
        raise ValueError(f"expected columns of one length, got shapes {[column.shape for column in columns]}") from None


def two_contracts(
    contract: Any, vulnerable: Any, action: str, base: Any, base_vulnerable: Any, edition: AnyEdition
) -> tuple[Column, Column, Column, Column]:
    """The contract that is played after the action and the one without it, each with the vulnerability of its side.

    Parameters
    ----------
    contract, vulnerable, action, base, base_vulnerable, edition
        As in :func:`decision_table`.

    Returns
    -------
    contract, vulnerable, base, base_vulnerable : ndarrays, shape (n,)
        Codes and flags.

    Raises
    ------
    ValueError
        If the action cannot be about a contract, or a base is missing or of no use to it.

    Examples
    --------
    >>> new, _, base, _ = two_contracts(["6S", "7NT"], False, "slam", None, None, "duplicate-1987")
    >>> [(CONTRACTS[low], CONTRACTS[high]) for low, high in zip(base, new)]
    [('4S', '6S'), ('6NT', '7NT')]
    """
    _check_options(action, base, base_vulnerable)
    columns = (
        parse_contract(contract),
        read_all(flag_reader(vulnerable, name="vulnerable")) == 1,
        parse_contract(contract if base is None else base),
        read_all(flag_reader(vulnerable if base_vulnerable is None else base_vulnerable, name="base_vulnerable")) == 1,
    )
    code, flag, base_code, base_flag = together(*columns)
    for codes in (code, base_code):
        _refuse(codes == 0, codes, "a contract that is played")
    if action in ("double", "redouble"):
        code = _doubled_further(code, action)
    elif action in _BIDDING_ON:
        base_code = _stopped_in(code, action, None if base is None else base_code, edition)
    else:
        _refuse((code - 1) // 3 <= (base_code - 1) // 3, code, "a contract higher than the base")
    return code, flag, base_code, base_flag


def against_whom(
    contracts: tuple[Column, Column, Column, Column], action: str, rubber: bool, equity: Any, other_vulnerable: Any
) -> tuple[Column, Column]:
    """Whether the opponents of either contract's declarer are vulnerable; only rubber must know.

    Parameters
    ----------
    contracts
        From :func:`two_contracts`.
    action : str
    rubber : bool
        Whether the form is rubber.
    equity, other_vulnerable
        As in :func:`decision_table`.

    Returns
    -------
    other, base_other : ndarray of bool
        For the new contract and the base.

    Raises
    ------
    ValueError
        If one of them is missing or of no use.
    """
    if (equity is not None) != rubber:
        raise ValueError("expected equity with form 'rubber', and with no other")
    asked = rubber and action not in _OVERCALLING
    if (other_vulnerable is not None) != asked:
        raise ValueError("expected other_vulnerable with form 'rubber' where one side plays both contracts, else none")
    if rubber and not asked:
        return contracts[3], contracts[1]  # the declarers are each other's opponents
    if not rubber:
        return (np.zeros(1, np.bool_),) * 2
    flags = read_all(flag_reader(other_vulnerable, name="other_vulnerable")) == 1
    return flags, flags


def two_results(
    code: Column,
    base: Column,
    *,
    action: str,
    results: Iterable[int] | None,
    other: Iterable[int] | None,
    total_tricks: int | None,
) -> tuple[Column, Column]:
    """The tricks of both contracts in each case that can come.

    Parameters
    ----------
    code, base : ndarray of codes, shape (n,)
        From :func:`two_contracts`.
    action, results, other, total_tricks
        As in :func:`decision_table`.

    Returns
    -------
    tricks, base_tricks : ndarray, shape (n, results x other)
        Won by the declarer of either contract. [tricks]

    Raises
    ------
    ValueError
        If a contract cannot have a result, or what says the other contract's tricks is missing or of no use.

    Examples
    --------
    >>> spades, hearts = np.array([CONTRACTS.index("3S")]), np.array([CONTRACTS.index("3H")])
    >>> two_results(spades, hearts, action="compete", results=[-1, 0], other=None, total_tricks=17)
    (array([[8, 9]]), array([[9, 8]]))
    """
    overcalling = action in _OVERCALLING
    if (other is not None) + (total_tricks is not None) != overcalling:
        wanted = "one of other and total_tricks" if overcalling else "neither other nor total_tricks"
        raise ValueError(f"expected {wanted} for action {action!r}, got {other!r} and {total_tricks!r}")
    about, facing = (base, code) if action == "sacrifice" else (code, base)
    taken = _tricks(about, results, total_tricks)[:, :, None]
    if total_tricks is not None:
        left = _left_over(taken, total_tricks)
    else:
        left = taken if other is None else _tricks(facing, other, None)[:, None, :]
    taken, left = np.broadcast_arrays(taken, left)
    cases = (len(code), taken.shape[1] * taken.shape[2])
    taken, left = taken.reshape(cases), left.reshape(cases)
    return (left, taken) if action == "sacrifice" else (taken, left)


def _check_options(action: str, base: Any, base_vulnerable: Any) -> None:
    if action not in ACTIONS:
        raise ValueError(f"expected an action among {', '.join(ACTIONS)}, got {action!r}")
    for name, value, optional in (("base", base, _BIDDING_ON), ("base_vulnerable", base_vulnerable, ())):
        if value is None and action in _OVERCALLING:
            raise ValueError(f"expected {name} for action {action!r}, got none")
        if value is not None and action not in (*_OVERCALLING, *optional):
            raise ValueError(f"expected no {name} for action {action!r}, got {value!r}")


def _doubled_further(code: Column, action: str) -> Column:
    now, word = (0, "an undoubled") if action == "double" else (1, "a doubled")
    _refuse((code - 1) % 3 != now, code, f"{word} contract to {action}")
    return with_doubled(code, now + 1)


def _stopped_in(code: Column, action: str, base: Column | None, edition: AnyEdition) -> Column:
    """The contract that is left for game or slam: the one given, or the highest that is one class lower."""
    classes = contract_class(code, edition=edition)
    wrong = np.array([not word.endswith(action) for word in classes], np.bool_)
    _refuse(wrong, code, f"a {action} that is bid")
    level, strain = level_of(code), (code - 1) // 3 % 5
    if base is not None:
        _refuse((level_of(base) >= level) | ((base - 1) // 3 % 5 != strain), base, "a base lower in the strain")
        return base
    levels, strains = np.ogrid[1:8, :5]
    game = 1 + (contract_class(join_contract(levels, strains), edition=edition) == "game").argmax(axis=0)[strain]
    return join_contract(np.select([level == 7, level == 6], [6, game], game - 1), strain)


def _tricks(code: Column, results: Iterable[int] | None, total_tricks: int | None) -> Column:
    """Tricks of each contract for each result, (n, results): those given, or all that the hand can take."""
    if results is not None:
        columns = [tricks_from_result(code, result).astype(np.int64) for result in results]
        return np.stack(columns, axis=1) if columns else np.empty((len(code), 0), np.int64)
    every = np.arange(14)
    if total_tricks is not None:
        every = every[(every <= total_tricks) & (every >= total_tricks - 13)]
    return np.broadcast_to(every, (len(code), len(every)))


def _left_over(taken: Column, total_tricks: int) -> Column:
    """Tricks of the other contract, where both contracts together take so many."""
    left: Column = total_tricks - taken
    if not 0 <= total_tricks <= 26 or ((left < 0) | (left > 13)).any():
        raise ValueError(f"expected total_tricks that leave either contract 0 to 13, got {total_tricks!r}")
    return left


def _refuse(bad: NDArray[np.bool_], code: Column, expected: str) -> None:
    if bad.any():
        place = int(bad.argmax())
        raise ValueError(f"expected {expected}, got {CONTRACTS[code[place]]!r} at position {place}")
