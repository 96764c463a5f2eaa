# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study monitors`: programs under each monitor with its setup and with varied knobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Scenario
from hypermon._model import monitors, setups
from hypermon._model.monitors import NOBODY, Registered
from hypermon._model.schema import Schema
from hypermon._model.setups import Setup
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon_studies.monitors import programs as monitors_programs
from hypermon_studies.monitors.programs import NODES, PROGRAMS

DEFAULT, KNOBS, FRONTS = "default", "knobs", "fronts"
PARTS = (DEFAULT, KNOBS, FRONTS)
Place = tuple[str, str]  # machine, program


@dataclass(frozen=True)
class Candidate:
    """A compared candidate: a monitor with a setup."""

    monitor: Registered
    setup: Setup

    @property
    def name(self) -> str:
        return f"{self.setup.name} ({self.monitor.name})" if self.setup.name else self.monitor.name

    def settings(self, given: Mapping[str, Any], at: Mapping[str, Any]) -> dict[str, Any]:
        """Settings of the candidate. Common settings override its setup, and its knob overrides both."""
        return {**self.setup.settings, **given, "monitor": self.monitor.name, **at}


@dataclass(frozen=True)
class Point:
    """A run that a part of the study needs: of a program on a machine under a candidate.

    `at`: settings in addition to those of the candidate's setup.
    """

    place: Place
    candidate: Candidate
    part: str
    at: Mapping[str, Any]
    spec: Spec


@dataclass(frozen=True)
class Refused:
    """A candidate that cannot run there, or not with its knob at `at`, and the reason."""

    place: Place
    candidate: Candidate
    at: Mapping[str, Any]
    reason: str


@dataclass(frozen=True)
class Request:
    """The request for a study.

    `programs`: names of PROGRAMS, or scenarios. `settings`, `presets`: of all runs. `tuned`, `tuned_on`: programs and
    machines for which knobs are varied and fronts searched; empty: all.
    """

    programs: tuple[str, ...]
    machines: tuple[str, ...]
    nodes: int = NODES
    settings: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[str, ...] = ()
    tuned: tuple[str, ...] = ()
    tuned_on: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for option, some, of in (("--tune", self.tuned, self.programs), ("--tune-on", self.tuned_on, self.machines)):
            for name in some:
                if name not in of:
                    raise UserError(f"{option} {name}: must be one of those that are compared: {', '.join(of)}")

    def is_tuned(self, place: Place) -> bool:
        """True if knobs are varied and fronts searched at this place."""
        machine, program = place
        return machine in (self.tuned_on or self.machines) and program in (self.tuned or self.programs)

    def places(self) -> Iterator[Place]:
        for machine in self.machines:
            for program in self.programs:
                yield machine, program

    def scenario(self, place: Place) -> tuple[Scenario, dict[str, Any]]:
        """Scenario of the program on the machine, and its settings."""
        machine, program = place
        given = {"nodes": self.nodes, **self.settings}
        if program not in PROGRAMS:
            return scenarios.find_one(program, machine), given
        return monitors_programs.scenario(program, machine), {**PROGRAMS[program].settings, **given}

    def resolve(self, schema: Schema, place: Place, candidate: Candidate, at: Mapping[str, Any]) -> Spec:
        found, given = self.scenario(place)
        presets = (*candidate.setup.presets, *self.presets)
        return found.resolve(schema, candidate.settings(given, at), presets)


@dataclass(frozen=True)
class Plan:
    """`alone`: each program without a monitor, which slowdowns are measured against."""

    request: Request
    alone: Mapping[Place, Spec]
    points: tuple[Point, ...]
    refused: tuple[Refused, ...]

    def __len__(self) -> int:
        return len(self.alone) + len(self.points)


def programs(schema: Schema) -> list[str]:
    """Programs of the study, without those that this build of the worker lacks."""
    there = schema.parameter("workload", "").choices
    return [name for name, program in PROGRAMS.items() if program.workload in there]


def candidates(names: Sequence[str] = ()) -> list[Candidate]:
    """Returns the candidates of all registered monitors, or only of the named ones."""
    known = {name: one for name, one in monitors.registered().items() if name != NOBODY}
    for name in names:
        if name not in known:
            raise UserError(f"--monitor {name}: must be one of {', '.join(known)}")
    chosen = [one for name, one in known.items() if not names or name in names]
    return [Candidate(one, setup) for one in chosen for setup in setups.find(one)]


def make(request: Request, schema: Schema, among: Sequence[Candidate], parts: Sequence[str]) -> Plan:
    """A UserError if a program cannot run there at all."""
    nobody = Candidate(monitors.find(NOBODY), Setup())
    alone = {place: request.resolve(schema, place, nobody, {}) for place in request.places()}
    points: list[Point] = []
    refused: list[Refused] = []
    for place in alone:
        for candidate in among:
            steps = candidate.setup.steps() if KNOBS in parts and request.is_tuned(place) else []
            for part, at in ((DEFAULT, {}), *((KNOBS, step) for step in steps)):
                try:
                    points.append(Point(place, candidate, part, at, request.resolve(schema, place, candidate, at)))
                except UserError as error:
                    refused.append(Refused(place, candidate, at, str(error)))
                    if part == DEFAULT:
                        break
    return Plan(request, alone, tuple(points), tuple(refused))
