# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study hpvm`: the figures of HPVM's paper, predictions of its two disturbed runs, and its monitor's cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import checks, runner
from hypermon._model.schema import Schema
from hypermon_studies import cells
from hypermon_studies.cells import Cells
from hypermon_studies.hpvm import cells as hpvm_cells
from hypermon_studies.hpvm import figures as hpvm_figures
from hypermon_studies.hpvm import page as hpvm_page
from hypermon_studies.hpvm import runs as hpvm_runs
from hypermon_studies.hpvm.runs import Plan, Runs
from hypermon_studies.placing import Place

NAME = "hpvm"
plan = hpvm_runs.plan


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, cells.NAME, force)


def write(
    out: Path,
    runs: Plan,
    schema: Schema,
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> tuple[Cells, list[checks.Verdict]]:
    """Writes `out`/hpvm.md and `out`/hpvm, both at the end.

    Returns:
        The content of the page, and the verdicts on the expectations of the disturbed runs' scenarios.
    """
    at = place(out, force)
    at.require()
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(runs.specs.values())]
        results: Runs = dict(zip(runs.specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        told = cells.text(Cells(hpvm_cells.all_cells(results, schema)))
        found = cells.read(told)
        with at.data() as data:
            (data / cells.NAME).write_text(told, encoding="utf-8")
            hpvm_figures.draw(data, results, found)
        at.page(hpvm_page.text(found, NAME))
        return found, _verdicts(runs, results)


def _verdicts(runs: Plan, results: Runs) -> list[checks.Verdict]:
    found: list[checks.Verdict] = []
    for question in dict.fromkeys(asked for asked, _ in runs.cases):
        own = [(case, results[key]) for key, case in runs.cases.items() if key[0] == question]
        found += checks.judge_all(f"hpvm/{question}", own)
    return found
