# SPDX-License-Identifier: BSD-3-Clause
"""The time line page of a traced run shows a write from the rank's call down to the server's disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hypermon
from hypermon import report, timelines
from hypermon.timelines import message_arrows
from tests.python.browsing import Opened, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]  # the fixture
pytestmark = pytest.mark.worker
SERVERS = 2
SETTINGS = {
    "nodes": 2, "pfs.servers": SERVERS, "monitor": "hdtrace", "hdtrace.offsets": "ends", "hdtrace.sample_ms": 5,
    "partdiff.interlines": 20, "partdiff.iterations": 2, "partdiff.checkpoint_every": 1,
    "mpiio.file_system": "pvfs", "mpiio.contents": "sizes",
}  # fmt: skip
LAYERS = ("REQ", "SERVER", "TROVE", "DISK", "BMI")


@pytest.fixture(scope="module")
def run(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    out = tmp_path_factory.mktemp("traced") / "partdiff"
    return hypermon.run("piosim/partdiff", presets=["piosim/real"], settings=SETTINGS, out=out).path or out


@pytest.fixture(scope="module")
def opened(browser: Browser, run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    page = tmp_path_factory.mktemp("page") / "run.html"
    report.write(run, page)
    assert 'href="run-timeline.html"' in page.read_text(encoding="utf-8")
    with Opened(browser, page.with_name("run-timeline.html")) as one:
        one.page.locator("body[data-ready]").wait_for(state="attached")
        yield one
        assert one.complaints == []


def test_processes_layers_disks_and_statistics_stand_on_it(opened: Opened, run: Path) -> None:
    paths = {str(path) for path in opened.page.evaluate("nodes.map(pathText)")}
    for rank in range(2):
        assert f"partdiff / node0{rank} / rank {rank}" in paths
    for server in range(SERVERS):
        assert {f"partdiff / server{server} / {layer}" for layer in LAYERS} <= paths
        assert f"partdiff / server{server} / TROVE / pending" in paths
    assert any("Energy" in path for path in paths)
    line = timelines.timeline(run)
    assert opened.page.evaluate("events") == sum(len(one.id) for one in line.states)


def test_a_write_is_followed_from_the_call_to_the_disks_and_back(opened: Opened) -> None:
    page = opened.page
    found = page.evaluate("""() => {
      const track = tracks.find((t) => t.node.name === "rank 1"), long = (i) => track.end[i] - track.begin[i];
      const writes = [...track.name.keys()].filter((i) => head.names[track.name[i]] === "MPI_File_write_at");
      select(track.first + writes.sort((a, b) => long(b) - long(a))[0]);
      return chain.effects.found.map((one) => trackOf(one.event).node.name);
    }""")
    layers = Counter(found)
    assert layers["CLIENT"] == 1
    assert layers["REQ"] == SERVERS  # the checkpoint's rows are on both
    assert layers["DISK"] >= 1
    page.evaluate("""() => {
      const disk = chain.effects.found.find((one) => trackOf(one.event).node.name === "DISK").event;
      select(disk, { go: true });
    }""")
    back = page.evaluate(
        "chain.causes.found.map((one) => head.names[trackOf(one.event).name[one.event - trackOf(one.event).first]])"
    )
    assert back[-1] == "MPI_File_write_at"
    assert page.evaluate("place(selected) !== null")


def test_perfetto_has_the_same_relations(run: Path, tmp_path: Path) -> None:
    protocol = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    line = timelines.timeline(run)
    timelines.write_tracks(line, tmp_path / "run.pftrace")
    flows = [
        flow
        for packet in protocol.Trace.FromString((tmp_path / "run.pftrace").read_bytes()).packet
        if packet.HasField("track_event")
        for flow in packet.track_event.terminating_flow_ids
    ]
    ids = Counter(int(number) for one in line.states for number in one.id if number)
    expected = sum(ids[int(number)] for one in line.states for number in one.cause if number)
    messages = [flow for flow in flows if flow >= message_arrows.FIRST]
    assert len(flows) - len(messages) == expected > 20
    assert messages  # the ranks send each other the edges of their parts
    assert len(set(messages)) == len(messages)
