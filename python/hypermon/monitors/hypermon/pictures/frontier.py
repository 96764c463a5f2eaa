# SPDX-License-Identifier: BSD-3-Clause
"""The frontier of bandwidth and buffer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._model.words import count
from hypermon.monitors.hypermon.pictures.recorded import recorded
from hypermon.monitors.hypermon.recorded import long_run_limit
from hypermon.pictures.labels import label
from hypermon.pictures.plots import Plot, Sources
from hypermon.pictures.style import COLOURS, log2_ticks, log_ticks, panels, styled

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOST, KEPT = COLOURS[1], COLOURS[2]


class Design(NamedTuple):
    """A design in the picture: the bandwidth of its drain (B/s), the depth of its frame FIFO, the frames it lost."""

    bandwidth_bytes_per_s: float
    depth: int
    lost: int


@styled
def frontier(data: Mapping[str, Sequence[float]], *, design: Design | None = None) -> Any:
    """The depth without loss for each drain bandwidth: for the reader in use, for an ideal one, and its bound.

    Args:
        data: Arrays of equal length `bandwidth_bytes_per_s` (B/s), `least_depth` (frames, an ideal reader) and `bound`
            (frames; not finite where frames arrive faster than they are read). Optional: `reader_depth` (frames, the
            reader in use); `load`, whose crossing of 1 is the long-run limit; and `lasts`, false where no depth is
            enough in the long run. Such points are hollow.
        design: The design of the run. It is red if it lost frames.
    """
    import numpy as np

    order = np.argsort(np.asarray(data["bandwidth_bytes_per_s"], dtype=float))
    bandwidth, ideal, bound = (
        np.asarray(data[key], dtype=float)[order] for key in ("bandwidth_bytes_per_s", "least_depth", "bound")
    )
    bandwidth = bandwidth / 1e6
    bound[~np.isfinite(bound)] = np.nan
    needed = np.asarray(data.get("reader_depth", data["least_depth"]), dtype=float)[order]
    lasts = np.asarray(data.get("lasts", [True] * len(order)), dtype=bool)[order]
    limit = long_run_limit(data)
    figure, (axes,) = panels(height=3.9)
    top = 4 * np.nanmax([*ideal, *bound, *needed, design.depth if design else 1])
    _area(axes, bandwidth, needed, top, limit)
    own = "least depth, the reader in use" if (needed != ideal).any() else "least depth without loss, exact"
    axes.plot(bandwidth, needed, color=COLOURS[0], marker="o", label=own)
    if (needed != ideal).any():
        axes.plot(bandwidth, ideal, color=COLOURS[5], marker="s", markersize=3, label="least depth, an ideal reader")
    axes.plot(bandwidth, bound, color=COLOURS[4], linestyle="--", label="bound of network calculus, an ideal reader")
    if not lasts.all():
        hollow = {"marker": "o", "color": COLOURS[0], "markerfacecolor": "white", "linestyle": "none", "zorder": 3}
        axes.plot(bandwidth[~lasts], needed[~lasts], **hollow, label="enough for a run of this length only")
    if design:
        _design(axes, design)
    axes.set(xlabel="bandwidth of the drain, MB/s", ylabel=label("ecb.frame_fifo_frames"))
    log_ticks(axes.xaxis)
    log2_ticks(axes.yaxis)
    axes.set_ylim(min(1.0, np.nanmin([*ideal, *needed])) / 1.4 or 0.7, top)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2, fontsize=8)
    return figure


def _area(axes: Any, bandwidth: NDArray[Any], needed: NDArray[Any], top: float, limit: float | None) -> None:
    """Shades the designs that lose nothing. To the left of the long-run limit there are none."""
    import numpy as np

    begin = limit / 1e6 if limit else bandwidth[0]
    at_begin = np.exp(np.interp(np.log(begin), np.log(bandwidth), np.log(np.maximum(needed, 1))))
    inside = bandwidth > begin
    x, y = [begin, *bandwidth[inside]], [at_begin, *needed[inside]]
    axes.fill_between(x, y, top, color=KEPT, alpha=0.08, linewidth=0)
    axes.annotate("no loss", (0.97, 0.85), xycoords="axes fraction", ha="right", color=KEPT)
    if limit:
        axes.axvline(begin, color="black", linewidth=0.8, linestyle=":", label="long-run limit: the load is 100 %")
        axes.annotate(
            "no depth is enough", (begin, 0.03), (-4, 0), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="right", va="bottom", rotation=90, fontsize=7.5, color="#555555",
        )  # fmt: skip


def _design(axes: Any, design: Design) -> None:
    lost = f"lost {count(design.lost)} frames" if design.lost else "lost nothing"
    label = f"this design: {count(design.depth)} frames, {lost}"
    place = [design.bandwidth_bytes_per_s / 1e6], [design.depth]
    marker, colour = ("X", LOST) if design.lost else ("D", KEPT)
    axes.plot(*place, marker, color=colour, markersize=8, markeredgecolor="white", zorder=4, label=label)


def _of(sources: Sources) -> Any:
    run = sources.one()
    found = recorded(run, "frontier").frontier or {}
    spec = run["spec"]
    lost = int(run["monitor"]["frames"]["lost"])
    design = Design(4e9 / spec["pbx"]["word_ns"], int(spec["ecb"]["frame_fifo_frames"]), lost)
    return frontier(found, design=design)


FRONTIER = Plot(frontier, _of)
