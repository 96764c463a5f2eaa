# SPDX-License-Identifier: BSD-3-Clause
"""Figure 3 of TAU over Supermon: profiles and bytes at 1 Hz show the phases of a program."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

import hypermon
from hypermon._files import tau
from hypermon._model import routines
from hypermon._model.result import Result

TASKS = ["[0-9]*"]
REPRESENTS = 9200  # a fifth of the paper's: a step of 70 s
COMMUNICATING, CHECKPOINT, COMPUTING = (
    ("2 masses and momenta", "3 forces", "6 gradients"),
    "9 checkpoint",
    "10 stresses",
)

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    out = tmp_path_factory.mktemp("tau") / "phases"
    hypermon.run("tau/phases", out=out, settings={"phases.represents": REPRESENTS})
    return Result(out)


def truth(result: Result) -> dict[str, float]:
    """End of each task in seconds after the begin of the first, exactly, from the last profiles of all processes."""
    profiles = [tau.read(path) for path in tau.find(result.path / "profiles").values()]
    lengths: dict[str, float] = {}
    for profile in profiles:
        for routine in profile.routines:
            if routine.name.split()[0].isdigit():
                lengths[routine.name] = lengths.get(routine.name, 0) + routine.inclusive * 1e-6 / len(profiles)
    names = sorted(lengths, key=lambda name: int(name.split()[0]))
    return dict(zip(names, accumulate(lengths[name] for name in names), strict=True))


@pytest.fixture(scope="module")
def phases(result: Result) -> list[routines.Phase]:
    return routines.phases(routines.growth(result, "inclusive", TASKS))


def test_every_task_that_lasts_is_found_within_a_sample(result: Result, phases: list[routines.Phase]) -> None:
    ends = truth(result)
    begin = max(rank["elapsed_s"] for rank in result["ranks"]) - max(ends.values())  # before the first task
    lengths = np.diff([0.0, *ends.values()])
    lasting = [name for name, length in zip(ends, lengths, strict=True) if length > 2]
    assert {*COMMUNICATING, CHECKPOINT, COMPUTING} <= set(lasting)
    found = {phase.routine: phase for phase in phases}
    assert [phase.routine for phase in phases if phase.routine in lasting] == lasting
    for name in lasting[:-1]:
        assert found[name].end_s - begin == pytest.approx(ends[name], abs=1.0)


def test_eth0_follows_communication_and_eth1_the_checkpoint(result: Result, phases: list[routines.Phase]) -> None:
    eth0, eth1 = routines.traffic(result)
    assert (eth0.network, eth1.network) == ("eth0", "eth1")
    found = {phase.routine: phase for phase in phases}

    def mean(of: routines.Traffic, name: str) -> float:
        inside = (of.edges_s[:-1] >= found[name].begin_s) & (of.edges_s[1:] <= found[name].end_s)
        return float(of.bytes_per_s[inside].mean())

    for name in COMMUNICATING:
        assert mean(eth0, name) > 30 * max(mean(eth0, CHECKPOINT), mean(eth0, COMPUTING), 1e6)
        assert mean(eth1, CHECKPOINT) > 30 * mean(eth1, name)
    assert mean(eth1, CHECKPOINT) > 30 * mean(eth1, COMPUTING)


def test_the_picture_names_tasks_and_networks(result: Result, tmp_path: Path) -> None:
    figure = hypermon.pictures.phases(result, of="inclusive", names=TASKS)
    hypermon.pictures.save(figure, tmp_path / "phases.svg")
    text = (tmp_path / "phases.svg").read_text()
    for label in (*COMMUNICATING, CHECKPOINT, COMPUTING, "eth0, MB/s", "eth1, MB/s"):
        assert label in text
