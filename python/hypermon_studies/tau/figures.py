# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study tau`, each with its numbers as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypermon_studies import figures
from hypermon_studies.cells import Cells
from hypermon_studies.tau.cells import DILATION, EXTRAPOLATED, GROWTH, PAPER_2, TIME
from hypermon_studies.tau.runs import CALIBRATED_AT, FIGURE_2, MONITORS, NFS, NONE, PM, RANKS, TOS, case

NAMES = ("figure2", "extrapolation")


def draw(folder: Path, found: Cells) -> None:
    """Writes NAMES as .svg and .csv."""
    _figure_2(folder, found)
    _extrapolation(folder, found)


def _of(found: Cells, table: str, quantity: str, way: str, numbers: tuple[int, ...]) -> Mapping[int, float]:
    cells = {number: found.find(table, quantity, case(number, way)) for number in numbers}
    return {number: float(cell.ours) for number, cell in cells.items() if cell is not None}


def _figure_2(folder: Path, found: Cells) -> None:
    """Run times as bars, dilations as lines, as in the paper; its known values as crosses."""
    times = {way: _of(found, FIGURE_2, TIME, way, RANKS) for way in MONITORS}
    dilations = {way: _of(found, FIGURE_2, DILATION, way, RANKS) for way in (PM, NFS, TOS)}
    rows = [
        (way, ranks, seconds, dilations.get(way, {}).get(ranks, ""))
        for way in times
        for ranks, seconds in times[way].items()
    ]
    figures.rows(folder / "figure2.csv", ("configuration", "ranks", "time_s", "dilation_percent"), rows)
    with figures.figure(8.0, 3.4, panels=2) as (made, (left, right)):
        shown = list(times[NONE])
        for i, (way, of) in enumerate(times.items()):
            places = [n + (i - 1.5) * 0.2 for n in range(len(of))]
            left.bar(places, list(of.values()), width=0.19, label=f"LU, {way}" if way != NONE else "LU alone")
        left.set_xticks(range(len(shown)), [str(ranks) for ranks in shown])
        left.set(xlabel="MPI ranks", ylabel="s of 250 iterations")
        for way, of in dilations.items():
            colour = figures.COLOURS[list(MONITORS).index(way)]
            right.plot(list(of), list(of.values()), marker="o", markersize=4, color=colour, label=way)
            right.plot(
                [CALIBRATED_AT], [PAPER_2[way]], "x", color="#222222", markersize=8,
                label="paper" if way == PM else None,
            )  # fmt: skip
        right.set(xlabel="MPI ranks", ylabel="dilation, %", yscale="log", xscale="log")
        _as_numbers(right.xaxis, shown)
        right.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
        for axes in (left, right):
            axes.legend(fontsize=8)
        figures.save(made, folder / "figure2.svg")


def _extrapolation(folder: Path, found: Cells) -> None:
    known = {way: _of(found, FIGURE_2, DILATION, way, RANKS) for way in (PM, NFS, TOS)}
    beyond = {way: _of(found, GROWTH, DILATION, way, EXTRAPOLATED) for way in known}
    rows = [(way, ranks, percent, "run") for way, of in known.items() for ranks, percent in of.items()]
    rows += [(way, ranks, percent, "extrapolated") for way, of in beyond.items() for ranks, percent in of.items()]
    figures.rows(folder / "extrapolation.csv", ("configuration", "ranks", "dilation_percent", "how"), rows)
    with figures.figure(6.0, 3.4) as (made, (axes,)):
        for way, of in known.items():
            colour = figures.COLOURS[list(MONITORS).index(way)]
            axes.plot(list(of), list(of.values()), marker="o", markersize=4, color=colour, label=way)
            if beyond[way]:
                last = max(of)
                x, y = [last, *beyond[way]], [of[last], *beyond[way].values()]
                axes.plot(x, y, "--", marker="o", markersize=4, markerfacecolor="white", color=colour)
        axes.plot([], [], "--", color="#555555", label="extrapolated")
        axes.set(xlabel="MPI ranks", ylabel="dilation, %", yscale="log", xscale="log")
        _as_numbers(axes.xaxis, (*RANKS, *EXTRAPOLATED))
        axes.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
        axes.legend(fontsize=8)
        figures.save(made, folder / "extrapolation.svg")


def _as_numbers(axis: object, numbers: tuple[int, ...] | list[int]) -> None:
    axis.set_ticks(list(numbers), [str(number) for number in numbers])  # type: ignore[attr-defined]
    axis.set_ticks([], minor=True)  # type: ignore[attr-defined]
