# SPDX-License-Identifier: BSD-3-Clause
"""Supermon's knob: the period of its client's queries."""

from hypermon._model.setups import Setup

PERIODS = (3, 1, 0.3, 0.1, 0.03, 0.01)

SETUPS = (
    Setup(
        settings={"supermon.counters": "cpu.user"},
        turned={"supermon_client.period_s": PERIODS, "supermon_client.begin_s": PERIODS},
        vary={
            "supermon_client.period_s": (0.003, 3, "log"),
            "supermon_client.begin_s": (0, 1),
            "supermon.fan_out": [2, 4, 16],
        },
        about="A client sends a request to the root of a tree of servers every second. The servers then read the"
        " values of the daemons below them.",
    ),
)
