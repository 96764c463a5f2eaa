"""Random settings of TAU over Supermon: those of both are drawn anyway; here, what their monholes keep."""

from __future__ import annotations

import random

from hypermon._model.schema import Value
from tests.monitors.tau import drawing as measurement

__all__ = ["OFTEN", "settings"]
OFTEN = 1


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    policy = rng.choice(("replace_read", "fill_drain", "replace_drain"))
    return {**measurement.settings(rng, nodes, share), "monhole.policy": policy}
