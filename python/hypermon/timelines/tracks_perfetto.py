# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line of tracks for the Perfetto viewer: the tree, nested and overlapping states, statistics, arrows.

Arrows lead from causes to effects. Those of messages lead from an instant at the begin of the send to one at the end of
the call that receives. Times are truncated to nanoseconds, the viewer's resolution.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from hypermon._files.scratch import pieces
from hypermon.timelines import joining, message_arrows, slices
from hypermon.timelines.message_records import Message, Step, steps
from hypermon.timelines.perfetto import Writer, annotate

if TYPE_CHECKING:
    from hypermon.timelines.tracks import Statistic, TimeLine


def write(line: TimeLine, file: IO[bytes]) -> None:
    """Writes the whole time line. If its first time is negative, all times are relative to it."""
    line = joining.from_zero(line)
    out = Writer(file)
    tree = _Tree(out)
    flows, lanes = slices.Flows(line), list(slices.lanes(line))
    arrows = message_arrows.Arrows(line, lanes)
    for first, others in message_arrows.tracks(lanes):
        _lane(out, tree.track(first.path), steps(first, others, arrows.records(first), flows), arrows, first)
        for lane in others:
            _lane(out, tree.track(lane.path), steps(lane, [], None, flows), arrows, lane)
    for statistic in line.statistics:
        _counter(out, tree, statistic)
    out.close()


def _lane(out: Writer, track: int, every: Iterable[Step], arrows: message_arrows.Arrows, lane: slices.Lane) -> None:
    for ps, what in every:
        if what is None:
            out.end(track, ps)
        elif isinstance(what, Message):
            if (end := arrows.end(lane, what)) is not None:
                event = out.instant(track, ps, f"{'to' if end.is_begin else 'from'} rank {end.peer}")
                annotate(event, "tag", what.tag)
                annotate(event, "bytes", what.length)
                (event.flow_ids if end.is_begin else event.terminating_flow_ids).append(end.number)
        else:
            event = out.begin(track, ps, what.name)
            for name, value in what.details.items():
                annotate(event, name, value)
            event.flow_ids.extend(what.leaving)
            event.terminating_flow_ids.extend(what.reaching)


class _Tree:
    """Tracks by their paths."""

    def __init__(self, out: Writer) -> None:
        self._out = out
        self._tracks: dict[tuple[str, ...], int] = {(): 0}

    def track(self, path: tuple[str, ...]) -> int:
        if path not in self._tracks:
            self._tracks[path] = self._out.track(path[-1], self.track(path[:-1]))
        return self._tracks[path]

    def counter(self, statistic: Statistic) -> int:
        name = f"{statistic.path[-1]} ({statistic.unit})" if statistic.unit else statistic.path[-1]
        return self._out.track(name, self.track(statistic.path[:-1]), counter=True)


def _counter(out: Writer, tree: _Tree, statistic: Statistic) -> None:
    """Writes a counter. Perfetto's values are valid from their time on, so sampled means are written one time early."""
    track = tree.counter(statistic)
    later = 0 if statistic.exact else 1
    n = len(statistic.times_ps) - later
    for part in pieces(max(n, 0)):
        times = statistic.times_ps[part].tolist()
        for ps, value in zip(times, statistic.values[part.start + later : part.stop + later].tolist(), strict=True):
            out.counter(track, ps, value)
