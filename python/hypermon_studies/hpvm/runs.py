# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study hpvm`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from hypermon._inputs import scenario
from hypermon._inputs.expectations import Case
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec

NODES = tuple(range(1, 13))
INTERVALS = (0.1, 0.5, 1.0, 5.0)
SCENARIOS = ("hpvm/neighbour", "hpvm/competitor")
"""Scenarios whose expectations the study judges."""

_COLLECTIVES = ("Allgather", "Allreduce", "Alltoall", "Barrier", "Bcast", "Gather", "Reduce", "Scatter")
_OTHERS = ("Send", "Recv", "Isend", "Irecv", "Wait", "Waitall")


def _items(counters: tuple[str, ...], functions: tuple[str, ...]) -> str:
    return " ".join(f"{counter}:MPI_{function}" for counter in counters for function in functions)


COUNTERS = {  # counters that are read, by number of values of a node
    10: "cpu.user cpu.kernel mpi_collectives",
    50: "host mpi_collectives "
    + _items(("mpi.calls", "mpi.bytes_sent", "mpi.bytes_received"), _COLLECTIVES)
    + " "
    + _items(("mpi.time", "mpi.calls"), _OTHERS),
    200: "host mpi.sizes mpi.time",
}
_PLATFORMS_US = 1.5  # of a message on each side, without instrumentation
_OTHER_PROCESS: Mapping[str, object] = {
    **{"cpu.rank_processors": "0", "competitor[1].processors": "0", "competitor[1].threads": 1},
    **{"competitor[1].busy_ms": 2, "competitor[1].sleep_ms": 98},
}
OTHER_USERS: Mapping[str, Mapping[str, object]] = {
    "another process takes 2 % of one node": {**_OTHER_PROCESS, "competitor[1].nodes": "3"},
    "another process takes 2 % of each node": {**_OTHER_PROCESS, "competitor[1].nodes": "all"},
}
"""Assumptions about "nearly exclusive use of the CPU" (sec. 4), which is read as 98 to 100 %."""
MESSAGE_US = (0.1, 10.0)
"""Other costs of the instrumentation for a message on each side: a tenth of the chosen one and ten times as much."""
OVERHEAD, CLOCK, INSTRUMENTATION = "overhead", "clock", "instrumentation"
FIGURE_2 = "cholesky"
NEIGHBOUR, COMPETITOR = (name.rpartition("/")[2] for name in SCENARIOS)
ALONE = (COMPETITOR, "none")
"""Undisturbed and watched."""

Key = tuple[str, str]  # question, and case of the question
Runs = Mapping[Key, Result]


@dataclass(frozen=True)
class Plan:
    specs: Mapping[Key, Spec]
    cases: Mapping[Key, Case]  # cases that have expectations

    def __len__(self) -> int:
        return len(self.specs)


def nodes_of(nodes: int) -> str:
    return f"{nodes} node{'s' * (nodes > 1)}"


def instrumented(message_us: float = 1.0) -> dict[str, str]:
    """Settings for instrumentation that takes `message_us` for a message on each side."""
    cost = f"0:{_PLATFORMS_US + message_us:g}e-6:0"
    return {f"smpi.{side}_cost": cost for side in ("send", "isend", "receive")}


def other_users(nodes: int, assumption: str) -> Key:
    return FIGURE_2, f"{nodes_of(nodes)}; {assumption}"


EXCLUSIVE = "exclusive links"
BLOCKED: tuple[Key, ...] = ((NEIGHBOUR, "trunks_4to1_at_100"), (NEIGHBOUR, "trunks_4to1_at_100_56_hosts"))
"""Runs that are repeated with links that a message holds (machine.links), as Myrinet's worms do."""


def blocked(key: Key) -> Key:
    return EXCLUSIVE, key[1]


def polled(counters: int, interval_s: float, nodes: int = 8) -> Key:
    return OVERHEAD, f"{counters} counters every {interval_s:g} s, {nodes_of(nodes)}"


def plan(schema: Schema) -> Plan:
    cases = {
        (name.rpartition("/")[2], case.name): (case, scenario.built_in(name).resolve(schema, case=case))
        for name in SCENARIOS
        for case in scenario.built_in(name).cases
    }
    specs = dict(_undisturbed(schema)) | {key: spec for key, (_, spec) in cases.items()}
    specs |= {blocked(key): specs[key].changed({"machine.links": "exclusive"}) for key in BLOCKED}
    return Plan(specs, {key: case for key, (case, _) in cases.items()})


def _undisturbed(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    cholesky, clock = scenario.built_in("hpvm/cholesky"), scenario.built_in("hpvm/clock")
    for nodes in NODES:
        yield (FIGURE_2, nodes_of(nodes)), cholesky.resolve(schema, {"nodes": nodes})
    competitor = scenario.built_in("hpvm/competitor")
    for nodes, (assumption, settings) in product((8, 12), OTHER_USERS.items()):
        yield other_users(nodes, assumption), competitor.resolve(schema, {"nodes": nodes, **settings})
    ends = [(min(COUNTERS), max(INTERVALS), 1), (max(COUNTERS), min(INTERVALS), 1)]
    for counters, interval_s, nodes in [*((c, i, 8) for c in COUNTERS for i in INTERVALS), (50, 1.0, 1), *ends]:
        settings = {
            "nodes": nodes,
            "monitor": "hpvm",
            "hpvm.counters": COUNTERS[counters],
            "hpvm.interval_s": interval_s,
        }
        yield polled(counters, interval_s, nodes), cholesky.resolve(schema, settings)
    yield (INSTRUMENTATION, nodes_of(8)), cholesky.resolve(schema, instrumented())
    for cost in MESSAGE_US:
        yield (INSTRUMENTATION, f"{cost:g} us"), cholesky.resolve(schema, instrumented(cost))
    (both,) = (case for case in clock.cases if case.label == "both")
    yield (CLOCK, nodes_of(12)), clock.resolve(schema, case=both)
