# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon import`: converts recordings of other tools to inputs of runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hypermon._model import monitors
from hypermon._printing import say
from hypermon.cli import stream
from hypermon.cli.common import command, output_plain_file

if TYPE_CHECKING:
    from hypermon._model.spec import Spec
    from hypermon.importing.script import Script

importing = typer.Typer(help="Import a trace that was recorded elsewhere.", no_args_is_help=True)
stream.add(importing)
for monitor in monitors.registered().values():
    for add_own in monitor.imports().values():
        add_own(importing)

OutOption = Annotated[Path, output_plain_file("--out", "-o", metavar="FILE", help="File for the program script.")]


@importing.command()
@command
def ti(
    trace: Annotated[Path, typer.Argument(help="List of files, or the folder, that smpirun -trace-ti wrote.")],
    out: OutOption,
    flops_per_s: Annotated[
        float | None,
        typer.Option(
            help="Speed of the nodes, which converts flops to times. Without it, the speeds of an XML machine apply."
        ),
    ] = None,
) -> None:
    """Convert a SimGrid time-independent trace to a program script, for `hypermon run --trace`."""
    from hypermon.importing import ti as traces

    show_script(traces.read(trace, out, flops_per_s))


@importing.command()
@command
def otf2(
    archive: Annotated[Path, typer.Argument(help="Folder of the archive, or its anchor file (*.otf2).")],
    out: OutOption,
) -> None:
    """Convert an OTF2 archive of an MPI program to a program script, for `hypermon run --trace`."""
    from hypermon.importing import otf2 as archives

    show_script(archives.read(archive, out))


@importing.command()
@command
def hdtrace(
    project: Annotated[Path, typer.Argument(help="File of the project (*.proj), in the same folder as its traces.")],
    out: OutOption,
) -> None:
    """Convert an HDTrace project of an MPI program to a program script, for `hypermon run --trace`."""
    from hypermon.importing import hdtrace as projects

    show_script(projects.read(project, out))


def show_script(script: Script) -> None:
    """Prints a summary of the written script, and of the information that it lacks."""
    say(f"script {script.path}: {script.ranks} ranks, {script.actions} actions")
    show_lost(script)


def show_lost(script: Script) -> None:
    """Prints which actions of the original program the script does not represent."""
    if not script.not_represented:
        say("the script represents the whole original")
        return
    from hypermon.cli import render

    rows = [(lost.kind, lost.count, lost.first) for lost in script.not_represented]
    render.show_all(render.table(("not represented", "count", "first"), rows, (1,)))


def show_lost_of(spec: Spec) -> None:
    """Like `show_lost`, for a run that replays a script."""
    from hypermon.importing import replay

    show_lost(replay.script_of(spec))


def add(app: typer.Typer) -> None:
    app.add_typer(importing, name="import")
