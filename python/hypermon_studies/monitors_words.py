# SPDX-License-Identifier: BSD-3-Clause
"""What both pages of `hypermon study monitors` say: who is compared, decisions, the best of each front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from hypermon._model import words
from hypermon._model.result import show
from hypermon_studies import monitors_fronts
from hypermon_studies.monitors import Found
from hypermon_studies.monitors_columns import AGE, BY_KEY, ERROR, SLOWDOWN
from hypermon_studies.monitors_decisions import Decision, shown_by
from hypermon_studies.monitors_plan import Asked, Candidate
from hypermon_studies.monitors_tables import NONE, cell, heading, what_is_set

Shown = tuple[Sequence[str], list[Sequence[str]], Sequence[int]]

RULE = (
    "Each line is computed from the runs. Of all who meet the need under nearly as many programs as anybody does (nine"
    " of ten), the one is taken that has least of what is named, at the median over these programs. Who builds a"
    " cluster has no hardware of his own in its nodes. The command shows the run that has most of it."
)
TUNED = "The same among all steps of the monitors' knobs, under the programs for which these were turned."
COLUMNS = ("needs", "takes", "on", "under", "median", "worst", "shown by")
NAMED = 3
"""Programs that are named because a need is not met under them; more are only counted."""


def about(found: Found) -> str:
    """What was compared."""
    asked = found.plan.asked
    names = ", ".join(asked.programs)
    machines = ", ".join(asked.machines)
    return (
        f"{words.plural(len(asked.programs), 'program')} ({names}) on {asked.nodes} nodes of {machines}, each alone"
        f" and under {words.plural(len(candidates(found)), 'monitor')}. All numbers are"
        " predicted: none of these programs was measured in this size; what models were calibrated with stands with"
        " their parameters."
    )


def candidates(found: Found) -> list[Candidate]:
    """Who is compared, once each."""
    several = {row.candidate.name: row.candidate for row in found.rows}
    return list(several.values())


def compared(found: Found) -> Shown:
    """Who that is, how it is set up, and what its knob turns."""
    rows: list[Sequence[str]] = []
    for one in candidates(found):
        setup = one.setup
        made_of = [f"preset {name}" for name in setup.presets]
        made_of += [what_is_set({path: value}) for path, value in setup.settings.items()]
        knob = [f"{path} = {show(values[0])} ... {show(values[-1])}" for path, values in setup.turned.items()]
        told = ", ".join(one.monitor.tells) or NONE
        rows.append((one.name, setup.about or NONE, told, "; ".join(made_of) or "defaults", "; ".join(knob) or NONE))
    return ("monitor", "what it is", "tells", "set up with", "knob"), rows, ()


def decisions(decided: Sequence[Decision], asked: Asked) -> dict[str, Shown]:
    """By what is built; columns, rows, columns of numbers. Machines on which the same is taken are a line."""
    tables: dict[str, Shown] = {}
    for builds in dict.fromkeys(one.need.builds for one in decided):
        lines: dict[tuple[str, str], list[Decision]] = {}
        for one in decided:
            if one.need.builds == builds:
                lines.setdefault((one.need.text, _taken(one)), []).append(one)
        tables[builds] = COLUMNS, [_line(key, together, asked) for key, together in _by_need(lines)], ()
    return tables


def _taken(one: Decision) -> str:
    if one.take is None or one.worst is None:
        return "none of these"
    return one.take.name + (f" with {one.at}" if one.worst.at else "")


def _by_need(lines: Mapping[tuple[str, str], list[Decision]]) -> Iterator[tuple[tuple[str, str], list[Decision]]]:
    for need in dict.fromkeys(need for need, _ in lines):
        yield from (((text, taken), together) for (text, taken), together in lines.items() if text == need)


def _line(key: tuple[str, str], together: Sequence[Decision], asked: Asked) -> Sequence[str]:
    machines = ", ".join(one.machine for one in together)
    every = sum(len(one.asked) for one in together)
    costs = [cost for one in together for cost in one.costs.values()]
    if not costs:
        return *key, machines, f"0 of {every}", NONE, NONE, NONE
    missing = [f"{program} on {one.machine}" for one in together for program in one.asked if program not in one.costs]
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
        shown_by(worst, asked),
    )


def searched(found: Found) -> str:
    """How fronts were looked for."""
    search = found.search
    return (
        f"Of every monitor {search.trials} designs (seed {search.seed}), looked for by the same optimiser (NSGA-II)"
        f" under the same limits: {monitors_fronts.said(search.limits)}. The best of these, of its defaults and of its"
        " knob's steps is the one with the least error; of equals the youngest, then the one that disturbs least. A"
        " limit is hit where a better design breaks it alone."
    )


def fronts(found: Found) -> Shown:
    """The best of each front, and which limits it hit."""
    keys = (ERROR, AGE, SLOWDOWN)
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
