# SPDX-License-Identifier: BSD-3-Clause
"""Runs without a program: monitors observe idle nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from hypermon import report
from hypermon._model import monitors
from tests.registered import needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
DURATION_S = 2.0
TICK_S = 0.05


@pytest.mark.parametrize("monitor", monitors.registered())
def test_an_idle_machine_ticks_and_nothing_else(monitor: str, tmp_path: Path) -> None:
    run = hypermon.run(
        "table2/place",
        settings={"workload": "idle", "idle.duration_s": DURATION_S, "monitor": monitor, "nodes": 4, **needs(monitor)},
        out=tmp_path / "run",
    )
    assert run["ranks"] == []
    assert run["elapsed_s"] == DURATION_S
    # Each node ticks every 50 ms of its own crystal, with its own phase.
    assert run["events"] == (4 * int(DURATION_S / TICK_S) if monitor in observers() else 0)
    if monitor in observers():
        assert run["ledger"]["generated"]["events"] == run["events"]
    assert "no program" in report.html(tmp_path / "run")
    assert "rank" not in run.to_xarray().dims or run.to_xarray().sizes["rank"] == 0


def test_the_same_idle_run_gives_the_same_bytes(tmp_path: Path) -> None:
    settings = {"workload": "idle", "idle.duration_s": 0.3, "nodes": 2}
    runs = [hypermon.run("table2/place", settings=settings, out=tmp_path / name) for name in ("a", "b")]
    assert runs[0].text == runs[1].text
