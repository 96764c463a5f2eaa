# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study coverage` and `hypermon study collection`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
    JobsOption,
    PlatformOption,
    PresetOption,
    SetOption,
    command,
    jobs_of,
    out_option,
    settings_of,
)


@command
def coverage(
    out: Annotated[Path | None, out_option("coverage.md, the CSV data and the picture", "runs/coverage-<hash>")] = None,
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    full: Annotated[
        bool,
        typer.Option("--full", help="Run the paper's programs at their own size, and on 8 nodes besides 4 and 16."),
    ] = False,
    fail_on_loss: Annotated[bool, typer.Option("--fail-on-loss", help="Exit status 1 if anything is lost.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Is this monitor good enough? Run twelve programs against a design, and show its losses and limits."""
    from hypermon._engine import progress, runner
    from hypermon._model import worker
    from hypermon.cli import render
    from hypermon_studies.coverage import page as coverage_page
    from hypermon_studies.coverage import study as study_of

    schema = worker.schema()
    request = study_of.make_request(schema, settings_of(settings), preset or (), full, platform)
    out = out or runner.study_folder("coverage", (spec for _, spec, _ in request.specs))
    coverage_page.place(out, force).require()
    prepared = study_of.Prepared(request, schema, jobs=jobs_of(jobs))
    with progress.points("coverage", len(prepared)) as done:
        found = prepared.run(done)
    words = ["hypermon study coverage", *([f"--platform {platform}"] if platform is not None else [])]
    words += [f"--preset {name}" for name in request.presets]
    words += [f"--set {path}={value}" for path, value in request.settings.items()] + ["--full"] * full
    coverage_page.write(out, request, found, " ".join(words), force)
    if as_json:
        import json

        say(json.dumps([coverage_page.numbers(covered) for covered in found], indent=1))
    else:
        render.show_all(
            render.table(
                coverage_page.shown(coverage_page.COLUMNS),
                map(coverage_page.shown, coverage_page.rows(found)),
                range(1, 5),
            ),
            *(f"left out: {text}" for text in request.left_out),
            coverage_page.summary(found),
            f"page {out / 'coverage.md'}",
        )
    raise typer.Exit(int(fail_on_loss and any(c.verdict == study_of.LOSES for c in found)))


@command
def collection(
    out: Annotated[Path, out_option("collection.md, the CSV data and the SVG pictures", "runs/collection")] = Path(
        "runs/collection"
    ),
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Show how many events each of the eight further programs emits, and when."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies import collection as study_of

    plan = study_of.plan(worker.schema())
    with progress.bar("collection", len(plan)) as done:
        study_of.write(out, plan, jobs_of(jobs), done, force)
    say(f"page {out / 'collection.md'}")


def add(study: typer.Typer) -> None:
    study.command()(coverage)
    study.command()(collection)
