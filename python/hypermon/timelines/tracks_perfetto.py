# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line of tracks for the Perfetto viewer: the tree, nested and overlapping states, statistics, arrows.

Times are truncated to nanoseconds, the viewer's resolution.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from hypermon._files.scratch import pieces
from hypermon.timelines import joining, slices
from hypermon.timelines.perfetto import Writer, annotate

if TYPE_CHECKING:
    from hypermon.timelines.tracks import Statistic, TimeLine


def write(line: TimeLine, file: IO[bytes]) -> None:
    """Writes the whole time line. If its first time is negative, all times are relative to it."""
    line = joining.from_zero(line)
    out = Writer(file)
    tree = _Tree(out)
    flows = slices.Flows(line)
    for lane in slices.lanes(line):
        track = tree.track(lane.path)
        for ps, state in slices.edges(lane, flows):
            if state is None:
                out.end(track, ps)
                continue
            event = out.begin(track, ps, state.name)
            for name, value in state.details.items():
                annotate(event, name, value)
            event.flow_ids.extend(state.leaving)
            event.terminating_flow_ids.extend(state.reaching)
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
    """Writes a counter. Perfetto's values are valid from their time on, so sampled means are written one time early."""
    track = tree.counter(statistic)
    later = 0 if statistic.exact else 1
    n = len(statistic.times_ps) - later
    for part in pieces(max(n, 0)):
        times = statistic.times_ps[part].tolist()
        for ps, value in zip(times, statistic.values[part.start + later : part.stop + later].tolist(), strict=True):
            out.counter(track, ps, value)
