# SPDX-License-Identifier: BSD-3-Clause
"""Distinguishes numbers of a run that were used to calibrate the model from those that the model predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon._inputs import scenario as scenarios
from hypermon._model import monitors, vocabulary
from hypermon._model.schema import Schema, Value, common_path
from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED, PROGRAMS, Constant, calibrated_cells, constants


@dataclass(frozen=True)
class Provenance:
    """`status`: calibrated or predicted, for elapsed_s and logged_bytes. `used`: the run's calibrated constants."""

    status: Mapping[str, str]
    used: tuple[Constant, ...]


def of_run(result: Mapping[str, Any], values: Mapping[str, Value], schema: Schema) -> Provenance:
    """Returns the provenance of a result.

    A number is calibrated if it is a cell of Table 2 with which a constant was chosen, and no parameter was changed.
    """
    spec = result["spec"]
    program = spec["workload"]
    known, plain = _table2(spec, values, schema)
    found = constants(schema, known)
    cells = calibrated_cells(found)
    status = {
        key: CALIBRATED if plain and (program, spec["nodes"], spec["monitor"], quantity) in cells else PREDICTED
        for key, quantity in (("elapsed_s", "elapsed"), ("logged_bytes", "logged"))
    }
    return Provenance(status, tuple(constant for constant in found if _used(constant, spec, values)))


def is_row_of_table2(spec: Mapping[str, Any], values: Mapping[str, Value], schema: Schema) -> bool:
    """Is this a run of Table 2 without changed parameters?"""
    return _table2(spec, values, schema)[1]


def _table2(
    spec: Mapping[str, Any], values: Mapping[str, Value], schema: Schema
) -> tuple[list[scenarios.Scenario], bool]:
    """Returns the program's scenario, if it is in Table 2, and whether the run equals one of its cases."""
    program = spec["workload"]
    if program not in PROGRAMS:
        return [], False
    try:
        table2 = scenarios.built_in(f"table2/{program}")
        same = table2.resolve(schema, {"nodes": spec["nodes"], "monitor": spec["monitor"]}, build=False)
    except UserError:
        return [], False  # no such scenario here
    return [table2], _without_hardware(same.values) == _without_hardware(values)


def _without_hardware(values: Mapping[str, Value]) -> dict[str, Value]:
    """Returns the parameters that influence the nodes, without the monitor's hardware (design decision 9)."""
    emit = {section for one in vocabulary.every() for section in one.emits}
    behind = {"bursts"}.union(*(one.hardware for one in monitors.registered().values())) - emit
    return {path: value for path, value in values.items() if common_path(path).partition(".")[0] not in behind}


def _used(constant: Constant, spec: Mapping[str, Any], values: Mapping[str, Value]) -> bool:
    """Does the constant apply to the run's program and monitor, and does the run have its value?"""
    path, _, when = constant.name.partition(" at ")
    group = path.partition(".")[0]
    if group in PROGRAMS and group != spec["workload"]:
        return False
    if any(group in one.emits for name, one in vocabulary.by_monitor().items() if name != spec["monitor"]):
        return False
    if when and when != f"nodes = {spec['nodes']}":
        return False
    value = values.get(path)
    return str(value) == constant.value or (isinstance(value, int | float) and f"{value:.10g}" == constant.value)
