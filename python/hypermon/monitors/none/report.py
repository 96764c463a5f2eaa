# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run without a monitor."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.words import seconds
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values
from hypermon.report.rules import FACT, Finding, sorted_findings
from hypermon.report.view import View


class NoneView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings([unobserved(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:  # noqa: ARG002
        nobody = Part("no monitor", [Line("nothing is emitted,"), Line("nothing is recorded")], is_fed=False)
        return [Panel(title, "nodes", [*parts, nobody])]


VIEW = NoneView()


def unobserved(run: Run) -> Finding | None:
    return (
        Finding(
            FACT,
            "No monitor observed the run",
            f"The program ran alone in {seconds(run.elapsed_s)}: the time that slowdowns are measured against.",
        )
        if not run.result["events"]
        else None
    )
