# SPDX-License-Identifier: BSD-3-Clause
"""Unwanted results of the answer that no target limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypermon._engine.sizing.answer import Design, number_of
from hypermon._engine.sizing.axes import Axis
from hypermon._engine.sizing.probes import Probes
from hypermon._engine.sizing.targets import Target
from hypermon._model import vocabulary
from hypermon._model.schema import common_path
from hypermon.errors import HypermonError

COUNTS = {"causality_violations": "messages that were received before they were sent, by the monitor's timestamps"}
"""Results of every monitor that are unwanted unless they are zero."""
WORSE = (
    ("a run of", "s", ("elapsed_s",)),
    ("a largest latency of", "us", ("latency_us.max",)),
    ("a largest timestamp error of", "us", ("timestamp_error_us.min", "timestamp_error_us.max")),
)
"""Results of every monitor that are unwanted where they are larger than in the unchanged scenario."""
MORE = 1.05  # (chosen) ratio to the unchanged result above which a result counts as larger


def paths(targets: Sequence[Target], monitor: object) -> list[str]:
    """Returns the paths of results that show unwanted effects and that no target limits."""
    every = [*COUNTS, *vocabulary.find(monitor).harms, *(path for _, _, several in WORSE for path in several)]
    limited = {metric for target in targets for metric in target.metrics}
    return [path for path in every if path not in limited]


def notes(best: Design | None, axes: Sequence[Axis], seeds: Sequence[int], probes: Probes) -> Iterator[str]:
    """Sentences that compare these results of the answer with those of the unchanged design."""
    if best is None:
        return
    monitor = probes.designs.base.values["monitor"]
    here = [probe.beside for probe in probes.complete([(seed, best.settings) for seed in seeds])]
    before = _unchanged(axes, seeds, probes)
    found = []
    for path, name in {**COUNTS, **vocabulary.find(monitor).harms}.items():
        if value := _largest(here, (path,)):
            found.append(f"{_shown(value)} {name}{_beside(_largest(before, (path,)), '')}")
    for name, unit, several in WORSE:
        value, was = _largest(here, several), _largest(before, several)
        if value is not None and was is not None and value > MORE * was:
            found.append(f"{name} {_shown(value)} {unit}{_beside(was, unit)}")
    if found:
        yield f"Results without a target: {'; '.join(found)}."
    yield from _remarks(monitor, probes)


def _remarks(monitor: object, probes: Probes) -> Iterator[str]:
    """Explanations of the targets' numbers, where an evaluated design lost something."""
    if not any(probe.loss for probe in probes.done.values()):
        return
    used = {metric.partition(".")[0] for target in probes.targets for metric in target.metrics}
    for path, remark in vocabulary.find(monitor).remarks.items():
        if path in used:
            yield remark


def _unchanged(axes: Sequence[Axis], seeds: Sequence[int], probes: Probes) -> Sequence[Mapping[str, Any]]:
    """Returns the same results of the unchanged scenario. Empty if they would need a further run or do not exist."""
    parameters = probes.designs.schema.parameters
    if not all(parameters[common_path(axis.path)].behind_ports for axis in axes):
        return []
    values = probes.designs.base.values
    settings = {axis.path: values.get(axis.path, axis.parameter.default) for axis in axes}
    try:
        return probes.unlimited([(seed, settings) for seed in seeds])
    except HypermonError:
        return []


def _largest(rows: Sequence[Mapping[str, Any]], paths: Sequence[str]) -> float | None:
    """The largest magnitude over several seeds and results."""
    return max((abs(row[path]) for row in rows for path in paths if row.get(path) is not None), default=None)


def _beside(before: float | None, unit: str) -> str:
    return f" (in the unchanged scenario: {_shown(before)} {unit}".rstrip() + ")" if before is not None else ""


def _shown(value: float) -> str:
    return number_of(value if value == int(value) else float(f"{value:.4g}"))
