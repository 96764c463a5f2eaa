# SPDX-License-Identifier: BSD-3-Clause
"""Figures 8 to 13 of the paper, from our runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypermon._model.result import Result
from hypermon.report.calibration import NODES, PROGRAMS
from hypermon_studies import figures
from hypermon_studies.table2 import bandwidth
from hypermon_studies.table2 import table as table2

TITLES = {"simplex": "Simplex", "life": "Life", "matmul": "MatMul", "place": "Place"}


def draw(
    folder: Path, table: Mapping[table2.Key, Result], generator: Mapping[bandwidth.Key, Result]
) -> list[tuple[str, str]]:
    """Writes the SVG files; returns their names and captions."""
    made = [_sweep(folder, generator), _merging(folder, generator)]
    return made + [_rates(folder, table, program, 10 + i) for i, program in enumerate(PROGRAMS)]


def _sweep(folder: Path, generator: Mapping[bandwidth.Key, Result]) -> tuple[str, str]:
    with figures.figure() as (made, (axes,)):
        for active in bandwidth.ACTIVE:
            runs = [generator["sweep", active, delay] for delay in bandwidth.DELAYS]
            rates = [bandwidth.frame_rate(run) / 1e3 for run in runs]
            (line,) = axes.plot(bandwidth.DELAYS, rates, label=str(active), linewidth=1)
            for delay, rate, run in zip(bandwidth.DELAYS, rates, runs, strict=True):
                lost = bool(run["monitor"]["overrun"])
                axes.plot(
                    [delay], [rate], marker="x" if lost else "o", markersize=6 if lost else 4, color=line.get_color()
                )
        limit = bandwidth.pbx_frames_per_s(generator["sweep", 1, 0]["spec"]) / 1e3
        axes.axhline(limit, color="black", linewidth=0.8, linestyle="--")
        axes.annotate("read over the PBX at most", (bandwidth.DELAYS[-1], limit), ha="right", va="bottom")
        axes.set(xlabel="delay, null-loop iterations", ylabel="1000 frames/s", ylim=(0, None))
        axes.legend(title="active nodes", ncols=2)
        figures.save(made, folder / "figure8.svg")
    return "figure8.svg", "Figure 8: frames built per second against the delay; a cross marks an overrun"


def _merging(folder: Path, generator: Mapping[bandwidth.Key, Result]) -> tuple[str, str]:
    with figures.figure() as (made, (axes,)):
        for delay in bandwidth.DELAYS:
            shares = [bandwidth.merged_percent(generator["sweep", n, delay]) for n in bandwidth.ACTIVE]
            axes.plot(bandwidth.ACTIVE, shares, marker="o", markersize=4, linewidth=1, label=str(delay))
        axes.set(xlabel="active nodes", ylabel="merged event data, %", ylim=(0, None))
        axes.legend(title="delay")
        figures.save(made, folder / "figure9.svg")
    return "figure9.svg", "Figure 9: share of event data that is merged into an earlier datum's frame"


def _rates(folder: Path, table: Mapping[table2.Key, Result], program: str, number: int) -> tuple[str, str]:
    name = f"figure{number}.svg"
    with figures.figure() as (made, (axes,)):
        figures.frame_rates(axes, {nodes: table[program, nodes, "hypermon"] for nodes in NODES})
        axes.legend(title="nodes (time)")
        figures.save(made, folder / name)
    return name, f"Figure {number}: {TITLES[program]}, event frame rate in 100 intervals"
