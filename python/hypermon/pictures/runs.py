# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of runs beside each other: bursts, slowdown."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._files import sums
from hypermon._model.result import AGAIN, BURSTS, Result
from hypermon.errors import UserError
from hypermon.pictures.style import panels, styled
from hypermon.pictures.tables import apart, finished, need

if TYPE_CHECKING:
    import pandas as pd


def name_of(result: Mapping[str, Any]) -> str:
    spec = result["spec"]
    return f"{spec['workload']}, {_on(spec['nodes'])}"


def names_of(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Of each run; with its folder where runs are called the same."""
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
    """Event data per interval over time, and how much of the data come at which rate (Figure 14)."""
    import numpy as np

    series = read_bursts(result)
    if not series:
        raise UserError(f"{name_of(result)}: has no event data to draw")
    width = result["bursts"]["interval_ms"] * 1e-3
    begin = np.array([t for t, _ in series])
    rate = np.array([count for _, count in series]) / width / 1e6
    group = max(1, int(begin[-1] / width) // 500 + 1)  # at most about 500 points to draw
    place = (begin / width / group + 1e-9).astype(int)
    fullest = np.zeros(place[-1] + 1)
    np.maximum.at(fullest, place, rate)
    mean = np.bincount(place, weights=rate) / group
    figure, (left, right) = panels(2, 9.0, 3.4)
    times = np.arange(len(fullest)) * group * width
    interval = f"{1e3 * width:g} ms"
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
    """By how much each monitor slows each program, against its unobserved run on as many nodes.

    `frame`: rows with `workload`, `nodes`, `monitor` and `elapsed_s` (s); every program needs a row without monitor.
    Several rows of one design, its repeats, count as their mean. A UserError if designs differ in other parameters.
    """
    keys = ["workload", "nodes", "monitor"]
    need(frame, [*keys, "elapsed_s"], "slowdown")
    frame = finished(frame)
    if more := apart(frame, keys):
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
    figure, (axes,) = panels(width=max(4.5, 1.5 + 0.9 * len(means)))
    bar = 0.8 / len(watched)
    for i, monitor in enumerate(watched):
        percent = 100 * (means[monitor] / means["none"] - 1)
        places = [place - 0.4 + bar * (i + 0.5) for place in range(len(means))]
        bars = axes.bar(places, percent, width=0.92 * bar, label=monitor)
        axes.bar_label(bars, fmt="%.3g", fontsize=7, padding=1)
    axes.set_xticks(range(len(means)), [f"{program}\n{_on(nodes)}" for program, nodes in means.index])
    axes.set(ylabel="slowdown, %")
    positive = (means[watched].div(means["none"], axis=0) - 1).to_numpy()
    positive = positive[positive > 0]
    if len(positive) and positive.max() > 30 * positive.min():
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _position: f"{value:g}")
        axes.margins(y=0.1)
    axes.grid(False, axis="x")
    axes.legend(title="monitor", ncols=len(watched), loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure
