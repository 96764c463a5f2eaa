# SPDX-License-Identifier: BSD-3-Clause
"""A time line of tracks for the Perfetto viewer: the tree, nested and overlapping states, statistics, arrows.

The viewer counts nanoseconds: times are truncated to them.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from hypermon.timelines import joining, slices
from hypermon.timelines.perfetto import Writer, annotate

if TYPE_CHECKING:
    from hypermon.timelines.tracks import Statistic, TimeLine


def write(line: TimeLine, file: IO[bytes]) -> None:
    """The whole of it, from its first time on if that is below 0."""
    line = joining.from_zero(line)
    out = Writer(file)
    tree = _Tree(out)
    flows = slices.Flows(line)
    for lane in slices.lanes(line):
        states, track = line.states[lane.track], tree.track(lane.path)
        for ps, state in slices.edges(states, lane.states):
            if state < 0:
                out.end(track, ps)
                continue
            event = out.begin(track, ps, states.names[states.name[state]])
            for name, value in slices.details(states, state):
                annotate(event, name, value)
            event.flow_ids.extend(flows.leaving.get((lane.track, state), ()))
            event.terminating_flow_ids.extend(flows.reaching.get((lane.track, state), ()))
    for statistic in line.statistics:
        _counter(out, tree, statistic)
    out.close()


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
    """Perfetto's counters hold from a time on; a sampler's mean holds until its time, so from the one before."""
    track = tree.counter(statistic)
    times, values = statistic.times_ps.tolist(), statistic.values.tolist()
    if not statistic.exact:
        times, values = times[:-1], values[1:]
    for ps, value in zip(times, values, strict=True):
        out.counter(track, ps, value)
