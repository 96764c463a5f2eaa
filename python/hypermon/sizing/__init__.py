"""The inverse question: how deep, wide or fast must a part be so that no more than so much is lost?"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon import cost as costs
from hypermon.designs import Designs
from hypermon.errors import UserError
from hypermon.scenario import Spec
from hypermon.schema import Value
from hypermon.sizing import axes as axes_of
from hypermon.sizing import search
from hypermon.sizing.answer import Design, Probe, Size
from hypermon.sizing.axes import Axis, Vary
from hypermon.sizing.confidence import bound_rank, repeats_needed
from hypermon.sizing.probes import Probes

if TYPE_CHECKING:
    from hypermon.recording import Recording

TOGETHER = 15  # (chosen) designs that a search looks at in a round, where one pass counts many; else one for each job

Task = tuple[Mapping[str, Value], int]  # values of the other parameters, and the seed

__all__ = ["Design", "Probe", "Size", "size"]


def size(
    scenario: str | Recording | Sequence[Recording],
    target_loss: float = 0,
    vary: Vary = "ecb.frame_fifo_frames",
    *,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    repeats: int = 1,
    confidence: float = 0.95,
    quantile: float = 0.5,
    cost: costs.Cost | None = None,
    jobs: int | None = None,
) -> Size:
    """The least of a parameter for which the share of lost data is at most `target_loss`.

    Looks at values from the cheap to the dear end and assumes that dearer ones lose less. The answer's neighbours and
    values beyond are looked at too; if one contradicts, values over the whole range are, and the answer says so.

    Args:
        scenario: A scenario's name or file, a recording, or several recordings of runs with different seeds. Of a
            scenario, the program runs once per seed where replays are exact.
        target_loss: Share of the generated data (nibbles; bytes of a software monitor) that may be lost, 0 to 1.
        vary: The parameter to size, by path. Several: the first is sized for each choice of the others, and the
            cheapest design is the answer; then `cost` is needed. `{path: values}` says which values to look at; by
            default all of the first, and of the others 25 from a quarter to four times the scenario's value.
        settings, presets, platform: As in `hypermon.run`.
        repeats: Runs with different seeds, counted up from the scenario's.
        confidence, quantile: With repeats, the value is enough for at least the share `quantile` of all runs, with
            this confidence: an order statistic of the repeats, whatever their distribution.
        cost: A number to make small, of a resolved specification: `"cost.memory_bits"` (FIFOs of the boards, bits),
            `"cost.bandwidth_bytes_per_s"` (of the boards' buses, B/s), arithmetic over these and parameters, or a
            function of the parameters. It also says which end of a parameter is cheap: by default less memory, then
            less bandwidth, then smaller values that lose more.
        jobs: Runs at a time; by default as many as there are processors.

    Raises:
        UserError: for what cannot be asked. An unreachable target is an answer: its `value` is None.
    """
    _check(target_loss, repeats, confidence, quantile)
    designs = Designs(scenario, settings, presets, "hypermon.size", jobs, platform)
    seeds = designs.seeds(repeats)
    axes = axes_of.read(vary, designs.schema, designs.base.values)
    if len(axes) > 1 and cost is None:
        raise UserError(f"cost: say what makes one design dearer than another, as {' or '.join(_known_costs())}")
    if cost is not None:
        costs.evaluate(cost, designs.base.values)
    probes = Probes(designs)
    rest = [dict(zip([a.path for a in axes[1:]], values, strict=True)) for values in _product(axes[1:])]
    sized = _cheap_first(axes[0], rest[0], designs, seeds[0], probes, cost, target_loss)
    width = TOGETHER if designs.counted_together([axis.path for axis in axes]) else designs.jobs
    tasks = [(others, seed) for others in rest for seed in seeds]
    found = _search(sized, tasks, probes, target_loss, width)
    rank = bound_rank(len(seeds), quantile, confidence)
    frontier = []
    for i, others in enumerate(rest):
        per_seed = dict(zip(seeds, found[i * len(seeds) : (i + 1) * len(seeds)], strict=True))
        frontier.append(_design(sized, others, per_seed, designs.base, rank, cost))
    reached = [design for design in frontier if design.reached]
    best = min(reached, key=lambda d: d.cost or 0, default=None)
    return Size(
        scenario=designs.base.scenario,
        parameter=sized.path,
        value=best.settings[sized.path] if best else None,
        unit=sized.parameter.unit,
        settings=best.settings if best else {},
        target_loss=target_loss,
        quantile=quantile,
        confidence=confidence,
        bounded=rank is not None,
        frontier=tuple(frontier),
        probes=probes.sorted(),
        best_loss=_best_loss(probes),
        cost=best.cost if best else None,
        cost_unit=costs.unit(cost) if cost is not None else "",
        notes=tuple(_notes(sized, frontier, best, len(seeds), rank, quantile, confidence)),
    )


def _check(target_loss: float, repeats: int, confidence: float, quantile: float) -> None:
    if not 0 <= target_loss < 1:
        raise UserError(f"target_loss = {target_loss}: must be a share from 0 to below 1")
    if repeats < 1:
        raise UserError(f"repeats = {repeats}: must be at least 1")
    for name, share in (("confidence", confidence), ("quantile", quantile)):
        if not 0 < share < 1:
            raise UserError(f"{name} = {share}: must be between 0 and 1")


def _known_costs() -> list[str]:
    return [f"cost.{name}" for name in costs.TERMS]


def _product(axes: Sequence[Axis]) -> list[tuple[Value, ...]]:
    return list(itertools.product(*(axis.values for axis in axes)))


def _cheap_first(
    axis: Axis,
    others: Mapping[str, Value],
    designs: Designs,
    seed: int,
    probes: Probes,
    cost: costs.Cost | None,
    target: float,
) -> Axis:
    larger_is_dearer = axes_of.dearer(axis, designs.base.values, cost)
    if larger_is_dearer is None:
        low, high = probes.losses([(seed, {axis.path: value, **others}) for value in (axis.values[0], axis.values[-1])])
        larger_is_dearer = not low <= target < high
    return axis if larger_is_dearer else axis.reversed()


def _search(sized: Axis, tasks: Sequence[Task], probes: Probes, target: float, width: int) -> list[search.Found]:
    """One search for each choice of the other parameters and each seed, all in step."""

    def probe(pairs: list[tuple[int, int]]) -> list[float]:
        return probes.losses([(tasks[n][1], {sized.path: sized.values[i], **tasks[n][0]}) for n, i in pairs])

    return search.together([search.first_meeting(sized.values, target, width) for _ in tasks], probe)


def _design(
    sized: Axis,
    others: Mapping[str, Value],
    found: Mapping[int, search.Found],
    base: Spec,
    rank: int | None,
    cost: costs.Cost | None,
) -> Design:
    """What the seeds together ask for: the order statistic that bounds the quantile, or else the most of any."""
    never = len(sized.values)
    needed = sorted(never if f.index is None else f.index for f in found.values())
    index = needed[(rank or len(needed)) - 1]
    settings = {sized.path: sized.values[index], **others} if index < never else dict(others)
    return Design(
        settings=settings,
        reached=index < never,
        cost=costs.evaluate(cost, {**base.values, **settings}) if cost is not None and index < never else None,
        per_seed={seed: None if f.index is None else sized.values[f.index] for seed, f in found.items()},
        monotone=all(f.monotone for f in found.values()),
    )


def _best_loss(probes: Probes) -> float:
    by_design: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    for (_, settings), probe in probes.done.items():
        by_design.setdefault(settings, []).append(probe.loss)
    return min(sum(losses) / len(losses) for losses in by_design.values())


def _notes(
    sized: Axis,
    frontier: Sequence[Design],
    best: Design | None,
    seeds: int,
    rank: int | None,
    quantile: float,
    confidence: float,
) -> list[str]:
    notes = []
    if seeds > 1 and rank is None:
        needed = repeats_needed(quantile, confidence)
        notes.append(f"{seeds} repeats are too few for a bound with that confidence: {needed} are needed.")
    if not all(design.monotone for design in frontier):
        notes.append(
            f"The loss does not fall all the way with {sized.path}: values over the whole range were looked at, and the"
            " last run of them that meets the target begins here."
        )
    if best is not None and best.settings[sized.path] == sized.values[0]:
        notes.append(f"It is the cheapest {sized.path} that was looked at.")
    return notes
