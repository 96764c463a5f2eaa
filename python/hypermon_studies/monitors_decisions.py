"""The decision table of `hypermon study monitors`: who needs what takes which monitor, by rules over the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from hypermon_studies.monitors_columns import (
    AGE,
    ERROR,
    LOST,
    MEMORY,
    NOTHING,
    SLOWDOWN,
    WHILE,
    WORST,
)
from hypermon_studies.monitors_plan import Candidate
from hypermon_studies.monitors_runs import Row
from hypermon_studies.monitors_tables import what_is_set

NETWORK = "program_network_bytes"


@dataclass(frozen=True)
class Need:
    """What somebody needs who builds a machine.

    Attributes:
        text: In words. Whoever it is, something must reach him.
        tells: What the monitor must be able to tell.
        at_once: It must reach the analyst while the program runs.
        most: By column what may be no larger; a run without such a number does not do.
        least: The column of which less is better, among those who do.
        bits: Less hardware is better instead; only who has some does.
    """

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


NEEDS = (
    Need("every event, and none lost, to be looked at afterwards", "events", most={LOST: 0}),
    Need("every event, and none lost, while the program runs", "events", at_once=True, most={LOST: 0}),
    Need("the truest picture, whatever it costs", least=ERROR),
    Need("the truest picture for 1 % of the time", most={SLOWDOWN: 1}, least=ERROR),
    Need(
        "to see trouble while it happens: at most 0.1 s old at the median, for 1 % of the time",
        at_once=True,
        most={SLOWDOWN: 1, AGE: 100},
        least=ERROR,
    ),
    Need(
        "never to look at anything older than a second, for 1 % of the time",
        at_once=True,
        most={SLOWDOWN: 1, WORST: 1000},
        least=ERROR,
    ),
    Need("a picture that is right for 90 % of the nodes' time, with the least disturbance", most={ERROR: 10}),
    Need("such a picture with nothing on the network of the program's messages", most={ERROR: 10, NETWORK: 0}),
    Need("such a picture in at most 1 MB of a node's memory", most={ERROR: 10, MEMORY: 1e6}),
    Need("where in the program time goes: profiles, with the least disturbance", "profiles"),
    Need("who waits for whom: relations between processes, with the least disturbance", "relations"),
    Need("a chip or a board of one's own: fewest bits of memory that lose nothing", most={LOST: 0}, bits=True),
)


@dataclass(frozen=True)
class Decision:
    """For a need on a machine.

    Attributes:
        take: The candidate; None: nobody meets the need under any program.
        at: With which knob.
        met, asked: Under how many of the programs, of how many.
        median: Of what is to be small, over these.
        worst: Of these programs' runs the one with most of it.
    """

    need: Need
    machine: str
    take: Candidate | None
    at: str = ""
    met: int = 0
    asked: int = 0
    median: float = 0.0
    worst: Row | None = None


def decide(rows: Iterable[Row]) -> list[Decision]:
    """For each need and machine: of all monitors, with their knobs where these were turned, the one that meets it under
    most programs; of equals the one with the least median of what is to be small; then the first.
    """
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        by_machine.setdefault(row.place[0], []).append(row)
    return [_decision(need, machine, found) for need in NEEDS for machine, found in by_machine.items()]


def _decision(need: Need, machine: str, rows: Sequence[Row]) -> Decision:
    asked = len({row.place for row in rows})
    ways: dict[tuple[str, str], list[tuple[float, Row]]] = {}
    for row in rows:
        cost = need.of(row)
        if need.is_met(row) and cost is not None:
            ways.setdefault((row.candidate.name, what_is_set(row.at)), []).append((cost, row))
    if not ways:
        return Decision(need, machine, None, asked=asked)
    costs = {way: [cost for cost, _ in runs] for way, runs in ways.items()}
    way = min(ways, key=lambda one: (-len(costs[one]), median(costs[one])))
    _, worst = max(ways[way], key=lambda run: run[0])
    return Decision(need, machine, worst.candidate, way[1], len(ways[way]), asked, median(costs[way]), worst)
