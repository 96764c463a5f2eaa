# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon events`: event catalogues, and the points that they choose from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command


@command
def events(
    catalogue: Annotated[
        str,
        typer.Argument(
            help="Name of an event catalogue (nx2, mpi, user), or YAML file.", autocompletion=complete.catalogue
        ),
    ] = "nx2",
    points: Annotated[
        bool,
        typer.Option("--points", help="List the points at which an event can be emitted, and the data that each has."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the events of a catalogue and their codes."""
    import json

    from hypermon._model import catalogues
    from hypermon.cli import render

    shown: Any
    if points:
        shown = catalogues.points()
        tables: tuple[Any, ...] = (render.points(shown),)
    else:
        rows = catalogues.events(catalogues.resolve("CATALOGUE", catalogue, ""))
        shown = [row._asdict() for row in rows]
        tables = (render.events(rows), f"\n{catalogues.quality(rows)}")
    if as_json:
        say(json.dumps(shown, indent=1))
    else:
        render.show_all(*tables)


def add(app: typer.Typer) -> None:
    app.command()(events)
