# SPDX-License-Identifier: BSD-3-Clause
"""The nodes' outlets as a stream of events meets them: one burst after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.replays import Outlet
from hypermon._engine.streams.rows import Rows, joined
from hypermon.errors import UserError

MOST_WAITING = 1 << 22
MOST_WAITING_BYTES = 1 << 27
"""Bursts that may wait for an outlet, and what they may hold (chosen): memory stays bounded."""


class Outlets:
    """Delays bursts that begin before their node's last one has left its outlet, as that would, and puts them into the
    order of a recording: of their first data, then of the nodes."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._datum_cost = outlet.first_ps
        self._pitch = outlet.pitch_ps
        self._datum_bytes = outlet.datum_bytes
        self._free = np.zeros(len(outlet.pitch_ps), np.int64)
        self._waiting: Rows | None = None  # at their first data, in order
        self.delayed = 0
        self.max_delay_ps = 0

    def pass_(self, rows: Rows) -> Rows:
        """Takes rows in order of time; gives those that no later row can come before, at their first data."""
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
        """Those that are left."""
        return self._waiting

    def _starts(self, rows: Rows) -> NDArray[np.int64]:
        """When each row's writing begins."""
        by_node = np.argsort(rows.node, kind="stable")
        node = rows.node[by_node]
        takes = rows.count[by_node] // self._datum_bytes * self._pitch[node]
        ends = np.cumsum(takes)
        # With all that a node writes before it subtracted, a burst begins with the latest of those up to it.
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
