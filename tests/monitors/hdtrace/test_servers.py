# SPDX-License-Identifier: BSD-3-Clause
"""Layers of a real file system: how the writes of a program pass from the MPI call to the disk."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon import report
from hypermon._files.hdtrace import read_statistics
from hypermon.monitors.hdtrace import projects
from hypermon.monitors.hdtrace.timeline import timeline
from hypermon.timelines.tracks import States, TimeLine

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
US = 10**6  # ps
SETTINGS = {
    "workload": "partdiff", "nodes": 2, "monitor": "hdtrace", "partdiff.interlines": 20, "partdiff.iterations": 10,
    "partdiff.checkpoint_every": 5, "mpiio.file_system": "pvfs", "node.clock_offset_us": 0, "node.clock_drift_ppm": 0,
    "power.meter_ms": 1, "hdtrace.sample_ms": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("servers") / "run"
    return hypermon.run("collection/ring", platform="piosim", settings=SETTINGS, out=out)


@pytest.fixture(scope="module")
def line(run: Any) -> TimeLine:
    found = timeline(run)
    assert found is not None
    return found


def tracks(line: TimeLine) -> dict[str, States]:
    return {"/".join(one.path[1:]): one for one in line.states}


def test_every_operation_leads_to_an_mpi_call_of_its_time(run: Any, line: TimeLine) -> None:
    found = tracks(line)
    when: dict[int, tuple[int, str]] = {}
    above: dict[int, int] = {}
    for path, one in found.items():
        for number, cause, begin in zip(one.id.tolist(), one.cause.tolist(), one.begin_ps.tolist(), strict=True):
            if number:
                when[number] = (begin, path)
                above[number] = cause
    disk = [number for number, (_, path) in when.items() if path.endswith("/DISK")]
    assert len(disk) > 3
    for number in above:
        at, steps = number, 0
        while above[at]:
            assert when[above[at]][0] <= when[at][0] + US, "a cause begins no later"
            at, steps = above[at], steps + 1
        assert "rank" in when[at][1], f"{when[number]} leads to {when[at]}"
        assert steps > 0 or "/" in when[at][1]
    assert sum(one["unrelated"] + one["unfinished"] for one in run["monitor"]["layers"]) == 0


def test_pending_counts_are_the_overlap_of_the_operations(line: TimeLine) -> None:
    found = tracks(line)
    compared = 0
    for one in line.statistics:
        path = "/".join(one.path[1:-1])
        if not one.exact or path not in found or path.endswith(("BMI", "SERVER", "CLIENT")):
            continue  # steps within a request, of which there may be several
        states = found[path]
        for place in range(len(one.values)):
            last = place + 1 == len(one.values) or one.times_ps[place + 1] > one.times_ps[place]
            if not last:
                continue  # of several changes in one microsecond, the last one holds
            t = int(one.times_ps[place])
            overlap = int(np.count_nonzero((states.begin_ps <= t) & (states.end_ps > t)))
            assert overlap == int(one.values[place]), f"{path} at {t}"
            compared += 1
    assert compared > 20


def test_each_computer_counts_what_is_its_own(run: Any, line: TimeLine) -> None:
    counted = {"/".join(one.path[1:-1]) for one in line.statistics if one.exact}
    assert {path.split("/")[0] for path in counted} == {"node00", "node01", "server0"}
    assert {path for path in counted if path.startswith("node")} <= {
        f"node0{n}/{layer}" for n in (0, 1) for layer in ("CLIENT", "BMI")
    }
    files = [path.name for path in projects.find(run.path).parent.glob("*.stat")]
    assert len(files) == len(set(files))
    for one in line.statistics:
        if one.exact:
            assert one.values[-1] == 0, "/".join(one.path)
            assert one.values.min() >= 0


def test_bytes_that_calls_write_come_to_the_disks(line: TimeLine) -> None:
    found = tracks(line)
    written = 0
    for path, one in found.items():
        if "rank" in path and path.count("/") == 1:
            is_write = np.array(["File_write" in one.names[number] for number in one.name])
            written += int(one.details["bytes"][is_write].sum())
    on_disk = sum(int(one.details["bytes"].sum()) for path, one in found.items() if path.endswith("/DISK"))
    assert written == on_disk > 0


def test_calls_on_files_say_what_they_are(line: TimeLine) -> None:
    calls = tracks(line)["node00/rank 0"]
    writes = [place for place, number in enumerate(calls.name) if calls.names[number] == "MPI_File_write_at"]
    files = {str(calls.details["file"][place]) for place in writes}
    assert {"partdiff.progress", "partdiff.0.checkpoint", "partdiff.1.checkpoint"} == files
    assert all(calls.details["offset"][place] >= 0 for place in writes)


def test_servers_take_power_and_their_disks_are_busy(run: Any, line: TimeLine) -> None:
    found = {"/".join(one.path[1:]): one for one in line.statistics}
    power = run["spec"]["power"]
    idle = (
        power["base_w"] + power["memory_w"] + power["idle_w"] + power["nic_idle_w"] + power["disk_idle_w"]
    ) * (1 + power["supply"])  # fmt: skip
    watts = found["server0/Energy/P"].values
    assert watts.min() >= idle - power["resolution_w"]
    assert watts.max() > idle
    assert found["server0/Utilization/HDD_UTIL"].values.max() > 50
    assert run["monitor"]["power"]["server_joules"] > 0


def test_samples_of_nodes_and_servers_have_what_they_moved(run: Any, line: TimeLine) -> None:
    """Samples must account for all transfers, except those after the last whole period."""
    found = {"/".join(one.path[1:]): one for one in line.statistics}

    def sum_of(host: str, column: str) -> float:
        return float(found[f"{host}/Utilization/{column}"].values.sum())

    server = run["piosim"]["servers"][0]
    assert server["written_bytes"] > 100_000
    assert 0.9 * server["written_bytes"] <= sum_of("server0", "HDD_WRITE") <= server["written_bytes"]
    assert sum_of("server0", "HDD_READ") == server["read_bytes"] == 0
    arrived = sum_of("server0", "NET_IN")
    assert 0.9 * server["written_bytes"] <= arrived <= 1.1 * server["written_bytes"]
    assert 0 < sum_of("server0", "NET_OUT") < 0.1 * arrived  # acknowledgements
    assert sum_of("server0", "CPU_TOTAL") == 0  # requests cost a server no time
    nodes = [f"node{n:02}" for n in range(2)]
    left = sum(sum_of(node, "NET_OUT") for node in nodes) + sum_of("server0", "NET_OUT")
    came = sum(sum_of(node, "NET_IN") for node in nodes) + arrived
    assert 0.95 * left <= came <= left
    assert 0.95 * run["piosim"]["message_bytes"] <= left <= run["piosim"]["message_bytes"]


def test_a_node_that_serves_writes_what_its_server_writes(tmp_path: Path) -> None:
    settings = SETTINGS | {"pfs.place": "nodes", "partdiff.iterations": 14}  # the last checkpoint is before the end
    run = hypermon.run("collection/ring", platform="piosim", settings=settings, out=tmp_path / "run")
    line = timeline(run)
    assert line is not None
    found = {"/".join(one.path[1:]): one for one in line.statistics}
    written = found["node00/Utilization/HDD_WRITE"].values.sum() - found["node01/Utilization/HDD_WRITE"].values.sum()
    assert 0.9 * run["piosim"]["servers"][0]["written_bytes"] <= written
    assert written <= 1.1 * run["piosim"]["servers"][0]["written_bytes"]  # node 0 also writes a longer trace


def test_the_project_is_shown_with_its_layers(run: Any) -> None:
    found = projects.summary(projects.find(run.path))
    assert {"server0/REQ", "server0/TROVE", "server0/DISK"} <= {one["path"] for one in found["tracks"]}
    assert found["files"] == ["partdiff.0.checkpoint", "partdiff.1.checkpoint", "partdiff.progress"]


def test_the_drawing_of_the_machine_has_a_part_for_each_server(run: Any) -> None:
    page = report.html(run.path)
    drawn = re.findall(r'<svg class="machine wide.*?</svg>', page, re.DOTALL)
    assert drawn
    servers = {one["layer"].partition("/")[0] for one in run["monitor"]["layers"] if one["layer"].startswith("server")}
    assert servers
    for server in servers:
        assert f">{server}</text>" in drawn[0]
    assert ">layers</text>" not in drawn[0]


def test_no_entry_of_a_statistics_file_is_before_its_begin(tmp_path: Path) -> None:
    """HDTrace's own reader refuses a file with an entry before its begin."""
    # True time 0 is before time 0 on the first node's clock, and within a microsecond of it on the second one's.
    settings = SETTINGS | {"node.clock_offset_us": 80_000.3, "seed": 5, "node.clock_drift_ppm": 20}
    result = hypermon.run("collection/ring", platform="piosim", settings=settings, out=tmp_path / "run")
    assert result["timestamp_error_us"]["min"] < -1, "a clock must be slow, or nothing is tested"
    project = projects.find(result.path)
    files = sorted(project.parent.glob("*.stat"))
    groups = {file: read_statistics(file) for file in files}
    assert {file.name.split("_")[2] for file in files} >= {"BMI.stat", "Utilization.stat", "PowerEstimate.stat"}
    assert any(one.begin_ps is not None and one.begin_ps < 0 for one in groups.values())
    for file, one in groups.items():
        assert one.begin_ps is not None, file
        assert one.begin_ps <= one.times_ps.min(), file
