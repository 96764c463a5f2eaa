# SPDX-License-Identifier: BSD-3-Clause
"""Phases of a program, found from samples of its routines' times: when they change, and the traffic of each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hypermon as api
from hypermon._model import routines
from hypermon._model.routines import OTHERS, Growth
from hypermon.errors import UserError
from tests.conftest import Hypermon

TASKS = (("a", 4.3), ("b", 2.5), ("a", 3.0), ("c", 5.6))
"""A routine, and its duration in s."""


def profiles(processes: int, period_s: float, stagger_s: float = 0.0) -> pd.DataFrame:
    """Samples of these tasks. Each process is sampled slightly later than the previous one."""
    ends = np.cumsum([length for _, length in TASKS])
    rows = []
    for process in range(processes):
        for at in np.arange(0, ends[-1] + 1e-9, period_s) + process * stagger_s:
            so_far = dict.fromkeys("abc", 0.0)
            for (name, length), end in zip(TASKS, ends, strict=True):
                so_far[name] += float(np.clip(at - (end - length), 0, length))
            rows += [(at, process, name, seconds) for name, seconds in so_far.items() if seconds > 0 or name == "a"]
    return pd.DataFrame(rows, columns=["time_s", "process", "routine", "seconds"])


@pytest.mark.parametrize("period_s", [0.1, 0.7, 1.0, 2.0])
@pytest.mark.parametrize(("processes", "stagger_s"), [(1, 0.0), (4, 0.0), (4, 0.02)])
def test_changes_are_found_to_a_fraction_of_a_sample(period_s: float, processes: int, stagger_s: float) -> None:
    """Accuracy is one sample even if that is as long as the shortest phase; it is exact if all are sampled at once."""
    frame = profiles(processes, period_s, stagger_s)
    found = routines.phases(routines._grown(frame, frame, 11))
    assert [phase.routine for phase in found] == ["a", "b", "a", "c"]
    changes = np.array([phase.begin_s for phase in found[1:]])
    expected = np.cumsum([length for _, length in TASKS])[:-1]
    assert abs(changes - expected).max() < (1e-9 if stagger_s == 0 else 0.1 * period_s)
    assert [phase.end_s for phase in found[:-1]] == list(changes)


def test_an_interval_is_what_its_routines_took_and_the_rest() -> None:
    frame = profiles(3, 1.0)
    grown = routines._grown(frame[frame["routine"] != "b"], frame, 11)
    assert grown.routines == ("a", "c", OTHERS)
    assert grown.processes == 3
    np.testing.assert_allclose(grown.seconds.sum(axis=0), np.diff(grown.edges_s))
    np.testing.assert_allclose(grown.seconds.sum(axis=1), [7.3, 5.2, 2.5])  # c: until the last sample, at 15 s


def test_of_many_routines_those_that_take_most_are_shown() -> None:
    frame = profiles(1, 1.0)
    grown = routines._grown(frame, frame, 2)
    assert grown.routines == ("a", "c", OTHERS)


def test_one_sample_makes_no_difference() -> None:
    frame = profiles(2, 20.0)
    with pytest.raises(UserError, match="two samples or more of each process"):
        routines._grown(frame, frame, 11)


def test_a_profile_that_came_twice_counts_once() -> None:
    frame = profiles(2, 1.0)
    twice = pd.concat([frame, frame]).sort_values("time_s", kind="stable", ignore_index=True)
    np.testing.assert_array_equal(routines._grown(twice, twice, 11).seconds, routines._grown(frame, frame, 11).seconds)


def test_phases_reach_from_the_first_sample_to_the_last() -> None:
    grown = Growth(np.array([1.0, 2.0, 3.0]), ("x", OTHERS), np.array([[1.0, 0.9], [0.0, 0.1]]), 1)
    assert routines.phases(grown) == [("x", 1.0, 3.0)]


# Of runs ---------------------------------------------------------------------------------------------------------------

COUNTERS = "timer.inclusive timer.exclusive interface.bytes_sent network.bytes_sent"
SMALL: dict[str, Any] = {
    "phases.represents": 2000, "phases.access": "none", "lan.count": 1, "lan.name": "eth1", "network.name": "eth0",
    "pcp.counters": COUNTERS, "pcp.fetches": 0, "pcp.block_bytes": 0, "pcp.network": "eth1", "pcp.daemon_us": 0, "pcp.value_us": 0, "node.clock_drift_ppm": 0,
    "node.clock_offset_us": 0, "node.start_spread_us": 0, "machine.topology": "star", "machine.beside": 1,
    "network.bandwidth_mb_per_s": 12.5, "workload": "phases", "nodes": 8, "monitor": "pcp", "node.tick_ms": 1000,
    "phases.pack_ns": 5000, "phases.grid_ns": 5000, "phases.material_ns": 200_000,
}  # fmt: skip
TASK = ["[0-9]*"]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sampled at 1 Hz and, as the truth, at 10 Hz."""
    folder = tmp_path_factory.mktemp("phases")
    for name, interval, counters in (("run", 1.0, COUNTERS), ("truth", 0.1, "timer.inclusive")):
        api.run("pcp/table2", out=folder / name, **{**SMALL, "pcp.interval_s": interval, "pcp.counters": counters})
    return folder


@pytest.mark.worker
def test_the_phases_of_a_run_are_found_from_samples_at_1_hz(sampled: Path) -> None:
    found, truth = (
        api.timelines.phases(api.Result(sampled / name), of="inclusive", names=TASK) for name in ("run", "truth")
    )
    longer = [phase.routine for phase in truth if phase.end_s - phase.begin_s > 2]
    assert [phase.routine for phase in found if phase.end_s - phase.begin_s > 2] == longer
    assert len(longer) >= 7
    begins = {phase.routine: phase.begin_s for phase in truth}
    assert max(abs(phase.begin_s - begins[phase.routine]) for phase in found[1:] if phase.routine in longer) < 1.0


@pytest.mark.worker
def test_the_first_network_follows_communication_the_second_one_carries_samples_alone(sampled: Path) -> None:
    result = api.Result(sampled / "run")
    eth0, eth1 = routines.traffic(result)
    assert (eth0.network, eth1.network) == ("eth0", "eth1")
    phases = {phase.routine: phase for phase in routines.phases(routines.growth(result, "inclusive", TASK))}

    def mean(traffic: routines.Traffic, routine: str) -> float:
        phase = phases[routine]
        ends = traffic.edges_s[1:]
        inside = (ends > phase.begin_s + 1) & (ends <= phase.end_s)
        return float(traffic.bytes_per_s[inside].mean())

    assert mean(eth0, "6 gradients") > 1e6 > 100 * mean(eth0, "10 stresses")
    assert eth1.bytes_per_s.max() < 1e6


@pytest.mark.worker
def test_the_picture_its_numbers_and_the_same_from_python(sampled: Path, tmp_path: Path, hypermon: Hypermon) -> None:
    run = str(sampled / "run")
    picture, numbers = tmp_path / "a.svg", tmp_path / "a.csv"
    for out in (picture, numbers):
        ended = hypermon("plot", "phases", run, "--measure", "inclusive", "--routine", TASK[0], "-o", str(out))
        assert ended.returncode == 0, ended.stderr
    text = picture.read_text()
    for label in ("6 gradients", "10 stresses", "eth0, MB/s", "eth1, MB/s", "s/s"):
        assert label in text
    frame = pd.read_csv(numbers)
    routine = frame[frame["unit"] == "s"]
    lengths = routine.drop_duplicates("begin_s")
    assert routine["value"].sum() == pytest.approx((lengths["end_s"] - lengths["begin_s"]).sum())
    assert set(frame["unit"]) == {"s", "B/s", "phase"}
    figure = api.pictures.phases(api.Result(sampled / "run"), of="inclusive", names=TASK)
    api.pictures.save(figure, tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_bytes() == picture.read_bytes()


@pytest.mark.worker
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--routine", "11 time stop"],
            "routine 11 time stop: the run has none: MPI_Alltoall, MPI_Sendrecv, interpolate,",
        ),
        (["--counter", "cpu.user"], "error: no such option: --counter"),
    ],
)
def test_bad_input_is_one_line(
    sampled: Path, tmp_path: Path, hypermon: Hypermon, arguments: list[str], message: str
) -> None:
    ended = hypermon("plot", "phases", str(sampled / "run"), *arguments, "-o", str(tmp_path / "a.svg"))
    assert ended.returncode == 2
    assert message in ended.stderr
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.worker
def test_what_is_of_phases_is_of_no_other_picture(sampled: Path, tmp_path: Path, hypermon: Hypermon) -> None:
    ended = hypermon("plot", "latency", str(sampled / "run"), "--measure", "inclusive", "-o", str(tmp_path / "a.svg"))
    assert ended.returncode == 2
    assert "error: no such option: --measure" in ended.stderr


@pytest.mark.worker
def test_a_run_without_samples_of_routines_has_no_phases(tmp_path: Path) -> None:
    api.run("pcp/table2", out=tmp_path / "run", nodes=2, settings={"pcp.counters": "cpu.busy", "pcp.interval_s": 0.1})
    result = api.Result(tmp_path / "run")
    with pytest.raises(UserError, match=re.escape("has no profiles of routines, nor samples of timer.exclusive")):
        routines.growth(result)
