# SPDX-License-Identifier: BSD-3-Clause
"""Piecewise linear curves of a node's cumulative computing time, and the distance between two such curves.

Levels are rank-time in ps: if all R ranks of a node compute, the level grows by R ps per ps. Distances are exact for
piecewise linear curves and do not depend on the positions of their breakpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Times = NDArray[np.int64]
Levels = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A cumulative curve, which is constant before its first time and after its last one.

    Attributes:
        times_ps: Shape (n,), ascending.
        levels_ps: Rank-time, ps. Shape (n,), not descending; the first one is 0.
    """

    times_ps: Times
    levels_ps: Levels

    def at(self, times_ps: Times) -> Levels:
        """Returns the levels at these times."""
        if not len(self.times_ps):
            return np.zeros(len(times_ps))
        return np.interp(times_ps, self.times_ps, self.levels_ps)

    def slopes(self) -> NDArray[np.float64]:
        """Returns the slope of each piece, which is the number of computing ranks. Shape (n - 1,)."""
        return np.asarray(np.diff(self.levels_ps) / np.diff(self.times_ps))


def curve_from_pieces(begin_ps: ArrayLike, end_ps: ArrayLike, time_ps: ArrayLike | None = None) -> Curve:
    """Makes a curve from intervals, which may overlap if they belong to several ranks.

    `time_ps`: computing time in each interval. By default the whole interval.
    """
    begin, end = np.asarray(begin_ps, np.int64), np.asarray(end_ps, np.int64)
    rate = np.ones(len(begin)) if time_ps is None else np.asarray(time_ps, np.float64) / (end - begin)
    times = np.concatenate([begin, end])
    if not len(times):
        return Curve(np.zeros(0, np.int64), np.zeros(0))
    order = np.argsort(times, kind="stable")
    times = times[order]
    first = np.flatnonzero(np.append(True, times[1:] > times[:-1]))
    at = times[first]
    slopes = np.cumsum(np.add.reduceat(np.concatenate([rate, -rate])[order], first))[:-1]
    return _growing(at, slopes * np.diff(at))


def curve_from_slopes(times_ps: ArrayLike, slopes: ArrayLike) -> Curve:
    """Makes a curve from the slopes between consecutive times. Intervals without length are left out."""
    times, rates = np.asarray(times_ps, np.int64), np.asarray(slopes, np.float64)
    grows = np.diff(times) > 0
    kept = np.concatenate([times[:1], times[1:][grows]])
    return _growing(kept, rates[grows] * np.diff(times)[grows])


def curve_from_levels(times_ps: ArrayLike, levels_ps: ArrayLike) -> Curve:
    """Makes a curve through these points. The last of several points at one time counts. Levels never decrease."""
    times, levels = np.asarray(times_ps, np.int64), np.asarray(levels_ps, np.float64)
    last = np.append(np.diff(times) > 0, True)[: len(times)]
    times, levels = times[last], np.maximum.accumulate(levels[last]) if len(times) else levels
    return Curve(times, levels - levels[:1].sum())


def limited_by(curve: Curve, most: Curve) -> Curve:
    """Limits a curve's slope to that of `most`, and its times to those of `most`."""
    if not len(most.times_ps):
        return most
    begin, end = most.times_ps[0], most.times_ps[-1]
    times = merged([curve.times_ps[(curve.times_ps > begin) & (curve.times_ps < end)], most.times_ps])
    return _growing(times, np.minimum(np.diff(curve.at(times)), np.diff(most.at(times))))


def slower(curve: Curve, by: Curve) -> Curve:
    """Subtracts the slope of `by` from a curve's. Negative slopes are clamped to 0."""
    times = merged([curve.times_ps, by.times_ps])
    return _growing(times, (np.diff(curve.at(times)) - np.diff(by.at(times))).clip(min=0))


def _growing(times: Times, grown: Levels) -> Curve:
    """Makes a curve from its growth between consecutive times."""
    return Curve(times, np.concatenate([np.zeros(len(times[:1])), np.cumsum(grown)]))


def on_grid(curve: Curve, step_ps: int, begin_ps: int, end_ps: int) -> Curve:
    """Makes a curve linear between multiples of `step_ps` and the two ends."""
    inside = np.arange(begin_ps // step_ps + 1, -(-end_ps // step_ps), dtype=np.int64) * step_ps
    times = np.concatenate([[begin_ps], inside, [end_ps]]).astype(np.int64)
    return Curve(times, curve.at(times) - curve.at(times[:1]))


def merged(times_ps: Sequence[Times]) -> Times:
    """Merges sorted times without duplicates. Faster than np.unique, which does not use that they are sorted."""
    times = np.sort(np.concatenate(times_ps), kind="stable")
    return np.asarray(times[np.append(True, times[1:] > times[:-1])[: len(times)]])


class Distance(NamedTuple):
    """The distance between two curves of one node.

    Attributes:
        shares_ps: Integral of the difference between the numbers of computing ranks, as rank-time in ps.
        levels: Integral of the difference between the levels, in ps^2.
    """

    shares_ps: float
    levels: float


def distance(true: Curve, seen: Curve, section: Curve) -> Distance:
    """Computes the distance between `seen` and `true` during `section`. Levels are relative to the section's begin.

    For `shares_ps`, the seen number of ranks is clamped to 0 and the number of ranks in their sections, since an
    analyst knows that no more can compute.
    """
    if not len(section.times_ps):
        return Distance(0.0, 0.0)
    begin, end = section.times_ps[0], section.times_ps[-1]
    grid = merged([true.times_ps, seen.times_ps, section.times_ps])
    grid = grid[(grid >= begin) & (grid <= end)]
    true_at, seen_at, gaps = true.at(grid), seen.at(grid), np.diff(grid).astype(np.float64)
    drawn = np.clip(np.diff(seen_at), 0.0, np.diff(section.at(grid)))
    apart = (true_at - true_at[0]) - (seen_at - seen_at[0])
    return Distance(float(np.abs(np.diff(true_at) - drawn).sum()), _between(apart, gaps))


def _between(apart: NDArray[np.float64], gaps: NDArray[np.float64]) -> float:
    """Returns the integral of |apart|, which is linear in each gap. Where its sign changes, it forms two triangles."""
    a, b = apart[:-1], apart[1:]
    size = np.abs(a) + np.abs(b)
    crosses = (a < 0) & (b > 0) | (a > 0) & (b < 0)
    area = np.where(crosses, (a * a + b * b) / np.where(size > 0, size, 1.0), size) / 2
    return float((area * gaps).sum())
