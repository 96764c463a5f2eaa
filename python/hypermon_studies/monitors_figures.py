# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study monitors` for pages that do not move: a panel for each program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon.pictures.style import COLOURS, MARKERS
from hypermon_studies import figures
from hypermon_studies.monitors_columns import ERROR
from hypermon_studies.monitors_picture import AGES, SIZES, Curve, diameter, place_of, spans
from hypermon_studies.monitors_plan import Place
from hypermon_studies.monitors_runs import Row

TRADEOFF, FRONT, DEFAULTS = "tradeoff", "fronts", "defaults"
INK = "#222222"
COLUMNS, FEW = 4, 4
"""Panels side by side; as many in all stand in two columns."""
SMALL, LARGE = (4.5, 13.0), (4.5, 17.0)
"""Diameters of the marks of no error and of the largest, in small panels and in large ones."""


def look_of(number: int) -> tuple[str, str]:
    """Colour and mark of the candidate with that number: no two have both alike, of as many as there are pairs."""
    return COLOURS[number % len(COLOURS)], MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]


def draw(folder: Path, found: Mapping[Place, Sequence[Curve]]) -> list[str]:
    """Writes for each machine what there is, and returns the names: tradeoff-MACHINE.svg has the programs under which
    knobs were turned or fronts looked for, fronts-MACHINE.svg these, defaults-MACHINE.svg all programs.
    """
    written = []
    for machine in dict.fromkeys(machine for machine, _ in found):
        panels = {program: drawn for (at, program), drawn in found.items() if at == machine}
        turned = {at: drawn for at, drawn in panels.items() if any(curve.steps or curve.front for curve in drawn)}
        fronts = {program: drawn for program, drawn in panels.items() if any(curve.front for curve in drawn)}
        for kind, shown in ((TRADEOFF, turned), (FRONT, fronts), (DEFAULTS, panels)):
            if shown:
                _Figure(shown, kind).write(folder / f"{kind}-{machine}.svg")
                written.append(f"{kind}-{machine}.svg")
    return written


class _Figure:
    def __init__(self, panels: Mapping[str, Sequence[Curve]], kind: str) -> None:
        self._panels = panels
        self._kind = kind
        few = len(panels) <= FEW
        self._columns = min(2 if few else COLUMNS, len(panels))
        self._rows = math.ceil(len(panels) / self._columns)
        self._sizes = LARGE if few else SMALL
        self._panel = (4.6, 3.5) if few else (2.6, 2.3)
        self._spans = spans({("", program): drawn for program, drawn in panels.items()})

    def write(self, file: Path) -> None:
        width, height = self._panel
        columns, rows = self._columns, self._rows
        with figures.figure(max(6.0, width * columns), height * rows + 1.3, columns, rows) as (made, axes):
            for number, (at, (program, drawn)) in enumerate(zip(axes, self._panels.items(), strict=False)):
                self._draw(at, drawn)
                self._set(at, program, number)
            for at in axes[len(self._panels) :]:
                at.set_visible(False)
            entries = 4 if self._sizes == LARGE else 5
            made.legend(
                handles=list(self._handles()), loc="outside lower center", ncols=entries, fontsize=8, labelspacing=0.8
            )
            figures.save(made, file)

    def _set(self, at: Any, program: str, number: int) -> None:
        """All panels have the same axes; only those at an edge say what is on them."""
        ages, slowdowns = self._spans
        at.set(xscale="log", yscale="log", title=program, xlim=_wider(ages), ylim=_wider(slowdowns))
        at.set_xticks(*_ticks({age: name for age, name in AGES.items() if ages[0] <= age <= ages[1]}, self._sizes))
        decades = range(round(math.log10(slowdowns[0])), round(math.log10(slowdowns[1])) + 1)
        at.set_yticks(*_ticks({10.0**power: f"{10.0**power:g}" for power in decades}, self._sizes))
        for axis in (at.xaxis, at.yaxis):
            axis.set_minor_locator(_no_ticks())
        below = number + self._columns >= len(self._panels)
        beside = number % self._columns == 0
        at.tick_params(labelbottom=below, labelleft=beside)
        at.set(xlabel="age, median" if below else "", ylabel="slowdown, %" if beside else "")

    def _draw(self, at: Any, drawn: Sequence[Curve]) -> None:
        """Lines, then marks, the largest first: none is hidden."""
        marks: list[tuple[Row, int]] = []
        for number, curve in enumerate(drawn):
            points = self._points(curve)
            if len(points) > 1:
                style = ":" if self._kind == FRONT else "-"
                at.plot(*zip(*map(place_of, points), strict=True), style, color=look_of(number)[0], linewidth=0.9)
            marks += [(row, number) for row in points]
        for row, number in sorted(marks, key=lambda mark: -float(mark[0][ERROR] or 0)):
            colour, mark = look_of(number)
            at.plot(*_at(row), mark, markersize=self._size(row), color=colour, alpha=0.7, markeredgewidth=0)
        for number, curve in enumerate(drawn) if self._kind == TRADEOFF else ():
            if curve.default is not None:
                size = self._size(curve.default) + 3
                at.plot(*_at(curve.default), "o", markersize=size, markerfacecolor="none", markeredgecolor=INK)
            if curve.best is not None:
                look = {"color": look_of(number)[0], "markeredgecolor": INK, "markeredgewidth": 0.7}
                at.plot(*_at(curve.best), "*", markersize=10, zorder=4, **look)

    def _points(self, curve: Curve) -> Sequence[Row]:
        if self._kind == FRONT:
            return curve.front
        default = [curve.default] if curve.default is not None else []
        return (curve.steps or default) if self._kind == TRADEOFF else default

    def _size(self, row: Row) -> float:
        return self._diameter(float(row[ERROR] or 0))

    def _diameter(self, error: float) -> float:
        least, most = self._sizes
        return diameter(error, most, least)

    def _handles(self) -> Iterator[Any]:
        names = [curve.name for curve in next(iter(self._panels.values()))]
        for number, name in enumerate(names):
            if any(self._points(drawn[number]) for drawn in self._panels.values()):
                yield _key(name, *look_of(number))
        for size in SIZES:
            yield _key(f"error {size:g} %", "#777777", "o", self._diameter(size))
        if self._kind == TRADEOFF:
            yield _key("default", "none", "o", 9, INK)
            if any(curve.best for drawn in self._panels.values() for curve in drawn):
                yield _key("best within the limits", "white", "*", 10, INK)


def _ticks(named: Mapping[float, str], sizes: tuple[float, float]) -> tuple[list[float], list[str]]:
    """Lines at all of them; in small panels every third has its name, and whatever ends there."""
    every = 1 if sizes == LARGE else 3
    names = [name if number % every == 0 else "" for number, name in enumerate(named.values())]
    return list(named), names


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def _wider(span: tuple[float, float]) -> tuple[float, float]:
    """Marks at an end are whole."""
    return span[0] / 2, span[1] * 2


def _at(row: Row) -> tuple[list[float], list[float]]:
    x, y = place_of(row)
    return [x], [y]


def _key(name: str, colour: str, mark: str, size: float = 6, edge: str = "none") -> Any:
    from matplotlib.lines import Line2D

    handle = Line2D([], [], linestyle="none", marker=mark, markersize=size, label=name)
    handle.set(markerfacecolor=colour, markeredgecolor=edge, alpha=0.8 if edge == "none" else 1)
    return handle
