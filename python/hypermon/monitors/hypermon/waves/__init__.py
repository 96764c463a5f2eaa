# SPDX-License-Identifier: BSD-3-Clause
"""Waves of recorded runs, for GTKWave: the monitor hardware at every strobe and clock edge of a window of time.

    >>> import hypermon
    >>> waves = hypermon.waves.write("runs/place16", "overrun.vcd", at="first-loss", pre="5 ms", post="1 ms")
    >>> waves.marker_ps, waves.view

The recording is replayed: a run that was made without waves can show them later, also with other hardware (`settings`).
Hardware that feeds back on the nodes cannot be replayed. For such hardware `simulate` writes waves during a run, as
`hypermon run --wave-trigger` does. A view for GTKWave is written beside the waves.
"""

from hypermon._engine.wave_files import NeverHappenedError, NothingLostError
from hypermon.monitors.hypermon.waves.placing import Waves
from hypermon.monitors.hypermon.waves.running import Wanted, simulate
from hypermon.monitors.hypermon.waves.signals import Signal, signals
from hypermon.monitors.hypermon.waves.writing import write

__all__ = ["NeverHappenedError", "NothingLostError", "Signal", "Wanted", "Waves", "signals", "simulate", "write"]
