# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a comparison, with a panel for each quantity and a bar for each run, or each program and design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypermon._comparing import designs
from hypermon._comparing.comparison import Differences, Row, direction
from hypermon.errors import UserError
from hypermon.pictures.style import COLOURS, styled

COLUMNS = 3  # columns of panels
MOST = 12  # most panels
MOST_PARAMETERS = 3  # number of parameters in each run's heading
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo")  # distinguish bars in print without colour


@styled
def draw(comparison: Differences) -> Any:
    """Returns the Matplotlib figure."""
    return _designs(comparison) if comparison.kind == "designs" else _runs(comparison)


def shown(comparison: Differences) -> list[Row]:
    """Returns the main results that differ between runs, the important ones first."""
    rows = [row for row in comparison.results[: comparison.main] if row.importance]
    return sorted(rows, key=lambda row: not row.better)[:MOST]


def about(comparison: Differences, i: int) -> str:
    """Names a run with its own values of the parameters that differ."""
    own = [f"{row.path} {row.cell(row.values[i])}" for row in comparison.parameters[:MOST_PARAMETERS]]
    more = len(comparison.parameters) - len(own)
    return f"{comparison.names[i]}: {', '.join([*own, *([f'{more} more'] if more else [])])}".removesuffix(": ")


def _runs(comparison: Differences) -> Any:
    from hypermon.pictures.picture import Picture

    rows = shown(comparison)
    if not rows:
        raise UserError("compare: no main result differs, so there is nothing to draw")
    lines = -(-len(rows) // COLUMNS)
    across = min(COLUMNS, len(rows))
    count = len(comparison.names)
    figure = Picture(figsize=(3.3 * across, 0.5 + 0.2 * count + lines * (0.75 + 0.24 * count)), layout="constrained")
    axes = figure.subplots(lines, across, squeeze=False)
    for i, axis in enumerate(axes.flat):
        if i >= len(rows):
            axis.set_visible(False)
            continue
        row = rows[i]
        factor = 100 if row.unit == "%" else 1
        bars = axis.barh(range(count), [factor * float(v or 0) for v in row.values], 0.7)
        for j, (bar, value) in enumerate(zip(bars, row.values, strict=True)):
            bar.set(facecolor=COLOURS[j % len(COLOURS)], hatch=HATCHES[j % len(HATCHES)], edgecolor="white")
            weight = "bold" if j in row.best else "normal"
            axis.annotate(
                row.cell(value), (max(0.0, bar.get_width()), j), (3, 0), textcoords="offset points", va="center",
                fontsize=7.5, weight=weight,
            )  # fmt: skip
        axis.set_yticks(range(count), comparison.names if i % across == 0 else [""] * count)
        axis.set(ylim=(count - 0.45, -0.55), xlim=(0, 1.6 * max(axis.get_xlim()[1], 1e-9)))
        axis.set_title(row.label, fontsize=8.5, loc="left")
        axis.tick_params(axis="x", labelbottom=False, length=0)
        axis.tick_params(axis="y", length=0)
        axis.grid(False)
        axis.spines["bottom"].set_visible(False)
    handles = list(axes.flat[0].patches)
    figure.legend(handles, [about(comparison, i) for i in range(count)], loc="outside upper left", fontsize=8)
    figure.supxlabel(f"bold: better ({direction([row for row in rows if row.best])})", fontsize=7.5, x=0.99, ha="right")
    return figure


def _designs(comparison: Differences) -> Any:
    from hypermon.pictures.picture import Picture

    found = designs.programs(comparison)
    places = [f"{program}, {nodes}" for program, nodes in found]
    figure = Picture(figsize=(9.0, 1.3 + len(places) * (0.1 + 0.13 * len(comparison.names))), layout="constrained")
    left, right = figure.subplots(1, 2)
    _panel(left, comparison, [rows["lost_events_share"] for rows in found.values()], "events lost, %")
    _panel(right, comparison, [rows["slowdown"] for rows in found.values()], "slowdown, %")
    left.set_yticks(range(len(places)), places)
    right.set_yticks(range(len(places)), [""] * len(places))
    left.set_ylabel("program, nodes")
    handles, names = left.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper left", ncols=min(4, len(names)))
    return figure


def _panel(axis: Any, comparison: Differences, rows: Sequence[Row], label: str) -> None:
    count = len(comparison.names)
    height = 0.8 / count
    for i, name in enumerate(comparison.names):
        values = [100 * float(row.values[i] or 0) for row in rows]
        places = [place + (i - (count - 1) / 2) * height for place in range(len(rows))]
        style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], "edgecolor": "white"}
        axis.barh(places, values, 0.92 * height, label=name, linewidth=0, **style)
    largest = max((100 * float(v or 0) for row in rows for v in row.values), default=0)
    axis.set(xlabel=label, ylim=(len(rows) - 0.4, -0.6), xlim=(0, None if largest else 1))
    axis.grid(False, axis="y")
