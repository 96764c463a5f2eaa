# SPDX-License-Identifier: BSD-3-Clause
"""Checks `limits.*` where the simulation runs in this process: in replays and in streams of events.

The worker checks the limits of co-simulations. Here the host time is checked once per batch of bursts. The last events
leave the hardware without a check. The simulated time of a replay is that of its recording. The number of steps needs
no check, since it is bounded by the recording's number of bursts.
"""

from __future__ import annotations

import time

from hypermon._model.spec import Spec
from hypermon.errors import SimulationError


class Limits:
    """The limits of one simulation. Its host time counts from the object's construction."""

    def __init__(self, spec: Spec) -> None:
        self._simulated_s = float(spec.values.get("limits.simulated_s", 0))
        self._host_s = float(spec.values.get("limits.host_s", 0))
        self._began = time.monotonic()

    def check(self, now_ps: int, end_ps: int = 0) -> None:
        """Raises a SimulationError if a limit is exceeded.

        `now_ps`: the simulated time. `end_ps`: a lower bound of the time at which the run ends.
        """
        if 0 < self._simulated_s < max(now_ps, end_ps) * 1e-12:
            raise SimulationError(f"limits.simulated_s = {self._simulated_s:g}: the program has not ended by then")
        if 0 < self._host_s < time.monotonic() - self._began:
            raise SimulationError(
                f"limits.host_s = {self._host_s:g}: the simulation has taken longer: {now_ps * 1e-12:f} s are "
                "simulated; the hardware is under way, without a program"
            )
