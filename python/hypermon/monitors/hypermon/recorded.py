# SPDX-License-Identifier: BSD-3-Clause
"""Results that need a recording of the run: losses and occupancy over time, and the sufficient depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Arrays = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Recorded:
    """The analysis of a recording. None: the hardware has no such analysis.

    Attributes:
        timeline: begin_s (s), built, lost, peak, least (frames); peak_s, the time of the first peak; and the same
            arrays in shorter intervals, `around_peak`.
        histogram: frames, share_of_time.
        frontier: word_ns, bandwidth_bytes_per_s, least_depth and bound (frames) of an ideal reader, reader_depth
            (frames) of the reader in use, and its load and lasts in the long run (`load`).
        enough: A depth (frames) at which this run's own reader loses nothing.
    """

    timeline: Mapping[str, Any] | None = None
    histogram: Arrays | None = None
    frontier: Arrays | None = None
    enough: int | None = None

    def least_depth(self, word_ns: float) -> int | None:
        """Smallest depth of the frame FIFO without loss at this word time."""
        return next((int(least) for word, least in self._needed() if word == word_ns), None)

    def slowest_word_ns(self, depth: int) -> float | None:
        """Slowest of the frontier's word times at which a frame FIFO of this depth loses nothing."""
        return max((word for word, least in self._needed() if least <= depth), default=None)

    def _needed(self) -> list[tuple[float, float]]:
        found = self.frontier or {"word_ns": (), "least_depth": ()}
        return list(zip(found["word_ns"], found["least_depth"], strict=True))


def long_run_limit(frontier: Mapping[str, Sequence[float]]) -> float | None:
    """Bandwidth (B/s) of the drain at which the load is 1, below which no depth is enough in the long run.

    Between two points the load is linear in the time of a word. None: the load is known nowhere, or is 1 nowhere.
    """
    if "load" not in frontier:
        return None
    times = [1 / bandwidth for bandwidth in frontier["bandwidth_bytes_per_s"]]
    points = sorted(zip(times, frontier["load"], strict=True))
    for (quick, less), (slow, more) in pairwise(points):
        if less <= 1 < more:
            return 1 / (quick + (slow - quick) * (1 - less) / (more - less))
    return None
