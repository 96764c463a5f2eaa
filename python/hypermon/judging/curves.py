# SPDX-License-Identifier: BSD-3-Clause
"""How much a node has computed by when, as a curve of straight pieces; and how far two such curves are apart.

Levels are rank-time, ps: a node whose R ranks all compute gains R ps in each ps. Exact for straight pieces, whatever
instants the curves bend at: how a curve is cut into pieces is in no distance.
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
    """A cumulative curve; before its first time and after its last one it is flat.

    Attributes:
        times_ps: Shape (n,), ascending.
        levels_ps: Shape (n,), rank-time, not descending; the first one is 0.
    """

    times_ps: Times
    levels_ps: Levels

    def at(self, times_ps: Times) -> Levels:
        """The levels then."""
        if not len(self.times_ps):
            return np.zeros(len(times_ps))
        return np.interp(times_ps, self.times_ps, self.levels_ps)

    def slopes(self) -> NDArray[np.float64]:
        """By how many ranks the level grows, of each piece: shape (n - 1,)."""
        return np.asarray(np.diff(self.levels_ps) / np.diff(self.times_ps))


def of_pieces(begin_ps: ArrayLike, end_ps: ArrayLike, time_ps: ArrayLike | None = None) -> Curve:
    """Of pieces of time, which may overlap (several ranks'), so much of each: all, if `time_ps` is not given."""
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


def of_slopes(times_ps: ArrayLike, slopes: ArrayLike) -> Curve:
    """That grows so fast between one time and the next: one slope less than times. Times that do not advance are left
    out."""
    times, rates = np.asarray(times_ps, np.int64), np.asarray(slopes, np.float64)
    grows = np.diff(times) > 0
    kept = np.concatenate([times[:1], times[1:][grows]])
    return _growing(kept, rates[grows] * np.diff(times)[grows])


def of_levels(times_ps: ArrayLike, levels_ps: ArrayLike) -> Curve:
    """Through these points; of several at one time the last one holds. Levels that fall stay as they were."""
    times, levels = np.asarray(times_ps, np.int64), np.asarray(levels_ps, np.float64)
    last = np.append(np.diff(times) > 0, True)[: len(times)]
    times, levels = times[last], np.maximum.accumulate(levels[last]) if len(times) else levels
    return Curve(times, levels - levels[:1].sum())


def held(curve: Curve, most: Curve) -> Curve:
    """The same, but that it never grows faster than `most` does, and only while that has times."""
    if not len(most.times_ps):
        return most
    begin, end = most.times_ps[0], most.times_ps[-1]
    times = merged([curve.times_ps[(curve.times_ps > begin) & (curve.times_ps < end)], most.times_ps])
    return _growing(times, np.minimum(np.diff(curve.at(times)), np.diff(most.at(times))))


def slower(curve: Curve, by: Curve) -> Curve:
    """The same, but that it grows by so much less as `by` grows, and never falls."""
    times = merged([curve.times_ps, by.times_ps])
    return _growing(times, (np.diff(curve.at(times)) - np.diff(by.at(times))).clip(min=0))


def _growing(times: Times, grown: Levels) -> Curve:
    """By so much between each of the times and the next."""
    return Curve(times, np.concatenate([np.zeros(len(times[:1])), np.cumsum(grown)]))


def on_grid(curve: Curve, step_ps: int, begin_ps: int, end_ps: int) -> Curve:
    """The same, straight between multiples of `step_ps`, and the ends: what grows in a step grows evenly in it."""
    inside = np.arange(begin_ps // step_ps + 1, -(-end_ps // step_ps), dtype=np.int64) * step_ps
    times = np.concatenate([[begin_ps], inside, [end_ps]]).astype(np.int64)
    return Curve(times, curve.at(times) - curve.at(times[:1]))


def merged(times_ps: Sequence[Times]) -> Times:
    """All of these, each in order, once each, in order. (np.unique hashes, and forgets that they are in order.)"""
    times = np.sort(np.concatenate(times_ps), kind="stable")
    return np.asarray(times[np.append(True, times[1:] > times[:-1])[: len(times)]])


class Distance(NamedTuple):
    """Between two curves of one node.

    Attributes:
        shares_ps: The integral of how far the numbers of ranks that compute are apart: rank-time.
        levels: The integral of how far the levels are apart: rank-time by time, ps2.
    """

    shares_ps: float
    levels: float


def distance(true: Curve, seen: Curve, section: Curve) -> Distance:
    """How far `seen` is from `true` while `section` has times; levels count from its first one on.

    What is seen is taken for no less than 0 and no more ranks than `section` has then, where shares are compared: an
    analyst knows that no more compute.
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
    """The integral of |apart|, which is straight in each gap: where it changes its sign, two triangles."""
    a, b = apart[:-1], apart[1:]
    size = np.abs(a) + np.abs(b)
    crosses = (a < 0) & (b > 0) | (a > 0) & (b < 0)
    area = np.where(crosses, (a * a + b * b) / np.where(size > 0, size, 1.0), size) / 2
    return float((area * gaps).sum())
