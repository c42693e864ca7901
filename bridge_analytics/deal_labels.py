"""The labels of a deal: what two rows have alike if, and only if, they share the cards."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd


def deal_labels(results: pd.DataFrame, by: str | Sequence[str] | None) -> dict[str, Any]:
    """The columns whose values are the same for two rows if, and only if, they are of one deal.

    Only those of rows without a board are alike though each is a deal of its own.

    Raises
    ------
    ValueError
        If ``by`` names no column of the table.
    """
    if by is None:
        return origin_of(results) | _label_columns(results, ["session", "board"])
    names = names_of(by)
    lost = [name for name in names if name not in results.columns]
    if lost or not names:
        raise no_columns(lost)
    return _label_columns(results, names)


def origin_of(results: pd.DataFrame) -> dict[str, pd.Series]:
    """The event of each row, or its source where it names none."""
    return {"event": results["event"], "source": results["source"].where(results["event"].isna())}


def no_columns(lost: Sequence[str]) -> ValueError:
    """The refusal of ``by`` that names what is no column, or nothing."""
    return ValueError(f"expected by to name columns of the results, got {list(lost)}")


def several_origins(by: str | Sequence[str], name: str) -> ValueError:
    """The refusal of ``by`` that would compare several events, or sources, as if they were one."""
    return ValueError(
        f"expected by to name {name!r} too, since the results have several, got {names_of(by)} (to pool them, set one "
        "event)"
    )


def names_of(by: str | Sequence[str]) -> list[str]:
    """The columns that ``by`` names."""
    return [by] if isinstance(by, str) else list(by) if isinstance(by, Iterable) else [by]


def _label_columns(results: pd.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    """The columns named; a board is its number, else its label."""
    columns: dict[str, Any] = {name: results[name] for name in names if name != "board"}
    if "board" in names:
        number = results["board"].to_numpy(dtype=np.int64, na_value=-1)
        columns |= {"board": number, "board of no number": results["board_label"].where(number < 0)}
    return columns
