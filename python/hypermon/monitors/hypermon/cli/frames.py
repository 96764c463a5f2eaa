# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon frames`."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import command, echo_rows

SHOWN = 100_000  # (chosen) most events in the printed table


def add(app: typer.Typer) -> None:
    app.command()(frames)


@command
def frames(
    files: Annotated[list[Path], typer.Argument(help="Frame files, one per board.", show_default=False)],
    events: Annotated[
        bool, typer.Option("--events", help="Print the events, merged by time, instead of a summary.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the events as CSV.")] = False,
) -> None:
    """Show the contents of files of event frames.

    A damaged file is shown up to the damage, and the exit status is 1.
    """
    from hypermon.errors import UserError

    if as_csv and as_json:
        raise UserError("--csv and --json: only one of them")
    damage = _merged_events(files, as_json, as_csv) if events or as_csv else _summaries(files, as_json)
    if damage is not None:
        raise damage


def _merged_events(files: list[Path], as_json: bool, as_csv: bool) -> Exception | None:
    from hypermon.monitors.hypermon import frames as frame_files

    columns = frame_files.COLUMNS
    merged = frame_files.Merged(files)
    rows = (row for events in merged.pieces() for row in frame_files.rows(events, merged.names))
    if as_csv:
        from hypermon._files import csvfile

        csvfile.write_rows(sys.stdout, itertools.chain([columns], rows))
    elif as_json:
        echo_rows(dict(zip(columns, row, strict=True)) for row in rows)
    else:
        from hypermon.cli import render

        numbers = (i for i, name in enumerate(columns) if name != "type")
        shown = list(itertools.islice(rows, SHOWN))
        left = sum(1 for _ in rows)
        more = [f"... {left} more events; --csv and --json print all"] if left else []
        render.show_all(render.table(columns, shown, numbers), *more)
    return None if merged.damage is None else frame_files.FrameFileError(*merged.damage, None)


def _summaries(files: list[Path], as_json: bool) -> Exception | None:
    from hypermon.monitors.hypermon import frames as frame_files

    summaries, damages = zip(*map(frame_files.summary, files), strict=True)
    if as_json:
        import json

        say(json.dumps(summaries[0] if len(files) == 1 else summaries, indent=1))
    else:
        for summary in summaries:
            _show(summary)
    return next((damage for damage in damages if damage is not None), None)


def _show(summary: dict[str, Any]) -> None:
    """Prints a frame file for a reader."""
    from hypermon.cli import render

    form = summary["format"]
    stamps = "on request" if form["on_request"] else "in every frame"
    lines = [
        f"board {form['board']}: {form['inputs']} inputs from node {form['first_node']} on, "
        f"{form['width_bits']}-bit ports{', 32-bit words' if form['accumulate_bits'] else ''}, "
        f"{form['timestamp_bits']}-bit timestamps {stamps}, windows of {form['window_ns']} ns",
        f"frames  {summary['frames']}",
    ]
    if summary["frames"]:
        lines.append(f"span    {summary['first_ns'] / 1e9:.6f} s to {summary['last_ns'] / 1e9:.6f} s")
    lines.append(f"merged  {100 * summary['merged_share']:.2f} % of the data")
    lines.append(f"damaged {summary['damaged_nibbles']} nibbles belong to no whole event")
    counts = sorted(summary["events"].items())
    render.show_all(*lines, render.table(("events", "count"), [*counts, ("all", sum(n for _, n in counts))], (1,)))
