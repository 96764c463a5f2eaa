# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon hdtrace`: summarises and converts HDTrace projects, and corrects clocks in their headers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import ForceOption, command, output_any


def add(app: typer.Typer) -> None:
    """Adds the commands below the word `hdtrace`."""
    below = typer.Typer(no_args_is_help=True, help="Show, convert and correct HDTrace projects.")
    below.command()(info)
    below.command()(convert)
    below.command("fix-offsets")(fix_offsets)
    app.add_typer(below, name="hdtrace")


PROJECT = Annotated[
    Path,
    typer.Argument(help="HDTrace project (.proj), or the directory of a run with monitor hdtrace.", show_default=False),
]
JSON = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@command
def info(project: PROJECT, as_json: JSON = False) -> None:
    """Show the processes, layers and statistics of a project. All its files are read; a damaged one is an error."""
    from hypermon.monitors.hdtrace import projects

    found = projects.summary(projects.find(project))
    if as_json:
        import json

        say(json.dumps(found, indent=1))
        return
    from hypermon.cli import render

    head = f"{found['name']}: {found['processes']} processes, {found['states']} states, {found['span_s']:.6f} s"
    tracks = [(one["path"], one["states"], one["related"], f"{one['time_s']:.6f}") for one in found["tracks"]]
    statistics = [(one["path"], one["unit"], one["values"], f"{one['mean']:.4g}") for one in found["statistics"]]
    render.show_all(
        head,
        render.table(("track", "states", "with a cause", "time in s"), tracks, (1, 2, 3)),
        render.table(("statistic", "unit", "values", "mean"), statistics, (2, 3)),
    )


@command
def convert(
    project: PROJECT,
    out: Annotated[
        Path, output_any("--out", "-o", help="File or folder to write. -: standard output.", show_default=False)
    ],
    to: Annotated[
        str,
        typer.Option("--to", help="Format of the output. csv: all states. hdtrace: a project with corrected clocks."),
    ] = "csv",
    force: ForceOption = False,
) -> None:
    """Convert a project to another format."""
    from hypermon.monitors.hdtrace import projects

    projects.convert(projects.find(project), out, to, force)


@command
def fix_offsets(
    project: PROJECT,
    offset: Annotated[
        list[str],
        typer.Option(
            "--offset",
            "-o",
            help="Offset HOST=SECONDS that is added to the host's times. Repeatable.",
            show_default=False,
        ),
    ],
    as_json: JSON = False,
) -> None:
    """Correct clocks in the headers of a project's files. The recorded data stay unchanged."""
    from hypermon.monitors.hdtrace import projects

    changed = projects.fix_offsets(projects.find(project), offset)
    if as_json:
        import json

        rows: list[dict[str, Any]] = [{"file": str(path), "adjustment_s": value} for path, value in changed]
        say(json.dumps(rows, indent=1))
        return
    for path, value in changed:
        say(f"{path}: timeAdjustment = {value}")
