"""What is true of every result's keys of the software monitor's own."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant("monitor.buffer_bytes[]")
def a_trace_buffer_holds_no_more_than_it_has(case: Case) -> None:
    if case.monitor == "software":
        buffers = case["monitor.buffer_bytes"]
        assert len(buffers) == case.of("nodes")
        assert sum(buffers) == case["logged_bytes"]
        assert min(buffers) >= 0
        assert max(buffers) <= case.of("software.buffer_bytes")


@invariant("logged_bytes", "monitor.overrun", "monitor.first_overrun_s")
def what_is_delivered_was_logged_and_what_does_not_fit_is_an_overrun(case: Case) -> None:
    if case.monitor == "software":
        assert case["logged_bytes"] == case["ledger.delivered.bytes"]
        assert case["monitor.overrun"] == (case["ledger.lost_total.bytes"] > 0)


@invariant("latency_us.p50")
def records_stay_where_they_are(case: Case) -> None:
    if case.monitor == "software":
        assert case["latency_us"] is None


@invariant("timestamp_error_us.min", "timestamp_error_us.max")
def timestamps_are_a_node_s_clock_s(case: Case) -> None:
    error = case["timestamp_error_us"]
    if case.monitor == "software" and error is not None:
        drift = case.of("node.clock_drift_ppm") * 1e-6 * (case["elapsed_s"] + 1) * 1e6
        worst = case.of("node.clock_offset_us") + drift + case.of("node.clock_resolution_ns") * 1e-3
        assert max(-error["min"], error["max"]) <= worst + 1e-6
