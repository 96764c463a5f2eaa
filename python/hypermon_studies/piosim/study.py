# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study piosim`: HDTrace's run in its simulator and on its machine, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._model.result import Result
from hypermon.monitors.hdtrace.timeline import timeline
from hypermon_studies import cells, planned
from hypermon_studies.cells import Cells
from hypermon_studies.piosim import cells as piosim_cells
from hypermon_studies.piosim import figures as piosim_figures
from hypermon_studies.piosim import page as piosim_page
from hypermon_studies.piosim import runs as piosim_runs
from hypermon_studies.piosim import timeline as piosim_timeline
from hypermon_studies.piosim.runs import METRICS
from hypermon_studies.placing import Place
from hypermon_studies.planned import Plan

NAME = "piosim"
plan = piosim_runs.plan


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
    """Writes `out`/piosim.md and `out`/piosim/*, all files at the end.

    If only some parts were run, writes only `out`/piosim/cells.csv.

    Returns:
        The content of the page.
    """
    at, lost = place(out, force), runs.lost(piosim_runs.PARTS)
    at.require(lost)
    computed = planned.numbers(runs, METRICS, jobs, progress)
    whole = not lost
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        recorded = _recorded(runs, Path(folder), jobs)
        told = cells.text(piosim_cells.all_cells(computed, runs.parts, recorded))
        found = cells.read(told)
        with at.data(lost) as data:
            (data / cells.NAME).write_text(told, encoding="utf-8")
            if whole and recorded is not None:
                piosim_figures.draw(data, found)
                line = timeline(recorded)
                rate = float(runs.specs[piosim_runs.WITH_HDTRACE].values["packets.edge_mib_per_s"]) * 2**20
                if line is not None:
                    piosim_timeline.draw_all(data, line, rate)
    if not whole:
        return found
    at.page(piosim_page.text(found, NAME))
    return found


def _recorded(runs: Plan, folder: Path, jobs: int) -> Result | None:
    """The run that HDTrace recorded, with its files; None if it is not of the parts."""
    spec = runs.specs.get(piosim_runs.WITH_HDTRACE)
    if spec is None:
        return None
    (done,) = runner.require(runner.run_many([(spec, folder / "0")], jobs))
    return done
