# SPDX-License-Identifier: BSD-3-Clause
"""Charts over time: rates from the result, the frame FIFO from a recording."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hypermon._model.words import SPACE, count, percent, plural, seconds, three_digits
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon.monitors.hypermon.recorded import long_run_limit
from hypermon.report.chart import TICKS, Chart, Json, Table, axis, bar, line, plain

BINS = 128  # largest number of the histogram's bins
EMPTY = 0.5  # place of an empty FIFO on a logarithmic axis of frames


def rates(run: BoardRun) -> Chart | None:
    """Frames over a hundred intervals, and what the bus can carry."""
    found = run.result.get("rates")
    if not found or not sum(found["frames"]):
        return None
    interval = float(found["interval_s"])
    per_s = [frames / interval for frames in found["frames"]]
    begins = [interval * i for i in range(len(per_s) + 1)]
    step = {"line_shape": "hv", "fill": "tozeroy", "fillcolor": "$blue-faint"}
    data = [line("captured", begins, [*per_s, per_s[-1]], "$blue", "%{x:.3f} s: %{y:,.0f} frames/s", **step)]
    if run.read_ns:
        limit = len(run.boards) * 1e9 / run.read_ns
        name = "the bus carries at most"
        data.append(line(name, [0, begins[-1]], [limit] * 2, "$red", "%{y:,.0f} frames/s", line_dash="dash"))
    rows = [
        (f"{begin:.4g}", count(frames), count(rate))
        for begin, frames, rate in zip(begins[:-1], found["frames"], per_s, strict=True)
    ]
    return Chart(
        "rates",
        "Rate of frames",
        f"Frames captured, and not lost, in each hundredth of the run ({seconds(interval)}).",
        plain(data, xaxis=axis("time, s"), yaxis=axis("frames/s", rangemode="tozero")),
        Table("Frames in each hundredth", ("from, s", "frames", "frames/s"), rows, range(3)),
    )


def timeline(run: BoardRun) -> Chart | None:
    """Level and losses over time."""
    found, depth = run.recorded and run.recorded.timeline, run.depth
    if not found:
        return None
    begins, lost, columns = found["begin_s"], found["lost"], ("built", "lost", "least", "peak")
    data = [*_level(found), _peak(found)]
    end = 2 * begins[-1] - begins[-2] if len(begins) > 1 else begins[-1] + 1
    layout: dict[str, Any] = {"xaxis": axis("time, s", range=[0, end]), "yaxis": _held(run), "shapes": [_depth(depth)]}
    if any(lost):
        data.append(bar("frames lost", begins, lost, "$red", "%{x:.3f} s: %{y:,} frames lost", yaxis="y2"))
        layout["xaxis"]["anchor"] = "y2"
        layout["yaxis"]["domain"] = [0.45, 1]
        layout |= {"yaxis2": axis("lost", domain=[0, 0.35], rangemode="tozero"), "bargap": 0}
    rows = [
        (f"{t:.4g}", *map(count, numbers))
        for t, *numbers in zip(begins, *(found[column] for column in columns), strict=True)
    ]
    return Chart(
        "timeline",
        "The frame FIFO over time",
        f"In each of {len(begins)} intervals: the fewest and the most frames that it held (dashed: its depth, "
        f"{count(depth)}){', and the frames lost' * any(lost)}. {_peak_text(found)}",
        plain(data, **layout),
        Table("Frame FIFO in each interval", ("from, s", "built", "lost", "fewest held", "most held"), rows, range(5)),
        height=420,
    )


def peak(run: BoardRun) -> Chart | None:
    """The level around its peak, which may be too short to be seen in the whole run."""
    found = run.recorded and run.recorded.timeline
    near = found and found.get("around_peak")
    if not found or not near or len(near["begin_s"]) < 2 or not max(found["peak"]):
        return None
    begins = near["begin_s"]
    rows = [
        (f"{t:.7g}", count(least), count(most))
        for t, least, most in zip(begins, near["least"], near["peak"], strict=True)
    ]
    layout = {"xaxis": axis("time, s", tickformat=".6~g"), "yaxis": _held(run), "shapes": [_depth(run.depth)]}
    return Chart(
        "peak",
        "The frame FIFO around its peak",
        f"{seconds(begins[-1] - begins[0])} in intervals of {seconds(begins[1] - begins[0])}: the fewest and the most "
        f"frames that it held. {_peak_text(found)}",
        plain([*_level(near), _peak(found)], **layout),
        Table("Frame FIFO around its peak", ("from, s", "fewest held", "most held"), rows, range(3)),
    )


def _held(run: BoardRun) -> Json:
    """The level's chart is logarithmic, so that peaks and depth are visible beside usual levels. An empty FIFO is drawn
    at a half.
    """
    return axis("frames held", type="log", range=[-0.35, math.log10(2 * max(run.depth, 1))], **_decades(run.depth))


def _decades(most: int) -> Json:
    powers = range(int(math.log10(max(most, 1))) + 2)
    return {"tickvals": [EMPTY, *(10**p for p in powers)], "ticktext": ["0", *(count(10**p) for p in powers)]}


def _level(found: Mapping[str, Any]) -> list[Json]:
    begins = found["begin_s"]
    edges = [*begins, begins[-1] + (begins[1] - begins[0] if len(begins) > 1 else 0.0)]
    traces = []
    for name, key, more in (
        ("fewest held", "least", {"line_width": 0.5}),
        ("most held", "peak", {"fill": "tonexty", "fillcolor": "$blue-faint"}),
    ):
        values = [*found[key], found[key][-1]]
        places = [value or EMPTY for value in values]
        hover = f"%{{x:.6g}} s: {name} %{{customdata:,}} frames"
        traces.append(line(name, edges, places, "$blue", hover, line_shape="hv", customdata=values, **more))
    return traces


def _peak(found: Mapping[str, Any]) -> Json:
    highest, when = max(found["peak"]), found["peak_s"]
    name = f"peak: {count(highest)} at {seconds(when)}"
    mark = {"mode": "markers", "marker": {"color": "$red", "size": 10, "symbol": "triangle-down"}, "cliponaxis": False}
    return line(name, [when], [highest or EMPTY], "$red", f"peak: {highest} frames, %{{x:.9g}} s", **mark)


def _peak_text(found: Mapping[str, Any]) -> str:
    return f"Its peak, {plural(max(found['peak']), 'frame')}, was first reached after {found['peak_s']:.9g}{SPACE}s."


def _depth(depth: int) -> Json:
    edge = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": depth, "y1": depth}
    return {**edge, "line": {"color": "$ink", "dash": "dash", "width": 1}}


def occupancy(run: BoardRun) -> Chart | None:
    """Time for which the frame FIFO held each number of frames."""
    found = run.recorded and run.recorded.histogram
    if not found:
        return None
    wide = int(max(found["frames"])) // BINS + 1
    bins: dict[int, float] = {}
    for frames, share in zip(found["frames"], found["share_of_time"], strict=True):
        if share > 0:
            bins[int(frames) // wide] = bins.get(int(frames) // wide, 0.0) + share
    names = [count(b) if wide == 1 else f"{count(b * wide)} to {count((b + 1) * wide - 1)}" for b in bins]
    hover = "%{customdata} frames: %{y:.3g} % of the time"
    places = [(b + 0.5) * wide - 0.5 for b in bins]
    shares = [100 * share for share in bins.values()]
    marks = {"mode": "markers", "marker": {"color": "$blue", "size": 5}}  # bars have no length on a logarithmic axis
    data = [line("share", places, shares, "$blue", hover, customdata=names, **marks)]
    share_axis = axis("share of the time, %", type="log", exponentformat="none", dtick=1)
    return Chart(
        "occupancy",
        "How full the frame FIFO was",
        "Share of the time in which it held so many frames; logarithmic.",
        plain(data, xaxis=axis("frames in the frame FIFO"), yaxis=share_axis),
        Table(
            "How long it held how many frames",
            ("frames", "share of the time"),
            list(zip(names, map(percent, bins.values()), strict=True)),
            (0, 1),
        ),
    )


def frontier(run: BoardRun) -> Chart | None:
    """Depth against bandwidth, for the reader in use and for an ideal one, and where this design stands."""
    found = run.recorded and run.recorded.frontier
    if not found:
        return None
    bandwidth = [b / 1e6 for b in found["bandwidth_bytes_per_s"]]
    least = list(found["least_depth"])
    needed = list(found.get("reader_depth", least))
    bound = [b if math.isfinite(b) else None for b in found["bound"]]
    here = {
        "mode": "markers",
        "marker": {"color": "$red" if run.anything_lost else "$green", "size": 12, "symbol": "diamond"},
    }
    loads, lasts = found.get("load", [None] * len(least)), found.get("lasts", [True] * len(least))
    hover = "%{x:.3g} MB/s: %{y:,.0f} frames"
    symbols = {"mode": "lines+markers", "marker": {"symbol": ["circle" if one else "circle-open" for one in lasts]}}
    data = [
        line("least depth, the reader in use", bandwidth, needed, "$blue", hover, **symbols),
        line("bound of network calculus, an ideal reader", bandwidth, bound, "$orange", hover, line_dash="dash"),
        line("this design", [4e3 / run.spec["pbx"]["word_ns"]], [run.depth], "$ink", f"this design: {hover}", **here),
    ]
    if needed != least:
        data.insert(1, line("least depth, an ideal reader", bandwidth, least, "$sky", hover))
    layout = {
        "xaxis": axis("bandwidth of the drain, MB/s", type="log", tickvals=TICKS, ticktext=[f"{t:g}" for t in TICKS]),
        "yaxis": axis("depth of the frame FIFO, frames", type="log", exponentformat="none", dtick=1),
        **_limit(long_run_limit(found)),
    }
    rows = [
        (
            f"{word:g}",
            three_digits(b),
            count(own),
            count(depth),
            count(limit) if limit is not None else "none",
            percent(load) if load is not None else "",
            "" if for_ever else "no depth is enough",
        )
        for word, b, own, depth, limit, load, for_ever in zip(
            found["word_ns"], bandwidth, needed, least, bound, loads, lasts, strict=True
        )
    ]
    columns = (
        "word, ns",
        "MB/s",
        "least depth, frames",
        "with an ideal reader, frames",
        "bound, frames",
        "load",
        "in the long run",
    )
    hollow = "" if all(lasts) else " Hollow: for a run of this length only; in the long run no depth is enough."
    return Chart(
        "frontier",
        "How deep for which bandwidth",
        f"Above the line of the reader in use nothing is lost, for exactly these data.{hollow}",
        plain(data, **layout),
        Table("Bandwidth and buffer", columns, rows, range(6)),
        height=400,
    )


def _limit(bytes_per_s: float | None) -> Json:
    """Returns the shape of the long-run limit. Positions on a logarithmic axis are exponents in annotations only."""
    if bytes_per_s is None:
        return {}
    at = bytes_per_s / 1e6
    edge = {"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1}
    text = {"x": math.log10(at), "y": 0.02, "yref": "paper", "textangle": -90, "showarrow": False}
    return {
        "shapes": [{**edge, "line": {"color": "$ink", "dash": "dot", "width": 1}}],
        "annotations": [
            {**text, "text": "no depth is enough", "xanchor": "right", "yanchor": "bottom", "font": {"color": "$muted"}}
        ],
    }
