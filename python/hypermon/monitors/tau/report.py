# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under TAU, whichever way its profiles leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._model.result import Result
from hypermon._model.words import SPACE, count, data, percent, plural, seconds, three_digits
from hypermon.errors import DamagedError, UserError
from hypermon.monitors.tau import profiles, summaries
from hypermon.pictures import program_phases
from hypermon.report import rules
from hypermon.report.chart import Chart, Table, axis, line, plain
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import GOOD, LIMIT, PROBLEM, Finding, sorted_findings
from hypermon.report.view import Picture, Tile, View

if TYPE_CHECKING:
    import pandas as pd

COSTLY = 0.05  # (chosen) share of the program's time
SHOWN = 20  # (chosen) routines in the chart
OVER_TIME = 5  # (chosen) routines that are lines over time
COLOURS = ("$blue", "$orange", "$green", "$purple", "$red")


class Recorded(NamedTuple):
    """Profiles in the run's directory: the processes' last ones, and those that arrived during the run."""

    rows: list[summaries.Row]
    threads: int
    during: pd.DataFrame | None


class TauView(View):
    def recorded(self, result: Result) -> Recorded | None:
        try:
            found = summaries.read(result.folder)
        except DamagedError:
            raise
        except UserError:
            return None
        there = result.has_file(profiles.ROWS)
        return Recorded(
            summaries.rows(list(found.values())), len(found), profiles.read(result.folder) if there else None
        )

    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings(
            [rules.nothing_lost(run), cost(run), dumping(run), throttled(run), unstopped(run), rules.other_losses(run)]
        )

    def pictures(self, result: Result) -> list[Picture]:
        def draw() -> Any:
            return program_phases.phases(result)

        caption = "Time in the program's routines between two samples, and what each network carried."
        return [Picture(caption, "hypermon plot phases", draw)]

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        monitor = values.run.monitor
        timers = Part(
            "TAU",
            [
                Line(f"{count(monitor['timers'])} timers"),
                values.line("tau.timer_us", f"{{}}{SPACE}µs with gettimeofday"),
                values.line("tau.clock", "clock: {}"),
            ],
        )
        out = Part(
            "transport",
            [
                Line(f"{monitor['transport']}: {plural(monitor['dumps'], 'profile')}"),
                Line(f"{data(values.run.result['logged_bytes'])} arrived"),
            ],
            lost(values.run),
        )
        return [Panel(title, "nodes", [*parts, timers, *([out] if monitor["transport"] != "none" else [])])]

    def tiles(self, run: Run) -> list[Tile]:
        monitor = run.monitor
        tiles = [
            Tile("Timers alone", percent(monitor["open_loop_dilation"]), "of what else the busiest process took"),
        ]
        if monitor["dumps"]:
            mean = monitor["transport_s"] / (monitor["dumps"] + monitor["final_profiles"])
            tiles.append(
                Tile("In the transport, a profile", seconds(mean), f"longest dump {seconds(monitor['longest_dump_s'])}")
            )
        return tiles

    def charts(self, run: Run) -> list[Chart]:
        found: Recorded | None = run.recorded
        if found is None:
            return []
        made = [routines(found)]
        if found.during is not None and (over_time := during(found.during)) is not None:
            made.append(over_time)
        return made


VIEW = TauView()


def cost(run: Run) -> Finding | None:
    share = run.monitor["open_loop_dilation"]
    text = (
        f"{count(run.monitor['timers'])} timers took {seconds(run.monitor['measuring_s'])} of CPU time, "
        f"{percent(share)} of what else the busiest process took."
    )
    if run.slowdown is not None:
        text += f" The program took {percent(run.slowdown)} longer: what one process loses, others may wait for."
    costly = max(share, run.slowdown or 0) > COSTLY
    return Finding(
        LIMIT if costly else GOOD,
        "Measuring is dear" if costly else "Measuring is cheap",
        text,
        "A cheaper clock (tau.clock = rdtsc), fewer timers, or tau.throttle." if costly else "",
    )


def dumping(run: Run) -> Finding | None:
    monitor = run.monitor
    if not monitor["dumps"]:
        return None
    processes = len(monitor["ranks"])
    share = (monitor["transport_s"] + monitor["formatting_s"]) / processes / run.elapsed_s if run.elapsed_s else 0.0
    return Finding(
        LIMIT if share > COSTLY else GOOD,
        f"A process spends {percent(share)} of its time on handing over profiles",
        f"{plural(monitor['dumps'], 'profile')} while the program ran: {seconds(monitor['formatting_s'])} to make them "
        f"into text, {seconds(monitor['transport_s'])} in the transport's calls, of all processes.",
        "Fewer of them (tau.every, tau.period_ms), or another transport." if share > COSTLY else "",
    )


def throttled(run: Run) -> Finding | None:
    if not run.monitor["throttled"]:
        return None
    return Finding(
        LIMIT,
        f"{plural(run.monitor['throttled'], 'timer')} switched off",
        f"Their later {count(run.monitor['looks'])} calls are in no profile: their time is their callers'.",
    )


def unstopped(run: Run) -> Finding | None:
    running = run.monitor["unstopped"]
    if not running:
        return None
    first = running[0]
    return Finding(
        PROBLEM,
        f"{plural(len(running), 'timer')} never stopped",
        f'They still ran at MPI_Finalize, first "{first["routine"]}" of rank {first["rank"]}; '
        "the profile has what they took until then.",
        "Stop each timer before MPI_Finalize.",
    )


def routines(found: Recorded) -> Chart:
    """Mean exclusive times, and all that pprof shows."""
    shown = [row for row in found.rows[:SHOWN] if row.exclusive_us > 0][::-1]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [row.exclusive_us / 1e3 for row in shown],
        "y": [row.name for row in shown],
        "marker": {"color": "$blue"},
        "hovertemplate": "%{y}: %{x:.4g} ms<extra></extra>",
    }
    table = Table(
        f"Routines and MPI functions, mean of {found.threads} processes",
        ("routine", "share, inclusive", "exclusive, ms", "inclusive, ms", "calls", "of others", "µs a call"),
        [
            (
                row.name,
                percent(row.share),
                three_digits(row.exclusive_us / 1e3),
                three_digits(row.inclusive_us / 1e3),
                three_digits(row.calls),
                three_digits(row.subroutines),
                three_digits(row.us_per_call),
            )
            for row in found.rows
        ],
        range(1, 7),
    )
    return Chart(
        "routines",
        "Routines",
        "Time in each routine alone, mean of all processes, by their own clocks.",
        plain([bars], xaxis=axis("exclusive time, ms"), yaxis={"automargin": True}),
        table,
        height=120 + 22 * len(shown),
    )


def during(frame: pd.DataFrame) -> Chart | None:
    """Activity of the processes between two profiles: the routines with the most time, by number of the profile."""
    mean = frame.groupby(["number", "routine"], observed=True)["exclusive_us"].mean().unstack().fillna(0.0)
    taken = frame.groupby("number")["taken_s"].mean()
    steps = mean.diff().iloc[1:]
    if steps.empty:
        return None
    most = list(steps.sum().sort_values(ascending=False).index[:OVER_TIME])
    x = [float(taken[number]) for number in steps.index]
    lines = [
        line(
            str(name), x, [float(v) / 1e3 for v in steps[name]], COLOURS[i], f"{name}: %{{y:.4g}} ms until %{{x:.4g}} s"
        )
        for i, name in enumerate(most)
    ]
    rows = [
        (three_digits(t), *(three_digits(float(steps[name].iloc[i]) / 1e3) for name in most)) for i, t in enumerate(x)
    ]
    return Chart(
        "profiles",
        "Between two profiles",
        "Time in the routines that took most, alone, between a profile and the one before; mean of all processes.",
        plain(lines, xaxis=axis("when the profile was taken, s"), yaxis=axis("exclusive time, ms")),
        Table("Exclusive time between two profiles, ms", ("until, s", *map(str, most)), rows, range(1 + len(most))),
    )
