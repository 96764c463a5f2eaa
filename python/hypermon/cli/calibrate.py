# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon.cli.common import (
    ForceOption,
    PlatformOption,
    PresetOption,
    SetOption,
    command,
    output_file,
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
)


@command
def calibrate(
    output: Annotated[
        Path,
        output_file("--output", "-o", help="File for the calibration (JSON). -: standard output.", show_default=False),
    ],
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
    force: ForceOption = False,
) -> None:
    """Measure the CPU time of your own MPI program's code on this host, for later runs."""
    from hypermon._engine import calibrating
    from hypermon._files import files
    from hypermon.cli import render

    scenario, given = chosen(targets, program, np, cflags, make, root, arguments, settings_of(settings))
    files.keep(output, *(targets or ()), *(program or ()), platform)
    made = calibrating.measure(scenario.on(platform), given, preset or (), output, "--set", force)
    rows = [
        (r["from_place"], r["to_place"], r["count"], f"{r['mean_ns'] / 1e3:.3f}", f"{r['spread_ns'] / 1e3:.3f}")
        for r in made.regions
    ]
    render.show_all(
        render.table(("from", "to", "passes", "mean us", "spread us"), rows, (2, 3, 4)), f"\ncalibration {made.path}"
    )


def add(app: typer.Typer) -> None:
    app.command(cls=ProgramCommand)(calibrate)
