# SPDX-License-Identifier: BSD-3-Clause
"""A sweep replays where that is exact and co-simulates elsewhere; its rows equal those of single runs."""

from __future__ import annotations

import dataclasses
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import UserError
from hypermon._engine import recorder, recording, sweeping
from hypermon._engine.recording import Recording
from hypermon._engine.replaying import applies_back_pressure
from hypermon._engine.sweeping.plan import Plan
from hypermon._inputs.scenario import find_one
from hypermon._model.spec import Spec
from hypermon._model.worker import schema
from hypermon.errors import SimulationError
from hypermon.monitors.hypermon import replaying, replays
from tests.conftest import Hypermon
from tests.python.little_place import LITTLE
from tests.python.processes import wait_for

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker", "folder")]

# Two boards of two inputs on a slow bus: frames are lost. Place is so small that it takes a tenth of a second.
SMALL: dict[str, Any] = {
    **LITTLE,
    "ecb.inputs": 2,
    "pbx.word_ns": 1500,
}
DEPTH, WORD = "ecb.frame_fifo_frames", "pbx.word_ns"
FULL = [
    "latency_us.p99",
    "timestamp_error_us.mean",
    "ledger.delivered.events",
    "causality_violations",
    "ranks[1].monitor_s",
]
Vary = Mapping[str, Sequence[Any]]


@pytest.fixture
def hypermon_command(request: pytest.FixtureRequest) -> Hypermon:
    """The command line; the name `hypermon` is the package here."""
    made: Hypermon = request.getfixturevalue("hypermon")
    return made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sweep(vary: Vary, metrics: Sequence[str], out: str, **more: Any) -> sweeping.Sweep:
    settings = {path: value for path, value in SMALL.items() if path not in vary}
    return hypermon.sweep("table2/place", vary=vary, metrics=metrics, settings=settings, out=out, **more)


def plan(vary: Vary, metrics: Sequence[str] = ("elapsed_s",), scenario: str = "table2/place", **more: Any) -> Plan:
    asked: dict[str, Any] = {"zips": (), "conditions": (), "repeats": None, "presets": ()}
    chosen = {path: value for path, value in SMALL.items() if path not in vary}
    request = sweeping.make_request(scenario, vary=vary, metrics=metrics, settings=chosen, **(asked | more))
    return sweeping.Prepared(request, Path("planned"), jobs=2).plan


@pytest.mark.parametrize("metrics", [sorted(replaying.COUNTED), FULL], ids=["counts", "whole results"])
def test_replayed_rows_are_those_of_co_simulations(metrics: list[str]) -> None:
    vary = {"nodes": [2, 4], "ecb.window_ns": [400, 800], DEPTH: [2, 64]}
    s = sweep(vary, metrics, "s")
    rows = s.to_arrow().to_pylist()
    assert {row["how"] for row in rows} == {"replay"}
    assert len({row["monitor.frames.lost"] for row in rows} if "monitor.frames.lost" in metrics else rows) > 4
    for row in rows:
        run = hypermon.run("table2/place", settings=SMALL | {path: row[path] for path in vary}, out="run")
        assert {metric: row[metric] for metric in metrics} == {metric: run.value(metric) for metric in metrics}
        assert row["status"] == "ok"


def test_parameters_before_the_ports_need_a_recording_each_and_those_behind_share_it() -> None:
    made = plan({"nodes": [2, 4], "place.pin_ns": [10, 20, 30], DEPTH: [8, 16], WORD: [400, 800]})
    assert made.decisions == {"nodes": "cosim", "place.pin_ns": "cosim", DEPTH: "replay", WORD: "replay"}
    assert (len(made.groups), {len(g.members) for g in made.groups}, len(made.cosims)) == (2 * 3, {2 * 2}, 0)
    # Recorded is the scenario's own hardware.
    own = find_one("table2/place").resolve(schema()).values
    assert {(g.recorded.values[DEPTH], g.recorded.values[WORD]) for g in made.groups} == {(own[DEPTH], own[WORD])}


def test_parameters_of_programs_that_do_not_run_need_no_recording_of_their_own() -> None:
    made = plan({"life.size": [8, 16], DEPTH: [8, 16]})
    assert [len(group.members) for group in made.groups] == [4]


def test_what_acts_back_on_the_machine_is_co_simulated_point_by_point() -> None:
    made = plan({"ecb.node_fifo_full": ["drop", "stall"], DEPTH: [8, 16]})
    assert [len(group.members) for group in made.groups] == [2]
    assert list(made.cosims.values()) == ["the hardware feeds back to the machine"] * 2
    assert all(made.specs[key].values["ecb.node_fifo_full"] == "stall" for key in made.cosims)
    host = plan({"drain.destination": ["host"], DEPTH: [8, 16]})
    assert (len(host.cosims), host.groups) == (2, ())


def test_what_is_recorded_never_acts_back_even_where_the_scenario_does() -> None:
    Path("own.yaml").write_text("question: q\nbase: table2/place\nset: {ecb.node_fifo_full: stall}\n")
    made = plan({"ecb.node_fifo_full": ["drop"], DEPTH: [8, 16]}, scenario="own.yaml")
    (group,) = made.groups
    assert group.recorded.values["ecb.node_fifo_full"] == "drop"
    assert not applies_back_pressure(group.recorded)


def test_other_monitors_are_co_simulated_one_by_one() -> None:
    made = plan({"monitor": ["none", "software", "hypermon"], DEPTH: [8, 16]})
    assert sorted(made.cosims.values()) == ["monitor = none"] * 2 + ["monitor = software"] * 2
    assert [len(group.members) for group in made.groups] == [2]


def test_a_point_that_shares_its_emissions_with_no_other_is_not_recorded() -> None:
    made = plan({"place.pin_ns": [10, 20]})
    assert (list(made.cosims.values()), made.groups) == (["no other point has the same emissions"] * 2, ())


def test_repeats_are_other_emissions() -> None:
    made = plan({DEPTH: [8, 16]}, repeats=3)
    assert len(made.groups) == 3
    assert [g.recorded.values["seed"] for g in made.groups] == [1, 2, 3]
    assert made.decisions["seed"] == "cosim"


@pytest.mark.parametrize(
    ("metrics", "detail"),
    [
        (["monitor.frames.lost", "elapsed_s"], "counts"),
        (["monitor.frames.lost / monitor.frames.built + spec.nodes"], "counts"),
        (["monitor.frames.lost", "latency_us.max"], "full"),
        (['lost(ledger, "frame_fifo", "overrun").events'], "full"),
    ],
)
def test_the_metrics_decide_whether_counts_suffice(metrics: list[str], detail: str) -> None:
    assert plan({DEPTH: [8, 16]}, metrics).detail == detail


def test_stalling_points_in_a_sweep_are_rows_of_co_simulations() -> None:
    vary: Vary = {"ecb.node_fifo_full": ["drop", "stall"], "ecb.node_fifo_entries": [1, 64]}
    slow: dict[str, Any] = {"ecb.builder_cycles": 400}
    s = sweep(vary, ["monitor.held_s", "elapsed_s"], "s", **slow)
    rows = s.to_arrow().to_pylist()
    assert [row["how"] for row in rows] == ["replay", "replay", "cosim", "cosim"]
    for row in rows:
        run = hypermon.run("table2/place", settings=SMALL | slow | {path: row[path] for path in vary}, out="run")
        assert (row["monitor.held_s"], row["elapsed_s"]) == (run["monitor"]["held_s"], run["elapsed_s"])
    assert rows[2]["monitor.held_s"] > 0


def recordings(out: str) -> dict[str, int]:
    return {p.name: (p / recording.FILE).stat().st_mtime_ns for p in Path(out).glob("store/recordings/*")}


def test_another_sweep_in_the_folder_uses_the_recording() -> None:
    sweep({DEPTH: [8, 16]}, ["monitor.frames.lost"], "s")
    before = recordings("s")
    assert len(before) == 1
    s = sweep({DEPTH: [16, 32], WORD: [800, 1500]}, ["latency_us.max"], "s")
    assert recordings("s") == before
    assert s.manifest["replayed"] == 4


def test_evaluate_records_once_and_replays_single_points_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded: list[Spec] = []

    def counted(spec: Spec, *arguments: Any, **more: Any) -> Recording:
        recorded.append(spec)
        return original(spec, *arguments, **more)

    original = recorder.record_spec
    monkeypatch.setattr(recorder, "record_spec", counted)
    for depth in (8, 16, 8):
        spec = find_one("table2/place").resolve(schema(), SMALL | {DEPTH: depth})
        (row,) = sweeping.evaluate([spec], ["monitor.frames.lost"], recordings_folder="e")
        run = hypermon.run("table2/place", settings=SMALL | {DEPTH: depth}, out="run")
        assert row == {
            "how": "replay", "status": "ok", "error": None, "monitor.frames.lost": run["monitor"]["frames"]["lost"],
        }  # fmt: skip
    assert len(recorded) == 1
    assert sweeping.evaluate([], ["elapsed_s"], recordings_folder="e") == []
    with pytest.raises(UserError, match="elapsed: the result has no such number; did you mean elapsed_s"):
        sweeping.evaluate([spec], ["elapsed"], recordings_folder="e")


def test_a_recording_that_fails_fails_its_points_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    original = recorder.record_spec

    def failing(spec: Spec, *arguments: Any, **more: Any) -> Recording:
        if spec.values["nodes"] == 2:
            raise SimulationError("deadlock")
        return original(spec, *arguments, **more)

    monkeypatch.setattr(recorder, "record_spec", failing)
    s = sweep({"nodes": [2, 4], DEPTH: [8, 16]}, ["monitor.frames.built"], "s")
    rows = s.to_arrow().to_pylist()
    assert [row["error"] for row in rows] == ["the recording failed: deadlock"] * 2 + [None] * 2
    assert [row["monitor.frames.built"] is None for row in rows] == [True, True, False, False]


def test_a_design_that_fails_in_a_replay_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    original = replaying.count

    def failing(source: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
        if any(spec.values[DEPTH] == 16 for spec in specs):
            raise ValueError("16 is unlucky")
        return original(source, specs)

    monkeypatch.setattr(replays, "count", failing)
    s = sweep({DEPTH: [8, 16, 32, 64]}, ["monitor.frames.built"], "s", jobs=1)
    assert s.to_arrow().column("error").to_pylist() == [None, "ValueError: 16 is unlucky", None, None]


def damage(kind: str, file: Path) -> None:
    """Damages a recording."""
    content = bytearray(file.read_bytes())
    if kind == "empty":
        content.clear()
    elif kind == "cut off":
        del content[1000:]
    else:  # a bit of a burst's time or data, which only the checksum can notice
        content[len(content) // 2] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize("kind", ["empty", "cut off", "one bit"])
@pytest.mark.parametrize("jobs", [1, 4])
def test_a_damaged_recording_is_made_again(kind: str, jobs: int) -> None:
    whole = sweep({DEPTH: [8, 16, 32, 64, 128]}, ["monitor.frames.built"], "whole", jobs=jobs)
    sweep({DEPTH: [1, 2]}, ["monitor.frames.built"], "s")
    (file,) = Path("s/store/recordings").glob(f"*/{recording.FILE}")
    intact = file.read_bytes()
    damage(kind, file)
    s = sweep({DEPTH: [8, 16, 32, 64, 128]}, ["monitor.frames.built"], "s", jobs=jobs)
    assert s.to_arrow().equals(whole.to_arrow())
    assert file.read_bytes() == intact


def test_a_recording_that_is_damaged_again_and_again_fails_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: Path) -> None:
        assemble(folder)
        damage("one bit", folder / recording.FILE)

    assemble = recording.assemble
    monkeypatch.setattr(recording, "assemble", broken)
    s = sweep({DEPTH: [8, 16]}, ["monitor.frames.built"], "s")
    assert all("is damaged: the checksum of batch 0 is another" in error for error in s.failed["error"])
    assert len(s.failed) == 2


def test_finished_points_that_are_damaged_are_computed_again() -> None:
    whole = sweep({DEPTH: [8, 16]}, ["monitor.frames.built"], "s").to_arrow()
    for file in Path("s/store/points").iterdir():
        file.write_text(re.sub(r'("built": \d)', r"\g<1>1", file.read_text()))
    assert sweep({DEPTH: [8, 16]}, ["monitor.frames.built"], "s").to_arrow().equals(whole)


def bytes_of(folder: str) -> list[bytes]:
    return [(Path(folder) / name).read_bytes() for name in ("results.parquet", "manifest.json")]


def test_processes_give_the_same_bytes() -> None:
    vary = {"nodes": [2, 4], DEPTH: [8, 16, 32]}
    sweep(vary, FULL, "here")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        sweep(vary, FULL, "there", executor=pool)
    assert bytes_of("there") == bytes_of("here")


def test_a_sweep_killed_among_its_replays_goes_on_with_nothing_lost_or_doubled() -> None:
    vary = ["--vary", "ecb.frame_fifo_frames=1:60:1", "--metric", "latency_us.max", "-j", "1"]
    small = [word for path, value in (SMALL | {"place.accepted": 400}).items() for word in ("--set", f"{path}={value}")]
    command = [sys.executable, "-c", "from hypermon.cli import main; main()", "sweep", "table2/place", *vary, *small]
    subprocess.run([*command, "-o", "whole"], check=True, capture_output=True)
    process = subprocess.Popen([*command, "-o", "killed"], stderr=subprocess.DEVNULL)
    files = Path("killed/store/points")
    wait_for(lambda: files.is_dir() and len(list(files.glob("*.json"))) >= 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {file.name: file.stat().st_mtime_ns for file in files.glob("*.json")}
    assert not Path("killed/manifest.json").exists()
    assert len(before) < 60 / 4
    recorded = recordings("killed")
    subprocess.run([*command, "-o", "killed"], check=True, capture_output=True)
    assert {name: (files / name).stat().st_mtime_ns for name in before} == before
    assert recordings("killed") == recorded
    assert bytes_of("killed") == bytes_of("whole")


@pytest.mark.parametrize(
    ("name", "points", "simulations"), [("frame_fifo", 2 * 10 * 4, 1), ("slowdown", 3 * 4 * 3, 3 * 4 * 3)]
)
def test_the_sweeps_that_come_with_it_can_be_run(name: str, points: int, simulations: int) -> None:
    file = Path(__file__).parents[4] / "sweeps" / f"{name}.yaml"
    asked: dict[str, Any] = {"vary": {}, "zips": (), "conditions": (), "repeats": None, "metrics": (), "settings": {}}
    made = sweeping.Prepared(sweeping.make_request(str(file), presets=(), **asked), Path("planned")).plan
    assert (len(made.keys), len(made.groups) + len(made.cosims)) == (points, simulations)


def test_a_sweep_over_a_recording_has_the_rows_of_replays_and_runs_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = recorder.record("table2/place", settings=SMALL, out="recorded")
    monkeypatch.setattr(sweeping.tasks, "record", None)
    monkeypatch.setattr(sweeping.tasks, "simulate", None)
    for metrics in (["monitor.frames.lost", "elapsed_s"], FULL):
        for source in (recorded, "recorded", recorded.path):
            s = hypermon.sweep(source, vary={DEPTH: [2, 64], WORD: [500, 1500]}, metrics=metrics)
            rows = s.to_arrow().to_pylist()
            assert len(rows) == 4
            assert {(row["how"], row["status"]) for row in rows} == {("replay", "ok")}
            for row in rows:
                again = hypermon.replay(recorded, {DEPTH: row[DEPTH], WORD: row[WORD]})
                assert {metric: row[metric] for metric in metrics} == {
                    metric: again.value(metric) for metric in metrics
                }


def test_a_recording_s_sweep_refuses_what_a_replay_does_not_answer(hypermon_command: Hypermon) -> None:
    recorder.record("table2/place", settings=SMALL, out="recorded")
    for arguments, message in (
        (("--vary", "nodes=4,8"), "point 1 (nodes = 8): nodes = 8: the data that the nodes write depend on it"),
        (("--vary", f"{DEPTH}=2", "--platform", "ipsc2"), "platform"),
        (("--vary", "ecb.node_fifo_full=drop,stall"), "feed back to the nodes"),
        (("--vary", f"{DEPTH}=2", "--metric", "picture.error_percent"), "no replay of it can answer this"),
        (("--vary", f"{DEPTH}=2", "--repeats", "2"), "seed = 2: the data that the nodes write depend on it"),
    ):
        done = hypermon_command("sweep", "recorded", *arguments, "-o", "s")
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not Path("s").exists()


def test_two_recordings_of_one_specification_do_not_share_points() -> None:
    recorded = recorder.record("table2/place", settings=SMALL, out="recorded")
    other = Path("other")
    writer = recording.Writer(other)
    for bursts in recorded.batches():
        writer.add(dataclasses.replace(bursts, first_ps=bursts.first_ps + 10**9))
    writer.close(recorded.result_text, recorded.begin_ps, recorded.end_ps + 10**9)
    assert Recording(other).digest != recorded.digest == Recording("recorded").digest
    ends = [
        hypermon.sweep(source, vary={DEPTH: [64]}, metrics=["monitor.end_s"], out="both").to_pandas()["monitor.end_s"][
            0
        ]
        for source in (recorded, Recording(other))
    ]
    assert ends[1] == pytest.approx(ends[0] + 1e-3)


def test_a_damaged_recording_is_told_of_and_not_made_again() -> None:
    recorded = recorder.record("table2/place", settings=SMALL, out="recorded")
    content = bytearray(recorded.path.read_bytes())
    content[len(content) // 2] ^= 1
    Path("damaged.arrow").write_bytes(content)
    s = hypermon.sweep("damaged.arrow", vary={DEPTH: [2, 64]}, metrics=["elapsed_s"])
    assert all("is damaged" in row["error"] for row in s.to_arrow().to_pylist())


def test_the_plan_of_a_recording_s_sweep_has_nothing_to_record(hypermon_command: Hypermon) -> None:
    recorder.record("table2/place", settings=SMALL, out="recorded")
    plan = hypermon_command("sweep", "recorded", "--vary", f"{DEPTH}=2,64", "--plan").stdout
    assert "from 1 recording\n" in plan
    assert "0 co-simulations, 0 recordings, 2 replays" in plan
