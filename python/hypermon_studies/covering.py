# SPDX-License-Identifier: BSD-3-Clause
"""The study of coverage from Python: `hypermon_studies.covering.cover`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypermon._model import argument_checks, worker
from hypermon._model.cards import BAD, GOOD, NEUTRAL, Card, Shown, table
from hypermon._model.words import percent
from hypermon_studies.coverage import page as coverage_page
from hypermon_studies.coverage import study as coverage

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Coverage(Shown):
    """Twelve programs under one monitor.

    Attributes:
        runs: One for each program and number of nodes, with its verdict, loss and slowdown.
        left_out: Programs that cannot run on that number of nodes, and why.
    """

    runs: tuple[coverage.Covered, ...]
    left_out: tuple[str, ...]

    def to_pandas(self) -> pd.DataFrame:
        """A row for each run, with the columns of `hypermon study coverage --json`."""
        import pandas as pd

        return pd.DataFrame([coverage_page.numbers(run) for run in self.runs])

    def _card(self) -> Card:
        verdicts = {run.verdict for run in self.runs}
        level = BAD if coverage.LOSES in verdicts else GOOD if verdicts == {coverage.GOOD} else NEUTRAL
        summary = coverage_page.summary(self.runs)
        rows = [
            (run.program, run.nodes, percent(run.lost_share), percent(run.slowdown), run.verdict, run.limit)
            for run in self.runs
        ]
        columns = ("program", "nodes", "events lost", "slowdown", "verdict", "limited by")
        return Card(
            title=f"Coverage of {len({run.program for run in self.runs})} programs",
            verdict=f"The monitor {summary}.",
            level=level,
            tables=[table(columns, rows, more="to_pandas()")],
            notes=[f"left out: {text}" for text in self.left_out],
        )


def cover(
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    full: bool = False,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Runs the paper's four programs and eight others under a monitor (`hypermon study coverage`).

    Use it to see whether a design is good enough for programs of different kinds: what it loses, where, and what limits
    it. Each program is recorded once; another design of the hardware is a replay.

    Args:
        settings: The design: parameters by path, as in `hypermon.run`. `nodes` sets one size instead of 4 and 16.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`.
        full: The paper's programs at their own size, and 8 nodes besides 4 and 16.
        jobs: Runs at a time; by default as many as there are CPUs.
        progress: Called as progress(runs that have finished since, how many of them failed).

    Returns:
        A verdict for each program; `to_pandas()` has the numbers.

    Raises:
        UserError: The design cannot be.
        SimulationError: A program failed.
    """
    schema = worker.schema()
    place = None if platform is None else os.fspath(platform)
    wanted = coverage.make_request(schema, argument_checks.settings(settings, {}, cover), presets, full, place)
    return Coverage(
        tuple(coverage.Prepared(wanted, schema, jobs=argument_checks.jobs(jobs)).run(progress)), wanted.left_out
    )
