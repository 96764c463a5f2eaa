# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study monitors`, as rows of its tables. Earlier results are not computed again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypermon._engine import sweeping
from hypermon._engine.sweeping.store import Entry
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError
from hypermon_studies.monitors import columns
from hypermon_studies.monitors.columns import Observed
from hypermon_studies.monitors.plan import Candidate, Place, Plan

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Row:
    """A run's numbers, by the columns' keys. `failed`: the reason why it has none.

    `at`: settings in addition to the candidate's setup. `losses`: shares of all data, %, by stage and cause.
    `hardware`: its costs with their units. `latency_metric`: metric of its median latency, if it has one. `host_s`:
    host time of the original computation.
    """

    place: Place
    candidate: Candidate
    part: str
    at: Mapping[str, Value]
    numbers: Mapping[str, float | None] = field(default_factory=dict)
    reaches: str = ""
    losses: Mapping[str, float] = field(default_factory=dict)
    hardware: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    latency_metric: str = ""
    failed: str = ""
    host_s: float = 0.0

    def __getitem__(self, key: str) -> float | None:
        return self.numbers.get(key)

    def to_json(self) -> dict[str, Any]:
        machine, program = self.place
        return {
            "machine": machine,
            "program": program,
            "monitor": self.candidate.name,
            "part": self.part,
            "set": dict(self.at),
            "tells": list(self.candidate.monitor.tells),
            "reaches": self.reaches,
            **{key: self[key] for key in columns.BY_KEY},
            "losses_percent": dict(self.losses),
            "hardware": {name: value for name, (value, _) in self.hardware.items()},
            "failed": self.failed,
        }


def row(
    place: Place, candidate: Candidate, part: str, at: Mapping[str, Value], spec: Spec, ended: Entry, alone: Entry
) -> Row:
    """Row of the run `ended`, relative to the same program alone."""
    if ended.error:
        return Row(place, candidate, part, at, failed=ended.error)
    run = Observed(candidate.monitor, spec.values, ended.result, alone.result)
    found = columns.numbers(run), columns.reaches(run), columns.losses(run), columns.hardware(run)
    return Row(place, candidate, part, at, *found, columns.latency_metric(run), host_s=ended.wall_s or 0.0)


def results(specs: Sequence[Spec], jobs: int, progress: Progress | None = None) -> list[Entry]:
    """Returns whole results, with the errors of their estimates, or the errors of failed runs."""
    return sweeping.results(specs, columns.NEEDED, jobs=jobs, progress=progress)


def run(plan: Plan, jobs: int, progress: Progress | None = None) -> tuple[dict[Place, Entry], list[Row]]:
    """Every program alone, and a row of every point, in their order.

    Raises:
        SimulationError: a program does not even run alone.
    """
    specs = [*plan.alone.values(), *(point.spec for point in plan.points)]
    found = results(specs, jobs, progress)
    alone = dict(zip(plan.alone, found[: len(plan.alone)], strict=True))
    for (machine, program), ended in alone.items():
        if ended.error:
            raise SimulationError(f"{program} on {machine}, without a monitor: {ended.error}")
    points = zip(plan.points, found[len(plan.alone) :], strict=True)
    return alone, [row(p.place, p.candidate, p.part, p.at, p.spec, ended, alone[p.place]) for p, ended in points]
