"""`hypermon import`: what was recorded elsewhere, made into what a run takes."""

from __future__ import annotations

import typer

from hypermon.cli import importing_stream

importing = typer.Typer(help="Bring a trace that was recorded elsewhere.", no_args_is_help=True)
importing_stream.add(importing)


def add(app: typer.Typer) -> None:
    app.add_typer(importing, name="import")
