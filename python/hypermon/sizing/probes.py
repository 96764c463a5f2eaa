"""The losses of designs, by the evaluator of sweeps: a replay where that is exact, else a co-simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypermon.designs import Designs, amounts
from hypermon.errors import SimulationError
from hypermon.schema import Value
from hypermon.sizing.answer import Probe


@dataclass
class Probes:
    """Remembers every design that was looked at; each is evaluated once."""

    designs: Designs
    done: dict[tuple[int, tuple[tuple[str, Value], ...]], Probe] = field(default_factory=dict)

    def losses(self, asked: Sequence[tuple[int, Mapping[str, Value]]]) -> list[float]:
        """The share of its data that each design (the run's seed, the varied parameters) loses."""
        keys = [(seed, tuple(settings.items())) for seed, settings in asked]
        new = [key for key in dict.fromkeys(keys) if key not in self.done]
        specs = [self.designs.resolve({**dict(settings), "seed": seed}) for seed, settings in new]
        if specs:
            lost, generated = amounts(specs[0])
            for key, row in zip(new, self.designs.evaluate(specs, (lost, generated)), strict=True):
                seed, settings = key[0], dict(key[1])
                self.done[key] = Probe(settings, seed, _share(row, lost, generated, settings))
        return [self.done[key].loss for key in keys]

    def sorted(self) -> tuple[Probe, ...]:
        """Everything that was looked at, by the varied parameters and then the seeds."""
        return tuple(sorted(self.done.values(), key=lambda probe: (*probe.settings.values(), probe.seed)))


def _share(row: Mapping[str, Any], lost: str, generated: str, settings: Mapping[str, Value]) -> float:
    if row["status"] != "ok":
        design = ", ".join(f"{path} = {value}" for path, value in settings.items())
        raise SimulationError(f"{design}: {row['error']}")
    return float(row[lost] / row[generated]) if row[generated] else 0.0
