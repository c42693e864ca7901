"""The answers to a sealed study: which deals are for the answer, which results it is about, and what they say."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.alignment import labels_of
from bridge_analytics.contrasts import compare, compare_with_field
from bridge_analytics.counterfactuals import what_if
from bridge_analytics.groups import group_codes
from bridge_analytics.matching import matched
from bridge_analytics.policies import POLICIES, policy
from bridge_analytics.results import score_results
from bridge_analytics.scored import Flags, contract_codes, own_label
from bridge_analytics.scoring import contract_class
from bridge_analytics.sealed import PARTS, Study
from bridge_analytics.specification import CLASSES
from bridge_analytics.strategy import goes_down

_PARTS_OF_THE_BID = ("level", "strain")
_DEAL = ("event", "session", "board", "board_label")
_PRECISION = 2**64


def answers(study: Study, results: pd.DataFrame, *, part: str = "confirm") -> tuple[pd.DataFrame, pd.DataFrame]:
    """What a study says of some results.

    Parameters
    ----------
    study : dict
        As :func:`bridge_analytics.sealed.load_study` gives it.
    results : DataFrame
        As :func:`read_results` gives it, of all the deals.
    part : {"confirm", "explore"}
        Which of the deals.

    Returns
    -------
    answers : DataFrame
        A row for each contrast, in the order of the study: ``answer`` (its number), and the columns of
        :data:`bridge_analytics.contrasts.COLUMNS`.
    counts : DataFrame
        Of ``results`` and ``deals``, by ``step``: ``read``, ``no_score`` of them, in the ``other_part``, in
        ``this_part`` (where the study has parts), and those that the study is ``about``.

    Raises
    ------
    ValueError
        If the study names a column that is not there, a filter lists what its column does not hold, or as
        :func:`score_results`.

    Examples
    --------
    >>> from bridge_analytics.results import read_results
    >>> from bridge_analytics.sealed import parse_study
    >>> study = parse_study('''
    ... title = "Doubled partscores"
    ... question = "How often do they go down?"
    ... filter = { contract_class = ["partscore"], doubled = [1] }
    ... split = { confirm = 0.5, seed = 1 }
    ... [[answer]]
    ... estimand = "goes_down"
    ... weights = "result"
    ... ''')
    >>> found, counts = answers(study, read_results("data/season.parquet"))
    >>> found[["estimand", "estimate", "low", "high", "results"]].round(3)
        estimand  estimate    low   high  results
    0  goes_down     0.738  0.701  0.771      679
    >>> print(counts.to_string(index=False))
          step  results  deals
          read   101400   7800
      no_score        0      0
    other_part    50323   3871
     this_part    51077   3929
         about      679    544
    """
    if part not in PARTS:
        raise ValueError(f"expected a part among {', '.join(PARTS)}, got {part!r}")
    how = study.get("score", {})
    editions = {name: how[name] for name in ("datum", "imp_scale") if name in how}
    by = how.get("by")
    scored = score_results(results, by=by, forms=(), **editions, **{k: how[k] for k in ("edition",) if k in how})
    inside = in_part(scored, study, part, by)
    field = scored[inside]
    about = passes(field, study.get("filter", {}))
    counts = [("read", scored), ("no_score", scored[scored["score_ns"].isna()])]
    if "split" in study:
        counts += [("other_part", scored[~inside]), ("this_part", field)]
    counts.append(("about", field[about]))
    table = pd.DataFrame([(step, len(rows), rows["deal_id"].nunique()) for step, rows in counts])
    found = [
        _answer(answer, field, about, editions, how.get("edition", "duplicate-1987")).assign(answer=place)
        for place, answer in enumerate(study["answer"], 1)
    ]
    together = pd.concat(found, ignore_index=True)
    together.insert(0, "answer", together.pop("answer"))
    together["within"] = together["within"].astype("str")
    return together, table.set_axis(["step", "results", "deals"], axis=1)


def in_part(scored: pd.DataFrame, study: Study, part: str, by: Any = None) -> NDArray[np.bool_]:
    """Which results are of a part: by the seed and the labels of their unit, whatever else was read with them.

    Each unit has a number from the sha256 of the seed and its labels; the units under the share are for the answer.
    """
    split = study.get("split")
    if split is None:
        return np.ones(len(scored), np.bool_)
    names = _listed(split.get("unit")) or _listed(by) or [*_DEAL]
    lost = [name for name in names if name not in scored]
    if lost:
        raise ValueError(f"expected the unit of [split] among the columns of the results, got {lost[0]!r}")
    codes, count = group_codes(scored[names])
    first = np.full(count, -1)
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    used = np.flatnonzero(first >= 0)
    labels = scored[names].iloc[first[used]].astype("str").fillna("").to_numpy().tolist()
    keys = ["\x1f".join([str(split["seed"]), *own]).encode() for own in labels]
    share = np.array([int.from_bytes(hashlib.sha256(key).digest()[:8]) / _PRECISION for key in keys])
    confirm = np.zeros(count, np.bool_)
    confirm[used] = share < split["confirm"]
    return np.asarray(confirm[codes] == (part == "confirm"), np.bool_)


def passes(scored: pd.DataFrame, wanted: Mapping[str, Any]) -> Flags:
    """Which scored results a filter takes: they have a score, and in each column what it lists."""
    taken = scored["score_ns"].notna().to_numpy().copy()
    for name, cells in wanted.items():
        taken &= _is_one_of(_column(scored, name), cells, name)
    return np.asarray(taken, np.bool_)


def _column(scored: pd.DataFrame, name: str) -> Any:
    if name == "contract_class":
        return pd.Series(pd.Categorical(contract_class(scored["contract"]), ("passed", *CLASSES)), scored.index)
    if name == "doubled":
        return pd.Series(contract_codes(scored)[1], scored.index)
    if name in _PARTS_OF_THE_BID:
        return own_label(scored, name, "ns")
    if name not in scored:
        raise ValueError(f"expected a filter on a column of the results, got {name!r}")
    return scored[name]


def _is_one_of(column: pd.Series, cells: list[Any], name: str) -> Flags:
    """Whether each cell is one of some, which must be such as the column holds."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        known = set(map(str, column.cat.categories))
        lost = [cell for cell in cells if str(cell) not in known]
        held = f"what {name} holds"
        cells = [*map(str, cells)]
    elif pd.api.types.is_bool_dtype(column):
        lost, held = [cell for cell in cells if not isinstance(cell, bool)], f"{name} of true or false"
    elif pd.api.types.is_numeric_dtype(column):
        lost, held = [cell for cell in cells if isinstance(cell, str | bool)], f"{name} of numbers"
    else:
        cells = [*map(str, cells)]
        lost, held = [], ""
    if lost:
        raise ValueError(f"expected a filter on {held}, got {', '.join(map(repr, lost))}")
    return np.asarray(column.isin(cells).fillna(False), np.bool_)


def _listed(names: Any) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else [*names]


def _answer(answer: Mapping[str, Any], field: pd.DataFrame, about: Flags, editions: Any, edition: Any) -> pd.DataFrame:
    """One answer, on the results it is about."""
    estimand, within = answer["estimand"], answer.get("within")
    chosen = about & passes(field, answer.get("filter", {}))
    rows = field[chosen]
    options = {"weights": answer["weights"], "side": answer.get("side", "defenders"), "within": within}
    if estimand == "goes_down":
        rows = rows[rows["status"] != "passed"]  # nobody was to make it
        labels = None if within is None else _joined(rows, _listed(within))
        return goes_down(rows, field, action="these contracts", weights=answer["weights"], within=labels)
    if estimand == "matched":
        scale = {name: editions[name] for name in ("imp_scale",) if name in editions}
        return matched(rows, answer.get("action", "doubled"), forms=(answer["form"],), **options, **scale)
    options["form"] = answer["form"]
    if estimand == "against_field":
        return compare_with_field(rows, field=field, **options, **editions)
    if estimand == "policy":
        asked = chosen[contract_codes(field)[1] == 0]  # a rule is shown the undoubled contracts of the field
        found = policy(
            field, lambda known: POLICIES[answer["rule"]](known) & asked, edition=edition, **options, **editions
        )
        return found.assign(action=f"double {answer['rule']}")
    words = ("undoubled", "doubled", "redoubled")
    other = what_if(rows, doubled=answer["against"], edition=edition)
    return compare(
        {words[answer["against"]]: other, "as played": rows}, by="deal_id", field=field, **options, **editions
    )


def _joined(rows: pd.DataFrame, names: list[str]) -> pd.Series:
    """Labels of one column, or of several in one, as the other answers have them."""
    found = labels_of(names, [rows], rows, "within", "ns")
    if isinstance(found, pd.Series):
        return found
    first, *others = (f"{name}=" + found[name].astype("str").fillna("missing") for name in names)
    joined: pd.Series = first.str.cat(others, sep=", ")
    return joined
