# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's view of the processes' traces, compared with the true activity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def judged(folder: Path, **more: Any) -> hypermon.Judgement:
    settings = {"nodes": 4, "monitor": "hdtrace", "place.attempts": 400, **needs("hdtrace"), **more}
    return hypermon.judge(hypermon.run("table2/place", settings=settings, out=folder, activity=True))


def test_traces_are_the_truth_but_for_what_is_no_call(tmp_path: Path) -> None:
    """Ticks, and the formatting of the process's trace, appear as computing."""
    found = judged(tmp_path / "run")
    assert found.source == "traces"
    assert found.error_percent < found.guess_percent / 2
    for node in found.nodes:
        assert node.seen_percent >= node.computing_percent - 0.1


def test_what_the_wrapper_takes_before_and_behind_a_call_is_not_drawn_as_computing(tmp_path: Path) -> None:
    """A wrapper that takes a hundred times as long must not make the chart worse, because its time is known."""
    right = {"machine.messages": "smpi", "node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "hdtrace.byte_ns": 0}
    slow = {"hdtrace.enter_us": 100, "hdtrace.leave_us": 400}
    quick, slowed = judged(tmp_path / "quick", **right), judged(tmp_path / "slow", **right, **slow)
    assert slowed.elapsed_s > 1.2 * quick.elapsed_s
    assert slowed.error_percent < quick.error_percent + 0.5
    assert slowed.computing_percent < quick.computing_percent - 5
