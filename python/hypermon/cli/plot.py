# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon plot`: one subcommand for each figure, with the options of that figure alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from hypermon._model.monitors import PlotEntry
from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command, output_file, with_options

if TYPE_CHECKING:
    import pandas as pd

plotting = typer.Typer(help="A figure for a paper: SVG, PDF or PNG.", no_args_is_help=True)

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="The directory of a run.", autocompletion=complete.run)
]
RunsArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Directories of runs.", autocompletion=complete.run)
]
SourcesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUN_OR_SWEEP...", help="Directories of runs, or of one sweep.", autocompletion=complete.run
    ),
]
OutOption = Annotated[
    Path, output_file("--out", "-o", metavar="FILE", help="The figure: .svg, .pdf or .png; -: SVG on standard output.")
]
OutWithNumbersOption = Annotated[
    Path,
    output_file(
        "--out",
        "-o",
        metavar="FILE",
        help="The figure: .svg, .pdf or .png; -: SVG on standard output; .csv: its numbers.",
    ),
]


class Measure(StrEnum):
    exclusive = "exclusive"
    inclusive = "inclusive"


class Clock(StrEnum):
    stamped = "stamped"
    own = "global"
    true = "true"


class HasPictures(Protocol):
    def pictures(self) -> Mapping[str, PlotEntry]: ...


def add(app: typer.Typer) -> None:
    from hypermon._model import monitors

    plotting.registered_commands = plotting.registered_commands[:GENERAL]  # monitors' commands are added again
    for own in monitors.parts(HasPictures.pictures).values():
        for name, entry in own.items():
            plotting.command(name, help=entry.shows)(_command_of(name, entry))
    app.add_typer(plotting, name="plot")


@plotting.command()
@command
def loss(
    sources: SourcesArgument,
    out: OutOption,
    of: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The result to draw [default: the monitor's own losses].",
            autocompletion=complete.metric,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The parameter of the horizontal axis [default: the one that the monitor is sized by].",
            autocompletion=complete.parameter,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PATH", help="Draw one line for each value of this parameter.", autocompletion=complete.parameter
        ),
    ] = None,
) -> None:
    """Losses of a sweep's designs against one parameter."""
    from hypermon import pictures

    _save(sources, out, lambda: pictures.loss_against_depth(_table(sources), depth=against, loss=of, by=by))


@plotting.command()
@command
def slowdown(sources: SourcesArgument, out: OutOption) -> None:
    """Slowdown of each program under each monitor."""
    from hypermon import pictures

    _save(sources, out, lambda: pictures.slowdown(_table(sources)))


@plotting.command()
@command
def latency(sources: RunsArgument, out: OutOption) -> None:
    """Distribution of the time from event to delivery."""
    from hypermon import pictures

    _save(sources, out, lambda: pictures.latency(_runs(sources)))


@plotting.command()
@command
def bursts(source: RunArgument, out: OutOption) -> None:
    """Event data over time. Needs a run with bursts.keep_series."""
    from hypermon import pictures

    _save([source], out, lambda: pictures.bursts(*_runs([source])))


@dataclass(frozen=True)
class CounterOptions:
    """The options that choose counters and nodes."""

    counter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A counter, or NAME:ITEM (mpi.time:MPI_Bcast). Repeatable. [default: all that were sampled]",
            show_default=False,
        ),
    ] = None
    node: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="A node. Repeatable. [default: all]", show_default=False),
    ] = None
    together: Annotated[bool, typer.Option("--sum", help="Draw the sum over these nodes.")] = False
    clock: Annotated[
        Clock | None,
        typer.Option(help="The clock of the samples [default: global if the monitor has such a clock, else stamped]."),
    ] = None


@plotting.command()
@command
def counters(
    sources: RunsArgument,
    out: OutWithNumbersOption,
    chosen: CounterOptions,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="Another run, drawn with dashed lines for comparison.", autocompletion=complete.run
        ),
    ] = None,
) -> None:
    """Sampled counters over time. A counter that grows is drawn as its rate."""
    from hypermon.pictures import over_time

    def found() -> Any:
        return over_time.find_series(
            _runs(given), chosen.counter or (), nodes=chosen.node, clock=chosen.clock, together=chosen.together
        )

    given = [*sources, *([baseline] if baseline else [])]
    _save(given, out, lambda: over_time.draw(found()), lambda: over_time.table(found()))


@plotting.command()
@command
def phases(
    source: RunArgument,
    out: OutWithNumbersOption,
    routine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Routines to draw. Repeatable. [default: those that take the most time]",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        Measure, typer.Option(help="Time in a routine alone, or including the routines that it calls.")
    ] = Measure.exclusive,
) -> None:
    """Time in routines and bytes sent, between samples."""
    from hypermon._model import routines
    from hypermon.pictures import program_phases

    def found() -> tuple[Any, Any]:
        (run,) = _runs([source])
        return routines.growth(run, measure, routine or ()), routines.traffic(run)

    _save([source], out, lambda: program_phases.draw(*found()), lambda: program_phases.table(*found()))


GENERAL = len(plotting.registered_commands)


def _command_of(name: str, entry: PlotEntry) -> Callable[..., None]:
    """Returns the subcommand for a monitor's figure."""

    @command
    def draw(sources: SourcesArgument, out: OutOption, **options: str | None) -> None:
        from hypermon.pictures import plots

        given = plots.Sources(
            name, lambda: _runs(sources), lambda: _table(sources), options.get("by"), options.get("of")
        )
        _save(sources, out, lambda: plots.find(name).draw_sources(given))

    choices = {"by": (entry.by, complete.parameter), "of": (entry.of, complete.metric)}
    return with_options(
        draw,
        {
            word: Annotated[str | None, typer.Option(metavar="PATH", help=description, autocompletion=completed)]
            for word, (description, completed) in choices.items()
            if description
        },
    )


def _save(
    sources: list[Path], out: Path, figure: Callable[[], Any], table: Callable[[], pd.DataFrame] | None = None
) -> None:
    """Writes the figure, or its numbers if the file is a table."""
    from hypermon import pictures
    from hypermon._files import csvfile, files
    from hypermon.report.source import open_either, sensible

    files.keep(out, *sources)
    as_table = table is not None and out.suffix == ".csv"
    with sensible(*(open_either(source) for source in sources)):
        if table is not None and as_table:
            frame = table()
            with files.writing(out) as partial:
                csvfile.write_frame(frame, partial, float_format="%.9g")
        else:
            pictures.save(figure(), out)
    say(f"{'numbers' if as_table else 'picture'} {out}")


def _runs(sources: list[Path]) -> list[Any]:
    from hypermon.report.source import open_run

    return [open_run(source) for source in sources]


def _table(sources: list[Path]) -> pd.DataFrame:
    """Returns the points of a sweep, each with its constant parameters, or runs in the same form."""
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
