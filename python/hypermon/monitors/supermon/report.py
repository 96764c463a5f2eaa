# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under Supermon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypermon._model.words import SPACE, count, percent, plural, seconds
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import GOOD, LIMIT, PROBLEM, Finding, other_losses, sorted_findings
from hypermon.report.view import Tile, View


class SupermonView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings([queries(run), silence(run), *deaths(run), other_losses(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        own = values.run.monitor["supermon"]
        mon = Part("mon", [values.line("supermon.kernel_us", f"{{}}{SPACE}µs of CPU a reading"),
                           Line(f"busiest: {seconds(own['busiest_mon_cpu_s'])} of CPU")])  # fmt: skip
        tree = Part(
            "supermons",
            [
                Line(f"{plural(own['supermons']['processes'], 'daemon')}, {plural(own['depth'], 'level')}"),
                values.line("supermon.fan_out", "at most {} below one"),
                Line(f"{count(own['mons']['bytes'] + own['supermons']['bytes'])} B"),
            ],
            lost(values.run),
        )
        clients = Part("clients", [Line(plural(len(own["clients"]), "client")),
                                   Line(f"{count(sum(c['answers'] for c in own['clients']))} answers")])  # fmt: skip
        return [Panel(title, "nodes", [*parts, mon]), Panel("The monitor", "io", [tree, clients])]

    def tiles(self, run: Run) -> list[Tile]:
        times = [c["mean_s"] for c in run.monitor["supermon"]["clients"] if c["mean_s"] is not None]
        return [Tile("Query of a client", seconds(max(times)) if times else "none", "mean, of the slowest client")]


VIEW = SupermonView()


def queries(run: Run) -> Finding | None:
    clients = run.monitor["supermon"]["clients"]
    made, missed = (sum(client[key] for client in clients) for key in ("queries", "missed_queries"))
    if not made:
        return None
    longest = max((client["longest_s"] or 0 for client in clients), default=0)
    if not missed:
        return Finding(GOOD, "No query was missed", f"The longest took {seconds(longest)}.")
    return Finding(
        PROBLEM,
        f"{percent(missed / (made + missed))} of the queries were missed",
        f"Their dates passed while the query before was not answered: one took up to {seconds(longest)}.",
        "A longer supermon_client.period_s, fewer nodes or counters, or a smaller supermon.fan_out.",
    )


def silence(run: Run) -> Finding | None:
    own = run.monitor["supermon"]
    if not own["timeouts"]:
        return None
    return Finding(
        LIMIT,
        f"Supermons waited {count(own['timeouts'])} times in vain",
        "Who does not answer in time is taken for dead, whether it is or only slow.",
        "A longer supermon.timeout_ms, if nobody has died.",
    )


def deaths(run: Run) -> Iterator[Finding]:
    for failure in run.monitor["supermon"]["failures"]:
        _, daemon, number, length = failure["failure"].split()
        gaps = plural(failure["gaps"], "gap") if failure["gaps"] else "no gap"
        title = f"The failure of {daemon} {number} left {gaps} in the samples"
        longest = failure["longest_gap_s"]
        longest_text = (
            "None has ended." if longest is None else f"The longest gap that has ended took {seconds(float(longest))}."
        )
        kind = LIMIT if failure["gaps"] else GOOD
        text = (
            f"It was away for {seconds(float(length))} from {seconds(failure['at_s'])} on, "
            f"with {plural(failure['nodes'], 'node')} below it."
        )
        yield Finding(kind, title, f"{text} {longest_text}" if failure["gaps"] else text)
