# SPDX-License-Identifier: BSD-3-Clause
"""The recommendations of `hypermon study monitors`: a monitor for each need, by rules over the runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from hypermon._model.result import show
from hypermon_studies.monitors.columns import ERROR, LATENCY, LOST, MEMORY, NOTHING, SLOWDOWN, WHILE, WORST
from hypermon_studies.monitors.plan import Candidate, Request
from hypermon_studies.monitors.programs import NODES
from hypermon_studies.monitors.runs import Row
from hypermon_studies.monitors.tables import what_is_set

NETWORK = "program_network_bytes"
CLUSTER, CHIP = "a cluster", "a chip or a board"
NEARLY = 0.9
"""A monitor qualifies if it meets the need for this share of the programs of the best monitor (chosen)."""


@dataclass(frozen=True)
class Need:
    """A need of a user who builds a machine.

    Attributes:
        builds: The machine. The nodes of a CLUSTER get no hardware for a monitor.
        text: The need in words.
        tells: The kind of data that the monitor must deliver.
        at_once: The data must arrive during the run.
        most: Upper bounds by column. A run without the number does not meet the need.
        least: The column to minimise.
        bits: The bits of hardware are minimised instead, among monitors with hardware.
    """

    builds: str
    text: str
    tells: str = ""
    at_once: bool = False
    most: Mapping[str, float] = field(default_factory=dict)
    least: str = SLOWDOWN
    bits: bool = False

    def is_met(self, row: Row) -> bool:
        return (
            not row.failed
            and row.reaches != NOTHING
            and not (self.builds == CLUSTER and row.hardware)
            and (not self.tells or self.tells in row.candidate.monitor.tells)
            and (not self.at_once or row.reaches == WHILE)
            and all((value := row[key]) is not None and value <= most for key, most in self.most.items())
            and self.cost_of(row) is not None
        )

    def cost_of(self, row: Row) -> float | None:
        """The cost to be minimised."""
        if not self.bits:
            return row[self.least]
        return sum(value for value, unit in row.hardware.values() if unit == "bits") or None


_LIVE = "every event, none lost, during the run"
_ACCURATE = "smallest error at a slowdown of at most 1 %"
_ALARM = "alarm during the run: median latency of at most 0.1 s, slowdown of at most 1 %, smallest error"
NEEDS = (
    Need(CLUSTER, "every event, none lost, after the run", "events", most={LOST: 0}),
    Need(CLUSTER, _LIVE, "events", at_once=True, most={LOST: 0}),
    Need(CLUSTER, "smallest error at any slowdown", least=ERROR),
    Need(CLUSTER, _ACCURATE, most={SLOWDOWN: 1}, least=ERROR),
    Need(CLUSTER, _ALARM, at_once=True, most={SLOWDOWN: 1, LATENCY: 100}, least=ERROR),
    Need(
        CLUSTER,
        "display during the run: no latency above 1 s, slowdown of at most 1 %, smallest error",
        at_once=True,
        most={SLOWDOWN: 1, WORST: 1000},
        least=ERROR,
    ),
    Need(CLUSTER, "error of at most 10 %", most={ERROR: 10}),
    Need(CLUSTER, "error of at most 10 %, no traffic on the program's network", most={ERROR: 10, NETWORK: 0}),
    Need(CLUSTER, "error of at most 10 %, at most 4 MiB of memory a node", most={ERROR: 10, MEMORY: 4 << 20}),
    Need(CLUSTER, "profiles of the program", "profiles"),
    Need(CLUSTER, "which process waits for which", "relations"),
    Need(CHIP, _LIVE, "events", at_once=True, most={LOST: 0}),
    Need(CHIP, _ACCURATE, most={SLOWDOWN: 1}, least=ERROR),
    Need(CHIP, _ALARM, at_once=True, most={SLOWDOWN: 1, LATENCY: 100}, least=ERROR),
    Need(CHIP, "fewest bits of memory without a loss", most={LOST: 0}, bits=True),
)


@dataclass(frozen=True)
class Decision:
    """The recommendation for a need on a machine.

    Attributes:
        take: The recommended candidate. None: no candidate meets the need under any program.
        at: Setting of its knob, in words.
        programs: The programs.
        costs: The minimised number, by the programs under which the need is met.
        worst: The run with the largest such number.
    """

    need: Need
    machine: str
    programs: tuple[str, ...]
    take: Candidate | None = None
    at: str = ""
    costs: Mapping[str, float] = field(default_factory=dict)
    worst: Row | None = None

    def to_json(self, request: Request) -> dict[str, Any]:
        return {
            "builds": self.need.builds,
            "need": self.need.text,
            "machine": self.machine,
            "take": self.take.name if self.take is not None else None,
            "with": self.at,
            "programs": list(self.costs),
            "of": len(self.programs),
            "median": median(self.costs.values()) if self.costs else None,
            "shown_by": shown_by(self, request),
        }


def shown_by(decision: Decision, request: Request) -> str:
    """The study with the single run that shows the need best."""
    if decision.take is None or decision.worst is None:
        return ""
    (machine, program), at = decision.worst.place, decision.worst.at
    words = ["hypermon", "study", "monitors", program, "--platform", machine, "--monitor", decision.take.monitor.name]
    words += ["--nodes", str(request.nodes)] * (request.nodes != NODES)
    words += [word for name in request.presets for word in ("--preset", name)]
    words += [word for path, value in {**request.settings, **at}.items() for word in ("--set", f"{path}={show(value)}")]
    return shlex.join(words)


def decide(rows: Iterable[Row]) -> list[Decision]:
    """Decides for each need and machine. Candidates are those that meet the need for nearly as many programs as the
    best one. The one with the smallest median of the minimised number is recommended; among equals the one that meets
    the need for more programs, then the first.
    """
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        by_machine.setdefault(row.place[0], []).append(row)
    return [_decision(need, machine, found) for need in NEEDS for machine, found in by_machine.items()]


def _decision(need: Need, machine: str, rows: Sequence[Row]) -> Decision:
    programs = tuple(dict.fromkeys(program for _, program in (row.place for row in rows)))
    ways: dict[tuple[str, str], list[tuple[float, Row]]] = {}
    for row in rows:
        cost = need.cost_of(row)
        if need.is_met(row) and cost is not None:
            ways.setdefault((row.candidate.name, what_is_set(row.at)), []).append((cost, row))
    if not ways:
        return Decision(need, machine, programs)
    enough = NEARLY * max(map(len, ways.values()))
    way, runs = min(
        ((way, runs) for way, runs in ways.items() if len(runs) >= enough),
        key=lambda one: (median(cost for cost, _ in one[1]), -len(one[1])),
    )
    _, worst = max(runs, key=lambda run: run[0])
    return Decision(need, machine, programs, worst.candidate, way[1], {row.place[1]: cost for cost, row in runs}, worst)
