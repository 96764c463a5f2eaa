# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace: MPI calls, layers of the file system, utilisation and power, in HDTrace's own files."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "hdtrace",
    unit="bytes",
    own=True,
    order=6,
    vocabulary=f"{_HERE}.vocabulary:VOCABULARY",
    report=f"{_HERE}.report:VIEW",
    timeline=f"{_HERE}.timeline:timeline",
    commands={"hdtrace": f"{_HERE}.command"},
    tells=("events", "time series", "relations"),
    picture=f"{_HERE}.picture:picture",
    knob=f"{_HERE}.knob:SETUPS",
)
