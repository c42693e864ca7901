"""The command that ranks an event. ``cli.py`` puts it beside the others."""

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from bridge_analytics.results import score_results, sift_results
from bridge_analytics.screen import check_outputs, console, say, show_table, tell_faults, write
from bridge_analytics.standings import standings

_COMPARED = ("matchpoints", "butler", "cross_imps")
_NUMBERS = ("amount", "handicap")
_USUALLY_NONE = ("adjusted", "no_result", "sat_out", "penalty")


def rank(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Scored results, or a file of results to score first.")],
    form: Annotated[
        str, typer.Option(help="matchpoints, butler, cross_imps, points, victory_points; of teams imps, board_a_match.")
    ] = "matchpoints",
    winners: Annotated[int | None, typer.Option(help="1 (Howell, arrow switch) or 2 (Mitchell).")] = None,
    of: Annotated[str, typer.Option(help="pairs, partnerships, players, teams.")] = "pairs",
    within: Annotated[
        str | None, typer.Option(metavar="COLUMNS", help="Rank apart by these: section, session.")
    ] = None,
    sessions: Annotated[str, typer.Option(help="sum, or mean of the sessions.")] = "sum",
    rank_by: Annotated[str, typer.Option(help="average, total, factor: where some play fewer boards.")] = "average",
    adjusted: Annotated[
        str, typer.Option(help="What rulings are worth: adjusted-wbf, -ebu, -acbl, none.")
    ] = "adjusted-wbf",
    expected: Annotated[int | None, typer.Option(help="Results of a full board, for Neuberg's formula.")] = None,
    win: Annotated[float, typer.Option(help="Matchpoints for a lower score: 2, or 1.")] = 2,
    datum: Annotated[str, typer.Option(help="How the Butler datum is found.")] = "datum-trimmed",
    imp_scale: Annotated[str, typer.Option(help="The scale of IMPs.")] = "imps-1962",
    vp_scale: Annotated[str | None, typer.Option(help="The scale of victory points.")] = None,
    bye: Annotated[float | None, typer.Option(help="Victory points for a match that was sat out.")] = None,
    sub_field: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="What tells the versions of fouled boards apart.")
    ] = None,
    penalties: Annotated[
        Path | None, typer.Option(metavar="CSV", help="contestant, amount, unit; side, section …")
    ] = None,
    handicaps: Annotated[Path | None, typer.Option(metavar="CSV", help="contestant, handicap; side, section …")] = None,
    handicap_share: Annotated[float, typer.Option(help="1 for full handicaps, 0.5 for half.")] = 1,
    names: Annotated[Path | None, typer.Option(metavar="CSV", help="contestant, name; side, section …")] = None,
    schedule: Annotated[
        str | None,
        typer.Option(metavar="CSV|BOARDS", help="The movement, or how many boards all play: a provisional ranking."),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the ranking.")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="COLUMNS", help="The columns that say which rows share the cards.")
    ] = None,
    layout: Annotated[str | None, typer.Option(metavar="TOML", help="How this club writes its files.")] = None,
) -> None:
    """Rank an event: who won, in every form that clubs and federations use.

    Examples:
    bridge-analytics standings scored.csv --winners 2 --penalties fines.csv --names names.csv -o ranking.csv
    bridge-analytics standings league.csv --of teams --form victory_points
    """
    check_outputs(output, source=file)
    with console(stderr=True).status(f"reading {file} …") as status:
        scored, found = sift_results(file, layout=layout, by=_listed(by))
        if by is not None or "deal_id" not in scored:
            status.update(f"scoring {len(scored):,} results …")
            forms = {"victory_points": ("matchpoints", "cross_imps")}.get(form, (form,) if form in _COMPARED else ())
            scored = score_results(
                scored,
                by=_listed(by),
                forms=() if of == "teams" else forms,
                win=win,
                datum=datum,
                imp_scale=imp_scale,
                expected=expected,
            )
        status.update(f"ranking {len(scored):,} results …")
        ranking = standings(
            scored,
            form=form,
            winners=winners,
            of=of,
            within=_listed(within) or (),
            sessions=sessions,
            rank_by=rank_by,
            adjusted=None if adjusted == "none" else adjusted,
            expected=expected,
            win=win,
            datum=datum,
            imp_scale=imp_scale,
            sub_field=sub_field,
            vp_scale=vp_scale,
            bye=bye,
            penalties=_table(penalties),
            handicaps=_table(handicaps),
            handicap_share=handicap_share,
            names=_table(names),
            schedule=int(schedule) if schedule is not None and schedule.isdecimal() else _table(schedule),
        )
    if output is not None:
        write(ranking, output)
    show_table(_for_the_eye(ranking))
    if output is not None:
        say(f"{len(ranking):,} lines written to {output}")
    tell_faults(found, None)
    raise typer.Exit(bool(len(found)))


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _table(path: str | Path | None) -> pd.DataFrame | None:
    """A small table that a club keeps by hand: words but for its numbers, semicolons and decimal commas included."""
    if path is None:
        return None
    head = Path(path).read_text(encoding="utf-8-sig").partition("\n")[0]
    if not head.strip():
        raise ValueError(f"expected a table with headings, got an empty file {str(path)!r}")
    words = pd.read_csv(path, sep=";" if head.count(";") > head.count(",") else ",", dtype="str", encoding="utf-8-sig")
    table = words.rename(columns=lambda name: str(name).strip().lower())
    for name in table:
        table[name] = table[name].str.strip()
        if name in _NUMBERS:
            table[name] = _numbers(table[name], f"{name} in {str(path)!r}")
    return table


def _numbers(words: pd.Series, what: str) -> pd.Series:
    numbers = pd.to_numeric(words.str.replace(",", "."), errors="coerce")
    wrong = numbers.isna()
    if wrong.any():
        place = int(wrong.argmax())
        word = words.iloc[place]
        raise ValueError(
            f"expected {what} as a number, got {'nothing' if pd.isna(word) else repr(word)} in row {place + 2}"
        )
    return numbers


def _for_the_eye(ranking: pd.DataFrame) -> pd.DataFrame:
    """The columns that say something, numbers to hundredths, the name beside the contestant."""
    said = [
        name
        for name in ranking
        if ranking[name].notna().any() and not (name in _USUALLY_NONE and (ranking[name] == 0).all())
    ]
    if "name" in said:
        said.remove("name")
        said.insert(said.index("contestant") + 1 if "contestant" in said else 0, "name")
    table = ranking[said].copy()
    for name in table.columns[table.dtypes == "float64"]:
        table[name] = table[name].map(lambda number: "" if number != number else f"{number:.2f}")
    return table
