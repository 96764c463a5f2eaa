# SPDX-License-Identifier: BSD-3-Clause
"""Timing of the nodes' outlets for a stream of events: an outlet writes one burst after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.replays import Outlet
from hypermon._engine.streams.rows import Rows, joined
from hypermon.errors import UserError

MOST_WAITING = 1 << 22
MOST_WAITING_BYTES = 1 << 27
"""(chosen) Largest number of bursts, and of bytes in them, that wait for an outlet. This bounds the memory."""


class Outlets:
    """Delays each burst until the node's previous burst has left the outlet, and sorts the bursts as in a recording.

    A recording is sorted by the time of the bursts' first data, then by node.
    """

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._datum_cost = outlet.first_ps
        self._pitch = outlet.pitch_ps
        self._datum_bytes = outlet.datum_bytes
        self._free = np.zeros(len(outlet.pitch_ps), np.int64)
        self._waiting: Rows | None = None  # sorted; the times are those of the first data
        self.delayed = 0
        self.max_delay_ps = 0

    def pass_(self, rows: Rows) -> Rows:
        """Adds rows in order of time. Returns rows that no later row can precede, at the times of their first data."""
        if not len(rows):
            return rows
        start = self._starts(rows)
        late = start - rows.time_ps
        self.delayed += int(np.count_nonzero(late))
        self.max_delay_ps = max(self.max_delay_ps, int(late.max()))
        waiting = [] if self._waiting is None else [self._waiting]
        known = _in_order(joined([*waiting, rows.at(start + self._datum_cost[rows.node])]))
        horizon = int(rows.time_ps[-1]) + int(self._datum_cost.min())
        ready, self._waiting = known.split(int(np.searchsorted(known.time_ps, horizon)))
        if len(self._waiting) > MOST_WAITING or self._waiting.data.size > MOST_WAITING_BYTES:
            node = int(np.argmax(self._free))
            behind = (self._free[node] - rows.time_ps[-1]) * 1e-12
            raise UserError(
                f"{len(self._waiting)} events wait for the nodes' ports, node {node} is {behind:.3g} s behind: a datum "
                f"takes {self._pitch[node] * 1e-3:g} ns ({self._outlet.pace}); "
                "set those of faster ports"
            )
        return ready

    def rest(self) -> Rows | None:
        """Returns the remaining rows."""
        return self._waiting

    def _starts(self, rows: Rows) -> NDArray[np.int64]:
        """Returns the time at which the write of each row begins."""
        by_node = np.argsort(rows.node, kind="stable")
        node = rows.node[by_node]
        takes = rows.count[by_node] // self._datum_bytes * self._pitch[node]
        ends = np.cumsum(takes)
        # Burst i begins at max over j <= i of (requested time of j + write times of bursts j to i - 1). Subtracting the
        # cumulative write times turns this into a running maximum.
        begins = rows.time_ps[by_node] - (ends - takes)
        first = np.flatnonzero(np.diff(node.astype(np.int64), prepend=-1))
        for begin, end in zip(first, np.append(first[1:], len(node)), strict=True):
            own = begins[begin:end]
            before = ends[begin] - takes[begin]
            own[0] = max(own[0], self._free[node[begin]] - before)
            np.maximum.accumulate(own, out=own)
            self._free[node[begin]] = own[-1] + ends[end - 1]
        start: NDArray[np.int64] = np.empty_like(begins)
        start[by_node] = begins + (ends - takes)
        return start


def _in_order(rows: Rows) -> Rows:
    if (np.diff(rows.time_ps) > 0).all():
        return rows
    return rows.take(np.lexsort((rows.node, rows.time_ps)))
