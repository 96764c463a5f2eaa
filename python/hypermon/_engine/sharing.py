# SPDX-License-Identifier: BSD-3-Clause
"""Many runs, in which nothing is simulated twice: the results are those of each run by itself.

Runs of equal specifications are one run. Of those whose nodes write the same to their performance outlets one is
co-simulated and recorded, and the others are replayed over its recording (`replaying`), if that is sooner. What fails
is run by itself, so that its error is its own.
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
    """One that is asked for.

    Attributes:
        folder: Where it is simulated, if it is; a result that it shares is in memory only.
        own: It is neither replayed nor recorded for others: what is asked of it a replay would answer by construction.
        force: The folder is replaced whatever it holds.
    """

    spec: Spec
    folder: Path
    own: bool = False
    force: bool = False


@dataclass(frozen=True)
class Plan:
    """Runs by their number.

    Attributes:
        same: Of those that another has already the other's.
        replayed: By one that is recorded those that are replayed over its recording.
    """

    same: Mapping[int, int]
    replayed: Mapping[int, tuple[int, ...]]


WORTH_EVENTS = 300_000
"""Replays of so many events together pay for what the first one loads, NumPy and Arrow (measured: 0.4 s, against 0.15 s
for a replay of 100 000 events instead of their co-simulation)."""
IN_PARTS = runner.Leaves(record=True, assemble=False)
APART = Plan({}, {})
"""Nothing is shared."""


@dataclass
class Spent:
    """How runs got their results."""

    simulated: int = 0
    replayed: int = 0
    same: int = 0

    @property
    def runs(self) -> int:
        return self.simulated + self.replayed + self.same


def plan(runs: Sequence[Run]) -> Plan:
    """What can be shared."""
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
    return monitors.has(monitors.of(spec.values["monitor"]), HasReplays.replays)


def _replayed(specs: Mapping[int, Spec]) -> dict[int, tuple[int, ...]]:
    recordable = {number: spec for number, spec in specs.items() if _has_replays(spec)}
    if len(recordable) < 2:
        return {}
    from hypermon._engine import replaying, replays  # need NumPy, which other runs do not wait for

    emissions = replaying.Emissions(worker.schema())
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, spec in recordable.items():
        limits = sorted(item for item in spec.values.items() if item[0].startswith(LIMITS))
        with contextlib.suppress(UserError):  # its run will say it
            if not replays.why_not(spec):
                alike.setdefault((emissions.of(spec), *limits), []).append(number)
    return {first: tuple(others) for first, *others in alike.values() if others}


def run_many(
    runs: Sequence[Run], jobs: int, on_done: Callable[[int], None] | None = None, shared: Plan = APART
) -> tuple[list[Outcome], Spent]:
    """Makes all, `jobs` at a time; results in the order of `runs`, a failed one as its error.

    An interrupt ends the workers at once and leaves no partial folders.
    """
    making = _Making(runs, jobs, on_done, shared)
    return making.all(), making.spent


class _Making:
    """Runs that are being made, and what became of those that are."""

    def __init__(self, runs: Sequence[Run], jobs: int, on_done: Callable[[int], None] | None, shared: Plan) -> None:
        self._runs = runs
        self._on_done = on_done
        self._shared = shared
        self._pool = Pool(jobs)
        self._outcomes: dict[int, Outcome] = {}
        self._others = {first: [n for n, of in shared.same.items() if of == first] for first in shared.same.values()}
        self._left: dict[int, int] = {}  # by recorded run: replays that are to come
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
        """Each by itself, in this order, before all others."""
        for number in reversed(numbers):
            self._by_itself(number, at_once=True)

    def _simulated(self, number: int, outcome: Outcome) -> None:
        self.spent.simulated += 1
        self._has(number, outcome)

    def _has(self, number: int, outcome: Outcome) -> None:
        """The run has its result, and so have those that are the same."""
        self._outcomes[number] = outcome
        if self._on_done is not None:
            self._on_done(number)
        for other in self._others.pop(number, ()):
            if isinstance(outcome, Result):
                self.spent.same += 1
                self._has(other, _of_scenario(outcome, self._runs[other].spec.scenario))
            else:
                self._next(other)

    def _record(self, number: int) -> tuple[Result, bool]:
        """Its result; is there a recording that is worth to be replayed?"""
        run = self._runs[number]
        result = runner.simulate(run.spec, run.folder, workers=self._pool.workers, leaves=IN_PARTS)
        if len(self._shared.replayed[number]) * int(result["events"]) < WORTH_EVENTS:
            return result, False
        from hypermon._engine import recording  # needs NumPy, which other runs do not wait for

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
            self._has(number, outcome)
        else:
            self._next(number)


def _of_scenario(result: Result, name: str) -> Result:
    """What a run of another scenario with the same specification gives, to the byte."""
    own, other = (f'"scenario": {json.dumps(one, ensure_ascii=False)}' for one in (result["scenario"], name))
    return Result(None, result.text.replace(own, other, 1))  # it is the first key


def _replay(folder: Path, spec: Spec) -> Result:
    from hypermon._engine import recording, replaying  # need NumPy, which other runs do not wait for

    return replaying.replay_spec(recording.Recording(folder), spec)
