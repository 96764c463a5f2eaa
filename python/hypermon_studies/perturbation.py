"""One scenario under every monitor: closed loop, open-loop estimate, losses, picture."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model.result import Result, show
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.report.facts import open_loop
from hypermon_studies import figures

COLUMNS = (
    "monitor",
    "elapsed s",
    "slowdown %",
    "open loop s",
    "open loop %",
    "events",
    "logged B",
    "B/s",
    "lost events",
)
NAME = "perturbation"


def plan(
    name: str,
    schema: Schema,
    settings: Mapping[str, object],
    presets: Sequence[str],
    platform: str | None = None,
) -> dict[str, Spec]:
    """The scenario under each monitor that there is, the unobserved run first."""
    found = scenario.find_one(name, platform)
    monitors = sorted(schema.parameter("monitor", "").choices, key=lambda monitor: monitor != "none")
    return {m: found.resolve(schema, {**settings, "monitor": m}, presets) for m in monitors}


def write(
    out: Path, specs: Mapping[str, Spec], jobs: int, on_done: Callable[[int], None] | None = None
) -> dict[str, Result]:
    """Runs all into `out`/MONITOR and leaves perturbation.csv, .png and .svg beside them."""
    with runner.whole_folder(out, marker=f"{NAME}.csv") as partial:
        tasks = [(spec, partial / monitor) for monitor, spec in specs.items()]
        results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        with (partial / f"{NAME}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows(results)])
        _draw(partial, results)
    return {monitor: Result(out / monitor) for monitor in specs}


def rows(results: Mapping[str, Result]) -> list[tuple[str, ...]]:
    """The perturbation table: slowdowns against the unobserved run."""
    raw = results["none"]
    base = float(raw["elapsed_s"])
    table: list[tuple[str, ...]] = []
    for monitor, result in results.items():
        elapsed, estimate = float(result["elapsed_s"]), open_loop(raw, result)
        watched = monitor != "none"
        table.append(
            (
                monitor,
                f"{elapsed:.3f}",
                f"{100 * (elapsed / base - 1):.2f}" if watched else "",
                f"{estimate:.3f}" if watched else "",
                f"{100 * (estimate / base - 1):.2f}" if watched else "",
                show(result["events"]),
                show(result["logged_bytes"]),
                f"{result['logged_bytes'] / elapsed:.0f}",
                show(result["ledger"]["lost_total"]["events"]) if watched else "",
            )
        )
    return table


def _draw(folder: Path, results: Mapping[str, Result]) -> None:
    raw = results["none"]
    rates = {monitor: result["rates"] for monitor, result in results.items() if result.get("rates")}
    with figures.figure(9.0 if rates else 5.0, 3.4, 2 if rates else 1) as (made, axes):
        names = list(results)
        ranks = [r["ranks"] for r in results.values()]
        longest: list[Mapping[str, Any]] = [max(of_run, key=lambda rank: rank["elapsed_s"]) for of_run in ranks]
        below = [0.0] * len(names)
        for key, label in (("compute_s", "compute"), ("mpi_s", "messages and waiting"), ("monitor_s", "monitor")):
            parts = [float(rank[key]) for rank in longest]
            axes[0].bar(names, parts, bottom=below, label=label, width=0.6)
            below = [a + b for a, b in zip(below, parts, strict=True)]
        watched = [name for name in names if name != "none"]
        estimates = [open_loop(raw, results[name]) for name in watched]
        axes[0].plot(watched, estimates, "kD", markersize=5, label="open-loop estimate")
        axes[0].set(ylabel="s", title=f"{raw['scenario']}, {raw['spec']['nodes']} nodes: longest rank")
        axes[0].set_ylim(0, 1.35 * max([*below, *estimates]))
        axes[0].legend(loc="upper left", fontsize=7, ncols=2)
        axes[0].grid(False, axis="x")
        for monitor, data in rates.items():
            times = [data["interval_s"] * (i + 0.5) for i in range(len(data["frames"]))]
            axes[1].plot(times, [f / data["interval_s"] for f in data["frames"]], label=monitor, linewidth=1)
            axes[1].set(xlabel="s", ylabel="frames/s", title=f"event frame rate, {monitor}", ylim=(0, None))
        figures.save(made, folder / f"{NAME}.png")
        figures.save(made, folder / f"{NAME}.svg")
