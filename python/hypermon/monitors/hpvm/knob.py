# SPDX-License-Identifier: BSD-3-Clause
"""The knob of HPVM's monitor: the interval at which it polls."""

from hypermon._model.setups import Setup

SETUPS = (
    Setup(
        settings={"hpvm.counters": "cpu.user", "hpvm.too_slow": "miss"},
        turned={"hpvm.interval_s": (3, 1, 0.3, 0.1, 0.03, 0.01)},
        vary={
            "hpvm.interval_s": (0.003, 3, "log"),
            "hpvm.way": ["registry", "pdh"],
            "hpvm.threads": [1, 2, 4, 8],
        },
        about="Another computer reads the counters of each node once a second.",
    ),
)
