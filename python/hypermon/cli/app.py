"""The whole command line: every command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hypermon.cli import (
    calibrate,
    capture,
    check,
    compare,
    events,
    frontier,
    importing,
    lists,
    plugins,
    record,
    report,
    root,
    run,
    size,
    sweep,
    timeline,
    waves,
)
from hypermon.cli.common import command

app = root.made()
run.add(app)
check.add(app)
lists.add(app)


@app.command()
@command
def frames(
    files: Annotated[list[Path], typer.Argument(help="Frame files, one of each board.", show_default=False)],
    events: Annotated[bool, typer.Option("--events", help="The events, merged by time, instead of a summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the events as CSV.")] = False,
) -> None:
    """What is in files of event frames. A damaged one: what comes before the damage, and exit status 1."""
    from hypermon.errors import UserError

    if as_csv and as_json:
        raise UserError("--csv and --json: only one of them")
    damage = _merged_events(files, as_json, as_csv) if events or as_csv else _summaries(files, as_json)
    if damage is not None:
        raise damage


def _merged_events(files: list[Path], as_json: bool, as_csv: bool) -> Exception | None:
    from hypermon.monitors.hypermon import frames as frame_files

    columns = frame_files.COLUMNS
    damage: frame_files.FrameFileError[frame_files.Decoded] | None = None
    try:
        decoded = frame_files.merge(files)
    except frame_files.FrameFileError as error:
        damage, decoded = error, error.before
    rows = frame_files.rows(decoded)
    if as_csv:
        import csv

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    elif as_json:
        import json

        typer.echo(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=1))
    else:
        from hypermon.cli import render

        numbers = (i for i, name in enumerate(columns) if name != "type")
        render.show_all(render.table(columns, rows, numbers))
    return damage


def _summaries(files: list[Path], as_json: bool) -> Exception | None:
    from hypermon.monitors.hypermon import frames as frame_files

    summaries = []
    first_damage: Exception | None = None
    for file in files:
        decoded, damage = frame_files.intact(frame_files.decode, file)
        summaries.append(frame_files.summary(frame_files.intact(frame_files.read, file)[0], decoded))
        first_damage = first_damage or damage
    if as_json:
        import json

        typer.echo(json.dumps(summaries[0] if len(files) == 1 else summaries, indent=1))
    else:
        from hypermon.cli import render

        for summary in summaries:
            render.frames(summary)
    return first_damage


@app.command(hidden=True)
@command
def docs(
    folder: Annotated[Path, typer.Argument(help="Where the reference pages go.")] = Path("docs/reference"),
    classes: Annotated[Path, typer.Option(help="Where the parameter classes go.")] = Path(
        "python/hypermon/parameters.py"
    ),
    verify: Annotated[bool, typer.Option("--verify", help="Only compare; exit status 1 if a file differs.")] = False,
) -> None:
    """Generate the reference pages and the parameter classes."""
    from hypermon._model import worker
    from hypermon._reference import reference

    stale = reference.write(folder, classes, worker.schema(), verify)
    for page in stale:
        typer.echo(f"{page}: {'is out of date, run hypermon docs' if verify else 'written'}")
    raise typer.Exit(int(verify and bool(stale)))


for part in (calibrate, capture, compare, events, frontier, importing, record, report, size, sweep, timeline, waves):
    part.add(app)
plugins.add(app)
