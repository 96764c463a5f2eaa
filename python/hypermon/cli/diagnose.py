# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon diagnose`: why is a run slow?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import command


def add(app: typer.Typer) -> None:
    app.command()(diagnose)


@command
def diagnose(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="Directory of a run whose monitor sampled counters.", autocompletion=complete.run
        ),
    ],
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Run of the same program on the same number of nodes without the problem.",
            autocompletion=complete.run,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Why is a run slow: the network, a host, or the balance of its work?

    The answer comes from the samples of the run's monitor. It names the counters that show the cause and those that
    rule out the others.
    """
    from hypermon import diagnosis
    from hypermon.cli import render

    found = diagnosis.diagnose(run, baseline)
    if as_json:
        say(json.dumps(found.to_dict(), indent=1))
        return
    rows: list[tuple[str, ...]] = []
    for finding in found.findings:
        for i, (counter, text) in enumerate(finding.counters):
            rows.append((finding.cause if i == 0 else "", finding.standing if i == 0 else "", counter, text))
    parts: list[Any] = [str(found), *found.notes, "", render.table(("cause", "", "counter", "shows"), rows)]
    parts += [f"\nTo decide about the cause {f.cause}, diagnose {f.settles}." for f in found.findings if f.settles]
    clock = {"global": " on the monitor's global clock", "stamped": " by the monitor's timestamps"}.get(
        found.run.clock, ""
    )
    parts += [f"\nSeconds are simulated time{clock}, not time on this host."]
    render.show_all(*parts)
