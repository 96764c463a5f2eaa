# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
    PlatformOption,
    PresetOption,
    ResultJsonOption,
    SetOption,
    command,
    output_folder,
    output_plain_file,
    settings_of,
    with_options,
)
from hypermon.cli.program import (
    ArgumentsOption,
    CflagsOption,
    MakeOption,
    NpOption,
    ProgramCommand,
    ProgramOption,
    RootOption,
    TargetsArgument,
    chosen_or_none,
    warn_of_input,
    warn_without_effect,
)

if TYPE_CHECKING:
    from hypermon._engine.extras import Extras, Wanted


@command
def run(
    targets: TargetsArgument = None,
    program: ProgramOption = None,
    np: NpOption = None,
    cflags: CflagsOption = None,
    make: MakeOption = None,
    root: RootOption = None,
    arguments: ArgumentsOption = None,
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    as_json: ResultJsonOption = False,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run a program script (see `hypermon import`) instead of the scenario's program.",
            show_default=False,
        ),
    ] = None,
    script_out: Annotated[
        Path | None,
        output_plain_file(
            metavar="FILE", help="Also write the program's calls as a program script.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        output_folder("--out", "-o", help="Run directory [default: runs/<scenario>-<hash>].", show_default=False),
    ] = None,
    force: ForceOption = False,
    show_output: Annotated[
        str | None,
        typer.Option(metavar="[RANK]", help="Also print the standard output of all ranks, or of one rank."),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show samples of counters as they arrive: a table, or lines for a pipe.")
    ] = False,
    with_activity: Annotated[
        bool,
        typer.Option("--activity", help="Also record when the ranks truly computed, as `hypermon judge` needs."),
    ] = False,
    **of_monitors: Any,
) -> None:
    """Run one scenario or your own MPI program; print a summary and leave a run directory."""
    from hypermon._engine import progress, runner
    from hypermon._files import files
    from hypermon._model import activity, worker
    from hypermon.errors import UserError, cut

    asked = _asked(of_monitors)
    if script_out is not None and asked:
        raise UserError(f"--script-out and {asked[0].WHAT}: only one of them")
    if show_output not in (None, "all"):
        from hypermon._model import units

        if units.whole(show_output) is None:
            raise UserError(f"--show-output {cut(show_output)}: must be a rank, or nothing for all")
    if as_json and show_output is not None:
        raise UserError("--json and --show-output: only one of them")
    if with_activity and asked:
        raise UserError(f"--activity and {asked[0].WHAT}: only one of them")
    if watch and (as_json or asked):
        raise UserError(f"--watch and {asked[0].WHAT if asked else '--json'}: only one of them")
    scenario, given = chosen_or_none(targets, program, np, cflags, make, root, arguments, settings_of(settings))
    if trace is not None:
        from hypermon.importing import replay

        if program:
            raise UserError("--program and --trace: only one of them")
        spec = replay.specify(trace, scenario, given, preset or (), platform=platform)
    elif scenario is not None:
        spec = scenario.on(platform).resolve(worker.schema(), given, preset or ())
    else:
        raise UserError("nothing to run: name a SCENARIO (see `hypermon scenarios`), or give a --program or a --trace")
    warn_of_input(spec.values)
    warn_without_effect(spec, given)
    folder = out or runner.default_folder(spec)
    for target in filter(None, (folder, script_out)):
        files.keep(target, *(targets or ()), platform)
    say_more = None
    pieces = activity.PIECES if with_activity else 0
    if watch:
        from hypermon.cli import watch as watching

        with watching.samples(spec.scenario) as show:
            result = runner.simulate(spec, folder, script=script_out, watch=show, activity=pieces, force=force)
    else:
        with progress.simulated_time(spec.scenario) as report:
            if asked is None:
                result = runner.simulate(spec, folder, report, script=script_out, activity=pieces, force=force)
            else:
                extra, wanted = asked
                result, say_more = extra.run(spec, folder, report, wanted, force)
    if as_json:
        say(result.text, end="")
    else:
        from hypermon.cli import render

        render.summary(result)
        if show_output is not None:
            say(result.output(None if show_output == "all" else int(show_output)), end="")
        if spec.values.get("workload") == "trace":
            from hypermon.cli.importing import show_lost_of

            show_lost_of(spec)
        if script_out is not None:
            from hypermon.cli.importing import show_script
            from hypermon.importing.script import Script

            show_script(Script.open(script_out))
        if say_more is not None:
            say_more()


def _asked(options: dict[str, Any]) -> tuple[Extras, Wanted] | None:
    """What the monitors' own options ask for, and whose they are."""
    from hypermon._engine import extras

    for extra in extras.every():
        wanted = extra.wanted(**{name: options[name] for name in extra.OPTIONS})
        if wanted is not None:
            return extra, wanted
    return None


def add(app: typer.Typer) -> None:
    from hypermon._engine import extras

    own = {name: of for extra in extras.every() for name, of in extra.OPTIONS.items()}
    app.command(cls=ProgramCommand)(with_options(run, own))
