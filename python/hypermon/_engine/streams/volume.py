# SPDX-License-Identifier: BSD-3-Clause
"""Peak and mean rates of the nodes' event data, in constant memory. Mirrors sw/instrumentation/event_volume.hpp."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

INTERVAL_PS = 10**9
BURST = 20  # number of intervals of the longer peak


class Volume:
    """Counts data in intervals of the time at which a node begins to write them.

    A time may lie at most BURST intervals before the latest time so far.
    """

    def __init__(self) -> None:
        self._interval = np.empty(0, np.int64)  # the last intervals that have data
        self._halves = np.empty(0, np.int64)
        self._most = {1: 0, BURST: 0}
        self.halves = 0

    def add(self, time_ps: NDArray[np.int64], halves: NDArray[np.int64]) -> None:
        """Adds bursts with their begin and their number of data."""
        interval, place = np.unique(np.concatenate([self._interval, time_ps // INTERVAL_PS]), return_inverse=True)
        weights = np.concatenate([self._halves, halves])
        sums = np.bincount(place, weights).astype(np.int64)
        self.halves += int(halves.sum())
        ends = np.cumsum(sums)
        for length in self._most:
            begin = np.searchsorted(interval, interval - length, side="right")
            self._most[length] = max(self._most[length], int((ends - (ends - sums)[begin]).max(initial=0)))
        self._interval, self._halves = interval[-2 * BURST :], sums[-2 * BURST :]

    def to_json(self, elapsed_s: float) -> dict[str, Any]:
        """Returns the result's section "bursts"."""
        rates = {length: most / 2 / (length * INTERVAL_PS * 1e-12) for length, most in self._most.items()}
        return {
            "interval_ms": INTERVAL_PS * 1e-9,
            "bytes": self.halves // 2,
            "mean_bytes_per_s": self.halves / 2 / elapsed_s if elapsed_s else 0.0,
            "max_1ms_bytes_per_s": rates[1],
            "max_20ms_bytes_per_s": rates[BURST],
        }
