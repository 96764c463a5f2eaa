# SPDX-License-Identifier: BSD-3-Clause
"""Random ping-pong messages."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, draw

BOUNDS |= {
    "pingpong.partner": (0, 15),
    "pingpong.least_bytes": (1, 200),
    "pingpong.most_bytes": (1, 800),
    "pingpong.repeats": (1, 2),
}


def settings(rng: random.Random, nodes: int) -> dict[str, Value]:
    """Random settings for at least two nodes."""
    drawn = {p.path: draw(rng, p) for p in worker.schema().parameters.values() if p.path.startswith("pingpong.")}
    nodes = max(2, nodes)
    return drawn | {
        "nodes": nodes,
        "pingpong.partner": int(drawn["pingpong.partner"]) % nodes,
        "pingpong.most_bytes": max(int(drawn[f"pingpong.{end}_bytes"]) for end in ("least", "most")),
    }
