# SPDX-License-Identifier: BSD-3-Clause
"""What the page of a run shows of the poller."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.view import Tile, View


class PollerView(View):
    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        daemon = Part(
            "poller",
            [
                values.line("poller.counters"),
                values.line("poller.period_ms", "every {} ms"),
                values.line("poller.read_us", "{} µs of CPU a counter"),
            ],
        )
        sampling = values.run.result["sampling"]
        analyst = Part("analyst", [Line(f"{sampling['delivered']} of {sampling['taken']} samples")], lost(values.run))
        network = Part(str(values["poller.network"]), [values.line("poller.sample_bytes", "{} B a sample")])
        return [Panel(title, "nodes", [*parts, daemon]), Panel("Beside the machine", "nodes", [network, analyst])]

    def tiles(self, run: Run) -> list[Tile]:
        poller = run.spec["poller"]
        share = len(poller["counters"].split()) * poller["read_us"] * 1e-3 / poller["period_ms"]
        return [Tile("Time spent on polling", f"{100 * share:.2g} %", "of each node's CPU")]


VIEW = PollerView()
