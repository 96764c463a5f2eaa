# SPDX-License-Identifier: BSD-3-Clause
"""`limits.*` where the simulation runs in this process: replays, and streams of events. (Others: the worker.)

The host's time is looked at from one batch of bursts to the next; what is left inside the hardware at the end is not
interrupted. A program's simulated time is that of its recording. Steps need no watching: a replay's number is that of
its recording's bursts.
"""

from __future__ import annotations

import time

from hypermon._model.spec import Spec
from hypermon.errors import SimulationError


class Limits:
    """From now on."""

    def __init__(self, spec: Spec) -> None:
        self._simulated_s = float(spec.values.get("limits.simulated_s", 0))
        self._host_s = float(spec.values.get("limits.host_s", 0))
        self._began = time.monotonic()

    def check(self, now_ps: int, end_ps: int = 0) -> None:
        """A SimulationError if one is exceeded, at `now_ps` of a run that is known to end at `end_ps` or later."""
        if 0 < self._simulated_s < max(now_ps, end_ps) * 1e-12:
            raise SimulationError(f"limits.simulated_s = {self._simulated_s:g}: the program has not ended by then")
        if 0 < self._host_s < time.monotonic() - self._began:
            raise SimulationError(
                f"limits.host_s = {self._host_s:g}: the simulation has taken longer: {now_ps * 1e-12:f} s are "
                "simulated; the hardware is under way, without a program"
            )
