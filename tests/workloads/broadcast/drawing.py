# SPDX-License-Identifier: BSD-3-Clause
"""Random broadcasts."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, draw

BOUNDS |= {"broadcast.mib": (0, 0.01), "broadcast.root": (0, 15), "broadcast.repeats": (1, 3)}


def settings(rng: random.Random, nodes: int) -> dict[str, Value]:
    """Random settings. The root is one of the ranks."""
    drawn = {p.path: draw(rng, p) for p in worker.schema().parameters.values() if p.path.startswith("broadcast.")}
    return drawn | {"nodes": nodes, "broadcast.root": int(drawn["broadcast.root"]) % nodes}
