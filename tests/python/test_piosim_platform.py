# SPDX-License-Identifier: BSD-3-Clause
"""Platform piosim in runs: several programs share it, nobody takes it for a standstill, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CHECKPOINT = {
    "workload": "partdiff",
    "nodes": 1,
    "monitor": "none",
    "mpiio.contents": "sizes",
    "partdiff.interlines": 200,  # a matrix of 1609 x 1609 doubles
    "partdiff.iterations": 1,
    "partdiff.checkpoint_every": 1,
    "partdiff.diagonal_every": 0,
    "partdiff.largest_computed": 0,
}


def run(folder: Path, platform: str = "piosim", **settings: Any) -> Any:
    given = CHECKPOINT | {path.replace("__", "."): value for path, value in settings.items()}
    return hypermon.run("piosim/clients", platform=platform, out=folder, settings=given)


def test_the_preset_of_the_paper_s_simulator_is_the_platform_said_in_full() -> None:
    found = scenario.built_in("piosim/clients")
    as_it_is = replace(found, words=tuple(word._replace(presets=()) for word in found.words))
    schema = worker.schema()
    assert [item.value for word in found.words for item in word.presets] == ["piosim/paper"]
    assert as_it_is.resolve(schema).values == found.resolve(schema).values


def test_programs_beside_each_other_share_network_and_servers(tmp_path: Path) -> None:
    alone = run(tmp_path / "alone")
    words = "interlines=200 iterations=1 checkpoint_every=1 diagonal_every=0 largest_computed=0"
    shared = run(
        tmp_path / "shared",
        neighbour__count=1,
        neighbour__nodes=1,
        neighbour__workload="partdiff",
        neighbour__arguments=words,
    )
    assert shared["piosim"]["stations"] == 3  # two clients, a server
    (one,), (both,) = alone["piosim"]["servers"], shared["piosim"]["servers"]
    assert one["written_bytes"] + one["unwritten_bytes"] == 8 * 1609**2
    assert both["data_packets"] == 2 * one["data_packets"]
    # They write a file of the same name: what is still in the cache is written over there.
    assert one["written_bytes"] < both["written_bytes"] < 2 * one["written_bytes"]
    assert both["joined_jobs"] > one["joined_jobs"]
    # The server's edge is what both wait for: together they take as long as one after the other.
    assert shared["elapsed_s"] == pytest.approx(2 * alone["elapsed_s"], rel=0.05)


def test_a_rank_that_waits_for_a_disk_is_no_standstill(tmp_path: Path) -> None:
    """Ticks keep SimGrid busy, and look for one every time that nothing else has happened since the last."""
    slow = run(
        tmp_path / "slow",
        monitor="software",
        pfs__protocol="pvfs",
        pfs_disk__mib_per_s=0.01,
        partdiff__interlines=20,
        node__tick_ms=10,
    )
    assert slow["elapsed_s"] > 8 * 169**2 / (0.01 * 2**20)  # 22 s: the call returns when it is on the disk


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (run(tmp_path / name, nodes=3, pfs__servers=2) for name in ("first", "second"))
    assert first == second


def test_a_machine_without_packets_has_nothing_of_them(tmp_path: Path) -> None:
    found = run(
        tmp_path / "run", packets__network="off", pfs__servers=0, mpiio__file_system="ideal", machine__messages="smpi"
    )
    assert "piosim" not in found


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"packets.network": "off", "mpiio.file_system": "ideal"}, "pfs.servers = 1: must be 0 with packets.network"),
        ({"pfs.servers": 2, "pfs.place": "nodes"}, "pfs.servers = 2: must be at most nodes = 1 with pfs.place = nodes"),
        ({"pfs.distribution": "varying_stripe"}, 'pfs.strips = "": must be SERVER:BYTES words'),
        ({"pfs_cache.memory_mib": 0.5}, "pfs_cache.memory_mib = 0.5: must be more than what comes at once, 1000000 B"),
        ({"pfs_disk.order": "sstf"}, "pfs_disk.order"),
    ],
)
def test_what_does_not_go_together_is_refused(settings: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        hypermon.run("piosim/clients", platform="piosim", out=tmp_path / "run", settings=CHECKPOINT | settings)
    assert says in str(error.value)
    assert not (tmp_path / "run").exists()
