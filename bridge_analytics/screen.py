"""What the commands print and write: text as it is, tables, counts, and files by their ending."""

from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table

from bridge_analytics.contrasts import COLUMNS

WIDE = 10_000  # characters


def console(*, stderr: bool = False) -> Console:
    """A console that shows text as it is; what goes to a file or a pipe is not folded."""
    console = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = WIDE
    return console


def say(text: str, *, stderr: bool = False) -> None:
    """Print text without wrapping it."""
    console(stderr=stderr).print(text, soft_wrap=True)


def cell(value: object) -> str:
    """The text of one cell: lists as they stand in an edition, nothing for a missing value."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(cell, value))}]"
    return "" if value is None or value is pd.NA or value != value else str(value)


def show_table(table: pd.DataFrame) -> None:
    """Print a table, its long cells folded."""
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for position, column in enumerate(table.columns):
        grid.add_column(str(column), overflow="fold", no_wrap=position == 0)
    for row in table.itertuples(index=False):
        grid.add_row(*map(cell, row))
    console().print(grid)


def write(table: pd.DataFrame, path: Path) -> None:
    """Write a table in the format that its name asks for."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False)


def check_outputs(*paths: Path | None) -> None:
    """Refuse, before any work, a name whose format is not known or a folder that is not there."""
    for path in paths:
        if path is not None and path.suffix not in (".csv", ".parquet"):
            raise ValueError(f"expected an output that ends in .csv or .parquet, got {str(path)!r}")
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"expected an output in a folder that exists, got {str(path)!r}")


def summary(counts: dict[str, str | int]) -> None:
    """Print what was done: a name and a value on each line."""
    width = max(map(len, counts))
    for name, value in counts.items():
        say(f"{name:<{width}}  {value:,}" if isinstance(value, int) else f"{name:<{width}}  {value}")


def in_words(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers of a study for the eye: the interval beside the estimate, shares in per cent, nothing where nothing is.

    Parameters
    ----------
    answers : DataFrame
        The columns of :data:`contrasts.COLUMNS`, and any that say which choices were made; ``share`` is a probability,
        the other forms are in their own unit.

    Returns
    -------
    DataFrame
        A text a cell, a row for each answer.
    """
    times = answers["form"].eq("share").map({True: 100.0, False: 1.0})
    numbers = answers[["estimate", "low", "high"]].mul(times, axis=0).map(lambda number: f"{number:,.2f}")
    kept = ("share_gained", "share_flat", "share_lost")
    parts = answers[[*kept]].map(lambda share: f"{100 * share:.0f}")
    counts = answers[["results", "boards"]].map(lambda count: f"{count:,.0f}")
    table = {
        "estimand": answers["estimand"],
        "action": answers["action"] + (" against " + answers["against"]).where(answers["against"] != "", ""),
        "form": answers["form"].replace("share", "%"),
        "weights": answers["weights"],
        "within": answers["within"].fillna("").astype("str"),
        "estimate": numbers["estimate"],
        "95 % interval": numbers["low"] + " to " + numbers["high"],
        "gained/flat/lost %": parts.apply("/".join, axis=1).where(answers["share_gained"].notna(), ""),
        "results": counts["results"],
        "boards": counts["boards"],
        "design effect": answers["design_effect"].map(lambda effect: f"{effect:.1f}"),
        "warnings": answers["warnings"],
    }
    choices = answers[[name for name in answers if name not in COLUMNS]].astype("str")
    return pd.concat([pd.DataFrame(table), choices], axis=1).replace({"nan": "", "nan to nan": ""})
