"""What `hypermon.size` answers: the value, how sure it is, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypermon.schema import Value, number

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Probe:
    """One design that was looked at: the varied parameters, the run's seed and the share of its data that was lost."""

    settings: Mapping[str, Value]
    seed: int
    loss: float


@dataclass(frozen=True)
class Design:
    """The cheapest value of the sized parameter beside given values of the others."""

    settings: Mapping[str, Value]  # every varied parameter; without the sized one if no value of it meets the target
    reached: bool
    cost: float | None  # None: no cost was given, or not reached
    per_seed: Mapping[int, Value | None]  # the sized parameter by the run's seed; None: not reached
    monotone: bool


@dataclass(frozen=True)
class Size:
    """The answer of `hypermon.size`; `print(size)` says it in words.

    Attributes:
        parameter: Path of the sized parameter.
        value: Its value in `unit`, None if no value meets the target.
        settings: Values of all varied parameters in the cheapest design that meets the target.
        target_loss: Share of the generated data that may be lost.
        quantile, confidence: The value is enough for at least the share `quantile` of all runs, with this confidence.
        bounded: Are there enough repeats to say so? If not, the value is the largest that one of them needed.
        frontier: The least of the sized parameter for each choice of the others.
        probes: The evidence: every design that was looked at, with its loss.
        best_loss: Least loss found, averaged over the seeds: says how far away an unreachable target is.
        cost, cost_unit: Of the design in `settings`, if a cost was asked for.
        notes: What else the reader must know, in sentences.
    """

    scenario: str
    parameter: str
    value: Value | None
    unit: str
    settings: Mapping[str, Value]
    target_loss: float
    quantile: float
    confidence: float
    bounded: bool
    frontier: tuple[Design, ...]
    probes: tuple[Probe, ...]
    best_loss: float
    cost: float | None
    cost_unit: str
    notes: tuple[str, ...]

    @property
    def reached(self) -> bool:
        return self.value is not None

    @property
    def per_seed(self) -> dict[int, Value | None]:
        """What the run of each seed needs in the chosen design (in the first, if the target was not reached)."""
        chosen = next((d for d in self.frontier if d.reached and d.settings == self.settings), self.frontier[0])
        return dict(chosen.per_seed)

    def near(self, count: int = 2) -> list[Probe]:
        """The probes nearest to the answer, `count` values on each side; without an answer those that lose least."""
        if self.value is None:
            return sorted(self.probes, key=lambda probe: probe.loss)[: 2 * count + 1]
        beside = {path: v for path, v in self.settings.items() if path != self.parameter}
        same = [p for p in self.probes if {**p.settings, self.parameter: None} == {**beside, self.parameter: None}]
        values = sorted({p.settings[self.parameter] for p in same}, key=float)
        at = values.index(self.value)
        chosen = values[max(0, at - count) : at + count + 1]
        return [p for p in same if p.settings[self.parameter] in chosen]

    def to_pandas(self) -> pd.DataFrame:
        """The evidence: the varied parameters, `seed`, `loss`; one row per design and seed, in that order."""
        import pandas as pd

        return pd.DataFrame([{**probe.settings, "seed": probe.seed, "loss": probe.loss} for probe in self.probes])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "scenario": self.scenario,
            "parameter": self.parameter,
            "value": self.value,
            "unit": self.unit,
            "settings": dict(self.settings),
            "target_loss": self.target_loss,
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
                }
                for d in self.frontier
            ],
            "probes": [{"settings": dict(p.settings), "seed": p.seed, "loss": p.loss} for p in self.probes],
        }

    def __str__(self) -> str:
        return " ".join([self._sentence(), *self.notes])

    def _sentence(self) -> str:
        goal = "loses nothing" if self.target_loss == 0 else f"loses at most {percent(self.target_loss)} of its data"
        others = ", ".join(f"{path} = {number_of(v)}" for path, v in self.settings.items() if path != self.parameter)
        beside = f" and {others}" if others else ""
        if self.value is None:
            return f"No {self.parameter} looked at {goal} in {self.scenario}: the best loses {percent(self.best_loss)}."
        price = f", at a cost of {number(self.cost)} {self.cost_unit}".rstrip() if self.cost is not None else ""
        answer = f"{self.parameter} = {number_of(self.value)} {self.unit}".rstrip() + beside + price
        seeds = len(self.per_seed)
        if seeds == 1:
            return f"{self.scenario} {goal} with {answer}."
        if self.bounded:
            share = f"at least {percent(self.quantile)} of runs like {self.scenario}"
            each = goal.replace("loses", "lose").replace("its data", "their data")
            return f"With {percent(self.confidence)} confidence, {share} {each} with {answer} ({seeds} seeds)."
        return f"Each of {seeds} runs of {self.scenario} {goal} with {answer}."


def percent(share: float) -> str:
    return f"{number(float(f'{100 * share:.4g}'))} %"


def number_of(value: Value) -> str:
    return number(value) if isinstance(value, int | float) else value
