# SPDX-License-Identifier: BSD-3-Clause
"""Sizing: finds the least depth, width or speed of a part that meets targets for loss, latency and errors."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine.designs import Designs
from hypermon._engine.sizing import axes as axes_of
from hypermon._engine.sizing import choices as choices_of
from hypermon._engine.sizing import evidence, harms
from hypermon._engine.sizing import targets as targets_of
from hypermon._engine.sizing.answer import Design, Margin, Probe, Size
from hypermon._engine.sizing.axes import Axis, Vary
from hypermon._engine.sizing.choices import Choices
from hypermon._engine.sizing.confidence import bound_rank
from hypermon._engine.sizing.probes import Probes, Progress, Watch
from hypermon._engine.sizing.targets import Target
from hypermon._model import argument_checks
from hypermon._model import cost as costs
from hypermon._model import metrics as metric_paths
from hypermon._model.metrics import Formula
from hypermon._model.schema import Value
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._engine.recording import Recording
    from hypermon.parameters import Parameters

__all__ = ["Design", "Margin", "Probe", "Size", "Target", "size"]


def size(
    scenario: str | os.PathLike[str] | Recording | Sequence[Recording],
    target_loss: float | None = None,
    vary: Vary | None = None,
    *,
    targets: Mapping[str, Any] | Sequence[str] = (),
    metrics: Mapping[str, str | Formula] | None = None,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    repeats: int = 1,
    confidence: float = 0.95,
    quantile: float = 0.5,
    cost: costs.Cost | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **parameters: Unpack[Parameters],
) -> Size:
    """Finds the least value of a parameter that meets all targets (`hypermon size`).

    Use it to find out how deep a FIFO must be, or how slow a bus may be, so that nothing is lost or a latency limit is
    met. If no value meets the targets, the answer's `value` is None.

    The search goes from the cheap to the expensive end of the values. It is exact where each target is met either from
    some value on (losses, with larger buffers) or up to some value (latency). If the evaluated values show that a
    target changes more often, the search scans the whole range, and the answer reports this. The neighbours of the
    answer and some values beyond it are always evaluated.

    Args:
        scenario: A scenario's name or file, a recording, or several recordings of runs with different seeds. The
            program of a scenario runs once per seed where replays are exact.
        target_loss: Largest share of the generated data (in the monitor's own unit) and of the events that may be
            lost, 0 to 1. By default nothing may be lost, unless `targets` names a loss.
        vary: Path of the parameter to size. By default the monitor's usual parameter. With several, the first one is
            sized for each choice of the others, and the answer is the cheapest design; this needs `cost`.
            `{path: values}` gives the values to evaluate. By default these are all values of the first parameter, and
            for the others a quarter to four times the scenario's value: all integers, or 25 other numbers.
        targets: Further limits, each the largest allowed value: `{"events_lost": 0, "latency_p99": "1 ms"}`, or texts
            as on the command line. Names are `data_lost`, `events_lost`, a loss of the monitor (as a number or as
            `"0.1%"`), `latency_p50`, `latency_p99`, `latency_max`, `timestamp_error` (the largest, early or late),
            `causality_violations`, a number of the monitor, or any metric of `hypermon.sweep`. A limit without a unit
            is in the result's unit (us).
        metrics: User-defined metrics by name, for use in `targets`: texts, or functions of the `Result`.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`.
        repeats: Number of runs with different seeds, counted up from the scenario's seed.
        confidence: With repeats, the confidence that the value suffices for at least the share `quantile` of all runs.
            The bound is an order statistic of the repeats, which holds for every distribution.
        quantile: See `confidence`.
        cost: The quantity to minimise: a cost of the monitor (`"cost.memory_bits"`), arithmetic over costs and
            parameters, or a function of the parameters. It also determines the cheap end of each parameter. By default
            the cheap end is the one with the lower monitor costs, compared in their order; if these do not decide, it
            is the small end if small values miss targets.
        jobs: Number of parallel runs. By default the number of processors.
        progress: Called with the number of evaluated designs and the estimated total.
        parameters: As in `hypermon.run`: `nodes=16`, `matmul={"size": 256}`.

    Returns:
        The answer, with its margins and all evaluated designs.

    Raises:
        UserError: An argument is not valid. An unreachable target is no error: the answer's `value` is None.

    Example:
        >>> answer = hypermon.size("table2/matmul", nodes=2, matmul={"size": 16})
        >>> answer.reached, str(answer).partition(" with ")[0]
        (True, 'table2/matmul loses nothing')
    """
    target_loss, repeats = _checked(target_loss, repeats, confidence, quantile)
    chosen = argument_checks.settings(settings, parameters, size)
    watch = Watch(progress)
    designs = Designs(scenario, chosen, presets, "hypermon.size", jobs, platform, watch.point)
    seeds = designs.seeds(repeats)
    wanted = _wanted(targets, metrics, target_loss, designs)
    axes = axes_of.read(axes_of.default(designs.base) if vary is None else vary, designs.schema, designs.base.values)
    axes[0] = axes_of.without_refused(axes[0], functools.partial(designs.refuses, axes[0].path))
    _check_cost(cost, axes, designs)
    probes = Probes(designs, wanted, watch, harms.paths(wanted, designs.base.values["monitor"]))
    first = {axis.path: axis.values[0] for axis in axes[1:]}
    sized = _cheap_first(axes[0], first, designs, seeds[0], probes, cost)
    rank = bound_rank(len(seeds), quantile, confidence)
    counted = designs.counted_together([axis.path for axis in axes])
    choices = Choices(sized, seeds, probes, counted, cost, rank)
    choices.evaluate(axes[1:])
    best = choices.best
    shown = evidence.gather(sized, best, seeds, probes)
    frontier = choices.designs
    best = next((design for design in frontier if best is not None and design.settings == best.settings), None)
    notes = [
        *choices_of.notes(choices),
        *evidence.notes(sized, choices.searches, best, len(seeds), rank, quantile, confidence),
        *harms.notes(best, axes, seeds, probes),
    ]
    return Size(
        scenario=designs.base.scenario,
        parameter=sized.path,
        unit=sized.parameter.unit,
        targets=tuple(wanted),
        margins=shown.margins,
        next_cheaper=shown.next_cheaper,
        quantile=quantile,
        confidence=confidence,
        bounded=rank is not None,
        frontier=tuple(frontier),
        probes=probes.sorted(),
        best_loss=_best_loss(probes),
        cost_unit=costs.unit(cost) if cost is not None else "",
        notes=tuple(notes),
        **_of_design(best, sized.path, designs),
    )


def _wanted(
    targets: Mapping[str, Any] | Sequence[str],
    metrics: Mapping[str, str | Formula] | None,
    target_loss: float | None,
    designs: Designs,
) -> list[Target]:
    given = targets if isinstance(targets, Mapping) else targets_of.pairs(targets)
    named = {str(one): one for one in metric_paths.read_argument("metrics", metrics or {})}
    return targets_of.read(target_loss, given, designs.schema, designs.base, named)


def _check_cost(cost: costs.Cost | None, axes: Sequence[Axis], designs: Designs) -> None:
    if len(axes) > 1 and cost is None:
        raise UserError(f"cost: name the cost that is minimised, as {' or '.join(_known_costs())}")
    if cost is not None:
        costs.evaluate(cost, {**designs.base.values, **{axis.path: axis.values[0] for axis in axes}})


def _of_design(best: Design | None, path: str, designs: Designs) -> dict[str, Any]:
    """Returns the fields of the answer that describe its design."""
    if best is None:
        return {"value": None, "settings": {}, "load": None, "cost": None, "design": None}
    found = {"value": best.settings[path], "settings": best.settings, "load": best.load, "cost": best.cost}
    return {**found, "design": designs.resolve(best.settings).values}


def _checked(target_loss: float | None, repeats: int, confidence: float, quantile: float) -> tuple[float | None, int]:
    if target_loss is not None:
        target_loss = argument_checks.real(
            "target_loss", target_loss, "a share from 0 to below 1", lambda share: 0 <= share < 1
        )
    for name, share in (("confidence", confidence), ("quantile", quantile)):
        argument_checks.real(name, share, "a share between 0 and 1", lambda one: 0 < one < 1)
    return target_loss, argument_checks.integer("repeats", repeats, 1)


def _known_costs() -> list[str]:
    return [f"cost.{name}" for name in costs.all_terms()]


def _cheap_first(
    axis: Axis, others: Mapping[str, Value], designs: Designs, seed: int, probes: Probes, cost: costs.Cost | None
) -> Axis:
    larger_costs_more = axes_of.larger_costs_more(axis, designs.base.values, cost)
    if larger_costs_more is None:
        ends = [(seed, {axis.path: value, **others}) for value in (axis.values[0], axis.values[-1])]
        low, high = (any(verdict.values()) for verdict in probes.judge(ends, whole=True))
        larger_costs_more = low or not high
    return axis if larger_costs_more else axis.reversed()


def _best_loss(probes: Probes) -> float:
    by_design: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    for (_, settings), probe in probes.done.items():
        by_design.setdefault(settings, []).append(probe.loss)
    return min(sum(losses) / len(losses) for losses in by_design.values())
