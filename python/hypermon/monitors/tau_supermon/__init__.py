# SPDX-License-Identifier: BSD-3-Clause
"""TAU whose profiles leave by Supermon's monholes while the program runs. What they say is what TAU's do."""

from hypermon.monitors import Monitor

_TAU = "hypermon.monitors.tau"

MONITOR = Monitor(
    "tau_supermon",
    unit="bytes",
    own=True,
    order=9,
    report=f"{_TAU}.report:VIEW",
    profiles=f"{_TAU}.profiles:of_routines",
    tells=("time series", "profiles"),
    picture=f"{_TAU}.picture:picture",
    knob=f"{_TAU}.knob:OVER_MONHOLES",
)
