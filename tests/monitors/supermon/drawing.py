# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of Supermon: trees, deaths, clients at several rates."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
SELDOM = {"supermon_client.period_s": 1000}
BOUNDS |= {
    "supermon.fan_out": (2, 6),
    "supermon.timeout_ms": (0.5, 100),
    "supermon.retry_ms": (1, 50),
    "supermon.message_us": (0, 200),
    "supermon.parse_ns": (0, 200),
    "supermon.print_ns": (0, 200),
    "supermon.kernel_us": (0, 500),
    "supermon.take_us": (0, 200),
    "supermon.write_us": (0, 200),
    "supermon.write_ns": (0, 50),
    "supermon.socket_bytes": (200, 20_000),
    "supermon.linger_s": (0, 0.1),
}


COMBINE = ("none", "none", "sum", "mean", "min", "max")
"""Policies of the clients after the first. The first may control the overhead, for which it must see profiles."""
CHOICES = {
    "supermon": {"monitor": "supermon"},
    "supermon.supermons": {"nodes": 8, "supermon.fan_out": 2, "machine.beside": 2, "lan.count": 1},
    "supermon_client": {
        "monitor": "supermon",
        "nodes": 8,
        "supermon_client.period_s": 0.02,
        "supermon_client.begin_s": 0.01,
    },
    "supermon_client.sampling": {"supermon_client.share": 0.25},
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def failures(rng: random.Random, nodes: int, fan_out: int) -> str:
    """Random failures of mons, of the root, and of supermons that exist in any such tree."""
    mortals = [("mon", nodes), ("supermon", 1 + (2 if nodes > fan_out else 0))]
    drawn = []
    for _ in range(rng.choice((0, 0, 1, 2))):
        word, number = rng.choice(mortals)
        drawn.append(f"{rng.uniform(0.001, 0.1):.4f} {word} {rng.randrange(number)} {rng.uniform(0.001, 0.1):.4f}")
    return "; ".join(drawn)


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    sections = ("supermon.",)
    drawn = some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith(sections)), share)
    drawn["supermon.counters"] = rng.choice(["", "cpu.busy", "mpi.time process.cpu", "cpu.busy network.bytes_sent"])
    fan_out = drawn.setdefault("supermon.fan_out", 3)
    assert isinstance(fan_out, int)
    drawn["supermon.failures"] = failures(rng, nodes, fan_out)
    drawn["supermon_client.count"] = kinds = rng.randint(1, 2)
    for kind in range(kinds):
        drawn |= {
            f"supermon_client[{kind}].period_s": rng.uniform(0.002, 0.05),
            f"supermon_client[{kind}].begin_s": rng.uniform(0, 0.02),
            f"supermon_client[{kind}].clients": rng.randint(1, 2),
            f"supermon_client[{kind}].nodes": rng.choice(["all", str(rng.randrange(nodes))]),
            f"supermon_client[{kind}].counters": rng.choice(["all", "none"]),
            f"supermon_client[{kind}].byte_ns": rng.choice([0, 0, 10_000]),
            f"supermon_client[{kind}].share": rng.choice([1, 1, rng.uniform(0.01, 1)]),
            f"supermon_client[{kind}].sampling": rng.choice(["random", "rotate"]),
            f"supermon_client[{kind}].combine": rng.choice(COMBINE if kind else ["none"]),
        }
    return drawn
