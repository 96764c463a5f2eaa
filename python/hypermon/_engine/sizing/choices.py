# SPDX-License-Identifier: BSD-3-Clause
"""The evaluated choices of the other parameters, and the sized parameter's least sufficient value for each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hypermon._engine.sizing import axes as axes_of
from hypermon._engine.sizing import cheapest, search
from hypermon._engine.sizing.answer import Design
from hypermon._engine.sizing.axes import Axis
from hypermon._engine.sizing.probes import Probes
from hypermon._model import cost as costs
from hypermon._model.schema import Value

TOGETHER = 15  # (chosen) designs per search and round if one pass counts many designs; otherwise there is one per job
WHOLE = 4  # (chosen) designs per search and round where each needs a replay of its own
SCAN_WHOLE = 32  # (chosen) designs to scan the whole range with, if a target's verdict changes more than once

Choice = tuple[tuple[str, Value], ...]  # values of the other parameters, by path
Task = tuple[Choice, int]  # a choice and the seed


@dataclass
class Choices:
    """The evaluated choices.

    `rank`: which of the needs of all seeds counts, in ascending order. None: the largest.
    """

    sized: Axis
    seeds: Sequence[int]
    probes: Probes
    counted: bool
    cost: costs.Cost | None
    rank: int | None
    found: dict[Choice, list[search.Found]] = field(default_factory=dict)
    axes: list[Axis] = field(default_factory=list)
    """The other parameters, with the values among which the answer is the cheapest."""
    bound: float | None = None
    """A lower bound of the cost of all designs, where the search ended without proof."""
    fell_back: bool = False
    """The needs or the cost do not have the shape that the search assumes (cheapest.py)."""

    @property
    def never(self) -> int:
        return len(self.sized.values)

    def evaluate(self, axes: Sequence[Axis]) -> None:
        """Evaluates the values in `axes`, or as many of them as the proof of the cheapest design needs."""
        self.axes = list(axes)
        every = [axis for axis in axes if axis.is_every]
        if not every:
            self._evaluate(_product(axes))
            self.probes.complete([(s, d.settings) for d in self.designs if d.reached for s in self.seeds])
            return
        for fixed in _product([axis for axis in axes if not axis.is_every]):
            self._search(dict(fixed), every)
            if self.fell_back:
                break
        if self.fell_back:
            if math.prod(len(axis.values) for axis in every) > cheapest.MOST_CHOICES:
                self.axes = [axis.grid(self._present(axis)) if axis.is_every else axis for axis in axes]
            self._evaluate(_product(self.axes))
        while (best := self.best) is not None:
            choice = _choice(axes, best.settings)
            if all(one.verified for one in self.found[choice]):
                break
            place = list(self.found).index(choice)
            del self.found[choice]
            self._evaluate([choice])
            every_choice = [one for one in self.found if one != choice]
            order = [*every_choice[:place], choice, *every_choice[place:]]
            self.found = {one: self.found[one] for one in order}

    @property
    def searches(self) -> list[search.Found]:
        """All searches: one for each choice and seed."""
        return [one for found in self.found.values() for one in found]

    @property
    def designs(self) -> list[Design]:
        """The cheapest design of each choice, in the order of their values."""
        every = [self._design(choice, found) for choice, found in self.found.items()]
        return sorted(every, key=lambda d: [d.settings[axis.path] for axis in self.axes])

    @property
    def best(self) -> Design | None:
        """The cheapest design that meets the targets. Among designs of equal cost, the first one found."""
        reached = [self._design(choice, found) for choice, found in self.found.items()]
        return min((d for d in reached if d.reached), key=lambda d: d.cost or 0, default=None)

    def _search(self, fixed: Mapping[str, Value], every: Sequence[Axis]) -> None:
        """The cheapest of all choices of the parameters in `every`, beside given values of the others."""
        oriented = self._oriented(fixed, every)
        order = [axis.path for axis in self.axes]

        def choice(indices: cheapest.Choice) -> Choice:
            chosen = {**fixed, **{a.path: a.values[i] for a, i in zip(oriented, indices, strict=True)}}
            return tuple((path, chosen[path]) for path in order)

        def needs(asked: Mapping[cheapest.Choice, tuple[int, int]]) -> list[int]:
            self._evaluate([choice(one) for one in asked], list(asked.values()))
            return [self._need(self.found[choice(one)]) for one in asked]

        def price(indices: cheapest.Choice, need: int) -> float:
            return self._price({**dict(choice(indices)), self.sized.path: self.sized.values[min(need, self.never - 1)]})

        sizes = [len(axis.values) for axis in oriented]
        if not cheapest.has_bounds(sizes, self.never, price):
            self.fell_back = True
            return
        outcome = cheapest.Search(sizes, self.never, needs, price).run()
        for one in sorted(outcome.needs, reverse=True):  # the poorest comes first among designs of equal cost
            self.found[choice(one)] = self.found.pop(choice(one))
        self.fell_back = not outcome.monotone
        self.bound = min((one for one in (self.bound, outcome.bound) if one is not None), default=None)

    def _oriented(self, fixed: Mapping[str, Value], every: Sequence[Axis]) -> list[Axis]:
        """Orders each axis from its rich end, where a smaller value of the sized parameter suffices."""
        order = [axis.path for axis in self.axes]
        present = {axis.path: axis.nearest(self._present(axis)) for axis in every}

        def end(axis: Axis, value: Value) -> Choice:
            chosen = {**fixed, **present, axis.path: value}
            return tuple((path, chosen[path]) for path in order)

        ends = [(end(axis, axis.values[0]), end(axis, axis.values[-1])) for axis in every]
        self._evaluate([choice for pair in ends for choice in pair])
        found = []
        for axis, (low, high) in zip(every, ends, strict=True):
            of_low, of_high = self._need(self.found[low]), self._need(self.found[high])
            larger_is_richer = of_high < of_low
            if of_low == of_high:
                larger_is_richer = (
                    axes_of.larger_costs_more(axis, self.probes.designs.base.values, self.cost) is not False
                )
            found.append(axis.reversed() if larger_is_richer else axis)
        return found

    def _present(self, axis: Axis) -> Value:
        return self.probes.designs.base.values.get(axis.path, axis.parameter.default)

    def _price(self, settings: Mapping[str, Value]) -> float:
        assert self.cost is not None
        return costs.evaluate(self.cost, {**self.probes.designs.base.values, **settings})

    def _need(self, found: Sequence[search.Found]) -> int:
        """Combines the needs of all seeds: the order statistic that bounds the quantile, or else the largest need."""
        needed = sorted(self.never if f.index is None else f.index for f in found)
        return needed[(self.rank or len(needed)) - 1]

    def _design(self, choice: Choice, found: Sequence[search.Found]) -> Design:
        index = self._need(found)
        reached = index < self.never
        settings = {self.sized.path: self.sized.values[index], **dict(choice)} if reached else dict(choice)
        return Design(
            settings=settings,
            reached=reached,
            cost=self._price(settings) if self.cost is not None and reached else None,
            per_seed={
                seed: None if f.index is None else self.sized.values[f.index]
                for seed, f in zip(self.seeds, found, strict=True)
            },
            monotone=all(f.monotone for f in found),
            load=self.probes.load(settings, self.seeds) if reached else None,
        )

    def _evaluate(self, choices: Sequence[Choice], between: Sequence[tuple[int, int]] = ()) -> None:
        """Finds the least sufficient value of the sized parameter for each choice and seed. All searches run in step.

        `between`: known bounds of each choice's need. They make the searches faster, with less verification. Where
        counts are cheap, a first search uses only the targets that counts suffice for: it gives a lower bound of the
        value that meets all targets.
        """
        where: dict[Choice, tuple[int, int] | None] = dict(zip(choices, between, strict=True)) if between else {}
        new = [choice for choice in dict.fromkeys(choices) if choice not in self.found]
        tasks = [(choice, seed) for choice in new for seed in self.seeds]
        ranges = [where.get(choice) for choice, _ in tasks]
        everything = range(len(tasks))
        if not self.counted:
            found = self._together(tasks, everything, True, ranges, self.probes.designs.jobs, search.SCAN)
        else:
            found = self._together(tasks, everything, False, ranges, TOGETHER, search.SCAN)
            if not all(target.countable(self.probes.designs.base) for target in self.probes.targets):
                left = [n for n in everything if found[n].index is not None]
                near = [(index, index) for n in left if (index := found[n].index) is not None]
                more = self._together(tasks, left, True, near, WHOLE, SCAN_WHOLE, verify=not between)
                for n, better in zip(left, more, strict=True):
                    found[n] = replace(better, scanned=better.scanned or found[n].scanned)
        for i, choice in enumerate(new):
            self.found[choice] = found[i * len(self.seeds) : (i + 1) * len(self.seeds)]

    def _together(
        self,
        tasks: Sequence[Task],
        chosen: Sequence[int],
        whole: bool,
        ranges: Sequence[tuple[int, int] | None],
        width: int,
        scan: int,
        verify: bool | None = None,
    ) -> list[search.Found]:
        values = self.sized.values

        def probe(pairs: list[tuple[int, int]]) -> list[search.Verdict]:
            named = [(tasks[chosen[n]], i) for n, i in pairs]
            asked = [(seed, {self.sized.path: values[i], **dict(choice)}) for (choice, seed), i in named]
            return self.probes.judge(asked, whole)

        searches = [
            search.first_meeting(values, width, between, scan, verify=between is None if verify is None else verify)
            for between in ranges
        ]
        self.probes.watch.expect(sum(search.expected(values, width, between) for between in ranges))
        return search.search_in_step(searches, probe)


def _product(axes: Sequence[Axis]) -> list[Choice]:
    paths = [axis.path for axis in axes]
    return [tuple(zip(paths, values, strict=True)) for values in itertools.product(*(axis.values for axis in axes))]


def _choice(axes: Sequence[Axis], settings: Mapping[str, Value]) -> Choice:
    return tuple((axis.path, settings[axis.path]) for axis in axes)


def notes(choices: Choices) -> Iterator[str]:
    """Sentences that name the values of the other parameters among which the answer is the cheapest."""
    yield from (axis.summary for axis in choices.axes if axis.summary)
    if choices.fell_back:
        yield (
            f"The cost or the least {choices.sized.path} does not change in one direction along the other parameters,"
            " so each of these values was tried."
        )
    best = choices.best
    if best is not None and best.cost is not None and choices.bound is not None and choices.bound < best.cost:
        yield f"The search ended early: no design costs less than {choices.bound:.6g}."
    if best is not None:
        for axis in choices.axes:
            if axis.is_every and best.settings[axis.path] in (axis.values[0], axis.values[-1]):
                yield f"The answer is at an end of these values; {axis.path}=FIRST:LAST:STEP names others."
