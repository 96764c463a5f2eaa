# SPDX-License-Identifier: BSD-3-Clause
"""The truth, a monitor's picture of it, and the error between them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hypermon._model import activity as activities
from hypermon._model import monitors
from hypermon._model.activity import ACTUAL, Activity
from hypermon._model.cards import BAD, GOOD, Card, Shown
from hypermon._model.result import Result
from hypermon._model.routines import HasProfiles
from hypermon._model.samples import FILE as SAMPLES
from hypermon.errors import UserError
from hypermon.judging import live, of_events, of_profiles, of_samples
from hypermon.judging.curves import Curve, Distance, distance, held, merged, of_pieces, on_grid
from hypermon.judging.picture import NO_HOLES, Picture, Seen

ACCOUNTING = "accounting"
"""The source of a picture that no monitor gave: how much the program computed in all, as `time` says afterwards."""


@dataclass(frozen=True)
class Live:
    """What an analyst sees who looks while the program runs: all of it so old, or as it came.

    Attributes:
        age_s: From when something is true to when he has it, s; as it came: in the mean.
        error_percent: As of `Judgement`.
        error_s: As of `Judgement`, s.
    """

    age_s: float
    error_percent: float
    error_s: float | None


@dataclass(frozen=True)
class OfNode:
    """One node's part.

    Attributes:
        node: Which.
        section_s: How long each of its ranks' measured sections is in the mean, s; 0: none has one, all else is 0, too.
        computing_percent: Of its ranks' time they computed, truly.
        seen_percent: The same in the picture.
        error_percent, error_s, hole_percent: As of `Judgement`, of this node alone.
    """

    node: int
    section_s: float
    computing_percent: float
    seen_percent: float
    error_percent: float
    error_s: float | None
    hole_percent: float


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """How far a picture is from the truth.

    Attributes:
        monitor: Whose picture it is.
        source: What it is made of: `events`, counters, `profiles`, or `accounting` if the monitor gave nothing.
        clock: Whose times it has.
        computing_percent: Of all ranks' time in their measured sections they computed, truly.
        elapsed_s: From when the first of these begins to when the last one ends, s.
        resolution_s: Both are compared as means over steps of so long, s; 0: exactly.
        error_percent: Of node-time in which picture and truth are apart: 0 to 100. A node's time is that of its ranks'
            measured sections, in the mean.
        error_s: By how many seconds a second of computing stands wrong on average; None: nothing was computed.
        hole_percent: Of node-time of which the monitor told nothing.
        guess_percent, guess_s: The same errors of who knows only how much was computed in all.
        live: By quantile of the age of what arrives (AGES; one at which it has not arrived when the program ends is
            missing), and ACTUAL, as it came; empty: nothing arrives while the program runs.
        nodes: What each has to it.
        begin_ps, end_ps: When the first measured section begins and the last one ends, ps.
        ranks, sections, truth, drawn: By node: its ranks, how many were in their sections when, how much they truly
            computed there by when, and what was compared with that.
    """

    monitor: str
    source: str
    clock: str
    computing_percent: float
    elapsed_s: float
    resolution_s: float
    error_percent: float
    error_s: float | None
    hole_percent: float
    guess_percent: float
    guess_s: float | None
    live: Mapping[str, Live]
    nodes: tuple[OfNode, ...]
    begin_ps: int
    end_ps: int
    ranks: tuple[int, ...]
    sections: tuple[Curve, ...]
    truth: tuple[Curve, ...]
    drawn: tuple[Seen, ...]

    def to_dict(self, nodes: bool = True) -> dict[str, Any]:
        """All numbers, as JSON knows them."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        found["live"] = {age: asdict(one) for age, one in self.live.items()}
        if nodes:
            found["nodes"] = [asdict(node) for node in self.nodes]
        return found

    def _card(self) -> Card:
        return Card(
            title=f"Judgement of what monitor {self.monitor} shows of the program's activity",
            verdict=f"The picture is wrong for {self.error_percent:.3g} % of node-time. Without a monitor, a guess from"
            f" the total computing time is wrong for {self.guess_percent:.3g} %.",
            level=GOOD if self.error_percent < self.guess_percent else BAD,
            facts=[
                ("made of", f"{self.source} (times: {self.clock})"),
                ("without data", f"{self.hole_percent:.3g} % of node-time"),
                *([] if self.error_s is None else [("a second of computing is off by", _seconds(self.error_s))]),
                *((f"live, {age}", f"{live.error_percent:.3g} % wrong") for age, live in self.live.items()),
            ],
        )

    def __str__(self) -> str:
        late = "" if self.error_s is None else f", {_seconds(self.error_s)} off"
        return f"{self.error_percent:.3g} % wrong{late}, {self.hole_percent:.3g} % holes"


def judge(run: Result | str | os.PathLike[str], *, resolution_s: float = 0.0) -> Judgement:
    """How far is what a run's monitor gave an analyst from what truly happened?

    Args:
        run: One with an activity (`hypermon run --activity`, `hypermon.run(activity=True)`), or its directory.
        resolution_s: Compare means over steps of so long, s; 0: exactly, or on the activity's own grid, of which it is
            a multiple, rounded up.

    Returns:
        The errors, of all nodes and of each.

    Raises:
        UserError: The run says nothing of its activity.
        DamagedError: What it left is not what was written.

    Example:
        >>> run = hypermon.run("table2/matmul", nodes=2, monitor="hypermon", matmul={"size": 16}, activity=True)
        >>> hypermon.judge(run).hole_percent
        0.0
    """
    result = run if isinstance(run, Result) else Result(Path(run))
    if not resolution_s >= 0:
        raise UserError(f"resolution_s = {resolution_s}: must be 0 or more")
    activity = Activity(result.folder)
    return of_picture(result, activity, picture(result, activity), round(resolution_s * 1e12))


class HasPicture(Protocol):
    def picture(self) -> Callable[[Result, Activity], Picture | None] | None: ...


def picture(result: Result, activity: Activity) -> Picture | None:
    """What the run's monitor makes of it; None: nothing."""
    monitor = monitors.of(result["spec"]["monitor"])
    if (own := monitors.part(monitor, HasPicture.picture)) is not None:
        return own(result, activity)
    if (profiles := monitors.part(monitor, HasProfiles.profiles)) is not None:
        frame = profiles(result)
        return None if frame is None else of_profiles.picture(frame, activity)
    if result.has_file(activities.EVENTS):
        return of_events.of_run(result, activity)
    if result.has_file(SAMPLES):
        return of_samples.picture(result, activity)
    return None


def of_picture(result: Result, activity: Activity, seen: Picture | None, resolution_ps: int = 0) -> Judgement:
    """That of a picture of the run, whoever made it."""
    if all(rank.end_ps <= rank.begin_ps for rank in activity.ranks):
        raise UserError(
            f"{result.path}: no program ran, or its measured sections took no time: there is nothing to compare"
        )
    grid = activity.step_ps  # at its multiples what was computed is exact
    comparison = _Comparison(activity, grid * max(1, -(-resolution_ps // grid)) if grid else resolution_ps)
    guess = comparison.guess
    drawn = comparison.assumed(seen) if seen is not None else guess
    of_all = comparison.errors([node.curve for node in drawn])
    of_guess = comparison.errors([node.curve for node in guess])
    of_each = [comparison.of_node(n, node) for n, node in enumerate(drawn)]
    live = comparison.live(result, seen, drawn, activity.end_ps) if seen is not None else {}
    return Judgement(
        monitor=str(result["spec"]["monitor"]),
        source=ACCOUNTING if seen is None else seen.source,
        clock="" if seen is None else seen.clock,
        computing_percent=comparison.computing_percent,
        elapsed_s=(activity.end_ps - activity.begin_ps) * 1e-12,
        resolution_s=comparison.step_ps * 1e-12,
        error_percent=of_all.percent,
        error_s=of_all.seconds,
        hole_percent=comparison.hole_percent(drawn),
        guess_percent=of_guess.percent,
        guess_s=of_guess.seconds,
        live=live,
        nodes=tuple(of_each),
        begin_ps=activity.begin_ps,
        end_ps=activity.end_ps,
        ranks=comparison.ranks,
        sections=comparison.sections,
        truth=comparison.truth,
        drawn=tuple(drawn),
    )


_NUMBERS = (
    "monitor",
    "source",
    "clock",
    "computing_percent",
    "elapsed_s",
    "resolution_s",
    "error_percent",
    "error_s",
    "hole_percent",
    "guess_percent",
    "guess_s",
)


@dataclass(frozen=True)
class _Errors:
    percent: float
    seconds: float | None


class _Comparison:
    """Of pictures with the truth of one run, each node's within its ranks' measured sections."""

    def __init__(self, activity: Activity, step_ps: int) -> None:
        self.step_ps = step_ps
        self.ranks = tuple(max(activity.ranks_of(n), 1) for n in range(activity.nodes))
        self.sections = tuple(of_pieces(*activity.sections_of(n)) for n in range(activity.nodes))
        self._stepped_sections = tuple(self._stepped(n, curve) for n, curve in enumerate(self.sections))
        self.truth = tuple(self._stepped(n, of_pieces(*activity.in_sections(n))) for n in range(activity.nodes))
        self._computed = [_total(curve) for curve in self.truth]
        self._rank_time = [_total(curve) for curve in self.sections]

    def _mean(self, of_nodes: Sequence[float]) -> float:
        """Of nodes' rank-time, as a share of all nodes' time: each node counts alike, however many ranks it has."""
        whole = sum(time / ranks for time, ranks in zip(self._rank_time, self.ranks, strict=True))
        return sum(one / ranks for one, ranks in zip(of_nodes, self.ranks, strict=True)) / whole

    @property
    def computing_percent(self) -> float:
        return 100 * self._mean(self._computed)

    def hole_percent(self, drawn: Sequence[Seen]) -> float:
        return 100 * self._mean([node.hole_ps(of) for node, of in zip(drawn, self.sections, strict=True)])

    @cached_property
    def guess(self) -> list[Seen]:
        """All ranks compute as much as they do in the mean, all the time."""
        share = sum(self._computed) / sum(self._rank_time)
        return [Seen(Curve(of.times_ps, of.levels_ps * share), _whole(of)) for of in self.sections]

    def assumed(self, seen: Picture) -> list[Seen]:
        """Of nodes that the monitor says nothing of: as the others, in the mean. States are of who is in a section."""
        told = [(node.curve, ranks) for node, ranks in zip(seen.nodes, self.ranks, strict=True) if node is not None]
        if not told:
            return self.guess
        edges = merged([curve.times_ps for curve, _ in told])
        mean = np.sum([curve.at(edges) for curve, _ in told], axis=0) / sum(ranks for _, ranks in told)
        drawn = [
            node if node is not None else Seen(Curve(edges, mean * ranks), _whole(of))
            for node, ranks, of in zip(seen.nodes, self.ranks, self.sections, strict=True)
        ]
        if seen.in_hindsight:
            return drawn
        curves = self.in_sections([node.curve for node in drawn])
        return [replace(node, curve=curve) for curve, node in zip(curves, drawn, strict=True)]

    def in_sections(self, curves: Sequence[Curve]) -> list[Curve]:
        """Ranks that are in no section are known not to compute."""
        return [held(curve, of) for curve, of in zip(curves, self.sections, strict=True)]

    def live(self, result: Result, seen: Picture, drawn: Sequence[Seen], end_ps: int) -> dict[str, Live]:
        """By quantile of the age, and as it came."""
        ages, hindsight = live.ages(result, seen, end_ps), seen.in_hindsight
        found = {age: (ps, live.late(drawn, hindsight, ps, end_ps)) for age, ps in ages.items()}
        if ages and (mean := live.mean_age(seen)) is not None:
            found[ACTUAL] = mean, live.as_it_came(drawn, hindsight, mean, end_ps)
        errors = {
            age: (ps, self.errors(curves if hindsight else self.in_sections(curves)))
            for age, (ps, curves) in found.items()
        }
        return {age: Live(ps * 1e-12, error.percent, error.seconds) for age, (ps, error) in errors.items()}

    def errors(self, curves: Sequence[Curve]) -> _Errors:
        """Of all nodes."""
        far = [self._distance(n, curve) for n, curve in enumerate(curves)]
        apart, computed = self._mean([one.levels for one in far]), self._mean(self._computed)
        wrong = 100 * self._mean([one.shares_ps for one in far])
        return _Errors(wrong, apart / computed * 1e-12 if computed > 0 else None)

    def of_node(self, n: int, node: Seen) -> OfNode:
        far, computed, whole = self._distance(n, node.curve), self._computed[n], self._rank_time[n]
        if whole == 0:
            return OfNode(n, 0.0, 0.0, 0.0, 0.0, None, 0.0)
        seen = node.curve.at(self.sections[n].times_ps[[0, -1]])
        return OfNode(
            node=n,
            section_s=whole / self.ranks[n] * 1e-12,
            computing_percent=100 * computed / whole,
            seen_percent=100 * float(seen[1] - seen[0]) / whole,
            error_percent=100 * far.shares_ps / whole,
            error_s=far.levels / computed * 1e-12 if computed > 0 else None,
            hole_percent=100 * node.hole_ps(self.sections[n]) / whole,
        )

    def _distance(self, n: int, curve: Curve) -> Distance:
        return distance(self.truth[n], self._stepped(n, curve), self._stepped_sections[n])

    def _stepped(self, n: int, curve: Curve) -> Curve:
        times = self.sections[n].times_ps
        return curve if self.step_ps == 0 or not len(times) else on_grid(curve, self.step_ps, times[0], times[-1])


def _total(curve: Curve) -> float:
    return float(curve.levels_ps[-1]) if len(curve.levels_ps) else 0.0


def _whole(section: Curve) -> NDArray[np.int64]:
    """All of it is a hole."""
    return section.times_ps[[0, -1]].reshape(1, 2) if len(section.times_ps) else NO_HOLES


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
