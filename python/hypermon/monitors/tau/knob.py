# SPDX-License-Identifier: BSD-3-Clause
"""Setups of TAU: they vary the clock of its timers and, where profiles leave while the program runs, their period."""

from hypermon._model.setups import Setup

CLOCKS = ("rdtsc", "gettimeofday")
PERIODS_MS = (3000, 1000, 300, 100, 30, 10)
PERIODS_S = tuple(ms / 1000 for ms in PERIODS_MS)
WHILE_IT_RUNS = {"tau.dump": "period"}

SETUPS = (
    Setup(
        turned={"tau.clock": CLOCKS},
        vary={
            "tau.clock": list(CLOCKS),
            "tau.throttle": [True, False],
            "tau.throttle_calls": (10, 100000, "log"),
            "tau.throttle_us": (1, 10000, "log"),
        },
        about="Timers in the processes of the program give profiles, which the analyst reads after the run.",
    ),
)
OVER_FILES = (
    Setup(
        settings=WHILE_IT_RUNS,
        turned={"tau.period_ms": PERIODS_MS, "tau_files.period_ms": PERIODS_MS},
        vary={
            "tau.clock": list(CLOCKS),
            "tau.period_ms": (10, 3000, "log"),
            "tau_files.period_ms": (10, 3000, "log"),
            "tau.throttle": [True, False],
        },
        about="Processes write TAU's profiles to a shared file system while the program runs.",
    ),
)
OVER_MONHOLES = (
    Setup(
        settings=WHILE_IT_RUNS,
        turned={
            "tau.period_ms": PERIODS_MS,
            "supermon_client.period_s": PERIODS_S,
            "supermon_client.begin_s": PERIODS_S,
        },
        vary={
            "tau.clock": list(CLOCKS),
            "tau.period_ms": (10, 3000, "log"),
            "supermon_client.period_s": (0.01, 3, "log"),
            "tau.throttle": [True, False],
        },
        about="Processes write TAU's profiles to Supermon's daemons while the program runs. A client requests"
        " them from there.",
    ),
)
