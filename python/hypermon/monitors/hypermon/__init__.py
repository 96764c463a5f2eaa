# SPDX-License-Identifier: BSD-3-Clause
"""HYPERMON, the hardware monitor."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "hypermon",
    unit="nibbles",
    order=2,
    hardware=("port", "erb", "ecb", "pbx", "reader", "drain"),
    losses={"frames_lost": ("monitor.frames.lost", "monitor.frames.built", "frames")},
    vocabulary=f"{_HERE}.vocabulary:VOCABULARY",
    report=f"{_HERE}.report:VIEW",
    compared=f"{_HERE}.compared",
    costs=f"{_HERE}.costs",
    load=f"{_HERE}.load",
    pictures={
        "frontier": f"{_HERE}.pictures.frontier:FRONTIER",
        "merging": f"{_HERE}.pictures.frames:MERGING",
        "occupancy": f"{_HERE}.pictures.occupancy:OCCUPANCY",
        "rates": f"{_HERE}.pictures.frames:RATES",
    },
    replays=f"{_HERE}.replays",
    extras=f"{_HERE}.cli.wave_options",
    workloads={"stream": "hypermon._engine.streams.run"},
    commands={
        "capture": f"{_HERE}.cli.capture",
        "frames": f"{_HERE}.cli.frames",
        "frontier": f"{_HERE}.cli.frontier",
        "waves": f"{_HERE}.cli.waves",
    },
    names={
        "Capture": f"{_HERE}.capturing:Capture",
        "Design": f"{_HERE}.capturing:Design",
        "capture": f"{_HERE}.capturing:capture",
        "design": f"{_HERE}.capturing:design",
        "frames": f"{_HERE}.frames",
        "frontier": f"{_HERE}.frontiers:frontier",
        "registers": f"{_HERE}.registers",
        "replaying": f"{_HERE}.replaying",
        "waves": f"{_HERE}.waves",
    },
    pages=f"{_HERE}.reference:pages",
    tells=("events",),
    emission=f"{_HERE}.emission:emission",
    knob=f"{_HERE}.knob:SETUPS",
)
