# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps end complete: failures are rows, a killed sweep continues, and the bytes are the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import hypermon
from hypermon import Sweep, UserError
from hypermon._engine import sweeping
from hypermon._inputs.scenario import find_one
from hypermon._model import worker
from tests.conftest import Hypermon
from tests.python.processes import is_alive, start, wait_for, worker_pids

pytestmark = pytest.mark.usefixtures("simple")

COMMAND = [sys.executable, "-c", "from hypermon.cli import main; main()", "sweep", "simple"]
RESULTS = ("results.parquet", "manifest.json")


@pytest.fixture
def simple(scenarios: Path) -> None:
    # Under the software monitor every point is a co-simulation: the fake worker records nothing.
    (scenarios / "simple.yaml").write_text("question: Does it run?\nset: {monitor: software, nodes: 2}\n")


def bytes_of(folder: str | Path) -> list[bytes]:
    return [(Path(folder) / name).read_bytes() for name in RESULTS]


def test_a_sweep_has_a_row_for_every_point_that_a_run_of_it_would_give() -> None:
    s = hypermon.sweep(
        "simple", vary={"nodes": [2, 4], "fake.events": [10, 20]}, metrics=["elapsed_s", "events"], out="s"
    )
    frame = s.to_pandas()
    assert list(frame.columns) == [
        "point", "nodes", "fake.events", "repeat", "seed", "how", "status", "error", "elapsed_s", "events",
    ]  # fmt: skip
    assert [(n, e) for n, e in zip(frame["nodes"], frame["fake.events"], strict=True)] == [
        (2, 10),
        (2, 20),
        (4, 10),
        (4, 20),
    ]
    for row in frame.to_dict("records"):
        run = hypermon.run("simple", nodes=row["nodes"], settings={"fake.events": row["fake.events"]})
        assert (row["elapsed_s"], row["events"]) == (run["elapsed_s"], run["events"])
    assert set(frame["how"]) == {"cosim"}
    assert set(frame["status"]) == {"ok"}
    assert (s.path, len(s), len(s.failed)) == (Path("s"), 4, 0)
    shown = repr(s).splitlines()
    assert shown[0] == "Sweep of simple: 4 points (0 replayed, 4 co-simulated)"
    assert [line.split()[0] for line in shown if " values: " in line] == ["nodes", "fake.events"]


def test_columns_have_units_and_the_manifest_says_what_was_run() -> None:
    s = hypermon.sweep("simple", vary={"pbx.word_ns": [1, 2]}, repeats=2, metrics=["elapsed_s"], out="s")
    field = s.to_arrow().schema.field("pbx.word_ns")
    assert field.metadata == {b"unit": b"ns", b"description": b"What pbx.word_ns is."}
    m = s.manifest
    assert m["columns"]["elapsed_s"] == {"unit": "s", "description": "Longest rank."}
    assert (m["seeds"], m["space"]["repeats"], m["points"]) == ([1, 2], 2, 4)
    assert m["base"]["nodes"] == 2
    assert m["versions"] == {"package": hypermon.__version__, **worker.schema().versions}
    assert (m["replayed"], m["co_simulated"], m["failed"]) == (0, 4, 0)
    assert m["revision"] == "unknown" or len(m["revision"].removesuffix("-dirty")) == 40


def test_every_space_opens_as_dimensions_with_an_index() -> None:
    both = {"nodes": [2, 4], "fake.events": [10, 20, 30]}
    data = hypermon.sweep("simple", vary=both, repeats=2, metrics=["events"], out="s").to_xarray()
    assert dict(data.sizes) == {"nodes": 2, "fake.events": 3, "repeat": 2}
    assert int(data["events"].sel({"nodes": 4, "fake.events": 20, "repeat": 1})) == 4 * 20
    assert data["events"].attrs == {"units": "events", "description": "Of all nodes."}
    some = hypermon.sweep(
        "simple", vary=both, where="nodes * 10 >= fake.events", repeats=2, metrics=["events"], out="w"
    ).to_xarray()
    assert dict(some.sizes) == {"nodes": 2, "fake.events": 3, "repeat": 2}
    hole = {"nodes": 2, "fake.events": 30}
    assert bool(some["events"].sel(hole).isnull().all())
    assert (some["status"].sel(hole) == "").all()
    assert int(some["events"].notnull().sum()) == 2 * 5
    for point, events in ((4, 30), (2, 20)):
        assert (some["events"].sel({"nodes": point, "fake.events": events}) == point * events).all()
    together = {"nodes": [2, 4], "fake.events": [10, 20], "place.attempts": [5, 6]}
    zipped = hypermon.sweep(
        "simple", vary=together, zip=[("nodes", "fake.events")], metrics=["events"], out="z"
    ).to_xarray()
    assert dict(zipped.sizes) == {"nodes": 2, "place.attempts": 2}
    assert (zipped["events"].sel(nodes=4) == 4 * 20).all()
    assert (zipped["events"].sel({"fake.events": 20}) == zipped["events"].sel(nodes=4)).all()
    assert set(zipped.indexes) == set(together)


def test_nothing_is_computed_twice(runs: Callable[[], int]) -> None:
    first = hypermon.sweep("simple", vary={"fake.events": [10, 20]}, metrics=["events"], out="s")
    before = bytes_of(first.path)
    assert runs() == 2
    hypermon.sweep("simple", vary={"fake.events": [10, 20]}, metrics=["events"], out="s")
    assert (runs(), bytes_of("s")) == (2, before)
    more = hypermon.sweep("simple", vary={"fake.events": [20, 30]}, metrics=["elapsed_s", "events"], out="s")
    assert runs() == 3
    assert list(more.to_pandas()["events"]) == [2 * 20, 2 * 30]


def test_equal_points_are_computed_once_and_are_rows_each(runs: Callable[[], int]) -> None:
    vary = {"ecb[0].window_ns": [400], "ecb[1].window_ns": [400, 800]}  # 800 ns is the value of all boards
    assert len(hypermon.sweep("simple", vary=vary, metrics=["events"], out="s")) == 2
    hypermon.sweep("simple", vary={"ecb[0].window_ns": [400, 800]}, metrics=["events"], out="s")
    assert runs() == 3
    specs = [find_one("simple").resolve(worker.schema(), {"nodes": n}) for n in (2, 4, 2)]
    before = runs()
    rows = sweeping.evaluate(specs, ["events"], recordings_folder="e")
    assert runs() == before + 2
    assert rows[0] == rows[2] == {"how": "cosim", "status": "ok", "error": None, "events": 2 * 1000}


def test_a_metric_that_a_run_does_not_have_is_empty() -> None:
    s = hypermon.sweep(
        "simple", vary={"monitor": ["none", "software"]}, metrics=["monitor.frames.built", "monitor.overrun"], out="s"
    )
    assert s.to_arrow().column("monitor.frames.built").to_pylist() == [None, None]
    assert s.to_arrow().column("monitor.overrun").to_pylist() == [None, False]


def test_failed_points_are_rows_the_others_go_on_and_the_next_sweep_tries_again(
    hypermon: Hypermon, runs: Callable[[], int]
) -> None:
    arguments = (
        "sweep",
        "simple",
        "--vary",
        "fake.behaviour=good,deadlock,crash,refuse",
        "--metric",
        "events",
        "-o",
        "s",
    )
    for _ in range(2):
        done = hypermon(*arguments)
        assert done.returncode == 3, done.stderr
        assert "3 of 4 points failed" in done.stderr
        table = Sweep("s").to_arrow()
        assert table.column("status").to_pylist() == ["ok", "failed", "failed", "failed"]
        assert table.column("error").to_pylist() == [
            None,
            "deadlock: rank 0 waits for a message from rank 1",
            "hypermon-sim ended with signal SIGABRT",
            "generator.active = 9: must be at most nodes = 8",
        ]
        assert table.column("events").to_pylist() == [2 * 1000, None, None, None]
    assert runs() == 4 + 3
    assert list(Sweep("s").failed["point"]) == [1, 2, 3]
    assert sorted(p.name for p in Path("s").iterdir()) == ["SHA256SUMS", "manifest.json", "results.parquet", "store"]
    assert list(Path("s/store/under_way").iterdir()) == []


def test_a_sweep_killed_at_any_time_goes_on_with_nothing_lost_or_doubled(runs: Callable[[], int]) -> None:
    n = 12
    vary = ["--vary", f"fake.events=1:{n}:1", "--metric", "events", "--metric", "elapsed_s", "-j", "2"]
    assert subprocess.run([*COMMAND, *vary, "-o", "whole"], capture_output=True, check=False).returncode == 0
    before = runs()
    process = subprocess.Popen([*COMMAND, *vary, "-o", "killed"], stderr=subprocess.DEVNULL)
    points = Path("killed/store/points")
    wait_for(lambda: points.is_dir() and len(list(points.glob("*.json"))) >= 3)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.3)  # running workers end
    assert not Path("killed/manifest.json").exists()
    finished = len(list(points.glob("*.json")))
    assert 3 <= finished < n
    (points / "torn.json").write_text('{"abc": {"how"')  # as a power failure may leave it
    started = runs()
    assert started - before < n
    assert subprocess.run([*COMMAND, *vary, "-o", "killed"], capture_output=True, check=False).returncode == 0
    assert runs() - started == n - finished
    assert bytes_of("killed") == bytes_of("whole")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_workers_and_leaves_what_is_finished(
    how: signal.Signals, runs: Callable[[], int], hypermon: Hypermon
) -> None:
    vary = [
        "--vary",
        "fake.behaviour=good,hang",
        "--vary",
        "fake.events=1,2",
        "--metric",
        "events",
        "-o",
        "s",
        "-j",
        "2",
    ]
    with start([*COMMAND, *vary]) as process:
        try:
            wait_for(lambda: len(worker_pids(Path("s"))) == 2 and len(list(Path("s/store/points").glob("*.json"))) == 2)
            hanging = worker_pids(Path("s"))
            began = time.monotonic()
            process.send_signal(how)
            _, stderr = process.communicate(timeout=20)
        finally:
            process.kill()
    ends = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (-signal.SIGTERM, "terminated")}
    assert (process.returncode, stderr.splitlines()[-1]) == ends[how]
    assert time.monotonic() - began < 5
    assert not any(is_alive(pid) for pid in hanging)
    assert not Path("s/manifest.json").exists()
    before = runs()
    assert hypermon("sweep", "simple", "--vary", "fake.events=1,2", "--metric", "events", "-o", "s").returncode == 0
    assert runs() == before


def test_a_folder_that_is_no_sweep_is_left_alone() -> None:
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("42")
    with pytest.raises(UserError, match=r"mine: exists and is not a sweep; choose another path \(--out\)"):
        hypermon.sweep("simple", vary={"fake.events": [1]}, out="mine")
    with pytest.raises(UserError, match="mine: is not a finished sweep"):
        Sweep("mine")


@pytest.mark.parametrize("name", ["manifest.json", "store/thesis.tex", "store/points.txt"])
def test_what_a_sweep_calls_its_own_must_be_a_sweeps(name: str) -> None:
    file = Path("mine") / name
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    with pytest.raises(UserError, match=r"mine: exists and is not a sweep; choose another path \(--out\)"):
        hypermon.sweep("simple", vary={"fake.events": [1]}, out="mine")
    assert file.read_text() == "{}"


def test_what_lies_behind_links_in_a_store_is_left_alone() -> None:
    hypermon.sweep("simple", vary={"fake.events": [1]}, metrics=["events"], out="s")
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("42")
    Path("s/store/under_way/link").symlink_to(Path("mine").resolve())
    hypermon.sweep("simple", vary={"fake.events": [1, 2]}, metrics=["events"], out="s")
    assert list(Path("s/store/under_way").iterdir()) == []
    Path("s/store/under_way").rmdir()
    Path("s/store/under_way").symlink_to(Path("mine").resolve())
    with pytest.raises(UserError, match="s/store/under_way: is a link"):
        hypermon.sweep("simple", vary={"fake.events": [1, 2, 3]}, metrics=["events"], out="s")
    assert Path("mine/thesis.tex").read_text() == "42"


def test_a_damaged_or_foreign_sweep_says_so() -> None:
    s = hypermon.sweep("simple", vary={"fake.events": [1]}, metrics=["events"], out="s")
    (s.path / "results.parquet").write_bytes(b"PAR1")
    assert len(s.to_pandas()) == 1  # as it was
    s = Sweep("s")
    with pytest.raises(UserError, match=r"s/results\.parquet: is damaged: its checksum"):
        s.to_pandas()
    manifest = json.dumps({**s.manifest, "format": 99})
    (s.path / "manifest.json").write_text(manifest)
    with pytest.raises(UserError, match=r"s/manifest\.json: is damaged: its checksum"):
        Sweep("s")
    (s.path / "SHA256SUMS").unlink()
    with pytest.raises(UserError, match="s: the folder is gone, or holds another sweep by now; open it again"):
        s.to_pandas()
    (s.path / "manifest.json").write_text(json.dumps(s.manifest))
    with pytest.raises(UserError, match=r"s/results\.parquet: cannot be read"):
        Sweep("s").to_pandas()
    (s.path / "manifest.json").write_text(manifest)
    with pytest.raises(UserError, match="s: is a sweep of format 99: this version reads 1"):
        Sweep("s")
    (s.path / "manifest.json").write_text("{")
    with pytest.raises(UserError, match=r"s/manifest\.json: is damaged"):
        Sweep("s")


def test_another_version_of_the_worker_fails_its_points_on_a_machine_that_has_it() -> None:
    from hypermon._engine.sweeping import tasks
    from hypermon._engine.sweeping.store import Store

    spec = find_one("simple").resolve(worker.schema())
    Store(Path("store")).open()
    outcome = tasks.simulate(tasks.Task("store", {"hypermon": "9"}, {"key": spec}))
    assert outcome["key"].error.startswith("the worker is another version: ")


def test_progress_hears_of_every_point_once_and_of_the_total() -> None:
    heard: list[tuple[int, int]] = []
    vary = {"fake.behaviour": ["good", "deadlock"]}
    hypermon.sweep("simple", vary=vary, out="s", progress=lambda done, total: heard.append((done, total)))
    assert heard == [(1, 2), (2, 2)]


def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


def dask() -> Iterator[Executor]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        yield client.get_executor()


@pytest.mark.parametrize("executors", [processes, dask])
def test_any_executor_gives_the_same_bytes(executors: Callable[[], Iterator[Executor]]) -> None:
    vary = {"fake.behaviour": ["good", "crash"], "fake.events": [1, 2, 3]}
    here = hypermon.sweep("simple", vary=vary, metrics=["events"], out="here")
    for executor in executors():
        there = hypermon.sweep("simple", vary=vary, metrics=["events"], out="there", executor=executor)
        assert (len(there), len(there.failed)) == (6, 3)
    assert bytes_of(there.path) == bytes_of(here.path)


def test_the_command_prints_a_table_csv_or_json(hypermon: Hypermon) -> None:
    arguments = ("sweep", "simple", "--vary", "fake.events=1,2", "--metric", "events", "-o", "s")
    done = hypermon(*arguments)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["fake.events", "how", "events"], ["1", "cosim", "2"], ["2", "cosim", "4"], [],
        ["events", "is", "least", "with", "fake.events", "=", "1:", "2;", "most", "with", "fake.events", "=", "2:", "4."], ["results", "s"],
    ]  # fmt: skip
    assert json.loads(hypermon(*arguments, "--json").stdout) == Sweep("s").to_arrow().to_pylist()
    assert hypermon(*arguments, "--csv").stdout.splitlines()[0].startswith("point,fake.events,repeat,")


def test_repeats_are_shown_together_with_the_interval_of_their_mean(hypermon: Hypermon) -> None:
    s = sweeping.sweep("simple", vary={"fake.events": [1, 2]}, repeats=[1, 2, 6], metrics=["spec.seed"], out="s")
    frame = s.over_repeats()
    assert list(frame["fake.events"]) == [1, 2]
    assert list(frame["repeats"]) == [3, 3]
    # Seeds 1, 2 and 6: mean 3; their sum of squared deviations is 14, s = 2.646; t(2) = 4.303.
    assert list(frame["spec.seed"]) == [3, 3]
    assert list(frame["spec.seed ±"]) == pytest.approx([4.303 * (14 / 2) ** 0.5 / 3**0.5] * 2, rel=1e-3)
    arguments = ("sweep", "simple", "--vary", "fake.events=1,2", "--repeats", "1,2,6", "--metric", "spec.seed")
    lines = hypermon(*arguments, "--metric", "events").stdout.splitlines()
    assert lines[0].split() == ["fake.events", "repeats", "spec.seed", "events"]
    assert lines[1].split() == ["1", "3", "3", "±6.6", "2", "±0"]


def test_a_plan_elsewhere_knows_what_runs_of_the_scenario_took(hypermon: Hypermon) -> None:
    plan = ("sweep", "simple", "--vary", "fake.events=1,2", "--metric", "events", "-j", "1", "--plan", "-o")
    hypermon("sweep", "simple", "--vary", "fake.events=7,8", "--metric", "events")  # the fake worker reports 10 ms each
    known = "cost          about 0.02 s with 1 job (co-simulation: 0.01 s each (measured))"
    assert hypermon(*plan, "elsewhere").stdout.splitlines()[-1] == known


def test_the_plan_is_printed_before_it_starts_and_alone_if_asked(hypermon: Hypermon) -> None:
    arguments = ("sweep", "simple", "--vary", "fake.events=1,2", "--metric", "events", "-o", "s", "-j", "1")
    done = hypermon(*arguments, "--plan")
    assert (done.returncode, done.stderr, Path("s").exists()) == (0, "", False)
    lines = done.stdout.splitlines()
    assert lines[0] == "sweep of simple: 2 points = 2 fake.events"
    assert "co-simulated        2: monitor = software" in lines
    assert lines[-1] == "cost          unknown with 1 job (co-simulation: length unknown)"
    assert hypermon(*arguments).stderr == done.stdout
    after = json.loads(hypermon(*arguments, "--plan", "--json").stdout)
    assert after["to_do"] == {"co_simulations": 0, "recordings": 0, "replays": 0}
    assert (after["points"], after["finished"], after["co_simulated"]) == (2, 2, 2)
    more = hypermon(
        "sweep", "simple", "--vary", "fake.events=1,2,3", "--metric", "events", "-o", "s", "-j", "1", "--plan"
    )
    assert "0.01 s each (measured)" in more.stdout  # the fake worker's own value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "fake.events"], "--vary fake.events: must be PATH=VALUES"),
        (["--vary", "nodes=1", "--vary", "nodes=2"], "--vary nodes: given twice"),
        (["--vary", "fake.event=1"], "fake.event: no such parameter; did you mean fake.events? (command line)"),
        (["--vary", "nodes=2", "--csv", "--json"], "--csv: cannot be combined with --json or --plan"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(hypermon: Hypermon, arguments: list[str], message: str) -> None:
    done = hypermon("sweep", "simple", *arguments)
    assert (done.returncode, done.stderr, done.stdout) == (2, f"error: {message}\n", "")
    assert not Path("runs").exists()
