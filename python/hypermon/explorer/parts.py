# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the explorer's page: the verdict, the numbers, the command, and the controls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from hypermon._model import run_cards
from hypermon._model.cards import BAD, GOOD, NEUTRAL
from hypermon._model.words import count
from hypermon.explorer.answers import PENDING, Answer, Answers
from hypermon.explorer.controls import Control, Controls, text

OPEN = 3  # (chosen) first sections of controls that are open
MARKS = {GOOD: ("verdict", "✓"), BAD: ("verdict problem", "✗"), NEUTRAL: ("verdict limit", "…")}


def layout(answers: Answers) -> html.Main:
    """Returns the whole page. The verdict is its first line."""
    controls = answers.controls
    recorded = answers.recorded()
    first = Answer(f"Replaying {PENDING}", rows=dict.fromkeys(recorded, PENDING))
    subject = run_cards.subject(controls.recording.result["spec"])
    heading = html.H1(verdict(first), id="verdict", className=MARKS[NEUTRAL][0])
    results = [
        html.Section(html.Div(table(controls, first, recorded, None), id="table")),
        html.Section(_over_time(controls)),
        html.Section(_command(controls)),
    ]
    settings = [_buttons(controls), *sections(controls)]
    return html.Main(
        [
            *_stores(controls),
            html.Div([heading, html.P(id="problem", className="verdict problem")], className="answer"),
            html.P(f"{subject}, recorded in {controls.recording.path}", className="eyebrow"),
            html.Div(
                [html.Div(results, className="results"), html.Div(settings, className="settings")], className="explorer"
            ),
        ]
    )


def _stores(controls: Controls) -> list[Any]:
    """Returns the page's state in the browser."""
    return [
        dcc.Location(id="url", refresh=False),
        dcc.Store("recorded", data=controls.recorded),
        dcc.Store("reference-name", data=controls.how.REFERENCE[0]),
        *(dcc.Store(store) for store in ("moving", "rested", "chart", "theme", "copied")),
    ]


def _over_time(controls: Controls) -> list[Any]:
    chart = dcc.Graph(id="graph", responsive=True, config={"displayModeBar": False}, className="plot buffer")
    boards = controls.how.track(controls.recording.spec).capitalize()
    return [html.H2(f"{boards}: buffer over time"), chart, html.P(id="note", className="note")]


def _command(controls: Controls) -> list[Any]:
    command = html.Pre(controls.command({}), id="command")
    button = html.Button("Copy as command", id="copy", className="copy")
    return [html.H2("Command"), html.Div([command, button], className="code")]


def _buttons(controls: Controls) -> html.Div:
    name = controls.how.REFERENCE[0]
    compare = [{"label": f"Compare with the {name}", "value": "yes"}]
    return html.Div(
        [
            html.Button("As recorded", id="reset", className="quiet"),
            html.Button(f"As the {name}", id="take", className="quiet"),
            dcc.Checklist(compare, [], id="compare", className="compare"),
        ],
        className="buttons",
    )


def verdict(answer: Answer) -> list[Any]:
    """Returns the content of the first line."""
    return [html.Span(MARKS[answer.level][1], className="mark"), html.Span(answer.verdict)]


def sections(controls: Controls) -> list[html.Details]:
    """Returns the controls by section. The first sections are open."""
    found = []
    for i, (section, name) in enumerate(controls.how.EXPLORED.items()):
        own = [row(control) for control in controls.every if control.section == section]
        if own:
            found.append(html.Details([html.Summary(name), *own], open=i < OPEN, id=f"section-{section}"))
    return found


def row(control: Control) -> html.Div:
    p = control.parameter
    recorded = text(control.recorded)
    value_id = {"path": control.path, "type": "choice" if control.choices else "number"}
    about = f"{control.path}: {p.description} Allowed: {p.allowed}."
    label = html.Label(control.label, title=about, htmlFor=json.dumps(value_id, separators=(",", ":")))
    if control.choices:
        choice = dcc.RadioItems(list(control.choices), recorded, id=value_id, className="choices")
        return _control(control, html.Div([label, choice], className="head"))
    entry = dcc.Input(id=value_id, type="text", value=recorded, debounce=True, className="entry")
    slider = dcc.Slider(
        0,
        len(control.steps) - 1,
        1,
        value=control.steps.index(recorded),
        marks={0: _grouped(control.steps[0]), len(control.steps) - 1: _grouped(control.steps[-1])},
        allow_direct_input=False,
        updatemode="drag",
        id={"path": control.path, "type": "slider"},
    )
    steps = dcc.Store({"path": control.path, "type": "steps"}, data=control.steps)
    head = html.Div([label, entry, html.Span(p.unit, className="unit")], className="head")
    return _control(control, head, slider, steps)


def _grouped(step: str) -> str:
    return count(int(step)) if step.isdigit() else step


def _control(control: Control, *parts: Any) -> html.Div:
    return html.Div(parts, className="control", id=f"control-{control.path.replace('.', '-')}")


def table(controls: Controls, answer: Answer, recorded: Mapping[str, str], reference: Answer | None) -> html.Table:
    """Returns the numbers of the design, beside those of the recorded run and perhaps of the reference design."""
    head = ["", "this design", "as recorded", *([f"the {controls.how.REFERENCE[0]}"] if reference else [])]
    body = []
    for label in recorded:
        cells = [answer.rows.get(label, "–"), recorded[label], *([reference.rows.get(label, "–")] if reference else [])]
        is_loss = label.endswith(" lost")
        body.append(
            html.Tr(
                [
                    html.Th(label, scope="row"),
                    *(
                        html.Td(cell, className="num loss" if is_loss and cell not in ("0", PENDING, "–") else "num")
                        for cell in cells
                    ),
                ]
            )
        )
    return html.Table([html.Thead(html.Tr([html.Th(name, scope="col") for name in head])), html.Tbody(body)])
