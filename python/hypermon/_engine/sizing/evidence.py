# SPDX-License-Identifier: BSD-3-Clause
"""The evidence for a sizing answer: margins to the targets, neighbouring values, and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hypermon._engine.sizing import search
from hypermon._engine.sizing.answer import Design, Margin, Probe, near, number_of, shortfall
from hypermon._engine.sizing.axes import Axis
from hypermon._engine.sizing.confidence import repeats_needed
from hypermon._engine.sizing.probes import Probes
from hypermon._engine.sizing.targets import Target
from hypermon._model.schema import Value
from hypermon._model.words import percent


@dataclass(frozen=True)
class Evidence:
    margins: tuple[Margin, ...]
    next_cheaper: Value | None


def gather(sized: Axis, best: Design | None, seeds: Sequence[int], probes: Probes) -> Evidence:
    """Computes the margins of the best design, or of the nearest one. Evaluates all targets of its neighbours."""
    targets = tuple(probes.targets)
    if best is None:
        shown = near(probes.sorted(), targets, sized.path, None)
        nearest = min(probes.complete([(p.seed, p.settings) for p in shown]), key=lambda p: shortfall(p, targets))
        return Evidence(tuple(_margin(t, [nearest], []) for t in targets), None)
    at = sized.values.index(best.settings[sized.path])
    cheaper = sized.values[at - 1] if at else None
    here = probes.complete([(seed, best.settings) for seed in seeds])
    beside = []
    if cheaper is not None:
        beside = probes.complete([(seed, {**best.settings, sized.path: cheaper}) for seed in seeds])
    probes.complete([(p.seed, p.settings) for p in near(probes.sorted(), targets, sized.path, best.settings)])
    return Evidence(tuple(_margin(t, here, beside) for t in targets), cheaper)


def _margin(target: Target, here: Sequence[Probe], beside: Sequence[Probe]) -> Margin:
    return Margin(
        target=target,
        value=_worst(p.numbers[target.name] for p in here),
        next_value=_worst(p.numbers[target.name] for p in beside) if beside else None,
        binds=any(target.missed(p.numbers[target.name]) for p in beside),
    )


def _worst(values: Iterable[float | None]) -> float | None:
    """Returns the largest value. A missing value is worse than any number."""
    found = list(values)
    return None if None in found else max(v for v in found if v is not None)


def notes(
    sized: Axis,
    found: Sequence[search.Found],
    best: Design | None,
    seeds: int,
    rank: int | None,
    quantile: float,
    confidence: float,
) -> Iterator[str]:
    """Returns remarks on the answer, in sentences."""
    if seeds > 1 and rank is None:
        needed = repeats_needed(quantile, confidence)
        yield f"{seeds} repeats are too few for a bound with that confidence: {needed} are needed."
    if any(f.scanned for f in found):
        yield (
            f"A more expensive {sized.path} does not always meet the targets when a cheaper one does. Values over the "
            "whole range were tried. From this one on, all of them meet the targets."
        )
    elif beyond := [b for f in found if (b := f.missed_beyond) is not None]:
        index, target = min(beyond)
        value = number_of(sized.values[index])
        yield f"A more expensive value does not meet the targets: {sized.path} = {value} misses {target}."
    if best is not None and best.settings[sized.path] == sized.values[0]:
        yield f"It is the cheapest {sized.path} that was tried."
    if best is not None and best.load is not None and not best.load.lasts:
        load = best.load
        yield (
            f"In the long run {load.never}, a load of {percent(load.share)}. This answer is for a run of this length."
        )
