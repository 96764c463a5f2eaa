# SPDX-License-Identifier: BSD-3-Clause
"""What a monitor brings to the page of its runs (`Monitor.report`), and what one that brings nothing has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from hypermon._model import monitors
from hypermon._model.result import Result
from hypermon.report.chart import Chart
from hypermon.report.drawing import Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values
from hypermon.report.rules import Finding, causality, nothing_lost, other_losses, sorted_findings, unseen


@dataclass(frozen=True)
class Tile:
    """One number; `tag`: calibrated or predicted, where that is known; `level` as of a finding."""

    label: str
    value: str
    note: str = ""
    tag: str = ""
    level: str = ""


class View:
    """A monitor's own extends it by what it has more to say of."""

    stages: ClassVar[Mapping[str, str]] = {}
    """Stages of its ledger in words, where their names are none."""
    phrases: ClassVar[Mapping[tuple[str, str], str]] = {}
    """What of its events is lost at a stage for a cause, where the two do not say it."""
    unrecorded = ""
    """What the page of a run without a recording lacks, in HTML."""

    # What an own one is given and this one has no use for.
    def recorded(self, result: Result) -> Any:  # noqa: ARG002
        """What a recording in the run's directory tells; None if there is none. `Run.recorded` of the others here."""
        return None

    def findings(self, run: Run) -> list[Finding]:
        """What limits the design and what to change, problems first."""
        return sorted_findings([unseen(run), nothing_lost(run), causality(run), other_losses(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:  # noqa: ARG002
        """Its machine as the data go. `title`, `parts`: of the nodes without it: the program, what it is seen by."""
        return [Panel(title, "nodes", parts)]

    def tiles(self, run: Run) -> list[Tile]:  # noqa: ARG002
        """Its own numbers that one wants first."""
        return []

    def charts(self, run: Run) -> list[Chart]:  # noqa: ARG002
        """Its own over time."""
        return []


class HasReport(Protocol):
    def report(self) -> View | None: ...


def of(monitor: str) -> View:
    """That of a monitor."""
    return monitors.part(monitors.of(monitor), HasReport.report) or View()
