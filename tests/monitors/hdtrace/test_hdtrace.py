# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace: trace entries of random programs against a naive count, costs, power, and clocks."""

from __future__ import annotations

import itertools
import os
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import hypermon
from hypermon._files import hdtrace as files
from hypermon._model.result import Result
from hypermon.cli.app import app
from hypermon.errors import UserError
from hypermon.importing import ti
from hypermon.monitors.hdtrace import projects
from hypermon.monitors.hdtrace.timeline import timeline
from tests.monitors.hdtrace import invariants
from tests.python import little_traces, node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
CLUSTER = Path(__file__).resolve().parents[2] / "platforms" / "cluster.xml"
CASES = int(os.environ.get("HYPERMON_TEST_CASES", "6"))
RIGHT = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.start_spread_us": 0}
FREE = {"hdtrace.enter_us": 0, "hdtrace.leave_us": 0, "hdtrace.byte_ns": 0, "hdtrace.sample_ms": 0, "power.meter_ms": 0}
US = 10**6  # ps
MS = 10**9
MACHINE = {"monitor": "hdtrace", "nodes": 4, **RIGHT}


def replay(lines: list[list[str]], folder: Path, monitor: str, **settings: Any) -> Any:
    """The trace on SimGrid's machine."""
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"{folder}/t.txt\n")
    (folder / "t.txt").write_text("".join(f"{line}\n" for of_rank in lines for line in of_rank))
    script = ti.read(folder / "list", folder / "t.script")
    known = {key: value for key, value in settings.items() if monitor == "hdtrace" or key.startswith("node.")}
    return hypermon.run(trace=script.path, platform=CLUSTER, settings={"monitor": monitor, **known}, out=folder / "run")


def trace_of(result: Any, rank: int) -> Path:
    project = projects.find(result.path)
    return project.with_name(f"{project.stem}_node{rank:02d}_{rank}_0.trc")


def called(lines: list[str]) -> list[str]:
    """The calls of a rank's lines that the wrapper should have seen, in lower case."""
    words = [line.split()[1].lower() for line in lines]
    return [word for word in words if word not in ("init", "compute", "sleep", "finalize")]


def slept(lines: list[str]) -> float:
    return sum(float(line.split()[2]) for line in lines if line.split()[1] == "sleep")


def body(path: Path) -> bytes:
    """The entries of a file, without its header and end."""
    content = path.read_bytes()
    if path.suffix == ".stat":
        return content[6 + int(content[:5]) + 8 :]
    lines = content.decode().splitlines(keepends=True)
    if path.suffix == ".info":
        return "".join(lines).removesuffix("\n\n").encode()
    end = {".trc": -2, ".rel": -1}[path.suffix]
    return "".join(lines[1:end]).encode()


def test_every_call_of_random_programs_is_a_state_and_takes_the_time_that_it_took(tmp_path: Path) -> None:
    r = random.Random(20101115)
    for case in range(CASES):
        ranks = r.choice((2, 3, 4, 5))
        lines = little_traces.trace(r, ranks, 10)
        result = replay(lines, tmp_path / f"traced{case}", "hdtrace", **RIGHT, **FREE)
        bare = replay(lines, tmp_path / f"bare{case}", "none", **RIGHT)
        assert result["elapsed_s"] == bare["elapsed_s"]  # tracing without costs changes nothing
        for rank in range(ranks):
            entries = list(files.read_trace(trace_of(result, rank)))
            own = entries[3:-1]  # after MPI_Init, Comm_size and Comm_rank; before MPI_Finalize
            names = [entry.name.lower().replace("_", "") for entry in own]
            assert names == called(lines[rank]), f"case {case}"
            mpi_ps = round((bare["ranks"][rank]["mpi_s"] - slept(lines[rank])) * 1e12)
            took = sum(entry.end_ps - entry.begin_ps for entry in own)
            assert abs(took - mpi_ps) <= (len(own) + 3) * US  # each stamp is rounded down to 1 us
            assert all(a.end_ps <= b.begin_ps for a, b in itertools.pairwise(entries))
            (process,) = [one for one in result["monitor"]["processes"] if one["rank"] == rank]
            assert process["states"] == len(entries) + sum(len(entry.nested) for entry in entries)


def test_the_ledger_is_what_the_files_hold(tmp_path: Path) -> None:
    r = random.Random(7)
    for case in range(CASES // 2):
        result = replay(little_traces.trace(r, 4, 8), tmp_path / str(case), "hdtrace", **RIGHT)
        folder = projects.find(result.path).parent
        written = {path: len(body(path)) for path in folder.iterdir() if path.suffix != ".proj"}
        assert sum(written.values()) == result["ledger"]["delivered"]["bytes"] == result["logged_bytes"]
        for process in result["monitor"]["processes"]:
            assert written[trace_of(result, process["rank"])] == process["trace_bytes"]


def test_a_trace_is_to_the_byte_what_the_format_has_of_its_states(tmp_path: Path) -> None:
    result = replay(little_traces.trace(random.Random(1), 4, 20), tmp_path / "run", "hdtrace", **RIGHT)
    for rank in range(4):
        source = trace_of(result, rank)
        files.write_trace(tmp_path / "copy.trc", files.read_trace(source))
        assert body(tmp_path / "copy.trc") == body(source)


def test_tracing_costs_each_call_and_each_byte(tmp_path: Path) -> None:
    """There is only one process, so that no process waits for another."""
    lines = [["0 init", *["0 compute 1000", "0 barrier"] * 20, "0 finalize"]]
    bare = replay(lines, tmp_path / "bare", "none", **RIGHT)
    cost = {"hdtrace.enter_us": 7, "hdtrace.leave_us": 11, "hdtrace.byte_ns": 3, "hdtrace.sample_ms": 0}
    traced = replay(lines, tmp_path / "traced", "hdtrace", **RIGHT, **cost)
    folder = projects.find(traced.path).parent
    calls = 20 + 3  # also MPI_Init, of which the end is measured, Comm_size and Comm_rank
    text = body(trace_of(traced, 0)).decode()
    finalize = len(next(line for line in text.splitlines() if "<Finalize" in line)) + 1
    info = len(body(next(folder.glob("*.info"))))
    longer = traced["elapsed_s"] - bare["elapsed_s"]
    all_of_it = calls * 18e-6 + (len(text) - finalize + info) * 3e-9
    # For MPI_Init, neither the time before it nor, before the section begins, the cost of leaving it counts.
    assert all_of_it - 18e-6 - 200 * 3e-9 - 1e-9 <= longer <= all_of_it + 1e-9
    assert traced["monitor"]["cpu_s"] == pytest.approx(all_of_it + 18e-6 + finalize * 3e-9, abs=1e-9)


def test_a_full_buffer_makes_its_process_wait_for_the_disk(tmp_path: Path) -> None:
    lines = [["0 init", *["0 barrier"] * 200, "0 finalize"]]
    settings = {**RIGHT, **FREE, "hdtrace.disk_seek_ms": 10, "hdtrace.disk_mb_per_s": 1}
    large = replay(lines, tmp_path / "large", "hdtrace", **settings)
    small = replay(lines, tmp_path / "small", "hdtrace", **settings, **{"hdtrace.buffer_bytes": 4096})
    size = large["monitor"]["processes"][0]["trace_bytes"]
    assert small["monitor"]["processes"][0]["trace_bytes"] == pytest.approx(size, rel=0.05)  # stamps are longer
    assert large["monitor"]["flushes"] == 1
    assert small["monitor"]["flushes"] == -(-small["monitor"]["processes"][0]["trace_bytes"] // 4096)
    # The first operation takes a seek, half a rotation, and the transfer; each later one continues at the end of the
    # last.
    wait = 10e-3 + 60 / 7200 / 2 + small["monitor"]["processes"][0]["trace_bytes"] / 1e6
    assert small["monitor"]["flushing_s"] == pytest.approx(wait, rel=1e-6)


def test_what_has_no_room_on_the_disk_is_lost_and_the_files_are_whole(tmp_path: Path) -> None:
    lines = [["0 init", *["0 barrier"] * 400, "0 finalize"]]
    result = replay(
        lines, tmp_path / "run", "hdtrace", **RIGHT, **{"hdtrace.buffer_bytes": 4096, "hdtrace.capacity_mb": 0.01}
    )
    (lost,) = [one for one in result["ledger"]["lost"] if one["cause"] == "disk_full"]
    assert lost["bytes"] > 0
    kept = sum(1 + len(entry.nested) for entry in files.read_trace(trace_of(result, 0)))
    assert 0 < kept < 404
    assert kept + lost["events"] == result["ledger"]["generated"]["events"]


def test_a_slow_server_loses_what_comes_while_both_buffers_are_full(tmp_path: Path) -> None:
    settings = {
        **MACHINE, "workload": "ring", "ring.steps": 60, "hdtrace.buffer_bytes": 512, "hdtrace.server": "files",
        "server.count": 1,
    }  # fmt: skip
    result = held_run(tmp_path / "run", settings, invariants)
    (lost,) = [one for one in result["ledger"]["lost"] if one["cause"] == "buffer_full"]
    assert lost["events"] > 0
    for rank in range(4):
        assert len(list(files.read_trace(trace_of(result, rank)))) > 0


def test_powers_of_states_add_up_to_the_energy_whatever_runs(tmp_path: Path) -> None:
    """The meters' period divides the run, so that only the last interval is unmeasured."""
    settings = {**MACHINE, "workload": "hpcc", "hpcc.size": 64, "hpcc.broadcast_mib": 1, "power.meter_ms": 1}
    result = held_run(tmp_path / "run", settings, invariants)
    power = result["monitor"]["power"]
    assert power["metered_joules"] == pytest.approx(power["joules"], rel=0.02)
    line = timeline(result)
    assert line is not None
    energy = 0.0
    for one in line.statistics:
        if one.path[2:] == ("Energy", "P"):
            energy += float(one.values.sum()) * 1e-3
    assert energy == pytest.approx(power["metered_joules"], rel=1e-6)


def test_an_estimate_from_utilisation_is_right_where_processes_block_and_high_where_they_poll(tmp_path: Path) -> None:
    shared = {"cpu.processors": 2, "cpu.ranks_per_node": 2, "cpu.policy": "fair_shares", "machine.messages": "smpi"}
    off = {}
    for waiting in ("block", "poll"):
        settings = {
            **MACHINE, **shared, "cpu.waiting": waiting, "workload": "hpcc", "hpcc.size": 128, "hpcc.broadcast_mib": 4,
            "hdtrace.sample_ms": 5, "network.bandwidth_mb_per_s": 67,
        }  # fmt: skip
        power = held_run(tmp_path / waiting, settings, invariants)["monitor"]["power"]
        off[waiting] = power["estimated_joules"] / power["sampled_joules"] - 1
    assert abs(off["block"]) < 0.05
    assert off["poll"] > 0.05


def test_the_estimate_in_the_file_is_the_one_of_the_recorded_utilisation(tmp_path: Path) -> None:
    settings = {**MACHINE, "workload": "hpcc", "hpcc.size": 64, "hpcc.broadcast_mib": 1, "hdtrace.sample_ms": 2}
    result = held_run(tmp_path / "run", settings, invariants)
    line = timeline(result)
    assert line is not None
    found = {one.path[1:]: one.values for one in line.statistics}
    p = result["spec"]["power"]
    cpu, nic = found["node00", "Utilization", "CPU_TOTAL"] / 100, found["node00", "Utilization", "NET_UTIL"] / 100
    disk = np.minimum(found["node00", "Utilization", "HDD_WRITE"] / 2e-3 / (p["disk_mb_per_s"] * 1e6), 1)
    watts = (
        p["base_w"] + p["memory_w"] + p["idle_w"] + (p["computing_w"] - p["idle_w"]) * cpu
        + p["nic_idle_w"] + (p["nic_w"] - p["nic_idle_w"]) * nic
        + p["disk_idle_w"] + (p["disk_w"] - p["disk_idle_w"]) * disk
    ) * (1 + p["supply"])  # fmt: skip
    assert len(watts) > 3
    # Readings are late by their own cost; entries that begin late cover slightly less than the period.
    assert np.allclose(found["node00", "PowerEstimate", "P"], watts, rtol=2e-2)


@pytest.mark.parametrize("offsets", ["begin", "ends"])
def test_headers_put_clocks_right_and_nothing_else(tmp_path: Path, offsets: str) -> None:
    wrong = {
        **MACHINE, "workload": "ring", "ring.steps": 20, "node.clock_offset_us": 5000,
        "node.clock_drift_ppm": 0, "hdtrace.sample_ms": 0, "power.meter_ms": 0,
    }  # fmt: skip
    as_written = held_run(tmp_path / "wrong", wrong, invariants)
    fixed = held_run(tmp_path / "fixed", {**wrong, "hdtrace.offsets": offsets}, invariants)
    assert as_written["causality_violations"] > 0
    assert fixed["causality_violations"] == 0
    assert fixed["monitor"]["clocks"]["violations_as_written"] > 0
    spread = {name: r["timestamp_error_us"] for name, r in (("wrong", as_written), ("fixed", fixed))}
    assert spread["fixed"]["max"] - spread["fixed"]["min"] < (spread["wrong"]["max"] - spread["wrong"]["min"]) / 10
    shifts = [node["shift_us"] for node in fixed["monitor"]["clocks"]["nodes"]]
    for rank in range(4):
        head = trace_of(fixed, rank).read_text().splitlines()[0]
        adjustment = re.search(r"timeAdjustment='(.*?)'", head)
        assert adjustment is not None
        assert float(adjustment[1]) * 1e6 == pytest.approx(shifts[rank], abs=1e-3)


def test_offsets_given_by_hand_change_headers_alone(tmp_path: Path) -> None:
    result = held_run(tmp_path / "run", {**MACHINE, "workload": "ring", "ring.steps": 3}, invariants)
    project = projects.find(result.path)
    folder = project.parent
    before = {path: body(path) for path in folder.iterdir() if path.suffix != ".proj"}
    first = timeline(result)
    changed = projects.fix_offsets(project, ["node01=-0.25"])
    assert {path.name.split("_")[1] for path, _ in changed} == {"node01"}
    assert {path: body(path) for path in before} == before
    second = timeline(Result(result.path))  # the run directory has changed
    assert first is not None
    assert second is not None
    for one, other in zip(first.states, second.states, strict=True):
        moved = 250 * MS if one.path[1] == "node01" else 0
        assert (one.begin_ps - moved).tolist() == other.begin_ps.tolist()


def test_groups_of_counters_hold_what_the_counters_show(tmp_path: Path) -> None:
    settings = {
        **MACHINE, "workload": "hpcc", "hpcc.size": 64, "hpcc.broadcast_mib": 1, "hdtrace.sample_ms": 2,
        "cpu.ranks_per_node": 2, "cpu.processors": 2, "nodes": 2, "machine.messages": "smpi",
        "hdtrace.groups": "TRAFFIC: interface.bytes_sent mpi.calls/MPI_Bcast; QUEUES: queue.posted",
    }  # fmt: skip
    result = held_run(tmp_path / "run", settings, invariants)
    line = timeline(result)
    assert line is not None
    found = {one.path[1:]: one.values for one in line.statistics}
    host = "node00"
    sent = found[host, "TRAFFIC", "interface.bytes_sent"]
    assert np.array_equal(sent, found[host, "Utilization", "NET_OUT"])
    assert sent.sum() > 0
    calls = [found[host, "TRAFFIC", f"mpi.calls/MPI_Bcast:{rank}"] for rank in range(2)]
    states = {one.path[-1]: one for one in line.states if one.path[1] == host}
    for rank, of in enumerate(calls):
        name = next(path for path in states if path.endswith(f" {rank}"))
        begun = [states[name].names[number] for number in states[name].name].count("MPI_Bcast")
        assert of.sum() == begun > 0
    assert {path[2] for path in found if path[1] == "QUEUES"} == {"queue.posted:0", "queue.posted:1"}
    assert found[host, "QUEUES", "queue.posted:1"].max() == 1  # this counter is the queue's length, not its growth
    assert all(name in projects.find(result.path).read_text() for name in ("TRAFFIC", "QUEUES"))


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ("queue.posted", "must be like QUEUES: queue.posted queue.unexpected"),
        ("A_B: queue.posted", "must be like QUEUES"),
        ("A: ", "names no counter"),
        ("A: cpu.users", "cpu.users: no such counter; there are"),
        ("A: mpi.calls", "mpi.calls counts by MPI function: name an item, as in mpi.calls/MPI_Send"),
        ("A: mpi.calls/MPI_Sent", "MPI_Sent"),
        ("A: cpu.user/0", "cpu.user has no items"),
        ("A: cpu.user; A: cpu.kernel", "there is such a group already"),
        ("Utilization: cpu.user", "there is such a group already"),
    ],
)
def test_a_wrong_group_is_refused(tmp_path: Path, groups: str, why: str) -> None:
    with pytest.raises(UserError, match=r"hdtrace\.groups = ") as refused:
        hypermon.run("collection/ring", settings={**MACHINE, "hdtrace.groups": groups}, out=tmp_path / "run")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("offset", "why"),
    [
        ("node01", "must be HOST=SECONDS"),
        ("node01=x", "must be HOST=SECONDS"),
        ("node09=1", "the project has no host node09; did you mean"),
    ],
)
def test_a_wrong_offset_is_refused(tmp_path: Path, offset: str, why: str) -> None:
    result = held_run(tmp_path / "run", {**MACHINE, "workload": "ring", "ring.steps": 1}, invariants)
    with pytest.raises(UserError, match=re.escape(why)):
        projects.fix_offsets(projects.find(result.path), [offset])


def test_parameters_that_cannot_be_together_are_refused(tmp_path: Path) -> None:
    for settings, why in (
        ({"power.idle_w": 60}, "power.idle_w = 60.0: must be at most power.computing_w = 58.0"),
        ({"hdtrace.network": "nowhere"}, "hdtrace.network = nowhere: there is no such network"),
        ({"hdtrace.server": "files"}, "hdtrace.server = "),
    ):
        with pytest.raises(UserError, match=re.escape(why)):
            hypermon.run("collection/ring", settings={**MACHINE, **settings}, out=tmp_path / "run")


def test_groups_without_samples_are_named(tmp_path: Path) -> None:
    words = ["monitor=hdtrace", "hdtrace.sample_ms=0", "hdtrace.groups=CPU: cpu.user", "ring.steps=2"]
    settings = [word for one in words for word in ("--set", one)]
    done = CliRunner().invoke(app, ["run", "collection/ring", *settings, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0
    assert "warning: hdtrace.groups has no effect with hdtrace.sample_ms = 0 (--set)" in done.stderr


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    settings = {**MACHINE, "workload": "ring", "ring.steps": 5, "node.clock_offset_us": 100, "hdtrace.offsets": "ends"}
    one, other = (held_run(tmp_path / name, settings, invariants) for name in ("one", "other"))
    assert one.text == other.text
    folders = [projects.find(run.path).parent for run in (one, other)]
    names = [sorted(path.name for path in folder.iterdir()) for folder in folders]
    assert names[0] == names[1]
    assert all((folders[0] / n).read_bytes() == (folders[1] / n).read_bytes() for n in names[0])


def test_daemons_sample_when_their_own_clocks_show_whole_periods(tmp_path: Path) -> None:
    settings = {
        "monitor": "hdtrace", "nodes": 4, "workload": "idle", "idle.duration_s": 1, "hdtrace.sample_ms": 100,
        "hdtrace.sample_us": 0, "power.meter_ms": 0,
    }  # fmt: skip
    drifting = node_clocks.AHEAD | {"node.clock_drift_ppm": 1000}
    for name, clocks in (("right", node_clocks.RIGHT), ("ahead", node_clocks.AHEAD), ("drifting", drifting)):
        result = held_run(tmp_path / name, {**settings, **clocks}, invariants)
        project = projects.find(result.path)
        begins = set()
        for node in range(4):
            group = files.read_statistics(project.with_name(f"{project.stem}_node{node:02d}_Utilization.stat"))
            assert (group.times_ps % (100 * MS) < 2 * US).all()  # times in files are whole microseconds
            assert len(group.times_ps) in (9, 10, 11)
            begins.add(group.begin_ps)
        assert len(begins) == (1 if name == "right" else 4)  # the clocks show other times when the run begins
