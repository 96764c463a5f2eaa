# SPDX-License-Identifier: BSD-3-Clause
"""What only a recording of the run can tell: losses and occupancy over time, the depth that would have done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Arrays = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Recorded:
    """`timeline`: begin_s (s), built, lost, peak, least (frames); when the `peak_s` of all was first, and the same
    arrays finely `around_peak`; `histogram`: frames, share_of_time; `frontier`: word_ns,
    bandwidth_bytes_per_s, least_depth, bound (frames), for an ideal reader, and in the long run load, lasts
    (`load`); `enough`: a depth (frames) at which this run's own reader loses nothing. None: not for such
    hardware."""

    timeline: Mapping[str, Any] | None = None
    histogram: Arrays | None = None
    frontier: Arrays | None = None
    enough: int | None = None

    def least_depth(self, word_ns: float) -> int | None:
        """Of the frame FIFO, without loss, if a word takes that long."""
        return next((int(least) for word, least in self._needed() if word == word_ns), None)

    def slowest_word_ns(self, depth: int) -> float | None:
        """The slowest of the frontier's word times at which a frame FIFO so deep loses nothing."""
        return max((word for word, least in self._needed() if least <= depth), default=None)

    def _needed(self) -> list[tuple[float, float]]:
        found = self.frontier or {"word_ns": (), "least_depth": ()}
        return list(zip(found["word_ns"], found["least_depth"], strict=True))
