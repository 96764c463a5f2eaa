# SPDX-License-Identifier: BSD-3-Clause
"""The decision table of `hypermon study monitors`: who needs what takes which monitor, by rules over the runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from hypermon._model.result import show
from hypermon_studies.monitors_columns import AGE, ERROR, LOST, MEMORY, NOTHING, SLOWDOWN, WHILE, WORST
from hypermon_studies.monitors_plan import Asked, Candidate
from hypermon_studies.monitors_programs import NODES
from hypermon_studies.monitors_runs import Row
from hypermon_studies.monitors_tables import what_is_set

NETWORK = "program_network_bytes"
CLUSTER, CHIP = "a cluster", "a chip or a board"
NEARLY = 0.9
"""Who meets a need under that share of the programs of who meets it under most may be taken as well (chosen)."""


@dataclass(frozen=True)
class Need:
    """What somebody needs who builds a machine.

    Attributes:
        builds: What he builds: who builds a CLUSTER can have no hardware of his own in its nodes.
        text: In words. Whoever it is, something must reach him.
        tells: What the monitor must be able to tell.
        at_once: It must reach the analyst while the program runs.
        most: By column what may be no larger; a run without such a number does not do.
        least: The column of which less is better, among those who do.
        bits: Less hardware is better instead; only who has some does.
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
            and self.of(row) is not None
        )

    def of(self, row: Row) -> float | None:
        """What is to be small."""
        if not self.bits:
            return row[self.least]
        return sum(value for value, unit in row.hardware.values() if unit == "bits") or None


_EVENTS = "every event, and none lost,"
_SOON = "to see trouble while it happens: at most 0.1 s old at the median, for 1 % of the time"
_TRUE = "the truest picture for 1 % of the time"
NEEDS = (
    Need(CLUSTER, f"{_EVENTS} to be looked at afterwards", "events", most={LOST: 0}),
    Need(CLUSTER, f"{_EVENTS} while the program runs", "events", at_once=True, most={LOST: 0}),
    Need(CLUSTER, "the truest picture, whatever it costs", least=ERROR),
    Need(CLUSTER, _TRUE, most={SLOWDOWN: 1}, least=ERROR),
    Need(CLUSTER, _SOON, at_once=True, most={SLOWDOWN: 1, AGE: 100}, least=ERROR),
    Need(
        CLUSTER,
        "never to look at anything older than a second, for 1 % of the time",
        at_once=True,
        most={SLOWDOWN: 1, WORST: 1000},
        least=ERROR,
    ),
    Need(CLUSTER, "a picture that is right for 90 % of the nodes' time, with the least disturbance", most={ERROR: 10}),
    Need(CLUSTER, "such a picture with nothing on the network of the program's messages", most={ERROR: 10, NETWORK: 0}),
    Need(CLUSTER, "such a picture in at most 4 MiB of a node's memory", most={ERROR: 10, MEMORY: 4 << 20}),
    Need(CLUSTER, "where in the program time goes: profiles, with the least disturbance", "profiles"),
    Need(CLUSTER, "who waits for whom: relations between processes, with the least disturbance", "relations"),
    Need(CHIP, f"{_EVENTS} while the program runs", "events", at_once=True, most={LOST: 0}),
    Need(CHIP, _TRUE, most={SLOWDOWN: 1}, least=ERROR),
    Need(CHIP, _SOON, at_once=True, most={SLOWDOWN: 1, AGE: 100}, least=ERROR),
    Need(CHIP, "fewest bits of memory that lose nothing", most={LOST: 0}, bits=True),
)


@dataclass(frozen=True)
class Decision:
    """For a need on a machine.

    Attributes:
        take: The candidate; None: nobody meets the need under any program.
        at: With which knob, in words.
        asked: Under which programs.
        costs: What is to be small, by the programs under which the need is met.
        worst: Of these programs' runs the one with most of it.
    """

    need: Need
    machine: str
    asked: tuple[str, ...]
    take: Candidate | None = None
    at: str = ""
    costs: Mapping[str, float] = field(default_factory=dict)
    worst: Row | None = None

    def to_json(self, asked: Asked) -> dict[str, Any]:
        return {
            "builds": self.need.builds,
            "need": self.need.text,
            "machine": self.machine,
            "take": self.take.name if self.take is not None else None,
            "with": self.at,
            "programs": list(self.costs),
            "of": len(self.asked),
            "median": median(self.costs.values()) if self.costs else None,
            "shown_by": shown_by(self, asked),
        }


def shown_by(decision: Decision, asked: Asked) -> str:
    """The study of the one run that shows it most."""
    if decision.take is None or decision.worst is None:
        return ""
    (machine, program), at = decision.worst.place, decision.worst.at
    words = ["hypermon", "study", "monitors", program, "--platform", machine, "--monitor", decision.take.monitor.name]
    words += ["--nodes", str(asked.nodes)] * (asked.nodes != NODES)
    words += [word for name in asked.presets for word in ("--preset", name)]
    words += [word for path, value in {**asked.settings, **at}.items() for word in ("--set", f"{path}={show(value)}")]
    return shlex.join(words)


def decide(rows: Iterable[Row]) -> list[Decision]:
    """For each need and machine who is taken, of those who meet it under nearly as many programs as anybody does: the
    one with the least median of what is to be small; then the one who meets it under more; then the first.
    """
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        by_machine.setdefault(row.place[0], []).append(row)
    return [_decision(need, machine, found) for need in NEEDS for machine, found in by_machine.items()]


def _decision(need: Need, machine: str, rows: Sequence[Row]) -> Decision:
    asked = tuple(dict.fromkeys(program for _, program in (row.place for row in rows)))
    ways: dict[tuple[str, str], list[tuple[float, Row]]] = {}
    for row in rows:
        cost = need.of(row)
        if need.is_met(row) and cost is not None:
            ways.setdefault((row.candidate.name, what_is_set(row.at)), []).append((cost, row))
    if not ways:
        return Decision(need, machine, asked)
    enough = NEARLY * max(map(len, ways.values()))
    way, runs = min(
        ((way, runs) for way, runs in ways.items() if len(runs) >= enough),
        key=lambda one: (median(cost for cost, _ in one[1]), -len(one[1])),
    )
    _, worst = max(runs, key=lambda run: run[0])
    return Decision(need, machine, asked, worst.candidate, way[1], {row.place[1]: cost for cost, row in runs}, worst)
