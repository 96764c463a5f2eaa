# SPDX-License-Identifier: BSD-3-Clause
"""The tree at work: the traffic between agents, and their CPU shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.words import count, per, plural
from hypermon.errors import UserError
from hypermon.monitors.scms.pictures.places import Mark, place
from hypermon.pictures.plots import Plot, Sources
from hypermon.pictures.runs import name_of
from hypermon.pictures.style import COLOURS, styled

WIDE = {"messages_per_s": "messages/s", "bytes_per_s": "B/s"}
COLOURED = {"cpu_share": ("share of a processor, %", 100.0), "messages_per_s": ("messages/s to its parent", 1.0)}
THICKEST, THINNEST = 9.0, 0.25  # points of a line
LARGEST, SMALLEST = 120.0, 6.0  # square points of an agent's mark
MARGIN = 0.17  # share of the width for the description of each level
LABEL_BELOW = 0.36  # share of a level's height from the lowest marks down to their label
STRIP = 0.16  # share of a level's height for leaves that are drawn as one


@styled
def tree(
    agents: Sequence[Mapping[str, Any]], *, wide: str = "bytes_per_s", coloured: str = "cpu_share", title: str = ""
) -> Any:
    """Draws the agents by level, with the root on top. More than 128 CMAs are drawn by partition, with their total
    traffic and the largest CPU share.

    `agents`: each has `parent` (its place in the sequence; None: the root), `dead`, the rates of its messages to its
    parent (`messages_per_s` and `bytes_per_s`), and `cpu_share` (0 to 1). `wide` and `coloured` name the numbers that
    the width of lines and the colour of agents show.
    """
    from hypermon.pictures.picture import Picture

    for given, known, option in ((wide, WIDE, "wide"), (coloured, COLOURED, "coloured")):
        if given not in known:
            raise UserError(f"{option} = {given}: must be one of {', '.join(known)}")
    marks = place(agents)
    levels = 1 + max(mark.level for mark in marks)
    figure = Picture(figsize=(9.0, 0.9 + 1.1 * levels), layout="constrained")
    axes = figure.subplots()
    _lines(axes, marks, wide)
    _marks(figure, axes, marks, coloured)
    _label_levels(axes, marks, wide)
    span = marks[0].end
    axes.set(xlim=(-MARGIN * span, 1.02 * span), ylim=(0.5 - levels, 0.3), xticks=[], yticks=[], title=title)
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


def _lines(axes: Any, marks: Sequence[Mark], wide: str) -> None:
    """Draws lines to the parents, whose width shows the traffic, and labels the largest traffic."""
    from matplotlib.collections import LineCollection

    sending = [(mark, mark.parent) for mark in marks if mark.parent is not None]
    most = max((mark.sum(wide) for mark, _ in sending), default=0.0)
    widths = [max(THINNEST, THICKEST * mark.sum(wide) / most) if most else THINNEST for mark, _ in sending]
    paths = [_curve((parent.x, -parent.level), (mark.x, -mark.level)) for mark, parent in sending]
    axes.add_collection(LineCollection(paths, linewidths=widths, colors="#9aa7b1", capstyle="butt", zorder=1))
    for share in (1.0, 0.1) if most else ():
        axes.plot(
            [],
            [],
            color="#9aa7b1",
            linewidth=THICKEST * share,
            label=f"{_three(most * share)} {WIDE[wide]} to a parent",
        )


def _curve(top: tuple[float, float], bottom: tuple[float, float]) -> Any:
    """A curve that leaves the top mark and enters the bottom mark vertically."""
    import numpy as np

    share = np.linspace(0, 1, 24)
    ease = share * share * (3 - 2 * share)
    return np.column_stack((top[0] + (bottom[0] - top[0]) * ease, top[1] + (bottom[1] - top[1]) * share))


def _marks(figure: Any, axes: Any, marks: Sequence[Mark], coloured: str) -> None:
    import matplotlib as mpl
    import numpy as np
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    words, factor = COLOURED[coloured]
    highest = factor * max(mark.most(coloured) for mark in marks)
    colours = mpl.cm.ScalarMappable(mpl.colors.Normalize(0, highest or 1.0), mpl.colormaps["YlOrRd"])
    alone = [mark for mark in marks if len(mark.agents) == 1]
    together = [mark for mark in marks if len(mark.agents) > 1]

    def colour(mark: Mark) -> Any:
        return colours.to_rgba(np.array(factor * mark.most(coloured)))

    for level in {mark.level for mark in alone}:
        row = [mark for mark in alone if mark.level == level]
        size = min(LARGEST, max(SMALLEST, (500.0 / len(row)) ** 2))
        axes.scatter(
            [mark.x for mark in row],
            [-level] * len(row),
            s=size,
            c=[colour(mark) for mark in row],
            edgecolors="#333333",
            linewidths=0.6 if size > 20 else 0.25,
            zorder=3,
        )
        axes.scatter(
            [mark.x for mark in row if mark.dead],
            [-level for mark in row if mark.dead],
            s=1.6 * size,
            marker="x",
            color=COLOURS[6],
            linewidths=1.6,
            zorder=4,
        )
    strips = [Rectangle((m.begin, -m.level - STRIP), m.end - m.begin, 2 * STRIP) for m in together]
    axes.add_collection(
        PatchCollection(
            strips,
            facecolors=[colour(mark) for mark in together],
            edgecolors="#333333",
            linewidths=min(0.6, 40 / max(1, len(together))),
            zorder=2,
        )
    )
    for mark in (m for m in together if m.dead):
        axes.plot(mark.x, -mark.level - 1.6 * STRIP, "x", color=COLOURS[6], markersize=5, markeredgewidth=1.4)
    if any(mark.dead for mark in marks):
        axes.plot([], [], "x", color=COLOURS[6], linestyle="none", markersize=6, markeredgewidth=1.6, label="dead")
    figure.colorbar(colours, ax=axes, label=words, shrink=0.8, pad=0.01)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left", ncols=3, fontsize=8)


def _label_levels(axes: Any, marks: Sequence[Mark], wide: str) -> None:
    """Labels each level with its number of agents and the data that they send up: the lowest one below its marks, which
    need the whole width of a narrow picture.
    """
    lowest = max(mark.level for mark in marks)
    for level in range(1 + lowest):
        row = [mark for mark in marks if mark.level == level]
        number = sum(len(mark.agents) for mark in row)
        inner = any(mark.below for mark in row)
        leaves = any(not mark.below for mark in row)
        what = "agent" if inner and leaves else "SMA" if inner else "CMA"
        parts = [plural(number, what) if level else "root SMA"]
        if level:
            parts.append(f"{_three(sum(mark.sum(wide) for mark in row))} {WIDE[wide]}")
        if gone := sum(mark.dead for mark in row):
            parts.append(f"{gone} dead")
        below = level == lowest > 0
        axes.text(
            -MARGIN * marks[0].end, -level - LABEL_BELOW * below, (", " if below else "\n").join(parts),
            fontsize=8, color="#333333", va="center", linespacing=1.4,
        )  # fmt: skip


def _three(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else count(value)


def agents_of(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the agents of a run's tree, as `tree` takes them: SMAs by their numbers, then CMAs by node.

    An agent is dead if its SMA took its node for dead at the end.
    """
    found = run["monitor"].get("tree")
    if not found:
        raise UserError(f"{name_of(run)}: has no tree of agents; its monitor is {run['spec']['monitor']}")
    elapsed_s = float(run["elapsed_s"])

    def agent(entry: Mapping[str, Any], parent: int | None) -> dict[str, Any]:
        rates = {f"{of}_per_s": per(entry[of], elapsed_s) for of in ("messages", "bytes")}
        return {"parent": parent, "dead": not entry["alive"], "cpu_share": per(entry["cpu_s"], elapsed_s), **rates}

    return [
        *(agent(sma, sma["parent"]) for sma in found["smas"]),
        *(agent(cma, cma["sma"]) for cma in found["cmas"]),
    ]


def _of(sources: Sources) -> Any:
    run = sources.one()
    return tree(agents_of(run), wide=sources.of or "bytes_per_s", coloured=sources.by or "cpu_share")


TREE = Plot(tree, _of)
