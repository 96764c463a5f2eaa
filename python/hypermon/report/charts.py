# SPDX-License-Identifier: BSD-3-Clause
"""Charts of the fate of a run's data, and of the use of its time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, percent, seconds
from hypermon.report.chart import Chart, Json, Table, axis, bar, plain
from hypermon.report.facts import Run
from hypermon.report.rules import stage


def ledger(run: Run) -> Chart | None:
    """Returns a Sankey diagram of the ledger: generated = delivered + in flight + lost by stage and cause."""
    accounts = run.result["ledger"]
    if not accounts["generated"][run.counted_in]:
        return None
    units = _units(run)
    table = Table(
        "Ledger: generated = delivered + in flight + lost",
        ("", *reversed(units), f"of {units[0]}"),
        _ledger_rows(run),
        range(1, len(units) + 2),
    )
    return Chart(
        "ledger",
        "Where the data went",
        "What was generated is delivered, in flight when the run ended, or lost at a stage for a cause: nothing else.",
        {unit: _sankey(run, unit) for unit in units},
        table,
        "Count in",
        130 + 45 * sum(1 for loss in accounts["lost"] if loss["events"] or loss[run.unit]),
    )


def _units(run: Run) -> list[str]:
    """Returns the units in which the run's data are counted, the main one first."""
    return list(dict.fromkeys((run.counted_in, run.unit)))


def _ledger_rows(run: Run) -> list[tuple[str, ...]]:
    accounts, unit, units = run.result["ledger"], run.unit, _units(run)
    everything = accounts["generated"][units[0]]

    def row(name: str, amount: Mapping[str, Any]) -> tuple[str, ...]:
        return name, *(count(amount[one]) for one in reversed(units)), percent(amount[units[0]] / everything)

    names = {"generated": "generated", "delivered": "delivered", "in_flight": "in flight at the end"}
    rows = [row(name, accounts[key]) for key, name in (names | {"lost_total": "lost"}).items()]
    return rows + [row(_cause(run, loss), loss) for loss in accounts["lost"] if loss[unit] or loss["events"]]


def _cause(run: Run, loss: Mapping[str, Any]) -> str:
    return f"lost at {stage(run, loss['stage'])}: {loss['cause'].replace('_', ' ')}"


def _sankey(run: Run, unit: str) -> Json:
    accounts = run.result["ledger"]
    names, colours = [f"generated: {count(accounts['generated'][unit])}"], ["$blue"]
    links: list[tuple[int, int, int, str]] = []

    def flow(source: int, name: str, amount: int, colour: str) -> int:
        names.append(f"{name}: {count(amount)}")
        colours.append(colour)
        links.append((source, len(names) - 1, amount, f"{colour}-soft"))
        return len(names) - 1

    if accounts["delivered"][unit]:
        flow(0, "delivered", accounts["delivered"][unit], "$green")
    if accounts["in_flight"][unit]:
        flow(0, "in flight", accounts["in_flight"][unit], "$orange")
    causes = [loss for loss in accounts["lost"] if loss[unit]]
    source = flow(0, "lost", accounts["lost_total"][unit], "$red") if len(causes) > 1 else 0
    for loss in causes:
        flow(source, _cause(run, loss), loss[unit], "$red")
    sources, targets, values, shades = zip(*links, strict=True)
    sankey = {
        "type": "sankey",
        "arrangement": "fixed",
        "valueformat": ",",
        "valuesuffix": f" {unit}",
        "node": {"label": names, "color": colours, "pad": 24, "thickness": 18, "line": {"width": 0}},
        "link": {"source": sources, "target": targets, "value": values, "color": shades},
    }
    return {"data": [sankey], "layout": {"margin": {"l": 8, "r": 8, "t": 12, "b": 20}}}


PARTS = (
    ("compute_s", "compute", "$blue"),
    ("mpi_s", "MPI calls and waiting", "$grey"),
    ("monitor_s", "emitting events", "$orange"),
)


def ranks(run: Run) -> Chart | None:
    """Returns a chart of each rank's time, and the run time without a monitor. None: there is no program."""
    found = run.result["ranks"]
    if not found:
        return None
    names = [str(i) for i in range(len(found))]
    data = [
        bar(name, [r[key] for r in found], names, colour, f"rank %{{y}}: {name} %{{x:.3f}} s", orientation="h")
        for key, name, colour in PARTS
    ]
    layout: Json = {
        "barmode": "stack",
        "bargap": 0.25 if len(found) <= 16 else 0,
        "xaxis": axis("time, s"),
        "yaxis": axis("rank", autorange="reversed", type="category", fixedrange=True),
    }
    caption = "Time of each rank in the measured section."
    if run.baseline is not None:
        base = float(run.baseline["elapsed_s"])
        edge = {"type": "line", "x0": base, "x1": base, "yref": "paper", "y0": 0, "y1": 1}
        layout["shapes"] = [{**edge, "line": {"color": "$ink", "dash": "dash", "width": 1.5}}]
        caption += f" Dashed: the same program unobserved, {seconds(base)}."
    rows = [
        (str(i), *(f"{r[key]:.3f}" for key in ("elapsed_s", "compute_s", "mpi_s", "monitor_s")), count(r["events"]))
        for i, r in enumerate(found)
    ]
    columns = ("rank", "time, s", *(f"{name}, s" for _, name, _ in PARTS), "events")
    table = Table("Time of each rank", columns, rows, range(6))
    height = min(620, 150 + 26 * len(found))
    return Chart("ranks", "Where the time went", caption, plain(data, **layout), table, height=height)
