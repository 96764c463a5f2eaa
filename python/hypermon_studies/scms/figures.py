# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study scms`, each with its numbers as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon_studies import figures, growth
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.scms import runs as scms_runs
from hypermon_studies.scms.cells import (
    AGES,
    CAUSES,
    FIRST,
    GROWTH,
    PAPER_1,
    PAPER_2,
    PCP,
    PREDICTIONS,
    SCMS,
    SECOND,
    TABLE_1,
    TABLE_2,
    TECHNIQUES,
    THIRD,
    TIME,
    TREES,
    WAYS,
)
from hypermon_studies.scms.runs import (
    DEFAULT_AGENTS,
    HELD_BACK,
    KNOWN,
    NO_NAGLE,
    PERIODS,
    SMALL,
    nodes_of,
    pushed,
    tree_label,
)

PAPER = {"color": "black", "linestyle": "none", "marker": "D", "markersize": 5}
SPAN = {"alpha": 0.15, "linewidth": 0}
NAMES = ("figure2", "figure3", "causes", "growth", "techniques", "ages", "trees")


def draw(folder: Path, found: Cells) -> None:
    """Writes NAMES as .svg and .csv."""
    _figure_2(folder, found)
    _figure_3(folder, found)
    _causes(folder, found)
    _growth(folder, found)
    _techniques(folder, found)
    _ages(folder, found)
    _trees(folder, found)


def _ours(found: Cells, table: str, quantity: str, cases: Mapping[int, str]) -> dict[int, float]:
    """Returns the existing values by number of nodes."""
    cells = {nodes: found.find(table, quantity, case) for nodes, case in cases.items()}
    return {nodes: float(cell.ours) for nodes, cell in cells.items() if cell is not None}


def _predicted(found: Cells, quantity: str) -> dict[int, list[float]]:
    """Returns the values of every assumption by number of nodes, the default's first."""
    order = (DEFAULT_AGENTS, *(agents for agents in scms_runs.AGENTS if agents != DEFAULT_AGENTS))
    cases = {n: [f"{tree_label(n, agents)}, {how}" for how in WAYS[quantity] for agents in order] for n in HELD_BACK}
    cells = {n: [found.find(PREDICTIONS, quantity, case) for case in of] for n, of in cases.items()}
    return {n: times for n, of in cells.items() if (times := [float(cell.ours) for cell in of if cell is not None])}


def _line(axes: Any, known: Mapping[int, float], predicted: Mapping[int, Sequence[float]], label: str) -> None:
    """Draws the known times, the default's predictions (dashed) and the band of all predictions."""
    (line,) = axes.plot(list(known), list(known.values()), marker="o", markersize=4, label=f"{label}, hypermon")
    if not predicted:
        return
    last = max(known)
    at = [last, *predicted]
    colour = line.get_color()
    axes.plot(
        at,
        [known[last], *(of[0] for of in predicted.values())],
        "--",
        color=colour,
        marker="o",
        markerfacecolor="white",
    )
    low, high = ([known[last], *(end(of) for of in predicted.values())] for end in (min, max))
    axes.fill_between(at, low, high, color=colour, **SPAN)


def _figure_2(folder: Path, found: Cells) -> None:
    known = _ours(found, TABLE_1, TIME, {n: nodes_of(n) for n in (*SMALL, *KNOWN)})
    predicted = _predicted(found, FIRST)
    figures.rows(
        folder / "figure2.csv",
        ("nodes", "ms", "paper_ms"),
        [(n, ms, PAPER_1[n]) for n, ms in known.items()] + [(n, of[0], "") for n, of in predicted.items()],
    )
    with figures.figure(6.5, 3.4) as (made, (axes,)):
        _line(axes, known, predicted, "SCMS/RMS")
        axes.plot(list(PAPER_1), list(PAPER_1.values()), **PAPER, label="paper")
        _by_nodes(axes, "ms to find the least loaded node")
        figures.save(made, folder / "figure2.svg")


def _figure_3(folder: Path, found: Cells) -> None:
    of = {who: _ours(found, TABLE_2, who, {n: nodes_of(n) for n in KNOWN}) for who in (SCMS, PCP)}
    models = {n: [f"{nodes_of(n)}, {model}" for model in scms_runs.PCP_MODELS] for n in HELD_BACK}
    pcp = {
        n: [float(cell.ours) for case in cases if (cell := found.find(PREDICTIONS, THIRD, case)) is not None]
        for n, cases in models.items()
    }
    predicted = {SCMS: _predicted(found, SECOND), PCP: {n: times for n, times in pcp.items() if times}}
    figures.rows(
        folder / "figure3.csv",
        ("system", "nodes", "ms", "paper_ms"),
        [(who, n, ms, PAPER_2[who][n]) for who, times in of.items() for n, ms in times.items()]
        + [(who, n, times[0], "") for who, all_of in predicted.items() for n, times in all_of.items()],
    )
    with figures.figure(6.5, 3.4) as (made, (axes,)):
        for who, times in of.items():
            _line(axes, times, predicted[who], who)
        points = [(n, ms) for times in PAPER_2.values() for n, ms in times.items()]
        axes.plot(*zip(*points, strict=True), **PAPER, label="paper")
        _by_nodes(axes, "ms for 11 KB of each node")
        figures.save(made, folder / "figure3.svg")


def _by_nodes(axes: Any, ylabel: str) -> None:
    axes.set(xlabel="nodes", ylabel=ylabel, ylim=(0, None), xlim=(0, None))
    axes.legend(fontsize=8)


def _plain(axis: Any) -> None:
    """Labels a logarithmic axis with plain numbers: powers of ten, and 2 and 5 times these."""
    axis.set_major_formatter(lambda value, _position: f"{value:g}")
    axis.set_minor_formatter(lambda value, _position: f"{value:g}" if f"{value:e}"[0] in "25" else "")


def _causes(folder: Path, found: Cells) -> None:
    nodes = (*SMALL, *KNOWN)
    of = {
        mechanism: _ours(found, CAUSES, mechanism, {n: nodes_of(n) for n in nodes})
        for mechanism in scms_runs.MECHANISMS
    }
    rows = [(mechanism, n, ms, PAPER_1[n]) for mechanism, times in of.items() for n, ms in times.items()]
    figures.rows(folder / "causes.csv", ("switched", "nodes", "ms", "paper_ms"), rows)
    with figures.figure(7.0, 3.8) as (made, (axes,)):
        for i, (mechanism, times) in enumerate(of.items()):
            style = {"linewidth": 2.2, "color": "black"} if not i else {"linewidth": 1, "marker": "o", "markersize": 3}
            line = "--" if "two writes" in mechanism else "-"
            axes.plot(range(len(nodes)), [times[n] for n in nodes], line, label=mechanism, **style)
        axes.plot(range(len(nodes)), [PAPER_1[n] for n in nodes], **PAPER, label="paper")
        axes.set_xticks(range(len(nodes)), [str(n) for n in nodes])
        axes.set(xlabel="nodes", ylabel="ms to find the least loaded node", yscale="log")
        _plain(axes.yaxis)
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        figures.save(made, folder / "causes.svg")


def _growth(folder: Path, found: Cells) -> None:
    times = _ours(found, GROWTH, TIME, {n: nodes_of(n) for n in scms_runs.SIZES})
    figures.rows(folder / "growth.csv", ("nodes", "ms"), list(times.items()))
    with figures.figure(6.5, 3.6) as (made, (axes,)):
        axes.plot(list(times), list(times.values()), "o", markersize=5, label="hypermon")
        for shape, style in zip(growth.SHAPES, ("-", "--"), strict=True):
            fit = growth.fit(list(times), list(times.values()), shape)
            fitted = {n: fit.at(n) for n in times if fit.at(n) > 0}
            axes.plot(list(fitted), list(fitted.values()), style, label=f"a + b {shape}, off by {100 * fit.rms:.0f} %")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        _plain(axes.xaxis)
        _plain(axes.yaxis)
        axes.set(xlabel="nodes", ylabel="ms for a value of each node")
        axes.legend(fontsize=8)
        figures.save(made, folder / "growth.svg")


def _techniques(folder: Path, found: Cells) -> None:
    cells = found.cells_of(TECHNIQUES)
    figures.rows(
        folder / "techniques.csv",
        ("quantity", "switched", "unit", "value"),
        [(*_named(c), float(c.ours)) for c in cells],
    )
    quantities = list(dict.fromkeys(cell.quantity for cell in cells))
    first = {quantity: float(next(c for c in cells if c.quantity == quantity).ours) for quantity in quantities}
    with figures.figure(11.0, 2.8, len(quantities)) as (made, panels):
        for axes, quantity in zip(panels, quantities, strict=True):
            of = {c.case: float(c.ours) / (first[quantity] or 1) for c in cells if c.quantity == quantity}
            names = list(of)[::-1]
            colours = [figures.COLOURS[0 if of[name] <= 1.005 else 1] for name in names]
            bars = axes.barh(names, [of[name] for name in names], color=colours, height=0.7)
            axes.bar_label(bars, fmt="%.2f", padding=2, fontsize=7)
            axes.axvline(1, color="black", linewidth=0.8, linestyle="--")
            axes.set(title=quantity, xlim=(0, 1.25 * max(of.values())))
            axes.tick_params(axis="y", labelsize=8)
            axes.grid(False, axis="y")
            axes.title.set_fontsize(9)
            if axes is not panels[0]:
                axes.set_yticklabels([])
        figures.save(made, folder / "techniques.svg")


def _named(cell: Cell) -> tuple[str, str, str]:
    return cell.quantity, cell.case, cell.unit


def _ages(folder: Path, found: Cells) -> None:
    of = {
        (quantity, program): {p: float(found.at(AGES, quantity, pushed(program, p)).ours) for p in PERIODS}
        for quantity in ("age", "slowdown")
        for program in scms_runs.PROGRAMS
    }
    rows = [
        (program, p, of["age", program][p], of["slowdown", program][p])
        for program in scms_runs.PROGRAMS
        for p in PERIODS
    ]
    figures.rows(folder / "ages.csv", ("program", "period_s", "age_s", "slowdown_percent"), rows)
    with figures.figure(9.5, 3.2, 2) as (made, (ages, price)):
        for program in scms_runs.PROGRAMS:
            age, slowdown = (list(of[quantity, program].values()) for quantity in ("age", "slowdown"))
            ages.plot(PERIODS, age, marker="o", markersize=4, label=program)
            price.plot(age, slowdown, marker="o", markersize=4, label=program)
        ages.set(xlabel="pushed every, s", ylabel="age of an answer, s", xscale="log", yscale="log")
        price.set(xlabel="age of an answer, s", ylabel="slowdown of the program, %", xscale="log")
        for axes in (ages, price):
            _plain(axes.xaxis)
            axes.legend(fontsize=8)
        _plain(ages.yaxis)
        figures.save(made, folder / "ages.svg")


def _trees(folder: Path, found: Cells) -> None:
    of = {
        (quantity, nodes): _ours(
            found, TREES, quantity, {agents: tree_label(nodes, agents) for agents in scms_runs.FANOUTS}
        )
        for quantity in (TIME, f"{TIME}, {NO_NAGLE}")
        for nodes in scms_runs.TREES
    }
    rows = [(quantity, nodes, agents, ms) for (quantity, nodes), by in of.items() for agents, ms in by.items()]
    figures.rows(folder / "trees.csv", ("quantity", "nodes", "agents", "ms"), rows)
    with figures.figure(9.5, 3.8, 2) as (made, panels):
        for axes, quantity in zip(panels, dict.fromkeys(quantity for quantity, _ in of), strict=True):
            for nodes in scms_runs.TREES:
                times = of[quantity, nodes]
                (line,) = axes.plot(list(times), list(times.values()), marker="o", markersize=3, label=nodes_of(nodes))
                best = min(times, key=times.__getitem__)
                axes.plot(best, times[best], "*", markersize=12, color=line.get_color())
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            _plain(axes.xaxis)
            _plain(axes.yaxis)
            axes.set(title=quantity, xlabel="agents an SMA (4096: one SMA alone)")
        panels[0].set_ylabel("ms for a value of each node; star: the best tree")
        panels[1].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        figures.save(made, folder / "trees.svg")
