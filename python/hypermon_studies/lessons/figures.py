# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the lessons' page."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from hypermon._model.result import Result
from hypermon.report.facts import open_loop
from hypermon_studies import figures

Results = Mapping[str, Mapping[str, Result]]  # results by scenario and case
Figure = tuple[str, str, str]  # scenario, file, caption


def draw(folder: Path, results: Results) -> list[Figure]:
    drawn = {"lessons/wider_port": _wider_port, "bursts/place16": _bursts}
    return [picture(folder, results[name]) for name, picture in drawn.items() if name in results]


def _wider_port(folder: Path, results: Mapping[str, Result]) -> Figure:
    raw = results["none"]
    base = float(raw["elapsed_s"])
    watched = {name: result for name, result in results.items() if name != "none"}
    labels = [name.replace("bits_", "").replace("_no_delay", ",\nno delay") for name in watched]
    closed = [100 * (result["elapsed_s"] / base - 1) for result in watched.values()]
    estimated = [100 * (open_loop(raw, result) / base - 1) for result in watched.values()]
    with figures.figure() as (made, (axes,)):
        places = range(len(labels))
        axes.bar([x - 0.2 for x in places], closed, width=0.4, label="closed loop: simulated")
        axes.bar([x + 0.2 for x in places], estimated, width=0.4, label="open loop: emission time of the busiest node")
        axes.axhline(closed[list(watched).index("software")], color="black", linewidth=0.8, linestyle="--")
        axes.set_xticks(list(places), labels)
        axes.set(xlabel="port width, bits", ylabel="slowdown, %")
        axes.grid(False, axis="x")
        axes.legend()
        figures.save(made, folder / "wider_port.svg")
    return (
        "lessons/wider_port",
        "wider_port.svg",
        "Slowdown of Place on 8 nodes; the dashed line is that of the software monitor",
    )


def _bursts(folder: Path, results: Mapping[str, Result]) -> Figure:
    with figures.figure(10.0, 3.2, len(results)) as (made, panels):
        for axes, result in zip(panels, results.values(), strict=True):
            with (result.folder / "bursts.csv").open(encoding="utf-8") as file:
                rows = [(int(row["interval_ms"]), int(row["bytes"])) for row in csv.DictReader(file)]
            seconds = _fullest_per(rows, 100)
            axes.plot(
                [t * 0.1 for t, _, _ in seconds],
                [most for _, most, _ in seconds],
                linewidth=0.6,
                label="fullest 1 ms of 100",
            )
            axes.plot(
                [t * 0.1 for t, _, _ in seconds],
                [mean for _, _, mean in seconds],
                linewidth=0.8,
                label="mean of 100 ms",
            )
            axes.set(xlabel="s", title=f"{result['spec']['nodes']} nodes", ylim=(0, 1.8))
        panels[0].set_ylabel("MB/s")
        panels[0].legend(loc="upper left", fontsize=7)
        figures.save(made, folder / "figure14.svg")
    return "bursts/place16", "figure14.svg", "Figure 14: event data volume of Place in 1 ms intervals, 7 B records"


def _fullest_per(rows: list[tuple[int, int]], group: int) -> list[tuple[int, float, float]]:
    """Number, largest rate and mean rate of each group of `group` intervals, in MB/s."""
    most: dict[int, int] = {}
    total: dict[int, int] = {}
    for interval, count in rows:
        key = interval // group
        most[key] = max(most.get(key, 0), count)
        total[key] = total.get(key, 0) + count
    last = max(most)
    return [(key, most.get(key, 0) * 1e-3, total.get(key, 0) / group * 1e-3) for key in range(last + 1)]
