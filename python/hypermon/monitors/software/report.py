# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under the software monitor."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.words import SPACE, data, percent, plural, seconds, three_digits
from hypermon.report import rules
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import BUSY, GOOD, LIMIT, PROBLEM, Finding, sorted_findings
from hypermon.report.view import View

EXPLAINED = (("node_memory", "buffer_full"),)
COMPARED = "Clocks that are compared at begin and end: software.clocks = linear."
CLOCKS = (
    "Clocks that start and run together (node.clock_offset_us, node.clock_drift_ppm), or one clock for all nodes: "
    "monitor = hypermon."
)


class SoftwareView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings(
            [
                rules.unseen(run),
                rules.nothing_lost(run),
                buffer(run),
                flushes(run),
                cost_of_processes(run) if of_processes(run) else cost(run),
                rules.causality(run, COMPARED if of_processes(run) else CLOCKS),
                rules.other_losses(run, EXPLAINED),
            ]
        )

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        run = values.run
        size = run.spec["software"]["buffer_bytes"]
        buffers = run.monitor["buffer_bytes"]
        memory = Part(
            "node memory",
            [
                values.line(
                    "software.buffer_bytes",
                    f"{{}}{SPACE}B {'of each process' if of_processes(run) else 'on each node'}",
                ),
                values.line("software.us_per_byte", f"{{}}{SPACE}µs a byte to write"),
                Line(f"fullest {percent(max(buffers, default=0) / size)}"),
            ],
            lost(run, "node_memory"),
            max(buffers, default=0) / size,
        )
        clock = Part(
            "node clocks",
            [
                values.line("node.clock_resolution_ns", f"resolution {{}}{SPACE}ns"),
                values.line("node.clock_offset_us", f"start ±{{}}{SPACE}µs apart"),
                values.line("node.clock_drift_ppm", f"drift within {{}}{SPACE}ppm"),
            ],
        )
        return [Panel(title, "nodes", [*parts, clock, memory])]


VIEW = SoftwareView()


def of_processes(run: Run) -> bool:
    return bool(run.spec["software"]["traces"] == "process")


def buffer(run: Run) -> Finding | None:
    size = run.spec["software"]["buffer_bytes"]
    if run.spec["software"]["when_full"] == "flush":
        return None
    owner, owners = ("process", "processes'") if of_processes(run) else ("node", "nodes'")
    fullest = max(run.monitor["buffer_bytes"], default=0)
    lost = run.lost("node_memory", "buffer_full")
    if lost:
        most = fullest + max(0, lost)  # need of one node if all losses were its own
        return Finding(
            PROBLEM,
            "Trace buffers were full",
            f"{data(lost)} found no room in the {owners} buffers of {data(size)}.",
            f"Larger buffers (software.buffer_bytes): {data(most)} a {owner} is enough in any case.",
        )
    text = f"The fullest {owner} wrote {data(fullest)} of its {data(size)} ({percent(fullest / size)})."
    if not fullest:
        return None
    lasts = run.elapsed_s * size / fullest
    return Finding(GOOD if fullest < BUSY * size else LIMIT, f"At this rate buffers last {seconds(lasts)}", text)


def flushes(run: Run) -> Finding | None:
    if not of_processes(run) or not run.monitor["trace"]["writes"] or not run.elapsed_s:
        return None
    trace = run.monitor["trace"]
    share = trace["flushing_s"] / (len(run.monitor["buffer_bytes"]) * run.elapsed_s)
    return Finding(
        LIMIT if share > 0.05 else GOOD,
        f"Processes wait {percent(share)} of their time for full buffers to be written",
        f"{trace['flushes']} flushes, the longest of {seconds(trace['longest_flush_s'])}; "
        f"{data(trace['written_bytes'])} in {trace['writes']} writes. After the measured section, "
        f"comparing the clocks and writing the rest took {seconds(trace['closing_s'])}.",
        "Larger buffers (software.buffer_bytes), or more file servers (software.servers)." if share > 0.05 else "",
    )


def cost_of_processes(run: Run) -> Finding | None:
    processes = len(run.monitor["buffer_bytes"])
    if not processes or not run.elapsed_s:
        return None
    share = run.monitor["trace"]["recording_s"] / (processes * run.elapsed_s)
    records = run.result["ledger"]["generated"]
    return Finding(
        LIMIT if share > 0.05 else GOOD,
        f"Recording takes {percent(share)} of the processes' time",
        f"{plural(records['events'], 'record')}, "
        f"{three_digits(records['bytes'] / max(1, records['events']))} B each on average.",
    )


def cost(run: Run) -> Finding | None:
    if not run.result["events"] or not run.result["ranks"]:
        return None
    rank = run.result["ranks"][run.busiest]
    return Finding(
        LIMIT if run.emission_share > 0.05 else GOOD,
        f"Recording takes {percent(run.emission_share)} of the busiest node's time",
        f"Node {run.busiest} spends {seconds(rank['monitor_s'])} of {seconds(rank['elapsed_s'])} writing trace "
        f"records, {three_digits(run.result['logged_bytes'] / run.result['events'])} B an event on average.",
    )
