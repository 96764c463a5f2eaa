# SPDX-License-Identifier: BSD-3-Clause
"""Data of the study's pictures: slowdown against error, with a curve for each monitor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypermon_studies.monitors.columns import ERROR, SLOWDOWN
from hypermon_studies.monitors.fronts import Front
from hypermon_studies.monitors.plan import DEFAULT, KNOBS, Place, candidates
from hypermon_studies.monitors.runs import Row

LEAST_ERROR, LEAST_SLOWDOWN = 1e-2, 1e-3
"""Values of both axes, %, below which all count as equal."""
NO_SLOWDOWN = 10**-3.6
"""Place of a slowdown of zero on the logarithmic axis; its tick says 0."""


@dataclass(frozen=True)
class Curve:
    """A candidate at a place: its knob's steps in their order, its defaults, the best of its front, and the front."""

    name: str
    number: int  # gives its colour and mark, which are the same in every study
    steps: tuple[Row, ...]
    default: Row | None
    best: Row | None
    front: tuple[Row, ...]

    def __bool__(self) -> bool:
        return bool(self.steps or self.default or self.front)


def is_drawn(row: Row | None) -> bool:
    """True for a row with both numbers."""
    return row is not None and row[SLOWDOWN] is not None and row[ERROR] is not None


def curves(rows: Sequence[Row], fronts: Sequence[Front]) -> dict[Place, list[Curve]]:
    """Returns the curves by place. Every place has the candidates in the same order, so that their colours are the
    same.
    """
    names = list(dict.fromkeys(row.candidate.name for row in rows))
    numbers = numbers_of(names)
    found: dict[Place, list[Curve]] = {}
    for place in dict.fromkeys(row.place for row in rows):
        here = [row for row in rows if row.place == place and is_drawn(row)]
        of_front = {front.candidate.name: front for front in fronts if front.place == place}
        found[place] = [_curve(name, numbers[name], here, of_front.get(name)) for name in names]
    return found


def numbers_of(names: Sequence[str]) -> dict[str, int]:
    """Returns a number for each candidate: its place among the registered ones; others follow."""
    known = [one.name for one in candidates()]
    every = [*known, *(name for name in names if name not in known)]
    return {name: every.index(name) for name in names}


def _curve(name: str, number: int, here: Sequence[Row], front: Front | None) -> Curve:
    own = [row for row in here if row.candidate.name == name]
    default = next((row for row in own if row.part == DEFAULT), None)
    best = front.best if front is not None and is_drawn(front.best) else None
    chosen = tuple(row for row in front.chosen if is_drawn(row)) if front is not None else ()
    steps = tuple(row for row in own if row.part == KNOBS)
    return Curve(name, number, steps, default, best, tuple(sorted(chosen, key=lambda row: row[ERROR] or 0)))


def place_of(row: Row) -> tuple[float, float]:
    """Error and slowdown, %, on logarithmic axes."""
    return at_error(float(row[ERROR] or 0)), at_slowdown(float(row[SLOWDOWN] or 0))


def at_error(error: float) -> float:
    return max(error, LEAST_ERROR)


def at_slowdown(slowdown: float) -> float:
    """A program may even end earlier; that is no slowdown."""
    return max(slowdown, LEAST_SLOWDOWN) if slowdown > 0 else NO_SLOWDOWN


def slowdown_ticks(most: float) -> dict[float, str]:
    """The ticks of an axis of slowdowns, with zero marked as such."""
    decades = range(round(math.log10(LEAST_SLOWDOWN)), round(math.log10(most)) + 1)
    return {NO_SLOWDOWN: "0"} | {10.0**power: f"{10.0**power:g}" for power in decades}


def error_ticks(least: float, most: float) -> dict[float, str]:
    decades = range(round(math.log10(least)), round(math.log10(most)) + 1)
    return {10.0**power: f"{10.0**power:g}" for power in decades}


def spans(found: Mapping[Place, Sequence[Curve]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Decades that contain all rows, of errors and of slowdowns. The panels of a picture share them."""
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
        return (LEAST_ERROR, 1.0), (NO_SLOWDOWN, 1.0)
    errors, slowdowns = zip(*places, strict=True)
    return decades(errors), (NO_SLOWDOWN, max(decades(slowdowns)[1], 1.0))
