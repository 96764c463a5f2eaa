# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon record` and `hypermon replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
    PlatformOption,
    PresetOption,
    RecordingArgument,
    ResultJsonOption,
    SetOption,
    command,
    output_folder,
    settings_of,
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
    chosen,
    warn_without_effect,
)


@command
def record(
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
    out: Annotated[
        Path | None, output_folder("--out", "-o", help="Run directory [default: runs/<scenario>-<hash>].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Run one scenario or your own MPI program, and record the nodes' events for replays with other hardware."""
    from hypermon._engine import progress, recorder, runner
    from hypermon._files import files
    from hypermon._model import worker
    from hypermon._model.result import Result
    from hypermon.cli import render

    scenario, given = chosen(targets, program, np, cflags, make, root, arguments, settings_of(settings))
    spec = scenario.on(platform).resolve(worker.schema(), given, preset or ())
    warn_without_effect(spec, given)
    folder = out or runner.default_folder(spec)
    files.keep(folder, *(targets or ()), platform)
    with progress.simulated_time(spec.scenario) as report:
        recorded = recorder.record_spec(spec, folder, report, force=force)
    if as_json:
        say(recorded.result_text, end="")
        return
    render.summary(Result(recorded.path.parent))
    say(f"recording {recorded.path}: {len(recorded)} bursts, {recorded.path.stat().st_size / 1e6:.1f} MB")


@command
def replay(
    recording: RecordingArgument,
    settings: SetOption = None,
    preset: PresetOption = None,
    as_json: ResultJsonOption = False,
    out: Annotated[Path | None, output_folder("--out", "-o", help="Also write a run directory.")] = None,
    force: ForceOption = False,
) -> None:
    """Replay a recorded run through other hardware. The result is that of a co-simulation."""
    from hypermon._engine import recording as recordings
    from hypermon._engine import replaying
    from hypermon.cli import render

    source = recordings.Recording(recording)
    spec = replaying.resolve(source, settings_of(settings), preset or (), where="--set")
    result = replaying.replay_spec(source, spec, out, force)
    if as_json:
        say(result.text, end="")
    else:
        render.summary(result)


def add(app: typer.Typer) -> None:
    app.command(cls=ProgramCommand)(record)
    app.command()(replay)
