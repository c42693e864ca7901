"""Matches of pairs, as in a Swiss event: what each made of a match, in victory points."""

import numpy as np
import pandas as pd

from bridge_analytics.rules import Edition
from bridge_analytics.victory_points import bye_award, percent_to_vp, victory_points


def is_for_percent(scale: Edition) -> bool:
    """Whether a scale of victory points is for percentages, not for IMPs."""
    return bool(scale["scale.rule"] == "percent-above")


def match_vps(lines: pd.DataFrame, scale: Edition, bye: float | None) -> pd.DataFrame:
    """The lines of a ledger, a match each, with victory points for their total.

    Parameters
    ----------
    lines : DataFrame
        ``boards sat_out total top``, as :func:`bridge_analytics.tallies.tally` gives them, in matchpoints or IMPs.
    scale : Edition
        Of kind ``vp``.
    bye : float or None
        What a match is worth that a contestant sat out; None: what the scale says, or it is no match. [VPs]

    Returns
    -------
    DataFrame
        ``total`` in VPs, no ``top``, and ``matches``: 1, or 0 where nothing was played.

    Notes
    -----
    A percentage beyond 0 or 100, which Neuberg's formula may give, is 0 or 100. IMPs are rounded to whole ones, halves
    away from zero, before the scale applies. Each side has the award of its own total: after a ruling that does not
    balance the two do not add up. Source: EBU White Book 2025, 4.1.1.3, 4.2.6.3.

    Examples
    --------
    >>> from bridge_analytics.rules import load_edition
    >>> lines = pd.DataFrame({"boards": [8, 8, 0], "sat_out": [0, 0, 8], "total": [63.0, 47, 0], "top": [112.0] * 3})
    >>> match_vps(lines, load_edition("vp-ebu-percent"), None)[["total", "matches"]].to_numpy().tolist()
    [[15.0, 1.0], [4.0, 1.0], [12.0, 1.0]]
    """
    award = bye_award(scale, bye)
    played = (lines["boards"] > 0).to_numpy()
    sat_out = ~played & (lines["sat_out"] > 0).to_numpy() & (award is not None)
    points = np.where(sat_out, 0.0 if award is None else award, 0.0)
    own = lines[played]
    if is_for_percent(scale):
        points[played] = percent_to_vp((100 * own["total"] / own["top"]).clip(0, 100), own["boards"], edition=scale)
    else:
        margin = np.sign(own["total"]) * np.floor(own["total"].abs().round(9) + 0.5)
        points[played] = victory_points(margin, own["boards"], edition=scale)[0]
    return lines.assign(total=points, top=np.nan, matches=(played | sat_out).astype(np.int64))
