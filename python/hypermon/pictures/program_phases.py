# SPDX-License-Identifier: BSD-3-Clause
"""A program's phases: the times of its routines between samples, and the traffic of each network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import routines
from hypermon._model.result import Result
from hypermon._model.routines import OTHERS, Growth, Traffic
from hypermon.pictures.style import styled

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("begin_s", "end_s", "what", "value", "unit")
# Paul Tol's muted scheme, ordered so that neighbours differ, then his light one. They suit colour-blind readers.
COLOURS = ("#332288", "#ddcc77", "#117733", "#cc6677", "#88ccee", "#882255", "#44aa99", "#aa4499", "#999933",
           "#99ddff", "#ee8866", "#bbcc33")  # fmt: skip
GREY = "#dddddd"
NETWORKS = ("#d0006f", "#0033cc", "#000000", "#777777")
"""Colours of the networks' lines above the routines: magenta and blue, as in the paper's figure."""
LEAST_LABEL = 0.012
"""Share of the width below which a phase has no number above it."""


def phases(result: Result, *, of: str = "exclusive", names: Sequence[str] = (), most: int = 11) -> Any:
    """Draws the times of routines between samples, stacked, and the traffic of the nodes' interfaces to each network.

    Args:
        result: A run whose monitor samples profiles (or `timer.exclusive`, `timer.inclusive`) and, for the lines,
            `interface.bytes_sent` and `network.bytes_sent`.
        of: "exclusive" or "inclusive": time in a routine without or with the routines that it calls.
        names: Patterns of routines (`MPI_*`). By default those with the most time.
        most: Largest number of routines; the rest is grey.

    Returns:
        A Matplotlib figure.

    Raises:
        UserError: The run has no such samples, or no such routines.

    Example:
        >>> result = hypermon.run("tau/phases")  # doctest: +SKIP
        >>> figure = hypermon.pictures.phases(result, of="inclusive", names=["[0-9]*"])  # doctest: +SKIP
    """
    return draw(routines.growth(result, of, names, most), routines.traffic(result))


def table(grown: Growth, sent: Sequence[Traffic]) -> pd.DataFrame:
    """Returns the numbers of the chart for each interval: time of each routine, s; traffic of each network, B/s; the
    phases.
    """
    import pandas as pd

    edges = grown.edges_s.tolist()
    rows = [
        (begin, end, routine, value, "s")
        for routine, of in zip(grown.routines, grown.seconds, strict=True)
        for begin, end, value in zip(edges, edges[1:], of.tolist(), strict=False)
    ]
    for one in sent:
        edges = one.edges_s.tolist()
        rows += [
            (begin, end, one.network, value, "B/s")
            for begin, end, value in zip(edges, edges[1:], one.bytes_per_s.tolist(), strict=False)
        ]
    rows += [(begin, end, routine, end - begin, "phase") for routine, begin, end in routines.phases(grown)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


@styled
def draw(grown: Growth, sent: Sequence[Traffic]) -> Any:
    """Returns the figure of these numbers."""
    from hypermon.pictures.picture import Picture

    figure = Picture(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.subplots()
    labels = _labels(grown)
    _stacked(axes, grown, labels)
    _numbered(axes, grown, labels)
    span = (float(grown.edges_s[0]), float(grown.edges_s[-1]))
    axes.set(xlabel="time, s", ylabel="growth of the time in routines, s/s", xlim=span, ylim=(0, 1))
    axes.set_xmargin(0)
    handles, names = axes.get_legend_handles_labels()
    if sent:
        right = axes.twinx()
        right.grid(visible=False)
        right.spines["right"].set_visible(True)
        for colour, one in zip(NETWORKS, sent, strict=False):
            _line(right, one, colour)
        right.set(ylabel="sent over each network, MB/s", ylim=(0, None))
        lines, networks = right.get_legend_handles_labels()
        handles, names = handles + lines, names + networks
    columns = 4 if max(map(len, names)) < 22 else 3
    figure.legend(handles, names, loc="outside lower center", ncols=columns, fontsize=7, handlelength=1.6)
    return figure


def _labels(grown: Growth) -> dict[str, str]:
    """Number of each routine: the number at the beginning of its name if all names have one, else its position."""
    names = [routine for routine in grown.routines if routine != OTHERS]
    own = [re.match(r"\d+(?=\b)", name) for name in names]
    numbers = [one[0] if one and all(own) else str(i + 1) for i, one in enumerate(own)]
    return dict(zip(names, numbers, strict=True)) | {OTHERS: ""}


def _stacked(axes: Any, grown: Growth, labels: dict[str, str]) -> None:
    import numpy as np

    lengths = np.diff(grown.edges_s)
    below = np.zeros(len(lengths))
    for i, (routine, seconds) in enumerate(zip(grown.routines, grown.seconds, strict=True)):
        above = below + seconds / lengths
        label = (
            routine
            if routine.startswith(f"{labels[routine]} ") or routine == OTHERS
            else f"{labels[routine]} {routine}"
        )
        colour = GREY if routine == OTHERS else COLOURS[i % len(COLOURS)]
        axes.stairs(above, grown.edges_s, baseline=below, fill=True, color=colour, alpha=0.8, linewidth=0, label=label)
        below = above


def _numbered(axes: Any, grown: Growth, labels: dict[str, str]) -> None:
    """Numbers each phase that is long enough, above the chart."""
    span = float(grown.edges_s[-1] - grown.edges_s[0])
    for phase in routines.phases(grown):
        if phase.end_s - phase.begin_s > LEAST_LABEL * span:
            middle = 0.5 * (phase.begin_s + phase.end_s)
            axes.annotate(
                labels[phase.routine], (middle, 1), (0, 3), xycoords=("data", "axes fraction"),
                textcoords="offset points", ha="center", fontsize=8,
            )  # fmt: skip


def _line(axes: Any, one: Traffic, colour: str) -> None:
    from matplotlib import patheffects

    axes.stairs(
        one.bytes_per_s / 1e6, one.edges_s, baseline=None, color=colour, linewidth=1.1, label=f"{one.network}, MB/s",
        path_effects=[patheffects.withStroke(linewidth=2.6, foreground="white")],
    )  # fmt: skip
    axes.set_facecolor("none")
