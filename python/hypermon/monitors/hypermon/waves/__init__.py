# SPDX-License-Identifier: BSD-3-Clause
"""Waves of recorded runs, for GTKWave: the monitor hardware at every strobe and clock edge of a window of time.

>>> import hypermon
>>> waves = hypermon.waves.write("runs/place16", "overrun.vcd", at="first-loss", pre="5 ms", post="1 ms")
>>> waves.marker_ps, waves.view

The recording is replayed: what ran without waves has them whenever they are wanted, also of other hardware
(`settings`). Hardware that acts back on the nodes cannot be replayed: `simulate` has the waves of a run while it runs,
as `hypermon run --wave-trigger` does. Beside the file a view is left in which GTKWave shows it.
"""

from hypermon._engine.wave_files import NeverHappenedError, NothingLostError
from hypermon.monitors.hypermon.waves.placing import Waves
from hypermon.monitors.hypermon.waves.running import Wanted, simulate
from hypermon.monitors.hypermon.waves.signals import Signal, signals
from hypermon.monitors.hypermon.waves.writing import write

__all__ = ["NeverHappenedError", "NothingLostError", "Signal", "Wanted", "Waves", "signals", "simulate", "write"]
