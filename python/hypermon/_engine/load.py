# SPDX-License-Identifier: BSD-3-Clause
"""In the long run: does more come to a monitor than it can take? Then no buffer is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hypermon._model import monitors


@dataclass(frozen=True)
class Load:
    """Means over the run.

    Attributes:
        per_s: That come to a buffer of the monitor's, in `unit`; where a full one holds what is before it, also what
            was lost there for that.
        capacity_per_s: That can be taken out of it for ever.
        unit: That they are counted in, in the plural.
        never: What is so where more come than can be taken, as a sentence says it.
    """

    per_s: float
    capacity_per_s: float
    unit: str
    never: str

    @property
    def share(self) -> float:
        """Of the capacity."""
        return self.per_s / self.capacity_per_s

    @property
    def lasts(self) -> bool:
        """Can some depth be enough for ever? If not, each is full after a while, and what is enough grows with time."""
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
    """A monitor's module of that (`Monitor.load`)."""

    METRICS: tuple[str, ...]
    """What of a result says it, beside the specification."""

    def of(self, result: Mapping[str, Any]) -> Load | None:
        """Of a result, or as much of one as METRICS and its `spec`."""


class HasLoad(Protocol):
    def load(self) -> Loads | None: ...


def loads(monitor: object) -> Loads | None:
    """None: this monitor has nothing of the kind."""
    return monitors.part(monitors.of(monitor), HasLoad.load)


def of(result: Mapping[str, Any]) -> Load | None:
    """Of a result; None if there is nothing of the kind under its monitor."""
    found = loads(result["spec"]["monitor"])
    return found.of(result) if found is not None else None
