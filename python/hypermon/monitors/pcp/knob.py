# SPDX-License-Identifier: BSD-3-Clause
"""PCP's knob: the interval between two fetches of all hosts."""

from hypermon._model.setups import Setup

SETUPS = (
    Setup(
        settings={"pcp.counters": "cpu.user"},
        turned={"pcp.interval_s": (60, 3, 1, 0.3, 0.1, 0.03, 0.01)},
        vary={"pcp.interval_s": (0.003, 60, "log"), "pcp.open": ["at_start", "when_fetched"]},
        about="A client fetches the counters of one host after the other, once a minute like PCP's logger.",
    ),
)
