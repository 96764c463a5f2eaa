# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures: the fake worker for unit tests, the real one for tests marked `worker`."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FAKES = Path(__file__).with_name("python")
# A module, not a script: Python keeps the compiled form of modules only.
RUN_FAKE = f"import sys; sys.path.append({str(FAKES)!r}); import fake_worker; sys.exit(fake_worker.main())"
Hypermon = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The fake worker, scenarios for it, and an empty working folder."""
    launcher = tmp_path / "hypermon-sim"  # the interpreter that runs these tests, which need not be `python3`
    launcher.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-IS", "-c", RUN_FAKE])} "$@"\n')
    launcher.chmod(0o755)
    monkeypatch.setenv("HYPERMON_SIM", str(launcher))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return launcher


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], int]:
    """Number of simulations that were run with the fake worker."""
    counter = tmp_path / "runs"
    monkeypatch.setenv("FAKE_RUN_COUNT", str(counter))
    return lambda: len(counter.read_text()) if counter.exists() else 0


@pytest.fixture
def scenarios(fake: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:  # noqa: ARG001 (goes with it)
    """An empty scenario folder."""
    root = tmp_path / "scenarios"
    root.mkdir()
    monkeypatch.setenv("HYPERMON_SCENARIOS", str(root))
    return root


@pytest.fixture
def hypermon() -> Hypermon:
    """Runs the command line in a process of its own."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from hypermon.cli import main; main()", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="session")
def worker() -> Path:
    """The built worker. Without it the test is skipped; in CI, which builds the worker, the test fails."""
    from hypermon._model import worker as workers
    from hypermon.errors import UserError

    try:
        return workers.find()
    except UserError as error:
        if os.environ.get("HYPERMON_REQUIRE_WORKER"):
            pytest.fail(f"HYPERMON_REQUIRE_WORKER is set, but {error}")
        pytest.skip(str(error))
