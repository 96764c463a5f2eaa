# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's monitor: a node that polls performance objects, and a global clock in software."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "hpvm",
    unit="samples",
    order=3,
    times=f"{_HERE}.clock:of_samples",
    report=f"{_HERE}.report:VIEW",
    tells=("time series",),
    knob=f"{_HERE}.knob:SETUPS",
)
