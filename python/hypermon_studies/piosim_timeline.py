"""Figures 7, 8 and 9 of HDTrace's paper: client, network and disk of the simulated run on one axis.

From a run that the monitor `hdtrace` records: MPI calls, the server's layers, its disk.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon_studies import figures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States, TimeLine

PS_PER_SECOND = 10**12
LINES: Mapping[str, str] = {"client": "client: MPI calls", "disk": "server: disk", "network": "server: network (BMI)"}
Window = tuple[float, float]


def tracks(line: TimeLine) -> dict[str, States]:
    """The three lines of the paper's figures."""
    found: dict[str, States] = {}
    for states in line.states:
        last = states.path[-1].casefold()
        if last in ("disk", "bmi"):
            if states.path[1].casefold().startswith("server"):
                found["network" if last == "bmi" else "disk"] = states
        elif any(name.startswith("File_") for name in states.names):
            found.setdefault("client", states)
    return found


def spans(states: States, prefix: str = "") -> NDArray[np.float64]:
    """Begin and end in s, shape (n, 2), of the states whose names begin so."""
    wanted = np.array([name.startswith(prefix) for name in states.names] or [False])
    chosen = wanted[states.name]
    return np.stack([states.begin_ps[chosen], states.end_ps[chosen]], axis=1) / PS_PER_SECOND


def draw(folder: Path, name: str, line: TimeLine, window: Window, unit: str) -> None:
    """Writes `folder`/`name`.svg and .csv: what is in the window, in s; the axis in `unit`, s or ms, from its begin."""
    found = tracks(line)
    scale = 1000.0 if unit == "ms" else 1.0
    rows: list[tuple[str, float, float]] = []
    with figures.figure(8.0, 2.2) as (made, (axes,)):
        for place, (key, said) in enumerate(LINES.items()):
            inside = _inside(spans(found[key], "File_" if key == "client" else ""), window)
            shown = (inside - window[0]) * scale
            rows += [(said, float(begin), float(end)) for begin, end in shown]
            axes.broken_barh(_bars(shown), (-place - 0.4, 0.8), facecolors=figures.COLOURS[place], linewidth=0)
        axes.set(
            xlim=(0, (window[1] - window[0]) * scale),
            ylim=(-len(LINES) + 0.4, 0.6),
            yticks=range(0, -len(LINES), -1),
            yticklabels=list(LINES.values()),
            xlabel=unit,
        )
        axes.grid(visible=False, axis="y")
        figures.save(made, folder / f"{name}.svg")
    figures.rows(folder / f"{name}.csv", ("line", f"begin_{unit}", f"end_{unit}"), rows[:MOST_ROWS])


MOST_ROWS = 1000  # (chosen) of a picture's data
MOST_BARS = 2000  # (chosen) more than a picture has columns


def _inside(shown: NDArray[np.float64], window: Window) -> NDArray[np.float64]:
    touches = (shown[:, 1] > window[0]) & (shown[:, 0] < window[1])
    return np.clip(shown[touches], *window)


def _bars(shown: NDArray[np.float64]) -> Sequence[tuple[float, float]]:
    """Beginnings and lengths; what is too near to tell apart as one."""
    if len(shown) > MOST_BARS:
        order = shown[np.argsort(shown[:, 0], kind="stable")]
        gap = (order[:, 1].max() - order[0, 0]) / MOST_BARS
        apart = np.flatnonzero(order[1:, 0] - np.maximum.accumulate(order[:, 1])[:-1] > gap) + 1
        edges = [0, *apart.tolist(), len(order)]
        shown = np.array([(order[a, 0], order[a:b, 1].max()) for a, b in itertools.pairwise(edges)])
    return [(float(begin), float(end - begin)) for begin, end in shown]


def windows(line: TimeLine) -> dict[str, tuple[Window, str]]:
    """Of the paper's figures: the run, the begin of its last checkpoint, one diagonal with its number before it."""
    client: Any = spans(tracks(line)["client"], "File_write")
    lengths = client[:, 1] - client[:, 0]
    checkpoint = client[lengths > 1][-1]
    diagonal = next(i for i in range(1, len(client)) if lengths[i] < 1 and lengths[i] > 1.5 * lengths[i - 1])
    begin = client[diagonal - 1, 0] - 0.0005
    return {
        "figure7": ((0.0, float(client[-1, 1]) + 0.1), "s"),
        "figure8": ((float(checkpoint[0]) - 0.002, float(checkpoint[0]) + 0.1), "ms"),
        "figure9": ((float(begin), float(begin) + 0.025), "ms"),
    }
