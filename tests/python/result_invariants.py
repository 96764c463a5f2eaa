"""What is true of every result, whatever was simulated: a named predicate for each key, or for keys that belong together.

A predicate is told a result and its specification, and knows what the simulator knows: conservation, the shape of
series, limits of what a unit can do, what a fault or a policy can cause and what it cannot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypermon import worker
from hypermon.scenario import Spec
from hypermon.schema import flat

EDGE_NS = 50
GARBAGE = "faults.garbage_frames"
INVARIANTS: dict[str, list[Callable[[Case], None]]] = {}
Predicate = Callable[["Case"], None]


def invariant(*keys: str) -> Callable[[Predicate], Predicate]:
    """Of these described keys."""

    def add(predicate: Predicate) -> Predicate:
        for key in keys:
            INVARIANTS.setdefault(key, []).append(predicate)
        return predicate

    return add


@dataclass(frozen=True)
class Case:
    """A result, and what it is of."""

    result: Mapping[str, Any]
    spec: Spec

    def __getitem__(self, path: str) -> Any:
        value: Any = self.result
        for name in path.split("."):
            value = value[name]
        return value

    def of(self, path: str) -> Any:
        """A parameter."""
        return self.spec.values[path]

    @property
    def monitor(self) -> str:
        return str(self.of("monitor"))

    @property
    def hardware(self) -> bool:
        return self.monitor == "hypermon"

    @property
    def boards(self) -> int:
        return -(-int(self.of("nodes")) // int(self.of("ecb.inputs")))

    def of_boards(self, path: str) -> list[Any]:
        """A parameter of ecb, of every board."""
        name = path.partition(".")[2]
        return [self.spec.values.get(f"ecb[{b}].{name}", self.of(path)) for b in range(self.boards)]

    @property
    def nibbles_per_datum(self) -> int:
        return int(self.of("port.width_bits")) // 4

    def data_per_word(self, board: int) -> int:
        bits = int(self.of_boards("ecb.accumulate_bits")[board])
        return max(1, bits // int(self.of("port.width_bits")))

    def lost(self, stage: str, cause: str | None = None, unit: str = "nibbles") -> int:
        entries = self["ledger.lost"]
        return sum(e[unit] for e in entries if e["stage"] == stage and cause in (None, e["cause"]))

    def has(self, *faults: str) -> bool:
        """Is one of these faults injected?"""
        return any(self.of(f"faults.{fault}") for fault in faults)

    @property
    def falsifies(self) -> bool:
        """Can a datum arrive with another value than it had?"""
        return self.has("bit_error_probability", "skew_ns")

    @property
    def garbage_most(self) -> int:
        """Frames that were in the FIFOs at power-on."""
        return sum(min(int(self.of(GARBAGE)), depth) for depth in self.of_boards("ecb.frame_fifo_frames"))

    @property
    def words(self) -> list[tuple[int, int]]:
        """Of every board: the fewest and the most words of a frame."""
        found = []
        for board, bits in enumerate(self.of_boards("ecb.timestamp_bits")):
            word_bits = max(int(self.of("port.width_bits")), int(self.of_boards("ecb.accumulate_bits")[board]))
            most = -(-int(self.of("ecb.inputs")) * word_bits // 32) + 1 + -(-int(bits) // 32)
            on_request = self.of_boards("ecb.timestamp_policy")[board] == "on_request"
            found.append((most - -(-int(bits) // 32) if on_request else most, most))
        return found


def violations(result: Mapping[str, Any], spec: Spec) -> list[str]:
    """Names of the invariants that do not hold, with what they compared."""
    case = Case(result, spec)
    found = []
    for predicate in dict.fromkeys(p for predicates in INVARIANTS.values() for p in predicates):
        try:
            predicate(case)
        except (AssertionError, KeyError, TypeError) as error:
            found.append(f"{predicate.__name__}: {type(error).__name__} {error}")
    return found


def close(a: float, b: float, tolerance: float = 1e-9) -> bool:
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def numbers(value: Any, path: str = "") -> list[tuple[str, float]]:
    """All of a result's own."""
    if isinstance(value, Mapping):
        return [pair for name, inner in value.items() for pair in numbers(inner, f"{path}.{name}" if path else name)]
    if isinstance(value, list):
        return [pair for inner in value for pair in numbers(inner, path)]
    return [(path, value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


# What was asked, and what the program did.


@invariant("scenario", "spec", "versions")
def says_what_was_run(case: Case) -> None:
    assert case["scenario"] == case.spec.scenario
    said = flat(case["spec"])
    # A board's own value that is that of all boards is left out.
    asked = {p: v for p, v in case.spec.values.items() if "[" not in p or v != case.of(re.sub(r"\[\d+\]", "", p))}
    assert said == asked, {p for p in said.keys() | asked.keys() if said.get(p) != asked.get(p)}
    assert case["versions"] == dict(worker.schema().versions)


@invariant("warnings")
def warns_only_of_nx2s_catalogue_where_there_is_no_nx2(case: Case) -> None:
    """A monitor that sees no communication of SMPI's messages; under NX/2's every catalogue sees what it asks for."""
    if case.of("machine.messages") == "nx2" or case.of("monitor") == "none":
        assert "warnings" not in case.result
    elif case.of("instrumentation.catalogue") == "nx2":
        assert [text.partition(":")[0] for text in case["warnings"]] == ["instrumentation.catalogue = nx2"]


@invariant("fingerprint")
def fingerprint_is_64_bits(case: Case) -> None:
    assert re.fullmatch("[0-9a-f]{16}", case["fingerprint"])


@invariant("elapsed_s")
def the_longest_rank_is_the_run(case: Case) -> None:
    assert case["elapsed_s"] == max(rank["elapsed_s"] for rank in case["ranks"])


@invariant("ranks[].elapsed_s", "ranks[].compute_s", "ranks[].mpi_s", "ranks[].monitor_s", "ranks[].events")
def a_rank_computes_communicates_or_emits(case: Case) -> None:
    assert len(case["ranks"]) == case.of("nodes") * case.of("cpu.ranks_per_node")
    for rank in case["ranks"]:
        parts = [rank[name] for name in ("compute_s", "mpi_s", "monitor_s")]
        assert close(sum(parts), rank["elapsed_s"], 1e-11)
        assert min(*parts, rank["events"]) >= 0, rank


@invariant("ranks[].monitor_s")
def without_a_monitor_nothing_is_emitted(case: Case) -> None:
    if case.monitor == "none":
        assert {(rank["monitor_s"], rank["events"]) for rank in case["ranks"]} == {(0, 0)}


@invariant("events", "event_bytes")
def events_are_those_of_the_ranks(case: Case) -> None:
    of_nodes = case["ranks"][:: case.of("cpu.ranks_per_node")]
    assert case["events"] == sum(rank["events"] for rank in of_nodes)
    assert (case["event_bytes"] > 0) == (case["events"] > 0)
    assert case["event_bytes"] <= 64 * case["events"]


@invariant("cpu.nodes[].working_s", "cpu.nodes[].kernel_s", "cpu.nodes[].switching_s", "cpu.nodes[].idle_s")
@invariant("cpu.nodes[].switches", "cpu.ranks[].used_s", "cpu.ranks[].waited_s", "cpu.ranks[].switches")
def processors_do_one_thing_at_a_time(case: Case) -> None:
    if "cpu" not in case.result:
        return
    nodes, ranks = case["cpu.nodes"], case["cpu.ranks"]
    assert (len(nodes), len(ranks)) == (case.of("nodes"), len(case["ranks"]))
    totals = {sum(node[f"{what}_s"] for what in ("working", "kernel", "switching", "idle")) for node in nodes if node}
    assert max(totals) - min(totals) < 1e-9, "all from 0 to the program's end"
    for rank, cpu in enumerate(ranks):
        node = nodes[rank // case.of("cpu.ranks_per_node")]
        assert (cpu is None) == (node is None)
        if cpu:
            assert min(cpu.values()) >= 0
            assert cpu["used_s"] <= node["working_s"] + 1e-9
            assert cpu["used_s"] + cpu["waited_s"] <= max(totals) / case.of("cpu.processors") + 1e-9
            assert cpu["switches"] <= node["switches"]


@invariant("bursts.interval_ms", "bursts.bytes", "bursts.mean_bytes_per_s")
@invariant("bursts.max_1ms_bytes_per_s", "bursts.max_20ms_bytes_per_s")
def bursts_are_parts_of_the_whole(case: Case) -> None:
    total = case["bursts.bytes"]
    assert case["bursts.interval_ms"] == 1
    assert (total > 0) == (case["events"] > 0)
    assert close(case["bursts.mean_bytes_per_s"] * case["elapsed_s"], total, 1e-6)
    for length, key in ((1e-3, "bursts.max_1ms_bytes_per_s"), (20e-3, "bursts.max_20ms_bytes_per_s")):
        assert case[key] * length <= total * (1 + 1e-9)
        span = case["elapsed_s"] + case.of("node.start_spread_us") * 1e-6  # ranks begin that much apart
        assert case[key] * (2 * length + span) >= total * (1 - 1e-9)
    assert case["bursts.max_1ms_bytes_per_s"] >= case["bursts.max_20ms_bytes_per_s"] * (1 - 1e-9)


# The ledger.


@invariant("ledger.unit", "ledger.generated", "ledger.delivered", "ledger.in_flight", "ledger.lost_total")
@invariant("ledger.lost[]")
def every_unit_and_event_is_accounted_for(case: Case) -> None:
    ledger = case["ledger"]
    assert ledger["unit"] == ("nibbles" if case.hardware else "bytes")
    for unit in (ledger["unit"], "events"):
        amount = {key: ledger[key][unit] for key in ("generated", "delivered", "in_flight", "lost_total")}
        lost = [entry[unit] for entry in ledger["lost"]]
        assert min(*amount.values(), *lost, 0) >= 0, amount
        assert amount["generated"] == amount["delivered"] + amount["in_flight"] + amount["lost_total"]
        assert amount["lost_total"] == sum(lost)
    assert ledger["generated"]["events"] == case["events"]
    assert len({(entry["stage"], entry["cause"]) for entry in ledger["lost"]}) == len(ledger["lost"])


@invariant("ledger.in_flight")
def nothing_is_under_way_at_the_end(case: Case) -> None:
    assert case["ledger.in_flight"] == {case["ledger.unit"]: 0, "events": 0}


@invariant("ledger.lost[]")
def a_loss_has_a_cause_that_is_there(case: Case) -> None:
    if not case.hardware:
        return
    causes = {
        ("erb", "dropped_strobe"): case.has("drop_probability"),
        ("erb", "stuck_strobe"): case.has("stuck_for_ms"),
        ("erb", "skew"): case.has("skew_ns"),
        ("erb", "bit_error"): case.has("bit_error_probability"),
        ("board", "reset"): case.has("reset_at_us"),
        ("pbx", "bus_error"): case.has("pbx_error_probability"),
        ("frame_fifo", "reader_stopped"): case.has("reader_stops_for_ms"),
        ("io_node", "memory_full"): case.of("drain.destination") != "discard",
        ("accumulator", "incomplete_word"): any(case.of_boards("ecb.accumulate_bits")),
        ("frame_fifo", "overrun"): any(p != "stall" for p in case.of_boards("ecb.frame_fifo_full")),
    }
    for entry in case["ledger.lost"]:
        if entry["nibbles"] or entry["events"]:
            assert causes.get((entry["stage"], entry["cause"]), True), entry


@invariant("ledger.delivered")
def what_nothing_hurt_arrives(case: Case) -> None:
    """Of ports whose data are at least three windows apart: only then the decoder promises it."""
    if not case.hardware or case["ledger.lost_total.nibbles"] or case["monitor.ambiguous_silences"]:
        return
    port = [float(case.of(f"port.{name}")) for name in ("nibble_cost_ns", "delay", "delay_iteration_ns")]
    pitches = [(port[0] + port[1] * port[2]) * case.data_per_word(board) for board in range(case.boards)]
    resolved = all(p >= 3.01 * w for p, w in zip(pitches, case.of_boards("ecb.window_ns"), strict=True))
    if resolved and not case.falsifies and not case.has("garbage_frames", "reset_at_us"):
        assert case["ledger.lost_total.events"] == 0


@invariant("logged_bytes")
def logged_is_what_the_monitor_wrote(case: Case) -> None:
    if case.monitor == "none":
        assert case["logged_bytes"] == 0
    elif case.monitor == "software":
        assert case["logged_bytes"] == case["ledger.delivered.bytes"]
    else:
        assert case["logged_bytes"] == case["monitor.drain.bytes_read"]


@invariant("monitor.buffer_bytes[]")
def a_trace_buffer_holds_no_more_than_it_has(case: Case) -> None:
    if case.monitor == "software":
        buffers = case["monitor.buffer_bytes"]
        assert len(buffers) == case.of("nodes")
        assert sum(buffers) == case["logged_bytes"]
        assert min(buffers) >= 0
        assert max(buffers) <= case.of("software.buffer_bytes")


@invariant("monitor.overrun", "monitor.first_overrun_s")
def an_overrun_has_a_time(case: Case) -> None:
    if case.monitor == "none":
        assert case["monitor"] == {}
        return
    first = case["monitor.first_overrun_s"]
    lost = case["monitor.frames.lost"] if case.hardware else case["ledger.lost_total.bytes"]
    assert case["monitor.overrun"] == (lost > 0) == (first is not None)
    if first is not None:
        assert first >= 0
        if case.hardware and not case.has("reset_at_us"):
            assert first <= case["monitor.end_s"], "what the FIFO was full of is read later"


# The hardware.


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


# What the monitor says of time.


@invariant("latency_us.p50", "latency_us.p99", "latency_us.max")
@invariant("latency_us.distribution.upper_us[]", "latency_us.distribution.events[]")
def latency_is_that_of_the_delivered_events(case: Case) -> None:
    latency = case["latency_us"]
    if not case.hardware:
        assert latency is None
        return
    delivered = case["ledger.delivered.events"]
    assert (latency is None) == (delivered == 0)
    if latency is None:
        return
    assert 0 < latency["p50"] <= latency["p99"] <= latency["max"]
    upper, events = latency["distribution"]["upper_us"], latency["distribution"]["events"]
    assert sum(events) == delivered
    assert min(events) >= 0
    assert len(upper) == len(events) <= 100
    assert upper == sorted(set(upper))
    # No event arrives before its own data have been written, read and stamped.
    least = min(least for least, _ in case.words) * case.of("pbx.word_ns") * 1e-3
    assert latency["p50"] >= least
    assert latency["max"] * 1e-6 <= max(case["monitor.end_s"], 0) + 1e-9


@invariant("timestamp_error_us.min", "timestamp_error_us.mean", "timestamp_error_us.max")
def timestamps_are_wrong_by_what_makes_them_so(case: Case) -> None:
    error = case["timestamp_error_us"]
    if case.monitor == "none":
        assert error is None
        return
    assert (error is None) == (case["ledger.delivered.events"] == 0)
    if error is None:
        return
    assert error["min"] <= error["mean"] + 1e-6
    assert error["mean"] <= error["max"] + 1e-6
    if case.monitor == "software":
        drift = case.of("node.clock_drift_ppm") * 1e-6 * (case["elapsed_s"] + 1) * 1e6
        worst = case.of("node.clock_offset_us") + drift + case.of("node.clock_resolution_ns") * 1e-3
        assert max(-error["min"], error["max"]) <= worst + 1e-6


@invariant("causality_violations")
def causality_needs_messages(case: Case) -> None:
    assert 0 <= case["causality_violations"] <= case["ledger.delivered.events"]
    if case.monitor == "none" or case.of("workload") in ("generator", "stream"):
        assert case["causality_violations"] == 0


# Rates.


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


@invariant("program.compute", "program.charges", "program.charged_s", "program.regions")
@invariant("program.unmeasured_regions", "program.unmeasured_passes")
def a_program_is_charged_what_it_says(case: Case) -> None:
    if case.of("workload") != "program":
        assert "program" not in case.result
        return
    program = case["program"]
    assert program["compute"] == case.of("program.compute")
    if program["compute"] == "zero" or "charges" not in program:
        return
    assert program["charges"] >= 0
    assert (program["charged_s"] > 0) <= (program["charges"] > 0)
    compute = sum(rank["compute_s"] for rank in case["ranks"])
    assert compute <= program["charged_s"] * (1 + 1e-3) + 1e-9
    if program["compute"] == "calibrated":
        assert (program["unmeasured_passes"] == 0) == (program["unmeasured_regions"] == 0)
        assert program["regions"] >= 0


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


@invariant("elapsed_s")
def every_number_is_finite(case: Case) -> None:
    assert [(path, value) for path, value in numbers(case.result) if not math.isfinite(value)] == []
