# SPDX-License-Identifier: BSD-3-Clause
"""What the study's pictures show: disturbance against age against error, a curve for each monitor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypermon_studies.monitors_columns import AGE, ERROR, SLOWDOWN
from hypermon_studies.monitors_fronts import Front
from hypermon_studies.monitors_plan import DEFAULT, KNOBS, Place
from hypermon_studies.monitors_runs import Row

LEAST_AGE_MS, LEAST_SLOWDOWN = 1e-3, 1e-3
"""Below that all is as good: axes at equal ratios end there (1 us, 0.001 %)."""
AGES = {1e-3: "1 µs", 1e-2: "10 µs", 0.1: "0.1 ms", 1.0: "1 ms", 10.0: "10 ms", 100.0: "0.1 s", 1e3: "1 s", 1e4: "10 s"}
"""What axes of ages write, by ms."""
SIZES = (1.0, 10.0, 50.0)
"""Errors, %, whose marks the legend shows."""


@dataclass(frozen=True)
class Curve:
    """A candidate at a place: its knob's steps in their order, its defaults, the best of its front, and the front."""

    name: str
    steps: tuple[Row, ...]
    default: Row | None
    best: Row | None
    front: tuple[Row, ...]

    def __bool__(self) -> bool:
        return bool(self.steps or self.default or self.front)


def is_drawn(row: Row | None) -> bool:
    """Has it all three numbers?"""
    return row is not None and all(row[key] is not None for key in (AGE, SLOWDOWN, ERROR))


def curves(rows: Sequence[Row], fronts: Sequence[Front]) -> dict[Place, list[Curve]]:
    """By place; of every candidate that is at any place one, in the same order, so that colours are the same."""
    names = list(dict.fromkeys(row.candidate.name for row in rows))
    found: dict[Place, list[Curve]] = {}
    for place in dict.fromkeys(row.place for row in rows):
        here = [row for row in rows if row.place == place and is_drawn(row)]
        of_front = {front.candidate.name: front for front in fronts if front.place == place}
        found[place] = [_curve(name, here, of_front.get(name)) for name in names]
    return found


def _curve(name: str, here: Sequence[Row], front: Front | None) -> Curve:
    own = [row for row in here if row.candidate.name == name]
    default = next((row for row in own if row.part == DEFAULT), None)
    best = front.best if front is not None and is_drawn(front.best) else None
    chosen = tuple(row for row in front.chosen if is_drawn(row)) if front is not None else ()
    steps = tuple(row for row in own if row.part == KNOBS)
    return Curve(name, steps, default, best, tuple(sorted(chosen, key=lambda row: row[AGE] or 0)))


def place_of(row: Row) -> tuple[float, float]:
    """On axes at equal ratios: age in ms, slowdown in %. A program may even end earlier; that is no disturbance."""
    return max(float(row[AGE] or 0), LEAST_AGE_MS), max(float(row[SLOWDOWN] or 0), LEAST_SLOWDOWN)


def diameter(error: float, most: float = 22.0, least: float = 5.0) -> float:
    """Of a mark: its area grows with the error, from what one can still see."""
    return least + (most - least) * math.sqrt(min(max(error, 0), 100) / 100)


def spans(found: Mapping[Place, Sequence[Curve]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Whole decades that hold all of them, of ages and of slowdowns: panels are compared."""
    places = [
        place_of(row)
        for drawn in found.values()
        for curve in drawn
        for row in (*curve.steps, *curve.front, curve.default, curve.best)
        if row is not None
    ]

    def decades(values: Sequence[float]) -> tuple[float, float]:
        return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values) * 1.01))

    if not places:
        return (LEAST_AGE_MS, 1.0), (LEAST_SLOWDOWN, 1.0)
    ages, slowdowns = zip(*places, strict=True)
    return decades(ages), decades(slowdowns)
