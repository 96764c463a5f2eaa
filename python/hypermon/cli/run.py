"""`hypermon run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hypermon.cli.common import PlatformOption, PresetOption, ResultJsonOption, SetOption, command, settings_of
from hypermon.cli.program import (
    ArgumentsOption,
    CflagsOption,
    MakeOption,
    NpOption,
    ProgramCommand,
    ProgramOption,
    TargetsArgument,
    chosen_or_none,
    warn_of_input,
)


@command
def run(
    targets: TargetsArgument = None,
    program: ProgramOption = None,
    np: NpOption = None,
    cflags: CflagsOption = None,
    make: MakeOption = None,
    arguments: ArgumentsOption = None,
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    as_json: ResultJsonOption = False,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A program script (`hypermon import`) instead of the scenario's program.",
            show_default=False,
        ),
    ] = None,
    script_out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write what the program did, as a program script.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Run directory [default: runs/<scenario>-<hash>].", show_default=False),
    ] = None,
    show_output: Annotated[
        str | None,
        typer.Option(metavar="[RANK]", help="Also print what the ranks, or that rank, wrote to standard output."),
    ] = None,
    wave_trigger: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="Also waves of the monitor hardware: around first-loss, loss:CAUSE, occupancy>FRAMES, rankN.send "
            "(or another event) or a time (1.2s).",
        ),
    ] = None,
    pre: Annotated[str | None, typer.Option(metavar="TIME", help="So long before it [default: 5ms].")] = None,
    post: Annotated[str | None, typer.Option(metavar="TIME", help="And so long after it [default: 1ms].")] = None,
    wave_window: Annotated[
        str | None, typer.Option(metavar="BEGIN..END", help="Waves from 1.2s..1.25s, instead of a trigger.")
    ] = None,
    wave_signals: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only these signals [default: all]. Repeatable.")
    ] = None,
    wave_view: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|YAML", help="What GTKWave shows: waves/views [default: overview].", show_default=False
        ),
    ] = None,
    wave_file: Annotated[
        Path | None, typer.Option(help="A .vcd or .fst [default: waves.vcd in the run directory].", show_default=False)
    ] = None,
) -> None:
    """Run one scenario or your own MPI program; print a summary and leave a run directory."""
    from hypermon._engine import progress, runner
    from hypermon._files import files
    from hypermon._model import units, worker
    from hypermon.errors import UserError, cut

    if script_out is not None and (wave_trigger or wave_window):
        raise UserError("--script-out and waves: only one of them")
    if show_output not in (None, "all") and units.whole(show_output) is None:
        raise UserError(f"--show-output {cut(show_output)}: must be a rank, or nothing for all")
    if as_json and show_output is not None:
        raise UserError("--json and --show-output: only one of them")
    scenario, given = chosen_or_none(targets, program, np, cflags, make, arguments, settings_of(settings))
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
    wanted = _wanted(wave_trigger, pre, post, wave_window, wave_signals, wave_view, wave_file)
    folder = out or runner.default_folder(spec)
    for target in filter(None, (folder, script_out, wave_file)):
        files.keep(target, *(targets or ()), platform, wave_view)
    say_more = None
    with progress.simulated_time(spec.scenario) as report:
        if wanted is None:
            result = runner.simulate(spec, folder, report, script=script_out)
        else:
            from hypermon._engine import waves

            result, say_more = waves.of(spec).of_run(spec, folder, report, **wanted)
    if as_json:
        sys.stdout.write(result.text)
    else:
        from hypermon.cli import render

        render.summary(result)
        if show_output is not None:
            sys.stdout.write(result.output(None if show_output == "all" else int(show_output)))
        if spec.values.get("workload") == "trace":
            from hypermon.cli.importing import show_lost_of

            show_lost_of(spec)
        if script_out is not None:
            from hypermon.cli.importing import show_script
            from hypermon.importing.script import Script

            show_script(Script.open(script_out))
        if say_more is not None:
            say_more()


def _wanted(
    trigger: str | None,
    pre: str | None,
    post: str | None,
    window: str | None,
    signals: list[str] | None,
    view: str | None,
    file: Path | None,
) -> dict[str, Any] | None:
    """What waves the options ask for; None: none."""
    from hypermon.errors import UserError

    around = {"--wave-trigger": trigger, "--pre": pre, "--post": post}
    if trigger is None and window is None:
        also = {"--pre": pre, "--post": post, "--wave-signals": signals, "--wave-view": view, "--wave-file": file}
        for option in (option for option, value in also.items() if value):
            raise UserError(f"{option}: says how waves are wanted; ask for them with --wave-trigger or --wave-window")
        return None
    if window is not None and any(around.values()):
        also_given = next(option for option, value in around.items() if value)
        raise UserError(f"--wave-window and {also_given}: only one of them")
    return {
        "at": trigger or "first-loss",
        "pre": pre or "5ms",
        "post": post or "1ms",
        "between": window,
        "only": tuple(signals or ()),
        "view": view or "overview",
        "path": file,
    }


def add(app: typer.Typer) -> None:
    app.command(cls=ProgramCommand)(run)
