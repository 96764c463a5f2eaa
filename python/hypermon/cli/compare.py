# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon compare`: compares runs, or designs over programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command, output_file

if TYPE_CHECKING:
    from hypermon._comparing import Comparison, Row


def add(app: typer.Typer) -> None:
    app.command()(compare)


@command
def compare(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Run directories, or folders of `hypermon study coverage`, one per design.",
            autocompletion=complete.run,
        ),
    ],
    out: Annotated[
        Path | None,
        output_file(
            "--out",
            "-o",
            metavar="FILE",
            help="Also write a page (.html) or picture (.svg, .pdf, .png). -: a page on standard output.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show all numbers of the results that differ, not only the main ones.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Compare runs, or designs over a set of programs, and say which is better where."""
    from hypermon import _comparing as comparing
    from hypermon._files import files
    from hypermon.cli import render

    if out is not None:
        files.keep(out, *sources)
    found = comparing.compare(*sources)
    if out is not None:
        found.save(out)
    if as_json:
        say(json.dumps(found.to_dict(), indent=1))
        return
    parts: list[Any] = [*found.notes]
    if found.parameters:
        rows = [(row.path, row.unit, *map(row.cell, row.values)) for row in found.parameters]
        parts += ["", render.table(("parameter", "unit", *found.names), rows, range(2, 2 + len(found.names)))]
    else:
        parts.append("No parameter differs." if found.kind == "runs" else "No parameter of all programs differs.")
    parts += ["", _designs(found) if found.kind == "designs" else _runs(found, everything), "", found.summary()]
    if out is not None:
        parts.append(f"{'picture' if out.suffix in comparing.PICTURES else 'page'} {out}")
    render.show_all(*parts)


def _runs(found: Comparison, everything: bool) -> Any:
    """Returns a table of the main results and of all others that differ. For two runs, it has the differences."""
    from hypermon.cli import render

    two = len(found.names) == 2
    shown = [*found.results[: found.main], *(row for row in found.results[found.main :] if everything and row.differs)]
    rows = [
        (
            row.label,
            "" if row.unit == "%" else row.unit,
            *map(row.cell, row.values),
            *([row.difference(1)] if two else []),
            _best(row, found),
        )
        for row in shown
    ]
    columns = ("result", "unit", *found.names, *(["difference"] if two else []), "better")
    return render.table(columns, rows, range(2, len(columns) - 1))


def _best(row: Row, found: Comparison) -> str:
    return ", ".join(found.names[i] for i in row.best)


def _designs(found: Comparison) -> Any:
    """Returns a table with a row for each program: verdict, lost events and slowdown with each design."""
    from hypermon._comparing import designs
    from hypermon.cli import render

    shown = ("verdict", "lost_events_share", "slowdown")
    rows = []
    for (program, nodes), of in designs.programs(found).items():
        cells = [of[name].cell(of[name].values[i]) for i in range(len(found.names)) for name in shown]
        rows.append((program, nodes, *cells, ", ".join(found.names[i] for i in designs.best(of))))
    columns = ["program", "nodes", *(c for name in found.names for c in (name, "lost", "slowdown")), "better"]
    numbers = [1, *(2 + 3 * i + j for i in range(len(found.names)) for j in (1, 2))]
    return render.table(columns, rows, numbers)
