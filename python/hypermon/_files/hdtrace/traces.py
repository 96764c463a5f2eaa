# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace traces (.trc): the nested states of one thread. Nested states precede the state that contains them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from hypermon._files import files
from hypermon._files.hdtrace import elements, times
from hypermon._files.hdtrace.elements import Element, Parsed
from hypermon.errors import cut

ROOT = "Program"
NESTED = "Nested"
TIMES = ("time", "end", "duration")


@dataclass
class Entry:
    """A state, or an event (begin = end).

    Attributes:
        begin_ps, end_ps: Times of the file's clock plus the header's adjustment.
        attributes: All attributes except the times.
        line: Line of the file, from 1. 0: the entry is not from a file.
        nested: Entries within it, sorted by begin.
        inner: Other elements within it, written by HDTrace's wrapper: name and attributes (`Data` in old files).
    """

    name: str
    begin_ps: int
    end_ps: int
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    nested: list[Entry] = field(default_factory=list)
    inner: list[tuple[str, dict[str, str]]] = field(default_factory=list)


class _Open(NamedTuple):
    parsed: Parsed
    adjustment: int


def read_trace(path: Path) -> Iterator[Entry]:
    """Yields the outermost states in the file's order, which is that of their ends. Reads the file incrementally.

    Raises a UserError with file and line if the file is not valid.
    """
    parsed = Parsed(path)
    context: _Open | None = None
    waiting: list[Entry] = []
    last = 0
    for root, element in elements.stream(path, ROOT):
        context = context or _Open(parsed, parsed.time_or(root, "timeAdjustment", 0))
        last = element.line
        if element.name == NESTED:
            waiting = _entries(context, element)
            continue
        yield _entry(context, element, waiting)
        waiting = []
    if waiting:
        elements.refuse(path, last, f"<{NESTED}> is in no state: none follows it")


def adjustment_of(path: Path, root: str = ROOT) -> int:
    """Returns the time adjustment, ps, in the header of a trace, or of a file with the outermost element `root`."""
    for outermost, _ in elements.stream(path, root):
        return Parsed(path).time_or(outermost, "timeAdjustment", 0)
    return 0


def _entries(context: _Open, nested: Element) -> list[Entry]:
    found: list[Entry] = []
    waiting: list[Entry] = []
    for element in nested.children:
        if element.name == NESTED:
            waiting = _entries(context, element)
            continue
        found.append(_entry(context, element, waiting))
        waiting = []
    if waiting:
        elements.refuse(context.parsed.path, nested.line, f"<{NESTED}> is in no state: none follows it")
    return found


def _entry(context: _Open, element: Element, nested: list[Entry]) -> Entry:
    parsed = context.parsed
    begin = parsed.time(element, "time")
    if "duration" in element.attributes:
        end = begin + parsed.time(element, "duration")
    else:
        end = parsed.time_or(element, "end", begin)
    if end < begin:
        elements.refuse(parsed.path, element.line, f"<{cut(element.name)}> ends before it begins")
    rest = {name: text for name, text in element.attributes.items() if name not in TIMES}
    name = element.name
    if name == "Event":  # written by the Java library, with the name as an attribute
        name = rest.pop("name", name)
    inner = [(child.name, child.attributes) for child in element.children]
    return Entry(name, begin + context.adjustment, end + context.adjustment, rest, element.line, nested, inner)


def write_trace(path: Path, entries: Iterable[Entry], adjustment_s: int = 0) -> None:
    """Writes a trace atomically. Times are in whole us, minus the adjustment in s."""
    with files.writing(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"<{ROOT} timeAdjustment='{adjustment_s}'>\n")
        for entry in entries:
            file.writelines(_lines(entry, adjustment_s * times.PS_PER_SECOND, ""))
        file.write(f"</{ROOT}>\n\n")


def _lines(entry: Entry, adjustment: int, indent: str) -> Iterator[str]:
    if entry.nested:
        yield f"{indent}<{NESTED}>\n"
        for inner in entry.nested:
            yield from _lines(inner, adjustment, indent + "  ")
        yield f"{indent}</{NESTED}>\n"
    rest = "".join(f"{name}={_quoted(text)} " for name, text in entry.attributes.items())
    begin, end = times.stamp(entry.begin_ps - adjustment), times.stamp(entry.end_ps - adjustment)
    head = f"{indent}<{entry.name} {rest} time='{begin}' end='{end}'"
    if not entry.inner:
        yield head + "/>\n"
        return
    yield head + ">\n"
    for name, attributes in entry.inner:
        yield f"{indent}  <{name} " + " ".join(f"{key}={_quoted(text)}" for key, text in attributes.items()) + " />\n"
    yield f"{indent}</{entry.name}>\n"


def _quoted(text: str) -> str:
    """Quotes an attribute as HDTrace's C library does: in single quotes if possible."""
    double = quoteattr(text)
    return double if "'" in text or double[0] == "'" else f"'{double[1:-1]}'"
