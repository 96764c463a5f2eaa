# SPDX-License-Identifier: BSD-3-Clause
"""One scenario under each of the paper's monitors: closed loop, open-loop estimate, losses, and a chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon._engine import runner
from hypermon._files import csvfile
from hypermon._files import results as results_of
from hypermon._inputs import scenario
from hypermon._model.result import Result, show
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon._model.words import SPACE
from hypermon.pictures.style import tick
from hypermon.report.calibration import PROGRAMS, calibrated_cells, constants
from hypermon.report.facts import open_loop
from hypermon.report.provenance import is_row_of_table2
from hypermon_studies import cells, figures, reference_data
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.placing import PICTURES
from hypermon_studies.table2 import table as table2

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
KIND = results_of.Kind("a study of perturbation", f"{NAME}.csv", ("*.csv", *PICTURES, *table2.MONITORS))
TITLES = {"hypermon": "the HYPERMON monitor", "software": "the software monitor"}
OPEN_LOOP = "the unobserved time and the busiest node's time in the monitor"


def plan(
    name: str,
    schema: Schema,
    settings: Mapping[str, object],
    presets: Sequence[str],
    platform: str | None = None,
) -> dict[str, Spec]:
    """The scenario under each of the paper's monitors that there is, the unobserved run first."""
    found = scenario.find_one(name, platform)
    monitors = [m for m in table2.MONITORS if m in schema.parameter("monitor", "").choices]
    return {m: found.resolve(schema, {**settings, "monitor": m}, presets) for m in monitors}


def write(
    out: Path,
    specs: Mapping[str, Spec],
    schema: Schema,
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> dict[str, Result]:
    """Runs all into `out`/MONITOR and leaves perturbation.csv, cells.csv, .png and .svg beside them."""
    with results_of.whole_folder(out, KIND, force=force) as partial:
        tasks = [(spec, partial / monitor) for monitor, spec in specs.items()]
        results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        with (partial / f"{NAME}.csv").open("w", newline="", encoding="utf-8") as file:
            csvfile.write_rows(file, [COLUMNS, *rows(results)])
        told = cells.text(Cells(_cells(specs, results, schema)))
        (partial / cells.NAME).write_text(told, encoding="utf-8")
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


def conclusion(results: Mapping[str, Result]) -> list[str]:
    """Conclusions from the table, in sentences."""
    base = float(results["none"]["elapsed_s"])
    sentences = [f"Without a monitor the program takes {base:.1f} s."]
    for monitor, result in results.items():
        if monitor == "none":
            continue
        slowdown, lost = 100 * (float(result["elapsed_s"]) / base - 1), result["ledger"]["lost_total"]["events"]
        losses = f"{show(lost)} of {show(result['events'])} events were lost" if lost else "no event was lost"
        sentences.append(f"With {TITLES[monitor]} it takes {slowdown:.1f} % longer, and {losses}.")
    sentences.append(
        "Open loop is an estimate: the time without a monitor plus the busiest node's time in the monitor."
    )
    return sentences


def _cells(specs: Mapping[str, Spec], results: Mapping[str, Result], schema: Schema) -> Iterator[Cell]:
    """Times and volumes count as cells of Table 2 if no setting was changed."""
    raw = results["none"]
    base = float(raw["elapsed_s"])
    programs = [scenario.built_in(f"table2/{program}") for program in PROGRAMS]
    for monitor, result in results.items():
        spec, name = result["spec"], result["scenario"]
        found = constants(schema, programs) if is_row_of_table2(spec, specs[monitor].values, schema) else []
        elapsed = float(result["elapsed_s"])
        measured = {"elapsed": elapsed} | (
            {} if monitor == "none" else {"logged": result["logged_bytes"], "rate": result["logged_bytes"] / elapsed}
        )
        for quantity, ours in measured.items():
            what, unit = table2.NAMES[quantity], reference_data.UNITS[quantity]
            if not found:
                yield Cell(name, what, monitor, unit, ours)
                continue
            row = spec["workload"], spec["nodes"], monitor, quantity
            c = table2.cell(*row, ours, calibrated_cells(found))
            yield Cell(name, what, monitor, unit, ours, c.status, c.paper, table2.used_for(found, *row))
        yield Cell(name, "events", monitor, "events", result["events"])
        if monitor != "none":
            estimate = open_loop(raw, result)
            yield Cell(name, "slowdown", monitor, "%", 100 * (elapsed / base - 1))
            yield Cell(name, "open-loop time", monitor, "s", estimate, assumption=OPEN_LOOP)
            yield Cell(name, "open-loop slowdown", monitor, "%", 100 * (estimate / base - 1), assumption=OPEN_LOOP)
            yield Cell(name, "lost events", monitor, "events", result["ledger"]["lost_total"]["events"])


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
        for name, top, estimate in zip(watched, below[len(names) - len(watched) :], estimates, strict=True):
            longer = 100 * (float(results[name]["elapsed_s"]) / float(raw["elapsed_s"]) - 1)
            axes[0].annotate(
                f"{longer:+.3g}{SPACE}%", (name, max(top, estimate)), (0, 6), textcoords="offset points", ha="center",
                weight="bold",
            )  # fmt: skip
        axes[0].set(ylabel="time, s", title=f"{raw['scenario']}, {raw['spec']['nodes']} nodes: longest rank")
        axes[0].set_ylim(0, 1.35 * max([*below, *estimates]))
        axes[0].legend(loc="upper left", fontsize=7, ncols=2)
        axes[0].grid(False, axis="x")
        for monitor, data in rates.items():
            times = [data["interval_s"] * (i + 0.5) for i in range(len(data["frames"]))]
            axes[1].plot(times, [f / data["interval_s"] for f in data["frames"]], label=monitor, linewidth=1)
            axes[1].yaxis.set_major_formatter(lambda value, _position: tick(value))
            axes[1].set(xlabel="time, s", ylabel="frames/s", title=f"event frame rate, {monitor}", ylim=(0, None))
        figures.save(made, folder / f"{NAME}.png")
        figures.save(made, folder / f"{NAME}.svg")
