# SPDX-License-Identifier: BSD-3-Clause
"""The static pictures of `hypermon study monitors`: a panel for each program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from hypermon_studies import figures
from hypermon_studies.monitors.columns import ERROR, SLOWDOWN, WHILE
from hypermon_studies.monitors.looks import look_of
from hypermon_studies.monitors.picture import (
    NO_SLOWDOWN,
    Curve,
    at_error,
    at_slowdown,
    error_ticks,
    place_of,
    slowdown_ticks,
    spans,
)
from hypermon_studies.monitors.plan import Place
from hypermon_studies.monitors.runs import Row

OVERVIEW, TRADEOFF, FRONT, DEFAULTS = "overview", "tradeoff", "fronts", "defaults"
INK = "#222222"
COLUMNS, FEW = 4, 4
"""Panels side by side. At most FEW panels are in two columns."""
SMALL, LARGE = 5.0, 6.5
"""Diameters of the marks in small panels and in large ones."""


def draw(folder: Path, found: Mapping[Place, Sequence[Curve]]) -> list[str]:
    """Writes the charts of each machine, and returns their names.

    overview-MACHINE.svg has the medians of all programs, and defaults-MACHINE.svg has each program.
    tradeoff-MACHINE.svg has the programs for which knobs were varied or fronts searched, and fronts-MACHINE.svg has the
    fronts.
    """
    for (kind, machine), panels in _shown(found).items():
        file = folder / _name(kind, machine)
        if kind == OVERVIEW:
            _overview(list(panels.values()), file)
        else:
            _Figure(panels, kind).write(file)
    return names(found)


def names(found: Mapping[Place, Sequence[Curve]]) -> list[str]:
    """The names of the pictures, in the order in which `draw` writes them."""
    return [_name(kind, machine) for kind, machine in _shown(found)]


def _name(kind: str, machine: str) -> str:
    return f"{kind}-{machine}.svg"


def _shown(found: Mapping[Place, Sequence[Curve]]) -> dict[tuple[str, str], dict[str, Sequence[Curve]]]:
    """Returns the panels of each chart, by its kind and machine."""
    shown: dict[tuple[str, str], dict[str, Sequence[Curve]]] = {}
    for machine in dict.fromkeys(machine for machine, _ in found):
        panels = {program: drawn for (at, program), drawn in found.items() if at == machine}
        turned = {at: drawn for at, drawn in panels.items() if any(curve.steps or curve.front for curve in drawn)}
        fronts = {program: drawn for program, drawn in panels.items() if any(curve.front for curve in drawn)}
        overview = panels if any(curve.default is not None for drawn in panels.values() for curve in drawn) else {}
        for kind, some in ((OVERVIEW, overview), (TRADEOFF, turned), (FRONT, fronts), (DEFAULTS, panels)):
            if some:
                shown[kind, machine] = some
    return shown


def medians(panels: Sequence[Sequence[Curve]]) -> list[tuple[Curve, float, float, bool]]:
    """Returns each candidate's median error and slowdown, and whether its data arrive during the run."""
    found = []
    for curves in zip(*panels, strict=True):
        rows = [curve.default for curve in curves if curve.default is not None]
        if rows:
            error, slowdown = (median(float(row[key] or 0) for row in rows) for key in (ERROR, SLOWDOWN))
            found.append((curves[0], error, slowdown, any(row.reaches == WHILE for row in rows)))
    return found


def _overview(panels: Sequence[Sequence[Curve]], file: Path) -> None:
    """Draws each monitor as a point with its name beside it. Names are in a column, in the order of slowdowns."""
    points = sorted(medians(panels), key=lambda point: (-point[2], -point[1]))
    most = 10.0 ** math.ceil(math.log10(max(1.0, max(slowdown for *_, slowdown, _ in points)) * 1.01))
    with figures.figure(7.5, 4.2) as (made, (at,)):
        at.set(xscale="log", yscale="log", xlim=(0.006, 150), ylim=(NO_SLOWDOWN / 1.6, most * 1.3))
        at.set(xlabel="error, % (median of the programs)", ylabel="slowdown, % (median)")
        at.set_xticks(*_ticks(error_ticks(0.01, 100), LARGE))
        at.set_yticks(*_ticks(slowdown_ticks(most), LARGE))
        at.axhspan(NO_SLOWDOWN / 1.6, NO_SLOWDOWN * 1.6, color="#eeeeee", linewidth=0, zorder=0)
        for axis in (at.xaxis, at.yaxis):
            axis.set_minor_locator(_no_ticks())
        for number, (curve, error, slowdown, is_live) in enumerate(points):
            colour, mark, _ = look_of(curve.number)
            place = at_error(error), at_slowdown(slowdown)
            at.plot(*place, mark, markersize=7, **_face(colour, is_live))
            beside = 1.03, 1 - (number + 0.5) / len(points)
            at.annotate(
                curve.name, place, beside, textcoords="axes fraction", va="center", color=INK, fontsize=8,
                arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 4},
            )  # fmt: skip
        at.annotate("better", (0.02, 0.03), xycoords="axes fraction", fontsize=8, color="#555555", style="italic")
        at.legend(handles=list(_arrivals()), loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8)
        figures.save(made, file)


def _face(colour: str, is_live: bool) -> dict[str, Any]:
    """A filled mark for data that arrive during the run, an open one for data that arrive after it."""
    return {"color": colour, "markerfacecolor": colour if is_live else "white", "markeredgewidth": 1.3}


def _arrivals() -> Iterator[Any]:
    yield _key("data arrive during the run", "#777777", "o", 6, "#777777")
    yield _key("data arrive after the run", "white", "o", 6, "#777777")


class _Figure:
    def __init__(self, panels: Mapping[str, Sequence[Curve]], kind: str) -> None:
        self._panels = panels
        self._kind = kind
        few = len(panels) <= FEW
        self._columns = min(2 if few else COLUMNS, len(panels))
        self._rows = math.ceil(len(panels) / self._columns)
        self._size = LARGE if few else SMALL
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
            entries = 4 if self._size == LARGE else 5
            made.legend(
                handles=list(self._handles()), loc="outside lower center", ncols=entries, fontsize=8, labelspacing=0.8
            )
            figures.save(made, file)

    def _set(self, at: Any, program: str, number: int) -> None:
        """Sets the axes. All panels have the same axes; only those at an edge have labels."""
        errors, slowdowns = self._spans
        at.set(xscale="log", yscale="log", title=program, xlim=_wider(errors), ylim=_wider(slowdowns))
        at.set_xticks(*_ticks(error_ticks(*errors), self._size))
        at.set_yticks(*_ticks(slowdown_ticks(slowdowns[1]), self._size))
        for axis in (at.xaxis, at.yaxis):
            axis.set_minor_locator(_no_ticks())
        below = number + self._columns >= len(self._panels)
        beside = number % self._columns == 0
        at.tick_params(labelbottom=below, labelleft=beside)
        at.set(xlabel="error, %" if below else "", ylabel="slowdown, %" if beside else "")

    def _draw(self, at: Any, drawn: Sequence[Curve]) -> None:
        """Lines, then marks."""
        for curve in drawn:
            points = self._points(curve)
            colour, mark, _ = look_of(curve.number)
            if len(points) > 1:
                style = ":" if self._kind == FRONT else "-"
                at.plot(*zip(*map(place_of, points), strict=True), style, color=colour, linewidth=0.9)
            for row in points:
                look = _face(colour, row.reaches == WHILE)
                at.plot(*_at(row), mark, markersize=self._size, alpha=0.8, **look)
        for curve in drawn if self._kind == TRADEOFF else ():
            if curve.default is not None and curve.steps:
                ring = {"markerfacecolor": "none", "markeredgecolor": INK}
                at.plot(*_at(curve.default), "o", markersize=self._size + 4, **ring)
            if curve.best is not None:
                edge = {"markeredgecolor": INK, "markeredgewidth": 0.7}
                at.plot(*_at(curve.best), "*", markersize=10, zorder=4, color=look_of(curve.number).colour, **edge)

    def _points(self, curve: Curve) -> Sequence[Row]:
        if self._kind == FRONT:
            return curve.front
        default = [curve.default] if curve.default is not None else []
        return (curve.steps or default) if self._kind == TRADEOFF else default

    def _handles(self) -> Iterator[Any]:
        shown = [(curve, row) for drawn in self._panels.values() for curve in drawn for row in self._points(curve)]
        for number, name in dict.fromkeys((curve.number, curve.name) for curve, _ in shown):
            yield _key(name, look_of(number).colour, look_of(number).mark)
        if len({row.reaches == WHILE for _, row in shown}) > 1:
            yield from _arrivals()
        if self._kind == TRADEOFF:
            if any(curve.default and curve.steps for drawn in self._panels.values() for curve in drawn):
                yield _key("default", "none", "o", 9, INK)
            if any(curve.best for drawn in self._panels.values() for curve in drawn):
                yield _key("best within the limits", "white", "*", 10, INK)


def _ticks(named: Mapping[float, str], size: float) -> tuple[list[float], list[str]]:
    """Draws lines at all ticks. In small panels only every third tick and those at the ends have labels."""
    every = 1 if size == LARGE else 2
    names = [name if number % every == 0 else "" for number, name in enumerate(named.values())]
    return list(named), names


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def _wider(span: tuple[float, float]) -> tuple[float, float]:
    """Extends the range of a logarithmic axis, so that marks at its ends are not cut off."""
    return span[0] / 2, span[1] * 2


def _at(row: Row) -> tuple[list[float], list[float]]:
    x, y = place_of(row)
    return [x], [y]


def _key(name: str, colour: str, mark: str, size: float = 6, edge: str = "none") -> Any:
    from matplotlib.lines import Line2D

    handle = Line2D([], [], linestyle="none", marker=mark, markersize=size, label=name)
    handle.set(markerfacecolor=colour, markeredgecolor=edge, alpha=0.8 if edge == "none" else 1)
    return handle
