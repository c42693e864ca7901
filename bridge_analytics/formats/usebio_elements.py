"""The elements of a USEBIO file one after the other: nothing fetched, no entity expanded, what was read let go."""

from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError

from bridge_analytics.checks import ResultsError, fault_table

Scope = tuple[int, ...]
"""Where an element stands: the numbers of its event, session and section; 0 where it is in none."""

_PLACES = ("EVENT", "SESSION", "SECTION")
_HOLDERS = frozenset((*_PLACES, "MATCH", "BOARD", "TRAVELLER_LINE", "PAIR", "PLAYER", "HAND"))


def elements(file: BinaryIO, encoding: str | None) -> Iterator[tuple[list[Element], Scope]]:
    """Each element when it ends, behind those that it stands in; of what it held, only what says something by itself.

    Parameters
    ----------
    file : binary file
    encoding : str, optional
        The one that the file declares, without it.

    Yields
    ------
    open : list of Element
        From the outermost to the element itself.
    scope : tuple of int, of length 3

    Raises
    ------
    ResultsError
        If the file declares an entity, or is no USEBIO.
    ParseError
        Where the file stops to be XML.

    Notes
    -----
    A document type with nothing but a system identifier is accepted and not followed.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, iterparse

    within: list[Element] = []
    count: dict[tuple[Scope, str], int] = defaultdict(int)
    scope = [0, 0, 0]
    try:
        for event, element in iterparse(file, ("start", "end"), DefusedXMLParser(encoding=encoding)):
            if event == "start":
                _enter(element, within, scope, count)
                continue
            yield within, tuple(scope)
            within.pop()
            if element.tag in _PLACES:
                scope[_PLACES.index(element.tag)] = 0
            if within and (within[-1].tag not in _HOLDERS or (len(element) and element.tag != "PLAYER")):
                within[-1].remove(element)
    except DefusedXmlException as error:
        raise ResultsError(fault_table("xml_entity", None, value=str(error)), 0) from None
    except (LookupError, UnicodeError) as error:  # an encoding that there is not
        raise ParseError(str(error)) from None


def _enter(element: Element, within: list[Element], scope: list[int], count: dict[tuple[Scope, str], int]) -> None:
    """Note an element that begins, and its number if it is a place of results."""
    if not within and element.tag != "USEBIO":
        raise ResultsError(fault_table("file_unreadable", None, value=f"<{element.tag}>"), 0)
    within.append(element)
    if element.tag in _PLACES:
        around = tuple(scope), element.tag
        count[around] += 1
        scope[_PLACES.index(element.tag)] = count[around]


def text_of(element: Element | None, *tags: str) -> str | None:
    """The text of the first of some children that says something."""
    if element is None:
        return None
    texts = (" ".join((element.findtext(tag) or "").split()) for tag in tags)
    return next(filter(None, texts), None)


def around(scope: Scope) -> tuple[Scope, ...]:
    """A place and those around it, from the nearest to the whole file."""
    event, session, _ = scope
    return scope, (event, session, 0), (event, 0, 0), (0, 0, 0)
