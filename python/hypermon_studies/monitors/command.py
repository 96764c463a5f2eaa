# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monitors`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
    JobsOption,
    PresetOption,
    SetOption,
    command,
    jobs_of,
    out_option,
    settings_of,
)

if TYPE_CHECKING:
    from hypermon_studies.monitors.found import Found


@command
def monitors(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROGRAM...",
            help="Programs of the study, or scenarios [default: all programs of the study].",
            show_default=False,
        ),
    ] = None,
    platform: Annotated[
        list[str] | None,
        typer.Option(
            "--platform",
            metavar="NAME|FILE",
            help="Machine to simulate. Repeatable. [default: ipsc2]",
            show_default=False,
        ),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Number of nodes of each machine.")] = 8,
    monitor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Run only this monitor. Repeatable. [default: all]", show_default=False),
    ] = None,
    knobs: Annotated[
        bool, typer.Option("--knobs", help="Also vary each monitor's main parameter: curves instead of points.")
    ] = False,
    fronts: Annotated[
        bool, typer.Option("--fronts", help="Also search for each monitor's best designs. Needs Optuna.")
    ] = False,
    tune: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROGRAM",
            help="Limit --knobs and --fronts to this program. Repeatable. [default: all]",
            show_default=False,
        ),
    ] = None,
    tune_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLATFORM",
            help="Limit --knobs and --fronts to this machine. Repeatable. [default: all]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=NUMBER",
            help="Limit of --fronts: slowdown_percent, memory_bytes, volume_bytes or stored_bytes; "
            "none removes a limit. Repeatable. [default: slowdown_percent=1, memory_bytes=16e6]",
            show_default=False,
        ),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Number of designs of each monitor for --fronts.")] = 32,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the search of --fronts.")] = 1,
    settings: SetOption = None,
    preset: PresetOption = None,
    out: Annotated[Path | None, out_option("the pages, the data and the pictures", "runs/monitors-<hash>")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Run the same programs under every monitor that the machine supports, and tabulate the results.

    Finished runs are not computed again: an interrupted study goes on where it stopped.
    """
    from hypermon._engine import progress, runner
    from hypermon._model import worker
    from hypermon.cli import render
    from hypermon_studies.monitors import found as monitors_found
    from hypermon_studies.monitors import fronts as monitors_fronts
    from hypermon_studies.monitors import plan as monitors_plan
    from hypermon_studies.monitors import study as study_of
    from hypermon_studies.monitors.programs import NODES

    schema = worker.schema()
    request = monitors_plan.Request(
        tuple(dict.fromkeys(programs or monitors_plan.programs(schema))),
        tuple(dict.fromkeys(platform or ["ipsc2"])),
        nodes,
        settings_of(settings),
        tuple(preset or ()),
        tuple(tune or ()),
        tuple(tune_on or ()),
    )
    limits = monitors_fronts.limits_of(limit or ())
    search = monitors_found.Search(limits, trials if fronts else 0, seed)
    among = monitors_plan.candidates(monitor or ())
    plan = monitors_plan.make(request, schema, among, [monitors_plan.KNOBS] if knobs else [])
    out = out or runner.study_folder("monitors", (*plan.alone.values(), *(point.spec for point in plan.points)))
    study_of.place(out, force).require()
    words: list[Any] = ["hypermon", "study", "monitors", *(programs or ())]
    repeated = {"platform": platform, "monitor": monitor, "tune": tune, "tune-on": tune_on}
    for option, values in {**repeated, "limit": limit, "preset": preset}.items():
        words += [word for value in values or () for word in (f"--{option}", value)]
    words += ["--nodes", str(nodes)] * (nodes != NODES) + ["--knobs"] * knobs
    words += ["--fronts", "--trials", str(trials), "--seed", str(seed)] if fronts else []
    words += [word for pair in settings or () for word in ("--set", pair)]
    with progress.points("monitors", len(plan)) as done:
        found = study_of.find(
            plan,
            schema,
            search,
            shlex.join(words),
            jobs_of(jobs),
            done,
            lambda designs: progress.points("fronts", designs),
        )
    study_of.write(out, found, force)
    if as_json:
        import json

        say(json.dumps(found.to_json(), indent=1))
    else:
        render.show_all(*_shown(found), f"page {out / 'monitors.md'} (and .html)")
    took = (f"{one['runs']} {part} {one['host_s']} s" for part, one in found.host().items() if one["runs"])
    say(f"host time: {', '.join(took)}", err=True)


@command
def monitors_pages(
    pages: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder into which `hypermon study monitors` wrote its pages.")
    ] = Path("docs/studies"),
    out: Annotated[Path, out_option("the pages, the data and the pictures", "runs/monitors")] = Path("runs/monitors"),
    force: ForceOption = False,
) -> None:
    """Make the pages and pictures of `hypermon study monitors` again from its files, without a run."""
    from hypermon_studies.monitors import found as monitors_found
    from hypermon_studies.monitors import rows as monitors_rows
    from hypermon_studies.monitors import study as study_of

    study_of.write(out, monitors_rows.read(pages / monitors_found.NAME), force, with_host=False)
    say(f"page {out / 'monitors.md'} (and .html)")


def _shown(found: Found) -> Iterator[Any]:
    """A table for each program on each machine, then the monitors that cannot work there."""
    from hypermon.cli import render
    from hypermon_studies.monitors import tables as monitors_tables

    last = len(monitors_tables.SHORT) - 1
    for place in found.plan.alone:
        rows = [row for row in found.rows if row.place == place]
        yield f"{place[1]} on {place[0]}, {found.plan.request.nodes} nodes"
        yield render.table(monitors_tables.SHORT, map(monitors_tables.short, rows), range(1, last))
        yield ""
    for who, why in monitors_tables.reasons(found.plan.refused, found.rows):
        yield f"{who}: {why}"
