# SPDX-License-Identifier: BSD-3-Clause
"""Random hardware of the trace funnel: sources, links, funnels, formatters, sinks with blackouts.

other = random_hardware(rng, spec)       # the same before the sources: a replay of one is the other's run
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from hypermon._model import worker
from hypermon._model.schema import Parameter, Value
from hypermon._model.spec import Spec
from tests.python.drawing import BOUNDS, draw, legal, some

OFTEN = 3
BEFORE = "stimulus."
BEHIND = ("funnel.", "funnel_source.", "funnel_protocol.", "funnel_link.", "funnel_formatter.", "funnel_sink.")
BOUNDS |= {
    "stimulus.store_ns": (1, 2e4),
    "funnel.sources": (1, 16),
    "funnel_source.fifo_bytes": (44, 2000),
    "funnel_source.resume_bytes": (0, 40),
    "funnel_source.link_words": (2, 64),
    "funnel_protocol.timestamp_ns": (0.1, 1e4),
    "funnel_protocol.sync_every": (0, 4096),
    "funnel_link.clock_ns": (0.1, 1000),
    "funnel_link.fifo_words": (2, 64),
    "funnel_link.flush_us": (0, 1e5),
    "funnel_formatter.repeat_id_frames": (1, 64),
    "funnel_formatter.sync_frames": (0, 64),
    "funnel_sink.buffer_bytes": (128, 20_000),
    "funnel_sink.burst_bytes": (1, 128),
    "funnel_sink.burst_ns": (0.1, 1e6),
    "funnel_sink.latency_ns": (0, 1e6),
    "funnel_sink.bursts_in_flight": (1, 32),
    "funnel_sink.blackout_at_ms": (0, 30),
    "funnel_sink.blackout_for_ms": (0, 20),
    "funnel_sink.blackout_every_ms": (0, 60),
}
_BUSY = {"monitor": "funnel", "workload": "generator", "generator.active": 2, "generator.events": 2000}
CHOICES = {
    "funnel_source": {**_BUSY, "funnel_sink.burst_ns": 6400},
    "funnel_protocol": _BUSY,
    "funnel_link": _BUSY,
    "funnel_link.hold_counts": {
        "funnel_source.fifo_bytes": 500,
        "funnel_sink.burst_ns": 6400,
        "funnel_sink.burst_bytes": 16,
        "funnel_sink.buffer_bytes": 128,
    },
    "funnel_formatter": {
        **_BUSY,
        "funnel_protocol.encoding": "nexus",
        "funnel_link.grant": "message",
        "funnel_source.fifo_bytes": 100,
    },
    "funnel_sink": {**_BUSY, "funnel_sink.burst_ns": 64000},
}
"""Settings under which the choices of its parameters differ (tests/python/test_choices.py)."""


def settings(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    before = some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith(BEFORE)), share)
    return before | hardware(rng, nodes, share)


def hardware(rng: random.Random, nodes: int, share: float) -> dict[str, Value]:
    """Random settings of the hardware behind the nodes' stores."""
    chosen = some(rng, _behind(), share)
    if rng.random() < 0.3:  # an N-Trace-like system: without frames, whole messages
        chosen |= {"funnel_protocol.encoding": "nexus", "funnel_link.grant": "message"}
        chosen["funnel_formatter.format"] = rng.choice(("none", "none", "frames"))
        chosen["funnel_source.fifo_bytes"] = rng.randint(76, 400)
    else:
        chosen["funnel_formatter.format"] = "frames"
    if rng.random() < 0.2:
        begins = sorted(rng.uniform(0, 40) for _ in range(3))
        chosen["funnel_sink.blackouts_ms"] = " ".join(f"{40 * i + begin:.3f}+5" for i, begin in enumerate(begins))
    if nodes > 1 and rng.random() < 0.3:
        own = [p for p in _behind() if p.several]
        for parameter in rng.sample(own, 2):
            chosen[parameter.path.replace(".", f"[{rng.randrange(nodes)}].")] = draw(rng, parameter)
    return chosen


def _behind() -> list[Parameter]:
    return [p for p in worker.schema().parameters.values() if p.path.startswith(BEHIND)]


def random_hardware(rng: random.Random, spec: Spec) -> Spec:
    """The same program on other hardware that never stalls a node."""
    behind = {p.path for p in worker.schema().parameters.values() if p.behind_ports}
    kept = {path: v for path, v in spec.values.items() if path not in behind and "[" not in path}
    return legal(_drawn(rng, kept))


def _drawn(rng: random.Random, kept: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
    while True:
        drawn = hardware(rng, int(kept["nodes"]), rng.choice((0.05, 0.2, 0.5)))
        drawn["funnel_source.full"] = "drop"
        yield {**kept, **{path: "drop" if path.endswith("].full") else value for path, value in drawn.items()}}
