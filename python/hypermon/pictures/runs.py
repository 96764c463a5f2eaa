# SPDX-License-Identifier: BSD-3-Clause
"""Charts that compare runs: bursts, slowdown."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._files import sums
from hypermon._model.result import AGAIN, BURSTS, Result
from hypermon.errors import UserError
from hypermon.pictures.style import line_style, panels, show_zero, styled
from hypermon.pictures.tables import differing_parameters, finished, need

if TYPE_CHECKING:
    import pandas as pd

WIDE = 30  # ratio of the largest to the smallest value from which on an axis is logarithmic


def name_of(result: Mapping[str, Any]) -> str:
    spec = result["spec"]
    return f"{spec['workload']}, {_on(spec['nodes'])}"


def names_of(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name of each run, with its folder where several runs have the same name."""
    names = [name_of(result) for result in results]
    folders = [result.path.name if isinstance(result, Result) and result.is_saved else "" for result in results]
    return [
        f"{name} ({folder})" if folder and names.count(name) > 1 else name
        for name, folder in zip(names, folders, strict=True)
    ]


def _on(nodes: int) -> str:
    return f"{nodes} node{'s' * (nodes != 1)}"


def read_bursts(result: Result) -> list[tuple[float, int]]:
    """Begin (s) and event data (B) of each interval with events, from the run directory's bursts.csv."""
    if not result.has_file(BURSTS):
        raise UserError(f"{result.path}: has no bursts.csv; run it with --set bursts.keep_series=true")
    width = result["bursts"]["interval_ms"] * 1e-3
    text = sums.read(result.folder, BURSTS, AGAIN).decode("utf-8", "replace")
    try:
        return [(int(row["interval_ms"]) * width, int(row["bytes"])) for row in csv.DictReader(text.splitlines())]
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{result.path / BURSTS}: is not what a run writes: {error}") from None


@styled
def bursts(result: Result) -> Any:
    """Draws the event data per interval over time, and the share of the data that arrive at each rate (Figure 14)."""
    import numpy as np

    series = read_bursts(result)
    if not series:
        raise UserError(f"{name_of(result)}: has no event data to draw")
    width = result["bursts"]["interval_ms"] * 1e-3
    begin = np.array([t for t, _ in series])
    rate = np.array([count for _, count in series]) / width / 1e6
    group = max(1, int(begin[-1] / width) // 500 + 1)  # draw at most about 500 points
    place = (begin / width / group + 1e-9).astype(int)
    fullest = np.zeros(place[-1] + 1)
    np.maximum.at(fullest, place, rate)
    mean = np.bincount(place, weights=rate) / group
    figure, (left, right) = panels(2, 9.0, 3.4)
    times = np.arange(len(fullest)) * group * width
    interval = f"{1e3 * width:g} ms"
    if group > 1:  # else both lines are equal
        left.plot(times, fullest, linewidth=0.7, label=f"fullest {interval} of {1e3 * group * width:g} ms")
    left.plot(times, mean, linewidth=0.9, label=f"mean of {1e3 * group * width:g} ms")
    left.set(xlabel="time, s", ylabel="event data, MB/s", ylim=(0, None), xlim=(0, None))
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, fontsize=8)
    rising = np.sort(rate)
    above = 100 * (1 - (np.cumsum(rising) - rising) / rising.sum())
    right.step(rising, above, where="pre")
    right.axvline(result["bursts"]["mean_bytes_per_s"] / 1e6, color="black", linewidth=0.8, linestyle="--")
    right.annotate("mean", (result["bursts"]["mean_bytes_per_s"] / 1e6, 2), xytext=(3, 0), textcoords="offset points")
    right.set(xlabel=f"event data in {interval}, MB/s", ylabel="data in intervals at least so full, %", ylim=(0, 103))
    return figure


@styled
def slowdown(frame: pd.DataFrame) -> Any:
    """Draws the slowdown of each program by each monitor, relative to its run without a monitor on the same number of
    nodes.

    `frame`: rows with `workload`, `nodes`, `monitor` and `elapsed_s` (s); every program needs a row without monitor.
    Several rows of one design, its repeats, count as their mean. Raises a UserError if designs differ in other
    parameters.
    """
    keys = ["workload", "nodes", "monitor"]
    need(frame, [*keys, "elapsed_s"], "slowdown")
    frame = finished(frame)
    if more := differing_parameters(frame, keys):
        raise UserError(
            f"slowdown: runs of a program under a monitor differ in {', '.join(more)}: designs are not averaged; give"
            " runs that are the same in that"
        )
    means = frame.groupby(keys)["elapsed_s"].mean().unstack()
    if "none" in means and (means["none"] == 0).any():
        raise UserError("slowdown: the unobserved run of a program took no time")
    watched = [monitor for monitor in means.columns if monitor != "none"]
    without = [f"{program} on {nodes}" for program, nodes in means.index[means.get("none", means.iloc[:, 0]).isna()]]
    if "none" not in means or without or not watched:
        raise UserError(
            f"slowdown: needs runs with monitor=none and with another{': ' + without[0] if without else ''}"
        )
    percent = {monitor: 100 * (means[monitor] / means["none"] - 1) for monitor in watched}
    figure, (axes,) = panels(width=max(4.5, 1.5 + 0.9 * len(means)))
    values = [v for one in percent.values() for v in one.dropna()]
    positive = [v for v in values if v > 0]
    (_points if min(values) >= 0 and positive and max(positive) > WIDE * min(positive) else _bars)(axes, percent)
    axes.set_xticks(range(len(means)), [f"{program}\n{_on(nodes)}" for program, nodes in means.index])
    axes.set(ylabel="slowdown, %", xlim=(-0.5, len(means) - 0.5))
    axes.grid(False, axis="x")
    axes.legend(title="monitor", ncols=len(watched), loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure


def _bars(axes: Any, percent: Mapping[str, pd.Series[float]]) -> None:
    """Draws bars, whose axis is linear and begins at zero."""
    bar = 0.8 / len(percent)
    for i, (monitor, values) in enumerate(percent.items()):
        places = [place - 0.4 + bar * (i + 0.5) for place in range(len(values))]
        bars = axes.bar(places, values, width=0.92 * bar, label=monitor)
        axes.bar_label(bars, fmt="%.3g", fontsize=7, padding=1)


def _points(axes: Any, percent: Mapping[str, pd.Series[float]]) -> None:
    """Draws marks on a logarithmic axis, on which the length of a bar would mean nothing."""
    step = 0.8 / len(percent)
    for i, (monitor, values) in enumerate(percent.items()):
        places = [place - 0.4 + step * (i + 0.5) for place in range(len(values))]
        axes.plot(places, values, **{**line_style(i), "linestyle": "none"}, markersize=6, label=monitor)
        for place, value in zip(places, values, strict=True):
            if value == value:  # the monitor did not observe this program
                axes.annotate(
                    f"{value:.3g}", (place, value), (0, 5), textcoords="offset points", ha="center", fontsize=7
                )
    show_zero(axes, [value for values in percent.values() for value in values])
    axes.set_ylim(top=2 * max(values.max() for values in percent.values()))  # room for the values
