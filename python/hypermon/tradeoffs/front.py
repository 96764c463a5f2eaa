# SPDX-License-Identifier: BSD-3-Clause
"""Pareto fronts: designs that no other design dominates, found with Optuna's samplers."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from hypermon._engine.designs import Designs, Source
from hypermon._model import argument_checks, worker
from hypermon._model import metrics as metric_paths
from hypermon._model.cards import Card, Shown, table
from hypermon._model.metrics import Formula
from hypermon._model.result import show
from hypermon._model.schema import Value
from hypermon._model.words import plural, three_digits
from hypermon.errors import SimulationError, UserError
from hypermon.tradeoffs import dimensions as dimensions_of
from hypermon.tradeoffs.dimensions import Dimension, Vary
from hypermon.tradeoffs.extra import require
from hypermon.tradeoffs.numbers import Numbers
from hypermon.tradeoffs.watching import Report, Watch

if TYPE_CHECKING:
    import optuna
    import pandas as pd


Direction = Literal["minimize", "maximize"]
BATCH = 16  # (chosen) designs per batch; fixed, since the result must not depend on the number of processors
IDLE = 3  # (chosen) batches without a new design from the sampler before designs are drawn at random
DRAWS = 1000  # (chosen) random draws to find a new design
Design = tuple[tuple[str, Value], ...]  # values by parameter path


@dataclass(frozen=True, repr=False)
class Front(Shown):
    """The result of `pareto`.

    Attributes:
        study: The Optuna study with every trial, for Optuna's plots and importances. A design may have several trials.
        vary, objectives: The varied parameters, and the metrics with the direction of optimisation.
        failed: Designs that lack a number, with the reason.
        limits: The largest allowed values of the limited numbers.
        space: Number of designs in the space. None: unlimited.
    """

    study: optuna.Study
    vary: tuple[str, ...]
    objectives: Mapping[str, Direction]
    failed: tuple[str, ...]
    limits: Mapping[str, float] = field(default_factory=dict)
    space: int | None = None

    @property
    def evaluated(self) -> int:
        """The number of different designs that were evaluated, including those that lack a number."""
        return len(self.all()) + len(self.failed)

    def to_pandas(self) -> pd.DataFrame:
        """Returns the front: one row per design with parameters, objectives and limited numbers, sorted by objectives.

        Designs beyond a limit are left out. `attrs["units"]` has the units.
        """
        return self._table(self.study.best_trials)

    def all(self) -> pd.DataFrame:
        """Returns all evaluated designs that have all numbers, once each, with the same columns."""
        import optuna

        return self._table([t for t in self.study.trials if t.state == optuna.trial.TrialState.COMPLETE])

    def summary(self) -> str:
        """Returns the answer in a few sentences: how many designs no other design beats, and what they reach."""
        front = self.to_pandas()
        tried = plural(self.evaluated, "design")
        whole = "all" if self.evaluated == self.space else "the"
        allowed = " within the limits" if self.limits else ""
        if front.empty:
            return f"None of {whole} {tried} that were tried is{allowed or ' complete'}."
        spans = [
            f"{name} {' to '.join(dict.fromkeys((three_digits(front[name].min()), three_digits(front[name].max()))))}"
            for name in self.objectives
        ]
        verb = "is" if len(front) == 1 else "are"
        return f"Of {whole} {tried} that were tried, {len(front)} {verb} best{allowed}: {', '.join(spans)}."

    def _card(self) -> Card:
        front = self.to_pandas()
        goals = ", ".join(f"{direction} {name}" for name, direction in self.objectives.items())
        limits = ", ".join(f"{name} <= {show(most)}" for name, most in self.limits.items())
        rows = [[show(value) for value in row] for row in front.itertuples(index=False)]
        facts = [("objectives", goals), *([("limits", limits)] if limits else [])]
        failed = f" {len(self.failed)} of them failed." if self.failed else ""
        return Card(
            title=f"Pareto front over {', '.join(self.vary)}",
            verdict=f"{self.summary()}{failed}",
            facts=facts,
            tables=[table(tuple(map(str, front.columns)), rows, more="front.to_pandas()")],
        )

    def _table(self, trials: Sequence[optuna.trial.FrozenTrial]) -> pd.DataFrame:
        import pandas as pd

        rows = [{**t.user_attrs, **dict(zip(self.objectives, t.values, strict=True))} for t in trials]
        limited = [name for name in self.limits if name not in self.objectives]
        table = pd.DataFrame(rows, columns=[*self.vary, *self.objectives, *limited])
        by = [*self.objectives, *self.vary]
        ascending = [self.objectives.get(name) != "maximize" for name in by]
        found = table.drop_duplicates().sort_values(by, ascending=ascending, ignore_index=True)
        found.attrs["units"] = worker.schema().units(map(str, found.columns))
        return found


def pareto(
    scenario: Source,
    vary: Vary,
    objectives: Mapping[str, Direction],
    *,
    limits: Mapping[str, float] | None = None,
    metrics: Mapping[str, str | Formula] | None = None,
    trials: int = 100,
    seed: int = 1,
    sampler: optuna.samplers.BaseSampler | None = None,
    batch: int = BATCH,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Report | None = None,
) -> Front:
    """Finds the Pareto front: the designs that no other design dominates.

    A space of at most `trials` designs is evaluated completely. In a larger one, a sampler proposes designs, which are
    evaluated in batches, by replays where these are exact. The same seed gives the same front, on any number of
    processors.

    Args:
        scenario, settings, presets, platform, jobs: As in `hypermon.size`.
        vary: By parameter path a range `(low, high)`, one at equal ratios `(low, high, "log")`, or a list of values.
        objectives: The metrics to "minimize" or "maximize", as in `hypermon.sweep`.
        limits: The largest allowed values of metrics. A result without the number counts as within its limit.
        metrics: User-defined metrics by name, for `objectives` and `limits`: texts, or functions of the `Result`.
        trials: Number of different designs to evaluate.
        seed: Seed of the sampler.
        sampler: The Optuna sampler. By default NSGA-II, or TPE for a single objective.
        batch: Number of designs that are evaluated together.
        progress: Called with the number of newly evaluated designs, and of failed ones among them.

    Raises:
        UserError: An argument is not valid, or Optuna is not installed.
        SimulationError: No design has all numbers.
    """
    require("optuna", "Optuna")
    import optuna

    trials, batch = argument_checks.integer("trials", trials, 1), argument_checks.integer("batch", batch, 1)
    seed = argument_checks.integer("seed", seed, 0, 2**32 - 1)
    if not objectives or not isinstance(objectives, Mapping):
        raise UserError("pareto: needs an objective, as {'elapsed_s': 'minimize'}")
    for name, direction in objectives.items():
        argument_checks.choice(f"objectives: {name}", direction, get_args(Direction))
    most = {
        name: argument_checks.real(f"limits: {name}", one, "a number", lambda _: True)
        for name, one in (limits or {}).items()
    }
    watch = Watch(progress)
    designs = Designs(scenario, settings, presets, "pareto", jobs, platform, watch.point)
    dimensions = dimensions_of.read(vary, designs.schema)
    own = {str(one): one for one in metric_paths.read_argument("metrics", metrics or {})}
    numbers = Numbers(designs, [own.get(name, name) for name in dict.fromkeys((*objectives, *most))])
    with _quiet():
        study = optuna.create_study(
            directions=list(objectives.values()), sampler=sampler or _sampler(len(objectives), seed)
        )
        looked = _Looked(study, dimensions, numbers, objectives, most, watch)
        size = dimensions_of.space(dimensions)
        if size is not None and size <= trials:
            every = _product(dimensions)
            for first in range(0, size, batch):
                looked.at(every[first : first + batch])
        else:
            _search(looked, trials, batch, random.Random(seed))
    if len(looked.failed) == len(looked.known):
        raise SimulationError(f"no design has all numbers: {looked.failed[0]}")
    for name in most:
        if all(row.get(name) is None for row in looked.known.values()):
            raise UserError(f"limits: {name}: no result has this number (monitor = {designs.base.values['monitor']})")
    return Front(study, tuple(d.path for d in dimensions), dict(objectives), tuple(looked.failed), most, size)


def most_designs(vary: Vary, trials: int) -> int:
    """Returns the largest number of different designs that `pareto` evaluates."""
    size = dimensions_of.space(dimensions_of.read(vary, worker.schema()))
    return trials if size is None else min(size, trials)


class _Looked:
    """The evaluated designs. Each is evaluated once, even if the sampler proposes it several times."""

    def __init__(
        self,
        study: optuna.Study,
        dimensions: Sequence[Dimension],
        numbers: Numbers,
        objectives: Mapping[str, Direction],
        limits: Mapping[str, float],
        watch: Watch,
    ) -> None:
        self.study, self.dimensions = study, dimensions
        self.known: dict[Design, Mapping[str, Any]] = {}
        self.failed: list[str] = []
        self._distributions = {d.path: _distribution(d) for d in dimensions}
        self._numbers, self._objectives, self._limits, self._watch = numbers, objectives, limits, watch

    def at(self, designs: Sequence[Mapping[str, Value]]) -> None:
        """Evaluates these designs, without the sampler's choice."""
        for design in designs:
            self.study.enqueue_trial(dict(design))
        self.named(len(designs))

    def named(self, count: int) -> None:
        """Evaluates `count` designs that the sampler proposes. Known designs keep their numbers."""
        trials = [self.study.ask(self._distributions) for _ in range(count)]
        designs = [_key(_design(trial, self.dimensions)) for trial in trials]
        new = [design for design in dict.fromkeys(designs) if design not in self.known]
        self._watch.begin(len(new))
        rows = self._numbers.rows([dict(design) for design in new]) if new else []
        failed = len(self.failed)
        for design, row in zip(new, rows, strict=True):
            self.known[design] = row
            if why := self._why_failed(row):
                self.failed.append(f"trial {trials[designs.index(design)].number}: {why}")
        for trial, design in zip(trials, designs, strict=True):
            self._tell(trial, self.known[design])
        self._watch.end(len(self.failed) - failed)

    def _why_failed(self, row: Mapping[str, Any]) -> str:
        missing = ", ".join(name for name in self._objectives if row[name] is None)
        return (row["error"] or f"the result has no {missing}") if row["status"] != "ok" or missing else ""

    def _tell(self, trial: optuna.Trial, row: Mapping[str, Any]) -> None:
        import optuna

        if self._why_failed(row):
            self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
            return
        for name, most in self._limits.items():
            trial.set_user_attr(name, row[name])
            trial.set_constraint(name, float(row[name] or 0) - most)
        self.study.tell(trial, [float(row[name]) for name in self._objectives])


def _search(looked: _Looked, trials: int, batch: int, draw: random.Random) -> None:
    """Evaluates `trials` different designs, or fewer if no other is found."""
    idle = 0
    while (left := trials - len(looked.known)) > 0:
        before = len(looked.known)
        if idle < IDLE:
            looked.named(min(batch, left))
        else:  # a converged sampler proposes the same designs repeatedly
            fresh = _drawn(looked, min(batch, left), draw)
            if not fresh:
                return
            looked.at(fresh)
        idle = 0 if len(looked.known) > before else idle + 1


def _drawn(looked: _Looked, count: int, draw: random.Random) -> list[dict[str, Value]]:
    """Draws up to `count` new designs at random."""
    found: dict[Design, dict[str, Value]] = {}
    for _ in range(DRAWS):
        design = {d.path: d.at(draw.random()) for d in looked.dimensions}
        if _key(design) not in looked.known:
            found[_key(design)] = design
        if len(found) == count:
            break
    return list(found.values())


def _product(dimensions: Sequence[Dimension]) -> list[dict[str, Value]]:
    paths, values = [d.path for d in dimensions], [d.values or () for d in dimensions]
    return [dict(zip(paths, chosen, strict=True)) for chosen in itertools.product(*values)]


def _key(design: Mapping[str, Value]) -> Design:
    return tuple(design.items())


def _design(trial: optuna.Trial, dimensions: Sequence[Dimension]) -> dict[str, Value]:
    design: dict[str, Value] = {}
    for d in dimensions:
        asked = trial.params[d.path]
        design[d.path] = asked if d.choices else d.snap(asked)
        trial.set_user_attr(d.path, design[d.path])
    return design


def _distribution(d: Dimension) -> optuna.distributions.BaseDistribution:
    """Returns the parameter's distribution for the sampler. Values are rounded to unevenly spaced integers later."""
    import optuna

    if d.choices:
        return optuna.distributions.CategoricalDistribution(d.choices)
    even = not d.parameter.power_of_two and (d.parameter.multiple_of == 1 or not d.log)
    if d.parameter.type == "int" and even:
        return optuna.distributions.IntDistribution(int(d.low), int(d.high), log=d.log, step=d.parameter.multiple_of)
    return optuna.distributions.FloatDistribution(d.low, d.high, log=d.log)


def _sampler(objectives: int, seed: int) -> optuna.samplers.BaseSampler:
    import optuna

    return optuna.samplers.NSGAIISampler(seed=seed) if objectives > 1 else optuna.samplers.TPESampler(seed=seed)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silences Optuna's log, which has a line per trial."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)
