# SPDX-License-Identifier: BSD-3-Clause
"""Load of a monitor: arrival rate over service rate of its buffers. Above 1, no buffer depth suffices for ever."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hypermon._model import monitors


@dataclass(frozen=True)
class Load:
    """Mean arrival and service rates of a monitor's buffer over a run.

    Attributes:
        per_s: Arrivals at the buffer per second, in `unit`. Where a full buffer stalls the stage before it, this
            includes the losses of that stage.
        capacity_per_s: Largest sustained rate at which the buffer can be emptied.
        unit: Unit of both rates, in the plural.
        never: A clause for messages that describes the overload, where arrivals exceed the capacity.
    """

    per_s: float
    capacity_per_s: float
    unit: str
    never: str

    @property
    def share(self) -> float:
        """Arrival rate as a share of the capacity."""
        return self.per_s / self.capacity_per_s

    @property
    def lasts(self) -> bool:
        """Can a finite depth suffice for runs of any length? If not, the required depth grows with the run's length."""
        return self.per_s <= self.capacity_per_s

    def to_dict(self) -> dict[str, Any]:
        return {
            "per_s": self.per_s,
            "capacity_per_s": self.capacity_per_s if math.isfinite(self.capacity_per_s) else None,
            "unit": self.unit,
            "load": self.share,
            "lasts": self.lasts,
        }


class Loads(Protocol):
    """Interface of a monitor's module that computes its load (`Monitor.load`)."""

    METRICS: tuple[str, ...]
    """Paths of the results from which, with the specification, the load is computed."""

    def compute(self, result: Mapping[str, Any]) -> Load | None:
        """Returns the load of a run. Only the METRICS and the `spec` of its result are required."""


class HasLoad(Protocol):
    def load(self) -> Loads | None: ...


def loads(monitor: object) -> Loads | None:
    """Returns the monitor's module that computes its load. None: this monitor has none."""
    return monitors.part(monitors.find(monitor), HasLoad.load)


def compute(result: Mapping[str, Any]) -> Load | None:
    """Returns the load of a result's run. None: its monitor has no load."""
    found = loads(result["spec"]["monitor"])
    return found.compute(result) if found is not None else None
