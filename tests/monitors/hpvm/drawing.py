# SPDX-License-Identifier: BSD-3-Clause
"""Random settings of HPVM's monitor."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
SELDOM = {"hpvm.interval_s": 1000}
SECTIONS = ("hpvm.", "cristian.")
JUDGED = {
    "host": "cpu.busy",
    "debug": "user",
    "mpi_collectives": "mpi.time",
    "fm_data_transfer": "messages.bytes_sent",
    "mpi_messages": "mpi.sizes",
    "queues": "queue.posted",
    "process.cpu": "process.cpu",
}
BOUNDS |= {
    "hpvm.interval_s": (1e-3, 1.0),
    "hpvm.threads": (1, 4),
    "hpvm.query_us": (0, 200),
    "hpvm.counter_us": (0, 50),
    "hpvm.pdh_us": (0, 200),
    "cristian.probes": (1, 5),
    "cristian.read_us": (0, 200),
}
CHOICES = {
    "hpvm": {"monitor": "hpvm"},
    "hpvm.too_slow": {"hpvm.interval_s": 0.0001},
    "cristian": {"monitor": "hpvm"},
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    drawn = some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith(SECTIONS)), share)
    sets = rng.sample(sorted(JUDGED), rng.randrange(1, 3))
    rules = [
        f"{JUDGED[sets[0]]} {rng.choice('<>')} {rng.random():.3f} {rng.uniform(0.01, 0.5):.3f} "
        f"{rng.choice(sorted(JUDGED))}"
        for _ in range(rng.randrange(3))
    ]
    return drawn | {
        "hpvm.counters": " ".join(sets), "hpvm.too_slow": "miss", "hpvm.schedule": "", "hpvm.rules": "; ".join(rules)
    }  # fmt: skip
