# SPDX-License-Identifier: BSD-3-Clause
"""A trace funnel: messages of the chips' nodes share links, a formatter and a sink (docs/design/funnel.md)."""

from hypermon.monitors import Monitor

_HERE = __name__

MONITOR = Monitor(
    "funnel",
    unit="bytes",
    order=3,
    hardware=(
        "stimulus",
        "funnel",
        "funnel_source",
        "funnel_protocol",
        "funnel_link",
        "funnel_formatter",
        "funnel_sink",
    ),
    vocabulary=f"{_HERE}.vocabulary:VOCABULARY",
    report=f"{_HERE}.report:VIEW",
    compared=f"{_HERE}.compared",
    costs=f"{_HERE}.costs",
    load=f"{_HERE}.load",
    replays=f"{_HERE}.replays",
    commands={"chip-waves": f"{_HERE}.chip_waves"},
    workloads={"stream": "hypermon._engine.streams.run"},
    tells=("events",),
    emission=f"{_HERE}.emission:emission",
    knob=f"{_HERE}.knob:SETUPS",
)
