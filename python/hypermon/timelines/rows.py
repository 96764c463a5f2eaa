# SPDX-License-Identifier: BSD-3-Clause
"""Distributes the states of a track over lanes: nested states share a lane, concurrent states do not.

A drawn row, a slice track of Perfetto and a location of OTF2 can only hold states that are disjoint or nested. The
states of a track are distributed over as few lanes as possible, and each state has a depth within its lane.

A state is nested in another one if it lies within it in time and belongs to it. It belongs to it if it has the same id,
if it was caused by it, if one of the two is no operation (it has neither id nor cause, as computing or blocked), or if
nothing caused the other one, as for a request that arrives during a call. Two requested operations of a server are
therefore in different lanes, even if one lies within the other in time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypermon._files import scratch as scratches
from hypermon._files.scratch import Scratch, let_go, pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States


@dataclass(frozen=True)
class Rows:
    """Lane and depth of each state of a track, shape (n,). The depth is the number of enclosing states in the lane."""

    lane: NDArray[np.int32]
    depth: NDArray[np.int32]

    @property
    def lanes(self) -> int:
        """Number of lanes, at least 1."""
        most = 0
        for part in pieces(len(self.lane)):
            most = max(most, int(self.lane[part].max()))
        let_go(self.lane)
        return most + 1


def order(states: States, part: slice) -> NDArray[np.intp]:
    """Returns the indices of a piece of the states (`together`), sorted by begin and then by decreasing length.

    Thus a state precedes the states nested in it.
    """
    places: NDArray[np.intp] = part.start + np.lexsort((-states.end_ps[part], states.begin_ps[part]))
    return places


def placed(states: States) -> Rows:
    """Places the states in order of time, each in the lowest free lane.

    Raises:
        ValueError: The states are not sorted by begin.
    """
    n = len(states.begin_ps)
    if not _overlap(states):
        return Rows(np.zeros(n, np.int32), np.zeros(n, np.int32))
    scratch = Scratch()
    lane, depth = scratch.room(np.int32, n), scratch.room(np.int32, n)
    lanes = _Lanes()
    for part in pieces_by_begin(states):
        found = _placed(states, part, lanes)
        lane.append(found[0])
        depth.append(found[1])
        let_go(states.begin_ps, states.end_ps, states.id, states.cause)
    return Rows(lane.array(), depth.array())


def pieces_by_begin(states: States) -> Iterator[slice]:
    """Yields pieces of the states. All states that begin at the same time are in the same piece."""
    n, begin, end = len(states.begin_ps), 0, 0
    while end < n:
        end = min(n, begin + scratches.ROWS)
        if end < n:
            end = int(np.searchsorted(states.begin_ps, states.begin_ps[end - 1], "right"))
        yield slice(begin, end)
        begin = end


def _overlap(states: States) -> bool:
    """Does any state begin before all earlier ones have ended?"""
    over, begun = _BEFORE, _BEFORE
    found = False
    for part in pieces(len(states.begin_ps)):
        begin, end = states.begin_ps[part], states.end_ps[part]
        if begin[0] < begun or bool((begin[1:] < begin[:-1]).any()):
            raise ValueError(f"the states of {'/'.join(states.path)} are not sorted by begin")
        ends = np.maximum.accumulate(end)
        found = found or bool(begin[0] < over or (begin[1:] < ends[:-1]).any())
        over, begun = int(ends[-1]), int(begin[-1])
        let_go(states.begin_ps, states.end_ps)
    return found


_BEFORE = np.iinfo(np.int64).min


def _placed(states: States, part: slice, lanes: _Lanes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns the lanes and depths of a piece of the states, in their order."""
    begins, ends = states.begin_ps[part], states.end_ps[part]
    lane, depth = np.zeros(len(begins), np.int32), np.zeros(len(begins), np.int32)
    at = np.lexsort((-ends, begins))
    columns = (at, begins[at], ends[at], states.id[part][at], states.cause[part][at])
    for index, begin, end, own, cause in zip(*(column.tolist() for column in columns), strict=True):
        lane[index], depth[index] = lanes.place(begin, end, own, cause)
    return lane, depth


class _Lanes:
    """The open states of each lane, the outermost first."""

    def __init__(self) -> None:
        self._open: list[list[tuple[int, int, int]]] = []  # for each lane: end, id and cause of its open states
        self._free: list[int] = []  # heap of free lanes
        self._busy: list[tuple[int, int]] = []  # heap of busy lanes: end of the outermost state, lane
        self._lane_of: dict[int, int] = {}  # lane of each open operation

    def place(self, begin: int, end: int, own: int, cause: int) -> tuple[int, int]:
        while self._busy and self._busy[0][0] <= begin:
            lane = heapq.heappop(self._busy)[1]
            self._close(lane, 0)
            heapq.heappush(self._free, lane)
        lane = self._around(begin, end, own, cause)
        if lane < 0:
            if self._free:
                lane = heapq.heappop(self._free)
            else:
                lane = len(self._open)
                self._open.append([])
            heapq.heappush(self._busy, (end, lane))
        stack = self._open[lane]
        stack.append((end, own, cause))
        if own:
            self._lane_of.setdefault(own, lane)
        return lane, len(stack) - 1

    def _around(self, begin: int, end: int, own: int, cause: int) -> int:
        """Returns the lane with a state in which this one is nested. -1: there is none."""
        for relative in (cause, own):
            if relative and (lane := self._lane_of.get(relative, -1)) >= 0:
                self._over(lane, begin)
                if self._open[lane] and end <= self._open[lane][-1][0]:
                    return lane
        for _, lane in sorted(self._busy, key=lambda one: one[1]):
            self._over(lane, begin)
            stack = self._open[lane]
            if end <= stack[-1][0] and not (
                (own or cause) and any(other and (why or not cause) for _, other, why in stack)
            ):
                return lane
        return -1

    def _over(self, lane: int, now: int) -> None:
        """Removes ended states within the outermost one of the lane."""
        stack = self._open[lane]
        left = len(stack)
        while left > 1 and stack[left - 1][0] <= now:
            left -= 1
        self._close(lane, left)

    def _close(self, lane: int, left: int) -> None:
        stack = self._open[lane]
        while len(stack) > left:
            _, own, _ = stack.pop()
            if self._lane_of.get(own) == lane and not any(own == other for _, other, _ in stack):
                del self._lane_of[own]
