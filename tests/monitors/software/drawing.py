"""Random settings of the software monitor."""

from __future__ import annotations

import random

from hypermon._model import worker
from hypermon._model.schema import Value
from tests.python.drawing import BOUNDS, some

OFTEN = 1
BOUNDS |= {"software.us_per_byte": (0.0, 20.0), "software.buffer_bytes": (16.0, 1e4)}


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    return some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith("software.")), share)
