# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study tau`: TAU over Supermon's Figure 2, Table 1 and MCR, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon_studies import cells, planned
from hypermon_studies.cells import Cells
from hypermon_studies.placing import Place
from hypermon_studies.planned import Plan
from hypermon_studies.tau import cells as tau_cells
from hypermon_studies.tau import figures as tau_figures
from hypermon_studies.tau import page as tau_page
from hypermon_studies.tau import runs as tau_runs
from hypermon_studies.tau.runs import METRICS, NFS, OTHER_SERVERS, PM, RANKS, SPREAD, TABLE_1

__all__ = ["NAME", "RANKS", "plan", "write"]

NAME = "tau"
plan = tau_runs.plan


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
    """Writes `out`/tau.md and `out`/tau/*, all files at the end.

    If only some parts were run, writes only `out`/tau/cells.csv.

    Returns:
        The content of the page.
    """
    at, lost = place(out, force), runs.lost(tau_runs.PARTS)
    at.require(lost)
    computed = dict(planned.numbers(runs, METRICS, jobs, progress))
    if SPREAD in runs.parts:
        alike = tau_runs.counterfactual(runs, computed)
        computed |= planned.numbers(alike, METRICS, jobs)
        runs = Plan({**runs.specs, **alike.specs}, runs.parts)
    calls = _calls(runs, jobs) if TABLE_1 in runs.parts else None
    told = cells.text(tau_cells.all_cells(tau_runs.whole_runs(runs, computed), runs.parts, calls))
    found = cells.read(told)
    whole = not lost
    with at.data(lost) as data:
        (data / cells.NAME).write_text(told, encoding="utf-8")
        if whole:
            tau_figures.draw(data, found)
    if not whole:
        return found
    at.page(tau_page.text(found, NAME))
    return found


def _calls(runs: Plan, jobs: int) -> Mapping[str, Mapping[str, float]]:
    """Time of each system call in the runs of Table 1 in s, by way and call."""
    ways = (PM, NFS, *OTHER_SERVERS)
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        wanted = [(runs.specs[TABLE_1, way], Path(folder) / str(i)) for i, way in enumerate(ways)]
        results = runner.require(runner.run_many(wanted, jobs))
        return {way: tau_cells.times_of(result) for way, result in zip(ways, results, strict=True)}
