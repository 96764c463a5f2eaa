"""The truth, a monitor's picture of it, and the error between them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from hypermon._model import activity as activities
from hypermon._model import monitors
from hypermon._model.activity import AGES, Activity
from hypermon._model.result import Result
from hypermon._model.samples import FILE as SAMPLES
from hypermon.errors import UserError
from hypermon.judging import of_events, of_profiles, of_samples
from hypermon.judging.curves import Curve, Distance, distance, merged, of_pieces, of_slopes, on_grid, within
from hypermon.judging.picture import Picture, Seen, lagging

ACCOUNTING = "accounting"
"""The source of a picture that no monitor gave: how much the program computed in all, as `time` says afterwards."""


@dataclass(frozen=True)
class Live:
    """What an analyst sees who looks while the program runs: all of it so old.

    Attributes:
        age_s: From when something is true to when he has it, s.
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
        computing_percent: Of its ranks' time they computed, truly.
        seen_percent: The same in the picture.
        error_percent, error_s, hole_percent: As of `Judgement`, of this node alone.
    """

    node: int
    computing_percent: float
    seen_percent: float
    error_percent: float
    error_s: float | None
    hole_percent: float


@dataclass(frozen=True)
class Judgement:
    """How far a picture is from the truth.

    Attributes:
        monitor: Whose picture it is.
        source: What it is made of: `events`, counters, `profiles`, or `accounting` if the monitor gave nothing.
        clock: Whose times it has.
        computing_percent: Of all ranks' time they computed, truly.
        elapsed_s: Of the measured section, s.
        resolution_s: Both are compared as means over steps of so long, s; 0: exactly.
        error_percent: Of node-time in which picture and truth are apart: 0 to 100.
        error_s: By how many seconds a second of computing stands wrong on average; None: nothing was computed.
        hole_percent: Of node-time of which the monitor told nothing.
        guess_percent, guess_s: The same errors of who knows only how much was computed in all.
        live: By quantile of the age of what arrives (AGES); empty: nothing arrives while the program runs.
        nodes: What each has to it.
        begin_ps, end_ps: Of the measured section, ps.
        ranks, truth, drawn: By node: its ranks, how much they truly computed by when, and what was compared with that.
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
    truth: tuple[Curve, ...]
    drawn: tuple[Seen, ...]

    def to_dict(self, nodes: bool = True) -> dict[str, Any]:
        """All numbers, as JSON knows them."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        found["live"] = {age: asdict(one) for age, one in self.live.items()}
        if nodes:
            found["nodes"] = [asdict(node) for node in self.nodes]
        return found

    def __str__(self) -> str:
        late = "" if self.error_s is None else f", {_seconds(self.error_s)} off"
        return f"{self.error_percent:.3g} % wrong{late}, {self.hole_percent:.3g} % holes"


def judge(run: Result | str | os.PathLike[str], *, resolution_s: float = 0.0) -> Judgement:
    """How far is what a run's monitor gave an analyst from what truly happened?

    Args:
        run: One with an activity (`hypermon run --activity`, `hypermon.run(activity=True)`), or its directory.
        resolution_s: Compare means over steps of so long, s; 0: exactly, or on the activity's own grid.

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
    activity = Activity(result.path)
    return of_picture(result, activity, picture(result, activity), round(resolution_s * 1e12))


def picture(result: Result, activity: Activity) -> Picture | None:
    """What the run's monitor makes of it; None: nothing."""
    monitor = monitors.of(result["spec"]["monitor"])
    if (own := monitors.part(monitor, "picture")) is not None:
        return cast("Picture | None", own(result, activity))
    if (profiles := monitors.part(monitor, "profiles")) is not None:
        frame = profiles(result)
        return None if frame is None else of_profiles.picture(frame, activity)
    if (result.path / activities.EVENTS).is_file():
        return of_events.picture(activities.events(result.path), activity)
    if (result.path / SAMPLES).is_file():
        return of_samples.picture(result, activity)
    return None


def of_picture(result: Result, activity: Activity, seen: Picture | None, resolution_ps: int = 0) -> Judgement:
    """That of a picture of the run, whoever made it."""
    if not activity.ranks or activity.end_ps <= activity.begin_ps:
        raise UserError(f"{result.path}: no program ran, so there is nothing to compare")
    comparison = _Comparison(activity, max(resolution_ps, activity.step_ps))
    guess = comparison.guess
    drawn = comparison.assumed(seen) if seen is not None else guess
    of_all = comparison.errors([node.curve for node in drawn])
    of_guess = comparison.errors([node.curve for node in guess])
    of_each = [comparison.of_node(n, node) for n, node in enumerate(drawn)]
    live = {}
    if seen is not None:
        for age, age_ps in _ages(result).items():
            late = [lagging(node.curve, age_ps, seen.in_hindsight, activity.end_ps) for node in drawn]
            error = comparison.errors(late)
            live[age] = Live(age_ps * 1e-12, error.percent, error.seconds)
    return Judgement(
        monitor=str(result["spec"]["monitor"]),
        source=ACCOUNTING if seen is None else seen.source,
        clock="" if seen is None else seen.clock,
        computing_percent=comparison.computing_percent,
        elapsed_s=(activity.end_ps - activity.begin_ps) * 1e-12,
        resolution_s=comparison.step_ps * 1e-12,
        error_percent=of_all.percent,
        error_s=of_all.seconds,
        hole_percent=float(np.mean([node.hole_percent for node in of_each])),
        guess_percent=of_guess.percent,
        guess_s=of_guess.seconds,
        live=live,
        nodes=tuple(of_each),
        begin_ps=activity.begin_ps,
        end_ps=activity.end_ps,
        ranks=comparison.ranks,
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
    """Of pictures with the truth of one run."""

    def __init__(self, activity: Activity, step_ps: int) -> None:
        self.step_ps = step_ps
        self._begin, self._end = activity.begin_ps, activity.end_ps
        # A node without a rank computes nothing, and a picture that says so is right.
        self.ranks = tuple(max(activity.ranks_of(n), 1) for n in range(activity.nodes))
        self.truth = tuple(
            self._stepped(within(of_pieces(*activity.of_node(n)), self._begin, self._end))
            for n in range(activity.nodes)
        )
        self._computed = [float(curve.levels_ps[-1]) for curve in self.truth]

    @property
    def elapsed_ps(self) -> int:
        return self._end - self._begin

    @property
    def computing_percent(self) -> float:
        return 100 * float(
            np.mean([c / (r * self.elapsed_ps) for c, r in zip(self._computed, self.ranks, strict=True)])
        )

    @cached_property
    def guess(self) -> list[Seen]:
        """All ranks compute as much as they do in the mean, all the time."""
        share = sum(self._computed) / (sum(self.ranks) * self.elapsed_ps)
        hole = np.array([[self._begin, self._end]], np.int64)
        return [Seen(of_slopes([self._begin, self._end], [share * ranks]), hole) for ranks in self.ranks]

    def assumed(self, seen: Picture) -> list[Seen]:
        """Of nodes that the monitor says nothing of: as the others, in the mean."""
        told = [(node.curve, ranks) for node, ranks in zip(seen.nodes, self.ranks, strict=True) if node is not None]
        if not told:
            return self.guess
        if len(told) == len(seen.nodes):
            return [node for node in seen.nodes if node is not None]
        edges = merged([curve.times_ps for curve, _ in told])
        mean = np.sum([curve.at(edges) for curve, _ in told], axis=0) / sum(ranks for _, ranks in told)
        hole = np.array([[self._begin, self._end]], np.int64)
        return [
            node if node is not None else Seen(Curve(edges, mean * ranks), hole)
            for node, ranks in zip(seen.nodes, self.ranks, strict=True)
        ]

    def errors(self, curves: Sequence[Curve]) -> _Errors:
        """Of all nodes: each counts alike, however many ranks it has."""
        return self._of(range(len(self.truth)), curves)

    def of_node(self, n: int, node: Seen) -> OfNode:
        error = self._of([n], {n: node.curve})
        whole = self.ranks[n] * self.elapsed_ps
        seen = node.curve.at(np.array([self._begin, self._end], np.int64))
        return OfNode(
            node=n,
            computing_percent=100 * self._computed[n] / whole,
            seen_percent=100 * float(seen[1] - seen[0]) / whole,
            error_percent=error.percent,
            error_s=error.seconds,
            hole_percent=100 * node.hole_ps(self._begin, self._end) / self.elapsed_ps,
        )

    def _of(self, nodes: Sequence[int], curves: Mapping[int, Curve] | Sequence[Curve]) -> _Errors:
        wrong = apart = computed = 0.0
        for n in nodes:
            far = self._distance(n, curves[n])
            wrong += far.shares_ps / self.ranks[n]
            apart += far.levels / self.ranks[n]
            computed += self._computed[n] / self.ranks[n]
        percent = 100 * wrong / (len(nodes) * self.elapsed_ps)
        return _Errors(percent, apart / computed * 1e-12 if computed > 0 else None)

    def _distance(self, n: int, curve: Curve) -> Distance:
        return distance(self.truth[n], self._stepped(curve), self.ranks[n], self._begin, self._end)

    def _stepped(self, curve: Curve) -> Curve:
        return curve if self.step_ps == 0 else on_grid(curve, self.step_ps, self._begin, self._end)


def _ages(result: Result) -> dict[str, int]:
    """Quantiles of the age at arrival, ps, of what reaches an analyst while the program runs."""
    sampling = result.get("sampling") or {}
    found = result.get("latency_us") or sampling.get("age_us") or {}
    return {age: round(float(found[age]) * 1e6) for age in AGES if found.get(age) is not None}


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
