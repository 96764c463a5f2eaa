# SPDX-License-Identifier: BSD-3-Clause
"""Messages of collective calls appear as states in the sender's call and in the receiver's call."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import timelines
from hypermon._files import hdtrace as files
from hypermon.importing import hdtrace as project_scripts
from hypermon.importing import otf2 as archive_scripts
from hypermon.importing.script import Script
from hypermon.monitors.hdtrace import projects

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SETTINGS = {
    "workload": "hpcc", "nodes": 4, "monitor": "hdtrace", "hpcc.size": 16, "hpcc.phases": 1, "hpcc.broadcast_mib": 1,
    "node.clock_offset_us": 0, "node.clock_drift_ppm": 0,
}  # fmt: skip
BLOCKING = ("send", "recv", "sendrecv", "sendrecv_in")
STARTED = ("isend", "irecv", "wait", "waitall")


def entries(result: Any, rank: int) -> list[files.Entry]:
    project = projects.find(result.path)
    return list(files.read_trace(project.with_name(f"{project.stem}_node{rank:02d}_{rank}_0.trc")))


def test_a_broadcast_s_messages_stand_in_it_on_both_sides(tmp_path: Path) -> None:
    result = hypermon.run("collection/ring", platform="piosim", settings=SETTINGS, out=tmp_path / "run")
    sent: Counter[tuple[int, int, str, str]] = Counter()
    received: Counter[tuple[int, int, str, str]] = Counter()
    for rank in range(4):
        (call,) = [entry for entry in entries(result, rank) if entry.name == "Bcast"]
        for one in call.nested:
            assert call.begin_ps <= one.begin_ps <= one.end_ps <= call.end_ps
            a = one.attributes
            if one.name == "Send":
                sent[rank, int(a["toRank"]), a["size"], a["step"]] += 1
            else:
                received[int(a["fromRank"]), rank, a["size"], a["step"]] += 1
    assert sum(sent.values()) >= 3  # each of the other ranks must receive it
    # A message that arrives after its receiver's call appears in none of the call's states.
    assert not received - sent
    assert sum(received.values()) >= 3


def test_messages_of_point_to_point_calls_are_the_calls_themselves(tmp_path: Path) -> None:
    result = hypermon.run(
        "collection/ring",
        platform="piosim",
        settings=SETTINGS | {"workload": "ring", "ring.steps": 3},
        out=tmp_path / "run",
    )
    for rank in range(4):
        calls = [
            entry
            for entry in entries(result, rank)
            if entry.name in ("Send", "Recv", "Sendrecv", "Isend", "Irecv", "Wait")
        ]
        assert calls
        assert not any(entry.nested for entry in calls)


def test_without_nested_there_are_none(tmp_path: Path) -> None:
    result = hypermon.run(
        "collection/ring", platform="piosim", settings=SETTINGS | {"hdtrace.nested": False}, out=tmp_path / "run"
    )
    assert not any(entry.nested for rank in range(4) for entry in entries(result, rank))


def actions(script: Script) -> list[list[tuple[str, int, int, int]]]:
    """Operation, peer, tag and size of each rank's actions, without the time between calls."""
    arrays = script.arrays()
    names = [name.decode() for name in arrays["operations"]]
    found = []
    for row in arrays["ranks"]:
        own = arrays["actions"][row["first"] : row["first"] + row["actions"]]
        each = [(names[a["operation"]], int(a["peer"]), int(a["tag"]), int(a["size"])) for a in own]
        found.append([one for one in each if one[0] != "compute"])
    return found


@pytest.mark.parametrize(
    ("workload", "kinds"),
    [("halo", STARTED), ("ring", BLOCKING), ("workers", BLOCKING)],  # halo also has messages of global sums
)
def test_an_otf2_archive_of_a_project_tells_the_same_messages(
    workload: str, kinds: tuple[str, ...], tmp_path: Path
) -> None:
    pytest.importorskip("otf2")
    settings = SETTINGS | {"workload": workload, "monitor": "hdtrace"}
    result = hypermon.run("collection/ring", settings=settings, out=tmp_path / "run")
    timelines.write_tracks(timelines.timeline(tmp_path / "run"), tmp_path / "archive", "otf2")
    of_project = project_scripts.read(projects.find(result.path), tmp_path / "project.script")
    of_archive = archive_scripts.read(tmp_path / "archive", tmp_path / "archive.script")
    expected = [[one for one in rank if one[0] in kinds] for rank in actions(of_project)]
    assert [[one for one in rank if one[0] in kinds] for rank in actions(of_archive)] == expected
    assert all(expected)
