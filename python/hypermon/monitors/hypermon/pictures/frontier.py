# SPDX-License-Identifier: BSD-3-Clause
"""The frontier of bandwidth and buffer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon.monitors.hypermon.pictures.recorded import recorded
from hypermon.pictures.labels import label
from hypermon.pictures.plots import Plot, Sources
from hypermon.pictures.style import COLOURS, log2_ticks, panels, styled


@styled
def frontier(data: Mapping[str, Sequence[float]]) -> Any:
    """The least depth without loss for every drain bandwidth, and what network calculus bounds it with.

    `data`: arrays of equal length `bandwidth_bytes_per_s` (B/s), `least_depth` (frames) and `bound` (frames; not
    finite where the data come faster than they are read); perhaps `lasts`: where not, no depth is enough in the long
    run, and the point is hollow.
    """
    import numpy as np

    bandwidth = np.asarray(data["bandwidth_bytes_per_s"], dtype=float) / 1e6
    order = np.argsort(bandwidth)
    least = np.asarray(data["least_depth"], dtype=float)[order]
    bound = np.asarray(data["bound"], dtype=float)[order]
    bandwidth = bandwidth[order]
    bound[~np.isfinite(bound)] = np.nan
    figure, (axes,) = panels()
    axes.fill_between(bandwidth, least, 2 * np.nanmax([*least, *bound]), color=COLOURS[2], alpha=0.08, linewidth=0)
    axes.annotate("no loss", (0.97, 0.75), xycoords="axes fraction", ha="right", color=COLOURS[2])
    axes.plot(bandwidth, bound, color=COLOURS[1], linestyle="--", label="bound of network calculus")
    axes.plot(bandwidth, least, color=COLOURS[0], marker="o", label="least depth without loss, exact")
    lasts = np.asarray(data.get("lasts", [True] * len(order)), dtype=bool)[order]
    if not lasts.all():
        hollow = {"marker": "o", "color": COLOURS[0], "markerfacecolor": "white", "linestyle": "none", "zorder": 3}
        axes.plot(bandwidth[~lasts], least[~lasts], **hollow, label="for this run only: in the long run no depth does")
    axes.set(xlabel="bandwidth of the drain, MB/s", ylabel=label("ecb.frame_fifo_frames"), xscale="log")
    axes.xaxis.set_major_formatter(lambda value, _position: f"{value:g}")
    axes.xaxis.set_minor_formatter(lambda value, _position: f"{value:g}" if f"{value:e}"[0] in "25" else "")
    log2_ticks(axes.yaxis)
    axes.legend()
    return figure


def _of(sources: Sources) -> Any:
    return frontier(recorded(sources.one(), "frontier").frontier or {})


FRONTIER = Plot(frontier, _of)
