# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon tau`: what is in TAU's profiles, of a run or of a real program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import command


def add(app: typer.Typer) -> None:
    """Adds TAU's commands as subcommands of one command."""
    below = typer.Typer(no_args_is_help=True, help="Show TAU's profiles.")
    below.callback()(_nothing)
    below.command()(pprof)
    app.add_typer(below, name="tau")


def _nothing() -> None:
    """Show TAU's profiles."""


@command
def pprof(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Directory of a run with TAU, or a folder with files profile.<node>.<context>.<thread>.",
            show_default=False,
        ),
    ],
    over: Annotated[str, typer.Option("--over", help="Reduction over all threads: mean or total.")] = "mean",
    sort: Annotated[
        str, typer.Option("--sort", help="Order of the rows: exclusive, inclusive, calls, subroutines or name.")
    ] = "exclusive",
    node: Annotated[int | None, typer.Option("--node", help="Show only this node (rank).", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Show routines and MPI functions as TAU's pprof does. All profiles are read; a damaged one is an error."""
    from hypermon.errors import UserError
    from hypermon.monitors.tau import summaries

    found = {thread: one for thread, one in summaries.read(folder).items() if node is None or thread[0] == node}
    if not found:
        raise UserError(f"--node {node}: {folder} has no profile of it")
    rows = summaries.rows(list(found.values()), over, sort)
    if as_json:
        import json

        say(json.dumps({"threads": len(found), "over": over, "routines": [one._asdict() for one in rows]}, indent=1))
        return
    from hypermon.cli import render

    head = f"{over} of {len(found)} thread{'s' * (len(found) != 1)}"
    columns = ("%time", "exclusive ms", "inclusive ms", "#call", "#subrs", "us/call", "name")
    cells = [
        (
            f"{100 * one.share:.1f}",
            f"{one.exclusive_us / 1e3:,.3f}",
            f"{one.inclusive_us / 1e3:,.3f}",
            f"{one.calls:,.6g}",
            f"{one.subroutines:,.6g}",
            f"{one.us_per_call:,.1f}",
            one.name,
        )
        for one in rows
    ]
    render.show_all(head, render.table(columns, cells, range(6)))
