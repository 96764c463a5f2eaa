# SPDX-License-Identifier: BSD-3-Clause
"""Random specifications from what the worker declares: little programs over any monitor and any hardware.

Every parameter of the nodes, of their processors and of the monitors takes any value that it may, its ends and its
default more often than others; sizes and times are bounded so that a run takes a part of a second. The same seed gives
the same specification.

    spec = random_spec(random.Random(7))     # a program, under any monitor
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from tests.python.drawing import draw, legal, some
from tests.registered import load

COMMON = ("node.", "bursts.")
"""Sections that any run may draw from."""
SHARED = ("cpu.", "competitor.")
"""Those by which others use its nodes' processors: of a part of the runs, which take other roads with them."""
PACKETS = ("packets.", "pfs.", "pfs_cache.", "pfs_disk.", "pio_cpu.")
DRAWN = load("monitors", "drawing")
"""Of each monitor what its `tests/monitors/<name>/drawing.py` has: how OFTEN it is drawn, and random settings of its own."""
PROGRAMS = load("workloads", "drawing")
"""Of workloads: random settings for about so many nodes."""


def random_spec(rng: random.Random, monitor: str | None = None) -> Spec:
    """Any program under any monitor (or that one), on any hardware."""
    return legal(_drawn(rng, monitor))


def _drawn(rng: random.Random, monitor: str | None) -> Iterator[dict[str, Value]]:
    changed = rng.choice((0.05, 0.2, 0.5))  # a share of the parameters: some runs are near the prototype, some far
    while True:
        program = rng.choice(list(PROGRAMS))
        settings: dict[str, Value] = {
            "seed": rng.randrange(1000),
            "monitor": monitor or rng.choice([name for name, one in DRAWN.items() for _ in range(one.OFTEN)]),
            "workload": program,
            "machine.messages": rng.choice(("nx2", "nx2", "nx2", "smpi")),
            **PROGRAMS[program].settings(rng, rng.choice((1, 2, 4, 8, 16))),
        }
        settings |= some(rng, (p for p in worker.schema().parameters.values() if p.path.startswith(COMMON)), changed)
        for one in DRAWN.values():  # those of other monitors too: they change nothing
            settings |= one.settings(rng, int(settings["nodes"]), changed)
        if int(settings["nodes"]) > 1 and rng.random() < 0.2:  # twice as many nodes are a hypercube too
            settings |= {"neighbour.count": 1, "neighbour.nodes": settings["nodes"], "neighbour.workload": "ring"}
            settings["neighbour.arguments"] = f"numbers=8 steps={rng.randrange(1, 20)}"
            settings["neighbour.placement"] = rng.choice(("among", "behind"))
            settings["neighbour.until"] = rng.choice(("own_end", "program_end"))
        if rng.random() < 0.25:
            settings |= shared(rng)
        if int(settings["seed"]) % 10 == 0:  # changes nothing of the other runs
            settings |= packets(random.Random(int(settings["seed"])))
        yield settings


def packets(rng: random.Random) -> dict[str, Value]:
    """A network of packets with servers on it, which a program without MPI-IO does not notice."""
    parameters = worker.schema().parameters.values()
    settings = {p.path: draw(rng, p) for p in parameters if p.path.startswith(PACKETS) and rng.random() < 0.5}
    return settings | {"packets.network": rng.choice(("packets", "ideal")), "pfs.distribution": "simple_stripe"}


def shared(rng: random.Random) -> dict[str, Value]:
    """Processors that ranks share with others, and memory."""
    parameters = worker.schema().parameters.values()
    settings = {p.path: draw(rng, p) for p in parameters if p.path.startswith(SHARED) and rng.random() < 0.6}
    settings["cpu.policy"] = rng.choice(("time_slices", "fair_shares"))
    settings["competitor.nodes"] = rng.choice(("all", "0"))
    if rng.random() < 0.5:
        settings |= {"memory.node_mb": rng.choice((0.01, 1, 50)), "memory.read_ms": rng.choice((0, 0.1, 5))}
    return settings
