# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon size` and `hypermon tradeoffs` choose the agents an SMA has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
TIME = "monitor.clients[0].mean_s"
FANOUTS = (2, 4, 16, 64)
LITTLE = ("scms/growth", "--set", "nodes=60", "--set", "idle.duration_s=1.5")


@pytest.fixture
def times(hypermon: Hypermon, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> dict[int, float]:
    """Times of every tree."""
    monkeypatch.chdir(tmp_path)
    values = ",".join(map(str, FANOUTS))
    done = hypermon("sweep", *LITTLE, "--vary", f"scms.fanout={values}", "--metric", TIME, "--json")
    return {row["scms.fanout"]: row[TIME] for row in json.loads(done.stdout)}


def test_the_fewest_agents_with_which_answers_come_in_time_are_found(
    hypermon: Hypermon, times: dict[int, float]
) -> None:
    vary = ("--vary", f"scms.fanout={','.join(map(str, FANOUTS))}")
    limit_ms = 1000 * sorted(times.values())[1]  # two of the four trees are fast enough
    done = hypermon("size", *LITTLE, *vary, "--target", f"{TIME}={limit_ms:.6f}ms", "--json")
    assert done.returncode == 0, done.stderr
    enough = [agents for agents, seconds in times.items() if seconds <= limit_ms / 1000 + 1e-9]
    assert json.loads(done.stdout)["value"] in enough


def test_a_front_of_trees_has_none_that_another_beats(hypermon: Hypermon, times: dict[int, float]) -> None:
    busiest = "monitor.levels[0].cpu_s"
    vary = ("--vary", f"scms.fanout={','.join(map(str, FANOUTS))}", "--trials", "12")
    done = hypermon("tradeoffs", *LITTLE, *vary, "--minimize", TIME, "--minimize", busiest, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {row["scms.fanout"]: row[TIME] for row in found["designs"]}.items() <= times.items()
    points = [(row[TIME], row[busiest]) for row in found["designs"]]
    for row in found["front"]:
        mine = row[TIME], row[busiest]
        assert not [p for p in points if p != mine and p[0] <= mine[0] and p[1] <= mine[1]]
