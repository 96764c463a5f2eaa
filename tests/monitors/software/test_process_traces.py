# SPDX-License-Identifier: BSD-3-Clause
"""Traces of processes: costs and contents by closed forms, waiting between processes, and the effect of clocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.software import traces

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
HERE = Path(__file__).parent
# latency of two cables, rate of the network, rate of a disk, time of a server's request
LATENCY, RATE, DISK, REQUEST = 4e-6, 1e9, 2e9, 50e-6
ASKED, ANSWERED = 28, 15  # bytes of a request and of a reply
MACHINE = {
    "workload": "program",
    "program.file": str(HERE / "traced.c"),
    "monitor": "software",
    "software.traces": "process",
    "software.us_per_byte": 0,
    "machine.topology": "star",
    "machine.messages": "smpi",
    "machine.beside": 2,
    "machine.beside_on_network": True,
    "network.bandwidth_mb_per_s": RATE / 1e6,
    "network.short_hop_us": LATENCY * 1e6 / 2,
    "smpi.bandwidth_factor": "0:1",
    "smpi.latency_factor": "0:1",
    "server.count": 2,
    "server.place": "beside",
    "server[1].number": 1,
    "server.request_us": REQUEST * 1e6,
    "disk.mb_per_s": DISK / 1e6,
    "disk.seek_ms": 0,
    "disk.track_to_track_ms": 0,
    "disk.rotation": "none",
    "node.clock_drift_ppm": 0,
    "node.clock_offset_us": 0,
    "node.clock_resolution_ns": 1,
    "node.start_spread_us": 0,
    "node.tick_ms": 1000,
}
FLUSHES = {"software.when_full": "flush", "software.servers": "files"}
REGION, MESSAGE, COLLECTIVE, FLUSH = 12, 32, 11 + 37, 19


def run(folder: Path, arguments: str, **settings: Any) -> Any:
    given = {name.replace("__", "."): value for name, value in settings.items()}
    asked = {**MACHINE, "program.arguments": arguments, **given}
    return hypermon.run(settings=asked, out=folder, activity=True)


def rows(result: Any) -> Any:
    return traces.read(Path(result.path))


def kinds(result: Any) -> dict[str, int]:
    numbers, counts = np.unique(rows(result)["kind"], return_counts=True)
    return {traces.KINDS[number]: int(count) for number, count in zip(numbers, counts, strict=True)}


def write_s(size: int) -> float:
    """Duration of one process's write without contention: request and data, the server, its disk, the reply."""
    return 2 * LATENCY + (ASKED + size + ANSWERED) / RATE + REQUEST + size / DISK


def test_a_call_a_message_and_a_routine_are_records_of_their_own(tmp_path: Path) -> None:
    rounds, routines, nodes = 5, 3, 2
    result = run(tmp_path / "run", f"{rounds} {routines} 10 100 1", nodes=nodes)
    of_a_round = {"enter": 2, "leave": 2, "send": 1, "receive": 1, "collective_begin": 1, "collective_end": 1}
    of_a_round |= {"routine_enter": routines, "routine_leave": routines}
    found = {kind: rounds * nodes * count for kind, count in of_a_round.items()}
    for kind in ("leave", "enter"):  # MPI_Init returns, MPI_Finalize is called
        found[kind] += nodes
    assert kinds(result) == found
    bytes_ = nodes * (2 * REGION + rounds * ((4 + 2 * routines) * REGION + 2 * MESSAGE + COLLECTIVE))
    assert result["ledger"]["generated"] == {"bytes": bytes_, "events": sum(found.values())}
    assert result["ledger"]["delivered"] == result["ledger"]["generated"]
    assert result["latency_us"] is None  # records stay in memory


def test_records_cost_their_process_time(tmp_path: Path) -> None:
    settings = {"nodes": 1, "software.record_us": 0.5, "software.us_per_byte": 0.1}
    result = run(tmp_path / "run", "100 4 10 0 0", **settings)
    records = 100 * 4 * 2 + 2
    cost = records * (0.5e-6 + REGION * 0.1e-6)
    assert result["monitor"]["trace"]["recording_s"] == pytest.approx(cost, abs=1e-9)
    assert result["elapsed_s"] == pytest.approx(100 * 4 * 10e-6 + cost, abs=1e-9)


@pytest.mark.parametrize("write", [1 << 20, 500])
def test_a_full_buffer_is_written_while_its_process_waits(tmp_path: Path, write: int) -> None:
    capacity = 1200
    settings = {**FLUSHES, "nodes": 1, "software.buffer_bytes": capacity, "software.write_bytes": write}
    result = run(tmp_path / "run", "1000 1 10 0 0", **settings)
    # The first flush has 100 records; each later one has the flush's own and 98 more.
    records, flushes, of_one = 2002, 0, capacity // REGION
    while records > of_one:
        records, flushes, of_one = records - of_one, flushes + 1, (capacity - FLUSH) // REGION
    sizes = [capacity] + [FLUSH + of_one * REGION] * (flushes - 1)
    trace = result["monitor"]["trace"]
    assert trace["flushes"] == flushes
    pieces = [[min(write, size - at) for at in range(0, size, write)] for size in sizes]
    assert trace["flushing_s"] == pytest.approx(
        sum(write_s(piece) for of in pieces for piece in of), abs=1e-9 * flushes
    )
    assert result["elapsed_s"] == pytest.approx(1000 * 10e-6 + trace["flushing_s"], abs=1e-9)
    assert result["ledger"]["generated"] == {"bytes": 2002 * REGION + flushes * FLUSH, "events": 2002 + flushes}
    assert result["ledger"]["delivered"] == result["ledger"]["generated"]
    left = FLUSH + records * REGION
    assert trace["closing_s"] == pytest.approx(
        sum(write_s(min(write, left - at)) for at in range(0, left, write)), abs=1e-9
    )
    assert trace["writes"] == sum(map(len, pieces)) + -(-left // write)
    told = rows(result)
    flushed = told[told["kind"] == traces.KINDS.index("flush")]
    assert flushed["of"].sum() * 1e-12 == pytest.approx(trace["flushing_s"], abs=1e-9)
    assert (told["arrived_ps"] >= told["made_ps"]).all()
    assert (np.diff(told["made_ps"]) >= 0).all()


def test_a_file_is_made_once_by_the_directory(tmp_path: Path) -> None:
    settings = {**FLUSHES, "nodes": 1, "software.buffer_bytes": 1200}
    without = run(tmp_path / "without", "1000 1 10 0 0", **settings)
    with_it = run(tmp_path / "with", "1000 1 10 0 0", **settings, software__directory="files1")
    made = 2 * LATENCY + (ASKED + ANSWERED) / RATE + REQUEST
    assert with_it["elapsed_s"] - without["elapsed_s"] == pytest.approx(made, abs=1e-9)


def test_who_flushes_holds_up_nobody_but_those_at_the_same_server(tmp_path: Path) -> None:
    settings = {**FLUSHES, "nodes": 2, "software.buffer_bytes": 120000, "disk.mb_per_s": 10}
    one = run(tmp_path / "one", "5001 1 10 0 0", **settings)
    two = run(tmp_path / "two", "5001 1 10 0 0", **settings, software__servers="files files1")
    assert one["monitor"]["trace"]["flushes"] == two["monitor"]["trace"]["flushes"] == 2
    alone = 120000 / 10e6 + REQUEST + 2 * LATENCY + (ASKED + 120000 + ANSWERED) / RATE
    assert two["monitor"]["trace"]["longest_flush_s"] == pytest.approx(alone, abs=1e-9)
    assert one["monitor"]["trace"]["longest_flush_s"] == pytest.approx(alone + 120000 / 10e6, rel=0.01)


def test_what_does_not_fit_is_lost_where_nothing_is_flushed(tmp_path: Path) -> None:
    result = run(tmp_path / "run", "1000 1 10 0 0", nodes=1, software__buffer_bytes=1200)
    ledger = result["ledger"]
    assert ledger["delivered"] == {"bytes": 1200, "events": 100}
    assert ledger["lost"] == [{"stage": "node_memory", "cause": "buffer_full", "bytes": 1902 * REGION, "events": 1902}]
    assert result["monitor"]["first_overrun_s"] == pytest.approx(
        50 * 10e-6, abs=1e-9
    )  # record 101: MPI_Init and 50 routines
    assert len(rows(result)) == 100


def test_two_comparisons_put_drifting_clocks_right(tmp_path: Path) -> None:
    clocks = {"node.clock_drift_ppm": 100, "node.clock_offset_us": 1000}
    settings = {"nodes": 4, "seed": 3, **clocks}
    wrong = run(tmp_path / "wrong", "1000 1 100 1000 0", **settings)
    right = run(tmp_path / "right", "1000 1 100 1000 0", **settings, software__clocks="linear")
    assert wrong["causality_violations"] > 100
    assert right["causality_violations"] == 0
    trace = right["monitor"]["trace"]
    assert trace["violations_as_written"] > 100
    assert trace["pairs"] == 4 * 1000
    told = rows(right)
    errors = [told["stamp_ps"][told["rank"] == rank] - told["made_ps"][told["rank"] == rank] for rank in range(4)]
    first = np.polynomial.Polynomial.fit(told["made_ps"][told["rank"] == 0], errors[0], 1)
    for rank in range(1, 4):  # then all have the first node's clock
        at = told["made_ps"][told["rank"] == rank]
        assert abs(errors[rank] - first(at)).max() < 5000  # 5 ns: resolutions
    assert right["timestamp_error_us"]["max"] == pytest.approx(max(e.max() for e in errors) * 1e-6, abs=1e-6)


def test_comparing_takes_one_process_after_the_other(tmp_path: Path) -> None:
    settings = {"nodes": 8, "software.clocks": "linear", "software.probes": 10, "software.probe_us": 0.3}
    result = run(tmp_path / "run", "10 1 10 0 0", **settings)
    round_trip = 2 * (LATENCY + 8 / RATE) + 4 * 0.3e-6
    clocks = result["monitor"]["trace"]["clocks"]
    assert clocks["begin_s"] == pytest.approx(7 * 11 * round_trip, rel=1e-6)
    assert clocks["end_s"] == pytest.approx(clocks["begin_s"], rel=1e-6)
    assert result["elapsed_s"] == pytest.approx(10 * 10e-6, abs=1e-9)  # costs before and after the measured section
    assert result["monitor"]["trace"]["closing_s"] >= clocks["end_s"]


def test_ranks_of_a_node_have_a_buffer_each(tmp_path: Path) -> None:
    settings = {**FLUSHES, "nodes": 2, "cpu.processors": 4, "cpu.ranks_per_node": 4, "software.buffer_bytes": 1200}
    result = run(tmp_path / "run", "60 1 10 0 0", **settings)
    assert result["monitor"]["trace"]["flushes"] == 8
    assert len(result["monitor"]["buffer_bytes"]) == 8
    assert set(rows(result)["rank"]) == set(range(8))


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_a_rank_that_never_comes_to_compare_clocks_is_a_deadlock(tmp_path: Path, messages: str) -> None:
    source = tmp_path / "one_of_two.c"
    source.write_text(
        "#include <mpi.h>\nint main(int c, char** v) { int rank; MPI_Init(&c, &v); "
        "MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 1) MPI_Recv(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, "
        "MPI_STATUS_IGNORE); MPI_Finalize(); return 0; }\n"
    )
    settings = {"program.file": str(source), "nodes": 2, "software.clocks": "linear", "machine.messages": messages}
    with pytest.raises(SimulationError, match="comparison of clocks"):
        run(tmp_path / "run", "", **settings)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"software.traces": "node", "software.when_full": "flush"}, "needs software.traces = process"),
        ({"software.traces": "node", "software.clocks": "linear"}, "needs software.traces = process"),
        ({"software.traces": "node", "software.servers": "files"}, "needs software.traces = process"),
        ({"software.when_full": "flush"}, "needs file servers, software.servers"),
        ({"software.when_full": "flush", "software.servers": "nowhere"}, "must be a file server of the platform"),
        ({"software.directory": "nowhere"}, 'software.directory = "nowhere": must be a file server'),
        ({"software.network": "nowhere", "software.clocks": "linear"}, "software.network"),
        ({"software.buffer_bytes": 50}, "software.buffer_bytes = 50: must be at least 56"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        run(tmp_path / "run", "1 1 1 0 0", **settings)
    assert not (tmp_path / "run").exists()


def test_the_picture_of_perfect_traces_is_the_truth(tmp_path: Path) -> None:
    settings = {"nodes": 3, "cpu.processors": 2, "cpu.ranks_per_node": 2}
    for name, more in {"memory": {}, "flushes": {**FLUSHES, "software.buffer_bytes": 1200}}.items():
        result = run(tmp_path / name, "200 1 100 1000 1", **settings, **more)
        judged = hypermon.judge(result)
        assert judged.error_percent < 0.01, name
        assert judged.hole_percent == 0, name
        assert judged.source == "traces"


def test_what_is_lost_is_a_hole_of_the_picture(tmp_path: Path) -> None:
    result = run(tmp_path / "run", "1000 1 100 0 0", nodes=1, software__buffer_bytes=1200)
    judged = hypermon.judge(result)
    assert judged.hole_percent == pytest.approx(100 * (1 - 50 / 1000), abs=0.1)  # a hundred records are 50 routines
    assert judged.error_percent < 0.01  # it continues computing, as its last record says
