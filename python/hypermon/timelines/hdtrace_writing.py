# SPDX-License-Identifier: BSD-3-Clause
"""Writes time lines as HDTrace projects.

Nested states become traces, states that overlap or have causes become relations, and statistics become groups. Times
are converted to whole us, the resolution of the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hypermon._files import hdtrace
from hypermon._files.hdtrace import project as projects
from hypermon._files.hdtrace.relations import Operation, Relations, Token
from hypermon._files.hdtrace.traces import Entry
from hypermon.errors import UserError
from hypermon.timelines.hdtrace_reading import NUMBERS, TEXTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States, Statistic, TimeLine

RANK = re.compile(r"rank (\d+)")
NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")
KEYS = {column: keys[0] for column, keys in (NUMBERS | TEXTS).items()}


def write_all(line: TimeLine, folder: Path, name: str) -> None:
    """Writes `name`.proj and its files into an empty folder."""
    tracks = {track.path[1:]: track for track in line.states}
    if len(tracks) < len(line.states):
        raise UserError(f"{folder}: two tracks of one path, of several runs: write each on its own")
    groups = _grouped(line, tracks)
    nodes = _tree([*tracks, *(owner for owner, _ in groups)])
    project = hdtrace.Project(
        name=name,
        levels=("Hostname", "Rank"),
        nodes=nodes,
        groups=tuple(dict.fromkeys(group for _, group in groups)),
        path=folder / f"{name}{projects.SUFFIX}",
    )
    by_path = {_display(node): node for node in project.walk()}
    made = {int(number): path for path, track in tracks.items() for number in track.id if number}
    order = list(tracks)
    for topology, (path, track) in enumerate(tracks.items()):
        node = by_path[path]
        if track.id.any() or track.cause.any() or _overlap(track):
            relations = _relations(track, path, topology, made, order)
            hdtrace.write_relations(project.file_of(node, ".rel"), relations)
        else:
            hdtrace.write_trace(project.file_of(node, ".trc"), _entries(track, RANK.fullmatch(path[-1]) is not None))
    for (owner, label), members in groups.items():
        node = by_path[owner]
        first = members[0]
        columns = tuple(hdtrace.Value(_name(_column(one, label)), "DOUBLE", one.unit) for one in members)
        values: dict[str, NDArray[np.generic]] = {
            column.name: one.values for column, one in zip(columns, members, strict=True)
        }
        begin = int(first.times_ps[0]) if len(first.times_ps) else 0
        group = hdtrace.Group(label, columns, begin, first.times_ps, values)
        hdtrace.write_statistics(project.file_of(node, ".stat", label), node.path, group)
    assert project.path is not None
    projects.write(project, project.path)


def _grouped(line: TimeLine, tracks: Iterable[tuple[str, ...]]) -> dict[tuple[tuple[str, ...], str], list[Statistic]]:
    """Groups statistics by node and name of the group. The statistics of a group have the same times."""
    known = {path[:depth] for path in tracks for depth in range(1, len(path) + 1)}
    groups: dict[tuple[tuple[str, ...], str], list[Statistic]] = {}
    for one in line.statistics:
        path = one.path[1:]
        depth = max((d for d in range(1, len(path)) if path[:d] in known), default=1)
        label = _name("_".join(path[depth:-1]) or path[depth - 1])
        members = groups.setdefault((path[:depth], label), [])
        while members and not np.array_equal(members[0].times_ps, one.times_ps):
            label = f"{label}_{_name(path[-1])}"
            members = groups.setdefault((path[:depth], label), [])
        members.append(one)
    return groups


def _column(one: Statistic, label: str) -> str:
    """Returns the name of a statistic's column, or of its group if the statistic counts pending operations exactly."""
    return label if one.exact and one.path[-1] == "pending" else one.path[-1]


def _name(text: str) -> str:
    return NO_NAME.sub("_", text) if text[:1].isalpha() else "_" + NO_NAME.sub("_", text)


def _label(text: str) -> str:
    found = RANK.fullmatch(text)
    return found[1] if found else text


def _display(node: hdtrace.Node) -> tuple[str, ...]:
    last = f"rank {node.path[-1]}" if node.level == "Rank" else node.path[-1]
    return (*(f"rank {one}" if one.isdecimal() else one for one in node.path[:-1]), last)


def _tree(paths: Iterable[tuple[str, ...]], above: tuple[str, ...] = ()) -> tuple[hdtrace.Node, ...]:
    below: dict[str, list[tuple[str, ...]]] = {}
    for path in paths:
        if path:
            below.setdefault(path[0], []).append(path[1:])
    found = []
    for label, rest in below.items():
        own = (*above, _label(label))
        level = "Rank" if RANK.fullmatch(label) else "Hostname" if not above else "Layer"
        found.append(hdtrace.Node(own, level, _tree(rest, own)))
    return tuple(found)


def _overlap(track: States) -> bool:
    """Do two states overlap without one containing the other?"""
    open_: list[int] = []
    for begin, end in zip(track.begin_ps.tolist(), track.end_ps.tolist(), strict=True):
        while open_ and open_[-1] <= begin:
            open_.pop()
        if open_ and end > open_[-1]:
            return True
        open_.append(end)
    return False


def _attributes(track: States, row: int) -> dict[str, str]:
    found = {}
    for column, values in track.details.items():
        value = values[row]
        text = str(value.item())
        if text not in ("-1", "", "nan"):
            found[KEYS.get(column, _name(column))] = text
    return found


def _entries(track: States, is_mpi: bool) -> list[Entry]:
    outermost: list[Entry] = []
    open_: list[Entry] = []
    for row, (begin, end, number) in enumerate(
        zip(track.begin_ps.tolist(), track.end_ps.tolist(), track.name.tolist(), strict=True)
    ):
        name = track.names[number].removeprefix("MPI_") if is_mpi else track.names[number]
        entry = Entry(_name(name), begin, end, _attributes(track, row))
        while open_ and open_[-1].end_ps <= begin:
            open_.pop()
        (open_[-1].nested if open_ else outermost).append(entry)
        open_.append(entry)
    return outermost


def _relations(
    track: States, path: tuple[str, ...], topology: int, made: dict[int, tuple[str, ...]], order: list[tuple[str, ...]]
) -> Relations:
    host = path[0]
    numbers: dict[int, Operation] = {}
    fresh = 1 + max(made, default=0)
    columns = (track.begin_ps, track.end_ps, track.name, track.id, track.cause)
    for row, (begin, end, name, number, cause) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        own = number or fresh + row
        above = made.get(cause)
        token = Token(host, "1", topology, own)
        cause_token = Token(above[0], "1", order.index(above), cause) if above is not None else None
        operation = numbers.setdefault(own, Operation(token, cause_token, begin, end))
        operation.begin_ps = min(operation.begin_ps, begin)
        operation.end_ps = max(operation.end_ps or end, end)
        operation.states.append((track.names[name], begin, end, _attributes(track, row)))
    return Relations(host, "1", topology, tuple(numbers.values()))
