"""HTML that a notebook shows as what it is, and every other place takes as text."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup


def shown(html: str) -> "Markup":
    """HTML that a notebook shows by itself, as the last line of a cell or by ``display``.

    Parameters
    ----------
    html : str
        Made by a function that has escaped every text in it.

    Returns
    -------
    Markup
        A ``str``; whatever is added to it is escaped.

    Notes
    -----
    IPython shows a ``str`` as its characters, and knows nothing of ``__html__``, by which templates tell HTML from
    text. So where IPython runs it is told, in the way that it has for types of other packages
    (``DisplayFormatter.formatters``, ``BaseFormatter.for_type``).

    Examples
    --------
    >>> shown("<b>7</b>") + "<i>"
    Markup('<b>7</b>&lt;i&gt;')
    """
    from markupsafe import Markup

    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.display_formatter.formatters["text/html"].for_type(Markup, Markup.__html__)
    return Markup(html)
