"""Charts of a run over time: rates from the result, the frame FIFO from a recording, bursts from their series."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hypermon.report.chart import Chart, Table, axis, bar, line, plain
from hypermon.report.facts import Run
from hypermon.report.words import count, percent, seconds, three

TICKS = [base * 10.0**power for power in range(-3, 6) for base in (1, 2, 5)]
BINS = 128  # of the histogram, at most


def charts(run: Run, series: Sequence[tuple[float, int]]) -> list[Chart]:
    """All that there is data for; `series`: begin (s) and event data (B) of the intervals of bursts.csv."""
    found = [timeline(run), rates(run), occupancy(run), frontier(run), bursts(run, series)]
    return [chart for chart in found if chart is not None]


def rates(run: Run) -> Chart | None:
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


def timeline(run: Run) -> Chart | None:
    """Occupancy and losses over time."""
    found, depth = run.recorded and run.recorded.timeline, run.depth
    if not found:
        return None
    begins, built, lost, peaks = (list(found[key]) for key in ("begin_s", "built", "lost", "peak"))
    hover = "%{x:.3f} s: %{y:,} frames"
    data = [
        line("most frames held", begins, peaks, "$blue", hover, line_shape="hv"),
        bar("frames lost", begins, lost, "$red", f"{hover} lost", yaxis="y2"),
    ]
    edge = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": depth, "y1": depth}
    layout = {
        "xaxis": axis("time, s", anchor="y2"),
        "yaxis": axis("held", domain=[0.45, 1], rangemode="tozero"),
        # an axis of nothing would go below zero
        "yaxis2": axis("lost", domain=[0, 0.35], rangemode="tozero", **({} if any(lost) else {"range": [0, 1]})),
        "bargap": 0,
        "shapes": [{**edge, "line": {"color": "$ink", "dash": "dash", "width": 1}}],
    }
    rows = [(f"{t:.4g}", *map(count, numbers)) for t, *numbers in zip(begins, built, lost, peaks, strict=True)]
    return Chart(
        "timeline",
        "The frame FIFO over time",
        f"In each of {len(begins)} intervals: the most frames that it held (dashed: its depth, {count(depth)}), and "
        "the frames lost.",
        plain(data, **layout),
        Table("Frame FIFO in each interval", ("from, s", "built", "lost", "peak"), rows, range(4)),
        height=420,
    )


def occupancy(run: Run) -> Chart | None:
    """How long the frame FIFO held how many frames."""
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
    data = [bar("share", places, shares, "$blue", hover, customdata=names, width=0.9 * wide)]
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


def frontier(run: Run) -> Chart | None:
    """Depth against bandwidth, and where this design stands."""
    found = run.recorded and run.recorded.frontier
    if not found:
        return None
    bandwidth = [b / 1e6 for b in found["bandwidth_bytes_per_s"]]
    least = list(found["least_depth"])
    bound = [b if math.isfinite(b) else None for b in found["bound"]]
    here = {
        "mode": "markers",
        "marker": {"color": "$red" if run.anything_lost else "$green", "size": 12, "symbol": "diamond"},
    }
    hover = "%{x:.3g} MB/s: %{y:,.0f} frames"
    data = [
        line("least depth without loss, exact", bandwidth, least, "$blue", hover, mode="lines+markers"),
        line("bound of network calculus", bandwidth, bound, "$orange", hover, line_dash="dash"),
        line("this design", [4e3 / run.spec["pbx"]["word_ns"]], [run.depth], "$ink", f"this design: {hover}", **here),
    ]
    layout = {
        "xaxis": axis("bandwidth of the drain, MB/s", type="log", tickvals=TICKS, ticktext=[f"{t:g}" for t in TICKS]),
        "yaxis": axis("depth of the frame FIFO, frames", type="log", exponentformat="none", dtick=1),
    }
    rows = [
        (f"{word:g}", three(b), count(depth), count(limit) if limit is not None else "none")
        for word, b, depth, limit in zip(found["word_ns"], bandwidth, least, bound, strict=True)
    ]
    return Chart(
        "frontier",
        "How deep for which bandwidth",
        f"Above the line nothing is lost, for exactly these data and an ideal reader{_but(run)}.",
        plain(data, **layout),
        Table("Bandwidth and buffer", ("word, ns", "MB/s", "least depth, frames", "bound, frames"), rows, range(4)),
        height=400,
    )


def _but(run: Run) -> str:
    return (
        "; this design's reader takes time of its own and needs more" if run.spec["reader"]["kind"] != "ideal" else ""
    )


def bursts(run: Run, series: Sequence[tuple[float, int]]) -> Chart | None:
    """Event data over time, fullest and mean of groups of intervals."""
    if not series:
        return None
    width = float(run.result["bursts"]["interval_ms"]) * 1e-3
    group = int(series[-1][0] / width) // 400 + 1  # about 400 points can be seen
    most: dict[int, float] = {}
    total: dict[int, float] = {}
    for begin, size in series:
        place, rate = round(begin / width) // group, size / width / 1e6
        most[place] = max(most.get(place, 0.0), rate)
        total[place] = total.get(place, 0.0) + rate / group
    places = range(max(most) + 1)
    times = [place * group * width for place in places]
    span, hover = seconds(group * width), "%{x:.3f} s: %{y:.3g} MB/s"
    fullest = [most.get(place, 0.0) for place in places]
    mean = [total.get(place, 0.0) for place in places]
    data = [
        line(f"fullest {seconds(width)} of {span}", times, fullest, "$blue", hover, line_width=1),
        line(f"mean of {span}", times, mean, "$orange", hover),
    ]
    rows = [(f"{t:.4g}", three(a), three(b)) for t, a, b in zip(times, fullest, mean, strict=True)]
    return Chart(
        "bursts",
        "Bursts of event data",
        "The nodes' event data as software records, in short intervals.",
        plain(data, xaxis=axis("time, s"), yaxis=axis("event data, MB/s", rangemode="tozero")),
        Table("Bursts", ("from, s", "fullest, MB/s", "mean, MB/s"), rows, range(3)),
    )
