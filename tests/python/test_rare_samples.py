# SPDX-License-Identifier: BSD-3-Clause
"""A monitor whose sampling interval exceeds the run's length says so: in the summary, on the page, and for the plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hypermon
from hypermon.cli.app import app
from hypermon.errors import UserError
from tests.registered import load, needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SELDOM = {name: found.SELDOM for name, found in load("monitors", "drawing").items() if hasattr(found, "SELDOM")}
DURATION_S = 2


def settings(monitor: str) -> dict[str, Any]:
    idle = {"workload": "idle", "nodes": 2, "idle.duration_s": DURATION_S}
    return {**idle, **needs(monitor), "monitor": monitor, **SELDOM[monitor]}


@pytest.mark.parametrize("monitor", SELDOM)
def test_an_interval_longer_than_the_run_is_said(monitor: str, tmp_path: Path) -> None:
    run = hypermon.run("table2/matmul", settings=settings(monitor), out=tmp_path / "run")
    ((path, asked),) = SELDOM[monitor].items()
    message = f"too few samples: {path} asks for one every {str(asked).split()[-1]}"
    (warning,) = run["warnings"]
    assert warning.startswith(message)
    assert f" s, and the run took {DURATION_S}" in warning
    assert warning in repr(run)
    with pytest.raises(UserError) as caught:
        hypermon.pictures.counters([run])
    assert warning in str(caught.value)
    page = tmp_path / "page.html"
    hypermon.report.write(run.path, page)
    assert "Too few samples" in page.read_text(encoding="utf-8")
    assert "communication is seen" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("monitor", SELDOM)
def test_the_summary_warns(monitor: str, tmp_path: Path) -> None:
    given = [f"--set={path}={value}" for path, value in settings(monitor).items()]
    done = CliRunner().invoke(app, ["run", "table2/matmul", *given, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0
    assert "warning: too few samples: " in " ".join(done.output.split())


@pytest.mark.parametrize("monitor", SELDOM)
def test_samples_that_are_taken_are_no_warning(monitor: str, tmp_path: Path) -> None:
    ((path, asked),) = SELDOM[monitor].items()
    often = asked.replace("1000", "0.5") if isinstance(asked, str) else 0.5
    run = hypermon.run("table2/matmul", settings={**settings(monitor), path: often}, out=tmp_path / "run")
    assert "warnings" not in run
    assert len(run.samples.to_pandas()) > 0
