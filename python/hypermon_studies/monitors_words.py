"""What both pages of `hypermon study monitors` say: decisions, the best of each front, what was asked."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from hypermon._model import words
from hypermon_studies import monitors_fronts
from hypermon_studies.monitors import Found
from hypermon_studies.monitors_columns import AGE, BY_KEY, ERROR, SLOWDOWN
from hypermon_studies.monitors_decisions import Decision
from hypermon_studies.monitors_plan import DEFAULT
from hypermon_studies.monitors_programs import PROGRAMS
from hypermon_studies.monitors_tables import NONE, cell, heading, what_is_set

Shown = tuple[Sequence[str], list[Sequence[str]], Sequence[int]]

RULE = (
    "Each line is computed from the runs: of all monitors, and where their knobs were turned of all their steps, the"
    " one that meets the need under most of the programs; of equals the one that has least of what is named, at the"
    " median over these programs. The command shows the run that has most of it."
)


def about(found: Found) -> str:
    """What was compared."""
    asked = found.plan.asked
    names = ", ".join(asked.programs)
    machines = ", ".join(asked.machines)
    return (
        f"{words.plural(len(asked.programs), 'program')} ({names}) on {asked.nodes} nodes of {machines}, each alone"
        f" and under {words.plural(len({row.candidate.name for row in found.rows}), 'monitor')}. All numbers are"
        " predicted: none of these programs was measured in this size; what models were calibrated with stands with"
        " their parameters."
    )


def decisions(found: Found) -> Shown:
    """Columns, rows, columns of numbers."""
    rows = [_decision(one, found) for one in found.decisions]
    return ("who needs", "on", "takes", "with", "programs", "median", "worst", "shown by"), rows, ()


def _decision(one: Decision, found: Found) -> Sequence[str]:
    if one.take is None or one.worst is None:
        return one.need.text, one.machine, "none of these", NONE, f"0 of {one.asked}", NONE, NONE, NONE
    column = BY_KEY[one.need.least]
    title, unit = ("hardware", "bits") if one.need.bits else (column.title, column.unit)
    return (
        one.need.text,
        one.machine,
        one.take.name,
        one.at,
        f"{one.met} of {one.asked}",
        f"{title} {cell(one.median)} {unit}",
        f"{cell(one.need.of(one.worst))} {unit} ({one.worst.place[1]})",
        command_of(one, found),
    )


def command_of(one: Decision, found: Found) -> str:
    """The study of the one run that shows a decision."""
    assert one.take is not None
    assert one.worst is not None
    machine, program = one.worst.place
    shown = ["hypermon", "study", "monitors", program, "--platform", machine, "--monitor", one.take.monitor.name]
    asked = found.plan.asked
    shown += ["--nodes", str(asked.nodes)] if program not in PROGRAMS or asked.nodes != 8 else []
    shown += [word for name in asked.presets for word in ("--preset", name)]
    shown += [word for path, value in asked.settings.items() for word in ("--set", f"{path}={value}")]
    return shlex.join(shown + ["--knobs"] * (one.worst.part != DEFAULT))


def searched(found: Found) -> str:
    """How fronts were looked for."""
    search = found.search
    return (
        f"Of every monitor {search.trials} designs (seed {search.seed}), looked for by the same optimiser (NSGA-II)"
        f" under the same limits: {monitors_fronts.said(search.limits)}. The best is the one with the least error; of"
        " equals the youngest, then the one that disturbs least. A limit is hit where a better design breaks it alone."
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
