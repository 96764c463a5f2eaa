# SPDX-License-Identifier: BSD-3-Clause
"""Runs without a monitor have no settings of their own."""

from __future__ import annotations

import random

from hypermon._model.schema import Value

OFTEN = 1


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:  # noqa: ARG001 (as all have it)
    return {}
