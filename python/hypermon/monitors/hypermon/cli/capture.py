# SPDX-License-Identifier: BSD-3-Clause
"""hypermon capture: the board alone on a file of strobes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import PresetOption, SetOption, command, output_file, settings_of


def add(app: typer.Typer) -> None:
    app.command()(command(capture))


def capture(
    file: Annotated[
        Path,
        typer.Argument(
            help="File of strobes with the columns time_ns (ascending), node and datum: .csv "
            "with a header, .parquet or .npy."
        ),
    ],
    settings: SetOption = None,
    preset: PresetOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON and nothing else.")] = False,
    frames: Annotated[
        Path | None,
        output_file(
            help="File for the frames that are read: .npy, .parquet or .csv. -: CSV on standard output.",
            metavar="OUT",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Send strobes from a file through the capture board.

    There is no machine and no program.
    """
    from hypermon._files import files
    from hypermon._files.columns import place
    from hypermon.errors import UserError
    from hypermon.monitors.hypermon import capturing, strobe_files

    design = capturing.designed((capturing.PROTOTYPE, *(preset or ())), settings_of(settings), "--set")
    if frames is not None:
        strobe_files.check_frames_path(frames)
        files.keep(frames, file)
    board = capturing.InPieces(design, frames is not None)
    with strobe_files.frames_written(frames) if frames is not None else contextlib.nullcontext() as write:
        for strobes in strobe_files.pieces(file):
            try:
                board.add(*strobes)
            except capturing.StrobeError as error:
                raise UserError(error.message, place(file, error.index)) from None
            if write is not None:
                write(board.frames())
        captured = board.finish()
        if write is not None:
            write(board.frames())
    if as_json:
        import json

        say(json.dumps(captured.to_dict(), indent=1))
        return
    from hypermon.cli import render

    counts = captured.to_dict()
    rows = [
        (name, "none" if counts[name] is None else counts[name], meaning) for name, meaning in capturing.COUNTS.items()
    ]
    render.show_all(render.table(("count", "value", "meaning"), rows, (1,)))
    if frames is not None:
        render.show_all(f"\nframes {frames}")
