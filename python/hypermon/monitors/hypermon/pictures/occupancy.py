# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy of a frame FIFO over time, from a recording of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.words import count
from hypermon.errors import UserError
from hypermon.monitors.hypermon.pictures.recorded import recorded
from hypermon.pictures.plots import Plot, Sources
from hypermon.pictures.style import COLOURS, styled, tick


@styled
def occupancy(
    timeline: Mapping[str, Any],
    histogram: Mapping[str, Sequence[float]],
    *,
    depth: int | None = None,
) -> Any:
    """Draws the level of the frame FIFO over the run and around its peak, the lost frames, and the time at each level.

    `timeline` has arrays of equal length: `begin_s` (s), and for each interval `lost` (number of frames), `peak` and
    `least` (largest and smallest level). It also has `peak_s`, the time of the first peak, and optionally
    `around_peak`, the same arrays for a short time around it. `histogram` has `frames` and `share_of_time` (0 to 1).
    `depth` (frames) is drawn as a line.
    """
    import numpy as np

    from hypermon.pictures.picture import Picture

    lost = np.asarray(timeline["lost"], dtype=float)
    if not any(histogram["share_of_time"]):
        raise UserError("occupancy: no time has passed in the run: there is nothing to draw")
    figure = Picture(figsize=(9.0, 5.4), layout="constrained")
    closely = timeline.get("around_peak")
    above: list[Any] = ["level", "peak"] if closely else ["level", "level"]
    below: list[Any] = ["lost", "histogram"] if lost.any() else ["histogram", "histogram"]
    place = figure.subplot_mosaic([above, below], height_ratios=(3, 2))
    _level(place["level"], timeline, max(timeline["peak"]), timeline["peak_s"], depth)
    if closely:
        _level(place["peak"], closely, max(timeline["peak"]), timeline["peak_s"], depth)
        place["peak"].set_title("around the peak", fontsize=9)
    handles = place["level"].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper left", ncols=3, fontsize=8)
    if lost.any():
        begin = np.asarray(timeline["begin_s"], dtype=float)
        if closely:
            place["lost"].sharex(place["level"])
        place["lost"].bar(begin, lost, width=_width(begin), align="edge", color=COLOURS[1])
        place["lost"].set(xlabel="time, s", ylabel="frames lost", ylim=(0, None))
    right = place["histogram"]
    frames = np.asarray(histogram["frames"], dtype=float)
    share = 100 * np.asarray(histogram["share_of_time"], dtype=float)
    shown = share > 0
    right.plot(frames[shown], share[shown], "o", color=COLOURS[0], markersize=2.5)
    right.set(xlabel="frames in the frame FIFO", ylabel="share of the time, %", yscale="log")
    right.set_ylim(share[shown].min() / 2, 200)
    right.yaxis.set_major_formatter(lambda value, _position: tick(value))
    if frames[shown].max() > 100:
        right.set_xscale("symlog", linthresh=1)
        right.set_xlim(-0.5, 1.5 * frames[shown].max())
        right.xaxis.set_major_formatter(lambda value, _position: tick(value))
    return figure


def _width(begin: Any) -> float:
    """Width of equal intervals."""
    return float(begin[1] - begin[0]) if len(begin) > 1 else 1.0


def _level(axes: Any, part: Mapping[str, Any], highest: int, peak_s: float, depth: int | None) -> None:
    """Between the fewest and the most frames of each interval; the peak is marked, however short it was."""
    import numpy as np

    begin = np.asarray(part["begin_s"], dtype=float)
    edges = np.append(begin, begin[-1] + _width(begin))
    most, fewest = (np.append(part[key], part[key][-1]).astype(float) for key in ("peak", "least"))
    axes.fill_between(
        edges, fewest, most, step="post", color=COLOURS[0], alpha=0.35, linewidth=0, label="fewest to most"
    )
    axes.step(edges, most, where="post", color=COLOURS[0], linewidth=0.8)
    label = f"peak {count(highest)}, first at {peak_s:.6g} s"
    axes.plot(peak_s, highest, "v", color=COLOURS[1], markersize=6, clip_on=False, label=label)
    if depth is not None:
        axes.axhline(depth, color="black", linewidth=0.8, linestyle="--", label=f"depth {count(depth)}")
    axes.set(xlabel="time, s", ylabel="frames held", xlim=(edges[0], edges[-1]))
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(0, 1.5 * max(highest, depth or 0, 1))
    axes.yaxis.set_major_formatter(lambda value, _position: tick(value))


def _of(sources: Sources) -> Any:
    run = sources.one()
    found = recorded(run, "timeline")
    assert found.timeline is not None
    assert found.histogram is not None
    return occupancy(found.timeline, found.histogram, depth=run["spec"]["ecb"]["frame_fifo_frames"])


OCCUPANCY = Plot(occupancy, _of)
