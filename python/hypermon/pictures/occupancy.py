"""What happened inside a frame FIFO, from a recording of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon.pictures.style import COLOURS, panels, styled


@styled
def occupancy(
    timeline: Mapping[str, Sequence[float]],
    histogram: Mapping[str, Sequence[float]],
    *,
    depth: int | None = None,
) -> Any:
    """Peak of the frame FIFO in each interval with the frames lost there, and how long it held how many frames.

    `timeline`: arrays of equal length `begin_s` (s), `built`, `lost` and `peak` (frames); `histogram`: `frames` and
    `share_of_time` (0 to 1); `depth` (frames) is drawn as a line.
    """
    import numpy as np

    figure, (left, right) = panels(2, 9.0, 3.4)
    begin = np.asarray(timeline["begin_s"], dtype=float)
    lost = np.asarray(timeline["lost"], dtype=float)
    left.step(begin, timeline["peak"], where="post", color=COLOURS[0], label="peak, frames")
    if lost.any():
        width = begin[1] - begin[0] if len(begin) > 1 else 1.0
        left.bar(begin, lost, width=width, align="edge", color=COLOURS[1], alpha=0.7, label="lost, frames")
    if depth is not None:
        left.axhline(depth, color="black", linewidth=0.8, linestyle="--", label=f"depth {depth}")
    left.set(xlabel="time, s", ylabel="frames in an interval")
    left.set_yscale("symlog", linthresh=1)
    left.set_ylim(0, None)
    left.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 1.15), ncols=3, fontsize=8)

    frames = np.asarray(histogram["frames"], dtype=float)
    share = 100 * np.asarray(histogram["share_of_time"], dtype=float)
    shown = share > 0
    right.vlines(frames[shown], share[shown].min() / 2, share[shown], color=COLOURS[0], linewidth=1)
    right.plot(frames[shown], share[shown], "o", color=COLOURS[0], markersize=3)
    right.set(xlabel="frames in the frame FIFO", ylabel="share of the time, %", yscale="log")
    right.set_ylim(share[shown].min() / 2, 200)
    right.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
    if frames[shown].max() > 100:
        right.set_xscale("symlog", linthresh=1)
        right.set_xlim(-0.5, 1.5 * frames[shown].max())
        right.xaxis.set_major_formatter(lambda value, _position: f"{value:g}")
    return figure
