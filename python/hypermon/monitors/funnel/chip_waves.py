# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon chip-waves`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import HardwareOptions, RecordingArgument, command, output_plain_file


@command
def chip_waves(
    recording: RecordingArgument,
    hardware: HardwareOptions,
    at: Annotated[str, typer.Option(help="Trigger of the waves: first-loss, or a time with its unit.")] = "first-loss",
    pre: Annotated[str, typer.Option(help="Time before the trigger from which waves are written.")] = "1ms",
    post: Annotated[str, typer.Option(help="Time after the trigger until which waves are written.")] = "100us",
    window: Annotated[
        str | None,
        typer.Option(metavar="BEGIN..END", help="Interval of the waves, like 1.2s..1.25s, instead of a trigger."),
    ] = None,
    out: Annotated[
        Path | None,
        output_plain_file("--out", "-o", help="File to write, .vcd or .fst [default: waves.vcd beside the recording]."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write waves of a trace funnel's chips for GTKWave.

    The waves show which FIFOs are full, which source is served and what is lost.

    Exit status 0: waves were written, or those of the first loss were requested and nothing is lost.
    """
    from hypermon._engine.wave_files import NothingLostError, viewer_command
    from hypermon.monitors.funnel import waves

    try:
        written = waves.write(
            recording,
            out,
            hardware.values,
            presets=hardware.presets,
            at=at,
            pre=pre,
            post=post,
            between=window,
            force=force,
        )
    except NothingLostError as good:
        say(str(good))
        return
    changes = sum(written.transitions.values())
    say(f"waves {written.path}: {len(written.transitions)} signals, {changes} changes")
    say(viewer_command(written.path, written.view))


def add(app: typer.Typer) -> None:
    app.command("chip-waves")(chip_waves)
