"""Real events: what is published and where, a download that is checked, and a folder of events as one table.

Championships 2004-2018, 350,980 results on 15,192 deals, all tables of which played the same cards: the score files of
the Valet program, at one revision of its repository, each known by its sha256 in ``valet_files.toml``. They are not
part of this package, and nothing is downloaded unless :func:`valet` is called.
"""

import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from bridge_analytics.results import read_results
from bridge_analytics.table import concat_results, label

DEALS = ("event", "round", "board")
"""What tells deals apart in these events, for the ``by`` of :func:`score_results`: each round has boards of its own."""

_FILES = Path(__file__).with_name("valet_files.toml")
_ENDINGS = (".csv.gz", ".txt")


def valet_files() -> pd.DataFrame:
    """The events that :func:`valet` knows, and their files.

    Returns
    -------
    DataFrame
        ``event``, ``path`` in the repository, ``bytes``, ``sha256``, ``url``: a row for each event.

    Examples
    --------
    >>> valet_files()[["event", "bytes"]].tail(2)
                      event   bytes
    46  2018_open_bam_final  213091
    47      2018_open_teams  354447
    """
    published = tomllib.loads(_FILES.read_text(encoding="utf-8"))
    files = pd.DataFrame([{"event": event, **file} for event, file in published["events"].items()])
    urls = [published["address"].format(revision=published["revision"], path=quote(path)) for path in files["path"]]
    return files.assign(url=urls)


def valet(events: str | Sequence[str] | None = None, *, folder: str | Path | None = None) -> Path:
    """Download the score files of real events, once, and check them.

    Parameters
    ----------
    events : str or sequence of str, optional
        Names as in :func:`valet_files`; all of them by default, 10 MB.
    folder : str or path, optional
        Where the files go and are looked for; the user's cache by default.

    Returns
    -------
    Path
        The folder, with a file ``EVENT.txt`` for each event, for :func:`load_events`. A file that is there and has the
        sha256 that it should is not downloaded again.

    Raises
    ------
    ValueError
        If an event is not known, or what was downloaded has another sha256: it is deleted.
    ImportError
        If pooch is not installed, which is the extra ``data``.

    Notes
    -----
    The files are under the Apache License 2.0; players are numbers. Vulnerability and dealer are not in them and
    follow from the board (Law 2); adjusted scores were left out by the source.
    """
    files = valet_files().set_index("event")
    wanted = [*files.index] if events is None else [events] if isinstance(events, str) else [*events]
    _check_events(wanted, [*files.index])
    try:
        import pooch
    except ImportError:
        raise ImportError(
            "expected pooch, which downloads and checks events, got none: pip install 'bridge-analytics[data]'"
        ) from None
    place = Path(pooch.os_cache("bridge-analytics") if folder is None else folder)
    chosen = files.loc[wanted].set_axis([f"{event}.txt" for event in wanted])
    fetcher = pooch.create(
        place, base_url="", registry=chosen["sha256"].radd("sha256:").to_dict(), urls=chosen["url"].to_dict()
    )
    for name in chosen.index:
        fetcher.fetch(name)
    return place


def load_events(
    folder: str | Path,
    events: str | Sequence[str] | None = None,
    *,
    layout: Mapping[str, Any] | str | Path | None = None,
) -> pd.DataFrame:
    """Read a folder of events as one table of results.

    Parameters
    ----------
    folder : str or path
        With a file for each event, ``EVENT.csv.gz`` or ``EVENT.txt``: results CSVs, or Valet score files as
        :func:`valet` leaves them. Other files, and folders in it, are passed over.
    events : str or sequence of str, optional
        The events to read; all by default.
    layout : mapping or path of a TOML file, optional
        How the files are written, as for :func:`read_results`.

    Returns
    -------
    DataFrame
        The canonical table, by the names of the files; ``event`` is the name of the file without its ending. Score it
        with ``by=DEALS``.

    Raises
    ------
    ResultsError
        If a row of a file cannot be read.
    ValueError
        If there is no such file, an event that is asked for is not there or is there twice, or a file names events of
        its own.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "2031_club.txt").write_text("1|7|31|4|15|9|3N|S|9|H4")
    ...     load_events(folder)[["event", "round", "board", "vul", "contract", "tricks"]]
           event round  board   vul contract  tricks
    0  2031_club     1      7  both      3NT       9
    """
    found = [(path.name.removesuffix(end), path) for end in _ENDINGS for path in Path(folder).glob(f"*{end}")]
    names = sorted(name for name, _ in found)
    if not found:
        raise ValueError(
            f"expected a folder with files {' or '.join(f'*{end}' for end in _ENDINGS)}, got {str(folder)!r}"
        )
    twice = [name for name, other in pairwise(names) if name == other]
    if twice:
        raise ValueError(f"expected one file for each event, got two for {twice[0]!r}")
    wanted = names if events is None else [events] if isinstance(events, str) else [*events]
    _check_events(wanted, names)
    files = dict(found)
    return concat_results([_event(name, files[name], layout) for name in sorted(wanted)])


def _check_events(wanted: Sequence[str], known: Sequence[str]) -> None:
    for event in wanted:
        if event not in known:
            raise ValueError(f"expected events among {', '.join(known)}, got {event!r}")


def _event(name: str, path: Path, layout: Any) -> pd.DataFrame:
    results = read_results(path, layout=layout)
    own = results["event"].dropna()
    if len(own):
        raise ValueError(f"expected the file to be the event, got {own.iloc[0]!r} as an event in {path.name}")
    return results.assign(event=label([name], np.zeros(len(results), np.int8)))
