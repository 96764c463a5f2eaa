# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon frontier`: how deep the frame FIFO must be for every speed of the bus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import PlatformOption, PresetOption, SetOption, command, output_file, settings_of
from hypermon.cli.size import SourceArgument, source_of


def add(app: typer.Typer) -> None:
    app.command()(frontier)


@command
def frontier(
    source: SourceArgument,
    word_ns: Annotated[
        str,
        typer.Option(metavar="VALUES", help="Times of one bus word in ns: 222,500 or 200:2000:50 or 200:2000:log20."),
    ] = "200:2000:log20",
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    out: Annotated[
        Path | None,
        output_file(
            "--out",
            "-o",
            help="Also draw the frontier: a .svg, .pdf or .png file. -: SVG on standard output.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Find the least FIFO depth for each bandwidth of the drain.

    One pass over a recording gives the least depth without loss for every bandwidth.

    The least depth is exact for an ideal reader. For another reader, a further column has the depth for that
    reader. The table also has the load, and the upper bound that network calculus gives for the recording. If more
    frames arrive on average than the reader can take, no depth suffices in the long run.
    """
    from hypermon._engine.recording import Recording
    from hypermon.monitors.hypermon import frontiers

    chosen = source_of(source)
    points = frontiers.points(
        chosen if isinstance(chosen, str) else Recording(chosen.path),
        word_ns,
        settings_of(settings),
        preset or (),
        platform,
        "--set",
        "--word-ns",
    )
    if out is not None:
        from hypermon.monitors.hypermon.pictures.frontier import frontier as drawn
        from hypermon.pictures import save

        save(drawn(points), out)
    if as_json:
        say(json.dumps(points, indent=1))
        return
    _show(points)
    if out is not None:
        say(f"picture {out}")


def _show(points: Mapping[str, list[Any]]) -> None:
    """Prints the points as a table. A reader that is not ideal has a column of its own."""
    from hypermon.cli import render

    own = points["reader_depth"] != points["least_depth"]  # the reader in use is not ideal
    columns = (
        "word ns",
        "bus MB/s",
        "least depth",
        *(["this reader"] if own else []),
        "bound",
        "load",
        "in the long run",
    )
    rows = [
        (
            p["word_ns"],
            f"{p['bandwidth_bytes_per_s'] / 1e6:.2f}",
            p["least_depth"],
            *([p["reader_depth"]] if own else []),
            p["bound"],
            *_long_run(p),
        )
        for p in (dict(zip(points, values, strict=True)) for values in zip(*points.values(), strict=True))
    ]
    render.show_all(render.table(columns, rows, range(len(columns) - 1)))


def _long_run(point: Mapping[str, Any]) -> tuple[str, str]:
    return f"{100 * point['load']:.4g} %", "" if point["lasts"] else "no depth is enough"
