"""Random specifications from what the schema offers, so that a new parameter joins by itself: small programs, and any
hardware behind their nodes' ports. A seed gives the same ones everywhere."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Mapping
from typing import Any

from hypermon import scenario, worker
from hypermon.errors import UserError
from hypermon.scenario import Spec
from hypermon.schema import Parameter, Schema

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
"""Each takes some ten milliseconds of simulated time, and as many of the host's."""

BEFORE_THE_PORTS: dict[str, tuple[Any, ...]] = {
    "seed": (1, 2, 3),
    "port.width_bits": (4, 4, 8, 16, 32),
    "port.delay": (0, 0, 20, 200),
    "node.tick_ms": (50, 1.3, 7),
    "instrumentation.catalogue": ("nx2", "nx2", "mpi"),
}
LONGEST: Mapping[str, float] = {"ns": 2e8, "us": 2e5, "ms": 200, "s": 0.2}
"""Times are up to here: beyond the programs' end."""
MOST = 3000  # of anything else
MOST_WRAPS = 3e4  # of timestamps, each an empty frame


def from_environment(name: str, otherwise: int) -> int:
    return int(os.environ.get(name, otherwise))


def program(r: random.Random) -> tuple[str, Settings]:
    """A scenario, and what is set of what its nodes write."""
    name, settings = r.choice(PROGRAMS)
    drawn = {path: r.choice(values) for path, values in BEFORE_THE_PORTS.items() if r.random() < 0.6}
    return name, settings | {"monitor": "hypermon"} | drawn


def hardware(r: random.Random, base: Spec) -> Spec:
    """The program's specification with other hardware behind its ports."""
    schema = worker.schema()
    while True:
        settings = _hardware(r, schema, int(base.values["nodes"]))
        try:
            spec = scenario.override(base, schema, settings, (), "random_designs")
        except UserError:  # values that do not go together
            continue
        if _wraps(spec) <= MOST_WRAPS:
            return spec


def _hardware(r: random.Random, schema: Schema, nodes: int) -> Settings:
    behind = [p for p in schema.parameters.values() if p.behind_ports]
    sections = {p.path.split(".")[0] for p in behind}
    chosen = {section for section in sorted(sections) if r.random() < (0.35 if section == "faults" else 0.7)}
    drawn = [p for p in behind if p.path.split(".")[0] in chosen and r.random() < 0.35]
    if r.random() < 0.3:
        drawn += [p.on_board(str(r.randrange(2))) for p in drawn if p.per_board and r.random() < 0.5]
    return {p.path: value(r, p, nodes) for p in drawn}


def value(r: random.Random, p: Parameter, nodes: int) -> Any:
    """One that the parameter may have: often its least, else of any order of magnitude that matters to small runs."""
    if p.type == "bool":
        return r.random() < 0.5
    if p.type == "string":
        return r.choice(p.choices)
    low = p.min if p.min is not None else 0.0
    high = min(p.max if p.max is not None else math.inf, max(LONGEST.get(p.unit, MOST), 8 * low))
    if p.path.endswith(("_first_node", "_nodes")):
        high = nodes
    if r.random() < 0.25:
        drawn = low
    else:
        least = max(low, high * 1e-6 if p.type == "float" else 1.0)
        drawn = math.exp(r.uniform(math.log(least), math.log(max(least, high))))
    if p.type == "float":
        return round(drawn, 6)
    if p.power_of_two:
        return 1 << round(math.log2(max(drawn, 1)))
    step = p.multiple_of
    return min(max(round(drawn / step) * step, math.ceil(low / step) * step), int(high) // step * step)


def _wraps(spec: Spec) -> float:
    boards = {path.partition(".")[0] for path in spec.values if path.startswith("ecb")}
    most = 0.0
    for board in boards:
        own = {name: spec.values.get(f"{board}.{name}", spec.values[f"ecb.{name}"])
               for name in ("wrap_frames", "window_ns", "timestamp_bits")}  # fmt: skip
        if own["wrap_frames"]:
            most = max(most, 0.5e9 / (float(own["window_ns"]) * 2.0 ** int(own["timestamp_bits"])))
    return most
