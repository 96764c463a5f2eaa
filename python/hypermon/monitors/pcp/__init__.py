# SPDX-License-Identifier: BSD-3-Clause
"""PCP: a client that fetches counters from host after host."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "pcp",
    unit="samples",
    order=5,
    report=f"{_HERE}.report:VIEW",
    tells=("time series",),
    knob=f"{_HERE}.knob:SETUPS",
)
