# SPDX-License-Identifier: BSD-3-Clause
"""The error between the truth and a monitor's picture of it."""

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
from hypermon.judging import from_events, from_profiles, from_samples, live
from hypermon.judging.curves import Curve, Distance, curve_from_pieces, distance, limited_by, merged, on_grid
from hypermon.judging.picture import NO_HOLES, NodePicture, Picture

ACCOUNTING = "accounting"
"""Source of a picture without any data of the monitor. It uses only the total computing time, as `time` reports it."""


@dataclass(frozen=True)
class Live:
    """The picture that an analyst has while the program runs: with a fixed latency, or with the actual latencies.

    Attributes:
        age_s: Latency of the data, s. With actual latencies, their mean.
        error_percent: See `Judgement`.
        error_s: See `Judgement`, s.
    """

    age_s: float
    error_percent: float
    error_s: float | None


@dataclass(frozen=True)
class NodeJudgement:
    """The judgement of a single node.

    Attributes:
        node: Number of the node.
        section_s: Mean length of its ranks' measured sections, s. 0: there is none, and all other numbers are 0.
        computing_percent: True share of its ranks' time in which they computed.
        seen_percent: The same share in the picture.
        error_percent, error_s, hole_percent: See `Judgement`, for this node only.
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
    """The error of a monitor's picture of a run.

    Attributes:
        monitor: Name of the monitor.
        source: Data from which the picture is made: `events`, counters, `profiles`, or `accounting` if there are none.
        clock: Clock of the picture's times.
        computing_percent: True share of all ranks' time in their measured sections in which they computed.
        elapsed_s: Time from the begin of the first measured section to the end of the last one, s.
        resolution_s: Step over which picture and truth are averaged before they are compared, s. 0: no averaging.
        error_percent: Share of node-time in which the picture differs from the truth, 0 to 100. The time of a node is
            the mean of its ranks' measured sections.
        error_s: Average time in s by which the data misplace a second of computing. None: nothing was computed.
        hole_percent: Share of node-time about which the monitor has no data.
        guess_percent, guess_s: Errors of a guess that knows only the total computing time.
        live: Errors while the program runs, by quantile of the latency (AGES), and for the actual latencies (ACTUAL).
            A latency with which the data do not arrive before the end is missing. Empty: no data arrive in time.
        nodes: Judgements of the nodes.
        begin_ps, end_ps: Begin of the first measured section and end of the last one, ps.
        ranks, sections, truth, drawn: For each node the number of ranks, the curve of ranks in their sections, that of
            their true computing, and that of the picture.
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
    nodes: tuple[NodeJudgement, ...]
    begin_ps: int
    end_ps: int
    ranks: tuple[int, ...]
    sections: tuple[Curve, ...]
    truth: tuple[Curve, ...]
    drawn: tuple[NodePicture, ...]

    def to_dict(self, nodes: bool = True) -> dict[str, Any]:
        """Returns all numbers as JSON data."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        found["live"] = {age: asdict(one) for age, one in self.live.items()}
        if nodes:
            found["nodes"] = [asdict(node) for node in self.nodes]
        return found

    def summary(self) -> str:
        """Returns the answer in a sentence: how wrong the picture is, and how wrong a guess would be."""
        better = "better" if self.error_percent < self.guess_percent else "no better"
        return (
            f"The picture is wrong for {self.error_percent:.3g} % of the nodes' time, {better} than a guess from the"
            f" total computing time, which is wrong for {self.guess_percent:.3g} %."
        )

    def _card(self) -> Card:
        return Card(
            title=f"Judgement of what monitor {self.monitor} shows of the program's activity",
            verdict=self.summary(),
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
    """Compares the data of a run's monitor with the truth.

    Args:
        run: A run with an activity (`hypermon run --activity`, `hypermon.run(activity=True)`), or its directory.
        resolution_s: Step over which both are averaged before they are compared, s. It is rounded up to a multiple of
            the activity's grid, if it has one. 0: no averaging beyond this grid.

    Returns:
        The errors, for all nodes together and for each node.

    Raises:
        UserError: The run has no activity.
        DamagedError: The checksum of a file is wrong.

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
    """Makes the picture from the data of the run's monitor. None: there are no suitable data."""
    monitor = monitors.find(result["spec"]["monitor"])
    if (own := monitors.part(monitor, HasPicture.picture)) is not None:
        return own(result, activity)
    if (profiles := monitors.part(monitor, HasProfiles.profiles)) is not None:
        frame = profiles(result)
        return None if frame is None else from_profiles.picture(frame, activity)
    if result.has_file(activities.EVENTS):
        return from_events.of_run(result, activity)
    if result.has_file(SAMPLES):
        return from_samples.picture(result, activity)
    return None


def of_picture(result: Result, activity: Activity, seen: Picture | None, resolution_ps: int = 0) -> Judgement:
    """Judges a picture of the run."""
    if all(rank.end_ps <= rank.begin_ps for rank in activity.ranks):
        raise UserError(
            f"{result.path}: no program ran, or its measured sections took no time: there is nothing to compare"
        )
    grid = activity.step_ps  # the true computing time is exact at its multiples
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
    """Compares pictures with the truth of one run, within the measured sections of each node's ranks."""

    def __init__(self, activity: Activity, step_ps: int) -> None:
        self.step_ps = step_ps
        self.ranks = tuple(max(activity.ranks_of(n), 1) for n in range(activity.nodes))
        self.sections = tuple(curve_from_pieces(*activity.sections_of(n)) for n in range(activity.nodes))
        self._stepped_sections = tuple(self._stepped(n, curve) for n, curve in enumerate(self.sections))
        self.truth = tuple(self._stepped(n, curve_from_pieces(*activity.in_sections(n))) for n in range(activity.nodes))
        self._computed = [_total(curve) for curve in self.truth]
        self._rank_time = [_total(curve) for curve in self.sections]

    def _mean(self, of_nodes: Sequence[float]) -> float:
        """Converts rank-times of the nodes to a share of all nodes' time. All nodes have equal weight."""
        whole = sum(time / ranks for time, ranks in zip(self._rank_time, self.ranks, strict=True))
        return sum(one / ranks for one, ranks in zip(of_nodes, self.ranks, strict=True)) / whole

    @property
    def computing_percent(self) -> float:
        return 100 * self._mean(self._computed)

    def hole_percent(self, drawn: Sequence[NodePicture]) -> float:
        return 100 * self._mean([node.hole_ps(of) for node, of in zip(drawn, self.sections, strict=True)])

    @cached_property
    def guess(self) -> list[NodePicture]:
        """Returns the guess that all ranks always compute at the mean rate."""
        share = sum(self._computed) / sum(self._rank_time)
        return [NodePicture(Curve(of.times_ps, of.levels_ps * share), _whole(of)) for of in self.sections]

    def assumed(self, seen: Picture) -> list[NodePicture]:
        """Fills in nodes without data: they are assumed to behave like the mean of the others.

        States apply only to ranks in their sections.
        """
        told = [(node.curve, ranks) for node, ranks in zip(seen.nodes, self.ranks, strict=True) if node is not None]
        if not told:
            return self.guess
        edges = merged([curve.times_ps for curve, _ in told])
        mean = np.sum([curve.at(edges) for curve, _ in told], axis=0) / sum(ranks for _, ranks in told)
        drawn = [
            node if node is not None else NodePicture(Curve(edges, mean * ranks), _whole(of))
            for node, ranks, of in zip(seen.nodes, self.ranks, self.sections, strict=True)
        ]
        if seen.in_hindsight:
            return drawn
        curves = self.in_sections([node.curve for node in drawn])
        return [replace(node, curve=curve) for curve, node in zip(curves, drawn, strict=True)]

    def in_sections(self, curves: Sequence[Curve]) -> list[Curve]:
        """Limits curves to the ranks in their sections. It is known that all others do not count as computing."""
        return [limited_by(curve, of) for curve, of in zip(curves, self.sections, strict=True)]

    def live(self, result: Result, seen: Picture, drawn: Sequence[NodePicture], end_ps: int) -> dict[str, Live]:
        """Returns the errors while the program runs, by quantile of the latency, and for the actual latencies."""
        ages, hindsight = live.ages(result, seen, end_ps), seen.in_hindsight
        found = {age: (ps, live.with_latency(drawn, hindsight, ps, end_ps)) for age, ps in ages.items()}
        if ages and (mean := live.mean_age(seen)) is not None:
            found[ACTUAL] = mean, live.with_actual_latencies(drawn, hindsight, mean, end_ps)
        errors = {
            age: (ps, self.errors(curves if hindsight else self.in_sections(curves)))
            for age, (ps, curves) in found.items()
        }
        return {age: Live(ps * 1e-12, error.percent, error.seconds) for age, (ps, error) in errors.items()}

    def errors(self, curves: Sequence[Curve]) -> _Errors:
        """Returns the errors over all nodes."""
        far = [self._distance(n, curve) for n, curve in enumerate(curves)]
        apart, computed = self._mean([one.levels for one in far]), self._mean(self._computed)
        wrong = 100 * self._mean([one.shares_ps for one in far])
        return _Errors(wrong, apart / computed * 1e-12 if computed > 0 else None)

    def of_node(self, n: int, node: NodePicture) -> NodeJudgement:
        far, computed, whole = self._distance(n, node.curve), self._computed[n], self._rank_time[n]
        if whole == 0:
            return NodeJudgement(n, 0.0, 0.0, 0.0, 0.0, None, 0.0)
        seen = node.curve.at(self.sections[n].times_ps[[0, -1]])
        return NodeJudgement(
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
    """Returns a hole that covers the whole section."""
    return section.times_ps[[0, -1]].reshape(1, 2) if len(section.times_ps) else NO_HOLES


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
