# SPDX-License-Identifier: BSD-3-Clause
"""The programs on which monitors are compared, each in a size for the study: some seconds on eight nodes.

An operation takes the same time on every machine: on a faster one it represents more operations of a larger problem,
whose messages are no larger. Programs therefore last about as long everywhere and are sampled equally often, and only
the times of the machine's messages and of its monitor differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon._files import places
from hypermon._inputs.scenario import Scenario
from hypermon._model.schema import Schema, Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError

NODES = 8
MACHINES = ("ipsc2", "hpvm_nt", "beowulf", "atlas", "modern")
ON_EVERY_MACHINE: Mapping[str, Value] = {
    "nodes": NODES,
    "cpu.ranks_per_node": 1,
    "mpiio.file_system": "ideal",
    "mpiio.contents": "sizes",
}
"""Eight ranks, and files that take no time, so that the program is the same on every machine."""


@dataclass(frozen=True)
class Program:
    """A program and its size."""

    about: str
    workload: str
    size: Mapping[str, Value]

    @property
    def settings(self) -> dict[str, Value]:
        """Settings of the program, equal on all platforms."""
        return {**ON_EVERY_MACHINE, "workload": self.workload, **self.size}


def _of(workload: str, about: str, **size: Value) -> Program:
    return Program(about, workload, {f"{workload}.{name}": value for name, value in size.items()})


PROGRAMS: Mapping[str, Program] = {
    # the four of HYPERMON's paper, shorter
    "simplex": _of("simplex", "linear programs, dealt out by a master that is request for work", problems=2),
    "life": _of("life", "cells on strips, whose load moves with them", generations=200),
    "matmul": _of("matmul", "a matrix product that communicates only at its end", size=144),
    "place": _of(
        "place",
        "simulated annealing that tells all of every accepted move",
        attempts=10000,
        accepted=2500,
        temperatures=20,
    ),
    # HPVM's, TAU's, HDTrace's
    "cholesky": _of("cholesky", "a factorization that broadcasts panels", size=1200, multiply_add_ns=200),
    "lu": _of("lu", "NPB's pipeline, its routines bracketed", points=33, iterations=6, flop_ns=150, byte_ns=50),
    "partdiff": _of(
        "partdiff",
        "Jacobi's method with checkpoints and diagonals in files",
        interlines=60,
        iterations=100,
        point_ns=2000,
        residuum_every=1,
    ),
    "phases": _of("phases", "material points in eleven tasks, a checkpoint among them", represents=200),
    # the collection
    "pingpong": _of("pingpong", "one pair talks, in growing messages", repeats=150),
    "ring": _of("ring", "all hand on long messages at once", steps=1000, number_ns=73000),
    "alltoall": _of("alltoall", "messages between changing pairs", repeats=250, number_ns=73000),
    "halo": _of("halo", "an exchange with four neighbours, then a short sweep", iterations=200),
    "workers": _of("workers", "tasks of random length, dealt out one by one"),
    "wavefront": _of("wavefront", "a pipeline that fills and drains in each sweep", iterations=15),
    "cg": _of("cg", "conjugate gradients: two sums of all in each iteration", iterations=200, tolerance=0),
    "fft": _of("fft", "transforms of rows, and transpositions in bursts", repeats=16),
}


def scenario(program: str, platform: str) -> Scenario:
    """Returns the scenario of one of PROGRAMS on a machine; `Program.settings` has its settings."""
    return Scenario(program, places.scenarios(), PROGRAMS[program].about, (), ()).on(platform)


def spec(
    schema: Schema,
    program: str,
    platform: str,
    settings: Mapping[str, Any] | None = None,
    presets: tuple[str, ...] = (),
) -> Spec:
    """Resolves and checks a run of one of PROGRAMS on a machine, with further settings (the monitor).

    Raises UserError: the program or machine does not exist, or the settings contradict each other.
    """
    if program not in PROGRAMS:
        raise UserError(f"{program}: must be one of {', '.join(PROGRAMS)}")
    chosen = PROGRAMS[program]
    return scenario(program, platform).resolve(schema, {**chosen.settings, **(settings or {})}, presets)
