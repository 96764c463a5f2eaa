# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of HYPERMON."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from tests.python import result_invariants
from tests.python.result_invariants import close

EDGE_NS = 50
DECODERS_DRIFT_PPM = 1e6 / 8192  # sw/monitors/hypermon/node_decoder.hpp
IO_WRITE_NS = 375
"""Width of a strobe's pulse at a port."""
GARBAGE = "faults.garbage_frames"


class Case(result_invariants.Case):
    """A case with the properties of the boards and their faults."""

    @property
    def hardware(self) -> bool:
        return self.monitor == "hypermon"

    @property
    def own_boards(self) -> bool:
        return self.hardware and bool(self.parameter("ecb.module") or self.parameter("ecb.rtl"))

    @property
    def boards(self) -> int:
        return -(-int(self.parameter("nodes")) // int(self.parameter("ecb.inputs")))

    def of_boards(self, path: str) -> list[Any]:
        """A parameter of ecb, of every board."""
        name = path.partition(".")[2]
        return [self.spec.values.get(f"ecb[{b}].{name}", self.parameter(path)) for b in range(self.boards)]

    @property
    def nibbles_per_datum(self) -> int:
        return int(self.parameter("port.width_bits")) // 4

    def data_per_word(self, board: int) -> int:
        bits = int(self.of_boards("ecb.accumulate_bits")[board])
        return max(1, bits // int(self.parameter("port.width_bits")))

    def has(self, *faults: str) -> bool:
        """Is one of these faults injected?"""
        return any(self.parameter(f"faults.{fault}") for fault in faults)

    @property
    def falsifies(self) -> bool:
        """True if a datum can arrive with a wrong value."""
        return self.has("bit_error_probability", "skew_ns") or self.parameter("erb.setup_ns") > 0

    @property
    def garbage_most(self) -> int:
        """Frames that were in the FIFOs at power-on."""
        return sum(min(int(self.parameter(GARBAGE)), depth) for depth in self.of_boards("ecb.frame_fifo_frames"))

    @property
    def words(self) -> list[tuple[int, int]]:
        """The smallest and the largest number of words of a frame, for each board."""
        found = []
        for board, bits in enumerate(self.of_boards("ecb.timestamp_bits")):
            word_bits = max(int(self.parameter("port.width_bits")), int(self.of_boards("ecb.accumulate_bits")[board]))
            most = -(-int(self.parameter("ecb.inputs")) * word_bits // 32) + 1 + -(-int(bits) // 32)
            on_request = self.of_boards("ecb.timestamp_policy")[board] == "on_request"
            found.append((most - -(-int(bits) // 32) if on_request else most, most))
        return found


Predicate = Callable[[Case], None]


def invariant(*keys: str) -> Callable[[Predicate], Predicate]:
    """Registers an invariant of these keys. The keys need not belong to this monitor only."""

    def add(predicate: Predicate) -> Predicate:
        result_invariants.invariant(*keys)(
            functools.wraps(predicate)(lambda case: predicate(Case(case.result, case.spec)))
        )
        return predicate

    return add


@invariant("ledger.unit")
def data_are_counted_in_nibbles(case: Case) -> None:
    assert (case["ledger.unit"] == "nibbles") == case.hardware


@invariant("ledger.lost[]")
def a_loss_has_a_cause_that_is_there(case: Case) -> None:
    if not case.hardware:
        return
    causes = {
        ("erb", "dropped_strobe"): case.has("drop_probability"),
        ("erb", "stuck_strobe"): case.has("stuck_for_ms"),
        ("erb", "skew"): case.has("skew_ns"),
        ("erb", "bit_error"): case.has("bit_error_probability"),
        ("erb", "short_pulse"): case.parameter("erb.min_pulse_ns") > 0,
        ("erb", "overlapping_pulse"): case.parameter("erb.pulse_ns") > 0,
        ("erb", "unsettled_data"): case.parameter("erb.setup_ns") > 0,
        ("board", "reset"): case.has("reset_at_us"),
        ("board", "unreported"): case.own_boards,
        ("pbx", "bus_error"): case.has("pbx_error_probability"),
        ("frame_fifo", "reader_stopped"): case.has("reader_stops_for_ms"),
        ("io_node", "memory_full"): case.parameter("drain.destination") != "discard",
        ("accumulator", "incomplete_word"): any(case.of_boards("ecb.accumulate_bits")),
        ("frame_fifo", "overrun"): any(p != "stall" for p in case.of_boards("ecb.frame_fifo_full")),
    }
    for entry in case["ledger.lost"]:
        if entry["nibbles"] or entry["events"]:
            assert causes.get((entry["stage"], entry["cause"]), True), entry


@invariant("ledger.delivered")
def what_nothing_hurt_arrives(case: Case) -> None:
    """Holds for ports whose data are at least three windows apart, and for crystals within the decoder's tolerance: the
    decoder promises it only there.
    """
    if not case.hardware or case["ledger.lost_total.nibbles"] or case["monitor.ambiguous_silences"]:
        return
    if case.parameter("node.clock_drift_ppm") / 2 > DECODERS_DRIFT_PPM:
        return
    port = [float(case.parameter(f"port.{name}")) for name in ("nibble_cost_ns", "delay", "delay_iteration_ns")]
    pitches = [(port[0] + port[1] * port[2]) * case.data_per_word(board) for board in range(case.boards)]
    resolved = all(p >= 3.01 * w for p, w in zip(pitches, case.of_boards("ecb.window_ns"), strict=True))
    if resolved and not case.falsifies and not case.has("garbage_frames", "reset_at_us"):
        assert case["ledger.lost_total.events"] == 0


@invariant("logged_bytes")
def logged_is_what_the_drain_read(case: Case) -> None:
    if case.hardware:
        assert case["logged_bytes"] == case["monitor.drain.bytes_read"]


@invariant("monitor.overrun", "monitor.first_overrun_s")
def what_is_lost_is_an_overrun(case: Case) -> None:
    if not case.hardware:
        return
    first = case["monitor.first_overrun_s"]
    assert case["monitor.overrun"] == (case["monitor.frames.lost"] > 0)
    if first is not None and not case.has("reset_at_us"):
        assert first <= case["monitor.end_s"], "what the FIFO was full of is read later"


@invariant("latency_us.p50", "latency_us.max")
def no_event_arrives_before_its_own_data_were_read(case: Case) -> None:
    if not case.hardware:
        return
    latency = case["latency_us"]
    assert (latency is None) == (case["ledger.delivered.events"] == 0)
    if latency is None:
        return
    # Its data have been written, read and stamped.
    least = min(least for least, _ in case.words) * case.parameter("pbx.word_ns") * 1e-3
    assert latency["p50"] >= least
    assert latency["max"] * 1e-6 <= max(case["monitor.end_s"], 0) + 1e-9


@invariant("causality_violations")
def a_stream_has_no_messages(case: Case) -> None:
    if case.parameter("workload") == "stream":
        assert case["causality_violations"] == 0


LOST_AT_ERB = ("dropped_strobe", "stuck_strobe", "short_pulse", "overlapping_pulse")


@invariant("monitor.erb.short_pulses", "monitor.erb.overlapping_pulses", "monitor.erb.unsettled_data")
def the_erb_accounts_for_what_it_harms(case: Case) -> None:
    if not case.hardware:
        return
    imperfect = any(case.parameter(f"erb.{name}_ns") for name in ("skew", "setup", "min_pulse", "narrowing", "pulse"))
    assert ("erb" in case["monitor"]) == imperfect
    if not imperfect:
        return
    erb = case["monitor.erb"]
    for key, cause in (("short_pulses", "short_pulse"), ("overlapping_pulses", "overlapping_pulse")):
        assert erb[key] * case.nibbles_per_datum == case.lost("erb", cause)
    assert 0 <= erb["unsettled_data"] <= case["monitor.strobes"]
    if erb["unsettled_data"]:
        assert case.parameter("erb.skew_ns") + case.parameter("erb.setup_ns") > IO_WRITE_NS


@invariant("monitor.strobes")
def a_strobe_is_a_datum_that_the_erb_passed(case: Case) -> None:
    if case.hardware:
        dropped = sum(case.lost("erb", cause) for cause in LOST_AT_ERB)
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
    """Strobes = data of built frames, of aliased, overrun and discarded words, and of incomplete words."""
    if not case.hardware or len({case.data_per_word(b) for b in range(case.boards)}) > 1:
        return
    m, data = case["monitor"], case.data_per_word(0)
    assert min(m["frames"]["merged"], m["aliasing"], m["node_overruns"], m["discarded"]) >= 0
    words = m["aliasing"] + m["node_overruns"] + m["discarded"]
    most = data * (words + m["frames"]["merged"] + m["frames"]["built"]) + (data - 1) * case.parameter("nodes")
    if case.has("reset_at_us"):
        most += case.lost("board", "reset") // case.nibbles_per_datum
    if case.own_boards:
        most += case.lost("board", "unreported") // case.nibbles_per_datum
    assert m["strobes"] <= most
    invented = case.own_boards and m["board"]["unmatched_frames"] > 0
    if not any(case.of_boards("ecb.wrap_frames")) and not invented:  # otherwise some frames are empty
        assert m["strobes"] >= data * (words + m["frames"]["merged"] + m["frames"]["built"])


@invariant("monitor.frames.merged")
def a_frame_holds_no_more_words_than_inputs(case: Case) -> None:
    if case.hardware:
        inputs = min(case.parameter("ecb.inputs"), case.parameter("nodes"))
        assert case["monitor.frames.merged"] <= case["monitor.frames.built"] * (inputs - 1)


@invariant("monitor.aliasing", "monitor.node_overruns", "monitor.discarded")
def the_ledger_knows_the_same_losses(case: Case) -> None:
    if case.hardware and len({case.data_per_word(b) for b in range(case.boards)}) == 1:
        nibbles = case.data_per_word(0) * case.nibbles_per_datum
        for key, stage in (("aliasing", "strobe_input"), ("node_overruns", "node_fifo")):
            judged(case, stage, case[f"monitor.{key}"] * nibbles)
        judged(case, "strobe_vector_fifo", case["monitor.discarded"] * nibbles)


def judged(case: Case, stage: str, nibbles: int) -> None:
    """Data falsified by the ERB count as lost there, whatever happens to them later."""
    if case.falsifies:
        assert case.lost(stage) <= nibbles
    else:
        assert case.lost(stage) == nibbles, stage


@invariant("monitor.windows_lost", "monitor.discarded")
def a_lost_window_had_words(case: Case) -> None:
    if case.hardware:
        lost, discarded = case["monitor.windows_lost"], case["monitor.discarded"]
        assert discarded <= lost * min(case.parameter("ecb.inputs"), case.parameter("nodes"))
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
        busy_s = case["logged_bytes"] / 4 * case.parameter("pbx.word_ns") * 1e-9
        assert busy_s <= case["monitor.end_s"] * case.boards * (1 + 1e-9)


@invariant("monitor.drain.bytes_kept", "monitor.drain.bytes_lost", "monitor.drain.peak_buffer_bytes")
@invariant("monitor.drain.interrupts", "monitor.drain.messages", "monitor.drain.reducing_s")
@invariant("monitor.drain.waiting_s", "monitor.drain.given_up")
def a_drain_program_does_what_it_is_for(case: Case) -> None:
    if not case.hardware:
        return
    drain, where, how = case["monitor.drain"], case.parameter("drain.destination"), case.parameter("drain.reduction")
    assert min(drain["reducing_s"], drain["waiting_s"], drain["bytes_kept"], drain["bytes_lost"]) >= 0
    assert drain["peak_buffer_bytes"] <= case.parameter("drain.memory_bytes")
    if how == "none":
        unread = case.has("pbx_error_probability")  # words that the bus corrupted are read, but belong to no frame
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
    each_us = case.parameter(datum_us) * case.parameter("ecb.inputs") if isinstance(datum_us, str) else 0.0
    of_last_frame_s = (case.parameter("drain.reduction_frame_us") + each_us) * 1e-6
    assert drain["reducing_s"] <= (case["monitor.end_s"] + of_last_frame_s) * case.boards + 1e-9


@invariant("monitor.garbage_nibbles")
def garbage_was_there_at_power_on(case: Case) -> None:
    if case.hardware:
        words = max(max(case.parameter("port.width_bits"), bits) for bits in case.of_boards("ecb.accumulate_bits"))
        frames = case.garbage_most
        if case.own_boards:
            frames += case["monitor.board.unmatched_frames"]
        most = frames * case.parameter("ecb.inputs") * words // 4
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
    # No interval has more frames than windows that end in it, plus one at each border.
    windows = sum(1e9 / window for window in case.of_boards("ecb.window_ns"))
    width = 2 * max(3.2e-3, last_capture_s(case)) / 4096
    assert max(frames) <= (interval + 2 * width) * windows + 3 * case.boards


def last_capture_s(case: Case) -> float:
    """Frames are captured before they are read."""
    return float(case["monitor.end_s"])


@invariant("rates.frames[]")
def rates_hold_all_that_the_nodes_wrote(case: Case) -> None:
    """If only the nodes' writes make frames, all frames are in the measured section, except at its ends."""
    if not case.hardware or any(case.of_boards("ecb.wrap_frames")) or case.parameter("workload") == "stream":
        return
    if case.has("garbage_frames", "pbx_error_probability") or case["monitor.drain.bytes_lost"]:
        return  # frames were read, but not captured or not kept
    if case.parameter("node.tick_ms") < 10:
        return  # at the end, nodes may still be writing ticks that are long past
    total, frames = 100 * case["rates.interval_s"], case["monitor.frames.drained"]
    window_s = max(case.of_boards("ecb.window_ns")) * 1e-9
    if window_s * 200 > total or case.parameter("erb.propagation_ns") * 1e-9 * 200 > total:
        return  # the section's ends are a considerable part of it
    bins = 2 * (1 + 2 * max(3.2e-3, last_capture_s(case)) / 4096 / min(case.of_boards("ecb.window_ns")) * 1e9)
    late = (case.parameter("erb.propagation_ns") + case.parameter("erb.skew_ns")) * 1e-9 + case.parameter(
        "ecb.reset_skew_ns"
    ) * 1e-9
    at_ends = case.boards * (bins + 4 + late / min(case.of_boards("ecb.window_ns")) * 1e9) + ticks_before(case)
    assert sum(case["rates.frames"]) >= frames - min(frames, at_ends), (sum(case["rates.frames"]), frames, at_ends)


def ticks_before(case: Case) -> float:
    """Upper bound of the frames of ticks that occur before the first node starts the program. A tick's record is at
    most as long as the mean record.
    """
    ticks = case.parameter("nodes") * math.ceil(
        case.parameter("node.start_spread_us") * 1e-3 / case.parameter("node.tick_ms")
    )
    data = case["ledger.generated.nibbles"] / max(1, case["ledger.generated.events"]) / case.nibbles_per_datum
    return float(ticks * math.ceil(data))


# Boards of the user's.


@invariant("monitor.board.unmatched_frames", "monitor.board.unmatched_reports")
@invariant("monitor.board.values[].board", "monitor.board.values[].key", "monitor.board.values[].value")
@invariant("monitor.board.values[].unit", "monitor.board.values[].description")
def a_board_of_the_users_speaks_for_itself(case: Case) -> None:
    if not case.hardware:
        return
    assert ("board" in case["monitor"]) == case.own_boards
    if not case.own_boards:
        return
    own = case["monitor.board"]
    assert 0 <= own["unmatched_frames"] <= case["monitor.frames.drained"]
    assert own["unmatched_reports"] >= 0
    names = [(value["board"], value["key"]) for value in own["values"]]
    assert len(set(names)) == len(names)
    assert all(board < case.boards for board, _ in names)


@invariant("monitor.board.lockstep.equal_frames", "monitor.board.lockstep.differences")
@invariant("monitor.board.lockstep.first.board", "monitor.board.lockstep.first.window")
@invariant("monitor.board.lockstep.first.input", "monitor.board.lockstep.first.time_s")
@invariant("monitor.board.lockstep.first.expected", "monitor.board.lockstep.first.actual")
def a_comparison_with_the_model_has_a_first_difference_if_it_has_any(case: Case) -> None:
    if not case.hardware or not case.own_boards:
        return
    assert ("lockstep" in case["monitor.board"]) == (case.parameter("ecb.lockstep") != "none")
    if "lockstep" not in case["monitor.board"]:
        return
    found = case["monitor.board.lockstep"]
    assert 0 <= found["equal_frames"] <= case["monitor.frames.drained"]
    first = found["first"]
    assert (first is None) == (found["differences"] == 0)
    if first is None:
        return
    assert first["board"] < case.boards
    assert first["window"] >= 0
    assert first["input"] is None or 0 <= first["input"] < int(case.parameter("ecb.inputs"))
    assert first["time_s"] >= 0
    assert first["expected"] != first["actual"]


# The bus.


@invariant("monitor.pbx.drain_waited_s", "monitor.pbx.longest_wait_us", "monitor.pbx.second_bursts")
@invariant("monitor.pbx.second_waited_s")
def who_waits_for_the_bus_waits_for_another_that_has_it(case: Case) -> None:
    if not case.hardware:
        return
    assert ("pbx" in case["monitor"]) == (case.parameter("dma.words") > 0)
    if not case.parameter("dma.words"):
        return
    bus = case["monitor.pbx"]
    assert min(bus["drain_waited_s"], bus["second_waited_s"], bus["second_bursts"]) >= 0
    assert 0 <= bus["longest_wait_us"] <= bus["drain_waited_s"] * 1e6 * (1 + 1e-9)
    assert (bus["longest_wait_us"] > 0) == (bus["drain_waited_s"] > 0)
    burst_us = (
        case.parameter("dma.words") * case.parameter("pbx.word_ns") + case.parameter("pbx.burst_start_ns")
    ) * 1e-3
    assert bus["drain_waited_s"] * 1e6 <= bus["second_bursts"] * burst_us * (1 + 1e-9)
    if case.parameter("dma.arbitration") != "second_first":
        assert bus["longest_wait_us"] <= burst_us * (1 + 1e-9), "at most what is under way ends first"
