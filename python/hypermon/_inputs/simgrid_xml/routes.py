# SPDX-License-Identifier: BSD-3-Clause
"""Check of zones with Dijkstra routing: SimGrid crashes if there is no path between two of their members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping


class Routes:
    def __init__(self) -> None:
        self._ends: dict[str, None] = {}
        self._forward: dict[str, list[str]] = defaultdict(list)
        self._backward: dict[str, list[str]] = defaultdict(list)

    def add_member(self, name: str, is_end: bool) -> None:
        """Adds a member. `is_end`: whether data can start and end there, as in a host or a zone of hosts."""
        if is_end:
            self._ends[name] = None

    def add(self, source: str, target: str, symmetrical: bool) -> None:
        for a, b in ((source, target), (target, source)) if symmetrical else ((source, target),):
            self._forward[a].append(b)
            self._backward[b].append(a)

    def unconnected(self) -> tuple[str, str] | None:
        """Returns two ends without a path from the first to the second. None: all ends are connected."""
        if not self._ends:
            return None
        first = next(iter(self._ends))
        for edges, is_forward in ((self._forward, True), (self._backward, False)):
            reached = _reached(first, edges)
            for end in self._ends:
                if end not in reached:
                    return (first, end) if is_forward else (end, first)
        return None


def _reached(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    reached, left = {start}, [start]
    while left:
        for one in edges.get(left.pop(), ()):
            if one not in reached:
                reached.add(one)
                left.append(one)
    return reached
