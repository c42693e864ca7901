"""What the hands of each result were like: points, trumps and shape of declarer, dummy and the defenders."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bridge_analytics.cards import check_deals, parse_deals
from bridge_analytics.columns import text_codes
from bridge_analytics.laws import AnyEdition
from bridge_analytics.notation import STRAINS
from bridge_analytics.points import hcp
from bridge_analytics.scored import word_codes
from bridge_analytics.shapes import shape, suit_lengths
from bridge_analytics.table import check_table


def hand_features(results: pd.DataFrame, *, points: AnyEdition = "points-work") -> pd.DataFrame:
    """The hands behind each result, seen from its declarer.

    Parameters
    ----------
    results : DataFrame
        A table of results with their deals.
    points : str, path or Edition
        What the honours are worth, as in :func:`hcp`.

    Returns
    -------
    DataFrame
        ``declarer_points, dummy_points, side_points`` (both together), ``defenders_points``; ``trumps``, the cards of
        the trump suit in declarer's and dummy's hands (missing at no trump); ``declarer_shape, dummy_shape``,
        categories such as ``5-3-3-2``. All missing where no contract was played, or the deal is not given or is not
        four whole hands. Index as it was, so that ``features["side_points"]`` can be a column of ``compare(within=…)``.

    Raises
    ------
    ValueError
        If a deal cannot be read.

    Examples
    --------
    >>> from bridge_analytics.results import read_results
    >>> deal = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    >>> table = read_results(pd.DataFrame({"board": [1], "contract": ["2S"], "declarer": ["W"], "tricks": [8],
    ...                                    "deal": [deal]}))
    >>> hand_features(table)[["side_points", "defenders_points", "trumps", "declarer_shape"]]
       side_points  defenders_points  trumps declarer_shape
    0           21                19       8        5-3-3-2
    """
    table = check_table(results)
    words, codes = text_codes(table["deal"])
    deals = parse_deals(words).reshape(-1, 4)
    whole = np.asarray(check_deals(deals) == "", np.bool_)
    place = np.append(np.where(whole, np.cumsum(whole) - 1, -1), -1)[codes]
    declarer, contract = (word_codes(table, name).astype(np.int64) for name in ("declarer", "contract"))
    known = (place >= 0) & (declarer >= 0) & (contract > 0)
    deals, place, seat = deals[whole], place[known], declarer[known]
    partner, strain = (seat + 2) % 4, (contract[known] - 1) % 15 // 3
    worth, lengths = hcp(deals, points=points), suit_lengths(deals)
    own, dummy = worth[place, seat], worth[place, partner]
    suit = np.minimum(strain, 3)
    trumps = (lengths[place, seat, suit] + lengths[place, partner, suit]).astype(np.float64)
    trumps[strain == STRAINS.index("NT")] = np.nan
    whole_points = worth.dtype.kind == "i"
    numbers = {
        "declarer_points": own,
        "dummy_points": dummy,
        "side_points": own + dummy,
        "defenders_points": worth[place].sum(axis=1) - own - dummy,
    }
    columns: dict[str, Any] = {name: _spread(part, known, whole=whole_points) for name, part in numbers.items()}
    columns["trumps"] = _spread(trumps, known, whole=True)
    shapes = shape(deals)
    for name, who in (("declarer_shape", seat), ("dummy_shape", partner)):
        cells = np.full(len(table), None, object)
        cells[known] = shapes[place, who]
        columns[name] = pd.Categorical(cells)
    return pd.DataFrame(columns, index=table.index)


def _spread(part: NDArray[Any], known: NDArray[np.bool_], *, whole: bool) -> Any:
    """The numbers of the rows that are known, missing for the others."""
    cells = np.full(known.size, np.nan)
    cells[known] = part
    return pd.array(cells, "Float64").astype("Int16") if whole else pd.array(cells, "Float64")
