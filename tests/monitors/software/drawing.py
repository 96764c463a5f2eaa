# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of the software monitor, and of file servers that store the traces of processes."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
OF_PROCESSES = ("software.traces", "software.when_full", "software.clocks")
BOUNDS |= {
    "software.us_per_byte": (0.0, 20.0),
    "software.buffer_bytes": (16.0, 1e4),
    "software.record_us": (0, 20),
    "software.write_bytes": (16, 1e4),
    "software.probes": (1, 5),
    "software.probe_bytes": (1, 1000),
    "software.probe_us": (0, 50),
    **{f"software.{kind}_bytes": (1, 100) for kind in ("region", "message", "collective_begin", "collective_end")},
    "software.flush_bytes": (1, 100),
}
_PROCESS = {
    "workload": "cg",
    "monitor": "software",
    "software.traces": "process",
    "software.buffer_bytes": 1000,
    "software.servers": "files",
    "server.count": 1,
}
CHOICES = {
    "software.traces": {"monitor": "software"},
    "software.when_full": _PROCESS,
    "software.clocks": _PROCESS,
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    parameters = (p for p in worker.schema().parameters.values() if p.path.startswith("software."))
    drawn = some(rng, (p for p in parameters if p.path not in OF_PROCESSES), share)
    if rng.random() < 0.5:
        return drawn
    drawn |= {"software.traces": "process", "software.clocks": rng.choice(("none", "linear"))}
    drawn["software.buffer_bytes"] = rng.choice((200, 1000, 10000))
    if rng.random() < 0.7:
        on_node = rng.random() < 0.3
        drawn |= {
            "server.count": 2,
            "server.place": "node" if on_node else "host",
            "server.number": rng.randrange(nodes) if on_node else 0,
            "server.request_us": rng.choice((0, 30, 1000)),
            "disk.mb_per_s": rng.choice((1, 100, 10000)),
            "disk.seek_ms": rng.choice((0, 5)),
            "software.servers": rng.choice(("files", "files files1")),
            "software.directory": rng.choice(("", "files1")),
            "software.when_full": rng.choice(("drop", "flush")),
        }
    return drawn
