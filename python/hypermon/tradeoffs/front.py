# SPDX-License-Identifier: BSD-3-Clause
"""Pareto fronts: designs none of which is better in every objective, found by Optuna's samplers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from hypermon._engine.designs import Designs, Source
from hypermon._model import worker
from hypermon._model.schema import Value
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
BATCH = 16  # (chosen) designs asked for at a time: not the number of processors, or the result would depend on it


@dataclass(frozen=True)
class Front:
    """What `pareto` found.

    Attributes:
        study: The Optuna study, with every trial; its plots and importances work on it.
        vary, objectives: What was varied, and what was to become small or large.
        limits: What was to be no larger than so.
        failed: Trials without all numbers, and why.
    """

    study: optuna.Study
    vary: tuple[str, ...]
    objectives: Mapping[str, Direction]
    failed: tuple[str, ...]
    limits: Mapping[str, float] = field(default_factory=dict)

    def to_pandas(self) -> pd.DataFrame:
        """The front: one row per design, its parameters, objectives and what was limited, sorted by objectives.

        Designs beyond a limit are not in it. Units are in `attrs["units"]`.
        """
        return self._table(self.study.best_trials)

    def all(self) -> pd.DataFrame:
        """Every design that was looked at, likewise."""
        import optuna

        return self._table([t for t in self.study.trials if t.state == optuna.trial.TrialState.COMPLETE])

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
    """Looks for the designs that are best in one objective without being worse in all others.

    Designs are asked of the sampler and evaluated `batch` at a time, by replays where these are exact. The same seed
    gives the same front, on any number of processors.

    Args:
        scenario, settings, presets, platform, jobs: As in `hypermon.size`.
        vary: By parameter path a range `(low, high)`, one at equal ratios `(low, high, "log")`, or a list of values.
        objectives: What to "minimize" or "maximize": numbers of the result (`hypermon params result`) or arithmetic
            over them, costs (`cost.memory_bits`, `cost.bandwidth_bytes_per_s`), `loss` (share of the generated data
            that was lost), `slowdown` (elapsed time over that without a monitor).
        limits: Numbers likewise that may be no larger than so; a result without one keeps its limit.
        trials: Designs to look at.
        seed: Of the sampler.
        sampler: By default NSGA-II; for a single objective TPE.
        progress: Called with designs that have been looked at since, and how many of these have failed.

    Raises:
        UserError: for what cannot be asked, or if Optuna is not installed.
        SimulationError: if no design has all numbers.
    """
    require("optuna", "Optuna")
    import optuna

    if not objectives or trials < 1 or batch < 1:
        raise UserError("pareto: needs an objective, and at least one trial and one design in a batch")
    for name, direction in objectives.items():
        if direction not in get_args(Direction):
            raise UserError(f"objectives: {name} = {direction}: must be one of {', '.join(get_args(Direction))}")
    watch = Watch(progress)
    designs = Designs(scenario, settings, presets, "pareto", jobs, platform, watch.point)
    dimensions = dimensions_of.read(vary, designs.schema)
    limits = limits or {}
    numbers = Numbers(designs, list(dict.fromkeys((*objectives, *limits))))
    distributions = {d.path: _distribution(d) for d in dimensions}
    failed: list[str] = []
    with _quiet():
        study = optuna.create_study(
            directions=list(objectives.values()), sampler=sampler or _sampler(len(objectives), seed)
        )
        for start in range(0, trials, batch):
            asked = [study.ask(distributions) for _ in range(min(batch, trials - start))]
            watch.begin(len(asked))
            rows = numbers.of([_design(trial, dimensions) for trial in asked])
            known = len(failed)
            for trial, row in zip(asked, rows, strict=True):
                values = [row[name] for name in objectives]
                if row["status"] == "ok" and None not in values:
                    for name, most in limits.items():
                        trial.set_user_attr(name, row[name])
                        trial.set_constraint(name, float(row[name] or 0) - most)
                    study.tell(trial, [float(value) for value in values])
                else:
                    missing = ", ".join(name for name in objectives if row[name] is None)
                    failed.append(f"trial {trial.number}: {row['error'] or f'the result has no {missing}'}")
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
            watch.end(len(failed) - known)
    if len(failed) == trials:
        raise SimulationError(f"no design has all numbers: {failed[0]}")
    return Front(study, tuple(d.path for d in dimensions), dict(objectives), tuple(failed), dict(limits))


def _design(trial: optuna.Trial, dimensions: Sequence[Dimension]) -> dict[str, Value]:
    design: dict[str, Value] = {}
    for d in dimensions:
        asked = trial.params[d.path]
        design[d.path] = asked if d.choices else d.snap(asked)
        trial.set_user_attr(d.path, design[d.path])
    return design


def _distribution(d: Dimension) -> optuna.distributions.BaseDistribution:
    """What the sampler knows of the parameter; allowed integers that are unevenly spaced are snapped to afterwards."""
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
    """A line per trial is too much of Optuna's log."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)
