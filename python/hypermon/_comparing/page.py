# SPDX-License-Identifier: BSD-3-Clause
"""The page of a comparison, in the style of reports: a self-contained file with reproducible content."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from hypermon._comparing import designs, tables
from hypermon._comparing.comparison import Differences, Row, direction
from hypermon._comparing.picture import about, shown
from hypermon._comparing.quantities import of_designs
from hypermon.report import rendering as pages
from hypermon.report.chart import Chart, Json, Table, axis, bar, plain

ALL = "all that differ"
WIDE = 30  # share of the largest value, %, from which on a bar has its text inside
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
        "designs": [about(comparison, i) for i in range(len(comparison.names))] if comparison.parameters else [],
        "summary": comparison.summary() if comparison.kind == "designs" or not better else "",
        "parameters": _parameters(comparison),
        "results": _designs(comparison) if comparison.kind == "designs" else _runs(comparison, main=True),
        "everything": _runs(comparison, main=False) if comparison.kind == "runs" else None,
        "chart": drawn,
        "equal": tables.equal(comparison.results[: comparison.main]) if comparison.kind == "runs" else "",
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
    if own := comparison.alone():
        return [(f"{label} of {own[0]}", value, "") for label, value in own[1]]
    return [
        (
            f"{name} is better in",
            rows[0].label if rows else "nothing",
            "; ".join([comparison.against(rows[0]), *(f"{row.label}: {comparison.against(row)}" for row in rows[1:])])
            + f" ({direction(rows)})"
            if rows
            else "",
        )
        for name, rows in comparison.advantages().items()
    ]


def _parameters(comparison: Differences) -> Table:
    rows = [(row.path, *map(row.cell, row.values)) for row in comparison.parameters]
    count = len(comparison.names)
    return Table("Parameters that differ", ("parameter", *comparison.names), rows, range(1, 1 + count))


def _runs(comparison: Differences, main: bool) -> Table:
    found = comparison.results[: comparison.main] if main else comparison.results[comparison.main :]
    rows = [row for row in found if (not row.is_equal if main else row.differs)]
    columns = tables.columns(comparison)
    cells = [tables.cells(comparison, row) for row in rows]
    if main:
        columns = ("about", *columns)
        cells = [(group, *cell) for (group, _), cell in zip(tables.with_groups(rows), cells, strict=True)]
    same = sum(not row.differs for row in found)
    caption = "Main results that differ" if main else f"All other numbers that differ; {same} are the same"
    return Table(caption, columns, cells, range(1 + main, len(columns) - 1))


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
    """Returns a chart of all runs in the main results that differ, or of one result, which the reader selects."""
    rows = shown(comparison)
    if not rows:
        return None
    variants = {ALL: _glance(comparison, rows)}
    for row in rows:
        factor = 100 if row.unit == "%" else 1
        unit = f", {row.unit}" if row.unit and row.unit not in row.label else ""
        colours = {"marker": {"color": [COLOURS[i % len(COLOURS)] for i in range(len(row.values))]}}
        values = [factor * float(v or 0) for v in row.values]
        traced = bar(
            row.label,
            values,
            comparison.names,
            "$blue",
            "%{y}: %{text}",
            orientation="h",
            **colours,
            **_text(row, values),
        )
        layout = {
            "xaxis": axis(f"{row.label}{unit}", rangemode="tozero"),
            "yaxis": axis("", autorange="reversed", type="category", fixedrange=True),
        }
        variants[row.label] = plain([traced], **layout)[""]
    return Chart(
        "results",
        "The runs side by side",
        "Main results that differ, the most important first. Each bar is a share of the largest value of its result.",
        variants,
        _runs(comparison, main=True),
        "Show",
        130 + (14 + 20 * len(comparison.names)) * len(rows),
    )


def _glance(comparison: Differences, rows: Sequence[Row]) -> Json:
    """Returns bars of every run for each result, as shares of the result's largest value, with their values."""
    places = [row.label for row in rows]
    data = []
    for i, subject in enumerate(comparison.names):
        shares = []
        for row in rows:
            numbers = [abs(float(v)) if isinstance(v, int | float) else 0.0 for v in row.values]
            shares.append(100 * numbers[i] / max(numbers))
        text = [f"<b>{row.cell(row.values[i])}</b>" if i in row.best else row.cell(row.values[i]) for row in rows]
        inside = ["inside" if share > WIDE else "outside" for share in shares]
        colour = COLOURS[i % len(COLOURS)]
        shown_text = {"text": text, "textposition": inside, "insidetextanchor": "end"}
        data.append(bar(subject, shares, places, colour, f"{subject}: %{{text}}", orientation="h", **shown_text))
    layout = {
        "barmode": "group",
        "xaxis": axis("% of the largest", range=[0, 112]),
        "yaxis": axis("", autorange="reversed", type="category", fixedrange=True),
    }
    return plain(data, **layout)[""]


def _text(row: Row, values: Sequence[float]) -> dict[str, Any]:
    places = ["inside" if value > 0.3 * max(values) else "outside" for value in values]
    return {"text": [row.cell(v) for v in row.values], "textposition": places}


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
