# SPDX-License-Identifier: BSD-3-Clause
"""Frames of runs beside each other: their rates, and how much is merged into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from hypermon.errors import UserError
from hypermon.pictures.labels import label
from hypermon.pictures.plots import Plot
from hypermon.pictures.runs import name_of, names_of
from hypermon.pictures.style import COLOURS, MARKERS, panels, styled
from hypermon.pictures.tables import finished, need

if TYPE_CHECKING:
    import pandas as pd


@styled
def rates(results: Sequence[Mapping[str, Any]]) -> Any:
    """Frames captured, and not lost, per second in a hundred intervals of each run (the paper's Figures 10 to 13)."""
    figure, (axes,) = panels()
    for result, name in zip(results, names_of(results), strict=True):
        if not result.get("rates"):
            raise UserError(f"{name_of(result)}: has no frame rates; its monitor is {result['spec']['monitor']}")
        interval = result["rates"]["interval_s"]
        if not interval:
            raise UserError(f"{name_of(result)}: has no frame rates; its measured section took no time")
        frames = result["rates"]["frames"]
        axes.step(
            [interval * i for i in range(len(frames) + 1)],
            [count / interval / 1e3 for count in [*frames, frames[-1]]],
            where="post",
            label=name,
        )
    axes.set(xlabel="time, s", ylabel="frames captured, 1000/s", ylim=(0, None), xlim=(0, None))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    return figure


@styled
def merging(frame: pd.DataFrame, *, by: str | None = None) -> Any:
    """Share of data that were merged into an earlier datum's frame, against the rate of frames; a mark a run."""
    columns = ["monitor.frames.merged", "monitor.frames.built", "elapsed_s"]
    need(frame, columns + ([by] if by else []), "merging")
    frame = finished(frame)
    figure, (axes,) = panels()
    groups = list(frame.groupby(by)) if by else [("", frame)]
    for (name, group), colour, marker in zip(groups, cycle(COLOURS), cycle(MARKERS), strict=False):
        points = group.assign(
            rate=group["monitor.frames.built"] / group["elapsed_s"] / 1e3,
            share=100
            * group["monitor.frames.merged"]
            / (group["monitor.frames.merged"] + group["monitor.frames.built"]),
        ).sort_values("rate")
        line = "-" if len(points) > 1 else ""
        axes.plot(points["rate"], points["share"], marker=marker, linestyle=line, color=colour, label=str(name))
    axes.set(xlabel="frames built, 1000/s", ylabel="merged event data, %", ylim=(0, None), xlim=(0, None))
    if by:
        axes.legend(title=label(by))
    return figure


RATES = Plot(rates, lambda sources: rates(sources.runs()))
MERGING = Plot(merging, lambda sources: merging(sources.table(), by=sources.by))
