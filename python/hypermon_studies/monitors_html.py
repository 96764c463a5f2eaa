# SPDX-License-Identifier: BSD-3-Clause
"""The page of `hypermon study monitors` that moves: the report's style, one file that needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hypermon.report.chart import Chart, Json, Table, axis, plain
from hypermon.report.rendering import render
from hypermon_studies import monitors_tables, monitors_words
from hypermon_studies.monitors import Found
from hypermon_studies.monitors_columns import AGE, COLUMNS, ERROR, SLOWDOWN
from hypermon_studies.monitors_decisions import Decision
from hypermon_studies.monitors_picture import AGES, Curve, diameter, place_of, spans
from hypermon_studies.monitors_plan import DEFAULT, Place
from hypermon_studies.monitors_runs import Row

TEMPLATES = Path(__file__).with_name("templates")
COLOURS = ("$blue", "$orange", "$green", "$purple", "$sky", "$grey", "$red")
MARKS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x")
HEIGHT = 620
HOVER = "age %{x:.3g} ms, slowdown %{y:.3g} %, error %{customdata:.3g} %"


def text(found: Found, curves: Mapping[Place, Sequence[Curve]]) -> str:
    """The page's."""
    machines = list(dict.fromkeys(machine for machine, _ in curves))
    drawn = [_chart(machine, curves, fronts=False) for machine in machines]
    if found.fronts:
        drawn += [_chart(machine, curves, fronts=True) for machine in machines]
    sections = [("question", "Question"), ("decisions", "Decisions"), ("pictures", "Pictures")]
    sections += [("fronts", "Fronts")] * bool(found.fronts) + [("table", "Table")]
    refused = monitors_tables.reasons(found.plan.refused, found.rows)
    sections += [("refused", "Not there")] * bool(refused) + [("repeat", "Repeat")]
    context = {
        "title": "Which monitor?",
        "about": monitors_words.about(found),
        "rule": monitors_words.RULE,
        "compared": Table("Who is compared", *monitors_words.compared(found)),
        "decisions": _decisions(found.decisions, found, "with defaults"),
        "tuned": _decisions(found.tuned, found, "with their knobs turned"),
        "of_tuned": monitors_words.TUNED,
        "drawn": drawn,
        "fronts": Table("The best of each", *monitors_words.fronts(found)) if found.fronts else None,
        "limits": monitors_words.searched(found),
        "tables": [_table(place, found) for place in curves],
        "columns": [(monitors_tables.heading(column.key), column.about) for column in COLUMNS],
        "refused": Table("Who is not there", ("monitor", "why"), refused),
        "command": found.command,
    }
    charts = {chart.id: dict(chart.variants) for chart in drawn}
    return render("monitors.html", context, sections, charts, ("page.js",), further=(TEMPLATES,))


def _decisions(decided: Sequence[Decision], found: Found, how: str) -> list[Table]:
    tables = monitors_words.decisions(decided, found.plan.asked)
    return [Table(f"Who builds {what}, {how}", *shown) for what, shown in tables.items()]


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
        "What no other design of the same monitor beats within the limits."
        if fronts
        else "A curve for each monitor, along its knob. Ringed: its defaults; star: its best within the limits."
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
        f"{caption} The larger a mark, the larger the error of the analyst's picture.",
        {program: plain(_traces(drawn, fronts), **_layout(span))[""] for program, drawn in panels.items()},
        Table("What is drawn", columns, rows, range(3, 6)),
        "Program",
        HEIGHT,
    )


_AXES = (AGE, SLOWDOWN, ERROR)


def _layout(span: tuple[tuple[float, float], tuple[float, float]]) -> Json:
    ages, slowdowns = span
    ticks = {value: name for value, name in AGES.items() if ages[0] <= value <= ages[1]}
    return {
        "xaxis": axis(
            "age of what the analyst sees, median",
            type="log",
            range=_ends(ages),
            tickvals=list(ticks),
            ticktext=list(ticks.values()),
        ),
        "yaxis": axis("slowdown, %", type="log", range=_ends(slowdowns), dtick=1),
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "itemsizing": "constant"},
    }


def _ends(span: tuple[float, float]) -> list[float]:
    """Powers of ten, with room for whole marks."""
    import math

    return [math.log10(span[0]) - 0.3, math.log10(span[1]) + 0.3]


def _traces(drawn: Sequence[Curve], fronts: bool) -> list[Json]:
    traces = []
    for number, curve in enumerate(drawn):
        if not curve:
            continue
        colour = COLOURS[number % len(COLOURS)]
        mark = MARKS[(number + number // len(COLOURS)) % len(MARKS)]
        points = curve.front if fronts else curve.steps or ((curve.default,) if curve.default else ())
        traces.append(_trace(curve.name, curve.name, points, colour, mark, "dot" if fronts else "solid"))
        if fronts:
            continue
        if curve.default is not None:
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
            "symbol": mark,
            "size": [round(diameter(float(row[ERROR] or 0)) + wider, 2) for row in rows],
            "sizemode": "diameter",
            "opacity": 0.75,
            "line": {"width": 0},
        },
        "text": [monitors_tables.what_is_set(row.at) for row in rows],
        "customdata": [float(row[ERROR] or 0) for row in rows],
        "hovertemplate": f"{name}: %{{text}}<br>{HOVER}<extra></extra>",
    }
