# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monitors`: the same programs under all monitors, in one table."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hypermon._model.schema import Schema
from hypermon_studies.monitors import fronts as monitors_fronts
from hypermon_studies.monitors import runs as monitors_runs
from hypermon_studies.monitors.found import DATA, HOST, NAME, STUDY, Found, Search
from hypermon_studies.monitors.fronts import Front
from hypermon_studies.monitors.plan import Plan
from hypermon_studies.placing import Place

Progress = Callable[[int, int], None]


def find(
    plan: Plan,
    schema: Schema,
    search: Search,
    command: str,
    jobs: int,
    progress: Progress | None = None,
    searching: Callable[[int], Any] | None = None,
) -> Found:
    """Runs the plan, then searches the fronts.

    `progress` is called with finished runs. `searching` is called with the number of designs of the fronts, and returns
    the function that is called with finished ones.
    """
    alone, rows = monitors_runs.run(plan, jobs, progress)
    fronts: Sequence[Front] = ()
    if search.trials:
        designs = search.trials * len(monitors_fronts.rows_to_vary(plan.request, rows))
        with searching(designs) if searching is not None else contextlib.nullcontext() as told:
            how = search.limits, search.trials, search.seed, jobs
            fronts = monitors_fronts.search(plan, schema, alone, rows, *how, told)
    alone_host_s = sum(ended.wall_s or 0 for ended in alone.values())
    return Found(plan, search, tuple(rows), tuple(fronts), command, alone_host_s)


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, DATA, force, (f"{NAME}.html", HOST))


def write(out: Path, found: Found, force: bool = False, *, with_host: bool = True) -> None:
    """Writes `out`/monitors.md, monitors.html and monitors/* (pictures and data), all files at the end.

    Args:
        with_host: Also write HOST, which is no result. A study that was read from files has none.
    """
    from hypermon_studies.monitors import figures as monitors_figures
    from hypermon_studies.monitors import html as monitors_html
    from hypermon_studies.monitors import page as monitors_page
    from hypermon_studies.monitors import picture as monitors_picture
    from hypermon_studies.monitors import rows as monitors_rows

    curves = monitors_picture.curves(found.rows, found.fronts)
    at = place(out, force)
    with at.data() as data:
        (data / DATA).write_text(monitors_rows.as_csv(found), encoding="utf-8")
        (data / STUDY).write_text(monitors_rows.as_json(found), encoding="utf-8")
        pictures = monitors_figures.draw(data, curves)
    at.page(monitors_page.text(found, NAME, pictures))
    at.page(monitors_html.text(found, curves), f"{NAME}.html")
    if with_host:
        at.page(json.dumps(found.host(), indent=1) + "\n", HOST)
