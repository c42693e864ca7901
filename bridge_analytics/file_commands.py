"""The commands about files: convert them, show their columns. ``cli.py`` puts them beside the others."""

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from bridge_analytics.checks import ResultsError, join_faults
from bridge_analytics.conversion import SUFFIXES
from bridge_analytics.conversion import convert as convert_source
from bridge_analytics.headings import headings, layout_text
from bridge_analytics.results import sift_results
from bridge_analytics.screen import check_outputs, console, say, show_table, summary, tell_faults
from bridge_analytics.sources import files_of

Layout = Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")]
Format = Annotated[str | None, typer.Option(help="results_csv, valet, pbn, lin, usebio, bws or parquet: else found.")]
Corrections = Annotated[Path | None, typer.Option(metavar="CSV", help="Cells to read otherwise than they stand.")]
FaultsFile = Annotated[Path | None, typer.Option("--faults", metavar="CSV", help="Write every fault to this file.")]


def convert(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A file, a folder of files, or a pattern in quotes.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: .csv, .parquet or .pbn.")
    ],
    format: Format = None,
    layout: Layout = None,
    corrections: Corrections = None,
    faults: FaultsFile = None,
) -> None:
    """Write results of any format as CSV, Parquet or PBN; the file that is read stays as it is.

    Examples:
    bridge-analytics convert evening.pbn -o evening.csv
    bridge-analytics convert "season/*.lin" -o season.parquet --faults faults.csv
    """
    for file in files_of(source) or [Path(source)]:
        check_outputs(output, source=file, endings=SUFFIXES)
        check_outputs(faults, source=file)
    if faults is not None and faults.resolve() == output.resolve():
        raise ValueError(f"expected an output apart from the other output, got {str(faults)!r}")
    with console(stderr=True).status(f"converting {source} …"):
        count, found = convert_source(source, output, format=format, layout=layout, corrections=corrections)
    tell_faults(found, faults)
    summary({"results": count, "faults": len(found)})
    say(f"written to {output}")
    raise typer.Exit(bool(len(found)))


def columns(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of results.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="TOML", help="Write a layout to correct.")
    ] = None,
    format: Format = None,
    layout: Layout = None,
) -> None:
    """Show how each column of a file was understood, and write a layout to correct.

    Examples:
    bridge-analytics columns strange.csv
    bridge-analytics columns strange.csv -o club.toml
    """
    table = headings(file, format=format, layout=layout)
    if output is not None:
        if output.suffix != ".toml" or output.exists():
            raise ValueError(f"expected a new file that ends in .toml, got {str(output)!r}")
        output.write_text(layout_text(table, layout), encoding="utf-8")
    holds = table["holds"].fillna("perhaps " + table["perhaps"]).fillna("not understood")
    show_table(
        pd.DataFrame({"heading": table["header"], "holds": holds, "cells": table["cells"], "words": table["words"]})
    )
    if output is not None:
        say(f"written to {output}: correct it, and pass it with --layout {output}")


def check_each(
    files: list[Path], *, by: list[str] | None, layout: str | None, corrections: Path | None, faults: Path | None
) -> bool:
    """Print a line for each file: how many results and faults it has, and of what kinds; whether there is any fault."""
    found, lines = [], []
    for file in files:
        try:
            results, part = sift_results(file, layout=layout, by=by, corrections=corrections)
            count = f"{len(results):,}"
        except ResultsError as error:
            count, part = "none", error.faults
        kinds = ", ".join(f"{rule} {number:,}" for rule, number in part["rule"].value_counts().items())
        lines.append((str(file), count, f"{len(part):,}", f"{int(part['left_out'].sum()):,}", kinds))
        found.append(part)
    show_table(pd.DataFrame(lines, columns=["file", "results", "faults", "left out", "kinds"]))
    together = join_faults(found)
    tell_faults(together, faults)
    return bool(len(together))
