# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study ...`: what the entry point `study` of the group hypermon.commands adds to the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
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
from hypermon.cli.root import MARKUP
from hypermon_studies.coverage import commands as coverage_commands
from hypermon_studies.monitors import command as monitors_command

if TYPE_CHECKING:
    from hypermon._engine.checks import Verdict

study = typer.Typer(
    help="Studies of several runs, with tables and pictures.", no_args_is_help=True, rich_markup_mode=MARKUP
)


def _say_failed(verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if not verdict.passed:
            say(f"FAILED {verdict.scenario} {verdict.case}: {verdict.what}: {verdict.got}, not {verdict.expected}")


@study.command()
@command
def table2(
    out: Annotated[Path, out_option("table2.md, the CSV data and the SVG figures", "runs/table2")] = Path(
        "runs/table2"
    ),
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Reproduce HYPERMON's Table 2 and Figures 8 to 13: published values, simulated values and errors.

    Exit status 1: an expectation of the scenarios table2/* failed.
    """
    from hypermon._engine import checks, progress
    from hypermon._model import worker
    from hypermon_studies.table2 import study as study_of

    plan = study_of.plan(worker.schema())
    with progress.bar("table2", len(plan)) as done:
        page = study_of.write(out, plan, worker.schema(), jobs_of(jobs), done, force)
    say(page.summary)
    _say_failed(page.verdicts)
    say(f"page {out / 'table2.md'}")
    raise typer.Exit(checks.exit_status(page.verdicts))


@study.command()
@command
def mechanisms(
    out: Annotated[Path, out_option("mechanisms.md and its CSV data", "runs/mechanisms")] = Path("runs/mechanisms"),
    program: Annotated[
        str | None, typer.Option(help="Compute only the rows of simplex or place, without a page. [default: both]")
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Show how mechanisms found after the blind comparison would change Table 2: all rows, before and after."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon.errors import UserError
    from hypermon_studies.mechanisms import page as mechanisms_page
    from hypermon_studies.mechanisms import study as study_of

    if program is not None and program not in study_of.TRIED:
        raise UserError(f"--program = {program}: must be one of {', '.join(study_of.TRIED)}")
    schema = worker.schema()
    plan = study_of.plan(schema, tuple(study_of.TRIED) if program is None else (program,))
    with progress.bar("mechanisms", len(plan)) as done:
        rows = study_of.write(out, plan, schema, jobs_of(jobs), done, force)
    say(mechanisms_page.summary(rows))
    name = "mechanisms.md" if program is None else "mechanisms/cells.csv"
    say(f"{'page' if program is None else 'data'} {out / name}")


@study.command()
@command
def lessons(
    out: Annotated[Path, out_option("lessons.md, the CSV data and the SVG figures", "runs/lessons")] = Path(
        "runs/lessons"
    ),
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Answer the questions of the paper's "Lessons learned" by scenarios, with numbers and their sources.

    Exit status 1: an expectation of these scenarios failed.
    """
    from hypermon._engine import checks, progress
    from hypermon._model import worker
    from hypermon_studies.lessons import page as lessons_page
    from hypermon_studies.lessons import study as study_of

    plan = study_of.plan(worker.schema())
    with progress.bar("lessons", len(plan)) as done:
        answers = study_of.write(out, plan, jobs_of(jobs), done, force)
    say(lessons_page.summary(answers))
    say(f"page {out / 'lessons.md'}")
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
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Run one scenario under each of HYPERMON's monitors, and compare their slowdown and losses."""
    from hypermon._engine import progress, runner
    from hypermon._model import worker
    from hypermon.cli import render
    from hypermon_studies import perturbation as study_of

    schema = worker.schema()
    plan = study_of.plan(scenario, schema, settings_of(settings), preset or (), platform)
    out = out or runner.study_folder(f"perturbation-{next(iter(plan.values())).scenario}", plan.values())
    with progress.bar(scenario, len(plan)) as done:
        results = study_of.write(out, plan, schema, jobs_of(jobs), done, force)
    parts: list[Any] = [render.table(study_of.COLUMNS, study_of.rows(results), range(1, len(study_of.COLUMNS)))]
    for monitor, result in results.items():
        if monitor != "none":
            parts += [f"\nloss ledger of {monitor}", render.ledger(result["ledger"])]
    meaning = "\n".join(["", *study_of.conclusion(results)])
    render.show_all(*parts, meaning, f"\npicture {out / 'perturbation.png'} (and .svg)")


@study.command()
@command
def merging(
    out: Annotated[Path, out_option("merging.md, the CSV data and the SVG picture", "runs/merging")] = Path(
        "runs/merging"
    ),
    force: ForceOption = False,
) -> None:
    """Compare frames of merged data with a funnel of single words: at which activity does merging pay?"""
    from hypermon._engine import progress
    from hypermon_studies import merging as study_of

    study_of.place(out, force).require()
    with progress.bar("merging", len(study_of.TRAFFIC)) as done:
        points = study_of.measure(on_done=done)
    study_of.write(out, points, force)
    say(study_of.summary(points))
    say(f"page {out / 'merging.md'}")


@study.command()
@command
def hpvm(
    out: Annotated[Path, out_option("hpvm.md, the CSV data and the SVG figures", "runs/hpvm")] = Path("runs/hpvm"),
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Reproduce the figures of HPVM's paper, predict its two disturbed runs, and measure its monitor's cost.

    Exit status 1: an expectation of the scenarios of the disturbed runs failed.
    """
    from hypermon._engine import checks, progress
    from hypermon._model import worker
    from hypermon_studies import cell_tables
    from hypermon_studies.hpvm import study as study_of

    schema = worker.schema()
    plan = study_of.plan(schema)
    with progress.bar("hpvm", len(plan)) as done:
        found, verdicts = study_of.write(out, plan, schema, jobs_of(jobs), done, force)
    say(cell_tables.summary(found))
    _say_failed(verdicts)
    say(f"page {out / 'hpvm.md'}")
    raise typer.Exit(checks.exit_status(verdicts))


@study.command()
@command
def scms(
    out: Annotated[Path, out_option("scms.md, the CSV data and the SVG figures", "runs/scms")] = Path("runs/scms"),
    predict: Annotated[
        bool,
        typer.Option("--predict", help="Also compute 32 and 64 nodes, for which the paper's numbers are held back."),
    ] = False,
    part: Annotated[
        list[str] | None,
        typer.Option(
            help="Compute only this part's cells, without a page: tables, causes, growth, techniques, "
            "age, tree, pipelining, bands. Repeatable.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Reproduce the tables and figures of SCMS/RMS's paper, with PCP, and the effect of its techniques and trees."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies import cell_tables
    from hypermon_studies.scms import study as study_of

    plan = study_of.plan(worker.schema(), predict, part or ())
    with progress.points("scms", len(plan)) as done:
        found = study_of.write(out, plan, jobs_of(jobs), done, force)
    say(cell_tables.summary(found))
    say(f"data {out / 'scms/cells.csv'}" if part else f"page {out / 'scms.md'}")


@study.command()
@command
def monhole(
    out: Annotated[Path, out_option("monhole.md, the CSV data and the SVG figures", "runs/monhole")] = Path(
        "runs/monhole"
    ),
    force: ForceOption = False,
) -> None:
    """Compare the buffer policies of Supermon's monhole: the best for each rate and number of sinks, and its memory."""
    from hypermon._engine import progress
    from hypermon_studies import cell_tables
    from hypermon_studies.monhole import study as study_of

    with progress.bar("monhole", study_of.STEPS) as done:
        found = study_of.write(out, done, force)
    say(cell_tables.summary(found))
    say(f"page {out / 'monhole.md'}")


@study.command()
@command
def piosim(
    out: Annotated[Path, out_option("piosim.md, the CSV data and the SVG figures", "runs/piosim")] = Path(
        "runs/piosim"
    ),
    part: Annotated[
        list[str] | None,
        typer.Option(
            help="Compute only this part's cells, without a page: paper, real, recorded, broadcast, "
            "schedulers, clients, ties. Repeatable.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Reproduce HDTrace's PDE solver on PVFS: the paper's simulator, its machine, and the effect of several clients."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies import cell_tables
    from hypermon_studies.piosim import study as study_of

    plan = study_of.plan(worker.schema(), part or ())
    with progress.points("piosim", len(plan)) as done:
        found = study_of.write(out, plan, jobs_of(jobs), done, force)
    say(cell_tables.summary(found))
    say(f"data {out / 'piosim/cells.csv'}" if part else f"page {out / 'piosim.md'}")


@study.command()
@command
def tau(
    out: Annotated[Path, out_option("tau.md, the CSV data and the SVG figures", "runs/tau")] = Path("runs/tau"),
    part: Annotated[
        list[str] | None,
        typer.Option(
            help="Compute only this part's cells, without a page: figure2, calls, mcr, iterations, "
            "policies, rates, spread, shared clock. Repeatable.",
            show_default=False,
        ),
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=3, max=250, help="Number of LU's iterations. Dilations do not depend on it.")
    ] = 6,
    ranks: Annotated[
        list[int] | None,
        typer.Option(help="Number of ranks in Figure 2: 128, 256, 512. Repeatable. [default: all]", show_default=False),
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Only find the three constants from Figure 2's known cells.")
    ] = False,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Reproduce TAU's profiles over NFS and Supermon: the paper's Figure 2, Table 1, MCR and open questions."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies import cell_tables
    from hypermon_studies.tau import calibration as tau_calibration
    from hypermon_studies.tau import study as study_of

    if calibrate:
        tau_calibration.calibrate(
            worker.schema(),
            iterations,
            jobs_of(jobs),
            lambda one: say(f"{one.constant} = {one.value:g}: {one.way} {one.dilation:.3f} %"),
        )
        return
    plan = study_of.plan(worker.schema(), part or (), iterations, ranks or study_of.RANKS)
    with progress.points("tau", len(plan)) as done:
        found = study_of.write(out, plan, jobs_of(jobs), done, force)
    say(cell_tables.summary(found))
    say(f"data {out / 'tau/cells.csv'}" if part else f"page {out / 'tau.md'}")


@study.command()
@command
def diagnosis(
    out: Annotated[Path, out_option("diagnosis.md and its CSV data", "runs/diagnosis")] = Path("runs/diagnosis"),
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Compare known causes of slow runs with what `hypermon diagnose` reports: the confusion table."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies.diagnosis import page as diagnosis_page
    from hypermon_studies.diagnosis import study as study_of
    from hypermon_studies.diagnosis.cases import Outcome

    study_of.place(out, force).require()
    sets = study_of.sets()
    found: list[Outcome] = []
    for name, cases in sets.items():
        with progress.bar(name, len(cases)) as done:
            found += study_of.judge(name, cases, worker.schema(), jobs_of(jobs), done)
    study_of.write(out, found, force)
    say(diagnosis_page.summary(found))
    say(f"page {out / 'diagnosis.md'}")


@study.command()
@command
def releases(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENARIO...", help="[default: all]", show_default=False),
    ] = None,
    out: Annotated[
        Path, out_option("the measured results, or for releases.md and its CSV data", "runs/releases")
    ] = Path("runs/releases"),
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Folder that this command wrote with hypermon built against other releases.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Are results with this SimGrid and SystemC bit-identical to those with other releases?

    The command writes a file for a later comparison unless --against is given.
    """
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies.releases import page as releases_page
    from hypermon_studies.releases import study as study_of

    other = None if against is None else study_of.read(against)
    schema = worker.schema()
    file = out / f"simgrid-{schema.versions['simgrid']}.json.gz"
    if other is None:
        study_of.require(file, force)
    else:
        releases_page.place(out, force).require()
    plan = study_of.plan(schema, scenarios or ())
    with progress.bar("releases", len(plan)) as done:
        build = study_of.measure(plan, jobs_of(jobs), done)
    if other is None:
        study_of.save(build, file)
        say(f"measured {file}")
    else:
        say(releases_page.summary(build, other, releases_page.write(out, build, other, force)))
        say(f"page {out / 'releases.md'}")


@study.command()
@command
def papers(
    out: Annotated[Path, out_option("papers.md and its CSV data", "runs/papers")] = Path("runs/papers"),
    pages: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder of the studies' pages, whose cells.csv are read.")
    ] = Path("docs"),
    move: Annotated[
        bool,
        typer.Option(
            "--move",
            help="Also run Table 2 again with each calibrated constant moved up and down. Otherwise papers/moved.csv "
            "of the pages is used.",
        ),
    ] = False,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """List every number of the five papers with the simulated number, or the reason why there is none."""
    from hypermon._engine import progress
    from hypermon._model import worker
    from hypermon_studies.papers import moved
    from hypermon_studies.papers import page as papers_page
    from hypermon_studies.papers import study as study_of

    papers_page.place(out, force).require()
    schema = worker.schema()
    with progress.bar("papers", len(study_of.plan(schema))) as done:
        items = study_of.evaluate(pages, schema, jobs_of(jobs), done)
    if move:
        specs = moved.plan(schema)
        with progress.bar("constants", len(specs)) as done:
            runs = moved.measure(specs, schema, jobs_of(jobs), done)
    else:
        runs = study_of.moved_of(pages)
    papers_page.write(out, items, study_of.left_out_of(pages, schema, runs), runs, force)
    say(papers_page.summary(items))
    say(f"page {out / 'papers.md'}")


@study.command()
@command
def validation(
    out: Annotated[Path, out_option("validation.md and its picture", "runs/validation")] = Path("runs/validation"),
    pages: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Folder of the studies' pages; `hypermon study papers` wrote its data."),
    ] = Path("docs"),
    force: ForceOption = False,
) -> None:
    """Show how near the predictions of the five papers' numbers are, with intervals and a picture; nothing is run."""
    from hypermon_studies.validation import counts as published
    from hypermon_studies.validation import page as published_page

    found = published.read(pages)
    published_page.write(out, found, force)
    say(published_page.answer(found))
    say(f"page {out / 'validation.md'}")


coverage_commands.add(study)
study.command()(monitors_command.monitors)
study.command()(monitors_command.monitors_pages)


def add(app: typer.Typer) -> None:
    """Adds the studies to hypermon's command line."""
    app.add_typer(study, name="study")
