# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon check`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hypermon._printing import say, terminal
from hypermon.cli import complete
from hypermon.cli.common import JobsOption, command, jobs_of, output_file, output_folder

if TYPE_CHECKING:
    from rich.text import Text

    from hypermon._engine.checks import Verdict
    from hypermon._engine.sharing import Spent


@dataclass(frozen=True)
class KeepOptions:
    """The options that keep the runs of a check."""

    keep: Annotated[
        Path | None,
        output_folder(
            metavar="DIR", help="Keep the run directory of each case as DIR/SCENARIO/CASE.", show_default=False
        ),
    ] = None
    force: Annotated[
        bool, typer.Option("--force", help="Replace the directories of --keep, whatever they contain.")
    ] = False


@dataclass(frozen=True)
class VerdictOptions:
    """The options for the output of verdicts."""

    junit: Annotated[
        Path | None, output_file(metavar="FILE", help="Also write the verdicts as JUnit XML; -: standard output.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON and nothing else.")] = False
    every: Annotated[bool, typer.Option("--all", help="Print a line for every expectation, on a terminal too.")] = False


@command
def check(
    kept: KeepOptions,
    told: VerdictOptions,
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO or FILE or FOLDER]...",
            help="Scenarios to check, by name or path; an existing path takes precedence over a name. "
            "Default: all built-in scenarios.",
            autocompletion=complete.scenario_or_folder,
        ),
    ] = None,
    case: Annotated[str | None, typer.Option(metavar="NAME", help="Run only this case.")] = None,
    share: Annotated[
        bool,
        typer.Option(
            "--share/--no-share",
            help="Share one run between equal cases, and between cases that differ only in hardware that "
            "the nodes do not notice.",
        ),
    ] = True,
    jobs: JobsOption = None,
) -> None:
    """Run the cases of scenarios and compare the results with their expectations."""
    import json

    from hypermon._engine import check_files, checking, checks, progress
    from hypermon._files import files
    from hypermon._model import worker
    from hypermon.cli import render

    junit = told.junit
    if junit is not None:
        files.keep(junit, *(name for name in scenarios or () if Path(name).is_file()))
    planned = checks.plan(checking.chosen(scenarios or ()), worker.schema(), case)
    with progress.bar("check", len(planned)) as done:
        verdicts, spent = checks.check(planned, jobs_of(jobs), done, kept.keep, share=share, force=kept.force)
    if junit is not None:
        with files.writing(junit) as part:
            part.write_text(check_files.junit(verdicts), encoding="utf-8")
    if told.as_json:
        say(json.dumps(check_files.to_json(verdicts, spent), indent=1))
    else:
        on_terminal = terminal() is not None and not told.every
        shown = _by_scenario(verdicts) if on_terminal else [render.verdicts(verdicts), "", *_again(verdicts)]
        failed = sum(not v.passed for v in verdicts)
        render.show_all(*shown, *_saved(spent), f"{len(verdicts) - failed} passed, {failed} failed")
    raise typer.Exit(checks.exit_status(verdicts))


def _saved(spent: Spent) -> list[str]:
    """Returns a line about the runs that cases shared, if there are any."""
    if not spent.replayed and not spent.same:
        return []
    return [
        f"{spent.runs} cases: {spent.simulated} simulated, {spent.replayed} replayed over recordings of those,"
        f" {spent.same} the same as another"
    ]


def _again(verdicts: Sequence[Verdict]) -> list[str]:
    """Returns for every failed case the command that repeats it, and the place of its run."""
    failed = {v.again: v.run for v in verdicts if not v.passed}
    return [f"again: {again}" + (f"  (kept: {run})" if run else "") for again, run in failed.items()]


def _by_scenario(verdicts: Sequence[Verdict]) -> list[Text]:
    """Returns a line for every scenario, and its failed expectations."""
    from rich.text import Text

    width = max((len(v.scenario) for v in verdicts), default=0)
    lines: list[Text] = []
    for name, group in itertools.groupby(verdicts, key=lambda v: v.scenario):
        found = list(group)
        failed = [v for v in found if not v.passed]
        took_s = sum(next(of_case).wall_s for _, of_case in itertools.groupby(found, key=lambda v: v.again))
        met = f"{len(found) - len(failed)} of {len(found)}" if failed else f"{len(found)}"
        state = Text("FAIL", "bold red") if failed else Text("ok  ", "green")
        lines.append(Text.assemble(state, f"  {name:{width}}  {met:>9} met  {took_s:7.1f} s"))
        for v in failed:
            away = f" ({v.deviation})" if v.deviation else ""
            lines.append(Text(f"      {v.case}: {v.what}: expected {v.expected}, got {v.got}{away}", "red"))
            lines.append(Text(f"        {v.kind}: {v.reason} ({v.where})" if v.reason else f"        {v.where}", "dim"))
        lines += [Text(f"      {line}") for line in _again(failed)]
    return lines


def add(app: typer.Typer) -> None:
    app.command()(check)
