# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon import stream`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    ForceOption,
    PresetOption,
    ResultJsonOption,
    SetOption,
    command,
    output_folder,
    settings_of,
)


class TimeUnit(StrEnum):
    """Of a stream's times."""

    ps = "ps"
    ns = "ns"
    us = "us"
    ms = "ms"
    s = "s"


@command
def stream(
    file: Annotated[
        Path, typer.Argument(help="File of events in order of time: .csv with a header, .parquet or .npy.")
    ],
    time_unit: Annotated[TimeUnit, typer.Option("--time-unit", help="Unit of the column time.")] = TimeUnit.ns,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=COLUMN,...",
            help="Names of the file's columns where they differ from time, node, datum or bytes.",
            show_default=False,
        ),
    ] = None,
    bytes_: Annotated[
        str | None,
        typer.Option(
            "--bytes",
            metavar="N|COLUMN",
            help="Size of every event in bytes, with made-up contents, or the column with the size or the contents.",
        ),
    ] = None,
    from_first: Annotated[
        bool, typer.Option("--from-first", help="Count times from the first event instead of from 0.")
    ] = False,
    settings: SetOption = None,
    preset: PresetOption = None,
    as_json: ResultJsonOption = False,
    out: Annotated[
        Path | None, output_folder("--out", "-o", help="Run directory [default: runs/stream-<name>-<hash>].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Send a plain stream of events to the hardware, which makes a recording without a program."""
    from hypermon._engine import progress, recorder, runner
    from hypermon._engine.streams import run as streams
    from hypermon._model.result import Result
    from hypermon.cli import render

    chosen: dict[str, object] = {"stream.time_unit": time_unit.value}
    if bytes_ is not None and bytes_.isascii() and bytes_.isdigit():
        chosen["stream.bytes"] = bytes_
    elif bytes_ is not None:
        columns = f"{columns},bytes={bytes_}" if columns else f"bytes={bytes_}"
    if columns is not None:
        chosen["stream.columns"] = columns
    if from_first:
        chosen["stream.begin"] = "first"
    spec = streams.resolve(file, chosen | settings_of(settings), preset or ())
    with progress.simulated_time(spec.scenario) as report:
        recorded = recorder.record_spec(spec, out or runner.default_folder(spec), report, force=force)
    if as_json:
        say(recorded.result_text, end="")
        return
    said = recorded.result["stream"]
    rows = [(name, said[name], meaning) for name, meaning in streams.MEANING.items()]
    render.show_all(render.table(("import", "value", "meaning"), rows, (1,)), "")
    render.summary(Result(recorded.path.parent))
    say(f"recording {recorded.path}: {len(recorded)} bursts, {recorded.path.stat().st_size / 1e6:.1f} MB")


def add(importing: typer.Typer) -> None:
    importing.command()(stream)
