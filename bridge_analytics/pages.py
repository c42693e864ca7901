"""Self-contained pages: templates, figures inline, and the foot that says how a page was made.

``templates/base.html`` is the frame of every page: head, style, foot. A page of its own extends it. Whatever is put
into a template is escaped, unless it comes from a function that escaped it: :func:`trusted`.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bridge_analytics.rules import Edition, load_edition
from bridge_analytics.words import words

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Made = list[tuple[str, str]]

_NAMED = re.compile(r' id="[A-Za-z]+[A-Za-z0-9.]*_[0-9]+"')  # groups of a figure, which nothing refers to
_HEAD = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)


def render(template: str, *, language: str, title: str, made: Made, **content: Any) -> str:
    """A page from its template.

    Parameters
    ----------
    template : str
        Its name, among those of the package.
    language : {"en", "es"}
    title : str
    made : list of (str, str)
        As :func:`provenance` gives it, in the order of the foot.
    **content
        What else the template asks for; texts are escaped.

    Returns
    -------
    str
        The page: it asks nothing of the network.

    Raises
    ------
    jinja2.UndefinedError
        If the template asks for what is not given.

    Examples
    --------
    >>> page = render("base.html", language="en", title="<b>", made=[("Rows", "338")])
    >>> "<title>&lt;b&gt;</title>" in page, "<dt>Rows</dt><dd>338</dd>" in page
    (True, True)
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bridge_analytics"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    say = words(language)
    return environment.get_template(template).render(language=language, title=title, made=made, say=say, **content)


def trusted(text: str) -> "Markup":
    """HTML that a function made and has escaped itself, such as a table or a figure."""
    from markupsafe import Markup

    return Markup(text)


def svg(ax: "Axes", *, label: str) -> str:
    """A figure as inline SVG, the same bytes whenever it is drawn.

    Parameters
    ----------
    ax : Axes
    label : str
        What it shows, for those who do not see it; different for each figure of a page.

    Returns
    -------
    str
    """
    from matplotlib import rc_context

    out = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": label}):
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        cast("Figure", ax.get_figure(root=True)).savefig(out, format="svg", metadata=nothing)
    text = out.getvalue()
    text = _NAMED.sub("", _HEAD.sub("", text[text.index("<svg") :]))
    return text.replace("<svg", f'<svg role="img" aria-label="{trusted("{}").format(label)}"', 1)


def provenance(
    sources: Iterable[Path],
    *,
    rows: int,
    left_out: int,
    editions: Sequence[str | Edition],
    command: str,
    language: str = "en",
) -> Made:
    """What a page was made from, for its foot: nothing in it depends on the day or the machine.

    Parameters
    ----------
    sources : iterable of path
        The files that were read.
    rows, left_out : int
        Results that the page is about, and those that could not be read.
    editions : sequence of str or Edition
    command : str
        What makes the page again.
    language : {"en", "es"}

    Returns
    -------
    list of (str, str)
    """
    say = words(language)
    files = [(say["file"], f"{path.name}, sha256 {file_sha256(path)}") for path in map(Path, sources)]
    loaded = [load_edition(edition) for edition in editions]
    return [
        *files,
        (say["rows"], f"{rows:,}".replace(",", say["thousands"])),
        (say["rows_left_out"], f"{left_out:,}".replace(",", say["thousands"])),
        *((say["editions"] if first == 0 else "", f"{one.name}: {one.title}") for first, one in enumerate(loaded)),
        (say["version"], f"bridge-analytics {own_version()}"),
        (say["command"], command),
    ]


def file_sha256(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def own_version() -> str:
    """The version of this package, as it is installed."""
    try:
        return version("bridge-analytics")
    except PackageNotFoundError:
        return "(not installed)"
