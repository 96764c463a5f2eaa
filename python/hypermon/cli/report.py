"""Pictures for papers and pages for everyone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon.cli import complete
from hypermon.cli.common import command

if TYPE_CHECKING:
    import pandas as pd


class Kind(StrEnum):
    loss = "loss"
    frontier = "frontier"
    occupancy = "occupancy"
    merging = "merging"
    slowdown = "slowdown"
    rates = "rates"
    bursts = "bursts"
    latency = "latency"


def add(app: typer.Typer) -> None:
    app.command()(report)
    app.command()(plot)


@command
def report(
    source: Annotated[
        Path, typer.Argument(metavar="RUN_OR_SWEEP", help="Directory of a run or a sweep.", autocompletion=complete.run)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.html", help="The page.")] = Path("report.html"),
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="The same without monitor: gives a run's slowdown.", autocompletion=complete.run
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """One page of a run or a sweep: results, losses, what limits the design. Works offline."""
    from hypermon import report as pages

    pages.write(source, out, baseline)
    typer.echo(f"page {out}")
    if show:
        typer.launch(str(out))


@command
def plot(
    kind: Annotated[Kind, typer.Argument(help="Which picture.")],
    sources: Annotated[
        list[Path], typer.Argument(metavar="RUN_OR_SWEEP...", help="Runs, or one sweep.", autocompletion=complete.run)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The picture: .svg, .pdf or .png.")],
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="loss, merging: a line for each value of this parameter.",
            autocompletion=complete.parameter,
        ),
    ] = None,
    of: Annotated[
        str, typer.Option(metavar="PATH", help="loss: which result.", autocompletion=complete.metric)
    ] = "monitor.frames.lost",
    against: Annotated[
        str, typer.Option(metavar="PATH", help="loss: which parameter.", autocompletion=complete.parameter)
    ] = "ecb.frame_fifo_frames",
) -> None:
    """A picture for a paper."""
    from hypermon import pictures
    from hypermon.report.source import open_either, sensible

    opened = [open_either(source) for source in sources]
    with sensible(*opened):
        figure = _draw(kind, sources, by, of, against)
    pictures.save(figure, out)
    typer.echo(f"picture {out}")


def _draw(kind: Kind, sources: list[Path], by: str | None, of: str, against: str) -> Any:
    from hypermon import pictures

    if kind is Kind.loss:
        return pictures.loss_against_depth(_table(sources), depth=against, loss=of, by=by)
    if kind is Kind.merging:
        return pictures.merging(_table(sources), by=by)
    if kind is Kind.slowdown:
        return pictures.slowdown(_table(sources))
    runs = _runs(sources)
    if kind is Kind.rates:
        return pictures.rates(runs)
    if kind is Kind.latency:
        return pictures.latency(runs)
    if kind is Kind.bursts:
        return pictures.bursts(_one(runs, kind))
    run = _one(runs, kind)
    if kind is Kind.frontier:
        return pictures.frontier(_recorded(run, "frontier").frontier)
    found = _recorded(run, "timeline")
    return pictures.occupancy(found.timeline, found.histogram, depth=run["spec"]["ecb"]["frame_fifo_frames"])


def _one(runs: list[Any], kind: Kind) -> Any:
    from hypermon.errors import UserError

    if len(runs) != 1:
        raise UserError(f"{kind}: is of one run, {len(runs)} were given")
    return runs[0]


def _recorded(run: Any, kind: str) -> Any:
    from hypermon.errors import UserError
    from hypermon.report import view

    found = view.of(str(run["spec"]["monitor"])).recorded(run)
    if found is None:
        raise UserError(f"{run.path}: has no recording; make one with hypermon record")
    if getattr(found, kind) is None:
        raise UserError(f"{run.path}: there is no {kind} of hardware whose losses depend on more than the frames")
    return found


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
