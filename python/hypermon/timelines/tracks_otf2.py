# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line of tracks as an OTF2 archive. Tracks become the system tree, lanes locations, statistics metrics.

OTF2 has no arrows between arbitrary regions. Therefore each region has the attributes `id` and `cause` beside its other
details. Times are in ps. If the earliest one is negative, all are relative to it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files.scratch import pieces
from hypermon.timelines import joining, slices
from hypermon.timelines.otf2 import opened

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
        names = sorted({name for states in self._line.states for name in states.names})
        regions = {name: self._world.region(name, paradigm=self._otf2.Paradigm.USER) for name in names}
        lanes = list(slices.lanes(self._line))
        writers = [self._writer(lane.path) for lane in lanes]
        metrics = [self._metric(one) for one in self._line.statistics]
        for lane, writer in zip(lanes, writers, strict=True):
            self._write(lane, writer, regions)
        for statistic, (writer, metric) in zip(self._line.statistics, metrics, strict=True):
            for part in pieces(len(statistic.times_ps)):
                times, values = statistic.times_ps[part].tolist(), statistic.values[part].tolist()
                for ps, value in zip(times, values, strict=True):
                    writer.metric(ps, metric, value)

    def _write(self, lane: slices.Lane, writer: Any, regions: dict[str, Any]) -> None:
        open_: list[Any] = []
        for ps, state in slices.edges(lane):
            if state is None:
                writer.leave(ps, open_.pop())
                continue
            open_.append(regions[state.name])
            known = {self._attribute(name, value): value for name, value in state.details.items()}
            writer.enter(ps, open_[-1], attributes=known)

    def _node(self, path: tuple[str, ...]) -> Any:
        if path not in self._nodes:
            self._nodes[path] = self._world.system_tree_node(path[-1], class_name="node", parent=self._node(path[:-1]))
        return self._nodes[path]

    def _writer(self, path: tuple[str, ...]) -> Any:
        above = path[:-1]
        if above not in self._groups:
            name = above[-1] if above else "time line"
            self._groups[above] = self._world.location_group(name, system_tree_parent=self._node(above))
        return self._archive.event_writer_from_location(self._world.location(path[-1], group=self._groups[above]))

    def _metric(self, one: Statistic) -> tuple[Any, Any]:
        """Defines a location for the statistic, and its metric."""
        enums = self._otf2.enums
        mode = enums.MetricMode.ABSOLUTE_NEXT if one.exact else enums.MetricMode.ABSOLUTE_LAST
        name = " ".join(one.path)
        member = self._world.metric_member(name, metric_mode=mode, value_type=enums.Type.DOUBLE, unit=one.unit or "#")
        return self._writer(one.path), self._world.metric_class((member,))

    def _attribute(self, name: str, value: float | str) -> Any:
        kinds = self._otf2.enums.Type
        kind = {int: kinds.UINT64 if name in ("id", "cause") else kinds.INT64, float: kinds.DOUBLE, str: kinds.STRING}
        key = (name, type(value))
        if key not in self._attributes:
            self._attributes[key] = self._world.attribute(name, type=kind[type(value)])
        return self._attributes[key]
