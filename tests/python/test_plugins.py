# SPDX-License-Identifier: BSD-3-Clause
"""A monitor outside the tree, built against an installed hypermon, runs in hypermon-sim like the built-in ones."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[1] / "plugins/counting"
pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(shutil.which("cmake") is None or shutil.which("ninja") is None, reason="builds a plug-in"),
]
RING = {"nodes": 2, "workload": "ring", "ring": {"steps": 4}}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, text=True, capture_output=True, check=False)


@pytest.fixture(scope="module")
def plugin(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugin")
    installed, build = folder / "installed", folder / "build"
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("cmake", "--install", worker.resolve().parents[1], "--component", "dev", "--prefix", installed),
        ("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}", *launcher),
        ("ninja", "-C", build),
    )
    for command in commands:
        done = run(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "libcounting.so"


def simulate(worker: Path, plugin: Path, tmp_path: Path, spec: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(spec))
    return run(worker, "--plugin", plugin, file, "--out", tmp_path)


def test_its_parameters_and_result_keys_are_described_like_all(worker: Path, plugin: Path) -> None:
    described = json.loads(run(worker, "--plugin", plugin, "--describe").stdout)
    parameters = {p["path"]: p for p in described["parameters"]}
    assert parameters["counting.event_us"]["default"] == 7
    assert parameters["monitor"]["choices"][-1] == "counting"
    assert [k["unit"] for k in described["results"] if k["path"] == "monitor.counted"] == ["events"]
    monitor = next(m for m in described["monitors"] if m["name"] == "counting")
    assert monitor["ledger"] == {"unit": "events", "lost": [["counter", "full"]]}
    assert '"counting' not in run(worker, "--describe").stdout


def test_it_runs_and_its_events_cost_what_it_says(worker: Path, plugin: Path, tmp_path: Path) -> None:
    spec = RING | {"monitor": "counting", "counting": {"event_us": 11, "most": 10}, "node": {"clock_drift_ppm": 0}}
    done = simulate(worker, plugin, tmp_path, spec)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["spec"]["counting"] == {"event_us": 11, "most": 10}
    assert result["events"] > 10
    assert result["monitor"] == {"counted": 10}
    assert result["ledger"]["lost"] == [{"stage": "counter", "cause": "full", "events": result["events"] - 10}]
    assert [rank["monitor_s"] for rank in result["ranks"]] == pytest.approx(
        [rank["events"] * 11e-6 for rank in result["ranks"]],
        abs=50e-6,  # few events are outside the measured section
    )


def test_its_mistakes_are_the_users_with_path_and_range(worker: Path, plugin: Path, tmp_path: Path) -> None:
    for spec, message in (
        (RING | {"counting": {"event_us": -1}}, "counting.event_us = -1: must be float, 0 to 1000"),
        (RING | {"monitor": "counting", "nodes": 128}, "nodes: counting has fingers for 64"),
    ):
        done = simulate(worker, plugin, tmp_path, spec)
        assert (done.returncode, done.stderr.strip()) == (2, f"error: {message}")


def test_one_built_against_another_hypermon_is_refused_and_says_which(
    worker: Path, plugin: Path, tmp_path: Path
) -> None:
    version = json.loads(run(worker, "--describe").stdout)["versions"]["hypermon"].encode()
    text = plugin.read_bytes()
    assert text.count(version + b" (headers") == 1
    other = tmp_path / "libother.so"
    other.write_bytes(text.replace(version + b" (headers", b"9" * len(version) + b" (headers"))
    done = run(worker, "--plugin", other, "--describe")
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"error: --plugin {other}: was built against hypermon {'9' * len(version)} (headers" in done.stderr
    assert f"this is hypermon {version.decode()} (headers" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_no_plug_in_is_refused(worker: Path, plugin: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no object")
    twice = ("--plugin", plugin, "--plugin", plugin)
    for arguments, message in (
        (("--plugin", tmp_path / "missing.so"), "missing.so: cannot be read: No such file or directory"),
        (("--plugin", text), "text.so: is not a monitor for hypermon"),
        (("--plugin", worker.resolve().parents[1] / "workloads/libring.so"), "is not a monitor for hypermon"),
        (twice, "counting: there is a part of that name"),
    ):
        done = run(worker.resolve(), *arguments, "--describe")
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
