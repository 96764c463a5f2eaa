# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of every result, whatever was simulated: a named predicate for each key or group of keys.

A predicate has a result and its specification. It checks what the simulator guarantees: conservation, the shape of
series, limits of units, and the possible effects of faults and policies. Predicates of a monitor's own keys are in
`tests/monitors/<name>/invariants.py`, those of a workload's in `tests/workloads/<name>/`.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypermon._model import monitors, worker
from hypermon._model.result import TOO_FEW
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.registered import KINDS, load

INVARIANTS: dict[str, list[Callable[[Case], None]]] = {}
Predicate = Callable[["Case"], None]


def invariant(*keys: str) -> Callable[[Predicate], Predicate]:
    """Registers an invariant of these described keys."""

    def add(predicate: Predicate) -> Predicate:
        for key in keys:
            INVARIANTS.setdefault(key, []).append(predicate)
        return predicate

    return add


@dataclass(frozen=True)
class Case:
    """A result, and its specification."""

    result: Mapping[str, Any]
    spec: Spec

    def __getitem__(self, path: str) -> Any:
        value: Any = self.result
        for name in path.split("."):
            value = value[name]
        return value

    def parameter(self, path: str) -> Any:
        """A parameter."""
        return self.spec.values[path]

    @property
    def monitor(self) -> str:
        return str(self.parameter("monitor"))

    def lost(self, stage: str, cause: str | None = None, unit: str = "nibbles") -> int:
        entries = self["ledger.lost"]
        return sum(e[unit] for e in entries if e["stage"] == stage and cause in (None, e["cause"]))


def violations(result: Mapping[str, Any], spec: Spec) -> list[str]:
    """Names of the invariants that do not hold, with the values that they compared."""
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
    """All numbers in a result, with their paths."""
    if isinstance(value, Mapping):
        return [pair for name, inner in value.items() for pair in numbers(inner, f"{path}.{name}" if path else name)]
    if isinstance(value, list):
        return [pair for inner in value for pair in numbers(inner, path)]
    return [(path, value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


# Settings of the run, and the program's activity.


@invariant("scenario", "spec", "versions")
def says_what_was_run(case: Case) -> None:
    assert case["scenario"] == case.spec.scenario
    in_result = flat(case["spec"])
    # A board's own value that equals that of all boards is left out.
    asked = {
        p: v for p, v in case.spec.values.items() if "[" not in p or v != case.parameter(re.sub(r"\[\d+\]", "", p))
    }
    assert in_result == asked, {p for p in in_result.keys() | asked.keys() if in_result.get(p) != asked.get(p)}
    assert case["versions"] == dict(worker.schema().versions)


@invariant("warnings")
def warns_only_of_nx2s_catalogue_where_there_is_no_nx2_and_of_rare_samples(case: Case) -> None:
    """Only a monitor that does not see communication may warn. Under NX/2's messages every catalogue sees the events
    that it names.
    """
    found = [text for text in case.result.get("warnings", ()) if not text.startswith("machine.messages = ")]
    others = [text for text in found if not text.startswith(TOO_FEW)]
    assert len(found) - len(others) <= 1
    if case.parameter("machine.messages") == "nx2" or case.parameter("monitor") == "none":
        assert others == []
    elif case.parameter("instrumentation.catalogue") == "nx2":
        assert [text.partition(":")[0] for text in others] == ["instrumentation.catalogue = nx2"]


@invariant("unmodelled_calls[].function", "unmodelled_calls[].calls")
def calls_without_a_model_are_named_once_and_warned_of(case: Case) -> None:
    found = case.result.get("unmodelled_calls", [])
    functions = [call["function"] for call in found]
    assert sorted(set(functions)) == sorted(functions)
    assert all(name.startswith("MPI_") and call["calls"] > 0 for name, call in zip(functions, found, strict=True))
    warned = [text for text in case.result.get("warnings", ()) if " has no model of these calls: " in text]
    assert len(warned) <= 1
    for text in warned:
        listed = re.findall(r"(MPI_\w+) \(([0-9]+)\)", text)
        assert {name: int(calls) for name, calls in listed}.items() <= {
            c["function"]: c["calls"] for c in found
        }.items()


@invariant("fingerprint")
def fingerprint_is_64_bits(case: Case) -> None:
    assert re.fullmatch("[0-9a-f]{16}", case["fingerprint"])


@invariant("elapsed_s")
def the_longest_rank_is_the_run(case: Case) -> None:
    """A run with a program ends with its last rank."""
    assert case["elapsed_s"] == max((rank["elapsed_s"] for rank in case["ranks"]), default=case["elapsed_s"])


@invariant("neighbours[].workload", "neighbours[].nodes", "neighbours[].begin_s", "neighbours[].end_s")
@invariant("neighbours[].elapsed_s")
def neighbours_are_those_that_were_asked_for(case: Case) -> None:
    found = case.result.get("neighbours", [])
    assert len(found) == case.parameter("neighbour.count")
    for neighbour in found:
        assert (neighbour["workload"], neighbour["nodes"]) == (
            case.parameter("neighbour.workload"),
            case.parameter("neighbour.nodes"),
        )
        begin, end = neighbour["begin_s"], neighbour["end_s"]
        assert case.parameter("neighbour.until") == "program_end" or end is not None
        assert (neighbour["elapsed_s"] is None) == (begin is None or end is None)
        assert end is None or close(end - begin, neighbour["elapsed_s"])


@invariant("ranks[].elapsed_s", "ranks[].compute_s", "ranks[].mpi_s", "ranks[].monitor_s", "ranks[].events")
def a_rank_computes_communicates_or_emits(case: Case) -> None:
    places = case.parameter("nodes") * case.parameter("cpu.ranks_per_node")
    assert len(case["ranks"]) == (0 if case.parameter("workload") == "idle" else places)
    for rank in case["ranks"]:
        parts = [rank[name] for name in ("compute_s", "mpi_s", "monitor_s")]
        assert close(sum(parts), rank["elapsed_s"], 1e-11)
        assert min(*parts, rank["events"]) >= 0, rank


@invariant("ranks[].monitor_s")
def without_a_monitor_nothing_is_emitted(case: Case) -> None:
    if case.monitor == "none":
        assert {(rank["monitor_s"], rank["events"]) for rank in case["ranks"]} <= {(0, 0)}


@invariant("events", "event_bytes")
def events_are_those_of_the_ranks(case: Case) -> None:
    of_nodes = case["ranks"][:: case.parameter("cpu.ranks_per_node")]
    assert case["events"] == sum(rank["events"] for rank in of_nodes)
    assert (case["event_bytes"] > 0) == (case["events"] > 0)
    assert case["event_bytes"] <= 64 * case["events"]


@invariant("cpu.nodes[].working_s", "cpu.nodes[].kernel_s", "cpu.nodes[].switching_s", "cpu.nodes[].idle_s")
@invariant("cpu.nodes[].switches", "cpu.ranks[].used_s", "cpu.ranks[].waited_s", "cpu.ranks[].switches")
def processors_do_one_thing_at_a_time(case: Case) -> None:
    if "cpu" not in case.result:
        return
    nodes, ranks = case["cpu.nodes"], case["cpu.ranks"]
    assert (len(nodes), len(ranks)) == (case.parameter("nodes"), len(case["ranks"]))
    totals = {sum(node[f"{what}_s"] for what in ("working", "kernel", "switching", "idle")) for node in nodes if node}
    assert max(totals) - min(totals) < 1e-9, "all from 0 to the program's end"
    for rank, cpu in enumerate(ranks):
        node = nodes[rank // case.parameter("cpu.ranks_per_node")]
        assert (cpu is None) == (node is None)
        if cpu:
            assert min(cpu.values()) >= 0
            assert cpu["used_s"] <= node["working_s"] + 1e-9
            assert cpu["used_s"] + cpu["waited_s"] <= max(totals) / case.parameter("cpu.processors") + 1e-9
            assert cpu["switches"] <= node["switches"]


@invariant("memory.ranks[].page_faults", "memory.ranks[].pages_read", "memory.ranks[].waited_s")
def pages_that_are_read_are_faults_and_are_waited_for(case: Case) -> None:
    assert ("memory" in case.result) == (case.parameter("memory.node_mb") > 0)
    ranks = case["memory.ranks"] if "memory" in case.result else []
    assert len(ranks) in (0, len(case["ranks"]))
    for rank in ranks:
        assert 0 <= rank["pages_read"] <= rank["page_faults"]
        assert math.isclose(
            rank["waited_s"], rank["pages_read"] * case.parameter("memory.read_ms") * 1e-3, abs_tol=1e-9
        )


@invariant("bursts.interval_ms", "bursts.bytes", "bursts.mean_bytes_per_s")
@invariant("bursts.max_1ms_bytes_per_s", "bursts.max_20ms_bytes_per_s")
def bursts_are_parts_of_the_whole(case: Case) -> None:
    total = case["bursts.bytes"]
    assert case["bursts.interval_ms"] == 1
    assert (total > 0) == (case["events"] > 0)
    assert close(case["bursts.mean_bytes_per_s"] * case["elapsed_s"], total, 1e-6)
    for length, key in ((1e-3, "bursts.max_1ms_bytes_per_s"), (20e-3, "bursts.max_20ms_bytes_per_s")):
        assert case[key] * length <= total * (1 + 1e-9)
        # ranks begin at times that differ by up to this
        span = case["elapsed_s"] + case.parameter("node.start_spread_us") * 1e-6
        assert case[key] * (2 * length + span) >= total * (1 - 1e-9)
    assert case["bursts.max_1ms_bytes_per_s"] >= case["bursts.max_20ms_bytes_per_s"] * (1 - 1e-9)


# The ledger.


@invariant("ledger.unit", "ledger.generated", "ledger.delivered", "ledger.in_flight", "ledger.lost_total")
@invariant("ledger.lost[]")
def every_unit_and_event_is_accounted_for(case: Case) -> None:
    ledger = case["ledger"]
    assert monitors.find(case.monitor).unit in ("", ledger["unit"])
    for unit in (ledger["unit"], "events"):
        amount = {key: ledger[key][unit] for key in ("generated", "delivered", "in_flight", "lost_total")}
        lost = [entry[unit] for entry in ledger["lost"]]
        assert min(*amount.values(), *lost, 0) >= 0, amount
        assert amount["generated"] == amount["delivered"] + amount["in_flight"] + amount["lost_total"]
        assert amount["lost_total"] == sum(lost)
    is_own = monitors.find(case.monitor).own or case.spec.values["software.traces"] == "process"
    assert ledger["generated"]["events"] == case["events"] or is_own
    assert len({(entry["stage"], entry["cause"]) for entry in ledger["lost"]}) == len(ledger["lost"])


@invariant("ledger.in_flight")
def nothing_is_under_way_at_the_end(case: Case) -> None:
    assert case["ledger.in_flight"] == {case["ledger.unit"]: 0, "events": 0}


@invariant("logged_bytes")
def who_sees_nothing_writes_nothing(case: Case) -> None:
    assert case["logged_bytes"] >= 0
    if case.monitor == "none":
        assert case["logged_bytes"] == 0


@invariant("monitor.overrun", "monitor.first_overrun_s")
def an_overrun_has_a_time(case: Case) -> None:
    if case.monitor == "none":
        assert case["monitor"] == {}
    elif "overrun" in case["monitor"]:
        first = case["monitor.first_overrun_s"]
        assert case["monitor.overrun"] == (first is not None)
        assert first is None or first >= 0


# Times that the monitor reports.


@invariant("latency_us.p50", "latency_us.p99", "latency_us.max")
@invariant("latency_us.distribution.upper_us[]", "latency_us.distribution.events[]")
def latency_is_that_of_the_delivered_events(case: Case) -> None:
    latency = case["latency_us"]
    if latency is None:
        return
    assert 0 < latency["p50"] <= latency["p99"] <= latency["max"]
    upper, events = latency["distribution"]["upper_us"], latency["distribution"]["events"]
    assert sum(events) == case["ledger.delivered.events"]
    assert min(events) >= 0
    assert len(upper) == len(events) <= 100
    assert upper == sorted(set(upper))


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


@invariant("causality_violations")
def causality_needs_messages(case: Case) -> None:
    seen = "generated" if monitors.find(case.monitor).own else "delivered"
    assert 0 <= case["causality_violations"] <= case[f"ledger.{seen}.events"]
    if case.monitor == "none" or case.parameter("workload") in ("generator", "stream"):
        assert case["causality_violations"] == 0


@invariant("elapsed_s")
def every_number_is_finite(case: Case) -> None:
    assert [(path, value) for path, value in numbers(case.result) if not math.isfinite(value)] == []


TYPES: dict[str, Any] = {"int": int, "float": (int, float), "bool": bool, "str": str, "list[str]": list}
"""Types of declared keys; an object of another type is a mapping."""


def values_of(value: Any, path: str) -> list[Any]:
    """All values of a declared key; a group that is null or absent has none."""
    if path == "":
        return [value]
    name, _, rest = path.partition(".")
    if value is None or name.removesuffix("[]") not in value:
        return []
    inner = value[name.removesuffix("[]")]
    if not name.endswith("[]"):
        return values_of(inner, rest)
    return [found for element in inner or () for found in values_of(element, rest)]


def is_of_type(value: Any, entry: Mapping[str, Any]) -> bool:
    """True if the value has the declared type, or is null where the declaration allows it."""
    if value is None:
        return bool(entry["may_be_null"])
    return isinstance(value, TYPES.get(entry["type"], Mapping)) and isinstance(value, bool) == (entry["type"] == "bool")


@invariant("elapsed_s")
def every_value_is_of_its_declared_type(case: Case) -> None:
    wrong = [
        (entry["path"], value)
        for entry in worker.schema().results
        for value in values_of(case.result, entry["path"])
        if not is_of_type(value, entry)
    ]
    assert wrong == []


SIGNED = re.compile(
    r"(.*\.)?timestamp_error_us\.(min|mean|max)"  # early or late
    r"|monitor\.clock\.nodes\.(before_local_ps|before_monitor_ps|after_local_ps|after_monitor_ps|offset_us|drift_ppm)"
    r"|monitor\.clock\.nodes\.(before|after)_bound_us"  # where a probe was faster than cristian.min_us allows
    r"|monitor\.clocks\.nodes\.(before|after|shift)_us"
    r"|monitor\.trace\.clocks\.processes\.(begin|end)_us"
    r"|stream\.begin"  # times of any origin
)


@invariant("elapsed_s")
def no_time_count_or_share_is_below_zero(case: Case) -> None:
    """Differences of clocks are the exception: their sign shows the direction."""
    own = {key: value for key, value in case.result.items() if key != "spec"}
    assert [(path, value) for path, value in numbers(own) if value < 0 and not SIGNED.fullmatch(path)] == []


MPIIO = "mpiio.{}".format
STRATEGIES = ("contiguous", "pieces", "lists", "datatype", "sieving", "two_phase")


@invariant(*map(MPIIO, ("functions", "ignored_hints[]", "two_phase.calls", "two_phase.rounds")))
@invariant(*map(MPIIO, ("two_phase.messages", "two_phase.bytes")))
@invariant(*(MPIIO(f"files[].{key}") for key in ("name", "bytes", "opened", "read_bytes", "written_bytes")))
@invariant(*(MPIIO(f"requests.{key}") for key in (*STRATEGIES, "sieving_reads_before", "two_phase_reads_before")))
def files_have_what_calls_moved(case: Case) -> None:
    assert ("mpiio" in case.result) == (case.parameter("mpiio.file_system") != "smpi")
    if "mpiio" not in case.result:
        return
    found = case["mpiio"]
    for calls in found["functions"].values():
        assert calls["calls"] > 0
        assert 0 <= calls["shortest_s"] <= calls["longest_s"] <= calls["seconds"] * (1 + 1e-12)
        assert calls["seconds"] <= calls["calls"] * calls["longest_s"] * (1 + 1e-12)
    moved = sum(calls["bytes"] for calls in found["functions"].values())
    held = sum(file["read_bytes"] + file["written_bytes"] for file in found["files"])
    assert held <= moved  # a deleted file is gone
    requests, exchanged = found["requests"], found["two_phase"]
    assert (moved > 0) == (sum(requests[key] for key in STRATEGIES) > 0)
    assert requests["sieving_reads_before"] <= requests["sieving"]
    assert exchanged["calls"] <= exchanged["rounds"]
    assert (requests["two_phase"] > 0) == (exchanged["calls"] > 0)
    assert exchanged["messages"] <= exchanged["bytes"] <= moved


SAMPLING = "sampling.{}".format


@invariant(*map(SAMPLING, ("taken", "delivered", "in_flight", "lost_total", "lost[]")))
def every_sample_is_accounted_for(case: Case) -> None:
    if "sampling" not in case.result:  # only monitors that sample have this group
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
    assert error["min"] <= error["mean"] <= error["max"] or close(error["min"], error["max"])  # a mean is rounded


FOOTPRINT = "footprint.{}".format
OF_PLACES = ("cpu_s", "busiest_cpu_s", "memory_bytes", "fullest_memory_bytes")


@invariant(*(FOOTPRINT(f"{places}.{key}") for places in ("nodes", "others") for key in OF_PLACES))
@invariant(FOOTPRINT("stored_bytes"))
@invariant(*(FOOTPRINT(f"networks[].{key}") for key in ("network", "bytes", "packets")))
def what_a_monitor_takes_of_the_machine_is_as_much_as_its_busiest_place_and_no_more_than_all_have(case: Case) -> None:
    found = case.result.get("footprint")
    if found is None:  # it takes nothing
        return
    for places in ("nodes", "others"):
        of = found[places]
        assert 0 <= of["busiest_cpu_s"] <= of["cpu_s"] * (1 + 1e-12)
        assert 0 <= of["fullest_memory_bytes"] <= of["memory_bytes"]
    nodes = case.parameter("nodes")
    assert found["nodes"]["cpu_s"] <= nodes * found["nodes"]["busiest_cpu_s"] * (1 + 1e-12)
    assert found["nodes"]["memory_bytes"] <= nodes * found["nodes"]["fullest_memory_bytes"]
    assert found["stored_bytes"] >= 0
    names = [one["network"] for one in found["networks"]]
    assert len(set(names)) == len(names)
    assert all(1 <= one["packets"] <= one["bytes"] for one in found["networks"])
    assert case.monitor != "none" or sum(found[p]["cpu_s"] + found[p]["memory_bytes"] for p in ("nodes", "others")) == 0


for platform in ("piosim", "nfs"):
    importlib.import_module(f"tests.{platform}.invariants")
for kind in KINDS:
    load(kind, "invariants")  # of the monitors' and workloads' own keys
