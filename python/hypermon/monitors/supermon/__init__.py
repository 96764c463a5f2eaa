# SPDX-License-Identifier: BSD-3-Clause
"""Supermon: a tree of daemons that hand on what nodes have, as s-expressions, to clients at rates of their own."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "supermon",
    unit="samples",
    order=6,
    report=f"{_HERE}.report:VIEW",
    tells=("time series",),
    knob=f"{_HERE}.knob:SETUPS",
)
