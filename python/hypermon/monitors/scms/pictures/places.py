# SPDX-License-Identifier: BSD-3-Clause
"""Positions of a tree's agents in a picture: one row per level, each agent centred above the agents below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_LEAVES = 128  # (chosen) what 9 inches have room for; more are drawn by partition


@dataclass
class Mark:
    """One drawn mark: an agent, or all leaves of a partition.

    Attributes:
        agents: The agents that it represents.
        level: Rows below the root.
        begin, end: The leaves below it, counted from the left.
        parent: Its mark above; None: the root.
    """

    agents: Sequence[Mapping[str, Any]]
    level: int
    parent: Mark | None
    begin: int = 0
    end: int = 0
    below: list[Mark] = field(default_factory=list)

    @property
    def x(self) -> float:
        return (self.begin + self.end) / 2

    def sum(self, quantity: str) -> float:
        return sum(float(agent[quantity]) for agent in self.agents)

    def most(self, quantity: str) -> float:
        return max(float(agent[quantity]) for agent in self.agents)

    @property
    def dead(self) -> int:
        return sum(bool(agent["dead"]) for agent in self.agents)


def place(agents: Sequence[Mapping[str, Any]]) -> list[Mark]:
    """Returns the marks, each after its parent."""
    children: dict[int, list[int]] = {}
    (root,) = (i for i, agent in enumerate(agents) if agent["parent"] is None)
    for i, agent in enumerate(agents):
        if agent["parent"] is not None:
            children.setdefault(int(agent["parent"]), []).append(i)
    leaves = len(agents) - len(children)
    marks: list[Mark] = []

    def put(those: list[int], parent: Mark | None, begin: int) -> int:
        """Adds the mark of these agents and the marks below it. Returns the number of remaining leaves."""
        mark = Mark([agents[i] for i in those], 0 if parent is None else parent.level + 1, parent, begin)
        marks.append(mark)
        if parent is not None:
            parent.below.append(mark)
        below = [child for i in those for child in children.get(i, ())]
        end = begin if below else begin + len(those)
        for group in _groups(below, children, leaves > MOST_LEAVES):
            end = put(group, mark, end)
        mark.end = end
        return end

    put([root], None, 0)
    return marks


def _groups(below: Sequence[int], children: Mapping[int, Sequence[int]], together: bool) -> list[list[int]]:
    """Groups of children that share a mark: each child alone, or all leaves together."""
    if not together:
        return [[i] for i in below]
    leaves = [i for i in below if i not in children]
    return [*([i] for i in below if i in children), *([leaves] if leaves else [])]
