# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon truth`, the decoded trace against the truth, and `hypermon timeline`, both on one time axis."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import ForceOption, HardwareOptions, command, echo_rows, output_any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from hypermon.timelines import Truth, Window

RecordingArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="Run directory made by `hypermon record`, or its recording.",
        autocompletion=complete.recording,
    ),
]


class Format(StrEnum):
    html = "html"
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
    hardware: HardwareOptions,
    table: Annotated[
        Table,
        typer.Option(
            help="Table to print. summary: errors of both kinds of timestamps by node. events: every event "
            "with its timestamps, or its place of loss. violations: messages received before they were "
            "sent."
        ),
    ] = Table.summary,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """How far are the monitor's timestamps from the truth, and how far would software timestamps be?

    The command compares each event of a recording with its delivery by the recorded hardware or by other hardware
    (--set). Software's timestamps are those of the node's own drifting clock. Columns whose names
    end in _ps are in picoseconds.
    """
    from hypermon.errors import UserError

    if as_csv and as_json:
        raise UserError("--csv and --json: choose one")
    found = _truth(run, hardware)
    if table is Table.summary and not as_csv and not as_json:
        _show(found)
        return
    pieces = {Table.summary: _summary, Table.events: _events, Table.violations: _violations}[table](found)
    if as_json:
        echo_rows(row for piece in pieces for row in _records(piece))
    else:
        from hypermon._files import csvfile

        for number, piece in enumerate(pieces):
            csvfile.write_frame(piece, sys.stdout, header=number == 0)


@dataclass(frozen=True)
class OutOptions:
    """The options for the output."""

    out: Annotated[Path, output_any("--out", "-o", help="File to write; a folder for otf2. -: standard output.")] = (
        Path("timeline.html")
    )
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Format of the output. html: an interactive offline page. perfetto: a file for the "
            "Perfetto viewer. csv: every event of a recording with its timestamps or its place of "
            "loss; every state of another run. otf2: an archive for otf2-print and other tools that "
            "read OTF2. [default: by the suffix of --out: .html, .csv, else perfetto; csv for standard "
            "output, a device or a pipe]",
            show_default=False,
        ),
    ] = None
    force: ForceOption = False

    def chosen(self) -> Format:
        """Returns the format, which by default follows from the file's suffix."""
        from hypermon._files import outputs

        by_suffix = {".html": Format.html, ".csv": Format.csv, ".pftrace": Format.perfetto}
        return self.form or by_suffix.get(outputs.suffix(self.out, by_suffix, ".csv"), Format.perfetto)


@command
def timeline(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN|PROJECT...",
            help="A run directory, a recording, or an HDTrace project (.proj, or its folder); several are shown"
            " beside each other.",
            autocompletion=complete.run,
        ),
    ],
    output: OutOptions,
    hardware: HardwareOptions,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="BEGIN..END", help="Show only this interval of true time: 1.2s..1.25s, 1.2s.. or ..1.25s."
        ),
    ] = None,
    align: Annotated[
        bool, typer.Option(help="Shift several runs so that they begin together. A box on the page does the same.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary of the written file as JSON.")] = False,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Show a run's states, relations and statistics on one time axis, as a page or a file for other tools.

    A recording gives the program's states and messages, the monitor's view of them, its losses and its FIFO levels,
    with the recorded hardware or with other hardware (--set). A run without a recording gives its monitor's records
    or samples.
    """
    from hypermon import timelines
    from hypermon._files import outputs
    from hypermon.timelines.files import require

    out, chosen = output.out, output.chosen()
    require(out, chosen, output.force)
    within = None if window is None else timelines.Window.parse(window)
    alone = _recorded(runs, hardware)
    if alone is not None and chosen is not Format.html:
        timelines.write(alone, out, chosen, within, output.force)
        shown, lost = alone.counted(within)
        counts: dict[str, object] = {"events": shown, "lost": lost}
    else:
        counts = _write_tracks(runs, alone, output, within, align)
    size = None if outputs.is_stream(out) else _bytes(out)
    if as_json:
        say(json.dumps({"out": str(out), "format": str(chosen), **counts, "bytes": size}, indent=1))
    else:
        what = ", ".join(f"{number} {name}" for name, number in counts.items())
        say(f"time line {out}: {what}" + ("" if size is None else f", {size / 1e6:.1f} MB"))
    if show and chosen is Format.html:
        typer.launch(str(out))


def _bytes(out: Path) -> int:
    files = [out] if out.is_file() else [path for path in out.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files)


def _recorded(runs: list[Path], hardware: HardwareOptions) -> Truth | None:
    """Returns the recording, if exactly one was given."""
    from hypermon.errors import UserError
    from hypermon.timelines import sources

    if len(runs) == 1 and sources.is_recorded(runs[0]):
        return _truth(runs[0], hardware)
    if hardware.settings or hardware.preset:
        raise UserError(
            "--set, --preset: need a single recording (hypermon record), which is replayed with other hardware"
        )
    return None


def _write_tracks(
    runs: list[Path], alone: Truth | None, output: OutOptions, window: Window | None, align: bool
) -> dict[str, object]:
    """Writes time lines, and prints their size."""
    from hypermon import timelines
    from hypermon._engine import progress
    from hypermon._files import files
    from hypermon.report import timeline_page
    from hypermon.timelines import from_truth, joining, sources

    out, form = output.out, output.chosen()
    files.keep(out, *runs, *(sources.project(run) for run in runs))
    if alone is not None:
        lines = {"": timelines.cut(from_truth.tracks(alone), window)}
    else:
        found = [timelines.timeline(run, window) for run in runs]
        if len(runs) > 1:  # the names of the runs replace the roots of their trees
            found = [joining.without_root(line) for line in found]
        lines = dict(zip(_names(runs), found, strict=True))
    if form is Format.html:
        title = " and ".join(lines) if len(lines) > 1 else str(runs[0])
        with progress.bar("time line", sum(len(line.states) + len(line.statistics) for line in lines.values())) as done:
            timeline_page.write(lines, title, out, align=align, progress=done)
    else:
        line = timelines.combine(lines, align=align) if len(lines) > 1 else next(iter(lines.values()))
        timelines.write_tracks(line, out, form, output.force)
    return {
        "states": sum(len(one.begin_ps) for line in lines.values() for one in line.states),
        "tracks": sum(len(line.states) for line in lines.values()),
        "statistics": sum(len(line.statistics) for line in lines.values()),
    }


def _names(runs: list[Path]) -> list[str]:
    """Returns distinct names of the runs: the shortest ends of their paths that differ."""
    if len(runs) == 1:
        return [""]
    for parts in range(1, 1 + max(len(run.parts) for run in runs)):
        names = ["/".join(run.with_suffix("" if run.suffix == ".proj" else run.suffix).parts[-parts:]) for run in runs]
        if len(set(names)) == len(names):
            return names
    return [f"{run} ({number})" for number, run in enumerate(runs, start=1)]


def _truth(run: Path, hardware: HardwareOptions) -> Truth:
    from hypermon.timelines import sources

    return sources.truth_of(run, hardware.values, hardware.presets)


def _summary(found: Truth) -> Iterator[pd.DataFrame]:
    yield found.summary().reset_index()


def _events(found: Truth) -> Iterator[pd.DataFrame]:
    return found.pieces()


def _violations(found: Truth) -> Iterator[pd.DataFrame]:
    return found.message_pieces(violations=True)


def _records(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Returns the rows, with None for missing values."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


def _show(found: Truth) -> None:
    from hypermon.cli import render

    summary, messages = found.overview()

    def row(node: str, line: Any, clock: str) -> list[object]:
        errors = [f"{line[f'{clock}_{which}_us']:.3f}" for which in ("min", "mean", "max")]
        return [node, clock, *errors, int(line[f"{clock}_violations"])]

    rows = [row(str(node), line, clock) for node, line in summary.iterrows() for clock in ("monitor", "software")]
    events, delivered, lost = summary.loc["all", ["events", "delivered", "lost"]].astype(int)
    render.show_all(
        f"{events} events, {delivered} delivered, {lost} lost; {messages} messages",
        render.table(("node", "timestamps of", "min error us", "mean", "max", "order violations"), rows, (2, 3, 4, 5)),
    )


def add(app: typer.Typer) -> None:
    app.command()(truth)
    app.command()(timeline)
