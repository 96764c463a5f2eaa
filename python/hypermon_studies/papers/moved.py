# SPDX-License-Identifier: BSD-3-Clause
"""Runs of Table 2 with one calibrated constant moved: how each calibrated number changes with each constant.

A group has the constants that have calibrated numbers in common. `simplex.instance` is not moved: it selects the linear
programs and so sets the number of pivots, as `simplex.problems` does.

There are several steps, because Simplex polls a whole number of times: a small step changes the number of polls of all
pivots or of none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._files import csvfile
from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.report.calibration import Cell, constants
from hypermon_studies.cells import number

COLUMNS = ("constant", "value", "change", "program", "nodes", "monitor", "quantity", "ours")
STEPS = (0.1, 0.2, 0.3)  # (chosen) shares of its value by which a constant is moved down and up
GROUPS = {
    "simplex": ("simplex.problems", "simplex.update_ns", "simplex.ratio_ns", "simplex.poll_ns", "os.syscall_us"),
    "life": (
        "life.cell_ns",
        "life.density",
        "life.peak_density",
        "life.peak_row",
        "life.peak_width",
        "life.gliders",
    ),
    "place": ("place.accepted",),
}
"""The constants that are moved, by program."""
RESULTS = {"elapsed": "elapsed_s", "logged": "logged_bytes"}


@dataclass(frozen=True)
class Step:
    """A constant at another value than the calibrated one, or all constants as they are."""

    constant: str = ""
    value: float = 0.0
    change: float = 0.0  # share of the calibrated value


AS_CALIBRATED = Step()
Key = tuple[Step, str, int, str]  # program, nodes, monitor


@dataclass(frozen=True)
class Moved:
    """A calibrated number after a step."""

    step: Step
    cell: Cell
    ours: float


def steps(schema: Schema, constant: str) -> list[Step]:
    """The steps down and up, from the lowest value to the highest. Those of a whole number are whole."""
    value = schema.parameter(constant, "").default
    assert isinstance(value, float | int)
    sizes = [max(1, round(share * value)) if isinstance(value, int) else share * value for share in STEPS]
    changes = sorted({way * size for way in (-1, 1) for size in sizes})
    return [Step(constant, _kept(value + change), _kept(change / value)) for change in changes]


def _kept(value: float) -> float:
    """The value with the digits that the file keeps; a whole number stays whole."""
    return value if isinstance(value, int) else float(number(value))


def cells(schema: Schema, moved: Sequence[str]) -> list[Cell]:
    """The numbers on which some of these constants were calibrated."""
    return sorted({cell for one in constants(schema, ()) if one.name in moved for cell in one.cells})


def plan(schema: Schema) -> dict[Key, Spec]:
    specs: dict[Key, Spec] = {}
    for program, moved in GROUPS.items():
        found = scenario.built_in(f"table2/{program}")
        runs = dict.fromkeys((nodes, monitor) for _, nodes, monitor, _ in cells(schema, moved))
        taken = AS_CALIBRATED, *itertools.chain.from_iterable(steps(schema, constant) for constant in moved)
        for step, (nodes, monitor) in itertools.product(taken, runs):
            changed = {step.constant: step.value} if step.constant else {}
            specs[step, program, nodes, monitor] = found.resolve(
                schema, {"nodes": nodes, "monitor": monitor, **changed}
            )
    return specs


def measure(
    specs: Mapping[Key, Spec], schema: Schema, jobs: int, on_done: Callable[[int], None] | None = None
) -> list[Moved]:
    """The calibrated numbers of all runs, with the digits that are kept.

    Raises:
        SimulationError: a run failed.
    """
    calibrated = {program: cells(schema, moved) for program, moved in GROUPS.items()}
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(specs.values())]
        results = runner.require(runner.run_many(tasks, jobs, on_done))
        return [
            Moved(step, cell, _kept(result.value(RESULTS[cell[3]])))
            for (step, program, nodes, monitor), result in zip(specs, results, strict=True)
            for cell in calibrated[program]
            if cell[:3] == (program, nodes, monitor)
        ]


def slopes(moved: Iterable[Moved]) -> dict[str, dict[str, dict[Cell, float]]]:
    """The relative change of each number with that of each constant, by program and constant: least squares."""
    found: dict[str, dict[str, dict[Cell, float]]] = {}
    for (constant, cell), changes in _changes(moved).items():
        found.setdefault(cell[0], {}).setdefault(constant, {})[cell] = _slope(changes)
    return found


def deviations(moved: Iterable[Moved]) -> dict[str, float]:
    """Distance of all numbers from their lines as a share of their changes, by constant."""
    beside: dict[str, list[float]] = {}
    whole: dict[str, list[float]] = {}
    for (constant, _), changes in _changes(moved).items():
        slope = _slope(changes)
        beside.setdefault(constant, []).extend(change - slope * by for by, change in changes)
        whole.setdefault(constant, []).extend(change for _, change in changes)
    return {constant: math.hypot(*beside[constant]) / math.hypot(*whole[constant]) for constant in beside}


def _slope(changes: Sequence[tuple[float, float]]) -> float:
    """Slope of the line through the calibrated point."""
    return sum(by * change for by, change in changes) / sum(by**2 for by, _ in changes)


def _changes(moved: Iterable[Moved]) -> dict[tuple[str, Cell], list[tuple[float, float]]]:
    """Relative changes of the constant and of the number by each step, by constant and number."""
    moved = list(moved)
    middle = {one.cell: one.ours for one in moved if one.step == AS_CALIBRATED}
    found: dict[tuple[str, Cell], list[tuple[float, float]]] = {}
    for one in moved:
        if one.step != AS_CALIBRATED:
            change = one.step.change, one.ours / middle[one.cell] - 1
            found.setdefault((one.step.constant, one.cell), []).append(change)
    return found


def text(found: Sequence[Moved]) -> str:
    rows: list[Sequence[str]] = [COLUMNS]
    for one in found:
        step, (program, nodes, monitor, quantity) = one.step, one.cell
        moved = (step.constant, number(step.value), number(step.change)) if step.constant else ("", "", "")
        rows.append((*moved, program, str(nodes), monitor, quantity, number(one.ours)))
    return csvfile.text(rows)


def read(written: str, name: str) -> list[Moved]:
    """Reads the text that `text` wrote.

    Raises:
        UserError: The text is not of this form, with the line.
    """
    rows = csvfile.rows_of(written, name)
    if tuple(next(rows, (1, []))[1]) != COLUMNS:
        raise UserError(f"columns must be {','.join(COLUMNS)}", f"{name}:1")
    found = []
    for line, row in rows:
        if len(row) != len(COLUMNS):
            raise UserError(f"{len(row)} columns: must be {len(COLUMNS)}", f"{name}:{line}")
        constant, value, change, program, nodes, monitor, quantity, ours = row
        try:
            step = Step(constant, float(value), float(change)) if constant else AS_CALIBRATED
            found.append(Moved(step, (program, int(nodes), monitor, quantity), float(ours)))
        except ValueError as error:
            raise UserError(str(error), f"{name}:{line}") from None
    return found
