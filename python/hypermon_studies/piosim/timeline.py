# SPDX-License-Identifier: BSD-3-Clause
"""Figures 7, 8 and 9 of HDTrace's paper: client, network and disk of the simulated run on one axis.

The data are from a run under the monitor `hdtrace`: MPI calls, the server's disk, and its TROVE layer. An operation of
TROVE begins when a packet has arrived; the packet itself is drawn for its time on the server's edge before that.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hypermon_studies import figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import TimeLine

    Spans = NDArray[np.float64]

NAMES = ("figure7", "figure8", "figure9")
PS_PER_SECOND = 10**12
LINES: Mapping[str, str] = {
    "client": "client: MPI calls",
    "disk": "server: disk",
    "network": "server: incoming packets",
}
Window = tuple[float, float]


def spans(line: TimeLine, bytes_per_s: float) -> dict[str, Spans]:
    """Begin and end in s, shape (n, 2), of each of LINES."""
    found: dict[str, Spans] = {}
    for states in line.states:
        of = np.stack([states.begin_ps, states.end_ps], axis=1) / PS_PER_SECOND
        if states.path[1].startswith("server"):
            if states.path[-1] == "DISK":
                found["disk"] = of
            elif states.path[-1] == "TROVE":
                length = np.asarray(states.details["bytes"], np.float64) / bytes_per_s
                found["network"] = np.stack([of[:, 0] - length, of[:, 0]], axis=1)
        elif states.path[-1].startswith("rank"):
            writes = np.array([name.startswith("MPI_File_write") for name in states.names])
            found["client"] = of[writes[states.name]]
    return found


def draw_all(folder: Path, line: TimeLine, bytes_per_s: float) -> None:
    """Writes NAMES as .svg, and also as .csv if the data are few enough to be read."""
    found = spans(line, bytes_per_s)
    for name, (window, unit) in windows(found["client"]).items():
        draw(folder, name, found, window, unit)


def draw(folder: Path, name: str, found: Mapping[str, Spans], window: Window, unit: str) -> None:
    """Writes `folder`/`name`.svg and .csv: what is in the window, in s; the axis in `unit`, s or ms, from its begin."""
    scale = 1000.0 if unit == "ms" else 1.0
    rows: list[tuple[str, float, float]] = []
    with figures.figure(8.0, 2.2) as (made, (axes,)):
        for place, (key, label) in enumerate(LINES.items()):
            shown = (_inside(found[key], window) - window[0]) * scale
            rows += [(label, float(begin), float(end)) for begin, end in shown]
            colour = figures.COLOURS[place]
            axes.broken_barh(_bars(shown), (-place - 0.4, 0.8), facecolors=colour, edgecolors=colour, linewidth=0.4)
        axes.set(
            xlim=(0, (window[1] - window[0]) * scale),
            ylim=(-len(LINES) + 0.4, 0.6),
            yticks=range(0, -len(LINES), -1),
            yticklabels=list(LINES.values()),
            xlabel=unit,
        )
        axes.grid(visible=False, axis="y")
        figures.save(made, folder / f"{name}.svg")
    if len(rows) <= MOST_ROWS:
        figures.rows(folder / f"{name}.csv", ("line", f"begin_{unit}", f"end_{unit}"), rows)


MOST_ROWS = 1000  # (chosen) more rows are useless to a reader
MOST_BARS = 2000  # (chosen) more bars than a chart has columns


def _inside(shown: Spans, window: Window) -> Spans:
    touches = (shown[:, 1] > window[0]) & (shown[:, 0] < window[1])
    return np.clip(shown[touches], *window)


def _bars(shown: Spans) -> Sequence[tuple[float, float]]:
    """Returns begins and lengths of bars; neighbours that are too close to distinguish are merged."""
    if len(shown) > MOST_BARS:
        order = shown[np.argsort(shown[:, 0], kind="stable")]
        gap = (order[:, 1].max() - order[0, 0]) / MOST_BARS
        apart = np.flatnonzero(order[1:, 0] - np.maximum.accumulate(order[:, 1])[:-1] > gap) + 1
        edges = [0, *apart.tolist(), len(order)]
        shown = np.array([(order[a, 0], order[a:b, 1].max()) for a, b in itertools.pairwise(edges)])
    return [(float(begin), float(end - begin)) for begin, end in shown]


def windows(client: Spans) -> dict[str, tuple[Window, str]]:
    """Windows of the paper's figures: the run, the begin of its last checkpoint, and a diagonal with its number."""
    lengths = client[:, 1] - client[:, 0]
    checkpoint = float(client[lengths > 1][-1, 0])
    diagonal = next(i for i in range(1, len(client)) if 1.5 * lengths[i - 1] < lengths[i] < 1)
    number = float(client[diagonal - 1, 0])
    return {
        "figure7": ((0.0, float(client[-1, 1]) + 0.1), "s"),
        "figure8": ((checkpoint - 0.002, checkpoint + 0.1), "ms"),
        "figure9": ((number - 0.0005, number + 0.025), "ms"),
    }
