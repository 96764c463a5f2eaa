"""The example of a monitor outside the tree: built against an installed hypermon, it is one like any other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SETTINGS = ["--set", "monitor=poller", "--set", "lan.count=1", "--set", "machine.beside=1", "--set", "nodes=4"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Python finds the poller."""
    folder = tmp_path_factory.mktemp("own_monitor")
    example = folder / "example"
    subprocess.run(["cp", "-r", ROOT / "examples/own_monitor", example], check=True)
    prefix = folder / "prefix"
    build = folder / "build"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    commands: list[list[str | Path]] = [
        ["cmake", "--install", ROOT / "build/release", "--component", "dev", "--prefix", prefix],
        ["cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"],
        ["cmake", "--build", build],
        [*pip, "--target", folder / "python", example],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return {**os.environ, "PYTHONPATH": str(folder / "python")}


def hypermon(environment: dict[str, str], *words: str | Path, status: int = 0) -> str:
    program = "from hypermon.cli import main; main()"
    command = [sys.executable, "-c", program, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_it_has_parameters_runs_samples_and_a_page(installed: dict[str, str], tmp_path: Path) -> None:
    assert "poller.period_ms" in hypermon(installed, "params", "poller")
    run = tmp_path / "run"
    counters = "poller.counters=cpu.user mpi.calls queue.unexpected"
    said = hypermon(installed, "run", "collection/halo", *SETTINGS, "--set", counters, "--out", run)
    assert "samples" in said
    code = (
        "import hypermon, pathlib, sys; r = hypermon.Result(pathlib.Path(sys.argv[1])); s = r.samples.to_pandas(); g = r['sampling'];"
        "assert g['taken'] == g['delivered'] + g['in_flight'] and len(s) == g['delivered'] > 0;"
        "assert (s.arrival_ps > s.true_ps).all() and (s.arrival_ps.diff().dropna() >= 0).all();"
        "assert set(s.counter) == {'cpu.user', 'mpi.calls', 'queue.unexpected'}"
    )
    subprocess.run([sys.executable, "-c", code, run], env=installed, check=True)
    hypermon(installed, "report", run, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "every 10 ms" in page
    assert "Age of a sample, 99th percentile" in page
    assert re.search(r"Nothing was lost of [\d\u202f]+\u202fsamples", page)
    assert "\u202fevents" not in page
    assert "sampling.delivered" in said


def test_what_it_asks_for_and_is_not_there_is_one_clear_error(installed: dict[str, str], tmp_path: Path) -> None:
    cases = {
        "poller.counters=cpu.users": "poller.counters = cpu.users: no such counter",
        "poller.network=myrinet": "poller.network = ",
        "machine.beside=0": "machine.beside",
    }
    for setting, expected in cases.items():
        said = hypermon(
            installed, "run", "collection/halo", *SETTINGS, "--set", setting, "--out", tmp_path / "x", status=2
        )
        assert expected in said
        assert "Traceback" not in said
        assert not (tmp_path / "x").exists()
