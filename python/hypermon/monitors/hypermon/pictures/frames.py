# SPDX-License-Identifier: BSD-3-Clause
"""Frames of runs beside each other: their rates, and how much is merged into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon.errors import UserError
from hypermon.pictures.labels import label
from hypermon.pictures.plots import Plot
from hypermon.pictures.runs import name_of, names_of
from hypermon.pictures.style import check_line_count, line_style, panels, styled
from hypermon.pictures.tables import differing_parameters, finished, need

if TYPE_CHECKING:
    import pandas as pd


@styled
def rates(results: Sequence[Mapping[str, Any]]) -> Any:
    """Frames captured, and not lost, per second in a hundred intervals of each run (the paper's Figures 10 to 13)."""
    figure, (axes,) = panels()
    names = names_of(results)
    check_line_count(names, "rates")
    for i, (result, name) in enumerate(zip(results, names, strict=True)):
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
            color=line_style(i)["color"],
            linestyle=line_style(i)["linestyle"],
            label=name,
        )
    axes.set(xlabel="time, s", ylabel="frames captured, 1000/s", ylim=(0, None), xlim=(0, None))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    return figure


@styled
def merging(frame: pd.DataFrame, *, by: str | None = None) -> Any:
    """Share of data that were merged into an earlier datum's frame, against the rate of frames.

    Each mark is one run. Nothing is averaged. Marks of one colour are joined by a line if their designs differ in one
    parameter.

    Args:
        frame: A sweep's table, or that of runs, with a row for each run.
        by: The parameter that colours differ in. By default, the first one in which the runs differ.

    Raises:
        UserError: The table lacks a column, or there are too many colours.
    """
    columns = ["monitor.frames.merged", "monitor.frames.built", "elapsed_s"]
    need(frame, columns + ([by] if by else []), "merging")
    frame = finished(frame)
    by = by or next(iter(differing_parameters(frame, [])), None)
    groups = list(frame.groupby(by)) if by else [("", frame)]
    check_line_count(groups, f"merging: {by}")
    figure, (axes,) = panels()
    for i, (name, group) in enumerate(groups):
        data = group["monitor.frames.merged"] + group["monitor.frames.built"]
        points = group.assign(
            rate=group["monitor.frames.built"] / group["elapsed_s"] / 1e3,
            share=100 * group["monitor.frames.merged"] / data.where(data > 0),
        ).sort_values("rate")
        look = line_style(i)
        if len(differing_parameters(group, [])) > 1 or len(points) == 1:
            look["linestyle"] = "none"
        axes.plot(points["rate"], points["share"], **look, label=str(name))
    axes.set(xlabel="frames built, 1000/s", ylabel="merged event data, %", ylim=(0, None), xlim=(0, None))
    if by:
        figure.legend(*axes.get_legend_handles_labels(), title=label(by), loc="outside right upper")
    return figure


RATES = Plot(rates, lambda sources: rates(sources.runs()))
MERGING = Plot(merging, lambda sources: merging(sources.table(), by=sources.by))
