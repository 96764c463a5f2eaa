# SPDX-License-Identifier: BSD-3-Clause
"""The interactive page of `hypermon study monitors`: the report's style, one file that needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon.report.chart import Chart, Json, Table, axis, plain
from hypermon.report.rendering import render
from hypermon_studies.monitors import tables as monitors_tables
from hypermon_studies.monitors import words as monitors_words
from hypermon_studies.monitors.columns import COLUMNS, ERROR, LATENCY, SLOWDOWN, WHILE
from hypermon_studies.monitors.decisions import Decision
from hypermon_studies.monitors.found import Found
from hypermon_studies.monitors.looks import look_of
from hypermon_studies.monitors.picture import Curve, error_ticks, place_of, slowdown_ticks, spans
from hypermon_studies.monitors.plan import DEFAULT, Place
from hypermon_studies.monitors.runs import Row

TEMPLATES = Path(__file__).parent
HEIGHT = 620
SIZE = 9  # diameter of marks
HOVER = "error %{customdata[0]:.3g} %, slowdown %{customdata[1]:.3g} %, median latency %{customdata[2]:.3g} ms"


def text(found: Found, curves: Mapping[Place, Sequence[Curve]]) -> str:
    """The page's."""
    machines = list(dict.fromkeys(machine for machine, _ in curves))
    drawn = [_chart(machine, curves, fronts=False) for machine in machines]
    if found.fronts:
        drawn += [_chart(machine, curves, fronts=True) for machine in machines]
    sections = [("question", "Question"), ("decisions", "Recommendations"), ("pictures", "Pictures")]
    sections += [("fronts", "Fronts")] * bool(found.fronts) + [("table", "Table")]
    refused = monitors_tables.reasons(found.plan.refused, found.rows)
    sections += [("refused", "Missing")] * bool(refused) + [("repeat", "Command")]
    context = {
        "title": "Which monitor?",
        "about": monitors_words.about(found),
        "rule": monitors_words.RULE,
        "error_is": monitors_words.ERROR_IS,
        "answers": _answers(found),
        "compared": Table("Monitors", *monitors_words.compared(found)),
        "decisions": _decisions(found.decisions, found, "with default settings"),
        "tuned": _decisions(found.tuned, found, "with varied main parameters"),
        "of_tuned": monitors_words.TUNED,
        "drawn": drawn,
        "fronts": Table("The best of each", *monitors_words.fronts(found)) if found.fronts else None,
        "limits": monitors_words.searched(found),
        "tables": [_table(place, found) for place in curves],
        "columns": [(monitors_tables.heading(column.key), column.about) for column in COLUMNS],
        "refused": Table("Missing monitors", ("monitor", "reason"), refused),
        "command": found.command,
    }
    charts = {chart.id: dict(chart.variants) for chart in drawn}
    return render("monitors.html", context, sections, charts, ("page.js",), further=(TEMPLATES,))


def _decisions(decided: Sequence[Decision], found: Found, how: str) -> list[Table]:
    tables = monitors_words.decisions(decided, found.plan.request)
    return [Table(f"{monitors_words.READERS[what]}, {how}", *shown) for what, shown in tables.items()]


def _answers(found: Found) -> list[dict[str, Any]]:
    """Returns a table for each kind of reader, with a line for each need."""
    shortest = monitors_words.shortest(found.decisions, found.plan.request)
    return [
        {"how": f"{monitors_words.HOW[what]} {monitors_words.EACH_LINE}", "short": monitors_words.most_often(shown[1])}
        | {"reader": monitors_words.READERS[what], "table": Table(monitors_words.READERS[what], *shown)}
        for what, (shown, _) in shortest.items()
    ]


def _table(place: Place, found: Found) -> Table:
    machine, program = place
    rows = [
        monitors_tables.long(row) for row in found.rows if row.place == place and row.part == DEFAULT and not row.failed
    ]
    return Table(f"{program} on {machine}", monitors_tables.LONG, rows, range(3, 3 + len(COLUMNS)))


def _chart(machine: str, curves: Mapping[Place, Sequence[Curve]], fronts: bool) -> Chart:
    panels = {program: drawn for (at, program), drawn in curves.items() if at == machine}
    span = spans({(machine, program): drawn for program, drawn in panels.items()})
    title = f"The fronts on {machine}" if fronts else f"On {machine}"
    caption = (
        "Designs that no other design of the same monitor beats within the limits."
        if fronts
        else _caption([curve for drawn in panels.values() for curve in drawn])
    )
    rows = [
        (program, curve.name, monitors_tables.what_is_set(row.at), *(monitors_tables.cell(row[k]) for k in _AXES))
        for program, drawn in panels.items()
        for curve in drawn
        for row in (curve.front if fronts else (*([curve.default] if curve.default else []), *curve.steps))
    ]
    columns = ("program", "monitor", "set", *map(monitors_tables.heading, _AXES))
    return Chart(
        f"{'fronts' if fronts else 'tradeoff'}-{machine}",
        title,
        f"{caption} A full mark: data arrive during the run; an open mark: after it. Lower left is better.",
        {program: plain(_traces(drawn, fronts), **_layout(span))[""] for program, drawn in panels.items()},
        Table("The numbers of the picture", columns, rows, range(3, 6)),
        "Program",
        HEIGHT,
    )


def _caption(curves: Sequence[Curve]) -> str:
    """Caption that explains only the drawn marks and lines."""
    parts = ["Each mark is a run."]
    parts += ["A line joins the settings of a monitor's main parameter."] * any(curve.steps for curve in curves)
    parts += ["A ring marks the default settings."] * any(curve.steps and curve.default for curve in curves)
    parts += ["A star marks the best design within the limits."] * any(curve.best for curve in curves)
    return " ".join(parts)


_AXES = (ERROR, SLOWDOWN, LATENCY)


def _layout(span: tuple[tuple[float, float], tuple[float, float]]) -> Json:
    errors, slowdowns = span
    across, up = error_ticks(*errors), slowdown_ticks(slowdowns[1])
    return {
        "xaxis": axis("error, %", range=_ends(errors), **_named(across)),
        "yaxis": axis("slowdown, %", range=_ends(slowdowns), **_named(up)),
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "itemsizing": "constant"},
    }


def _named(ticks: Mapping[float, str]) -> Json:
    return {"type": "log", "tickvals": list(ticks), "ticktext": list(ticks.values())}


def _ends(span: tuple[float, float]) -> list[float]:
    """Powers of ten, with room for whole marks."""
    import math

    return [math.log10(span[0]) - 0.3, math.log10(span[1]) + 0.3]


def _traces(drawn: Sequence[Curve], fronts: bool) -> list[Json]:
    traces = []
    for curve in filter(None, drawn):
        colour, _, mark = look_of(curve.number)
        points = curve.front if fronts else curve.steps or ((curve.default,) if curve.default else ())
        traces.append(_trace(curve.name, curve.name, points, colour, mark, "dot" if fronts else "solid"))
        if fronts:
            continue
        if curve.default is not None and curve.steps:
            ring = _trace(curve.name, f"{curve.name}, default", (curve.default,), "rgba(0,0,0,0)", "circle", "solid", 4)
            ring["marker"] |= {"line": {"color": "$ink", "width": 1.8}, "opacity": 1}
            traces.append(ring | {"showlegend": False})
        if curve.best is not None:
            star = _trace(curve.name, f"{curve.name}, best", (curve.best,), colour, "star", "solid")
            star["marker"] |= {"size": 15, "opacity": 1, "line": {"color": "$ink", "width": 1.2}}
            traces.append(star | {"showlegend": False})
    return traces


def _trace(group: str, name: str, rows: Sequence[Row], colour: str, mark: str, dash: str, wider: float = 0) -> Json:
    places = [place_of(row) for row in rows]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": group,
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "line": {"color": colour, "width": 1.4, "dash": dash},
        "marker": {
            "color": colour,
            "symbol": [mark if row.reaches == WHILE else f"{mark}-open" for row in rows],
            "size": SIZE + wider,
            "opacity": 0.85,
            "line": {"width": 1.5},
        },
        "text": [monitors_tables.what_is_set(row.at) for row in rows],
        "customdata": [[float(row[key] or 0) for key in _AXES] for row in rows],
        "hovertemplate": f"{name}: %{{text}}<br>{HOVER}<extra></extra>",
    }
