# SPDX-License-Identifier: BSD-3-Clause
"""The picture of docs/validation.md: each prediction over the published number, with its interval, by paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypermon._model.words import plural
from hypermon.pictures.style import COLOURS
from hypermon.report.calibration import PREDICTED
from hypermon_studies import figures
from hypermon_studies.cells import BLIND
from hypermon_studies.papers.page import WITHIN
from hypermon_studies.papers.study import Item
from hypermon_studies.validation.counts import error

NEAR = WITHIN[0]
FILE = "predictions.svg"
LIMITS = (0.1, 10.0)  # limits of the axis; a dot outside is drawn as an arrow at its edge
TICKS = (0.1, 0.2, 0.5, 0.8, 1.0, 1.25, 2.0, 5.0, 10.0)
NAMED = 0.25  # (chosen) dots from this error on have their names beside them
KINDS = {
    PREDICTED: (COLOURS[0], "o", "predicted without using the number"),
    BLIND: (COLOURS[1], "D", "predicted blind, before the number was known"),
}
EDGE = 1.03  # place of arrows
LETTER = 0.0145  # width of a letter of a name, in powers of ten of the axis
GAP = 3.0  # rows between papers
STEP = 1.8  # rows of a dot that has a name
ROW = 0.058  # inches
SHORT = 44  # characters of a name
LEGEND_AT = 0.9  # share of the height: next to the many dots on the line


def drawn(items: Sequence[Item]) -> list[Item]:
    """The items that have a place on a logarithmic axis."""
    return [item for item in items if item.error is not None and 1 + item.error > 0]


def left_out(items: Sequence[Item]) -> str:
    """A sentence about the predictions that are not drawn."""
    missing = len(items) - len(drawn(items))
    return f"Not drawn: {plural(missing, 'prediction')} of zero." if missing else ""


def draw(folder: Path, items: Sequence[Item]) -> None:
    """Writes FILE."""
    papers = list(dict.fromkeys(item.paper for item in items))
    shown = drawn(items)
    rows = sum(map(_step, shown)) + STEP * len(papers) + GAP * (len(papers) + 1)
    with figures.figure(7.5, ROW * rows + 0.8) as (made, (axes,)):
        row = 0.0
        for paper in papers:
            own = sorted((item for item in shown if item.paper == paper), key=_ratio, reverse=True)
            row += GAP
            name = f"{paper}: {len(own)} numbers"
            axes.annotate(name, (LIMITS[0], row), (4, 0), textcoords="offset points", va="center", weight="bold")
            row += STEP  # a name may stand below the paper's
            for item in own:
                _dot(axes, item, row)
                row += _step(item)
            axes.axhline(row + GAP / 2 - 0.5, color="#cccccc", linewidth=0.6)
        axes.axvline(1, color="black", linewidth=0.9)
        axes.axvspan(1 - NEAR, 1 + NEAR, color="#dddddd", alpha=0.6, linewidth=0, zorder=0)
        label = f"predicted / published (grey: within {100 * NEAR:.0f} %)"
        axes.set(xscale="log", xlim=LIMITS, ylim=(row + GAP / 2, 0), xlabel=label)
        axes.set_yticks([])
        axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
        axes.minorticks_off()
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False, axis="y")
        _legend(axes)
        figures.save(made, folder / FILE)


def _step(item: Item) -> float:
    return STEP if error(item) >= NAMED else 1.0


def _ratio(item: Item) -> float:
    assert item.error is not None
    return 1 + item.error


def _dot(axes: Any, item: Item, row: float) -> None:
    colour, marker, _ = KINDS[item.kind]
    ratio = _ratio(item)
    ends = ratio, ratio
    if item.interval is not None:
        assert item.ours
        low, high = (max(end, 1e-9) / item.ours * ratio for end in (item.interval.low, item.interval.high))
        ends = max(low, LIMITS[0]), min(high, LIMITS[1])
        axes.plot(ends, [row, row], color=colour, linewidth=1.6, alpha=0.45, solid_capstyle="butt")
    at = min(max(ratio, LIMITS[0] * EDGE), LIMITS[1] / EDGE)
    is_beyond = at != ratio
    shape = ("<" if ratio < 1 else ">") if is_beyond else marker
    axes.plot([at], [row], marker=shape, markersize=3.4, color=colour, linestyle="none")
    if error(item) >= NAMED:
        name = _short(item) + (f" ({ratio:.2g})" if is_beyond else "")
        reach = 10 ** (LETTER * len(name))
        is_left = ends[0] / reach > LIMITS[0] if ratio < 1 else ends[1] * reach > LIMITS[1]
        beside = min(ends[0], at) if is_left else max(ends[1], at)
        axes.annotate(
            name, (beside, row), (-6 if is_left else 6, 0), textcoords="offset points", fontsize=6.5,
            ha="right" if is_left else "left", va="center",
        )  # fmt: skip


def _short(item: Item) -> str:
    """A name that fits beside a dot."""
    place = item.place.rpartition(", ")[2]
    says = item.says.replace('"', "")
    says = says if len(says) <= SHORT else f"{says[: SHORT - 1].rstrip()}…"
    return f"{place}: {says}"


def _legend(axes: Any) -> None:
    from matplotlib.lines import Line2D

    marks: list[Any] = [
        Line2D([], [], color=colour, marker=marker, markersize=4, linestyle="none", label=name)
        for colour, marker, name in KINDS.values()
    ]
    marks.append(Line2D([], [], color="#777777", linewidth=2, alpha=0.6, label="interval"))
    axes.legend(handles=marks, loc="upper right", bbox_to_anchor=(1, LEGEND_AT), fontsize=7.5, handlelength=1.4)
