# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under HPVM's monitor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.result import Result
from hypermon._model.words import SPACE, count, percent, plural, seconds, three_digits
from hypermon.report import pictures
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import GOOD, LIMIT, PROBLEM, Finding, other_losses, sorted_findings
from hypermon.report.view import Picture, Tile, View


class HpvmView(View):
    def findings(self, run: Run) -> list[Finding]:
        found = [
            sweeps(run),
            *(missed_by(rule) for rule in run.monitor.get("rules", ())),
            clock(run),
            shared(run),
            beside(run),
        ]
        return sorted_findings([*found, other_losses(run)])

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        run = values.run
        asked = Part(
            "performance objects",
            [
                Line(", ".join(run.monitor["objects"])),
                values.line("hpvm.query_us", f"{{}}{SPACE}µs of CPU a query"),
                values.line("hpvm.counter_us", f"and {{}}{SPACE}µs a value"),
            ],
        )
        network = Part(run.monitor["network"], [values.line("hpvm.counter_bytes", f"{{}}{SPACE}B a value")], lost(run))
        node = Part(
            "monitor node",
            [
                values.line("hpvm.interval_s", f"asks every {{}}{SPACE}s"),
                Line(f"{plural(run.monitor['sweeps'], 'sweep')}, {count(run.monitor['missed_sweeps'])} missed"),
                *(Line(f"{plural(rule['fired'], 'time')} {rule['rule']}") for rule in run.monitor.get("rules", ())),
            ],
        )
        return [Panel(title, "nodes", [*parts, asked]), Panel("The monitor", "io", [network, node])]

    def pictures(self, result: Result) -> list[Picture]:
        return [pictures.counters(result)]

    def tiles(self, run: Run) -> list[Tile]:
        clocks = run.monitor["clock"]
        return [
            Tile(
                "Global clock",
                f"±{three_digits(clocks['bound_us'])} µs",
                f"true error {three_digits(clocks['error_us'])} µs",
            )
        ]


VIEW = HpvmView()


def sweeps(run: Run) -> Finding | None:
    made, missed = run.monitor["sweeps"], run.monitor["missed_sweeps"]
    longest, interval = run.monitor["longest_sweep_s"], run.spec["hpvm"]["interval_s"]
    if not missed:
        text = f"The longest took {seconds(longest)} of its {seconds(interval)}."
        return Finding(GOOD, "No sweep was missed", text) if made else None
    return Finding(
        PROBLEM,
        f"{percent(missed / (made + missed))} of the sweeps were missed",
        f"A sweep took up to {seconds(longest)}, the interval is {seconds(interval)}: {count(missed)} had no room.",
        "A longer hpvm.interval_s, fewer counters (hpvm.counters), or more hpvm.threads.",
    )


def missed_by(rule: Mapping[str, Any]) -> Finding | None:
    if not rule["missed_sweeps"]:
        return None
    return Finding(
        PROBLEM,
        f"{percent(rule['missed_sweeps'] / (rule['sweeps'] + rule['missed_sweeps']))} of a rule's sweeps were missed",
        f"{rule['rule']}: {count(rule['missed_sweeps'])} dates passed while the one before was made.",
        "A longer interval of the rule, fewer counters, or more hpvm.threads.",
    )


def clock(run: Run) -> Finding | None:
    clocks = run.monitor["clock"]
    if not clocks["outside"]:
        text = (
            f"Readings are at most {three_digits(clocks['error_us'])} µs off; "
            f"{three_digits(clocks['bound_us'])} µs are promised."
        )
        return Finding(GOOD, "The global clock keeps its promise", text) if clocks["nodes"] else None
    return Finding(
        PROBLEM,
        "The global clock breaks its promise",
        f"{plural(clocks['outside'], 'reading')} of clocks are farther off than {three_digits(clocks['bound_us'])} µs.",
        "cristian.min_us is more than the fastest probe takes, or clocks drift by more than cristian.drift_ppm.",
    )


def shared(run: Run) -> Finding | None:
    if not run.monitor["shares_programs_network"]:
        return None
    return Finding(
        LIMIT,
        "The monitor shares the program's network",
        f"Queries and answers, {count(run.result['logged_bytes'])} B, went over {run.monitor['network']}.",
        "A network beside it: lan.count = 1.",
    )


def beside(run: Run) -> Finding | None:
    if not run.monitor["is_compute_node"]:
        return None
    return Finding(
        LIMIT,
        "The monitor runs on a node of the program",
        "What it computes and receives there is not beside the program.",
        "A computer beside the machine: machine.beside = 1, on a network beside the program's.",
    )
