# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of HDTrace."""

from __future__ import annotations

import math

from tests.python.result_invariants import Case, invariant

CLOSE = 1e-9


def is_ours(case: Case) -> bool:
    return bool(case.monitor == "hdtrace")


@invariant(
    "monitor.project",
    "monitor.states",
    "monitor.processes[].states",
    "monitor.processes[].rank",
    "monitor.processes[].node",
)
def states_are_the_processes(case: Case) -> None:
    if is_ours(case):
        processes = case["monitor.processes"]
        assert case["monitor.states"] == sum(one["states"] for one in processes)
        assert [one["rank"] for one in processes] == sorted(one["rank"] for one in processes)
        assert all(0 <= one["node"] < case.parameter("nodes") for one in processes)


@invariant(
    "monitor.processes[].relations",
    "monitor.processes[].trace_bytes",
    "monitor.processes[].relation_bytes",
    "monitor.processes[].info_bytes",
)
def what_processes_have_written_was_delivered(case: Case) -> None:
    if is_ours(case):
        written = sum(
            one["trace_bytes"] + one["relation_bytes"] + one["info_bytes"] for one in case["monitor.processes"]
        )
        for one in case["monitor.processes"]:  # an operation has its own time line
            assert 0 <= one["relations"] <= one["states"]
        assert written <= case["logged_bytes"] == case["ledger.delivered.bytes"]


@invariant("monitor.cpu_s", "monitor.flushing_s", "monitor.flushes")
def writing_takes_time_if_there_is_something_to_write(case: Case) -> None:
    if is_ours(case):
        assert min(case["monitor.cpu_s"], case["monitor.flushing_s"], case["monitor.flushes"]) >= 0


@invariant(
    "monitor.power.joules",
    "monitor.power.server_joules",
    "monitor.power.by_part.base",
    "monitor.power.by_part.idle",
    "monitor.power.by_part.computing",
    "monitor.power.by_part.waiting",
    "monitor.power.by_part.nic",
    "monitor.power.by_part.disk",
    "monitor.power.by_part.supply",
    "monitor.power.computers[].computer",
    "monitor.power.computers[].joules",
    "monitor.power.computers[].mean_w",
)
def energy_is_the_sum_of_its_parts_and_of_its_computers(case: Case) -> None:
    if is_ours(case):
        power = case["monitor.power"]
        assert math.isclose(sum(power["by_part"].values()), power["joules"], rel_tol=CLOSE, abs_tol=CLOSE)
        assert math.isclose(
            sum(one["joules"] for one in power["computers"]), power["joules"], rel_tol=CLOSE, abs_tol=CLOSE
        )
        assert len(power["computers"]) == case.parameter("nodes")
        lost = power["by_part"]["supply"]
        rest = sum(power["by_part"].values()) - lost
        assert math.isclose(lost, rest * case.parameter("power.supply"), rel_tol=CLOSE, abs_tol=CLOSE)


@invariant(
    "monitor.power.phases[].phase",
    "monitor.power.phases[].time_s",
    "monitor.power.phases[].joules",
    "monitor.power.phases[].mean_w",
    "monitor.power.computing_w",
    "monitor.power.longest_call",
    "monitor.power.longest_call_w",
)
def phases_take_between_the_least_and_the_most_that_a_node_can(case: Case) -> None:
    if is_ours(case):
        power = case["monitor.power"]
        base = case.parameter("power.base_w") + case.parameter("power.memory_w")
        loss = 1 + case.parameter("power.supply")
        processors = case.parameter("cpu.processors")
        watts = [case.parameter(f"power.{name}_w") for name in ("idle", "computing", "waiting")]
        least = (
            base + processors * min(watts) + case.parameter("power.nic_idle_w") + case.parameter("power.disk_idle_w")
        ) * loss
        most = (base + processors * max(watts) + case.parameter("power.nic_w") + case.parameter("power.disk_w")) * loss
        for phase in power["phases"]:
            rounded = 1e-6  # energies of phases that last nanoseconds are rounded
            assert least * (1 - rounded) <= phase["mean_w"] <= most * (1 + rounded)
            assert math.isclose(phase["joules"], phase["mean_w"] * phase["time_s"], rel_tol=CLOSE, abs_tol=CLOSE)
        calls = [one for one in power["phases"] if one["phase"].startswith("MPI_")]
        if calls:
            longest = max(calls, key=lambda one: one["time_s"])
            assert power["longest_call_w"] is not None
            assert next(o for o in calls if o["phase"] == power["longest_call"])["time_s"] == longest["time_s"]


@invariant(
    "monitor.power.metered_joules", "monitor.power.computers[].metered_joules", "monitor.power.computers[].readings"
)
def meters_show_whole_periods(case: Case) -> None:
    if is_ours(case) and case["monitor.power.metered_joules"] is not None:
        period = case.parameter("power.meter_ms") * 1e-3
        for one in case["monitor.power.computers"]:
            rounding = one["readings"] * period * case.parameter("power.resolution_w") / 2
            most = (
                case.parameter("power.base_w")
                + case.parameter("power.memory_w")
                + case.parameter("cpu.processors")
                * max(case.parameter(f"power.{n}_w") for n in ("idle", "computing", "waiting"))
                + case.parameter("power.nic_w")
                + case.parameter("power.disk_w")
            ) * (1 + case.parameter("power.supply"))
            unseen = one["joules"] - one["metered_joules"]
            assert -rounding - 1e-6 <= unseen <= rounding + most * period + 1e-6


@invariant(
    "monitor.power.estimated_joules",
    "monitor.power.sampled_joules",
    "monitor.power.computers[].estimated_joules",
    "monitor.power.computers[].sampled_joules",
    "monitor.power.samples",
    "monitor.power.missed_samples",
)
def an_estimate_is_of_what_was_sampled(case: Case) -> None:
    if is_ours(case) and case["monitor.power.estimated_joules"] is not None:
        assert case["monitor.power.sampled_joules"] <= case["monitor.power.joules"] * (1 + CLOSE)
        assert (case["monitor.power.samples"] == 0) == (case["monitor.power.estimated_joules"] == 0)


@invariant(
    "monitor.layers[].layer",
    "monitor.layers[].operations",
    "monitor.layers[].unfinished",
    "monitor.layers[].unrelated",
    "monitor.layers[].most_pending",
    "monitor.layers[].time_s",
)
def operations_are_done_for_something(case: Case) -> None:
    if is_ours(case):
        for one in case["monitor.layers"]:
            assert 0 <= one["unfinished"] <= one["operations"]
            assert 0 <= one["unrelated"] <= one["operations"]
            assert one["most_pending"] >= 0


@invariant(
    "monitor.clocks.pairs",
    "monitor.clocks.violations_as_written",
    "monitor.clocks.nodes[].node",
    "monitor.clocks.nodes[].before_us",
    "monitor.clocks.nodes[].before_round_trip_us",
    "monitor.clocks.nodes[].after_us",
    "monitor.clocks.nodes[].after_round_trip_us",
    "monitor.clocks.nodes[].shift_us",
)
def clocks_that_are_not_probed_are_as_written(case: Case) -> None:
    if is_ours(case):
        clocks = case["monitor.clocks"]
        assert 0 <= clocks["violations_as_written"] <= clocks["pairs"]
        assert case["causality_violations"] <= clocks["pairs"]
        if case.parameter("hdtrace.offsets") == "none":
            assert clocks["nodes"] == []
            assert clocks["violations_as_written"] == case["causality_violations"]


@invariant("latency_us.p50")
def traces_stay_where_they_are(case: Case) -> None:
    if is_ours(case):
        assert case["latency_us"] is None
