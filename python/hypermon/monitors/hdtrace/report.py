# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under HDTrace."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.words import SPACE, count, data, percent, plural, seconds, three_digits
from hypermon.monitors.hdtrace.verdict import extremes
from hypermon.report import rules
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import FACT, GOOD, LIMIT, PROBLEM, Finding, sorted_findings
from hypermon.report.view import Tile, View

EXPLAINED = (("trace_buffer", "buffer_full"), ("trace_disk", "disk_full"))
CLOCKS = "Clocks put right in the files' headers (hdtrace.offsets = ends), or nodes whose clocks run together."
CLOSE = 0.05  # (chosen) an estimate within so much of the truth is a good one
COSTLY = 0.05  # (chosen) share of the program's time


MOST_SERVERS = 3
"""(chosen) Servers in the drawing of the machine, each with its layers."""


class HdtraceView(View):
    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings(
            [
                rules.nothing_lost(run),
                losses(run),
                cost(run),
                estimate(run),
                least_power(run),
                unrelated(run),
                rules.causality(run, CLOCKS),
                rules.other_losses(run, EXPLAINED),
            ]
        )

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        monitor = values.run.monitor
        wrapper = Part(
            "MPI wrapper",
            [
                Line(f"{count(monitor['states'])} states"),
                values.line("hdtrace.leave_us", f"{{}}{SPACE}µs a call"),
                values.line("hdtrace.buffer_bytes", f"buffers of {{}}{SPACE}B"),
            ],
            lost(values.run, "trace_buffer"),
        )
        disk = Part(
            "trace disk",
            [
                Line(f"{data(values.run.result['logged_bytes'])} written"),
                Line(plural(monitor["flushes"], "flush", "flushes")),
            ],
            lost(values.run, "trace_disk"),
        )
        power = monitor["power"]
        meter = Part(
            "power meter",
            [
                values.line("power.meter_ms", f"every {{}}{SPACE}ms"),
                Line(f"{three_digits(power['joules'])}{SPACE}J in all"),
            ],
            is_fed=False,
        )
        panels = [Panel(title, "nodes", [*parts, wrapper, disk, meter])]
        servers: dict[str, list[Line]] = {}
        for one in monitor["layers"]:
            server, _, layer = one["layer"].partition("/")
            if layer and server.startswith("server"):
                line = Line(f"{layer}: {count(one['operations'])}, {one['most_pending']} pending")
                servers.setdefault(server, []).append(line)
        if servers:
            drawn = [Part(name, lines, is_fed=False) for name, lines in list(servers.items())[:MOST_SERVERS]]
            some = f", {MOST_SERVERS} drawn" if len(servers) > MOST_SERVERS else ""
            panels.append(Panel(plural(len(servers), "file server") + some, "io", drawn))
        return panels

    def tiles(self, run: Run) -> list[Tile]:
        power = run.monitor["power"]
        tiles = [Tile("Energy of the nodes", f"{three_digits(power['joules'])} J", "from the model of states")]
        if power["metered_joules"] is not None:
            tiles.append(
                Tile("As metered", f"{three_digits(power['metered_joules'])} J", "whole periods of the meters")
            )
        if power["estimated_joules"]:
            off = power["estimated_joules"] / power["sampled_joules"] - 1
            tiles.append(Tile("As estimated", f"{three_digits(power['estimated_joules'])} J", deviation_text(off)))
        return tiles


VIEW = HdtraceView()


def deviation_text(off: float) -> str:
    return f"{percent(abs(off))} too {'much' if off >= 0 else 'little'}"


def losses(run: Run) -> Finding | None:
    full, disk = run.lost(*EXPLAINED[0]), run.lost(*EXPLAINED[1])
    if disk:
        return Finding(
            PROBLEM,
            "The nodes' disks were full",
            f"{data(disk)} found no room; a process whose disk is full traces nothing more.",
            "More room (hdtrace.capacity_mb), or a file server (hdtrace.server).",
        )
    if full:
        return Finding(
            PROBLEM,
            "Trace buffers were full",
            f"{data(full)} were written while both buffers of a process waited for the file server.",
            "Larger buffers (hdtrace.buffer_bytes), a faster server, or the nodes' own disks (hdtrace.server empty).",
        )
    return None


def cost(run: Run) -> Finding | None:
    nodes = run.spec["nodes"]
    elapsed = run.result["elapsed_s"]
    if not elapsed:
        return None
    took = run.monitor["cpu_s"] / nodes
    waited = run.monitor["flushing_s"] / max(len(run.monitor["processes"]), 1)
    share = (took + waited) / elapsed
    return Finding(
        LIMIT if share > COSTLY else GOOD,
        f"Tracing takes {percent(share)} of a node's time",
        f"{seconds(took)} of CPU time on a node, and {seconds(waited)} that a process waits for its disk, of "
        f"{seconds(elapsed)}.",
    )


def estimate(run: Run) -> Finding | None:
    power = run.monitor["power"]
    if not power["estimated_joules"]:
        return None
    off = power["estimated_joules"] / power["sampled_joules"] - 1
    return Finding(
        GOOD if abs(off) <= CLOSE else LIMIT,
        f"Utilisation alone tells of {deviation_text(off)} energy",
        f"{three_digits(power['estimated_joules'])}{SPACE}J from {plural(power['samples'], 'sample')}, "
        f"{three_digits(power['sampled_joules'])} J in truth."
        + (" A processor that polls in MPI looks as if it computed." if off > CLOSE else ""),
    )


def least_power(run: Run) -> Finding | None:
    """The phases that take most and least."""
    if not (found := extremes(run.monitor["power"]["phases"])):
        return None
    low, high = found
    least, most = (f"{three_digits(one['mean_w'])}{SPACE}W in {one['phase']}" for one in found)
    return Finding(
        FACT,
        f"A node takes {least}, {most}",
        f"{three_digits(low['joules'])} J and {three_digits(high['joules'])} J of "
        f"{three_digits(run.monitor['power']['joules'])} J.",
    )


def unrelated(run: Run) -> Finding | None:
    lacking = sum(one["unrelated"] for one in run.monitor["layers"])
    if not lacking:
        return None
    return Finding(LIMIT, f"{plural(lacking, 'operation')} without a cause", "What they were done for is in no file.")
