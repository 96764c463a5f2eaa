# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's view of the traces in the nodes' buffers, compared with the true activity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon._model.activity import ACTUAL
from hypermon.monitors.software import traces

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def judged(folder: Path, **settings: Any) -> tuple[hypermon.Result, hypermon.Judgement]:
    given = {"nodes": 4, "monitor": "software", "place.attempts": 400, **settings}
    result = hypermon.run("table2/place", settings=given, out=folder / "run", activity=True)
    return result, hypermon.judge(result)


def test_what_events_leave_unsaid_is_what_the_system_takes(tmp_path: Path) -> None:
    """Clocks are right. Apart from calls and events, only the interrupts of arriving messages take a node's time; they
    are the only error.
    """
    result, found = judged(tmp_path, **{"node.clock_drift_ppm": 0, "node.clock_offset_us": 0})
    assert found.source == "events"
    assert found.live == {}  # the trace stays in the nodes
    rounding = 100 * 1e-6 * sum(rank["events"] for rank in result["ranks"]) / (4 * found.elapsed_s)
    assert found.error_percent < found.guess_percent / 3
    for node in found.nodes:
        assert node.seen_percent > node.computing_percent
        assert node.error_percent - (node.seen_percent - node.computing_percent) < rounding


def test_traces_of_processes_are_the_truth_but_for_what_a_stamp_is_rounded_by(tmp_path: Path) -> None:
    """Each record takes at least 60 us. They are as many as are made in the program's own time, or end a call."""
    settings = {
        **{"software.traces": "process", "software.record_us": 60, "machine.messages": "smpi", "nodes": 4},
        **{"node.clock_drift_ppm": 0, "node.clock_offset_us": 0},
    }
    result, found = judged(tmp_path, **settings)
    assert found.source == "traces"
    records = result["ledger"]["generated"]["events"]
    assert found.error_percent <= 100 * records * 1e-6 / (4 * found.elapsed_s)
    assert found.error_percent < 100 * records / 4 * 60e-6 / (4 * found.elapsed_s)


def test_a_full_buffer_is_a_hole_to_the_end(tmp_path: Path) -> None:
    _, whole = judged(tmp_path / "whole")
    result, cut = judged(tmp_path / "cut", **{"software.buffer_bytes": 2000})
    assert whole.hole_percent == 0 < cut.hole_percent < 100
    assert cut.error_percent > whole.error_percent
    for node in cut.drawn:
        assert node.holes[-1, 1] == cut.end_ps
    first_loss_s = (result["monitor"]["first_overrun_s"] or 0.0) - cut.begin_ps * 1e-12
    assert cut.hole_percent >= 100 * (cut.elapsed_s - first_loss_s) / cut.elapsed_s / 4  # of the first node only


def test_traces_that_are_written_while_the_program_runs_are_known_then(tmp_path: Path) -> None:
    settings = {
        **{"software.traces": "process", "software.buffer_bytes": 2000, "software.when_full": "flush"},
        **{"server.count": 1, "server.place": "host", "software.servers": "files", "machine.messages": "smpi"},
    }
    result, found = judged(tmp_path, **settings)
    rows = traces.read(result.path)
    in_time = rows["arrived_ps"] < found.end_ps
    ages = np.sort(np.where(in_time, (rows["arrived_ps"] - rows["made_ps"]) * 1e-12, np.inf))
    assert found.live["p50"].age_s == pytest.approx(ages[-(-len(ages) // 2) - 1])
    assert not in_time.all()  # some are written at MPI_Finalize
    assert "max" not in found.live
    assert found.error_percent < found.live[ACTUAL].error_percent <= 100
    _, stays = judged(tmp_path / "memory", **{"software.traces": "process", "machine.messages": "smpi"})
    assert stays.live == {}


def test_traces_that_are_written_when_the_program_has_ended_are_known_to_nobody_before(tmp_path: Path) -> None:
    """Also if an early clock stamps the last records well before the end."""
    settings = {
        **{"software.traces": "process", "software.when_full": "flush", "node.clock_offset_us": 500000},
        **{"server.count": 1, "server.place": "host", "software.servers": "files", "machine.messages": "smpi"},
    }
    result, found = judged(tmp_path, **settings)
    rows = traces.read(result.path)
    assert (rows["arrived_ps"] >= found.end_ps).all()
    assert (rows["stamp_ps"] + (rows["arrived_ps"] - rows["made_ps"]).astype(np.int64) < found.end_ps).any()
    assert found.live == {}
