# SPDX-License-Identifier: BSD-3-Clause
"""Branch-and-bound search for the cheapest design over several parameters.

The need is the index of the sized parameter's least value that meets all targets. The search assumes that the need
increases monotonically from the rich end of every other parameter to its poor end, and that the cost is monotone along
every parameter. Then the need at the rich corner of a box of choices, with the least cost of the box's corners at that
need, bounds the cost of every design in the box from below. A box that cannot hold the cheapest design is skipped.
Both assumptions are checked: the cost at many values (`has_bounds`), the need at all evaluated choices
(`Outcome.monotone`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Choice = tuple[int, ...]  # index of each other parameter's value; 0: the rich end, which needs least
Needs = Callable[[Mapping[Choice, tuple[int, int]]], Sequence[int]]
"""Returns the needs of choices, given two indices between which each need is known to lie."""
Price = Callable[[Choice, int], float]
"""The cost of a choice with an index of the sized parameter."""

TOGETHER = 4  # (chosen) boxes that are divided at a time; their choices share each evaluation
MOST_CHOICES = 600  # (chosen) choices that are evaluated before the search ends without proof
CHECKED = 33  # (chosen) values of a parameter at which the cost is compared


class Box(NamedTuple):
    """All choices between a rich and a poor corner."""

    rich: Choice
    poor: Choice

    @property
    def corners(self) -> list[Choice]:
        ends = [dict.fromkeys(pair) for pair in zip(self.rich, self.poor, strict=True)]
        return list(itertools.product(*ends))

    @property
    def halves(self) -> list[Box]:
        """Two boxes that share a middle value of the parameter that has most values; none if all are corners."""
        axis = max(range(len(self.rich)), key=lambda i: self.poor[i] - self.rich[i])
        low, high = self.rich[axis], self.poor[axis]
        if high - low < 2:
            return []
        middle = (low + high) // 2
        above = (*self.poor[:axis], middle, *self.poor[axis + 1 :])
        below = (*self.rich[:axis], middle, *self.rich[axis + 1 :])
        return [Box(self.rich, above), Box(below, self.poor)]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a search.

    Attributes:
        needs: The least sufficient value of the sized parameter for every evaluated choice of the others.
        monotone: Whether this value rises from rich to poor among the evaluated choices.
        bound: Lower bound of every design's cost. It equals the cheapest design's cost if the search is complete.
    """

    needs: Mapping[Choice, int]
    monotone: bool
    bound: float | None


class Search:
    """One search. `never`: stands for the need where no value of the sized parameter meets the targets."""

    def __init__(self, sizes: Sequence[int], never: int, needs: Needs, price: Price) -> None:
        self._last = tuple(size - 1 for size in sizes)
        self._never, self._needs, self._price = never, needs, price
        self.known: dict[Choice, int] = {}

    def run(self) -> Outcome:
        """Finds the cheapest design. Among designs of equal cost, the poorest one is chosen."""
        whole = Box(tuple(0 for _ in self._last), self._last)
        self._look([whole.rich, whole.poor])
        boxes = [whole]
        while (boxes := self._open(boxes)) and len(self.known) <= MOST_CHOICES:
            chosen, boxes = boxes[:TOGETHER], boxes[TOGETHER:]
            asked: list[Choice] = []
            for box in chosen:
                if self.known[box.rich] == self.known[box.poor]:  # then all choices between have this need, too
                    asked.append(self._best_corner(box))
                elif halves := box.halves:
                    boxes += halves
                    asked += (end for half in halves for end in half)
                else:
                    asked += box.corners
            self._look(asked)
        best = self._best()
        bound = min([best[0], *(self._bound(box)[0] for box in boxes)]) if best is not None else None
        return Outcome(self.known, self._is_monotone(), bound)

    def _look(self, choices: Sequence[Choice]) -> None:
        new = [choice for choice in dict.fromkeys(choices) if choice not in self.known]
        if new:
            between = {choice: self._between(choice) for choice in new}
            self.known |= zip(new, self._needs(between), strict=True)

    def _between(self, choice: Choice) -> tuple[int, int]:
        """Bounds the need of a choice by the known needs of richer and poorer choices."""
        low = max((n for other, n in self.known.items() if _richer(other, choice)), default=0)
        high = min((n for other, n in self.known.items() if _richer(choice, other)), default=self._never)
        return min(low, high), max(low, high)

    def _open(self, boxes: Sequence[Box]) -> list[Box]:
        """The boxes that can hold a better design than the best known one, the most promising first."""
        best = self._best()
        possible = [box for box in boxes if self.known[box.rich] != self._never]
        return sorted((box for box in possible if best is None or self._bound(box) < best), key=self._bound)

    def _bound(self, box: Box) -> tuple[float, Choice]:
        """A lower bound: no design in the box costs less, and no design of the same cost is poorer."""
        need = self.known[box.rich]
        return min(self._price(corner, need) for corner in box.corners), _poorness(box.poor)

    def _best_corner(self, box: Box) -> Choice:
        """The cheapest corner of a box whose choices have the same need."""
        need = self.known[box.rich]
        return min(box.corners, key=lambda corner: (self._price(corner, need), _poorness(corner)))

    def _best(self) -> tuple[float, Choice] | None:
        reached = {choice: need for choice, need in self.known.items() if need != self._never}
        return min(((self._price(c, n), _poorness(c)) for c, n in reached.items()), default=None)

    def _is_monotone(self) -> bool:
        pairs = itertools.permutations(self.known.items(), 2)
        return all(mine <= other for (a, mine), (b, other) in pairs if _richer(a, b))


def has_bounds(sizes: Sequence[int], never: int, price: Price) -> bool:
    """Is the cost monotone along every parameter (the sized one is the last), at the compared values?"""
    spaced = [sorted({round(i * (n - 1) / (CHECKED - 1)) for i in range(CHECKED)}) for n in (*sizes, never)]
    for axis, places in enumerate(spaced):
        for others in itertools.product(*({own[0], own[-1]} for i, own in enumerate(spaced) if i != axis)):
            at = [(*others[:axis], place, *others[axis:]) for place in places]
            costs = [price(one[:-1], one[-1]) for one in at]
            if costs not in (sorted(costs), sorted(costs, reverse=True)):
                return False
    return True


def _richer(a: Choice, b: Choice) -> bool:
    """Is every parameter of the first choice at least as rich as the second's?"""
    return all(x <= y for x, y in zip(a, b, strict=True))


def _poorness(choice: Choice) -> Choice:
    """A sort key: the poorest choice comes first."""
    return tuple(-index for index in choice)
