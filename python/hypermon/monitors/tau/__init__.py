# SPDX-License-Identifier: BSD-3-Clause
"""TAU: profiles of routines and MPI calls, written when the program ends."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "tau",
    unit="bytes",
    own=True,
    order=7,
    vocabulary=f"{_HERE}.vocabulary:VOCABULARY",
    report=f"{_HERE}.report:VIEW",
    commands={"tau": f"{_HERE}.command"},
    pages=f"{_HERE}.reference:pages",
    profiles=f"{_HERE}.profiles:of_routines",
    tells=("profiles",),
    picture=f"{_HERE}.picture:picture",
    knob=f"{_HERE}.knob:SETUPS",
)
