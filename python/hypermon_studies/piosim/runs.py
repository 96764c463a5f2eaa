# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study piosim`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon_studies.planned import Key, Plan

CLIENTS = (1, 2, 4, 8)
ORDERS = ("position", "fifo", "elevator", "deadline")
CACHES: Mapping[str, Mapping[str, Any]] = {
    "no cache": {"pfs_cache.model": "none"},
    "write-behind": {"pfs_cache.model": "write_behind"},
    "aggregation": {},
    "aggregation, reordered": {"pfs_cache.model": "aggregation_reorder"},
    **{f"write-behind, 8 at the disk, {order}": {
        "pfs_cache.model": "write_behind", "pfs_cache.concurrent": 8, "pfs_disk.order": order,
    } for order in ORDERS},
}  # fmt: skip
"""Ways to order a server's operations; `aggregation` is the paper's."""
ALGORITHMS = ("mpich", "scatter_ring", "binary_tree_simple", "binary_tree", "blockwise", "piped_blockwise")
AT_77 = "mpich, edges of 77 MiB/s"
SMALL_CACHE = {"pfs_cache.memory_mib": 16}
HINT = {"partdiff.hints": "romio_pvfs2_listio_write=enable"}
AT_ONCE = {
    **{"node.start_spread_us": 0, "node.clock_drift_ppm": 0, "pfs.servers": 1, "noncontig.access": "independent"},
    **{"noncontig.blocks": 1, "noncontig.block_bytes": 16 * 2**20},
}
"""Clients that write 16 MiB each, behind each other in one file, and begin at the same instant."""
TIED_CLIENTS = (2, 4, 8)
TIED: Mapping[str, Mapping[str, Any]] = {
    "no cache": {"pfs_cache.model": "none"},
    "aggregation": {"pfs_cache.memory_mib": 16},
    "aggregation, reordered": {"pfs_cache.model": "aggregation_reorder", "pfs_cache.memory_mib": 16},
}
TIES = ("first_asked", "last_asked")

PAPER, REAL, RECORDED, BROADCAST = "paper", "real", "recorded", "broadcast"
SCHEDULERS, SEVERAL, TIE = "schedulers", "clients", "ties"
WITH_HDTRACE: Key = (RECORDED, "the run")
AS_IT_IS, WITH_SMALL_CACHE = "12000 MiB", "16 MiB"
CHECKPOINT_ALONE, SLOW_DISK = "a checkpoint", "a disk of 60 MiB/s"
"""The latter is slower than the network (chosen): the machine's stalls now and then."""
OTHER_MACHINES: Mapping[str, Mapping[str, Any]] = {
    "edges of the published latency": {"packets.edge_latency_us": 287.5},
    "edges of 0.1 ms": {"packets.edge_latency_us": 100},
    "a buffer is free when accepted": {"pfs.flow_until": "accepted"},
}
"""Assumptions about the machine that the paper does not decide (docs/design/piosim.md). SLOW_DISK is none of them,
because it was chosen when the published stalls were known.
"""
_SERVER = "piosim.servers[0]"
_WRITE = "mpiio.functions.MPI_File_write_at"
METRICS: Mapping[str, str] = {
    "elapsed_s": "elapsed_s",
    "messages": "piosim.messages",
    "longest_s": f"{_WRITE}.longest_s",
    "shortest_s": f"{_WRITE}.shortest_s",
    "writing_s": f"{_WRITE}.seconds",
    "lists": "mpiio.requests.lists",
    "operations": f"{_SERVER}.disk_operations",
    "packets": f"{_SERVER}.data_packets",
    "joined": f"{_SERVER}.joined_jobs",
    "seeks": f"{_SERVER}.average_seeks",
    "busy_s": f"{_SERVER}.disk_busy_s",
    "pending": f"{_SERVER}.most_pending",
    "stalls": f"{_SERVER}.flow_stalls",
    "stopped_s": f"{_SERVER}.stopped_s",
}


def clients_of(clients: int) -> str:
    return f"{clients} client{'s' * (clients > 1)}"


def with_cache(clients: int, what: str) -> str:
    return f"{clients_of(clients)}, {what}"


def case_label(clients: int, cache: str, first: str) -> str:
    return f"{clients_of(clients)}, {cache}, {first}"


def plan(schema: Schema, parts: Sequence[str] = ()) -> Plan:
    """The runs of some of PARTS, of none named all."""
    for part in parts:
        if part not in PARTS:
            raise UserError(f"--part = {part}: must be one of {', '.join(PARTS)}")
    chosen = tuple(part for part in PARTS if not parts or part in parts)
    return Plan({key: spec for part in chosen for key, spec in PARTS[part](schema)}, chosen)


def _paper(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    partdiff = scenario.built_in("piosim/partdiff")
    for case in partdiff.cases:
        settings = {path: item.value for path, item in case.settings.items()}
        yield (PAPER, case.name), partdiff.resolve(schema, settings)


def _real(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    real = scenario.built_in("piosim/partdiff_real")
    for hinted, hint in (("lists", {}), ("hint", HINT)):
        yield (REAL, f"diagonals, {hinted}"), real.resolve(schema, hint)
        yield (REAL, f"run, {hinted}"), real.resolve(schema, {**hint, "partdiff.checkpoint_every": 5})
    once = {"partdiff.iterations": 1, "partdiff.checkpoint_every": 1, "partdiff.diagonal_every": 0}
    yield (REAL, CHECKPOINT_ALONE), real.resolve(schema, once)
    for assumption, settings in OTHER_MACHINES.items():
        for hinted, hint in (("lists", {}), ("hint", HINT)):
            diagonals = {**settings, **hint}
            yield (REAL, f"diagonals, {hinted}; {assumption}"), real.resolve(schema, diagonals)
            run = {**diagonals, "partdiff.checkpoint_every": 5}
            yield (REAL, f"run, {hinted}; {assumption}"), real.resolve(schema, run)
        yield (REAL, f"{CHECKPOINT_ALONE}; {assumption}"), real.resolve(schema, {**once, **settings})
    yield (REAL, SLOW_DISK), real.resolve(schema, {**once, "pfs_disk.mib_per_s": 60})


def _recorded(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    settings = {"monitor": "hdtrace", "node.clock_offset_us": 0, "node.start_spread_us": 0}
    yield WITH_HDTRACE, scenario.built_in("piosim/partdiff").resolve(schema, settings)


def _broadcast(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    broadcast = scenario.built_in("piosim/broadcast")
    for algorithm in ALGORITHMS:
        yield (BROADCAST, algorithm), broadcast.resolve(schema, {"collectives.bcast": algorithm})
    at_77 = {"collectives.bcast": ALGORITHMS[0], "packets.edge_mib_per_s": 77}
    yield (BROADCAST, AT_77), broadcast.resolve(schema, at_77)


def _schedulers(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    clients = scenario.built_in("piosim/clients")
    for number in (1, 4):
        for what, settings in CACHES.items():
            yield (SCHEDULERS, with_cache(number, what)), clients.resolve(schema, {"nodes": number, **settings})


def _clients(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    clients = scenario.built_in("piosim/clients")
    for number in CLIENTS:
        for memory, settings in ((AS_IT_IS, {}), (WITH_SMALL_CACHE, SMALL_CACHE)):
            yield (SEVERAL, with_cache(number, memory)), clients.resolve(schema, {"nodes": number, **settings})


def _ties(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    collective = scenario.built_in("piosim/collective")
    for what, cache in TIED.items():
        for number in TIED_CLIENTS:
            for first in TIES:
                settings = {**AT_ONCE, **cache, "nodes": number, "packets.ties": first}
                key = (TIE, case_label(number, what, first))
                yield key, collective.resolve(schema, settings, ["piosim/paper"])


PARTS: Mapping[str, Callable[[Schema], Iterator[tuple[Key, Spec]]]] = {
    PAPER: _paper,
    REAL: _real,
    RECORDED: _recorded,
    BROADCAST: _broadcast,
    SCHEDULERS: _schedulers,
    SEVERAL: _clients,
    TIE: _ties,
}
