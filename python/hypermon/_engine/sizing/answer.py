# SPDX-License-Identifier: BSD-3-Clause
"""The answer of `hypermon.size`: the value, its confidence, the margin to each target, and the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypermon._engine.load import Load
from hypermon._engine.sizing.targets import Target
from hypermon._model.cards import BAD, GOOD, Card, Shown, table
from hypermon._model.schema import Value, number

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Probe:
    """One evaluated design.

    Attributes:
        settings, seed: The varied parameters, and the run's seed.
        loss: Share of the data that was lost.
        numbers: For each target the result's number, in the target's unit. None: no event arrived.
        load: Load of the monitor (see `Load`).
        whole: Whether all targets were evaluated. If not, only the targets that the counts of a replay suffice for
            were: these already showed that the design misses a target or is not among the cheapest.
        beside: Results without a target, by path. Only for designs with `whole`.
    """

    settings: Mapping[str, Value]
    seed: int
    loss: float
    numbers: Mapping[str, float | None]
    load: Load | None
    whole: bool
    beside: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Design:
    """The cheapest value of the sized parameter for given values of the others."""

    settings: Mapping[str, Value]  # all varied parameters; lacks the sized one if no value meets the targets
    reached: bool
    cost: float | None  # None: no cost was given, or not reached
    per_seed: Mapping[int, Value | None]  # the sized parameter's value for each seed; None: not reached
    monotone: bool
    load: Load | None = None  # the largest of all seeds; None: not reached, or the monitor has no load


@dataclass(frozen=True)
class Margin:
    """The distance between the answer and a target's limit, in the target's unit. The worst seed counts.

    Attributes:
        value: The answer's number.
        next_value: The number with the next cheaper value of the sized parameter. None: there is no cheaper value, or
            no event arrives with it.
        binds: Whether the next cheaper value misses this target, so that the target determines the answer.
    """

    target: Target
    value: float | None
    next_value: float | None
    binds: bool

    @property
    def left(self) -> float | None:
        """Limit minus value."""
        return None if self.value is None else self.target.limit - self.value

    def to_dict(self) -> dict[str, Any]:
        left, limit = self.left, self.target.limit
        return {
            "target": self.target.name,
            "limit": limit,
            "unit": self.target.unit,
            "share_of": self.target.of,
            "value": self.value,
            "margin": left,
            "relative_margin": left / limit if left is not None and limit else None,
            "next_cheaper": self.next_value,
            "binds": self.binds,
        }


@dataclass(frozen=True, repr=False)
class Size(Shown):
    """The answer of `hypermon.size`. `print(size)` shows it in words.

    Attributes:
        parameter: Path of the sized parameter.
        value: Its value in `unit`. None: no value meets the targets.
        settings: Values of all varied parameters in the cheapest design that meets the targets.
        targets: The limits that the design must meet.
        margins: Distance to each target's limit. Without an answer, that of the nearest design.
        next_cheaper: The next cheaper value of the sized parameter. None: there is none.
        load: Load of the monitor in the answer's design.
        quantile, confidence: The value suffices for at least the share `quantile` of all runs, with this confidence.
        bounded: Whether there are enough repeats for that. If not, the value is the largest that any repeat needed.
        frontier: The least sufficient value of the sized parameter for each choice of the others.
        probes: The evidence: every evaluated design, with its numbers.
        best_loss: Least share of lost data among all evaluated designs, averaged over the seeds.
        cost, cost_unit: Cost of the design in `settings`, if `cost` was given.
        notes: Remarks on the answer, in sentences.
        design: All parameters of the design in `settings`, by path. None: no value meets the targets.
    """

    scenario: str
    parameter: str
    value: Value | None
    unit: str
    settings: Mapping[str, Value]
    targets: tuple[Target, ...]
    margins: tuple[Margin, ...]
    next_cheaper: Value | None
    load: Load | None
    quantile: float
    confidence: float
    bounded: bool
    frontier: tuple[Design, ...]
    probes: tuple[Probe, ...]
    best_loss: float
    cost: float | None
    cost_unit: str
    notes: tuple[str, ...]
    design: Mapping[str, Value] | None

    @property
    def reached(self) -> bool:
        return self.value is not None

    @property
    def per_seed(self) -> dict[int, Value | None]:
        """The value that each seed's run needs in the chosen design, or in the first one if no design is chosen."""
        chosen = next((d for d in self.frontier if d.reached and d.settings == self.settings), self.frontier[0])
        return dict(chosen.per_seed)

    def near(self, count: int = 2) -> list[Probe]:
        """The `count` probes on each side of the answer. Without an answer, the probes that miss the targets least."""
        return near(self.probes, self.targets, self.parameter, self.settings if self.reached else None, count)

    def to_pandas(self) -> pd.DataFrame:
        """Returns the evidence, one row per design and seed.

        The columns are the varied parameters, `seed`, `loss`, each target's number and `load`; `attrs["units"]` has
        their units. A number is missing if it was not evaluated, because the counts of a replay already showed that
        the design misses a target or is not among the cheapest.
        """
        import pandas as pd

        from hypermon._model import worker

        rows = [
            {
                **probe.settings,
                "seed": probe.seed,
                "loss": probe.loss,
                **{target.name: probe.numbers.get(target.name) for target in self.targets},
                "load": probe.load.share if probe.load else None,
            }
            for probe in self.probes
        ]
        table = pd.DataFrame(rows)
        table.attrs["units"] = dict.fromkeys(map(str, table.columns), "") | worker.schema().units(self.settings)
        table.attrs["units"] |= {target.name: target.unit for target in self.targets} | {self.parameter: self.unit}
        return table

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole answer, as `hypermon size --json` prints it. The sizing reference lists the keys."""
        return {
            "scenario": self.scenario,
            "parameter": self.parameter,
            "value": self.value,
            "unit": self.unit,
            "settings": dict(self.settings),
            "design": None if self.design is None else dict(sorted(self.design.items())),
            "margins": [margin.to_dict() for margin in self.margins],
            "next_cheaper": self.next_cheaper,
            "long_run": _load(self.load),
            "quantile": self.quantile,
            "confidence": self.confidence,
            "bounded": self.bounded,
            "per_seed": {str(seed): value for seed, value in self.per_seed.items()},
            "cost": self.cost,
            "cost_unit": self.cost_unit,
            "best_loss": self.best_loss,
            "notes": list(self.notes),
            "frontier": [
                {
                    "settings": dict(d.settings),
                    "reached": d.reached,
                    "cost": d.cost,
                    "per_seed": {str(seed): value for seed, value in d.per_seed.items()},
                    "long_run": _load(d.load),
                }
                for d in self.frontier
            ],
            "probes": [
                {
                    "settings": dict(p.settings),
                    "seed": p.seed,
                    "loss": p.loss,
                    "numbers": dict(p.numbers),
                    "long_run": _load(p.load),
                }
                for p in self.probes
            ],
        }

    def __str__(self) -> str:
        return " ".join([self._sentence(), *self.notes])

    def _card(self) -> Card:
        margins = [
            (
                margin.target.name,
                *(margin.target.show(value) for value in (margin.target.limit, margin.value, margin.left)),
                ""
                if self.next_cheaper is None
                else margin.target.show(margin.next_value) + ", too much" * margin.binds,
            )
            for margin in self.margins
        ]
        cheaper = "" if self.next_cheaper is None else f"at {number_of(self.next_cheaper)}"
        tables = [table(("target", "at most", "found", "margin", cheaper), margins)]
        if len(self.frontier) > 1:
            columns = tuple(self.settings or self.frontier[0].settings)
            rows = [
                (
                    *(number_of(value) if (value := d.settings.get(path)) is not None else "-" for path in columns),
                    "-" if d.cost is None else number(float(f"{d.cost:.4g}")),
                )
                for d in self.frontier
            ]
            tables.append(table((*columns, "cost"), rows, more="size.frontier"))
        return Card(
            title=f"Size of {self.parameter} in {self.scenario}",
            verdict=self._sentence(),
            level=GOOD if self.reached else BAD,
            tables=tables,
            notes=self.notes,
        )

    def _sentence(self) -> str:
        goal = goal_of(self.targets)
        others = ", ".join(f"{path} = {number_of(v)}" for path, v in self.settings.items() if path != self.parameter)
        beside = f" and {others}" if others else ""
        if self.value is None:
            missed = [m for m in self.margins if m.target.missed(m.value)]
            best = ", ".join(f"{m.target.name} {m.target.show(m.value)}" for m in missed)
            return f"No {self.parameter} that was tried {goal} in {self.scenario}: the nearest has {best}."
        price = f", at a cost of {number(self.cost)} {self.cost_unit}".rstrip() if self.cost is not None else ""
        answer = f"{self.parameter} = {number_of(self.value)} {self.unit}".rstrip() + beside + price
        seeds = len(self.per_seed)
        if seeds == 1:
            return f"{self.scenario} {goal} with {answer}."
        if self.bounded:
            share = f"at least {percent(self.quantile)} of runs like {self.scenario}"
            each = goal.replace("loses", "lose").replace("its data", "their data").replace("keeps", "keep")
            return f"With {percent(self.confidence)} confidence, {share} {each} with {answer} ({seeds} seeds)."
        return f"Each of {seeds} runs of {self.scenario} {goal} with {answer}."


def goal_of(targets: tuple[Target, ...]) -> str:
    """Returns a phrase for a design that meets the targets, such as "loses nothing"."""
    losses = {t.name: t for t in targets if t.of and t.name in ("data_lost", "events_lost")}
    conditions = []
    if len(losses) == 2 and len({t.limit for t in losses.values()}) == 1:
        (limit,) = {t.limit for t in losses.values()}
        conditions.append(
            "loses nothing" if limit == 0 else f"loses at most {percent(limit)} of its data and of its events"
        )
    else:
        losses = {}
    limits = [f"{t.name} <= {t.show(t.limit)}" for t in targets if t.name not in losses]
    return " and ".join(conditions + ([f"keeps {', '.join(limits)}"] if limits else []))


def near(
    probes: tuple[Probe, ...],
    targets: tuple[Target, ...],
    parameter: str,
    settings: Mapping[str, Value] | None,
    count: int = 2,
) -> list[Probe]:
    """See Size.near."""
    if settings is None:
        return sorted(probes, key=lambda probe: (not probe.whole, shortfall(probe, targets)))[: 2 * count + 1]
    beside = {**settings, parameter: None}
    same = [p for p in probes if {**p.settings, parameter: None} == beside]
    values = sorted({p.settings[parameter] for p in same}, key=float)
    at = values.index(settings[parameter])
    chosen = values[max(0, at - count) : at + count + 1]
    return [p for p in same if p.settings[parameter] in chosen]


def shortfall(probe: Probe, targets: tuple[Target, ...]) -> tuple[int, float]:
    """Returns the number of targets that a design is known to miss, and the excess relative to their limits."""
    values = [(t, probe.numbers[t.name]) for t in targets if t.name in probe.numbers]
    beyond = [math.inf if v is None else (v - t.limit) / (t.limit or 1) for t, v in values if t.missed(v)]
    return len(beyond), sum(beyond)


def _load(load: Load | None) -> dict[str, Any] | None:
    return load.to_dict() if load is not None else None


def percent(share: float) -> str:
    return f"{number(float(f'{100 * share:.4g}'))} %"


def number_of(value: Value) -> str:
    return number(value) if isinstance(value, int | float) else value
