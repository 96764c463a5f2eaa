# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study hpvm`, each with its numbers as CSV."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypermon_studies import figures
from hypermon_studies.cells import Cells
from hypermon_studies.hpvm import samples as seen
from hypermon_studies.hpvm.cells import (
    BY_NODE,
    COST,
    COST_OF_800_S,
    DEFAULTS,
    DISTURBED,
    ELAPSED,
    FM_BYTES,
    OVERHEAD,
    SECONDS,
    SHARES_OF_CPU,
    share,
    title,
)
from hypermon_studies.hpvm.runs import (
    ALONE,
    COMPETITOR,
    COUNTERS,
    FIGURE_2,
    INTERVALS,
    NEIGHBOUR,
    NODES,
    Key,
    Runs,
    nodes_of,
    polled,
)

SPAN = {"color": "black", "alpha": 0.12, "linewidth": 0, "zorder": 0}
PAPER = {"color": "black", "linestyle": "none", "marker": "D", "markersize": 5, "label": "paper"}
NAMES = ("figure2", "figure3", "figure4", "cpu", "disturbed", "overhead")


def draw(folder: Path, runs: Runs, found: Cells) -> None:
    """Writes NAMES as .svg and .csv."""
    _figure_2(folder, runs)
    _figure_3(folder, found)
    _figure_4(folder, runs)
    _cpu(folder, runs)
    _disturbed(folder, found)
    _overhead(folder, found)


def _figure_2(folder: Path, runs: Runs) -> None:
    results = [runs[FIGURE_2, nodes_of(n)] for n in NODES]
    elapsed, shares = [float(r["elapsed_s"]) for r in results], [share(r) for r in results]
    figures.rows(
        folder / "figure2.csv",
        ("nodes", "elapsed_s", "collective_percent"),
        list(zip(NODES, elapsed, shares, strict=True)),
    )
    with figures.figure(9.0, 3.4, 2) as (made, (a, b)):
        a.plot(NODES, elapsed, marker="o", markersize=4, label="hypermon")
        a.plot(list(SECONDS), list(SECONDS.values()), **PAPER)
        a.set(xlabel="nodes", ylabel="s", title="elapsed", ylim=(0, None))
        b.plot(NODES, shares, marker="o", markersize=4, label="hypermon")
        b.plot([12], [20], **PAPER)
        b.plot([8, 8], [100 * 11 / 109, 100 * 19 / 109], color="black", linewidth=1, label="paper: from node to node")
        b.set(xlabel="nodes", ylabel="% of elapsed", title="in collective calls", ylim=(0, None))
        for axes in (a, b):
            axes.legend()
        figures.save(made, folder / "figure2.svg")


def _figure_3(folder: Path, found: Cells) -> None:
    cases = [case for case in found.cases(BY_NODE) if case.startswith("node ")]
    elapsed, collective = (
        [float(found.at(BY_NODE, what, case).ours) for case in cases] for what in ("Process Elapsed Time", "TimeInColl")
    )
    nodes = list(range(len(cases)))
    figures.rows(
        folder / "figure3.csv",
        ("node", "elapsed_s", "collective_s"),
        list(zip(nodes, elapsed, collective, strict=True)),
    )
    with figures.figure(7.0, 3.2) as (made, (axes,)):
        axes.bar([n - 0.2 for n in nodes], elapsed, width=0.4, label="Process Elapsed Time")
        axes.bar([n + 0.2 for n in nodes], collective, width=0.4, label="TimeInColl")
        axes.axhspan(11, 19, **SPAN, label="paper: TimeInColl, from node to node")
        axes.set(xlabel="node", ylabel="s", xticks=nodes, ylim=(0, 150))
        axes.grid(False, axis="x")
        axes.legend(loc="upper left", fontsize=8, ncols=3)
        figures.save(made, folder / "figure3.svg")


def _figure_4(folder: Path, runs: Runs) -> None:
    shown: list[Key] = [(NEIGHBOUR, "trunks_4to1_alone"), (NEIGHBOUR, "trunks_4to1_at_100")]
    series = {key: seen.sent_mb(runs[key], FM_BYTES) for key in shown}
    rows = [(title(key), at, sent) for key, points in series.items() for at, sent in points]
    figures.rows(folder / "figure4.csv", ("run", "global_s", "sent_mb"), rows)
    with figures.figure(9.0, 3.4, 2) as (made, (total, rate)):
        for key, points in series.items():
            at, sent = zip(*points, strict=True)
            total.plot(at, sent, label=title(key))
            total.set(xlabel="s on the global clock", ylabel="MB", title="sent by all nodes", ylim=(0, None))
            groups = points[::5]
            steps = list(pairwise(groups))
            middles = [(a[0] + b[0]) / 2 for a, b in steps]
            rate.plot(middles, [(b[1] - a[1]) / (b[0] - a[0]) for a, b in steps], label=title(key))
            rate.set(xlabel="s on the global clock", ylabel="MB/s", title="in each 5 s", ylim=(0, None))
        total.legend(loc="lower right", fontsize=8)
        figures.save(made, folder / "figure4.svg")


def _cpu(folder: Path, runs: Runs) -> None:
    (default,) = (key for key in DEFAULTS if key[0] == COMPETITOR)
    shares = {
        key: [100 * s for s in seen.cpu_shares(runs[key])] for key in (ALONE, default, (COMPETITOR, "calibrated"))
    }
    rows = [(title(key), str(node), value) for key, of in shares.items() for node, value in enumerate(of)]
    figures.rows(folder / "cpu.csv", ("run", "node", "percent"), rows)
    with figures.figure(7.0, 3.2) as (made, (axes,)):
        nodes = range(len(shares[ALONE]))
        for i, (key, of) in enumerate(shares.items()):
            axes.bar([n + 0.27 * (i - 1) for n in nodes], of, width=0.27, label=title(key))
        axes.axhspan(*SHARES_OF_CPU, **SPAN, label="paper: the disturbed node")
        axes.set(xlabel="node", ylabel="% of a processor", xticks=list(nodes), ylim=(0, 140), yticks=range(0, 101, 20))
        axes.grid(False, axis="x")
        axes.legend(loc="upper left", fontsize=8, ncols=2)
        figures.save(made, folder / "cpu.svg")


def _disturbed(folder: Path, found: Cells) -> None:
    times = {cell.case: float(cell.ours) for cell in found.cells_of(DISTURBED) if cell.quantity == ELAPSED}
    figures.rows(folder / "disturbed.csv", ("run", "elapsed_s"), list(times.items()))
    with figures.figure(7.5, 5.2) as (made, (axes,)):
        names = list(times)[::-1]
        colours = [figures.COLOURS[1 if "default" in name else 5 if "no " in name else 0] for name in names]
        bars = axes.barh(names, [times[name] for name in names], color=colours, height=0.7)
        axes.bar_label(bars, fmt="%.1f", padding=3, fontsize=8)
        axes.axvline(SECONDS[8], color="black", linewidth=0.8, linestyle="--")
        axes.set(
            xlabel="s; dashed: the paper's undisturbed 109 s; red: the default", xlim=(0, 1.1 * max(times.values()))
        )
        axes.grid(False, axis="y")
        figures.save(made, folder / "disturbed.svg")


def _overhead(folder: Path, found: Cells) -> None:
    costs = {
        (counters, interval): float(found.at(OVERHEAD, COST, polled(counters, interval)[1]).ours)
        for counters in COUNTERS
        for interval in INTERVALS
    }
    rows = [(counters, interval, cost) for (counters, interval), cost in costs.items()]
    figures.rows(folder / "overhead.csv", ("counters", "interval_s", "percent"), rows)
    with figures.figure(7.0, 3.2) as (made, (axes,)):
        for counters in COUNTERS:
            axes.plot(
                INTERVALS,
                [costs[counters, i] for i in INTERVALS],
                marker="o",
                markersize=4,
                label=f"{counters} counters",
            )
        axes.axhline(
            COST_OF_800_S[1], color="black", linewidth=0.8, linestyle="--", label="paper: 5 s of 800 s at most"
        )
        axes.set(xscale="log", yscale="log", xlabel="interval, s", ylabel="% of elapsed", xticks=INTERVALS)
        axes.set_xticks(INTERVALS, [f"{i:g}" for i in INTERVALS])
        axes.minorticks_off()
        axes.legend(fontsize=8)
        figures.save(made, folder / "overhead.svg")
