# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon report`: a page of a run or a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command, output_file


def add(app: typer.Typer) -> None:
    app.command()(report)


@command
def report(
    source: Annotated[
        Path, typer.Argument(metavar="RUN_OR_SWEEP", help="Directory of a run or a sweep.", autocompletion=complete.run)
    ],
    out: Annotated[
        Path, output_file("--out", "-o", metavar="FILE.html", help="File for the page. -: standard output.")
    ] = Path("report.html"),
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Run of the same program without a monitor, from which the slowdown is computed.",
            autocompletion=complete.run,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write one offline page about a run or a sweep: results, losses, and what limits the design."""
    from hypermon import report as pages

    pages.write(source, out, baseline)
    say(f"page {out}")
    if show:
        typer.launch(str(out))
