# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of the trace funnel."""

from __future__ import annotations

from tests.python.result_invariants import Case, close, invariant

FRAME_BYTES = 16
MOST_DRIFT = 1e-3  # largest drift of a node's crystal


def of_source(case: Case, node: int, name: str) -> int | str:
    own = f"funnel_source[{node}].{name}"
    value: int | str = case.parameter(own) if own in case.spec.values else case.parameter(f"funnel_source.{name}")
    return value


@invariant("monitor.sources[].peak_fifo_bytes", "monitor.sources[].peak_link_words")
def a_source_holds_no_more_than_it_has_room_for(case: Case) -> None:
    if case.monitor != "funnel":
        return
    sources = case["monitor.sources"]
    assert len(sources) == case.parameter("nodes")
    for node, source in enumerate(sources):
        assert 0 <= source["peak_fifo_bytes"] <= int(of_source(case, node, "fifo_bytes"))
        assert 0 <= source["peak_link_words"] <= int(of_source(case, node, "link_words"))


@invariant("monitor.sources[].dropped", "monitor.sources[].overflows")
@invariant("monitor.sources[].stalls", "monitor.sources[].stalled_s", "monitor.held_s")
def a_source_drops_or_holds(case: Case) -> None:
    if case.monitor != "funnel":
        return
    sources = case["monitor.sources"]
    assert sum(source["dropped"] for source in sources) == case.lost("source", "fifo_full", "events")
    for node, source in enumerate(sources):
        assert (source["overflows"] > 0) == (source["dropped"] > 0)
        assert source["overflows"] <= source["dropped"]
        assert (source["stalled_s"] > 0) <= (source["stalls"] > 0)
        if of_source(case, node, "full") == "stall":
            assert source["dropped"] == 0
        else:
            assert source["stalls"] == 0
    assert close(case["monitor.held_s"], sum(source["stalled_s"] for source in sources))


@invariant("monitor.sources[].syncs")
def a_source_s_first_message_follows_a_synchronisation(case: Case) -> None:
    if case.monitor == "funnel" and case["ledger.delivered.events"] > 0:
        assert sum(source["syncs"] for source in case["monitor.sources"]) > 0


@invariant("monitor.stream.encoded_bytes", "monitor.stream.id_bytes", "monitor.stream.frame_bits_bytes")
@invariant("monitor.stream.padding_bytes", "monitor.stream.full_sync_bytes", "monitor.stream.bytes")
def the_stream_is_what_the_sources_wrote_and_what_frames_add(case: Case) -> None:
    if case.monitor != "funnel":
        return
    stream = case["monitor.stream"]
    entered = case["ledger.generated.bytes"] - case.lost("source", "fifo_full", "bytes")
    added = {name: stream[name] for name in ("id_bytes", "frame_bits_bytes", "padding_bytes", "full_sync_bytes")}
    assert stream["encoded_bytes"] >= entered
    assert stream["bytes"] == stream["encoded_bytes"] + sum(added.values())
    if case.parameter("funnel_formatter.format") == "none":
        assert set(added.values()) == {0}
    else:
        frames = stream["bytes"] - stream["full_sync_bytes"]
        assert frames % FRAME_BYTES == 0
        assert stream["frame_bits_bytes"] == frames // FRAME_BYTES
    if case.parameter("funnel_formatter.sync_frames") == 0:
        assert stream["full_sync_bytes"] == 0


@invariant("monitor.stream.lost_bytes", "monitor.stream.delivered_bytes", "logged_bytes")
def what_leaves_the_formatters_arrives_or_is_lost_in_a_sink(case: Case) -> None:
    if case.monitor != "funnel":
        return
    stream = case["monitor.stream"]
    assert stream["bytes"] == stream["lost_bytes"] + stream["delivered_bytes"]
    assert case["logged_bytes"] == stream["delivered_bytes"]
    if case.lost("sink", unit="events") or case.lost("analyst", unit="events"):
        assert stream["lost_bytes"] > 0
    if case.parameter("funnel_sink.full") == "stall":
        assert stream["lost_bytes"] == 0
    assert case["ledger.in_flight"] == {"bytes": 0, "events": 0}


@invariant("monitor.sink.peak_bytes", "monitor.sink.bursts", "monitor.end_s")
def a_sink_holds_no_more_than_it_has_and_sends_bursts(case: Case) -> None:
    if case.monitor != "funnel":
        return
    bursts, delivered = case["monitor.sink.bursts"], case["monitor.stream.delivered_bytes"]
    assert 0 <= case["monitor.sink.peak_bytes"] <= case.parameter("funnel_sink.buffer_bytes")
    assert bursts * case.parameter("funnel_sink.burst_bytes") >= delivered
    assert (bursts > 0) == (delivered > 0)
    assert (case["monitor.end_s"] > 0) == (bursts > 0)


@invariant("monitor.funnels.peak_words", "monitor.funnels.flushes")
def a_funnel_s_words_fit_behind_it(case: Case) -> None:
    if case.monitor != "funnel":
        return
    assert 0 <= case["monitor.funnels.peak_words"] <= case.parameter("funnel_link.fifo_words")
    assert case["monitor.funnels.flushes"] >= 0


@invariant("monitor.overrun", "monitor.first_overrun_s", "monitor.late_events")
def a_loss_is_an_overrun(case: Case) -> None:
    if case.monitor != "funnel":
        return
    assert case["monitor.overrun"] == (case["ledger.lost_total.events"] > 0)
    assert (case["monitor.first_overrun_s"] is None) == (not case["monitor.overrun"])
    assert 0 <= case["monitor.late_events"] <= case["ledger.delivered.events"]


@invariant("latency_us.p50", "latency_us.max")
def an_event_arrives_after_it_was_stored(case: Case) -> None:
    if case.monitor != "funnel":
        return
    latency = case["latency_us"]
    assert (latency is None) == (case["ledger.delivered.events"] == 0)
    if latency is not None:
        least = case.parameter("stimulus.store_ns") * (1 - MOST_DRIFT) + case.parameter("funnel_sink.latency_ns")
        assert latency["p50"] * 1e3 >= least * (1 - MOST_DRIFT)
        assert latency["max"] * 1e-6 <= case["monitor.end_s"] + 1e-9


@invariant("timestamp_error_us.min", "timestamp_error_us.max")
def one_counter_dates_all_messages(case: Case) -> None:
    """Before the last store, or before the end of the hold, timestamps are early by less than one tick of the counter,
    unless the counter wrapped unnoticed.
    """
    error = case["timestamp_error_us"]
    if case.monitor != "funnel" or error is None:
        return
    tick_us = case.parameter("funnel_protocol.timestamp_ns") * 1e-3
    wrap_s = 2.0 ** case.parameter("funnel_protocol.timestamp_bits") * tick_us * 1e-6
    if wrap_s > 2 * (case["monitor.end_s"] + 1):
        assert error["min"] > -tick_us - 1e-9
        if case["monitor.held_s"] == 0 and case.parameter("workload") != "stream":
            most_stores = 16 // case.parameter("stimulus.store_bytes")
            assert error["max"] <= most_stores * case.parameter("stimulus.store_ns") * 1e-3 * (1 + MOST_DRIFT) + 1e-9
