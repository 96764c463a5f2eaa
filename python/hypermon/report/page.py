# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run or a sweep, and the page of the run's time line beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from hypermon._files import files, outputs
from hypermon._model import monitors, worker
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.report import run_page, view
from hypermon.report.chart import Chart
from hypermon.report.facts import Run
from hypermon.report.rendering import place_of, render, write_text
from hypermon.report.source import open_either, open_run, sensible

if TYPE_CHECKING:
    from hypermon._engine.sweeping.dataset import Sweep
    from hypermon.timelines.tracks import TimeLine


def write(
    source: str | os.PathLike[str], out: str | os.PathLike[str], baseline: str | os.PathLike[str] | None = None
) -> None:
    """Writes the page of a run or a sweep atomically; see `html`.

    If the run's monitor recorded a time line, its page is written beside this one (`timeline_path`) and linked, unless
    the page goes to a device or a pipe.
    """
    place_of(out)  # checked before the page is made
    files.keep(Path(out), source, baseline)
    line = None if outputs.is_stream(Path(out)) else _time_line(Path(source))
    if line is None:
        write_text(html(source, baseline), out)
        return
    place = place_of(timeline_path(Path(out)))
    files.keep(place, source, baseline)
    from hypermon.report import timeline_page

    text = html(source, baseline, time_line=quote(place.name))
    timeline_page.write({"": line}, str(source), place)
    write_text(text, out)


def timeline_path(out: Path) -> Path:
    """Returns the path for the time line's page beside the page `out`."""
    return out.with_name(f"{out.stem}-timeline.html")


class HasTimeline(Protocol):
    def timeline(self) -> Callable[[Result], TimeLine | None] | None: ...


def _time_line(source: Path) -> TimeLine | None:
    """Returns the time line of the run's monitor. Loads `hypermon.timelines` only if there is one."""
    found = open_either(source)
    if not isinstance(found, Result):
        return None
    own = monitors.part(monitors.find(found["spec"]["monitor"]), HasTimeline.timeline)
    return own(found) if own is not None else None


def html(source: str | os.PathLike[str], baseline: str | os.PathLike[str] | None = None, *, time_line: str = "") -> str:
    """Returns the page of the run or sweep in the directory `source`.

    `baseline`: the run of the same program without a monitor, for the slowdown. `time_line`: the name of a page in the
    same folder to link to. Raises a UserError if a directory holds no run or sweep.
    """
    found = open_either(Path(source))
    if not isinstance(found, Result):
        if baseline is not None:
            raise UserError("--baseline: needs a run, not a sweep")
        with sensible(found):
            return _sweep(found)
    other = open_run(Path(baseline)) if baseline is not None else None
    with sensible(found, other):
        return _run(found, other, time_line)


def _run(result: Result, baseline: Result | None, time_line: str) -> str:
    if baseline is not None:
        _same_program(result, baseline)
    run = Run(result, view.find(str(result["spec"]["monitor"])).recorded(result), baseline)
    shown = run_page.context(run, result, worker.schema())
    drawn: list[Chart] = [
        c for c in (shown["ledger"], *shown["over_time"], shown["ranks"], shown["latency"]) if c is not None
    ]
    sections = [("question", "Result")] + [("pictures", "Pictures")] * bool(shown["pictures"])
    sections += [("limits", "Limits"), ("machine", "Machine")]
    sections += [("ledger", "Ledger")] * bool(shown["ledger"]) + [("time", "Over time")] * bool(shown["over_time"])
    sections += [("slowdown", "Cost")] + [("timing", "Timing")] * bool(shown["timing"])
    sections += [("trust", "Trust"), ("repeat", "Repeat")]
    charts = {chart.id: dict(chart.variants) for chart in drawn}
    shown |= {"unobserved": not run.is_observed, "time_line": time_line}
    return render("run.html", shown, sections, charts, ("page.js",))


def _same_program(result: Result, baseline: Result) -> None:
    if baseline["spec"]["monitor"] != "none":
        raise UserError(
            f"{baseline.path}: is not a baseline: its monitor is {baseline['spec']['monitor']}, must be none"
        )
    for key in ("workload", "nodes", "seed", result["spec"]["workload"]):
        if result["spec"][key] != baseline["spec"][key]:
            raise UserError(f"{baseline.path}: is not a baseline of {result.path}: {key} differs")


def _sweep(found: Sweep) -> str:
    from hypermon.report import sweep_page

    shown = sweep_page.context(found, worker.schema())
    some = bool(shown["metrics"])
    sections = [("question", "Sweep")] + [("explore", "Explore"), ("tradeoff", "Trade-off")] * some
    sections += [("points", "Points"), ("repeat", "Repeat")]
    return render("sweep.html", shown, sections, {}, ("page.js", "sweep.js"), shown["sweep"])
