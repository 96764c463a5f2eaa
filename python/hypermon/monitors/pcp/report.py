# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under PCP."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.result import Result
from hypermon._model.words import SPACE, count, percent, plural, seconds
from hypermon.report import pictures
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import GOOD, LIMIT, PROBLEM, Finding, other_losses, sorted_findings
from hypermon.report.view import Picture, Tile, View


class PcpView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings([fetches(run), on_a_node(run), other_losses(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        run = values.run
        daemon = Part("pmcd", [values.line("pcp.daemon_us", f"{{}}{SPACE}µs of CPU a request")])
        network = Part(run.monitor["client"]["network"], [Line(f"{count(run.result['logged_bytes'])} B")], lost(run))
        client = Part(
            "client",
            [
                Line(f"{plural(run.monitor['hosts'], 'host')}, one after the other"),
                values.line("pcp.fetch_us", f"{{}}{SPACE}µs of CPU a host"),
                values.line("pcp.open_host_us", f"{{}}{SPACE}µs per other host"),
            ],
        )
        return [Panel(title, "nodes", [*parts, daemon]), Panel("The monitor", "io", [network, client])]

    def pictures(self, result: Result) -> list[Picture]:
        return [pictures.counters(result)]

    def tiles(self, run: Run) -> list[Tile]:
        mean = run.monitor["mean_fetch_s"]
        return [Tile("Fetch of all hosts", "none" if mean is None else seconds(mean), "on the average")]


VIEW = PcpView()


def fetches(run: Run) -> Finding | None:
    made, missed = run.monitor["fetches"], run.monitor["missed_fetches"]
    if not made:
        return None
    longest, interval = run.monitor["longest_fetch_s"], run.spec["pcp"]["interval_s"]
    if not missed:
        return Finding(GOOD, "No fetch was missed", f"The longest took {seconds(longest)}.")
    return Finding(
        PROBLEM,
        f"{percent(missed / (made + missed))} of the fetches were missed",
        f"A fetch of all hosts took up to {seconds(longest)}, the interval is {seconds(interval)}.",
        "A longer pcp.interval_s, or fewer hosts.",
    )


def on_a_node(run: Run) -> Finding | None:
    if not run.monitor["client"]["is_compute_node"]:
        return None
    return Finding(
        LIMIT,
        "The client runs on a node of the program",
        "What it computes and receives there is not beside the program.",
        "A computer beside the machine: machine.beside = 1.",
    )
