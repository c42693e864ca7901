"""The ledger of an event of pairs or players: what each earned in each session, or in each match."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bridge_analytics.awards import side_awards
from bridge_analytics.contestants import contestants, winners_of
from bridge_analytics.groups import group_codes
from bridge_analytics.ledger import ledger
from bridge_analytics.pair_matches import is_for_percent, match_vps
from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.tallies import settle_marks, tally

Codes = NDArray[np.int64]


def pair_ledger(
    table: pd.DataFrame,
    form: str,
    apart: list[str],
    rulings: Edition | None,
    *,
    of: str,
    winners: int | None,
    expected: ArrayLike | None,
    win: float,
    datum: str | Edition,
    imp_scale: str | Edition,
    sub_field: str | None,
    vp_scale: str | Edition | None,
    bye: float | None,
) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """What each contestant earned, and whose it is.

    Parameters
    ----------
    table : DataFrame
        As :func:`score_results` gives it.
    form, of, winners, expected, win, datum, imp_scale, sub_field, vp_scale, bye
        As for :func:`standings`.
    apart : list of str
        Columns by which contestants are ranked apart.
    rulings : Edition or None
        Of kind ``adjusted``.

    Returns
    -------
    lines : DataFrame
        As :func:`bridge_analytics.tallies.tally` gives them, rulings settled; for victory points a line a match, with
        ``matches``.
    whose : DataFrame
        Of each line the columns of ``apart``, ``section session`` (and ``round``), ``side``, ``contestant``.
    top : float
        The largest top of a board. [matchpoints]
    """
    scale = load_edition(vp_scale or "vp-ebu-percent", kind="vp") if form == "victory_points" else None
    scored_by = form if scale is None else _form_for(scale, table)
    if expected is not None and scored_by != "matchpoints":
        raise ValueError(f"expected `expected` only for matchpoints, as no rule here factors IMPs, got form {form!r}")
    awards, top, marks = side_awards(
        table,
        scored_by,
        rulings,
        expected=expected,
        win=win,
        datum=datum,
        imp_scale=imp_scale,
        sub_field=sub_field,
    )
    names, who, sides = contestants(table, of)
    two = _two_winners(table, names, who, sides, of, winners)
    labels = dict.fromkeys([*apart, "section", "session", *([] if scale is None else ["round"])])
    rows, whose = ledger(table[[*labels]], names, who, sides if two else None)
    lines = tally(table["status"], rows, len(whose), [(awards[side], top[side], marks[side]) for side in sides])
    if rulings is not None:
        lines = settle_marks(lines, rulings, of_top=scored_by == "matchpoints")
    largest = float(np.fmax.reduce(top, axis=None, initial=np.nan))
    return lines if scale is None else match_vps(lines, scale, bye), whose, largest


def _form_for(scale: Edition, table: pd.DataFrame) -> str:
    """What a scale of victory points is for: percentages, or IMPs as the results have them."""
    if is_for_percent(scale):
        return "matchpoints"
    return "cross_imps" if "cross_imps_ns" in table else "butler"


def _two_winners(
    table: pd.DataFrame, names: list[str], who: list[Codes], sides: list[int], of: str, winners: int | None
) -> bool:
    section, many = group_codes(table["section"])
    if many > 1 and (section != section[:1]).any():  # pair 5 of A is not pair 5 of B
        who = [np.where(own < 0, -1, own + len(names) * section) for own in who]
    return winners_of(who, sides, table["deal_id"].to_numpy(np.int64), names, of, winners) == 2
