# SPDX-License-Identifier: BSD-3-Clause
"""Pictures for papers and pages for everyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command, output_file, with_options
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


COUNTERS = "counters"
PHASES = "phases"
GENERAL = ("loss", "slowdown", "bursts", "latency", COUNTERS, PHASES)
"""Pictures of all monitors' runs; monitors bring others."""


class Measure(StrEnum):
    exclusive = "exclusive"
    inclusive = "inclusive"


class Clock(StrEnum):
    stamped = "stamped"
    own = "global"
    true = "true"


class HasPictures(Protocol):
    def pictures(self) -> Mapping[str, object]:
        """Their names, without `hypermon.pictures`: every command line lists them."""


def add(app: typer.Typer) -> None:
    from hypermon._model import monitors

    app.command()(report)
    own = (kind for pictures in monitors.parts(HasPictures.pictures).values() for kind in pictures)
    kinds = StrEnum("Kind", [(kind, kind) for kind in (*GENERAL, *own)])  # type: ignore[misc]
    app.command()(with_options(plot, {}, {"kind": Annotated[kinds, typer.Argument(help="Kind of picture.")]}))


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


@command
def plot(
    kind: str,
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN_OR_SWEEP...",
            help="Run directories, or the directory of one sweep.",
            autocompletion=complete.run,
        ),
    ],
    out: Annotated[
        Path,
        output_file(
            "--out",
            "-o",
            metavar="FILE",
            help="File for the picture: .svg, .pdf or .png. -: SVG on standard output. With counters "
            "and phases also .csv, its numbers.",
        ),
    ],
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Parameter with one line per value in loss and merging; quantity shown by colours in tree.",
            autocompletion=complete.parameter,
        ),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Result that loss shows [default: the monitor's own losses]; quantity shown by widths in tree.",
            autocompletion=complete.metric,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Parameter on the axis of loss [default: the one by which the monitor is sized].",
            autocompletion=complete.parameter,
        ),
    ] = None,
    counter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Counter that counters shows, or NAME:ITEM (mpi.time:MPI_Bcast) [default: all sampled "
            "ones]. Repeatable.",
        ),
    ] = None,
    node: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Node that counters shows [default: all]. Repeatable.")
    ] = None,
    together: Annotated[bool, typer.Option("--sum", help="Show the sum over the nodes in counters.")] = False,
    clock: Annotated[
        Clock | None,
        typer.Option(help="Clock of the time axis of counters [default: global if the monitor has one, else stamped]."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="Run that counters draws with dashed lines for comparison.", autocompletion=complete.run
        ),
    ] = None,
    routine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN", help="Routine that phases shows [default: the ones with the most time]. Repeatable."
        ),
    ] = None,
    measure: Annotated[
        Measure | None,
        typer.Option(
            help="Time that phases shows: of a routine alone, or with the routines that it calls [default: exclusive]."
        ),
    ] = None,
) -> None:
    """Draw a picture for a paper."""
    from hypermon import pictures
    from hypermon._files import files
    from hypermon.report.source import open_either, sensible

    given = [*sources, *([baseline] if baseline else [])]
    files.keep(out, *given)
    opened = [open_either(source) for source in given]
    if kind == COUNTERS:
        with sensible(*opened):
            _counters(_runs(given), out, counter or (), node, clock, together)
        return
    if counter or node or together or clock or baseline:
        raise UserError(f"{kind}: --counter, --node, --sum, --clock and --baseline are of `hypermon plot counters`")
    if kind == PHASES:
        with sensible(*opened):
            _phases(_runs(given), out, measure or Measure.exclusive, routine or ())
        return
    if routine or measure:
        raise UserError(f"{kind}: --routine and --measure are of `hypermon plot phases`")
    with sensible(*opened):
        figure = _draw(kind, sources, by, of, against)
    pictures.save(figure, out)
    say(f"picture {out}")


def _counters(
    runs: list[Any], out: Path, names: Sequence[str], nodes: list[int] | None, clock: str | None, together: bool
) -> None:
    """The picture, or with the suffix .csv its numbers."""
    from hypermon.pictures import over_time

    found = over_time.found(runs, names, nodes=nodes, clock=clock, together=together)
    _write(out, lambda: over_time.table(found), lambda: over_time.draw(found))


def _phases(runs: list[Any], out: Path, measure: str, names: Sequence[str]) -> None:
    """The same."""
    from hypermon._model import routines
    from hypermon.pictures import program_phases

    if len(runs) != 1:
        raise UserError(f"{PHASES}: is of one run, {len(runs)} were given")
    grown, sent = routines.growth(runs[0], measure, names), routines.traffic(runs[0])
    _write(out, lambda: program_phases.table(grown, sent), lambda: program_phases.draw(grown, sent))


def _write(out: Path, table: Callable[[], pd.DataFrame], figure: Callable[[], Any]) -> None:
    from hypermon import pictures
    from hypermon._files import csvfile, files

    if out.suffix == ".csv":
        with files.writing(out) as partial:
            csvfile.write_frame(table(), partial, float_format="%.9g")
    else:
        pictures.save(figure(), out)
    say(f"{'numbers' if out.suffix == '.csv' else 'picture'} {out}")


def _draw(kind: str, sources: list[Path], by: str | None, of: str | None, against: str | None) -> Any:
    from hypermon import pictures
    from hypermon.pictures import plots

    given = plots.Sources(kind, lambda: _runs(sources), lambda: _table(sources), by, of)
    match kind:
        case "loss":
            return pictures.loss_against_depth(given.table(), depth=against, loss=of, by=by)
        case "slowdown":
            return pictures.slowdown(given.table())
        case "latency":
            return pictures.latency(given.runs())
        case "bursts":
            return pictures.bursts(given.one())
    return plots.find(kind).of(given)


def _runs(sources: list[Path]) -> list[Any]:
    from hypermon.report.source import open_run

    return [open_run(source) for source in sources]


def _table(sources: list[Path]) -> pd.DataFrame:
    """A sweep's points, each with what the sweep did not vary; or the runs as such points."""
    import pandas as pd

    from hypermon._engine.sweeping.dataset import Sweep
    from hypermon._model.schema import flat
    from hypermon.pictures import tables
    from hypermon.report.source import open_either

    first = open_either(sources[0])
    if isinstance(first, Sweep) and len(sources) == 1:
        frame = first.to_pandas()
        base = {path: value for path, value in flat(first.manifest["base"]).items() if path not in frame}
        return pd.concat([frame, pd.DataFrame(base, index=frame.index)], axis=1)
    return tables.of_runs(_runs(sources))
