"""Random settings of TAU over Supermon: those of both are drawn anyway; dumps are frequent."""

from __future__ import annotations

import random

from hypermon._model.schema import Value

OFTEN = 1


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    return {"monhole.policy": rng.choice(("replace_read", "fill_drain", "replace_drain"))}
