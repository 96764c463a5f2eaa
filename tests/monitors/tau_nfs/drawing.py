# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of TAU over NFS, and of the file system that stores its profiles."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
NEEDS = {"nfs.place": "host"}
SECTIONS = ("nfs.", "tau_files.", "ktau.")
LEFT_OUT = ("nfs.place", "nfs.number", "nfs.network", "tau_files.place", "tau_files.number", "tau_files.fixed_dump_ms")
BOUNDS |= {
    "tau_files.period_ms": (1, 500),
    "tau_files.profile_us": (0, 1000),
    "ktau.writev_us": (0, 200),
    "ktau.read_us": (0, 200),
    "ktau.copy_mb_per_s": (10, 1000),
}
OUTAGES = ("", "", "0.01 0.005; 0.05 0.1", "0.0301 0.02")
_FILES = {"monitor": "tau_nfs", "workload": "lu", "lu.problem": "S", "lu.iterations": 10, "nfs.place": "host"}
CHOICES = {
    "ktau": {"monitor": "tau_nfs", "nfs.place": "host"},
    "tau_files": _FILES,
    "tau_files.place": {
        "machine.topology": "star",
        "machine.messages": "smpi",
        "machine.beside": 1,
        "machine.beside_on_network": True,
    },
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    if rng.random() < 0.5:
        return {}  # no file server: tau_nfs refuses that, and the settings are drawn again
    parameters = (p for p in worker.schema().parameters.values() if p.path.startswith(SECTIONS))
    drawn = some(rng, (p for p in parameters if p.path not in LEFT_OUT), share)
    on_node = rng.random() < 0.3
    drawn |= {"nfs.place": "node" if on_node else "host", "nfs.number": rng.randrange(nodes) if on_node else 0}
    drawn["nfs.outages"] = rng.choice(OUTAGES)
    if rng.random() < 0.3:
        drawn |= {"tau_files.place": "node", "tau_files.number": rng.randrange(nodes)}
    if rng.random() < 0.2:
        drawn["tau_files.fixed_dump_ms"] = rng.choice((0.01, 1.5, 20))
    return drawn
