# SPDX-License-Identifier: BSD-3-Clause
"""Distribution of the events' delivery latency in each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from hypermon.errors import UserError
from hypermon.pictures.runs import name_of, names_of
from hypermon.pictures.style import check_line_count, line_style, log_ticks, panels, styled


def longer(result: Mapping[str, Any]) -> list[tuple[float, int]]:
    """Returns pairs of a latency (us) and the number of events with a larger one, exact at these latencies. The first
    pair counts all events, the last none.

    Empty if no event arrived. Raises a UserError if the result is of a version that did not keep the distribution.
    """
    latency = result["latency_us"]
    if latency is None:
        return []
    if "distribution" not in latency:
        raise UserError(f"{name_of(result)}: has no distribution of latencies; run it again with this version")
    bins = latency["distribution"]
    total = sum(bins["events"])
    left = [total - within for within in accumulate(bins["events"])]
    return [(bins["upper_us"][0], total), *zip(bins["upper_us"], left, strict=True)]


@styled
def latency(results: Sequence[Mapping[str, Any]]) -> Any:
    """Draws the share of the events that arrived within a time and, on a logarithmic axis for the tail, the share of
    the others.
    """
    figure, (left, right) = panels(2, 9.0, 3.4)
    floor = 1.0
    names = names_of(results)
    check_line_count(names, "latency")
    for i, (result, name) in enumerate(zip(results, names, strict=True)):
        found = longer(result)
        if not found:
            raise UserError(
                f"{name_of(result)}: has no latencies; no event travelled under {result['spec']['monitor']}"
            )
        total = found[0][1]
        floor = min(floor, 0.5 / total)
        times = [time for time, _ in found]
        slow = [count / total for _, count in found]
        colour, dashes = line_style(i)["color"], line_style(i)["linestyle"]
        line = {"where": "post", "color": colour, "linestyle": dashes}
        left.step(times, [100 * (1 - share) for share in slow], **line, label=name)
        right.step(times, [share or 0.5 / total for share in slow], **line)
        right.plot(times[-1], 0.5 / total, "|", color=colour, clip_on=False)
        for key, share in (("p50", 0.5), ("p99", 0.01)):
            right.plot(result["latency_us"][key], share, "o", color=colour)
    for axes in (left, right):
        axes.set(xlabel="from emission to delivery, µs")
        log_ticks(axes.xaxis)
    left.set(ylabel="events that arrived within, %", ylim=(0, 103))
    right.set(ylabel="share of events that took longer", yscale="log", ylim=(floor, 1.3))
    right.set_title("dots: median and 99th percentile; end: maximum", fontsize=8)
    figure.legend(loc="outside upper left", ncols=min(3, len(results)), fontsize=8)
    return figure
