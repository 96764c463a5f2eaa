# SPDX-License-Identifier: BSD-3-Clause
"""Designs compared with each other: the front of those that no other design beats, and the parameters that determine a
number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon.pictures.labels import label
from hypermon.pictures.style import COLOURS, log_ticks, panels, styled

if TYPE_CHECKING:
    import pandas as pd

WIDTH, HEIGHT = 3.2, 2.6  # inches of a panel
BARS = ("S1", "ST"), ("mu_star",)  # columns that are drawn as bars: Sobol's indices, Morris' effects
SHARES = (-0.1, 1.1)  # wider intervals of few samples are cut off
SAID = {"S1": "alone", "ST": "with all its interactions"}


@styled
def front(designs: pd.DataFrame, best: pd.DataFrame, objectives: Sequence[str]) -> Any:
    """Draws every pair of objectives against each other: all designs, and those that no other beats in every objective.

    `designs`, `best`: a row for each design, with its parameters and objectives in columns. A single objective is drawn
    against each parameter.
    """
    if len(objectives) == 1:
        across = [[(path, objectives[0])] for path in designs.columns if path not in objectives]
        pairs = [list(row) for row in zip(*across, strict=True)]
    else:
        pairs = [[(x, y) for x in objectives[:i]] for i, y in enumerate(objectives) if i]
    columns = max(map(len, pairs))
    from hypermon.pictures.picture import Picture

    figure = Picture(figsize=(max(WIDTH * columns, 4.5), HEIGHT * len(pairs) + 0.4), layout="constrained")
    grid = figure.subplots(len(pairs), columns, squeeze=False)
    for axes_of_row, row in zip(grid, pairs, strict=True):
        for axes in axes_of_row[len(row) :]:
            axes.set_axis_off()
        for axes, (x, y) in zip(axes_of_row, row, strict=False):
            axes.plot(designs[x], designs[y], "o", color="#bbbbbb", markersize=3, label="beaten by another")
            axes.plot(best[x], best[y], "o", color=COLOURS[0], label="beaten by none")
            axes.set(xlabel=label(x), ylabel=label(y))
            _spread(axes.xaxis, designs[x])
            _spread(axes.yaxis, designs[y])
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


def _spread(axis: Any, values: pd.Series[Any]) -> None:
    """Makes the axis logarithmic if the values span several orders of magnitude. Names are not changed."""
    if values.dtype.kind in "if" and values.min() > 0 and values.max() > 30 * values.min():
        log_ticks(axis)


@styled
def sensitivity(table: pd.DataFrame) -> Any:
    """Draws the effect of each parameter on each number as bars with 95 % confidence intervals.

    `table`: index `of`, `parameter`; `S1` and `ST` (Sobol), or `mu_star` (Morris), each with `_conf`.
    """
    import numpy as np

    numbers = list(dict.fromkeys(table.index.get_level_values("of")))
    bars = next(names for names in BARS if names[0] in table.columns)
    parameters = list(dict.fromkeys(table.index.get_level_values("parameter")))
    height = 1.1 + 0.35 * len(parameters)
    figure, all_axes = panels(len(numbers), 1.6 + WIDTH * len(numbers), height)
    places = np.arange(len(parameters))
    for axes, name in zip(all_axes, numbers, strict=True):
        of = table.loc[name].loc[parameters]
        for i, column in enumerate(bars):
            axes.barh(
                places + (i - (len(bars) - 1) / 2) * 0.4,
                of[column],
                0.36 if len(bars) > 1 else 0.6,
                xerr=of[f"{column}_conf"],
                color=COLOURS[i],
                ecolor="#555555",
                label=SAID.get(column),
            )
        axes.set(xlabel=_axis(column=bars[0], of=label(name)), xlim=SHARES if len(bars) > 1 else (0, None))
        axes.set_yticks(places, parameters if axes is all_axes[0] else [])
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
    if len(bars) > 1:
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


def _axis(column: str, of: str) -> str:
    words: Mapping[str, str] = {"S1": "share of the variance of\n", "mu_star": "mean effect of a whole range on\n"}
    return f"{words[column]}{of}"
