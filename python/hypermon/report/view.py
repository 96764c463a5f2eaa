# SPDX-License-Identifier: BSD-3-Clause
"""The interface for monitors' parts of a run's page (`Monitor.report`), with defaults for monitors without any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """A tile with one number. `tag`: calibrated or predicted, if known. `level`: as in `Finding`."""

    label: str
    value: str
    note: str = ""
    tag: str = ""
    level: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture of a run, as `hypermon plot` draws it. `command`: the command that draws it."""

    caption: str
    command: str
    draw: Callable[[], Any]


class View:
    """The default view. A monitor derives its own view from it."""

    stages: ClassVar[Mapping[str, str]] = {}
    """Names, in words, of stages of the monitor's ledger."""
    phrases: ClassVar[Mapping[tuple[str, str], str]] = {}
    """Phrases for losses at a stage for a cause, where the names of the two are not enough."""
    unrecorded = ""
    """Text, in HTML, about the parts that the page of a run without a recording lacks."""

    # The arguments below are for overriding methods.
    def recorded(self, result: Result) -> Any:  # noqa: ARG002
        """Returns data from a recording in the run directory, for `Run.recorded`. None: there is no recording."""
        return None

    def findings(self, run: Run) -> list[Finding]:
        """Returns findings about the limits of the design and possible changes, problems first."""
        return sorted_findings([unseen(run), nothing_lost(run), causality(run), other_losses(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:  # noqa: ARG002
        """Returns the panels of the machine along the data flow. `title`, `parts`: the nodes without the monitor."""
        return [Panel(title, "nodes", parts)]

    def tiles(self, run: Run) -> list[Tile]:  # noqa: ARG002
        """Returns the monitor's main numbers."""
        return []

    def pictures(self, result: Result) -> list[Picture]:  # noqa: ARG002
        """Returns the monitor's pictures of a saved run."""
        return []

    def charts(self, run: Run) -> list[Chart]:  # noqa: ARG002
        """Returns the monitor's charts over time."""
        return []


class HasReport(Protocol):
    def report(self) -> View | None: ...


def find(monitor: str) -> View:
    """Returns the view of a monitor."""
    return monitors.part(monitors.find(monitor), HasReport.report) or View()
