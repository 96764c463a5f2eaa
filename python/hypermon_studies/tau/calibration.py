# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study tau --calibrate`: the constants that make the three known cells of Figure 2, one each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon_studies import planned
from hypermon_studies.planned import Plan
from hypermon_studies.tau.cells import BY, PAPER_2
from hypermon_studies.tau.runs import BEGIN, BEGUN, MONITORS, NFS, NONE, PM, TOS, WHOLE

WITHIN = 0.01
"""Accepted difference of a calibrated dilation from the published one, in percentage points."""
MOST_STEPS = 6
ORDER = (PM, TOS, NFS)
"""LU's own time is the first constant, because the others depend on it."""


class Calibrated(NamedTuple):
    """A constant, its value, and the resulting dilation in %."""

    way: str
    constant: str
    value: float
    dilation: float


def calibrate(schema: Schema, iterations: int, jobs: int, report: Callable[[Calibrated], None]) -> list[Calibrated]:
    """Calibrates from the defaults by regula falsi; `report` is called with each trial.

    A constant has four digits, because a cell has only three.
    """
    found: list[Calibrated] = []
    for way in ORDER:
        settled: dict[str, Any] = {one.constant: one.value for one in found}
        default = schema.parameters[BY[way]].default
        assert isinstance(default, int | float)
        trials: list[tuple[float, float]] = []
        value = float(default)
        for _ in range(MOST_STEPS):
            dilation = _dilation(schema, iterations, jobs, way, settled | {BY[way]: value})
            trials.append((value, dilation))
            report(Calibrated(way, BY[way], value, dilation))
            if abs(dilation - PAPER_2[way]) < WITHIN:
                break
            value = next_trial(trials, PAPER_2[way])
        best = min(trials, key=lambda trial: abs(trial[1] - PAPER_2[way]))
        found.append(Calibrated(way, BY[way], *best))
    return found


def next_trial(trials: list[tuple[float, float]], wanted: float) -> float:
    """Intersection of the line through the two nearest trials with the wanted value; at first a step of 10 %."""
    nearest = sorted(trials, key=lambda trial: abs(trial[1] - wanted))[:2]
    if len(nearest) == 1 or nearest[0][1] == nearest[1][1]:
        return _digits(1.1 * trials[-1][0])
    (x, y), (x_other, y_other) = nearest
    return _digits(x + (wanted - y) * (x - x_other) / (y - y_other))


def _digits(value: float) -> float:
    return float(f"{value:.4g}")


def _dilation(schema: Schema, iterations: int, jobs: int, way: str, settings: Mapping[str, Any]) -> float:
    runs = {
        ("calibration", of + begun): scenario.built_in("tau/lu").resolve(
            schema, {"lu.iterations": length, "monitor": MONITORS[of], **settings}
        )
        for of in (NONE, way)
        for begun, length in (("", iterations), (BEGUN, BEGIN))
    }
    times = planned.numbers(Plan(runs, ()), {"elapsed_s": "elapsed_s"}, jobs)

    def whole(of: str) -> float:
        begin = times["calibration", of + BEGUN]["elapsed_s"]
        return begin + (WHOLE - BEGIN) * (times["calibration", of]["elapsed_s"] - begin) / (iterations - BEGIN)

    return 100 * (whole(way) / whole(NONE) - 1)
