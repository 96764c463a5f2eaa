# SPDX-License-Identifier: BSD-3-Clause
"""The time of emitting events follows from the configuration and is not drawn as computing."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import hypermon as package
from hypermon._engine import runner
from hypermon._model import activity as activities
from hypermon._model import monitors
from hypermon._model.activity import EVENT_COLUMNS, EVENTS, PIECES, Activity
from hypermon._model.result import Result
from hypermon._model.schema import Value
from hypermon.judging import Picture, from_events
from hypermon.judging.from_events import Emission, HasEmission
from hypermon.judging.judgement import of_picture
from tests.python.drawing import legal
from tests.python.made_activity import MadeRank, made
from tests.python.random_specs import DRAWN, PROGRAMS
from tests.registered import needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
OBSERVERS = [name for name in observers() if monitors.overrides(monitors.find(name), HasEmission.emission)]
CASES = int(os.environ.get("HYPERMON_TEST_RUNS", "8"))
RIGHT = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0}


def table(rows: list[tuple[int, str, int, int | None]]) -> pa.Table:
    """Node, point, true and stamped time."""
    node, point, true, stamped = zip(*rows, strict=True)
    columns = [
        pa.array(node, pa.uint32()),
        pa.array(point).dictionary_encode(),
        pa.array(true, pa.int64()),
        pa.array(stamped, pa.int64()),
        pa.array([None] * len(rows), pa.int64()),
    ]
    return pa.table(columns, names=list(EVENT_COLUMNS))


def shown(picture: Picture | None, node: int = 0) -> list[tuple[int, float]]:
    assert picture is not None
    found = picture.nodes[node]
    assert found is not None
    slopes = found.curve.slopes()
    changes = np.flatnonzero(np.append(True, slopes[1:] != slopes[:-1]))
    return list(zip(found.curve.times_ps[changes].tolist(), slopes[changes].tolist(), strict=True))


def test_nobody_computes_while_an_event_is_emitted(tmp_path: Path) -> None:
    """A return from a call, an interrupt, and a marker in the program. Within a call an emission changes nothing, and a
    lost event takes no time that an analyst could know.
    """
    points = ("process_start", "tick", "syscall_entry", "send_start", "syscall_exit", "process_end")
    takes = {**{f"nx2.{point}": Emission(0, 10) for point in points}, "user": Emission(0, 5)}
    rows: list[tuple[int, str, int, int | None]] = [
        (0, "nx2.process_start", 0, 0),
        (0, "nx2.tick", 20, 20),
        (0, "user", 40, 40),
        (0, "nx2.tick", 50, None),
        (0, "nx2.syscall_entry", 60, 60),
        (0, "nx2.send_start", 70, 70),
        (0, "nx2.syscall_exit", 100, 100),
        (0, "nx2.syscall_entry", 108, 108),  # its stamp is rounded: the exit takes until 110
        (0, "nx2.syscall_exit", 130, 130),
        (0, "nx2.process_end", 150, 150),
    ]
    activity = made(tmp_path, 1, [MadeRank(0, 0, 200, [])], 200)
    picture = from_events.picture(table(rows), activity, takes)
    assert shown(picture) == [(0, 0), (10, 1), (20, 0), (30, 1), (40, 0), (45, 1), (60, 0), (140, 1), (150, 0)]
    assert picture is not None
    assert picture.nodes[0] is not None
    assert picture.nodes[0].holes.tolist() == []  # a tick says nothing about the state


def test_of_several_ranks_the_one_that_emits_waits_and_an_interrupt_stops_all(tmp_path: Path) -> None:
    takes = dict.fromkeys(("mpi.MPI_Send.leave", "mpi.MPI_Send.enter", "nx2.tick"), Emission(3, 7))
    rows: list[tuple[int, str, int, int | None]] = [
        (0, "mpi.MPI_Send.enter", 0, 3),
        (0, "mpi.MPI_Send.leave", 20, 23),
        (0, "nx2.tick", 50, 53),
    ]
    activity = made(tmp_path, 1, [MadeRank(0, 0, 100, [])] * 3, 100)
    assert shown(from_events.picture(table(rows), activity, takes)) == [(0, 2), (30, 3), (50, 0), (60, 3)]


def random_run(monitor: str, seed: int, folder: Path) -> Result:
    """A run with random parameters under which the monitor never makes nodes wait, because waiting is not part of an
    event's cost.
    """

    def drawn() -> Iterator[Mapping[str, Value]]:
        rng = random.Random(f"{monitor}/{seed}")
        while True:
            nodes, program = rng.choice((1, 2, 4)), rng.choice(list(PROGRAMS))
            settings = {
                "monitor": monitor,
                "workload": program,
                "machine.messages": rng.choice(("nx2", "smpi")),
                **PROGRAMS[program].settings(rng, nodes),
            }
            settings |= DRAWN[monitor].settings(rng, int(settings["nodes"]), 0.5)
            settings = {path: "drop" if value == "stall" else value for path, value in settings.items()}
            yield {**settings, **RIGHT}

    return runner.simulate(legal(drawn()), folder / f"{seed}", leaves=runner.Leaves(activity=PIECES))


@pytest.mark.parametrize("monitor", OBSERVERS)
def test_what_events_take_is_what_the_node_s_configuration_says(monitor: str, tmp_path: Path) -> None:
    """The times of all events emitted in a rank's section, including lost ones, must add up to the result's monitor
    time.
    """
    compared = 0
    for seed in range(CASES + 4):
        result = random_run(monitor, seed, tmp_path)
        if not (result.path / EVENTS).is_file():
            continue
        activity = Activity(result.path)
        frame = activities.events(result.path).to_pandas()
        takes = {point: sum(both) for point, both in from_events.emissions(result).items()}
        for span, rank in zip(activity.ranks, result["ranks"], strict=True):
            own = frame[frame["node"] == span.node]
            if len(own) > rank["events"]:
                continue  # a fault made some of them, and no node emitted these
            begin = own["true_ps"].to_numpy()
            end = begin + own["point"].astype(str).map(takes).to_numpy()
            inside = np.minimum(end, span.end_ps) - np.maximum(begin, span.begin_ps)
            # Each of up to 32 data of an event is rounded to a picosecond on the node.
            assert inside.clip(0).sum() == pytest.approx(rank["monitor_s"] * 1e12, abs=16 * len(own)), seed
            compared += len(own)
    assert compared > 100


@pytest.mark.parametrize("monitor", OBSERVERS)
def test_where_only_calls_and_events_take_time_events_are_the_truth(monitor: str, tmp_path: Path) -> None:
    """SMPI's messages interrupt no node, and the clocks are right: the only error is the rounding of stamps."""
    settings: dict[str, Any] = {
        "nodes": 4,
        "place.attempts": 300,
        "machine.messages": "smpi",
        **RIGHT,
        **needs(monitor),
    }
    result = package.run("table2/place", settings={"monitor": monitor, **settings}, out=tmp_path / "run", activity=True)
    found = package.judge(result)
    assert found.hole_percent == 0
    error = result["timestamp_error_us"]
    rounding_ps = (error["max"] - error["min"]) * 1e6
    events = activities.events(result.path)
    assert found.error_percent <= 100 * events.num_rows * rounding_ps / (4 * found.elapsed_s * 1e12)
    without = of_picture(result, Activity(result.path), from_events.picture(events, Activity(result.path)))
    emitting = sum(rank["monitor_s"] for rank in result["ranks"])
    assert without.error_percent > found.error_percent + 10 * emitting / (4 * found.elapsed_s)
