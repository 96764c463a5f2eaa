"""What an analyst makes of the traces in the nodes' buffers, against what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def judged(folder: Path, **settings: Any) -> tuple[hypermon.Result, hypermon.Judgement]:
    given = {"nodes": 4, "monitor": "software", "place.attempts": 400, **settings}
    result = hypermon.run("table2/place", settings=given, out=folder / "run", activity=True)
    return result, hypermon.judge(result)


def test_events_without_loss_are_the_truth_but_for_what_emitting_them_takes(tmp_path: Path) -> None:
    """With clocks that are right: in each event the picture is wrong while it is emitted, since its stamp is its begin,
    and no longer than what the stamp's unit of 1 us rounds."""
    result, found = judged(tmp_path, **{"node.clock_drift_ppm": 0, "node.clock_offset_us": 0})
    assert found.source == "events"
    assert found.live == {}  # the trace stays in the nodes
    emitting = sum(rank["monitor_s"] for rank in result["ranks"])
    rounding = 1e-6 * sum(rank["events"] for rank in result["ranks"])
    assert 0 < found.error_percent <= 100 * (emitting + rounding) / (4 * found.elapsed_s)
    assert found.error_percent < found.guess_percent / 3


def test_a_full_buffer_is_a_hole_to_the_end(tmp_path: Path) -> None:
    _, whole = judged(tmp_path / "whole")
    result, cut = judged(tmp_path / "cut", **{"software.buffer_bytes": 2000})
    assert whole.hole_percent == 0 < cut.hole_percent < 100
    assert cut.error_percent > whole.error_percent
    for node in cut.drawn:
        assert node.holes[-1, 1] == cut.end_ps
    first_loss_s = (result["monitor"]["first_overrun_s"] or 0.0) - cut.begin_ps * 1e-12
    assert cut.hole_percent >= 100 * (cut.elapsed_s - first_loss_s) / cut.elapsed_s / 4  # of the first node alone
