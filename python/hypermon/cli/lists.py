# SPDX-License-Identifier: BSD-3-Clause
"""The lists `hypermon scenarios`, `hypermon platforms`, `hypermon params` and `hypermon counters`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command


@command
def list_scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the scenarios and the question that each answers."""
    from hypermon._inputs import listed

    found = listed.scenarios()
    if as_json:
        import json

        entries = [{"name": s.name, "question": s.question, "cases": len(s.cases)} for s in found]
        say(json.dumps(entries, indent=1))
        return
    from hypermon.cli import render

    rows = [(s.name, len(s.cases), s.question) for s in found]
    render.show_all(render.table(("scenario", "cases", "question"), rows, (1,)))


@command
def list_platforms(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the machines that come with hypermon."""
    from hypermon._inputs import listed

    found = listed.platforms()
    if as_json:
        import json

        entries = [
            {
                "name": p.name,
                "description": p.description,
                "sources": p.sources,
                "set": {path: item.value for path, item in p.settings.items()},
            }
            for p in found
        ]
        say(json.dumps(entries, indent=1))
        return
    from hypermon.cli import render

    render.show_all(render.table(("platform", "machine"), [(p.name, p.description) for p in found]))


@command
def params(
    path: Annotated[
        str | None,
        typer.Argument(
            help="Parameter, group or glob; `result`: the result's keys; `events`: NX/2's events; "
            "`code`: the parameters that make hypermon run code.",
            autocompletion=complete.about,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Describe parameters: unit, default, allowed values, source."""
    import json

    from hypermon._model import catalogues, worker
    from hypermon.cli import render

    schema = worker.schema()
    if path == "result":
        shown: Any = list(schema.results)
        parts: list[Any] = [render.result_keys(schema)]
    elif path == "events":
        rows = catalogues.events(catalogues.BUILT_IN)
        shown = [row._asdict() for row in rows]
        parts = [render.events(rows)]
    elif path == "code":
        running = [p for p in schema.parameters.values() if p.runs]
        shown = [p._asdict() for p in running]
        parts = [render.code(running)]
    else:
        found = schema.select(path or "*")
        shown = [p._asdict() for p in found]
        about = schema.sections.get(path or "")
        parts = [render.parameter(found[0])] if len(found) == 1 else render.parameters(found)
        parts = [f"{path}: {about}\n", *parts] if about else parts
    if as_json:
        say(json.dumps(shown, indent=1))
    else:
        render.show_all(*parts)


@command
def counters(
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the counters that the simulated system keeps for monitors that read them."""
    from hypermon._model import worker

    found = worker.schema().counters
    if as_json:
        import json

        say(json.dumps(found, indent=1))
        return
    from hypermon.cli import render

    render.show_all(render.counters(found))


def add(app: typer.Typer) -> None:
    app.command("scenarios")(list_scenarios)
    app.command("platforms")(list_platforms)
    app.command()(params)
    app.command()(counters)
