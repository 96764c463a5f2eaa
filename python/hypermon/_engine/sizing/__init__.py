# SPDX-License-Identifier: BSD-3-Clause
"""The inverse question: how deep, wide or fast must a part be to keep to so little loss, latency, error?"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine import cost as costs
from hypermon._engine.designs import Designs
from hypermon._engine.sizing import axes as axes_of
from hypermon._engine.sizing import evidence, search
from hypermon._engine.sizing import targets as targets_of
from hypermon._engine.sizing.answer import Design, Margin, Probe, Size
from hypermon._engine.sizing.axes import Axis, Vary
from hypermon._engine.sizing.confidence import bound_rank
from hypermon._engine.sizing.probes import Probes
from hypermon._engine.sizing.targets import Target
from hypermon._model.schema import Value, flat
from hypermon._model.spec import Spec
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._engine.recording import Recording
    from hypermon.parameters import Parameters

TOGETHER = 15  # (chosen) designs that a search looks at in a round, where one pass counts many; else one for each job
WHOLE = 4  # (chosen) the same where each takes a replay of its own
SCAN_WHOLE = 32  # (chosen) of the whole range, if a target's verdict changes more than once

Task = tuple[Mapping[str, Value], int]  # values of the other parameters, and the seed

__all__ = ["Design", "Margin", "Probe", "Size", "Target", "size"]


def size(
    scenario: str | os.PathLike[str] | Recording | Sequence[Recording],
    target_loss: float | None = None,
    vary: Vary | None = None,
    *,
    targets: Mapping[str, Any] | Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    repeats: int = 1,
    confidence: float = 0.95,
    quantile: float = 0.5,
    cost: costs.Cost | None = None,
    jobs: int | None = None,
    **parameters: Unpack[Parameters],
) -> Size:
    """The least of a parameter with which all targets are met: nothing is lost, and what else is asked for.

    Looks at values from the cheap to the dear end. A target is met from some value on (losses, of larger buffers) or up
    to some value (latency); where it changes more often between values that were looked at, values over the whole range
    are looked at and the answer says so. Its neighbours and values beyond it always are.

    Args:
        scenario: A scenario's name or file, a recording, or several recordings of runs with different seeds. Of a
            scenario, the program runs once per seed where replays are exact.
        target_loss: Share that may be lost of the generated data (in the monitor's own unit), and of the
            events, 0 to 1. Not given: nothing, unless `targets` names a loss.
        vary: The parameter to size, by path; by default what the scenario's monitor is sized by. Several: the first is
            sized for each choice of the others, and the cheapest design is the answer; then `cost` is needed.
            `{path: values}` says which values to look at; by default all of the first, and of the others 25 from a
            quarter to four times the scenario's value.
        targets: What else must be kept to, each at most so much: `{"events_lost": 0, "latency_p99": "1 ms"}`, or texts
            as on the command line. `data_lost`, `events_lost`, a loss of the monitor's own (a number of them, or
            `"0.1%"`), `latency_p50`, `latency_p99`, `latency_max`, `timestamp_error` (the largest, early or late),
            `causality_violations`, a number of the monitor's own, or any of the result by its path. Without a unit in
            that of the result (us).
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`.
        repeats: Runs with different seeds, counted up from the scenario's.
        confidence: With repeats, the value is enough for at least the share `quantile` of all runs, with this
            confidence: an order statistic of the repeats, whatever their distribution.
        quantile: See `confidence`.
        cost: A number to make small, of a resolved specification: one of its monitor's (`"cost.memory_bits"`),
            arithmetic over these and parameters, or a function of the parameters. It also says which end of a
            parameter is cheap: by default less of the monitor's costs, the first one first, then smaller values that
            miss targets.
        jobs: Runs at a time; by default as many as there are processors.
        parameters: As in `hypermon.run`: `nodes=16`, `matmul={"size": 256}`.

    Returns:
        The answer, with its margins and all that was looked at.

    Raises:
        UserError: for what cannot be asked. An unreachable target is an answer: its `value` is None.

    Example:
        >>> answer = hypermon.size("table2/matmul", nodes=2, matmul={"size": 16})
        >>> answer.reached, str(answer).partition(" with ")[0]
        (True, 'table2/matmul loses nothing')
    """
    _check(target_loss, repeats, confidence, quantile)
    chosen = flat(settings or {}) | flat(parameters)
    designs = Designs(scenario, chosen, presets, "hypermon.size", jobs, platform)
    seeds = designs.seeds(repeats)
    asked = targets if isinstance(targets, Mapping) else targets_of.pairs(targets)
    wanted = targets_of.read(target_loss, asked, designs.schema, designs.base)
    axes = axes_of.read(axes_of.default(designs.base) if vary is None else vary, designs.schema, designs.base.values)
    axes[0] = axes_of.without_refused(axes[0], functools.partial(designs.refuses, axes[0].path))
    if len(axes) > 1 and cost is None:
        raise UserError(f"cost: say what makes one design dearer than another, as {' or '.join(_known_costs())}")
    if cost is not None:
        costs.evaluate(cost, designs.base.values)
    probes = Probes(designs, wanted)
    rest = [dict(zip([a.path for a in axes[1:]], values, strict=True)) for values in _product(axes[1:])]
    sized = _cheap_first(axes[0], rest[0], designs, seeds[0], probes, cost)
    tasks = [(others, seed) for others in rest for seed in seeds]
    found = _search(sized, tasks, probes, designs.counted_together([axis.path for axis in axes]))
    rank = bound_rank(len(seeds), quantile, confidence)
    frontier = []
    for i, others in enumerate(rest):
        per_seed = dict(zip(seeds, found[i * len(seeds) : (i + 1) * len(seeds)], strict=True))
        frontier.append(_design(sized, others, per_seed, designs.base, rank, cost, probes))
    reached = [design for design in frontier if design.reached]
    best = min(reached, key=lambda d: d.cost or 0, default=None)
    shown = evidence.gather(sized, best, seeds, probes)
    return Size(
        scenario=designs.base.scenario,
        parameter=sized.path,
        value=best.settings[sized.path] if best else None,
        unit=sized.parameter.unit,
        settings=best.settings if best else {},
        targets=tuple(wanted),
        margins=shown.margins,
        next_cheaper=shown.next_cheaper,
        load=best.load if best else None,
        quantile=quantile,
        confidence=confidence,
        bounded=rank is not None,
        frontier=tuple(frontier),
        probes=probes.sorted(),
        best_loss=_best_loss(probes),
        cost=best.cost if best else None,
        cost_unit=costs.unit(cost) if cost is not None else "",
        notes=tuple(evidence.notes(sized, found, best, len(seeds), rank, quantile, confidence)),
    )


def _check(target_loss: float | None, repeats: int, confidence: float, quantile: float) -> None:
    if target_loss is not None and not 0 <= target_loss < 1:
        raise UserError(f"target_loss = {target_loss}: must be a share from 0 to below 1")
    if repeats < 1:
        raise UserError(f"repeats = {repeats}: must be at least 1")
    for name, share in (("confidence", confidence), ("quantile", quantile)):
        if not 0 < share < 1:
            raise UserError(f"{name} = {share}: must be between 0 and 1")


def _known_costs() -> list[str]:
    return [f"cost.{name}" for name in costs.known()]


def _product(axes: Sequence[Axis]) -> list[tuple[Value, ...]]:
    return list(itertools.product(*(axis.values for axis in axes)))


def _cheap_first(
    axis: Axis, others: Mapping[str, Value], designs: Designs, seed: int, probes: Probes, cost: costs.Cost | None
) -> Axis:
    larger_is_dearer = axes_of.dearer(axis, designs.base.values, cost)
    if larger_is_dearer is None:
        ends = [(seed, {axis.path: value, **others}) for value in (axis.values[0], axis.values[-1])]
        low, high = (any(verdict.values()) for verdict in probes.judge(ends, whole=True))
        larger_is_dearer = low or not high
    return axis if larger_is_dearer else axis.reversed()


def _search(sized: Axis, tasks: Sequence[Task], probes: Probes, counted: bool) -> list[search.Found]:
    """One search for each choice of the other parameters and each seed, all in step.

    Where counts are cheap, first with the targets that these suffice for: what all targets ask for is there or beyond.
    """

    def together(chosen: Sequence[int], whole: bool, searches: Sequence[search.Search]) -> list[search.Found]:
        def probe(pairs: list[tuple[int, int]]) -> list[search.Verdict]:
            named = [(tasks[chosen[n]], i) for n, i in pairs]
            return probes.judge([(seed, {sized.path: sized.values[i], **others}) for (others, seed), i in named], whole)

        return search.together(searches, probe)

    everything = range(len(tasks))
    if not counted:
        jobs = probes.designs.jobs
        return together(everything, True, [search.first_meeting(sized.values, jobs) for _ in tasks])
    found = together(everything, False, [search.first_meeting(sized.values, TOGETHER) for _ in tasks])
    if all(target.countable(probes.designs.base) for target in probes.targets):
        return found
    left = [n for n in everything if found[n].index is not None]
    more = [search.first_meeting(sized.values, WHOLE, found[n].index, SCAN_WHOLE) for n in left]
    for n, better in zip(left, together(left, True, more), strict=True):
        found[n] = replace(better, scanned=better.scanned or found[n].scanned)
    return found


def _design(
    sized: Axis,
    others: Mapping[str, Value],
    found: Mapping[int, search.Found],
    base: Spec,
    rank: int | None,
    cost: costs.Cost | None,
    probes: Probes,
) -> Design:
    """What the seeds together ask for: the order statistic that bounds the quantile, or else the most of any."""
    never = len(sized.values)
    needed = sorted(never if f.index is None else f.index for f in found.values())
    index = needed[(rank or len(needed)) - 1]
    settings = {sized.path: sized.values[index], **others} if index < never else dict(others)
    loads = [p.load for p in probes.complete([(seed, settings) for seed in found])] if index < never else []
    return Design(
        settings=settings,
        reached=index < never,
        cost=costs.evaluate(cost, {**base.values, **settings}) if cost is not None and index < never else None,
        per_seed={seed: None if f.index is None else sized.values[f.index] for seed, f in found.items()},
        monotone=all(f.monotone for f in found.values()),
        load=max((load for load in loads if load is not None), key=lambda load: load.share, default=None),
    )


def _best_loss(probes: Probes) -> float:
    by_design: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    for (_, settings), probe in probes.done.items():
        by_design.setdefault(settings, []).append(probe.loss)
    return min(sum(losses) / len(losses) for losses in by_design.values())
