"""In the long run: do frames come faster than they can be read? Then no depth of the frame FIFO is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon.report.facts import Run

# What of a result says it, beside the specification.
METRICS = (
    "elapsed_s",
    "monitor.frames.built",
    "monitor.frames.drained",
    "monitor.windows_lost",
    "monitor.drain.bytes_read",
    "monitor.drain.reducing_s",
    "monitor.drain.waiting_s",
)


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


def of(result: Mapping[str, Any]) -> Load | None:
    """Of a result, or as much of one as METRICS and its `spec`; None if there are no frames under its monitor."""
    if result["spec"]["monitor"] != "hypermon":
        return None
    run = Run(result)
    come = run.built_per_s
    if run.spec["ecb"]["frame_fifo_full"] == "stall" and run.elapsed_s:
        come += float(run.monitor["windows_lost"]) / run.elapsed_s / len(run.boards)
    return Load(come, 1e9 / run.service_ns if run.service_ns else math.inf)


def of_counts(counts: Mapping[str, Any], spec: Mapping[str, Any]) -> Load | None:
    """The same of the counts of a replay (`replaying.COUNTED`), of hardware that a count holds for: its drain takes no
    time. `spec`: nested, perhaps with another `pbx.word_ns`: while nothing holds the builder, frames come all the same.
    """
    drain = {"bytes_read": counts["logged_bytes"], "reducing_s": 0.0, "waiting_s": 0.0}
    frames = {name: counts[f"monitor.frames.{name}"] for name in ("built", "drained")}
    monitor = {"frames": frames, "windows_lost": counts["monitor.windows_lost"], "drain": drain}
    return of({"spec": spec, "elapsed_s": counts["elapsed_s"], "monitor": monitor})
