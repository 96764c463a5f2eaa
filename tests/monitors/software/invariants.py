# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of the software monitor."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant

TRACE = "monitor.trace."
OF_PROCESSES = (
    *("recording_s", "flushes", "flushing_s", "longest_flush_s", "closing_s"),
    *("writes", "written_bytes", "pairs", "violations_as_written"),
)
CLOCKS = TRACE + "clocks."
OF_CLOCKS = ("rank", "begin_us", "begin_round_trip_us", "end_us", "end_round_trip_us")


def of_processes(case: Case) -> bool:
    return case.monitor == "software" and case.parameter("software.traces") == "process"


def of_nodes(case: Case) -> bool:
    return case.monitor == "software" and case.parameter("software.traces") == "node"


@invariant("monitor.buffer_bytes[]")
def a_trace_buffer_holds_no_more_than_it_has(case: Case) -> None:
    if case.monitor != "software":
        return
    buffers = case["monitor.buffer_bytes"]
    if of_nodes(case):
        assert len(buffers) == case.parameter("nodes")
        assert sum(buffers) == case["logged_bytes"]
    else:
        assert len(buffers) <= case.parameter("nodes") * case.parameter("cpu.ranks_per_node")
        assert sum(buffers) <= case["ledger.generated.bytes"]
    assert min(buffers, default=0) >= 0
    assert max(buffers, default=0) <= case.parameter("software.buffer_bytes")


@invariant("logged_bytes", "monitor.overrun", "monitor.first_overrun_s")
def what_is_delivered_was_logged_and_what_does_not_fit_is_an_overrun(case: Case) -> None:
    if case.monitor == "software":
        assert case["logged_bytes"] == case["ledger.delivered.bytes"]
        assert case["monitor.overrun"] == (case["ledger.lost_total.bytes"] > 0)
        assert (case["monitor.first_overrun_s"] is not None) == case["monitor.overrun"]


@invariant("latency_us.p50")
def records_stay_where_they_are(case: Case) -> None:
    if of_nodes(case) or (of_processes(case) and not case.parameter("software.servers")):
        assert case["latency_us"] is None


@invariant("timestamp_error_us.min", "timestamp_error_us.max")
def timestamps_are_a_node_s_clock_s(case: Case) -> None:
    error = case["timestamp_error_us"]
    if error is not None and (of_nodes(case) or (of_processes(case) and case.parameter("software.clocks") == "none")):
        longer = 1 + (case["monitor.trace.closing_s"] if of_processes(case) else 0)
        drift = case.parameter("node.clock_drift_ppm") * 1e-6 * (case["elapsed_s"] + longer) * 1e6
        worst = case.parameter("node.clock_offset_us") + drift + case.parameter("node.clock_resolution_ns") * 1e-3
        assert max(-error["min"], error["max"]) <= worst + 1e-6


@invariant(*(TRACE + key for key in OF_PROCESSES))
def a_process_writes_what_it_has_traced(case: Case) -> None:
    if not of_processes(case):
        return
    trace = case["monitor.trace"]
    ledger = case["ledger"]
    records = ledger["generated"]["events"] - trace["flushes"]
    cost = records * case.parameter("software.record_us") * 1e-6
    cost += (
        (ledger["generated"]["bytes"] - trace["flushes"] * case.parameter("software.flush_bytes"))
        * case.parameter("software.us_per_byte")
        * 1e-6
    )
    drift = case.parameter("node.clock_drift_ppm") * 1e-6
    assert abs(trace["recording_s"] - cost) <= cost * drift + records * 1e-12 + 1e-9
    assert 0 <= trace["longest_flush_s"] <= trace["flushing_s"] * (1 + 1e-9)
    assert trace["flushing_s"] <= trace["flushes"] * trace["longest_flush_s"] * (1 + 1e-9)
    assert trace["closing_s"] >= 0
    assert trace["violations_as_written"] <= trace["pairs"]
    assert case["causality_violations"] <= trace["pairs"]
    if case.parameter("software.clocks") == "none":
        assert case["causality_violations"] == trace["violations_as_written"]
    written = ledger["delivered"]["bytes"] if case.parameter("software.servers") else 0
    assert trace["written_bytes"] == written
    assert trace["writes"] * case.parameter("software.write_bytes") >= written
    assert (trace["writes"] > 0) == (written > 0)
    if case.parameter("software.when_full") == "drop":
        assert trace["flushes"] == 0
    else:
        assert ledger["lost_total"]["events"] == 0
    assert trace["writes"] >= trace["flushes"]


@invariant(CLOCKS + "begin_s", CLOCKS + "end_s", *(f"{CLOCKS}processes[].{key}" for key in OF_CLOCKS))
def clocks_are_found_as_they_are(case: Case) -> None:
    if not of_processes(case):
        return
    clocks = case["monitor.trace"].get("clocks")
    if case.parameter("software.clocks") == "none":
        assert clocks is None
    if clocks is None:
        return
    assert clocks["end_s"] <= case["monitor.trace.closing_s"] * (1 + 1e-9)
    ranks = [one["rank"] for one in clocks["processes"]]
    assert ranks == sorted(set(ranks))
    whens = ("begin", "end")
    for one in clocks["processes"]:
        for when in whens:
            if one[f"{when}_us"] is None:
                continue
            trip = one[f"{when}_round_trip_us"]
            seconds = case["elapsed_s"] + 1 + case["monitor.trace.closing_s"] + clocks["begin_s"]
            apart = 2 * (case.parameter("node.clock_offset_us") + case.parameter("node.clock_drift_ppm") * seconds)
            resolution = case.parameter("node.clock_resolution_ns") * 1e-3
            assert trip >= -resolution
            assert abs(one[f"{when}_us"]) <= apart + max(trip, 0) / 2 + 2 * resolution + 1e-6
