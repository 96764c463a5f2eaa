# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run with the HYPERMON monitor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hypermon._model.result import Result
from hypermon._model.words import count, percent
from hypermon.monitors.hypermon import analysis
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon.monitors.hypermon.recorded import Recorded
from hypermon.monitors.hypermon.report import charts, panels
from hypermon.monitors.hypermon.report import rules_of_buffers as buffers
from hypermon.monitors.hypermon.report import rules_of_nodes as nodes
from hypermon.monitors.hypermon.report import rules_of_time as time
from hypermon.report import rules
from hypermon.report.chart import Chart
from hypermon.report.drawing import Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values
from hypermon.report.rules import Finding, sorted_findings
from hypermon.report.view import Tile, View

EXPLAINED = (
    ("frame_fifo", "overrun"),
    ("node_fifo", "overrun"),
    ("strobe_vector_fifo", "window_lost"),
    ("strobe_input", "aliasing"),
    ("io_node", "memory_full"),
)
"""Losses that a rule is about."""


class BoardView(View):
    stages: ClassVar = {
        "erb": "the ERB",
        "pbx": "the PBX bus",
        "io_node": "the I/O node",
        "node_fifo": "the node FIFO",
        "strobe_vector_fifo": "the strobe vector FIFO",
        "frame_fifo": "the frame FIFO",
    }
    phrases: ClassVar = {("decoder", "resync"): "whose data all arrived while the decoder had lost synchronisation"}
    unrecorded = (
        "This run has no recording. With one (<code>hypermon record</code>) the page also shows the occupancy of the "
        "frame FIFO, its losses over time, and the depth that would have sufficed."
    )

    def recorded(self, result: Result) -> Recorded | None:
        return analysis.analyse(result)

    def findings(self, run: Run) -> list[Finding]:
        boards = BoardRun.from_run(run)
        return sorted_findings(
            [
                rules.unseen(run),
                buffers.frame_fifo_overrun(boards),
                buffers.builder_overrun(boards),
                time.aliasing(boards),
                buffers.memory_full(boards),
                rules.other_losses(run, EXPLAINED),
                time.timestamps_wrap(boards),
                rules.causality(run, "Boards that are reset together (ecb.reset_skew_ns)."),
                nodes.injected_faults(boards),
                nodes.bus(boards),
                nodes.emission(boards),
                nodes.held_nodes(boards),
                rules.nothing_lost(run),
                buffers.frame_fifo_margin(boards),
                buffers.builder(boards),
                time.one_clock(boards),
            ]
        )

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        return panels.panels(values, title, parts)

    def tiles(self, run: Run) -> list[Tile]:
        run = BoardRun.from_run(run)
        tiles = []
        peak = run.monitor["frames"]["peak_occupancy"]
        tiles.append(
            Tile(
                "Peak of the frame FIFO",
                f"{count(peak)} of {count(run.depth)}",
                "frames",
                level=rules.PROBLEM if run.monitor["frames"]["lost"] else "",
            )
        )
        tiles.append(
            Tile(
                "PBX bus busy",
                percent(run.bus_busy),
                "until the last frame was read; the frames of the busiest hundredth of the run need "
                f"{percent(run.bus_asked(run.fullest_per_s))}",
            )
        )
        return tiles

    def charts(self, run: Run) -> list[Chart]:
        boards = BoardRun.from_run(run)
        found = (
            charts.timeline(boards),
            charts.peak(boards),
            charts.rates(boards),
            charts.occupancy(boards),
            charts.frontier(boards),
        )
        return [chart for chart in found if chart is not None]


VIEW = BoardView()
