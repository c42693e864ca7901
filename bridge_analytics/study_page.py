"""The page of a sealed study: its answers with their doubts, what was read and left out, and the study itself."""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bridge_analytics.pages import Made, provenance, render, svg, trusted
from bridge_analytics.plots import forest
from bridge_analytics.sealed import Study
from bridge_analytics.sealed_answers import answers
from bridge_analytics.selection import CODES
from bridge_analytics.sheets import html_table
from bridge_analytics.sources import files_of
from bridge_analytics.words import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Words = Mapping[str, str]

_FLAG = re.compile(r"(?<==)(True|False)(?=, |$)")
_SHARES = ("share_gained", "share_flat", "share_lost")
_OWN_CODES = (
    *("no_results", "no_overlap", "missing", "zero_denominator", "one_cluster"),
    *("few_clusters", "no_variation", "two_way_guarded"),
)
"""The warnings of the estimates, besides who chose."""

_LINE, _TEXT, _FRAME = 0.34, 0.15, 0.9  # inches of a figure: for a row at least, a line of a label, what is around
_WIDE = 18  # characters of a line of a label


def study_report(
    study: Study,
    results: pd.DataFrame,
    faults: pd.DataFrame,
    *,
    part: str = "confirm",
    sealed: str | None = None,
    language: str = "en",
    made: Made | None = None,
) -> str:
    """A sealed study on one HTML page.

    Parameters
    ----------
    study : dict
        As :func:`bridge_analytics.sealed.load_study` gives it.
    results, faults : DataFrame
        As :func:`sift_results` gives them, of all the deals.
    part : {"confirm", "explore"}
    sealed : str, optional
        The day on which it was sealed; none for an exploration.
    language : {"en", "es"}
    made : list of (str, str)
        For the foot: as :func:`bridge_analytics.pages.provenance` gives it.

    Returns
    -------
    str
        A page that stands by itself; the same results make the same page.

    Raises
    ------
    ValueError
        As :func:`bridge_analytics.sealed_answers.answers`.

    Examples
    --------
    >>> from bridge_analytics.results import sift_results
    >>> from bridge_analytics.sealed import load_study
    >>> page = study_report(load_study("data/study.toml"), *sift_results("data/season.parquet"), sealed="2031-05-06")
    >>> "<h1>Does it pay to double a partscore?</h1>" in page
    True
    """
    say = words(language)
    found, counts = answers(study, results, part=part)
    found = found.assign(within=_named_groups(found, study, say))
    codes = {code.split("=")[0] for told in found["warnings"].fillna("") for code in told.split()}
    return render(
        "study.html",
        language=language,
        title=study["title"],
        made=made or [],
        study={"authors": "", "notes": ""} | study,
        part=part,
        sealed=sealed or "",
        answers=list(_answer_blocks(found, say)),
        figures=list(_figures(found, say)),
        codes=[(code, say[code]) for code in (*CODES, *_OWN_CODES) if code in codes],
        counts=trusted(html_table(_counted(counts, say))),
        faults=trusted(html_table(_faulty(faults, say))) if len(faults) else "",
    )


def study_made(
    study: Study,
    source: str | Path,
    results: pd.DataFrame,
    faults: pd.DataFrame,
    *,
    command: str,
    language: str = "en",
) -> Made:
    """The foot of the page of a study: files, rows, editions, seed, versions, command.

    Parameters
    ----------
    study, results, faults
        As for :func:`study_report`.
    source : path of a file, a folder or a pattern
        What was read.
    command : str
    language : {"en", "es"}

    Returns
    -------
    list of (str, str)
    """
    say, how = words(language), study.get("score", {})
    butler = any(answer.get("form") == "butler" for answer in study["answer"])
    editions = [how.get("edition", "duplicate-1987"), how.get("imp_scale", "imps-1962")]
    made = provenance(
        files_of(source) or [Path(source)],
        rows=len(results),
        left_out=len(faults.loc[faults["left_out"], ["source", "source_row"]].drop_duplicates()),
        editions=[*editions, *[how.get("datum", "datum-trimmed")] * butler],
        command=command,
        language=language,
    )
    engine = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "scipy"))
    made.append((say["engine"], f"Python {python_version()}, {engine}"))
    return made + [(say["seed"], str(study["split"]["seed"])) for _ in range("split" in study)]


def _answer_blocks(found: pd.DataFrame, say: Words) -> Iterator[dict[str, str]]:
    """What a page says of each answer: what is compared, the estimate, what it rests on, and its doubts."""
    times = found["form"].eq("share").map({True: 100.0, False: 1.0}).to_numpy()

    def shown(name: str, scale: Any = 1.0, digits: int = 2) -> list[str]:
        return [_number(cell, digits, say) for cell in found[name].to_numpy(np.float64, na_value=np.nan) * scale]

    ends = zip(*(shown(name, times) for name in ("estimate", "low", "high")), strict=True)
    shares = zip(*(shown(name, 100.0, 0) for name in _SHARES), strict=True)
    effects = shown("design_effect", digits=1)
    rows = zip(found.to_dict("records"), ends, shares, effects, strict=True)
    for row, (estimate, low, high), share, effect in rows:
        weighed = f"{say['weights']} {_said(row['weights'], say)}"
        counted = f"{_grouped(row['results'], say)} {say['results']}, {_grouped(row['boards'], say)} {say['deals']}"
        told = [say["gained"].format("/".join(share))] if all(share) else []
        told += [f"{say['design_effect']} {effect}"] if effect else []
        yield {
            "title": _title(row, say),
            "estimate": f"{estimate} {say[row['form']]}" if estimate else say["no_estimate"],
            "interval": say["interval"].format(low, high) if low and high else "",
            "facts": " · ".join([counted, weighed, *told, str(row["method"])]),
            "doubts": str(row["warnings"] or ""),
        }


def _named_groups(found: pd.DataFrame, study: Study, say: Words) -> pd.Series:
    """The groups of an answer after the columns that make them; nothing where it has none."""
    flags = {"True": say["yes"], "False": say["no"]}
    texts = []
    for place, label in zip(found["answer"], found["within"], strict=True):
        names = study["answer"][place - 1].get("within", "")
        alone = names if isinstance(names, str) else names[0] if len(names) == 1 else ""
        told = "" if pd.isna(label) else f"{alone}={label}" if alone else str(label)
        texts.append(_FLAG.sub(lambda flag: flags[flag[1]], told).replace("=", ": "))
    return pd.Series(texts, found.index, dtype="str")


def _title(row: Mapping[Any, Any], say: Words) -> str:
    """The number of an answer, and what it compares."""
    action, against = (_said(str(row[name] or ""), say) for name in ("action", "against"))
    compared = say["against"].format(action, against) if against else action
    return " · ".join(filter(None, [str(row["answer"]), f"{say[row['estimand']]}: {compared}", row["within"]]))


def _said(action: str, say: Words) -> str:
    """An action in the language of the page; the name of a rule as it stands."""
    return say.get(action.replace(" ", "_"), action)


def _number(cell: float, digits: int, say: Words) -> str:
    return "" if cell != cell else f"{cell + 0.0:.{digits}f}".replace("-", "−").replace(".", say["decimal"])


def _grouped(count: Any, say: Words) -> str:
    return "" if pd.isna(count) else f"{int(count):,}".replace(",", say["thousands"])


def _figures(found: pd.DataFrame, say: Words) -> Iterator[tuple[str, Any]]:
    """A forest of the estimates of each form of scoring that has several, under the numbers of the answers."""
    groups = found["within"].map(lambda told: "".join(f"\n{fill(part, _WIDE)}" for part in told.split(", ") if part))
    named = found["answer"].astype("str") + groups
    table = found[["form", "estimate", "low", "high", "results", "boards", "warnings"]].assign(within=named)
    for form, rows in table.groupby("form", sort=False):
        if len(rows) > 1 and rows["estimate"].notna().any():
            title = f"{say['answers']}, {say[str(form)]}"
            ax = forest(rows.reset_index(drop=True), ax=_new_axes(rows["within"]))
            ax.set_yticks(range(len(rows)), rows["within"])  # on lines of their own
            yield title, trusted(svg(ax, label=title))


def _new_axes(labels: pd.Series) -> "Axes":
    """Axes with room for labels of several lines at the left, and for counts at the right."""
    from matplotlib.figure import Figure

    lines = [label.split("\n") for label in labels]
    height = _FRAME + len(lines) * max(_LINE, _TEXT * (1 + max(map(len, lines))))
    left = 0.05 + 0.017 * max(len(line) for label in lines for line in label)
    return Figure(figsize=(5.2, height)).add_axes((left, 0.55 / height, 0.7 - left, 1 - _FRAME / height))


def _counted(counts: pd.DataFrame, say: Words) -> pd.DataFrame:
    cells = {
        say["step"]: [say[f"step_{step}"] for step in counts["step"]],
        say["results"]: [_grouped(count, say) for count in counts["results"]],
        say["deals"]: [_grouped(count, say) for count in counts["deals"]],
    }
    return pd.DataFrame(cells, dtype="str")


def _faulty(faults: pd.DataFrame, say: Words) -> pd.DataFrame:
    """How many rows have each fault, and how many of these are left out."""
    rules = faults.groupby("rule", sort=True).agg(
        expected=("expected", "first"), all=("rule", "size"), out=("left_out", "sum")
    )
    cells = {
        say["rule"]: rules.index.astype("str").tolist(),
        say["expected"]: rules["expected"].astype("str").tolist(),
        say["left_out"]: [_grouped(count, say) for count in rules["out"]],
        say["kept"]: [_grouped(count, say) for count in rules["all"] - rules["out"]],
    }
    return pd.DataFrame(cells, dtype="str")
