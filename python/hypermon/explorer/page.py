# SPDX-License-Identifier: BSD-3-Clause
"""The explorer as a Dash application: what happens in the browser (page.js), and what on the server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import dash
from dash import ALL, MATCH, ClientsideFunction, Input, Output, State, no_update

from hypermon._model.cards import BAD
from hypermon.errors import UserError
from hypermon.explorer import parts, picture
from hypermon.explorer.answers import Answer, Answers, Buffer
from hypermon.explorer.controls import Settings
from hypermon.report.rendering import text_of

T = TypeVar("T")
MOST_TABS = 64  # (chosen) browser tabs that are remembered
NUMBERS, CHOICES = {"type": "number", "path": ALL}, {"type": "choice", "path": ALL}
SHOWN = (("verdict", "children"), ("verdict", "className"), ("table", "children"), ("command", "children"))
HERE = Path(__file__).parent
INDEX = """<!doctype html>
<html lang="en"><head>{%metas%}<title>{%title%}</title><link rel="icon" href="data:,">{%css%}
<style>STYLE</style></head>
<body>{%app_entry%}<script>SCRIPT</script><footer hidden>{%config%}{%scripts%}{%renderer%}</footer></body></html>"""


class Newest:
    """Decides which requests of a browser tab are out of date, so that a moving slider does not queue work."""

    def __init__(self) -> None:
        self._newest: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def sees(self, tab: str, number: int) -> None:
        with self._lock:
            self._newest[tab] = max(number, self._newest.get(tab, 0))
            self._newest.move_to_end(tab)
            while len(self._newest) > MOST_TABS:
                self._newest.popitem(last=False)

    def is_newest(self, tab: str, number: int) -> bool:
        with self._lock:
            return number >= self._newest.get(tab, 0)


def application(answers: Answers, prefix: str) -> dash.Dash:
    """Makes the page's application below the path `prefix`."""
    style = str(text_of("style.css")) + (HERE / "page.css").read_text(encoding="utf-8")
    script = (HERE / "page.js").read_text(encoding="utf-8")
    app = dash.Dash(
        "hypermon.explorer",
        url_base_pathname=prefix,
        serve_locally=True,
        include_assets_files=False,
        title="Explorer – hypermon",
        update_title="",
        add_log_handler=False,
        enable_mcp=False,
        index_string=INDEX.replace("STYLE", style).replace("SCRIPT", script),
        meta_tags=[
            {"name": "viewport", "content": "width=device-width, initial-scale=1"},
            {"name": "color-scheme", "content": "light dark"},
        ],
    )
    app.layout = parts.layout(answers)
    _in_the_browser(app)
    _on_the_server(app, Callbacks(answers))
    return app


def _in_the_browser(app: dash.Dash) -> None:
    """Registers the functions of page.js."""
    register: Any = app.clientside_callback

    def runs(name: str, *of: Any, **more: Any) -> None:
        register(ClientsideFunction("explorer", name), *of, **more)

    one = {name: {"type": name, "path": MATCH} for name in ("number", "slider", "steps")}
    both = [(one["number"], "value"), (one["slider"], "value")]
    runs("together", *(Output(*end) for end in both), *(Input(*end) for end in both), State(one["steps"], "data"))
    values = [Input(NUMBERS, "value"), Input(CHOICES, "value"), Input("compare", "value")]
    about = [State(NUMBERS, "id"), State(CHOICES, "id"), State("recorded", "data"), State("reference-name", "data")]
    runs("move", Output("moving", "data"), *values, *about)
    runs("rest", Output("rested", "data"), Input("moving", "data"))
    runs("draw", Output("graph", "figure"), Output("graph", "style"), Input("chart", "data"), Input("theme", "data"))
    command = State("command", "children")
    runs("copy", Output("copied", "data"), Input("copy", "n_clicks"), command, prevent_initial_call=True)


def _on_the_server(app: dash.Dash, callbacks: Callbacks) -> None:
    """Registers the callbacks. The counts of a moving slider and the whole answer fill the same places.

    The browser requests the chart and the whole answer at the same time. The chart is computed sooner.
    """
    register: Any = app.callback
    register(
        Output(NUMBERS, "value"),
        Output(CHOICES, "value"),
        Output("compare", "value"),
        Output("problem", "children"),
        *(Input(*given) for given in (("url", "search"), ("reset", "n_clicks"), ("take", "n_clicks"))),
    )(callbacks.fill)
    register(*(Output(*place) for place in SHOWN), Input("moving", "data"), prevent_initial_call=True)(callbacks.move)
    again = [Output(*place, allow_duplicate=True) for place in SHOWN]
    register(*again, Input("rested", "data"), prevent_initial_call=True)(callbacks.rest)
    chart = [Output("chart", "data"), Output("note", "children")]
    register(*chart, Input("rested", "data"), prevent_initial_call=True)(callbacks.draw)


class Callbacks:
    """Functions of the server for the page's requests."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._controls = answers.controls
        self._recorded = answers.recorded()
        self._moving, self._resting, self._drawing = Newest(), Newest(), Newest()

    def fill(self, query: str | None, _reset: int | None, _take: int | None) -> tuple[Any, ...]:
        """Sets the controls: from the address, or by one of the buttons."""
        if dash.ctx.triggered_id == "reset":
            return *self._values({}), no_update, ""
        if dash.ctx.triggered_id == "take":
            return *self._values(self._controls.reference), no_update, ""
        try:
            settings, compare = self._controls.from_query(query or "")
        except UserError as error:
            return *self._values({}), [], str(error)
        return *self._values(settings), ["yes"] if compare else [], ""

    def move(self, state: dict[str, Any] | None) -> tuple[Any, ...]:
        """Answers a moving slider, by counts."""
        answer, settings = self._ask(state, self._moving, self._answers.moving, _refused)
        if answer is None or state is None:
            return (no_update,) * len(SHOWN)
        reference = self._answers.known(self._controls.reference) if state["compare"] else None
        return self._shown(answer, settings, reference)

    def rest(self, state: dict[str, Any] | None) -> tuple[Any, ...]:
        """Answers when the controls are at rest, with everything but the chart."""
        answer, settings = self._ask(state, self._resting, self._answers.rested, _refused)
        if answer is None or state is None:
            return (no_update,) * len(SHOWN)
        reference = self._answers.rested(self._controls.reference) if state["compare"] else None
        return self._shown(answer, settings, reference)

    def draw(self, state: dict[str, Any] | None) -> tuple[Any, ...]:
        """Draws the chart when the controls are at rest."""
        buffer, _ = self._ask(state, self._drawing, self._answers.buffer, lambda _: Buffer(error=True))
        if buffer is None or state is None:
            return no_update, no_update
        reference = self._answers.buffer(self._controls.reference) if state["compare"] else None
        return picture.figure(self._controls, buffer, reference), picture.note(buffer)

    def _values(self, settings: Mapping[str, str]) -> list[list[str]]:
        """Returns the values of all numbers and of all choices."""
        values = {**self._controls.recorded, **settings}
        return [[values[c.path] for c in self._controls.every if bool(c.choices) is chosen] for chosen in (False, True)]

    def _shown(self, answer: Answer, settings: Mapping[str, str], reference: Answer | None) -> tuple[Any, ...]:
        table = parts.table(self._controls, answer, self._recorded, reference)
        return parts.verdict(answer), parts.MARKS[answer.level][0], table, self._controls.command(settings)

    def _ask(
        self,
        state: dict[str, Any] | None,
        seen: Newest,
        answer: Callable[[Settings, Callable[[], bool]], T | None],
        otherwise: Callable[[UserError], T],
    ) -> tuple[T | None, Settings]:
        """Returns the answer for the page's state. None: the page has moved on. `otherwise`: for a value in error."""
        if not state:
            return None, {}
        tab, number = str(state["tab"]), int(state["number"])
        seen.sees(tab, number)
        try:
            settings = self._controls.settings(state["values"])
        except UserError as error:
            return otherwise(error), {}
        return answer(settings, partial(seen.is_newest, tab, number)), settings


def _refused(error: UserError) -> Answer:
    return Answer(str(error), level=BAD, error=True)
