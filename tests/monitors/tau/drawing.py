# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of TAU's measurement."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
LEFT_OUT = ("tau.transport", "tau.gettimeofday_us", "tau.clock_access_us")
"""The monitor's name implies the first; the others are parts of timer_us, and are drawn below it."""
BOUNDS |= {
    "tau.timer_us": (0, 50),
    "tau.rdtsc_ns": (0, 1000),
    "tau.resolution_ns": (1, 1e5),
    "tau.throttle_calls": (0, 20),
    "tau.throttle_us": (0, 1000),
    "tau.throttled_ns": (0, 10000),
    "tau.every": (1, 3),
    "tau.period_ms": (0.1, 500),
    "tau.line_us": (0, 20),
    "tau.byte_ns": (0, 100),
}
CHOICES = {
    "tau": {"monitor": "tau"},
    "tau.transport": {  # profiles replace each other before they are read
        "workload": "lu",
        "lu.problem": "S",
        "lu.iterations": 20,
        "nfs.place": "host",
        "tau_files.period_ms": 1,
    },
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    parameters = (p for p in worker.schema().parameters.values() if p.path.startswith("tau."))
    drawn = some(rng, (p for p in parameters if p.path not in LEFT_OUT), share)
    timer = drawn.get("tau.timer_us", 2.0)
    reading = float(timer) * rng.choice((0, 0.1, 0.36, 0.5))
    return drawn | {"tau.gettimeofday_us": reading, "tau.clock_access_us": reading * rng.choice((0, 0, 0.5, 1))}
