"""In the long run: does more come to a monitor than it can take? Then no buffer is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from hypermon._model import monitors


@dataclass(frozen=True)
class Load:
    """Means over the run and its boards.

    Attributes:
        frames_per_s: That come to the frame FIFO of a board; where a full one holds the builder, also the windows that
            were lost before it for that.
        capacity_frames_per_s: That the I/O node can read for ever: words, the reader's pauses, and what it does with
            the data (`Run.service_ns`).
    """

    frames_per_s: float
    capacity_frames_per_s: float

    @property
    def share(self) -> float:
        """Of the capacity."""
        return self.frames_per_s / self.capacity_frames_per_s

    @property
    def lasts(self) -> bool:
        """Can some depth be enough for ever? If not, each is full after a while, and what is enough grows with time."""
        return self.frames_per_s <= self.capacity_frames_per_s

    def to_dict(self) -> dict[str, Any]:
        return {
            "frames_per_s": self.frames_per_s,
            "capacity_frames_per_s": self.capacity_frames_per_s if math.isfinite(self.capacity_frames_per_s) else None,
            "load": self.share,
            "lasts": self.lasts,
        }


class Loads(Protocol):
    """A monitor's module of that (`Monitor.load`)."""

    METRICS: tuple[str, ...]
    """What of a result says it, beside the specification."""

    def of(self, result: Mapping[str, Any]) -> Load | None:
        """Of a result, or as much of one as METRICS and its `spec`."""


def loads(monitor: object) -> Loads | None:
    """None: this monitor has nothing of the kind."""
    return cast("Loads | None", monitors.part(monitors.of(monitor), "load"))


def of(result: Mapping[str, Any]) -> Load | None:
    """Of a result; None if there is nothing of the kind under its monitor."""
    found = loads(result["spec"]["monitor"])
    return found.of(result) if found is not None else None
