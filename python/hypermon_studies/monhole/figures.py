# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study monhole`, each with its numbers as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypermon_studies import figures
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.monhole.cells import BEST, LOSSES, LOST, REPEATED, SHOWN, point
from hypermon_studies.monhole.runs import (
    DEPTHS,
    DRAINS,
    FILL_DRAIN,
    FILL_READ,
    JITTERED,
    RATIOS,
    REPLACE_DRAIN,
    REPLACE_READ,
    SINKS,
    TRAFFICS,
    Traffic,
    policy_name,
)

NAMES = ("decision", "losses")
COLOURS = {
    policy_name(policy): colour
    for policy, colour in zip((REPLACE_READ, FILL_DRAIN, REPLACE_DRAIN, FILL_READ), figures.COLOURS, strict=False)
}
MARKS = ("o", "s", "^", "D", "v")


def draw(folder: Path, found: Cells) -> None:
    """Writes NAMES as .svg and .csv."""
    _decision(folder, found)
    _losses(folder, found)


def chosen(found: Cells, traffic: Traffic) -> dict[tuple[int, int], Cell]:
    """The best policy's cell by the places of ratio and sinks."""
    by_case = {cell.case: cell for cell in found.cells_of(BEST)}
    return {
        (r, s): by_case[point(traffic, ratio, sinks)] for r, ratio in enumerate(RATIOS) for s, sinks in enumerate(SINKS)
    }


def _decision(folder: Path, found: Cells) -> None:
    rows = []
    with figures.figure(10.0, 3.4, panels=len(TRAFFICS)) as (made, panels):
        for axes, traffic in zip(panels, TRAFFICS, strict=True):
            best = chosen(found, traffic)
            for (r, s), cell in best.items():
                axes.add_patch(_tile(r, s, COLOURS[cell.quantity]))
                axes.text(r, s, f"{cell.ours:g}", ha="center", va="center", color="white", fontsize=9)
                rows.append((traffic.name, str(RATIOS[r]), SINKS[s], cell.quantity, cell.ours))
            axes.set(
                xlim=(-0.5, len(RATIOS) - 0.5),
                ylim=(-0.5, len(SINKS) - 0.5),
                xlabel="writes of a rank for each read of a sink",
                ylabel="sinks",
                title=traffic.name,
            )
            axes.set_xticks(range(len(RATIOS)), [str(ratio) for ratio in RATIOS])
            axes.set_yticks(range(len(SINKS)), [str(sinks) for sinks in SINKS])
            axes.grid(visible=False)
        used = {cell.quantity for cell in found.cells_of(BEST)}
        handles = [_tile(0, 0, colour, name) for name, colour in COLOURS.items() if name in used]
        about = "numbers: entries of each rank that it must be able to keep"
        made.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8, title=about)
        figures.save(made, folder / "decision.svg")
    figures.rows(folder / "decision.csv", ("traffic", "ratio", "sinks", "policy", "entries_of_a_rank"), rows)


def _tile(r: int, s: int, colour: str, label: str = "") -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((r - 0.47, s - 0.45), 0.94, 0.9, facecolor=colour, edgecolor="none", label=label)


def _losses(folder: Path, found: Cells) -> None:
    panels_of = (
        (LOST, 1, "% lost, one sink"),
        (LOST, 4, "% lost by the worst of 4 sinks"),
        (REPEATED, 1, "% of what is read: repeated"),
    )
    rows = []
    with figures.figure(11.0, 3.6, panels=len(panels_of)) as (made, panels):
        for axes, (quantity, sinks, label) in zip(panels, panels_of, strict=True):
            for (policy, depth), mark in zip(SHOWN, MARKS, strict=True):
                who = policy_name(policy, depth)
                values = [
                    float(found.at(LOSSES, f"{quantity}, {who}", point(JITTERED, ratio, sinks)).ours)
                    for ratio in RATIOS
                ]
                rows += [(quantity, sinks, who, str(ratio), value) for ratio, value in zip(RATIOS, values, strict=True)]
                axes.plot(
                    range(len(RATIOS)),
                    values,
                    "--" if policy in DRAINS else "-",
                    marker=mark,
                    markersize=4,
                    color=COLOURS[policy_name(policy)],
                    linewidth=4 if policy == REPLACE_READ else 1.5,
                    alpha=0.5 if policy == REPLACE_READ or depth == max(DEPTHS) else 1,
                    label=who,
                )
            axes.set_xticks(range(len(RATIOS)), [str(ratio) for ratio in RATIOS])
            axes.set(xlabel="writes of a rank for each read of a sink", ylabel=label, ylim=(-3, 103))
        panels[0].legend(fontsize=8)
        figures.save(made, folder / "losses.svg")
    figures.rows(folder / "losses.csv", ("quantity", "sinks", "policy", "ratio", "percent"), rows)
