"""The pictures of `hypermon study monitors` for pages that do not move: a panel for each program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon.pictures.style import COLOURS, MARKERS
from hypermon_studies import figures
from hypermon_studies.monitors_columns import ERROR
from hypermon_studies.monitors_picture import AGES, SIZES, Curve, diameter, place_of, spans
from hypermon_studies.monitors_plan import Place
from hypermon_studies.monitors_runs import Row

COLUMNS = 4


def look_of(number: int) -> tuple[str, str]:
    """Colour and mark of the candidate with that number: no two have both alike, of as many as there are pairs."""
    return COLOURS[number % len(COLOURS)], MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]


def draw(folder: Path, found: Mapping[Place, Sequence[Curve]]) -> list[str]:
    """Writes tradeoff-MACHINE.svg and, where there are fronts, fronts-MACHINE.svg; returns their names."""
    written = []
    for machine in dict.fromkeys(machine for machine, _ in found):
        panels = {program: drawn for (at, program), drawn in found.items() if at == machine}
        _figure(folder / f"tradeoff-{machine}.svg", panels, found, fronts=False)
        written.append(f"tradeoff-{machine}.svg")
        if any(curve.front for drawn in panels.values() for curve in drawn):
            _figure(folder / f"fronts-{machine}.svg", panels, found, fronts=True)
            written.append(f"fronts-{machine}.svg")
    return written


def _figure(
    file: Path, panels: Mapping[str, Sequence[Curve]], found: Mapping[Place, Sequence[Curve]], fronts: bool
) -> None:
    ages, slowdowns = spans(found)
    columns = min(COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    with figures.figure(max(6.0, 3.1 * columns), 2.9 * rows + 1.3, columns, rows) as (made, axes):
        for at, (program, drawn) in zip(axes, panels.items(), strict=False):
            for number, curve in enumerate(drawn):
                _draw(at, curve, number, fronts)
            at.set(xscale="log", yscale="log", title=program)
            at.set_xticks(list(AGES), list(AGES.values()))
            at.xaxis.set_minor_locator(_no_ticks())
            at.set(xlim=_wider(ages), ylim=_wider(slowdowns))
            at.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
        for at in axes[len(panels) :]:
            at.set_visible(False)
        for at in axes[max(len(panels) - columns, 0) : len(panels)]:
            at.set_xlabel("age, median")
        for at in axes[: len(panels) : columns]:
            at.set_ylabel("slowdown, %")
        shown = [n for n in range(len(next(iter(panels.values())))) if any(drawn[n] for drawn in panels.values())]
        names = [curve.name for curve in next(iter(panels.values()))]
        handles = [_key(names[n], *look_of(n)) for n in shown]
        handles += [_key(f"error {size:g} %", "#777777", "o", diameter(size)) for size in SIZES]
        handles += [_ring("default"), _key("best within the limits", "#000000", "*", 11)] if not fronts else []
        made.legend(
            handles=handles, loc="outside lower center", ncols=min(6, max(4, 2 * columns)), fontsize=8, labelspacing=1
        )
        figures.save(made, file)


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def _wider(span: tuple[float, float]) -> tuple[float, float]:
    """Marks at an end are whole."""
    return span[0] / 2, span[1] * 2


def _draw(axes: Any, curve: Curve, number: int, fronts: bool) -> None:
    colour, mark = look_of(number)
    points = curve.front if fronts else curve.steps
    if points:
        axes.plot(*zip(*map(place_of, points), strict=True), ":" if fronts else "-", color=colour, linewidth=1)
        _marks(axes, points, colour, mark)
    if fronts:
        return
    if curve.default is not None:
        if not points:
            _marks(axes, [curve.default], colour, mark)
        x, y = place_of(curve.default)
        size = diameter(float(curve.default[ERROR] or 0)) + 4
        axes.plot([x], [y], "o", markersize=size, markerfacecolor="none", markeredgecolor="#222222", linewidth=0)
    if curve.best is not None:
        x, y = place_of(curve.best)
        axes.plot([x], [y], "*", markersize=11, color=colour, markeredgecolor="#222222", linewidth=0, zorder=4)


def _marks(axes: Any, rows: Sequence[Row], colour: str, mark: str) -> None:
    for row in rows:
        x, y = place_of(row)
        size = diameter(float(row[ERROR] or 0))
        axes.plot([x], [y], mark, markersize=size, color=colour, alpha=0.75, markeredgewidth=0)


def _key(name: str, colour: str, mark: str, size: float = 6) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker=mark, color=colour, markersize=size, label=name, alpha=0.8)


def _ring(name: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [],
        [],
        linestyle="none",
        marker="o",
        markerfacecolor="none",
        markeredgecolor="#222222",
        markersize=9,
        label=name,
    )
