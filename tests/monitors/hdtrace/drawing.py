# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of HDTrace."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
SECTIONS = ("hdtrace.", "power.")
LEFT_OUT = ("hdtrace.server", "hdtrace.network", "hdtrace.groups")  # names of objects that must exist
ORDERED = (
    ("power.idle_w", "power.computing_w"),
    ("power.nic_idle_w", "power.nic_w"),
    ("power.disk_idle_w", "power.disk_w"),
)
BOUNDS |= {
    "hdtrace.enter_us": (0, 50),
    "hdtrace.leave_us": (0, 50),
    "hdtrace.byte_ns": (0, 100),
    "hdtrace.buffer_bytes": (256, 1 << 14),
    "hdtrace.disk_mb_per_s": (1, 1000),
    "hdtrace.disk_seek_ms": (0, 20),
    "hdtrace.capacity_mb": (0.001, 1),
    "hdtrace.sample_ms": (1, 500),
    "hdtrace.sample_us": (0, 500),
    "hdtrace.probes": (1, 5),
    "hdtrace.resolution_ns": (1, 1e5),
    "power.meter_ms": (1, 500),
    "power.supply": (0, 1),
    **dict.fromkeys(("power.base_w", "power.memory_w", "power.waiting_w"), (0, 200)),
    **dict.fromkeys((low for low, _ in ORDERED), (0, 50)),
    **dict.fromkeys((high for _, high in ORDERED), (58, 200)),
}
CHOICES = {"hdtrace": {"monitor": "hdtrace"}}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    parameters = (p for p in worker.schema().parameters.values() if p.path.startswith(SECTIONS))
    drawn = some(rng, (p for p in parameters if p.path not in LEFT_OUT), share)
    for low, high in ORDERED:  # an idle part takes at most as much power as a working one
        if low in drawn and high not in drawn:
            del drawn[low]
    return drawn
