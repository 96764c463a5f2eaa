"""What is true of every result, whatever was simulated: a named predicate for each key, or for keys that belong together.

A predicate is told a result and its specification, and knows what the simulator knows: conservation, the shape of
series, limits of what a unit can do, what a fault or a policy can cause and what it cannot. Those of a monitor's own
keys are in `tests/monitors/<name>/invariants.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypermon._model import worker
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.monitors import load

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


@invariant("neighbours[].workload", "neighbours[].nodes", "neighbours[].begin_s", "neighbours[].end_s")
@invariant("neighbours[].elapsed_s")
def neighbours_are_those_that_were_asked_for(case: Case) -> None:
    found = case.result.get("neighbours", [])
    assert len(found) == case.of("neighbour.count")
    for neighbour in found:
        assert (neighbour["workload"], neighbour["nodes"]) == (
            case.of("neighbour.workload"),
            case.of("neighbour.nodes"),
        )
        begin, end = neighbour["begin_s"], neighbour["end_s"]
        assert case.of("neighbour.until") == "program_end" or end is not None
        assert (neighbour["elapsed_s"] is None) == (begin is None or end is None)
        assert end is None or close(end - begin, neighbour["elapsed_s"])


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


@invariant("elapsed_s")
def every_number_is_finite(case: Case) -> None:
    assert [(path, value) for path, value in numbers(case.result) if not math.isfinite(value)] == []


SAMPLING = "sampling.{}".format


@invariant(*map(SAMPLING, ("taken", "delivered", "in_flight", "lost_total", "lost[]")))
def every_sample_is_accounted_for(case: Case) -> None:
    if "sampling" not in case.result:  # only monitors that sample have it
        return
    found = case["sampling"]
    assert found["taken"] > 0
    assert found["lost_total"] == sum(entry["samples"] for entry in found["lost"])
    assert found["taken"] == found["delivered"] + found["in_flight"] + found["lost_total"]
    if case["ledger.unit"] == "samples":
        assert case["ledger.generated"]["samples"] == found["taken"]


@invariant(
    *map(SAMPLING, ("age_us.p50", "age_us.p99", "age_us.max")),
    *map(SAMPLING, ("age_us.distribution.upper_us[]", "age_us.distribution.events[]")),
    *map(SAMPLING, ("timestamp_error_us.min", "timestamp_error_us.mean", "timestamp_error_us.max")),
)
def ages_and_errors_are_of_the_samples_that_arrived(case: Case) -> None:
    if "sampling" not in case.result:
        return
    age, error = case["sampling.age_us"], case["sampling.timestamp_error_us"]
    assert (age is None) == (error is None) == (case["sampling.delivered"] == 0)
    if age is None:
        return
    assert 0 <= age["p50"] <= age["p99"] <= age["max"]
    assert sum(age["distribution"]["events"]) == case["sampling.delivered"]
    assert age["distribution"]["upper_us"] == sorted(age["distribution"]["upper_us"])
    assert error["min"] <= error["mean"] <= error["max"]


load("invariants")  # of what monitors have of their own
