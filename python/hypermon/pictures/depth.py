# SPDX-License-Identifier: BSD-3-Clause
"""How deep must a buffer be? Loss against depth."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from hypermon._model import monitors, vocabulary
from hypermon.pictures.labels import label
from hypermon.pictures.style import COLOURS, MARKERS, log2_ticks, panels, show_zero, styled
from hypermon.pictures.tables import finished, need

if TYPE_CHECKING:
    import pandas as pd


@styled
def loss_against_depth(
    frame: pd.DataFrame,
    *,
    depth: str | None = None,
    loss: str | None = None,
    by: str | None = None,
) -> Any:
    """Loss over depth, both logarithmic, no loss at the bottom; a line for each value of `by`.

    `frame`: a sweep's table, a row a point. Where points share depth and `by` (repeats, other parameters), the line is
    their mean and a band goes from the least to the most. `depth`, `loss`: a parameter and a result; by default what a
    monitor is sized by, and its own losses.
    """
    sized, lost = _default(frame)
    depth, loss = depth or sized, loss or lost
    need(frame, [depth, loss, *([by] if by else [])], "loss against depth")
    frame = finished(frame)
    groups = list(frame.groupby(by)) if by else [("", frame)]
    figure, (axes,) = panels()
    for (name, group), colour, marker in zip(groups, cycle(COLOURS), cycle(MARKERS), strict=False):
        found = group.groupby(depth)[loss].agg(["min", "mean", "max"])
        axes.plot(found.index, found["mean"], marker=marker, color=colour, label=str(name), clip_on=False)
        if (found["min"] != found["max"]).any():
            axes.fill_between(found.index, found["min"], found["max"], color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel=label(depth), ylabel=label(loss))
    log2_ticks(axes.xaxis)
    show_zero(axes, frame[loss])
    if by:
        axes.legend(title=label(by), loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def _default(frame: pd.DataFrame) -> tuple[str, str]:
    """Of the monitor whose the table is, or is most likely to be."""
    all_losses = "ledger.lost_total.events"
    own = [
        (of.sized, next((path for path, _, _ in monitors.of(name).losses.values()), all_losses))
        for name, of in vocabulary.by_monitor().items()
        if of.sized
    ]
    return max(own, key=lambda pair: sum(name in frame for name in pair), default=("", all_losses))
