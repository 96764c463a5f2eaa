# SPDX-License-Identifier: BSD-3-Clause
"""The files of `hypermon study coverage`: a page, its table as CSV, and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon import __version__
from hypermon._comparing import designs
from hypermon._files import csvfile
from hypermon._model.schema import canonical, flat
from hypermon._model.words import count, percent
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon_studies import cell_tables, cells, figures
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.coverage.study import DISTURBS, LOSES, MISLEADS, Covered, Request
from hypermon_studies.markdown import table
from hypermon_studies.placing import Place

NAME = "coverage"
COLUMNS = (
    "program",
    "nodes",
    "events",
    "peak frames/s",
    "frames built",
    "frames lost",
    "lost events %",
    "aliasing",
    "peak frame FIFO",
    "timestamp error us",
    "slowdown %",
    "verdict",
    "limited by",
)
QUANTITIES = {  # for each number of `numbers`: its name in cells.csv, its unit, and a factor
    "events": ("events", "events", 1),
    "peak_frames_per_s": ("peak frames", "1/s", 1),
    "frames_built": ("frames built", "frames", 1),
    "frames_lost": ("frames lost", "frames", 1),
    "lost_events_share": ("lost events", "%", 100),
    "aliasing": ("aliasing", "nibbles", 1),
    "peak_frame_fifo": ("peak frame FIFO", "frames", 1),
    "timestamp_error_us": ("timestamp error", "us", 1),
    "slowdown": ("slowdown", "%", 100),
}
SHOWN = (0, 1, 6, 8, 10, 11, 12)  # columns of the table on a terminal


def rows(found: Sequence[Covered]) -> list[tuple[str, ...]]:
    """Rows of the table. Columns that a monitor does not have are empty, such as frames of the software monitor."""
    return [_row(numbers(covered)) for covered in found]


def numbers(c: Covered) -> dict[str, Any]:
    """Returns the numbers of a row for JSON and CSV. None: this monitor has no such number."""
    run = BoardRun.from_run(c.run)
    frames = run.monitor.get("frames", {})
    error = run.result["timestamp_error_us"]
    return {
        "program": c.program,
        "nodes": c.nodes,
        "events": run.result["events"],
        "peak_frames_per_s": round(run.fullest_per_s * len(run.boards)) if frames else None,
        "frames_built": frames.get("built"),
        "frames_lost": frames.get("lost"),
        "lost_events_share": round(c.lost_share, 6),
        "aliasing": run.monitor.get("aliasing"),
        "peak_frame_fifo": frames.get("peak_occupancy"),
        "timestamp_error_us": round(max(-error["min"], error["max"]), 3) if error else None,
        "slowdown": round(c.slowdown, 6),
        "verdict": c.verdict,
        "limited_by": c.limit,
    }


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    digits = {"lost_events_share": (100, 2), "slowdown": (100, 1), "timestamp_error_us": (1, 1)}
    cells = []
    for name, value in row.items():
        if name in digits and value is not None:
            factor, places = digits[name]
            cells.append(f"{factor * value:.{places}f}")
        else:
            cells.append("" if value is None else str(value))
    return tuple(cells)


def shown(line: Sequence[str]) -> tuple[str, ...]:
    """The cells of a row, or of COLUMNS, that fit on a terminal."""
    return tuple(line[i] for i in SHOWN)


def summary(found: Sequence[Covered]) -> str:
    """One line."""
    losing = [c for c in found if c.verdict == LOSES]
    slowest = max(found, key=lambda c: c.slowdown)
    slow = f"slowest: {slowest.program} on {slowest.nodes} nodes, {percent(slowest.slowdown)} longer"
    if not losing:
        return f"loses nothing in {len(found)} runs; {slow}"
    worst = max(losing, key=lambda c: c.lost_share)
    lost = f"worst: {worst.program} on {worst.nodes} nodes, {percent(worst.lost_share)} of its events"
    return f"loses in {len(losing)} of {len(found)} runs ({lost}); {slow}"


def answer(found: Sequence[Covered]) -> str:
    losing = [c for c in found if c.verdict == LOSES]
    slowest = max(found, key=lambda c: c.slowdown)
    lost = "The monitor loses no event"
    if losing:
        worst = max(losing, key=lambda c: c.lost_share)
        lost = (
            f"The monitor loses events in {len(losing)} of {len(found)} runs, at most {percent(worst.lost_share)} of a"
            f" run's ({worst.program} on {worst.nodes} nodes)"
        )
    return cell_tables.answer(
        f"{lost}, and it makes programs at most {percent(slowest.slowdown)} slower ({slowest.program} on"
        f" {slowest.nodes} nodes)."
    )


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, f"{NAME}.csv", force)


def write(out: Path, request: Request, found: Sequence[Covered], command: str, force: bool = False) -> None:
    """Writes coverage.md, and coverage.csv, .json (for hypermon compare), .svg and .png, each whole or not at all."""
    at = place(out, force)
    with at.data() as data:
        with (data / f"{NAME}.csv").open("w", newline="", encoding="utf-8") as file:
            values = [numbers(covered) for covered in found]
            csvfile.write_rows(file, [values[0].keys(), *(row.values() for row in values)])
        (data / cells.NAME).write_text(cells.text(Cells(_cells(values))), encoding="utf-8")
        design = {
            "command": command,
            "settings": {path: str(value) for path, value in request.settings.items()},
            "presets": list(request.presets),
            "platform": request.platform,
            "full": request.full,
            "versions": dict(found[0].run.result["versions"]),
        }
        specs = [canonical(flat(covered.run.spec)) for covered in found]
        (data / f"{NAME}.json").write_text(designs.to_text(values, design, specs), encoding="utf-8")
        _draw(data, found)
    at.page(_page(request, found, command))


def _cells(values: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yields the numbers of all rows, without those that a run lacks."""
    for row in values:
        case = f"{row['program']}, {row['nodes']} node{'s' * (row['nodes'] > 1)}"
        for name, (quantity, unit, factor) in QUANTITIES.items():
            if row[name] is not None:
                yield Cell(NAME, quantity, case, unit, factor * row[name])


def _page(request: Request, found: Sequence[Covered], command: str) -> str:
    losing = [c for c in found if c.verdict in (LOSES, MISLEADS)]
    advice = "\n".join(f"- **{c.program}, {c.nodes} nodes: {c.limit}.** {c.advice}" for c in losing)
    left_out = "".join(f"\nLeft out: {text}.\n" for text in request.left_out)
    return f"""# Is this monitor good enough?

Generated by `{command}`; do not edit.

{answer(found)}

This page shows the HYPERMON paper's four programs and the eight of `hypermon study collection` under one design of the
monitor. Data: [{NAME}.csv]({NAME}/{NAME}.csv), [cells.csv]({NAME}/cells.csv).

![Frames per second, lost events and slowdown of every program]({NAME}/{NAME}.svg)

{table(COLUMNS, rows(found), 1)}
{left_out}
- *peak frames/s* is the rate of frames that all boards together kept in the busiest hundredth of the run.
- *aliasing* counts data that were dropped because their node had already written in the same time window of the board.
- *peak frame FIFO* is the largest number of frames in the buffer of a board.
- *timestamp error* is the largest error of a timestamp, early or late.
- *slowdown* is relative to the same run without a monitor.
- *verdict* is **loses** if data that a node wrote did not arrive. It is **misleads** if timestamps contradict the order
  of events, or cannot be distinguished from each other. It is **disturbs** if the program takes more than
  {100 * DISTURBS:.0f} % longer, a limit that this study chose. Otherwise it is **good**.
- *limited by* is the first finding of `hypermon report` about the run.

## Where it loses or misleads, and why

{advice or "No run loses or misleads."}

Versions: hypermon {__version__}.
"""


def _draw(folder: Path, found: Sequence[Covered]) -> None:
    programs = list(dict.fromkeys(c.program for c in found))
    sizes = list(dict.fromkeys(c.nodes for c in found))
    height = 0.8 / len(sizes)
    frames = all("frames" in c.run.monitor for c in found)
    with figures.figure(10.0, 1.2 + 0.32 * len(programs), 3 if frames else 2) as (made, axes):
        panels = {
            "lost events, %": [100 * c.lost_share for c in found],
            "slowdown, %": [100 * c.slowdown for c in found],
        }
        if frames:
            panels = {
                "1000 frames/s kept at the peak, a board": [BoardRun.from_run(c.run).fullest_per_s / 1e3 for c in found]
            } | panels
        for i, (axis, (label, values)) in enumerate(zip(axes, panels.items(), strict=True)):
            for s, size in enumerate(sizes):
                mine = [(programs.index(c.program), v) for c, v in zip(found, values, strict=True) if c.nodes == size]
                places = [place + (s - (len(sizes) - 1) / 2) * height for place, _ in mine]
                axis.barh(places, [value for _, value in mine], height, label=f"{size} nodes")
            axis.set_yticks(range(len(programs)), programs if i == 0 else [""] * len(programs))
            axis.set(xlabel=label, ylim=(len(programs) - 0.4, -0.6), xlim=(0, None if any(values) else 1))
            axis.grid(False, axis="y")
        if frames:
            read = max(1e6 / BoardRun.from_run(c.run).service_ns for c in found if BoardRun.from_run(c.run).service_ns)
            axes[0].axvline(
                read, color="black", linewidth=0.8, linestyle="--", label=f"read at most: {count(1000 * read)}"
            )
        axes[-1].axvline(100 * DISTURBS, color="black", linewidth=0.8, linestyle=":")
        lines, names = axes[0].get_legend_handles_labels()
        axes[-1].legend(lines, names, fontsize=7, loc="lower right")
        figures.save(made, folder / f"{NAME}.svg")
        figures.save(made, folder / f"{NAME}.png")
