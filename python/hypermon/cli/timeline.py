"""`hypermon truth`, the decoded trace against the truth, and `hypermon timeline`, both on one time axis."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon.cli import complete
from hypermon.cli.common import PresetOption, SetOption, command, settings_of

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.timelines import Truth

RecordingArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="A run directory made by `hypermon record`, or its recording.",
        autocompletion=complete.recording,
    ),
]


class Format(StrEnum):
    perfetto = "perfetto"
    csv = "csv"
    otf2 = "otf2"


class Table(StrEnum):
    summary = "summary"
    events = "events"
    violations = "violations"


@command
def truth(
    run: RecordingArgument,
    settings: SetOption = None,
    preset: PresetOption = None,
    table: Annotated[
        Table,
        typer.Option(
            help="summary: errors of both kinds of timestamps by node. events: every event with its timestamps, or"
            " where it was lost. violations: messages received before they were sent."
        ),
    ] = Table.summary,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """How far are the monitor's timestamps from the truth, and how far would software's be?

    For every event of a recording, seen through the recorded hardware or other (--set). Software's timestamps are
    those of the node's own drifting clock. Times are in ps where their name says so.
    """
    from hypermon.errors import UserError

    if as_csv and as_json:
        raise UserError("--csv and --json: choose one")
    found = _truth(run, settings, preset)
    if table is Table.summary and not as_csv and not as_json:
        _show(found)
        return
    chosen = {Table.summary: _summary, Table.events: _events, Table.violations: _violations}[table](found)
    if as_json:
        rows = chosen.astype(object).where(chosen.notna(), None).to_dict("records")
        typer.echo(json.dumps(rows, indent=1))
    else:
        chosen.to_csv(sys.stdout, index=False, lineterminator="\n")


@command
def timeline(
    run: RecordingArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file; for otf2 a folder.")],
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="perfetto: for the Perfetto viewer. csv: every event with its timestamps, or where it was lost."
            " otf2: the program alone, as an archive for otf2-print, Vampir, Scalasca.",
        ),
    ] = Format.perfetto,
    window: Annotated[
        str | None, typer.Option(metavar="BEGIN..END", help="Only this stretch of true time: 1.2s..1.25s.")
    ] = None,
    settings: SetOption = None,
    preset: PresetOption = None,
) -> None:
    """The program's states and messages, the monitor's view of them, its losses and levels, on one time axis.

    Of a recording, seen through the recorded hardware or other (--set).
    """
    from hypermon import timelines

    within = None if window is None else timelines.Window.parse(window)
    found = _truth(run, settings, preset)
    timelines.write(found, out, form, within)
    shown = found.within(within)
    lost = int(shown["lost_cause"].notna().sum())
    files = [out] if out.is_file() else [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    typer.echo(f"time line {out}: {len(shown)} events, {lost} lost, {size / 1e6:.1f} MB")


def _truth(run: Path, settings: list[str] | None, preset: list[str] | None) -> Truth:
    from hypermon._engine import replays
    from hypermon.timelines.truth import of_spec

    source = replays.opened(run)
    return of_spec(source, replays.by(source).resolve(source, settings_of(settings), preset or (), where="--set"))


def _summary(found: Truth) -> pd.DataFrame:
    return found.summary().reset_index()


def _events(found: Truth) -> pd.DataFrame:
    return found.events


def _violations(found: Truth) -> pd.DataFrame:
    return found.violations()


def _show(found: Truth) -> None:
    from hypermon.cli import render

    summary = found.summary()

    def row(node: str, line: Any, clock: str) -> list[object]:
        errors = [f"{line[f'{clock}_{which}_us']:.3f}" for which in ("min", "mean", "max")]
        return [node, clock, *errors, int(line[f"{clock}_violations"])]

    rows = [row(str(node), line, clock) for node, line in summary.iterrows() for clock in ("monitor", "software")]
    events, delivered, lost = summary.loc["all", ["events", "delivered", "lost"]].astype(int)
    render.show_all(
        f"{events} events, {delivered} delivered, {lost} lost; {len(found.messages)} messages",
        render.table(("node", "timestamps of", "min error us", "mean", "max", "order violations"), rows, (2, 3, 4, 5)),
    )


def add(app: typer.Typer) -> None:
    app.command()(truth)
    app.command()(timeline)
