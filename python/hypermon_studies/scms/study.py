# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study scms`: the tables of SCMS/RMS' paper, with PCP, and what its techniques and trees are worth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon import pictures
from hypermon._engine import runner
from hypermon.monitors.scms.pictures.tree import agents_of, tree
from hypermon_studies import cells, planned
from hypermon_studies.cells import Cells
from hypermon_studies.placing import Place
from hypermon_studies.planned import Plan
from hypermon_studies.scms import cells as scms_cells
from hypermon_studies.scms import figures as scms_figures
from hypermon_studies.scms import page as scms_page
from hypermon_studies.scms import runs as scms_runs
from hypermon_studies.scms.runs import METRICS

NAME = "scms"
plan = scms_runs.plan


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, cells.NAME, force)


def write(
    out: Path,
    runs: Plan,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
) -> Cells:
    """Writes `out`/scms.md and `out`/scms/*, all files at the end.

    If only some parts were run, writes only `out`/scms/cells.csv.

    Returns:
        The content of the page.
    """
    at, lost = place(out, force), runs.lost(scms_runs.PARTS)
    at.require(lost)
    told = cells.text(scms_cells.all_cells(planned.numbers(runs, METRICS, jobs, progress), runs.parts))
    found = cells.read(told)
    whole = not lost
    with at.data(lost) as data:
        (data / cells.NAME).write_text(told, encoding="utf-8")
        if whole:
            scms_figures.draw(data, found)
            pictures.save(tree(_at_work(runs, jobs)), data / "tree.svg")
    if not whole:
        return found
    at.page(scms_page.text(found, NAME))
    return found


def _at_work(runs: Plan, jobs: int) -> list[dict[str, Any]]:
    """The agents of the run whose tree is drawn."""
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        (done,) = runner.require(runner.run_many([(runs.specs[scms_runs.AT_WORK_KEY], Path(folder) / "0")], jobs))
        return agents_of(done)
