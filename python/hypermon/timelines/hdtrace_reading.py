# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of an HDTrace project into the tracks of a time line."""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon._files import scratch as scratches
from hypermon._files.hdtrace import Node, Project, read_relations, read_statistics, read_trace
from hypermon._files.hdtrace import project as projects
from hypermon._files.hdtrace.relations import ROOT as ROOT_OF_RELATIONS
from hypermon._files.hdtrace.relations import Operation, Relations, Token
from hypermon._files.hdtrace.statistics import first_second
from hypermon._files.hdtrace.times import PS_PER_SECOND
from hypermon._files.hdtrace.traces import ROOT, Entry, adjustment_of
from hypermon._files.scratch import Scratch, extremes, let_go, pieces
from hypermon.errors import UserError
from hypermon.timelines.gathering import NONE, Gathering
from hypermon.timelines.tracks import WORLD, Communicator, Process, States, Statistic, TimeLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

LATE_S = 9_000_000  # larger times count from 1970: they exceed 64 bits of ps
EXACT = (
    "BMI",
    "FLOW",
    "REQ",
    "SERVER",
    "TROVE",
    "DISK",
    "CLIENT",
)  # groups of counts that are recorded at every change
NUMBERS = {
    "bytes": ("size",),
    "offset": ("offset",),
    "to": ("toRank",),
    "from": ("fromRank",),
    "communicator": ("cid", "comm"),
    "step": ("step",),
    "to_tag": ("toTag",),
    "from_tag": ("fromTag",),
    "received_bytes": ("recvSize",),
    "request": ("rid", "aid"),
}
COMPLETED = "completed"  # requests that a call completed, by their numbers
TEXTS = {"file": ("file",), "algorithm": ("algorithm",), "type": ("type",), COMPLETED: (COMPLETED,)}


@dataclass
class _Column:
    """Buffer for new states of one track, which are passed on in pieces."""

    gathering: Gathering
    begin: array[int] = field(default_factory=lambda: array("q"))
    end: array[int] = field(default_factory=lambda: array("q"))
    name: array[int] = field(default_factory=lambda: array("i"))
    id: array[int] = field(default_factory=lambda: array("Q"))
    cause: array[int] = field(default_factory=lambda: array("Q"))
    names: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, array[int]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)

    def add(self, begin: int, end: int, name: str, ids: tuple[int, int], attributes: dict[str, str]) -> None:
        row = len(self.begin)
        self.begin.append(begin)
        self.end.append(end)
        self.name.append(self.names.setdefault(name, len(self.names)))
        self.id.append(ids[0])
        self.cause.append(ids[1])
        for column, keys in NUMBERS.items():
            for key in keys:
                text = attributes.get(key)
                if text is not None and (value := _whole(text)) is not None:
                    numbers = self.numbers.setdefault(column, array("q"))
                    numbers.extend([NONE] * (row - len(numbers)))
                    numbers.append(value)
                    break
        for column, keys in TEXTS.items():
            for key in keys:
                if (text := attributes.get(key)) is not None:
                    texts = self.texts.setdefault(column, [])
                    texts.extend([""] * (row - len(texts)))
                    texts.append(text)
                    break
        if row + 1 >= scratches.ROWS:
            self.pass_on()

    def pass_on(self) -> None:
        """Passes on the states since the last call."""
        rows = len(self.begin)
        if not rows:
            return
        details: dict[str, NDArray[Any]] = {}
        for key, numbers in self.numbers.items():
            numbers.extend([NONE] * (rows - len(numbers)))
            details[key] = np.array(numbers, np.int64)
        for key, texts in self.texts.items():
            texts.extend([""] * (rows - len(texts)))
            details[key] = np.array(texts, object)
        begin, end = np.array(self.begin, np.int64), np.array(self.end, np.int64)
        name, own, cause = np.array(self.name, np.int32), np.array(self.id, np.uint64), np.array(self.cause, np.uint64)
        self.gathering.add(States((), begin, end, tuple(self.names), name, own, cause, details))
        self.begin, self.end, self.name = array("q"), array("q"), array("i")
        self.id, self.cause = array("Q"), array("Q")
        self.numbers, self.texts = {}, {}


def _whole(text: str) -> int | None:
    try:
        value = int(text) if len(text) <= 19 else None
    except ValueError:
        return None
    return value


@dataclass(frozen=True)
class _Window:
    base_s: int
    begin: int | None
    end: int | None

    def touches(self, begin: int, end: int) -> bool:
        return (self.begin is None or end >= self.begin) and (self.end is None or begin < self.end)

    def relative_ps(self, ps: int) -> int:
        return ps - self.base_s * PS_PER_SECOND


def load(path: Path, begin_ps: int | None, end_ps: int | None) -> TimeLine:
    """See hypermon.timelines.hdtrace.read."""
    project = projects.read(path)
    related = {node.path: read_relations(file) for node, file in _existing(project, ".rel")}
    window = _Window(_base_s(project), begin_ps, end_ps)
    numbers = _numbers(related.values())
    columns: dict[tuple[str, ...], _Column] = {}
    passed, kept = Scratch(), Scratch()  # the first is freed once everything is in the second
    for node, file in _existing(project, ".trc"):
        column = _column(columns, _display(project, node), passed)
        own = related.get(node.path)
        is_mpi = _of_process(node)
        named = _Named()
        for entry in read_trace(file):
            _add(column, entry, window, _Ids(own, numbers), is_mpi, named)
        column.pass_on()
    for node_path, one in related.items():
        node = next(each for each in project.walk() if each.path == node_path)
        column = _column(columns, _display(project, node), passed)
        _relate(column, one, window, numbers)
        column.pass_on()
    statistics = tuple(_statistics(project, window))
    processes = {_display(project, node): one for node, one in _processes(project)}
    states = tuple(
        dataclasses.replace(column.gathering.states(kept), process=processes.get(place))
        for place, column in columns.items()
    )
    for track in states:
        _in_reach(path, track)
    first = [int(one.begin_ps[0]) for one in states if one.begin_ps.size]
    first += [int(one.times_ps[0]) for one in statistics if one.times_ps.size]
    last = [int(ends[1]) for one in states if (ends := extremes(one.end_ps))]
    last += [int(one.times_ps[-1]) for one in statistics if one.times_ps.size]
    return TimeLine(states, statistics, min(first, default=0), max(last, default=0))


def _column(columns: dict[tuple[str, ...], _Column], path: tuple[str, ...], scratch: Scratch) -> _Column:
    """Returns the track's buffer. Makes one if there is none."""
    if path not in columns:
        columns[path] = _Column(Gathering(path, scratch))
    return columns[path]


def _processes(project: Project) -> Iterator[tuple[Node, Process]]:
    """Yields the MPI processes with the nodes that their traces belong to: the first thread's if there are threads."""
    numbers: dict[int, dict[int, Communicator]] = {}
    for one in project.communicators:
        members = tuple(rank for rank, _, _ in sorted(one.members, key=lambda member: member[1]))
        communicator = Communicator(WORLD if one.name == "WORLD" else one.name, members)
        for rank, _, number in one.members:
            numbers.setdefault(rank, {})[number] = communicator
    for node in project.walk():
        if node.level == "Rank" and node.path[-1].isdecimal():
            rank = int(node.path[-1])
            traced = next((one for one in node.children if one.level == "Thread"), node)
            yield traced, Process(rank, numbers.get(rank, {}))


def _existing(project: Project, suffix: str) -> Iterator[tuple[Node, Path]]:
    for node in project.walk():
        file = project.file_of(node, suffix)
        if file.is_file():
            yield node, file


def _base_s(project: Project) -> int:
    """Returns the whole second to which all times are relative.

    It is that of the traces or, without any, of the relations or statistics.
    """
    for suffix, root in ((".trc", ROOT), (".rel", ROOT_OF_RELATIONS)):
        begins = [adjustment_of(file, root) // PS_PER_SECOND for _, file in _existing(project, suffix)]
        if begins:
            break
    else:
        files = (project.file_of(node, ".stat", group) for node in project.walk() for group in project.groups)
        begins = [begin for file in files if file.is_file() and (begin := first_second(file)) is not None]
    least = min(begins, default=0)
    return least if least > LATE_S else 0


def _numbers(all_files: Iterable[Relations]) -> dict[Token, int]:
    numbers: dict[Token, int] = {}
    for one in all_files:
        for operation in one.operations:
            if operation.token in numbers:
                token = ":".join(str(part) for part in operation.token)
                raise UserError(f"operation {token} is made in two of the project's relation files")
            numbers[operation.token] = len(numbers) + 1
    return numbers


def _of_process(node: Node) -> bool:
    return node.level in ("Rank", "Thread")


def _display(project: Project, node: Node) -> tuple[str, ...]:
    """Returns a node's path in the tree. A rank is called "rank 3". An only thread has the path of its rank."""
    labels: list[str] = []
    nodes: Sequence[Node] = project.nodes
    for name in node.path:
        found = next(one for one in nodes if one.path[-1] == name)
        if found.level == "Rank":
            labels.append(f"rank {name}")
        elif found.level != "Thread" or len(nodes) > 1:
            labels.append(name)
        nodes = found.children
    return (project.name, *labels)


@dataclass
class _Named:
    """The files that a thread has opened, by the thread's numbers for them."""

    files: dict[str, str] = field(default_factory=dict)

    def attributes_of(self, entry: Entry) -> dict[str, str]:
        number = entry.attributes.get("fid", entry.attributes.get("file"))
        if number is None:
            return entry.attributes
        if entry.name == "File_open" and "name" in entry.attributes:
            self.files[number] = entry.attributes["name"]
        attributes = entry.attributes
        for name, inner in entry.inner:
            if name == "Data":  # written by the wrapper before June 2009
                attributes = inner | attributes
        return attributes | {"file": self.files.get(number, number)}


@dataclass(frozen=True)
class _Ids:
    """The ids, in the time line, of the operations in a trace's own relation file."""

    own: Relations | None
    numbers: dict[Token, int]

    def operation(self, attributes: dict[str, str]) -> tuple[int, int]:
        number = _whole(attributes.get("rel", ""))
        if self.own is None or number is None:
            return 0, 0
        return self.numbers.get(Token(self.own.host, self.own.process, self.own.topology, number), 0), 0


def _add(column: _Column, entry: Entry, window: _Window, ids: _Ids, is_mpi: bool, named: _Named) -> None:
    attributes = named.attributes_of(entry)
    if completed := _completed(entry):
        attributes = attributes | {COMPLETED: completed}
    for inner in entry.nested:
        _add(column, inner, window, ids, is_mpi, named)
    begin, end = window.relative_ps(entry.begin_ps), window.relative_ps(entry.end_ps)
    if window.touches(begin, end):
        _fits(begin, end, f"line {entry.line}")
        column.add(begin, end, f"MPI_{entry.name}" if is_mpi else entry.name, ids.operation(attributes), attributes)


def _completed(entry: Entry) -> str:
    """Returns the numbers of the requests that a call completed."""
    requests = (inner for name, inner in entry.inner if name.casefold() == "for")
    return " ".join(number for one in requests if (number := one.get("rid") or one.get("aid")))


def _fits(begin: int, end: int, where: str) -> None:
    if max(abs(begin), abs(end)) > LATE_S * PS_PER_SECOND:
        raise UserError(f"{where}: a time of more than {LATE_S} s from the begin of the project's earliest trace")


def _in_reach(path: Path, track: States) -> None:
    for part in pieces(len(track.begin_ps)):
        if bool((track.end_ps[part] < track.begin_ps[part]).any()):
            raise UserError(f"{path}: a state of {'/'.join(track.path)} ends before it begins")
        let_go(track.begin_ps)


def _relate(column: _Column, relations: Relations, window: _Window, numbers: dict[Token, int]) -> None:
    """Adds the states of operations that are not in a trace of the same node."""
    traced = column.gathering.ids()
    last = max((_last(operation) for operation in relations.operations), default=0)
    for operation in relations.operations:
        number = numbers[operation.token]
        cause = numbers.get(operation.cause, 0) if operation.cause is not None else 0
        if number in traced:
            continue
        end = operation.end_ps if operation.end_ps is not None else last
        states = operation.states or [("operation", operation.begin_ps, end, {})]
        for name, begin, ended, attributes in states:
            first, after = window.relative_ps(begin), window.relative_ps(ended if ended is not None else end)
            if window.touches(first, after):
                _fits(first, after, f"operation {operation.token.number}, line {operation.line}")
                column.add(first, max(first, after), name, (number, cause), attributes)


def _last(operation: Operation) -> int:
    ends = [end if end is not None else begin for _, begin, end, _ in operation.states]
    return max([operation.begin_ps, operation.end_ps or operation.begin_ps, *ends])


def _statistics(project: Project, window: _Window) -> Iterator[Statistic]:
    for node in project.walk():
        for name in project.groups:
            file = project.file_of(node, ".stat", name)
            if not file.is_file():
                continue
            group = read_statistics(file, window.base_s, window.begin, window.end)
            above = _display(project, node)
            if above[-1] != name:
                above = (*above, name)
            exact = len(group.columns) == 1 and name.upper() in EXACT
            for one in group.columns:
                values = group.values[one.name].astype(np.float64)
                label = "pending" if exact else one.name
                yield Statistic((*above, label), one.unit.replace("#", ""), group.times_ps, values, exact)
