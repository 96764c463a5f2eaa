# SPDX-License-Identifier: BSD-3-Clause
"""A random generator of events."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, draw

BOUNDS |= {"generator.active": (1, 16), "generator.events": (1, 150)}


def settings(rng: random.Random, nodes: int) -> dict[str, Value]:
    """Random settings for any number of nodes."""
    drawn = {p.path: draw(rng, p) for p in worker.schema().parameters.values() if p.path.startswith("generator.")}
    return drawn | {"nodes": nodes, "generator.active": min(int(drawn["generator.active"]), nodes)}
