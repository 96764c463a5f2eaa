# SPDX-License-Identifier: BSD-3-Clause
"""Executes many runs without simulating anything twice. The results equal those of separate runs.

Runs with equal specifications are simulated once. Among runs whose nodes write the same data to their outlets, one is
co-simulated and recorded, and the others are replayed from its recording (`replaying`) if that is faster. A run that
fails is repeated as a separate run, so that the error message is about this run.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from hypermon._engine import runner
from hypermon._engine.pool import Pool
from hypermon._model import monitors, worker
from hypermon._model.result import Result
from hypermon._model.spec import LIMITS, Spec
from hypermon.errors import HypermonError, UserError

Outcome = Result | HypermonError


@dataclass(frozen=True)
class Run:
    """A requested run.

    Attributes:
        folder: The run directory, if the run is simulated. A shared result is kept in memory only.
        own: Whether the run must not take part in replays. A replay copies the program's numbers from the recorded run,
            so a comparison of the two would hold by construction.
        force: Replaces the folder even if it holds other files.
    """

    spec: Spec
    folder: Path
    own: bool = False
    force: bool = False


@dataclass(frozen=True)
class Plan:
    """Which runs share a simulation. Runs are identified by their index.

    Attributes:
        same: For each run with the same specification as an earlier one, that earlier run.
        replayed: For each recorded run, the runs that are replayed from its recording.
    """

    same: Mapping[int, int]
    replayed: Mapping[int, tuple[int, ...]]


WORTH_EVENTS = 300_000
"""Least number of replayed events for which replays are faster than co-simulations.

The first replay loads NumPy and Arrow, which takes 0.4 s; each 100 000 replayed events save 0.15 s (measured).
"""
IN_PARTS = runner.Leaves(record=True, assemble=False)
APART = Plan({}, {})
"""The plan without any sharing."""


@dataclass
class Spent:
    """Number of results by the way in which they were obtained."""

    simulated: int = 0
    replayed: int = 0
    same: int = 0

    @property
    def runs(self) -> int:
        return self.simulated + self.replayed + self.same


def plan(runs: Sequence[Run]) -> Plan:
    """Finds the runs that can share a simulation."""
    numbers: dict[tuple[object, ...], list[int]] = {}
    for number, run in enumerate(runs):
        numbers.setdefault(tuple(sorted(run.spec.values.items())), []).append(number)
    same = {other: first for first, *others in numbers.values() for other in others}
    alone = {same.get(number, number) for number, run in enumerate(runs) if run.own}
    firsts = [number for number, *_ in numbers.values() if number not in alone]
    return Plan(same, _replayed({number: runs[number].spec for number in firsts}))


class HasReplays(Protocol):
    def replays(self) -> object: ...


def _has_replays(spec: Spec) -> bool:
    return monitors.overrides(monitors.find(spec.values["monitor"]), HasReplays.replays)


def _replayed(specs: Mapping[int, Spec]) -> dict[int, tuple[int, ...]]:
    recordable = {number: spec for number, spec in specs.items() if _has_replays(spec)}
    if len(recordable) < 2:
        return {}
    from hypermon._engine import replaying, replays  # imported here: need NumPy, which takes time to load

    emissions = replaying.Emissions(worker.schema())
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, spec in recordable.items():
        limits = sorted(item for item in spec.values.items() if item[0].startswith(LIMITS))
        with contextlib.suppress(UserError):  # the run itself will report the error
            if not replays.why_not(spec):
                alike.setdefault((emissions.text(spec), *limits), []).append(number)
    return {first: tuple(others) for first, *others in alike.values() if others}


def run_many(
    runs: Sequence[Run], jobs: int, on_done: Callable[[int], None] | None = None, shared: Plan = APART
) -> tuple[list[Outcome], Spent]:
    """Executes all runs, `jobs` at a time. Returns their results in order; a failed run has its error instead.

    An interrupt ends the workers at once and leaves no partial folders.
    """
    making = _Making(runs, jobs, on_done, shared)
    return making.all(), making.spent


class _Making:
    """The execution of a plan, with the outcomes so far."""

    def __init__(self, runs: Sequence[Run], jobs: int, on_done: Callable[[int], None] | None, shared: Plan) -> None:
        self._runs = runs
        self._on_done = on_done
        self._shared = shared
        self._pool = Pool(jobs)
        self._outcomes: dict[int, Outcome] = {}
        self._others = {first: [n for n, of in shared.same.items() if of == first] for first in shared.same.values()}
        self._left: dict[int, int] = {}  # for each recorded run, the number of pending replays
        self.spent = Spent()

    def all(self) -> list[Outcome]:
        waiting = {*self._shared.same, *(n for members in self._shared.replayed.values() for n in members)}
        for number in range(len(self._runs)):
            if number in self._shared.replayed:
                self._pool.add(partial(self._record, number), partial(self._recorded, number))
            elif number not in waiting:
                self._by_itself(number)
        self._pool.carry_out()
        return [self._outcomes[number] for number in range(len(self._runs))]

    def _by_itself(self, number: int, *, at_once: bool = False) -> None:
        run = self._runs[number]
        work = partial(runner.simulate, run.spec, run.folder, workers=self._pool.workers, force=run.force)
        self._pool.add(work, partial(self._simulated, number), at_once=at_once)

    def _next(self, *numbers: int) -> None:
        """Runs these separately, in this order, ahead of all waiting jobs."""
        for number in reversed(numbers):
            self._by_itself(number, at_once=True)

    def _simulated(self, number: int, outcome: Outcome) -> None:
        self.spent.simulated += 1
        self._store(number, outcome)

    def _store(self, number: int, outcome: Outcome) -> None:
        """Stores the outcome of a run and of all runs with the same specification."""
        self._outcomes[number] = outcome
        if self._on_done is not None:
            self._on_done(number)
        for other in self._others.pop(number, ()):
            if isinstance(outcome, Result):
                self.spent.same += 1
                self._store(other, _of_scenario(outcome, self._runs[other].spec.scenario))
            else:
                self._next(other)

    def _record(self, number: int) -> tuple[Result, bool]:
        """Returns the run's result, and whether replays from its recording are worthwhile."""
        run = self._runs[number]
        result = runner.simulate(run.spec, run.folder, workers=self._pool.workers, leaves=IN_PARTS)
        if len(self._shared.replayed[number]) * int(result["events"]) < WORTH_EVENTS:
            return result, False
        from hypermon._engine import recording  # imported here: needs NumPy, which takes time to load

        if not (run.folder / recording.FILE).is_file():
            recording.assemble(run.folder)
        return result, True

    def _recorded(self, number: int, outcome: tuple[Result, bool] | HypermonError) -> None:
        others = self._shared.replayed[number]
        if isinstance(outcome, HypermonError):
            self._next(number, *others)
            return
        result, is_worth = outcome
        if is_worth:
            self._left[number] = len(others)
            for one in reversed(others):
                work = partial(_replay, self._runs[number].folder, self._runs[one].spec)
                self._pool.add(work, partial(self._replayed, number, one), at_once=True)
        else:
            self._next(*others)
        self._simulated(number, result)

    def _replayed(self, recorded: int, number: int, outcome: Outcome) -> None:
        from hypermon._engine import recording

        self._left[recorded] -= 1
        if not self._left[recorded]:
            (self._runs[recorded].folder / recording.FILE).unlink()
        if isinstance(outcome, Result):
            self.spent.replayed += 1
            self._store(number, outcome)
        else:
            self._next(number)


def _of_scenario(result: Result, name: str) -> Result:
    """Returns the result under another scenario's name, exactly as a run of that scenario would give it."""
    own, other = (f'"scenario": {json.dumps(one, ensure_ascii=False)}' for one in (result["scenario"], name))
    return Result(None, result.text.replace(own, other, 1))  # the scenario's name is the first key


def _replay(folder: Path, spec: Spec) -> Result:
    from hypermon._engine import recording, replaying  # imported here: need NumPy, which takes time to load

    return replaying.replay_spec(recording.Recording(folder), spec)
