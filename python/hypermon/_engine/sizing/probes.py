# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates designs with the evaluator of sweeps: by replay where that is exact, else by co-simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypermon._engine import load
from hypermon._engine.designs import Designs, amounts
from hypermon._engine.sizing.answer import Probe
from hypermon._engine.sizing.search import Verdict
from hypermon._engine.sizing.targets import DELIVERED, GENERATED, Target
from hypermon._model.schema import Value, nested
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError

Point = tuple[int, Mapping[str, Value]]  # the run's seed, the varied parameters
Key = tuple[int, tuple[tuple[str, Value], ...]]
Progress = Callable[[int, int], None]
"""Called with the number of evaluated designs and the estimated total."""


class Watch:
    """Counts the evaluated designs of all searches and adds up the numbers that the searches expect."""

    def __init__(self, report: Progress | None) -> None:
        self._report = report
        self._evaluated = self._under_way = self._expected = 0

    def expect(self, designs: int) -> None:
        self._expected = self._evaluated + designs

    def point(self, finished: int, _failed: int) -> None:
        """Counts `finished` further designs of the evaluation under way."""
        self._under_way += finished
        self._tell(self._under_way)

    def evaluated(self, designs: int) -> None:
        """Counts the designs of a finished evaluation, including those that `point` counted."""
        self._evaluated += designs
        self._under_way = 0
        self._tell(0)

    def _tell(self, more: int) -> None:
        if self._report is not None:
            self._report(self._evaluated + more, max(self._expected, self._evaluated + more))


@dataclass
class Probes:
    """Evaluates designs and remembers their numbers.

    The counts of many designs cost one pass over a recording, while a whole result costs a replay. A design is
    therefore evaluated in two steps: first the counts, and the whole result only if the counts show no missed target.
    """

    designs: Designs
    targets: Sequence[Target]
    watch: Watch
    beside: Sequence[str] = ()
    """Paths of further results, without a target, of designs that are evaluated as a whole."""
    done: dict[Key, Probe] = field(default_factory=dict)

    def judge(self, asked: Sequence[Point], whole: bool) -> list[Verdict]:
        """Returns which targets each design misses. Unless `whole`, judges only targets that counts suffice for."""
        self._look(asked, whole=False)
        if whole:
            self.complete([one for one in asked if not any(self._verdict(one).values())])
        return [self._verdict(one) for one in asked]

    def complete(self, asked: Sequence[Point]) -> list[Probe]:
        """Returns the designs with all their numbers."""
        self._look(asked, whole=True)
        return [self.done[_key(one)] for one in asked]

    def load(self, settings: Mapping[str, Value], seeds: Sequence[int]) -> load.Load | None:
        """The largest load of any seed. None if no seed was evaluated, or if the monitor has no load."""
        found = [self.done[key].load for seed in seeds if (key := _key((seed, settings))) in self.done]
        return max((one for one in found if one is not None), key=lambda one: one.share, default=None)

    def unlimited(self, asked: Sequence[Point]) -> Sequence[Mapping[str, Any]]:
        """Returns the results in `beside` of designs that do not become part of the evidence."""
        specs = [self.designs.resolve({**dict(settings), "seed": seed}) for seed, settings in asked]
        return self.designs.evaluate(specs, self.beside)

    def sorted(self) -> tuple[Probe, ...]:
        """Returns all evaluated designs, sorted by the varied parameters and then the seeds."""
        return tuple(sorted(self.done.values(), key=lambda probe: (*probe.settings.values(), probe.seed)))

    def _verdict(self, one: Point) -> Verdict:
        numbers = self.done[_key(one)].numbers
        return {t.name: t.missed(numbers[t.name]) for t in self.targets if t.name in numbers}

    def _look(self, asked: Sequence[Point], whole: bool) -> None:
        new = [
            key
            for key in dict.fromkeys(map(_key, asked))
            if key not in self.done or (whole and not self.done[key].whole)
        ]
        if not new:
            return
        specs = [self.designs.resolve({**dict(settings), "seed": seed}) for seed, settings in new]
        lost, generated = amounts(specs[0])
        targets = [t for t in self.targets if whole or t.countable(specs[0])]
        metrics = [lost, generated, *(metric for t in targets for metric in t.metrics)]
        if whole:
            metrics += [GENERATED, DELIVERED, *_of_load(specs[0]), *self.beside]
        metrics = list(dict.fromkeys(metrics))
        rows = self.designs.evaluate(specs, metrics)
        self.watch.evaluated(len(new))
        for key, spec, row in zip(new, specs, rows, strict=True):
            seed, settings = key[0], dict(key[1])
            if row["status"] != "ok":
                design = ", ".join(f"{path} = {value}" for path, value in settings.items())
                raise SimulationError(f"{design}: {row['error']}")
            self.done[key] = Probe(
                settings=settings,
                seed=seed,
                loss=float(row[lost] / row[generated]) if row[generated] else 0.0,
                numbers={t.name: _value(t, row, spec) if whole else t.value(row) for t in targets},
                load=_load(row, spec) if whole else None,
                whole=whole,
                beside={path: row[path] for path in self.beside} if whole else {},
            )


def _key(one: Point) -> Key:
    seed, settings = one
    return seed, tuple(settings.items())


def _value(target: Target, row: Mapping[str, Any], spec: Spec) -> float | None:
    """Returns the target's number. None: it does not exist because no event arrived.

    Raises a UserError if this monitor never has such a number.
    """
    value = target.value(row)
    if value is None and not row[GENERATED]:
        return 0.0
    if value is None and row[DELIVERED]:
        monitor, workload = spec.values["monitor"], spec.values["workload"]
        raise UserError(f"target {target.name}: the result has no such number (monitor {monitor}, workload {workload})")
    return value


def _of_load(spec: Spec) -> tuple[str, ...]:
    found = load.loads(spec.values["monitor"])
    return found.METRICS if found is not None else ()


def _load(row: Mapping[str, Any], spec: Spec) -> load.Load | None:
    numbers = {path: row[path] for path in _of_load(spec) if path in row}
    return load.compute({**nested(numbers), "spec": nested(spec.values)}) if numbers else None
