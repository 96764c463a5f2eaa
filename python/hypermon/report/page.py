# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run or a sweep; beside it that of the run's time line."""

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
    """Writes the page of a run or a sweep, whole or not at all; see `html`.

    Of a run whose monitor recorded a time line also the page of that, beside it (`beside`), with a link to it; not if
    the page goes to a device or a pipe.
    """
    place_of(out)  # before the work that a page is
    files.keep(Path(out), source, baseline)
    line = None if outputs.is_stream(Path(out)) else _time_line(Path(source))
    if line is None:
        write_text(html(source, baseline), out)
        return
    place = place_of(beside(Path(out)))
    files.keep(place, source, baseline)
    from hypermon.report import timeline_page

    text = html(source, baseline, time_line=quote(place.name))
    timeline_page.write({"": line}, str(source), place)
    write_text(text, out)


def beside(out: Path) -> Path:
    """Where the time line of the page `out` goes."""
    return out.with_name(f"{out.stem}-timeline.html")


class HasTimeline(Protocol):
    def timeline(self) -> Callable[[Result], TimeLine | None] | None: ...


def _time_line(source: Path) -> TimeLine | None:
    """Without `hypermon.timelines`, which only few monitors' runs need."""
    found = open_either(source)
    if not isinstance(found, Result):
        return None
    own = monitors.part(monitors.of(found["spec"]["monitor"]), HasTimeline.timeline)
    return own(found) if own is not None else None


def html(source: str | os.PathLike[str], baseline: str | os.PathLike[str] | None = None, *, time_line: str = "") -> str:
    """The page of the run or sweep in the directory `source`.

    `baseline`: the run of the same program without monitor, for the slowdown of a run. `time_line`: the name of a page
    beside this one to link to. UserError if a directory is not what it should be.
    """
    found = open_either(Path(source))
    if not isinstance(found, Result):
        if baseline is not None:
            raise UserError("--baseline: goes with a run, not with a sweep")
        with sensible(found):
            return _sweep(found)
    other = open_run(Path(baseline)) if baseline is not None else None
    with sensible(found, other):
        return _run(found, other, time_line)


def _run(result: Result, baseline: Result | None, time_line: str) -> str:
    if baseline is not None:
        _same_program(result, baseline)
    run = Run(result, view.of(str(result["spec"]["monitor"])).recorded(result), baseline)
    shown = run_page.context(run, result, worker.schema())
    drawn: list[Chart] = [
        c for c in (shown["ledger"], *shown["over_time"], shown["ranks"], shown["latency"]) if c is not None
    ]
    sections = [("question", "Result"), ("limits", "Limits"), ("machine", "Machine")]
    sections += [("ledger", "Ledger")] * bool(shown["ledger"]) + [("time", "Over time")] * bool(shown["over_time"])
    sections += [("slowdown", "Cost")] + [("timing", "Timing")] * bool(shown["timing"])
    sections += [("trust", "Trust"), ("repeat", "Repeat")]
    charts = {chart.id: dict(chart.variants) for chart in drawn}
    shown |= {"unobserved": not run.is_observed, "time_line": time_line}
    return render("run.html", shown, sections, charts, ("page.js",))


def _same_program(result: Result, baseline: Result) -> None:
    if baseline["spec"]["monitor"] != "none":
        raise UserError(f"{baseline.path}: is no baseline: its monitor is {baseline['spec']['monitor']}, must be none")
    for key in ("workload", "nodes", "seed", result["spec"]["workload"]):
        if result["spec"][key] != baseline["spec"][key]:
            raise UserError(f"{baseline.path}: is no baseline of {result.path}: {key} differs")


def _sweep(found: Sweep) -> str:
    from hypermon.report import sweep_page

    shown = sweep_page.context(found, worker.schema())
    some = bool(shown["metrics"])
    sections = [("question", "Sweep")] + [("explore", "Explore"), ("tradeoff", "Trade-off")] * some
    sections += [("points", "Points"), ("repeat", "Repeat")]
    return render("sweep.html", shown, sections, {}, ("page.js", "sweep.js"), shown["sweep"])
