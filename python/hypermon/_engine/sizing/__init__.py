# SPDX-License-Identifier: BSD-3-Clause
"""The inverse question: how deep, wide or fast must a part be to keep to so little loss, latency, error?"""

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
from hypermon._model import asked
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

    Use it to ask how deep a FIFO must be, or how slow a bus may be, so that nothing is lost or a latency is kept. If no
    value meets the targets, that is an answer too: its `value` is None.

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
            `{path: values}` says which values to look at; by default all of the first, and of the others those from a
            quarter to four times the scenario's value: of an integer all of them, of another number 25.
        targets: What else must be kept to, each at most so much: `{"events_lost": 0, "latency_p99": "1 ms"}`, or texts
            as on the command line. `data_lost`, `events_lost`, a loss of the monitor's own (a number of them, or
            `"0.1%"`), `latency_p50`, `latency_p99`, `latency_max`, `timestamp_error` (the largest, early or late),
            `causality_violations`, a number of the monitor's own, or any metric of `hypermon.sweep`. Without a unit in
            that of the result (us).
        metrics: Metrics by names of their own, for `targets`: text, or functions of the `Result`.
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
        progress: Called with the number of designs looked at, and with the estimated total.
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
    target_loss, repeats = _checked(target_loss, repeats, confidence, quantile)
    chosen = asked.settings(settings, parameters, size)
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
    choices.look(axes[1:])
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
        **_of_design(best, sized.path),
    )


def _wanted(
    targets: Mapping[str, Any] | Sequence[str],
    metrics: Mapping[str, str | Formula] | None,
    target_loss: float | None,
    designs: Designs,
) -> list[Target]:
    given = targets if isinstance(targets, Mapping) else targets_of.pairs(targets)
    named = {str(one): one for one in metric_paths.given("metrics", metrics or {})}
    return targets_of.read(target_loss, given, designs.schema, designs.base, named)


def _check_cost(cost: costs.Cost | None, axes: Sequence[Axis], designs: Designs) -> None:
    if len(axes) > 1 and cost is None:
        raise UserError(f"cost: say what makes one design dearer than another, as {' or '.join(_known_costs())}")
    if cost is not None:
        costs.evaluate(cost, designs.base.values)


def _of_design(best: Design | None, path: str) -> dict[str, Any]:
    """The fields of the answer that describe its design."""
    if best is None:
        return {"value": None, "settings": {}, "load": None, "cost": None}
    return {"value": best.settings[path], "settings": best.settings, "load": best.load, "cost": best.cost}


def _checked(target_loss: float | None, repeats: int, confidence: float, quantile: float) -> tuple[float | None, int]:
    if target_loss is not None:
        target_loss = asked.real("target_loss", target_loss, "a share from 0 to below 1", lambda share: 0 <= share < 1)
    for name, share in (("confidence", confidence), ("quantile", quantile)):
        asked.real(name, share, "a share between 0 and 1", lambda one: 0 < one < 1)
    return target_loss, asked.integer("repeats", repeats, 1)


def _known_costs() -> list[str]:
    return [f"cost.{name}" for name in costs.known()]


def _cheap_first(
    axis: Axis, others: Mapping[str, Value], designs: Designs, seed: int, probes: Probes, cost: costs.Cost | None
) -> Axis:
    larger_is_dearer = axes_of.dearer(axis, designs.base.values, cost)
    if larger_is_dearer is None:
        ends = [(seed, {axis.path: value, **others}) for value in (axis.values[0], axis.values[-1])]
        low, high = (any(verdict.values()) for verdict in probes.judge(ends, whole=True))
        larger_is_dearer = low or not high
    return axis if larger_is_dearer else axis.reversed()


def _best_loss(probes: Probes) -> float:
    by_design: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    for (_, settings), probe in probes.done.items():
        by_design.setdefault(settings, []).append(probe.loss)
    return min(sum(losses) / len(losses) for losses in by_design.values())
