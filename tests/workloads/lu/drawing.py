# SPDX-License-Identifier: BSD-3-Clause
"""A random LU."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, draw

BOUNDS |= {
    "lu.points": (16, 20),  # four for each of four ranks in a row
    "lu.iterations": (1, 2),
    "lu.largest_computed": (15, 20),
    "lu.flop_ns": (0, 20),
    "lu.byte_ns": (0, 20),
}


def settings(rng: random.Random, nodes: int) -> dict[str, Value]:
    """Random settings. The number of nodes is a power of two."""
    drawn = {p.path: draw(rng, p) for p in worker.schema().parameters.values() if p.path.startswith("lu.")}
    return drawn | {"nodes": nodes}
