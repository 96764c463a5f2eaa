# SPDX-License-Identifier: BSD-3-Clause
"""Software: a trace buffer in each node's memory."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "software",
    unit="bytes",
    order=1,
    vocabulary=f"{_HERE}.vocabulary:VOCABULARY",
    report=f"{_HERE}.report:VIEW",
    tells=("events",),
    picture=f"{_HERE}.picture:picture",
    emission=f"{_HERE}.emission:emission",
    knob=f"{_HERE}.knob:SETUPS",
)
