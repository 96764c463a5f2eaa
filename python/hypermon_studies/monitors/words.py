# SPDX-License-Identifier: BSD-3-Clause
"""Texts and tables of both pages of `hypermon study monitors`: the monitors, recommendations, and fronts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from hypermon._model import words
from hypermon._model.result import show
from hypermon_studies.monitors import fronts as monitors_fronts
from hypermon_studies.monitors.columns import BY_KEY, ERROR, LATENCY, SLOWDOWN
from hypermon_studies.monitors.decisions import CHIP, CLUSTER, Decision, shown_by
from hypermon_studies.monitors.found import Found
from hypermon_studies.monitors.plan import Candidate, Request
from hypermon_studies.monitors.tables import NONE, cell, heading, what_is_set

Shown = tuple[Sequence[str], list[Sequence[str]], Sequence[int]]

RULE = (
    "A monitor qualifies if it meets the need for at least nine tenths as many programs as the best monitor does."
    " The recommended monitor is the qualified one with the smallest typical cost, which is the median of the slowdown"
    " unless the need names another quantity. The command in each row repeats the run of the worst case."
)
ERROR_IS = (
    "The error is the share of the nodes' time for which a monitor's data are wrong: they report computing instead of"
    " waiting, or waiting instead of computing."
)
TUNED = (
    "This table also considers other settings of each monitor's main parameter, for the programs with which it was"
    " varied."
)
COLUMNS = ("need", "recommended monitor", "machines", "programs", "typical cost", "worst case", "command")
EACH_LINE = "Each row names the monitor that is recommended on the most machines."
READERS = {CLUSTER: "For a cluster", CHIP: "For a chip or a board"}
HOW = {
    CLUSTER: "The nodes get no hardware for the monitor.",
    CHIP: "The monitor may have hardware of its own.",
}
NAMED = 3
"""Programs that are named because a need is not met under them; more are only counted."""


def about(found: Found) -> str:
    """Description of the comparison."""
    request = found.plan.request
    names = ", ".join(request.programs)
    machines = ", ".join(request.machines)
    return (
        f"{words.plural(len(request.programs), 'program')} ({names}) run on {request.nodes} nodes of {machines}."
        f" Each runs without a monitor and with each of {words.plural(len(candidates(found)), 'monitor')}."
        " All numbers are predictions, because no real machine has run these programs at this size."
        " The command hypermon platforms describes the machines, and hypermon params names the source of each constant."
    )


def candidates(found: Found) -> list[Candidate]:
    """The compared monitors, each once."""
    several = {row.candidate.name: row.candidate for row in found.rows}
    return list(several.values())


def compared(found: Found) -> Shown:
    """Name, setup and knob of each compared monitor."""
    rows: list[Sequence[str]] = []
    for one in candidates(found):
        setup = one.setup
        made_of = [f"preset {name}" for name in setup.presets]
        made_of += [what_is_set({path: value}) for path, value in setup.settings.items()]
        knob = [f"{path} from {show(values[0])} to {show(values[-1])}" for path, values in setup.turned.items()]
        told = ", ".join(one.monitor.tells) or NONE
        rows.append((one.name, setup.about or NONE, told, "; ".join(made_of) or "defaults", "; ".join(knob) or NONE))
    return ("monitor", "description", "data", "settings", "main parameter"), rows, ()


def decisions(decided: Sequence[Decision], request: Request) -> dict[str, Shown]:
    """Returns the recommendations by machine to be built: columns, rows, columns of numbers. Machines with the same
    recommendation share a line.
    """
    tables: dict[str, Shown] = {}
    for builds in dict.fromkeys(one.need.builds for one in decided):
        lines: dict[tuple[str, str], list[Decision]] = {}
        for one in decided:
            if one.need.builds == builds:
                lines.setdefault((one.need.text, _taken(one)), []).append(one)
        tables[builds] = COLUMNS, [_line(key, together, request) for key, together in _by_need(lines)], ()
    return tables


def shortest(decided: Sequence[Decision], request: Request) -> dict[str, tuple[Shown, int]]:
    """Returns the recommendations by reader: for each need a line with the monitor that is recommended on most
    machines, and further lines.
    """
    found: dict[str, tuple[Shown, int]] = {}
    for builds, (columns, rows, numbers) in decisions(decided, request).items():
        best: dict[str, Sequence[str]] = {}
        for row in rows:
            if row[0] not in best or _machines(row) > _machines(best[row[0]]):
                best[row[0]] = [*row[:3], row[3].partition(" (")[0], *row[4:]]
        found[builds] = (columns, list(best.values()), numbers), len(rows) - len(best)
    return found


def most_often(rows: Sequence[Sequence[str]]) -> str:
    """A sentence with the monitors that are recommended for most needs."""
    counts = Counter(row[1] for row in rows if row[1] != "none").most_common(2)
    recommended = [f"{name} for {count} of {len(rows)} needs" for name, count in counts]
    return f"Recommended: {' and '.join(recommended)}." if recommended else "No monitor meets any need."


def _machines(row: Sequence[str]) -> tuple[bool, int]:
    """Lines with a recommendation come first, then those of more machines."""
    return row[1] != "none", len(row[2].split(", "))


def _taken(one: Decision) -> str:
    if one.take is None or one.worst is None:
        return "none"
    return one.take.name + (f" with {one.at}" if one.worst.at else "")


def _by_need(lines: Mapping[tuple[str, str], list[Decision]]) -> Iterator[tuple[tuple[str, str], list[Decision]]]:
    for need in dict.fromkeys(need for need, _ in lines):
        yield from (((text, taken), together) for (text, taken), together in lines.items() if text == need)


def _line(key: tuple[str, str], together: Sequence[Decision], request: Request) -> Sequence[str]:
    machines = ", ".join(one.machine for one in together)
    every = sum(len(one.programs) for one in together)
    costs = [cost for one in together for cost in one.costs.values()]
    if not costs:
        return *key, machines, f"0 of {every}", NONE, NONE, NONE
    missing = [
        f"{program} on {one.machine}" for one in together for program in one.programs if program not in one.costs
    ]
    but = f" (not {', '.join(missing)})" if 0 < len(missing) <= NAMED else ""
    need = together[0].need
    worst = max((one for one in together if one.worst is not None), key=lambda one: max(one.costs.values()))
    assert worst.worst is not None
    title, unit = ("hardware", "bits") if need.bits else (BY_KEY[need.least].title, BY_KEY[need.least].unit)
    machine, program = worst.worst.place
    return (
        *key,
        machines,
        f"{len(costs)} of {every}{but}",
        f"{title} {cell(median(costs))} {unit}",
        f"{cell(max(costs))} {unit} ({program} on {machine})",
        shown_by(worst, request),
    )


def searched(found: Found) -> str:
    """Description of the search for fronts."""
    search = found.search
    return (
        f"The same optimiser (NSGA-II, seed {search.seed}) tried {search.trials} designs of each monitor under the same"
        f" limits: {monitors_fronts.limits_text(search.limits)}. The best design has the smallest error, then the"
        " smallest latency, then the smallest slowdown. A limit is hit if a better design breaks only this limit."
    )


def fronts(found: Found) -> Shown:
    """The best of each front, and which limits it hit."""
    keys = (ERROR, LATENCY, SLOWDOWN)
    rows: list[Sequence[str]] = []
    for one in found.fronts:
        machine, program = one.place
        hit = ", ".join(BY_KEY[key].title for key in one.hit) or "none"
        numbers: list[Any] = [cell(one.best[key]) if one.best is not None else NONE for key in keys]
        how = what_is_set(one.best.at) if one.best is not None else "none is within the limits"
        rows.append(
            (machine, program, one.candidate.name, how, *numbers, hit, str(len(one.chosen)), str(len(one.failed)))
        )
    columns = ("machine", "program", "monitor", "best", *map(heading, keys), "limits hit", "in the front", "failed")
    return columns, rows, (4, 5, 6, 8, 9)
