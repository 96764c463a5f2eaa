# SPDX-License-Identifier: BSD-3-Clause
"""Charts of a run over time, including those of its monitor, and of its latencies."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.words import count, percent, plural, seconds, three_digits
from hypermon.pictures.latency import longer
from hypermon.report import view
from hypermon.report.chart import LEGEND, TICKS, Chart, Json, Table, axis, line, plain
from hypermon.report.facts import Run


def charts(run: Run, series: Sequence[tuple[float, int]]) -> list[Chart]:
    """Returns all charts for which there are data. `series`: begin (s) and event data (B) of intervals (bursts.csv)."""
    drawn = bursts(run, series)
    return [*view.find(run.kind).charts(run), *([drawn] if drawn is not None else [])]


def bursts(run: Run, series: Sequence[tuple[float, int]]) -> Chart | None:
    """Returns a chart of event data over time: maximum and mean of groups of intervals."""
    if not series:
        return None
    width = float(run.result["bursts"]["interval_ms"]) * 1e-3
    group = int(series[-1][0] / width) // 400 + 1  # about 400 points can be distinguished
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
    rows = [(f"{t:.4g}", three_digits(a), three_digits(b)) for t, a, b in zip(times, fullest, mean, strict=True)]
    return Chart(
        "bursts",
        "Bursts of event data",
        "The nodes' event data as software records, in short intervals.",
        plain(data, xaxis=axis("time, s"), yaxis=axis("event data, MB/s", rangemode="tozero")),
        Table("Bursts", ("from, s", "fullest, MB/s", "mean, MB/s"), rows, range(3)),
    )


def latency(run: Run) -> Chart | None:
    """Returns a chart of the distribution of latencies."""
    if not run.result["latency_us"] or "distribution" not in run.result["latency_us"]:
        return None
    found = longer(run.result)
    total = found[0][1]
    quantiles = {"median": ("p50", 0.5), "99th percentile": ("p99", 0.99)}
    times = [time for time, _ in found]
    late = [left / total for _, left in found]
    marks = [run.result["latency_us"][key] for key, _ in quantiles.values()]
    step = {"line_shape": "hv"}

    def dots(places: Sequence[float]) -> Json:
        more = {"mode": "markers", "marker": {"color": "$orange", "size": 9}, "customdata": list(quantiles)}
        return line("median, 99th percentile", marks, places, "$orange", "%{customdata}: %{x:,.5g} µs", **more)

    within = [
        line("arrived within", times, [100 * (1 - x) for x in late], "$blue", "%{y:.5g} % within %{x:,.5g} µs", **step),
        dots([100 * share for _, share in quantiles.values()]),
    ]
    hover = "%{customdata:,} events took longer than %{x:,.5g} µs"
    rest = [left for _, left in found]
    tail = [
        line("took longer", times, [100 * (x or 0.5 / total) for x in late], "$blue", hover, customdata=rest, **step),
        dots([100 * (1 - share) for _, share in quantiles.values()]),
    ]
    marked = {"tickvals": TICKS, "ticktext": [f"{t:g}" if t < 1 else count(t) for t in TICKS]}
    across = axis("from emission to delivery, µs", type="log", **marked)
    share = "share of the events, %"
    rows = [(f"{time:.6g}", count(total - left), count(left), percent(left / total)) for time, left in found[1:]]
    return Chart(
        "latency",
        "Latency of the events",
        f"Exact at each step, for all {plural(total, 'event')} that arrived; the line ends at the slowest.",
        {
            "took longer (logarithmic)": {
                "data": tail,
                "layout": {
                    "legend": LEGEND,
                    "xaxis": across,
                    "yaxis": axis(share, type="log", dtick=1, exponentformat="none"),
                },
            },
            "arrived within": {
                "data": within,
                "layout": {"legend": LEGEND, "xaxis": across, "yaxis": axis(share, rangemode="tozero")},
            },
        },
        Table("Latencies", ("µs", "arrived within", "took longer", "of events"), rows, range(4)),
        "Show what",
    )
