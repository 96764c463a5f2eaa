# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under SCMS/RMS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypermon._model.result import Result
from hypermon._model.words import SPACE, count, percent, plural, seconds, three_digits
from hypermon.monitors.scms.verdict import busiest_node
from hypermon.pictures import plots, tables
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import FACT, GOOD, LIMIT, PROBLEM, Finding, other_losses, sorted_findings
from hypermon.report.view import Picture, Tile, View

EXPLAINED = {("agent", cause) for cause in ("overwritten", "dropped", "late", "left", "unfinished")}

TREE = (
    "The tree of agents. Lines are as wide as their traffic. A CMA is the agent of a node (in LDMS a sampler); an SMA"
    " gathers the values of the agents below it (an aggregator)."
)
COSTLY = 0.05  # (chosen) share of a node's time


class ScmsView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings([overload(run), dead(run), disturbance(run), other_losses(run, EXPLAINED)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        monitor = values.run.monitor
        cma = Part("CMA", [Line(f"{count(monitor['values_read'])} values read"), values.line("scms.push")])
        smas = Part(
            plural(monitor["smas"], "SMA"),
            [
                Line(f"{plural(monitor['depth'], 'level')} above the CMAs"),
                Line(f"{count(sum(monitor['messages'].values()))} messages of agents"),
                values.line("scms.receive_us", f"{{}}{SPACE}µs of CPU each"),
            ],
            lost(values.run),
        )
        kinds = plural(len(monitor["clients"]), "kind")
        clients = [Part("clients", [Line(f"{kinds}, attached to SMAs")])] if monitor["clients"] else []
        return [Panel(title, "nodes", [*parts, cma]), Panel("The monitor", "io", [smas, *clients])]

    def pictures(self, result: Result) -> list[Picture]:
        def draw() -> Any:
            return plots.find("tree").draw_sources(
                plots.Sources("tree", lambda: [result], lambda: tables.of_runs([result]), None)
            )

        return [Picture(TREE, "hypermon plot tree", draw)]

    def tiles(self, run: Run) -> list[Tile]:
        nodes = len(run.monitor["tree"]["cmas"])
        tiles = [
            Tile(
                "Live nodes",
                f"{count(run.monitor['live_nodes'])} of {count(nodes)}",
                "as the root knows them in the end",
            )
        ]
        for client in run.monitor["clients"]:
            if client["mean_s"] is not None:
                tiles.append(Tile(f"Answer to a {client['kind']}", seconds(client["mean_s"]), "on the average"))
        return tiles


VIEW = ScmsView()


def overload(run: Run) -> Finding | None:
    over = run.monitor["overload"]
    if over["first_s"] is None:
        return Finding(GOOD, "The agents kept up", f"At most {plural(over['longest_queue'], 'message')} waited at one.")
    return Finding(
        PROBLEM,
        f"From {three_digits(over['first_s'])} s on the agents could not keep up",
        f"{over['first_at']} was the first. {plural(over['rounds_skipped'], 'round')} skipped, "
        f"{plural(over['dropped_messages'], 'message')} dropped, {count(over['late_messages'])} late; "
        f"{count(over['longest_queue'])} waited at {over['longest_queue_at']}.",
        "A longer period in scms.push, smaller partitions, or fewer values.",
    )


def dead(run: Run) -> Finding | None:
    failures = run.monitor["failures"]
    if not failures:
        return None
    noticed = [one["detected_s"] - one["at_s"] for one in failures if one["detected_s"] is not None]
    back = sum(one["back_s"] is not None for one in failures)
    after = f" The slowest was noticed after {seconds(max(noticed))}." if noticed else ""
    sentence = f"{len(noticed)} noticed by an SMA, {back} back in the tree.{after}"
    return Finding(LIMIT, plural(len(failures), "death"), sentence)


def disturbance(run: Run) -> Finding | None:
    """CPU time that agents on the nodes take from the program."""
    if not run.result["elapsed_s"]:
        return None
    most, cpu_s = busiest_node(run.monitor)
    share = cpu_s / run.result["elapsed_s"]
    level = LIMIT if share > COSTLY else FACT
    return Finding(level, f"Agents take up to {percent(share)} of a node's time", f"That is on {most}.")
