"""What the commands print and write: text as it is, tables, counts, and files by their ending."""

import re
from pathlib import Path
from shlex import quote

import pandas as pd
from rich.console import Console
from rich.table import Table
from typer import Context

from bridge_analytics import table
from bridge_analytics.contrasts import COLUMNS
from bridge_analytics.headers import is_known
from bridge_analytics.layout import Layout, load_layout

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


def check_outputs(
    *paths: Path | None, source: Path | None = None, endings: tuple[str, ...] = (".csv", ".parquet")
) -> None:
    """Refuse, before any work, a name whose format is not known, a folder that is not there, or what would be lost."""
    taken = {} if source is None else {source.resolve(): "the file that is read"}
    for path in (path for path in paths if path is not None):
        if path.suffix not in endings:
            raise ValueError(f"expected an output that ends in {' or '.join(endings)}, got {str(path)!r}")
        if not path.parent.is_dir():
            raise ValueError(f"expected an output in a folder that exists, got {str(path)!r}")
        if path.resolve() in taken:
            raise ValueError(f"expected an output apart from {taken[path.resolve()]}, got {str(path)!r}")
        taken[path.resolve()] = "the other output"


def summary(counts: dict[str, str | int]) -> None:
    """Print what was done: a name and a value on each line."""
    width = max(map(len, counts))
    for name, value in counts.items():
        say(f"{name:<{width}}  {value:,}" if isinstance(value, int) else f"{name:<{width}}  {value}")


def tell_faults(faults: pd.DataFrame, path: Path | None) -> None:
    """Say how many rows were left out and why, then what else was found; write all of it where asked."""
    for left_out, words in ((True, "left out"), (False, "kept, with a fault")):
        part = faults[faults["left_out"] == left_out]
        if len(part):
            rows = len(part[["source", "source_row"]].drop_duplicates())
            reasons = ", ".join(f"{rule} {count:,}" for rule, count in part["rule"].value_counts().items())
            say(f"{rows:,} {'row' if rows == 1 else 'rows'} {words}: {reasons}")
    if path is not None:
        write(faults, path)
        say(f"faults written to {path}")


def tell_what_is_silent(results: pd.DataFrame, layout: Layout) -> None:
    """Say how many results have no score though nothing is wrong with them, and which headings were not understood."""
    unknown = int((results["status"] == "unknown").sum())
    if unknown:
        say(f"{unknown:,} of {len(results):,} results have no contract, no declarer or no tricks: status unknown")
    named = {*table.COLUMNS, *table.SCORED_COLUMNS, *load_layout(layout)["columns"]}
    others = [name for name in map(str, results) if name not in named and not is_known(name)]
    if others:
        say(f"headings not understood, kept as columns of the file's own: {', '.join(others)}")


def as_typed(context: Context) -> str:
    """The command that is running, as it may be typed again: its arguments, and the options that are not the usual."""
    command, parts = context.command, context.command_path.split()[1:]
    for option in command.params:
        value = context.params[str(option.name)]
        if option.param_type_name == "argument":
            parts.append(quote(str(value)))
        elif value is not None and value != option.default:
            name = max(option.secondary_opts if value is False else option.opts, key=len)
            parts += [name] if isinstance(value, bool) else [name, quote(str(value))]
    return " ".join(["bridge-analytics", *parts])


def at_the_shell(text: str) -> str:
    """What an error says of ``by``, ``winners`` and ``adjusted``, as it is typed at the shell.

    Examples
    --------
    >>> at_the_shell("expected by, to tell deals apart: by=['round', 'board']")
    'expected --by, to tell deals apart: --by round,board'
    >>> at_the_shell("expected winners=1, since '3' changes sides")
    "expected --winners 1, since '3' changes sides"
    """
    text = re.sub(
        r"\bby=\[(.*?)\]", lambda found: f"--by {quote(found[1].replace(chr(39), '').replace(', ', ','))}", text
    )
    text = re.sub(r"\bwinners=([12])", r"--winners \1", text).replace("adjusted=None", "--adjusted none")
    text = text.replace("split=True", "--split")
    return re.sub(r"\bexpected (by|winners)\b", r"expected --\1", text)


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
