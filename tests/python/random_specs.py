# SPDX-License-Identifier: BSD-3-Clause
"""Random specifications from the worker's declarations: small programs under any monitor, on any hardware.

Every parameter of the nodes, their processors and the monitors takes any allowed value, most often the ends of its
range and its default. Sizes and times are bounded so that a run takes less than a second. The same seed gives the same
specification.

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
"""Sections with which other processes use the nodes' processors. Only some runs draw from them, because they use other
code.
"""
PACKETS = ("packets.", "pfs.", "pfs_cache.", "pfs_disk.", "pio_cpu.")
DRAWN = load("monitors", "drawing")
"""`tests/monitors/<name>/drawing.py` by monitor: OFTEN says how often it is drawn; the other functions draw its
settings.
"""
PROGRAMS = load("workloads", "drawing")
"""By workload, its `drawing.py`: random settings for about a given number of nodes."""


def random_spec(rng: random.Random, monitor: str | None = None) -> Spec:
    """Draws a program under a monitor, or under the given one, on random hardware."""
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
        for one in DRAWN.values():  # also the settings of other monitors, which have no effect
            settings |= one.settings(rng, int(settings["nodes"]), changed)
        if int(settings["nodes"]) > 1 and rng.random() < 0.2:  # twice as many nodes also fit into a hypercube
            settings |= {"neighbour.count": 1, "neighbour.nodes": settings["nodes"], "neighbour.workload": "ring"}
            settings["neighbour.arguments"] = f"numbers=8 steps={rng.randrange(1, 20)}"
            settings["neighbour.placement"] = rng.choice(("among", "behind"))
            settings["neighbour.until"] = rng.choice(("own_end", "program_end"))
        if rng.random() < 0.25:
            settings |= shared(rng)
        if int(settings["seed"]) % 10 == 0:  # does not change the random choices of the other runs
            settings |= packets(random.Random(int(settings["seed"])))
        yield settings


def packets(rng: random.Random) -> dict[str, Value]:
    """Draws a network of packets with servers, which has no effect on a program without MPI-IO."""
    parameters = worker.schema().parameters.values()
    settings = {p.path: draw(rng, p) for p in parameters if p.path.startswith(PACKETS) and rng.random() < 0.5}
    return settings | {"packets.network": rng.choice(("packets", "ideal")), "pfs.distribution": "simple_stripe"}


def shared(rng: random.Random) -> dict[str, Value]:
    """Draws processors that ranks share with other processes, and memory."""
    parameters = worker.schema().parameters.values()
    settings = {p.path: draw(rng, p) for p in parameters if p.path.startswith(SHARED) and rng.random() < 0.6}
    settings["cpu.policy"] = rng.choice(("time_slices", "fair_shares"))
    settings["competitor.nodes"] = rng.choice(("all", "0"))
    if rng.random() < 0.5:
        settings |= {"memory.node_mb": rng.choice((0.01, 1, 50)), "memory.read_ms": rng.choice((0, 0.1, 5))}
    return settings
