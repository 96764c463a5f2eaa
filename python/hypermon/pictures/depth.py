# SPDX-License-Identifier: BSD-3-Clause
"""Loss against the depth of a buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon._model import monitors, vocabulary
from hypermon.errors import UserError
from hypermon.pictures.labels import label
from hypermon.pictures.style import (
    MOST_TICKS,
    check_line_count,
    line_style,
    log2_ticks,
    panels,
    show_zero,
    styled,
    tick,
)
from hypermon.pictures.tables import differing_parameters, finished, need

if TYPE_CHECKING:
    import pandas as pd


WIDTH, HEIGHT = 3.6, 3.2  # inches of a panel of several
MOST_PANELS = 12
TICKS_OF_PANEL = 5
MARKER, RING = 4.0, 1.6  # points: size of the last line's markers, and by how much those beneath are larger


@styled
def loss_against_depth(
    frame: pd.DataFrame,
    *,
    depth: str | None = None,
    loss: str | None = None,
    by: str | None = None,
) -> Any:
    """Draws loss over depth on logarithmic axes, with zero loss at the bottom and a line for each value of `by`.

    The repeats of a design are drawn as their mean, with a band from the smallest to the largest. Designs are never
    averaged: a further parameter in which they differ becomes `by`, and one more becomes panels.

    Args:
        frame: A sweep's table, with a row for each point.
        depth: The parameter of the horizontal axis; by default the one by which the monitor is sized.
        loss: The result to draw; by default the monitor's own losses.
        by: The parameter that distinguishes the lines.

    Raises:
        UserError: The table lacks one of these columns, or its designs differ in more than two further parameters.
    """
    sized, lost = _default(frame)
    depth, loss = depth or sized, loss or lost
    need(frame, [depth, loss, *([by] if by else [])], "loss against depth")
    frame = finished(frame)
    by = by or next(iter(differing_parameters(frame, [depth])), None)
    of_lines = [depth, *([by] if by else [])]
    panel = next(iter(differing_parameters(frame, of_lines)), None)
    if panel and (more := differing_parameters(frame, [*of_lines, panel])):
        raise UserError(
            f"loss against {depth}: designs differ in {by}, {panel}, {', '.join(more)}: one can be colours and one"
            " panels; give points that differ in two of these"
        )
    parts = list(frame.groupby(panel)) if panel else [(None, frame)]
    if len(parts) > MOST_PANELS:
        raise UserError(
            f"loss against {depth}: {panel} has {len(parts)} values, and each has a panel: {MOST_PANELS} can"
        )
    colours = list(frame[by].drop_duplicates().sort_values()) if by else [None]
    check_line_count(colours, f"loss against {depth}: {by}")
    figure, all_axes = _grid(len(parts))
    for axes, (value, part) in zip(all_axes, parts, strict=True):
        for i, name in enumerate(colours):
            own, text = (part, "") if by is None else (part[part[by] == name], _text(name))
            _line(axes, own, (depth, loss), i, len(colours), text)
        axes.set(xlabel=label(depth), ylabel=label(loss))
        if panel:
            axes.set_title(f"{label(panel)}: {_text(value)}", fontsize=8)
        log2_ticks(axes.xaxis, TICKS_OF_PANEL if panel else MOST_TICKS)
        show_zero(axes, frame[loss])
    if by:
        handles, names = all_axes[0].get_legend_handles_labels()
        figure.legend(handles, names, title=label(by), loc="outside right upper")
    return figure


def _grid(count: int) -> tuple[Any, list[Any]]:
    """Axes in rows of three at most; a single one is as large as other pictures."""
    if count == 1:
        return panels()
    from hypermon.pictures.picture import Picture

    columns = min(count, 3)
    rows = -(-count // columns)
    figure = Picture(figsize=(WIDTH * columns, HEIGHT * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for empty in axes[count:]:
        empty.set_axis_off()
    return figure, axes[:count]


def _text(value: object) -> str:
    return tick(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _line(axes: Any, points: pd.DataFrame, what: tuple[str, str], number: int, count: int, name: str) -> None:
    """Draws one line. Lines beneath have larger markers, so that lines with equal values are all seen."""
    depth, loss = what
    found = points.groupby(depth)[loss].agg(["min", "mean", "max"])
    size = MARKER + RING * min(count - 1 - number, 6)
    look = line_style(number)
    axes.plot(found.index, found["mean"], **look, markersize=size, label=name, clip_on=False)
    if (found["min"] != found["max"]).any():
        axes.fill_between(found.index, found["min"], found["max"], color=look["color"], alpha=0.15, linewidth=0)


def _default(frame: pd.DataFrame) -> tuple[str, str]:
    """Buffer size and loss of the monitor that the table most probably comes from."""
    all_losses = "ledger.lost_total.events"
    own = [
        (of.sized, next((path for path, _, _ in monitors.find(name).losses.values()), all_losses))
        for name, of in vocabulary.by_monitor().items()
        if of.sized
    ]

    def likely(pair: tuple[str, str]) -> tuple[bool, int]:
        sized = pair[0]
        return sized in frame and frame[sized].nunique() > 1, sum(name in frame for name in pair)

    return max(own, key=likely, default=("", all_losses))
