# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon record` and `hypermon replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    AllOption,
    ForceOption,
    HardwareOptions,
    QuietOption,
    RecordingArgument,
    ResultJsonOption,
    command,
    output_folder,
)
from hypermon.cli.program import ProgramCommand, ProgramOptions, output_of_ranks, warn_without_effect


@command
def record(
    chosen: ProgramOptions,
    as_json: ResultJsonOption = False,
    every: AllOption = False,
    quiet: QuietOption = False,
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
    from hypermon.cli import summary

    scenario, given = chosen.scenario()
    spec = scenario.on(chosen.platform).resolve(worker.schema(), given, chosen.presets)
    warn_without_effect(spec, given)
    folder = out or runner.default_folder(spec)
    files.keep(folder, *chosen.named())
    output = output_of_ranks(spec, quiet, as_json)
    with progress.simulated_time(spec.scenario) as report:
        recorded = recorder.record_spec(spec, folder, report, force=force, output=output)
    if as_json:
        say(recorded.result_text, end="")
        return
    words = chosen.words("record")
    summary.print_run(Result(recorded.path.parent), question=scenario.question, spec=spec, command=words, every=every)
    say(f"recording {recorded.path}: {len(recorded)} bursts, {recorded.path.stat().st_size / 1e6:.1f} MB")


@command
def replay(
    recording: RecordingArgument,
    hardware: HardwareOptions,
    as_json: ResultJsonOption = False,
    every: AllOption = False,
    out: Annotated[Path | None, output_folder("--out", "-o", help="Also write a run directory.")] = None,
    force: ForceOption = False,
) -> None:
    """Replay a recorded run through other hardware. The result is that of a co-simulation."""
    from hypermon._engine import recording as recordings
    from hypermon._engine import replaying
    from hypermon.cli import summary

    source = recordings.Recording(recording)
    spec = replaying.resolve(source, hardware.values, hardware.presets, where="--set")
    result = replaying.replay_spec(source, spec, out, force)
    if as_json:
        say(result.text, end="")
    else:
        summary.print_run(result, spec=spec, every=every)


def add(app: typer.Typer) -> None:
    app.command(cls=ProgramCommand)(record)
    app.command()(replay)
