# SPDX-License-Identifier: BSD-3-Clause
"""Programs of all kinds, each so small that it takes about ten milliseconds of simulated time and of host time."""

from __future__ import annotations

import random
from typing import Any

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.spec import Spec
from tests.monitors.hypermon.drawing import random_hardware
from tests.python.drawing import ALWAYS

Settings = dict[str, Any]

PROGRAMS: tuple[tuple[str, Settings], ...] = (
    ("collection/pingpong", {"nodes": 4, "pingpong.most_bytes": 256, "pingpong.repeats": 2}),
    ("collection/ring", {"nodes": 8, "ring.steps": 6}),
    ("collection/halo", {"nodes": 4, "halo.size": 8, "halo.iterations": 2}),
    ("collection/workers", {"nodes": 4, "workers.tasks": 8, "workers.points": 20}),
    ("table2/place", {"nodes": 4, "place.attempts": 150, "place.accepted": 20, "place.temperatures": 4,
                      "place.reheats": 1}),
    ("bandwidth/one_node", {"nodes": 4, "generator.active": 3, "generator.events": 150}),
)  # fmt: skip
BEFORE_THE_PORTS: dict[str, tuple[Any, ...]] = {
    "seed": (1, 2, 3),
    "port.width_bits": (4, 4, 8, 16, 32),
    "port.delay": (0, 0, 20, 60),
    "node.tick_ms": (50, 1.3, 7),
    "instrumentation.catalogue": ("nx2", "nx2", "mpi"),
}
MOST_WRAPS = 3e4  # most timestamp wraps in half a second, each of which makes an empty frame


def program(r: random.Random) -> tuple[str, Settings]:
    """A scenario under the HYPERMON monitor, and settings of the nodes' events."""
    name, settings = r.choice(PROGRAMS)
    drawn = {path: r.choice(values) for path, values in BEFORE_THE_PORTS.items() if r.random() < 0.6}
    return name, {**ALWAYS, **settings, "monitor": "hypermon", **drawn}


def resolved(name: str, settings: Settings) -> Spec:
    return scenario.find_one(name).resolve(worker.schema(), settings)


def hardware(r: random.Random, base: Spec, applies_back_pressure: bool = False) -> Spec:
    """The program on other hardware."""
    while True:
        spec = random_hardware(r, base, applies_back_pressure)
        if _wraps(spec) <= MOST_WRAPS:
            return spec


def _wraps(spec: Spec) -> float:
    most = 0.0
    for board in {path.partition(".")[0] for path in spec.values if path.startswith("ecb")}:
        own = {name: spec.values.get(f"{board}.{name}", spec.values[f"ecb.{name}"])
               for name in ("wrap_frames", "window_ns", "timestamp_bits")}  # fmt: skip
        if own["wrap_frames"]:
            most = max(most, 0.5e9 / (float(own["window_ns"]) * 2.0 ** int(own["timestamp_bits"])))
    return most
