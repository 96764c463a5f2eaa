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
    from hypermon._comparing import Comparison


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
    """Compare runs, or designs over a set of programs, and say in which results each is better."""
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
    parts: list[Any] = [found.summary(), "", *found.notes]
    if found.parameters:
        rows = [(row.path, *map(row.cell, row.values)) for row in found.parameters]
        parts += ["", render.table(("parameter", *found.names), rows, range(1, 1 + len(found.names)))]
    else:
        parts.append("No parameter differs." if found.kind == "runs" else "No parameter of all programs differs.")
    parts += ["", *([_designs(found)] if found.kind == "designs" else _runs(found, everything))]
    if out is not None:
        parts.append("")
        parts.append(f"{'picture' if out.suffix in comparing.PICTURES else 'page'} {out}")
    render.show_all(*parts)


def _runs(found: Comparison, everything: bool) -> list[Any]:
    """Returns a table of the results that differ, by group, and a sentence that names the main ones that do not."""
    from hypermon._comparing import tables
    from hypermon.cli import render

    main = found.results[: found.main]
    shown = [row for row in main if not row.is_equal]
    if everything:
        shown += [row for row in found.results[found.main :] if row.differs]
    rows = [(group, *tables.cells(found, row)) for group, row in tables.with_groups(shown)]
    columns = ("", *tables.columns(found))
    parts: list[Any] = [render.table(columns, rows, range(2, len(columns) - 1))] if rows else []
    return [*parts, *([equal] if (equal := tables.equal(main)) else [])]


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
