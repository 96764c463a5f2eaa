# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of PCP."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
SELDOM = {"pcp.interval_s": 1000}
BOUNDS |= {
    "pcp.interval_s": (1e-3, 1.0),
    "pcp.fetches": (0, 20),
    "pcp.block_bytes": (0, 20_000),
    "pcp.fetch_us": (0, 500),
    "pcp.open_host_us": (0, 200),
    "pcp.open_threshold": (0, 8),
    "pcp.beyond_us": (0, 500),
    "pcp.daemon_us": (0, 500),
    "pcp.value_us": (0, 50),
}
CHOICES = {"pcp": {"monitor": "pcp"}}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    drawn = some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith("pcp.")), share)
    hosts = ",".join(str(node) for node in rng.sample(range(nodes), rng.randint(1, nodes)))
    return drawn | {"pcp.counters": rng.choice(["cpu.busy", "mpi.time process.cpu"]), "pcp.hosts": hosts}
