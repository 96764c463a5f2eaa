# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study tau`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon_studies.planned import Key, Numbers, Plan

NONE, PM, NFS, TOS = "none", "post mortem", "NFS", "Supermon"
MONITORS: Mapping[str, str] = {NONE: "none", PM: "tau", NFS: "tau_nfs", TOS: "tau_supermon"}
RANKS_A_NODE = 8
RANKS = (128, 256, 512)
CALIBRATED_AT = 128
WHOLE = 250
"""Iterations of a run of the paper's."""
BEGIN = 2
"""Iterations of the run whose time is subtracted from a longer one's: the pipeline fills, norms are computed."""
CLOCKS: Mapping[str, str] = {
    "the cycle counter": "tau/rdtsc",
    "the cycle counter, low": "tau/rdtsc_low",
    "the cycle counter, high": "tau/rdtsc_high",
}
"""Presets by the cost of gettimeofday, which determines the cost of the bookkeeping. They span the unknown range."""
ACCESSES: Mapping[str, str] = {"0.47 us": "tau/shared_clock"}
"""Presets, with their calibrated constants, by the time for which a read of the clock keeps it busy."""
LENGTHS = (5, 10, 20, 40, 80)
SMALL: Mapping[str, Any] = {"nodes": 2, "lu.problem": "A"}
"""A run of 16 ranks, which has as many timers in an iteration for each plane."""
THROTTLED: Mapping[str, Any] = {"tau.throttle": True, "tau.throttle_calls": 2000}
"""TAU's 100000 calls, which LU's receives reach in 156 iterations, scaled to the few iterations of these runs."""
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "REPLACE-READ": {"monhole.policy": "replace_read"},
    "FILL-DRAIN": {"monhole.policy": "fill_drain"},
    "REPLACE-DRAIN": {"monhole.policy": "replace_drain"},
    "FILL(4)-READ": {"monhole.policy": "fill_k_read", "monhole.entries": 4},
}
AT_1_HZ: Mapping[str, Any] = {"tau.dump": "period", "tau.period_ms": 1000}
PER_ITERATION, EACH_SECOND = "in each iteration", "once a second"
OTHER_SERVERS: Mapping[str, Mapping[str, Any]] = {
    "4 threads of the server": {"nfs.threads": 4},
    "16 threads of the server": {"nfs.threads": 16},
    "a server that waiting calls slow down": {"nfs.waiting_share": 0.01},
    "a server twice as fast": {"nfs.scale": 15},
    "a server half as fast": {"nfs.scale": 60},
}
"""Assumptions about the file server of KTAU's cluster that the paper does not decide (docs/design/nfs.md)."""
SMALL_CLUSTER, MCR_PRESETS = ("tau/ktau", "nfs/disk"), ("tau/mcr",)
TABLE_1, FIGURE_2, MCR, LENGTH = "calls", "figure2", "mcr", "iterations"
POLICY, RATE, SPREAD, SHARED = "policies", "rates", "spread", "shared clock"
WHOLE_RUNS = (FIGURE_2, MCR, SPREAD, SHARED)
"""Parts whose times are those of WHOLE iterations."""
BEGUN = ", its begin"
ALIKE = "NFS, all dumps alike"
SECONDS = 100
"""Iterations of the small runs that last some seconds."""
METRICS: Mapping[str, str] = {
    "elapsed_s": "elapsed_s",
    "timers": "monitor.timers",
    "dumps": "monitor.dumps",
    "throttled": "monitor.throttled",
    "open_loop": "monitor.open_loop_dilation",
    "dump_ms": "monitor.dump_times.mean_ms",
    "spread_ms": "monitor.dump_times.spread_ms",
    "all_ms": "monitor.dump_times.all_ms",
    "of_a_process_s": "monitor.dump_times.of_a_process_s",
    "generated": "ledger.generated.events",
    "delivered": "ledger.delivered.events",
    "read_again": "monitor.monhole.read_again.entries",
    "overwritten": "monitor.monhole.overwritten.entries",
    "left_behind": "monitor.monhole.left_behind.entries",
    "peak_bytes": "monitor.monhole.peak.bytes",
}


def of_ranks(ranks: int) -> str:
    return f"{ranks} ranks"


def case(ranks: int, way: str) -> str:
    return f"{of_ranks(ranks)}, {way}"


def plan(schema: Schema, parts: Sequence[str] = (), iterations: int = 6, ranks: Sequence[int] = RANKS) -> Plan:
    """Returns the runs of some of PARTS, or of all if none is named; Figure 2 only for `ranks`.

    Args:
        iterations: Number of LU's iterations, instead of 250: dilation does not depend on it.
    """
    for part in parts:
        if part not in PARTS:
            raise UserError(f"--part = {part}: must be one of {', '.join(PARTS)}")
    for number in ranks:
        if number not in RANKS:
            raise UserError(f"--ranks = {number}: must be one of {', '.join(map(str, RANKS))}")
    if iterations <= BEGIN:
        raise UserError(f"--iterations = {iterations}: must be more than {BEGIN}, whose time is taken away")
    chosen = tuple(part for part in PARTS if not parts or part in parts)
    specs: dict[Key, Spec] = {}
    for part in chosen:
        for (name, of), spec in PARTS[part](schema, iterations, ranks):
            specs[name, of] = spec
            if part in WHOLE_RUNS:
                specs[name, of + BEGUN] = _with(spec, "lu.iterations", BEGIN)
    return Plan(specs, chosen)


def whole_runs(runs: Plan, found: Numbers) -> dict[Key, dict[str, float]]:
    """Extrapolates `elapsed_s` to WHOLE iterations: the time of the first BEGIN, and the longer run's mean beyond."""
    whole = {key: dict(row) for key, row in found.items() if not key[1].endswith(BEGUN)}
    for (part, name), row in whole.items():
        if part not in WHOLE_RUNS:
            continue
        begun = found[part, name + BEGUN]["elapsed_s"]
        iterations = int(str(runs.specs[part, name].values["lu.iterations"]))
        row["elapsed_s"] = begun + (WHOLE - BEGIN) * (row["elapsed_s"] - begun) / (iterations - BEGIN)
    return whole


def _with(spec: Spec, path: str, value: float) -> Spec:
    return replace(spec, values={**spec.values, path: value})


def counterfactual(runs: Plan, found: Numbers) -> Plan:
    """Returns the runs of SPREAD again, in which every dump of every process takes the mean time."""
    fixed = round(found[SPREAD, NFS]["dump_ms"], 6)
    specs = {
        (SPREAD, ALIKE + begun): _with(runs.specs[SPREAD, NFS + begun], "tau_files.fixed_dump_ms", fixed)
        for begun in ("", BEGUN)
    }
    return Plan(specs, runs.parts)


def _lu(
    schema: Schema, iterations: int, way: str, more: Mapping[str, Any] | None = None, presets: Sequence[str] = ()
) -> Spec:
    settings = {"lu.iterations": iterations, "monitor": MONITORS[way], **(more or {})}
    return scenario.built_in("tau/lu").resolve(schema, settings, list(presets))


def _figure_2(schema: Schema, iterations: int, ranks: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for number in ranks:
        nodes = {"nodes": number // RANKS_A_NODE}
        for way in MONITORS:
            yield (FIGURE_2, case(number, way)), _lu(schema, iterations, way, nodes)
    for clock, preset in CLOCKS.items():
        number = max(ranks)
        nodes = {"nodes": number // RANKS_A_NODE}
        yield (FIGURE_2, case(number, clock)), _lu(schema, iterations, PM, nodes, [preset])


_SOCKETS: Mapping[str, Any] = {"ktau.messages": "sockets"}


def _calls(schema: Schema, _: int, __: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in (PM, NFS):
        yield (TABLE_1, way), _lu(schema, SECONDS, way, _SOCKETS, SMALL_CLUSTER)
    for assumption, settings in OTHER_SERVERS.items():
        yield (TABLE_1, assumption), _lu(schema, SECONDS, NFS, {**_SOCKETS, **settings}, SMALL_CLUSTER)


def _mcr(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in MONITORS:
        yield (MCR, way), _lu(schema, iterations, way, {}, MCR_PRESETS)


def _lengths(schema: Schema, _: int, __: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for length in LENGTHS:
        for way in (NONE, PM, TOS):
            yield (LENGTH, f"{length} iterations, {way}"), _lu(schema, length, way, SMALL)
        yield (LENGTH, f"{length} iterations, throttled"), _lu(schema, length, PM, {**SMALL, **THROTTLED})


def _policies(schema: Schema, _: int, __: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for name, settings in POLICIES.items():
        yield (POLICY, name), _lu(schema, SECONDS, TOS, {**SMALL, **settings})


def _rates(schema: Schema, _: int, __: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    yield (RATE, NONE), _lu(schema, SECONDS, NONE, SMALL)
    for way in (PM, NFS, TOS):
        yield (RATE, f"{way}, {PER_ITERATION}"), _lu(schema, SECONDS, way, SMALL)
        if way != PM:
            yield (RATE, f"{way}, {EACH_SECOND}"), _lu(schema, SECONDS, way, {**SMALL, **AT_1_HZ})


def _spread(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in (NONE, PM, NFS):
        yield (SPREAD, way), _lu(schema, iterations, way)


def _shared(schema: Schema, iterations: int, ranks: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    """The published numbers of Figure 2: all for the smallest number of ranks, and post mortem for the largest."""
    for access, preset in ACCESSES.items():
        for number, ways in ((min(ranks), tuple(MONITORS)), (max(ranks), (NONE, PM))):
            for way in ways:
                nodes = {"nodes": number // RANKS_A_NODE}
                yield (SHARED, shared(number, way, access)), _lu(schema, iterations, way, nodes, [preset])


def shared(ranks: int, way: str, access: str) -> str:
    return f"{case(ranks, way)}, {access}"


Part = Callable[[Schema, int, Sequence[int]], Iterator[tuple[Key, Spec]]]
PARTS: Mapping[str, Part] = {
    FIGURE_2: _figure_2,
    TABLE_1: _calls,
    MCR: _mcr,
    LENGTH: _lengths,
    POLICY: _policies,
    RATE: _rates,
    SPREAD: _spread,
    SHARED: _shared,
}
