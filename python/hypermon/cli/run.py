"""`hypermon run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hypermon.cli.common import PresetOption, ScenarioArgument, SetOption, command, settings_of


@command
def run(
    scenario: ScenarioArgument,
    settings: SetOption = None,
    preset: PresetOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Run directory [default: runs/<scenario>-<hash>].", show_default=False)
    ] = None,
) -> None:
    """Run one scenario; print a summary and leave a run directory."""
    from hypermon import runner, worker
    from hypermon import scenario as scenarios
    from hypermon.cli import progress

    spec = scenarios.find_one(scenario).resolve(worker.schema(), settings_of(settings), preset or ())
    with progress.simulated_time(spec.scenario) as report:
        result = runner.simulate(spec, out or runner.default_folder(spec), report)
    if as_json:
        sys.stdout.write(result.text)
    else:
        from hypermon.cli import render

        render.summary(result)


def add(app: typer.Typer) -> None:
    app.command()(run)
