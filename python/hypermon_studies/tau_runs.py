"""What `hypermon study tau` runs."""

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
CLOCKS: Mapping[str, Mapping[str, Any]] = {
    "the cycle counter": {"tau.clock": "rdtsc"},
    "the cycle counter, gettimeofday of 0.25 us": {"tau.clock": "rdtsc", "tau.gettimeofday_us": 0.25},
    "the cycle counter, gettimeofday of 0.95 us": {"tau.clock": "rdtsc", "tau.gettimeofday_us": 0.95},
}
"""What a reading of gettimeofday takes says what the bookkeeping does: the range of what is not known."""
LENGTHS = (5, 10, 20, 40)
SMALL: Mapping[str, Any] = {"nodes": 2, "lu.problem": "A"}
"""16 ranks: as many timers an iteration for each plane."""
THROTTLED: Mapping[str, Any] = {"tau.throttle": True, "tau.throttle_calls": 2000}
"""Scaled to so few iterations: 100000 calls of TAU's are those of 156 iterations of LU's receives."""
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "REPLACE-READ": {"monhole.policy": "replace_read"},
    "FILL-DRAIN": {"monhole.policy": "fill_drain"},
    "REPLACE-DRAIN": {"monhole.policy": "replace_drain"},
    "FILL(4)-READ": {"monhole.policy": "fill_k_read", "monhole.entries": 4},
}
AT_1_HZ: Mapping[str, Any] = {"tau.dump": "period", "tau.period_ms": 1000}
PER_ITERATION, EACH_SECOND = "in each iteration", "once a second"
SMALL_CLUSTER, MCR_PRESETS = ("tau/ktau", "nfs/disk"), ("tau/mcr",)
TABLE_1, FIGURE_2, MCR, LENGTH = "calls", "figure2", "mcr", "iterations"
POLICY, RATE, SPREAD = "policies", "rates", "spread"
FEWER: Mapping[str, int] = {LENGTH: 1, TABLE_1: 5, POLICY: 10, RATE: 10}
"""Iterations at least, where few would say nothing."""
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


def plan(schema: Schema, parts: Sequence[str] = (), iterations: int = 5, ranks: Sequence[int] = RANKS) -> Plan:
    """The runs of some of PARTS, of none named all; Figure 2 with those of RANKS alone.

    Args:
        iterations: Of LU, instead of 250: dilation does not depend on them.
    """
    for part in parts:
        if part not in PARTS:
            raise UserError(f"--part = {part}: must be one of {', '.join(PARTS)}")
    for number in ranks:
        if number not in RANKS:
            raise UserError(f"--ranks = {number}: must be one of {', '.join(map(str, RANKS))}")
    chosen = tuple(part for part in PARTS if not parts or part in parts)
    specs = {key: spec for part in chosen for key, spec in PARTS[part](schema, iterations, ranks)}
    return Plan(specs, chosen)


def counterfactual(runs: Plan, found: Numbers) -> Plan:
    """Those of SPREAD once more, each dump of each process as long as they were on the average."""
    specs = {}
    for (part, name), spec in runs.specs.items():
        if part == SPREAD and name == NFS:
            fixed = found[part, name]["dump_ms"]
            specs[SPREAD, "NFS, all dumps alike"] = replace(
                spec, values={**spec.values, "tau_files.fixed_dump_ms": round(fixed, 6)}
            )
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
    for clock, settings in CLOCKS.items():
        number = max(ranks)
        nodes = {"nodes": number // RANKS_A_NODE}
        yield (FIGURE_2, case(number, clock)), _lu(schema, iterations, PM, {**nodes, **settings})


def _calls(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in (PM, NFS):
        settings = {"nfs.network": "program", "ktau.messages": "sockets"}
        yield (TABLE_1, way), _lu(schema, max(iterations, FEWER[TABLE_1]), way, settings, SMALL_CLUSTER)


def _mcr(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in MONITORS:
        yield (MCR, way), _lu(schema, iterations, way, {}, MCR_PRESETS)


def _lengths(schema: Schema, _: int, __: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for length in LENGTHS:
        for way in (NONE, PM, TOS):
            yield (LENGTH, f"{length} iterations, {way}"), _lu(schema, length, way, SMALL)
        yield (LENGTH, f"{length} iterations, throttled"), _lu(schema, length, PM, {**SMALL, **THROTTLED})


def _policies(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for name, settings in POLICIES.items():
        yield (POLICY, name), _lu(schema, max(iterations, FEWER[POLICY]), TOS, {**SMALL, **settings})


def _rates(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    length = max(iterations, FEWER[RATE])
    yield (RATE, NONE), _lu(schema, length, NONE)
    for way in (PM, NFS, TOS):
        yield (RATE, f"{way}, {PER_ITERATION}"), _lu(schema, length, way)
        if way != PM:
            yield (RATE, f"{way}, {EACH_SECOND}"), _lu(schema, length, way, AT_1_HZ)


def _spread(schema: Schema, iterations: int, _: Sequence[int]) -> Iterator[tuple[Key, Spec]]:
    for way in (NONE, PM, NFS):
        yield (SPREAD, way), _lu(schema, iterations, way)


Part = Callable[[Schema, int, Sequence[int]], Iterator[tuple[Key, Spec]]]
PARTS: Mapping[str, Part] = {
    FIGURE_2: _figure_2,
    TABLE_1: _calls,
    MCR: _mcr,
    LENGTH: _lengths,
    POLICY: _policies,
    RATE: _rates,
    SPREAD: _spread,
}
