# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of TAU over Supermon, besides those of both parts: the monholes' policies, and a client's overhead
control.
"""

from __future__ import annotations

import random

from hypermon._model.schema import Value
from tests.monitors.tau import drawing as measurement

__all__ = ["OFTEN", "settings"]
OFTEN = 1
_LU = {"monitor": "tau_supermon", "workload": "lu", "lu.problem": "S", "lu.iterations": 20}
_QUERIES = {"supermon_client.period_s": 0.3, "supermon_client.begin_s": 0.01}
CHOICES = {
    "supermon.writer_waits": {
        **_LU,
        **_QUERIES,
        "lu.points": 16,
        "machine.topology": "star",
        "machine.messages": "smpi",
        "cpu.ranks_per_node": 4,
        "cpu.processors": 4,
        "supermon.take_us": 3000,
    },
    "monhole": {**_LU, **_QUERIES},
    "monhole.policy=fill_k_read": {"monhole.entries": 2},
    "tau.dump": {**_LU, "tau.period_ms": 5},
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    drawn = measurement.settings(rng, nodes, share)
    drawn["monhole.policy"] = rng.choice(("replace_read", "fill_drain", "replace_drain", "fill_k_read"))
    drawn["monhole.entries"] = rng.randint(1, 4)
    drawn["monhole.memory_mb"] = rng.choice((0, 0.003, 0.02, 64))
    if drawn.get("tau.dump") != "never":
        drawn["tau_control.overhead_percent"] = rng.choice((0, 0, 1, 20, 200))
    return drawn | {
        "tau_control.interval_s": rng.uniform(0.001, 0.05),
        "tau_control.most_every": rng.randint(1, 20),
        "tau_control.routines": rng.random() < 0.5,
        "tau_control.command_us": rng.choice((0, 20, 1000)),
    }
