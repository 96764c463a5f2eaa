# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS's cluster: the program's messages take the times that the platform gives, on every tree of switches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
PING = {"monitor": "none", "pingpong.least_bytes": 1, "pingpong.most_bytes": 2**20, "pingpong.repeats": 2}


def pings(folder: Path, *presets: str, **settings: object) -> dict[int, float]:
    """Seconds in one direction, by number of bytes."""
    out = folder / "out"
    given = {**PING, **{key.replace("__", "."): value for key, value in settings.items()}}
    hypermon.run("collection/pingpong", platform="beowulf", presets=list(presets), out=out, settings=given)
    return {int(size): seconds for size, seconds, _ in np.load(out / "answer.txt")}


def test_a_message_takes_mpichs_latency_and_the_cables_bandwidth_without_headers(tmp_path: Path) -> None:
    found = pings(tmp_path, nodes=2)
    assert found[1] == pytest.approx(100e-6, rel=0.02)  # two cables of 30 us, 20 us of CPU on each side; 16 B of header
    # below 64 KiB, each side copies at 4 ns a byte; if the sender waits for the receiver, SMPI charges no copy
    for size, next_size, copies in ((16384, 32768, 2), (2**19, 2**20, 0)):
        slope = (found[next_size] - found[size]) / (next_size - size)
        assert slope == pytest.approx(1 / (12.5e6 * 0.949) + copies * 4e-9, rel=0.01)


@pytest.mark.parametrize(("places", "hops"), [("0-2", 2), ("0,16,1", 4)])
def test_a_way_over_the_upper_switch_has_two_cables_more(places: str, hops: int, tmp_path: Path) -> None:
    found = pings(tmp_path, "beowulf/switches_of_16", nodes=2, machine__places=places)
    assert found[1] == pytest.approx(40e-6 + hops * 30e-6, rel=0.02)


@pytest.mark.parametrize("preset", ["switches_of_16", "switches_of_32", "gigabit_uplinks", "4096_nodes"])
def test_the_trees_have_a_place_for_each_node_and_the_front_end(preset: str) -> None:
    settings = {"workload": "idle", "idle.duration_s": 0.1, "monitor": "none"}
    result = hypermon.run("hpvm/clock", platform="beowulf", presets=[f"beowulf/{preset}"], settings=settings)
    assert result["elapsed_s"] == pytest.approx(0.1)
