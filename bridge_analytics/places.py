"""Places as they are published."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bridge_analytics.groups import group_codes

_TIED = 9  # decimals in which two results are equal: what adding up in another order may change comes after


def places(value: ArrayLike, *, by: Any = None) -> pd.api.extensions.ExtensionArray:
    """Places as they are published: 1, 2=, 2=, 4.

    Parameters
    ----------
    value : array_like of float, shape (n,)
        What to rank by, the highest first; missing: no place.
    by : column of labels, or table of label columns, n rows, optional
        Rank apart.

    Returns
    -------
    array of str, shape (n,)
        Missing where the value is.

    Notes
    -----
    The places after a tie are skipped. Values are equal where nine decimals are: beyond these only the order in which
    they were added up shows.

    Examples
    --------
    >>> list(places([55, 61.25, 55, 48.75]))
    ['2=', '1', '2=', '4']
    """
    values = np.round(np.asarray(value, dtype=np.float64), _TIED)
    group = np.zeros(values.size, np.int64) if by is None else group_codes(by)[0]
    ranks = pd.Series(values).groupby(group).rank(method="min", ascending=False)
    shared = ranks.groupby([group, ranks]).transform("size")
    words = [
        None if rank != rank else f"{rank:.0f}{'=' * (many > 1)}" for rank, many in zip(ranks, shared, strict=True)
    ]
    return pd.array(words, dtype="str")
