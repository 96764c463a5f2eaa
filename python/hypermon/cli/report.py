"""Pictures for papers and pages for everyone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon.cli import complete
from hypermon.cli.common import command, with_options

if TYPE_CHECKING:
    import pandas as pd


GENERAL = ("loss", "slowdown", "bursts", "latency")
"""Pictures of all monitors' runs; monitors bring others."""


def add(app: typer.Typer) -> None:
    from hypermon._model import monitors

    app.command()(report)
    own = (kind for one in monitors.registered().values() for kind in one.pictures)
    kinds = StrEnum("Kind", [(kind, kind) for kind in (*GENERAL, *own)])  # type: ignore[misc]
    app.command()(with_options(plot, {}, {"kind": Annotated[kinds, typer.Argument(help="Which picture.")]}))


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
    kind: str,
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
        str | None,
        typer.Option(
            metavar="PATH",
            help="loss: which result [default: the monitor's own losses].",
            autocompletion=complete.metric,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="loss: which parameter [default: what the monitor is sized by].",
            autocompletion=complete.parameter,
        ),
    ] = None,
) -> None:
    """A picture for a paper."""
    from hypermon import pictures
    from hypermon.report.source import open_either, sensible

    opened = [open_either(source) for source in sources]
    with sensible(*opened):
        figure = _draw(kind, sources, by, of, against)
    pictures.save(figure, out)
    typer.echo(f"picture {out}")


def _draw(kind: str, sources: list[Path], by: str | None, of: str | None, against: str | None) -> Any:
    from hypermon import pictures
    from hypermon.pictures import plots

    given = plots.Sources(kind, lambda: _runs(sources), lambda: _table(sources), by)
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
