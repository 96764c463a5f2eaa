# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line of tracks as an OTF2 archive. Tracks become the system tree, lanes locations, statistics metrics.

OTF2 has no arrows between arbitrary regions. Therefore each region has the attributes `id` and `cause` beside its other
details. The calls of MPI processes have message records. Times are in ps. If the earliest one is negative, all are
relative to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files.scratch import pieces
from hypermon.timelines import joining, slices
from hypermon.timelines.message_records import MPI, Kind, Message, Records, Step, steps
from hypermon.timelines.otf2 import opened
from hypermon.timelines.tracks import WORLD, Communicator

if TYPE_CHECKING:
    from hypermon.timelines.tracks import Statistic, TimeLine


def write(line: TimeLine, folder: Path) -> None:
    """Writes the archive into an empty folder."""
    with opened(folder) as (otf2, archive):
        _Archive(otf2, archive, joining.from_zero(line)).write()


class _Archive:
    def __init__(self, otf2: Any, archive: Any, line: TimeLine) -> None:
        self._otf2, self._archive, self._line = otf2, archive, line
        self._world = archive.definitions
        self._groups: dict[tuple[str, ...], Any] = {}
        self._nodes: dict[tuple[str, ...], Any] = {
            (): self._world.system_tree_node("time line", class_name="time line")
        }
        self._attributes: dict[tuple[str, type], Any] = {}

    def write(self) -> None:
        paradigms = self._otf2.Paradigm
        names = sorted({name for states in self._line.states for name in states.names})
        regions = {
            name: self._world.region(name, paradigm=paradigms.MPI if name.startswith(MPI) else paradigms.USER)
            for name in names
        }
        lanes = [(lane, self._location(lane.path)) for lane in slices.lanes(self._line)]
        metrics = [self._metric(one) for one in self._line.statistics]
        programs = _Programs(self._otf2, self._world, lanes)
        for _, of_track in groupby(lanes, key=lambda pair: pair[0].track):
            (first, location), *others = of_track
            program = programs.of(first)
            records = None if program is None else program.records(first)
            self._write(location, steps(first, [lane for lane, _ in others], records), regions, program)
            for lane, place in others:
                self._write(place, steps(lane, [], None), regions, None)
        for statistic, (place, metric) in zip(self._line.statistics, metrics, strict=True):
            writer = self._archive.event_writer_from_location(place)
            for part in pieces(len(statistic.times_ps)):
                times, values = statistic.times_ps[part].tolist(), statistic.values[part].tolist()
                for ps, value in zip(times, values, strict=True):
                    writer.metric(ps, metric, value)

    def _write(self, location: Any, every: Iterable[Step], regions: dict[str, Any], program: _Program | None) -> None:
        writer = self._archive.event_writer_from_location(location)
        open_: list[Any] = []
        for ps, what in every:
            if what is None:
                writer.leave(ps, open_.pop())
            elif isinstance(what, Message):
                if program is not None:
                    program.record(writer, ps, what)
            else:
                open_.append(regions[what.name])
                known = {self._attribute(name, value): value for name, value in what.details.items()}
                writer.enter(ps, open_[-1], attributes=known)

    def _node(self, path: tuple[str, ...]) -> Any:
        if path not in self._nodes:
            self._nodes[path] = self._world.system_tree_node(path[-1], class_name="node", parent=self._node(path[:-1]))
        return self._nodes[path]

    def _location(self, path: tuple[str, ...]) -> Any:
        above = path[:-1]
        if above not in self._groups:
            name = above[-1] if above else "time line"
            self._groups[above] = self._world.location_group(name, system_tree_parent=self._node(above))
        return self._world.location(path[-1], group=self._groups[above])

    def _metric(self, one: Statistic) -> tuple[Any, Any]:
        """Defines a location for the statistic, and its metric."""
        enums = self._otf2.enums
        mode = enums.MetricMode.ABSOLUTE_NEXT if one.exact else enums.MetricMode.ABSOLUTE_LAST
        name = " ".join(one.path)
        member = self._world.metric_member(name, metric_mode=mode, value_type=enums.Type.DOUBLE, unit=one.unit or "#")
        return self._location(one.path), self._world.metric_class((member,))

    def _attribute(self, name: str, value: float | str) -> Any:
        kinds = self._otf2.enums.Type
        kind = {int: kinds.UINT64 if name in ("id", "cause") else kinds.INT64, float: kinds.DOUBLE, str: kinds.STRING}
        key = (name, type(value))
        if key not in self._attributes:
            self._attributes[key] = self._world.attribute(name, type=kind[type(value)])
        return self._attributes[key]


class _Program:
    """The MPI processes of a program, and their communicators."""

    def __init__(self, otf2: Any, definitions: Any) -> None:
        self._otf2, self._definitions = otf2, definitions
        self.locations: dict[int, Any] = {}  # by rank
        self._communicators: dict[Communicator, Any] = {}

    def records(self, lane: slices.Lane) -> Records | None:
        """Returns the maker of the records of the process whose calls are in the lane."""
        process = lane.states.process
        world = Communicator(WORLD, tuple(range(len(self.locations))))
        return None if process is None else Records(process, world, self._has)

    def _has(self, communicator: Communicator) -> bool:
        return all(rank in self.locations for rank in communicator.members)

    def record(self, writer: Any, ps: int, message: Message) -> None:
        """Writes a record."""
        if message.kind is Kind.SENT:
            writer.mpi_isend_complete(ps, message.request)
            return
        if message.kind is Kind.STARTED_RECEIVE:
            writer.mpi_irecv_request(ps, message.request)
            return
        known = (ps, message.peer, self._communicator(message.communicator), message.tag, message.length)
        if message.kind is Kind.SEND:
            writer.mpi_send(*known)
        elif message.kind is Kind.RECEIVE:
            writer.mpi_recv(*known)
        elif message.kind is Kind.STARTED_SEND:
            writer.mpi_isend(*known, message.request)
        else:
            writer.mpi_irecv(*known, message.request)

    def _communicator(self, one: Communicator) -> Any:
        if one not in self._communicators:
            members = tuple(self.locations[rank] for rank in one.members)
            kind, paradigm = self._otf2.GroupType.COMM_GROUP, self._otf2.Paradigm.MPI
            group = self._definitions.group(one.name, group_type=kind, paradigm=paradigm, members=members)
            self._communicators[one] = self._definitions.comm(one.name, group=group)
        return self._communicators[one]


class _Programs:
    """The programs of a time line. The first element of a path names the program."""

    def __init__(self, otf2: Any, definitions: Any, lanes: Sequence[tuple[slices.Lane, Any]]) -> None:
        self._programs: dict[str, _Program] = {}
        self._tracks: dict[int, _Program] = {}
        for lane, location in lanes:
            process = lane.states.process
            if process is None or lane.number > 0:
                continue
            program = self._programs.setdefault(lane.path[0], _Program(otf2, definitions))
            if process.rank not in program.locations:
                program.locations[process.rank] = location
                self._tracks[lane.track] = program
        members = [one.locations[rank] for one in self._programs.values() for rank in sorted(one.locations)]
        if members:
            kind, paradigm = otf2.GroupType.COMM_LOCATIONS, otf2.Paradigm.MPI
            definitions.group("", group_type=kind, paradigm=paradigm, members=members)

    def of(self, lane: slices.Lane) -> _Program | None:
        """Returns the program to which the lane's process belongs. None: the lane shows no calls of a process."""
        return self._tracks.get(lane.track)
