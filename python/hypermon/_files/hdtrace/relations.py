# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace relations (.rel): operations of a node of the topology, each with the operation that caused it.

An operation's number is unique within its file. The cause is named by its number and by what identifies its file: the
topology number if it is in the same process (p), also the process if it is on the same host (l), also the host
otherwise (r).
"""

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

ROOT = "relation"
KNOWN = ("t", "time", "name", "p", "l", "r", "i")


class Token(NamedTuple):
    """Globally unique identifier of an operation: host, process, topology number of the process, number."""

    host: str
    process: str
    topology: int
    number: int


@dataclass
class Operation:
    """An operation, with its states, which may be nested.

    Attributes:
        token: The operation's identifier.
        cause: Identifier of the operation that caused it. None: unknown.
        begin_ps, end_ps: Time from its creation to its end. The end is None if the file does not have it.
        states: The states as (name, begin, end, attributes), sorted by begin. The end may be None.
        line: Line of the file in which it is created.
    """

    token: Token
    cause: Token | None
    begin_ps: int
    end_ps: int | None = None
    states: list[tuple[str, int, int | None, dict[str, str]]] = field(default_factory=list)
    line: int = 0


@dataclass(frozen=True)
class Relations:
    """A file of relations. `operations`: in the order of their creation."""

    host: str
    process: str
    topology: int
    operations: tuple[Operation, ...]


def read_relations(path: Path) -> Relations:
    """Reads a file. Raises a UserError with file and line if it is invalid, or if an operation ends without a begin."""
    parsed = Parsed(path)
    made: dict[int, Operation] = {}
    open_: dict[int, list[int]] = {}
    head: tuple[str, str, int] | None = None
    shift = 0
    for root, element in elements.stream(path, ROOT):
        if head is None:
            head = _head(parsed, root)
            shift = parsed.time_or(root, "timeAdjustment", 0)
        number = parsed.integer(element, "t", 0)
        when = parsed.time(element, "time") + shift
        if element.name == "rel":
            if number in made:
                elements.refuse(path, element.line, f"operation {number} is made twice")
            token = Token(*head, number)
            made[number] = Operation(token, _cause(parsed, element, head), when, line=element.line)
            continue
        operation = made.get(number)
        if operation is None:
            elements.refuse(path, element.line, f"operation {number}, which no <rel> has made")
        if when < operation.begin_ps:
            elements.refuse(path, element.line, f"operation {number}: its time is before that of its <rel>")
        if element.name == "s":
            rest = {name: text for name, text in element.attributes.items() if name not in KNOWN}
            open_.setdefault(number, []).append(len(operation.states))
            operation.states.append((parsed.get(element, "name"), when, None, rest))
        elif element.name == "e":
            if not open_.get(number):
                elements.refuse(path, element.line, f"a state of operation {number} ends that has not begun")
            place = open_[number].pop()
            name, begin, _, attributes = operation.states[place]
            rest = {key: text for key, text in element.attributes.items() if key not in KNOWN}
            operation.states[place] = (name, begin, when, attributes | rest)
        elif element.name == "un":
            operation.end_ps = when
        else:
            elements.refuse(path, element.line, f"<{cut(element.name)}>: must be rel, s, e or un")
    return Relations(*(head or ("", "", 0)), tuple(made.values()))


def _head(parsed: Parsed, root: Element) -> tuple[str, str, int]:
    return parsed.get(root, "hostID"), parsed.get(root, "localToken"), parsed.integer(root, "topologyNumber", 0)


_SCOPES = {"p": 2, "l": 3, "r": 4}  # parts of the identifier in each scope


def _cause(parsed: Parsed, element: Element, head: tuple[str, str, int]) -> Token | None:
    for scope, parts in _SCOPES.items():
        if scope not in element.attributes:
            continue
        fields = element.attributes[scope].split(":")
        numbers = fields[-2:]
        if len(fields) != parts or not all(text.isascii() and text.isdecimal() and len(text) < 20 for text in numbers):
            form = ":".join(("host", "process", "topology", "number")[-parts:])
            parsed.wrong(element, scope, form)
        known = fields[:-2]
        host, process = {0: head[:2], 1: (head[0], *known), 2: tuple(known)}[len(known)]
        return Token(host, process, int(numbers[0]), int(numbers[1]))
    return None


def write_relations(path: Path, relations: Relations, adjustment_s: int = 0) -> None:
    """Writes a file atomically, sorted by time. Times are in whole us, minus the adjustment."""
    shift = adjustment_s * times.PS_PER_SECOND
    lines = sorted(_lines(relations, shift), key=lambda line: line[:2])
    with files.writing(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(
            f'<{ROOT} version="1" hostID={quoteattr(relations.host)} localToken={quoteattr(relations.process)} '
            f'topologyNumber="{relations.topology}" timeAdjustment="{adjustment_s}">\n'
        )
        file.writelines(text + "\n" for _, _, text in lines)
        file.write(f"</{ROOT}>\n")


def _lines(relations: Relations, shift: int) -> Iterator[tuple[int, int, str]]:
    """Yields the lines: time, a number that orders lines of equal time, and text."""
    place = 0
    for operation in relations.operations:
        when = operation.begin_ps
        number = operation.token.number

        def line(tag: str, ps: int, rest: str, number: int = number) -> str:
            return f'<{tag} t="{number}" time="{times.stamp(ps - shift)}"{rest}/>'

        yield when, place, line("rel", when, _scope(operation, relations))
        for name, begin, end, attributes in operation.states:
            text = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
            head = f'<s name={quoteattr(name)} t="{number}" time="{times.stamp(begin - shift)}"{text}/>'
            yield begin, place + 1, head
            if end is not None:
                yield end, place + 2, line("e", end, "")
        if operation.end_ps is not None:
            yield operation.end_ps, place + 3, line("un", operation.end_ps, "")
        place += 4


def _scope(operation: Operation, relations: Relations) -> str:
    cause = operation.cause
    if cause is None:
        return ""
    if cause.host != relations.host:
        return f' r="{cause.host}:{cause.process}:{cause.topology}:{cause.number}"'
    if cause.process != relations.process:
        return f' l="{cause.process}:{cause.topology}:{cause.number}"'
    return f' p="{cause.topology}:{cause.number}"'


def resolved(all_files: Iterable[Relations]) -> dict[Token, Operation]:
    """Returns all operations of a project, by identifier."""
    return {one.token: one for each in all_files for one in each.operations}
