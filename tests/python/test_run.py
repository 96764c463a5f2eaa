# SPDX-License-Identifier: BSD-3-Clause
"""Runs are complete or absent, and end as their worker does."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

import hypermon as package
from hypermon._model import worker
from tests.conftest import Hypermon
from tests.python.processes import is_alive, start, wait_for, worker_pids

pytestmark = pytest.mark.usefixtures("simple")


@pytest.fixture
def simple(scenarios: Path) -> None:
    (scenarios / "simple.yaml").write_text("question: Does it run?\nset: {workload: place, nodes: 4}\n")


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_the_python_api_gives_result_and_folder() -> None:
    r = package.run("simple", nodes=2, monitor="hypermon", generator={"events": 500})
    assert r["spec"]["generator"]["events"] == 500
    assert r.elapsed_s == r["elapsed_s"] == r.to_dict()["elapsed_s"]
    assert len(r["ranks"]) == 2
    assert r.value("total(ledger.lost)") == 0
    assert (r.path / "result.json").read_text() == r.text
    assert r.path.parent == Path("runs")
    assert r.host["wall_s"] > 0
    with pytest.raises(AttributeError, match="the result has no elapsed; it has scenario"):
        _ = r.elapsed  # type: ignore[attr-defined]  # which a type checker says as well


def test_the_worker_gets_every_parameter() -> None:
    r = package.run("simple", settings={"ecb.window_ns": 400})
    spec = json.loads((r.path / "spec.json").read_text())
    assert spec["scenario"] == "simple"
    assert spec["ecb"]["window_ns"] == 400
    assert spec["port"] == {"nibble_cost_ns": 8850.0, "delay": 20, "delay_iteration_ns": 864.5, "width_bits": 4}


def test_the_summary_shows_time_ledger_and_losses(hypermon: Hypermon) -> None:
    done = hypermon("run", "simple", "--set", "fake.lost=5", "--all")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["generated", str(4 * 1000 * 16), str(4 * 1000)] in lines
    assert ["frame_fifo:", "overrun", str(5 * 16), "5"] in lines
    assert ["monitor.overrun", "true"] in lines
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_json_prints_the_result_and_nothing_else(hypermon: Hypermon) -> None:
    done = hypermon("run", "simple", "--json", "--out", "there")
    assert done.stdout == Path("there/result.json").read_text()
    assert done.stderr == ""
    assert everything(Path.cwd()) == [
        "there",
        "there/.hypermon",
        "there/SHA256SUMS",
        "there/host.json",
        "there/result.json",
        "there/spec.json",
    ]


def test_a_second_run_of_the_same_place_replaces_the_first() -> None:
    first = package.run("simple", out="there").text
    assert package.run("simple", out="there", seed=2).text != first
    assert package.run("simple", out="there").text == first
    assert [p.name for p in Path().iterdir()] == ["there"]


@pytest.mark.parametrize("kept", ["file", "folder/inside"])
def test_what_hypermon_did_not_write_is_not_replaced(hypermon: Hypermon, kept: str) -> None:
    path = Path(kept)
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    done = hypermon("run", "simple", "--out", path.parts[0])
    assert (done.returncode, path.read_text()) == (2, "mine")
    assert "is not something that hypermon wrote" in done.stderr


@pytest.mark.parametrize(
    ("behaviour", "status", "message"),
    [
        ("refuse", 2, "error: generator.active = 9: must be at most nodes = 8 (scenarios/simple.yaml, line 2)\n"),
        ("deadlock", 3, "error: deadlock: rank 0 waits for a message from rank 1\n"),
        ("crash", 3, "error: hypermon-sim ended with signal SIGABRT\n"),
    ],
)
def test_a_failed_run_says_why_and_leaves_nothing(
    hypermon: Hypermon, behaviour: str, status: int, message: str
) -> None:
    done = hypermon("run", "simple", "--set", f"fake.behaviour={behaviour}", "--out", "there")
    assert (done.returncode, done.stderr, done.stdout) == (status, message, "")
    assert everything(Path.cwd()) == []


def test_a_failed_run_leaves_the_earlier_one(hypermon: Hypermon) -> None:
    package.run("simple", out="there")
    before = everything(Path.cwd())
    assert hypermon("run", "simple", "--set", "fake.behaviour=crash", "--out", "there").returncode == 3
    assert everything(Path.cwd()) == before


@pytest.mark.parametrize("place", ["/proc/nowhere/run", "file/run"])
def test_unwritable_output_is_one_clear_error(hypermon: Hypermon, place: str) -> None:
    Path("file").write_text("")
    done = hypermon("run", "simple", "--out", place)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


ENDS = {signal.SIGINT: (130, "interrupted\n"), signal.SIGTERM: (-signal.SIGTERM, "terminated\n")}


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("command", ["run", "check"])
def test_an_interrupt_kills_the_worker_and_leaves_nothing(
    scenarios: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: signal.Signals, command: str
) -> None:
    (scenarios / "slow.yaml").write_text("question: How long?\nset: {fake.behaviour: hang}\n")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    asked = [sys.executable, "-c", "from hypermon.cli import main; main()", command, "slow"]
    with start(asked) as process:
        try:
            wait_for(lambda: bool(worker_pids(Path.cwd(), temporary)))
            [pid] = worker_pids(Path.cwd(), temporary)
            process.send_signal(how)
            _, stderr = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, stderr) == ENDS[how]
    assert not is_alive(pid)
    assert everything(temporary) == []
    assert everything(Path.cwd()) in ([], ["runs"])


def test_the_description_is_asked_for_once_until_the_worker_changes(
    fake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hypermon: Hypermon
) -> None:
    counter = tmp_path / "described"
    monkeypatch.setenv("FAKE_DESCRIBE_COUNT", str(counter))
    for _ in range(2):
        assert hypermon("params", "nodes").returncode == 0
    assert counter.read_text() == "x"
    os.utime(fake, (1, 1))
    assert hypermon("params", "nodes").returncode == 0
    assert counter.read_text() == "xx"


def test_a_missing_worker_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HYPERMON_SIM", str(tmp_path / "none"))
    with pytest.raises(package.UserError, match=r"HYPERMON_SIM = .*none: is not an executable file"):
        worker.find()
    monkeypatch.delenv("HYPERMON_SIM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "hypermon-sim").unlink()
    with pytest.raises(package.UserError, match="hypermon-sim is not built: run scripts/setup"):
        worker.find()
