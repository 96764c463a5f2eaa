# SPDX-License-Identifier: BSD-3-Clause
"""The machine of a run, with its monitor."""

from __future__ import annotations

from hypermon._model.words import SPACE, data, plural
from hypermon.report import storage, topology, view
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.parts import Values


def panels(values: Values) -> list[Panel]:
    """Returns the panels of the machine with this run's monitor."""
    run, own = values.run, view.find(values.run.kind)
    nodes = run.spec["nodes"]
    program = Part("MPI program", [values.line("workload"), Line(f"seed {run.spec['seed']}")])
    title = ", ".join(filter(None, (plural(nodes, "compute node"), topology.name(run.spec))))
    if not run.is_observed and (servers := storage.panel(run.result)) is not None:
        return [Panel(title, "nodes", [program]), servers]
    if not run.is_observed:
        return own.panels(values, title, [program])
    if run.counted_in != "events" or not run.result["event_bytes"]:  # the monitor's data are not these events
        return own.panels(values, title, [program])
    events = Part(
        "instrumentation",
        [
            Line(plural(run.result["events"], "event")),
            Line(f"{data(run.result['event_bytes'])} of data"),
            values.line("node.tick_ms", f"a tick every {{}}{SPACE}ms"),
        ],
    )
    return own.panels(values, title, [program, events])
