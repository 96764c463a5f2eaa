"""The whole command line: every command."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from hypermon._model import monitors
from hypermon.cli import (
    calibrate,
    check,
    compare,
    coverage,
    events,
    importing,
    lists,
    report,
    root,
    run,
    size,
    sweep,
    timeline,
)
from hypermon.cli.common import (
    JobsOption,
    PlatformOption,
    PresetOption,
    ScenarioArgument,
    SetOption,
    command,
    jobs_of,
    out_option,
    settings_of,
)

app = root.made()
study = typer.Typer(
    help="Studies of several runs, with tables and pictures.", no_args_is_help=True, rich_markup_mode=root.MARKUP
)
app.add_typer(study, name="study")
run.add(app)
check.add(app)
lists.add(app)


@app.command(hidden=True)
@command
def docs(
    folder: Annotated[Path, typer.Argument(help="Where the reference pages go.")] = Path("docs/reference"),
    classes: Annotated[Path, typer.Option(help="Where the parameter classes go.")] = Path(
        "python/hypermon/parameters.py"
    ),
    verify: Annotated[bool, typer.Option("--verify", help="Only compare; exit status 1 if a file differs.")] = False,
) -> None:
    """Generate the reference pages and the parameter classes."""
    from hypermon._model import worker
    from hypermon._reference import reference

    stale = reference.write(folder, classes, worker.schema(), verify)
    for page in stale:
        typer.echo(f"{page}: {'is out of date, run hypermon docs' if verify else 'written'}")
    raise typer.Exit(int(verify and bool(stale)))


@study.command()
@command
def table2(
    out: Annotated[Path, out_option("validation.md, the CSV data and the SVG figures", "runs/table2")] = Path(
        "runs/table2"
    ),
    jobs: JobsOption = None,
) -> None:
    """The paper's Table 2 and Figures 8 to 13: its values, ours, the errors."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon.study import validation

    plan = validation.plan(worker.schema())
    with progress.bar("table2", len(plan)) as done:
        page = validation.write(out, plan, worker.schema(), jobs_of(jobs), done)
    typer.echo(page.summary)
    typer.echo(f"page {out / 'validation.md'}")


@study.command()
@command
def mechanisms(
    out: Annotated[Path, out_option("mechanisms.md and its CSV data", "runs/mechanisms")] = Path("runs/mechanisms"),
    program: Annotated[
        str | None, typer.Option(help="simplex or place: only its rows, and no page. [default: both]")
    ] = None,
    jobs: JobsOption = None,
) -> None:
    """What mechanisms looked for after the blind comparison would make of Table 2: all rows, before and after."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon.errors import UserError
    from hypermon.study import mechanisms as study_of
    from hypermon.study import mechanisms_page

    if program is not None and program not in study_of.TRIED:
        raise UserError(f"--program = {program}: must be one of {', '.join(study_of.TRIED)}")
    plan = study_of.plan(worker.schema(), tuple(study_of.TRIED) if program is None else (program,))
    with progress.bar("mechanisms", len(plan)) as done:
        rows = study_of.write(out, plan, jobs_of(jobs), done)
    typer.echo(mechanisms_page.summary(rows))
    name = "mechanisms.md" if program is None else "mechanisms.csv"
    typer.echo(f"{'page' if program is None else 'data'} {out / name}")


@study.command()
@command
def lessons(
    out: Annotated[Path, out_option("lessons.md, the CSV data and the SVG figures", "runs/lessons")] = Path(
        "runs/lessons"
    ),
    jobs: JobsOption = None,
) -> None:
    """The paper's "Lessons learned" as scenarios: every question with its numbers and where they stand.

    Exit status 1: an expectation of theirs failed.
    """
    from hypermon._engine import checks, progress
    from hypermon._model import worker
    from hypermon.study import lessons as study_of
    from hypermon.study import lessons_page

    plan = study_of.plan(worker.schema())
    with progress.bar("lessons", len(plan)) as done:
        answers = study_of.write(out, plan, jobs_of(jobs), done)
    typer.echo(lessons_page.summary(answers))
    typer.echo(f"page {out / 'lessons.md'}")
    raise typer.Exit(checks.exit_status([v for answer in answers for v in answer.verdicts]))


@study.command()
@command
def perturbation(
    scenario: ScenarioArgument,
    out: Annotated[
        Path | None, out_option("the table, the picture and the runs", "runs/perturbation-<scenario>-<hash>")
    ] = None,
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    jobs: JobsOption = None,
) -> None:
    """One scenario under every monitor: what each slows down, and what it loses."""
    from hypermon._engine import progress, runner
    from hypermon._model import worker
    from hypermon.cli import render
    from hypermon.study import perturbation as study_of

    schema = worker.schema()
    plan = study_of.plan(scenario, schema, settings_of(settings), preset or (), platform)
    out = out or runner.study_folder(f"perturbation-{next(iter(plan.values())).scenario}", plan.values())
    with progress.bar(scenario, len(plan)) as done:
        results = study_of.write(out, plan, jobs_of(jobs), done)
    parts: list[Any] = [render.table(study_of.COLUMNS, study_of.rows(results), range(1, len(study_of.COLUMNS)))]
    for monitor, result in results.items():
        if monitor != "none":
            parts += [f"\nloss ledger of {monitor}", render.ledger(result["ledger"])]
    render.show_all(*parts, f"\npicture {out / 'perturbation.png'} (and .svg)")


@study.command()
@command
def merging(
    out: Annotated[Path, out_option("merging.md, the CSV data and the SVG picture", "runs/merging")] = Path(
        "runs/merging"
    ),
) -> None:
    """Frames of merged data against a funnel of single words: at which activity does merging pay?"""
    from hypermon._engine import progress
    from hypermon.study import merging as study_of

    with progress.bar("merging", len(study_of.TRAFFIC)) as done:
        points = study_of.measure(on_done=done)
    study_of.write(out, points)
    typer.echo(study_of.summary(points))
    typer.echo(f"page {out / 'merging.md'}")


parts: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module
    for module in (calibrate, compare, events, importing, report, size, sweep, timeline)
}
for name in {module: None for monitor in monitors.registered().values() for module in monitor.commands.values()}:
    parts[name.rpartition(".")[2]] = import_module(name)
for _, part in sorted(parts.items()):
    part.add(app)
coverage.add(study)
