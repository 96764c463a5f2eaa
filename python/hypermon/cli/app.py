# SPDX-License-Identifier: BSD-3-Clause
"""The whole command line: every command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from hypermon._model import monitors
from hypermon._printing import say
from hypermon.cli import (
    calibrate,
    check,
    compare,
    diagnose,
    events,
    explore,
    importing,
    judge,
    lists,
    plot,
    plugins,
    record,
    report,
    root,
    run,
    size,
    sweep,
    timeline,
    tradeoffs,
)
from hypermon.cli.common import command, folder_to_write, output_any

app = root.make_app()
run.add(app)
check.add(app)
lists.add(app)


@app.command(hidden=True)
@command
def docs(
    folder: Annotated[Path, typer.Argument(help="Folder of the reference pages.", callback=folder_to_write)] = Path(
        "docs/reference"
    ),
    classes: Annotated[Path, output_any(help="File of the parameter classes.")] = Path("python/hypermon/parameters.py"),
    force: Annotated[bool, typer.Option("--force", help="Also replace files that were not generated.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Only compare. The exit status is 1 if a file differs.")
    ] = False,
) -> None:
    """Generate the reference pages and the parameter classes."""
    from hypermon._model import worker
    from hypermon._reference import reference

    stale = reference.write(folder, classes, worker.schema(), verify, force)
    for page in stale:
        say(f"{page}: {'is out of date, run hypermon docs' if verify else 'written'}")
    raise typer.Exit(int(verify and bool(stale)))


parts: list[tuple[str, Callable[[typer.Typer], None]]] = [
    (module.__name__.rpartition(".")[2], module.add)
    for module in (
        calibrate,
        compare,
        diagnose,
        events,
        explore,
        importing,
        judge,
        plot,
        record,
        report,
        size,
        sweep,
        timeline,
        tradeoffs,
    )
]
of_monitors = {word: add for one in monitors.registered().values() for word, add in one.commands().items()}
for _, add in sorted([*parts, *of_monitors.items()], key=lambda part: part[0]):
    add(app)
plugins.add(app)
root.group(app, of_monitors)
