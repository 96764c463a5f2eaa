"""What is true of every result's keys of HYPERMON's own."""

from __future__ import annotations

from tests.python.result_invariants import EDGE_NS, Case, close, invariant


@invariant("monitor.strobes")
def a_strobe_is_a_datum_that_the_erb_passed(case: Case) -> None:
    if case.hardware:
        dropped = case.lost("erb", "dropped_strobe") + case.lost("erb", "stuck_strobe")
        assert case["monitor.strobes"] * case.nibbles_per_datum == case["ledger.generated.nibbles"] - dropped


@invariant("monitor.frames.built", "monitor.frames.lost", "monitor.frames.drained")
def a_frame_is_read_or_lost(case: Case) -> None:
    if not case.hardware:
        return
    frames = case["monitor.frames"]
    into = frames["built"] + case.garbage_most
    assert frames["drained"] + frames["lost"] <= into
    if not case.has("reset_at_us"):
        assert frames["drained"] + frames["lost"] == into
    if case["monitor.strobes"] == 0 and not any(case.of_boards("ecb.wrap_frames")):
        assert frames["built"] == 0


@invariant("monitor.frames.merged", "monitor.aliasing", "monitor.node_overruns", "monitor.discarded")
def a_word_is_in_a_frame_or_lost(case: Case) -> None:
    """Strobes = data of built frames, of aliased, overrun and discarded words, and those in incomplete words."""
    if not case.hardware or len({case.data_per_word(b) for b in range(case.boards)}) > 1:
        return
    m, data = case["monitor"], case.data_per_word(0)
    assert min(m["frames"]["merged"], m["aliasing"], m["node_overruns"], m["discarded"]) >= 0
    words = m["aliasing"] + m["node_overruns"] + m["discarded"]
    most = data * (words + m["frames"]["merged"] + m["frames"]["built"]) + (data - 1) * case.of("nodes")
    if case.has("reset_at_us"):
        most += case.lost("board", "reset") // case.nibbles_per_datum
    assert m["strobes"] <= most
    if not any(case.of_boards("ecb.wrap_frames")):  # else some frames hold nothing
        assert m["strobes"] >= data * (words + m["frames"]["merged"] + m["frames"]["built"])


@invariant("monitor.frames.merged")
def a_frame_holds_no_more_words_than_inputs(case: Case) -> None:
    if case.hardware:
        inputs = min(case.of("ecb.inputs"), case.of("nodes"))
        assert case["monitor.frames.merged"] <= case["monitor.frames.built"] * (inputs - 1)


@invariant("monitor.aliasing", "monitor.node_overruns", "monitor.discarded")
def the_ledger_knows_the_same_losses(case: Case) -> None:
    if case.hardware and len({case.data_per_word(b) for b in range(case.boards)}) == 1:
        nibbles = case.data_per_word(0) * case.nibbles_per_datum
        for key, stage in (("aliasing", "strobe_input"), ("node_overruns", "node_fifo")):
            judged(case, stage, case[f"monitor.{key}"] * nibbles)
        judged(case, "strobe_vector_fifo", case["monitor.discarded"] * nibbles)


def judged(case: Case, stage: str, nibbles: int) -> None:
    """What is falsified by the ERB counts as lost there, whatever becomes of it."""
    if case.falsifies:
        assert case.lost(stage) <= nibbles
    else:
        assert case.lost(stage) == nibbles, stage


@invariant("monitor.windows_lost", "monitor.discarded")
def a_lost_window_had_words(case: Case) -> None:
    if case.hardware:
        lost, discarded = case["monitor.windows_lost"], case["monitor.discarded"]
        assert discarded <= lost * min(case.of("ecb.inputs"), case.of("nodes"))
        assert any(case.of_boards("ecb.wrap_frames")) or discarded >= lost


@invariant("monitor.node_overruns", "monitor.held_s")
def a_node_fifo_drops_or_holds(case: Case) -> None:
    if not case.hardware:
        return
    stalls = {policy == "stall" for policy in case.of_boards("ecb.node_fifo_full")}
    assert case["monitor.held_s"] >= 0
    if stalls == {True}:
        assert case["monitor.node_overruns"] == 0
    if stalls == {False}:
        assert case["monitor.held_s"] == 0


@invariant("monitor.frames.peak_occupancy")
def a_frame_fifo_holds_no_more_than_its_depth(case: Case) -> None:
    if case.hardware:
        frames = case["monitor.frames"]
        depths = case.of_boards("ecb.frame_fifo_frames")
        assert frames["peak_occupancy"] <= max(depths)
        if frames["lost"] and not case.has("garbage_frames"):
            assert frames["peak_occupancy"] >= min(depths)
        if frames["built"] > frames["lost"]:
            assert frames["peak_occupancy"] >= 1


@invariant("monitor.end_s")
def the_last_read_ends_last(case: Case) -> None:
    if case.hardware:
        assert (case["monitor.end_s"] > 0) == (case["monitor.frames.drained"] > 0)
        assert close(case["monitor.end_s"] * 1e9 % EDGE_NS, 0, 1e-3) or close(
            case["monitor.end_s"] * 1e9 % EDGE_NS, EDGE_NS, 1e-3
        ), "reads end at edges"


@invariant("logged_bytes", "monitor.drain.bytes_read")
def frames_have_the_words_of_their_format(case: Case) -> None:
    if case.hardware:
        drained, words = case["monitor.frames.drained"], case.words
        assert 4 * drained * min(least for least, _ in words) <= case["logged_bytes"]
        assert case["logged_bytes"] <= 4 * drained * max(most for _, most in words)


@invariant("monitor.drain.bytes_read")
def the_bus_carries_no_more_than_it_can(case: Case) -> None:
    if case.hardware:
        busy_s = case["logged_bytes"] / 4 * case.of("pbx.word_ns") * 1e-9
        assert busy_s <= case["monitor.end_s"] * case.boards * (1 + 1e-9)


@invariant("monitor.drain.bytes_kept", "monitor.drain.bytes_lost", "monitor.drain.peak_buffer_bytes")
@invariant("monitor.drain.interrupts", "monitor.drain.messages", "monitor.drain.reducing_s")
@invariant("monitor.drain.waiting_s", "monitor.drain.given_up")
def a_drain_program_does_what_it_is_for(case: Case) -> None:
    if not case.hardware:
        return
    drain, where, how = case["monitor.drain"], case.of("drain.destination"), case.of("drain.reduction")
    assert min(drain["reducing_s"], drain["waiting_s"], drain["bytes_kept"], drain["bytes_lost"]) >= 0
    assert drain["peak_buffer_bytes"] <= case.of("drain.memory_bytes")
    if how == "none":
        unread = case.has("pbx_error_probability")  # what the bus spoiled is read, and nobody's
        assert (
            (drain["bytes_kept"] + drain["bytes_lost"] <= drain["bytes_read"])
            if unread
            else (drain["bytes_kept"] + drain["bytes_lost"] == drain["bytes_read"])
        )
        assert drain["reducing_s"] == 0
    assert (drain["given_up"] == "") == (how == "none")
    assert where == "cfs" or drain["interrupts"] == 0
    assert where == "host" or drain["messages"] == 0
    assert where in ("host", "cfs") or drain["waiting_s"] == 0
    assert where != "discard" or drain["bytes_lost"] == 0
    datum_us = {"none": 0.0, "streams": "drain.streams_datum_us", "statistics": "drain.statistics_datum_us"}[how]
    each_us = case.of(datum_us) * case.of("ecb.inputs") if isinstance(datum_us, str) else 0.0
    of_last_frame_s = (case.of("drain.reduction_frame_us") + each_us) * 1e-6
    assert drain["reducing_s"] <= (case["monitor.end_s"] + of_last_frame_s) * case.boards + 1e-9


@invariant("monitor.garbage_nibbles")
def garbage_was_there_at_power_on(case: Case) -> None:
    if case.hardware:
        words = max(max(case.of("port.width_bits"), bits) for bits in case.of_boards("ecb.accumulate_bits"))
        most = case.garbage_most * case.of("ecb.inputs") * words // 4
        assert 0 <= case["monitor.garbage_nibbles"] <= most


@invariant("monitor.spurious_events", "monitor.falsified_events")
def an_event_is_mistaken_for_a_reason(case: Case) -> None:
    if case.hardware:
        assert case.falsifies or case["monitor.falsified_events"] == 0
        # After a loss or in garbage, what is left may look like an event (node_decoder.hpp, coincidences).
        if not (case["ledger.lost_total.nibbles"] or case.falsifies or case.has("garbage_frames", "reset_at_us")):
            assert case["monitor.spurious_events"] == 0 or case["monitor.ambiguous_silences"]
        assert case["monitor.falsified_events"] <= case["ledger.lost_total.events"]


@invariant("monitor.ambiguous_silences")
def silences_are_ambiguous_where_timestamps_wrap(case: Case) -> None:
    if case.hardware:
        longest_s = max(case["monitor.end_s"], case["elapsed_s"])
        wraps = [
            bits < 62 and window * 2**bits < longest_s * 1e9 and not marked
            for bits, window, marked in zip(
                *map(case.of_boards, ("ecb.timestamp_bits", "ecb.window_ns", "ecb.wrap_frames")), strict=True
            )
        ]
        assert any(wraps) or case["monitor.ambiguous_silences"] == 0


@invariant("monitor.impossible_frames")
def impossible_frames_need_garbage(case: Case) -> None:
    if case.hardware:
        assert case["monitor.impossible_frames"] <= case["monitor.frames.drained"]
        assert case.has("garbage_frames") or case["monitor.impossible_frames"] == 0


@invariant("rates.interval_s", "rates.frames[]")
def rates_are_what_was_captured(case: Case) -> None:
    if not case.hardware:
        assert "rates" not in case.result
        return
    interval, frames = case["rates.interval_s"], case["rates.frames"]
    assert len(frames) == 100
    assert min(frames) >= 0
    assert 100 * interval >= case["elapsed_s"] * (1 - 1e-9)
    captured = case["monitor.frames.drained"]
    assert sum(frames) <= captured + 1e-6
    # In no interval more than windows end in it, and a bin of either border.
    windows = sum(1e9 / window for window in case.of_boards("ecb.window_ns"))
    width = 2 * max(3.2e-3, last_capture_s(case)) / 4096
    assert max(frames) <= (interval + 2 * width) * windows + 3 * case.boards


def last_capture_s(case: Case) -> float:
    """Frames are captured before they are read."""
    return float(case["monitor.end_s"])


@invariant("rates.frames[]")
def rates_hold_all_that_the_nodes_wrote(case: Case) -> None:
    """Where nothing but the nodes' writes makes frames, all are in the measured section, but for its very ends."""
    if not case.hardware or any(case.of_boards("ecb.wrap_frames")) or case.of("workload") == "stream":
        return
    if case.has("garbage_frames", "pbx_error_probability") or case["monitor.drain.bytes_lost"]:
        return  # read, and not captured or not kept
    if case.of("node.tick_ms") < 10:
        return  # at the end, nodes may still be writing ticks of long ago
    total, frames = 100 * case["rates.interval_s"], case["monitor.frames.drained"]
    window_s = max(case.of_boards("ecb.window_ns")) * 1e-9
    if window_s * 200 > total or case.of("erb.propagation_ns") * 1e-9 * 200 > total:
        return  # the section's ends are a good part of it
    bins = 2 * (1 + 2 * max(3.2e-3, last_capture_s(case)) / 4096 / min(case.of_boards("ecb.window_ns")) * 1e9)
    late = case.of("erb.propagation_ns") * 1e-9 + case.of("ecb.reset_skew_ns") * 1e-9
    at_ends = case.boards * (bins + 4 + late / min(case.of_boards("ecb.window_ns")) * 1e9)
    assert sum(case["rates.frames"]) >= frames - min(frames, at_ends), (sum(case["rates.frames"]), frames, at_ends)


# Programs of one's own, and streams.


@invariant("stream.rows", "stream.without_data", "stream.contents", "stream.begin", "stream.rounded_times")
@invariant("stream.reordered", "stream.padded", "stream.delayed", "stream.max_delay_us", "stream.ignored_columns")
def a_stream_s_rows_are_events_or_said_not_to_be(case: Case) -> None:
    if case.of("workload") != "stream":
        assert "stream" not in case.result
        return
    stream = case["stream"]
    assert stream["rows"] == case["events"] + stream["without_data"]
    for name in ("without_data", "rounded_times", "reordered", "padded", "delayed"):
        assert 0 <= stream[name] <= stream["rows"], name
    assert (stream["max_delay_us"] > 0) == (stream["delayed"] > 0)
    assert isinstance(stream["contents"], str)
    assert isinstance(stream["ignored_columns"], str)
    assert case.of("stream.begin") != "zero" or stream["begin"] in (0, "0")
