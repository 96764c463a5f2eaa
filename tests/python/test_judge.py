# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon judge` compares an analyst's view of a run with the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import hypermon as package
from hypermon._engine import sweeping
from hypermon._inputs import scenario as scenarios
from hypermon._model import monitors, worker
from hypermon._model.activity import ACTUAL, AGES, EVENT_COLUMNS, METRICS, Activity
from hypermon._model.monitors import TELLS
from hypermon.errors import UserError
from hypermon.judging import Curve, NodePicture, Picture, from_events, from_profiles
from hypermon.judging.curves import curve_from_slopes, merged
from hypermon.judging.judgement import of_picture
from tests.conftest import Hypermon
from tests.registered import names, needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
OBSERVERS = observers()


class LittleActivity:
    """Two nodes, the second with two ranks, from 0 to 100 ps."""

    nodes, begin_ps, end_ps, step_ps = 2, 0, 100, 0
    ranks = ()

    @staticmethod
    def ranks_of(node: int) -> int:
        return node + 1


def table(rows: list[tuple[int, str, int, int | None]]) -> pa.Table:
    node, point, true, stamped = zip(*rows, strict=True)
    columns = [
        pa.array(node, pa.uint32()),
        pa.array(point).dictionary_encode(),
        pa.array(true, pa.int64()),
        pa.array(stamped, pa.int64()),
        pa.array([None] * len(rows), pa.int64()),
    ]
    return pa.table(columns, names=list(EVENT_COLUMNS))


def seen(rows: list[tuple[int, str, int, int | None]]) -> list[NodePicture]:
    found = from_events.picture(table(rows), LittleActivity())  # type: ignore[arg-type]
    assert found is not None
    return [node for node in found.nodes if node is not None]


def drawn(node: NodePicture) -> list[tuple[int, float]]:
    return list(zip(node.curve.times_ps[:-1].tolist(), node.curve.slopes().tolist(), strict=True))


def test_events_bracket_what_is_no_computing() -> None:
    (node,) = seen(
        [
            (0, "nx2.process_start", 5, 5),
            (0, "nx2.syscall_entry", 20, 21),
            (0, "nx2.switch_out", 22, 23),
            (0, "nx2.switch_in", 30, 31),
            (0, "nx2.syscall_exit", 40, 41),
            (0, "nx2.process_end", 90, 91),
        ]
    )
    assert drawn(node) == [(5, 1), (21, 0), (23, 0), (31, 0), (41, 1), (91, 0)]
    assert node.hole_ps(curve_from_slopes([0, 100], [1])) == 0


def test_a_lost_event_is_a_hole_until_the_next_one_and_the_state_before_goes_on() -> None:
    (node,) = seen(
        [
            (0, "nx2.process_start", 0, 0),
            (0, "nx2.syscall_entry", 20, None),
            (0, "nx2.syscall_exit", 40, 40),
            (0, "nx2.syscall_entry", 50, 50),
            (0, "nx2.syscall_exit", 60, None),
            (0, "nx2.syscall_entry", 70, None),
        ]
    )
    assert drawn(node) == [(0, 1), (40, 1), (50, 0)]
    assert node.holes.tolist() == [[0, 40], [50, 100]]
    assert node.hole_ps(curve_from_slopes([10, 55], [1])) == 30 + 5


def test_ranks_of_one_node_are_counted() -> None:
    """Two ranks are in MPI at once; a leave without its enter must not count twice."""
    (node,) = seen(
        [
            (1, "mpi.MPI_Send.leave", 0, 0),
            (1, "mpi.MPI_Send.enter", 10, 10),
            (1, "mpi.MPI_Recv.enter", 20, 20),
            (1, "mpi.MPI_Send.leave", 30, 30),
            (1, "mpi.MPI_Recv.enter", 40, 40),
            (1, "mpi.MPI_Recv.enter", 45, 45),
            (1, "mpi.MPI_Recv.leave", 50, 50),
        ]
    )
    assert drawn(node) == [(0, 2), (10, 1), (20, 0), (30, 1), (40, 0), (45, 0), (50, 1)]


def test_events_that_say_nothing_of_calls_are_no_picture() -> None:
    assert from_events.picture(table([(0, "nx2.process_start", 0, 0)]), LittleActivity()) is None  # type: ignore[arg-type]


def little_run(folder: Path, monitor: str = "", **more: Any) -> package.Result:
    """A run of a program that sends and receives, under a monitor that carries events."""
    if not (monitor or OBSERVERS):
        pytest.skip("no monitor carries events")
    monitor = monitor or OBSERVERS[0]
    settings = {"nodes": 4, "monitor": monitor, "place.attempts": 400, **needs(monitor), **more}
    return package.run("table2/place", settings=settings, out=folder / monitor, activity=True)


def test_the_truth_itself_is_no_error_and_its_shift_is_the_shift(tmp_path: Path) -> None:
    result = little_run(tmp_path)
    activity = Activity(result.path)
    judged = package.judge(result)
    truth = judged.truth
    same = of_picture(result, activity, Picture("itself", [NodePicture(curve) for curve in truth], in_hindsight=False))
    assert (same.error_percent, same.error_s, same.hole_percent) == (0, 0, 0)
    late = [NodePicture(Curve(curve.times_ps + 10**9, curve.levels_ps)) for curve in truth]
    assert of_picture(result, activity, Picture("late", late, in_hindsight=False)).error_s == pytest.approx(1e-3)
    nothing = [NodePicture(curve_from_slopes([activity.begin_ps, activity.end_ps], [0])) for _ in truth]
    blind = of_picture(result, activity, Picture("nothing", nothing, in_hindsight=False))
    assert blind.error_percent == pytest.approx(blind.computing_percent)
    opposite = []
    for curve, section in zip(truth, judged.sections, strict=True):
        edges = merged([section.times_ps, curve.times_ps])
        opposite.append(NodePicture(Curve(edges, section.at(edges) - curve.at(edges))))
    wrong = of_picture(result, activity, Picture("opposite", opposite, in_hindsight=False))
    assert wrong.error_percent == pytest.approx(100)


def test_who_looks_live_sees_events_as_they_come(tmp_path: Path) -> None:
    for name in OBSERVERS:
        result = little_run(tmp_path, name)
        judged = package.judge(result)
        if result["latency_us"] is None:
            assert judged.live == {}
            continue
        assert list(judged.live) == [*AGES, ACTUAL]
        ages = [judged.live[age].age_s for age in AGES]
        assert ages == sorted(ages)
        assert 0 < judged.live[ACTUAL].age_s <= ages[-1] <= result["latency_us"]["max"] * 1e-6
        assert all(judged.error_percent <= live.error_percent <= 100 for live in judged.live.values())


def test_every_monitor_has_a_picture_or_says_accounting(tmp_path: Path) -> None:
    """For every monitor, numbers are within their bounds, and a monitor that sees nothing guesses."""
    for name in names("monitors"):
        one = monitors.find(name)
        assert tuple(tell for tell in TELLS if tell in one.tells) == one.tells
        judged = package.judge(little_run(tmp_path, name))
        assert 0 <= judged.error_percent <= 100
        assert 0 <= judged.hole_percent <= 100
        assert judged.error_s is not None
        assert judged.error_s >= 0
        if judged.source == "accounting":
            assert (judged.error_percent, judged.error_s) == (judged.guess_percent, judged.guess_s)
            assert judged.hole_percent == 100
        assert len(judged.nodes) == 4
        weights = [node.section_s for node in judged.nodes]
        mean = np.average([node.error_percent for node in judged.nodes], weights=weights)
        assert judged.error_percent == pytest.approx(mean)
        json.dumps(judged.to_dict(), allow_nan=False)


def test_a_resolution_forgives_what_is_finer(tmp_path: Path) -> None:
    result = little_run(tmp_path)
    errors = [package.judge(result, resolution_s=step).error_percent for step in (0, 1e-3, 0.1, 10)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > errors[-1]
    with pytest.raises(UserError, match="must be 0 or more"):
        package.judge(result, resolution_s=-1)


def test_profiles_are_what_grew_outside_of_mpi() -> None:
    import pandas as pd

    class OneRank:
        nodes, begin_ps, end_ps = 1, 0, 100 * 10**12

        class Span:
            node = 0

        ranks = (Span(),)

        @staticmethod
        def ranks_of(_: int) -> int:
            return 1

    rows = [
        (10.0, 0, "work()", 8.0, 6.0),
        (10.0, 0, "MPI_Send()", 2.0, 2.0),
        (20.0, 0, "work()", 10.0, 7.0),
        (20.0, 0, "MPI_Send()", 12.0, 12.0),
    ]
    frame = pd.DataFrame(rows, columns=["time_s", "process", "routine", "inclusive_s", "exclusive_s"])
    found = from_profiles.picture(frame, OneRank())  # type: ignore[arg-type]
    assert found is not None
    (node,) = found.nodes
    assert node is not None
    assert [(t // 10**12, round(share, 9)) for t, share in drawn(node)] == [(0, 0.6), (10, 0.1), (20, 0.1)]
    assert node.holes.tolist() == [[20 * 10**12, 100 * 10**12]]


def test_points_of_sweeps_are_judged(tmp_path: Path) -> None:
    settings = {"nodes": 2, "matmul.size": 16}
    spec = scenarios.find_one("table2/matmul").resolve(worker.schema(), settings, (), where="test")
    wanted = ["elapsed_s", *(entry["path"] for entry in METRICS if ".live." not in entry["path"])]
    wanted.append("picture.live.p50.error_percent")
    (row,) = sweeping.evaluate([spec], wanted, recordings_folder=tmp_path / "store")
    assert (row["status"], row["error"]) == ("ok", None)
    judged = package.judge(package.run("table2/matmul", settings=settings, out=tmp_path / "run", activity=True))
    assert row["picture.error_percent"] == judged.error_percent
    assert row["picture.error_s"] == judged.error_s
    live = judged.live.get("p50")
    assert row["picture.live.p50.error_percent"] == (None if live is None else live.error_percent)
    again = sweeping.evaluate([spec], ["elapsed_s"], recordings_folder=tmp_path / "store")
    assert again[0]["elapsed_s"] == row["elapsed_s"]
    with pytest.raises(UserError, match="the result has no such number"):
        sweeping.evaluate([spec], ["picture.errors"], recordings_folder=tmp_path / "store")


def test_the_command_says_it(hypermon: Hypermon, tmp_path: Path) -> None:
    result = little_run(tmp_path)
    shown = hypermon("judge", str(result.path), "--node", "1", "--plot", str(tmp_path / "picture.svg"))
    assert shown.returncode == 0, shown.stderr
    assert "events" in shown.stdout
    assert (tmp_path / "picture.svg").read_text().count("% wrong") == 1
    found = json.loads(hypermon("judge", str(result.path), "--json", "--resolution", "10ms").stdout)
    assert found[0]["resolution_s"] == 0.01
    assert found[0]["error_percent"] == package.judge(result, resolution_s=0.01).error_percent
    for arguments, message in (
        (("--resolution", "10 kg"), "--resolution 10 kg: wrong unit kg"),
        (("--resolution", "soon"), "--resolution soon: must be a time of 0 or more, such as 10ms"),
        (("--node", "9"), "--node 9: "),
        ((str(tmp_path), "--plot", "x.svg"), "--plot x.svg: draws one run, not 2"),
    ):
        failed = hypermon("judge", str(result.path), *arguments)
        assert failed.returncode == 2
        assert message in failed.stderr
        assert "Traceback" not in failed.stderr
