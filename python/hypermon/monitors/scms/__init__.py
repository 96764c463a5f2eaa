# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS: a tree of agents, and clients that ask them."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "scms",
    unit="samples",
    order=4,
    report=f"{_HERE}.report:VIEW",
    pictures={"tree": f"{_HERE}.pictures.tree:TREE"},
    names={"rmi": f"{_HERE}.rmi:rmi"},
    tells=("time series",),
    knob=f"{_HERE}.knob:SETUPS",
)
