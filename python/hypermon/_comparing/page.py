# SPDX-License-Identifier: BSD-3-Clause
"""The page of a comparison, in the style of reports: a self-contained file with reproducible content."""

from __future__ import annotations

import os

from hypermon._comparing import designs
from hypermon._comparing.comparison import Differences, Row
from hypermon._comparing.picture import shown
from hypermon._comparing.quantities import of_designs
from hypermon.report import rendering as pages
from hypermon.report.chart import Chart, Table, axis, bar, plain

COLOURS = ("$blue", "$orange", "$green", "$purple", "$sky", "$grey", "$red")


def write(comparison: Differences, out: str | os.PathLike[str]) -> None:
    """Writes the page atomically."""
    pages.write_text(html(comparison), out)


def html(comparison: Differences) -> str:
    drawn = _chart_of_designs(comparison) if comparison.kind == "designs" else _chart_of_runs(comparison)
    sections = [("question", "Answer"), ("results", "Results"), ("parameters", "Parameters")]
    if comparison.kind == "runs":
        sections.append(("everything", "Everything"))
    better = _better(comparison)
    context = {
        "title": f"{' against '.join(comparison.names)}",
        "kind": comparison.kind,
        "subjects": comparison.subjects,
        "notes": comparison.notes,
        "better": better,
        "summary": comparison.summary() if comparison.kind == "designs" or not better else "",
        "parameters": _parameters(comparison),
        "results": _designs(comparison) if comparison.kind == "designs" else _runs(comparison, main=True),
        "everything": _runs(comparison, main=False) if comparison.kind == "runs" else None,
        "chart": drawn,
    }
    charts = {drawn.id: dict(drawn.variants)} if drawn is not None else {}
    return pages.render("compare.html", context, sections, charts, ("page.js",))


def _better(comparison: Differences) -> list[tuple[str, str, str]]:
    """Returns the tiles: name of a subject, number of results in which it is best, and these results."""
    if comparison.kind == "designs":
        found = designs.programs(comparison)
        winners = {key: designs.best(rows) for key, rows in found.items()}
        tiles = []
        for i, name in enumerate(comparison.names):
            mine = [f"{program} on {nodes}" for (program, nodes), winner in winners.items() if winner == (i,)]
            tiles.append((f"{name} is better in", f"{len(mine)} of {len(found)} runs", ", ".join(mine)))
        return tiles
    if not any(row.better for row in comparison.results):
        return []
    return [
        (f"{name} is better in", f"{len(rows)} result{'s' * (len(rows) != 1)}", ", ".join(row.label for row in rows))
        for name, rows in comparison.better_in().items()
    ]


def _unit(row: Row) -> str:
    return "" if row.unit == "%" else row.unit


def _parameters(comparison: Differences) -> Table:
    rows = [(row.path, *map(row.cell, row.values), row.unit) for row in comparison.parameters]
    count = len(comparison.names)
    return Table("Parameters that differ", ("parameter", *comparison.names, "unit"), rows, range(1, 1 + count))


def _runs(comparison: Differences, main: bool) -> Table:
    found = comparison.results[: comparison.main] if main else comparison.results[comparison.main :]
    names = comparison.names
    second = names[1:] if len(names) == 2 else []
    rows = [
        (
            row.label,
            *map(row.cell, row.values),
            _unit(row),
            *(row.difference(1) for _ in second),
            ", ".join(names[i] for i in row.best),
        )
        for row in found
        if main or row.differs
    ]
    less = [f"{name} less {names[0]}" for name in second]
    columns = ("result", *names, "unit", *less, "better")
    right = [*range(1, 1 + len(names)), *range(2 + len(names), 2 + len(names) + len(less))]
    same = sum(not row.differs for row in found)
    caption = "Main results" if main else f"All other numbers that differ; {same} are the same"
    return Table(caption, columns, rows, right)


def _designs(comparison: Differences) -> Table:
    names, count = comparison.names, len(comparison.names)
    each = {"verdict": "verdict", "lost_events_share": "lost", "slowdown": "slowdown", "limited_by": "limited by"}
    rows = []
    for (program, nodes), of in designs.programs(comparison).items():
        cells = [of[path].cell(of[path].values[i]) for path in each for i in range(count)]
        rows.append((f"{program}, {nodes} nodes", ", ".join(names[i] for i in designs.best(of)), *cells))
    columns = ("program", "better", *(f"{name}: {what}" for what in each.values() for name in names))
    right = range(2 + count, 2 + 3 * count)
    return Table("Every program under each design", columns, rows, right)


def _chart_of_runs(comparison: Differences) -> Chart | None:
    """Returns a chart of one result at a time, which the reader selects."""
    rows = shown(comparison)
    if not rows:
        return None
    variants = {}
    for row in rows:
        factor = 100 if row.unit == "%" else 1
        unit = f", {row.unit}" if row.unit not in row.label else ""
        colours = {"marker": {"color": [COLOURS[i % len(COLOURS)] for i in range(len(row.values))]}}
        values = [factor * float(v or 0) for v in row.values]
        inside = [value > 0.3 * max(values) for value in values]
        text = {
            "text": [row.cell(v) for v in row.values],
            "textposition": ["inside" if one else "outside" for one in inside],
        }
        traced = bar(row.label, values, comparison.names, "$blue", "%{y}: %{text}", orientation="h", **colours, **text)
        layout = {
            "xaxis": axis(f"{row.label}{unit}", rangemode="tozero"),
            "yaxis": axis("", autorange="reversed", type="category", fixedrange=True),
        }
        variants[row.label] = plain([traced], **layout)[""]
    return Chart(
        "results",
        "One result at a time",
        "Main results that differ.",
        variants,
        _runs(comparison, main=True),
        "Show",
        110 + 44 * len(comparison.names),
    )


def _chart_of_designs(comparison: Differences) -> Chart:
    found = designs.programs(comparison)
    places = [f"{program}, {nodes}" for program, nodes in found]
    variants = {}
    general = ("lost_events_share", "slowdown", "timestamp_error_us")
    for path in (*general, *(one for one in of_designs(designs.COLUMNS) if one not in designs.COLUMNS)):
        rows = [of[path] for of in found.values()]
        if not any(v for row in rows for v in row.values):
            continue
        factor = 100 if rows[0].unit == "%" else 1
        data = [
            bar(
                name,
                [None if row.values[i] is None else factor * float(row.values[i] or 0) for row in rows],
                places,
                COLOURS[i % len(COLOURS)],
                f"%{{y}} nodes, {name}: %{{x:.4g}}",
                orientation="h",
            )
            for i, name in enumerate(comparison.names)
        ]
        layout = {
            "barmode": "group",
            "xaxis": axis(f"{rows[0].label}, {rows[0].unit}", rangemode="tozero"),
            "yaxis": axis("", autorange="reversed", type="category", fixedrange=True),
        }
        variants[rows[0].label] = plain(data, **layout)[""]
    return Chart(
        "programs",
        "Program by program",
        "Every program, with its number of nodes, under each design.",
        variants,
        _designs(comparison),
        "Show",
        150 + (8 + 14 * len(comparison.names)) * len(places),
    )
