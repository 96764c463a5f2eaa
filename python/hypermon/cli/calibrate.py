# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon.cli.common import ForceOption, command, output_file
from hypermon.cli.program import ProgramCommand, ProgramOptions


@command
def calibrate(
    output: Annotated[
        Path,
        output_file("--output", "-o", help="File for the calibration (JSON). -: standard output.", show_default=False),
    ],
    chosen: ProgramOptions,
    force: ForceOption = False,
) -> None:
    """Measure the CPU time of your own MPI program's code on this host, for later runs."""
    from hypermon._engine import calibrating
    from hypermon._files import files
    from hypermon.cli import render

    scenario, given = chosen.scenario()
    files.keep(output, *chosen.named())
    made = calibrating.measure(scenario.on(chosen.platform), given, chosen.presets, output, "--set", force)
    rows = [
        (r["from_place"], r["to_place"], r["count"], f"{r['mean_ns'] / 1e3:.3f}", f"{r['spread_ns'] / 1e3:.3f}")
        for r in made.regions
    ]
    render.show_all(
        render.table(("from", "to", "passes", "mean us", "spread us"), rows, (2, 3, 4)), f"\ncalibration {made.path}"
    )


def add(app: typer.Typer) -> None:
    app.command(cls=ProgramCommand)(calibrate)
