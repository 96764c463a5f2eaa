# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of runs: the parameters that differ, and every number of the results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypermon._comparing.comparison import LESS, Differences, Row, Subject, ordered
from hypermon._comparing.quantities import Quantity, less_is_better, quantities
from hypermon._model import worker
from hypermon._model.result import Result
from hypermon._model.schema import Schema, Value, common_path, flat
from hypermon.report.facts import Run
from hypermon.report.repeat import spec_of, values_of

NOT_NUMBERS = ("spec", "versions", "ranks", "scenario", "fingerprint", "rates")


def compare(found: Mapping[str, Result]) -> Differences:
    """Compares runs, which are given by name."""
    schema = worker.schema()
    results = list(found.values())
    values = [values_of(result) for result in results]
    different = _differing_programs(results, values)
    baseline = None if different else next((r for r in results if r["spec"]["monitor"] == "none"), None)
    runs = [Run(result, None, baseline) for result in results]
    alone = frozenset(i for i, run in enumerate(runs) if run.kind == "none")
    main = [row for q in quantities() if (row := _quantity(q, runs, not different)) is not None]
    main = ordered([replace(row, references=alone) for row in main])
    others = [replace(row, references=alone) for row in _others(results, schema, {r.path for r in main}, not different)]
    return Differences(
        kind="runs",
        subjects=tuple(Subject(name, _about(result)) for name, result in found.items()),
        notes=tuple(_notes(found, different)),
        parameters=tuple(parameters(values, schema)),
        results=(*main, *others),
        main=len(main),
    )


def parameters(values: list[dict[str, Value]], schema: Schema) -> list[Row]:
    """Returns the parameters that differ, in the schema's order.

    A parameter of a single component is None in runs where it has the common value.
    """
    order = {path: i for i, path in enumerate(schema.parameters)}
    rows = []
    for path in sorted({p for one in values for p in one}, key=lambda p: (order.get(common_path(p), len(order)), p)):
        known = schema.parameters.get(common_path(path))
        row = Row(path, path, known.unit if known else "", tuple(one.get(path) for one in values))
        if row.differs:
            rows.append(row)
    return rows


def _about(result: Result) -> dict[str, Any]:
    spec = result["spec"]
    return {
        "scenario": result["scenario"],
        "workload": spec["workload"],
        "nodes": spec["nodes"],
        "monitor": spec["monitor"],
        "fingerprint": result["fingerprint"],
        "specification": spec_of(result).hash,
    }


def _quantity(quantity: Quantity, runs: list[Run], judged: bool) -> Row | None:
    value_of = quantity.value_of
    values = tuple(_scalar(run.result, value_of) if isinstance(value_of, str) else value_of(run) for run in runs)
    if all(value is None for value in values):
        return None
    better = quantity.better if judged else ""
    return Row(quantity.name, quantity.label, quantity.unit, values, better, group=quantity.group)


def _scalar(result: Mapping[str, Any], path: str) -> Value | None:
    found: Any = result
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, bool | int | float | str) else None


def _others(results: list[Result], schema: Schema, shown: set[str], judged: bool) -> list[Row]:
    """Returns the rows of all other numbers and texts of the results. Losses are by stage and cause."""
    units = {entry["path"]: entry.get("unit") or "" for entry in schema.results}
    trees = [_flat(result) for result in results]
    paths = dict.fromkeys(path for tree in trees for path in tree if path not in shown)
    return [
        Row(
            path,
            path,
            _unit(path, units),
            tuple(tree.get(path) for tree in trees),
            LESS if judged and (path in less_is_better() or path.startswith("ledger.lost[")) else "",
        )
        for path in paths
    ]


def _flat(result: Result) -> dict[str, Value | None]:
    tree = {key: value for key, value in result.items() if key not in NOT_NUMBERS}
    found = {path: value for path, value in flat(tree).items() if not isinstance(value, list)}
    for entry in result["ledger"]["lost"]:
        amounts = {key: value for key, value in entry.items() if key not in ("stage", "cause")}
        found |= {f"ledger.lost[{entry['stage']}: {entry['cause']}].{key}": value for key, value in amounts.items()}
    return found


def _unit(path: str, units: Mapping[str, str]) -> str:
    if path.startswith("ledger."):
        return path.rpartition(".")[2] if path != "ledger.unit" else ""
    return units.get(re.sub(r"\[[^\]]*\]", "[]", path), "")


def _differing_programs(results: list[Result], values: list[dict[str, Value]]) -> list[str]:
    """Returns the parameters of the program that differ. With any, the runs did not do the same work."""
    own = {str(result["spec"]["workload"]) for result in results}
    paths = dict.fromkeys(
        path for one in values for path in one if path in ("workload", "nodes", "seed") or path.partition(".")[0] in own
    )
    return [path for path in paths if len({one.get(path) for one in values}) > 1]


def _notes(found: Mapping[str, Result], different: list[str]) -> list[str]:
    notes = []
    results = list(found.values())
    if different:
        notes.append(
            f"These runs are not of the same program: {', '.join(different)} differ{'s' * (len(different) == 1)}. "
            "Their numbers stand side by side; what is better is not judged."
        )
    elif len({result["fingerprint"] for result in results}) == 1:
        notes.append("The nodes did exactly the same, at the same times: the fingerprints are equal.")
    else:
        notes.append("The same program, but the nodes did not do the same at the same times: the fingerprints differ.")
    if len({tuple(sorted(result["versions"].items())) for result in results}) > 1:
        versions = [
            f"{name}: {', '.join(f'{k} {v}' for k, v in result['versions'].items())}" for name, result in found.items()
        ]
        notes.append(f"The versions differ ({'; '.join(versions)}): not every difference is the design's.")
    return notes
