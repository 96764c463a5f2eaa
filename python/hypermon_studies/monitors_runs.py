"""The runs of `hypermon study monitors`, as rows of its tables. What was computed once is not computed again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypermon._engine import sweeping
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError
from hypermon_studies import monitors_columns as columns
from hypermon_studies.monitors_columns import Observed
from hypermon_studies.monitors_plan import Candidate, Place, Plan

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Row:
    """A run's numbers, by the columns' keys; `failed`: why there are none.

    `at`: what is set beside the candidate's setup. `losses`: shares of all there was, %, by where and why. `hardware`:
    its costs with their units. `ages`: where its result has them.
    """

    place: Place
    candidate: Candidate
    part: str
    at: Mapping[str, Value]
    numbers: Mapping[str, float | None] = field(default_factory=dict)
    reaches: str = ""
    losses: Mapping[str, float] = field(default_factory=dict)
    hardware: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    ages: str = ""
    failed: str = ""

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


def row(place: Place, candidate: Candidate, part: str, at: Mapping[str, Value], run: Observed) -> Row:
    """Of a run that came to its end."""
    found = columns.numbers(run), columns.reaches(run), columns.losses(run), columns.hardware(run), columns.ages(run)
    return Row(place, candidate, part, at, *found)


def results(specs: Sequence[Spec], jobs: int, progress: Progress | None = None) -> list[Mapping[str, Any] | str]:
    """Whole results, with the pictures' errors; or why there is none."""
    return sweeping.results(specs, columns.NEEDED, jobs=jobs, progress=progress)


def run(plan: Plan, jobs: int, progress: Progress | None = None) -> list[Row]:
    """A row of every point, in their order.

    Raises:
        SimulationError: a program does not even run alone.
    """
    specs = [*plan.alone.values(), *(point.spec for point in plan.points)]
    found = results(specs, jobs, progress)
    alone = dict(zip(plan.alone, found[: len(plan.alone)], strict=True))
    for (machine, program), result in alone.items():
        if isinstance(result, str):
            raise SimulationError(f"{program} on {machine}, without a monitor: {result}")
    rows = []
    for point, result in zip(plan.points, found[len(plan.alone) :], strict=True):
        about = point.place, point.candidate, point.part, point.at
        base = alone[point.place]
        if isinstance(result, str) or isinstance(base, str):
            rows.append(Row(*about, failed=str(result)))
        else:
            rows.append(row(*about, Observed(point.candidate.monitor, point.spec.values, result, base)))
    return rows
