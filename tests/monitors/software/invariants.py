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
