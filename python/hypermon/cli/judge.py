# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon judge`: compares a monitor's data with the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command, output_file

if TYPE_CHECKING:
    from hypermon.judging import Judgement


LIVE = {"actual": "live", "p50": "live p50", "p99": "live p99"}
"""The latencies for which the table has columns, with their headings."""


def add(app: typer.Typer) -> None:
    app.command()(judge)


@command
def judge(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Directories of runs with recorded activity (`hypermon run --activity`).",
            autocompletion=complete.run,
        ),
    ],
    resolution: Annotated[
        str | None,
        typer.Option("--resolution", metavar="TIME", help="Compare averages over steps of this length (10ms, 1s)."),
    ] = None,
    node: Annotated[
        list[int] | None, typer.Option("--node", help="Show and draw only this node. Repeatable.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None,
        output_file(
            "--plot",
            metavar="FILE",
            help="Also draw the truth and the monitor's report of one run (.svg, .pdf, .png). -: SVG on "
            "standard output.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Compare a monitor's report of a run with the truth: how wrong and how late is it?"""
    from hypermon.errors import UserError
    from hypermon.judging import judge as judged

    if plot is not None and len(runs) > 1:
        raise UserError(f"--plot {plot}: draws one run, not {len(runs)}")
    step = 0.0 if resolution is None else _seconds(resolution)
    found = [(run, judged(run, resolution_s=step)) for run in runs]
    for run, one in found:
        for number in node or ():
            if not 0 <= number < len(one.nodes):
                raise UserError(f"--node {number}: {run} has nodes 0 to {len(one.nodes) - 1}")
    if plot is not None:
        _draw(found[0][1], node, runs, plot)
    if as_json:
        say(json.dumps([{"run": str(run), **one.to_dict()} for run, one in found], indent=1))
        return
    _show(found, node or [])
    if plot is not None:
        say(f"picture {plot}")


def _draw(one: Judgement, nodes: list[int] | None, runs: list[Path], plot: Path) -> None:
    from hypermon._files import files
    from hypermon.pictures import judged as picture
    from hypermon.pictures import save

    files.keep(plot, *runs)
    save(picture.draw(one, nodes), plot)


LEGEND = (
    "wrong: share of the nodes' time for which the picture shows the wrong ranks as computing.",
    "off: time by which the data misplace a second of computing, on average.",
    "holes: share of the nodes' time without data.",
    "live: wrong, for an analyst who watches the running program. p50, p99: if all data had that quantile's latency.",
    "guess: wrong, for an analyst who knows only the total computing time.",
    "computing: true share of the nodes' time in which ranks computed.",
)
"""The columns that `hypermon judge` prints."""


def _show(found: list[tuple[Path, Judgement]], nodes: list[int]) -> None:
    from hypermon._model.result import show
    from hypermon.cli import render

    rows = [
        (
            run.name or str(run),
            one.monitor,
            one.source,
            f"{one.error_percent:.3g}",
            show(one.error_s),
            f"{one.hole_percent:.3g}",
            *(_live(one, age) for age in LIVE),
            f"{one.guess_percent:.3g}",
            f"{one.computing_percent:.3g}",
        )
        for run, one in found
    ]
    columns = ("run", "monitor", "made of", "wrong %", "off s", "holes %", *LIVE.values(), "guess", "computing")
    tables = [render.table(columns, rows, range(3, len(columns)))]
    for run, one in found if nodes else ():
        of = [
            (n.node, show(n.section_s), f"{n.computing_percent:.3g}", f"{n.seen_percent:.3g}", f"{n.error_percent:.3g}",
             show(n.error_s), f"{n.hole_percent:.3g}")
            for n in one.nodes if n.node in nodes
        ]  # fmt: skip
        heads = ("node", "section s", "computing %", "seen %", "wrong %", "off s", "holes %")
        tables.append(render.table(heads, of, range(len(heads)), title=str(run)))
    notes = list(LEGEND)
    coarse = max(one.resolution_s for _, one in found)
    if coarse > 0:
        notes.append(f"Compared as means over steps of {show(coarse)} s.")
    render.show_all(*(_answer(run, one, len(found) > 1) for run, one in found), "", *tables, "", *notes)


def _answer(run: Path, one: Judgement, several: bool) -> str:
    summary = one.summary()
    return f"{run.name or run}: {summary}" if several else summary


def _seconds(text: str) -> float:
    from hypermon._model import units
    from hypermon.errors import UserError, cut

    try:
        found = units.parse(text, "s")
    except ValueError as error:
        raise UserError(f"--resolution {cut(text)}: {error}") from None
    if found is None or found < 0:
        raise UserError(f"--resolution {cut(text)}: must be a time of 0 or more, such as 10ms")
    return float(found)


def _live(one: Judgement, age: str) -> str:
    """Returns the table's cell for the error while the program runs."""
    live = one.live.get(age)
    return "" if live is None else f"{live.error_percent:.3g}"
