# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon import stream`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import AllOption, ForceOption, HardwareOptions, ResultJsonOption, command, output_folder


class TimeUnit(StrEnum):
    """The unit of a stream's times."""

    ps = "ps"
    ns = "ns"
    us = "us"
    ms = "ms"
    s = "s"


@dataclass(frozen=True)
class EventOptions:
    """The options for reading the events of the file."""

    time_unit: Annotated[TimeUnit, typer.Option("--time-unit", help="Unit of the column time.")] = TimeUnit.ns
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=COLUMN,...",
            help="Names of the file's columns where they differ from time, node, datum or bytes.",
            show_default=False,
        ),
    ] = None
    bytes_: Annotated[
        str | None,
        typer.Option(
            "--bytes",
            metavar="N|COLUMN",
            help="Size of every event in bytes, or the column with the sizes or the contents. Contents are made up if "
            "the file has only sizes.",
        ),
    ] = None
    from_first: Annotated[
        bool, typer.Option("--from-first", help="Count times from the first event instead of from 0.")
    ] = False

    def settings(self) -> dict[str, object]:
        """The parameters that the options set."""
        chosen: dict[str, object] = {"stream.time_unit": self.time_unit.value}
        columns, size = self.columns, self.bytes_
        if size is not None and size.isascii() and size.isdigit():
            chosen["stream.bytes"] = size
        elif size is not None:
            columns = f"{columns},bytes={size}" if columns else f"bytes={size}"
        if columns is not None:
            chosen["stream.columns"] = columns
        if self.from_first:
            chosen["stream.begin"] = "first"
        return chosen


@command
def stream(
    file: Annotated[
        Path, typer.Argument(help="File of events in order of time: .csv with a header, .parquet or .npy.")
    ],
    events: EventOptions,
    hardware: HardwareOptions,
    as_json: ResultJsonOption = False,
    every: AllOption = False,
    out: Annotated[
        Path | None, output_folder("--out", "-o", help="Run directory [default: runs/stream-<name>-<hash>].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Send a stream of events to the hardware and record it. No program runs."""
    from hypermon._engine import progress, recorder, runner
    from hypermon._engine.streams import run as streams
    from hypermon._model.result import Result
    from hypermon.cli import render, summary

    spec = streams.resolve(file, events.settings() | hardware.values, hardware.presets)
    with progress.simulated_time(spec.scenario) as report:
        recorded = recorder.record_spec(spec, out or runner.default_folder(spec), report, force=force)
    if as_json:
        say(recorded.result_text, end="")
        return
    counts = recorded.result["stream"]
    rows = [(name, counts[name], meaning) for name, meaning in streams.MEANING.items()]
    render.show_all(render.table(("import", "value", "meaning"), rows, (1,)), "")
    summary.print_run(Result(recorded.path.parent), spec=spec, every=every)
    say(f"recording {recorded.path}: {len(recorded)} bursts, {recorded.path.stat().st_size / 1e6:.1f} MB")


def add(importing: typer.Typer) -> None:
    importing.command()(stream)
