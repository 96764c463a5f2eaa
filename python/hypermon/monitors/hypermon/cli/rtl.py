# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon rtl`: a design's capture board as Verilog."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import ForceOption, ParameterOptions, command, output_folder


@dataclass(frozen=True)
class ExcerptOptions:
    """The options that choose the strobes of the test bench."""

    recording: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Recording whose strobes the test bench plays. [default: that of DESIGN; without a recording, "
            "hypermon makes strobes]",
            show_default=False,
            autocompletion=complete.recording,
        ),
    ] = None
    window: Annotated[
        str | None,
        typer.Option(
            metavar="BEGIN..END",
            help="Interval of the recording: 1.2s..1.25s. [default: around the first loss, or else from the beginning]",
            show_default=False,
        ),
    ] = None
    strobes: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Largest number of strobes, in whole bursts. [default: 5000 of a recording, 2000 without one]",
            show_default=False,
        ),
    ] = None
    board: Annotated[int, typer.Option(min=0, metavar="N", help="Capture board to write, counted from 0.")] = 0


@command
def rtl(
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN",
            help="A scenario's name or file, a run directory, a recording, or a file of `hypermon size --json`.",
            autocompletion=complete.scenario_or_recording,
        ),
    ],
    out: Annotated[Path, output_folder("--out", "-o", help="Folder for the Verilog, the test bench and its files.")],
    parameters: ParameterOptions,
    excerpt: ExcerptOptions,
    synthesize: Annotated[
        bool, typer.Option("--synthesize", help="Count look-up tables, flip-flops and block RAMs with Yosys.")
    ] = False,
    force: ForceOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON and nothing else.")] = False,
) -> None:
    """Write a design's board as Verilog, with a test bench.

    The test bench plays strobes of a recording under Icarus Verilog or Verilator. It compares the frames and losses
    with those of the functional model.
    """
    from hypermon.monitors.hypermon.rtl_project import project

    made = project.rtl(
        design,
        out,
        settings=parameters.values,
        presets=parameters.presets,
        platform=parameters.platform,
        recording=excerpt.recording,
        strobes=excerpt.strobes,
        window=excerpt.window,
        board=excerpt.board,
        synthesize=synthesize,
        force=force,
    )
    say(json.dumps(made.to_dict(), indent=1) if as_json else repr(made))


def add(app: typer.Typer) -> None:
    app.command()(rtl)
