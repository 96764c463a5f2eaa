# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of SCMS/RMS: trees, techniques, groups, deaths."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
SELDOM = {"scms.push": "hardware.load 1000"}
BOUNDS |= {
    "scms.fanout": (2, 8),
    "scms.largest_partition": (16, 64),
    "scms.wait_ms": (0, 20),
    "scms.pull_offset_ms": (0, 20),
    "scms.filter_threshold": (-1, 1000),
    "scms.queue_messages": (0, 4),
    "scms.heartbeat_s": (0.01, 0.2),
    "scms.heartbeats_missed": (1, 4),
    "scms.timeout_s": (0.001, 0.2),
    "scms.send_us": (0, 200),
    "scms.receive_us": (0, 200),
    "scms.byte_ns": (0, 200),
    "scms.merged_byte_ns": (0, 50),
    "scms.value_us": (0, 100),
    "scms.oid_us": (0, 50),
}
_TREE = {"monitor": "scms", "workload": "idle", "nodes": 4, "scms.fanout": 2}
_CLIENT = {**_TREE, "scms_client.period_s": 0.05, "scms_client.clients": 2}
CHOICES = {
    "scms": {**_TREE, "scms.push": "hardware.load 0.1"},
    "scms.partitions": {"machine.topology": "fat_tree", "machine.dimensions": "2x2;1x1;1x1", "scms.fanout": 4},
    "scms.scope": {**_CLIENT, "scms_client.sma": 1},
    "scms_client": _CLIENT,
    "scms_client.kind=program": {"scms_client.program": "FOLDER/client.c"},
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def tree(rng: random.Random, nodes: list[int], depth: int) -> str:
    """A random tree of these nodes, as a nested list."""
    words = []
    while nodes:
        count = rng.randint(1, len(nodes))
        part, nodes = nodes[:count], nodes[count:]
        inner = depth > 0 and rng.random() < 0.6
        words.append(tree(rng, part, depth - 1) if inner else " ".join(map(str, part)))
    return f"[{' '.join(words)}]"


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    drawn = some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith("scms.")), share)
    if drawn.get("scms.queue_messages"):
        drawn["scms.filter_threshold"] = -1
    drawn["scms.partitions"] = "even"
    if rng.random() < 0.5:
        drawn["scms.tree"] = tree(rng, rng.sample(range(nodes), nodes), 2)
    groups = [("hardware.cpu_busy hardware.interrupts", 0.01), ("process.table", 0.03), ("hardware.cpu_kernel", 0.005)]
    drawn["scms.push"] = "; ".join(
        f"{resources} {period * rng.uniform(0.5, 2):.4g}"
        for resources, period in rng.sample(groups, rng.randint(0, len(groups)))
    )
    drawn["scms.failures"] = "; ".join(
        f"{rng.uniform(0.001, 0.1):.4f} agent {rng.randrange(nodes)} {rng.uniform(0.001, 0.1):.4f}"
        for _ in range(rng.choice((0, 0, 1, 2)))
    )
    if rng.random() < 0.5:
        drawn |= {
            "scms_client.period_s": rng.uniform(0.005, 0.05),
            "scms_client.mode": rng.choice(("asynchronous", "synchronous")),
            "scms_client.resources": rng.choice(("hardware.cpu_busy", "process.table hardware.interrupts")),
            "scms_client.ask": rng.choice(("together", "one_by_one", "pipelined")),
            "scms_client.clients": rng.randint(1, 3),
        }
    return drawn
