"""HPVM's cluster: its messages take the times that the facts name, also where a second network is beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
PING = {"pingpong.least_bytes": 1, "pingpong.most_bytes": 2**20, "pingpong.repeats": 2}


def pings(folder: Path, **settings: object) -> dict[int, float]:
    """Seconds one way, by bytes."""
    name = str(len(list(folder.iterdir())))
    given = {
        "nodes": 2,
        "monitor": "none",
        **PING,
        **{key.replace("__", "."): value for key, value in settings.items()},
    }
    hypermon.run("collection/pingpong", platform="hpvm_nt", out=folder / name, settings=given)
    return {int(size): seconds for size, seconds, _ in np.load(folder / name / "answer.txt")}


def test_a_message_takes_mpi_fms_latency_and_bandwidth(tmp_path: Path) -> None:
    found = pings(tmp_path)
    assert found[1] == pytest.approx(12e-6, rel=0.02)  # FM's 9 us, and 1.5 us of CPU on each side; 16 B of header
    large = 2**20
    assert (found[large] - found[1]) / large == pytest.approx(1 / 80e6, rel=0.01)


def test_a_network_beside_changes_no_date_of_the_program(tmp_path: Path) -> None:
    with_lan, alone = pings(tmp_path), pings(tmp_path, lan__count=0, machine__beside=0)
    assert with_lan == alone


def test_giganet_is_another_transport_of_the_same_messages(tmp_path: Path) -> None:
    out = tmp_path / "giganet"
    given = {"nodes": 2, "monitor": "none", **PING}
    hypermon.run("collection/pingpong", platform="hpvm_nt", out=out, presets=["hpvm/giganet"], settings=given)
    seconds = np.load(out / "answer.txt")[:, 1]
    assert seconds[0] == pytest.approx(13e-6, rel=0.02)


@pytest.mark.parametrize("nodes", [8, 12])
def test_the_node_that_computes_longest_waits_least(nodes: int) -> None:
    ranks = hypermon.run("hpvm/cholesky", settings={"nodes": nodes, "cholesky.size": 1000})["ranks"]
    computing, waiting = ([rank[key] for rank in ranks] for key in ("compute_s", "mpi_s"))
    assert waiting.index(min(waiting)) == computing.index(max(computing))
